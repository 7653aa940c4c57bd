# SPDX-License-Identifier: MIT
"""What options may be: numbers, lengths, axes; and the options that several commands have."""

from __future__ import annotations

import argparse
import math

AXES = ("auto", "X", "Y", "Z", "-X", "-Y", "-Z")


def number(text: str) -> float:
    """Read a finite number."""
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a finite number")
    return value


def length(text: str) -> float:
    """Read a finite number above 0."""
    value = number(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def axis(text: str) -> str:
    """Read an axis however it is written, such as ``+z``."""
    return text.lower() if text.lower() == "auto" else text.upper().removeprefix("+")
