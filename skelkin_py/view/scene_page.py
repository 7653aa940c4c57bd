# SPDX-License-Identifier: MIT
"""The data of the page's script: figures, ground, feet, the path that the camera follows, and the legend of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._support.array_types import Floats
from . import figures as fg, panel, scene_data as sd
from .arguments import PageContent
from .colors import legend, packed_values, range_of


def scene_of(
    content: PageContent,
    report: Any,
    ground: Any,
    arrange: str,
    color_range: Any,
    color_label: str | None,
    found: Any = None,
) -> dict[str, Any]:
    """Return what the player draws, turned to Y up; the arguments are those of `show`, checked.

    `found`: for a clip that was not planted, the report of planting it, whose figures of before are shown.
    """
    figures = fg.figures_of(content, report)
    figures, ground = _arranged(figures, content, report, ground, arrange)
    first = figures[0]
    size = max(figure.framing.size for figure in figures)
    every = np.concatenate([figure.shown.reshape(-1, 3) for figure in figures])
    feet = [] if content.several else panel.feet_of(first.clip, report, first.legs)
    if found is not None and not content.several:
        feet = panel.with_found(feet, found)
    feet = _with_heights(feet, figures, ground)
    fps = float(first.clip.fps)
    frames = 1 + round(fps * max((len(f.points) - 1) / float(f.clip.fps) for f in figures))  # as long as the longest
    path, spread = _camera_path(figures, fps, frames, "before" in content.keys)
    margin = (0.42 if callable(ground) else 2.2) * size
    low, high = every.min(0)[[0, 2]] - margin, every.max(0)[[0, 2]] + margin
    x, z = fg.heading_of(first)[0]
    limits = range_of(content.values, color_range)
    meshes, parts = _meshes(figures, feet)
    return {
        "fps": fps,
        "frames": frames,
        "size": size,
        "spread": spread,
        "wide": max(float(figure.framing.wide.max()) for figure in figures),
        "floor": float(np.percentile(first.shown[..., 1].min(1), 10)),
        "gridStep": _nice(size / 3.5),
        "heading": float(np.arctan2(x, z)),
        "path": sd.pack(path, "f4"),
        "figures": [
            fg.figure_data(figure, part, packed_values(values, len(figure.clip.names), limits), size)
            for figure, part, values in zip(figures, parts, content.values, strict=True)
        ],
        "meshes": meshes,
        "ground": sd.ground_mesh(ground, low, high, first.turn, size / 30),
        "feet": [
            {"name": f.name, "key": f.key, "spans": f.spans, "heights": [sd.pack(h, "f4") for h in f.heights]}
            for f in feet
        ],
        "legend": legend(limits, color_label) if any(v is not None for v in content.values) else None,
    }


def _arranged(
    figures: list[fg.Figure], content: PageContent, report: Any, ground: Any, arrange: str
) -> tuple[list[fg.Figure], Any]:
    """Return figures in their places, and the ground as a height or a function."""
    first = figures[0]
    if not content.several or arrange == "together":
        heights = first.standing
        if content.several and ground is None:
            return figures, min(fg.span_of_levels(figures, None, None))
        return figures, panel.ground_of(ground, report, heights, first.turn[1], first.framing.size)
    if callable(panel.ground_of(ground, None, first.standing, first.turn[1], first.framing.size)):
        raise ValueError(
            "ground is not level: clips side by side leave it; arrange='together' keeps them in their places"
        )
    levels = fg.span_of_levels(figures, ground, None)
    return fg.side_by_side(figures, levels), levels[0]


def _with_heights(feet: list[panel.Foot], figures: list[fg.Figure], ground: Any) -> list[panel.Foot]:
    """Return the feet with how high each is above the ground, in each figure."""
    first = figures[0]
    rest = first.clip.skeleton.rest_global[:, :3, 3] @ first.turn[1]
    out = []
    for foot in feet:
        measured = (sd.foot_height(f.points, list(foot.joints), rest, ground, f.turn) for f in figures)
        out.append(foot._replace(heights=foot.heights[: len(figures)] or tuple(measured)))
    return out


def _camera_path(figures: list[fg.Figure], fps: float, frames: int, compared: bool) -> tuple[Floats, float]:
    """Return the smoothed path (F, 3) that the camera follows, and the largest distance between several figures."""
    shown = figures[:1] if compared else figures
    roots = []
    for figure in shown:
        at = np.minimum(np.round(np.arange(frames) / fps * float(figure.clip.fps)).astype(int), len(figure.points) - 1)
        roots.append(figure.framing.path[at])
    every = np.stack(roots, axis=1)
    spread = float(np.ptp(every[..., [0, 2]], axis=1).max()) if len(shown) > 1 else 0.0
    middle = (every.min(1) + every.max(1)) / 2
    return (sd.smoothed(middle, round(fps)) if len(shown) > 1 else middle), spread


def _meshes(figures: list[fg.Figure], feet: list[panel.Foot]) -> tuple[list[dict[str, Any]], list[int | None]]:
    """Return the skins, each once, and which one each figure has."""
    known: dict[int, int | None] = {id(None): None}
    out: list[dict[str, Any]] = []
    at: list[int | None] = []
    for figure in figures:
        mesh = figure.mesh
        if id(mesh) not in known:
            known[id(mesh)] = len(out)
            names, joints = list(mesh.skeleton.names), figure.clip.names
            parts = [[names.index(joints[j]) for j in foot.joints if joints[j] in names] for foot in feet]
            out.append(sd.mesh_data(mesh, parts))
        at.append(known[id(mesh)])
    return out, at


def _nice(value: float) -> float:
    """Return the power of ten, or two or five times one, nearest to the value."""
    choices = [m * 10.0**e for e in (np.floor(np.log10(value)), np.floor(np.log10(value)) + 1) for m in (1, 2, 5)]
    return float(min(choices, key=lambda c: abs(np.log(c / value))))
