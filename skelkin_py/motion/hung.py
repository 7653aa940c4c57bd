# SPDX-License-Identifier: MIT
"""Legs whose joints are not below each other: planted as if they were, and put back under their parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..kinematics.forward import local_from_global
from ..legs import Leg
from ..skeleton import Skeleton
from ..transforms import decompose
from .clip import Clip, with_moved_joints

Array = NDArray[np.float64]

_KEEPS = 0.1  # of a bone: a distance that changes by more is none


def hang_elsewhere(parents: Sequence[int], legs: Sequence[Leg]) -> dict[int, int]:
    """Return the joints of legs that do not hang below the one before them, with that.

    Examples
    --------
    >>> hang_elsewhere([-1, 0, 1, 0], [Leg(1, 2, 3)])
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


def stay_together(clip: Clip, elsewhere: dict[int, int]) -> bool:
    """Tell whether joints stay where they are in the axes of the joints that should be above them, as bones do."""
    poses = np.asarray(clip.global_matrices(), np.float64)
    for joint, above in elsewhere.items():
        axes = poses[:, above, :3, :3]
        axes = axes / np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
        seen = np.einsum("fji,fj->fi", axes, poses[:, joint, :3, 3] - poses[:, above, :3, 3])
        apart = np.linalg.norm(seen - np.median(seen, axis=0), axis=1).max()
        if apart > _KEEPS * float(np.median(np.linalg.norm(seen, axis=1))):
            return False
    return True


class Hung:
    """A clip in which the joints of legs are below each other.

    Parameters
    ----------
    clip : Clip
        The clip as it is.
    elsewhere : dict of int to int
        What `hang_elsewhere` returns.

    Attributes
    ----------
    clip : Clip
        With other parents, and its joints in another order; their global transforms are the same.

    Raises
    ------
    ValueError
        A joint would be below itself: names it.
    """

    def __init__(self, clip: Clip, elsewhere: dict[int, int]) -> None:
        self._given, self._elsewhere = clip, elsewhere
        skeleton, names = clip.skeleton, clip.names
        parents = [elsewhere.get(joint, int(parent)) for joint, parent in enumerate(skeleton.parents)]
        for joint, above in elsewhere.items():
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
        """Return legs with joints counted as in `clip`."""
        place = self._place
        return [
            replace(
                leg,
                hip=place[leg.hip],
                knee=place[leg.knee],
                ankle=place[leg.ankle],
                toe=self.joint(leg.toe),
                heel=self.joint(leg.heel),
                pelvis=self.joint(leg.pelvis),
                chain=(place[leg.chain[0]], place[leg.chain[1]], place[leg.chain[2]]),
                segments=tuple(place[joint] for joint in leg.segments),
            )
            for leg in legs
        ]

    def joint(self, joint: int | None) -> int | None:
        """Return a joint counted as in `clip`."""
        return None if joint is None else self._place[joint]

    def put_back(self, planted: Clip) -> Clip:
        """Return the given clip with what is changed of `clip` in `planted`; all else is as it was, bit for bit."""
        rotations: dict[int, tuple[NDArray[np.intp], Array]] = {}
        translations: dict[int, tuple[NDArray[np.intp], Array]] = {}
        for joint, place in self._place.items():
            if joint in self._elsewhere:
                continue
            for old, new, out in (
                (self.clip.rotations, planted.rotations, rotations),
                (self.clip.translations, planted.translations, translations),
            ):
                frames = np.flatnonzero((old[:, place] != new[:, place]).any(axis=1))
                if len(frames):
                    out[joint] = frames, new[frames, place].copy()
        before, moved = (np.asarray(each.global_matrices(), np.float64) for each in (self.clip, planted))
        for joint in self._elsewhere:
            above = int(self._given.skeleton.parents[joint])
            own = [self._place[each] for each in (joint, above) if each >= 0]
            frames = np.flatnonzero((before[:, own] != moved[:, own]).any(axis=(1, 2, 3)))
            if not len(frames):
                continue
            by = [moved[frames, k] @ np.linalg.inv(before[frames, k]) for k in own]
            now = by[0] @ self._global[frames, joint]
            if above >= 0:
                now = np.linalg.solve(by[1] @ self._global[frames, above], now)
            places, turns, _ = decompose(now)
            rotations[joint], translations[joint] = (frames, turns), (frames, places)
        return with_moved_joints(self._given, rotations, translations)
