# SPDX-License-Identifier: MIT
"""What objects say of themselves, what completion offers, and what is said of a name there is not."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from public_values import MODULES, name_of, public_objects

import skelkin_py as sk
from skelkin_py._support.nearest_name import did_you_mean


@pytest.mark.parametrize("value", public_objects(), ids=name_of)
def test_what_it_says_of_itself_is_short_and_names_it(value: Any) -> None:
    text = repr(value)
    assert name_of(value) in text or isinstance(value, (sk.IKStatus, sk.view.Page, sk.LegList))
    assert len(text) < 1000
    assert text.count("\n") < 3
    assert " at 0x" not in text


@pytest.mark.parametrize("module", MODULES[:2], ids=lambda module: module.__name__)
def test_completion_offers_what_is_public_and_no_more(module: Any) -> None:
    assert {name for name in dir(module) if not name.startswith("__")} == set(module.__all__) - {"__version__"}


@pytest.mark.parametrize("value", public_objects(), ids=name_of)
def test_what_completion_offers_is_there(value: Any) -> None:
    for name in dir(value):
        if not name.startswith("_"):
            getattr(value, name)


WEIGHTS = sk.SkinWeights([[0]], [[1.0]], 1)
LIMITS = sk.JointLimits({"LeftFot": sk.hinge([1, 0, 0], 0, 1)})


@pytest.mark.parametrize(
    ("ask", "kind", "near"),
    [
        (lambda: sk.plant_feat, AttributeError, "did you mean 'plant_feet'"),
        (lambda: sk.skeleton_, AttributeError, "did you mean 'Skeleton'"),
        (lambda: sk.blender.Armatur, AttributeError, "did you mean 'Armature'"),
        (lambda: sk.example("bipd"), ValueError, "the examples are 'biped'"),
        (lambda: sk.example().clip.plant_feet(algn=1.0), TypeError, r"no option 'algn'.*; did you mean 'align'\?"),
        (lambda: sk.example().clip.skeleton.index("LeftFot"), ValueError, "did you mean 'LeftFoot'"),
        (lambda: sk.example().clip.skeleton["leftfoot"], KeyError, "did you mean 'LeftFoot'"),
        (
            lambda: sk.example().clip.plant_feet(reach="strech"),
            ValueError,
            "or 'lower_pelvis'; did you mean 'stretch'[?]$",
        ),
        (lambda: sk.PlantOptions(contacts="allways"), ValueError, "did you mean 'always'"),
        (lambda: sk.example().clip.plant_feet(contacts={"letf": []}), ValueError, "did you mean 'left'"),
        (lambda: sk.example().clip.plant_feet(contacts=[[{"frist_frame": 1}], []]), ValueError, "mean 'first_frame'"),
        (lambda: sk.PlantEditor(sk.example().clip).set_target("rihgt", 0, None), KeyError, "did you mean 'right'"),
        (lambda: sk.example().clip.plant_feet().report.plot("knee"), ValueError, "did you mean 'knees'"),
        (lambda: sk.skin_points([[0, 0, 0]], WEIGHTS, [np.eye(4)], method="liner"), ValueError, "mean 'linear'"),
        (lambda: LIMITS.resolved(sk.example().clip.skeleton), ValueError, "limits: .* did you mean 'LeftFoot'"),
    ],
)
def test_an_unknown_name_is_answered_by_those_like_it(ask: Any, kind: type[Exception], near: str) -> None:
    with pytest.raises(kind, match=near):
        ask()


def test_a_bone_that_a_goal_names_wrongly_is_answered_so_too() -> None:
    armature = sk.blender.Armature([-1], np.eye(4)[None], names=["foot_ik"])
    with pytest.raises(ValueError, match=r"no bone of that name: did you mean 'foot_ik'\?"):
        armature.solve_ik(armature.rest, [sk.blender.IKGoal("footik", [0, 1, 0])])


def test_a_bone_of_a_part_of_an_armature_is_answered_so_too() -> None:
    armature = sk.blender.Armature([-1], np.eye(4)[None], names=["foot_ik"])
    with pytest.raises(ValueError, match=r"no bone of that name: did you mean 'foot_ik'\?"):
        sk.blender.sub_armature(armature, ["footik"])


def test_a_question_is_a_sentence_and_asks_for_one_name_where_only_its_case_differs() -> None:
    orders = ["XYZ", "ZXY", "YZX"]
    assert did_you_mean("xyz", orders) == ": did you mean 'XYZ'?"
    assert did_you_mean("XYYZ", ["XYZ", "XYYZ1", "XYYZ2"], ";") == "; did you mean 'XYYZ2', 'XYYZ1' or 'XYZ'?"


@pytest.mark.slow
def test_huge_rigs_and_long_names_are_answered_at_once() -> None:
    names = [f"mixamorig:LeftFoot{number:05}" for number in range(65_535)]
    began = time.process_time()
    assert "did you mean 'mixamorig:LeftFoot00012'" in did_you_mean("mixamorig:LeftFot00012", names)
    assert did_you_mean("x" * 1_000_000, names) == ""
    assert did_you_mean("foot", ["f" * 1_000_000] * 1000) == ""
    assert time.process_time() - began < 2.0


def test_nothing_is_guessed_where_no_name_is_like_it() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'xyzzy'$"):
        _ = sk.xyzzy
    assert not hasattr(sk, "__wrapped__")
