# SPDX-License-Identifier: MIT
"""Looping actions through the switch: a walk in place whose last pose is its first, and the ground that moves below."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")

PERIOD = 60  # frames
SPEED = 0.5 / 18 * 30  # legs per second: a foot stands for 18 frames, over which it goes back by half a leg
SLIDE = 5e-4  # of the leg
WRONG_SPEED = 1.04


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def looping_walk(**options):
    """Return two steps of each foot in place, whose last pose is the first; feet drift sideways while they stand."""
    return rigs.mixamo_walk(frames=PERIOD + 1, in_place=True, **options)


def poses(walk, frames):
    """Pose matrices (F, B, 4, 4) in armature space, with lengths in legs."""
    size = np.linalg.norm(np.array(walk.object.matrix_world)[:3, 0])
    found = np.array([np.frombuffer(bits, np.float32) for bits in stepping.pose_bits(walk.object, frames)])
    found = found.reshape(len(found), -1, 4, 4).transpose(0, 1, 3, 2).astype(float)
    found[:, :, :3, 3] *= size / walk.leg_length
    return found


def gap(walk):
    """How far any bone is in the last pose from where it is in the first."""
    first, last = poses(walk, (walk.frames[0], walk.frames[-1]))
    return float(np.abs(first - last).max())


def marked(walk):
    """Contacts that the planted action marks: side → spans of scene frames, as known stances are given."""
    spans: dict[str, list[int]] = {"L": [], "R": []}
    for marker in sorted(walk.object.animation_data.action.pose_markers, key=lambda m: (m.frame, m.name[-2:] == "up")):
        spans["L" if marker.name.startswith("left") else "R"].append(marker.frame)
    return {side: list(zip(frames[::2], frames[1::2])) for side, frames in spans.items()}


def slide_on_belt(walk, velocity):
    """Worst slide of an ankle in known stances over a ground that moves at `velocity` (3,) per second, in legs.

    Stances go on across the seam: of two spans at the clip's ends, the later one is carried back by a period.
    """
    heads = stepping.world_heads(walk.object, [walk.legs[side][2] for side in "LR"], walk.frames)
    times = (np.array(walk.frames) - walk.frames[0]) / 30.0
    worst = 0.0
    for k, side in enumerate("LR"):
        on_belt = heads[:, k] - times[:, None] * velocity
        first, *inner, last = walk.stance[side]
        assert (first[0], last[1]) == (walk.frames[0], walk.frames[-1])
        rows = [np.arange(a, b + 1) - walk.frames[0] for a, b in (first, *inner, last)]
        across = [on_belt[rows[-1]] + PERIOD / 30.0 * np.asarray(velocity), on_belt[rows[0]]]
        for points in (np.concatenate(across), *(on_belt[row] for row in rows[1:-1])):
            worst = max(worst, float(np.linalg.norm(points[:, :2] - points[0, :2], axis=1).max()))
    return worst / walk.leg_length


@pytest.mark.parametrize("options", [{}, {"ground_motion": "AUTO"}], ids=["heights only", "on its belt"])
def test_a_loop_stays_closed_with_contacts_across_the_seam_and_off_is_bit_equal(options):
    walk = looping_walk()
    frames = [*walk.frames, 7, 61, 1, 70, -3]
    before = stepping.pose_bits(walk.object, frames)
    assert gap(walk) <= 1e-6
    assert switch(ground="HEIGHT", ground_height=0.02, **options) == {"FINISHED"}
    assert stepping.pose_bits(walk.object, frames) != before
    assert gap(walk) <= 1e-6
    assert marked(walk) == walk.stance
    assert walk.object.animation_data.action.skelkin.summary.startswith("feet stand left 3, right 3 times; slide ")
    assert switch() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, frames) == before


def test_the_ground_goes_with_the_feet_at_their_measured_velocity():
    walk = looping_walk()
    velocity = np.array([0.0, SPEED * walk.leg_length, 0.0])
    assert slide_on_belt(walk, velocity) > 0.015
    assert switch(ground_motion="AUTO") == {"FINISHED"}
    heads = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)[:, 0]
    found = np.gradient(heads, axis=0)[5:13].mean(axis=0) * 30.0
    assert np.linalg.norm(found - velocity) < 0.1 * np.linalg.norm(velocity)  # the drift is part of what feet do
    assert slide_on_belt(walk, found) <= SLIDE


def test_the_ground_moves_at_the_velocity_given():
    walk = looping_walk()
    given = (0.0, WRONG_SPEED * SPEED * walk.leg_length, 0.0)
    assert switch(ground_motion="GIVEN", ground_velocity=given) == {"FINISHED"}
    assert slide_on_belt(walk, given) <= SLIDE
    assert gap(walk) <= 1e-6


def test_by_default_a_cycle_in_place_keeps_its_feet_and_the_switch_says_how_to_hold_them(capfd):
    walk = looping_walk()
    assert switch() == {"FINISHED"}
    assert "Ground Motion: From Feet holds the feet of this cycle in place" in capfd.readouterr().out
    assert json.loads(walk.object.animation_data.action.skelkin.settings)["ground_motion"] == "OFF"


def test_a_walk_that_goes_somewhere_stays_on_a_ground_that_rests(capfd):
    places = []
    for motion in ("OFF", "AUTO"):
        walk = rigs.mixamo_walk()
        assert switch(ground_motion=motion) == {"FINISHED"}
        places.append(stepping.pose_bits(walk.object, walk.frames))
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert places[0] == places[1]
    assert "the ground is taken to be still" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("velocity", "words"),
    [
        ((0.0, 0.8, 0.3), r"cannot move up or down: set Z of its velocity, 0\.3, to 0"),
        ((float("nan"), 0.8, 0.0), "enter three finite numbers"),
        ((0.0, -40.0, 0.0), "Nothing to plant.* choose Ground Motion: From Feet"),
    ],
    ids=["upwards", "not finite", "not the feet's"],
)
def test_a_velocity_that_makes_no_sense_is_refused_and_nothing_changes(velocity, words):
    walk = looping_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    with pytest.raises(RuntimeError, match=words):
        switch(ground_motion="GIVEN", ground_velocity=velocity)
    assert len(bpy.data.actions) == 1
    assert walk.object.animation_data.action == walk.action
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_undo_and_redo_of_a_moving_ground():
    walk = looping_walk()
    name = walk.object.name
    before = stepping.pose_bits(walk.object, walk.frames)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.leg_ik("EXEC_DEFAULT", True, ground_motion="AUTO") == {"FINISHED"}
    after = stepping.pose_bits(bpy.data.objects[name], walk.frames)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    if bpy.data.objects[name].animation_data.action.skelkin.is_planted:  # the operator pushed a step of its own
        bpy.ops.ed.undo()
    assert stepping.pose_bits(bpy.data.objects[name], walk.frames) == before
    bpy.ops.ed.redo()
    assert stepping.pose_bits(bpy.data.objects[name], walk.frames) == after


def test_the_velocity_is_kept_in_the_file_and_update_uses_it(tmp_path):
    walk = looping_walk()
    name, frames = walk.object.name, walk.frames
    given = (0.0, WRONG_SPEED * SPEED * walk.leg_length, 0.0)
    assert switch(ground_motion="GIVEN", ground_velocity=given) == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "loop.blend"), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "loop.blend"))
    ob = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = ob
    on = stepping.pose_bits(ob, frames)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert stepping.pose_bits(ob, frames) == on
    settings = json.loads(ob.animation_data.action.skelkin.settings)
    assert settings["ground_motion"] == "GIVEN"
    assert settings["ground_velocity"] == pytest.approx(given, rel=1e-6)
    assert bpy.ops.skelkin.update(ground_motion="OFF") == {"FINISHED"}
    assert stepping.pose_bits(ob, frames) != on


@pytest.mark.parametrize("operator", ["leg_ik", "update"])
def test_both_settings_have_tooltips(operator):
    properties = getattr(bpy.ops.skelkin, operator).get_rna_type().properties
    assert all(properties[name].description for name in ("ground_motion", "ground_velocity"))
    assert all(item.description for item in properties["ground_motion"].enum_items)
