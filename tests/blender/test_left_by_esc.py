# SPDX-License-Identifier: MIT
"""The switch and Update left by Esc, wherever they are: reading, planting, writing or checking; nothing stays."""

from __future__ import annotations

import sys
import threading
import time

import bpy
import keys
import pytest
import rigs
import scene_digest
from control_rigs import CONTROLS, walk_with_controls
from extent import WHOLE
from switching_checks import nudge

PLACES = 10 if WHOLE else 4


@pytest.fixture
def parts(addon):
    """The modules of the add-on that do the work in steps."""
    names = ("bridge.switching", "core.steps", "bridge.leg_data", "core.verbs")
    return [sys.modules[f"{addon.__name__}.{name}"] for name in names]


def switching_on(parts, ob, read):
    switching, _, leg_data, verbs = parts
    if not len(ob.skelkin_legs):
        leg_data.find(ob)
    return lambda: switching.steps(bpy.context, ob, verbs.on, {"read": read})


def updating(parts, ob, read):
    switching, _, _, verbs = parts
    return lambda: switching.steps(bpy.context, ob, verbs.update, {"read": read})


def run_some(steps, begun, count: int) -> int:
    """Run as many steps, or all; return how many these were."""
    step = next(begun)
    for done in range(1, count):
        try:
            step = begun.send(step.work()) if isinstance(step, steps.InThread) else next(begun)
        except StopIteration:
            return done
    return count


def assert_leaves_nothing(walk, steps, begin, places) -> None:
    """Begin and leave it after so many steps each: the file, the frame and the handlers are as before."""
    bpy.context.scene.frame_set(7, subframe=0.25)
    before = scene_digest.digest(walk.object)
    for place in places:
        begun = begin()
        assert run_some(steps, begun, place) == place
        begun.close()
        assert scene_digest.digest(walk.object) == before, f"left after {place} steps"


def spread(steps, begun) -> list[int]:
    """Return places all over a piece of work; to learn how long it is, it is done."""
    count = run_some(steps, begun, 10**9)
    return sorted({1, 2, 3, count - 1, *(count * k // PLACES for k in range(1, PLACES))})


RIGS = {
    "own keys": (lambda: rigs.mixamo_walk(frames=24), ""),
    "controls": (lambda: walk_with_controls(frames=24), CONTROLS["L"]),
    "goals": (lambda: walk_with_controls(frames=24, goal="object"), ""),
}


@pytest.mark.parametrize("rig", RIGS)
def test_the_switch_can_be_left_anywhere(parts, rig):
    walk = RIGS[rig][0]()
    begin = switching_on(parts, walk.object, "STEP")
    places = spread(parts[1], begin())
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    begin = switching_on(parts, walk.object, "STEP")
    assert_leaves_nothing(walk, parts[1], begin, places)


@pytest.mark.parametrize("rig", RIGS)
def test_update_can_be_left_anywhere(parts, rig):
    make, bone = RIGS[rig]
    walk = make()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    begin = updating(parts, walk.object, "STEP")
    places = spread(parts[1], begin())
    nudge(walk, bone or walk.pelvis)
    assert_leaves_nothing(walk, parts[1], begin, places)


def touch_up(walk) -> None:
    """Move keys that planting wrote, by hand: of the armature, and of objects that feet follow."""
    for thing in [ob for ob in bpy.data.objects if ob.animation_data and ob.animation_data.action.skelkin.is_planted]:
        for curve in [curve for curve in keys.fcurves(thing) if curve.data_path.endswith("location")]:
            for point in curve.keyframe_points:
                point.co[1] += 0.02 * (8 <= point.co[0] <= 12)
            curve.update()


@pytest.mark.parametrize("rig", RIGS)
def test_update_with_touch_ups_can_be_left_anywhere(parts, rig):
    walk = RIGS[rig][0]()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    begin = updating(parts, walk.object, "STEP")
    touch_up(walk)
    places = spread(parts[1], begin())
    assert walk.object.animation_data.action.skelkin.touched
    touch_up(walk)
    assert_leaves_nothing(walk, parts[1], begin, places)


def long_walk():
    walk = rigs.mixamo_walk(frames=61)
    rigs.repeat_walk(walk, 167)
    return walk


@pytest.mark.parametrize(("read", "places"), [("AUTO", [6, 40, 85]), ("STEP", [5000, 10060, 13000])])
def test_ten_thousand_frames_can_be_left_anywhere(parts, read, places):
    walk = long_walk()
    assert_leaves_nothing(walk, parts[1], switching_on(parts, walk.object, read), places)


def test_left_while_another_thread_plants_the_thread_ends_too(parts):
    walk = long_walk()
    _, steps, *_ = parts
    begin = switching_on(parts, walk.object, "AUTO")
    before, threads = scene_digest.digest(walk.object), set(threading.enumerate())
    stepper, end = steps.Stepper(begin()), time.monotonic() + 60.0
    while set(threading.enumerate()) == threads:
        assert not stepper.advance(0.001)
        assert time.monotonic() < end
    stepper.close()
    assert scene_digest.digest(walk.object) == before
    while set(threading.enumerate()) != threads:
        assert time.monotonic() < end
        time.sleep(0.01)
