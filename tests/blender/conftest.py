# SPDX-License-Identifier: MIT
"""What the tests inside Blender share: a clean file before each, the installed add-on, an exit that works."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy
import pytest
from installing import install_addon, zip_path


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


@pytest.fixture(scope="session")
def addon():
    """Install the add-on once per process; the value is its module."""
    return sys.modules[install_addon(zip_path())]
