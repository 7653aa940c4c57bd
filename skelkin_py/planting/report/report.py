# SPDX-License-Identifier: MIT
"""What planting did, in numbers: as five lines, rows, text, HTML for notebooks and a dictionary."""

from __future__ import annotations

import html
import math
import platform
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from ... import plot
from ..._support.arguments import check_word, real_number
from ..._support.array_types import Floats
from ..._support.html_table import html_list, html_table
from ..._support.printable import escaped
from ..._support.values import Value
from ..._support.version import __version__
from ..cost import PlantCost, Range
from ..metrics import ContactMeasure, LiteratureFigures, deepest, literature_figures
from ..remark import FRAME, Remark, together
from ..spans import Span
from ..viewer_rows import NOTHING_MINDED, WORDS
from .legs import WHEN, Contact, LegReport, Violation, find_violations

Row = tuple[str, str, str]

WIDTH = 80  # characters of a line
STEM = 14  # of them for the label

_SCHEMA = 2  # goes up when a key changes its meaning or is removed, not when one is added
_UNCHANGED = 5e-4  # leg, degrees: less is no change
_SAME = 0.01  # part: figures of papers that rise by less count as equal
_COUNTS = {
    "backward": "knees bent backward (frames)",
    "overturned": "knees turned over (frames)",
    "pops": "knee pops (frames)",
}


@dataclass(frozen=True, eq=False)
class PlantReport(Value):
    """What planting did, in numbers; printed, it is five lines and what a viewer would mind.

    Parameters
    ----------
    contacts : tuple of Contact
        All contacts, in the order of legs and frames.
    legs : tuple of LegReport
        One per leg.
    num_frames : int
        Number of frames of the clip.
    frames : (int, int)
        The range that was planted, both included.
    fps : float
        Frames per second.
    up : (3,) float64
        The up axis, a unit vector; read-only.
    up_name : str
        The same in words, such as "+Y".
    ground : float or None
        Height of level ground along up, in the clip's units; None for other ground.
    ground_estimated : bool
        Whether that height was estimated from the standing feet.
    ground_velocity : (3,) float64 or None
        Velocity of ground that moves below the body, given or measured at the standing feet of a cycle in place, in the
        clip's units per second; slide is measured relative to it. Read-only.
    metres_per_unit : float
        The unit, as given or by the file; else 0.9 m divided by the leg length.
    unit_known : bool
        Whether it was given or known from the file.
    body_path : (F, 3) float64
        The body shift: how far planting moved the pelvis, in the clip's units; read-only.
    added_acceleration : float
        By how much that raises the pelvis' acceleration at worst, in the clip's units per s².
    seconds : float
        Computing time; ``==`` ignores it.
    messages : tuple of str
        Assumptions and warnings, a sentence each.
    pinned : bool
        Whether standing feet were also held horizontally; else only heights were corrected.
    loop : bool
        Whether the clip is a loop, which planting keeps closed.
    travel_added : (3,) float64 or None
        The velocity that `travel` added to the roots, in the clip's units per second; all other figures of movement are
        without it. Read-only.
    cost : PlantCost
        What planting cost: how much knees, feet and body move differently from the original.

    Notes
    -----
    Where a method takes `when`, "before" is the original clip and "after" the planted one; other words raise a
    ValueError.
    """

    contacts: tuple[Contact, ...]
    legs: tuple[LegReport, ...]
    num_frames: int
    frames: Span
    fps: float
    up: Floats
    up_name: str
    ground: float | None
    ground_estimated: bool
    ground_velocity: Floats | None
    metres_per_unit: float
    unit_known: bool
    body_path: Floats
    added_acceleration: float
    seconds: float = field(compare=False)
    cost: PlantCost
    messages: tuple[str, ...] = ()
    pinned: bool = True
    loop: bool = False
    travel_added: Floats | None = None

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""
        return (self.frames[1] - self.frames[0] + 1) / max(self.seconds, 1e-9)

    @property
    def body_shift(self) -> Floats:
        """(F,) How far the pelvis is raised, in the clip's units."""
        return np.asarray(self.body_path @ self.up)

    @property
    def raised(self) -> tuple[float, float]:
        """The lowest and highest values of `body_shift` in the planted range."""
        body = self.body_shift[self.frames[0] : self.frames[1] + 1]
        return float(body.min()), float(body.max())

    @property
    def leg_length(self) -> float:
        """Mean leg length in the clip's units."""
        return float(np.mean([leg.length for leg in self.legs]))

    def slide(self, when: str = "after") -> tuple[float, float]:
        """Return the mean and the worst slide of all contacts.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        mean, worst : float
            In the clip's units; 0 without contacts.
        """
        slides = [contact.measure(when).slide for contact in self.contacts]
        return (float(np.mean(slides)), max(slides)) if slides else (0.0, 0.0)

    def worst(self, what: str, when: str = "after") -> float:
        """Return the worst value of a measure over all contacts.

        Parameters
        ----------
        what : "penetration", "float", "slide", "slide_mean" or "travel"
            The measure, a field of `ContactMeasure`.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units; 0 without contacts.

        Raises
        ------
        ValueError
            Another word than these.
        """
        check_word("what", what, [field.name for field in fields(ContactMeasure)])
        return max((float(getattr(contact.measure(when), what)) for contact in self.contacts), default=0.0)

    @property
    def pace(self) -> float | None:
        """How fast the root of a cycle in place must move so that no foot slides, in the clip's units per second."""
        return None if self.ground_velocity is None else float(np.linalg.norm(self.ground_velocity))

    def centimetres(self, length: float) -> float:
        """Convert a length in the clip's units to centimetres.

        Parameters
        ----------
        length : float
            In the clip's units.

        Returns
        -------
        float
            Centimetres; with an unknown unit, legs are assumed to be 0.9 m long.
        """
        return 100.0 * self.metres_per_unit * real_number("length", length)

    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground, or below lower contacts nearby, at worst in the planted range.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units, ≥ 0.
        """
        part = slice(self.frames[0], self.frames[1] + 1)
        rises = [[contact.rise for contact in self.contacts if contact.leg == k] for k in range(len(self.legs))]
        each = (deepest(leg.curves(when), leg.contacts, own, part) for leg, own in zip(self.legs, rises, strict=True))
        return max(each, default=0.0)

    def knee_range(self, when: str = "after") -> tuple[float, float]:
        """Return the smallest and largest knee angle in degrees; 180 is a straight leg.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        smallest, largest : float
            Degrees.
        """
        knees = [leg.curves(when).knee for leg in self.legs]
        return min(float(k.min()) for k in knees), max(float(k.max()) for k in knees)

    def knee_pops(self, when: str = "after") -> list[tuple[str, int]]:
        """Return the frames in which a knee pops, see `skelkin_py.planting.metrics.knee_pops`.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        list of (leg, frame)
            In the order of legs and frames.
        """
        return [(leg.name, frame) for leg in self.legs for frame in leg.knee_pops(self.fps, self.frames, when)]

    def literature(self, when: str = "after") -> LiteratureFigures:
        """Return the figures that papers give, see `LiteratureFigures`.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        LiteratureFigures
            The figures of the planted range; with an unknown unit, legs are assumed to be 0.9 m long.
        """
        feet = [leg.curves(when) for leg in self.legs]
        return literature_figures(feet, self.frames, self.fps, self.metres_per_unit)

    def in_five_lines(self) -> list[str]:
        """Return what planting did in five lines: contacts, slide, ground, knees and body.

        Returns
        -------
        list of str
            The lines that the command line, notebooks, the player and Blender's panel show.
        """
        cm, cost = self.centimetres, self.cost
        slide = "no foot stands"
        if self.contacts:
            (old, worst_old), (new, worst_new) = self.slide("before"), self.slide("after")
            over = ", over the moving ground" if self.ground_velocity is not None else ""
            slide = f"{cm(old):.2f} → {cm(new):.2f} cm   (worst {cm(worst_old):.2f} → {cm(worst_new):.2f}{over})"
        sank, floated = (
            " → ".join(f"{cm(figure(when)):.1f}" for when in WHEN)
            for figure in (self.deepest, lambda when: self.worst("float", when))
        )
        worst, frame = cost.change_worst
        knees = f"changed by {_degrees(cost.change_typical)} RMS, {_degrees(worst)} at most (frame {FRAME})"
        body = "not moved"
        if cost.body_worst >= _UNCHANGED:
            rms, most = (cm(part * self.leg_length) for part in (cost.body_typical, cost.body_worst))
            body = f"moved by {rms:.1f} cm RMS, {most:.1f} at most ({100.0 * cost.body_worst:.0f} % of the leg)"
        lines = {
            "feet stand": self._stands(),
            "slide": slide,
            "ground": f"sank {sank} cm, floated {floated} cm",
            "knees": Remark(knees, frame) if worst >= _UNCHANGED else "not changed",
            "body": body,
        }
        return [together("", f"{stem:<{STEM}}", text) for stem, text in lines.items()]

    def _counts(self) -> list[tuple[str, int]]:
        """Return each leg's name and number of contacts."""
        return [(leg.name, sum(contact.leg == k for contact in self.contacts)) for k, leg in enumerate(self.cost.legs)]

    def _stands(self) -> str:
        counts = self._counts()
        total = sum(count for _, count in counts)
        if not total:
            return "never"
        text = ", ".join(f"{escaped(name)} {count:,}" for name, count in counts)
        text += " time" if len(counts) == total == 1 else " times"
        if len(counts) > 1 and len(text) > WIDTH - STEM:
            return f"{total:,} times, {len(counts)} feet together"
        return text

    def minded(self, words: str = "python") -> list[str]:
        """Return what a viewer would mind, worst first: how much, in which frames, why, and which option to change.

        Parameters
        ----------
        words : "python", "shell" or "blender", default "python"
            Where the options that it names are set.

        Returns
        -------
        list of str
            Each begins with its grade, "look at" or "fault"; empty where there is nothing.

        Raises
        ------
        ValueError
            Another word than these.
        """
        check_word("words", words, WORDS)
        leg = self.centimetres(self.leg_length)
        return [
            together("", f"{row.grade}: ", together("; ", row.sentence(leg), row.advice(words)))
            for row in self.cost.minded()
        ]

    def as_rows(self) -> list[tuple[str, str, str]]:
        """Return all figures as rows (what, before, after).

        Returns
        -------
        list of (str, str, str)
            The rows without a heading; "before" is empty for figures that only the planted clip has.
        """
        cm = self.centimetres
        low, high = self.raised
        old, new = (asdict(self.literature(when)) for when in WHEN)
        return [
            *((f"contacts, {name}", "", f"{count:,}") for name, count in self._counts()),
            _pair("slide, mean (cm)", lambda when: cm(self.slide(when)[0])),
            _pair("slide, worst (cm)", lambda when: cm(self.slide(when)[1])),
            _pair("float in contact, worst (cm)", lambda when: cm(self.worst("float", when))),
            _pair("below ground, worst (cm)", lambda when: cm(self.deepest(when))),
            *self._cost_rows(),
            ("pelvis raised (cm)", "", f"{_signed(cm(low))} … {_signed(cm(high))}"),
            ("pelvis acceleration (legs/s²)", "", _signed(self.added_acceleration / self.leg_length)),
            *(
                (f"{title} ({', '.join(filter(None, (paper, unit)))})", format(old[key], form), format(new[key], form))
                for key, title, paper, _, unit, form in plot.PAPER_FIGURES
            ),
        ]

    def _cost_rows(self) -> list[Row]:
        """Return rows of what planting cost: the worst of all legs, and counts over all of them."""
        cost, legs = self.cost, self.cost.legs
        flexions = [(min(leg.flexion[k][0] for leg in legs), max(leg.flexion[k][1] for leg in legs)) for k in (0, 1)]
        typical, worst = max(leg.change_typical for leg in legs), max(leg.change_worst for leg in legs)
        body = (f"{self.centimetres(part * self.leg_length):.1f}" for part in (cost.body_typical, cost.body_worst))

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
        """Return the report as lines of at most 80 characters.

        Parameters
        ----------
        verbose : bool, default False
            Whether to add a table of all figures and the names of those figures of papers that rose.
        words : "python", "shell" or "blender", default "python"
            Where the options that it names are set.

        Returns
        -------
        str
            Five lines, what a viewer would mind, and messages.
        """
        lines = folded([*self.in_five_lines(), *(self.minded(words) or [NOTHING_MINDED])])
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
        """Return a line with the figures of papers that rose."""
        old, new = (asdict(self.literature(when)) for when in WHEN)
        risen = [f"{each[1]} ({each[2]})" for each in plot.PAPER_FIGURES if new[each[0]] > (1.0 + _SAME) * old[each[0]]]
        return [f"higher than before: {', '.join(risen)}"] * bool(risen)

    def __str__(self) -> str:
        return self.as_text()

    def _speed_line(self) -> str:
        return f"planted {self.frames_per_second:,.0f} frames per second"

    def _repr_html_(self) -> str:
        """Show the report in a notebook: the same lines, with all figures in a section that opens."""
        lines = html.escape("\n".join(folded([*self.in_five_lines(), *(self.minded() or [NOTHING_MINDED])])))
        table = html_table(("", "before", "after"), self.as_rows())
        risen = [html.escape(line) for line in self._risen()]
        more = [f"<p>{line}</p>" for line in (*risen, self._speed_line())]
        out = filter(None, (f"<pre>{lines}</pre>", html_list(self.messages)))
        return "\n".join([*out, "<details><summary>All figures</summary>", table, *more, "</details>"])

    def __repr__(self) -> str:
        before, after = self.slide("before")[0], self.slide("after")[0]
        return (
            f"<PlantReport: {len(self.contacts)} contacts, slide {self.centimetres(before):.2f} → "
            f"{self.centimetres(after):.2f} cm>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain numbers, lists and strings, ready for JSON; without the curves.

        Returns
        -------
        dict
            Lengths are in the clip's units where the name does not say cm or mm; frames count from 0, both included;
            "before" and "after" are the original and the planted clip. Numbers that are not finite are None. Keys stay;
            where one changes its meaning, "schema" goes up.

            - "schema", "versions": the version of this layout; those of skelkin_py, numpy and Python.
            - "num_frames", "frames", "fps", "up", "ground", "ground_estimated", "ground_velocity", "pace", "pinned",
              "loop", "leg_length", "travel_added",
              "metres_per_unit", "unit_known", "seconds", "frames_per_second", "messages": the attributes.
            - "pace_legs": `pace` in leg lengths per second.
            - "slide_mean", "slide_worst", "penetration_worst", "float_worst": over all contacts, before and after;
              "slide_before_cm", "slide_after_cm": the means; "below_ground_worst": in any frame.
            - "literature": before and after, the fields of `LiteratureFigures`.
            - "cost": the fields of `PlantCost` and, by leg, of `LegCost`; "rows": those of `ViewerRow`, with "bar",
              "grade" and "text". "minded": what a viewer would mind, in words, worst first.
            - "knee_degrees": [smallest, largest] angle before and after; "knee_pops": their number.
            - "body_shift": [lowest, highest] shift of the pelvis along up; "body_moved": its largest displacement;
              "body_added_acceleration": by how much its acceleration rises at worst, in leg lengths per s².
            - "legs": per leg "name", "length", "sole", "sole_source", "contacts", "heel_contacts" and "ball_contacts"
              (where each of the two stands), "held_flat" and "unreachable" as lists of [first, last],
              "unreachable_why" in words, "knee_degrees", "knee_pops" as frames.
            - "contacts": "leg" and "leg_index", "first_frame", "last_frame", "rise", "stands_at" [x, y, z], and
              before and after "slide" (worst), "slide_mean", "travel", "penetration", "float".
        """

        def fields_of(thing: object, *names: str) -> dict[str, Any]:
            return {name: getattr(thing, name) for name in names}

        def both(function: Callable[[str], Any]) -> dict[str, Any]:
            return {when: function(when) for when in WHEN}

        plain: dict[str, Any] = {
            "schema": _SCHEMA,
            "versions": {"skelkin_py": __version__, "numpy": np.__version__, "python": platform.python_version()},
            **fields_of(self, "num_frames", "fps"),
            "up": self.up_name,
            **fields_of(self, "ground", "ground_velocity", "pace"),
            "pace_legs": None if self.pace is None else self.pace / self.leg_length,
            **fields_of(self, "pinned", "loop", "leg_length", "metres_per_unit", "unit_known"),
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
            **fields_of(self, "seconds", "frames_per_second", "frames", "ground_estimated", "travel_added"),
            "literature": both(lambda when: asdict(self.literature(when))),
            "knee_degrees": both(self.knee_range),
            "knee_pops": both(lambda when: len(self.knee_pops(when))),
            "body_moved": np.linalg.norm(self.body_path, axis=1).max(),
            "body_added_acceleration": self.added_acceleration / self.leg_length,
            "legs": [
                {
                    **fields_of(leg, "name", "length", "sole", "sole_source"),
                    **fields_of(leg, "contacts", "heel_contacts", "ball_contacts"),
                    "held_flat": leg.held,
                    "unreachable": leg.unreachable,
                    "unreachable_why": [leg.why_unreachable(span) for span in leg.unreachable],
                    "knee_degrees": {w: [leg.curves(w).knee.min(), leg.curves(w).knee.max()] for w in WHEN},
                    "knee_pops": {when: leg.knee_pops(self.fps, self.frames, when) for when in WHEN},
                }
                for leg in self.legs
            ],
            "contacts": [
                {
                    "leg": contact.name,
                    "leg_index": contact.leg,
                    **fields_of(contact, "first_frame", "last_frame", "rise", "stands_at"),
                    "before": asdict(contact.before),
                    "after": asdict(contact.after),
                }
                for contact in self.contacts
            ],
            "messages": self.messages,
        }
        finite: dict[str, Any] = _finite(plain)
        return finite

    def violations(
        self,
        max_slide: float | None = None,
        max_penetration: float | None = None,
        max_float: float | None = None,
        when: str = "after",
    ) -> list[Violation]:
        """Return what exceeds bounds, such as those of a test; penetration counts between contacts too.

        Parameters
        ----------
        max_slide, max_penetration, max_float : float or None, default None
            The bounds; None allows all. In metres where the unit is known (`unit_known`), else in the clip's units.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        list of Violation
            Tuples (leg, contact, frames, what, value, bound, unit) in the order of legs; frames are spans.

        Raises
        ------
        ValueError
            A bound that is negative or not a number; another `when`.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> report = sk.example("biped").clip.plant_feet(metres_per_unit=1.0).report
        >>> report.violations(max_slide=0.01)
        []
        >>> sorted({v.what for v in report.violations(max_slide=0.01, when="before")})
        ['slide']
        """
        bounds = {"slide": max_slide, "penetration": max_penetration, "float": max_float}
        unit = (1.0 / self.metres_per_unit, "m") if self.unit_known else (1.0, "units")
        return find_violations(self.legs, self.contacts, self.frames, bounds, when, *unit)

    def plot(self, what: str = "feet", **options: Any) -> Any:
        """Draw what planting did, see `skelkin_py.plot`; a notebook shows the figure.

        Parameters
        ----------
        what : "feet", "slide", "knees" or "literature", default "feet"
            Height and speed of the soles; how far standing feet slide; knee angles and where they pop;
            the figures of papers. Contacts are shaded where time is drawn.
        **options
            The keyword arguments of `plot_report`, `plot_slide`, `plot_knees` or `plot_literature`, such as
            ``path="figure.png"``.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        ValueError
            Another word than these.
        MissingExtraError
            If matplotlib is not installed.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> report = sk.example("biped").clip.plant_feet().report
        >>> figure = report.plot("knees", path="knees.png")
        """
        figures: dict[str, Callable[..., Any]] = {
            "feet": plot.plot_report,
            "slide": plot.plot_slide,
            "knees": plot.plot_knees,
            "literature": plot.plot_literature,
        }
        check_word("what", what, figures)
        return figures[what](self, **options)


def _signed(value: float) -> str:
    """Return a number with its sign; a rounded 0 has a plus."""
    text = f"{value:+.1f}"
    return text.replace("-", "+") if float(text) == 0.0 else text


def _pair(what: str, figure: Callable[[str], float]) -> Row:
    """Return a row of one figure before and after."""
    return what, f"{figure('before'):.2f}", f"{figure('after'):.2f}"


def _range(values: Range) -> str:
    return " … ".join(f"{value:.0f}".replace("-0", "0") if round(value) == 0 else f"{value:.0f}" for value in values)


def _finite(value: Any) -> Any:
    """Return plain values for JSON, with None for numbers that it cannot hold."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def folded(lines: Sequence[str], indent: str = "  ") -> list[str]:
    """Return lines wrapped at 80 characters, with continuation lines indented."""
    wrapped = (textwrap.wrap(escaped(each), WIDTH, subsequent_indent=indent, break_on_hyphens=False) for each in lines)
    return [line for part in wrapped for line in part or [""]]


def _degrees(value: float) -> str:
    return f"{value:.1f}°" if value < 0.95 else f"{value:.0f}°"
