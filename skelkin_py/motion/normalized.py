# SPDX-License-Identifier: MIT
"""A motion in other axes and another unit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..kinematics.joint_transforms import JointTransforms
from ..skeleton import Skeleton
from ..transforms import quaternion_between, quaternion_multiply, quaternion_rotate
from .facts import ClipSource, ContactLabels

_AXES = ("+X", "+Y", "+Z", "-X", "-Y", "-Z")


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalizedSource(ClipSource):
    """The source of a clip whose axes or unit are no longer those of its file."""

    labels: ContactLabels | None = None

    def contact_labels(self) -> ContactLabels | None:
        """Return the labelled contacts of the file."""
        return self.labels

    def slice(self, start: int, stop: int) -> NormalizedSource:
        """Return the source of the frames `start` to `stop`."""
        cut = {
            side: {part: _within(spans, start, stop) for part, spans in parts.items()}
            for side, parts in (self.labels or {}).items()
        }
        return replace(self, labels=cut or None)


def _within(spans: list[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    inside = ((max(first, start) - start, min(last, stop - 1) - start) for first, last in spans)
    return [(first, last) for first, last in inside if first <= last]


def axis_of(name: str, up: str | None) -> np.ndarray:
    """Return the unit vector (3,) of the axis that an argument names, such as "+Y", "-z" or "Y"; else a ValueError.

    Examples
    --------
    >>> axis_of("up", "-Z").tolist()
    [0.0, 0.0, -1.0]
    """
    vector = axis_vector(up) if isinstance(up, str) else None
    if vector is None:
        raise ValueError(f"{name} is {up!r}: an axis is needed, one of {', '.join(_AXES)}")
    return vector


def axis_vector(word: str) -> np.ndarray | None:
    """Return the unit vector (3,) of an axis such as "+Y", "-z" or "Y"; None for any other word."""
    word = word.strip().upper()
    word = word if word[:1] in ("+", "-") else f"+{word}"
    if word not in _AXES:
        return None
    vector = np.zeros(3)
    vector["XYZ".index(word[1])] = -1.0 if word[0] == "-" else 1.0
    return vector


def normalized(
    skeleton: Skeleton, transforms: JointTransforms, up: np.ndarray, new_up: np.ndarray, scale: float
) -> tuple[Skeleton, JointTransforms]:
    """Return a skeleton and a motion turned by the least rotation from one up axis to another, and scaled.

    Parameters
    ----------
    skeleton : Skeleton
        The joints.
    transforms : JointTransforms
        Their motion.
    up, new_up : (3,) float64
        The axis that points up, before and after.
    scale : float
        The factor of all lengths.

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
