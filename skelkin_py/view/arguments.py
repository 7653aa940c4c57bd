# SPDX-License-Identifier: MIT
"""What the player is asked to show, checked before anything is made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import index_array, number_array
from ..motion.clip import Clip
from ..planting import PlantReport
from ..skeleton import Skeleton
from ..skinning.mesh import Mesh
from ..skinning.weights import SkinWeights
from .colors import CLIP_COLORS, checked_color, checked_values
from .shown import own_meshes

ARRANGE = ("side_by_side", "together")


class Wanted(NamedTuple):
    """What a page shows, an item per figure."""

    clips: list[Any]
    keys: list[str]
    labels: list[str]
    colors: list[str | None]
    meshes: list[Any]
    values: list[NDArray[np.float64] | None]
    several: bool


def checked(
    clip: Any, compare: Any, mesh: Any, report: Any, title: Any, arrange: Any, labels: Any, colors: Any, color: Any
) -> Wanted:
    """Return what is shown, or raise what is wrong with it; the arguments are those of `show`."""
    several = isinstance(clip, (list, tuple))
    clips = _clips(clip, compare, several)
    if report is not None and not isinstance(report, PlantReport):
        raise TypeError(f"report is a {type(report).__name__}: a PlantReport is needed")
    if not (title is None or isinstance(title, str)):
        raise TypeError(f"title is {title!r}: text is needed")
    if not isinstance(arrange, str) or arrange not in ARRANGE:
        raise ValueError(f"arrange is {arrange!r}: one of {', '.join(map(repr, ARRANGE))}")
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
        if not (label is None or isinstance(label, str)):
            raise TypeError(f"{_at('labels', n, labels)} is a {type(label).__name__}: text is needed")
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
    return Wanted(clips, keys, [a or b for a, b in zip(named, usual)], own, meshes, values, several)


def check_one(clip: Any, compare: Any, mesh: Any, report: Any) -> None:
    """Raise what is wrong with one clip, what it was before, its skin and its report."""
    if isinstance(clip, (list, tuple)):
        raise TypeError(f"clip is a {type(clip).__name__}: one Clip is needed")
    checked(clip, compare, mesh, report, None, ARRANGE[0], None, None, None)


def _clips(clip: Any, compare: Any, several: bool) -> list[Any]:
    if several:
        if not clip:
            raise ValueError("clip is empty: at least one clip is needed")
        for n, one in enumerate(clip):
            if not isinstance(one, Clip):
                raise TypeError(f"clip[{n}] is a {type(one).__name__}: a Clip is needed")
        return list(clip)
    for name, value in (("clip", clip), ("compare", compare)):
        if not (isinstance(value, Clip) or (value is None and name != "clip")):
            raise TypeError(f"{name} is a {type(value).__name__}: a Clip is needed")
    if compare is not None:
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
    if mesh is None:
        return
    if not isinstance(mesh, Mesh):
        raise TypeError(f"{name} is a {type(mesh).__name__}: a Mesh is needed")
    _check_mesh(name, mesh)
    for k, joint in enumerate(mesh.skeleton.names):
        if joint not in clip.names:
            raise ValueError(f"{name}.skeleton.names[{k}] is {joint!r}: the clip has no joint of that name")


def _check_mesh(name: str, mesh: Mesh) -> None:
    """Say what keeps a mesh from being drawn; its reader or maker need not have looked."""
    for part, kind in (("weights", SkinWeights), ("skeleton", Skeleton)):
        if not isinstance(value := getattr(mesh, part), kind):
            raise TypeError(f"{name}.{part} is a {type(value).__name__}: {kind.__name__} is needed")
    points = number_array(mesh.points, f"{name}.points", 2, "(V, 3)")
    faces = index_array(mesh.faces, f"{name}.faces", 2, "(T, 3)")
    count = mesh.weights.num_vertices
    if points.shape != (count, 3):
        raise ValueError(f"{name}.points has shape {points.shape}: expected ({count}, 3), as many as its weights")
    if not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        raise ValueError(f"{name}.points[{row}, {column}] is {points[row, column]}: finite numbers are needed")
    if faces.shape[1] != 3:
        raise ValueError(f"{name}.faces has shape {faces.shape}: expected (T, 3)")
    for row, column in np.argwhere((faces < 0) | (faces >= count)):
        raise ValueError(f"{name}.faces[{row}, {column}] is {faces[row, column]}: there are {count} points")
    if mesh.normals is not None:
        shape = number_array(mesh.normals, f"{name}.normals", 2, "(V, 3)").shape
        if shape != points.shape:
            raise ValueError(f"{name}.normals has shape {shape}: expected {points.shape}")
