# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators: one verb each, undone in one step, refused with a reason."""

from __future__ import annotations

from .contacts import CLASSES as CONTACTS
from .drag_contact import SKELKIN_OT_drag_contact
from .drag_foot import CLASSES as FEET
from .go_to_frame import SKELKIN_OT_go_to_frame
from .legs import (
    SKELKIN_OT_add_leg,
    SKELKIN_OT_find_legs,
    SKELKIN_OT_load_legs,
    SKELKIN_OT_remove_leg,
    SKELKIN_OT_save_legs,
)
from .many import SKELKIN_OT_plant_actions, SKELKIN_OT_plant_selected
from .report import SKELKIN_OT_open_report
from .switch import SKELKIN_OT_leg_ik
from .upkeep import VERBS, SKELKIN_OT_rate_from_bvh

CLASSES = (
    SKELKIN_OT_find_legs,
    SKELKIN_OT_add_leg,
    SKELKIN_OT_remove_leg,
    SKELKIN_OT_save_legs,
    SKELKIN_OT_load_legs,
    SKELKIN_OT_leg_ik,
    SKELKIN_OT_rate_from_bvh,
    *VERBS,
    SKELKIN_OT_go_to_frame,
    SKELKIN_OT_open_report,
    SKELKIN_OT_plant_selected,
    SKELKIN_OT_plant_actions,
    *CONTACTS,
    SKELKIN_OT_drag_contact,
    *FEET,
)
