# SPDX-License-Identifier: MIT
"""What results say of themselves fits on a screen, whatever their size, and names every field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skelkin_py as sk

LIMB = np.array([[0, 0, 0], [0, 0.5, 0.1], [0, 1.0, 0]])


def limbs(count: int) -> list[np.ndarray]:
    return [np.tile(point, (count, 1)) for point in (*LIMB, [0, 0.7, 0])]


def objects() -> dict[str, Any]:
    clip = sk.example("biped").clip
    planted = clip.plant_feet()
    skeleton = sk.Skeleton([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1)))
    pose = np.tile(np.eye(4), (1000, 3, 1, 1))
    pose[:, 1:, 1, 3] = 1
    loose = sk.SkinWeights(np.zeros((500, 1), int), np.full((500, 1), 0.5), 1)
    return {
        "two bones": sk.solve_two_bone(*limbs(1000)),
        "poses": sk.apply_two_bone(skeleton, pose, (0, 1, 2), [0, 1, 0]),
        "chain": sk.solve_fabrik(np.stack(limbs(1000)[:3], axis=1), [0, 0.7, 0]),
        "posed chain": sk.apply_fabrik(skeleton, pose, [0, 1, 2], [0, 1, 0]),
        "rest relative": sk.rest_relative(skeleton, np.tile([1.0, 0, 0, 0], (1000, 3, 1))),
        "mesh": sk.skin_mesh(np.zeros((500, 3)), loose, np.eye(4)[None]),
        "swing and twist": sk.quaternion_swing_twist(np.tile([1.0, 0, 0, 0], (1000, 1)), [0, 0, 1]),
        "weights": loose.check(),
        "planted": planted,
        "leg": planted.report.legs[0],
        "curves": planted.report.legs[0].after,
        "report": planted.report,
        "contact": planted.report.contacts[0],
        "literature": planted.report.literature,
        "clip": clip,
        "skeleton": clip.skeleton,
    }


OBJECTS = objects()


@pytest.mark.parametrize("name", OBJECTS)
def test_a_result_fits_on_a_screen(name: str) -> None:
    text = repr(OBJECTS[name])
    assert len(text) < 900
    assert text.count("\n") < 25


@pytest.mark.parametrize("name", ["two bones", "chain", "mesh", "weights", "leg", "curves"])
def test_every_field_is_named(name: str) -> None:
    value = OBJECTS[name]
    fields = getattr(value, "_fields", None) or value.__dataclass_fields__
    assert all(f"{field}=" in repr(value) for field in fields)


def test_outcomes_are_counted_by_name() -> None:
    a, b, c, target = limbs(10)
    target[:3, 1] = 5
    assert "status=7 REACHED, 3 TOO_FAR, error" in repr(sk.solve_two_bone(a, b, c, target))
    assert "status=REACHED, error" in repr(sk.solve_two_bone(*LIMB, [0, 0.7, 0]))
    assert "status=none" in repr(sk.solve_two_bone(*limbs(0)))


def test_few_numbers_are_shown() -> None:
    shown = repr(sk.solve_two_bone(*LIMB, [0, 5, 0]))
    assert "c=[0. , 1.0198039, 0. ]" in shown
    assert "\n" not in shown


def test_a_result_whose_fields_hold_something_else_is_shown_too() -> None:
    odd = sk.TwoBone(*(None,) * 4, np.array([77]), [1] * 9, "x" * 999)
    assert repr(odd) == "TwoBone(b=None, c=None, upper=None, lower=None, status=[77], error=<list of 9>, stretch=<str>)"
