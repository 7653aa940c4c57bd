# SPDX-License-Identifier: MIT
"""Characters linked from another file, with library overrides, and files saved and opened again."""

from __future__ import annotations

import bpy


def overridden(path, name: str) -> bpy.types.Object:
    """Start a file that links the character and makes an editable override of it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(path), link=True) as (_, target):
        target.objects = [name]
    linked = target.objects[0]
    local = linked.override_create(remap_local_usages=True)
    if local.data.library is not None:
        local.data.override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(local)
    if getattr(local.override_library, "is_system_override", False):
        local.override_library.is_system_override = False
    bpy.context.view_layer.objects.active = local
    bpy.context.view_layer.update()
    return local


def reload(path) -> None:
    """Save the file and open it again."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(path))


def current(name: str) -> bpy.types.Object:
    """Return the local object of that name, made active."""
    ob = next(o for o in bpy.data.objects if o.name == name and o.library is None)
    bpy.context.view_layer.objects.active = ob
    return ob
