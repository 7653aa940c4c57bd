# SPDX-License-Identifier: MIT
"""Forward kinematics, skinning and two-bone inverse kinematics over numpy arrays.

Use it as ``import skelkin_py as sk``. Conventions (column vectors, ``w x y z`` quaternions, radians, space
names) are in ``docs/conventions.md``.
"""

import typing as _typing

from ._support import startup as _startup  # noqa: F401 (first: it answers Ctrl-C)
from ._support.build import BuildInfo, build_info, isa
from ._support.errors import FormatError, FormatWarning, MissingExtraError
from ._support.results import AppliedFabrik, AppliedTwoBone, Fabrik, RestRelative, SkinnedMesh, TwoBone
from ._support.status import IKStatus
from ._support.threads import get_num_threads, set_num_threads
from ._support.version import __version__
from .chains import apply_fabrik, solve_fabrik
from .data.example import Example, example
from .ik import apply_two_bone, solve_two_bone
from .kinematics.forward import (
    forward_kinematics,
    forward_kinematics_trs,
    local_from_global,
    rest_relative,
    skinning_matrices,
)
from .kinematics.relative_transform import relative_transform
from .limits import Hinge, JointLimits, SwingTwist, hinge, swing_twist
from .motion.clip import Clip
from .motion.facts import ClipFacts
from .motion.plant_options import PlantOptions
from .skeleton import Skeleton, sort_joints
from .skinning.mesh import Mesh
from .skinning.skin_points import skin_mesh, skin_points
from .skinning.skin_poses import skin_poses
from .skinning.weights import SkinWeights
from .skinning.weights_report import WeightsReport
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
    quaternion_from_rotation_vector,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_slerp,
    quaternion_swing_twist,
    quaternion_to_axis_angle,
    quaternion_to_euler,
    quaternion_to_matrix,
    quaternion_to_rotation_vector,
)
from .turns import align_to_ground, limit_slope, points_at, roll_toe, rotations_from_positions

if _typing.TYPE_CHECKING:
    from . import blender, view
    from .ground import HeightGrid, MeshGround
    from .io import load, load_animations, load_mesh, save_animations
    from .legs import Leg, LegList, find_legs
    from .planting import (
        Contact,
        ContactAsk,
        ContactMeasure,
        FootCurves,
        LegCost,
        LegReport,
        LiteratureFigures,
        PlantCost,
        Planted,
        PlantedLocals,
        PlantReport,
        ViewerRow,
        Violation,
        measure_cost,
        plant_feet,
        plant_locals,
    )
    from .planting.editing import FootTarget, PlantEditor
    from .view import jupyter

# Large, and not needed by most programs and processes. None of these names is also that of a module of this package,
# which an import of that module would put in its place.
_AT_FIRST_USE = {
    "ground": "HeightGrid MeshGround",
    "io": "load load_animations load_mesh save_animations",
    "legs": "Leg LegList find_legs",
    "planting": (
        "Contact ContactAsk ContactMeasure FootCurves LegCost LegReport LiteratureFigures PlantCost PlantReport "
        "Planted PlantedLocals ViewerRow Violation measure_cost plant_feet plant_locals"
    ),
    "planting.editing": "FootTarget PlantEditor",
}
_HOMES = {name: home for home, names in _AT_FIRST_USE.items() for name in names.split()}
_PARTS = {"blender": "blender", "jupyter": "view.jupyter", "view": "view", **{home: home for home in _AT_FIRST_USE}}


def __getattr__(name: str) -> _typing.Any:
    """Import a part of the package, or what one of its parts has, that is named for the first time."""
    if name not in _HOMES and name not in _PARTS:
        from ._support.nearest_name import did_you_mean

        meant = "" if name.startswith("_") else did_you_mean(name, __all__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}")
    import importlib

    if name in _PARTS:
        return importlib.import_module(f".{_PARTS[name]}", __name__)
    value = globals()[name] = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, those too that have not been imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


__all__ = [
    "AppliedFabrik",
    "AppliedTwoBone",
    "BuildInfo",
    "Clip",
    "ClipFacts",
    "Contact",
    "ContactAsk",
    "ContactMeasure",
    "Example",
    "Fabrik",
    "FootCurves",
    "FootTarget",
    "FormatError",
    "FormatWarning",
    "HeightGrid",
    "Hinge",
    "IKStatus",
    "JointLimits",
    "Leg",
    "LegCost",
    "LegList",
    "LegReport",
    "LiteratureFigures",
    "Mesh",
    "MeshGround",
    "MissingExtraError",
    "PlantCost",
    "PlantEditor",
    "PlantOptions",
    "PlantReport",
    "Planted",
    "PlantedLocals",
    "RestRelative",
    "Skeleton",
    "SkinWeights",
    "SkinnedMesh",
    "SwingTwist",
    "SwingTwistParts",
    "TwoBone",
    "ViewerRow",
    "Violation",
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
    "jupyter",
    "limit_slope",
    "load",
    "load_animations",
    "load_mesh",
    "local_from_global",
    "measure_cost",
    "plant_feet",
    "plant_locals",
    "points_at",
    "quaternion_between",
    "quaternion_from_axis_angle",
    "quaternion_from_euler",
    "quaternion_from_matrix",
    "quaternion_from_rotation_vector",
    "quaternion_multiply",
    "quaternion_rotate",
    "quaternion_slerp",
    "quaternion_swing_twist",
    "quaternion_to_axis_angle",
    "quaternion_to_euler",
    "quaternion_to_matrix",
    "quaternion_to_rotation_vector",
    "relative_transform",
    "rest_relative",
    "roll_toe",
    "rotations_from_positions",
    "save_animations",
    "set_num_threads",
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
