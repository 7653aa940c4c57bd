# SPDX-License-Identifier: MIT
"""Stick poses, and height and speed of every foot over time, before and after."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ground import as_ground
from .style import (
    AFTER,
    BEFORE,
    QUIET,
    clean,
    legend_below,
    mark_parts,
    new_figure,
    over_time,
    part_title,
    save_figure,
    shade_contacts,
    with_headline,
)


def plot_report(
    report: Any,
    *,
    before: Any = None,
    after: Any = None,
    ground: Any = None,
    frames: Sequence[int] | None = None,
    title: str | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Any:
    """Draw what planting did: stick poses, and height and speed of every foot over time.

    The contacts are shaded, with bars below where heel and ball stand. Heights are those of the sole above the
    ground; speed is that of the point on which the foot rolls, over the ground.

    Parameters
    ----------
    report : PlantReport
        Of `plant_feet`.
    before, after : Clip, optional
        The clips it is about; with both, poses are drawn above the curves, from the side.
    ground : optional
        The ground as given to `plant_feet`, drawn under the poses; default the report's level.
    frames : sequence of int, optional
        Which poses to draw; default seven, spread over the clip.
    title : str, optional
        A heading; default the slide before and after, and what a viewer would mind.
    path : str or os.PathLike, optional
        Where to save the figure; the ending decides the format.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; it has its own canvas and can be shown or saved.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    ValueError
        If only one of `before` and `after` is given, or a frame is not in the clip.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> planted = biped.clip.plant_feet(ground=biped.ground)
    >>> figure = plot_report(planted.report, before=biped.clip, after=planted.clip, ground=biped.ground)
    >>> len(figure.axes)  # the poses, and height and speed of two feet
    5
    """
    if (before is None) != (after is None):
        raise ValueError("before and after belong together: give both clips or none")
    poses = before is not None
    legs = list(report.legs)
    old, new = (report.centimetres(report.slide(when)[0]) for when in ("before", "after"))
    heading = title or with_headline(report, f"Slide of the standing feet: {old:.2f} → {new:.2f} cm (mean)")
    figure = new_figure(11.0, (3.6 if poses else 0.4) + 4.6, heading)
    rows = figure.add_gridspec(3 if poses else 2, max(len(legs), 1), height_ratios=([1.7] if poses else []) + [1, 1])
    if poses:
        _draw_poses(figure.add_subplot(rows[0, :]), report, before, after, ground, frames)
    first = 1 if poses else 0
    shared: list[Any] = [None, None]
    for k, leg in enumerate(legs):
        for row, (what, label) in enumerate((("height", "height of the sole, cm"), ("speed", "speed, cm/s"))):
            axes = figure.add_subplot(rows[first + row, k], sharey=shared[row])
            shared[row] = shared[row] or axes
            _draw_curves(axes, report, leg, what)
            axes.set_ylabel(label if k == 0 else "")
            axes.tick_params(labelleft=k == 0, labelbottom=row == 1)
            if row == 0:
                axes.set_title(part_title("foot", leg.name), loc="left", fontsize=10)
            else:
                axes.set_xlabel("time, s")
    if legs:
        legend_below(figure, figure.axes[first])
    save_figure(figure, path)
    return figure


def _draw_curves(axes: Any, report: Any, leg: Any, what: str) -> None:
    """Draw one quantity of one foot before and after, contacts shaded."""
    time = over_time(axes, report)
    shade_contacts(axes, report, leg)
    if what == "height":
        mark_parts(axes, report, leg)
    for curves, tone, name in ((leg.before, BEFORE, "before"), (leg.after, AFTER, "after")):
        values = np.asarray(getattr(curves, what), float)
        axes.plot(time[: len(values)], 100.0 * report.metres_per_unit * values, color=tone, linewidth=1.4, label=name)
    axes.axhline(0.0, color=QUIET, linewidth=0.8)
    if what == "speed":  # linear up to a tenth of a leg per second, where a foot slides; the swing beyond is far faster
        slow = 100.0 * report.metres_per_unit * 0.1 * leg.length
        axes.set_yscale("symlog", linthresh=slow, linscale=1.5)
        axes.set_yticks(_round_ticks(slow))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set_ylim(bottom=-0.08 * slow)
    clean(axes)


def _round_ticks(slow: float) -> list[float]:
    """Return round ticks for a scale that is linear up to `slow`: two in the linear part, then decades."""
    unit = 10.0 ** np.floor(np.log10(slow))
    step = unit * max(m for m in (0.5, 1.0, 2.0, 5.0) if m * unit <= slow / 1.5)
    return [0.0, step, *(unit * 10.0 ** np.arange(1, 4))]


def _draw_poses(axes: Any, report: Any, before: Any, after: Any, ground: Any, frames: Sequence[int] | None) -> None:
    """Draw stick poses seen across the way, with the ground in the same view."""
    count = after.num_frames
    if frames is None:
        frames = np.unique(np.linspace(0.04 * (count - 1), 0.96 * (count - 1), 7).round().astype(int)).tolist()
    for k, frame in enumerate(frames):
        if not 0 <= frame < count:
            raise ValueError(f"frames[{k}] is {frame}: the clip has frames 0 to {count - 1}")
    up = np.asarray(report.up, float)
    positions = [np.asarray(clip.positions()) for clip in (before, after)]
    across, start = _view(positions[1][:, 0], up)
    height = float(np.median(np.ptp(positions[1] @ up, axis=1))) or 1.0
    wide = 1.15 * max(float(np.median(np.ptp(positions[1] @ across, axis=1))), 0.4 * height)
    travel = float(np.ptp((positions[1][:, 0] - start) @ across))
    apart = 0.0 if travel > 0.8 * wide * (len(frames) - 1) else wide  # poses on one spot stand side by side
    parents = np.asarray(after.skeleton.parents)
    for which, color in ((0, BEFORE), (1, AFTER)):
        for k, frame in enumerate(frames):
            pose = positions[which][frame]
            x, y = (pose - start) @ across + k * apart, pose @ up
            if apart:
                x = x - (positions[1][frame, 0] - start) @ across
            bones = [j for j in range(len(parents)) if parents[j] >= 0]
            lines_x = np.array([[x[parents[j]], x[j], np.nan] for j in bones]).ravel()
            lines_y = np.array([[y[parents[j]], y[j], np.nan] for j in bones]).ravel()
            label = ("before", "after")[which] if k == 0 else None
            axes.plot(lines_x, lines_y, color=color, linewidth=1.5 if which else 1.1, alpha=1.0 if which else 0.75,
                      solid_capstyle="round", label=label)  # fmt: skip
            if which:
                top = max(float((each[frame] @ up).max()) for each in positions)
                axes.annotate(f"frame {frame}", (float(x.mean()), top), xytext=(0, 6),
                              textcoords="offset points", ha="center", fontsize=8, color=QUIET)  # fmt: skip
    _draw_ground(axes, report, ground, positions[1], across, start, up, apart)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.margins(x=0.01, y=0.08)
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 0.02), fontsize=8, frameon=False, ncols=3)


def _view(path: np.ndarray, up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the level unit direction of the way, and where it starts."""
    way = path[-1] - path[0]
    way = way - (way @ up) * up
    if np.linalg.norm(way) < 1e-9 * max(1.0, float(np.abs(path).max())):
        way = np.cross(up, np.eye(3)[int(np.abs(up).argmin())])
    return way / np.linalg.norm(way), path[0]


def _draw_ground(
    axes: Any,
    report: Any,
    ground: Any,
    positions: np.ndarray,
    across: np.ndarray,
    start: np.ndarray,
    up: np.ndarray,
    apart: float,
) -> None:
    """Draw the ground's profile below the poses."""
    leg = report.leg_length
    surface = as_ground(report.ground if ground is None else ground)
    if surface is None:
        return
    if surface.level is not None:
        axes.axhline(surface.level, color=QUIET, linewidth=1.6, zorder=0, label="ground")
        return
    if apart:
        return  # poses that stand side by side stand on different places
    low, high = axes.get_xlim()
    along = np.linspace(low, high, 800)
    root = positions[:, 0]
    done = (root - start) @ across
    order = np.argsort(done, kind="stable")
    place = np.stack([np.interp(along, done[order], root[order, k]) for k in range(3)], -1)
    place += (along - (place - start) @ across)[:, None] * across  # beyond both ends, straight on
    heights = surface.facing(up, leg).heights(place)
    axes.plot(along, heights, color=QUIET, linewidth=1.6, label="ground")
    axes.fill_between(along, heights, float(heights.min()) - 0.04 * (high - low), color="#eef1f4")
