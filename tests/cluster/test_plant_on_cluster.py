# SPDX-License-Identifier: MIT
"""``skelkin plant --scheduler``: every clip arrives exactly once, also when a worker dies in mid-run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME

pytestmark = pytest.mark.filterwarnings("default")  # those of the cluster's own code
NUM_CLIPS = 16
OPTIONS = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """Clips whose results all differ, and one that is broken."""
    folder = tmp_path / "clips"
    (folder / "more").mkdir(parents=True)
    clip = sk.example("biped").clip
    for index in range(NUM_CLIPS):
        clip.slice(index, 120 + index).save(folder / ("more" if index % 2 else "") / f"{index:02d}.bvh")
    (folder / "broken.bvh").write_bytes((folder / "00.bvh").read_bytes()[:-30])
    return folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(**OPTIONS) as running:
        yield running


def workers(cluster: LocalCluster) -> list[int]:
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def start_run(folder: Path, cluster: LocalCluster) -> subprocess.Popen[str]:
    """Start planting clips/ into out/ on the cluster, and wait until two clips are finished."""
    command = [sys.executable, "-m", "skelkin_py", "plant", "clips", "-o", "out", "--json"]
    run = subprocess.Popen(
        [*command, "--scheduler", cluster.scheduler_address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    journal = folder / "out" / NAME
    limit = time.monotonic() + 300
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < limit
        time.sleep(0.005)
    return run


def test_every_clip_arrives_once_though_a_worker_is_killed(cluster: LocalCluster, clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = workers(cluster)
    assert len(first) == 2
    run = start_run(tmp_path, cluster)
    os.kill(first[0], signal.SIGKILL)
    assert (out / NAME).read_bytes().count(b"\n") < NUM_CLIPS - 2  # both workers were at work
    printed, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert first[0] not in workers(cluster)
    *lines, last = [json.loads(line) for line in printed.splitlines()]
    told = sorted((os.path.relpath(line["clip"], clips), line["status"]) for line in lines)
    names = sorted(path.relative_to(clips).as_posix() for path in clips.rglob("*.bvh"))
    assert told == [(name, "failed" if name == "broken.bvh" else "planted") for name in names]
    assert (last["summary"]["planted"], last["summary"]["failed"]) == (NUM_CLIPS, 1)
    assert f"skelkin: {clips / 'broken.bvh'}:" in errors
    noted = [json.loads(line)["output"] for line in (out / NAME).read_text().splitlines()]
    assert sorted([*noted, "broken.bvh"]) == names
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*") if path.name != NAME) == sorted(noted)
    assert main(["plant", str(clips), "-o", str(tmp_path / "here"), "--jobs", "1"]) == 1
    for name in noted:
        assert (out / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_finished_clips_are_left_alone(cluster: LocalCluster, clips: Path, tmp_path: Path, capsys) -> None:
    (clips / "broken.bvh").unlink()
    command = ["plant", str(clips), "-o", str(tmp_path / "out"), "--scheduler", cluster.scheduler_address]
    for counts in (f"planted {NUM_CLIPS}, in", f"planted 0, {NUM_CLIPS} already finished, in"):
        assert main(command) == 0
        assert counts in capsys.readouterr().out


def test_no_scheduler_is_an_error_in_one_line(clips: Path, tmp_path: Path, capsys) -> None:
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        assert main(["plant", str(clips), "-o", str(tmp_path / "out"), "--scheduler", "tcp://127.0.0.1:9"]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("skelkin: ")
    assert "tcp://127.0.0.1:9" in errors
    assert errors.count("\n") == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == [NAME]


def test_a_scheduler_that_goes_away_ends_the_run_in_one_line(clips: Path, tmp_path: Path) -> None:
    with LocalCluster(**OPTIONS) as short_lived:
        run = start_run(tmp_path, short_lived)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert (
        f"{short_lived.scheduler_address}: the scheduler stopped: restart it and run the command again to continue"
        in errors
    )
    assert main(["plant", str(clips), "-o", str(tmp_path / "out"), "--jobs", "2"]) == 1
    assert len(list((tmp_path / "out").rglob("*.bvh"))) == NUM_CLIPS


def test_workers_read_the_contacts_of_each_clip(
    cluster: LocalCluster, clips: Path, tmp_path: Path, monkeypatch
) -> None:
    """Named from a folder that is not that of the workers; an edited file makes its clip anew, and no other."""
    monkeypatch.chdir(tmp_path)
    (clips / "broken.bvh").unlink()
    for clip in clips.rglob("*.bvh"):
        path = tmp_path / "contacts" / clip.relative_to(clips).with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"contacts": {"left": [[20, 40]]}}')
    command = ["plant", "clips", "--contacts", "contacts"]
    assert main([*command, "-o", "out", "--scheduler", cluster.scheduler_address]) == 0
    assert main([*command, "-o", "here", "--jobs", "1"]) == 0
    for name in (path.relative_to(clips) for path in clips.rglob("*.bvh")):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.bvh")}
    (tmp_path / "contacts" / "00.json").write_text('{"contacts": {"left": [[20, 41]]}}')
    assert main([*command, "-o", "out", "--scheduler", cluster.scheduler_address]) == 0
    changed = [path.name for path, time in before.items() if path.stat().st_mtime_ns != time]
    assert changed == ["00.bvh"]
