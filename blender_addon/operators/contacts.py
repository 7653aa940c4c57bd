# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of the planted action by hand; Update plants with them."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ..bridge import checks
from ..bridge.contacts import edits, stored
from ..core import contacts as core
from ..core.verbs import Result
from . import common

#: seconds that a contact lasts which is added
_LASTS = 0.3
_NEXT = ("Press Update to plant with it",)


class ContactOperator(common.ArmatureOperator):
    """What the operators share that edit the contacts of the planted action that plays."""

    why_not = staticmethod(common.not_planted)


class ActiveContactOperator(ContactOperator):
    """What those share that edit the active contact."""

    @staticmethod
    def why_not(context):
        problem = common.not_planted(context)
        return problem or ("" if edits.active(checks.armature_of(context)) else "Choose a contact in the list first")


def _result(contact, what: str) -> Result:
    return Result(f"{contact.foot} {contact.first}–{contact.last}: {what}", [], _NEXT)


class SKELKIN_OT_contact_add(ContactOperator, bpy.types.Operator):
    """Add a contact that begins in the current frame."""

    bl_idname = "skelkin.contact_add"
    bl_label = "Add Contact"

    foot: StringProperty(name="Foot", description="Side of the foot, or its bone", options={"SKIP_SAVE"})
    first: IntProperty(name="First", description="First frame in which the foot stands", options={"SKIP_SAVE"})
    last: IntProperty(name="Last", description="Last frame in which the foot stands", options={"SKIP_SAVE"})
    part: EnumProperty(
        name="Part",
        description="Which part of the foot stands",
        items=[(part, part.capitalize(), "") for part in core.PARTS],
        options={"SKIP_SAVE"},
    )

    def work(self, context, ob):
        props = self.properties
        if not self.foot:
            self.foot = _chosen_foot(context, ob)
        if not props.is_property_set("first"):
            self.first = round(context.scene.frame_current_final)
        if not props.is_property_set("last"):
            render = context.scene.render
            self.last = self.first + max(1, round(_LASTS * render.fps / render.fps_base))
        return _result(edits.add(ob, self.foot, self.first, self.last, self.part), "added")


def _chosen_foot(context, ob) -> str:
    """Return the foot of the leg to which the active bone belongs, else of the active contact, else the first one."""
    feet = stored.feet_of(ob)
    if not feet:
        raise checks.Refused(f"{ob.name} has no legs switched on: find the legs first")
    bone = ob.data.bones.active
    legs = [leg for leg in ob.skelkin_legs if leg.enabled]
    for foot, leg in zip(feet, legs, strict=True):
        if bone is not None and bone.name in (leg.hip, leg.knee, leg.ankle, leg.toe, leg.heel):
            return foot.name
    contact = edits.active(ob)
    known = contact is not None and core.leg_of(contact.foot, feet) is not None
    return contact.foot if known else feet[0].name


class SKELKIN_OT_contact_remove(ActiveContactOperator, bpy.types.Operator):
    """Remove the contact and its markers, and free the foot."""

    bl_idname = "skelkin.contact_remove"
    bl_label = "Remove Contact"

    def work(self, context, ob):
        return _result(edits.remove(ob), "removed")


class SKELKIN_OT_contact_end(ActiveContactOperator, bpy.types.Operator):
    """Let the contact begin or end in the current frame."""

    bl_idname = "skelkin.contact_end"
    bl_label = "Set From Current Frame"

    end: EnumProperty(
        name="End",
        description="Which end of the contact",
        items=(("FIRST", "First", "The foot comes down here"), ("LAST", "Last", "The foot still stands here")),
    )

    def work(self, context, ob):
        changed = edits.change(ob, **{self.end.lower(): round(context.scene.frame_current_final)})
        return _result(changed, f"{self.end.lower()} frame set")


class SKELKIN_OT_contact_pin(ActiveContactOperator, bpy.types.Operator):
    """Pin the foot to the 3D cursor or the selected empty."""

    bl_idname = "skelkin.contact_pin"
    bl_label = "Pin Contact"

    to: EnumProperty(
        name="To",
        description="Where the foot stands",
        items=(
            ("CURSOR", "3D Cursor", "Over the 3D cursor"),
            ("EMPTY", "Empty", "Over the selected empty, in the contact's first frame"),
        ),
    )
    height_too: BoolProperty(name="Height Too", description="Let the sole stand at this height, too", default=False)

    def work(self, context, ob):
        if self.to == "CURSOR":
            empty, what = None, "the 3D cursor"
            place = context.scene.cursor.location
        else:
            empty = _selected_empty(context)
            place, what = empty.matrix_world.translation, empty.name
        values = {"place": tuple(place), "follows": empty, "follows_height": self.height_too and empty is not None}
        if self.height_too:
            values["height"] = place[2]
        return _result(edits.change(ob, **values), f"pinned to {what}")


def _selected_empty(context):
    empties = [ob for ob in context.selected_objects if ob.type == "EMPTY"]
    if len(empties) != 1:
        found = f"{len(empties)} are" if empties else "none is"
        raise checks.Refused(f"Select one empty beside the armature: {found} selected")
    return empties[0]


class SKELKIN_OT_contact_unpin(ActiveContactOperator, bpy.types.Operator):
    """Remove place and height of the contact: planting decides where the foot stands."""

    bl_idname = "skelkin.contact_unpin"
    bl_label = "Unpin Contact"

    def work(self, context, ob):
        changed = edits.change(ob, place=None, height=None, follows=None, follows_height=False)
        return _result(changed, "no longer pinned")


CLASSES = (
    SKELKIN_OT_contact_add,
    SKELKIN_OT_contact_remove,
    SKELKIN_OT_contact_end,
    SKELKIN_OT_contact_pin,
    SKELKIN_OT_contact_unpin,
)
