# SPDX-License-Identifier: MIT
"""How notebooks show clips: the player over a still picture, which is what remains where scripts are taken away."""

from __future__ import annotations

import html
from typing import Any

from .._support.html_table import html_table
from .page import show
from .still import still_image, still_svg

MOST_BYTES = 3_000_000  # of a player that a notebook shows by itself
_MOST_NUMBERS = 400_000  # of joints times frames, beyond which no player is made to find out how large it is
_HEIGHT = 640
# Player and picture lie in one cell of a grid: where a renderer takes frames away the cell is as high as the picture.
_HIDDEN = "<style>@media(scripting:none){.skelkin-player{display:none}}</style>"
_CELL = "grid-area:1/1;"


def framed(page: str, still: str) -> str:
    """Return a page in a frame of its own, over the picture that is seen where frames or scripts are taken away.

    Parameters
    ----------
    page : str
        A whole page.
    still : str
        An ``<img>``.

    Returns
    -------
    str
        HTML that loads nothing.
    """
    return (
        f'{_HIDDEN}<div style="display:grid"><div style="{_CELL}">{still}</div>'
        f'<iframe class="skelkin-player" srcdoc="{html.escape(page, quote=True)}" title="skelkin player" width="100%" '
        f'height="{_HEIGHT}" style="{_CELL}border:0;border-radius:12px" allowfullscreen></iframe></div>'
    )


def clip_html(clip: Any, compare: Any = None, report: Any = None, ground: Any = None) -> str:
    """Return what a notebook shows of a clip: a table, a picture and, where it is not too long, the player.

    Of a planted clip before and after, and the figures of its report.
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
    told = f"poses of a clip of {clip.num_frames} frames"
    return _shown(clip, {}, told, html_table([], rows, left=2), "About the clip")


def _shown(clip: Any, given: dict[str, Any], told: str, table: str, heading: str) -> str:
    """Return the player over a picture and a table below; of a long clip a picture of its beginning, and no player."""
    figures = 1 + (given.get("compare") is not None)
    most = max(1, _MOST_NUMBERS // (len(clip.names) * figures))
    if clip.num_frames > most:
        return _beginning(clip, given, most, told) + table + _LONG
    try:
        still = still_image(still_svg(clip, **given), told)
        player = framed(show(clip, **given).html, still)
    except ValueError as why:  # of poses that nothing can draw, a table is better than an error
        return f"{table}<p>No picture: {html.escape(str(why))}.</p>"
    if len(player.encode("utf-8", "replace")) > MOST_BYTES:
        return still + table + _LONG
    return f"{player}<details><summary>{heading}</summary>{table}</details>"


_LONG = "<p>A long clip: <code>.show()</code> plays it.</p>"


def _beginning(clip: Any, given: dict[str, Any], count: int, told: str) -> str:
    """Return a picture of the first frames; the report's contacts, which go on beyond them, are left out."""
    compare = given.get("compare")
    parts = {"compare": None if compare is None else compare[:count], "ground": given.get("ground")}
    title = f"The first {count:,} frames of {clip.num_frames:,}"
    try:
        return still_image(still_svg(clip[:count], **parts, title=title), told)
    except ValueError as why:
        return f"<p>No picture: {html.escape(str(why))}.</p>"
