# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs: found, picked by hand, kept in files."""

from __future__ import annotations

from itertools import pairwise

import bpy
from bpy.props import IntProperty, StringProperty

from ..bridge import leg_data
from ..bridge.checks import Refused
from ..core.verbs import Result
from ..core.words import counted
from . import common


class SKELKIN_OT_find_legs(common.ArmatureOperator, bpy.types.Operator):
    """Find the legs by bone names and structure."""

    bl_idname = "skelkin.find_legs"
    bl_label = "Find Legs"

    why_not = staticmethod(common.cannot_compute)

    def work(self, context, ob):
        manager = context.window_manager
        manager.skelkin_no_legs = ""
        before = sum(leg_data.is_edited(leg) for leg in ob.skelkin_legs)
        try:
            found = leg_data.find(ob)
        except Refused as error:
            manager.skelkin_no_legs, manager.skelkin_no_legs_of = str(error), leg_data.about(ob)
            raise
        feet = ", ".join(leg.ankle for leg in ob.skelkin_legs)
        kept = (f"{counted(before, 'leg')} picked by hand stayed as before",) if before else ()
        unsure = leg_data.unsure(ob)
        warnings = (
            [f"Not sure enough to plant, switched off: {', '.join(unsure)}; if they are right, tick them in Legs"]
            if unsure
            else []
        )
        return Result(f"Found {counted(found - before, 'leg')}: {feet}", warnings, kept)


class SKELKIN_OT_add_leg(common.ArmatureOperator, bpy.types.Operator):
    """Add a leg from the selected bones, or the active foot bone."""

    bl_idname = "skelkin.add_leg"
    bl_label = "Add Leg"

    def work(self, context, ob):
        chosen = _chain(ob, [bone.name for bone in context.selected_pose_bones or () if bone.id_data == ob])
        if not chosen and ob.data.bones.active is not None:
            chosen = [ob.data.bones.active.name]
        leg_data.add(ob, chosen)
        leg = ob.skelkin_legs[-1]
        line = f"Added a leg: {leg.hip}, {leg.knee}, {leg.ankle}" if leg.hip else "Added a leg: choose its bones"
        return Result(line, [])


def _chain(ob, names: list[str]) -> list[str]:
    """Return bones from the top down if each hangs below the one before, else none."""
    bones = sorted((ob.pose.bones[name] for name in names), key=lambda bone: len(bone.parent_recursive))
    hang = all(above in below.parent_recursive for above, below in pairwise(bones))
    return [bone.name for bone in bones] if hang and len(bones) != 2 else []


class SKELKIN_OT_remove_leg(common.ArmatureOperator, bpy.types.Operator):
    """Forget this leg; bones and animation stay."""

    bl_idname = "skelkin.remove_leg"
    bl_label = "Remove Leg"

    index: IntProperty(name="Leg", description="Which one, counted from 0", min=0, options={"SKIP_SAVE"})

    def work(self, context, ob):
        if self.index >= len(ob.skelkin_legs):
            raise Refused(f"There is no leg {self.index}: {ob.name} has {counted(len(ob.skelkin_legs), 'leg')}")
        name = ob.skelkin_legs[self.index].ankle
        ob.skelkin_legs.remove(self.index)
        return Result(f"Removed the leg {name}".rstrip(), [])


class SKELKIN_OT_save_legs(common.ArmatureOperator, bpy.types.Operator):
    """Save the legs to a file for armatures with the same bones."""

    bl_idname = "skelkin.save_legs"
    bl_label = "Save Legs"

    preset: StringProperty(name="Name", description="Name of the file", options={"SKIP_SAVE"})

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)

    def work(self, context, ob):
        return Result(f"Legs saved to {leg_data.save_preset(ob, self.preset)}", [])


class SKELKIN_OT_load_legs(common.ArmatureOperator, bpy.types.Operator):
    """Load the legs of a file, by the names of its bones."""

    bl_idname = "skelkin.load_legs"
    bl_label = "Load Legs"

    preset: StringProperty(name="Name", description="Name or path of the file", options={"SKIP_SAVE"})

    def work(self, context, ob):
        return Result(f"Loaded {counted(leg_data.load_preset(ob, self.preset), 'leg')} from {self.preset}", [])
