# SPDX-License-Identifier: MIT
"""Many at once: all selected armatures, or all actions of one, with a table of results; Esc leaves no trace."""

from __future__ import annotations

import sys
import threading
import time

import bpy
import keys
import pytest
import rigs
import stepping
from captured import CHARACTERS, import_character
from control_rigs import walk_with_controls
from drawing import draw, sentences, texts

pytestmark = pytest.mark.usefixtures("addon")


def select(*objects):
    for ob in bpy.context.scene.objects:
        ob.select_set(ob in objects)
    bpy.context.view_layer.objects.active = objects[0]


def play(ob, action):
    ob.animation_data.action = action
    if keys.SLOTS:
        ob.animation_data.action_slot = action.slots[0]


def results():
    return {(item.armature, item.action): item for item in bpy.context.window_manager.skelkin_results}


@pytest.fixture
def two():
    """Two armatures that walk."""
    walks = [rigs.mixamo_walk(), rigs.human_metarig_walk()]
    select(*(walk.object for walk in walks))
    return walks


@pytest.fixture
def with_actions():
    """A walk with three more actions: a copy, one that moves no leg, and one of a single pose."""
    walk = rigs.mixamo_walk()
    second = walk.action.copy()
    second.name = "Stroll"
    keys.new_action(walk.object, "Nod")
    keys.write(walk.object, keys.bone_path("mixamorig:Head", "scale"), *nod())
    keys.new_action(walk.object, "Pose")
    keys.write(walk.object, keys.bone_path(walk.legs["L"][0], "location"), *pose())
    play(walk.object, walk.action)
    bpy.context.view_layer.update()
    return walk


def nod():
    return [1, 20], [[1, 1, 1], [1, 1.1, 1]]


def pose():
    return [1], [[0, 0, 0]]


def test_all_selected_armatures_are_planted_and_switch_off_bit_equal(two, capfd):
    before = [stepping.pose_bits(walk.object, walk.frames) for walk in two]
    capfd.readouterr()
    assert bpy.ops.skelkin.plant_selected() == {"FINISHED"}
    assert "Planted 2 of 2 actions" in capfd.readouterr().out
    assert all(walk.object.animation_data.action.skelkin.is_planted for walk in two)
    assert all(item.planted and "slide" in item.line for item in results().values())
    for walk, bits in zip(two, before, strict=True):
        select(walk.object)
        assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
        assert stepping.pose_bits(walk.object, walk.frames) == bits


def test_each_comes_out_as_it_does_alone(two):
    alone = []
    for walk in two:
        select(walk.object)
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        alone.append(stepping.pose_bits(walk.object, walk.frames))
        assert bpy.ops.skelkin.remove() == {"FINISHED"}
    select(*(walk.object for walk in two))
    assert bpy.ops.skelkin.plant_selected() == {"FINISHED"}
    assert [stepping.pose_bits(walk.object, walk.frames) for walk in two] == alone


def test_one_that_cannot_be_planted_is_told_and_the_others_are(two):
    two[1].object.animation_data_clear()
    assert bpy.ops.skelkin.plant_selected() == {"FINISHED"}
    told = results()
    assert told[two[0].object.name, "Walk"].planted
    (left,) = (item for item in told.values() if not item.planted)
    assert "has no action" in left.line
    assert len(two[1].object.skelkin_legs) == 0


def test_nothing_planted_is_an_error_and_leaves_nothing(two):
    for walk in two:
        walk.object.animation_data_clear()
    bpy.data.batch_remove([walk.action for walk in two])
    with pytest.raises(RuntimeError, match=r"Nothing was planted; .* has no action"):
        bpy.ops.skelkin.plant_selected()
    assert all(len(walk.object.skelkin_legs) == 0 for walk in two)
    assert len(bpy.data.actions) == 0


def test_all_actions_are_planted_and_each_waits_for_its_turn(with_actions):
    walk, ob = with_actions, with_actions.object
    before = {}
    for name in ("Walk", "Stroll"):
        play(ob, bpy.data.actions[name])
        before[name] = stepping.pose_bits(ob, walk.frames)
    play(ob, walk.action)
    bpy.context.scene.frame_set(7)
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    told = results()
    assert {action for _, action in told} == {"Walk", "Stroll", "Pose"}  # Nod moves no leg
    assert told[ob.name, "Walk"].planted
    assert told[ob.name, "Stroll"].planted
    assert not told[ob.name, "Pose"].planted
    assert ob.animation_data.action.skelkin.source == walk.action
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    for name in ("Walk", "Stroll"):
        play(ob, bpy.data.actions[name])
        assert stepping.pose_bits(ob, walk.frames) == before[name]
        count = len(bpy.data.actions)
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert len(bpy.data.actions) == count  # it had been planted
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert stepping.pose_bits(ob, walk.frames) == before[name]


def test_an_action_that_does_not_play_leaves_no_pose_behind(with_actions):
    ob = with_actions.object
    play(ob, bpy.data.actions["Nod"])
    bpy.context.scene.frame_set(20)
    before = stepping.pose_bits(ob, [20])
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    assert ob.animation_data.action.name == "Nod"
    assert stepping.pose_bits(ob, [20]) == before
    assert ob.skelkin_kept_pose == ""


def test_it_is_one_step_of_undo(with_actions):
    name = with_actions.object.name
    before = stepping.pose_bits(with_actions.object, with_actions.frames)
    frames, count = with_actions.frames, len(bpy.data.actions)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.plant_actions("EXEC_DEFAULT", True) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    if len(bpy.data.actions) > count:  # the operator pushed a step of its own
        bpy.ops.ed.undo()
    assert len(bpy.data.actions) == count
    assert stepping.pose_bits(bpy.data.objects[name], frames) == before


def test_left_while_it_plans_nothing_is_written(addon, with_actions):
    ob = with_actions.object
    many, steps = (sys.modules[f"{addon.__name__}.{name}"] for name in ("bridge.many", "core.steps"))
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted, on = ob.animation_data.action, stepping.pose_bits(ob, with_actions.frames)
    actions = {action.name for action in bpy.data.actions}
    bpy.context.scene.frame_set(5)
    for stop in range(1, 40):
        running = many.plant_steps(bpy.context, [ob.name], many.all_actions, {"read": "STEP"})
        step, can_stop = next(running), True
        for _ in range(stop * 3):
            step = running.send(step.work()) if isinstance(step, steps.InThread) else next(running)
            can_stop = step.can_stop if isinstance(step, steps.Progress) else can_stop
            if not can_stop:
                break
        if not can_stop:
            break
        running.close()
        assert {action.name for action in bpy.data.actions} == actions
        assert ob.animation_data.action == planted
        assert bpy.context.scene.frame_current == 5
    assert stop > 10
    running.close()
    assert stepping.pose_bits(ob, with_actions.frames) == on


def test_a_little_at_a_time_gives_the_same_and_plants_in_another_thread(addon, with_actions):
    many, steps = (sys.modules[f"{addon.__name__}.{name}"] for name in ("bridge.many", "core.steps"))
    ob = with_actions.object
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    at_once = stepping.pose_bits(ob, with_actions.frames)
    lines = {key: item.line for key, item in results().items()}
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    stepper = steps.Stepper(many.plant_steps(bpy.context, [ob.name], many.all_actions, {}))
    seen = []
    while not stepper.advance(0.005):
        seen.append(stepper.progress)
    assert {(o.job.armature, o.job.action): o.line for o in stepper.result} == lines
    assert stepping.pose_bits(ob, with_actions.frames) == at_once
    told = [progress.done for progress in seen if progress is not None]
    assert told == sorted(told)
    where = []
    stepper = steps.Stepper(iter_one(steps, lambda: where.append(threading.current_thread())))
    while not stepper.advance(0.005):
        time.sleep(0.001)
    assert where[0] is not threading.current_thread()


def iter_one(steps, work):
    yield steps.InThread(work)


def test_the_results_are_shown_in_the_panel(with_actions):
    assert "All Actions of This Armature" in texts(draw("SKELKIN_PT_many"))
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    names = [item.action for item in bpy.context.window_manager.skelkin_results]
    bpy.context.window_manager.skelkin_result = names.index("Pose")
    told = sentences(draw("SKELKIN_PT_many"))
    assert "planting needs at least 2" in told


def test_results_that_undo_or_another_file_has_made_untrue_are_not_shown(addon, two):
    many = sys.modules[f"{addon.__name__}.bridge.many"]

    def shown() -> list[str]:
        return sorted(item.armature for item in results().values() if many.still_holds(item))

    names = sorted(walk.object.name for walk in two)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.plant_selected() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="planted")
    assert shown() == names
    assert "feet stand" in sentences(draw("SKELKIN_PT_many"))
    bpy.ops.ed.undo()
    assert shown() == []
    assert "feet stand" not in sentences(draw("SKELKIN_PT_many"))
    bpy.ops.ed.redo()
    assert shown() == names
    bpy.ops.skelkin.remove()
    assert shown() == sorted({*names} - {bpy.context.object.name})
    bpy.data.objects.remove(next(ob for ob in bpy.data.objects if ob.name in shown()))
    assert shown() == []


def test_the_actions_of_a_game_character_are_planted_in_one_go():
    ob = import_character("kaykit_Knight")
    step, count, planted = CHARACTERS["kaykit_Knight"]
    for action in set(bpy.data.actions) - set(list(bpy.data.actions)[::step]):
        bpy.data.actions.remove(action)
    play(ob, bpy.data.actions[0])
    select(ob)
    originals = list(bpy.data.actions)
    digests = {action.name: keys.digest(ob, action) for action in originals}
    assert len(originals) == count
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    told = results()
    assert len(told) == count
    assert sum(item.planted for item in told.values()) == planted
    for item in told.values():
        assert ("slide" in item.line) if item.planted else ("Nothing to plant" in item.line or "frame" in item.line)
    assert {action.name: keys.digest(ob, action) for action in originals} == digests
    sources = {action.skelkin.source.name for action in bpy.data.actions if action.skelkin.is_planted}
    assert sources == {action for (_, action), item in told.items() if item.planted}


@pytest.fixture
def with_goals():
    """A walk on feet that follow objects with actions of their own, and a second action of the armature."""
    walk = walk_with_controls(goal="object")
    second = walk.action.copy()
    second.name = "Stroll"
    play(walk.object, second)
    path = keys.bone_path(walk.pelvis, "location")
    for curve in [curve for curve in keys.fcurves(walk.object) if curve.data_path == path and curve.array_index == 0]:
        for point in curve.keyframe_points:
            point.co[1] += 0.1 * walk.leg_length
        curve.update()
    play(walk.object, walk.action)
    bpy.context.view_layer.update()
    return walk


def planted_alone(walk, name):
    """Return poses on all frames before and after an action is planted by the switch alone; nothing is left of it."""
    play(walk.object, bpy.data.actions[name])
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    after = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before
    return before, after


def test_actions_whose_feet_follow_objects_each_get_their_own_keys_of_these(with_goals):
    walk, ob = with_goals, with_goals.object
    alone = {name: planted_alone(walk, name) for name in ("Walk", "Stroll")}
    assert alone["Walk"][1] != alone["Stroll"][1]
    play(ob, walk.action)
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    assert all(item.planted for item in results().values())
    assert stepping.pose_bits(ob, walk.frames) == alone["Walk"][1]
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    names = {action.name for action in bpy.data.actions}
    for name in ("Stroll", "Walk", "Stroll"):
        play(ob, bpy.data.actions[name])
        assert stepping.pose_bits(ob, walk.frames) == alone[name][0]
        planted = {action.name: keys.digest(ob, action) for action in bpy.data.actions if action.skelkin.is_planted}
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert stepping.pose_bits(ob, walk.frames) == alone[name][1]
        now = {action.name: keys.digest(ob, action) for action in bpy.data.actions if action.skelkin.is_planted}
        assert now == planted  # each was planted already
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert stepping.pose_bits(ob, walk.frames) == alone[name][0]
    assert {action.name for action in bpy.data.actions} == names
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert not any(action.skelkin.is_planted for action in bpy.data.actions)


def test_update_of_one_action_leaves_the_goals_of_the_other_as_they_were(with_goals):
    walk, ob = with_goals, with_goals.object
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    count = len(bpy.data.actions)
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    play(ob, bpy.data.actions["Stroll"])
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    play(ob, walk.action)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.update(contacts="GROUND_ONLY") == {"FINISHED"}
    assert len(bpy.data.actions) == count
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    play(ob, bpy.data.actions["Stroll"])
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == on
    assert len(bpy.data.actions) == count
