# SPDX-License-Identifier: MIT
"""Joints of the SMPL family, by their order in arrays of poses; and a body of average proportions for them."""

from __future__ import annotations

import numpy as np

from ..._support.array_types import Floats
from ...skeleton import Skeleton
from ...transforms import compose

_BODY = (
    "pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle",
    "spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
)  # fmt: skip
_BODY_PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
_FACE = ("jaw", "left_eye", "right_eye")
_FINGERS = tuple(f"{finger}{k}" for finger in ("index", "middle", "pinky", "ring", "thumb") for k in (1, 2, 3))

AVERAGE = (
    "the body's proportions are not in the file: segment lengths are those of a person of 1.7 m after R. Drillis and "
    'R. Contini, "Body segment parameters", 1966; how high feet are is this body\'s'
)
_STATURE = 1.7
UNTURNED = (1.0, 0.0, 0.0, 0.0)

# From each joint's parent to it, as parts of stature; left is +X, up +Y, the body looks along +Z. Heights of hip,
# knee, ankle and shoulder, widths of hips and shoulders, lengths of arm, forearm and foot are those of the paper;
# between hips and shoulders they are shared out along the spine.
_OFFSETS = {
    "pelvis": (0.0, 0.0, 0.0),
    "hip": (0.0955, -0.040, 0.0),
    "knee": (0.0, -0.245, 0.002),
    "ankle": (0.0, -0.246, -0.004),
    "foot": (0.0, -0.029, 0.080),
    "spine1": (0.0, 0.060, 0.0),
    "spine2": (0.0, 0.075, 0.0),
    "spine3": (0.0, 0.035, 0.0),
    "neck": (0.0, 0.105, 0.0),
    "head": (0.0, 0.050, 0.010),
    "collar": (0.045, 0.058, 0.0),
    "shoulder": (0.0845, 0.020, 0.0),
    "elbow": (0.186, 0.0, 0.0),
    "wrist": (0.146, 0.0, 0.0),
    "hand": (0.054, 0.0, 0.0),
    "jaw": (0.0, 0.005, 0.015),
    "eye": (0.018, 0.035, 0.040),
    "index1": (0.056, 0.0, 0.014),
    "middle1": (0.058, 0.0, 0.003),
    "ring1": (0.054, 0.0, -0.008),
    "pinky1": (0.049, 0.0, -0.017),
    "thumb1": (0.014, -0.006, 0.016),
}
_PHALANX = (0.016, 0.0, 0.0)


def names_of(count: int) -> tuple[str, ...]:
    """Return the names of 22 (body), 24 (SMPL), 52 (SMPL-H) or 55 (SMPL-X) joints.

    Parameters
    ----------
    count : int
        How many joints the poses have.

    Returns
    -------
    tuple of str
        In the order of the poses.

    Raises
    ------
    ValueError
        If there is no such layout.

    Examples
    --------
    >>> names_of(24)[-3:]
    ('right_wrist', 'left_hand', 'right_hand')
    """
    hands = tuple(f"{side}_{finger}" for side in ("left", "right") for finger in _FINGERS)
    layouts = {22: _BODY, 24: (*_BODY, "left_hand", "right_hand"), 52: (*_BODY, *hands), 55: (*_BODY, *_FACE, *hands)}
    if count not in layouts:
        raise ValueError(f"poses of {count} joints: {', '.join(map(str, layouts))} are known")
    return layouts[count]


def parents_of(names: tuple[str, ...]) -> list[int]:
    """Return the parents of joints of these names."""
    parents = list(_BODY_PARENTS)
    for name in names[len(_BODY) :]:
        side, _, part = name.partition("_")
        if name == "jaw" or part == "eye":
            parents.append(names.index("head"))
        elif part == "hand" or part.endswith("1"):
            parents.append(names.index(f"{side}_wrist"))
        else:
            parents.append(names.index(f"{side}_{part[:-1]}{int(part[-1]) - 1}"))
    return parents


def average_body(names: tuple[str, ...]) -> Skeleton:
    """Return a body of average proportions in the pose in which no joint is turned, in metres.

    Parameters
    ----------
    names : tuple of str
        As `names_of` returns them.

    Returns
    -------
    Skeleton
        Its pelvis is at the origin.

    Examples
    --------
    >>> body = average_body(names_of(22))
    >>> places = body.rest_global[:, :3, 3]
    >>> float(round(places[body.index("head"), 1] - places[body.index("left_ankle"), 1], 2))
    1.46
    """
    offsets = _STATURE * np.array([_offset(name) for name in names])
    return Skeleton(parents_of(names), compose(offsets, UNTURNED), names)


def _offset(name: str) -> Floats:
    side, _, part = name.partition("_")
    part = part or name
    offset = np.array(_OFFSETS.get(part, _PHALANX))
    return offset * [-1.0, 1.0, 1.0] if side == "right" else offset
