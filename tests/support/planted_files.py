# SPDX-License-Identifier: MIT
"""The same clip planted from file to file and in memory, side by side."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting import plant_locals


def plant_both(folder, clip, block, local=None, **options):
    """Plant from file to file and in memory; return what both returned, and the matrices of the file between."""
    local = clip.local_matrices() if local is None else local
    np.save(folder / "in.npy", local)
    options["fps"] = clip.fps
    planted = sk.plant_file(folder / "in.npy", folder / "out.npy", clip.skeleton, block=block, **options)
    return planted, np.load(folder / "out.npy"), plant_locals(clip.skeleton, local, **options)


def assert_same(planted, found, expected):
    """The same matrices, changed joints, contacts and figures."""
    assert np.abs(found - expected.local).max() <= 1e-9
    assert planted.changed == expected.changed
    spans = [[(c.first_frame, c.last_frame) for c in planted.report.contacts if c.leg == k] for k in range(2)]
    assert spans == [leg.contacts for leg in expected.report.legs]
    assert planted.report.loop is expected.report.loop
    for name in ("slide", "penetration", "float"):
        for when in ("before", "after"):
            ours, theirs = (report.worst(name, when) for report in (planted.report, expected.report))
            assert ours == pytest.approx(theirs, abs=1e-9)
    assert_same_cost(planted.report.cost, expected.report.cost, loop=expected.report.loop)


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
