# SPDX-License-Identifier: MIT
"""Tables as notebooks show them: plain HTML without scripts or classes, safe with any text."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Sequence

from .printable import escaped

MOST_ROWS = 200
_CELL = '<{0} style="text-align:{1}">{2}</{0}>'


def html_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1, marked: Collection[int] = ()
) -> str:
    """Return a table as HTML.

    Parameters
    ----------
    head : sequence of str
        The heading of each column; without any where it is empty.
    rows : iterable of sequence of str
        The texts of each row; the first names it. Of more than 200 rows the others are counted.
    left : int, default 1
        How many columns are set to the left; the others are figures, and set to the right.
    marked : collection of int
        Rows whose figures stand out.

    Returns
    -------
    str
        One ``<table>``.

    Examples
    --------
    >>> html_table([], [["frames", "<180>"]])
    '<table><tbody>...frames</th>...&lt;180&gt;</td></tr></tbody></table>'
    """
    sides = ["left" if k < left else "right" for k in range(1000)]
    out = ["<table>"]
    if head:
        cells = [_CELL.format("th" if each else "td", side, _text(each)) for side, each in zip(sides, head)]
        out += ["<thead><tr>", *cells, "</tr></thead>"]
    out.append("<tbody>")
    more = 0
    for k, row in enumerate(rows):
        if k >= MOST_ROWS:
            more += 1
            continue
        texts = [_text(each) for each in row]
        if k in marked:  # a renderer that takes colours away leaves the weight
            texts[1:] = [f'<strong style="color:#c2185b">{text}</strong>' for text in texts[1:]]
        cells = [_CELL.format("td" if n else "th", side, text) for n, (side, text) in enumerate(zip(sides, texts))]
        out += ["<tr>", *cells, "</tr>"]
    out.append("</tbody></table>")
    return "".join(out) + (f"<p>and {more:,} more</p>" if more else "")


def html_list(items: Sequence[str]) -> str:
    """Return a list as HTML, nothing where it is empty.

    Examples
    --------
    >>> html_list(["a < b"]), html_list([])
    ('<ul><li>a &lt; b</li></ul>', '')
    """
    return "<ul>" + "".join(f"<li>{_text(item)}</li>" for item in items) + "</ul>" if items else ""


def _text(text: str) -> str:
    return html.escape(escaped(text))
