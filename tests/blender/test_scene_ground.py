# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of the scene as ground: feet stand on what is there, still or moving."""

from __future__ import annotations

import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from drawing import draw, sentences
from terrain import hills, terrain

pytestmark = pytest.mark.usefixtures("addon")


def heights_above(walk, side: str, height=hills) -> np.ndarray:
    """Return how far an ankle is above the terrain on the stance frames of one leg, in leg lengths."""
    heads = stepping.world_heads(walk.object, [walk.legs[side][2]], walk.frames)[:, 0]
    unit = walk.leg_length / 0.9
    above = heads[:, 2] - unit * height(heads[:, 0] / unit, heads[:, 1] / unit)
    rows = [frame - walk.frames[0] for span in walk.stance[side] for frame in range(span[0] + 3, span[1] - 2)]
    return above[rows] / walk.leg_length


def switch(**options):
    """Click the switch with objects as ground."""
    return bpy.ops.skelkin.leg_ik(ground="OBJECTS", **options)


def test_feet_stand_on_a_terrain_and_do_not_slide():
    walk = rigs.mixamo_walk()
    flat = heights_above(walk, "L", lambda x, y: 0 * x)
    terrain(walk)
    before = np.ptp(heights_above(walk, "L"))
    assert switch(ground_object="Terrain") == {"FINISHED"}
    after = heights_above(walk, "L")
    assert np.ptp(after) < 0.5 * before
    assert abs(np.median(after) - np.median(flat)) <= 0.02
    heads = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)[:, 0]
    assert max(stepping.stance_slide(heads, walk.stance["L"], walk.frames[0])) <= 0.02 * walk.leg_length


def test_a_collection_and_an_object_are_one_ground():
    walk = rigs.mixamo_walk()
    thing = terrain(walk)
    group = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(group)
    group.objects.link(thing)
    assert switch(ground_collection="Ground") == {"FINISHED"}
    one = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert switch(ground_object="Terrain", ground_collection="Ground") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == one


def test_off_is_exact_and_update_follows_the_terrain():
    walk = rigs.mixamo_walk()
    thing = terrain(walk)
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch(ground_object="Terrain") == {"FINISHED"}
    old = stepping.pose_bits(walk.object, walk.frames)
    thing.location.z += 0.05 * walk.leg_length
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) != old
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_a_lift_carries_standing_feet():
    walk = rigs.mixamo_walk()
    thing = terrain(walk, lambda x, y: 0 * x, size=4, name="Lift")
    keys.new_action(thing, "Rising")
    frames = np.array([walk.frames[0], walk.frames[-1]])
    rise = 0.3 * walk.leg_length
    keys.write(thing, "location", frames, np.array([[0, 0, 0], [0, 0, rise]], dtype=float))
    bpy.context.scene.frame_set(1)
    assert switch(ground_object="Lift") == {"FINISHED"}
    heads = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)[:, 0]
    lifted = np.interp(walk.frames, frames, [0, rise])
    rows = [frame - walk.frames[0] for span in walk.stance["L"] for frame in range(span[0] + 3, span[1] - 2)]
    assert np.ptp((heads[:, 2] - lifted)[rows]) <= 0.03 * walk.leg_length


def wobbling(walk, size: int = 30):
    """Return a terrain that a shape key raises from flat, keyed over the walk."""
    thing = terrain(walk, lambda x, y: 0 * x, size=size, name="Blanket")
    raised = terrain(walk, lambda x, y: 0.1 + hills(x, y), size=size, name="Raised")
    thing.shape_key_add(name="Basis")
    block = thing.shape_key_add(name="Raised")
    for one, other in zip(block.data, raised.data.vertices, strict=True):
        one.co = other.co
    bpy.data.objects.remove(raised)
    for frame, value in ((walk.frames[0], 0.0), (walk.frames[-1], 1.0)):
        block.value = value
        block.keyframe_insert("value", frame=frame)
    bpy.context.scene.frame_set(1)
    return thing


def test_feet_stand_on_a_mesh_that_changes_its_shape():
    walk = rigs.mixamo_walk()
    flat = heights_above(walk, "L", lambda x, y: 0 * x)
    wobbling(walk)
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch(ground_object="Blanket") == {"FINISHED"}
    heads = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)[:, 0]
    unit, span = walk.leg_length / 0.9, walk.frames[-1] - walk.frames[0]
    for first, last in walk.stance["L"]:
        row = (first + last) // 2 - walk.frames[0]
        part = row / span
        part = part * part * (3 - 2 * part)  # the curve between two keys
        under = part * unit * (0.1 + hills(heads[row, 0] / unit, heads[row, 1] / unit))
        assert abs(heads[row, 2] - under - np.median(flat) * walk.leg_length) <= 0.03 * walk.leg_length
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_what_a_mesh_that_may_change_its_shape_costs_is_said_before_it_is_paid(addon, monkeypatch):
    walk = rigs.mixamo_walk()
    wobbling(walk)
    terrain(walk, lambda x, y: 0 * x, name="Still")
    ground = sys.modules[f"{addon.__name__}.bridge.scene_ground"]
    walk.object.skelkin_own_settings, walk.object.skelkin_ground = True, "OBJECTS"
    walk.object.skelkin_ground_object = "Blanket"
    assert "Blanket" not in sentences(draw("SKELKIN_PT_settings"))  # a moment
    monkeypatch.setattr(ground, "_A_SECOND", 1e4)
    told = "Blanket may change its shape: 1682 triangles on 60 frames, about 10 s"
    assert told in sentences(draw("SKELKIN_PT_settings"))
    monkeypatch.setattr(ground, "_MOST", 1e5)
    assert "1682 triangles on 60 frames, too many: choose a simpler mesh" in sentences(draw("SKELKIN_PT_settings"))
    for name in ("Still", "Gone"):
        walk.object.skelkin_ground_object = name
        assert "may change its shape" not in sentences(draw("SKELKIN_PT_settings"))


def test_a_mesh_that_changes_its_shape_and_is_too_large_is_refused_with_its_cost(addon, monkeypatch):
    walk = rigs.mixamo_walk()
    wobbling(walk)
    monkeypatch.setattr(sys.modules[f"{addon.__name__}.bridge.scene_ground"], "_MOST", 1e4)
    with pytest.raises(RuntimeError, match=r"Blanket changes its shape, and its 1682 triangles on \d+ frames take too"):
        switch(ground_object="Blanket")


REFUSED = {
    "nothing chosen": ({}, "No ground is chosen: name an object or a collection"),
    "a name that is gone": ({"ground_object": "Gone"}, "There is no object named Gone: choose another ground"),
    "an empty": ({"ground_object": "Empty"}, "Empty holds no mesh that feet could stand on: choose another ground"),
    "a mesh without faces": ({"ground_object": "Cloud"}, "Cloud has no faces that feet could stand on: choose another"),
    "a mesh that grows": ({"ground_object": "Sea"}, r"The faces of Sea change in frame \d+: choose a ground"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_ground_is_refused_with_what_to_do(case):
    walk = rigs.mixamo_walk()
    scene = bpy.context.scene
    sea = terrain(walk, size=8, name="Sea")
    grown = sea.modifiers.new("Build", "BUILD")
    grown.frame_start, grown.frame_duration = -500, 530
    for thing in (bpy.data.objects.new("Empty", None), bpy.data.objects.new("Cloud", bpy.data.meshes.new("Cloud"))):
        scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    bpy.ops.skelkin.find_legs()
    before = scene_digest.digest(walk.object)
    options, sentence = REFUSED[case]
    with pytest.raises(RuntimeError, match=sentence):
        switch(**options)
    assert scene_digest.digest(walk.object) == before


@pytest.mark.parametrize("moves", [False, True], ids=["still", "moving"])
def test_ground_that_is_disabled_is_refused_and_left_out_of_its_collection(moves):
    walk = rigs.mixamo_walk()
    thing = terrain(walk)
    if moves:
        thing.keyframe_insert("location", frame=walk.frames[0])
    spare = terrain(walk, lambda x, y: 0.5 + 0 * x, name="Platform")
    group = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(group)
    for each in (thing, spare):
        group.objects.link(each)
        each.hide_viewport = True
    with pytest.raises(RuntimeError, match="Terrain or its collection is disabled in viewports"):
        switch(ground_object="Terrain")
    with pytest.raises(RuntimeError, match="or its collection is disabled in viewports"):
        switch(ground_collection="Ground")
    thing.hide_viewport = False
    bpy.context.view_layer.update()
    assert switch(ground_collection="Ground") == {"FINISHED"}
    without = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert switch(ground_object="Terrain") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == without


def test_the_armatures_own_skin_is_no_ground():
    walk = rigs.mixamo_walk()
    skin = terrain(walk, size=4, name="Skin")
    modifier = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = walk.object
    with pytest.raises(RuntimeError, match="Skin holds no mesh that feet could stand on"):
        switch(ground_object="Skin")


def test_triangles_that_lie_above_each_other_are_asked_one_by_one():
    walk = rigs.mixamo_walk()
    thing = terrain(walk, size=20)
    tower = [thing.copy() for _ in range(30)]
    for k, copy in enumerate(tower):
        copy.location.z = -(k + 1) * walk.leg_length
        bpy.context.scene.collection.objects.link(copy)
    group = bpy.data.collections.new("Tower")
    bpy.context.scene.collection.children.link(group)
    for each in (thing, *tower):
        group.objects.link(each)
    bpy.context.view_layer.update()
    assert switch(ground_object="Terrain") == {"FINISHED"}
    alone = np.array(stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames))
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert switch(ground_collection="Tower") == {"FINISHED"}
    found = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)
    assert np.abs(found - alone).max() <= 1e-4 * walk.leg_length


def instanced(thing, name: str = "Set", *, nested: bool = False):
    """Move an object into a collection of its own, and return an object that places that."""
    group = bpy.data.collections.new(name)
    for holder in thing.users_collection:
        holder.objects.unlink(thing)
    group.objects.link(thing)
    place = bpy.data.objects.new(f"{name} place", None)
    place.instance_type, place.instance_collection = "COLLECTION", group
    bpy.context.scene.collection.objects.link(place)
    if nested:
        return instanced(place, f"Outer {name}")
    bpy.context.view_layer.update()
    return place


def feet(walk) -> np.ndarray:
    return stepping.world_heads(walk.object, [leg[2] for leg in walk.legs.values()], walk.frames)


def feet_without_instances(walk, shift=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Return where feet are that are planted on the same terrain as it is; the walk is left as it was."""
    spare = bpy.data.objects["Terrain"].copy()
    spare.name, spare.location = "Spare", shift
    bpy.context.scene.collection.objects.link(spare)
    assert switch(ground_object="Spare") == {"FINISHED"}
    found = feet(walk)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    bpy.data.objects.remove(spare)
    return found


@pytest.mark.parametrize("by", ["object", "collection", "nested"])
def test_a_set_that_is_instanced_is_ground(by):
    walk = rigs.mixamo_walk(frames=40)
    place = instanced(terrain(walk), nested=by == "nested")
    place.location = (0.3, 0.1, 0.05)
    expected = feet_without_instances(walk, place.location)
    chosen = {"ground_collection": "Set"} if by == "collection" else {"ground_object": place.name}
    assert switch(**chosen) == {"FINISHED"}
    np.testing.assert_allclose(feet(walk), expected, atol=1e-5)


def test_a_set_that_is_linked_and_instanced_is_ground(tmp_path):
    walk = rigs.mixamo_walk(frames=40)
    place = instanced(terrain(walk))
    expected, group = feet_without_instances(walk), bpy.data.collections["Set"]
    bpy.data.libraries.write(str(tmp_path / "set.blend"), {group})
    bpy.data.objects.remove(bpy.data.objects["Terrain"])
    bpy.data.collections.remove(group)
    with bpy.data.libraries.load(str(tmp_path / "set.blend"), link=True) as (_, target):
        target.collections = ["Set"]
    place.instance_type, place.instance_collection = "COLLECTION", target.collections[0]
    bpy.context.view_layer.update()
    assert switch(ground_object=place.name) == {"FINISHED"}
    np.testing.assert_allclose(feet(walk), expected, atol=1e-5)


@pytest.mark.parametrize("moved", ["set", "part"])
def test_an_instanced_set_that_moves_carries_feet(moved):
    walk = rigs.mixamo_walk(frames=40)
    lift = terrain(walk, lambda x, y: 0 * x, name="Lift", size=4)
    place = instanced(lift)
    rising = place if moved == "set" else lift
    for frame, height in ((walk.frames[0], 0.0), (walk.frames[-1], 0.1 * walk.leg_length)):
        rising.location.z = height
        rising.keyframe_insert("location", frame=frame)
    before = feet(walk)
    assert switch(ground_object=place.name) == {"FINISHED"}
    rise = (feet(walk) - before)[..., 2]
    assert (rise[-1] - rise[0]).max() > 0.05 * walk.leg_length
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert np.array_equal(feet(walk), before)


def test_a_dragged_foot_is_set_on_an_instanced_set():
    walk = rigs.mixamo_walk(frames=24)
    place = instanced(terrain(walk, lambda x, y: 0 * x, size=4))
    ob, foot = walk.object, walk.legs["L"][2]
    ob.skelkin_own_settings = True
    ob.skelkin_ground, ob.skelkin_ground_object = "OBJECTS", place.name
    bpy.ops.object.mode_set(mode="POSE")
    ob.data.bones.active = ob.data.bones[foot]
    found = []
    for height in (0.0, 0.1 * walk.leg_length):
        place.location.z = height
        bpy.context.view_layer.update()
        assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.0, 0.0, 0.0), snap=True) == {"FINISHED"}
        bpy.context.view_layer.update()
        found.append((ob.matrix_world @ ob.pose.bones[foot].head).z)
    assert found[1] - found[0] == pytest.approx(0.1 * walk.leg_length, abs=1e-3 * walk.leg_length)
