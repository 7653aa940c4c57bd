# SPDX-License-Identifier: MIT
"""Slips of the literature, one test per entry of docs/errata.md: that they are slips, and what is done here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

PAGE = Path(__file__).resolve().parents[3] / "docs" / "errata.md"
X, Y, Z = np.eye(3)


def test_every_entry_of_the_page_has_a_test():
    entries = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), flags=re.M)
    names = ["test_" + re.sub(r"[^a-z0-9]+", "_", entry.lower()).strip("_") for entry in entries]
    assert names
    assert [name for name in names if name not in globals()] == []


@pytest.mark.parametrize("angle", [0.3, np.pi / 2, -2.0])
def test_the_rotation_matrix_with_the_same_sign_in_both_yz_entries(angle):
    w, x = np.cos(angle / 2), np.sin(angle / 2)
    matrix = sk.quaternion_to_matrix([w, x, 0, 0])[:3, :3]
    assert matrix[1, 2] == pytest.approx(-np.sin(angle))
    assert matrix[2, 1] == pytest.approx(np.sin(angle))
    np.testing.assert_allclose(matrix @ Y, [0, np.cos(angle), np.sin(angle)], atol=1e-15)
    printed = matrix.copy()
    printed[1, 2] = matrix[2, 1]
    assert np.linalg.det(printed) == pytest.approx(np.cos(2 * angle))


def test_the_scale_matrix_with_ones_in_its_last_column():
    matrix = sk.compose([0, 0, 0], [1, 0, 0, 0], [2, 3, 4])
    np.testing.assert_array_equal(matrix, np.diag([2.0, 3, 4, 1]))
    printed = matrix.copy()
    printed[:3, 3] = 1
    assert np.linalg.norm((printed @ [0, 0, 0, 1])[:3]) > 1


def test_the_no_rotation_that_is_half_a_turn():
    np.testing.assert_array_equal(sk.quaternion_rotate([1, 0, 0, 0], [X, Y, Z]), [X, Y, Z])
    np.testing.assert_allclose(sk.quaternion_rotate([0, 0, 0, 1], [X, Y, Z]), [-X, -Y, Z], atol=1e-15)
    w_last = np.array([0.0, 0, 0, 1])
    np.testing.assert_array_equal(sk.quaternion_to_matrix(w_last[[3, 0, 1, 2]])[:3, :3], np.eye(3))


@pytest.mark.parametrize("angle", [1e-12, 1e-9, 1e-6, 5e-4, 1e-3, np.pi - 1e-3, np.pi - 1e-6, np.pi - 1e-9])
def test_small_and_opposite_arcs_that_are_dropped(angle):
    target = np.array([np.cos(angle), np.sin(angle), 0])
    q = sk.quaternion_between(X, target)
    np.testing.assert_allclose(sk.quaternion_rotate(q, X), target, rtol=0, atol=4e-16)
    if angle < 1:
        assert 2 * q[3] == pytest.approx(angle, rel=1e-6, abs=0)
    opposite = sk.quaternion_between(X, -X)
    np.testing.assert_allclose(sk.quaternion_rotate(opposite, X), -X, atol=1e-15)
    np.testing.assert_array_equal(opposite, sk.quaternion_between(2 * X, -3 * X))


@pytest.mark.parametrize(("dtype", "angle"), [(np.float64, 1e-9), (np.float32, 1e-4), (np.float32, 2e-7)])
def test_the_angle_by_the_arccosine_of_a_dot_product(dtype, angle):
    q = np.array([np.cos(angle / 2), 0, np.sin(angle / 2), 0], dtype)
    axis, found = sk.quaternion_to_axis_angle(q)
    assert float(found) == pytest.approx(angle, rel=1e-6)
    np.testing.assert_allclose(axis, Y, rtol=0, atol=2e-16)
    assert 2 * np.arccos(q[0]) == pytest.approx(0, abs=angle / 10)


def legs(*, turned: bool) -> tuple[sk.Skeleton, np.ndarray]:
    """Return hips, thigh, shin and foot, and a rotation of each."""
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, :3, 3] = [0, 0.9, 0], [0.1, 0, 0], [0, -0.42, 0.01], [0, -0.42, -0.01]
    skeleton = sk.Skeleton([-1, 0, 1, 2], rest)
    axes, angles = [Y, X, X, Z], [0.8 * turned, -0.6, 0.9, 0.2]
    return skeleton, sk.quaternion_from_axis_angle(axes, angles)


def moved(motion: sk.RestRelative, joint: int, points: np.ndarray) -> np.ndarray:
    return sk.quaternion_rotate(motion.rotations[joint], points) + motion.translations[joint]


def test_relative_rotations_in_posed_or_in_rest_axes():
    skeleton, q = legs(turned=True)
    x = skeleton.rest_global[:, :3, 3]
    pose = sk.forward_kinematics_trs(skeleton, q)[:, :3, 3]  # whose axes, with this rest pose, are the carried ones
    rest, posed = (sk.rest_relative(skeleton, q, axes=axes) for axes in ("rest", "posed"))
    np.testing.assert_allclose([moved(rest, j, x[j]) for j in range(4)], pose, atol=1e-15)
    assert np.linalg.norm(moved(posed, 3, x[3]) - pose[3]) > 0.05
    np.testing.assert_allclose(
        posed.rotations[2], sk.quaternion_multiply(q[2], sk.quaternion_multiply(q[1], q[0])), atol=1e-15
    )


def test_the_translation_recursion_for_one_generation_only():
    skeleton, q = legs(turned=True)
    x = skeleton.rest_global[:, :3, 3]
    motion = sk.rest_relative(skeleton, q, axes="rest")
    turn = sk.quaternion_rotate

    def printed(joint: int) -> np.ndarray:
        of, parent = motion.rotations[joint], motion.rotations[joint - 1]
        return -turn(of, x[joint]) + turn(parent, x[joint]) - turn(parent, x[joint - 1]) + x[joint - 1]

    for joint in (1, 2, 3):
        parent = motion.rotations[joint - 1]
        general = -turn(motion.rotations[joint], x[joint]) + turn(parent, x[joint]) + motion.translations[joint - 1]
        np.testing.assert_allclose(motion.translations[joint], general, atol=1e-15)
    np.testing.assert_allclose(printed(1), motion.translations[1], atol=1e-15)
    assert np.linalg.norm(printed(2) - motion.translations[2]) > 0.05
    assert np.linalg.norm(printed(3) - motion.translations[3]) > 0.05
