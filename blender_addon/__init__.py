# SPDX-License-Identifier: GPL-3.0-or-later
"""Leg IK for any armature as it is: plants the feet into a copy of the action.

This file stays clean of newer syntax, so that an old Python can read it and say what is missing.
"""

import sys

bl_info = {
    "name": "Skelkin",
    "author": "The skelkin authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "View3D > Sidebar > Skelkin",
    "description": "Leg IK: plants the feet of any armature into a copy of its action",
    "doc_url": "",
    "tracker_url": "",
    "category": "Animation",
}

TOO_OLD = sys.version_info < (3, 10)


def register():
    """Enable the add-on."""
    if TOO_OLD:
        from .too_old import register as register_all
    else:
        from .registration import register as register_all
    register_all()


def unregister():
    """Disable the add-on."""
    if TOO_OLD:
        from .too_old import unregister as unregister_all
    else:
        from .registration import unregister as unregister_all
    unregister_all()
