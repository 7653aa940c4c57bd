# SPDX-License-Identifier: MIT
"""The arguments of the player, checked before anything is made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._support.arguments import check_kind, check_word, index_array, number_array
from .._support.array_types import Floats
from .._support.short_repr import shown
from ..motion.clip import Clip
from ..planting import PlantReport
from ..skeleton import Skeleton
from ..skinning.mesh import Mesh
from ..skinning.weights import SkinWeights
from .colors import CLIP_COLORS, checked_color, checked_values
from .shown import own_meshes

ARRANGE = ("side_by_side", "together")


class PageContent(NamedTuple):
    """What a page shows: lists with an item per figure."""

    clips: list[Any]
    keys: list[str]
    labels: list[str]
    colors: list[str | None]
    meshes: list[Any]
    values: list[Floats | None]
    several: bool


def checked(
    clip: Any, compare: Any, mesh: Any, report: Any, title: Any, arrange: Any, labels: Any, colors: Any, color: Any
) -> PageContent:
    """Return the content of a page, or raise an error; the arguments are those of `show`."""
    several = isinstance(clip, (list, tuple))
    clips = _clips(clip, compare, several)
    if report is not None:
        check_kind("report", report, PlantReport)
    check_text("title", title)
    check_word("arrange", arrange, ARRANGE)
    if several:
        for name, value in (("compare", compare), ("report", report)):
            if value is not None:
                raise ValueError(f"{name} belongs to one clip, and {len(clips)} are given")
        keys = [f"clip{n + 1}" for n in range(len(clips))]
        usual = [f"Clip {n + 1}" for n in range(len(clips))]
    else:
        keys = ["after", "before"][: len(clips)]
        usual = ["After", "Before"] if compare is not None else ["Motion"]
    named = _each("labels", labels, len(clips), several or compare is not None)
    for n, label in enumerate(named):
        check_text(_at("labels", n, labels), label)
    painted = _each("colors", colors, len(clips), several or compare is not None)
    own = [None if c is None else checked_color(_at("colors", n, colors), c) for n, c in enumerate(painted)]
    if several:
        own = [c or CLIP_COLORS[n % len(CLIP_COLORS)] for n, c in enumerate(own)]
    meshes = _each("mesh", mesh, len(clips), several) if isinstance(mesh, list) else [mesh] * len(clips)
    meshes = [own if one is None else one or None for one, own in zip(meshes, own_meshes(clips), strict=True)]
    for n, (one, skin) in enumerate(zip(clips, meshes)):
        _check_skin(_at("mesh", n, mesh if isinstance(mesh, list) else None), skin, one)
    arrays = _each("color", color, len(clips), several) if several else [color, *[None] * (len(clips) - 1)]
    values = [
        checked_values(array, f"color[{n}]" if several else "color", one, skin)
        for n, (array, one, skin) in enumerate(zip(arrays, clips, meshes))
    ]
    return PageContent(clips, keys, [a or b for a, b in zip(named, usual)], own, meshes, values, several)


def check_text(name: str, value: Any) -> None:
    """Raise a TypeError for an argument that is neither text nor None."""
    if not (value is None or isinstance(value, str)):
        raise TypeError(f"{name} is {shown(value)}: text is needed")


def _clips(clip: Any, compare: Any, several: bool) -> list[Any]:
    if several:
        if not clip:
            raise ValueError("clip is empty: at least one clip is needed")
        for n, one in enumerate(clip):
            check_kind(f"clip[{n}]", one, Clip)
        return list(clip)
    check_kind("clip", clip, Clip)
    if compare is not None:
        check_kind("compare", compare, Clip)
        if compare.num_frames != clip.num_frames:
            raise ValueError(f"compare has {compare.num_frames} frames, clip {clip.num_frames}: they must be equal")
        if tuple(compare.names) != tuple(clip.names):
            raise ValueError("compare has other joints than clip: the names must be equal and in the same order")
    return [clip, *([compare] if compare is not None else [])]


def _at(name: str, n: int, given: Any) -> str:
    return f"{name}[{n}]" if isinstance(given, (list, tuple)) else name


def _each(name: str, given: Any, count: int, several: bool) -> list[Any]:
    """Return one item for each clip: those of a list, else nothing or the same for a single one."""
    if given is None:
        return [None] * count
    if isinstance(given, (list, tuple)):
        if len(given) != count:
            raise ValueError(f"{name} has {len(given)} items: there are {count} clips")
        return list(given)
    if several:
        raise TypeError(f"{name} is a {type(given).__name__}: a list, an item for each clip, is needed")
    return [given]


def _check_skin(name: str, mesh: Any, clip: Any) -> None:
    """Raise an error for a mesh that cannot be drawn with a clip; a Mesh does not check its fields."""
    if mesh is None:
        return
    check_kind(name, mesh, Mesh)
    check_kind(f"{name}.weights", mesh.weights, SkinWeights)
    check_kind(f"{name}.skeleton", mesh.skeleton, Skeleton)
    points = number_array(mesh.points, f"{name}.points", 2, "(V, 3)")
    faces = index_array(mesh.faces, f"{name}.faces", 2, "(T, 3)")
    count = mesh.weights.num_vertices
    if points.shape != (count, 3):
        raise ValueError(f"{name}.points has shape {points.shape}: expected ({count}, 3), as many as its weights")
    for row, column in np.argwhere(~np.isfinite(points)):
        raise ValueError(f"{name}.points[{row}, {column}] is {points[row, column]}: finite numbers are needed")
    if faces.shape[1] != 3:
        raise ValueError(f"{name}.faces has shape {faces.shape}: expected (T, 3)")
    for row, column in np.argwhere((faces < 0) | (faces >= count)):
        raise ValueError(f"{name}.faces[{row}, {column}] is {faces[row, column]}: there are {count} points")
    if mesh.normals is not None:
        shape = number_array(mesh.normals, f"{name}.normals", 2, "(V, 3)").shape
        if shape != points.shape:
            raise ValueError(f"{name}.normals has shape {shape}: expected {points.shape}")
    for k, joint in enumerate(mesh.skeleton.names):
        if joint not in clip.names:
            raise ValueError(f"{name}.skeleton.names[{k}] is {joint!r}: the clip has no joint of that name")
