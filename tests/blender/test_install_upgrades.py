# SPDX-License-Identifier: MIT
"""Another version installed over one that is in use: nothing crashes, and no two versions work together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest
from installing import EXTENSION, zip_path
from other_version import zip_of_version

OLD = zip_path().name.split("-")[1]
NEW = OLD[:-1] + ("8" if OLD.endswith("9") else "9")
STILL = "Skelkin {} is still loaded: restart Blender to use {}"

# What is done in one Blender, and what comes of each planting: the version that planted, or what was said. "A" and "B"
# install and enable the one and the other version, "+B" only copies it over the one that is enabled.
ROUNDS = [
    # Windows does not let go of a library that is loaded, and so asks for the restart at once.
    pytest.param("A B plant A plant B plant", [NEW, STILL.format(NEW, OLD), NEW], marks=pytest.mark.posix),
    ("A plant A plant +B plant B plant A plant", [OLD, OLD, *[STILL.format(OLD, NEW)] * 2, OLD]),
]


def outcome(steps: str, legacy: bool, folder: Path) -> list[str]:
    """Do the steps in a Blender of its own; return what came of each `plant`."""
    own = zip_path(legacy)
    zips = {"A": own, "B": zip_of_version(own, NEW, folder)}
    words = [word if word == "plant" else word.replace(word[-1], str(zips[word[-1]])) for word in steps.split()]
    script, told = str(Path(__file__).with_name("upgrading.py")), folder / "told"
    start = [sys.executable, "-P", "-B", script]
    if bpy.app.binary_path:
        start = [bpy.app.binary_path, "-b", "-noaudio", "--factory-startup", "--python-exit-code", "1"]
        start += ["--python", script, "--"]
    environment = os.environ | {"BLENDER_USER_RESOURCES": str(folder / "user")}
    done = subprocess.run(
        [*start, str(told), *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return json.loads(told.read_text())


@pytest.mark.parametrize("legacy", [True, False] if EXTENSION else [True])
@pytest.mark.parametrize(("steps", "expected"), ROUNDS)
def test_no_upgrade_crashes_or_mixes_versions_and_a_restart_is_asked_for(steps, expected, legacy, tmp_path):
    said_by = "Operator bpy.ops.skelkin.leg_ik.poll() "
    assert [each.removeprefix("Error: ").removeprefix(said_by) for each in outcome(steps, legacy, tmp_path)] == expected
