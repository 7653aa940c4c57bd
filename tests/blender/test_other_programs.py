# SPDX-License-Identifier: MIT
"""The lines by which Blender turns files that are not read into such that are: run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import addon_utils
import bpy
import pytest
import rigs
from installing import EXTENSION

import skelkin_py as sk

ENDINGS = [".blend", ".fbx", *([".usdc"] if bpy.app.version >= (4, 2) else [])]  # 3.4 writes no armatures into USD

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")  # the glTF exporter of 3.4 has one

#: stands in for the program where Blender is a module
_PROGRAM = """\
#!{python}
import sys
assert sys.argv[1:4] == ["-b", "--factory-startup", "--python-expr"], sys.argv
exec(sys.argv[4], {{}})
"""

pytestmark = pytest.mark.posix  # lines for its shell, in which `blender` is a script


@pytest.fixture(autouse=True)
def exporters():
    for name in ("io_scene_gltf2", "io_scene_fbx"):
        addon_utils.enable(name)


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Run a line as a user does, with ``blender`` as the Blender that this is, and its user's files."""
    for key in ("PYTHONPATH", "SKELKIN_TEST_PATH"):
        monkeypatch.delenv(key, raising=False)
    program = tmp_path / "bin" / "blender"
    program.parent.mkdir()
    if bpy.app.binary_path:
        program.symlink_to(bpy.app.binary_path)
        # The glTF exporter of 3.4 uses a name that its numpy no longer has.
        scripts = Path(bpy.utils.resource_path("USER"), "scripts", "startup")
        scripts.mkdir(parents=True, exist_ok=True)
        (scripts / "numpy_bool.py").write_text("import numpy\nnumpy.bool = bool\ndef register(): pass\n")
    else:
        program.write_text(_PROGRAM.format(python=sys.executable))
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    def run(line: str) -> str:
        done = subprocess.run(
            line, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False
        )
        return done.stdout

    return run


def write(path: str) -> None:
    """Write what is in the scene into a file that is not read."""
    if path.endswith(".blend"):
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    elif path.endswith(".fbx"):
        bpy.ops.export_scene.fbx(filepath=path)
    else:
        bpy.ops.wm.usd_export(filepath=path, export_armatures=True, export_animation=True)


def walk_file(path: Path) -> int:
    """Write a walk with its skin into a file that is not read; return its number of frames."""
    walk = rigs.mixamo_walk()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = int(walk.frames[0]), int(walk.frames[-1])
    skin = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))  # USD has skeletons with a mesh alone
    skin.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    scene.collection.objects.link(skin)
    skin.parent = walk.object
    skin.modifiers.new("Armature", "ARMATURE").object = walk.object
    for bone in walk.object.data.bones:
        skin.vertex_groups.new(name=bone.name).add([0, 1, 2], 1.0, "REPLACE")
    write(str(path))
    return len(walk.frames)


def printed_line(path: Path) -> str:
    with pytest.raises(ValueError, match="are not read yet; Blender turns one into glTF: blender -b") as caught:
        sk.load(path)
    return re.sub(r".*into glTF: ", "", str(caught.value))


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_line_of_the_message_gives_a_file_that_is_read(ending, tmp_path, shell):
    frames = walk_file(tmp_path / f"walk{ending}")
    said = shell(printed_line(tmp_path / f"walk{ending}"))
    assert (tmp_path / "walk.glb").is_file(), said
    clips = sk.load_animations(tmp_path / "walk.glb")
    clip = max(clips.values(), key=lambda each: each.num_frames)
    assert abs(clip.num_frames - frames) <= 1
    assert len(clip.find_legs()) == 2


def test_the_line_holds_for_any_name_of_a_file(tmp_path, shell):
    path = tmp_path / 'Bob\'s "new" walk, $HOME & `id` \\ 50%! (1).fbx'
    walk_file(path)
    said = shell(printed_line(path))
    assert path.with_suffix(".glb").is_file(), said


if EXTENSION:  # only extensions bring modules of their own

    def test_the_line_leaves_the_modules_of_extensions_to_an_open_blender(addon, tmp_path, shell):
        folder = Path(bpy.utils.resource_path("USER"), "extensions", ".local")
        files = sorted(folder.rglob("skelkin_py/**/*.py"))
        assert files
        walk_file(tmp_path / "walk.fbx")
        said = shell(printed_line(tmp_path / "walk.fbx"))
        assert (tmp_path / "walk.glb").is_file(), said
        assert sorted(folder.rglob("skelkin_py/**/*.py")) == files
