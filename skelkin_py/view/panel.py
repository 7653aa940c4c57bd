# SPDX-License-Identifier: MIT
"""The text beside the picture in the player: feet, contacts and numbers of a report; and up axis and ground."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._support.array_types import Floats
from ..ground import as_ground
from ..legs import leg_names
from ..planting.remark import renumbered
from ..planting.report.report import STEM
from ..planting.viewer_rows import NOTHING_MINDED
from .scene_data import MOST_INFLUENCES


def up_of(clip: Any, report: Any, legs: list[Any]) -> np.ndarray:
    """Return the (3,) up axis: the report's, else the axis from the feet to the hips, else +Y."""
    if report is not None:
        return np.asarray(report.up, float)
    if not legs:
        return np.array([0.0, 1.0, 0.0])
    positions = clip.positions()
    with np.errstate(over="ignore", invalid="ignore"):  # of positions that cannot be drawn
        line = (positions[:, [leg.hip for leg in legs]] - positions[:, [leg.ankle for leg in legs]]).mean((0, 1))
    axis = int(np.abs(line).argmax())
    return np.asarray(np.copysign(np.eye(3)[axis], line[axis]) * np.eye(3)[axis])


class Foot(NamedTuple):
    """One foot.

    Attributes
    ----------
    key, name : str
        Its name in the report, and in the player.
    joints : tuple of int
        Ankle, then toe; empty where the report's leg is not found in the clip.
    spans : tuple of (int, int)
        First and last frame of each contact; empty without a report.
    on_ball : tuple of (int, int)
        First and last frame of each span in which its ball stands.
    heights : tuple of (F,) arrays
        How high it is above the ground, after planting and before; empty without a report.
    """

    key: str
    name: str
    joints: tuple[int, ...]
    spans: tuple[tuple[int, int], ...] = ()
    on_ball: tuple[tuple[int, int], ...] = ()
    heights: tuple[Floats, ...] = ()


def feet_of(clip: Any, report: Any, legs: list[Any]) -> list[Foot]:
    """Return the feet; a leg of the report is found again by its name."""
    known = {}
    for leg, name in zip(legs, leg_names(legs, clip.names), strict=True):
        known[name] = Foot(name, _label(name), (leg.ankle,) if leg.toe is None else (leg.ankle, leg.toe))
    if report is None:
        return list(known.values())
    out = []
    for leg in report.legs:
        foot = known.get(leg.name, Foot(leg.name, _label(leg.name), ()))
        spans, on_ball = _plain(leg.contacts), _plain(leg.ball_contacts)
        out.append(foot._replace(spans=spans, on_ball=on_ball, heights=(leg.after.height, leg.before.height)))
    return out


def with_found(feet: list[Foot], found: Any) -> list[Foot]:
    """Return the feet of a clip that was not planted with the contacts that a report found."""
    spans = {leg.name: _plain(leg.contacts) for leg in found.legs}
    return [foot._replace(spans=spans.get(foot.key, ())) for foot in feet]


def _plain(spans: Any) -> tuple[tuple[int, int], ...]:
    return tuple((int(first), int(last)) for first, last in spans)


def _label(name: str) -> str:
    return f"{name.capitalize()} foot" if name in ("left", "right") else name


def ground_of(ground: Any, report: Any, heights: np.ndarray, up: np.ndarray, size: float) -> Any:
    """Return the ground to draw: the given one, else the report's level, else the lowest height of the feet.

    `heights`: those of the feet's joints (or of all), over frames. `up`: that of the clip. `size`: about the height of
    the figure. Ground that is not a plane is returned as a function, at the first frame, holes at its lowest height.
    """
    surface = as_ground(ground)
    if surface is not None:
        if surface.level is not None:
            return surface.level
        facing = surface.facing(up, size)

        def filled(points: np.ndarray) -> np.ndarray:
            found = facing.heights(points)
            holes = np.isnan(found)
            return np.where(holes, 0.0 if holes.all() else np.nanmin(found), found) if holes.any() else found

        return filled
    if report is not None and report.ground is not None:
        return float(report.ground)
    return float(np.percentile(heights.min(-1), 5))


def side_panel(title: str, content: Any, report: Any, scene: Mapping[str, Any], found: Any = None) -> str:
    """Return the side panel as HTML: heading, figures of the report, and the keys that work in this scene."""
    out = [f"<h1>{html.escape(title)}</h1>"]
    if content.several:
        out += _clip_list(content)
    else:
        out.append(f'<p class="sub">{_about(content.clips[0])}</p>')
    if report is not None:
        out += _figures(report, scene.get("first", 0))
    elif found is not None:
        out += _contacts(found, scene.get("first", 0), planted=False)
    return "\n".join([*out, *_remarks(content), _keys(scene)])


def _about(clip: Any) -> str:
    joints = len(clip.names)
    return f"{clip.num_frames} frames · {clip.fps:g} fps · {clip.num_frames / clip.fps:.1f} s · {joints} joints"


def _clip_list(content: Any) -> list[str]:
    """Return the list of clips, in their colours."""
    out = ['<ul class="clips">']
    for label, color, clip in zip(content.labels, content.colors, content.clips):
        out.append(
            f'<li><i style="background:{color}"></i><span><b>{html.escape(label)}</b><br>{_about(clip)}</span></li>'
        )
    out.append("</ul>")
    if len({clip.num_frames / clip.fps for clip in content.clips}) > 1:
        out.append('<p class="sub">All start together; a shorter one holds its last pose.</p>')
    return out


def _remarks(content: Any) -> list[str]:
    """Return notes on what the picture leaves out."""
    skins = [mesh for mesh in content.meshes if mesh is not None]
    used = {id(mesh): int((np.asarray(mesh.weights.weights) != 0).sum(1).max(initial=0)) for mesh in skins}
    most = max(used.values(), default=0)
    if most <= MOST_INFLUENCES:
        return []
    return [f'<p class="sub">Skin: of up to {most} influences the {MOST_INFLUENCES} largest are drawn.</p>']


def _keys(scene: Mapping[str, Any]) -> str:
    """Return the help on keys and mouse."""
    keys = [figure["key"] for figure in scene["figures"]]
    switches = (
        ("B", "before", "before" in keys),
        ("A", "after" if "before" in keys else "motion", "after" in keys),
        ("S", "skin", scene["meshes"]),
        ("K", "skeleton", True),
        ("T", "trails", any(figure["trails"] for figure in scene["figures"])),
        ("G", "ground", scene["ground"]),
    )
    help_ = ["<kbd>Space</kbd> play", "<kbd>←</kbd> <kbd>→</kbd> frame"]
    help_.append("<kbd>1</kbd> – <kbd>4</kbd> front, side, top, corner")
    help_ += [f"<kbd>{key}</kbd> {what}" for key, what, there in switches if there]
    help_ += ["<kbd>E</kbd> edit contacts"] if scene["feet"] else []
    mouse = "drag to orbit · wheel or pinch to zoom · <kbd>Shift</kbd> + drag or two fingers to pan · tap to play"
    camera = (
        "<kbd>J</kbd> <kbd>L</kbd> <kbd>↑</kbd> <kbd>↓</kbd> orbit, with <kbd>Shift</kbd> pan · "
        "<kbd>+</kbd> <kbd>−</kbd> zoom"
    )
    return f'<p class="keys">{" · ".join(help_)}<br>{camera}<br>{mouse}</p>'


def _unbroken(text: str) -> str:
    """Return a sentence in which no line ends before a unit."""
    return html.escape(text).replace(" %", "&nbsp;%").replace(" cm", "&nbsp;cm")


def _numbered(text: str, first: int) -> str:
    """Return a sentence with the numbers that the page gives its frames."""
    return renumbered(text, lambda frame: frame + first)


def _headline(report: Any, first: int) -> list[str]:
    """Return the report in five lines, and what a viewer would mind; a click goes to the frame."""
    out = ['<table class="lines"><tbody>']
    for line in (_numbered(line, first) for line in report.in_five_lines()):
        stem, text = (part.strip() for part in (line[:STEM], line[STEM:]))
        out.append(f'<tr><th scope="row">{stem}</th><td>{_unbroken(text)}</td></tr>')
    out.append("</tbody></table>")
    if not report.cost.minded():
        return [*out, f'<p class="fine">{NOTHING_MINDED}</p>']
    out.append('<div class="minded"><b>What a viewer would mind</b><table><tbody>')
    for row, text in zip(report.cost.minded(), report.minded(), strict=True):
        out.append(f'<tr data-frame="{row.frame}"><td>{_unbroken(_numbered(text, first))}</td></tr>')
    return [*out, "</tbody></table></div>"]


_SAME = 0.01  # part: smaller changes count as equal, since rounding changes figures of long clips by as much
_MARKS = {"better": ("↓", "lower"), "worse": ("↑", "higher"), "equal": ("", "")}


def verdict(before: str, after: str) -> str:
    """Return whether a figure of the table became "better", "worse" or "equal"; all of them are better when small.

    Examples
    --------
    >>> verdict("5.12", "0.00"), verdict("0.031", "0.04"), verdict("0.00", "0.00"), verdict("3 … 80", "3 … 82")
    ('better', 'worse', 'equal', 'equal')
    """
    try:
        old, new = (float(text.replace(",", "")) for text in (before, after))
    except ValueError:  # a range, or no figure before: neither better nor worse
        return "equal"
    if abs(new - old) <= _SAME * max(abs(old), abs(new)):
        return "equal"
    return "worse" if new > old else "better"


def _after(old: str, new: str) -> str:
    """Return the cell of the planted clip: each figure with its verdict as a colour, an arrow and a word."""
    olds, news = old.split(" / "), new.split(" / ")
    if len(olds) != len(news):
        olds = [""] * len(news)
    out = []
    for a, b in zip(olds, news):
        kind = verdict(a, b)
        mark, word = _MARKS[kind]
        sign = f'<i aria-hidden="true">{mark}</i><span class="unseen"> {word}</span>' if mark else ""
        out.append(f'<span class="{kind}">{html.escape(b)}{sign}</span>')
    return " /<br>".join(out)


def _figures(report: Any, first: int) -> list[str]:
    """Return the report's headline and messages, and all figures and contacts in sections that open."""
    out = _headline(report, first)
    if report.messages:
        messages = (_numbered(message, first) for message in report.messages)
        out += ["<h2>Notes</h2><ul>", *(f"<li>{html.escape(message)}</li>" for message in messages), "</ul>"]
    out += [
        "<details><summary>All figures</summary>",
        '<table><thead><tr><td></td><th scope="col">before</th><th scope="col">after</th></tr></thead><tbody>',
    ]
    for what, old, new in report.as_rows():
        before = html.escape(old).replace(" / ", " /<br>")  # a line for each leg, since the panel is narrow
        out.append(
            f'<tr><th scope="row">{html.escape(what)}</th><td class="before">{before}</td>'
            f'<td class="after">{_after(old, new)}</td></tr>'
        )
    out += ["</tbody></table></details>"]
    out += _contacts(report, first, planted=True)
    return out


def _contacts(report: Any, first: int, *, planted: bool) -> list[str]:
    """Return the table of all contacts and their slide; a click on a row goes to its frame."""
    if not report.contacts:
        return []
    cm, number = report.centimetres, len(report.contacts)
    out = [
        "<details><summary>Every contact</summary>" if planted else
        f"<details open><summary>{number} contact{'s' * (number > 1)} found, mean slide "
        f"{cm(report.slide('before')[0]):.2f} cm</summary>",
        '<table><thead><tr><th scope="col">foot</th><th scope="col">frames</th>'
        '<th scope="col">slide, cm</th></tr></thead><tbody>',
    ]  # fmt: skip
    for c in report.contacts:
        before, after = (f"{cm(each.slide):.2f}" for each in (c.before, c.after))
        slide = f"{before} → {_after(before, after)}" if planted else before
        out.append(
            f'<tr data-frame="{c.first_frame}"><td>{html.escape(c.name)}</td>'
            f"<td>{c.first_frame + first}–{c.last_frame + first}</td><td>{slide}</td></tr>"
        )
    return [*out, "</tbody></table></details>"]
