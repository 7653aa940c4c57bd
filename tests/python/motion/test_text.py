# SPDX-License-Identifier: MIT
"""Text of motion files in C: numbers read and written, parts replaced, angles without jumps."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from skelkin_py import _core
from skelkin_py.io.bvh.angles import channels_from_rotations
from skelkin_py.io.numbers import find_words, format_rows, parse_words


def random_words(count: int) -> list[str]:
    rng = np.random.default_rng(7)
    words = []
    for _ in range(count):
        digits = "".join(rng.choice(list("0123456789"), rng.integers(1, 22)))
        point = int(rng.integers(0, len(digits) + 1))
        number = digits[:point] + "." + digits[point:] if rng.random() < 0.8 else digits
        words.append(rng.choice(["", "-", "+"]) + number + ("e-3" if rng.random() < 0.1 else ""))
    return words


@pytest.mark.slow
def test_numbers_are_those_of_float_to_the_bit() -> None:
    words = [*random_words(3000), "-0", "-.0", "9007199254740993", "-9007199254740993", "0.1", "1.", "+7"]
    text = "\r\n\t ".join(words).encode()
    read = parse_words(text, find_words(text))
    assert isinstance(read, np.ndarray)
    assert read.tobytes() == np.array([float(word) for word in words]).tobytes()


@pytest.mark.parametrize(
    "wrong", ["x", "1-2", "-", ".", "+.", "1.2.3", "1e", "nan", "inf", "0x1", "1_0", "1e999", "--1"]
)
def test_a_word_that_is_no_finite_number_is_told_by_its_place(wrong: str) -> None:
    text = f"1 2.5\n {wrong} 4 also".encode()
    assert parse_words(text, find_words(text)) == 2


def test_words_and_lines_are_those_of_split() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        text = bytes(rng.choice(list(b"12.x \n\t\r\v\f"), rng.integers(0, 40)).astype(np.uint8))
        words = find_words(text)
        pairs = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        assert [text[start:end] for start, end in pairs] == text.split()
        lines = text.split(b"\n")
        lines = lines if lines[-1] else lines[:-1]
        assert words.per_line().tolist() == [len(line.split()) for line in lines]
        feeds = [place for place, character in enumerate(text) if character == 10]
        assert words.line_ends.tolist() == feeds + [len(text)] * (len(lines) > len(feeds))
        assert not words.odd


def test_a_control_character_in_a_word_makes_it_no_number() -> None:
    text = b"1 2\x1c 3"
    assert find_words(text).odd
    assert parse_words(text, find_words(text)) == 1


@pytest.mark.parametrize("decimals", range(16))
def test_numbers_are_written_to_the_nearest_of_the_last_decimal(decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    values = rng.normal(size=(40, 3)) * 10.0 ** rng.uniform(-8, 14 - decimals, (40, 3))
    text = format_rows(values, np.full(3, decimals), before=b"<", behind=b">\n")
    assert text.stops.tolist() == np.cumsum([len(line) + 1 for line in text.text.split(b"\n")[:-1]]).tolist()
    for row, line in zip(values.tolist(), text.text.decode().splitlines(), strict=True):
        assert (line[0], line[-1]) == ("<", ">")
        for value, word in zip(row, line[1:-1].split(" "), strict=True):
            whole, _, fraction = word.lstrip("-").partition(".")
            assert len(fraction) == decimals
            assert whole == str(int(whole))
            # Half of the last decimal, and the rounding of value times power.
            bound = Decimal(5) / 10 ** (decimals + 1) + abs(Decimal(value)) * Decimal(2) ** -52
            assert abs(Decimal(word) - Decimal(value)) <= bound
            assert word.startswith("-") == (value < 0 and float(word) != 0)


def test_numbers_too_large_for_their_digits_are_written_in_full() -> None:
    rows = format_rows(np.array([[1e300, -2.5]]), np.array([2, 1]))
    assert rows.text == f"{int(1e300)}.00 -2.5".encode()
    assert rows.stops.tolist() == [len(rows.text)]


def test_decimals_beyond_fifteen_are_refused() -> None:
    with pytest.raises(ValueError, match=r"decimals\[1\] is 16: 0 to 15 can be written"):
        format_rows(np.ones((1, 2)), np.array([2, 16]))


def test_parts_of_a_text_are_replaced_from_left_to_right() -> None:
    begins, ends = np.array([1, 4, 4]), np.array([3, 4, 6])
    parts = np.array([0, 2, 3]), np.array([2, 3, 3])
    assert _core.splice_text(b"abcdefgh", 1, 7, begins, ends, b"XYZ", *parts) == b"XYdZg"
    nothing = np.zeros(0, np.int64)
    assert _core.splice_text(b"abc", 0, 3, nothing, nothing, b"", nothing, nothing) == b"abc"


@pytest.mark.parametrize(
    ("start", "stop", "begin", "end", "piece"),
    [(0, 5, 1, 2, (0, 0)), (-1, 4, 1, 2, (0, 0)), (2, 4, 1, 2, (0, 0)), (0, 4, 2, 1, (0, 0)), (0, 4, 1, 5, (0, 0)),
     (0, 4, 1, 2, (0, 2)), (0, 4, 1, 2, (1, 0)), (0, 4, 1, 2, (-1, 1))],
)  # fmt: skip
def test_parts_that_overlap_or_lie_outside_are_refused(start: int, stop: int, begin: int, end: int, piece) -> None:
    each = [np.array([number]) for number in (begin, end, *piece)]
    with pytest.raises(ValueError, match="must rise within start and stop"):
        _core.splice_text(b"abcd", start, stop, *each[:2], b"X", *each[2:])


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.scan_numbers("text"),
        lambda: _core.format_numbers(np.ones(3), np.zeros(1, np.int64), b"", b""),
        lambda: _core.format_numbers(np.ones((2, 2)), np.zeros(3, np.int64), b"", b""),
        lambda: _core.splice_text(b"", 0, 0, np.zeros(1), np.zeros(1), b"", np.zeros(1), np.zeros(1)),
        lambda: _core.smooth_angles(np.zeros((2, 4)), np.ones(2, bool), None),
        lambda: _core.smooth_angles(np.zeros((2, 3)), np.ones(3, bool), None),
        lambda: _core.smooth_angles(np.zeros((2, 3)), np.ones(2, bool), np.zeros((3, 3))),
    ],
)
def test_arrays_of_another_kind_are_refused(call) -> None:
    with pytest.raises(TypeError):
        call()


def turned(degrees: list[float]) -> np.ndarray:
    half = np.radians(degrees) / 2
    return np.stack([np.cos(half), np.zeros(len(half)), np.zeros(len(half)), np.sin(half)], axis=1)


def test_each_run_of_changed_frames_goes_on_from_the_known_angles_before_it() -> None:
    degrees = [350.0, 360.0, 370.0, 380.0, 390.0, 730.0, 740.0]
    known = np.zeros((7, 3))
    known[:, 0] = [350.0, 0.0, 0.0, 1100.0, 0.0, 730.0, 0.0]
    changed = np.array([False, True, True, False, True, False, True])
    angles = channels_from_rotations(turned(degrees), (2, 0, 1), changed, known)[:, 0]
    assert angles[~changed].tolist() == known[~changed, 0].tolist()
    assert angles[changed] == pytest.approx([360.0, 370.0, 1110.0, 740.0], abs=1e-9)


def test_angles_take_the_other_triple_where_that_is_nearer() -> None:
    pitch = np.linspace(60.0, 120.0, 31)  # over the pole of the middle angle, where the others jump by half a turn
    half = np.radians(pitch) / 2
    quaternions = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)
    angles = channels_from_rotations(quaternions, (2, 0, 1))
    assert np.abs(np.diff(angles, axis=0)).max() == pytest.approx(2.0)
    assert math.isclose(abs(angles[-1, 1] - angles[0, 1]), 60.0, abs_tol=1e-9)
