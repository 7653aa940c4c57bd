# SPDX-License-Identifier: MIT
"""The add-on's zips, and their installation by the operators that a user's click runs."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

EXTENSION = bpy.app.version >= (4, 2)
SWITCH = "leg_ik"  # the operator behind the switch: bpy.ops.skelkin.leg_ik


def zip_path(legacy: bool = not EXTENSION) -> Path:
    """Return the add-on file that belongs to this Blender: the extension from 4.2 on, the legacy zip before."""
    name = "SKELKIN_TEST_LEGACY" if legacy else "SKELKIN_TEST_EXTENSION"
    path = Path(os.environ.get(name, ""))
    assert path.is_file(), f"{name} names no file: run `make addon`"
    return path


def install_addon(path: Path, enable: bool = True) -> str:
    """Install the file as a user would, and enable it; return the name of its module."""
    if "-legacy-" in path.stem:
        result, module = bpy.ops.preferences.addon_install(filepath=str(path), overwrite=True), "skelkin"
        if enable:
            assert bpy.ops.preferences.addon_enable(module=module) == {"FINISHED"}
    else:
        result, module = (
            bpy.ops.extensions.package_install_files(
                filepath=str(path), repo="user_default", enable_on_install=enable, overwrite=True
            ),
            "bl_ext.user_default.skelkin",
        )
    assert result == {"FINISHED"}
    assert not enable or module in bpy.context.preferences.addons, f"{module} is not enabled"
    return module
