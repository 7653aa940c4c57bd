# SPDX-License-Identifier: MIT
"""Few keys for curves that are known on every frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.blender import KeyedBone, fit_keys

FRAMES = np.arange(200.0)


def wave(seed: int, curves: int = 3) -> np.ndarray:
    """Return smooth curves (F, C)."""
    rng = np.random.default_rng(seed)
    rates, phases = rng.uniform(0.03, 0.25, (2, 4, curves))
    return np.sin(FRAMES[:, None, None] * rates + 20 * phases).sum(axis=1)


def between(keys, frames) -> np.ndarray:
    """Return the values (F, C) of fitted keys as Blender evaluates curves."""
    names = [("location", c) for c in range(keys.values.shape[1])]
    return keys.curves(names).evaluate(frames)


@pytest.mark.parametrize("tolerance", [0.3, 0.05, 0.01])
@pytest.mark.parametrize("seed", range(5))
def test_no_value_is_off_by_more_than_the_tolerance(seed, tolerance):
    values = wave(seed)
    keys = fit_keys(FRAMES, values, tolerance=tolerance)
    off = np.abs(between(keys, FRAMES) - values).max()
    assert off <= tolerance * (1 + 1e-3)
    assert off == pytest.approx(keys.error, abs=1e-4)


def test_a_greater_tolerance_takes_fewer_keys():
    values = wave(1)
    counts = [len(fit_keys(FRAMES, values, tolerance=tolerance)) for tolerance in (0.001, 0.01, 0.1, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] < 100
    assert counts[-1] < 20


def test_one_cubic_takes_two_keys():
    values = np.stack([0.001 * FRAMES**3, FRAMES**2 - 7, 3 - FRAMES], axis=1)
    keys = fit_keys(FRAMES, values, tolerance=1e-3)
    assert keys.frames.tolist() == [0, 199]


def test_no_tolerance_gives_back_every_value():
    values = np.random.default_rng(0).normal(size=(200, 2))
    keys = fit_keys(FRAMES, values, tolerance=0.0)
    assert np.allclose(between(keys, FRAMES), values, atol=1e-6)


def test_uneven_frames_are_met_too():
    frames = np.cumsum(np.random.default_rng(2).uniform(0.2, 3.0, 150))
    values = np.sin(frames / 9)[:, None]
    keys = fit_keys(frames, values, tolerance=0.01)
    assert np.abs(between(keys, frames) - values).max() <= 0.0101
    assert len(keys) < 40


def test_slopes_jump_at_broken_keys_and_at_others_little_or_not():
    values = wave(3) + 0.5 * np.maximum(FRAMES - 100, 0)[:, None]
    keys = fit_keys(FRAMES, values, tolerance=0.02, kinds={100: "BROKEN"})
    jumps = np.abs(keys.right_slopes - keys.left_slopes)[1:-1].max(axis=1)
    assert 100 in keys.frames
    assert jumps[keys.frames[1:-1] == 100] > 0.1
    others = jumps[keys.frames[1:-1] != 100]
    assert others.max() <= 0.1
    assert np.mean(others == 0) >= 0.3


def test_kept_frames_have_keys():
    keys = fit_keys(FRAMES, wave(3), tolerance=10.0, kinds={17: "KEPT", 130: "KEPT"})
    assert keys.frames.tolist() == [0, 17, 130, 199]


def test_a_held_key_keeps_its_values_up_to_the_next():
    values = wave(4)
    values[60:91] = values[60]
    keys = fit_keys(FRAMES, values, tolerance=0.05, kinds={60: "HELD", 90: "BROKEN"})
    held = between(keys, np.linspace(60, 90, 301))
    assert np.array_equal(held, np.broadcast_to(held[0], held.shape))
    assert not np.any((keys.frames > 60) & (keys.frames < 90))
    assert np.abs(between(keys, FRAMES) - values).max() <= 0.0501


@pytest.mark.parametrize("num", [1, 2, 3])
def test_a_few_frames_are_met(num):
    values = np.arange(num, dtype=float)[:, None] ** 2
    keys = fit_keys(np.arange(num), values, tolerance=0.0)
    assert np.allclose(keys.values[:, 0], values[:, 0])
    assert len(keys) == num


def test_noise_beyond_the_tolerance_is_met_too():
    values = np.random.default_rng(5).normal(size=(200, 1))
    keys = fit_keys(FRAMES, values, tolerance=1e-4)
    assert np.abs(between(keys, FRAMES) - values).max() <= 1e-3
    assert len(keys) > 60


MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def rotation_values(mode: str, rng) -> np.ndarray:
    """Return a smooth rotation's channels."""
    angles = 0.8 * np.sin(FRAMES[:, None] * rng.uniform(0.03, 0.15, 3) + rng.uniform(0, 6, 3))
    if mode in MODES[2:]:
        return angles
    if mode == "AXIS_ANGLE":
        return np.concatenate([angles[:, :1], np.array([0.6, 0.0, 0.8]) + 0.1 * angles], axis=1)
    quaternions = sk.quaternion_from_euler(angles, "XYZ")
    signs = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    quaternions[1:] *= np.cumprod(signs)[:, None]
    return 1.7 * quaternions  # Blender takes them at any length


def basis_of(mode: str, values: np.ndarray, location: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the basis matrices (F, 4, 4) of channels, as Blender's own pose has them."""
    armature = sk.blender.Armature([-1], np.eye(4)[None], names=["Bone"])
    rotation = np.zeros((len(values), 1, 4))
    rotation[:, 0, : values.shape[1]] = values
    return armature.pose(
        location=location[:, None], rotation=rotation, rotation_mode=(mode,), scale=scale[:, None], exact=True
    )[:, 0].astype(float)


@pytest.mark.parametrize("mode", MODES)
def test_points_of_a_chain_keep_to_the_tolerance_in_every_rotation_mode(mode):
    rng = np.random.default_rng(MODES.index(mode))
    turns = [rotation_values(mode, rng) for _ in range(2)]
    places = [wave(7) * 0.2, np.zeros((200, 3))]
    scale = 1 + 0.2 * np.abs(wave(8))
    joint = np.array([[1, 0, 0, 0.1], [0, 0, -1, 2], [0, 1, 0, 0.3], [0, 0, 0, 1.0]])
    tip = np.array([0.2, 1.5, 0.0, 1.0])

    def chain_of(values: np.ndarray) -> list[np.ndarray]:
        size = turns[0].shape[1]
        first = basis_of(mode, values[:, :size], values[:, 2 * size :], scale)
        return [first, first @ joint @ basis_of(mode, values[:, size : 2 * size], places[1], np.ones((200, 3)))]

    values = np.concatenate([*turns, places[0]], axis=1)
    size, matrices = turns[0].shape[1], chain_of(values)
    bones = [
        KeyedBone(matrices[0], matrices[0], scale, mode, 0, 2 * size, matrices[1][:, None, :3, 3]),
        KeyedBone(
            matrices[1], basis_of(mode, turns[1], places[1], np.ones((200, 3))), np.ones((200, 3)), mode, size, None,
            (matrices[1] @ tip)[:, None, :3],
        ),
    ]  # fmt: skip
    keys = fit_keys(FRAMES, values, tolerance=0.02, chain=bones)
    found = chain_of(between(keys, FRAMES).astype(float))
    off = [
        np.linalg.norm(found[1][:, :3, 3] - matrices[1][:, :3, 3], axis=1).max(),
        np.linalg.norm((found[1] - matrices[1]) @ tip, axis=1).max(),
    ]
    assert max(off) <= 0.0201
    assert max(off) == pytest.approx(keys.error, abs=1e-4)
    assert len(keys) < 80


@pytest.mark.parametrize("clip", ["cmu_12_01_walk.bvh", "rokoko_jesse_dance.bvh", "fair1_jumping.bvh"])
def test_a_captured_leg_keeps_to_the_tolerance_with_a_key_in_eight_frames(data_dir, clip):
    planted = sk.load(data_dir / "bvh" / clip).plant_feet().clip
    local, names = planted.local_matrices(), planted.names
    pose = sk.forward_kinematics(planted.skeleton, local)
    rest = np.asarray(planted.skeleton.rest_global)[:, :3, 3]
    leg = sk.find_legs(names, planted.skeleton.parents, rest)[0]
    joints, ends = [leg.hip, leg.knee, leg.ankle], [leg.knee, leg.ankle, leg.toe]
    length = sum(np.linalg.norm(rest[a] - rest[b]) for a, b in pairwise(joints))
    bones, columns = [], []
    for i, (joint, end) in enumerate(zip(joints, ends, strict=True)):
        basis = np.tile(np.eye(4), (len(local), 1, 1))
        basis[:, :3, :3] = local[:, joint, :3, :3]
        quaternions = sk.quaternion_from_matrix(np.ascontiguousarray(basis[:, :3, :3]))
        signs = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        quaternions[1:] *= np.cumprod(signs)[:, None]
        columns.append(quaternions)
        ones = np.ones((len(local), 3))
        bones.append(KeyedBone(pose[:, joint], basis, ones, "QUATERNION", 4 * i, None, pose[:, end, None, :3, 3]))
    frames = np.arange(len(local))
    keys = fit_keys(frames, np.concatenate(columns, axis=1), tolerance=0.005 * length, chain=bones)
    values = between(keys, frames).astype(float)
    sparse = local.copy()
    for i, joint in enumerate(joints):
        turns = values[:, 4 * i : 4 * i + 4]
        sparse[:, joint, :3, :3] = sk.quaternion_to_matrix(turns / np.linalg.norm(turns, axis=1, keepdims=True))
    found = sk.forward_kinematics(planted.skeleton, sparse)
    off = np.linalg.norm((found - pose)[:, ends, :3, 3], axis=2).max()
    assert off <= 0.00501 * length
    assert len(keys) <= len(local) / 8


def test_bad_input_is_named():
    good = wave(0)
    with pytest.raises(ValueError, match=r"values has shape \(200, 3\): expected \(199, C\)"):
        fit_keys(FRAMES[:-1], good, tolerance=1.0)
    with pytest.raises(ValueError, match=r"tolerance is -1: it must be 0 or more"):
        fit_keys(FRAMES, good, tolerance=-1.0)
    with pytest.raises(ValueError, match=r"frames\[5\] is 4: frames must be finite, and rise"):
        fit_keys(np.where(FRAMES == 5, 4.0, FRAMES), good, tolerance=1.0)
    with pytest.raises(ValueError, match=r"values\[7\] is nan: it must be finite"):
        fit_keys(FRAMES, np.where(FRAMES[:, None] == 7, np.nan, good), tolerance=1.0)
    with pytest.raises(ValueError, match=r"kinds\[200\] is 'KEPT': expected a row from 0 to 199"):
        fit_keys(FRAMES, good, tolerance=1.0, kinds={200: "KEPT"})
    eye = np.tile(np.eye(4), (200, 1, 1))
    bone = KeyedBone(eye, eye, np.ones((200, 3)), "QUATERNION", 0, None, np.zeros((200, 1, 3)))
    with pytest.raises(ValueError, match=r"chain\[0\].rotation is 0: 4 of 3 columns must begin there"):
        fit_keys(FRAMES, good, tolerance=1.0, chain=[bone])


def test_frames_whose_own_values_miss_their_points_are_said_in_the_error():
    eye = np.tile(np.eye(4), (200, 1, 1))
    bone = KeyedBone(eye, eye, np.ones((200, 3)), "QUATERNION", None, 0, np.zeros((200, 1, 3)))
    values = np.zeros((200, 3))
    values[100:] = [0.5, 0.0, 0.0]
    keys = fit_keys(FRAMES, values, tolerance=0.01, kinds={100: "BROKEN"}, chain=[bone])
    assert keys.error == pytest.approx(0.5)
