# SPDX-License-Identifier: MIT
"""What tests of the package share: a walk with known contacts and faults, and random examples without a stop-watch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from known_motions import plain_walk
from known_steps import Known, build

# How long an example takes hangs on what else the machine does; pytest's limit ends one that hangs.
settings.register_profile(
    "no clock",
    settings.default,
    deadline=None,
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("no clock")


@functools.cache
def build_walk(*, in_place: bool = False, slide: float = 0.08, sway: float = 0.02, **options: Any) -> Known:
    """Make a walk of six seconds whose body goes 8 % too far and sways; `options` as in `known_steps.build`."""
    motion = plain_walk()
    if in_place:
        motion = replace(motion, velocity=(0.0, 0.0, -1.0))
    return build(motion, slide=slide, sway=sway, **options)


@pytest.fixture(scope="session")
def make_walk() -> Callable[..., Known]:
    """Make a walk with known contacts and faults, see `build_walk`; the same arguments give the same object."""
    return build_walk
