# SPDX-License-Identifier: MIT
"""A still picture of a motion as SVG, made by numpy alone: poses from the side on the ground, before and after."""

from __future__ import annotations

import base64
import html
from typing import Any

import numpy as np

from .._support.array_types import Floats
from .._support.printable import escaped
from .stage import Stage, set_stage

_WIDTH, _TOP, _BELOW, _EDGE = 960.0, 54.0, 22.0, 24.0
_POSES = 7
_MOST_POINTS = 400  # of one line
_MARKS = "on the ground: how far standing feet slide"
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#59636e}.t{font-weight:600;font-size:15px;fill:#1b2430}"
    "path{fill:none}.card{fill:#fff;stroke:#dfe4e9}.g{fill:#e9edf1;stroke:#8a949e}.a{stroke:#1b2430;stroke-width:2.6}"
    ".b{stroke:#d9572b;stroke-width:1.9;opacity:.6}.w{stroke-width:1;opacity:.35}.c{stroke:#0f9d76;stroke-width:5}"
    ".s{stroke:#d9572b;stroke-width:5}path{stroke-linecap:round;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){text{fill:#a4adb8}.t{fill:#eef2f6}.card{fill:#161b22;stroke:#30363d}"
    ".g{fill:#262d36;stroke:#768390}.a{stroke:#e6edf3}}"
)


def still_svg(
    clip: Any, *, compare: Any = None, report: Any = None, ground: Any = None, title: str | None = None
) -> str:
    """Return a picture of a clip: seven poses from the side, the ground, the paths of the feet and their contacts.

    Parameters
    ----------
    clip, compare, report, ground, title
        As in `show`. The poses of `compare` are drawn behind in orange. Marks on the ground show how far standing feet
        slide, orange for `compare` and green for the clip.

    Returns
    -------
    str
        An ``<svg>`` without scripts, for light and dark themes.

    Raises
    ------
    ValueError, TypeError
        As in `show`.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> still_svg(sk.example("biped").clip)[:45]
    '<svg xmlns="http://www.w3.org/2000/svg" viewB...'
    """
    stage = set_stage(clip, compare, False, report, ground)
    parts, height = _drawn(stage)
    heading = title or ("Before and after" if compare is not None else "Motion")
    text = (
        f'<text class="t" x="{_EDGE:g}" y="28">{html.escape(escaped(heading))}</text>'
        f'<text x="{_EDGE:g}" y="46">{html.escape(_caption(clip, report))}</text>'
    )
    if compare is not None:
        text += (
            f'<path class="b" d="M{_WIDTH - 190:g} 24h22"/><text x="{_WIDTH - 162:g}" y="28">before</text>'
            f'<path class="a" d="M{_WIDTH - 100:g} 24h22"/><text x="{_WIDTH - 72:g}" y="28">after</text>'
        )
    if report is not None and report.contacts:
        text += f'<text x="{_WIDTH - _EDGE:g}" y="46" text-anchor="end">{_MARKS}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:.0f}" width="{_WIDTH:g}" '
        f'height="{height:.0f}" role="img"><style>{_STYLE}</style>'
        f'<rect class="card" x=".5" y=".5" width="{_WIDTH - 1:g}" height="{height - 1:.0f}" rx="12"/>'
        f"{text}{''.join(parts)}</svg>"
    )


def still_image(svg: str, alt: str) -> str:
    """Return an ``<img>`` with a picture inside, which remains where scripts and frames are removed."""
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(escaped(alt), quote=True)}" '
        f'width="{_WIDTH:g}" style="max-width:100%;height:auto">'
    )


def _caption(clip: Any, report: Any) -> str:
    """Return the line below the heading."""
    text = f"{clip.num_frames} frames at {clip.fps:g} per second, {len(clip.names)} joints"
    if report is None or not report.contacts:
        return text
    slides = [f"{report.centimetres(report.slide(when)[0]):.2f}" for when in ("before", "after")]
    return f"{text} · {len(report.contacts)} contacts slide {' → '.join(slides)} cm (mean)"


def _drawn(stage: Stage) -> tuple[list[str], float]:
    """Return the parts of the picture in the order of drawing, and its height."""
    shown = stage.points[0]
    count = len(shown)
    frames = np.unique(np.linspace(0.04 * (count - 1), 0.96 * (count - 1), _POSES).round().astype(int))
    along = np.array([stage.heading[0], 0.0, stage.heading[1]])
    wide = 1.15 * max(float(np.median(np.ptp(shown @ along, axis=1))), 0.45 * stage.framing.size)
    body = stage.framing.body @ along
    steps = np.diff(body[frames])
    in_place = not (len(steps) and stage.travels and (steps > 0.8 * wide).all() and (steps < 1.8 * wide).all())
    places = np.arange(len(frames)) * wide if in_place else body[frames]
    profiles = [_profile(stage, along, stage.framing.body[f], 0.46 * wide, p) for f, p in zip(frames, places)]
    if not in_place:
        profiles = [_profile_of_path(stage, along, wide)]
    poses = [
        [_flat(each[f], along, body[f], p)[stage.bones].reshape(-1, 2, 2) for f, p in zip(frames, places)]
        for each in stage.points
    ]
    paths, marks = ([], []) if in_place else _foot_paths(stage, along)
    every = np.concatenate([*(lines.reshape(-1, 2) for each in poses for lines in each), *profiles])
    low, high = every.min(0), every.max(0)
    scale = (_WIDTH - 2 * _EDGE) / max(high[0] - low[0], 1e-30)
    scale = min(scale, 260.0 / max(high[1] - low[1], 1e-30))
    height = _TOP + scale * (high[1] - low[1]) + _BELOW + 14.0
    shift = np.array([(_WIDTH - scale * (high[0] + low[0])) / 2, height - _BELOW + scale * low[1]])

    def path(kind: str, lines: list[Floats], tail: str = "") -> str:
        text = "".join(_moves(line * (scale, -scale) + shift) + tail for line in lines)
        return f'<path class="{kind}" d="{text}"/>' if text else ""

    floor = [np.concatenate([p, [[p[-1, 0], low[1] - 9 / scale], [p[0, 0], low[1] - 9 / scale]]]) for p in profiles]
    parts = [path("g", floor, "Z")]
    parts += [path(f"{kind} w", lines) for kind, lines in zip("ab", paths)][::-1]
    parts += [path(kind, list(np.concatenate(lines))) for kind, lines in zip("ab", poses) if len(lines[0])][::-1]
    parts += [path(kind, lines) for kind, lines in zip("cs", marks)][::-1]
    return parts, height


def _flat(points: Floats, along: Floats, start: float, place: float) -> Floats:
    """Return points (N, 2) seen from the side, with the body at a place."""
    return np.stack([points @ along - start + place, points[:, 1]], -1)


def _profile(stage: Stage, along: Floats, at: Floats, half: float, place: float) -> Floats:
    """Return the ground (N, 2) across one pose."""
    reach = np.linspace(-half, half, 2 if not callable(stage.ground) else 41)
    return np.stack([place + reach, stage.heights(at + reach[:, None] * along)], -1)


def _profile_of_path(stage: Stage, along: Floats, wide: float) -> Floats:
    """Return the ground (N, 2) along the path of the body, extended straight at both ends."""
    root = stage.framing.body
    travel = root @ along
    reach = np.linspace(travel.min() - wide / 2, travel.max() + wide / 2, 400 if callable(stage.ground) else 2)
    order = np.argsort(travel, kind="stable")
    places = np.stack([np.interp(reach, travel[order], root[order, k]) for k in range(3)], -1)
    places += (reach - places @ along)[:, None] * along
    return np.stack([reach, stage.heights(places)], -1)


def _foot_paths(stage: Stage, along: Floats) -> tuple[list[list[Floats]], list[list[Floats]]]:
    """Return for each clip the paths of the feet, and lines on the ground from where a foot stands to where it ends."""
    paths, marks = [], []
    for points in stage.points:
        every = max(1, len(points) // _MOST_POINTS)
        feet = [(foot, points[:, foot.joints[-1]]) for foot in stage.feet if foot.joints]
        paths.append([np.stack([path[::every] @ along, path[::every, 1]], -1) for _, path in feet])
        lines = []
        for foot, path in feet:
            for first, last in foot.on_ball:
                part = path[first : last + 1] @ along
                ends = np.array([part.min(), part.max()])
                under = stage.heights(path[[first, last]])
                lines.append(np.stack([ends, under], -1))
        marks.append(lines)
    return paths, marks


def _moves(line: Floats) -> str:
    """Return a line (N, 2) as the commands of a path, in tenths of a pixel."""
    if len(line) == 0:
        return ""
    first, *others = (f"{x:.1f} {y:.1f}" for x, y in line)
    return f"M{first}" + ("L" + " ".join(others) if others else "")
