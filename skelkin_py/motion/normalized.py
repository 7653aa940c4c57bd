# SPDX-License-Identifier: MIT
"""A motion in other axes and another unit: which way is up, and how long a unit is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kinematics.joint_transforms import JointTransforms
from ..skeleton import Skeleton
from ..transforms import quaternion_between, quaternion_multiply, quaternion_rotate
from .facts import ClipFacts

_AXES = tuple(f"{sign}{axis}" for sign in "+-" for axis in "XYZ")


@dataclass(frozen=True)
class NormalizedSource:
    """What is known of a clip whose axes or unit are no longer those of its file."""

    facts: ClipFacts
    leg_names: tuple[str, ...] | None = None
    labels: dict[str, dict[str, list[tuple[int, int]]]] | None = None

    def contact_labels(self) -> dict[str, dict[str, list[tuple[int, int]]]] | None:
        """Return the contacts that the file has labels of."""
        return self.labels

    def slice(self, start: int, stop: int) -> NormalizedSource:
        """Return the source of the frames `start` to `stop`."""
        cut = {
            side: {part: _within(spans, start, stop) for part, spans in parts.items()}
            for side, parts in (self.labels or {}).items()
        }
        return NormalizedSource(self.facts, self.leg_names, cut or None)


def _within(spans: list[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    inside = ((max(first, start) - start, min(last, stop - 1) - start) for first, last in spans)
    return [(first, last) for first, last in inside if first <= last]


def axis_of(name: str, up: str | None) -> np.ndarray:
    """Return the unit vector of an axis.

    Parameters
    ----------
    name : str
        The argument that it is, for messages.
    up : str
        Such as "+Y", "-z" or "Y".

    Returns
    -------
    (3,) float64 array
        The vector.

    Raises
    ------
    ValueError
        If it is no axis.

    Examples
    --------
    >>> axis_of("up", "-Z").tolist()
    [0.0, 0.0, -1.0]
    """
    word = up.strip().upper() if isinstance(up, str) else ""
    word = word if word[:1] in ("+", "-") else f"+{word}"
    if word not in _AXES:
        raise ValueError(f"{name} is {up!r}: an axis is needed, one of {', '.join(_AXES)}")
    vector = np.zeros(3)
    vector["XYZ".index(word[1])] = -1.0 if word[0] == "-" else 1.0
    return vector


def normalized(
    skeleton: Skeleton, transforms: JointTransforms, up: np.ndarray, new_up: np.ndarray, scale: float
) -> tuple[Skeleton, JointTransforms]:
    """Return a skeleton and a motion, of which the world is turned by the least turn and lengths are scaled.

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    transforms : JointTransforms
        Their motion.
    up, new_up : (3,) float64
        The axis that points up, before and after.
    scale : float
        What lengths are multiplied with.

    Returns
    -------
    skeleton : Skeleton
        Scaled; the rest pose keeps its own axes.
    transforms : JointTransforms
        With roots turned and all translations scaled.
    """
    rest = np.array(skeleton.rest_local)
    rest[:, :3, 3] *= scale
    ends = {joint: np.asarray(place) * scale for joint, place in skeleton.end_sites.items()}
    turn = np.asarray(quaternion_between(up, new_up))
    roots = np.flatnonzero(np.asarray(skeleton.parents) < 0)
    rotations, translations = np.array(transforms.rotations), np.array(transforms.translations) * scale
    if not np.array_equal(up, new_up):
        rotations[:, roots] = quaternion_multiply(turn, rotations[:, roots])
        translations[:, roots] = quaternion_rotate(turn, translations[:, roots])
    bind = np.array(skeleton.inverse_bind)
    bind[:, :3, 3] *= scale
    made = Skeleton(skeleton.parents, rest, skeleton.names, bind, end_sites=ends)
    return made, JointTransforms.checked(made, rotations, translations, transforms.scales)
