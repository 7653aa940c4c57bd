# SPDX-License-Identifier: MIT
"""The two zips, installed as a user does it; here nothing but the zip can provide the native module."""

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import bpy
import pytest
from installing import EXTENSION, install_addon, zip_path
from rigs import human_metarig_walk, mixamo_walk
from stepping import pose_bits, stance_slide, world_heads


def test_only_the_zip_provides_the_native_module():
    assert importlib.util.find_spec("skelkin_py") is None


def test_the_zip_installs_enables_and_states_the_version(addon):
    names = zipfile.ZipFile(zip_path()).namelist()
    stated = zip_path().name.split("-")[1]
    assert stated == sys.modules[addon.__name__ + ".bridge.native"].VERSION
    assert Path(bpy.utils.resource_path("USER")) in Path(addon.__file__).parents
    if EXTENSION:
        assert "blender_manifest.toml" in names
    else:
        assert {Path(name).parts[0] for name in names} == {"skelkin"}
        assert "skelkin/_vendor/skelkin_py/LICENSE" in names
    assert any(Path(name).name == "LICENSE" for name in names)


@pytest.mark.parametrize("maker", [human_metarig_walk, mixamo_walk])
def test_find_legs_and_the_switch_hold_the_feet_and_off_gives_the_old_animation_back(addon, maker):
    walk = maker()
    before = pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    for side, (_, _, foot, _) in walk.legs.items():
        heads = world_heads(walk.object, [foot], walk.frames)[:, 0]
        assert max(stance_slide(heads, walk.stance[side], walk.frames[0])) <= 0.0005 * walk.leg_length
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert pose_bits(walk.object, walk.frames) == before


def test_the_native_module_runs_from_the_installed_zip(addon):
    native = sys.modules[addon.__name__ + ".bridge.native"].load()
    folder = Path(native.__file__).parent
    assert (Path(bpy.utils.resource_path("USER")).parent if EXTENSION else Path(addon.__path__[0])) in folder.parents
    assert list(folder.glob("_core*"))


@pytest.mark.posix  # Windows keeps a library that is loaded: there Blender is to be started anew before
def test_installing_again_and_removing_leave_blender_working(addon):
    module = addon.__name__
    assert install_addon(zip_path()) == module
    if EXTENSION:
        repos = bpy.context.preferences.extensions.repos
        index = next(i for i, repo in enumerate(repos) if repo.module == "user_default")
        assert bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="skelkin") == {"FINISHED"}
    else:
        assert bpy.ops.preferences.addon_disable(module=module) == {"FINISHED"}
    assert module not in bpy.context.preferences.addons
    assert not hasattr(bpy.types, "SKELKIN_PT_main")
    assert install_addon(zip_path()) == module


if EXTENSION:  # the tool came with Blender 4.2

    def test_blenders_own_tool_finds_the_extension_valid():
        tool = next(Path(bpy.utils.system_resource("SCRIPTS")).rglob("blender_ext.py"))
        command = [sys.executable, "-s", str(tool), "validate", str(zip_path())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
