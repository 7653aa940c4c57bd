# SPDX-License-Identifier: MIT
"""What the tests inside Blender share: a clean file before each test, the add-on as a user installs it, an exit that works."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy
import pytest

VERSION = bpy.app.version


def pytest_collection_finish(session):
    """Leave the number of tests for the parent process, which compares it with the report."""
    if target := os.environ.get("SKELKIN_TEST_COLLECTED"):
        Path(target).write_text(str(len(session.items)))


def pytest_sessionfinish(session, exitstatus):
    session.config.skelkin_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Leave without the interpreter's clean-up: 4.2 crashes and 4.5 hangs there when classes are still registered."""
    sys.stdout.flush()
    sys.stderr.flush()
    if hasattr(config, "skelkin_status"):
        os._exit(config.skelkin_status)


@pytest.fixture(autouse=True)
def blender_clean():
    """Start each test in an empty file with factory settings; enabled add-ons stay enabled."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    yield
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def zip_path() -> Path:
    """Return the add-on file that belongs to this Blender: the extension from 4.2 on, the legacy zip before."""
    name = "SKELKIN_TEST_EXTENSION" if VERSION >= (4, 2) else "SKELKIN_TEST_LEGACY"
    path = Path(os.environ.get(name, ""))
    assert path.is_file(), f"{name} names no file: run `make addon`"
    return path


def install_addon(path: Path) -> str:
    """Install and enable the file as a user would; return the name of its module."""
    if VERSION >= (4, 2):
        result = bpy.ops.extensions.package_install_files(
            filepath=str(path), repo="user_default", enable_on_install=True, overwrite=True
        )
        module = "bl_ext.user_default.skelkin"
    else:
        result = bpy.ops.preferences.addon_install(filepath=str(path), overwrite=True)
        assert result == {"FINISHED"}
        result = bpy.ops.preferences.addon_enable(module="skelkin")
        module = "skelkin"
    assert result == {"FINISHED"}
    assert module in bpy.context.preferences.addons, f"{module} is not enabled"
    return module


@pytest.fixture(scope="session")
def addon():
    """Install the add-on once per process; the value is its module."""
    return sys.modules[install_addon(zip_path())]
