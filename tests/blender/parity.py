# SPDX-License-Identifier: MIT
"""Measured differences from Blender: each is checked against its bound, and kept for the table of parity."""

from __future__ import annotations

import json
import os

import bpy


def note(part: str, error: float, bound: float) -> None:
    """Demand that the error is at most the bound; where SKELKIN_PARITY names a file, add a line to it first."""
    error = float(error)
    if path := os.environ.get("SKELKIN_PARITY"):
        line = {"part": part, "version": bpy.app.version_string.split()[0], "error": error, "bound": bound}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    assert error <= bound, f"{part}: {error:.3g} is above {bound:.3g}"
