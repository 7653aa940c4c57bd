# SPDX-License-Identifier: MIT
"""How notebooks show clips: the player over a still picture, which remains where scripts are removed."""

from __future__ import annotations

import html
from typing import Any

from .._support.html_table import html_table
from .page import Page, show
from .still import still_image, still_svg

MOST_BYTES = 3_000_000  # of a player that a notebook shows by itself
_MOST_NUMBERS = 400_000  # joints times frames: a larger clip surely needs more bytes
# Player and picture share a cell of a grid: where a renderer removes frames, the cell is as high as the picture.
_HIDDEN = "<style>@media(scripting:none){.skelkin-player{display:none}}</style>"
_CELL = "grid-area:1/1;"


def framed(page: Page, still: str) -> str:
    """Return a page in a frame over a picture (an ``<img>``), which shows where frames or scripts are removed."""
    player = page.framed('class="skelkin-player" ', _CELL)
    return f'{_HIDDEN}<div style="display:grid"><div style="{_CELL}">{still}</div>{player}</div>'


def clip_html(clip: Any, compare: Any = None, report: Any = None, ground: Any = None) -> str:
    """Return what a notebook shows of a clip: a table, a picture and, unless it is too long, the player.

    A planted clip is shown before and after, with the figures of its report.
    """
    if report is not None:
        given = {"compare": compare, "report": report, "ground": ground}
        return _shown(clip, given, f"{report!r}".strip("<>"), report._repr_html_(), "What changed")
    legs = [leg.side or clip.names[leg.ankle] for leg in clip.find_legs()]
    rows = [
        ("frames", f"{clip.num_frames:,}"),
        ("frames per second", f"{clip.fps:g}"),
        ("seconds", f"{clip.num_frames / clip.fps:.2f}"),
        ("joints", f"{len(clip.names):,}"),
        ("legs", ", ".join(legs) or "none found"),
    ]
    alt = f"poses of a clip of {clip.num_frames} frames"
    return _shown(clip, {}, alt, html_table([], rows, left=2), "About the clip")


def _shown(clip: Any, given: dict[str, Any], alt: str, table: str, heading: str) -> str:
    """Return the player over a picture, and a table; for a long clip only a picture of its beginning and the table."""
    figures = 1 + (given.get("compare") is not None)
    most = max(1, _MOST_NUMBERS // (len(clip.names) * figures))
    if clip.num_frames > most:
        return _beginning(clip, given, most, alt) + table + _LONG
    try:
        still = still_image(still_svg(clip, **given), alt)
        player = framed(show(clip, **given), still)
    except ValueError as why:  # poses that cannot be drawn still have a table
        return f"{table}<p>No picture: {html.escape(str(why))}.</p>"
    if len(player.encode("utf-8", "replace")) > MOST_BYTES:
        return still + table + _LONG
    return f"{player}<details><summary>{heading}</summary>{table}</details>"


_LONG = "<p>A long clip: <code>.show()</code> plays it.</p>"


def _beginning(clip: Any, given: dict[str, Any], count: int, alt: str) -> str:
    """Return a picture of the first frames, without the contacts of the report."""
    compare = given.get("compare")
    parts = {"compare": None if compare is None else compare[:count], "ground": given.get("ground")}
    title = f"The first {count:,} frames of {clip.num_frames:,}"
    try:
        return still_image(still_svg(clip[:count], **parts, title=title), alt)
    except ValueError as why:
        return f"<p>No picture: {html.escape(str(why))}.</p>"
