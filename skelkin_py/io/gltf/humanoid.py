# SPDX-License-Identifier: MIT
"""Humanoid maps of VRM and VRMA files, which say which node is which bone of a body."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..._support.array_types import FilePath
from .container import Document
from .nodes import Rig

_MAPS = {".vrm": ("VRM", "VRMC_vrm"), ".vrma": ("VRMC_vrm_animation",)}


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


def check_map(path: FilePath, root: Mapping[str, Any]) -> None:
    """Refuse to write a file whose name promises a humanoid map that is not in the JSON.

    Parameters
    ----------
    path : str or os.PathLike
        The file that is to be written.
    root : mapping
        The JSON that it is to have; an empty one for that of a new file.

    Raises
    ------
    ValueError
        If the name ends in ``.vrm`` or ``.vrma`` and the map is not there.
    """
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending in _MAPS and not any(_inside(root, "extensions", key) for key in _MAPS[ending]):
        raise ValueError(
            f"path is {os.fspath(path)!r}: a {ending} file has a humanoid map, and only a clip that was read from one "
            "brings it: write .glb"
        )


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
