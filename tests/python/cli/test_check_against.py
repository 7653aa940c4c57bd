# SPDX-License-Identifier: MIT
"""``skelkin check --against``: a planted file beside its original, with limits on what planting cost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture(scope="module")
def pair(tmp_path_factory, make_walk) -> tuple[Path, Path]:
    """A walk, and the same with a left knee that is bent by 15 degrees more in 20 of its 181 frames, all at once."""
    folder = tmp_path_factory.mktemp("clips")
    clip = make_walk().clip
    half = np.zeros(clip.num_frames)
    half[50:70] = 0.5 * np.radians(15.0)
    more = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    rotations, shin = clip.rotations.copy(), clip.names.index("left_shin")
    rotations[:, shin] = sk.quaternion_multiply(rotations[:, shin], more)
    clip.save(folder / "walk.bvh")
    clip.replace(rotations=rotations).save(folder / "bowed.bvh")
    return folder / "walk.bvh", folder / "bowed.bvh"


def against(original: Path, planted: Path, *options: str) -> int:
    return main(["check", str(planted), "--against", str(original), *options])


def test_a_clip_passes_beside_itself(pair, capsys) -> None:
    walk, _ = pair
    assert against(walk, walk) == 0
    assert "Worse" not in capsys.readouterr().out


def test_what_got_worse_is_the_first_line_and_named_with_its_frame(pair, capsys) -> None:
    assert against(*pair) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Worse than the original: knees pop in")
    assert "left knee changed by > 10° in 11.0 % of frames" in lines[0]
    (changed,) = (line for line in lines if line.startswith("changed over 10° (% of frames), left"))
    assert changed.split()[-5:-2] == ["11.0", "5.0", "OVER,"]
    assert 50 <= int(changed.split()[-1]) < 70
    assert any(line.startswith("changed over 10° (% of frames), right") and line.endswith("5.0") for line in lines)


def test_json_has_figures_limits_and_what_is_worse(pair, capsys) -> None:
    walk, bowed = pair
    assert against(walk, bowed, "--json", "--max-changed", "12") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["over"], told["against"]) == ("over", [], str(walk))
    cost = sk.measure_cost(sk.load(bowed), sk.load(walk))
    assert told["cost"]["legs"][0]["changed"] == cost.legs[0].changed
    limits = sk.CostLimits(changed=12.0)
    assert told["cost_limits"]["changed"] == 12.0
    assert [(row["what"], row["leg"]) for row in told["cost"]["worse"]] == [
        (row.what, row.leg) for row in cost.worse(limits)
    ]
    assert [row["over"] for row in told["rows"]] == [row.over for row in cost.rows(limits)]


def test_every_limit_can_be_set(pair, capsys) -> None:
    wide = ("overturned", "backward", "pops", "changed", "jerk", "jump")
    options = [part for what in wide for part in (f"--max-{what}", "1000")]
    assert against(*pair, *options) == 0
    for what in ("pops", "changed", "jerk"):
        narrow = [part for other in wide if other != what for part in (f"--max-{other}", "1000")]
        assert against(*pair, *narrow) == 1, what
    capsys.readouterr()


def test_frames_can_be_chosen(pair, capsys) -> None:
    assert against(*pair, "--frames", "100", "180") == 0
    capsys.readouterr()


def test_limits_without_an_original_are_wrong_usage(pair, capsys) -> None:
    assert main(["check", str(pair[0]), "--max-jerk", "1.5"]) == 2
    assert "--max-jerk 1.5 is a limit beside the original: --against has to name that" in capsys.readouterr().err


def test_another_clip_is_named_with_what_differs(pair, tmp_path, capsys) -> None:
    walk, bowed = pair
    part = tmp_path / "part.bvh"
    sk.load(walk).slice(0, 90).save(part)
    assert against(part, bowed) == 1
    assert f"{bowed} has 181 frames and {part} 90: they must be as many" in capsys.readouterr().err
    other = tmp_path / "other.bvh"
    other.write_text(walk.read_text().replace("left_shin", "left_calf"))
    assert against(other, bowed) == 1
    assert "is 'left_shin', in" in capsys.readouterr().err
    assert against(tmp_path / "none.bvh", bowed) == 1
    assert f"none.bvh: {told_of(open, 'none.bvh')}" in capsys.readouterr().err


def test_several_clips_have_their_originals_in_the_same_tree(pair, tmp_path, capsys) -> None:
    walk, bowed = pair
    for folder, clips in (("old", (walk, walk)), ("new", (walk, bowed))):
        for name, clip in zip(("a", "b"), clips, strict=True):
            path = tmp_path / folder / "day 1" / f"{name}.bvh"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(clip.read_bytes())
    assert against(tmp_path / "old", tmp_path / "new", "--jobs", "1") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 of 2 are worse than their originals: ")
    assert "b.bvh" in lines[0]
    assert [line.split()[-1] for line in lines if "b.bvh" in line][1:] == ["WORSE"]
    assert main(["check", str(walk), str(bowed), "--against", str(walk)]) == 2
    assert "is one clip, and there are 2: give the folder with the originals" in capsys.readouterr().err


def test_of_many_that_are_worse_five_are_named(pair, tmp_path, capsys) -> None:
    walk, bowed = pair
    for folder, clip in (("old", walk), ("new", bowed)):
        (tmp_path / folder).mkdir()
        for k in range(8):
            (tmp_path / folder / f"take_{k}.bvh").write_bytes(clip.read_bytes())
    assert against(tmp_path / "old", tmp_path / "new", "--jobs", "1") == 1
    first = capsys.readouterr().out.splitlines()[0]
    names = ", ".join(f"take_{k}.bvh" for k in range(5))
    assert first == f"8 of 8 are worse than their originals: {names} and 3 more"
