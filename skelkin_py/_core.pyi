# SPDX-License-Identifier: MIT
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

VERSION: str
SOURCE_HASH: str
COMPILER: str
SANITIZE: str
ISAS: tuple[str, ...]
IK_GOAL: np.dtype[np.void]
IK_RULE: np.dtype[np.void]
IK_TREE: np.dtype[np.void]
JOINT_LIMIT: np.dtype[np.void]

LEG_SIZE: str
LONGEST_LEG: float

_Like = npt.ArrayLike
_Array = npt.NDArray[Any]
_Out = npt.NDArray[Any] | None  # written into, or made where it is None
_Doubles = npt.NDArray[np.float64]
_Floats = npt.NDArray[np.float32]
_Longs = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int32]
_Bytes = npt.NDArray[np.uint8]
_Bools = npt.NDArray[np.bool_]
_Rows = npt.NDArray[np.void]  # structs of the core, such as `IK_GOAL`
_Limits = npt.NDArray[np.void] | None
_Spans = Sequence[tuple[int, int]]  # first and last frames
_Fields = dict[str, Any]  # a struct by the names of its fields, which are those of a dataclass of the package
_Legs = tuple[_Doubles, _Doubles, _Doubles, _Doubles]  # hips, knees, ankles (K, F, 3), flexions (K, F)

class RefusalError(ValueError):
    argument: str
    index: list[int]
    value: list[float]
    rule: str

@disjoint_base
class SkeletonBase:
    def __new__(cls, parents: _Like, rest_local: _Like, inverse_bind: _Like | None = ..., /) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def parents(self) -> _Ints: ...
    @property
    def rest_local(self) -> _Doubles: ...
    @property
    def rest_global(self) -> _Doubles: ...
    @property
    def inverse_bind(self) -> _Doubles: ...

@disjoint_base
class SkinWeightsBase:
    def __new__(cls, num_joints: int, indices: _Like, weights: _Like, indptr: _Like | None = ..., /) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...

def isa() -> str: ...
def set_num_threads(num_threads: int, /) -> None: ...
def get_num_threads() -> int: ...
def native(function: Any, result: type[tuple[Any, ...]] | None, /) -> Any: ...
def check_own_memory(out: _Array, /) -> None: ...
def check_unmasked(value: object, name: str, /) -> None: ...
def forward_kinematics(
    skeleton: SkeletonBase, local: _Like, out: _Out, joints: _Longs | None, start: int | None, /
) -> _Array: ...
def forward_kinematics_trs(
    skeleton: SkeletonBase,
    rotations: _Like,
    translations: _Like | None,
    scales: _Like | None,
    out: _Out,
    joints: _Longs | None,
    start: int | None,
    /,
) -> _Array: ...
def rest_relative(
    skeleton: SkeletonBase, rotations: _Like, rest_axes: bool, out: tuple[_Out, _Out] | None, /
) -> tuple[_Array, _Array]: ...
def local_from_global(skeleton: SkeletonBase, global_: _Like, out: _Out, /) -> _Array: ...
def skinning_matrices(skeleton: SkeletonBase, global_: _Like, out: _Out, /) -> _Array: ...
def skin_points(points: _Like, weights: SkinWeightsBase, matrices: _Like, method: int, out: _Out, /) -> _Array: ...
def skin_mesh(
    points: _Like,
    weights: SkinWeightsBase,
    matrices: _Like,
    normals: _Like | None,
    tangents: _Like | None,
    corners: _Longs | None,
    method: int,
    out_points: _Out,
    out_normals: _Out,
    out_tangents: _Out,
    /,
) -> tuple[_Array, _Array | None, _Array | None]: ...
def skin_poses(
    points: _Like,
    weights: SkinWeightsBase,
    skeleton: SkeletonBase,
    rotations: _Like,
    translations: _Like | None,
    scales: _Like | None,
    normals: _Like | None,
    method: int,
    out_points: _Out,
    out_normals: _Out,
    /,
) -> Any: ...  # points, or with normals a pair
def solve_fabrik(
    positions: _Like,
    target: _Like,
    parents: _Ints | None,
    leaves: _Ints | None,
    tolerance: float | None,
    max_iterations: int,
    pole: _Like | None,
    out: tuple[_Array, ...] | None,
    /,
) -> tuple[_Array, ...]: ...
def turn_joint(
    skeleton: SkeletonBase, local: _Like, joint: int, rotation: _Like, weight: _Like, out: _Out, /
) -> _Array: ...
def points_at(
    skeleton: SkeletonBase,
    local: _Like,
    joint: int,
    target: _Like | None,
    target_joint: int,
    tip: _Like | None,
    tip_joint: int | None,
    up: _Like | None,
    own_up: _Like | None,
    world: bool,
    limits: _Limits,
    weight: _Like,
    out: _Out,
    /,
) -> _Array: ...
def align_to_ground(
    skeleton: SkeletonBase,
    local: _Like,
    foot: int,
    normal: _Like,
    up: _Like,
    max_slope: _Like | None,
    sole: _Like | None,
    forward: _Like | None,
    limits: _Limits,
    weight: _Like,
    out: _Out,
    /,
) -> _Array: ...
def roll_toe(
    skeleton: SkeletonBase,
    local: _Like,
    toe: int,
    normal: _Like,
    up: _Like,
    hinge: _Like | None,
    sole: _Like | None,
    limits: _Limits,
    weight: _Like,
    out: _Out,
    /,
) -> _Array: ...
def rotations_from_positions(
    skeleton: SkeletonBase, local: _Like, chain: _Ints, positions: _Like, world: bool, limits: _Limits, out: _Out, /
) -> _Array: ...
def limit_slope(normal: _Like, up: _Like, max_slope: _Like, out: _Out, /) -> _Array: ...
def apply_two_bone(
    skeleton: SkeletonBase,
    local: _Like,
    chains: _Ints,
    bends: _Doubles,
    many: bool,
    target: _Like,
    pole: _Like | None,
    pole_direction: _Like | None,
    bend: _Like | None,
    roll: str,
    soften: _Like,
    stretch: _Like,
    stretch_start: _Like,
    twist: _Like,
    weight: _Like,
    hinge: _Like | None,
    end_rotation: int | _Like,
    limits: _Limits,
    out: _Out,
    /,
) -> tuple[_Array, ...]: ...
def blender_pose(
    bones: tuple[_Array, ...],
    modes: _Bytes,
    location: _Array | None,
    rotation: _Array | None,
    scale: _Array | None,
    out: _Array,
    /,
) -> None: ...
def blender_local(bones: tuple[_Array, ...], pose: _Array, out: _Array, /) -> None: ...
def blender_bend(bends: _Array, out: _Array, /) -> None: ...
def blender_ik(
    pose: _Doubles,
    trees: _Rows,
    bones: _Ints,
    goals: _Ints,
    followers: _Ints,
    loose: _Ints,
    rules: _Rows,
    goal_rows: _Rows,
    targets: _Doubles,
    poles: _Doubles | None,
    turns: _Doubles | None,
    armature: tuple[_Array, ...],
    before: _Doubles | None,
    /,
) -> None: ...
def limit_poses(skeleton: SkeletonBase, local: _Like, limits: _Rows, only_angles: bool, out: _Out, /) -> _Array: ...
def evaluate_fcurves(
    starts: _Longs,
    keys: _Floats,
    interpolation: _Bytes,
    easing: _Bytes,
    linear: _Bytes,
    cycles: _Floats,
    frames: _Floats,
    rounds: bool,
    /,
) -> _Floats: ...
def fit_keys(
    frames: _Doubles, values: _Doubles, kinds: _Bytes, tolerance: float, chain: tuple[_Array, ...] | None, /
) -> tuple[_Bytes, _Doubles, _Doubles, _Doubles, float]: ...
def frames_to_spans(flags: _Bools, /) -> list[tuple[int, int]]: ...
def compose(translations: _Like, rotations: _Like, scales: _Like | None, out: _Out, /) -> _Array: ...
def decompose(matrices: _Like, return_shear: bool, /) -> tuple[_Array, ...]: ...
def invert(matrices: _Like, out: _Out, /) -> _Array: ...
def invert_rigid(matrices: _Like, out: _Out, /) -> _Array: ...
def invert_trs(matrices: _Like, out: _Out, /) -> _Array: ...
def change_basis(matrices: _Like, from_basis: _Like, to_basis: _Like, out: _Out, /) -> _Array: ...
def change_basis_points(points: _Like, from_basis: _Like, to_basis: _Like, out: _Out, /) -> _Array: ...
def relative_transform(
    skeleton: SkeletonBase, local: _Like, from_joint: int, to_joint: int, out: _Out, /
) -> _Array: ...
def quaternion_multiply(p: _Like, q: _Like, out: _Out, /) -> _Array: ...
def quaternion_rotate(q: _Like, v: _Like, out: _Out, /) -> _Array: ...
def quaternion_between(u: _Like, v: _Like, out: _Out, /) -> _Array: ...
def quaternion_slerp(p: _Like, q: _Like, t: _Like, out: _Out, /) -> _Array: ...
def quaternion_from_matrix(m: _Like, out: _Out, /) -> _Array: ...
def quaternion_to_matrix(q: _Like, out: _Out, /) -> _Array: ...
def quaternion_from_axis_angle(axis: _Like, angle: _Like, out: _Out, /) -> _Array: ...
def quaternion_swing_twist(q: _Like, axis: _Like, /) -> tuple[_Array, _Array]: ...
def quaternion_to_axis_angle(q: _Like, /) -> tuple[_Array, _Array]: ...
def quaternion_from_rotation_vector(v: _Like, out: _Out, /) -> _Array: ...
def quaternion_to_rotation_vector(q: _Like, out: _Out, /) -> _Array: ...
def quaternion_from_euler(angles: _Like, first: int, second: int, third: int, out: _Out, /) -> _Array: ...
def quaternion_to_euler(q: _Like, first: int, second: int, third: int, out: _Out, /) -> _Array: ...
def blender_influences(
    points: _Floats,
    offsets: _Longs | None,
    groups: _Ints,
    weights: _Floats,
    bones: _Ints,
    envelopes: _Floats,
    flags: _Ints,
    use_envelopes: bool,
    /,
) -> tuple[_Longs, _Ints, _Floats, _Floats]: ...
def blender_deform_linear(
    points: _Floats,
    into: _Floats | None,
    back: _Floats | None,
    matrices: _Floats,
    offsets: _Longs,
    indices: _Ints,
    weights: _Floats,
    totals: _Floats,
    masks: _Floats | None,
    out: _Floats,
    /,
) -> None: ...
def blender_deform_dual(
    weights: SkinWeightsBase,
    points: _Array,
    motions: _Array,
    scales: _Array | None,
    blend_scales: bool,
    into: _Array | None,
    back: _Array | None,
    out: _Array,
    /,
) -> None: ...
def ray_hits(
    points: _Doubles, faces: _Ints, origins: _Doubles, directions: _Doubles, found: _Ints, /
) -> tuple[_Doubles, _Doubles]: ...
def upright_cells(points: _Doubles, faces: _Ints, up: _Doubles, /) -> Any: ...
def upright_first(cells: Any, origins: _Doubles, upward: bool, /) -> _Ints: ...
def sole_outline(model: Any, feet: _Doubles, up: _Doubles, /) -> _Doubles: ...
def turn_matrices(vectors: _Doubles, /) -> _Doubles: ...
def joint_turns(local: _Doubles, joint: int, /) -> _Doubles: ...
def viewer_rows(
    before: Sequence[Any],
    after: Sequence[Any],
    contacts: Sequence[_Spans],
    up: _Doubles,
    ground_step: _Doubles,
    ground_given: bool,
    length: float,
    fps: float,
    /,
) -> tuple[dict[str, _Fields], list[_Fields]]: ...
def planting_cost(
    before: _Legs,
    after: _Legs,
    alone: _Bools | None,
    num: int,
    low: int,
    high: int,
    closes: bool,
    length: float,
    fps: float,
    /,
) -> tuple[list[_Fields], _Fields]: ...
def literature_figures(lowest: _Doubles, ball: _Doubles, steps: _Doubles, fps: float, metres: float, /) -> _Fields: ...
def lowest_near(contacts: _Spans, rises: _Doubles, num_frames: int, /) -> _Doubles: ...
def rest_bend(skeleton: SkeletonBase, chain: Sequence[int], end_site: _Doubles | None, /) -> _Doubles: ...
def rest_leg(
    skeleton: SkeletonBase, chain: Sequence[int], toe: int | None, heel: int | None, end_site: _Doubles | None, /
) -> _Fields: ...
def read_tracks(subset: Any, local: _Doubles, like: Sequence[Any] | None, /) -> list[_Fields]: ...
def body_up(
    top: _Doubles, hips: _Doubles, feet: _Doubles, rest: _Doubles | None, lowest: _Doubles | None, fps: float, /
) -> tuple[_Doubles, float]: ...
def learn(subset: Any, local: _Doubles, fps: float, options: Any, ground: Any, /) -> _Fields: ...
def settle(planting: Any, /) -> _Fields: ...
def closing_pose(
    loop: Any, subset: Any, first: _Doubles, last: _Doubles, changed: _Bools, length: float, /
) -> _Doubles: ...
def foot_curves(
    track: Any, model: Any, ground: Any, up: _Doubles, fps: float, ground_step: _Doubles | None, foothold: Any, /
) -> _Fields: ...
def lowest_sole(tracks: Sequence[Any], models: Sequence[Any], contacts: Sequence[_Spans], up: _Doubles, /) -> float: ...
def changed_frames(before: _Doubles, after: _Doubles, joint: int, /) -> _Bools: ...
def measure_contacts(steps: _Doubles, heights: _Doubles, spans: _Spans, rises: _Doubles, /) -> list[_Fields]: ...
def scan_numbers(text: bytes, /) -> tuple[_Longs, _Longs, _Longs, _Doubles, bool]: ...
def format_numbers(
    values: _Doubles, decimals: _Longs, before: bytes, behind: bytes, /
) -> tuple[bytes, _Longs] | None: ...
def splice_text(
    text: bytes,
    start: int,
    stop: int,
    begins: _Longs,
    ends: _Longs,
    pieces: bytes,
    piece_begins: _Longs,
    piece_ends: _Longs,
    /,
) -> bytes: ...
def smooth_angles(angles: _Doubles, changed: _Bools, known: _Doubles | None, /) -> _Doubles: ...
