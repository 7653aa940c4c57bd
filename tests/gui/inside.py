# SPDX-License-Identifier: MIT
"""Runs inside Blender's window: the steps of a user's first minute with the add-on, driven by simulated events."""

from __future__ import annotations

import sys
import time

import bpy
import numpy as np
from installing import SWITCH, install_addon, zip_path
from keys import bone_path, digest, fcurves
from rendering import ready_to_render
from rigs import mixamo_walk
from stepping import pose_bits, stance_slide, world_heads
from window import (
    addon_module,
    addon_preferences,
    all_of_contacts,
    ankle,
    bar_of,
    bases,
    begin_drag_foot,
    contact_of,
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


def slide_of(side: str) -> float:
    walk = known["walk"]
    heads = world_heads(rig(), [walk["foot"][side]], walk["frames"])[:, 0]
    return max(stance_slide(heads, walk["stance"][side], walk["frames"][0])) / walk["leg"]


def step_install_the_zip_and_make_a_walk():
    with hand.at_the_view():
        known["addon"] = install_addon(zip_path())
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)
        walk = mixamo_walk()
    known["name"] = walk.object.name
    known["walk"] = {
        "foot": {side: bones[2] for side, bones in walk.legs.items()}, "stance": walk.stance,
        "frames": walk.frames, "leg": walk.leg_length,
    }  # fmt: skip
    walk.object.show_in_front = True
    known["bits"] = pose_bits(rig(), walk.frames)
    known["digest"] = digest(rig(), walk.action)
    bpy.context.scene.frame_set(8)
    with hand.at_the_view():
        bpy.ops.ed.undo_push(message="Walk")
    hand.show_side_view()
    yield 0.5
    assert slide_of("L") > 0.01
    bpy.context.scene.frame_set(8)


def step_open_the_sidebar_and_the_tab():
    hand.unfold("SKELKIN_PT_many")  # as long as it was never drawn: Blender remembers what is folded
    yield from hand.open_sidebar()
    yield from hand.open_tab("SKELKIN_PT_")
    yield from hand.shot("1_tab")


def step_find_legs_by_a_click():
    assert len(rig().skelkin_legs) == 0
    yield from hand.click("skelkin.find_legs")
    yield from hand.shot("2_legs_found")
    legs = {(leg.hip, leg.knee, leg.ankle) for leg in rig().skelkin_legs}
    assert legs == {tuple(f"mixamorig:{s}{b}" for b in ("UpLeg", "Leg", "Foot")) for s in ("Left", "Right")}
    assert not planted()


def step_switch_on_by_a_click():
    yield from hand.click("skelkin." + SWITCH)
    yield from until(planted)
    yield from hand.shot("3_switched_on")
    frame = bpy.context.scene.frame_current
    assert max(slide_of("L"), slide_of("R")) <= 0.0005
    assert digest(rig(), bpy.data.actions["Walk"]) == known["digest"]
    bpy.context.scene.frame_set(frame)
    known["planted_bits"] = pose_bits(rig(), known["walk"]["frames"])
    bpy.context.scene.frame_set(frame)


def step_undo_by_ctrl_z_takes_exactly_the_click_back():
    yield from hand.press("Z", ctrl=True)
    yield from until(lambda: not planted())
    yield from hand.shot("4_undone")
    assert len(rig().skelkin_legs) == 2
    assert pose_bits(rig(), known["walk"]["frames"]) == known["bits"]
    bpy.context.scene.frame_set(8)


def step_redo_by_ctrl_shift_z_plants_again():
    yield from hand.press("Z", ctrl=True, shift=True)
    yield from until(planted)
    assert pose_bits(rig(), known["walk"]["frames"]) == known["planted_bits"]
    bpy.context.scene.frame_set(8)


def green_pixels(name: str) -> int:
    """Count the pixels of a picture that are as green as the lines of standing feet."""
    image = bpy.data.images.load(str(hand.shots / f"{name}.png"))
    pixels = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    red, green, blue, _ = pixels.reshape(-1, 4).T
    return int(((green > 0.7) & (red < 0.45) & (blue < 0.6)).sum())


def step_foot_paths_are_drawn_while_they_are_on():
    overlay = sys.modules[f"{known['addon']}.bridge.overlay"]
    own, seconds = (overlay._draw, overlay._write), []

    def timed(function):
        def called():
            start = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - start)

        return called

    overlay._draw, overlay._write = (timed(function) for function in own)
    yield from hand.shot("4a_without_foot_paths")
    assert seconds == []
    bpy.context.window_manager.skelkin_foot_paths = True
    for _ in range(4):
        yield from hand.shot("4b_foot_paths")
    drawn = len(seconds)
    assert drawn >= 4
    assert green_pixels("4b_foot_paths") > green_pixels("4a_without_foot_paths") + 100
    redraws = np.add(seconds[2 : drawn // 2 * 2 : 2], seconds[3 : drawn // 2 * 2 : 2])
    print(f"foot paths: {1e3 * np.median(redraws):.3f} ms a redraw")
    bpy.context.window_manager.skelkin_foot_paths = False
    overlay._draw, overlay._write = own
    yield from hand.shot("4a_without_foot_paths")
    assert len(seconds) == drawn


def step_switch_off_by_a_click_gives_the_old_animation_back():
    yield from hand.click("skelkin." + SWITCH)
    yield from until(lambda: not planted())
    yield from hand.shot("5_switched_off")
    assert pose_bits(rig(), known["walk"]["frames"]) == known["bits"]
    assert digest(rig(), bpy.data.actions["Walk"]) == known["digest"]


def step_edit_mode_shows_a_reason_instead_of_the_switch():
    yield from hand.press("TAB")
    assert rig().mode == "EDIT"
    yield from hand.shot("6_edit_mode")
    assert not (yield from hand.look_for("skelkin." + SWITCH))
    assert not planted()
    yield from hand.press("TAB")
    assert rig().mode == "OBJECT"


def step_warnings_go_to_their_frames_by_a_click():
    with hand.at_the_view():
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        # Feet that are held all the time while the body walks on cannot keep their knees.
        assert bpy.ops.skelkin.update(contacts="ALWAYS") == {"FINISHED"}
    hand.unfold("SKELKIN_PT_warnings")
    yield 0.5
    bpy.context.scene.frame_set(8)
    yield from hand.shot("7_warnings")
    named = {w.frame for w in rig().animation_data.action.skelkin.warnings if w.names_frame}
    assert named - {8}
    yield from hand.scroll_down()
    yield from hand.click("skelkin.go_to_frame")
    assert bpy.context.scene.frame_current in named
    yield from hand.shot("8_at_the_frame_of_a_warning")


def step_an_edit_of_the_original_is_noticed_at_once():
    mark = rig().animation_data.action.skelkin
    assert not mark.source_changed
    curve = fcurves(rig(), bpy.data.actions["Walk"])[0]
    former = curve.keyframe_points[3].co[1]
    curve.keyframe_points[3].co[1] += 0.25
    yield from until(lambda: rig().animation_data.action.skelkin.source_changed)
    yield from hand.shot("9_original_edited")
    fcurves(rig(), bpy.data.actions["Walk"])[0].keyframe_points[3].co[1] = former
    yield from until(lambda: not rig().animation_data.action.skelkin.source_changed)


def step_update_keeps_leg_keys_that_were_touched_up():
    path = bone_path(known["walk"]["foot"]["L"], "rotation_quaternion")
    curve = next(c for c in fcurves(rig()) if c.data_path == path)
    curve.keyframe_points[3].co[1] += 0.25
    curve.update()
    count = len(bpy.data.actions)
    hand.fold("SKELKIN_PT_warnings")
    yield from hand.scroll_down()  # what a viewer would mind is above the button
    yield from hand.click("skelkin.update", across=0.15)
    yield from until(lambda: rig().animation_data.action.skelkin.touched)
    yield from hand.shot("10_touched_up")
    assert len(bpy.data.actions) == count


def step_a_marker_moved_by_blenders_own_tool_is_planted_by_update_and_undone():
    with hand.at_the_view():
        assert bpy.ops.skelkin.update(contacts="AUTO") == {"FINISHED"}
        bpy.ops.ed.undo_push(message="Contacts found")
    window = hand.window
    area = next(area for area in window.screen.areas if area.type == "DOPESHEET_EDITOR")
    space = area.spaces.active
    space.mode, space.show_pose_markers = "ACTION", True
    action = rig().animation_data.action
    item = next(item for item in action.skelkin.contacts if item.foot == "left")
    key, last = item.key, item.last
    for marker in action.pose_markers:
        marker.select = (marker.skelkin_contact, marker.skelkin_is_up) == (key, True)
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
        assert bpy.ops.marker.move("EXEC_DEFAULT", True, frames=3) == {"FINISHED"}
    moved = next(marker.frame for marker in action.pose_markers if marker.select)
    assert moved == last + 3
    assert contact_of(key).last == last
    yield from hand.scroll_up()
    yield from hand.click("skelkin.update", across=0.15)
    yield from until(lambda: rig().animation_data.action.skelkin.contacts_given)
    assert contact_of(key).last == last + 3
    yield from hand.press("Z", ctrl=True)
    yield from until(lambda: contact_of(key).last == last)
    frames = [marker.frame for marker in rig().animation_data.action.pose_markers if marker.skelkin_contact == key]
    assert last + 3 in frames
    yield from hand.press("Z", ctrl=True)
    frames = [marker.frame for marker in rig().animation_data.action.pose_markers if marker.skelkin_contact == key]
    assert last in frames
    assert digest(rig(), bpy.data.actions["Walk"]) == known["digest"]


def move_a_marker(key: int, by: int) -> None:
    """Move the last marker of a contact with Blender's own tool."""
    for marker in rig().animation_data.action.pose_markers:
        marker.select = (marker.skelkin_contact, marker.skelkin_is_up) == (key, True)
    with in_editor("DOPESHEET_EDITOR")[0]:
        assert bpy.ops.marker.move("EXEC_DEFAULT", True, frames=by) == {"FINISHED"}


def middle_contact() -> int:
    """Return a contact of the left foot that has free frames at both sides."""
    return [item.key for item in rig().animation_data.action.skelkin.contacts if item.foot == "left"][1]


def step_rows_are_clear_of_sidebar_and_redo_panel():
    addon_preferences().shows_contacts = True
    yield from hand.shot("10a_contacts_clear")
    context, region = in_editor("VIEW_3D")
    with context:
        strip, area = addon_module("bridge.contacts.drawn").strip_of(bpy.context), bpy.context.area
        over = [
            other for other in area.regions if other.type in ("UI", "HUD") and other.width > 1 and other.y >= region.y
        ]
    left, right = region.x + strip.left, region.x + strip.left + strip.width
    assert over
    assert all(other.x >= right or other.x + other.width <= left for other in over)
    addon_preferences().shows_contacts = False


def step_rows_are_drawn_at_little_cost():
    drawn, seconds = addon_module("bridge.contacts.drawn"), []
    own = drawn._draw

    def timed():
        start = time.perf_counter()
        own()
        seconds.append(time.perf_counter() - start)

    drawn._draw = timed
    addon_preferences().shows_contacts = True
    for frame in (8, 9, 10, 11):
        bpy.context.scene.frame_set(frame)
        yield from hand.shot("10a_contacts_drawn")
    addon_preferences().shows_contacts = False
    drawn._draw = own
    bpy.context.scene.frame_set(8)
    assert len(seconds) >= 4
    print(f"rows of contacts: {1e3 * np.median(seconds):.3f} ms a redraw")


def step_ends_of_contacts_are_dragged_on_their_rows():
    yield from raise_the_dope_sheet(180)
    yield 0.5
    with in_editor("DOPESHEET_EDITOR")[0]:
        bpy.ops.action.view_all()
    yield 0.5
    for number, (share, frames) in enumerate(((1.0, -3), (0.0, 2), (0.5, -2))):
        key, kind = middle_contact(), "DOPESHEET_EDITOR"
        if not number:
            addon_preferences().shows_contacts = True
            with hand.at_the_view():
                bpy.ops.ed.undo_push(message="Contacts shown")
            yield from hand.shot("10a_contacts_drawn")
        before, (first, last) = all_of_contacts(), span(key)
        start, end = (place_of(kind, key, share, by) for by in (0, frames))
        for leave in ("ESC", "RIGHTMOUSE"):
            yield from hand.hold(start, end)
            assert all_of_contacts() == before  # nothing is written while it is dragged
            if leave == "ESC":
                hand.picture(f"10b_contact_held_{number}")
            yield from hand.key(leave)
            yield from hand.let_go()
            assert all_of_contacts() == before
        yield from hand.drag(start, end)
        expected = first + frames * (share < 1), last + frames * (share > 0)
        assert span(key) == expected
        move_a_marker(key, 1)
        assert bar_of(key).last == expected[1] + 1
        yield from hand.press("Z", ctrl=True)
        assert span(key) == expected
        yield from hand.press("Z", ctrl=True)
        assert span(key) == (first, last)
        assert all_of_contacts() == before


def step_a_dragged_end_stops_at_the_other_and_at_the_next_contact():
    key, kind = middle_contact(), "DOPESHEET_EDITOR"
    first, last = span(key)
    yield from hand.drag(place_of(kind, key, 1.0), place_of(kind, key, 0.0, -4))
    assert span(key) == (first, first)
    yield from hand.press("Z", ctrl=True)
    own = [item for item in rig().animation_data.action.skelkin.contacts if item.foot == "left"]
    before = own[[item.key for item in own].index(key) - 1]
    reached = before.last + 1
    yield from hand.drag(place_of(kind, key, 0.0), place_of(kind, before.key, 0.3))
    assert span(key) == (reached, last)
    yield from hand.press("Z", ctrl=True)
    assert span(key) == (first, last)


def selected_keys() -> int:
    return sum(point.select_control_point for curve in fcurves(rig()) for point in curve.keyframe_points)


def step_keys_beside_the_rows_are_selected_with_a_box():
    key, kind = middle_contact(), "DOPESHEET_EDITOR"
    _, region = in_editor(kind)
    for curve in fcurves(rig()):
        for point in curve.keyframe_points:
            point.select_control_point = True
    every = selected_keys()
    sheet = next(area.spaces.active for area in hand.window.screen.areas if area.type == kind).dopesheet
    sheet.show_only_selected = False
    yield 0.5
    before = all_of_contacts()
    (left, row), (right, _) = place_of(kind, key, 0.0, -2.5), place_of(kind, key, 1.0, 2.5)
    yield from hand.drag((left, row + 45), (right, region.y + region.height - 25))
    sheet.show_only_selected = True
    assert 0 < selected_keys() < every
    assert all_of_contacts() == before


def step_contacts_are_dragged_in_the_view():
    key, kind = middle_contact(), "VIEW_3D"
    before, (first, last) = all_of_contacts(), span(key)
    yield from hand.hold(place_of(kind, key, 0.0), place_of(kind, key, 0.0, -3))  # the sidebar is over its other end
    hand.picture("10c_contact_held_in_the_view")
    yield from hand.let_go()
    assert span(key) == (first - 3, last)
    yield from hand.press("Z", ctrl=True)
    assert all_of_contacts() == before


def step_where_contacts_are_not_drawn_the_mouse_does_not_drag_them():
    key, kind = middle_contact(), "DOPESHEET_EDITOR"
    before = span(key)
    x, y = place_of(kind, key, 1.0)
    addon_preferences().shows_contacts = False
    yield from hand.drag((x, y), (x - 40, y))
    assert span(key) == before


def step_a_foot_is_dragged_in_the_view_and_left_without_a_trace():
    with hand.at_the_view():
        bpy.context.scene.frame_set(8)
        bpy.ops.object.mode_set(mode="POSE")
        rig().data.bones.active = rig().data.bones[known["walk"]["foot"]["L"]]
        bpy.ops.ed.undo_push(message="Pose")
    before, contacts, start = bases(), all_of_contacts(), ankle()
    for leave in ("ESC", "RIGHTMOUSE", "frame", "disable"):
        yield from begin_drag_foot()
        yield from moved((-30, 40))
        yield from until(lambda: np.linalg.norm(ankle() - start) > 0.02)
        yield from settled()
        flat = ankle()
        yield from hand.key("G")
        yield from moved((40, 0))
        yield from until(lambda before=flat: abs(ankle() - before).max() > 0.01)
        yield from settled()
        assert abs(ankle()[2] - flat[2]) < 1e-4
        for key in ("R", "K"):
            yield from hand.key(key)
            yield from moved((25, 10))
        if leave == "frame":
            bpy.context.scene.frame_set(9)
            yield from moved((5, 5))
            bpy.context.scene.frame_set(8)
        elif leave == "disable":
            sys.modules[known["addon"]].unregister()
            assert bases() == before
            sys.modules[known["addon"]].register()
            yield from moved((5, 5))
        else:
            yield from hand.key(leave)
        yield from until(lambda: bases() == before)
        assert all_of_contacts() == contacts


def step_a_foot_is_dragged_by_a_number_and_planted_so():
    contacts, start = all_of_contacts(), ankle()
    yield from begin_drag_foot()
    yield from hand.key("Z")
    yield from hand.write("0.05")
    yield from until(lambda: np.abs(ankle() - start - [0.0, 0.0, 0.05]).max() < 1e-4)
    yield from hand.shot("10d_foot_dragged")
    yield from hand.key("RET")
    yield from until(lambda: len(rig().animation_data.action.skelkin.foot_edits) == 1)
    addon_preferences().shows_contacts = True
    yield from hand.shot("10e_foot_edit")
    addon_preferences().shows_contacts = False
    assert np.abs(ankle() - start - [0.0, 0.0, 0.05]).max() < 1e-4
    yield from hand.press("Z", ctrl=True)
    yield from until(lambda: not len(rig().animation_data.action.skelkin.foot_edits))
    assert all_of_contacts() == contacts
    yield from until(lambda: np.abs(ankle() - start).max() < 1e-5)
    with hand.at_the_view():
        bpy.ops.object.mode_set(mode="OBJECT")


def step_the_keymap_is_there_once_and_goes_with_the_add_on():
    config, addon = bpy.context.window_manager.keyconfigs.addon, sys.modules[known["addon"]]

    def items() -> list[str]:
        return sorted(k.name for k in config.keymaps for item in k.keymap_items if item.idname.startswith("skelkin."))

    assert items() == ["3D View", "Dopesheet"]
    for _ in range(50):
        addon.unregister()
        assert items() == []
        addon.register()
    assert items() == ["3D View", "Dopesheet"]
    yield from hand.redraw()
    yield from raise_the_dope_sheet(-180)
    yield 0.5


def step_contacts_are_listed_and_drawn_and_found_anew_after_asking():
    preferences = addon_preferences()
    panel = bpy.types.SKELKIN_PT_contacts
    own = {"bl_idname": "SKELKIN_PT_contacts_open", "bl_label": panel.bl_label, "bl_options": set(), "draw": panel.draw}
    opened = type(own["bl_idname"], panel.__bases__, own)  # Blender remembers that the panel itself was drawn folded
    bpy.utils.register_class(opened)
    preferences.shows_contacts = True
    rig().animation_data.action.skelkin.contacts[0].last += 2
    yield 0.5
    yield from hand.scroll_down(30)
    yield from hand.shot("11_contacts")
    assert rig().animation_data.action.skelkin.contacts_edited
    yield from hand.click("skelkin.find_contacts_again")
    yield from hand.shot("12_found_anew_after_asking")
    assert rig().animation_data.action.skelkin.contacts_edited
    yield from hand.key("RET")
    yield from until(lambda: not rig().animation_data.action.skelkin.contacts_edited)
    preferences.shows_contacts = False
    bpy.utils.unregister_class(opened)
    yield from hand.redraw()
    yield from hand.scroll_up()


def step_esc_leaves_many_at_once_without_a_trace():
    with hand.at_the_view():
        assert bpy.ops.skelkin.remove() == {"FINISHED"}
        bpy.data.batch_remove([action for action in bpy.data.actions if action.name != "Walk"])
        for _ in range(30):
            bpy.data.actions["Walk"].copy()
        bpy.ops.ed.undo_push(message="Actions")
    place = yield from hand.look_for("skelkin.plant_actions")
    assert place, "the sidebar has no button for all actions"
    yield from hand.tap_at(*place)
    yield from hand.shot("13_many_in_progress")
    yield from hand.key("ESC")
    assert len(bpy.data.actions) == 31
    assert len(rig().skelkin_legs) == 0
    assert not planted()


def step_many_at_once_by_a_click_and_undone_in_one_step():
    yield from hand.click("skelkin.plant_actions")
    yield from until(lambda: len(bpy.context.window_manager.skelkin_results) == 31)
    yield from hand.shot("14_many_planted")
    assert len(bpy.data.actions) == 62
    assert planted()
    yield from hand.press("Z", ctrl=True)
    assert len(bpy.data.actions) == 31
    assert not planted()
    assert pose_bits(rig(), known["walk"]["frames"]) == known["bits"]


def step_esc_leaves_a_long_reading_of_the_scene_without_a_trace():
    scene = bpy.context.scene
    scene.frame_set(8)
    scene.frame_end = 20000
    rig().skelkin_own_settings = True
    rig().skelkin_read, rig().skelkin_frames = "STEP", "SCENE"
    yield from hand.scroll_up()
    place = yield from hand.look_for("skelkin." + SWITCH)
    assert place
    yield from hand.tap_at(*place)
    yield 1.0
    assert scene.frame_current > 8
    yield from hand.shot("15_reading_the_scene")
    yield from hand.key("ESC")
    assert scene.frame_current == 8
    assert not planted()
    assert len(bpy.data.actions) == 31
    scene.frame_end = 60
    assert pose_bits(rig(), known["walk"]["frames"]) == known["bits"]


def refusal(verb: str) -> str:
    """Return what an operator says when it refuses, empty if it does not."""
    with hand.at_the_view():
        try:
            getattr(bpy.ops.skelkin, verb)("EXEC_DEFAULT")
        except RuntimeError as error:
            return str(error)
    return ""


def step_nothing_is_switched_while_a_render_runs():
    bpy.context.preferences.view.render_display_type = "NONE"
    # Cycles runs Python in its own thread, which beside a window that is drawn crashes Blender 3.4 or leaves it locked.
    # All frames are rendered: a simulated Escape stops no render.
    ready_to_render(bpy.app.tempdir, frames=500, engine="BLENDER_WORKBENCH")
    rig().skelkin_own_settings = False
    before = digest(rig(), bpy.data.actions["Walk"])
    with hand.at_the_view():
        bpy.ops.render.render("INVOKE_DEFAULT", animation=True)
        yield from until(lambda: bpy.app.is_job_running("RENDER"))
    yield from hand.shot("14_render_running")
    for verb in (SWITCH, "find_legs", "remove", "clean_up", "plant_actions", "plant_selected"):
        assert "A render is running: wait for its end, or cancel it" in refusal(verb), verb
    assert bpy.app.is_job_running("RENDER")
    yield from until(lambda: not bpy.app.is_job_running("RENDER"), seconds=300.0)  # 5 to 80 ms a frame
    yield from hand.redraw()  # Blender's data is locked for a moment after that
    assert not planted()
    assert len(bpy.data.actions) == 31
    assert digest(rig(), bpy.data.actions["Walk"]) == before
    with hand.at_the_view():
        assert getattr(bpy.ops.skelkin, SWITCH)() == {"FINISHED"}
    assert planted()


run(globals())
