# SPDX-License-Identifier: MIT
"""NVIDIA's motion_correction (C++ with a Python module), where MOTION_CORRECTION is the path to import it from.

It takes contacts for given, knows a level floor and metres, and works in place: arrays are copied inside the clock.
The skeleton's joints turn, only the first one moves; `contacts` are (F, 4): left heel and toe, right heel and toe.
"""

from __future__ import annotations

import importlib
import os
import sys

import numpy as np

THRESHOLD, MARGIN = 0.5, 0.01  # of contacts; metres that the root may leave its path by


def _load():
    given = os.environ.get("MOTION_CORRECTION")
    if not given:
        raise ImportError("MOTION_CORRECTION is not set to the path to import the built module from")
    sys.path.insert(0, given)
    try:
        return importlib.import_module("motion_correction")
    except ImportError as error:
        raise ImportError(f"MOTION_CORRECTION={given}: {error}") from error
    finally:
        sys.path.remove(given)


_MODULE = _load()


def plant(parents, ends, rotations, translations, rest, contacts, metres_per_unit):
    """Return the call, and its rotations (F, J, 4) and root positions (F, 3) in the clip's units.

    `ends` are the joints of left hand, right hand, left foot and right foot, `rest` the offsets (J, 3) from the
    parents in the rest pose, in which all joints are turned alike.
    """
    frames = len(rotations)
    turns = np.ascontiguousarray(rotations, np.float32)
    roots = np.ascontiguousarray(translations[:, 0] * metres_per_unit, np.float32)
    nothing = np.zeros(frames, np.float32)
    offsets = [[float(x) for x in offset] for offset in rest * metres_per_unit]
    unturned = [[0.0, 0.0, 0.0, 1.0] for _ in parents]  # x y z w, unlike the rotations
    marks = np.ascontiguousarray(contacts, np.float32).ravel()
    kept: list[np.ndarray] = []

    def call():
        new_roots, new_turns = roots.ravel().copy(), turns.ravel().copy()
        _MODULE.correct_motion(
            *(new_roots, new_turns, roots.ravel(), turns.ravel()),
            *(nothing,) * 6,  # masks of body, hands, feet and root: none is pinned
            *(marks, [int(parent) for parent in parents], offsets, unturned),
            *(*map(int, ends), THRESHOLD, MARGIN, False),
        )
        kept[:] = new_turns, new_roots

    return call, lambda: (kept[0].reshape(turns.shape), kept[1].reshape(-1, 3) / metres_per_unit)
