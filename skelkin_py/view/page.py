# SPDX-License-Identifier: MIT
"""Putting the player's page together."""

from __future__ import annotations

import html
import json
import os
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import index_array, number_array
from ..clip import Clip
from ..io.atomic import replacing
from ..mesh import Mesh
from ..planting import PlantReport
from ..skeleton import Skeleton
from ..values import Value
from ..weights import SkinWeights
from . import panel
from . import scene_data as sd


class Page(Value):
    """A finished page: shows itself in a notebook, `save` writes it to a file.

    Attributes
    ----------
    html : str
        The whole page; it loads nothing else.
    """

    def __init__(self, text: str) -> None:
        self.html = text

    def _arguments(self) -> dict[str, Any]:
        return {"text": self.html}

    def __repr__(self) -> str:
        return f"<skelkin page, {len(self.html) / 1e6:.1f} MB; .save(path) writes it>"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, as notebooks want it."""
        return (
            f'<iframe srcdoc="{html.escape(self.html, quote=True)}" title="skelkin player" width="100%" height="640" '
            'style="border:0;border-radius:12px" allowfullscreen></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to `path` (through a temporary file beside it) and return the path."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(self.encoded())
        return target

    def encoded(self) -> bytes:
        """Return the page as the bytes of its file."""
        return self.html.encode("utf-8", "replace")  # names of files may hold what is no text


def show(
    clip: Any,
    *,
    compare: Any = None,
    mesh: Any = None,
    report: Any = None,
    ground: Any = None,
    title: str | None = None,
) -> Page:
    """Make the player's page for a clip.

    Parameters
    ----------
    clip : Clip
        What is played.
    compare : Clip, optional
        The same motion before a change, drawn as a ghost; same skeleton and number of frames.
    mesh : Mesh, optional
        A skin; its skeleton's joints are matched to the clip's by name. Without it bones are drawn.
    report : PlantReport, optional
        Its numbers fill the side panel, its contacts the bars under the timeline.
    ground : float, callable, HeightGrid, MeshGround, object with `cast`, or None
        A height along the clip's up axis, or a function from points (N, 3) to heights (N,), both in the clip's
        space and units. None takes the report's ground, else the lowest the feet come.
    title : str, optional
        The heading.

    Returns
    -------
    Page
        Displays itself in notebooks; ``.save(path)`` writes the file.

    Raises
    ------
    ValueError
        If `compare` differs in joints or frames, or the mesh has a joint that the clip does not have.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> sk.view.show(biped.clip, mesh=biped.mesh, ground=biped.ground)
    <skelkin page, ... MB; .save(path) writes it>
    """
    _check(clip, compare, mesh, report, title)
    title = title or ("Before and after" if compare is not None else "Motion")
    data = _scene(clip, compare, mesh, report, ground)
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    files = resources.files(__package__)
    page = (files / "page.html").read_text(encoding="utf-8")
    parts = {
        "title": html.escape(title),
        "css": (files / "player.css").read_text(encoding="utf-8"),
        "panel": panel.side_panel(title, clip, report, data),
        "data": text,
        "scene": (files / "scene.js").read_text(encoding="utf-8"),
        "player": (files / "player.js").read_text(encoding="utf-8"),
    }
    pieces = page.split("{{")  # one pass, so that nothing inside a part is taken for a place
    out = [pieces[0]]
    for piece in pieces[1:]:
        name, rest = piece.split("}}", 1)
        out += [parts[name], rest]
    return Page("".join(out))


def write_html(
    path: str | os.PathLike[str],
    clip: Any,
    *,
    compare: Any = None,
    mesh: Any = None,
    report: Any = None,
    ground: Any = None,
    title: str | None = None,
) -> Path:
    """Write the player's page for a clip to one file that opens without a network.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write; it is replaced only once the page is complete. Missing folders are made.
    clip, compare, mesh, report, ground, title
        As in `show`.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile, skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sk.view.write_html(folder + "/walk.html", biped.clip).name
    'walk.html'
    """
    return show(clip, compare=compare, mesh=mesh, report=report, ground=ground, title=title).save(path)


def _check(clip: Any, compare: Any, mesh: Any, report: Any, title: Any) -> None:
    for name, value, kind in (("clip", clip, Clip), ("compare", compare, Clip), ("mesh", mesh, Mesh)):
        if not (isinstance(value, kind) or (value is None and name != "clip")):
            raise TypeError(f"{name} is a {type(value).__name__}: a {kind.__name__} is needed")
    if compare is not None:
        if compare.num_frames != clip.num_frames:
            raise ValueError(f"compare has {compare.num_frames} frames, clip {clip.num_frames}: they must be equal")
        if tuple(compare.names) != tuple(clip.names):
            raise ValueError("compare has other joints than clip: the names must be equal and in the same order")
    if report is not None and not isinstance(report, PlantReport):
        raise TypeError(f"report is a {type(report).__name__}: a PlantReport is needed")
    if not (title is None or isinstance(title, str)):
        raise TypeError(f"title is {title!r}: text is needed")
    if mesh is not None:
        _check_mesh(mesh)
        for k, name in enumerate(mesh.skeleton.names):
            if name not in clip.names:
                raise ValueError(f"mesh.skeleton.names[{k}] is {name!r}: the clip has no joint of that name")


def _check_mesh(mesh: Mesh) -> None:
    """Say what keeps a mesh from being drawn; its reader or maker need not have looked."""
    for name, kind in (("weights", SkinWeights), ("skeleton", Skeleton)):
        if not isinstance(value := getattr(mesh, name), kind):
            raise TypeError(f"mesh.{name} is a {type(value).__name__}: {kind.__name__} is needed")
    points = number_array(mesh.points, "mesh.points", 2, "(V, 3)")
    faces = index_array(mesh.faces, "mesh.faces", 2, "(T, 3)")
    count = mesh.weights.num_vertices
    if points.shape != (count, 3):
        raise ValueError(f"mesh.points has shape {points.shape}: expected ({count}, 3), as many as mesh.weights has")
    if faces.shape[1] != 3:
        raise ValueError(f"mesh.faces has shape {faces.shape}: expected (T, 3)")
    for row, column in np.argwhere((faces < 0) | (faces >= count)):
        raise ValueError(f"mesh.faces[{row}, {column}] is {faces[row, column]}: there are {count} points")
    if mesh.normals is not None and number_array(mesh.normals, "mesh.normals", 2, "(V, 3)").shape != points.shape:
        raise ValueError(f"mesh.normals has shape {np.shape(mesh.normals)}: expected {points.shape}")


def _scene(clip: Any, compare: Any, mesh: Any, report: Any, ground: Any) -> dict[str, Any]:
    """Return what the player draws, turned to Y up."""
    legs = clip.find_legs()
    turn = sd.to_y_up(panel.up_of(clip, report, legs))
    clips = [c for c in (clip, compare) if c is not None]
    points = [sd.all_points(c.skeleton, c.global_matrices()) @ turn.T for c in clips]
    for p in points:
        if not np.isfinite(p).all():
            raise ValueError(f"frame {int(np.argwhere(~np.isfinite(p))[0][0])} has a position that is not finite")
    every = np.concatenate([p.reshape(-1, 3) for p in points])
    size = float(np.median(np.ptp(points[0][..., 1], axis=1))) or float(np.ptp(every, axis=0).max()) or 1.0
    feet = panel.feet_of(clip, report, legs)
    standing = [j for foot in feet for j in foot["joints"]] or list(range(points[0].shape[1]))
    ground = panel.ground_of(ground, report, points[0][:, standing, 1], turn[1], size)
    for foot in feet:
        curves = foot["curves"]
        rest = clip.skeleton.rest_global[:, :3, 3] @ turn[1]
        foot["heights"] = (
            list(curves[: len(clips)])
            if curves
            else [sd.foot_height(p, foot["joints"], rest, ground, turn) for p in points]
        )
    path = sd.smoothed(points[0][:, 0], round(clip.fps)) - (0.0, 0.06 * size, 0.0)
    margin = (0.42 if callable(ground) else 2.2) * size
    low, high = every.min(0)[[0, 2]] - margin, every.max(0)[[0, 2]] + margin
    way = points[0][-1, 0] - points[0][0, 0]
    travels = float(np.hypot(way[0], way[2])) > 0.3 * size
    data: dict[str, Any] = {
        "fps": float(clip.fps),
        "frames": clip.num_frames,
        "names": list(clip.names),
        "numPoints": points[0].shape[1],
        "bones": sd.bones(clip.skeleton),
        "size": size,
        "floor": float(np.percentile(points[0][..., 1].min(1), 10)),
        "gridStep": _nice(size / 3.5),
        "heading": float(np.arctan2(way[0], way[2])) if travels else 0.0,
        "path": sd.pack(path, "f4"),
        "clips": [
            {
                "points": sd.pack(p, "f4"),
                "matrices": sd.pack(sd.skin_matrices(c, mesh.skeleton, turn), "f4") if mesh is not None else None,
                "trails": [sd.pack(p[:, foot["joints"][-1]], "f4") for foot in feet if foot["joints"]],
            }
            for c, p in zip(clips, points)
        ],
        "mesh": None,
        "ground": sd.ground_mesh(ground, low, high, turn, size / 30),
        "feet": [
            {"name": f["name"], "spans": f["spans"], "heights": [sd.pack(h, "f4") for h in f["heights"]]} for f in feet
        ],
    }
    if mesh is not None:
        names = list(mesh.skeleton.names)
        parts = [[names.index(clip.names[j]) for j in foot["joints"] if clip.names[j] in names] for foot in feet]
        data["mesh"] = sd.mesh_data(mesh, parts)
    return data


def _nice(value: float) -> float:
    """Return the power of ten, or two or five times one, nearest to the value."""
    choices = [m * 10.0**e for e in (np.floor(np.log10(value)), np.floor(np.log10(value)) + 1) for m in (1, 2, 5)]
    return float(min(choices, key=lambda c: abs(np.log(c / value))))
