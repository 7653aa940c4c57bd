# SPDX-License-Identifier: MIT
"""Runs inside Blender's window: an animator's afternoon with a capture that plays at a fifth of its rate.

Planted, rate put right, a foot locked, a foot dragged, a contact edited, keys touched up, exported and read back.
"""

from __future__ import annotations

import sys
from pathlib import Path

import addon_utils
import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_location_3d
from installing import SWITCH, install_addon, zip_path
from keys import digest
from stepping import pose_bits, world_heads
from window import (
    addon_module,
    addon_preferences,
    all_of_contacts,
    ankle,
    bases,
    hand,
    in_editor,
    known,
    moved,
    place_of,
    planted,
    raise_the_dope_sheet,
    rig,
    run,
    settled,
    span,
    until,
)

NEAR = 1e-4  # of the leg
EXACT = 2e-4  # of the leg: what a file may differ by
LOCKED, LOCKED_AT, DRAGGED, TOUCHED = (60, 75), 66, 200, 330  # frames
CLIP = "bvh/cmu_12_01_walk"


def note_ends() -> None:
    """Count what is done a little at a time: the action plays before its report is kept."""
    stepwise = addon_module("operators.stepwise").Stepwise
    own, known["ended"] = stepwise.report_outcome, 0

    def counted(self, context, result):
        known["ended"] += 1
        return own(self, context, result)

    stepwise.report_outcome = counted


def done_by(operator: str, across: float = 1 / 3):
    """Click an operator's button, and wait for its end."""
    before = known["ended"]
    yield from hand.scroll_up()
    place = yield from hand.look_for(operator, across)
    if not place:
        yield from hand.scroll_down(12)
        place = yield from hand.look_for(operator, across)
    assert place, f"the sidebar has no button of {operator}"
    yield from hand.click_at(*place)
    yield from until(lambda: known["ended"] > before)


def mark():
    return rig().animation_data.action.skelkin


def path_of(side: str) -> np.ndarray:
    """Return where an ankle is in all frames, in legs."""
    frame = bpy.context.scene.frame_current
    walk = known["walk"]
    heads = world_heads(rig(), [walk["foot"][side]], walk["frames"])[:, 0] / walk["leg"]
    bpy.context.scene.frame_set(frame)
    return heads


def at(side: str, frame: int) -> np.ndarray:
    return path_of(side)[frame - known["walk"]["frames"][0]]


def unlike(before: dict) -> set[str]:
    """Return the bones whose keys are others than before."""
    now = digest(rig(), rig().animation_data.action)
    return {path.split('"')[1] for path, index in now if before.get((path, index)) != now[path, index]}


def keys_now() -> dict:
    return digest(rig(), rig().animation_data.action)


def of_legs(*sides: str) -> set[str]:
    return {known["walk"]["pelvis"], *(bone for side in sides for bone in known["walk"]["legs"][side])}


def original_is_as_it_was() -> bool:
    return digest(rig(), bpy.data.actions["Walk"]) == known["digest"]


def opened(name: str):
    """Show a folded panel open below the others: Blender remembers that the panel itself was drawn folded."""
    panel = getattr(bpy.types, name)
    own = {"bl_idname": f"{name}_open", "bl_label": panel.bl_label, "bl_options": set(), "draw": panel.draw}
    if "draw_header_preset" in vars(panel):
        own["draw_header_preset"] = panel.draw_header_preset
    known["open"] = type(own["bl_idname"], panel.__bases__, own | {"poll": panel.poll})
    bpy.utils.register_class(known["open"])
    yield 0.5
    yield from hand.scroll_down(40)


def closed():
    bpy.utils.unregister_class(known.pop("open"))
    yield from hand.redraw()
    yield from hand.scroll_up()


def seen(name: str, shot: str):
    """Take the picture of a panel, and of its upper part where it is long."""
    yield from opened(name)
    yield from hand.shot(shot)
    yield from hand.scroll_down(8, "WHEELUPMOUSE")
    yield from hand.shot(f"{shot}_above")
    yield from closed()


def clicked(panel: str, operator: str, across: float = 1 / 3):
    yield from opened(panel)
    yield from hand.click(operator, across)


def updated(shot: str):
    yield from done_by("skelkin.update", 0.15)
    yield from hand.shot(shot)


def in_pose(bone: str, frame: int) -> None:
    with hand.at_the_view():
        bpy.context.scene.frame_set(frame)
        bpy.ops.object.mode_set(mode="POSE")
        for each in rig().data.bones:
            each.select = each.name == bone
        rig().data.bones.active = rig().data.bones[bone]
        bpy.ops.ed.undo_push(message="Pose")


def step_bring_a_capture_of_120_frames_per_second_into_a_scene_of_24():
    with hand.at_the_view():
        known["addon"] = install_addon(zip_path())
        note_ends()
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)
        package = sys.modules["skelkin_py"] = addon_module("bridge.native").load()
        import captured

        clip = captured.load_clip(CLIP)
        render = bpy.context.scene.render
        render.fps, render.fps_base = 24, 1.0
        ob = clip.object
        ob.animation_data.action.name = "Walk"
        names, rest = clip.skeleton.names, clip.skeleton.rest_global[:, :3, 3]
        legs = {leg.side[0].upper(): leg for leg in package.find_legs(names, clip.skeleton.parents, rest)}
        chain = {side: [names[j] for j in (*leg.chain, leg.toe) if j is not None] for side, leg in legs.items()}
        length = float(np.linalg.norm(np.diff(rest[list(legs["L"].chain)], axis=0), axis=1).sum())
        ob.show_in_front = True
        view = hand.area.spaces.active.region_3d
        hand.show_side_view()
        view.view_location, view.view_distance = rest.mean(axis=0).tolist(), 4.5 * length
    known["name"] = ob.name
    known["walk"] = {"legs": chain, "foot": {side: bones[2] for side, bones in chain.items()}, "frames": clip.frames,
                     "leg": length, "pelvis": names[int(legs["L"].pelvis)]}  # fmt: skip
    known["file"] = str(captured.data_folder() / f"{CLIP}.bvh")
    wanted = package.plant_locals(clip.skeleton, clip.local, fps=package.load(known["file"]).fps, up=(0.0, 0.0, 1.0))
    known["contacts"] = len(wanted.report.contacts)
    ankles = package.forward_kinematics(clip.skeleton, wanted.local)[..., :3, 3]
    known["planted"] = ankles[:, [legs[s].ankle for s in "LR"]] / length
    known["bits"], known["digest"] = pose_bits(ob, clip.frames), digest(ob, ob.animation_data.action)
    bpy.context.scene.frame_set(DRAGGED)
    with hand.at_the_view():
        bpy.ops.ed.undo_push(message="Walk")
    yield from hand.open_sidebar()
    yield from hand.open_tab("SKELKIN_PT_")


def step_planted_at_the_scenes_rate_it_says_slow_motion_and_its_file_gives_the_rate():
    yield from done_by("skelkin." + SWITCH)
    yield from hand.shot("s1_wrong_rate")
    found = len(mark().contacts)
    assert found != known["contacts"]
    assert any("slow motion" in warning.text for warning in mark().warnings if warning.minded)
    assert (yield from hand.look_for("skelkin.rate_from_bvh"))
    with hand.at_the_view():
        assert bpy.ops.skelkin.rate_from_bvh(filepath=known["file"]) == {"FINISHED"}
        bpy.ops.ed.undo_push(message="Rate")
    yield from hand.shot("s2_rate_from_file")
    assert len(mark().contacts) == known["contacts"]
    assert not any("slow motion" in warning.text for warning in mark().warnings)
    for column, side in enumerate("LR"):
        assert np.abs(path_of(side) - known["planted"][:, column]).max() <= NEAR
    assert unlike(known["digest"]) <= of_legs("L", "R")
    assert original_is_as_it_was()


def step_a_foot_is_locked_over_the_preview_range_by_a_click():
    in_pose(known["walk"]["foot"]["L"], LOCKED_AT)
    before, right, keys = at("L", LOCKED_AT), path_of("R"), keys_now()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, *LOCKED
    yield from clicked("SKELKIN_PT_feet", "skelkin.lock_foot", 0.7)
    yield from until(lambda: len(mark().foot_edits) == 1)
    yield from hand.shot("s3_foot_locked")
    yield from closed()
    scene.use_preview_range = False
    first = known["walk"]["frames"][0]
    held = path_of("L")[LOCKED[0] - first : LOCKED[1] - first + 1]
    assert np.abs(held - before).max() <= NEAR
    assert np.abs(path_of("R") - right).max() <= NEAR
    assert unlike(keys) <= of_legs("L")
    assert original_is_as_it_was()


def drag_by_the_button(by: tuple[int, int]):
    """Click Drag Foot in the sidebar and move the mouse; return where the ankle then has to be, in legs."""
    _, region = in_editor("VIEW_3D")
    start, view = ankle(), hand.area.spaces.active.region_3d
    yield from clicked("SKELKIN_PT_feet", "skelkin.drag_foot", 0.2)
    origin = hand.at
    yield from moved(by)
    places = [
        np.array(region_2d_to_location_3d(region, view, (x - region.x, y - region.y), start))
        for x, y in (origin, hand.at)
    ]
    return (start + places[1] - places[0]) / known["walk"]["leg"]


def step_a_foot_is_dragged_and_esc_leaves_nothing():
    bpy.context.scene.frame_set(DRAGGED)
    before, pose = all_of_contacts(), bases()
    yield from drag_by_the_button((-40, 30))
    yield from until(lambda: bases() != pose)
    yield from hand.shot("s4_foot_dragged")
    yield from hand.key("ESC")
    yield from until(lambda: bases() == pose)
    assert all_of_contacts() == before
    yield from closed()


def step_a_foot_is_dragged_by_the_mouse_and_undone_and_redone():
    before, keys, right = all_of_contacts(), keys_now(), path_of("R")
    wanted = yield from drag_by_the_button((-25, 20))
    yield from settled()
    yield from hand.key("LEFTMOUSE")
    yield from until(lambda: len(mark().foot_edits) == 2)
    known["dragged"] = wanted
    assert np.abs(at("L", DRAGGED) - wanted).max() <= NEAR
    assert np.abs(path_of("R") - right).max() <= NEAR
    assert unlike(keys) <= of_legs("L")
    yield from closed()
    after = keys_now()
    yield from hand.press("Z", ctrl=True)
    yield from until(lambda: len(mark().foot_edits) == 1)
    assert all_of_contacts() == before
    yield from hand.press("Z", ctrl=True, shift=True)
    yield from until(lambda: len(mark().foot_edits) == 2)
    assert keys_now() == after
    assert original_is_as_it_was()


def step_a_contact_is_dragged_in_the_dope_sheet_and_planted_by_update():
    bpy.context.scene.frame_set(DRAGGED)
    yield from raise_the_dope_sheet(180)
    addon_preferences().shows_contacts = True
    with in_editor("DOPESHEET_EDITOR")[0]:
        bpy.context.space_data.mode = "ACTION"
    yield 0.5
    with in_editor("DOPESHEET_EDITOR")[0]:
        bpy.ops.action.view_all()
    yield 0.5
    item = [item for item in mark().contacts if item.foot == "right"][1]
    key, (first, last), keys = item.key, span(item.key), keys_now()
    left = path_of("L")
    yield from hand.drag(*(place_of("DOPESHEET_EDITOR", key, 1.0, by) for by in (0, -12)))
    first_now, last_now = span(key)
    assert first_now == first
    assert last - 16 <= last_now <= last - 8
    known["edited"] = key, last_now
    yield from raise_the_dope_sheet(-180)
    yield from seen("SKELKIN_PT_contacts", "s5_contact_edited")
    yield from updated("s6_contact_planted")
    assert mark().contacts_given
    assert span(key) == (first, last_now)
    assert len(mark().foot_edits) == 2
    edited = [*range(LOCKED[0] - 1, LOCKED[1]), DRAGGED - 1]  # elsewhere it follows the ground, which is estimated anew
    assert np.abs(path_of("L") - left)[edited].max() <= NEAR
    assert unlike(keys) <= of_legs("L", "R")
    assert original_is_as_it_was()
    addon_preferences().shows_contacts = False


def step_a_leg_is_touched_up_by_blenders_own_keys_and_update_keeps_it():
    bone = known["walk"]["legs"]["R"][1]
    in_pose(bone, TOUCHED)
    sets = bpy.context.scene.keying_sets_all
    sets.active = next(one for one in sets if one.bl_label == "Rotation")
    before = at("R", TOUCHED)
    yield from hand.press("R")
    yield from hand.key("X")
    yield from hand.key("X")
    yield from hand.write("10")
    yield from hand.key("RET")
    yield from hand.press("I")
    by_hand = at("R", TOUCHED)
    assert np.linalg.norm(by_hand - before) > 0.02
    yield from updated("s7_touched_up")
    assert mark().touched == f"right {TOUCHED}"
    known["touched"] = by_hand
    assert original_is_as_it_was()


def hand_work_is_there() -> None:
    key, last = known["edited"]
    assert span(key)[1] == last
    assert sorted(edit.frame for edit in mark().foot_edits) == [LOCKED[0], DRAGGED]
    assert mark().touched == f"right {TOUCHED}"
    assert np.abs(at("L", DRAGGED) - known["dragged"]).max() <= NEAR
    assert np.abs(at("R", TOUCHED) - known["touched"]).max() <= NEAR
    assert original_is_as_it_was()


def step_all_that_was_done_by_hand_is_there_after_two_more_updates():
    hand_work_is_there()
    for number in (1, 2):
        yield from updated(f"s8_updated_{number}")
        hand_work_is_there()
    keys = keys_now()
    yield from hand.press("Z", ctrl=True)
    assert keys_now().keys() == keys.keys()
    yield from hand.press("Z", ctrl=True, shift=True)
    assert keys_now() == keys
    hand_work_is_there()


def step_panels_are_looked_at():
    for name in ("contacts", "feet", "warnings", "figures", "export", "settings", "legs"):
        yield from seen(f"SKELKIN_PT_{name}", f"s9_{name}")


def step_the_original_plays_again_bit_for_bit_while_off():
    yield from done_by("skelkin." + SWITCH)
    assert not planted()
    yield from hand.shot("sa_off")
    assert pose_bits(rig(), known["walk"]["frames"]) == known["bits"]
    yield from done_by("skelkin." + SWITCH)
    hand_work_is_there()


def step_the_file_of_what_is_applied_has_one_action_of_the_originals_name_and_the_same_motion():
    if "bool" not in vars(np):  # the exporter of 3.4 uses this name, which its numpy has not
        np.bool = bool
    yield from done_by("skelkin.apply", 0.5)
    assert rig().animation_data.action.name == "Walk"
    yield from hand.shot("sb_applied")
    assert digest(rig(), bpy.data.actions["Walk original"]) == known["digest"]
    path = Path(bpy.app.tempdir) / "walk.glb"
    with hand.at_the_view():
        addon_utils.enable("io_scene_gltf2", default_set=True)
        bpy.context.scene.render.fps = 120
        bpy.ops.export_scene.gltf(filepath=str(path))
    found = sys.modules["skelkin_py"].load_animations(path)
    assert list(found) == ["Walk"]
    clip, walk = found["Walk"], known["walk"]
    joints = [clip.names.index(walk["foot"][side]) for side in "LR"]
    inside = clip.positions()[:, joints] @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]) / walk["leg"]
    shown = np.stack([path_of(side) for side in "LR"], axis=1)
    assert inside.shape == shown.shape
    assert np.abs(inside - shown).max() <= EXACT
    yield 0.2


run(globals())
