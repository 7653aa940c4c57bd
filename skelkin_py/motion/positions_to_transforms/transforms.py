# SPDX-License-Identifier: MIT
"""The skeleton of joint positions, and the local transforms of its joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._support.arguments import check_tree, numbers_of
from ..._support.array_types import Floats
from ..._support.errors import quoted
from ...skeleton import Skeleton, parents_array
from ...transforms import compose, quaternion_from_matrix
from .body import Body, any_body, read_body
from .limbs import Limb, least_turns, limb_turns, mean_shape, shape_turns, shortest_turns, turned_back, units

_STANDS = 0.7  # cosine of the angle between trunk and up: a body that leans further lies, crawls or falls
_UNTURNED = (1.0, 0.0, 0.0, 0.0)
_SAME_LENGTH = 1e-3  # of a bone: less is rounding of what wrote the positions


class FromPositions(NamedTuple):
    """A skeleton and its motion, from positions.

    Attributes
    ----------
    skeleton : Skeleton
        Its rest pose is made from all frames, without rotations.
    rotations : (F, J, 4) float64 array
        Local rotations.
    translations : (F, J, 3) float64 array
        Local translations, which include changes of bone lengths.
    notes : tuple of str
        What positions do not determine, and what was assumed.
    """

    skeleton: Skeleton
    rotations: Floats
    translations: Floats
    notes: tuple[str, ...]


def transforms_from_positions(
    positions: ArrayLike, parents: ArrayLike, names: Sequence[str] | None = None
) -> FromPositions:
    """Return a skeleton and local transforms with joints at these positions.

    Parameters
    ----------
    positions : (F, J, 3) array_like
        Joint positions in one space.
    parents : (J,) array_like of int
        The parent of each joint, before it; -1 for a root.
    names : sequence of str, optional
        Names of the joints.

    Returns
    -------
    FromPositions
        Its forward kinematics gives the positions.

    Raises
    ------
    ValueError
        A shape does not fit or a number is not finite; the message names frame and joint.

    Notes
    -----
    In the rest pose bones have their median lengths and mean directions; a body with legs stands upright with flat
    feet. Thigh and shin turn with the plane of hip, knee and ankle, arms with that of shoulder, elbow and wrist, the
    pelvis with the hips and the trunk. Another joint with several children takes the rotation that turns their offsets
    best (W. Kabsch, "A solution for the best rotation to relate two sets of vectors", 1976), one with a single child
    the least turn from its parent's, one without children the rotation of its parent. Bones without length are ignored.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> found = transforms_from_positions(clip.positions(), clip.skeleton.parents, clip.names)
    >>> again = sk.Clip(found.skeleton, found.rotations, found.translations, fps=clip.fps)
    >>> bool(np.abs(again.positions() - clip.positions()).max() < 1e-9)
    True
    """
    places = _checked(positions)
    tree = parents_array(parents)
    if len(tree) != places.shape[1]:
        raise ValueError(f"parents has {len(tree)} entries: positions has {places.shape[1]} joints")
    check_tree(tree)
    above = tree.tolist()
    lengths = np.median(np.linalg.norm(places - places[:, np.maximum(tree, 0)], axis=-1), axis=0)
    plain = any_body(above, lengths)
    found = _turned(places, above, plain)
    skeleton = Skeleton(tree, compose(found.offsets, _UNTURNED), names)
    rest = np.asarray(skeleton.rest_global)[:, :3, 3]
    body = read_body([str(name) for name in skeleton.names], above, rest, places, plain)
    if body is not plain:
        found = _turned(places, above, body)
        skeleton = Skeleton(tree, compose(found.offsets, _UNTURNED), names)
    turns, translations = found.turns.copy(), places.copy()
    for joint, parent in enumerate(above):
        if parent >= 0:
            turns[:, joint] = turned_back(found.turns[:, parent], found.turns[:, joint].swapaxes(1, 2)).swapaxes(1, 2)
            translations[:, joint] = turned_back(found.turns[:, parent], places[:, joint] - places[:, parent])
    rotations = np.asarray(quaternion_from_matrix(turns), np.float64)
    return FromPositions(skeleton, rotations, translations, _notes(skeleton, translations, found.undetermined, body))


def _checked(positions: ArrayLike) -> Floats:
    array = np.asarray(numbers_of(positions, "positions"), np.float64)
    if array.ndim != 3 or array.shape[2] != 3 or 0 in array.shape:
        raise ValueError(f"positions has the shape {array.shape}: (frames, joints, 3) is needed")
    for frame, joint, _ in np.argwhere(~np.isfinite(array))[:1].tolist():
        raise ValueError(f"positions[{frame}, {joint}] is {array[frame, joint].tolist()}: must be finite")
    return array


class _Turned(NamedTuple):
    """Global rotations (F, J, 3, 3), rest offsets (J, 3), and the number of joints whose twist is undetermined."""

    turns: Floats
    offsets: Floats
    undetermined: int


def _turned(places: Floats, parents: list[int], body: Body) -> _Turned:
    frames, joints = places.shape[:2]
    turns, offsets, undetermined = np.empty((frames, joints, 3, 3)), np.full((joints, 3), np.nan), 0
    limbs = {limb.joints[0]: limb for limb in body.limbs}
    inside = {joint for limb in body.limbs for joint in limb.joints[1:-1]}
    still = np.broadcast_to(np.eye(3), (frames, 3, 3))
    for joint, parent in enumerate(parents):
        carried = turns[:, parent] if parent >= 0 else still
        if parent < 0:
            offsets[joint] = places[:, joint].mean(axis=0)
        own = body.children[joint]
        if joint in limbs:
            _turn_limb(limbs[joint], places, carried, body, turns, offsets)
        elif joint in body.carried or (joint not in inside and not own):
            turns[:, joint] = carried
        elif joint not in inside:
            shape, determined = _turn_joint(joint, places, carried, body, turns)
            undetermined += not determined
            for child, offset in zip(own, shape, strict=True):
                if parents[child] == joint:
                    offsets[child] = offset
        for child in range(joint + 1, joints):
            if parents[child] == joint and np.isnan(offsets[child, 0]):
                bone = places[:, child] - places[:, joint]
                offsets[child] = mean_shape(turns[:, joint], bone[:, None])[0]
    return _Turned(turns, offsets, undetermined)


def _turn_limb(limb: Limb, places: Floats, carried: Floats, body: Body, turns: Floats, offsets: Floats) -> None:
    joints = list(limb.joints)
    found = limb_turns(limb, places[:, joints], carried, body.up, body.left)
    turns[:, joints[:-1]] = found.turns
    offsets[joints[1:]] = found.offsets


def _turn_joint(joint: int, places: Floats, carried: Floats, body: Body, turns: Floats) -> tuple[Floats, bool]:
    """Turn a joint by its children; return their rest offsets, and whether they determine the rotation."""
    own, pair = body.children[joint], body.pelvises.get(joint)
    now = places[:, own] - places[:, joint, None]
    shape = now[0] if pair else mean_shape(carried, now)
    if len(own) > 1:
        turns[:, joint], shape, determined = shape_turns(carried, now, shape)
    else:
        turns[:, joint], determined = least_turns(carried, shape[0], now[:, 0]), False
    by = None
    if pair:
        up = units(turned_back(turns[:, joint], np.broadcast_to(body.up, (len(now), 3))).mean(axis=0))
        if joint in body.trunks:
            line = places[:, body.trunks[joint]] - places[:, joint]
            trunk = units(turned_back(turns[:, joint], line).mean(axis=0))
            up = trunk if float(up @ trunk) < _STANDS else up
        by = _upright(up, shape[own.index(pair[0])] - shape[own.index(pair[1])], body)
    elif joint in body.soles and body.soles[joint].toe in own:
        by = _flat(shape[own.index(body.soles[joint].toe)], body.soles[joint].drop, body.up)
    if by is not None:
        shape = shape @ by.T
        turns[:, joint] = turns[:, joint] @ by.T
    return shape, determined


def _upright(up: Floats, left: Floats, body: Body) -> Floats:
    """Return the rotation (3, 3) that takes these directions of a body to those of its rest pose."""
    across = units(left - (left @ up) * up)
    own = np.stack([up, across, np.cross(up, across)], axis=1)
    rest = np.stack([body.up, body.left, np.cross(body.up, body.left)], axis=1)
    return np.asarray(rest @ own.T) if up.any() and across.any() else np.eye(3)


def _flat(toe: Floats, drop: float, up: Floats) -> Floats:
    """Return the rotation (3, 3) that puts the toes as far below the ankle as in a flat foot."""
    length, level = float(np.linalg.norm(toe)), units(toe - (toe @ up) * up)
    drop = min(max(drop, -length), length)
    return np.asarray(shortest_turns(toe[None], (np.sqrt(length**2 - drop**2) * level - drop * up)[None])[0])


def _notes(skeleton: Skeleton, translations: Floats, undetermined: int, body: Body) -> tuple[str, ...]:
    stands = ", and the body stands" if body.pelvises else ""
    notes = [f"made from positions: in the rest pose bones are as long as their medians{stands}"]
    if undetermined:
        joints = f"{undetermined} joint{'s turn' if undetermined > 1 else ' turns'}"
        notes.append(f"positions do not say how {joints} about the bone's own axis: as little as possible")
    lengths = np.linalg.norm(translations, axis=-1)
    has_parent = np.asarray(skeleton.parents) >= 0
    usual = np.median(lengths, axis=0)
    change = np.where(has_parent & (usual > 0.0), np.ptp(lengths, axis=0) / np.where(usual > 0.0, usual, 1.0), 0.0)
    worst = int(np.argmax(change))
    if change[worst] > _SAME_LENGTH:
        name = quoted(skeleton.names[worst])
        notes.append(f"bones change their lengths, that to {name} by {change[worst]:.1%}: it is in the translations")
    return tuple(notes)
