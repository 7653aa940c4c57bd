# SPDX-License-Identifier: MIT
"""``skelkin plant`` over folders: the tree, the finished ones, errors per file; what a terminal shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from planted_folders import files_below, times_below
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
COMMAND = [sys.executable, *SAFE, "-m", "skelkin_py"]


@pytest.fixture(scope="session")
def short_clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("biped") / "biped.bvh"
    sk.example("biped").clip.slice(0, 60).save(path)
    return path.read_bytes()


@pytest.fixture
def clips(tmp_path: Path, short_clip: bytes) -> Path:
    """A folder with three clips in a tree, one that is broken, and things that are none."""
    folder = tmp_path / "clips"
    for name in ("a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(short_clip)
    (folder / "broken.bvh").write_bytes(short_clip[:-30])
    (folder / "notes.txt").write_text("none")
    (folder / ".hidden.bvh").write_text("none")
    return folder


@pytest.fixture
def good(clips: Path) -> Path:
    (clips / "broken.bvh").unlink()
    return clips


def json_lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.slow
def test_a_folder_keeps_its_tree_and_an_error_stops_no_other_file(clips: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "planted"
    assert main(["plant", str(clips), "-o", str(out), "--jobs", "2"]) == 1
    printed, errors = capsys.readouterr()
    assert files_below(out) == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}
    assert errors.startswith(f"skelkin: {clips / 'broken.bvh'}:")
    assert errors.count("\n") == 1
    assert printed.startswith("3 of 4 clips planted, slide ")
    assert re.search(r"^clip +feet stand +slide \(cm\)", printed, flags=re.M)
    assert re.search(r"^broken.bvh +failed: .*frame 59 has", printed, flags=re.M)
    assert "planted 3, 1 failed, in " in printed
    assert "\033" not in printed + errors
    assert "\r" not in printed + errors


@pytest.mark.slow
def test_the_result_is_that_of_python_with_any_number_of_processes(good: Path, tmp_path: Path, capsys) -> None:
    sk.load(good / "a.bvh").plant_feet(contacts="always", reach="stretch").clip.save(tmp_path / "expected.bvh")
    for jobs in ("1", "2"):
        out = tmp_path / f"planted{jobs}"
        given = ["--contacts", "always", "--reach", "stretch", "--jobs", jobs]
        assert main(["plant", str(good), "-o", str(out), *given]) == 0
        for name in files_below(good) - {".hidden.bvh", "notes.txt"}:
            assert (out / name).read_bytes() == (tmp_path / "expected.bvh").read_bytes()
    capsys.readouterr()


@pytest.mark.slow
def test_json_is_a_line_per_clip_and_one_for_all(clips: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "planted"
    assert main(["plant", str(clips), "-o", str(out), "--json", "--jobs", "1"]) == 1
    *lines, last = json_lines(capsys.readouterr().out)
    assert {line["clip"]: line["status"] for line in lines} == {
        str(clips / "a.bvh"): "planted",
        str(clips / "broken.bvh"): "failed",
        str(clips / "day 1" / "b.BVH"): "planted",
        str(clips / "day 1" / "夜" / "c.bvh"): "planted",
    }
    planted = next(line for line in lines if line["status"] == "planted")
    assert planted["slide_worst"]["before"] > planted["slide_worst"]["after"]
    assert "frame 59" in next(line for line in lines if line["status"] == "failed")["error"]
    assert {key: last["summary"][key] for key in ("clips", "planted", "skipped", "failed")} == {
        "clips": 4,
        "planted": 3,
        "skipped": 0,
        "failed": 1,
    }
    assert main(["plant", str(clips), "-o", str(out), "--json"]) == 1
    *lines, last = json_lines(capsys.readouterr().out)
    assert sorted(line["status"] for line in lines) == ["failed", "skipped", "skipped", "skipped"]
    assert last["summary"]["num_contacts"] == 3 * len(planted["contacts"])


@pytest.mark.slow
def test_patterns_and_several_names_are_all_taken_once(good: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plant", "clips/**/*.bvh", "clips/a.bvh", "-o", "out", "--jobs", "1"]) == 0
    assert files_below(tmp_path / "out") == {"a.bvh", "day 1/夜/c.bvh"}
    assert main(["plant", "clips/day*", "-o", "clips/out/", "--jobs", "1"]) == 0
    assert files_below(tmp_path / "clips" / "out") == {"day 1/b.BVH", "day 1/夜/c.bvh"}
    assert main(["plant", ".", "-o", "clips/out/", "--jobs", "1"]) == 0
    assert "clips/clips" not in capsys.readouterr().out
    assert files_below(tmp_path / "clips" / "out" / "clips") == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}


@pytest.mark.posix
@pytest.mark.slow
def test_a_link_that_leads_back_gives_no_clip_twice_and_no_longer_way(good: Path, tmp_path: Path, capsys) -> None:
    (good / "a link").symlink_to(good)  # before the clips by its name
    assert main(["plant", str(good / "**" / "*.[bB][vV][hH]"), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 0
    capsys.readouterr()
    assert files_below(tmp_path / "out") - {NAME} == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}


@pytest.mark.slow
def test_one_file_into_a_folder(good: Path, tmp_path: Path, capsys) -> None:
    assert main(["plant", str(good / "a.bvh"), "-o", f"{tmp_path}/new/folder/"]) == 0
    assert files_below(tmp_path / "new") == {"folder/a.bvh", f"folder/{NAME}"}
    capsys.readouterr()


@pytest.mark.slow
def test_names_that_lead_to_nothing_are_errors_and_the_others_go_on(good: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "empty").mkdir()
    names = [str(good / "a.bvh"), str(tmp_path / "empty"), str(tmp_path / "none*"), str(tmp_path / "none.bvh")]
    assert main(["plant", *names, "-o", str(tmp_path / "out")]) == 1
    errors = capsys.readouterr().err
    none = "no file that ends in .bvh, .glb, .gltf, .vrm, .vrma, .npz, .npy"
    assert f"skelkin: {tmp_path / 'empty'}: {none} is in this folder or below\n" in errors
    assert f"skelkin: {tmp_path / 'none*'}: {none} matches this pattern\n" in errors
    assert f"skelkin: {tmp_path / 'none.bvh'}: {told_of(open, 'none.bvh')}\n" in errors
    assert files_below(tmp_path / "out") == {"a.bvh"}


def test_no_clip_is_written_over(good: Path, tmp_path: Path, capsys) -> None:
    before = {name: (good / name).read_bytes() for name in files_below(good)}
    assert main(["plant", str(good), "-o", str(good)]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert main(["plant", str(good / "a.bvh"), str(good / "day 1" / "夜"), "-o", str(good)]) == 2
    assert "a.bvh would be overwritten" in capsys.readouterr().err
    (tmp_path / "a.bvh").write_bytes(before["a.bvh"])
    assert main(["plant", str(good / "a.bvh"), str(tmp_path / "a.bvh"), "-o", str(tmp_path / "out")]) == 2
    assert "would both be written to" in capsys.readouterr().err
    assert main(["plant", str(good), "-o", str(tmp_path / "a.bvh")]) == 2
    assert "for several clips, give -o a folder" in capsys.readouterr().err
    assert {name: (good / name).read_bytes() for name in files_below(good)} == before
    assert not (tmp_path / "out").exists()


@pytest.mark.posix
def test_no_clip_is_written_over_through_a_link(good: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "link").symlink_to(good)
    assert main(["plant", str(good), "-o", str(tmp_path / "link")]) == 2
    assert "would be overwritten" in capsys.readouterr().err


@pytest.mark.slow
def test_finished_clips_are_left_alone(good: Path, tmp_path: Path, capsys, short_clip: bytes) -> None:
    out = tmp_path / "planted"
    command = ["plant", str(good), "-o", str(out), "--jobs", "1"]
    assert main(command) == 0
    first = times_below(out)
    assert main(command) == 0
    assert "planted 0, 3 already finished" in capsys.readouterr().out
    assert times_below(out) == first
    (good / "a.bvh").write_bytes(short_clip)  # as new: its time has changed
    (out / "day 1" / "b.BVH").write_bytes(b"spoilt")
    assert main(command) == 0
    second = times_below(out)
    assert {name for name in first if first[name] != second[name]} == {"a.bvh", "day 1/b.BVH"}
    assert (out / "day 1" / "b.BVH").read_bytes() == (out / "a.bvh").read_bytes()
    assert main([*command, "--contacts", "never"]) == 0
    third = times_below(out)
    assert not set(second.values()) & set(third.values())
    assert main([*command, "--contacts", "never", "--force"]) == 0
    assert not set(third.values()) & set(times_below(out).values())


def test_a_journal_line_that_was_cut_off_is_not_counted(good: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "planted"
    command = ["plant", str(good), "-o", str(out), "--jobs", "1"]
    assert main(command) == 0
    (out / NAME).write_bytes((out / NAME).read_bytes()[:-20])
    for counts in ("planted 1, 2 already finished", "planted 0, 3 already finished"):
        capsys.readouterr()
        assert main(command) == 0
        assert counts in capsys.readouterr().out


def test_a_clip_that_stands_in_the_journal_is_counted_by_an_interruption(
    good: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    from skelkin_py.cli.journal import Journal

    add = Journal.add

    def interrupted(*arguments) -> None:
        add(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "add", interrupted)
    assert main(["plant", str(good), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 130
    assert "interrupted: 1 of 3 clips are done" in capsys.readouterr().err


def test_two_runs_do_not_share_a_folder(good: Path, tmp_path: Path, capsys) -> None:
    from skelkin_py.cli.journal import Journal

    out = tmp_path / "planted"
    out.mkdir()
    with Journal(str(out), {}):
        assert main(["plant", str(good), "-o", str(out)]) == 1
    assert "another run is writing to this folder: wait for it, or stop it" in capsys.readouterr().err
    assert files_below(out) == set()


def test_a_temporary_file_of_a_killed_run_is_removed_by_the_next(good: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".a.bvh.k1ll3d_0.part").write_text("half")
    (out / ".other.bvh.k1ll3d_0.part").write_text("not of this run")
    assert main(["plant", str(good), "-o", str(out), "--jobs", "1"]) == 0
    assert {name for name in files_below(out) if name.endswith(".part")} == {".other.bvh.k1ll3d_0.part"}
    capsys.readouterr()


# ---- a real terminal -----------------------------------------------------------------------------------------------


def on_terminal(arguments: list[str], folder: Path, **environment: str) -> tuple[int, str]:
    """Run the command on a terminal of its own and return its exit code and all that appears."""
    import pty

    leader, follower = pty.openpty()
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    env = kept | {"TERM": "xterm", "LC_ALL": "C.UTF-8"} | environment
    run = subprocess.Popen(
        [*COMMAND, *arguments], stdin=follower, stdout=follower, stderr=follower, env=env, cwd=folder
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # how a terminal ends on Linux
            break
        if not part:
            break
        shown += part
    os.close(leader)
    return run.wait(), shown.decode()


@pytest.mark.slow
def test_a_terminal_shows_progress_and_colours(clips: Path, tmp_path: Path) -> None:
    code, shown = on_terminal(["plant", "clips", "-o", "out", "--jobs", "2"], tmp_path)
    assert code == 1
    steps = re.findall(r"\r(\d)/4 [━─]{24}  ", shown)
    assert steps[0] == "0"
    assert steps[-1] == "4"
    assert steps == sorted(steps)
    assert re.search(r"(clips/s|s each)  \d+ s left", shown)
    assert "  1 failed\033[K" in shown
    assert "\033[1;31mskelkin:\033[0m clips/broken.bvh" in shown
    assert "\r\033[K\033[1m3 of 4 clips planted" in shown  # the line of progress is wiped before the table


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value", "progress"), [("NO_COLOR", "1", True), ("TERM", "dumb", False)])
def test_a_terminal_may_ask_for_less(good: Path, tmp_path: Path, name: str, value: str, progress: bool) -> None:
    code, shown = on_terminal(["plant", "clips", "-o", "out", "--jobs", "1"], tmp_path, **{name: value})
    assert code == 0
    assert "\033[1" not in shown
    assert ("\r3/3 " in shown) == progress


@pytest.mark.slow
def test_a_terminal_without_such_signs_shows_others(good: Path, tmp_path: Path) -> None:
    code, shown = on_terminal(
        ["plant", "clips/a.bvh", "-o", "out/"], tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert code == 0
    assert "\r1/1 ########################" in shown


def test_without_distributed_the_extra_is_named(good: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["plant", str(good), "-o", str(tmp_path / "planted"), "--scheduler", "tcp://127.0.0.1:1"]) == 1
    words = 'skelkin: --scheduler needs distributed: pip install ".[cluster]" in a clone of skelkin\n'
    assert capsys.readouterr().err == words


@pytest.mark.slow
def test_a_terminal_shows_each_failure_once(clips: Path, tmp_path: Path) -> None:
    for command in (["plant", "clips", "-o", "out"], ["check", "clips"]):
        code, shown = on_terminal(command, tmp_path)
        assert code == 1
        assert shown.count("frame 59 has") == 1
        assert re.search(r"broken\.bvh +failed", shown)
