# SPDX-License-Identifier: MIT
"""Legs whose joints are not below each other: reparented for planting, and given back their own parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from ..kinematics.forward import local_from_global
from ..legs import Leg
from ..legs.detached_feet import drift_of
from ..skeleton import Skeleton
from ..transforms import decompose
from .clip import Clip, with_moved_joints

_JOINTS = ("hip", "knee", "ankle", "toe", "heel", "pelvis")
_KEEPS = 0.1  # of the distance of two joints: if it changes by more, they have no bone between them


def detached_joints(parents: Sequence[int], legs: Sequence[Leg]) -> dict[int, int]:
    """Return the joints of legs that are not below the joint before them in the leg, and that joint for each.

    Examples
    --------
    >>> detached_joints([-1, 0, 1, 0], [Leg(1, 2, 3)])
    {3: 2}
    """
    out = {}
    for leg in legs:
        if not all(0 <= joint < len(parents) for joint in leg.chain):
            continue
        for above, joint in zip(leg.chain, leg.chain[1:], strict=False):
            if joint != above and above not in _line(parents, joint):
                out[joint] = above
    return out


def _line(parents: Sequence[int], joint: int) -> list[int]:
    """Return the joint and those above it."""
    line: list[int] = []
    while joint >= 0 and joint not in line:
        line.append(joint)
        joint = parents[joint]
    return line


def move_rigidly(clip: Clip, detached: dict[int, int]) -> bool:
    """Return whether joints keep their places, in most frames, in the axes of the joints that should be above them."""
    poses = np.asarray(clip.global_matrices(), np.float64)
    for joint, above in detached.items():
        drift, lengths = drift_of(poses, joint, above)
        if drift > _KEEPS * float(np.median(lengths)):
            return False
    return True


class Reparented:
    """A clip in which the joints of legs are below each other.

    Parameters
    ----------
    clip : Clip
        The clip as it is.
    detached : dict of int to int
        The new parents, as `detached_joints` returns them.

    Attributes
    ----------
    clip : Clip
        With other parents, and its joints in another order; their global transforms are the same.

    Raises
    ------
    ValueError
        A joint would be below itself; the message names it.
    """

    def __init__(self, clip: Clip, detached: dict[int, int]) -> None:
        self._original, self._detached = clip, detached
        skeleton, names = clip.skeleton, clip.names
        parents = [detached.get(joint, int(parent)) for joint, parent in enumerate(skeleton.parents)]
        for joint, above in detached.items():
            if joint in _line(parents, above):
                raise ValueError(
                    f"legs: {names[joint]!r} cannot be below {names[above]!r}, which is below it: "
                    "name hip, knee and ankle in this order"
                )
        depth = [len(_line(parents, joint)) for joint in range(len(parents))]
        self._order = sorted(range(len(parents)), key=lambda joint: (depth[joint], joint))
        self._place = {joint: k for k, joint in enumerate(self._order)}
        tree = [self._place[parents[joint]] if parents[joint] >= 0 else -1 for joint in self._order]
        rest = np.asarray(skeleton.rest_global)[self._order]
        made = Skeleton.from_global(tree, rest, [names[joint] for joint in self._order])
        self._global = np.asarray(clip.global_matrices(), np.float64)
        places, turns, scales = decompose(local_from_global(made, self._global[:, self._order]))
        scaled = scales if np.abs(scales - 1.0).max() > 1e-6 else None
        self.clip = Clip(made, turns, places, scaled, fps=clip.fps)

    def legs(self, legs: Sequence[Leg]) -> list[Leg]:
        """Return legs with the joint numbers of `clip`."""
        moved = []
        for leg in legs:
            joints: dict[str, Any] = {name: self.joint(getattr(leg, name)) for name in _JOINTS}
            joints |= {name: tuple(map(self.joint, getattr(leg, name))) for name in ("chain", "segments")}
            moved.append(replace(leg, **joints))
        return moved

    def joint(self, joint: int | None) -> int | None:
        """Return the number of a joint in `clip`."""
        return None if joint is None else self._place[joint]

    def restored(self, planted: Clip) -> Clip:
        """Return the original clip with what planting changed in `clip`; all else keeps its bits."""
        rotations: dict[int, tuple[NDArray[np.intp], Floats]] = {}
        translations: dict[int, tuple[NDArray[np.intp], Floats]] = {}
        for joint, place in self._place.items():
            if joint in self._detached:
                continue
            for old, new, out in (
                (self.clip.rotations, planted.rotations, rotations),
                (self.clip.translations, planted.translations, translations),
            ):
                frames = np.flatnonzero((old[:, place] != new[:, place]).any(axis=1))
                if len(frames):
                    out[joint] = frames, new[frames, place].copy()
        before, moved = (np.asarray(each.global_matrices(), np.float64) for each in (self.clip, planted))
        for joint in self._detached:
            above = int(self._original.skeleton.parents[joint])
            own = [self._place[each] for each in (joint, above) if each >= 0]
            frames = np.flatnonzero((before[:, own] != moved[:, own]).any(axis=(1, 2, 3)))
            if not len(frames):
                continue
            change = [moved[frames, k] @ np.linalg.inv(before[frames, k]) for k in own]
            local = change[0] @ self._global[frames, joint]
            if above >= 0:
                local = np.linalg.solve(change[1] @ self._global[frames, above], local)
            places, turns, _ = decompose(local)
            rotations[joint], translations[joint] = (frames, turns), (frames, places)
        return with_moved_joints(self._original, rotations, translations)
