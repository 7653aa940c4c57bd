# SPDX-License-Identifier: MIT
"""The benchmarks' meshes: one as exporters write them, one on random joints."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from scripts import load_benchmark

import skelkin_py as sk

VERTICES, JOINTS = 5_000, 40


@pytest.fixture(scope="module")
def scene() -> ModuleType:
    return load_benchmark("scene")


def steps(parents: np.ndarray) -> np.ndarray:
    """Return how many bones lie between any two joints (J, J)."""
    count = len(parents)
    far = np.where(np.eye(count, dtype=bool), 0, count)
    for _ in range(count):
        for joint in range(1, count):
            above = parents[joint]
            far[joint] = np.minimum(far[joint], far[above] + 1)
            far[above] = np.minimum(far[above], far[joint] + 1)
    return far


def test_joints_of_a_vertex_are_neighbours_in_the_hierarchy(scene: ModuleType) -> None:
    far = steps(scene.parents_of(JOINTS))
    apart = far[scene.mesh(VERTICES, JOINTS).indices[:, :1], scene.mesh(VERTICES, JOINTS).indices]
    assert apart[:, 1:].min() == 1
    assert apart.max() <= 3
    mixed = scene.mesh(VERTICES, JOINTS, coherent=False).indices
    assert far[mixed[:, :1], mixed].max() > 6


def test_a_vertex_hangs_on_no_joint_twice(scene: ModuleType) -> None:
    indices = np.sort(scene.mesh(VERTICES, JOINTS).indices, axis=1)
    assert (np.diff(indices, axis=1) > 0).all()


def test_vertices_go_along_the_body(scene: ModuleType) -> None:
    def changes(indices: np.ndarray) -> int:
        return int((np.diff(indices[:, 0]) != 0).sum())

    own, mixed = scene.mesh(VERTICES, JOINTS).indices, scene.mesh(VERTICES, JOINTS, coherent=False).indices
    assert changes(own) < VERTICES / 2 < changes(mixed)
    usual = [np.bincount(part[:, 0]).argmax() for part in np.array_split(own, JOINTS)]
    assert usual == list(range(JOINTS))


def test_the_nearest_joints_come_first(scene: ModuleType) -> None:
    parents = np.array([-1, 0, 1, 2, 1])
    assert scene.neighbours(parents, 3).tolist() == [[0, 1, 2], [1, 0, 2], [2, 1, 3], [3, 2, 1], [4, 1, 0]]


@pytest.mark.slow
def test_the_command_is_measured_from_within_a_clone_that_was_never_built(tmp_path, monkeypatch) -> None:
    two_cores = load_benchmark("cases.two_cores")
    still = sk.example("biped").clip.slice(0, 2)
    monkeypatch.setattr(two_cores, "walking_clip", lambda frames: still)
    (tmp_path / "skelkin_py").mkdir()
    (tmp_path / "skelkin_py" / "__init__.py").write_text("raise ImportError('not compiled here')\n")
    monkeypatch.chdir(tmp_path)
    case = two_cores._two_processes()
    assert list(case.candidates) == ["skelkin plant --jobs 1", "skelkin plant --jobs 2"]
