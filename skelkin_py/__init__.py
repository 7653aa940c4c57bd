# SPDX-License-Identifier: MIT
"""Forward kinematics, skinning and two-bone inverse kinematics over numpy arrays.

Use it as ``import skelkin_py as sk``. Conventions (column vectors, ``w x y z`` quaternions, radians, space
names) are in ``docs/conventions.md``.
"""

from . import view as view
from ._build import BuildInfo as BuildInfo
from ._build import build_info as build_info
from ._build import isa as isa
from ._version import __version__ as __version__
from .clip import Clip as Clip
from .errors import FormatError as FormatError
from .errors import MissingExtraError as MissingExtraError
from .example import Example as Example
from .example import example as example
from .ik import apply_two_bone as apply_two_bone
from .ik import solve_two_bone as solve_two_bone
from .io import load as load
from .kinematics import forward_kinematics as forward_kinematics
from .kinematics import forward_kinematics_trs as forward_kinematics_trs
from .kinematics import local_from_global as local_from_global
from .kinematics import rest_relative as rest_relative
from .kinematics import skinning_matrices as skinning_matrices
from .legs import Leg as Leg
from .legs import find_legs as find_legs
from .mesh import Mesh as Mesh
from .planting import Planted as Planted
from .planting import Report as Report
from .planting import plant_feet as plant_feet
from .relative_transform import relative_transform as relative_transform
from .results import AppliedTwoBone as AppliedTwoBone
from .results import RestRelative as RestRelative
from .results import SkinnedMesh as SkinnedMesh
from .results import TwoBone as TwoBone
from .skeleton import Skeleton as Skeleton
from .skeleton import sort_joints as sort_joints
from .skin_poses import skin_poses as skin_poses
from .skinning import skin_mesh as skin_mesh
from .skinning import skin_points as skin_points
from .status import Status as Status
from .threads import get_num_threads as get_num_threads
from .threads import set_num_threads as set_num_threads
from .transforms import change_basis as change_basis
from .transforms import change_basis_points as change_basis_points
from .transforms import compose as compose
from .transforms import decompose as decompose
from .transforms import invert as invert
from .transforms import invert_rigid as invert_rigid
from .transforms import quaternion_between as quaternion_between
from .transforms import quaternion_from_axis_angle as quaternion_from_axis_angle
from .transforms import quaternion_from_euler as quaternion_from_euler
from .transforms import quaternion_from_matrix as quaternion_from_matrix
from .transforms import quaternion_multiply as quaternion_multiply
from .transforms import quaternion_rotate as quaternion_rotate
from .transforms import quaternion_slerp as quaternion_slerp
from .transforms import quaternion_to_axis_angle as quaternion_to_axis_angle
from .transforms import quaternion_to_euler as quaternion_to_euler
from .transforms import quaternion_to_matrix as quaternion_to_matrix
from .weights import SkinWeights as SkinWeights
from .weights_report import WeightsReport as WeightsReport
