# SPDX-License-Identifier: MIT
"""F-curves against values recorded from Blender, and what follows from their definition."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.blender import Armature, Curves, Cycles

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
KINDS = ("CONSTANT", "LINEAR", "BEZIER", "BACK", "BOUNCE", "CIRC", "CUBIC", "ELASTIC", "EXPO", "QUAD", "QUART")
KINDS += ("QUINT", "SINE")


def curve(keys: Any, **more: Any) -> Curves:
    return Curves([("location", 0)], [0, len(keys)], keys, **more)


def recorded(version: str) -> tuple[Curves, np.ndarray, np.ndarray]:
    with np.load(GOLDEN / f"fcurves_{version}.npz") as stored:
        golden = dict(stored)
    cycles: list[Cycles | None] = []
    for row in golden["cycles"].tolist():
        cycles.append(Cycles(row[0], row[1], *map(ast.literal_eval, row[2:])) if row[0] else None)
    names = [("location", index) for index in range(len(cycles))]
    fields = ("left", "right", "back", "amplitude", "period", "interpolation", "easing")
    more = {name: golden[name] for name in fields}
    curves = Curves(names, golden["starts"], golden["keys"], extrapolation=golden["linear"], cycles=cycles, **more)
    return curves, golden["frames"], golden["values"]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.4", "4.2", "4.5", "5.0", "5.2"])
def test_recorded_values(version: str) -> None:
    curves, frames, values = recorded(version)
    for column, (at, wanted) in enumerate(zip(frames, values, strict=True)):
        found = curves.evaluate(at, compat=min(version, "4.2"))[:, column]
        apart = np.abs(found - wanted).max()
        assert apart <= 1e-6 * max(np.abs(wanted).max(), 1e-30), (version, column)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("easing", ["AUTO", "EASE_IN", "EASE_OUT", "EASE_IN_OUT"])
def test_every_kind_starts_and_ends_at_its_keys(kind: str, easing: str) -> None:
    keys = [[1, 2], [5, -3], [9, 4]]
    found = curve(keys, interpolation=kind, easing=easing, back=[1.7] * 3, amplitude=[8.0] * 3, period=[2.0] * 3)
    assert found.evaluate([1, 5, 9]).ravel().tolist() == [2, -3, 4]
    beside = found.evaluate([5 - 2e-4, 5 + 2e-4]).ravel()
    if kind != "CONSTANT":
        assert np.abs(beside + 3).max() < (0.1 if kind in ("CIRC", "ELASTIC") else 0.01)


def test_a_straight_bezier_curve_is_a_line() -> None:
    third = np.array([[0, 0], [3, 6], [9, 18]], float)
    step = np.array([1.0, 2.0])
    found = curve(third, left=third - step, right=third + step)
    at = np.linspace(0, 9, 50)
    np.testing.assert_allclose(found.evaluate(at).ravel(), 2 * at, atol=3e-6)


def test_a_handle_beyond_the_next_key_counts_as_one_that_reaches_it() -> None:
    keys, at = [[0, 0], [10, 1]], np.linspace(0, 10, 41)
    far = curve(keys, right=[[40, 8], [11, 1]], left=[[-1, 0], [8, 1]])
    shortened = curve(keys, right=[[10, 2], [11, 1]], left=[[-1, 0], [8, 1]])
    assert np.array_equal(far.evaluate(at), shortened.evaluate(at))


def test_extrapolation() -> None:
    keys = [[0, 0], [4, 2]]
    assert curve(keys, interpolation="LINEAR").evaluate([-4, 8]).ravel().tolist() == [0, 2]
    line = curve(keys, interpolation="LINEAR", extrapolation="LINEAR")
    assert line.evaluate([-4, 8, 1e5]).ravel().tolist() == [-2, 4, 50000]
    handles = curve(keys, left=[[-1, 3], [3, 2]], right=[[1, 0], [6, 1]], extrapolation="LINEAR")
    assert handles.evaluate([-2, 8]).ravel().tolist() == [6, 0]
    assert curve([[3, 7]], extrapolation="LINEAR").evaluate([-9, 3, 9]).ravel().tolist() == [7, 7, 7]


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [("REPEAT", [1, 0, 3, 1, 3]), ("REPEAT_OFFSET", [-3, -4, -1, 9, 11]), ("MIRROR", [3, 4, 1, 1, 3])],
)
def test_cycles(mode: str, wanted: list[float]) -> None:
    keys = [[0, 0], [2, 2], [4, 4]]
    found = curve(keys, interpolation="LINEAR", cycles=[Cycles(mode, mode)])
    assert found.evaluate([-3, -4, -1, 9, 11]).ravel().tolist() == wanted
    once = curve(keys, interpolation="LINEAR", cycles=[Cycles("NONE", mode, cycles_after=1)])
    assert once.evaluate([-3, 9, 11]).ravel().tolist() == [0, 4, 4]
    off = Cycles(mode, mode, use_influence=True, influence=0.0)
    assert curve(keys, interpolation="LINEAR", cycles=[off]).evaluate([9]).item() == 4


def test_frames_are_rounded_as_blender_stores_them() -> None:
    found = curve([[100_000, 0], [100_010, 10]], interpolation="LINEAR").evaluate([100_003.003, 100_003.004])
    assert found.ravel().tolist() == [3, 3.0078125]


def test_a_curve_of_many_flat_segments_holds_its_value() -> None:
    keys = np.stack([np.arange(1000), np.full(1000, 3.0)], axis=1)
    away = np.array([0.3, 0])
    found = curve(keys, left=keys - away, right=keys + away)
    assert np.array_equal(found.evaluate(np.arange(0, 999, 0.25)), np.full((3996, 1), 3))


@pytest.mark.parametrize("spread", [0.3, 1.0, 20.0])
def test_values_do_not_depend_on_the_frames_before(spread: float) -> None:
    rng = np.random.default_rng(6)
    times = np.sort(np.concatenate([np.arange(40) * spread, rng.uniform(0, 40 * spread, 20), [5, 5, 5.00005, 5.00015]]))
    keys = np.stack([times, rng.normal(size=len(times))], axis=1)
    away = np.stack([rng.uniform(0, 2 * spread, len(times)), rng.normal(size=len(times))], axis=1)
    kinds = rng.choice(len(KINDS), len(times))
    found = curve(keys, left=keys - away, right=keys + away[::-1], interpolation=kinds, cycles=[Cycles()])
    frames = np.concatenate([np.arange(-5, 70), times, times + 1e-4, rng.uniform(-5, 45 * spread, 100)])
    alone = np.array([found.evaluate([frame])[0, 0] for frame in frames])
    for order in (np.argsort(frames), np.argsort(-frames), rng.permutation(len(frames))):
        assert np.array_equal(found.evaluate(frames[order])[:, 0], alone[order])


def test_channels_follow_paths_and_modes() -> None:
    armature = Armature([-1, 0, 0], np.tile(np.eye(4), (3, 1, 1)), names=["hip", 'a "b" \\c\td', "tail"])
    paths = [
        ('pose.bones["hip"].rotation_euler', 2),
        (r'pose.bones["a \"b\" \\c\td"].location', 1),
        ('pose.bones["gone"].location', 0),
        ("location", 0),
        ('pose.bones["tail"].scale', 7),
        ('pose.bones["tail"].bbone_rollin', 0),
        ('pose.bones["tail"].rotation_axis_angle', 0),
    ]
    keys = np.array([[0, value] for value in range(1, 8)])
    curves = Curves(paths, np.arange(8), keys)
    found = curves.channels(armature, [3, 4])
    assert found["rotation_mode"] == ("XYZ", "QUATERNION", "AXIS_ANGLE")
    assert found["location"].tolist() == [[[0, 0, 0], [0, 2, 0], [0, 0, 0]]] * 2
    assert found["rotation"].tolist() == [[[0, 0, 1, 0], [1, 0, 0, 0], [7, 0, 1, 0]]] * 2
    assert found["scale"].tolist() == [[[1, 1, 1]] * 3] * 2
    still = {
        "names": ("tail", "hip"),
        "location": np.full((2, 3), 5.0),
        "rotation": np.full((2, 4), 0.5),
        "scale": np.full((2, 3), 2.0),
        "rotation_mode": ("ZYX", "QUATERNION"),
    }
    found = curves.channels(armature, [3], still=still)
    assert found["rotation_mode"] == ("QUATERNION", "QUATERNION", "ZYX")
    assert found["rotation"][0].tolist() == [[0.5] * 4, [1, 0, 0, 0], [0.5] * 4]
    assert found["location"][0].tolist() == [[5, 5, 5], [0, 2, 0], [5, 5, 5]]
    still["scale"] = np.ones((3, 3))
    with pytest.raises(ValueError, match=re.escape("still['scale'] has shape (3, 3): expected (2, 3)")):
        curves.channels(armature, [3], still=still)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"keys": [[0, 1], [np.nan, 2]]}, "keys[1, 0] is nan: it must be finite in float32"),
        ({"keys": [[4, 1], [3, 2]]}, "keys[1] is at frame 3.0: the key before it at 4.0, which is later"),
        ({"keys": [[0, 1, 2]]}, "keys has shape (1, 3) and dtype int64: expected numbers (1, 2)"),
        ({"starts": [0, 1]}, "starts goes from 0 to 1: it must rise from 0 to the 2 keys"),
        ({"starts": [0, 1, 2]}, "starts has shape (3,) and dtype int64: expected (2,) integers"),
        ({"left": [[0, 1]]}, "left has shape (1, 2) and dtype int64: expected numbers (2, 2)"),
        ({"interpolation": ["LINEAR", "SPLINE"]}, "interpolation[1] = 'SPLINE': it must be one of CONSTANT, LINEAR"),
        ({"easing": [0]}, "easing has shape (1,): expected (2,)"),
        ({"cycles": []}, "cycles has 0 entries: expected 1, one per curve"),
        ({"cycles": [Cycles("BACK")]}, "cycles[0].mode[0] = 'BACK': it must be one of NONE, REPEAT"),
        ({"cycles": [Cycles(frame_end=float("inf"))]}, "its numbers must be finite in float32"),
    ],
)
def test_bad_curves_are_named(arguments: dict[str, Any], message: str) -> None:
    whole = {"starts": [0, 2], "keys": [[0, 1], [4, 2]]} | arguments
    if "keys" in arguments and len(arguments["keys"]) == 1:
        whole["starts"] = [0, 1]
    with pytest.raises(ValueError, match=re.escape(message)):
        Curves([("location", 0)], **whole)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e39])
def test_bad_frames_are_named(bad: float) -> None:
    with pytest.raises(ValueError, match=r"frames\[1\] is (nan|inf): it must be finite"):
        curve([[0, 1]]).evaluate([0, bad])


def test_order_of_frames_and_number_of_threads_change_nothing() -> None:
    curves, frames, _ = recorded("5.0")
    at = np.sort(frames.ravel())
    values = curves.evaluate(at)
    assert np.array_equal(curves.evaluate(at[::-1])[::-1], values)
    before = sk.get_num_threads()
    try:
        sk.set_num_threads(3)
        assert np.array_equal(curves.evaluate(at), values)
    finally:
        sk.set_num_threads(before)


def test_unknown_versions_are_named() -> None:
    with pytest.raises(ValueError, match=re.escape("compat = '2.8': it must be '3.4' or '4.2'")):
        curve([[0, 1]]).evaluate([0], compat="2.8")


def test_no_curves_and_no_frames() -> None:
    assert Curves([], [0], []).evaluate([1, 2]).shape == (2, 0)
    assert curve([[0, 1]]).evaluate([]).shape == (0, 1)
    assert Curves([("location", 0)], [0, 0], []).evaluate([3]).tolist() == [[0]]
