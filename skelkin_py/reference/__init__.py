# SPDX-License-Identifier: MIT
"""Every function of skelkin once more in plain float64 numpy, to read, to teach with and to test against.

The names are those of the package; speed, ``out=`` and the checks of arguments are left out. All functions
are batched over leading dimensions. A skeleton may be any object with ``parents``, ``rest_local``,
``rest_global``, ``inverse_bind`` and ``names``.
"""

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
from .two_bone import solve_two_bone as solve_two_bone
