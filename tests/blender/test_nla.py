# SPDX-License-Identifier: MIT
"""Strips of the NLA, below an action and alone: what is evaluated is planted, and off has all as it was."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from linking import current, reload
from walk import LEFT, rotation

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = [*range(-3, 101), 40, 7, 200, 1]
ARM = "mixamorig:LeftForeArm"
#: how much later a strip plays its action
LATER = 10


def use_of(ob):
    """Return how the action is laid over the strips."""
    data = ob.animation_data
    return data.action_blend_type, data.action_influence, data.action_extrapolation


def strip_of(walk, action, start=1 + LATER):
    """Add a track with an action."""
    track = walk.object.animation_data.nla_tracks.new()
    strip = track.strips.new(action.name, start, action)
    if keys.SLOTS and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    return strip


def other_action(walk, first=5, last=60, *, moves=False):
    """Play a new action that turns an arm and the pelvis by a little, or ``moves`` the pelvis."""
    keys.new_action(walk.object, "Other")
    frames = np.arange(first, last + 1)
    wave = np.sin(frames / 9)
    keys.key_rotations(walk.object, ARM, frames, rotation(LEFT, 0.3 * wave))
    if moves:
        pelvis = np.stack([0 * wave, 2 + wave, 0 * wave], axis=1)
        keys.write(walk.object, keys.bone_path(walk.pelvis, "location"), frames, pelvis)
    else:
        keys.key_rotations(walk.object, walk.pelvis, frames, rotation(LEFT, 0.05 * wave))
    return walk.object.animation_data


def strips_alone(walk):
    """A walk in a strip, and no action."""
    strip_of(walk, walk.action)
    walk.object.animation_data.action = None


def longer_strip(walk):
    """A strip that is played slower, and twice."""
    strip_of(walk, walk.action)
    walk.object.animation_data.action = None
    strip = walk.object.animation_data.nla_tracks[0].strips[0]
    strip.scale, strip.repeat = 1.5, 1.25
    strip.extrapolation = "NOTHING"


def two_tracks(walk):
    """A walk, and above it arms and pelvis in a strip that is added."""
    other_action(walk, moves=True)
    other = walk.object.animation_data.action
    strips_alone(walk)
    strip = strip_of(walk, other)
    strip.blend_type, strip.influence = "ADD", 0.5


def action_above(walk):
    """An action that replaces what a strip does to arm and pelvis; the walk is in the strip."""
    strip_of(walk, walk.action)
    other_action(walk)


def action_without_hold(walk):
    """The same on its own frames alone."""
    strip_of(walk, walk.action)
    other_action(walk).action_extrapolation = "NOTHING"


def action_added(walk):
    """An action that is added in part."""
    strip_of(walk, walk.action)
    data = other_action(walk, moves=True)
    data.action_blend_type, data.action_influence = "ADD", 0.25


def action_combined(walk):
    """The walk itself in part above a strip with other arms."""
    other_action(walk)
    other = walk.object.animation_data.action
    strip_of(walk, other)
    data = walk.object.animation_data
    data.action = walk.action
    if keys.SLOTS:
        data.action_slot = walk.action.slots[0]
    data.action_blend_type, data.action_influence, data.action_extrapolation = "COMBINE", 0.75, "HOLD_FORWARD"


SITUATIONS = [
    strips_alone, longer_strip, two_tracks, action_above, action_without_hold, action_added, action_combined,
]  # fmt: skip


def made(situation):
    """Return a walk in a situation."""
    walk = rigs.mixamo_walk()
    situation(walk)
    bpy.context.scene.frame_end = 80
    bpy.context.scene.frame_set(3)
    return walk


def tracks(ob):
    """Return all that the tracks hold."""
    return [
        (scene_digest.track_of(track), [scene_digest.values_of(strip) for strip in track.strips])
        for track in ob.animation_data.nla_tracks
    ]


def state(ob):
    """Return poses on all frames, in any order, what plays and how, tracks and actions that are not planted."""
    data = ob.animation_data
    poses = stepping.pose_bits(ob, FRAMES)
    bpy.context.scene.frame_set(3)
    played = data.action.name if data.action else None, scene_digest.slot_name(data) if data.action else None
    originals = [action for action in bpy.data.actions if not action.skelkin.is_planted]
    curves = {action.name: scene_digest.action_of(action)["curves"] for action in originals}
    return poses, played, use_of(ob), tracks(ob), curves


def channels(walk, *, legs: bool):
    """Return the transforms of the bones that planting may change, or of all others, on all frames of scene and NLA."""
    found = []
    for frame in range(1, 101):
        bpy.context.scene.frame_set(frame)
        for bone in walk.object.pose.bones:
            if (bone.name in walk.leg_bones) == legs:
                found.append((*bone.location, *bone.rotation_quaternion, *bone.scale))
    return np.array(found)


def slide(walk, later=LATER):
    """Return how far standing ankles slide, at the worst, in leg lengths."""
    found = []
    for side, spans in walk.stance.items():
        first = 1 + later
        heads = stepping.world_heads(walk.object, [walk.legs[side][2]], range(first, first + len(walk.frames)))
        shifted = [(a + later, b + later) for a, b in spans]
        found += stepping.stance_slide(heads[:, 0], shifted, first)
    return max(found) / walk.leg_length


@pytest.mark.parametrize("situation", SITUATIONS)
def test_off_is_exact_and_on_again_the_same(situation):
    walk = made(situation)
    before = state(walk.object)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, FRAMES)
    assert on != before[0]
    assert use_of(walk.object) == ("REPLACE", 1.0, "HOLD")
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk.object) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert use_of(walk.object) == ("REPLACE", 1.0, "HOLD")
    assert stepping.pose_bits(walk.object, FRAMES) == on
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert state(walk.object) == before
    assert scene_digest.registered(walk.object) == scene_digest.registered(bpy.data.objects.new("new", None))


@pytest.mark.parametrize("situation", SITUATIONS)
def test_other_bones_move_as_before(situation):
    walk = made(situation)
    others, legs = channels(walk, legs=False), channels(walk, legs=True)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert np.abs(channels(walk, legs=False) - others).max() <= 1e-6
    assert np.abs(channels(walk, legs=True) - legs).max() > 1e-3
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert np.abs(channels(walk, legs=False) - others).max() <= 1e-6


@pytest.mark.parametrize("situation", [strips_alone, action_above])
def test_standing_feet_stay_where_the_strips_play_them(situation):
    walk = made(situation)
    before = slide(walk)
    assert before > 0.02
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert slide(walk) < 0.1 * before


def test_an_action_is_played_in_scene_time_above_strips_that_begin_later():
    walk = made(strips_alone)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted = walk.object.animation_data.action
    path = keys.bone_path(walk.legs["L"][0], "rotation_quaternion")
    curve = next(each for each in scene_digest.all_curves(planted) if (each.data_path, each.array_index) == (path, 1))
    thigh = walk.object.pose.bones[walk.legs["L"][0]]
    for frame in (12, 30, 45, 69):
        bpy.context.scene.frame_set(frame)
        assert thigh.rotation_quaternion[1] == pytest.approx(curve.evaluate(frame), abs=1e-6)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_frames_outside_of_the_planted_range_are_as_before(situation):
    walk = made(situation)
    before = stepping.pose_bits(walk.object, range(1, 101))
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = 20, 55
    assert bpy.ops.skelkin.leg_ik(frames="SCENE") == {"FINISHED"}
    after = stepping.pose_bits(walk.object, range(1, 101))
    poses = [np.frombuffer(b"".join(bits), np.float32).reshape(100, -1) for bits in (before, after)]
    apart = np.abs(poses[1] - poses[0]).max(axis=1)
    outside = [frame - 1 for frame in (*range(1, 20), *range(56, 81))]
    assert apart[outside].max() <= 1e-4 * walk.leg_length * 100  # in centimetres, as the rig is
    assert apart[19:55].max() > 0.1
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, range(1, 101)) == before


@pytest.mark.parametrize("situation", SITUATIONS)
def test_update_gives_the_same_again_and_follows_an_edited_strip(situation):
    walk = made(situation)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, FRAMES)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    again = [np.frombuffer(b"".join(bits), np.float32) for bits in (on, stepping.pose_bits(walk.object, FRAMES))]
    assert np.abs(again[0] - again[1]).max() <= 1e-3  # centimetres
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    for curve in scene_digest.all_curves(walk.action):
        if curve.data_path == keys.bone_path(walk.pelvis, "location") and curve.array_index == 1:
            for point in curve.keyframe_points:
                point.co[1] -= 0.05 * walk.leg_length
    before = state(walk.object)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    mark = walk.object.animation_data.action.skelkin
    assert mark.source_changed
    old = stepping.pose_bits(walk.object, FRAMES)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, FRAMES) != old
    assert not walk.object.animation_data.action.skelkin.source_changed
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk.object) == before


def test_a_strip_that_is_edited_while_on_is_noticed(addon):
    import sys

    noticing = sys.modules[f"{addon.__name__}.bridge.noticing"]
    walk = made(strips_alone)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    curve = scene_digest.all_curves(walk.action)[0]
    curve.keyframe_points[4].co[1] += 0.5
    curve.update()
    bpy.context.view_layer.update()
    assert noticing.compare() == 1
    assert walk.object.animation_data.action.skelkin.source_changed


@pytest.mark.parametrize("change", ["frame", "influence", "mute"])
def test_a_strip_that_is_changed_while_off_is_noticed(change):
    walk = made(two_tracks)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    strip = walk.object.animation_data.nla_tracks[1].strips[0]
    if change == "frame":
        strip.frame_end += 3
    elif change == "influence":
        strip.influence = 0.75
    else:
        strip.mute = True
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source_changed


@pytest.mark.parametrize("situation", SITUATIONS)
def test_undo_and_redo_are_exact(situation):
    name = made(situation).object.name
    before = state(current(name))
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.leg_ik("EXEC_DEFAULT", True) == {"FINISHED"}
    after = stepping.pose_bits(current(name), FRAMES)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    action = current(name).animation_data.action
    if action is not None and action.skelkin.is_planted:  # the operator pushed a step of its own
        bpy.ops.ed.undo()
    assert state(current(name)) == before
    bpy.ops.ed.redo()
    assert stepping.pose_bits(current(name), FRAMES) == after


@pytest.mark.parametrize("situation", [strips_alone, action_added, action_without_hold])
def test_saved_while_on_it_is_off_exactly_after_opening(tmp_path, situation):
    name = made(situation).object.name
    before = state(current(name))
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(current(name), FRAMES)
    reload(tmp_path / "shot.blend")
    assert stepping.pose_bits(current(name), FRAMES) == on
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(current(name)) == before
    reload(tmp_path / "shot.blend")
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), FRAMES) == on


@pytest.mark.parametrize("situation", [strips_alone, action_added])
def test_apply_keeps_what_is_seen(situation):
    walk = made(situation)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, FRAMES)
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, FRAMES) == on
    assert not walk.object.animation_data.action.skelkin.is_planted


def test_bones_renamed_while_on_move_as_before_after_off():
    walk = made(strips_alone)
    before = stepping.pose_bits(walk.object, FRAMES)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    walk.object.data.bones[ARM].name = "elbow"
    walk.object.data.bones[walk.legs["L"][0]].name = "thigh"
    walk.action.update_tag()  # 3.4 renames in strips, but does not evaluate that by itself
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, FRAMES) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not walk.object.animation_data.action.skelkin.source_changed


def test_a_failure_leaves_action_tracks_and_use_as_they_were():
    walk = made(action_added)
    before = state(walk.object)
    with pytest.raises(RuntimeError):
        bpy.ops.skelkin.leg_ik(contacts="NEVER")
    assert state(walk.object) == before
    assert len(bpy.data.actions) == 2


def test_muted_tracks_play_no_part():
    walk = rigs.mixamo_walk()
    strip_of(walk, walk.action)
    walk.object.animation_data.nla_tracks[0].mute = True
    walk.object.animation_data.action_blend_type = "ADD"
    before = state(walk.object)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert use_of(walk.object) == before[2]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk.object) == before


def test_a_track_that_plays_alone_is_refused_by_name():
    walk = made(action_above)
    walk.object.animation_data.nla_tracks[0].name = "Base"
    walk.object.animation_data.nla_tracks[0].is_solo = True
    before = state(walk.object)
    with pytest.raises(RuntimeError, match=r"Base .*star"):
        bpy.ops.skelkin.leg_ik()
    assert state(walk.object) == before


def test_the_report_of_strips_can_be_opened(tmp_path):
    walk = made(action_added)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, FRAMES)
    page = tmp_path / "report.html"
    assert bpy.ops.skelkin.open_report(filepath=str(page), show=False) == {"FINISHED"}
    assert page.stat().st_size > 10_000
    assert (stepping.pose_bits(walk.object, FRAMES), use_of(walk.object)) == (on, ("REPLACE", 1.0, "HOLD"))
