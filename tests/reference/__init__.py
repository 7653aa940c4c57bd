# SPDX-License-Identifier: MIT
"""Every function of skelkin once more in plain float64 numpy, to read, to teach with and to test against.

The names are those of the package; speed, ``out=`` and the checks of arguments are left out. All functions
are batched over leading dimensions. A skeleton may be any object with ``parents``, ``rest_local``,
``rest_global``, ``inverse_bind`` and ``names``.
"""

from .fabrik import solve_fabrik as solve_fabrik
from .kinematics import (
    forward_kinematics as forward_kinematics,
    forward_kinematics_trs as forward_kinematics_trs,
    local_from_global as local_from_global,
    relative_transform as relative_transform,
    rest_relative as rest_relative,
)
from .limbs import apply_two_bone as apply_two_bone, rest_bend as rest_bend
from .skinning import (
    skin_mesh as skin_mesh,
    skin_points as skin_points,
    skin_poses as skin_poses,
    skinning_matrices as skinning_matrices,
)
from .transforms import (
    change_basis as change_basis,
    change_basis_points as change_basis_points,
    compose as compose,
    decompose as decompose,
    invert as invert,
    quaternion_between as quaternion_between,
    quaternion_from_matrix as quaternion_from_matrix,
    quaternion_multiply as quaternion_multiply,
    quaternion_rotate as quaternion_rotate,
    quaternion_slerp as quaternion_slerp,
    quaternion_to_matrix as quaternion_to_matrix,
)
from .turns import (
    align_to_ground as align_to_ground,
    limit_slope as limit_slope,
    points_at as points_at,
    roll_toe as roll_toe,
    rotations_from_positions as rotations_from_positions,
)
from .two_bone import solve_two_bone as solve_two_bone
