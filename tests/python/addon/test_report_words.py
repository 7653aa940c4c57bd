# SPDX-License-Identifier: MIT
"""The library's sentences in the panel's words: labels of the panel, no options of Python, lengths beside the leg's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from addon_modules import ADDON, load

import skelkin_py as sk
from skelkin_py.planting import remark
from skelkin_py.planting.viewer_rows import RULES

report_words = load("core.report_words")
words = load("core.words")
PLANTING = Path(sk.__file__).parent / "planting"
OPTION = re.compile(r"[a-z_]=[^=]|--[a-z]")
TELLING = ("remarks", "measure", "travel", "up_axis")  # modules with sentences for a report


def sentences() -> Iterator[str]:
    """Yield the sentences of those modules, with 7 for what is put in."""
    for name in TELLING:
        for node in ast.walk(ast.parse((PLANTING / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                yield node.value


def test_no_option_of_python_is_left_in_any_sentence_of_a_report():
    named = [text for text in sentences() if OPTION.search(text)]
    assert len(named) > 5
    assert [text for text in map(report_words.panel_words, named) if OPTION.search(text)] == []


def test_labels_are_those_of_the_settings():
    properties = (ADDON / "properties.py").read_text(encoding="utf-8")
    labels = {
        report_words._LABELS[name] for name in ("contacts", "frames", "ground", "ground_velocity", "reach", "travel")
    }
    labels |= set(report_words._VALUES.values())
    assert [label for label in labels if f'"{label}"' not in properties] == []


def test_every_row_has_a_title():
    assert set(report_words.ROWS) == set(RULES)


def test_a_sentence_keeps_the_frames_that_it_names():
    text = remark.Remark(f"contacts='never' in frame {remark.FRAME}", 12)
    assert report_words.panel_words(str(remark.renumbered(text, lambda _: remark.FRAME))) == (
        f"Contacts: Never in frame {remark.FRAME}"
    )


@pytest.mark.parametrize(("row", "value", "figures"), [
    ("slide", 0.1, "125.0 cm (10.0 % of the leg), bar 5 %"),
    ("knee", 30.0, "30 % of frames, bar 20 % of frames"),
    ("jerk", 300.0, "200 % of the bar"),
])  # fmt: skip
def test_figures_of_a_row_stand_beside_its_bar(row, value, figures):
    assert report_words.row_figures(row, "left", value, RULES[row].bar, 1250.0)[1] == figures


def test_no_line_of_a_sentence_is_wider_than_the_sidebar():
    text = "moved by 26.6 cm (31.9 % of the leg) within half a second: " + "VeryLongNameOfABone" * 3
    lines = words.in_lines(text, words.room_in(0))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(map(words._width, lines)) <= words.room_in(0)
    assert lines[0] == "moved by 26.6 cm"  # in a window of 3.4 the next word was cut off
