# SPDX-License-Identifier: MIT
"""Humanoid maps of VRM and VRMA files, which say which node is which bone of a body."""

from __future__ import annotations

from typing import Any

from .container import Document
from .nodes import Rig


def humanoid_names(document: Document, rig: Rig) -> tuple[str, ...] | None:
    """Return the names by which legs are found: of mapped joints those of the map, of all others their own.

    Parameters
    ----------
    document : Document
        The file.
    rig : Rig
        Its joints.

    Returns
    -------
    tuple of str or None
        One per joint; None where the file has no map. Broken entries are passed over: the motion is read without.

    Notes
    -----
    VRM 0.x: ``extensions.VRM.humanoid.humanBones``, a list; VRM 1.0: ``VRMC_vrm.humanoid.humanBones``, and animations:
    ``VRMC_vrm_animation.humanoid.humanBones``, objects by bone.
    """
    found = _bones(document.root.get("extensions"))
    mapped = {rig.joint_of[node]: bone for node, bone in found.items() if node in rig.joint_of}
    if not mapped:
        return None
    return tuple(mapped.get(joint, name) for joint, name in enumerate(rig.skeleton.names))


def _bones(extensions: Any) -> dict[int, str]:
    """Return the bone of each mapped node."""
    found: dict[int, str] = {}
    for key in ("VRMC_vrm_animation", "VRMC_vrm", "VRM"):
        part = _inside(extensions, key, "humanoid", "humanBones")
        if isinstance(part, dict):
            pairs = [(bone, each) for bone, each in part.items()]
        elif isinstance(part, list):
            pairs = [(each.get("bone"), each) for each in part if isinstance(each, dict)]
        else:
            continue
        for bone, each in pairs:
            node = each.get("node") if isinstance(each, dict) else None
            if isinstance(bone, str) and type(node) is int:
                found.setdefault(node, bone)
    return found


def _inside(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
