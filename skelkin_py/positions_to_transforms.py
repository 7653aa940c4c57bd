# SPDX-License-Identifier: MIT
"""From where all joints of a body are, frame by frame, to a skeleton and how its joints are turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arguments import Ints, check_tree, numbers_of
from .errors import quoted
from .skeleton import Skeleton, parents_array
from .transforms import quaternion_between, quaternion_from_matrix, quaternion_multiply, quaternion_rotate

__all__ = ["FromPositions", "transforms_from_positions"]

FloatArray = NDArray[np.float64]

_ON_A_LINE = 1e-4  # of the largest singular value: children that lie so do not tell a turn about their line
_SAME_LENGTH = 1e-3  # of a bone: less is rounding of what wrote the positions


class FromPositions(NamedTuple):
    """What positions say of a motion.

    Attributes
    ----------
    skeleton : Skeleton
        In the pose of one frame, every rotation none.
    rotations : (F, J, 4) float64 array
        Local rotations.
    translations : (F, J, 3) float64 array
        Local translations, in which changing lengths of bones are.
    notes : tuple of str
        What positions do not tell, and what was made of it.
    """

    skeleton: Skeleton
    rotations: FloatArray
    translations: FloatArray
    notes: tuple[str, ...]


def transforms_from_positions(
    positions: ArrayLike, parents: ArrayLike, names: Sequence[str] | None = None
) -> FromPositions:
    """Return the skeleton and the local transforms whose joints are at these positions.

    Parameters
    ----------
    positions : (F, J, 3) array_like
        Where the joints are, in one space.
    parents : (J,) array_like of int
        The parent of each joint, before it; -1 for a root.
    names : sequence of str, optional
        Names of the joints.

    Returns
    -------
    FromPositions
        Forward kinematics of it gives the positions again.

    Raises
    ------
    ValueError
        If a shape does not fit or a number is not finite; names frame and joint.

    Notes
    -----
    The rest pose is that frame in which the body is stretched out most. A joint with several children takes the
    rotation that turns their offsets best (W. Kabsch, "A solution for the best rotation to relate two sets of vectors",
    1976), one with a single child the least turn from its parent's, one without the rotation of its parent.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> found = transforms_from_positions(clip.positions(), clip.skeleton.parents, clip.names)
    >>> again = sk.Clip(found.skeleton, found.rotations, found.translations, fps=clip.fps)
    >>> bool(np.abs(again.positions() - clip.positions()).max() < 1e-9)
    True
    """
    places = _checked(positions)
    frames, joints = places.shape[:2]
    tree = parents_array(parents)
    if len(tree) != joints:
        raise ValueError(f"parents has {len(tree)} entries: positions has {joints} joints")
    check_tree(tree)
    frame = _stretched_out(places, tree)
    skeleton = Skeleton(tree, _offsets_only(places[frame], tree), names)
    above = np.asarray(skeleton.parents).tolist()
    children: list[list[int]] = [[] for _ in range(joints)]
    for joint, parent in enumerate(above):
        if parent >= 0:
            children[parent].append(joint)
    rest = places[frame]
    turned = np.empty((frames, joints, 4))
    untold = 0
    still = np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (frames, 4))
    for joint, own in enumerate(children):
        carried = turned[:, above[joint]] if above[joint] >= 0 else still
        offsets, now = rest[own] - rest[joint], places[:, own] - places[:, joint, None]
        if not own:
            turned[:, joint] = carried
        elif _tell_all(offsets) and (full := _spread(now)).all():
            turned[:, joint] = _best_rotation(offsets, now)
        else:
            untold += 1
            turned[:, joint] = _least_turn(carried, offsets, now)
            if _tell_all(offsets):
                turned[full, joint] = _best_rotation(offsets, now[full])
    rotations, translations = turned.copy(), places.copy()
    for joint, parent in enumerate(above):
        if parent >= 0:
            back = turned[:, parent] * [1.0, -1.0, -1.0, -1.0]
            rotations[:, joint] = quaternion_multiply(back, turned[:, joint])
            translations[:, joint] = quaternion_rotate(back, places[:, joint] - places[:, parent])
    return FromPositions(skeleton, rotations, translations, _notes(skeleton, translations, untold, frame))


def _checked(positions: ArrayLike) -> FloatArray:
    array = np.asarray(numbers_of(positions, "positions"), np.float64)
    if array.ndim != 3 or array.shape[2] != 3 or 0 in array.shape:
        raise ValueError(f"positions has the shape {array.shape}: (frames, joints, 3) is needed")
    for frame, joint, _ in np.argwhere(~np.isfinite(array))[:1].tolist():
        raise ValueError(f"positions[{frame}, {joint}] is {array[frame, joint].tolist()}: must be finite")
    return array


def _stretched_out(places: FloatArray, parents: Ints) -> int:
    """Return the frame in which the ends are furthest from the root, all in all."""
    ends = np.setdiff1d(np.arange(len(parents)), parents)
    apart = np.linalg.norm(places[:, ends] - places[:, :1], axis=-1).sum(axis=1)
    return int(np.argmax(apart))


def _offsets_only(places: FloatArray, parents: Ints) -> FloatArray:
    """Return the local matrices (J, 4, 4) of joints at these places, none of them turned."""
    local = np.tile(np.eye(4), (len(parents), 1, 1))
    local[:, :3, 3] = places
    hanging = parents >= 0
    local[hanging, :3, 3] -= places[parents[hanging]]
    return local


def _tell_all(offsets: FloatArray) -> bool:
    """Tell whether offsets (n, 3) of children point in two directions or more."""
    return len(offsets) > 1 and bool(_spread(offsets[None])[0])


def _spread(vectors: FloatArray) -> NDArray[np.bool_]:
    """Tell of sets (F, n, 3) whether they span a plane at least."""
    sizes = np.linalg.svd(vectors, compute_uv=False)
    return np.asarray(sizes[:, 1] > _ON_A_LINE * sizes[:, 0])


def _best_rotation(offsets: FloatArray, now: FloatArray) -> FloatArray:
    """Return the rotations (F, 4) that turn offsets (n, 3) best into what is now (F, n, 3)."""
    left, _, right = np.linalg.svd(np.einsum("ni,fnj->fij", offsets, now))
    handed = np.sign(np.linalg.det(left) * np.linalg.det(right))
    right[:, 2] *= handed[:, None]
    matrices = np.einsum("fki,fjk->fij", right, left)
    return np.asarray(quaternion_from_matrix(matrices))


def _least_turn(carried: FloatArray, offsets: FloatArray, now: FloatArray) -> FloatArray:
    """Return the parents' rotations (F, 4) turned as little as brings the children, all in all, to where they are."""
    wanted, had = now.sum(axis=1), offsets.sum(axis=0)
    if np.linalg.norm(had) < _ON_A_LINE * np.abs(offsets).max(initial=0.0) or not had.any():
        longest = int(np.argmax(np.linalg.norm(offsets, axis=1)))
        wanted, had = now[:, longest], offsets[longest]
    if not had.any():
        return np.array(carried)
    before = quaternion_rotate(carried, np.broadcast_to(had, wanted.shape))
    result = np.array(carried)
    told = np.linalg.norm(wanted, axis=1) > 0.0
    result[told] = quaternion_multiply(quaternion_between(before[told], wanted[told]), carried[told])
    return result


def _notes(skeleton: Skeleton, translations: FloatArray, untold: int, frame: int) -> tuple[str, ...]:
    notes = [f"made from positions: the rest pose is that of frame {frame}, in which the body is stretched out most"]
    if untold:
        notes.append(
            f"how {untold} joints are turned about their bones, positions do not tell: as little as can be from their "
            "parents"
        )
    lengths = np.linalg.norm(translations, axis=-1)
    hanging = np.asarray(skeleton.parents) >= 0
    usual = np.median(lengths, axis=0)
    change = np.where(hanging & (usual > 0.0), np.ptp(lengths, axis=0) / np.where(usual > 0.0, usual, 1.0), 0.0)
    worst = int(np.argmax(change))
    if change[worst] > _SAME_LENGTH:
        name = quoted(skeleton.names[worst])
        notes.append(f"bones change their lengths, that to {name} by {change[worst]:.1%}: it is in the translations")
    return tuple(notes)
