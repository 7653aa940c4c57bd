# SPDX-License-Identifier: GPL-3.0-or-later
"""Leg IK for any armature as it is: plants the feet into a copy of the action.

This file stays clean of newer syntax, so that an old Python can read it and say what is missing.
"""

import sys

bl_info = {
    "name": "Skelkin",
    "author": "The skelkin authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "View3D > Sidebar > Skelkin",
    "description": "Leg IK: plants the feet of any armature into a copy of its action",
    "doc_url": "",
    "tracker_url": "",
    "category": "Animation",
}

TOO_OLD = sys.version_info < (3, 10)

# Where another version was installed over this one, Blender reads this file again and no other: they must follow it.
# What is compiled stays as it was loaded until Blender ends; ``bridge.native`` says which version that is.
for _name in [name for name in sys.modules if name.startswith(__name__ + ".")]:
    if not _name.startswith(__name__ + "._vendor"):
        del sys.modules[_name]
        globals().pop(_name[len(__name__) + 1 :], None)


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
