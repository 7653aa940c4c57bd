# SPDX-License-Identifier: MIT
"""Joints of a BVH file by a reader that shares nothing with the product's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def joints_of_bvh(path: Path, most: int) -> tuple[list[str], np.ndarray]:
    """Names of the joints, and where they are in the first frames, (F, J, 3)."""
    head, _, motion = path.read_text().partition("MOTION")
    lines = motion.strip().splitlines()[2 : 2 + most]
    values = np.array([line.split() for line in lines if line.strip()], float)
    words = iter(head.split())
    names: list[str] = []
    turns: list[np.ndarray] = []
    places: list[np.ndarray] = []
    above: list[int] = []  # joints whose braces are open; -1 is an end site
    column = 0
    for word in words:
        if word in ("ROOT", "JOINT"):
            names.append(next(words))
            _ = next(words)
            above.append(len(names) - 1)
        elif word == "End":
            _ = next(words), next(words)
            above.append(-1)
        elif word == "}":
            above.pop()
        elif word == "OFFSET":
            offset = np.array([float(next(words)) for _ in range(3)])
            if above[-1] >= 0:
                places.append(np.tile(offset, (len(values), 1)))
        elif word == "CHANNELS":
            turn = np.tile(np.eye(3), (len(values), 1, 1))
            for channel in [next(words) for _ in range(int(next(words)))]:
                own, axis = values[:, column], AXES[channel[0].upper()]
                if channel.endswith("position"):
                    places[-1][:, "XYZ".index(channel[0].upper())] = own
                else:
                    turn = turn @ _about(np.array(axis), np.radians(own))
                column += 1
            if len(above) > 1:
                parent = above[-2]
                places[-1] = places[parent] + np.einsum("fij,fj->fi", turns[parent], places[-1])
                turn = turns[parent] @ turn
            turns.append(turn)
    return names, np.stack(places, axis=1)


def _about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(F, 3, 3) By Rodrigues' formula."""
    k = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle)[:, None, None] * k + (1.0 - np.cos(angle))[:, None, None] * (k @ k)
