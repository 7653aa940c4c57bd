# SPDX-License-Identifier: MIT
"""Clips in other axes and another unit: where joints are, what stays, and what is known of them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import skelkin_py as sk

AXES = ("+X", "-X", "+Y", "-Y", "+Z", "-Z")


def biped() -> sk.Clip:
    return sk.example("biped").clip


def vector(axis: str) -> np.ndarray:
    return np.eye(3)["XYZ".index(axis[1])] * (-1.0 if axis[0] == "-" else 1.0)


@pytest.mark.parametrize("new", AXES)
@pytest.mark.parametrize("old", AXES)
def test_heights_and_distances_are_the_same_in_the_new_axes(old, new):
    clip = biped()
    before = clip.positions()
    after = clip.normalized(up=new, metres_per_unit=0.01, from_up=old, from_metres_per_unit=1.0).positions()
    np.testing.assert_allclose(after @ vector(new), 100.0 * before @ vector(old), atol=1e-9)
    first, then = before[:, :, None] - before[:, None, 3:5], after[:, :, None] - after[:, None, 3:5]
    np.testing.assert_allclose(np.linalg.norm(then, axis=-1), 100.0 * np.linalg.norm(first, axis=-1), atol=1e-9)
    sides = [
        np.linalg.det(np.stack([p[9, 3] - p[0, 0], p[60, 8] - p[0, 0], p[99, 5] - p[0, 0]])) for p in (before, after)
    ]
    assert np.sign(sides[0]) == np.sign(sides[1])  # turned, not mirrored


def test_only_roots_turn_and_the_rest_pose_keeps_its_axes():
    clip = biped()
    turned = clip.normalized(up="+Z", metres_per_unit=None, from_up="+Y")
    assert (turned.rotations[:, 1:] == clip.rotations[:, 1:]).all()
    assert (turned.translations[:, 1:] == clip.translations[:, 1:]).all()
    assert (np.asarray(turned.skeleton.rest_local) == np.asarray(clip.skeleton.rest_local)).all()
    bind = np.asarray(turned.skeleton.inverse_bind)
    np.testing.assert_allclose(bind @ np.asarray(turned.skeleton.rest_global), [np.eye(4)] * 22, atol=1e-12)


def test_back_and_forth_is_the_clip_again():
    clip = biped()
    there = clip.normalized(up="-X", metres_per_unit=0.0254, from_up="+Y", from_metres_per_unit=1.0)
    back = there.normalized(up="+Y", metres_per_unit=1.0)
    np.testing.assert_allclose(back.positions(), clip.positions(), atol=1e-12)
    assert clip.normalized(metres_per_unit=None, from_up="+Y") == clip


def test_facts_say_the_new_axis_and_unit_and_planting_believes_them(tmp_path):
    clip = biped()
    sk.save_animations({"walk": clip}, tmp_path / "walk.glb")
    clip = sk.load(tmp_path / "walk.glb")
    turned = clip.normalized(up="+Z", metres_per_unit=0.01)
    assert (turned.facts.up, turned.facts.metres_per_unit) == ("+Z", 0.01)
    assert turned.facts._replace(up="+Y", metres_per_unit=1.0) == clip.facts
    first, second = clip.plant_feet().report, turned.plant_feet().report
    np.testing.assert_allclose(100.0 * np.array(first.slide()), second.slide(), atol=1e-9)
    assert [leg.contacts for leg in first.legs] == [leg.contacts for leg in second.legs]
    for again in (copy.copy(turned), pickle.loads(pickle.dumps(turned))):
        assert again == turned
        assert again.facts == turned.facts


def test_saved_it_is_a_new_file_in_the_new_axes(tmp_path):
    clip = biped()
    clip.save(tmp_path / "walk.bvh")
    turned = sk.load(tmp_path / "walk.bvh").normalized(
        up="+Z", metres_per_unit=0.01, from_up="+Y", from_metres_per_unit=1.0
    )
    for name in ("turned.bvh", "turned.glb", "turned.npy"):
        turned.save(tmp_path / name)
        again = sk.load(tmp_path / name, **({"skeleton": turned, "fps": 30} if name.endswith("npy") else {}))
        order = [again.names.index(each) for each in turned.names]
        np.testing.assert_allclose(again.positions()[:, order], turned.positions(), atol=2e-4)


def test_labels_of_contacts_go_along(data_dir):
    clip = sk.load(data_dir / "npz" / "kimodo_soma30_slow_walk.npz")
    turned = clip.normalized(up="+Z", metres_per_unit=None, from_up="+Y")
    assert turned.labelled_contacts() == clip.labelled_contacts()
    assert turned[40:90].labelled_contacts() == clip[40:90].labelled_contacts()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "from_up is None: the clip does not say which axis points up"),
        ({"from_up": "+Y"}, "from_metres_per_unit is None: the clip does not say how long a unit is"),
        ({"from_up": "up", "metres_per_unit": None}, "from_up is 'up': an axis is needed"),
        ({"from_up": "+Y", "up": "+W", "metres_per_unit": None}, r"up is '\+W': an axis is needed"),
        ({"from_up": "+Y", "from_metres_per_unit": 0.0}, "from_metres_per_unit is 0"),
        ({"from_up": "+Y", "from_metres_per_unit": 1.0, "metres_per_unit": -1.0}, "metres_per_unit is -1"),
    ],
)
def test_what_is_not_known_or_is_no_axis_is_said(options, words):
    with pytest.raises(ValueError, match=words):
        biped().normalized(**options)
