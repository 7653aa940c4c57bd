# SPDX-License-Identifier: MIT
"""A walk with known contacts and the faults that real clips have, for tests that need one clip and not a set."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from known_motions import plain_walk
from known_steps import Known, build


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
