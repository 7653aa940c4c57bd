# SPDX-License-Identifier: MIT
"""What planting cost, twice, side by side."""

from __future__ import annotations

import pytest


def assert_same_cost(found, expected, *, loop=False):
    """The same figures to rounding; and the same frames to look at, but of loops, whose rounds are alike, and jerks."""
    told, other = (_flat(cost.to_dict()) for cost in (found, expected))
    assert told.keys() == other.keys()
    for key, value in told.items():
        if (loop and "frame" in key) or key.endswith("frames/jerk"):
            continue
        assert value == (pytest.approx(other[key], rel=1e-6, abs=1e-6) if type(value) is float else other[key]), key


def _flat(value, name=""):
    """Numbers and words of nested dictionaries and lists, by where they are."""
    if not isinstance(value, (dict, list, tuple)):
        return {name: value}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return {key: each for k, part in pairs for key, each in _flat(part, f"{name}/{k}").items()}
