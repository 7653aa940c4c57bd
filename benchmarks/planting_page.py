# SPDX-License-Identifier: MIT
"""Measure planting on the whole set: benchmarks/results/planting/figures.csv, docs/planting-figures.md, pictures."""

from __future__ import annotations

import csv
import io
import math
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "planting" / "figures.csv"
PAGE = ROOT / "docs" / "planting-figures.md"
PICTURES = ROOT / "docs" / "figures" / "planting"
NAMES = {"anew": "found again"}  # of a figure in the page, where its key says less
KEYS = ("slide", "penetration", "float", "turn", "air", "body", "again", "anew", "agreement", "coverage", "closing")
BARS = (1e-4, 1e-3, 1e-3, 1.0, 0.02, 20.0, 1e-4, 1e-2, 0.97, 0.8, 1e-6)
AT_LEAST = ("agreement", "coverage")
ENDS = 1  # frames: contacts no end of which is off by more agree, however few frames they have
FIELDS = ("kind", "name", "fps", "frames", *KEYS, "ends", "pops_before", "pops")
Row = dict[str, str]


def marker(which: str, end: bool = False) -> str:
    return f"<!-- {'end of ' if end else ''}{which} -->"


def read() -> list[Row]:
    """Return the committed results."""
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def missed(row: Row, key: str) -> bool:
    """Whether a figure misses its bar; contacts of a few frames may agree by their ends instead."""
    bar, value = BARS[KEYS.index(key)], float(row[key])
    if key == "agreement" and row["ends"] and float(row["ends"]) <= ENDS:
        return False
    return value < bar if key in AT_LEAST else value > bar


def cell(row: Row, key: str) -> str:
    """One figure as the table shows it: bold where it misses its bar, a dash where it does not apply."""
    if not row.get(key):
        return "–"
    value = float(row[key])
    if key in AT_LEAST:
        text = f"{100 * value:.1f} %"
    elif key in ("turn", "body"):
        text = f"{value:.2f}"
    else:
        text = "< 1e-12" if value < 1e-12 else f"{value:.1e}"
    return f"**{text}**" if missed(row, key) else text


def table(rows: list[Row], kind: str) -> str:
    """Return the table of one kind of clips."""
    other = {"known": ("coverage",), "real": ("agreement", "closing")}.get(kind, ("coverage", "closing"))
    keys = [key for key in KEYS if key in rows[0] and key not in other]
    names = {"turn": "fastest turn", "air": "path in the air", "again": "once more", "agreement": "F1"}
    names |= NAMES | {"closing": "closing gap"}
    heads, bars = [names.get(key, key) for key in keys], [f"*{_least(key)} {_bar(key)}*" for key in keys]
    last = "knee pops" if kind == "real" else "ends off"
    lines = ["| " + " | ".join(["clip", "frames/s", *heads, last]) + " |"]
    lines.append("|---|" + "---:|" * (2 + len(keys)))
    lines.append("| " + " | ".join(["*has to be*", "", *bars, ""]).replace("|  |", "| |") + " |")
    for row in rows:
        if row["kind"] == kind:
            cells = [row["name"], f"{float(row['fps']):.4g}", *(cell(row, key) for key in keys)]
            extra = f"{row['pops_before']} → {row['pops']}" if kind == "real" else _ends(row)
            lines.append("| " + " | ".join([*cells, extra]) + " |")
    return "\n".join(lines)


def _ends(row: Row) -> str:
    """Return by how many frames ends of contacts are off."""
    if not row["ends"]:
        return "–"
    return "another number" if row["ends"] == row["frames"] else f"{float(row['ends']):g}"


def _least(key: str) -> str:
    return "≥" if key in AT_LEAST else "≤"


def _bar(key: str) -> str:
    bar = BARS[KEYS.index(key)]
    if key in AT_LEAST:
        return f"{100 * bar:g} %"
    return f"{bar:g}" if bar >= 1.0 else f"{bar:.0e}".replace("e-0", "e-")


def summary(rows: list[Row]) -> str:
    """Say how many figures keep their bar, and over how much."""
    lines = []
    for key in KEYS:
        own = [row for row in rows if row.get(key)]
        if not own:
            continue
        values = [float(row[key]) for row in own]
        bad = [row for row in own if missed(row, key)]
        worst = min(range(len(own)), key=lambda k: values[k] if key in AT_LEAST else -values[k])
        line = f"- {NAMES.get(key, key)}: {len(own) - len(bad)} of {len(own)} clips keep the bar"
        lines.append(f"{line}; worst {cell(own[worst], key)}, {own[worst]['name']}")
    return ";\n".join(lines) + "."


def gallery(rows: list[Row]) -> str:
    """Return the pictures."""
    out = []
    for row in rows:
        path = PICTURES / f"{slug(row['name'])}.png"
        if path.exists():
            out.append(f"![{row['name']}](figures/planting/{path.name})")
    return "\n\n".join(out)


def slug(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name.replace(",", ""))


def text(page: str | None = None) -> str:
    """Return the page with what stands between its markers made from the results."""
    page = PAGE.read_text(encoding="utf-8") if page is None else page
    rows = read()
    parts = {
        "summary": summary(rows),
        "known": table(rows, "known"),
        "real": table(rows, "real"),
        "pictures": gallery(rows),
    }
    for which, content in parts.items():
        head, rest = page.split(marker(which), 1)
        _, tail = rest.split(marker(which, end=True), 1)
        page = f"{head}{marker(which)}\n\n{content}\n\n{marker(which, end=True)}{tail}"
    return page


def guide_pictures() -> dict[str, bytes]:
    """Return the plots that docs/planting.md shows of the example, by the names of their files."""
    import skelkin_py as sk

    biped = sk.example("biped")
    report = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0).report
    out = {}
    for what in ("feet", "slide", "knees"):
        buffer = io.BytesIO()
        report.plot(what).savefig(buffer, format="png", dpi=80)
        out[f"guide_{what}.png"] = _small(buffer)
    return out


def picture(measured: Any, truth: Any) -> bytes:
    """Draw the height of both feet over time, before and after, with the contacts shaded."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    report = measured.planted.report
    scale = 100.0 * report.metres_per_unit
    figure = Figure(figsize=(9.0, 4.2), dpi=80, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 1, sharex=True, sharey=True)
    step = max(1, measured.frames // 1500)
    for axis, leg in zip(axes, report.legs, strict=True):
        time = [k / measured.fps for k in range(measured.frames)]
        for first, last in leg.contacts:
            axis.axvspan(first / measured.fps, last / measured.fps, color="#0f9d76", alpha=0.18, lw=0)
        bars = axis.get_xaxis_transform()  # their level is a part of the height: apart, however high feet go
        for name, level, own, color in (
            ("heel stands", 0.07, leg.heel_contacts, "#b8860b"),
            ("ball stands", 0.03, leg.ball_contacts, "#1f77d0"),
        ):
            starts, stops = ([span[end] / measured.fps for span in own] for end in (0, 1))
            axis.hlines([level] * len(own), starts, stops, color=color, lw=2.5, label=name, transform=bars)
        axis.plot(time[::step], leg.before.height[::step] * scale, color="#d9572b", lw=1.2, label="before")
        axis.plot(time[::step], leg.after.height[::step] * scale, color="#1b2430", lw=1.2, label="after")
        if truth is not None:
            own = [k / measured.fps if truth[leg.name][k] else math.nan for k in range(measured.frames)]
            style = {"color": "#0f9d76", "lw": 4, "solid_capstyle": "butt", "transform": bars}
            axis.plot(own, [0.115] * len(own), label="known contact", **style)
        axis.axhline(0.0, color="#8a949e", lw=0.8)
        axis.set_ylabel(f"{leg.name}\nsole above ground, cm", fontsize=9)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0.005)
    low, high = axes[0].get_ylim()  # both have the same
    axes[0].set_ylim(low - 0.14 * (high - low), high)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", fontsize=8, ncols=5, frameon=False)
    axes[0].set_title(f"{measured.name}: height of the soles (reported contacts shaded)", fontsize=10, loc="left")
    axes[-1].set_xlabel("seconds", fontsize=9)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return _small(buffer)


def _small(picture: io.BytesIO) -> bytes:
    """Return a picture in 64 colours: enough for lines and two shades, in a quarter of the room."""
    from PIL import Image

    small = io.BytesIO()
    # Chosen to cover all there are: by how often they occur, thin lines lose theirs, and heel and "before" look alike.
    few = Image.open(picture).convert("RGB").quantize(64, method=Image.Quantize.MAXCOVERAGE)
    few.save(small, format="png", optimize=True)
    return small.getvalue()


def main() -> None:
    import planting_figures as figures

    figures.data_dir()  # says so at once where the real clips are missing
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    assert tuple(figures.BARS[key] for key in KEYS) == BARS
    rows = []
    for measured in figures.measure_all():
        known = "agreement" in measured.figures
        row = {"kind": "known" if known else "real", "name": measured.name, "fps": f"{measured.fps:.6g}"}
        row["frames"] = str(measured.frames)
        for key in KEYS:
            value = measured.figures.get(key, math.nan)
            row[key] = "" if math.isnan(value) else f"{max(value, 1e-13):.3g}"
        row["ends"] = f"{measured.ends:g}" if known else ""
        report = measured.planted.report
        row |= {"pops_before": str(len(report.knee_pops("before"))), "pops": str(len(report.knee_pops()))}
        rows.append(row)
        if not known or measured.name.endswith(", all"):
            truth = figures.known_case(measured.name).contact if known else None
            (PICTURES / f"{slug(measured.name)}.png").write_bytes(picture(measured, truth))
        print(measured.name, file=sys.stderr)
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    PAGE.write_text(text(), encoding="utf-8")
    for name, content in guide_pictures().items():
        (PICTURES / name).write_bytes(content)
    print(summary(rows))


if __name__ == "__main__":
    main()
