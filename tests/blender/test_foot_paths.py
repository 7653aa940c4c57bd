# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of feet that the 3-D view shows: where the feet are, before and after."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
import rigs
import stepping
from control_rigs import walk_with_controls
from drawing import draw, sentences


@pytest.fixture
def overlay(addon):
    return sys.modules[f"{addon.__name__}.bridge.overlay"]


def paths(walk) -> np.ndarray:
    """Return where the feet are (F, 2, 3)."""
    return stepping.world_heads(walk.object, [leg[2] for leg in walk.legs.values()], walk.frames)


@pytest.mark.parametrize("maker", [rigs.mixamo_walk, walk_with_controls])
@pytest.mark.parametrize("keys", ["EVERY", "SPARSE"])
def test_lines_are_where_the_feet_are_and_were(overlay, maker, keys):
    walk = maker()
    before = paths(walk)
    assert bpy.ops.skelkin.leg_ik(keys=keys) == {"FINISHED"}
    after, found = paths(walk), overlay.lines_for(bpy.context)
    count = len(walk.frames) - 1
    for part, seen in ((found.before, before), (found.after, after)):
        for k in range(2):
            own = part[k * count : (k + 1) * count]
            assert np.abs(own[:, 0] - seen[:-1, k]).max() <= 1e-4 * walk.leg_length
            assert np.abs(own[:, 1] - seen[1:, k]).max() <= 1e-4 * walk.leg_length
    assert len(found.labels) == len(bpy.context.object.animation_data.action.pose_markers) / 2


def test_off_shows_nothing_and_on_again_the_same(overlay):
    walk = rigs.mixamo_walk()
    assert overlay.lines_for(bpy.context) is None
    bpy.ops.skelkin.leg_ik()
    first = overlay.lines_for(bpy.context)
    bpy.ops.skelkin.leg_ik()
    assert overlay.lines_for(bpy.context) is None
    bpy.ops.skelkin.leg_ik()
    assert overlay.lines_for(bpy.context) is first
    assert walk.object == bpy.context.object


def test_the_ways_of_the_last_planted_actions_are_kept(overlay, monkeypatch):
    monkeypatch.setattr(overlay, "_MOST", 2)
    for _ in range(4):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        rigs.mixamo_walk()
        bpy.ops.skelkin.leg_ik()
        assert overlay.lines_for(bpy.context) is not None
    assert len(overlay._lines) == 2


def test_update_shows_the_new_paths(overlay):
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    first = overlay.lines_for(bpy.context)
    bpy.ops.skelkin.update()
    assert overlay.lines_for(bpy.context) is not first
    assert np.allclose(overlay.lines_for(bpy.context).after, first.after, atol=1e-5)


def test_undo_and_redo_of_an_update_show_the_ways_of_what_plays_then(overlay):
    walk = rigs.mixamo_walk()
    slab = bpy.data.objects.new("slab", bpy.data.meshes.new("slab"))
    corners = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    slab.data.from_pydata([(x, y, 0.1 * walk.leg_length) for x, y in corners], [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(slab)
    bpy.ops.ed.undo_push(message="walk")
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="planted")
    assert bpy.ops.skelkin.update(ground="OBJECTS", ground_object="slab") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="updated")
    heights = []
    for step in (None, bpy.ops.ed.undo, bpy.ops.ed.redo):
        if step is not None:
            step()
        walk.object = bpy.context.object
        feet, lines = paths(walk), overlay.lines_for(bpy.context).after.reshape(2, -1, 2, 3)
        assert np.abs(lines[:, :, 0] - feet[:-1].swapaxes(0, 1)).max() <= 1e-4 * walk.leg_length
        heights.append(feet[..., 2].mean())
    assert heights[0] - heights[1] >= 0.05 * walk.leg_length
    assert heights[0] == heights[2]
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert overlay.lines_for(bpy.context) is None


def test_nothing_is_drawn_once_a_new_file_has_switched_the_property_off(overlay):
    class Window:
        """What a 3-D view's redraw sees."""

        space_data = SimpleNamespace(overlay=SimpleNamespace(show_overlays=True))

        def __getattr__(self, name):
            return getattr(bpy.context, name)

    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    lines, planting = overlay.lines_for(bpy.context), bpy.context.object.animation_data.action.skelkin.planting
    bpy.context.window_manager.skelkin_foot_paths = True
    assert overlay.shown(Window()) is lines
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    bpy.context.object.animation_data.action.skelkin.planting = planting
    assert overlay.shown(Window()) is None


def test_a_file_that_was_opened_says_what_to_press(overlay):
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    bpy.context.window_manager.skelkin_foot_paths = True
    assert "Foot paths: press Update to see them" not in sentences(draw("SKELKIN_PT_leg_ik"))
    overlay.forget(bpy.context.object.animation_data.action.skelkin.planting)
    assert "Foot paths: press Update to see them" in sentences(draw("SKELKIN_PT_leg_ik"))
    bpy.context.window_manager.skelkin_foot_paths = False
    assert "Foot paths: press Update to see them" not in sentences(draw("SKELKIN_PT_leg_ik"))


def test_the_panel_says_what_the_colours_mean_while_they_are_drawn(overlay):
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    words = [(item[-1]["text"], item[-1]["icon"]) for item in draw("SKELKIN_PT_leg_ik") if item[0] == "label"]
    assert not any(icon.startswith("COLORSET") for _, icon in words)
    bpy.context.window_manager.skelkin_foot_paths = True
    words = [item[-1] for item in draw("SKELKIN_PT_leg_ik") if item[0] == "label"]
    bpy.context.window_manager.skelkin_foot_paths = False
    found = [(word["text"], word["icon"]) for word in words if word["icon"].startswith("COLORSET")]
    assert [text for text, _ in found] == ["Before", "Slid", "Planted", "Stands", "Ground"]
    known = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    assert all(icon in known for _, icon in found)


def test_slide_is_written_beside_each_contact_and_rings_lie_on_the_ground(overlay):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    found = overlay.lines_for(bpy.context)
    mark = bpy.context.object.animation_data.action.skelkin
    assert len(found.labels) == len(mark.contacts)
    slides = np.array([label.text.removesuffix(" cm").split(" → ") for label in found.labels], dtype=float)
    told = float(mark.summary.split("worst ")[1].split(" →")[0])
    assert slides[:, 0].max() == pytest.approx(told, abs=0.0551)  # of 0.1 and 0.01 cm
    assert told > 1.0
    assert (slides[:, 1] == 0.0).all()
    rings = found.hits.reshape(len(mark.contacts), -1, 3)
    spread = np.ptp(rings, axis=1)
    assert np.allclose(spread[:, :2], 0.09 * walk.leg_length, rtol=0.05)
    assert np.abs(spread[:, 2]).max() <= 1e-6
    assert np.ptp(rings[:, :, 2]) <= 0.1 * walk.leg_length
    assert len(found.slid) == sum(label.last - label.first for label in found.labels)


def test_rings_lie_along_a_slope(overlay):
    walk = rigs.mixamo_walk()
    points = [(x, y, 0.1 * y) for x, y in ((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0))]
    mesh = bpy.data.meshes.new("slope")
    mesh.from_pydata(points, [], [(0, 1, 2, 3)])
    slope = bpy.data.objects.new("slope", mesh)
    bpy.context.scene.collection.objects.link(slope)
    assert bpy.ops.skelkin.leg_ik(ground="OBJECTS", ground_object="slope") == {"FINISHED"}
    hits = overlay.lines_for(bpy.context).hits.reshape(-1, 3)
    assert len(hits) > 0
    assert np.abs(hits[:, 2] - 0.1 * hits[:, 1]).max() <= 0.02 * walk.leg_length
    assert np.ptp(hits[:16, 2]) > 1e-3 * walk.leg_length
