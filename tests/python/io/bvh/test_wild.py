# SPDX-License-Identifier: MIT
"""BVH files from the wild: what is beyond doubt is read with a warning, refused when strict, saved without fault."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main

TURNS = "Zrotation Xrotation Yrotation"
PLAIN = f"""HIERARCHY
ROOT Hips
{{
  OFFSET 0.0 0.0 0.0
  CHANNELS 6 Xposition Yposition Zposition {TURNS}
  JOINT Leg #2
  {{
    OFFSET 0.5 -40.25 0.0
    CHANNELS 3 {TURNS}
    End Site
    {{
      OFFSET 0.0 -45.0 12.5
    }}
  }}
}}
MOTION
Frames: 3
Frame Time: 0.04
1.5 90.25 -3.0 10.5 20.0 -30.0 5.5 6.25 7.0
1.75 90.5 -2.0 11.5 21.0 -31.0 6.5 7.25 8.0
2.0 90.75 -1.0 12.5 22.0 -32.0 7.5 8.25 9.0
"""
ROWS = PLAIN[PLAIN.index("1.5 90.25") :]


def wrapped(text: str, each: int) -> str:
    words = text.split()
    return "\n".join(" ".join(words[k : k + each]) for k in range(0, len(words), each)) + "\n"


def with_commas(text: str) -> str:
    return re.sub(r"(\d)\.(\d)", r"\1,\2", text)


# What is wrong, the line that is told, and words of the warning; each is the motion of PLAIN.
WILD = {
    "a row more than announced": (PLAIN.replace("Frames: 3", "Frames: 2"), 17, "is 2, and 3 rows follow: all are read"),
    "a row fewer than announced": (PLAIN.replace("Frames: 3", "Frames: 4"), 17, "is 4, and 3 rows follow: all are"),
    "no announcement": (PLAIN.replace("Frames: 3\n", ""), 16, "the number of frames is missing: 3 rows follow"),
    "an empty announcement": (PLAIN.replace("Frames: 3", "Frames:"), 17, "the number of frames is missing: 3 rows"),
    "frame time first": (
        PLAIN.replace("Frames: 3\nFrame Time: 0.04", "Frame Time: 0.04\nFrames: 3"),
        18,
        "the frame time is before the number of frames",
    ),
    "a comment before": ("# made by hand\n\n" + PLAIN, 1, "a comment is ignored: '# made by hand'"),
    "a title before": ("\n Take 001, 25 fps\n" + PLAIN, 2, "text before HIERARCHY is ignored: 'Take 001, 25 fps'"),
    "comments among the joints": (PLAIN.replace("  JOINT", "// left\n; leg\n  JOINT"), 6, "ignored, and 1 more: '//"),
    "a comment among the rows": (PLAIN.replace("1.75 90.5", "# second\n1.75 90.5"), 20, "is ignored: '# second'"),
    "decimal commas": (with_commas(PLAIN), 4, "decimal commas are read as points"),
    "decimal commas in rows alone": (PLAIN.replace(ROWS, with_commas(ROWS)), 19, "decimal commas are read as points"),
    "commas between numbers": (PLAIN.replace(ROWS, ROWS.replace(" ", ", ")), 19, "commas between numbers are"),
    "commas alone between numbers": (PLAIN.replace(ROWS, ROWS.replace(" ", ",")), 19, "commas between numbers are"),
    "rows in pieces": (PLAIN.replace(ROWS, wrapped(ROWS, 4)), 19, "rows are wrapped: 27 numbers are 3 frames of 9"),
    "rows in one line": (PLAIN.replace(ROWS, wrapped(ROWS, 99)), 19, "rows are wrapped: 27 numbers are 3 frames of 9"),
    "one number a line": (PLAIN.replace(ROWS, wrapped(ROWS, 1)), 19, "rows are wrapped: 27 numbers are 3 frames of 9"),
    "zero bytes at the end": (PLAIN + "\0" * 7, 21, "zero bytes after the last row are ignored"),
}  # fmt: skip


def load_text(folder: Path, text: str | bytes, **options) -> sk.Clip:
    path = folder / "clip.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return sk.load(path, **options)


def load_with_warnings(folder: Path, text: str | bytes, **options) -> tuple[sk.Clip, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clip = load_text(folder, text, **options)
    assert all(issubclass(each.category, sk.FormatWarning) for each in caught)
    assert all(Path(each.filename).samefile(__file__) for each in caught)
    return clip, [str(each.message) for each in caught]


def test_a_plain_file_is_read_without_a_warning(tmp_path):
    for newline in ("\n", "\r\n", "\r"):
        clip, told = load_with_warnings(tmp_path, ("\n \n" + PLAIN + "\n\n").replace("\n", newline))
        assert (told, clip.facts.notes) == ([], ())


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("kind", WILD)
def test_what_is_beyond_doubt_is_read_as_it_is_meant_with_a_warning_that_names_the_line(tmp_path, kind, newline):
    text, line, words = WILD[kind]
    expected = load_text(tmp_path, PLAIN, strict=True)
    clip, told = load_with_warnings(tmp_path, text.replace("\n", newline))
    assert clip == expected
    assert len(told) == 1
    assert told[0].startswith(f"{tmp_path / 'clip.bvh'}:{line}: ")
    assert words in told[0]
    assert clip.facts.notes == (f"line {line}: {told[0].partition(f':{line}: ')[2]}",)


@pytest.mark.parametrize("kind", WILD)
def test_strict_refuses_it(tmp_path, kind):
    with pytest.raises(sk.FormatError):
        load_text(tmp_path, WILD[kind][0], strict=True)


@pytest.mark.parametrize("kind", WILD)
def test_it_is_saved_as_it_should_be_with_the_numbers_as_they_were_printed(tmp_path, kind):
    clip, _ = load_with_warnings(tmp_path, WILD[kind][0])
    clip.save(tmp_path / "saved.bvh")
    assert sk.load(tmp_path / "saved.bvh", strict=True) == clip
    assert (tmp_path / "saved.bvh").read_text().split() == PLAIN.split()
    moved = clip.translations.copy()
    moved[1, 0] += (0.0, 1.0, 0.0)
    clip.replace(translations=moved).save(tmp_path / "moved.bvh")
    np.testing.assert_allclose(sk.load(tmp_path / "moved.bvh", strict=True).translations, moved, atol=1e-6)
    kept = (tmp_path / "moved.bvh").read_text().splitlines()
    assert kept[-1].split() == ROWS.splitlines()[-1].split()


def test_several_faults_of_one_file_are_told_one_by_one_in_order(tmp_path):
    text = "# by hand\n" + with_commas(PLAIN.replace("Frames: 3", "Frames: 2"))
    clip, told = load_with_warnings(tmp_path, text)
    assert clip == load_text(tmp_path, PLAIN, strict=True)
    lines = [int(each.removeprefix(str(tmp_path / "clip.bvh")).split(":")[1]) for each in told]
    assert lines == [1, 5, 18]
    assert len(clip.facts.notes) == 3


def test_text_in_two_bytes_a_character_is_read_and_saved_in_one(tmp_path):
    for encoding in ("utf-16", "utf-16-be"):
        data = (("\ufeff" if encoding.endswith("be") else "") + PLAIN.replace("Leg", "Bein ä")).encode(encoding)
        clip, told = load_with_warnings(tmp_path, data)
        assert clip.names == ("Hips", "Bein ä #2")
        assert "UTF-16" in told[0]
        clip.save(tmp_path / "saved.bvh")
        assert "Bein ä #2" in (tmp_path / "saved.bvh").read_text(encoding="utf-8")


def test_an_end_site_without_an_offset_is_at_its_joint(tmp_path):
    text = PLAIN.replace("      OFFSET 0.0 -45.0 12.5\n", "")
    clip, told = load_with_warnings(tmp_path, text)
    assert "12: an End Site has no OFFSET: taken to be 0 0 0" in told[0]
    assert {joint: place.tolist() for joint, place in clip.skeleton.end_sites.items()} == {1: [0.0, 0.0, 0.0]}
    with pytest.raises(sk.FormatError, match="expected the OFFSET of an end site"):
        load_text(tmp_path, text, strict=True)


SCALED = PLAIN.replace(f"CHANNELS 3 {TURNS}", f"CHANNELS 6 {TURNS} Xscale Yscale Zscale")


def scaled(*rows: str) -> str:
    lines = ROWS.splitlines()
    return SCALED.replace(ROWS, "".join(f"{line} {row}\n" for line, row in zip(lines, rows, strict=True)))


def test_channels_of_scales_are_the_clips_scales_and_are_saved_again(tmp_path):
    text = scaled("1 1 1", "1.0 1.5 1", "0.5 2 1")
    clip, told = load_with_warnings(tmp_path, text)
    assert "'Leg #2' has channels of scales: kept as scales of the clip" in told[0]
    assert clip.scales is not None
    assert clip.scales[:, 1].tolist() == [[1, 1, 1], [1, 1.5, 1], [0.5, 2, 1]]
    assert (clip.scales[:, 0] == 1.0).all()
    turned = clip.rotations.copy()
    turned[2, 1] = [0.0, 1.0, 0.0, 0.0]
    clip.replace(rotations=turned).save(tmp_path / "turned.bvh")
    again, _ = load_with_warnings(tmp_path, (tmp_path / "turned.bvh").read_bytes())
    np.testing.assert_array_equal(again.scales, clip.scales)
    assert abs(np.abs(np.sum(again.rotations * turned, axis=-1)) - 1.0).max() < 1e-12
    assert (tmp_path / "turned.bvh").read_text().splitlines()[-3:-1] == text.splitlines()[-3:-1]
    clip[1:].save(tmp_path / "part.bvh")
    assert load_with_warnings(tmp_path, (tmp_path / "part.bvh").read_bytes())[0] == clip[1:]


def test_scales_that_are_all_1_are_none_and_their_columns_stay(tmp_path):
    text = scaled("1 1 1", "1.0 1 1", "1 1 1.000000")
    clip, _ = load_with_warnings(tmp_path, text)
    assert clip.scales is None
    assert clip == load_text(tmp_path, PLAIN, strict=True)
    clip.save(tmp_path / "saved.bvh")
    assert (tmp_path / "saved.bvh").read_text().split() == text.split()


def test_other_scales_than_those_of_the_file_are_refused(tmp_path):
    clip, _ = load_with_warnings(tmp_path, scaled("1 1 1", "1 1.5 1", "1 2 1"))
    with pytest.raises(ValueError, match=r"scales\[0, 0\] is \[2.0, 2.0, 2.0\]: a BVH file can only hold 1"):
        clip.replace(scales=np.full((3, 2, 3), 2.0)).save(tmp_path / "other.bvh")
    assert not (tmp_path / "other.bvh").exists()


def test_channels_of_scales_are_refused_when_strict(tmp_path):
    with pytest.raises(sk.FormatError, match="unknown channel 'Xscale' of the joint 'Leg #2'"):
        load_text(tmp_path, scaled("1 1 1", "1 1 1", "1 1 1"), strict=True)


# How programs print what is no number.
NO_NUMBERS = [
    "#IND", "#QNAN", "#SNAN", "#INF", "#inf", "#nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN0", "1.#INF",
    "-1.#INF00", "1.#SNAN", "nan", "NaN", "-nan", "nan(ind)", "-nan(ind)", "nan(snan)", "inf", "-inf", "INF",
    "Infinity", "+Inf", "1e999", "-1e999", "0x1p3", "1_0", "NULL", "None", "--", "-", ".", "e5", "1.5.2", "1d5",
    "1,#IND", "\u0661",
]  # fmt: skip


@pytest.mark.parametrize("place", ["1.5 90.25", "1.75 90.5", "2.0 90.75", "21.0", "9.0"])
@pytest.mark.parametrize("word", NO_NUMBERS)
def test_what_is_no_number_is_refused_with_its_line(tmp_path, word, place):
    first = place.split()[0]
    line = next(k for k, each in enumerate(PLAIN.splitlines(), 1) if place in each and k > 18)
    text = PLAIN.replace(place, place.replace(first, word))
    for announced in ("Frames: 3", "Frames: 2", "Frames: 4", ""):
        with pytest.raises(sk.FormatError, match="must be a finite number") as caught:
            load_text(tmp_path, text.replace("Frames: 3", announced))
        assert caught.value.line == line
    for where in ("OFFSET 0.5", "Frame Time: 0.04"):
        with pytest.raises(sk.FormatError) as caught:
            load_text(tmp_path, PLAIN.replace(where, f"{where.rpartition(' ')[0]} {word}"))
        assert caught.value.line == (8 if "OFFSET" in where else 18)


# Where it is in doubt what is meant, the error is that of the file as it is.
IN_DOUBT = {
    "two rows fewer": (PLAIN.replace("Frames: 3", "Frames: 5"), 17, "is 5, and 3 lines of values follow"),
    "no rows": (PLAIN.replace(ROWS, ""), 17, "and 0 lines of values follow"),
    "zero frames": (PLAIN.replace("Frames: 3", "Frames: 0"), 17, "the clip has zero frames"),
    "a row that is cut": (PLAIN[: PLAIN.rindex(" 9.0")], 21, "the file seems to be cut off"),
    "rows in pieces that do not add up": (PLAIN.replace(ROWS, wrapped(ROWS + "1.0", 4)), 19, "has 4 values"),
    "commas of thousands": (PLAIN.replace("1.5 90.25", "1,001.5 90.25"), 19, "'1,001.5'"),
    "both signs": (PLAIN.replace("1.5 90.25", "1,5 90.25"), 19, "'1,5'"),
    "a word": (PLAIN.replace("90.75", "zero"), 21, "is 'zero': must be a finite number"),
    "not a number": (PLAIN.replace("90.75", "nan"), 21, "is 'nan': must be a finite number"),
    "a row as a comment": (PLAIN.replace("1.75 90.5", "#1.75 90.5"), 20, "is '#1.75': must be a finite number"),
    "a comment for a row": (PLAIN.replace(ROWS.splitlines()[1], "# lost"), 20, "frame 1 has 2 values"),
    "no number behind a comment": (("# by hand\n" + PLAIN).replace("90.75", "nan"), 22, "2 is 'nan': must be a"),
    "no number in wrapped rows": (PLAIN.replace(ROWS, wrapped(ROWS, 4).replace("31.0", "1.#INF")), 22, "is '-1.#INF'"),
    "no number with a comma": (with_commas(PLAIN).replace("90,75", "1,#QNAN"), 21, "2 is '1.#QNAN': must be"),
    "no frame time": (PLAIN.replace("Frame Time: 0.04\n", ""), 18, "expected 'Frame Time: <seconds>'"),
    "a joint without an offset": (PLAIN.replace("    OFFSET 0.5 -40.25 0.0\n", ""), 6, "'Leg #2' has no OFFSET"),
    "another file": ("x" * 100, 1, "expected HIERARCHY"),
}  # fmt: skip


@pytest.mark.parametrize("kind", IN_DOUBT)
def test_what_is_in_doubt_is_refused_as_the_file_is(tmp_path, kind):
    text, line, words = IN_DOUBT[kind]
    with pytest.raises(sk.FormatError) as caught:
        load_text(tmp_path, text)
    assert words in caught.value.reason
    assert caught.value.line == line


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::skelkin_py.FormatWarning")
def test_two_thousand_damaged_wild_files_are_read_or_refused(tmp_path):
    pieces = [b" ", b"\n", b",", b"#", b"{", b"}", b"-", b".", b"nan", b"1e999", b"\xff", b"\0", b"Frames: 2\n"]
    texts = [text.encode() for text, _, _ in WILD.values()] + [scaled("1 1 1", "1 2 1", "0 1 -1").encode()]
    read = 0
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        data = bytearray(texts[seed % len(texts)])
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(data) + 1))
            length = int(rng.choice([0, 0, 1, 1, 3, 20]))
            data[place : place + length] = pieces[rng.integers(len(pieces))] if rng.integers(3) else b""
        try:
            clip = load_text(tmp_path, bytes(data))
        except sk.FormatError:
            continue
        read += 1
        assert np.isfinite(clip.positions()).all()
    assert read > 150


def test_a_long_file_with_one_fault_is_mended_in_bulk(tmp_path):
    """Wrapped rows of three million numbers: a loop over them would be told by the memory it takes."""
    rows = "\n".join(["1.5 90.25 -3.0 10.5", "20.0 -30.0 5.5 6.25 7.0"] * 100_000) + "\n"
    clip, told = load_with_warnings(tmp_path, PLAIN.replace(ROWS, rows).replace("Frames: 3", "Frames: 100000"))
    assert clip.num_frames == 100_000
    assert "rows are wrapped: 900000 numbers are 100000 frames of 9 channels" in told[0]
    assert (clip.translations[:, 0] == (1.5, 90.25, -3.0)).all()


# A body that stands, 90 high, whose root's channels begin at 0 although its offset is as high as its hips.
SUNKEN = PLAIN.replace("OFFSET 0.0 0.0 0.0", "OFFSET 1.0 85.25 2.0").replace(
    ROWS, "0.5 0.0 0.0 0 0 0 0 0 0\n0.5 0.5 1.0 0 0 0 0 0 0\n0.5 0.0 2.0 0 0 0 0 0 0\n"
)


def heights(clip: sk.Clip) -> np.ndarray:
    matrices, ends = clip.global_matrices(), clip.skeleton.end_sites
    return np.array([matrices[:, joint] @ np.append(place, 1.0) for joint, place in ends.items()])[..., 1]


def test_the_offset_of_the_root_is_added_where_feet_stand_on_the_ground_only_so(tmp_path):
    clip = load_text(tmp_path, SUNKEN)
    assert clip.translations[:, 0].tolist() == [[1.5, 85.25, 2.0], [1.5, 85.75, 3.0], [1.5, 85.25, 4.0]]
    assert np.abs(heights(clip)).max() <= 0.5
    assert "the root's offset is added to its positions" in clip.facts.notes[0]
    assert clip == load_text(tmp_path, SUNKEN, root="add")
    assert load_text(tmp_path, SUNKEN, root="add").facts.notes == ()


def test_root_replace_reads_as_blender_does(tmp_path):
    clip = load_text(tmp_path, SUNKEN, root="replace")
    assert clip.translations[:, 0].tolist() == [[0.5, 0.0, 0.0], [0.5, 0.5, 1.0], [0.5, 0.0, 2.0]]
    assert clip.facts.notes == ()


@pytest.mark.parametrize(
    "change",
    [
        ("0.5 0.0 0.0 0", "0.5 85.25 0.0 0"),  # stands where its positions say
        ("OFFSET 1.0 85.25 2.0", "OFFSET 1.0 40.0 2.0"),  # would still be sunk
        ("OFFSET 1.0 85.25 2.0", "OFFSET 85.25 0.0 0.0"),  # aside
        ("OFFSET 1.0 85.25 2.0", "OFFSET 0.0 0.0 0.0"),
    ],
)
def test_the_offset_is_replaced_wherever_there_is_a_doubt(tmp_path, change):
    text = SUNKEN.replace(*change)
    if "0.5 85.25" in text:
        text = text.replace("0.5 0.5 1.0 0", "0.5 85.5 1.0 0").replace("0.5 0.0 2.0 0", "0.5 85.25 2.0 0")
    assert load_text(tmp_path, text) == load_text(tmp_path, text, root="replace")


@pytest.mark.parametrize("channels", ["Xposition Yposition Zposition", "Yposition"])
def test_a_clip_with_an_added_offset_is_saved_in_the_files_own_numbers(tmp_path, channels):
    text = SUNKEN
    if channels == "Yposition":
        text = text.replace("6 Xposition Yposition Zposition", "4 Yposition")
        text = re.sub(r"^0\.5 (\S+) \S+ ", r"\1 ", text, flags=re.MULTILINE)
    clip = load_text(tmp_path, text, root="add")
    clip.save(tmp_path / "same.bvh")
    assert (tmp_path / "same.bvh").read_text() == text
    moved = clip.translations.copy()
    moved[1, 0] += (1.0, 0.25, 0.0)
    clip.replace(translations=moved).save(tmp_path / "moved.bvh")
    again = sk.load(tmp_path / "moved.bvh", root="add")
    np.testing.assert_allclose(again.translations, moved, atol=1e-6)


def test_an_unknown_reading_of_the_root_is_refused(tmp_path):
    with pytest.raises(ValueError, match="root is 'both': must be one of 'auto', 'replace', 'add'"):
        load_text(tmp_path, PLAIN, root="both")


# What is written for the time of a frame, and the rate that is meant.
MISTAKEN = {
    "33.33": 30, "33.333333": 30, "33.3": 30, "33": 30, "16.67": 60, "16.6667": 60, "17": 60, "8.33": 120, "8": 120,
    "41.67": 24, "41.666667": 24, "40": 25, "40.0": 25, "20.833": 48, "3.333333e+01": 30, "10": 100, "4.1667": 240,
    "33333": 30, "16666.67": 60, "0.0000333333": 30, "0.00000833333": 120,
    "30": 30, "30.0": 30, "60": 60, "120": 120, "25": 25, "24": 24, "50": 50, "29.97": 29.97, "23.976": 23.976,
    "20": 20, "12": 12, "15": 15,
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKEN)
def test_a_frame_time_that_none_can_be_is_doubted_and_the_likely_rate_named(tmp_path, text):
    rate = pytest.approx(MISTAKEN[text], rel=1e-9)
    clip, told = load_with_warnings(tmp_path, PLAIN.replace("0.04", text))
    assert clip.fps == clip.facts.fps == rate
    assert len(told) == 1
    assert told[0].startswith(f"{tmp_path / 'clip.bvh'}:18: the frame time is '{text}', taken for ")
    assert told[0].endswith(f": {MISTAKEN[text]:g} frames per second; give the rate with fps= (--fps)")
    assert clip.facts.fps_source.startswith("frame time taken for ")
    clip.save(tmp_path / "saved.bvh")
    saved = (tmp_path / "saved.bvh").read_text()
    assert float(saved.split("Frame Time: ")[1].split()[0]) == pytest.approx(1 / MISTAKEN[text], rel=1e-6)
    assert saved.split()[-27:] == ROWS.split()
    assert sk.load(tmp_path / "saved.bvh", strict=True).fps == rate
    with pytest.raises(sk.FormatError, match="taken for"):
        load_text(tmp_path, PLAIN.replace("0.04", text), strict=True)


@pytest.mark.parametrize(
    "text", ["1", "0.5", "0.1", "0.3333333", "2", "1.5", "7", "600", "3600", "0.001", "0.0005", "1e-9"]
)
def test_a_frame_time_that_means_no_usual_rate_otherwise_is_believed(tmp_path, text):
    clip, told = load_with_warnings(tmp_path, PLAIN.replace("0.04", text))
    assert (clip.fps, told) == (pytest.approx(1 / float(text), rel=2e-3), [])


@pytest.mark.parametrize("text", ["0.04", "33.33", "30", "0", "-1", "nan", "1.#IND", "word", "1e99"])
def test_the_rate_that_is_given_counts_and_is_saved(tmp_path, text):
    clip, told = load_with_warnings(tmp_path, PLAIN.replace("0.04", text), fps=60)
    assert (clip.fps, clip.facts.fps, clip.facts.fps_source, told) == (60.0, 60.0, "given", [])
    assert np.array_equal(clip.translations, load_text(tmp_path, PLAIN).translations)
    clip[1:].save(tmp_path / "saved.bvh")
    assert sk.load(tmp_path / "saved.bvh", strict=True).fps == 60.0
    _, told = load_with_warnings(tmp_path, "# made by hand\n" + PLAIN.replace("0.04", text), fps=60, strict=False)
    assert len(told) == 1


def test_rates_that_are_none_are_refused(tmp_path):
    for rate, kind in ((0, ValueError), (-1, ValueError), (float("nan"), ValueError), ("60", TypeError)):
        with pytest.raises(kind, match="fps is "):
            load_text(tmp_path, PLAIN, fps=rate)
    with pytest.raises(
        sk.FormatError, match=r"'0': must be positive and finite, in seconds; give the rate with fps= \(--fps\)"
    ):
        load_text(tmp_path, PLAIN.replace("0.04", "0"))


def test_strict_and_root_are_for_bvh_files_alone(tmp_path):
    sk.save_animations({"walk": sk.example("biped").clip}, tmp_path / "walk.glb")
    for options, words in (({"strict": True}, "strict is True"), ({"root": "add"}, "root is 'add'")):
        with pytest.raises(ValueError, match=f"{words}: it is for BVH files, not for glTF"):
            sk.load(tmp_path / "walk.glb", **options)
    assert sk.load(tmp_path / "walk.glb", strict=False, root="auto").num_frames == 180


def test_the_shell_says_what_was_wrong_and_refuses_it_when_strict(tmp_path, capsys):
    path = tmp_path / "clip.bvh"
    path.write_text(WILD["a row fewer than announced"][0])
    assert main(["info", str(path)]) == 0
    said, told = capsys.readouterr(), "the number of frames is 4, and 3 rows follow: all are read"
    assert said.err == f"skelkin: warning: {path}:17: {told}\n"
    assert f"line 17: {told}" in " ".join(said.out.split())
    assert main(["info", "--strict", str(path)]) == 1
    assert "the number of frames is 4, and 3 lines of values follow" in capsys.readouterr().err


def test_the_shell_reads_the_root_as_it_is_told(tmp_path, capsys):
    path, out = tmp_path / "clip.bvh", tmp_path / "out.bvh"
    path.write_text(SUNKEN)
    for root, height in (("add", 85.25), ("auto", 85.25), ("replace", 0.0)):
        assert main(["convert", "--root", root, str(path), str(out.with_suffix(".glb"))]) == 0
        assert abs(sk.load(out.with_suffix(".glb")).translations[0, 0, 1] - height) < 1e-4
        out.with_suffix(".glb").unlink()
    capsys.readouterr()
