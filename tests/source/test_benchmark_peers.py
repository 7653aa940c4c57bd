# SPDX-License-Identifier: MIT
"""Peers that are given as paths: run where the path leads to a built checkout, else named with the reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scripts import ROOT, load_benchmark

FAKE_MODULE = """
def correct_motion(roots, turns, root_goals, turn_goals, *rest):
    assert len(rest) == 17
    masks, (contacts, parents, offsets, unturned, *ends, threshold, margin, double) = rest[:6], rest[6:]
    assert all(mask.shape == (len(roots) // 3,) for mask in masks)
    assert len(offsets) == len(unturned) == len(parents) == len(turns) * 3 // len(roots) // 4
    assert ends == [1, 2, 3, 4] and contacts.shape == (4 * len(masks[0]),)
    assert roots is not root_goals and turns is not turn_goals
    roots += 0.5
    turns *= -1
"""


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """benchmarks/peers with nothing imported yet and none given by its path."""
    for variable in ("OZZ", "MOTION_CORRECTION"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    found = load_benchmark("peers")
    monkeypatch.setattr(found, "MISSING", {})
    forget()
    yield found
    forget()


def forget() -> None:
    for name in ("peers.ozz", "peers.motion_correction_planting", "motion_correction"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("module", "library", "reason"),
    [
        ("ozz", "ozz-animation", "OZZ is not set to the path of a built checkout"),
        (
            "motion_correction_planting",
            "motion_correction",
            "MOTION_CORRECTION is not set to the path to import the built module from",
        ),
    ],
)
def test_without_a_path_it_is_named_as_not_run(peers: ModuleType, module: str, library: str, reason: str) -> None:
    assert peers.find(module) is None
    assert {library: reason} == peers.MISSING


def test_a_path_to_nothing_built_is_named_with_what_is_missing(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OZZ", str(tmp_path))
    monkeypatch.setenv("MOTION_CORRECTION", str(tmp_path))
    assert peers.find("ozz") is None
    assert peers.find("motion_correction_planting") is None
    assert "has no libozz_animation_offline.a" in peers.MISSING["ozz-animation"]
    assert f"MOTION_CORRECTION={tmp_path}: No module named" in peers.MISSING["motion_correction"]
    assert str(tmp_path) not in sys.path


def test_the_jobs_are_compiled_against_the_checkout_and_the_compilers_word_is_told(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkout, tools = tmp_path / "ozz", tmp_path / "bin"
    checkout.mkdir()
    tools.mkdir()
    for name in ("animation_offline", "animation", "geometry", "base"):
        (checkout / f"libozz_{name}_r.a").touch()
    compiler = tools / "c++"
    compiler.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/given\necho "x.cpp:1: error: no such job" >&2\nexit 1\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    monkeypatch.setenv("OZZ", str(checkout))
    assert peers.find("ozz") is None
    assert {"ozz-animation": f"OZZ={checkout}: x.cpp:1: error: no such job"} == peers.MISSING
    given = (tmp_path / "given").read_text().split()
    assert given[given.index("-I") + 1] == str(checkout / "include")
    assert given[-5].endswith("ozz_jobs.cpp")
    libraries = [Path(name).name for name in given[-4:]]
    assert libraries == [f"libozz_{name}_r.a" for name in ("animation_offline", "animation", "geometry", "base")]


def test_a_module_from_a_path_is_called_with_copies_of_the_clip(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "motion_correction").mkdir()
    (tmp_path / "motion_correction" / "__init__.py").write_text(FAKE_MODULE)
    monkeypatch.setenv("MOTION_CORRECTION", str(tmp_path))
    module = peers.find("motion_correction_planting")
    assert module is not None
    assert peers.MISSING == {}
    rotations, translations = np.ones((7, 5, 4)), np.full((7, 5, 3), 100.0)
    call, result = module.plant(
        np.array([-1, 0, 0, 0, 0]), [1, 2, 3, 4], rotations, translations, np.zeros((5, 3)), np.ones((7, 4), bool), 0.01
    )
    for _ in range(2):
        call()
        turns, roots = result()
        np.testing.assert_array_equal(turns, -1.0)
        np.testing.assert_allclose(roots, 150.0)
