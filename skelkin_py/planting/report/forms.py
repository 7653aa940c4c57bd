# SPDX-License-Identifier: MIT
"""The forms of a report: rows, plain text, HTML for notebooks, a dictionary."""

from __future__ import annotations

import html
import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..._support.html_table import html_list, html_table
from ..._support.printable import escaped
from ..._support.version import __version__
from ..cost import Range
from .figures import Figures
from .in_words import WORDS, five_lines, folded, minded_lines, verdict

_LEG_METRES = 0.9  # the length that legs are taken to have where no unit is given
_SCHEMA = 2  # goes up when a key changes its meaning or goes away, not when one is added
Row = tuple[str, str, str]
_COUNTS = {
    "backward": "knees bent backward (frames)",
    "overturned": "knees turned over (frames)",
    "pops": "knee pops (frames)",
}


class Report(Figures):
    """The forms of these figures."""

    def _more_rows(self) -> list[Row]:
        """Return rows that only one kind of report has."""
        return []

    def in_five_lines(self) -> list[str]:
        """Return what planting did in five lines: contacts, slide, ground, knees and body.

        Returns
        -------
        list of str
            As the command line, notebooks, the page and Blender's panel show them.
        """
        return five_lines(self)

    def minded(self) -> list[str]:
        """Return what a viewer would mind, worst first: how much, in which frames, why, and which option to turn.

        Returns
        -------
        list of str
            Each begins with its grade, "look at" or "fault"; empty where there is nothing.
        """
        return minded_lines(self)

    def as_rows(self) -> list[tuple[str, str, str]]:
        """Return all figures as rows (what, before, after).

        Returns
        -------
        list of (str, str, str)
            Without a heading; the middle is empty where there is no before.
        """
        cm, cost = self.centimetres, self.cost
        counts = [sum(contact.leg == k for contact in self.contacts) for k in range(len(cost.legs))]
        low, high = self.raised
        return [
            *((f"contacts, {leg.name}", "", f"{count:,}") for leg, count in zip(cost.legs, counts, strict=True)),
            pair("slide, mean (cm)", lambda when: cm(self.slide(when)[0])),
            pair("slide, worst (cm)", lambda when: cm(self.slide(when)[1])),
            pair("float in contact, worst (cm)", lambda when: cm(self.worst("float", when))),
            pair("below ground, worst (cm)", lambda when: cm(self.deepest(when))),
            *self._cost_rows(),
            ("pelvis raised (cm)", "", f"{signed(cm(low))} … {signed(cm(high))}"),
            *self._more_rows(),
        ]

    def _cost_rows(self) -> list[Row]:
        """Return what planting cost: of several legs the worst, counts over all of them."""
        cost, legs = self.cost, self.cost.legs
        flexions = [(min(leg.flexion[k][0] for leg in legs), max(leg.flexion[k][1] for leg in legs)) for k in (0, 1)]
        typical, worst = max(leg.change_typical for leg in legs), max(leg.change_worst for leg in legs)
        body = (f"{self.centimetres(way * self.leg_length):.1f}" for way in (cost.body_typical, cost.body_worst))

        def counts(what: str) -> Row:
            before, after = cost.total(what)
            return _COUNTS[what], "" if what == "backward" else f"{before:,}", f"{after:,}"

        def of_each(title: str, what: str, scale: float) -> Row:
            before, after = (" / ".join(f"{scale * getattr(leg, what)[k]:.3g}" for leg in legs) for k in (0, 1))
            return title, before, after

        return [
            ("knee flexion (degrees)", _range(flexions[0]), _range(flexions[1])),
            *map(counts, _COUNTS),
            of_each("knee jerk, highest per leg (10⁶ °/s³)", "jerk", 1e-6),
            of_each("foot acceleration (legs/frame²)", "jump", 1.0),
            ("flexion changed, RMS / worst (degrees)", "", f"{typical:.1f} / {worst:.1f}"),
            ("changed over 10° (% of frames)", "", " / ".join(f"{100.0 * leg.changed:.1f}" for leg in legs)),
            ("body moved, RMS / worst (cm)", "", " / ".join(body)),
            ("acceleration added, legs / body (legs/s²)", "", f"{cost.leg_added:.2f} / {cost.body_added:.2f}"),
        ]

    def as_text(self, *, verbose: bool = False, words: str = "python") -> str:
        """Return the report as lines of at most 80 places.

        Parameters
        ----------
        verbose : bool, default False
            Whether all figures follow as a table, and which of those that papers give became higher.
        words : "python", "shell" or "blender", default "python"
            Who turns the options that it names.

        Returns
        -------
        str
            Five lines, what a viewer would mind, and messages.
        """
        if words not in WORDS:
            raise ValueError(f"words is {words!r}: one of {', '.join(map(repr, WORDS))}")
        lines = [*folded(self.in_five_lines()), *folded(verdict(self, words))]
        if verbose:
            lines += ["", *self.as_table().split("\n"), *folded(self._risen()), self._speed_line()]
        return "\n".join([*lines, *folded([f"- {message}" for message in self.messages])])

    def as_table(self) -> str:
        """Return all figures as a table.

        Returns
        -------
        str
            Lines.
        """
        rows = [("", "before", "after"), *(tuple(map(escaped, row)) for row in self.as_rows())]
        wide = [max(len(row[k]) for row in rows) for k in range(3)]
        lines = [f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:>{wide[2]}}".rstrip() for a, b, c in rows]
        return "\n".join(lines)

    def _risen(self) -> list[str]:
        """Return a line that names what papers measure and became higher."""
        return []

    def __str__(self) -> str:
        return self.as_text()

    def _speed_line(self) -> str:
        return f"planted {self.frames_per_second:,.0f} frames per second"

    def _repr_html_(self) -> str:
        """Show the report in a notebook: the same lines, and all figures folded away below them."""
        lines = html.escape("\n".join([*folded(self.in_five_lines()), *folded(verdict(self))]))
        table = html_table(("", "before", "after"), self.as_rows())
        risen = [html.escape(line) for line in self._risen()]
        more = [f"<p>{line}</p>" for line in (*risen, self._speed_line())]
        out = [f"<pre>{lines}</pre>", html_list(list(self.messages))] if self.messages else [f"<pre>{lines}</pre>"]
        return "\n".join([*out, "<details><summary>All figures</summary>", table, *more, "</details>"])

    def _told(self, legs: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
        """Return the keys that all reports have, with those of one of them, as JSON knows them; not finite is None."""

        def both(function: Callable[[str], float]) -> dict[str, float]:
            return {when: function(when) for when in ("before", "after")}

        told = {
            "schema": _SCHEMA,
            "versions": {"skelkin_py": __version__, "numpy": np.__version__, "python": platform.python_version()},
            "num_frames": self.num_frames,
            "fps": self.fps,
            "up": self.up_name,
            "ground": self.ground,
            "ground_velocity": None if self.ground_velocity is None else self.ground_velocity.tolist(),
            "pace": self.pace,
            "pace_legs": None if self.pace is None else self.pace / self.leg_length,
            "pinned": self.pinned,
            "loop": self.loop,
            "leg_length": self.leg_length,
            "metres_per_unit": self.metres_per_unit,
            "unit_known": self.unit_known,
            "slide_mean": both(lambda when: self.slide(when)[0]),
            "slide_worst": both(lambda when: self.slide(when)[1]),
            "slide_before_cm": self.centimetres(self.slide("before")[0]),
            "slide_after_cm": self.centimetres(self.slide("after")[0]),
            "penetration_worst": both(lambda when: self.worst("penetration", when)),
            "float_worst": both(lambda when: self.worst("float", when)),
            "below_ground_worst": both(self.deepest),
            "body_shift": self.raised,
            "cost": self.cost.to_dict(),
            "minded": self.minded(),
            "seconds": self.seconds,
            "frames_per_second": self.frames_per_second,
            **more,
            "legs": legs,
            "contacts": [
                {
                    "leg": contact.name,
                    "leg_index": contact.leg,
                    "first_frame": contact.first_frame,
                    "last_frame": contact.last_frame,
                    "rise": contact.rise,
                    "stands_at": contact.stands_at,
                    "before": asdict(contact.before),
                    "after": asdict(contact.after),
                }
                for contact in self.contacts
            ],
            "messages": self.messages,
        }
        plain: dict[str, Any] = _finite(told)
        return plain


def metres_in_unit(given: float | None, length: float, messages: list[str]) -> float:
    """Return how many metres one unit is; where that is not given, it is by the leg, and the messages say so."""
    if given is not None:
        return float(given)
    messages.append(f"centimetres assume legs of {_LEG_METRES} m, since no unit is given")
    return _LEG_METRES / length


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; what is rounded to nothing has no minus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0.0 else text


def pair(what: str, figure: Callable[[str], float], form: str = ".2f") -> Row:
    """Return a row of one figure before and after."""
    return what, format(figure("before"), form), format(figure("after"), form)


def _range(values: Range) -> str:
    return " … ".join(f"{value:.0f}".replace("-0", "0") if round(value) == 0 else f"{value:.0f}" for value in values)


def _finite(value: Any) -> Any:
    """Return the same with None for numbers that JSON does not know."""
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
