# SPDX-License-Identifier: MIT
"""Forward kinematics, skinning and two-bone inverse kinematics over numpy arrays.

Use it as ``import skelkin_py as sk``. Conventions (column vectors, ``w x y z`` quaternions, radians, space
names) are in ``docs/conventions.md``.
"""

import typing as _typing

from . import _startup as _startup  # first: it answers Ctrl-C while the rest loads
from ._build import BuildInfo, build_info, isa
from ._version import __version__
from .apply_fabrik import apply_fabrik
from .blocks import plant_file, skin_file
from .clip import Clip
from .errors import FormatError, MissingExtraError
from .example import Example, example
from .fabrik import solve_fabrik
from .ground import HeightGrid, MeshGround
from .ground_alignment import align_to_ground, limit_slope, roll_toe
from .ik import apply_two_bone, solve_two_bone
from .io import load
from .kinematics import forward_kinematics, forward_kinematics_trs, local_from_global, rest_relative, skinning_matrices
from .legs import Leg, find_legs
from .limits import JointLimits, hinge, swing_twist
from .mesh import Mesh
from .planting import Planted, PlantedLocals, Report, plant_feet, plant_locals
from .points_at import points_at
from .relative_transform import relative_transform
from .results import AppliedFabrik, AppliedTwoBone, Fabrik, RestRelative, SkinnedMesh, TwoBone
from .rotations_from_positions import rotations_from_positions
from .skeleton import Skeleton, sort_joints
from .skin_poses import skin_poses
from .skinning import skin_mesh, skin_points
from .status import Status
from .threads import get_num_threads, set_num_threads
from .transforms import (
    SwingTwistParts,
    change_basis,
    change_basis_points,
    compose,
    decompose,
    invert,
    invert_rigid,
    invert_trs,
    quaternion_between,
    quaternion_from_axis_angle,
    quaternion_from_euler,
    quaternion_from_matrix,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_slerp,
    quaternion_swing_twist,
    quaternion_to_axis_angle,
    quaternion_to_euler,
    quaternion_to_matrix,
)
from .weights import SkinWeights
from .weights_report import WeightsReport

if _typing.TYPE_CHECKING:
    from . import blender, view

_AT_FIRST_USE = ("blender", "view")  # large, and not needed by most programs and processes


def __getattr__(name: str) -> _typing.Any:
    """Import a part of the package that is named for the first time."""
    if name not in _AT_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    """Return all names, those too that have not been imported yet."""
    return sorted({*globals(), *_AT_FIRST_USE})


__all__ = [
    "AppliedFabrik",
    "AppliedTwoBone",
    "BuildInfo",
    "Clip",
    "Example",
    "Fabrik",
    "FormatError",
    "HeightGrid",
    "JointLimits",
    "Leg",
    "Mesh",
    "MeshGround",
    "MissingExtraError",
    "Planted",
    "PlantedLocals",
    "Report",
    "RestRelative",
    "Skeleton",
    "SkinWeights",
    "SkinnedMesh",
    "Status",
    "SwingTwistParts",
    "TwoBone",
    "WeightsReport",
    "__version__",
    "align_to_ground",
    "apply_fabrik",
    "apply_two_bone",
    "blender",
    "build_info",
    "change_basis",
    "change_basis_points",
    "compose",
    "decompose",
    "example",
    "find_legs",
    "forward_kinematics",
    "forward_kinematics_trs",
    "get_num_threads",
    "hinge",
    "invert",
    "invert_rigid",
    "invert_trs",
    "isa",
    "limit_slope",
    "load",
    "local_from_global",
    "plant_feet",
    "plant_file",
    "plant_locals",
    "points_at",
    "quaternion_between",
    "quaternion_from_axis_angle",
    "quaternion_from_euler",
    "quaternion_from_matrix",
    "quaternion_multiply",
    "quaternion_rotate",
    "quaternion_slerp",
    "quaternion_swing_twist",
    "quaternion_to_axis_angle",
    "quaternion_to_euler",
    "quaternion_to_matrix",
    "relative_transform",
    "rest_relative",
    "roll_toe",
    "rotations_from_positions",
    "set_num_threads",
    "skin_file",
    "skin_mesh",
    "skin_points",
    "skin_poses",
    "skinning_matrices",
    "solve_fabrik",
    "solve_two_bone",
    "sort_joints",
    "swing_twist",
    "view",
]
