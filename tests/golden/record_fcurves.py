# SPDX-License-Identifier: MIT
"""Record random F-curves, and what a Blender evaluates, into ``fcurves_<version>.npz`` beside this file.

Run inside Blender: ``blender -b --factory-startup --python tests/golden/record_fcurves.py``, or with the Python of a
``bpy`` wheel; either needs the package on PYTHONPATH.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np
import numpy.typing as npt

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "blender"))

from random_curves import random_curves  # noqa: E402

from skelkin_py.blender import Cycles, read_action  # noqa: E402

FIELDS = ("starts", "keys", "left", "right", "back", "amplitude", "period", "interpolation", "easing", "linear")


def record() -> dict[str, npt.NDArray[np.generic]]:
    """Return 60 curves of a seed and their values in 70 frames each."""
    target = bpy.data.objects.new("Empty", None)
    live, frames = random_curves(np.random.default_rng(1000), target, "location", 60)
    chosen = [np.random.default_rng(row).choice(each, 70, replace=False) for row, each in enumerate(frames)]
    curves = read_action(target)
    values = [[curve.evaluate(float(frame)) for frame in each] for curve, each in zip(live, chosen)]
    cycles = [tuple(map(str, cycle or ("",) * len(Cycles._fields))) for cycle in curves.cycles]
    arrays = {name: getattr(curves, name) for name in FIELDS}
    return arrays | {"frames": np.array(chosen), "values": np.array(values, np.float32), "cycles": np.array(cycles)}


def golden_file() -> Path:
    """Return where this Blender's numbers are."""
    return HERE / f"fcurves_{'.'.join(map(str, bpy.app.version[:2]))}.npz"


if __name__ == "__main__":
    np.savez_compressed(golden_file(), **record())
