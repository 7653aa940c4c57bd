# SPDX-License-Identifier: MIT
"""A fixed rule for foot contacts in real clips, against which reported contacts are judged.

It is the plain rule of papers on motion data and shares nothing with skelkin's own detection: a foot is in contact in
a frame in which one of its joints, ankle or ball, is near its resting height in the clip and hardly moves. Thresholds
are those by which the skating ratio of *Guided Motion Diffusion* (Karunratanakul et al., 2023) tells contact and
skating of people: a foot below 5 cm, and 0.5 m/s, in legs of 0.9 m. The rule is not tuned to any result; it misses
feet that stand on something high, and takes slow moments near the ground for contacts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["coverage", "rule_contacts"]

Array = NDArray[np.float64]

HEIGHT = 0.05 / 0.9  # leg lengths above the joint's resting height
SPEED = 0.5 / 0.9  # leg lengths per second
RESTING = 0.05  # the quantile of a joint's heights that counts as its resting height


def rule_contacts(
    joints: Sequence[Array], up: Array, leg: float, fps: float, ground_velocity: Array | None = None
) -> NDArray[np.bool_]:
    """Return in which frames a foot is in contact.

    Parameters
    ----------
    joints : sequence of (F, 3) float64
        Global paths of the foot's joints: ankle and ball.
    up : (3,) float64
        Unit vector.
    leg : float
        Leg length, in the unit of the paths.
    fps : float
        Frames per second.
    ground_velocity : (3,) float64, optional
        Velocity of a moving ground, in units per second, for a clip made in place.

    Returns
    -------
    (F,) bool
        The flags.

    Examples
    --------
    >>> path = np.array([[0.0, 0, 0], [0.0, 0, 0], [0.0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]])
    >>> rule_contacts([path], np.array([0.0, 1.0, 0.0]), 0.9, 30.0).tolist()
    [True, True, False, False, False]
    """
    still = np.zeros(len(joints[0]), dtype=np.bool_)
    for path in joints:
        height = path @ up
        velocity = np.gradient(path, axis=0) * fps - (0.0 if ground_velocity is None else ground_velocity)
        low = height - np.quantile(height, RESTING) < HEIGHT * leg
        still |= low & (np.linalg.norm(velocity, axis=1) < SPEED * leg)
    return still


def coverage(found: NDArray[np.bool_], rule: NDArray[np.bool_]) -> float:
    """Return the part of the rule's frames that are found too; 1 where the rule has none.

    Parameters
    ----------
    found, rule : (...) bool
        Flags.

    Returns
    -------
    float
        0 … 1.

    Examples
    --------
    >>> coverage(np.array([True, False]), np.array([True, True]))
    0.5
    """
    return float((found & rule).sum() / rule.sum()) if rule.any() else 1.0
