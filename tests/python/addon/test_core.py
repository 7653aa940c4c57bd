# SPDX-License-Identifier: MIT
"""The parts of the add-on that need no Blender: channels, keys, words, entry file."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys

import numpy as np
import pytest
from addon_modules import ADDON, load

import skelkin_py as sk
from skelkin_py.transforms import continuous_euler, nearest_rotation

channels = load("core.channels")
keys = load("core.keys")
links = load("links")


def test_the_rotation_under_a_negative_scale_channel_is_the_one_that_made_the_basis():
    rng = np.random.default_rng(7)
    turn = sk.quaternion_to_matrix(rng.normal(size=(8, 4)))
    scale = np.tile([-1.0, 2.0, 0.5], (8, 1))
    basis = np.tile(np.eye(4), (8, 1, 1))
    basis[:, :3, :3] = turn * scale[:, None, :]
    np.testing.assert_allclose(channels.rotation_of_basis(basis, scale, nearest_rotation), turn, atol=1e-12)


@pytest.mark.parametrize("shear", [0.0, 1e-6, 1e-3, 0.3])
def test_the_rotation_of_a_sheared_basis_is_the_nearest_one(shear):
    rng = np.random.default_rng(8)
    stretch = np.eye(3) + shear * rng.uniform(-1, 1, (8, 3, 3))
    stretch += np.swapaxes(stretch, 1, 2)  # symmetric: its rotation is none
    basis = np.tile(np.eye(4), (8, 1, 1))
    turn = sk.quaternion_to_matrix(rng.normal(size=(8, 4)))
    basis[:, :3, :3] = turn @ stretch / 2
    np.testing.assert_allclose(channels.rotation_of_basis(basis, np.ones((8, 3)), nearest_rotation), turn, atol=1e-10)


def wandering_rotations(count=400):
    """Slow turns through far more than one revolution, with signs thrown at random."""
    rng = np.random.default_rng(8)
    steps = np.cumsum(rng.normal(size=(count, 3)) * 0.02 + [0.06, 0.02, -0.03], axis=0)
    q = sk.quaternion_from_euler(steps, "XYZ")
    return q, q * rng.choice([-1.0, 1.0], size=(count, 1))


def test_quaternions_become_continuous_and_stay_the_same_rotations():
    q, noisy = wandering_rotations()
    smooth = channels.continuous_quaternions(noisy, -q[0])
    assert np.abs(np.diff(smooth, axis=0)).max() < 0.2
    assert smooth[0] @ q[0] < 0
    np.testing.assert_allclose(np.abs(np.einsum("fi,fi->f", smooth, q)), 1, atol=1e-12)


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_euler_angles_become_continuous_and_stay_the_same_rotations(order):
    q, _ = wandering_rotations()
    angles = sk.quaternion_to_euler(q, order)
    smooth = continuous_euler(angles, order, angles[0] + 2 * np.pi)
    again = sk.quaternion_from_euler(smooth, order)
    np.testing.assert_allclose(np.abs(np.einsum("fi,fi->f", again, q)), 1, atol=1e-12)
    jumps = np.abs(np.diff(smooth, axis=0)).max()
    assert jumps <= np.abs(np.diff(np.unwrap(angles, axis=0), axis=0)).max() + 1e-9
    np.testing.assert_allclose(smooth[0], angles[0] + 2 * np.pi, atol=1e-9)


def nearest_in_turn(angles, order, before):
    """Every choice tried in every row: the triple and its twin, by full turns near the row before."""
    middle = "XYZ".index(order[1])
    other = angles + np.pi
    other[:, middle] = np.pi - angles[:, middle]
    out, last = np.empty_like(angles), before
    for i, choices in enumerate(np.stack([angles, other], axis=1)):
        near = choices + 2 * np.pi * np.round((last - choices) / (2 * np.pi))
        last = out[i] = near[np.argmin(np.abs(near - last).sum(axis=1))]
    return out


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_each_row_of_euler_angles_is_the_nearest_to_the_row_before(order):
    q, _ = wandering_rotations()
    rng = np.random.default_rng(3)
    for angles in (sk.quaternion_to_euler(q, order), rng.uniform(-3, 3, (200, 3))):
        for before in np.zeros(3), np.array([7.0, -9.0, 30.0]):
            expected = nearest_in_turn(angles, order, before)
            np.testing.assert_allclose(continuous_euler(angles, order, before), expected, rtol=1e-13, atol=1e-12)
    assert continuous_euler(np.empty((0, 3)), order, np.zeros(3)).shape == (0, 3)
    with pytest.raises(ValueError, match=r"angles has shape \(2, 4\)"):
        continuous_euler(np.zeros((2, 4)), order, np.zeros(3))
    with pytest.raises(ValueError, match="order is 'XYX'"):
        continuous_euler(angles, "XYX", np.zeros(3))


def test_the_addon_has_no_mathematics_that_the_package_has():
    assert not {"continuous_eulers", "_nearest_rotation"} & set(vars(channels))
    assert "svd" not in inspect.getsource(channels)


def test_axis_and_angle_become_continuous_and_stay_the_same_rotations():
    angle = np.linspace(0, 14, 300)
    axis = np.tile([0.6, 0.0, 0.8], (300, 1))
    q = sk.quaternion_from_axis_angle(axis, angle)
    smooth = channels.continuous_axis_angles(q, np.array([0.0, 0.6, 0.0, 0.8]))
    np.testing.assert_allclose(smooth[:, 0], angle, atol=1e-9)
    np.testing.assert_allclose(smooth[:, 1:], axis, atol=1e-6)


def bezier_keys(seed=9, count=8):
    """A curve with long and short free handles."""
    rng = np.random.default_rng(seed)
    co = np.stack([np.sort(rng.choice(np.arange(100), count, replace=False)).astype(float), rng.normal(size=count)], 1)
    made = keys.linear_keys(co[:, 0], co[:, 1])
    left = co - np.stack([rng.uniform(0, 40, count), rng.normal(size=count)], 1)
    right = co + np.stack([rng.uniform(0, 40, count), rng.normal(size=count)], 1)
    free = np.zeros(count, dtype=int)
    kinds = np.full(count, keys.BEZIER)
    return made._replace(left=left, right=right, interpolation=kinds, left_type=free, right_type=free.copy())


def value_at(curve, x):
    """Evaluate by brute force, written apart from the add-on: constant outside, dense sampling of each segment."""
    co, x = curve.co, np.atleast_1d(np.asarray(x, dtype=float))
    out = np.where(x <= co[0, 0], co[0, 1], co[-1, 1])
    for i in range(len(co) - 1):
        p0, p3 = co[i], co[i + 1]
        inside = (x > p0[0]) & (x <= p3[0])
        length = p3[0] - p0[0]
        if curve.interpolation[i] == keys.CONSTANT:
            out[inside] = np.where(x[inside] < p3[0], p0[1], p3[1])
        elif curve.interpolation[i] == keys.LINEAR:
            out[inside] = p0[1] + (p3[1] - p0[1]) * (x[inside] - p0[0]) / length
        elif inside.any():
            v, w = curve.right[i] - p0, p3 - curve.left[i + 1]
            p1 = p0 + v * min(1.0, length / max(abs(v[0]), 1e-300))
            p2 = p3 - w * min(1.0, length / max(abs(w[0]), 1e-300))
            t = np.linspace(0, 1, 20001)[:, None]
            points = (1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * p1 + 3 * t * t * (1 - t) * p2 + t**3 * p3
            out[inside] = np.interp(x[inside], points[:, 0], points[:, 1])
    return out


@pytest.mark.parametrize("kind", ["BEZIER", "LINEAR", "CONSTANT"])
@pytest.mark.parametrize("span", [(30, 60), (31, 33), (2, 97), (-20, 40), (50, 130)])
def test_values_outside_of_the_replaced_range_stay(kind, span):
    old = bezier_keys()
    old = old._replace(interpolation=np.full(len(old.co), getattr(keys, kind)))
    frames = np.arange(span[0], span[1] + 1, dtype=float)
    new = keys.linear_keys(frames, np.full(len(frames), 7.0))
    out = keys.replaced(old, new, lambda x: value_at(old, x)[0], keep_before=True, keep_after=True)
    assert (np.diff(out.co[:, 0]) > 0).all()
    x = np.arange(-30, 140, 0.37)
    outside = x[(x < span[0] - 0.02) | (x > span[1] + 0.02)]
    np.testing.assert_allclose(value_at(out, outside), value_at(old, outside), atol=1e-5)
    np.testing.assert_allclose(value_at(out, frames), 7.0)


def test_fractional_keys_inside_the_range_are_replaced_and_those_outside_stay():
    old = keys.linear_keys(np.array([1.0, 10.5, 19.25, 40.0]), np.arange(4.0))
    new = keys.linear_keys(np.arange(10.0, 21.0), np.zeros(11))
    out = keys.replaced(old, new, lambda x: value_at(old, x)[0], keep_before=True, keep_after=True)
    assert not {10.5, 19.25} & set(out.co[:, 0])
    assert {1.0, 40.0} <= set(out.co[:, 0])


def test_without_anything_to_keep_only_the_new_keys_are_left():
    new = keys.linear_keys(np.arange(5.0), np.arange(5.0))
    out = keys.replaced(bezier_keys(), new, lambda x: 0.0, keep_before=False, keep_after=False)
    np.testing.assert_array_equal(out.co, new.co)


def test_an_eased_segment_at_a_border_is_kept_as_short_straight_pieces():
    old = keys.linear_keys(np.array([0.0, 50.0]), np.array([0.0, 1.0]))
    old = old._replace(interpolation=np.array([5, 5]))  # some easing

    def evaluate(x):
        return float(np.clip(x / 50, 0, 1) ** 3)

    new = keys.linear_keys(np.arange(20.0, 31.0), np.full(11, 9.0))
    out = keys.replaced(old, new, evaluate, keep_before=True, keep_after=True)
    outside = np.array([*range(20), *range(31, 51)])
    np.testing.assert_allclose(value_at(out, outside), [evaluate(x) for x in outside], atol=1e-6)


def test_the_version_in_bl_info_is_that_of_the_package():
    info = next(
        node.value
        for node in ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and node.targets[0].id == "bl_info"
    )
    assert ".".join(map(str, ast.literal_eval(info)["version"])) == sk.__version__


@pytest.mark.parametrize("name", ["__init__.py", "too_old.py"])
def test_the_entry_files_can_be_read_by_an_old_python(name):
    ast.parse((ADDON / name).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_core_imports_numpy_and_the_standard_library_only(monkeypatch):
    real = builtins.__import__

    def guarded(name, *args, **kwargs):
        assert name.split(".")[0] not in ("bpy", "mathutils", "skelkin_py"), name
        return real(name, *args, **kwargs)

    for name in [n for n in sys.modules if n.startswith("blender_addon.core")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", guarded)
    for path in (ADDON / "core").glob("*.py"):
        load("core" if path.stem == "__init__" else f"core.{path.stem}")


def test_every_file_of_the_add_on_states_its_licence():
    for path in ADDON.rglob("*.py"):
        assert "SPDX-License-Identifier: GPL-3.0-or-later" in path.read_text(encoding="utf-8").splitlines()[0], path


def test_the_entry_file_states_the_addresses_that_the_panel_shows():
    info = sys.modules["blender_addon"].bl_info
    assert (info["doc_url"], info["tracker_url"]) == (links.DOC_URL, links.TRACKER_URL)


def test_held_values_get_constant_keys_where_they_change():
    frames, poses = np.arange(10.0, 20.0), np.arange(10) // 2
    values = np.stack([0.5 * poses, np.cos(poses)], axis=1)
    for column, made in zip(values.T, keys.held_keys(frames, values), strict=True):
        assert made.co[:, 0].tolist() == [10, 12, 14, 16, 18, 19]
        assert (made.interpolation == keys.CONSTANT).all()
        assert np.array_equal(made.co[:, 1], column[[0, 2, 4, 6, 8, 8]])
    assert keys.held_keys(frames, np.arange(10.0)[:, None]) is None
    assert keys.held_keys(frames, np.ones((10, 2))) is None
