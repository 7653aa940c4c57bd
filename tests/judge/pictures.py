# SPDX-License-Identifier: MIT
"""Pictures to look at: stick figures around the worst frames of a clip, and curves of its knees, ankles and body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cost
import numpy as np
import viewer
from bars import KINDS, Row
from hinges import signed_flexion
from judgement import Case, Versions
from motion import Array, LegMotion, norm, unit
from table import Verdict

GREY, PLANTED, BEST = "#9a9a9a", ("#c2410c", "#1d4ed8", "#15803d", "#7e22ce"), "#000000"
SHOWN, AROUND = 4, 7  # worst frames, and figures around each
APART = 0.3  # seconds between worst frames


def draw(case: Case, found: Versions, rows: Sequence[Row], folder: Path) -> Path:
    """Write one picture of a clip; its name is the clip's."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    events = worst_frames(found)
    count, legs = len(found.before[0].hip), len(found.names)
    height = [1.5] * len(events) + [1.0] * (2 * legs + 1)
    figure = Figure(figsize=(16, 2.2 * sum(height)), dpi=70, layout="constrained")
    grid = figure.add_gridspec(len(height), 1, height_ratios=height)
    for place, (frame, why) in enumerate(events):
        _sticks(figure.add_subplot(grid[place]), found, frame, why)
    flexions = [
        [signed_flexion(leg, hinge) for leg, hinge in zip(version, found.hinges)]
        for version in (found.before, found.after, found.best)
    ]
    up = found.problem.up
    low = min(float((leg.ankle @ up).min()) for leg in found.before)
    heights = [[leg.ankle @ up - low for leg in version] for version in (found.before, found.after, found.best)]
    for k, name in enumerate(found.names):
        _curves(figure.add_subplot(grid[len(events) + k]), found, k, f"{name}: flexion, degrees", flexions)
        _curves(figure.add_subplot(grid[len(events) + legs + k]), found, k, f"{name}: height of the ankle", heights)
    axes = figure.add_subplot(grid[-1])
    for shift, style in ((found.after[0].hip - found.before[0].hip, "-"), (found.solution.body, ":")):
        level = shift - (shift @ up)[:, None] * up
        axes.plot(shift @ up, style, color=PLANTED[0], lw=1, label="up")
        axes.plot(norm(level), style, color=PLANTED[1], lw=1, label="level")
    axes.set_title("body moved (dotted: optimum)", fontsize=8, loc="left")
    axes.legend(fontsize=6)
    for each in figure.axes[len(events) :]:
        each.set_xlim(0, max(count - 1, 1))
        each.tick_params(labelsize=6)
        for frame, _ in events:
            each.axvline(frame, color="#f0c000", lw=0.6)
    over = ", ".join(KINDS[kind].title for kind in sorted({row.kind for row in rows if row.over})) or "none"
    figure.suptitle(f"{case.name}: {count} frames at {case.clip.fps:g}/s; over their bars: {over}", fontsize=10)
    path = folder / (re.sub(r"[^A-Za-z0-9_.-]+", "_", case.name) + ".png")
    figure.savefig(path)
    return path


def figures_at(versions: viewer.Compared, frame: int) -> list[list[list[tuple[float, float]]]]:
    """Points ahead and up of the legs of the original and of the planted clip, seen from the side."""
    ahead, origin = _ahead(versions.before, frame, versions.up), versions.before[0].hip[frame]
    return [
        [
            [(float((p[frame] - origin) @ ahead), float((p[frame] - origin) @ versions.up))
             for p in (leg.hip, leg.knee, leg.ankle, leg.toe) if p is not None]
            for leg in legs
        ]
        for legs in (versions.before, versions.after)
    ]  # fmt: skip


def draw_sheet(verdicts: Sequence[Verdict], path: Path) -> None:
    """Draw the worst frame of every clip into one picture, those that a viewer would mind first and named in red."""
    from matplotlib.figure import Figure

    ranked = sorted(verdicts, key=lambda v: -max(each.excess for each in v.seen))
    across = 12
    down = -(-len(ranked) // across)
    figure = Figure(figsize=(15, 1.55 * down), dpi=80)
    for place, verdict in enumerate(ranked):
        axes = figure.add_subplot(down, across, place + 1)
        for legs, width in zip(verdict.sticks, (3.5, 1.3)):
            for k, points in enumerate(legs):
                colour = GREY if width > 2.0 else PLANTED[k % len(PLANTED)]
                axes.plot(*zip(*points), "-", color=colour, lw=width, solid_capstyle="round")
        axes.set(xlim=(-0.75, 0.75), ylim=(-1.25, 0.25), aspect="equal")
        axes.axis("off")
        worst = max(verdict.seen, key=lambda each: each.excess)
        name = verdict.name if len(verdict.name) <= 26 else verdict.name[:25] + "…"
        title = f"{name}\n{worst.row}, {worst.frame}"
        axes.set_title(title, fontsize=5.5, color="#b91c1c" if worst.minded else "#404040", pad=2)
    figure.subplots_adjust(
        left=0.005, right=0.995, bottom=0.005, top=1.0 - 0.25 / (1.55 * down), hspace=0.25, wspace=0.05
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def worst_frames(found: Versions) -> list[tuple[int, str]]:
    """Frames to look at, and why: where the planted clip does most of what the original does not."""
    fps, scores = found.problem.fps, []
    for before, after, hinge, name in zip(found.before, found.after, found.hinges, found.names):
        old, new = (cost.seen(leg, hinge, fps) for leg in (before, after))
        bent = np.maximum(old.flexion - cost.BACKWARD - new.flexion, 0.0) * cost.backward(new.flexion, old.flexion)
        changed = np.abs(np.maximum(new.flexion, cost.LEAST) - np.maximum(old.flexion, cost.LEAST))
        for why, score in (
            ("turns over", 100.0 * np.maximum(new.overturned - old.overturned, 0.0)),
            ("bends backward", bent),
            ("knee jerks", 20.0 * (new.jerk - old.jerk) / max(float(old.jerk.max()), 1e-9)),
            ("foot jumps", 500.0 * (new.jump - old.jump)),
            ("flexion differs", changed),
        ):
            scores.append((f"{name} {why}", score))
    events: list[tuple[int, str]] = []
    near = max(2, round(APART * fps))
    left = np.array([score for _, score in scores])
    while len(events) < SHOWN and left.size and left.max() > 5.0:
        which, frame = np.unravel_index(int(left.argmax()), left.shape)
        events.append((int(frame), scores[which][0]))
        left[:, max(0, frame - near) : frame + near + 1] = 0.0
        left[which] *= 0.5
    return sorted(events) or [(len(found.before[0].hip) // 2, "the middle")]


def _sticks(axes: Any, found: Versions, frame: int, why: str) -> None:
    """Figures side by side, seen from the side: original grey, planted in colour, optimum dotted."""
    count, up = len(found.before[0].hip), found.problem.up
    step = max(1, round(found.problem.fps / 60.0))
    frames = [frame + step * n for n in range(-(AROUND // 2), AROUND // 2 + 1) if 0 <= frame + step * n < count]
    ahead = _ahead(found.before, frame, up)
    for place, at in enumerate(frames):
        origin = found.before[0].hip[at]
        for legs, style, width in ((found.before, "-", 3.0), (found.best, ":", 1.0), (found.after, "-", 1.2)):
            for k, leg in enumerate(legs):
                joints = [leg.hip[at], leg.knee[at], leg.ankle[at]] + ([] if leg.toe is None else [leg.toe[at]])
                points = np.array(joints[: 3 if legs is found.best else 4]) - origin
                colour = GREY if legs is found.before else BEST if legs is found.best else PLANTED[k % len(PLANTED)]
                axes.plot(points @ ahead + 1.1 * place, points @ up, style + "o", color=colour, lw=width, ms=1.5)
        feet = [name for name, flags in zip(found.names, found.flags) if flags[at]]
        axes.text(1.1 * place, 0.08, f"{at}" + (f" ({', '.join(feet)})" if feet else ""), fontsize=7, ha="center")
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(f"frame {frame}: {why}", fontsize=8, loc="left", pad=12)


def _ahead(legs: Sequence[LegMotion], frame: int, up: Array) -> Array:
    """Level direction in which the toes look, else square to the hips."""
    toes = [leg.toe[frame] - leg.ankle[frame] for leg in legs if leg.toe is not None]
    across = legs[0].hip[frame] - legs[-1].hip[frame]
    ahead = np.sum(toes, axis=0) if toes else np.cross(across, up)
    return unit(ahead - (ahead @ up) * up)


def _curves(axes: Any, found: Versions, k: int, title: str, values: Sequence[Sequence[Array]]) -> None:
    axes.plot(values[0][k], color=GREY, lw=2)
    axes.plot(values[2][k], ":", color=BEST, lw=0.8)
    axes.plot(values[1][k], color=PLANTED[k % len(PLANTED)], lw=0.9)
    edges = np.flatnonzero(np.diff(np.r_[0, found.flags[k].astype(int), 0]))
    for first, last in zip(edges[::2], edges[1::2]):
        axes.axvspan(first, last - 1, color="#e8eef5", lw=0)
    axes.set_title(title, fontsize=8, loc="left")
