# SPDX-License-Identifier: MIT
"""The panel tells what planting cost, what was edited meanwhile and what helps; the report opens as a page."""

from __future__ import annotations

import json
import math
import re
import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping
from drawing import Layout, draw, operators, sentences, texts
from mathutils import Matrix

pytestmark = pytest.mark.usefixtures("addon")


def mark_of(ob):
    return ob.animation_data.action.skelkin


@pytest.fixture
def noticing(addon):
    return sys.modules[f"{addon.__name__}.bridge.noticing"]


def edit(curve, amount=0.3):
    for point in curve.keyframe_points:
        point.co[1] += amount


def test_the_panel_has_the_five_lines_of_the_report():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    drawn = texts(draw("SKELKIN_PT_leg_ik"))
    for stem in ("feet stand left", "slide ", "ground sank", "knees changed by", "body moved by"):
        assert stem in drawn
    assert "Nothing that a viewer would mind." in drawn.replace(" | ", " ")
    rows = {title: figures for title, *figures, _ in json.loads(mark_of(walk.object).figures)}
    before, after = map(float, rows["worst slide"][0].removesuffix(" cm").split(" → "))
    assert before > 1.0 > after
    assert {"body moves suddenly", "foot swings off its path"} <= {title.split(": ")[-1] for title in rows}
    table = texts(draw("SKELKIN_PT_figures")).replace(" | ", " ")
    assert f"{before:.2f} → {after:.2f} cm" in table
    assert "% of the leg" in table
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert draw("SKELKIN_PT_figures") is None


def test_what_is_beyond_its_limit_is_marked_in_the_table():
    walk = rigs.human_metarig_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not any(over for *_, over in json.loads(mark_of(walk.object).figures))
    assert bpy.ops.skelkin.update(contacts="ALWAYS") == {"FINISHED"}
    assert any(over for *_, over in json.loads(mark_of(walk.object).figures))


def test_an_edit_of_the_original_is_noticed_while_it_is_on(noticing):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bpy.context.view_layer.update()
    noticing.compare()
    assert not mark_of(walk.object).source_changed
    curve = keys.fcurves(walk.object, walk.action)[0]
    former = [point.co[1] for point in curve.keyframe_points]
    edit(curve)
    bpy.context.view_layer.update()
    assert noticing.compare() == 1
    assert mark_of(walk.object).source_changed
    assert "The original has changed" in sentences(draw("SKELKIN_PT_leg_ik"))
    for point, value in zip(curve.keyframe_points, former, strict=True):
        point.co[1] = value
    bpy.context.view_layer.update()
    assert noticing.compare() == 1
    assert not mark_of(walk.object).source_changed


def test_edits_of_the_planted_action_and_playback_do_not_compare_digests(noticing, monkeypatch):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bpy.context.view_layer.update()
    noticing.compare()
    monkeypatch.setattr(noticing.originals, "digest", lambda *_: pytest.fail("a digest was made"))
    edit(keys.fcurves(walk.object)[0])
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    draw("SKELKIN_PT_leg_ik")
    assert noticing.compare() == 0


def test_an_undone_edit_of_the_original_is_noticed_as_undone(noticing):
    walk = rigs.mixamo_walk()
    name, source = walk.object.name, walk.action.name
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="on")
    edit(keys.fcurves(walk.object, walk.action)[0])
    bpy.context.view_layer.update()
    noticing.compare()
    bpy.ops.ed.undo_push(message="edited")
    assert mark_of(bpy.data.objects[name]).source_changed
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    noticing.compare()
    assert not mark_of(bpy.data.objects[name]).source_changed
    assert source in bpy.data.actions


def test_legs_that_were_changed_while_off_are_planted_anew_when_switched_on(capfd):
    walk = rigs.mixamo_walk()
    ob = walk.object
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    next(leg for leg in ob.skelkin_legs if leg.side == "left").enabled = False
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert "The legs have changed since: planted again" in capfd.readouterr().out
    bones = {item.bone for item in mark_of(ob).channels}
    assert not bones & set(walk.legs["L"])
    assert bones & set(walk.legs["R"])
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before


def test_update_says_where_edited_keys_went_that_are_no_touch_up(capfd):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    name = walk.object.animation_data.action.name
    path = keys.bone_path(walk.legs["L"][0], "rotation_quaternion")
    next(c for c in keys.fcurves(walk.object) if c.data_path == path).mute = True
    capfd.readouterr()
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert f"The edited leg keys are kept in {name} edited" in capfd.readouterr().out
    assert f"{name} edited" in bpy.data.actions


def test_a_body_that_lies_along_another_axis_is_told_with_advice():
    walk = rigs.mixamo_walk()
    walk.object.matrix_world = Matrix.Rotation(math.pi / 2, 4, "X") @ walk.object.matrix_world
    bpy.context.view_layer.update()
    try:
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        said = " ".join(warning.text for warning in mark_of(walk.object).warnings)
    except RuntimeError as error:
        said = str(error)
    assert "The body stands along -Y of the world" in said
    assert "rotate the armature object" in said


def test_feet_that_never_stand_are_told_without_advice_that_would_throw_the_body():
    walk = rigs.mixamo_walk()
    generator = np.random.default_rng(1)
    for curve in keys.fcurves(walk.object):
        if f'"{walk.pelvis}"].location' in curve.data_path:
            for point in curve.keyframe_points:
                point.co[1] += generator.uniform(-100, 100)
            curve.update()
    with pytest.raises(RuntimeError, match="no foot ever stands") as refused:
        bpy.ops.skelkin.leg_ik()
    assert "Always" not in str(refused.value)


def test_the_report_is_written_as_a_page_and_nothing_changes(tmp_path, capfd):
    walk = rigs.mixamo_walk()
    ob, page = walk.object, tmp_path / "report.html"
    with pytest.raises(RuntimeError, match="Switch Leg IK on first"):
        bpy.ops.skelkin.open_report(filepath=str(page), show=False)
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on, planted, actions = stepping.pose_bits(ob, walk.frames), ob.animation_data.action, len(bpy.data.actions)
    assert bpy.ops.skelkin.open_report(filepath=str(page), show=False) == {"FINISHED"}
    assert str(page) in capfd.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "feet stand" in text
    assert f'"numJoints":{len(ob.data.bones)},' in text  # all bones, not the legs alone
    assert '"first":1,' in text or '"first":1}' in text  # its frames are those of the scene
    assert re.search(r"<td>1–\d+</td>", text)
    assert (ob.animation_data.action, len(bpy.data.actions)) == (planted, actions)
    assert stepping.pose_bits(ob, walk.frames) == on
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before


def test_the_report_goes_to_a_temporary_file_and_says_what_changed_since(capfd):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    edit(keys.fcurves(walk.object, walk.action)[0], 0.001)
    capfd.readouterr()
    assert bpy.ops.skelkin.open_report(show=False) == {"FINISHED"}
    said = capfd.readouterr().out
    assert "has changed since: the report is what Update would do" in said
    assert ".html" in said
    assert "skelkin.open_report" in operators(draw("SKELKIN_PT_leg_ik"))


def preferences(addon):
    return bpy.context.preferences.addons[addon.__name__].preferences


def test_armatures_are_planted_with_the_settings_of_the_preferences(addon):
    walk = rigs.mixamo_walk()
    preferences(addon).contacts = "ALWAYS"
    try:
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert json.loads(mark_of(walk.object).settings)["contacts"] == "ALWAYS"
        assert bpy.ops.skelkin.remove() == {"FINISHED"}
        assert bpy.ops.skelkin.leg_ik(contacts="AUTO") == {"FINISHED"}  # what is given counts
        assert json.loads(mark_of(walk.object).settings)["contacts"] == "AUTO"
    finally:
        preferences(addon).contacts = "AUTO"


def test_a_setting_that_is_changed_in_the_panel_is_the_armatures_own(addon):
    ob = rigs.mixamo_walk().object
    assert ("prop", ob, "skelkin_ground") in [item[:3] for item in draw("SKELKIN_PT_settings")]
    ob.skelkin_ground = "HEIGHT"
    assert ob.skelkin_own_settings
    ob.skelkin_own_settings = False
    assert ob.skelkin_ground == "AUTO"
    preferences(addon).contacts = "ALWAYS"
    try:
        drawn = draw("SKELKIN_PT_settings")
        assert "From the add-on's preferences, for all armatures" in texts(drawn).replace(" | ", " ")
        assert ("prop", ob, "skelkin_ground") not in [item[:3] for item in drawn]
    finally:
        preferences(addon).contacts = "AUTO"


def test_a_body_that_sits_does_not_lie():
    walk = rigs.mixamo_walk()
    for thigh, *_ in walk.legs.values():
        for frame in walk.frames:
            bpy.context.scene.frame_set(frame)
            bone = walk.object.pose.bones[thigh]
            turn = Matrix.Rotation(math.radians(-80), 3, "X").to_quaternion()
            bone.rotation_quaternion = bone.rotation_quaternion @ turn
            bone.keyframe_insert("rotation_quaternion")
    try:
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        said = " ".join(warning.text for warning in mark_of(walk.object).warnings)
    except RuntimeError as error:
        said = str(error)
    assert "rotate the armature object" not in said


def test_an_armature_with_own_settings_is_planted_with_them_and_keeps_what_is_chosen():
    walk = rigs.mixamo_walk()
    ob = walk.object
    ob.skelkin_own_settings = True
    ob.skelkin_ground, ob.skelkin_ground_height = "HEIGHT", 0.25
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert json.loads(mark_of(ob).settings)["ground_height"] == 0.25
    ob.skelkin_ground_height = 0.125
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert json.loads(mark_of(ob).settings)["ground_height"] == 0.125
    assert bpy.ops.skelkin.update(ground_height=0.5) == {"FINISHED"}
    assert ob.skelkin_ground_height == 0.5
    assert ("prop", ob, "skelkin_ground_height") in [item[:3] for item in draw("SKELKIN_PT_settings")]
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert not ob.skelkin_own_settings
    assert not ob.is_property_set("skelkin_ground_height")


def test_links_are_drawn_where_the_add_on_states_them(addon, monkeypatch):
    rigs.mixamo_walk()
    monkeypatch.setattr(sys.modules[f"{addon.__name__}.links"], "DOC_URL", "https://example.org/docs")
    layout = Layout()
    bpy.types.SKELKIN_PT_leg_ik.draw_header_preset(type("Fake", (), {"layout": layout})(), bpy.context)
    assert [item[1] for item in layout.drawn] == ["wm.url_open"]
