# SPDX-License-Identifier: MIT
"""glTF files: ``.glb``, ``.gltf``, ``.vrm`` and ``.vrma``, skeletons, skins, animations and meshes."""

from __future__ import annotations

from collections.abc import Mapping

from ..._support.array_types import FilePath
from ..._support.printable import is_unicode
from ...kinematics.joint_transforms import rest_shear
from ...motion.clip import Clip
from .new_file import write_new
from .reader import read_gltf as read, read_gltf_animations as read_animations
from .source import GltfSource
from .writer import write_into_source

__all__ = ["read", "read_animations", "what_is_lost", "write", "write_animations"]


def write(path: FilePath, clip: Clip) -> None:
    """Write a clip: one that was read from glTF as that file, with all that is in it."""
    write_animations(path, {clip.facts.animation or "motion": clip})


def write_animations(path: FilePath, clips: Mapping[str, Clip]) -> None:
    """Write clips: those of one glTF file as that file, others as a new one."""
    _check(clips)
    sources = [clip._source for clip in clips.values()]
    first = sources[0]
    if isinstance(first, GltfSource):
        same = [isinstance(each, GltfSource) and each.container.text == first.container.text for each in sources]
        if all(same):
            write_into_source(path, clips)
            return
    write_new(path, clips)


def what_is_lost(clip: Clip) -> tuple[str, ...]:
    """Return what a glTF file cannot hold: the tips that BVH calls end sites, and shear but that of its own nodes."""
    sheared = not isinstance(clip._source, GltfSource) and rest_shear(clip.skeleton) is not None
    return (*(("end sites",) * bool(clip.skeleton.end_sites)), *(("shear",) * sheared))


def _check(clips: Mapping[str, Clip]) -> None:
    """Refuse what JSON and float32 cannot say before anything is written."""
    for name, clip in clips.items():
        if not is_unicode(name):
            raise ValueError(f"clips has the name {name!a}: it must be of letters of Unicode")
        for what, array in (("translations", clip.translations), ("scales", clip.scales)):
            if array is not None and float(abs(array).max(initial=0.0)) > 3e38:
                raise ValueError(f"clips[{name!r}].{what} has {abs(array).max():g}: glTF holds float32, up to 3e38")
