# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators: one verb each, undone in one step, refused with a reason."""

from __future__ import annotations

from .go_to_frame import SKELKIN_OT_go_to_frame
from .legs import SKELKIN_OT_find_legs
from .switch import SKELKIN_OT_leg_ik
from .upkeep import SKELKIN_OT_apply, SKELKIN_OT_remove, SKELKIN_OT_update

CLASSES = (
    SKELKIN_OT_find_legs,
    SKELKIN_OT_leg_ik,
    SKELKIN_OT_update,
    SKELKIN_OT_apply,
    SKELKIN_OT_remove,
    SKELKIN_OT_go_to_frame,
)
