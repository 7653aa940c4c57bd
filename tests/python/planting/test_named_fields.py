# SPDX-License-Identifier: MIT
"""Fields go between Python and C by their names: each one is asked for, told, and refused by its own."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py import _core
from skelkin_py.motion.plant_options import CONTACT_MODES, REACHES
from skelkin_py.planting.foot import Foothold, FootModel, LegTrack, Levels
from skelkin_py.planting.loops import Loop
from skelkin_py.planting.plant import subset_for
from skelkin_py.planting.scene import Standing
from skelkin_py.planting.settings import EngineOptions, Settings

BIPED = sk.example("biped")
NONE_GIVEN = Settings()
SUBSET = subset_for(BIPED.clip.skeleton, NONE_GIVEN)
LOCAL = np.ascontiguousarray(BIPED.clip.local_matrices()[:, SUBSET.joints])
OPTIONS = EngineOptions(
    mode="auto",
    given=[],
    first=0,
    last=len(LOCAL) - 1,
    up=None,
    belt="unknown",
    belt_velocity=np.zeros(3),
    sole=None,
    align=1.0,
    max_slope=60.0,
    blend=0.2,
    reach="soften",
    stretch=1.0,
    pelvis_acceleration=20.0,
    toe_bend=0.0,
    loop="auto",
)


class Wrong:
    """What is no number, no word, no array and no truth."""

    def __bool__(self) -> bool:
        raise TypeError("it is neither true nor false")


def learn(ground: Any = None, **changes: Any) -> dict[str, Any]:
    return _core.learn(SUBSET, LOCAL, BIPED.clip.fps, dataclasses.replace(OPTIONS, **changes), ground)


def names(kind: Any) -> set[str]:
    """The names that a class is made by."""
    return set(kind._fields) if issubclass(kind, tuple) else {field.name for field in dataclasses.fields(kind)}


def test_what_is_told_has_the_fields_of_its_class():
    told = learn(ground=sk.ground.as_ground(BIPED.ground))
    standing, level = told["standing"], learn(ground=None)["standing"]["levels"]
    kinds = [
        (LegTrack, told["tracks"][0]), (Loop, told["loop"]), (Standing, standing), (FootModel, standing["models"][0]),
        (Foothold, standing["feet"][0]["foothold"]), (Levels, level),
    ]  # fmt: skip
    assert {kind.__name__: set(fields) for kind, fields in kinds} == {kind.__name__: names(kind) for kind, _ in kinds}


@pytest.mark.parametrize("name", sorted(names(EngineOptions) - {"given"}))
def test_a_field_of_the_wrong_kind_is_refused_by_its_name_and_let_go(name):
    wrong = Wrong()
    held = sys.getrefcount(wrong)
    for _ in range(3):
        with pytest.raises((TypeError, ValueError), match=rf"^{name} is "):
            learn(**{name: wrong})
    assert sys.getrefcount(wrong) == held


@pytest.mark.parametrize("kind", [LegTrack, FootModel])
def test_each_field_of_a_foot_is_read_by_its_name(kind):
    told = learn()
    parts = {LegTrack: LegTrack(**told["tracks"][0]), FootModel: FootModel(**told["standing"]["models"][0])}
    for name in sorted(names(kind)):
        wrong = Wrong()
        held = sys.getrefcount(wrong)
        changed = {**parts, kind: dataclasses.replace(parts[kind], **{name: wrong})}
        with pytest.raises((TypeError, ValueError), match=rf"^({name}|it) is "):
            _core.lowest_sole([changed[LegTrack]], [changed[FootModel]], [[]], told["up"])
        del changed
        assert sys.getrefcount(wrong) == held, name


def test_the_words_of_options_are_those_of_the_extension():
    modes = {mode: learn(mode=mode)["standing"]["contacts"] for mode in CONTACT_MODES if mode != "cycle"}
    assert modes["never"] == [[], []]
    assert modes["always"] == [[(0, len(LOCAL) - 1)]] * 2
    assert modes["auto"] == modes["ground_only"] != modes["always"]
    reached = [_core.settle(learn(reach=reach, stretch=1.2)["planting"])["solved"]["local"] for reach in REACHES]
    lengths = [np.ptp(np.linalg.norm(local[:, SUBSET.legs[0].chain[1], :3, 3], axis=1)) for local in reached]
    assert [length > 1e-6 for length in lengths] == [reach == "stretch" for reach in REACHES]


def test_a_refusal_says_which_rule_is_broken_where():
    short = LOCAL.copy()
    short[:, SUBSET.legs[1].chain[2], :3, 3] = 0.0
    with pytest.raises(_core.RefusalError) as caught:
        _core.read_tracks(SUBSET, short, None)
    told = caught.value
    assert (told.argument, told.index, told.value) == ("no_bones", [1, 1], [len(LOCAL)])
    assert str(told) == f"no_bones[1, 1] is {len(LOCAL)}: {told.rule}"
