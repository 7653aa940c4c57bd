# SPDX-License-Identifier: MIT
"""Faults for `make mutate`: made in code alone, each in one place; and results of other sources are not believed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from faults import KINDS, code_only, draw, faults_of
from page import PAGE, page_text
from results import LEAST_TRIED, complaint, file_hash, read_equivalents, read_results, reason_of, source_hash

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """\
#define MORE(a) (a + 1)
/* if (a < b) return -1; */
static const char *text = "a && b < 3";
static int any(const double a[3], int n) {
    double b[3];
    for (int i = 0; i < n; i++) b[i] = a[2] - 0.5; // not + 1
    return n > 0 && b[1] != a[n - 1] ? -n : 2;
}
"""


def changes(kind: str) -> set[tuple[str, str]]:
    return {(fault.old, fault.new) for fault in faults_of("any.c", SOURCE) if fault.kind == kind}


def test_each_kind_is_made_where_it_can_be_and_nowhere_else() -> None:
    assert changes("sign") == {("-", "+"), ("-", "")}
    assert changes("off by one") == {("i", "i + 1"), ("n", "n - 1"), (" - 1", "")}
    assert changes("relation") == {("<", "<="), (">", ">="), ("!=", "==")}
    assert changes("logic") == {("&&", "||")}
    assert changes("constant") == {("0", "1"), ("0.5", "1.0"), ("2", "3")}
    assert changes("index") == {("2", "0"), ("1", "2")}


def test_comments_strings_and_the_preprocessor_are_no_code() -> None:
    code = code_only(SOURCE)
    assert [len(line) for line in code.split("\n")] == [len(line) for line in SOURCE.split("\n")]
    assert not re.search(r"MORE|return -1|&& b <|not", code)
    assert "b[i] = a[2] - 0.5;" in code


def test_a_fault_changes_one_place_of_one_line() -> None:
    for fault in faults_of("any.c", SOURCE):
        before, after = SOURCE.split("\n"), fault.apply(SOURCE).split("\n")
        assert [n for n, pair in enumerate(zip(before, after, strict=True), start=1) if pair[0] != pair[1]] == [
            fault.line
        ]
        old, new = before[fault.line - 1], after[fault.line - 1]
        assert new == old[: fault.column] + fault.new + old[fault.column + len(fault.old) :]


def test_a_seed_draws_the_same_faults_again_and_another_seed_others(tmp_path: Path) -> None:
    for folder in ("core/turns", "kernels/ik"):
        shutil.copytree(ROOT / "csrc" / folder, tmp_path / folder)

    def first(seed: int) -> list[object]:
        return [fault for fault, _ in zip(draw(tmp_path, seed), range(300), strict=False)]

    assert first(1) == first(1)
    assert len(set(first(1))) == 300
    assert first(1) != first(2)
    assert {fault.kind for fault in first(1)} == set(KINDS)


def test_results_of_other_sources_or_with_too_little_caught_are_not_believed(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    source = tmp_path / "core" / "any.c"
    source.write_text("int any;")

    def row(outcome: str, number: int) -> dict[str, object]:
        of = {"file": "core/any.c", "of": file_hash(tmp_path, "core/any.c")}
        return {**of, "before": f"a < {number}", "after": f"a <= {number}", "outcome": outcome}

    head, caught = {"seed": 1, "csrc": source_hash(tmp_path)}, [row("caught", n) for n in range(LEAST_TRIED)]
    missed = [row("not caught", -n) for n in range(1, 1 + LEAST_TRIED // 5)]
    assert complaint(head, caught, {}, tmp_path) == ""
    assert "run make mutate" in complaint({}, [], {}, tmp_path)
    assert "199 faults" in complaint(head, caught[:-1], {}, tmp_path)
    assert "83.3% of the faults" in complaint(head, caught + missed, {}, tmp_path)
    reasons = {(str(each["file"]), str(each["before"]), str(each["after"])): "is the same" for each in missed}
    assert complaint(head, caught + missed, reasons, tmp_path) == ""
    (tmp_path / "core" / "other.c").write_text("int other;")
    assert "come to its end" in complaint(head, caught, {}, tmp_path)
    source.write_text("int other;")
    assert "core/any.c" in complaint(head, caught, {}, tmp_path)
    source.unlink()
    assert "core/any.c" in complaint(head, caught, {}, tmp_path)


def test_every_equivalent_is_a_fault_that_was_tried_and_not_caught() -> None:
    _, rows = read_results()
    missed = [each for each in rows if each["outcome"] == "not caught"]
    used = {(each["file"], each["before"], each["after"]) for each in missed if reason_of(each, read_equivalents())}
    assert set(read_equivalents()) == used


def test_the_page_is_that_of_the_results() -> None:
    assert PAGE.read_text(encoding="utf-8") == page_text(*read_results(), read_equivalents())


@pytest.mark.parametrize("old", ["a[3]", "b[3]"])
def test_sizes_of_arrays_are_left_alone(old: str) -> None:
    line = next(n for n, text in enumerate(SOURCE.split("\n"), start=1) if old in text)
    column = SOURCE.split("\n")[line - 1].index(old) + 2
    assert not [fault for fault in faults_of("any.c", SOURCE) if (fault.line, fault.column) == (line, column)]
