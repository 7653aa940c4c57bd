# SPDX-License-Identifier: MIT
"""Workflows hold no logic: every step is an action or one command of ours, which runs here as it does there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
systems = load_script("tools/release/systems.py")


class Step(NamedTuple):
    """A command of a job."""

    job: str
    command: str


def jobs(path: Path) -> dict[str, str]:
    """Return the text of each job of a workflow; our own are written so that lines tell them."""
    parts = re.split(r"^  ([\w-]+):\n", path.read_text(encoding="utf-8").split("\njobs:\n")[1], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def steps() -> list[Step]:
    """Return all commands of all workflows."""
    return [
        Step(f"{path.stem}/{job}", command)
        for path in WORKFLOWS
        for job, text in jobs(path).items()
        for command in re.findall(r"^ +(?:- )?run: (.*)$", text, flags=re.MULTILINE)
    ]


def commands() -> list[str]:
    return sorted({step.command for step in steps()})


#: what cannot run in a clean clone as a test, and what runs it here, or why nothing can
ELSEWHERE = {
    ".ci/install_packages.sh": "the first step of .ci/run",
    "make check": ".ci/run",
    "make test-c": ".ci/run",
    "make lint": ".ci/run",
    "make typecheck": ".ci/run",
    "make docs": ".ci/run",
    "make wheel": ".ci/run",
    "make release-files WHOLE=1 FROM=built": "needs all wheels; `make release DRY=1` has those of this system",
    "python tools/release/wheels.py": "cibuildwheel needs containers",
    "python tools/release/try_wheel.py": "tools/release_check.sh, by `make try-wheel`",
    "python tools/release/try_addon.py": "tools/release_check.sh, by `make try-addon`",
    "tools/release/publish.sh": "needs the repository's page",
}
HERE = ["make releasable", "python3 tools/build_addon.py"]


def test_every_command_is_one_target_of_make_or_one_script_of_ours() -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for command in commands():
        words = command.split()
        script = words[1] if words[0].startswith("python") else words[0]
        assert words[1] in targets if words[0] == "make" else (ROOT / script).is_file(), command
        assert not set(command) & set("|&;<>$`"), f"{command}: logic belongs into the script"


def test_each_command_is_run_here_or_it_is_told_why_not() -> None:
    assert set(commands()) == {*ELSEWHERE, *HERE}


def test_what_is_run_elsewhere_is() -> None:
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in (".ci/run", "tools/release_check.sh")}
    texts[".ci/run"] += (ROOT / "tools" / "steps.sh").read_text(encoding="utf-8")
    for command, where in ELSEWHERE.items():
        name = next((name for name in texts if name in where), "")
        word = command.split()[-1].removeprefix("tools/release/").removesuffix(".py").replace("try_", "try-")
        word = {"check": "make test", "test-c": "make test"}.get(word, word)  # of which both are a part
        assert not name or re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", texts[name]), command


def test_every_action_is_pinned_to_a_commit_with_its_version_beside_it() -> None:
    for path in WORKFLOWS:
        for used in re.findall(r"uses: (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            own = used == "$/.github/workflows/wheels.yml"
            assert own or re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used


def test_no_address_of_an_index_is_written() -> None:
    for path in WORKFLOWS:
        assert "https://" not in path.read_text(encoding="utf-8"), path.name


def test_nothing_is_published_that_was_not_built_tried_and_rehearsed() -> None:
    found = jobs(ROOT / ".github" / "workflows" / "release.yml")
    needs = {job: re.findall(r"^    needs: (\w+)$", text, flags=re.MULTILINE) for job, text in found.items()}

    def before(job: str) -> set[str]:
        return {each for need in needs[job] for each in ({need} | before(need))}

    for job in ("index", "page", "site"):
        assert {"releasable", "wheels", "files", "rehearsal"} <= before(job)
    assert "repository-url" in found["rehearsal"]
    assert "if: vars.REHEARSAL_INDEX != ''" in found["rehearsal"]  # else it would go where the real one goes
    for job in ("rehearsal", "index"):
        assert "attestations: true" in found[job]
        assert "id-token: write" in found[job]
        assert "password" not in found[job]


def test_the_systems_of_the_jobs_are_those_of_the_list() -> None:
    found = jobs(ROOT / ".github" / "workflows" / "wheels.yml")
    runners = {job: re.findall(r"runner: \[(.*)\]", text) for job, text in found.items()}
    assert set(runners["build"][0].split(", ")) == {system.runner for system in systems.SYSTEMS}
    assert set(runners["install"][0].split(", ")) == {system.runner for system in systems.SYSTEMS if system.blender}


@pytest.mark.slow
@pytest.mark.parametrize("command", HERE)
def test_a_cheap_command_of_a_linux_job_runs_in_a_clean_clone(command: str, tmp_path: Path, require) -> None:
    require(shutil.which("git") and (ROOT / ".git").exists(), "a clone to make another of")
    clone = tmp_path / "clone"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "clone", "-q", ROOT, clone], env=environment, check=True)
    done = subprocess.run(command.split(), cwd=clone, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    # Of a fresh clone there is no wheel to make zips of, and what is left to do is told: both in our own words.
    assert "Traceback" not in said
    assert done.returncode == 0 or "not yet: " in said or "run `make wheel`" in said, said


def test_the_devcontainer_installs_the_packages_of_the_workflows() -> None:
    container = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    assert '"onCreateCommand": ".ci/install_packages.sh"' in container
    images = {
        image for path in WORKFLOWS for image in re.findall(r"container: (\S+)", path.read_text(encoding="utf-8"))
    }
    assert [f'"image": "{image}"' in container for image in images] == [True]
