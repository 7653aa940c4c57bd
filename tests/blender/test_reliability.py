# SPDX-License-Identifier: MIT
"""Whatever is clicked, in whatever order: nothing half-done, nothing leaked, the original never changed."""

from __future__ import annotations

import random
import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from extent import WHOLE

pytestmark = pytest.mark.usefixtures("addon")

#: operators that change something when they run, with what may be chosen
VERBS = {
    "find_legs": [{}],
    "leg_ik": [{}, {"state": "ON"}, {"state": "OFF"}, {"reach": "SOFTEN"}, {"contacts": "ALWAYS"}],
    "update": [{}, {"reach": "LOWER_PELVIS"}],
    "apply": [{}],
    "remove": [{}],
    "drag_foot": [{"move": (0.0, 0.02, 0.05)}, {"turn": (0.0, 0.0, 0.3), "swivel": 0.2}, {"snap": True}],
    "lock_foot": [{"first": 10, "last": 14}],
    "foot_edit_remove": [{}],
    "discard_touch_ups": [{}],
}
#: those that key what plays where Leg IK is off
BY_HAND = ("drag_foot", "lock_foot")


def run(verb: str, undo: bool | None = None, **options) -> bool:
    """Run an operator as a click does; whether it ran. A refusal has to be a sentence, not a failure of the code."""
    operator = getattr(bpy.ops.skelkin, verb)
    arguments = ["EXEC_DEFAULT"] if undo is None else ["EXEC_DEFAULT", undo]
    try:
        return operator(*arguments, **options) == {"FINISHED"}
    except RuntimeError as error:
        told = str(error)
        assert "Traceback" not in told
        assert not any(f"{kind}:" in told for kind in ("TypeError", "KeyError", "AttributeError", "ReferenceError"))
        assert told.strip()
        return False


def posing(walk, frame: int = 10) -> None:
    """Go to Pose Mode, with a foot active."""
    bpy.context.scene.frame_set(frame)
    bpy.ops.object.mode_set(mode="POSE")
    walk.object.data.bones.active = walk.object.data.bones[walk.legs["L"][2]]


def left_by_esc(addon, walk, rng) -> None:
    """Drag the foot, and leave it before the button is let go of."""
    drag = sys.modules[f"{addon.__name__}.bridge.dragging.drag"].Drag(bpy.context, walk.object, walk.legs["L"][2])
    before = [bone.matrix_basis.copy() for bone in walk.object.pose.bones]
    drag.to(drag.ankle + np.array([0.0, rng.uniform(-0.1, 0.1), 0.05]), np.array([0.0, 0.2, 0.0]), 0.1)
    drag.leave()
    assert [bone.matrix_basis for bone in walk.object.pose.bones] == before


def touch_up(walk, rng) -> None:
    """Move some keys of a leg or the pelvis that planting wrote, as an animator does."""
    frame = rng.randrange(1, 36)
    for item in walk.object.animation_data.action.skelkin.channels:
        if rng.random() < 0.3:
            own = f'pose.bones["{item.bone}"].{item.channel}'
            curves = [curve for curve in keys.fcurves(walk.object) if curve.data_path == own]
            for point in (point for curve in curves for point in curve.keyframe_points):
                point.co[1] += 0.05 * (frame <= point.co[0] < frame + 5)
            for curve in curves:
                curve.update()


def original(action) -> dict:
    """Return what of the original must never change: all but who holds it."""
    return {key: value for key, value in scene_digest.action_of(action).items() if key in ("curves", "markers")}


@pytest.mark.parametrize("seed", range(4))
def test_random_sequences_leave_the_original_and_no_handler(addon, seed):
    count = 250 if WHOLE else 60
    rng = random.Random(seed)
    walk = rigs.mixamo_walk(frames=40)
    action, before = walk.action, original(walk.action)
    bits, handlers = stepping.pose_bits(walk.object, walk.frames), scene_digest.handlers()
    ran = 0
    posing(walk)
    for _ in range(count):
        verb = rng.choice(sorted(VERBS))
        if verb in BY_HAND and (rng.random() < 0.3 or walk.object.animation_data.action == action):
            left_by_esc(addon, walk, rng)
            ran += 1
            continue
        if verb == "apply" and rng.random() < 0.8:
            continue
        if rng.random() < 0.3:
            touch_up(walk, rng)
        ran += run(verb, **rng.choice(VERBS[verb]))
        assert original(action) == before
        assert scene_digest.handlers() == handlers
        if verb == "apply" and walk.object.animation_data.action != action:
            walk.object.animation_data.action = action
            if hasattr(walk.object.animation_data, "action_slot"):
                walk.object.animation_data.action_slot = action.slots[0]
    assert ran > count // 4
    run("remove")
    assert walk.object.animation_data.action == action
    assert stepping.pose_bits(walk.object, walk.frames) == bits


def test_undo_and_redo_through_every_operator_a_hundred_times():
    walk = rigs.mixamo_walk(frames=40)
    name = walk.object.name
    posing(walk)
    bpy.ops.ed.undo_push(message="begin")
    states = [seen(name)]
    rng = random.Random(3)
    for verb in ("find_legs", "drag_foot", "leg_ik", "drag_foot", "lock_foot", "update", "leg_ik", "leg_ik", "apply"):
        if verb == "update":
            touch_up(walk, rng)
        assert run(verb, **VERBS[verb][0]), verb
        bpy.ops.ed.undo_push(message=verb)
        states.append(seen(name))
    at = len(states) - 1
    for _ in range(100):
        back = at > 0 and (at == len(states) - 1 or rng.random() < 0.5)
        (bpy.ops.ed.undo if back else bpy.ops.ed.redo)()
        at += -1 if back else 1
        assert seen(name) == states[at]


def constrained(walk) -> None:
    walk.object.pose.bones[walk.legs["L"][1]].constraints.new("LIMIT_ROTATION")


def copied(walk) -> None:
    constraint = walk.object.pose.bones[walk.legs["R"][0]].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = walk.object, walk.legs["L"][0]


def driven(walk) -> None:
    walk.object.pose.bones[walk.legs["L"][2]].driver_add("location", 0).driver.expression = "0.1"


def without_keys(walk) -> None:
    for curve in scene_digest.all_curves(walk.action):
        while curve.keyframe_points:
            curve.keyframe_points.remove(curve.keyframe_points[0], fast=True)


def not_finite(walk) -> None:
    for curve in scene_digest.all_curves(walk.action)[:1]:
        curve.keyframe_points[3].co[1] = float("nan")


def scaled_to_nothing(walk) -> None:
    walk.object.scale = (0.0, 0.0, 0.0)


def resting(walk) -> None:
    walk.object.data.pose_position = "REST"


def in_edit_mode(walk) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def muted_strips_only(walk) -> None:
    walk.object.animation_data.nla_tracks.new().strips.new("Walk", 1, walk.action)
    walk.object.animation_data.nla_tracks[0].mute = True
    walk.object.animation_data.action = None


def solo_track(walk) -> None:
    walk.object.animation_data.nla_tracks.new().strips.new("Walk", 1, walk.action)
    walk.object.animation_data.nla_tracks[0].is_solo = True


def without_action(walk) -> None:
    walk.object.animation_data_clear()


def renamed_leg(walk) -> None:
    assert run("find_legs")
    walk.object.data.bones[walk.legs["L"][1]].name = "other"


def hidden(walk) -> None:
    walk.object.hide_viewport = True


BROKEN = [
    constrained, copied, driven, without_keys, not_finite, scaled_to_nothing, resting, in_edit_mode, muted_strips_only,
    solo_track, without_action, renamed_leg, hidden,
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("switched", [False, True], ids=["off", "on"])
def test_an_operator_that_is_refused_leaves_the_scene_as_it_was(broken, verb, switched):
    walk = rigs.mixamo_walk(frames=40)
    if switched:
        assert run("leg_ik")
        walk.action = walk.object.animation_data.action
    if verb in BY_HAND:
        posing(walk)
    broken(walk)
    bpy.context.view_layer.update()
    before, mode = scene_digest.digest(walk.object), walk.object.mode
    if not run(verb, **VERBS[verb][0]):
        assert scene_digest.digest(walk.object) == before
    assert walk.object.mode == mode
    walk.object.hide_viewport = False  # what is hidden cannot leave Pose Mode


def seen(name: str) -> tuple:
    ob = bpy.data.objects[name]
    digest = scene_digest.digest(ob)
    return repr(digest), stepping.pose_bits(ob, range(1, 41, 5))


def test_enabling_and_disabling_fifty_times_leaves_nothing(addon):
    import addon_utils

    module = addon.__name__

    def listed():
        menu = bpy.types.VIEW3D_MT_object_animation._dyn_ui_initialize()
        return scene_digest.handlers(), sorted(dir(bpy.types)), len(menu)

    before = listed()
    for _ in range(50):
        addon_utils.disable(module)
        assert not hasattr(bpy.types.Object, "skelkin_legs")
        assert addon_utils.enable(module) is not None
    assert listed() == before
    walk = rigs.mixamo_walk()
    assert run("leg_ik")
    assert walk.object.animation_data.action != walk.action
