# SPDX-License-Identifier: MIT
"""What a new verb of the switch needs: one function that plans, and one line that makes an operator of it."""

from __future__ import annotations

import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
from switching_checks import state

FIRST, LAST = 10, 50


@pytest.fixture(autouse=True)
def new_verb(addon):
    """Register a verb that the add-on does not have."""
    verbs, planned, common = (
        sys.modules[f"{addon.__name__}.{name}"] for name in ("core.verbs", "operators.planned", "operators.common")
    )

    def plant_selected_range(state, ob, chosen):
        """Plant the feet on the frames of the selected keys."""
        return (verbs.update if state.is_on(ob) else verbs.on)(state, ob, {**chosen, "frames": "KEYS"})

    new = planned.operator(plant_selected_range, "Plant Range", common.cannot_compute, planned.PlantingOperator)
    bpy.utils.register_class(new)
    yield
    bpy.utils.unregister_class(new)


def select_keys(walk, first, last):
    for curve in keys.fcurves(walk.object):
        for key in curve.keyframe_points:
            key.select_control_point = first <= key.co[0] <= last


def changed_frames(walk, bone, before):
    """Return the frames of the walk on which a rotation of a bone is another one than before."""
    return [
        frame
        for frame, old in zip(walk.frames, before)
        if not np.allclose(rotations(walk, bone, frame), old, atol=1e-6)
    ]


def rotations(walk, bone, frame):
    path = keys.bone_path(bone, "rotation_quaternion")
    return [curve.evaluate(frame) for curve in keys.fcurves(walk.object) if curve.data_path == path]


def test_it_plants_the_selected_range_alone_and_off_is_exact():
    walk = rigs.mixamo_walk()
    shin = walk.legs["L"][1]
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    select_keys(walk, FIRST, LAST)
    before, rotated = state(walk), [rotations(walk, shin, frame) for frame in walk.frames]
    assert bpy.ops.skelkin.plant_selected_range() == {"FINISHED"}
    changed = changed_frames(walk, shin, rotated)
    assert changed
    assert FIRST <= changed[0] <= changed[-1] <= LAST
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before


def test_it_is_undone_in_one_step_and_says_what_it_is():
    operator = bpy.ops.skelkin.plant_selected_range
    assert operator.get_rna_type().description == "Plant the feet on the frames of the selected keys"
    assert "UNDO" in operator.bl_options
