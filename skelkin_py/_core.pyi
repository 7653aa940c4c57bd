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

class RefusalError(ValueError):
    argument: str
    index: list[int]
    value: list[float]
    rule: str

# A struct by the names of its fields, which are those of a dataclass of the package.
_Fields = dict[str, Any]
# Hips, knees and ankles (K, F, 3) of all legs, flexions (K, F).
_Legs = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]

@disjoint_base
class SkeletonBase:
    def __new__(
        cls, parents: npt.ArrayLike, rest_local: npt.ArrayLike, inverse_bind: npt.ArrayLike | None = ..., /
    ) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def parents(self) -> npt.NDArray[np.int32]: ...
    @property
    def rest_local(self) -> npt.NDArray[np.float64]: ...
    @property
    def rest_global(self) -> npt.NDArray[np.float64]: ...
    @property
    def inverse_bind(self) -> npt.NDArray[np.float64]: ...

@disjoint_base
class SkinWeightsBase:
    def __new__(
        cls, num_joints: int, indices: npt.ArrayLike, weights: npt.ArrayLike, indptr: npt.ArrayLike | None = ..., /
    ) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...

def isa() -> str: ...
def set_num_threads(num_threads: int, /) -> None: ...
def get_num_threads() -> int: ...
def native(function: Any, result: type[tuple[Any, ...]] | None, /) -> Any: ...
def check_own_memory(out: npt.NDArray[Any], /) -> None: ...
def check_unmasked(value: object, name: str, /) -> None: ...
def forward_kinematics(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    out: npt.NDArray[Any] | None,
    joints: npt.NDArray[np.int64] | None,
    start: int | None,
    /,
) -> npt.NDArray[Any]: ...
def forward_kinematics_trs(
    skeleton: SkeletonBase,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None,
    scales: npt.ArrayLike | None,
    out: npt.NDArray[Any] | None,
    joints: npt.NDArray[np.int64] | None,
    start: int | None,
    /,
) -> npt.NDArray[Any]: ...
def rest_relative(
    skeleton: SkeletonBase,
    rotations: npt.ArrayLike,
    rest_axes: bool,
    out: tuple[npt.NDArray[Any] | None, npt.NDArray[Any] | None] | None,
    /,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]: ...
def local_from_global(
    skeleton: SkeletonBase, global_: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def skinning_matrices(
    skeleton: SkeletonBase, global_: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def skin_points(
    points: npt.ArrayLike,
    weights: SkinWeightsBase,
    matrices: npt.ArrayLike,
    method: int,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def skin_mesh(
    points: npt.ArrayLike,
    weights: SkinWeightsBase,
    matrices: npt.ArrayLike,
    normals: npt.ArrayLike | None,
    tangents: npt.ArrayLike | None,
    corners: npt.NDArray[np.int64] | None,
    method: int,
    out_points: npt.NDArray[Any] | None,
    out_normals: npt.NDArray[Any] | None,
    out_tangents: npt.NDArray[Any] | None,
    /,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None, npt.NDArray[Any] | None]: ...
def skin_poses(
    points: npt.ArrayLike,
    weights: SkinWeightsBase,
    skeleton: SkeletonBase,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None,
    scales: npt.ArrayLike | None,
    normals: npt.ArrayLike | None,
    method: int,
    out_points: npt.NDArray[Any] | None,
    out_normals: npt.NDArray[Any] | None,
    /,
) -> Any: ...  # points, or with normals a pair
def solve_fabrik(
    positions: npt.ArrayLike,
    target: npt.ArrayLike,
    parents: npt.NDArray[np.int32] | None,
    leaves: npt.NDArray[np.int32] | None,
    tolerance: float | None,
    max_iterations: int,
    pole: npt.ArrayLike | None,
    out: tuple[npt.NDArray[Any], ...] | None,
    /,
) -> tuple[npt.NDArray[Any], ...]: ...
def turn_joint(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    joint: int,
    rotation: npt.ArrayLike,
    weight: npt.ArrayLike,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def points_at(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    joint: int,
    target: npt.ArrayLike | None,
    target_joint: int,
    tip: npt.ArrayLike | None,
    tip_joint: int | None,
    up: npt.ArrayLike | None,
    own_up: npt.ArrayLike | None,
    world: bool,
    limits: npt.NDArray[np.void] | None,
    weight: npt.ArrayLike,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def align_to_ground(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    foot: int,
    normal: npt.ArrayLike,
    up: npt.ArrayLike,
    max_slope: npt.ArrayLike | None,
    sole: npt.ArrayLike | None,
    forward: npt.ArrayLike | None,
    limits: npt.NDArray[np.void] | None,
    weight: npt.ArrayLike,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def roll_toe(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    toe: int,
    normal: npt.ArrayLike,
    up: npt.ArrayLike,
    hinge: npt.ArrayLike | None,
    sole: npt.ArrayLike | None,
    limits: npt.NDArray[np.void] | None,
    weight: npt.ArrayLike,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def rotations_from_positions(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    chain: npt.NDArray[np.int32],
    positions: npt.ArrayLike,
    world: bool,
    limits: npt.NDArray[np.void] | None,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def limit_slope(
    normal: npt.ArrayLike, up: npt.ArrayLike, max_slope: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def apply_two_bone(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    chains: npt.NDArray[np.int32],
    bends: npt.NDArray[np.float64],
    many: bool,
    target: npt.ArrayLike,
    pole: npt.ArrayLike | None,
    pole_direction: npt.ArrayLike | None,
    bend: npt.ArrayLike | None,
    roll: str,
    soften: npt.ArrayLike,
    stretch: npt.ArrayLike,
    stretch_start: npt.ArrayLike,
    twist: npt.ArrayLike,
    weight: npt.ArrayLike,
    hinge: npt.ArrayLike | None,
    end_rotation: int | npt.ArrayLike,
    limits: npt.NDArray[np.void] | None,
    out: npt.NDArray[Any] | None,
    /,
) -> tuple[npt.NDArray[Any], ...]: ...
def blender_pose(
    bones: tuple[npt.NDArray[Any], ...],
    modes: npt.NDArray[np.uint8],
    location: npt.NDArray[Any] | None,
    rotation: npt.NDArray[Any] | None,
    scale: npt.NDArray[Any] | None,
    out: npt.NDArray[Any],
    /,
) -> None: ...
def blender_local(bones: tuple[npt.NDArray[Any], ...], pose: npt.NDArray[Any], out: npt.NDArray[Any], /) -> None: ...
def blender_bend(bends: npt.NDArray[Any], out: npt.NDArray[Any], /) -> None: ...
def blender_ik(
    pose: npt.NDArray[np.float64],
    trees: npt.NDArray[np.void],
    bones: npt.NDArray[np.int32],
    goals: npt.NDArray[np.int32],
    followers: npt.NDArray[np.int32],
    loose: npt.NDArray[np.int32],
    rules: npt.NDArray[np.void],
    goal_rows: npt.NDArray[np.void],
    targets: npt.NDArray[np.float64],
    poles: npt.NDArray[np.float64] | None,
    turns: npt.NDArray[np.float64] | None,
    armature: tuple[npt.NDArray[Any], ...],
    before: npt.NDArray[np.float64] | None,
    /,
) -> None: ...
def limit_poses(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    limits: npt.NDArray[np.void],
    only_angles: bool,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def evaluate_fcurves(
    starts: npt.NDArray[np.int64],
    keys: npt.NDArray[np.float32],
    interpolation: npt.NDArray[np.uint8],
    easing: npt.NDArray[np.uint8],
    linear: npt.NDArray[np.uint8],
    cycles: npt.NDArray[np.float32],
    frames: npt.NDArray[np.float32],
    rounds: bool,
    /,
) -> npt.NDArray[np.float32]: ...
def fit_keys(
    frames: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    kinds: npt.NDArray[np.uint8],
    tolerance: float,
    chain: tuple[npt.NDArray[Any], ...] | None,
    /,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64], float]: ...
def frames_to_spans(flags: npt.NDArray[np.bool_], /) -> list[tuple[int, int]]: ...
def compose(
    translations: npt.ArrayLike, rotations: npt.ArrayLike, scales: npt.ArrayLike | None, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def decompose(matrices: npt.ArrayLike, return_shear: bool, /) -> tuple[npt.NDArray[Any], ...]: ...
def invert(matrices: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def invert_rigid(matrices: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def invert_trs(matrices: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def change_basis(
    matrices: npt.ArrayLike, from_basis: npt.ArrayLike, to_basis: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def change_basis_points(
    points: npt.ArrayLike, from_basis: npt.ArrayLike, to_basis: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def relative_transform(
    skeleton: SkeletonBase,
    local: npt.ArrayLike,
    from_joint: int,
    to_joint: int,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def quaternion_multiply(p: npt.ArrayLike, q: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_rotate(q: npt.ArrayLike, v: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_between(u: npt.ArrayLike, v: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_slerp(
    p: npt.ArrayLike, q: npt.ArrayLike, t: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def quaternion_from_matrix(m: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_to_matrix(q: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_from_axis_angle(
    axis: npt.ArrayLike, angle: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def quaternion_swing_twist(q: npt.ArrayLike, axis: npt.ArrayLike, /) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]: ...
def quaternion_to_axis_angle(q: npt.ArrayLike, /) -> tuple[npt.NDArray[Any], ...]: ...
def quaternion_from_rotation_vector(v: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_to_rotation_vector(q: npt.ArrayLike, out: npt.NDArray[Any] | None, /) -> npt.NDArray[Any]: ...
def quaternion_from_euler(
    angles: npt.ArrayLike, first: int, second: int, third: int, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def quaternion_to_euler(
    q: npt.ArrayLike, first: int, second: int, third: int, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def blender_influences(
    points: npt.NDArray[np.float32],
    offsets: npt.NDArray[np.int64] | None,
    groups: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float32],
    bones: npt.NDArray[np.int32],
    envelopes: npt.NDArray[np.float32],
    flags: npt.NDArray[np.int32],
    use_envelopes: bool,
    /,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
def blender_deform_linear(
    points: npt.NDArray[np.float32],
    into: npt.NDArray[np.float32] | None,
    back: npt.NDArray[np.float32] | None,
    matrices: npt.NDArray[np.float32],
    offsets: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float32],
    totals: npt.NDArray[np.float32],
    masks: npt.NDArray[np.float32] | None,
    out: npt.NDArray[np.float32],
    /,
) -> None: ...
def blender_deform_dual(
    weights: SkinWeightsBase,
    points: npt.NDArray[Any],
    motions: npt.NDArray[Any],
    scales: npt.NDArray[Any] | None,
    blend_scales: bool,
    into: npt.NDArray[Any] | None,
    back: npt.NDArray[Any] | None,
    out: npt.NDArray[Any],
    /,
) -> None: ...
def ray_hits(
    points: npt.NDArray[np.float64],
    faces: npt.NDArray[np.int32],
    origins: npt.NDArray[np.float64],
    directions: npt.NDArray[np.float64],
    found: npt.NDArray[np.int32],
    /,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def upright_cells(
    points: npt.NDArray[np.float64], faces: npt.NDArray[np.int32], up: npt.NDArray[np.float64], /
) -> Any: ...
def upright_first(cells: Any, origins: npt.NDArray[np.float64], upward: bool, /) -> npt.NDArray[np.int32]: ...
def sole_outline(
    model: Any, feet: npt.NDArray[np.float64], up: npt.NDArray[np.float64], /
) -> npt.NDArray[np.float64]: ...
def turn_matrices(vectors: npt.NDArray[np.float64], /) -> npt.NDArray[np.float64]: ...
def joint_turns(local: npt.NDArray[np.float64], joint: int, /) -> npt.NDArray[np.float64]: ...
def viewer_rows(
    before: Sequence[Any],
    after: Sequence[Any],
    contacts: Sequence[Sequence[tuple[int, int]]],
    up: npt.NDArray[np.float64],
    ground_step: npt.NDArray[np.float64],
    ground_given: bool,
    length: float,
    fps: float,
    /,
) -> tuple[dict[str, _Fields], list[_Fields]]: ...
def planting_cost(
    before: _Legs,
    after: _Legs,
    alone: npt.NDArray[np.bool_] | None,
    num: int,
    low: int,
    high: int,
    closes: bool,
    length: float,
    fps: float,
    /,
) -> tuple[list[_Fields], _Fields]: ...
def literature_figures(
    lowest: npt.NDArray[np.float64],
    ball: npt.NDArray[np.float64],
    steps: npt.NDArray[np.float64],
    fps: float,
    metres: float,
    /,
) -> _Fields: ...
def lowest_near(
    contacts: Sequence[tuple[int, int]], rises: npt.NDArray[np.float64], num_frames: int, /
) -> npt.NDArray[np.float64]: ...
def rest_bend(
    skeleton: SkeletonBase, chain: Sequence[int], end_site: npt.NDArray[np.float64] | None, /
) -> npt.NDArray[np.float64]: ...
def rest_leg(
    skeleton: SkeletonBase,
    chain: Sequence[int],
    toe: int | None,
    heel: int | None,
    end_site: npt.NDArray[np.float64] | None,
    /,
) -> _Fields: ...
def read_tracks(subset: Any, local: npt.NDArray[np.float64], like: Sequence[Any] | None, /) -> list[_Fields]: ...
def body_up(
    top: npt.NDArray[np.float64],
    feet: npt.NDArray[np.float64],
    rest: npt.NDArray[np.float64] | None,
    fps: float,
    /,
) -> tuple[npt.NDArray[np.float64], float]: ...
def learn(subset: Any, local: npt.NDArray[np.float64], fps: float, asked: Any, ground: Any, /) -> _Fields: ...
def settle(planting: Any, /) -> _Fields: ...
def closing_pose(
    loop: Any,
    subset: Any,
    first: npt.NDArray[np.float64],
    last: npt.NDArray[np.float64],
    changed: npt.NDArray[np.bool_],
    length: float,
    /,
) -> npt.NDArray[np.float64]: ...
def foot_curves(
    track: Any,
    model: Any,
    ground: Any,
    up: npt.NDArray[np.float64],
    fps: float,
    ground_step: npt.NDArray[np.float64] | None,
    foothold: Any,
    /,
) -> _Fields: ...
def lowest_sole(
    tracks: Sequence[Any],
    models: Sequence[Any],
    contacts: Sequence[Sequence[tuple[int, int]]],
    up: npt.NDArray[np.float64],
    /,
) -> float: ...
def changed_frames(
    before: npt.NDArray[np.float64], after: npt.NDArray[np.float64], joint: int, /
) -> npt.NDArray[np.bool_]: ...
def measure_contacts(
    steps: npt.NDArray[np.float64],
    heights: npt.NDArray[np.float64],
    spans: Sequence[tuple[int, int]],
    rises: npt.NDArray[np.float64],
    /,
) -> list[_Fields]: ...
def scan_numbers(
    text: bytes, /
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64], bool]: ...
def format_numbers(
    values: npt.NDArray[np.float64], decimals: npt.NDArray[np.int64], before: bytes, behind: bytes, /
) -> tuple[bytes, npt.NDArray[np.int64]] | None: ...
def splice_text(
    text: bytes,
    start: int,
    stop: int,
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    pieces: bytes,
    piece_begins: npt.NDArray[np.int64],
    piece_ends: npt.NDArray[np.int64],
    /,
) -> bytes: ...
def smooth_angles(
    angles: npt.NDArray[np.float64], changed: npt.NDArray[np.bool_], known: npt.NDArray[np.float64] | None, /
) -> npt.NDArray[np.float64]: ...
