# SPDX-License-Identifier: MIT
"""The lines by which Blender turns files that are not read into such that are: run as they are printed."""

from __future__ import annotations

import re
import shlex

import addon_utils
import bpy
import numpy as np
import pytest
import rigs

import skelkin_py as sk

ENDINGS = [".blend", ".fbx", *([".usdc"] if bpy.app.version >= (4, 2) else [])]  # 3.4 writes no armatures into USD

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")  # the glTF exporter of 3.4 has one


@pytest.fixture(autouse=True)
def exporters(monkeypatch):
    if "bool" not in vars(np):  # the exporter of 3.4 uses this name, which its numpy has not
        monkeypatch.setitem(vars(np), "bool", bool)
    for name in ("io_scene_gltf2", "io_scene_fbx"):
        addon_utils.enable(name)


def write(path: str) -> None:
    """Write what is in the scene into a file that is not read."""
    if path.endswith(".blend"):
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    elif path.endswith(".fbx"):
        bpy.ops.export_scene.fbx(filepath=path)
    else:
        bpy.ops.wm.usd_export(filepath=path, export_armatures=True, export_animation=True)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_line_of_the_message_gives_a_file_that_is_read(ending, tmp_path):
    walk = rigs.mixamo_walk()
    frames = len(walk.frames)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = int(walk.frames[0]), int(walk.frames[-1])
    skin = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))  # USD has skeletons with a mesh alone
    skin.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    scene.collection.objects.link(skin)
    skin.parent = walk.object
    skin.modifiers.new("Armature", "ARMATURE").object = walk.object
    for bone in walk.object.data.bones:
        skin.vertex_groups.new(name=bone.name).add([0, 1, 2], 1.0, "REPLACE")
    path = tmp_path / f"walk{ending}"
    write(str(path))
    with pytest.raises(ValueError, match="are not read yet; Blender turns one into glTF: blender -b") as caught:
        sk.load(path)
    words = shlex.split(re.sub(r".*into glTF: ", "", str(caught.value)))
    assert words[:2] == ["blender", "-b"]
    assert words[-2] == "--python-expr"
    if ending == ".blend":
        assert words[2:-2] == [str(path)]
        bpy.ops.wm.open_mainfile(filepath=words[2])
    exec(words[-1], {})
    clips = sk.load_animations(tmp_path / "walk.glb")
    clip = max(clips.values(), key=lambda each: each.num_frames)
    assert abs(clip.num_frames - frames) <= 1
    assert len(clip.find_legs()) == 2
