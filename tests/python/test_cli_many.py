# SPDX-License-Identifier: MIT
"""``skelkin plant`` over folders: the tree, the finished ones, errors per file, and processes that are killed."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
NUM_MANY = 6
PIPES = ("04.bvh", "05.bvh")
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


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {NAME}


def times_below(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_mtime_ns for name in files_below(folder)}


def json_lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_folder_keeps_its_tree_and_an_error_stops_no_other_file(clips: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "planted"
    assert main(["plant", str(clips), "-o", str(out), "--jobs", "2"]) == 1
    printed, errors = capsys.readouterr()
    assert files_below(out) == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}
    assert errors.startswith(f"skelkin: {clips / 'broken.bvh'}:")
    assert errors.count("\n") == 1
    assert re.search(r"^clip +frames +contacts +slide, mean \(cm\)", printed)
    assert re.search(r"^broken.bvh +failed: .*frame 59 has", printed, flags=re.M)
    assert re.search(r"^all 3 +180 ", printed, flags=re.M)
    assert "planted 3, 1 failed, in " in printed
    assert "\033" not in printed + errors
    assert "\r" not in printed + errors


def test_the_result_is_that_of_python_with_any_number_of_processes(good: Path, tmp_path: Path, capsys) -> None:
    sk.load(good / "a.bvh").plant_feet(contacts="always", reach="stretch").clip.save(tmp_path / "expected.bvh")
    for jobs in ("1", "2"):
        out = tmp_path / f"planted{jobs}"
        given = ["--contacts", "always", "--reach", "stretch", "--jobs", jobs]
        assert main(["plant", str(good), "-o", str(out), *given]) == 0
        for name in files_below(good) - {".hidden.bvh", "notes.txt"}:
            assert (out / name).read_bytes() == (tmp_path / "expected.bvh").read_bytes()
    capsys.readouterr()


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


def test_patterns_and_several_names_are_all_taken_once(good: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plant", "clips/**/*.bvh", "clips/a.bvh", "-o", "out", "--jobs", "1"]) == 0
    assert files_below(tmp_path / "out") == {"a.bvh", "day 1/夜/c.bvh"}
    assert main(["plant", "clips/day*", "-o", "clips/out/", "--jobs", "1"]) == 0
    assert files_below(tmp_path / "clips" / "out") == {"day 1/b.BVH", "day 1/夜/c.bvh"}
    assert main(["plant", ".", "-o", "clips/out/", "--jobs", "1"]) == 0
    assert "clips/clips" not in capsys.readouterr().out
    assert files_below(tmp_path / "clips" / "out" / "clips") == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}


def test_a_link_that_leads_back_gives_no_clip_twice_and_no_longer_way(good: Path, tmp_path: Path, capsys) -> None:
    (good / "a link").symlink_to(good)  # before the clips by its name
    assert main(["plant", str(good / "**" / "*.[bB][vV][hH]"), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 0
    capsys.readouterr()
    assert files_below(tmp_path / "out") - {NAME} == {"a.bvh", "day 1/b.BVH", "day 1/夜/c.bvh"}


def test_one_file_into_a_folder(good: Path, tmp_path: Path, capsys) -> None:
    assert main(["plant", str(good / "a.bvh"), "-o", f"{tmp_path}/new/folder/"]) == 0
    assert files_below(tmp_path / "new") == {"folder/a.bvh", f"folder/{NAME}"}
    capsys.readouterr()


def test_names_that_lead_to_nothing_are_errors_and_the_others_go_on(good: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "empty").mkdir()
    names = [str(good / "a.bvh"), str(tmp_path / "empty"), str(tmp_path / "none*"), str(tmp_path / "none.bvh")]
    assert main(["plant", *names, "-o", str(tmp_path / "out")]) == 1
    errors = capsys.readouterr().err
    assert f"skelkin: {tmp_path / 'empty'}: no clip (.bvh) in this folder\n" in errors
    assert f"skelkin: {tmp_path / 'none*'}: no clip (.bvh) has such a name\n" in errors
    assert f"skelkin: {tmp_path / 'none.bvh'}: No such file or directory\n" in errors
    assert files_below(tmp_path / "out") == {"a.bvh"}


def test_no_clip_is_written_over(good: Path, tmp_path: Path, capsys) -> None:
    before = {name: (good / name).read_bytes() for name in files_below(good)}
    (tmp_path / "link").symlink_to(good)
    for out in (good, tmp_path / "link"):
        assert main(["plant", str(good), "-o", str(out)]) == 2
        assert "would be written over" in capsys.readouterr().err
    assert main(["plant", str(good / "a.bvh"), str(good / "day 1" / "夜"), "-o", str(good)]) == 2
    assert "a.bvh would be written over" in capsys.readouterr().err
    (tmp_path / "a.bvh").write_bytes(before["a.bvh"])
    assert main(["plant", str(good / "a.bvh"), str(tmp_path / "a.bvh"), "-o", str(tmp_path / "out")]) == 2
    assert "would both be written to" in capsys.readouterr().err
    assert main(["plant", str(good), "-o", str(tmp_path / "a.bvh")]) == 2
    assert "several clips go into a folder" in capsys.readouterr().err
    assert {name: (good / name).read_bytes() for name in files_below(good)} == before
    assert not (tmp_path / "out").exists()


def test_finished_clips_are_left_alone(good: Path, tmp_path: Path, capsys, short_clip: bytes) -> None:
    out = tmp_path / "planted"
    command = ["plant", str(good), "-o", str(out), "--jobs", "1"]
    assert main(command) == 0
    first = times_below(out)
    assert main(command) == 0
    assert "planted 0, 3 finished before" in capsys.readouterr().out
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
    for counts in ("planted 1, 2 finished before", "planted 0, 3 finished before"):
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
    assert "another run is writing into this folder" in capsys.readouterr().err
    assert files_below(out) == set()


# ---- in mid-run ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def walk(data_dir: Path) -> bytes:
    """A clip that takes a while."""
    head, motion = (data_dir / "bvh" / "cmu_12_01_walk.bvh").read_text().split("MOTION")
    _, frame_time, *rows = motion.strip().splitlines()
    there_and_back = [*rows, *reversed(rows)] * 2
    return "\n".join([head + "MOTION", f"Frames: {len(there_and_back)}", frame_time, *there_and_back, ""]).encode()


@pytest.fixture
def many(tmp_path: Path, walk: bytes) -> Path:
    """Clips of which the last two, one for each process, come through pipes: no run ends until these are fed."""
    folder = tmp_path / "many"
    folder.mkdir()
    for index in range(NUM_MANY):
        (folder / f"{index:02d}.bvh").write_bytes(walk)
    for name in PIPES:
        (folder / name).unlink()
        os.mkfifo(folder / name)
    return folder


def start_run(many: Path, out: Path) -> subprocess.Popen[str]:
    """Start planting in a process group of its own, and wait until a clip is finished."""
    command = [*COMMAND, "plant", str(many / "*.bvh"), "-o", str(out), "--jobs", "2"]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=many
    )
    limit = time.monotonic() + 300
    while not ((out / NAME).exists() and (out / NAME).stat().st_size):
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < limit
        time.sleep(0.01)
    return run


def feed_while(goes_on: Callable[[], bool], many: Path, walk: bytes) -> None:
    """Let pipes be read whose readers have come or come yet, until nobody is left who could."""
    limit = time.monotonic() + 300
    hungry = {many / name for name in PIPES}
    while goes_on():
        assert time.monotonic() < limit, "processes are left"
        for pipe in list(hungry):
            with contextlib.suppress(OSError):  # nobody reads it now
                file = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                os.set_blocking(file, True)
                with open(file, "wb") as stream:
                    stream.write(walk)
                hungry.remove(pipe)
        time.sleep(0.01)


def any_left(group: int) -> bool:
    """Tell whether a process of the group is left: one that was told to stop, or that saw its parent go."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(group: int) -> None:
    """Wait until no process of the group is left: Python's own for shared resources ends a little later."""
    limit = time.monotonic() + 300
    while any_left(group):
        assert time.monotonic() < limit, "processes are left"
        time.sleep(0.01)


def check_whole_and_finish(many: Path, out: Path, walk: bytes, capsys) -> None:
    """Check that what stands there is whole, and that the next run makes the rest and only that."""
    for name in PIPES:
        (many / name).unlink()
        (many / name).write_bytes(walk)
    names = {path.name for path in many.iterdir()}
    there = files_below(out)
    # All of them may be: of one that was killed between the renaming of a file and its message, nobody knows.
    assert {name for name in there if not name.endswith(".part")} <= names
    told = [json.loads(line)["output"] for line in (out / NAME).read_text().splitlines()]
    assert set(told) <= there
    before = times_below(out)
    finished = set(told) - set(PIPES)  # those are other files now
    assert main(["plant", str(many), "-o", str(out), "--jobs", "1"]) == 0
    printed, errors = capsys.readouterr()
    assert errors == ""
    assert f"planted {NUM_MANY - len(finished)}, {len(finished)} finished before" in printed
    assert files_below(out) == names
    assert {name: times_below(out)[name] for name in finished} == {name: before[name] for name in finished}
    assert len({(out / name).read_bytes() for name in names}) == 1


def test_after_ctrl_c_nothing_is_half_written_and_the_next_run_finishes(
    many: Path, walk: bytes, tmp_path: Path, capsys
) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to all of the group
    printed, errors = run.communicate(timeout=300)
    assert (run.returncode, printed) == (130, "")
    assert re.fullmatch(
        r"skelkin: interrupted: [1-4] of 6 clips are done, the same command goes on with the rest\n", errors
    )
    wait_until_gone(run.pid)
    assert not [name for name in files_below(out) if name.endswith(".part")]
    check_whole_and_finish(many, out, walk, capsys)


def test_after_a_kill_nothing_is_half_written_and_the_next_run_finishes(
    many: Path, walk: bytes, tmp_path: Path, capsys
) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    run.kill()
    run.communicate(timeout=300)
    feed_while(lambda: any_left(run.pid), many, walk)
    check_whole_and_finish(many, out, walk, capsys)


def test_a_temporary_file_of_a_killed_run_is_removed_by_the_next(good: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".a.bvh.k1ll3d_0.part").write_text("half")
    (out / ".other.bvh.k1ll3d_0.part").write_text("not of this run")
    assert main(["plant", str(good), "-o", str(out), "--jobs", "1"]) == 0
    assert {name for name in files_below(out) if name.endswith(".part")} == {".other.bvh.k1ll3d_0.part"}
    capsys.readouterr()


def test_a_terminated_run_leaves_nothing_behind(many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    run.terminate()
    printed, errors = run.communicate(timeout=300)
    assert (run.returncode, printed, errors) == (143, "", "")
    wait_until_gone(run.pid)
    assert files_below(out) <= {path.name for path in many.iterdir()}


def workers_of(run: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    return [int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_killed_worker_fails_its_clip_and_no_other(many: Path, walk: bytes, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    os.kill(workers_of(run)[0], signal.SIGKILL)
    feed_while(lambda: run.poll() is None, many, walk)
    printed, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert re.fullmatch(r"skelkin: \S+\.bvh: the process that worked on it was ended by SIGKILL, .*\n", errors)
    assert "planted 5, 1 failed" in printed
    check_whole_and_finish(many, out, walk, capsys)


# ---- a real terminal -----------------------------------------------------------------------------------------------


def on_terminal(arguments: list[str], folder: Path, **environment: str) -> tuple[int, str]:
    """Run the command on a terminal of its own and return its exit code and all that appears."""
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
    assert "\r\033[K\033[1mclip " in shown  # the line of progress is wiped before the table


@pytest.mark.parametrize(("name", "value", "progress"), [("NO_COLOR", "1", True), ("TERM", "dumb", False)])
def test_a_terminal_may_ask_for_less(good: Path, tmp_path: Path, name: str, value: str, progress: bool) -> None:
    code, shown = on_terminal(["plant", "clips", "-o", "out", "--jobs", "1"], tmp_path, **{name: value})
    assert code == 0
    assert "\033[1" not in shown
    assert ("\r3/3 " in shown) == progress


def test_a_terminal_without_such_signs_shows_others(good: Path, tmp_path: Path) -> None:
    code, shown = on_terminal(
        ["plant", "clips/a.bvh", "-o", "out/"], tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert code == 0
    assert "\r1/1 ########################" in shown
