# SPDX-License-Identifier: MIT
"""The switch on control rigs that are linked and overridden, across save and reload."""

from __future__ import annotations

import bpy
import pytest
import stepping
from control_rigs import walk_that_leaves_ik, walk_with_controls
from linking import current, overridden, reload
from rigify_rigs import rigify_walk

pytestmark = pytest.mark.usefixtures("addon")

MAKERS = {
    "controls": walk_with_controls,
    "released": lambda: walk_with_controls(turns_foot=False),
    "goals": lambda: walk_with_controls(goal="object"),
    "three chains": walk_that_leaves_ik,
    "Rigify": lambda: rigify_walk(frames=40),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("kind", ["local", "override"])
def test_on_save_open_off_gives_back_the_old_animation_of_a_control_rig(tmp_path, kind, maker):
    walk = MAKERS[maker]()
    name, frames = walk.object.name, list(walk.frames)
    file = tmp_path / "character.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file), check_existing=False)
    if kind == "override":
        name, file = overridden(file, name).name, tmp_path / "shot.blend"
    before = stepping.pose_bits(current(name), frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(current(name), frames)
    assert on != before
    reload(file)
    assert stepping.pose_bits(current(name), frames) == on
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), frames) == before
    reload(file)
    assert stepping.pose_bits(current(name), frames) == before
    assert bpy.ops.skelkin.leg_ik(state="ON") == {"FINISHED"}
    assert stepping.pose_bits(current(name), frames) == on
