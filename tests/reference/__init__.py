# SPDX-License-Identifier: MIT
"""Every function of skelkin once more in plain float64 numpy, to read, to teach with and to test against.

The names are those of the package; speed, ``out=`` and the checks of arguments are left out. All functions
are batched over leading dimensions. A skeleton may be any object with ``parents``, ``rest_local``,
``rest_global``, ``inverse_bind`` and ``names``.
"""

from .fabrik import solve_fabrik as solve_fabrik
from .kinematics import forward_kinematics as forward_kinematics
from .kinematics import forward_kinematics_trs as forward_kinematics_trs
from .kinematics import local_from_global as local_from_global
from .kinematics import relative_transform as relative_transform
from .kinematics import rest_relative as rest_relative
from .limbs import apply_two_bone as apply_two_bone
from .limbs import rest_bend as rest_bend
from .skinning import skin_mesh as skin_mesh
from .skinning import skin_points as skin_points
from .skinning import skin_poses as skin_poses
from .skinning import skinning_matrices as skinning_matrices
from .transforms import change_basis as change_basis
from .transforms import change_basis_points as change_basis_points
from .transforms import compose as compose
from .transforms import decompose as decompose
from .transforms import invert as invert
from .transforms import quaternion_between as quaternion_between
from .transforms import quaternion_from_matrix as quaternion_from_matrix
from .transforms import quaternion_multiply as quaternion_multiply
from .transforms import quaternion_rotate as quaternion_rotate
from .transforms import quaternion_slerp as quaternion_slerp
from .transforms import quaternion_to_matrix as quaternion_to_matrix
from .turns import align_to_ground as align_to_ground
from .turns import limit_slope as limit_slope
from .turns import points_at as points_at
from .turns import roll_toe as roll_toe
from .turns import rotations_from_positions as rotations_from_positions
from .two_bone import solve_two_bone as solve_two_bone
