# SPDX-License-Identifier: MIT
# The public names: this is their only list, which `__init__.py` reads.

from . import blender as blender, view as view
from ._support.build import BuildInfo as BuildInfo, build_info as build_info, isa as isa
from ._support.errors import (
    FormatError as FormatError,
    FormatWarning as FormatWarning,
    MissingExtraError as MissingExtraError,
)
from ._support.results import (
    AppliedFabrik as AppliedFabrik,
    AppliedTwoBone as AppliedTwoBone,
    Fabrik as Fabrik,
    RestRelative as RestRelative,
    SkinnedMesh as SkinnedMesh,
    TwoBone as TwoBone,
)
from ._support.status import IKStatus as IKStatus
from ._support.threads import get_num_threads as get_num_threads, set_num_threads as set_num_threads
from ._support.version import __version__ as __version__
from .chains import apply_fabrik as apply_fabrik, solve_fabrik as solve_fabrik
from .data.example import Example as Example, example as example
from .ground import HeightGrid as HeightGrid, MeshGround as MeshGround
from .ik import apply_two_bone as apply_two_bone, solve_two_bone as solve_two_bone
from .io import (
    load as load,
    load_animations as load_animations,
    load_mesh as load_mesh,
    save_animations as save_animations,
)
from .kinematics.forward import (
    forward_kinematics as forward_kinematics,
    forward_kinematics_trs as forward_kinematics_trs,
    local_from_global as local_from_global,
    relative_transform as relative_transform,
    rest_relative as rest_relative,
    skinning_matrices as skinning_matrices,
)
from .legs import Leg as Leg, LegList as LegList, find_legs as find_legs
from .limits import (
    Hinge as Hinge,
    JointLimits as JointLimits,
    SwingTwist as SwingTwist,
    hinge as hinge,
    swing_twist as swing_twist,
)
from .motion.clip import Clip as Clip
from .motion.facts import ClipFacts as ClipFacts
from .motion.plant_options import PlantOptions as PlantOptions
from .planting import (
    Contact as Contact,
    ContactDemand as ContactDemand,
    ContactMeasure as ContactMeasure,
    FootCurves as FootCurves,
    LegCost as LegCost,
    LegReport as LegReport,
    LiteratureFigures as LiteratureFigures,
    PlantCost as PlantCost,
    Planted as Planted,
    PlantedLocals as PlantedLocals,
    PlantReport as PlantReport,
    ViewerRow as ViewerRow,
    Violation as Violation,
    measure_cost as measure_cost,
    plant_feet as plant_feet,
    plant_locals as plant_locals,
)
from .planting.editing import FootTarget as FootTarget, PlantEditor as PlantEditor
from .skeleton import Skeleton as Skeleton, sort_joints as sort_joints
from .skinning.mesh import Mesh as Mesh
from .skinning.skin import skin_mesh as skin_mesh, skin_points as skin_points, skin_poses as skin_poses
from .skinning.weights import SkinWeights as SkinWeights, WeightsReport as WeightsReport
from .transforms import (
    SwingTwistParts as SwingTwistParts,
    change_basis as change_basis,
    change_basis_points as change_basis_points,
    compose as compose,
    decompose as decompose,
    invert as invert,
    invert_rigid as invert_rigid,
    invert_trs as invert_trs,
    quaternion_between as quaternion_between,
    quaternion_from_axis_angle as quaternion_from_axis_angle,
    quaternion_from_euler as quaternion_from_euler,
    quaternion_from_matrix as quaternion_from_matrix,
    quaternion_from_rotation_vector as quaternion_from_rotation_vector,
    quaternion_multiply as quaternion_multiply,
    quaternion_rotate as quaternion_rotate,
    quaternion_slerp as quaternion_slerp,
    quaternion_swing_twist as quaternion_swing_twist,
    quaternion_to_axis_angle as quaternion_to_axis_angle,
    quaternion_to_euler as quaternion_to_euler,
    quaternion_to_matrix as quaternion_to_matrix,
    quaternion_to_rotation_vector as quaternion_to_rotation_vector,
)
from .turns import (
    align_to_ground as align_to_ground,
    limit_slope as limit_slope,
    points_at as points_at,
    roll_toe as roll_toe,
    rotations_from_positions as rotations_from_positions,
)
from .view import jupyter as jupyter
