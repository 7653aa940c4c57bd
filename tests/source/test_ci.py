# SPDX-License-Identifier: MIT
"""The two checks: every part of the README's commands, in an environment that hides nothing; they believe no part that
was skipped, has left no report or has failed, and say what each cost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGETS = (
    "test-blender",
    "test-wheel",
    "test-isa",
    "test-windows",
    "test-judge",
    "test-asan",
    "test-asan-python",
    "lint",
    "typecheck",
    "docs",
)
RARE = (
    "test-blender",
    "test-wheel",
    "test-isa",
    "test-tsan",
    "test-asan",
    "test-arm",
    "test-i686",
    "test-armhf",
    "test-s390x",
    "test-musl",
    "test-newer-pythons",
    "test-reproducible",
    "try-wheel",
    "try-addon",
    "build-macos",
    "check-msvc",
    "test-avx512",
    "test-windows",
    "test-gui",
    "fuzz",
    "sweep",
    "kept-results",
)
CACHE = ("BASEDIR", "DIR", "NOHASHDIR", "SLOPPINESS")  # of compilers
# Stands for the real one: every target notes itself and its environment and leaves the reports and files it should.
MAKEFILE = """\
JUNIT := artefacts/junit
report = mkdir -p $(JUNIT); echo '<testsuite><testcase name="$(1)"/></testsuite>' >$(JUNIT)/$(1).xml
.PHONY: demo test wheel addon build {targets}
demo:
\tmkdir -p demo; echo {image} >demo/before_after.png; echo page >demo/report.html
\tenv >$(SKELKIN_DATA)/env-of-demo
test:
\t@echo "BLENDER=$(BLENDER)" >>$(SKELKIN_DATA)/env-of-test; env >>$(SKELKIN_DATA)/env-of-test
\t$(call report,python); $(call report,browser); $(call report,cluster); $(call report,{last})
\t$(call report,notebook); mkdir artefacts/notebook; echo picture >artefacts/notebook/desktop.png
\t{says}
{targets}:
\t@echo $@ $$SKELKIN_STRICT >>$(SKELKIN_DATA)/targets; $(call report,$@); {fails}
build wheel addon .venvs/lint/.made:
\techo $@ >>$(SKELKIN_DATA)/targets
"""


def run(folder: Path, script: str = ".ci/run", **changed: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run the check on a repository whose parts are stand-ins; return what came of it, and where they took notes."""
    tree, notes, programs = (folder / name for name in ("tree", "notes", "programs"))
    for each in (tree / ".ci", tree / "tools", notes, programs, folder / "home" / ".config" / "pip"):
        each.mkdir(parents=True)
    for name in (
        script,
        ".ci/install_packages.sh",
        ".ci/packages.txt",
        "tools/steps.sh",
        "tools/bare_run.sh",
        "tools/junit_total.py",
    ):
        shutil.copy(ROOT / name, tree / name)
    told = {"image": "picture", "last": "oracles", "says": "true", "fails": "true", **changed}
    (tree / "Makefile").write_text(MAKEFILE.format(targets=" ".join({*TARGETS, *RARE}), **told))
    (folder / "home" / ".config" / "pip" / "pip.conf").touch()
    for name in ("apt-get", "uv"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o700)
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder / "home"), "SKELKIN_DATA": str(notes),
        "PIP_CERT": "/certificates with spaces", "https_proxy": "http://proxy:1", "PYTHONUNBUFFERED": "1", "LANG": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip
    author = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=tree, env=environment, check=True)
    done = subprocess.run([tree / script], env=environment, capture_output=True, text=True, check=False, timeout=300)
    return done, notes


@pytest.fixture(autouse=True)
def has_git(require) -> None:
    require(shutil.which("git"), "git")


def test_every_part_runs_once_and_the_bare_ones_know_nothing_of_the_caller(tmp_path: Path) -> None:
    done, notes = run(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = (notes / "targets").read_text().splitlines()
    assert sorted(ran) == sorted(["build", "wheel", "addon", ".venvs/lint/.made", *(f"{each} 1" for each in TARGETS)])
    assert re.search(r"^\d+ make docs\n(.*\n)*\d+ in sum$", done.stdout, flags=re.M)
    assert f"total: {5 + len(TARGETS)} passed, 0 failed, 0 skipped" in done.stdout
    for part in ("demo", "test"):
        told = dict(line.split("=", 1) for line in (notes / f"env-of-{part}").read_text().splitlines())
        assert told["PATH"] == "/usr/sbin:/usr/bin:/sbin:/bin"
        assert told["HOME"] != str(tmp_path / "home")
        assert told["PIP_CONFIG_FILE"] == str(tmp_path / "home" / ".config" / "pip" / "pip.conf")
        own = {
            "PATH",
            "HOME",
            "BLENDER",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_",
            "MAKEFLAGS",
            "MAKELEVEL",
            "MFLAGS",
            "MAKEOVERRIDES",
        }
        own |= {"MAKE_TERMOUT", "MAKE_TERMERR"}
        assert told.keys() - own == {
            "CI",
            "SKELKIN_DATA",
            *(("CC", *(f"CCACHE_{name}" for name in CACHE)) if shutil.which("ccache") else ()),
            "PIP_CERT",
            "PIP_CONFIG_FILE",
            "PIP_DISABLE_PIP_VERSION_CHECK",
            "PIP_NO_COMPILE",
            "https_proxy",
        }
        assert told["PIP_CERT"] == "/certificates with spaces"
    assert told["BLENDER"] == "0"


def test_what_is_rare_runs_once_with_all_that_there_is(tmp_path: Path) -> None:
    done, notes = run(tmp_path, "tools/release_check.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    ran = (notes / "targets").read_text().splitlines()
    assert sorted(ran) == sorted(["build", "wheel", "addon", *(f"{each} 1" for each in RARE)])
    assert ran.index("test-blender 1") < ran.index("test-gui 1")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"says": "echo 'not run: UsdSkel and libigl (need CPython)'"}, "failed: make test BLENDER=0, bare"),
        ({"last": "other"}, "failed: make test BLENDER=0, bare"),
        ({"says": "exit 3"}, "failed: make test BLENDER=0, bare"),
        ({"image": "-n"}, "failed: make demo, bare"),
        ({"fails": 'test "$@" != lint'}, "failed: make lint"),
        (
            {"fails": "test $@ != lint || echo '<a><testcase><skipped/></testcase></a>' >$(JUNIT)/lint.xml"},
            "failed: totals",
        ),
    ],
    ids=["a part not run", "a report too few", "a failure", "an empty picture", "a failure beside", "a skipped test"],
)
def test_whatever_is_missing_is_a_failure(tmp_path: Path, changed: dict[str, str], words: str) -> None:
    done, notes = run(tmp_path, **changed)
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if line.startswith("failed: ")] == [words]
    assert len((notes / "targets").read_text().splitlines()) == 4 + len(TARGETS)


def test_what_is_left_out_without_blender_is_the_blender_tests_alone() -> None:
    """Which the check runs by themselves: with the bare run they are all of `make test`."""
    recipe = re.search(r"^test:.*\n((?:\t.*\n|ifneq.*\n|endif\n)+)", (ROOT / "Makefile").read_text(), flags=re.M)
    assert recipe
    bare, _, with_blender = recipe[1].partition("ifneq ($(BLENDER),0)\n")
    assert re.findall(r"\$\(MAKE\) .* (\S+)\n", with_blender) == ["test-blender"]
    parts = re.findall(r"\$\(MAKE\) .* (\S+)\n", bare)
    assert set(parts) == {"test-python", "test-c", "test-browser", "test-notebook", "test-cluster", "test-oracles"}
