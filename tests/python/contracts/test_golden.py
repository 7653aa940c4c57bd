# SPDX-License-Identifier: MIT
"""The C results and the reference of today against the numbers stored by tests/golden/make_golden.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from random_rigs import assert_close

import skelkin_py as sk

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def load(name: str) -> dict[str, np.ndarray]:
    with np.load(GOLDEN / f"{name}.npz") as stored:
        return dict(stored)


@both_dtypes
def test_kinematics(dtype):
    golden = load("kinematics")
    skeleton = sk.Skeleton(golden["parents"], golden["rest_local"])
    q, t, s, local = (golden[name].astype(dtype) for name in ("rotations", "translations", "scales", "local"))
    assert_close(sk.forward_kinematics(skeleton, local), golden["global"])
    assert_close(sk.forward_kinematics_trs(skeleton, q, t, s), golden["global_trs"])
    assert_close(sk.forward_kinematics_trs(skeleton, q), golden["global_rest_offsets"])
    assert_close(sk.skinning_matrices(skeleton, golden["global"].astype(dtype)), golden["skinning"])


@both_dtypes
def test_skinning(dtype):
    golden = load("skinning")
    skin = sk.SkinWeights(golden["indices"], golden["weights"], golden["matrices"].shape[1])
    found = sk.skin_points(golden["points"].astype(dtype), skin, golden["matrices"].astype(dtype))
    assert_close(found, golden["skinned"])


@both_dtypes
@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_rest_relative(dtype, axes):
    golden = load("rest_relative")
    skeleton = sk.Skeleton(golden["parents"], golden["rest_local"])
    found = sk.rest_relative(skeleton, golden["turns"].astype(dtype), axes=axes)
    assert_close(found.rotations, golden[f"{axes}_rotations"])
    assert_close(found.translations, golden[f"{axes}_translations"])


@both_dtypes
@pytest.mark.parametrize("method", ["linear", "dual_quaternion"])
def test_mesh(dtype, method):
    golden = load("mesh")
    skin = sk.SkinWeights(golden["indices"], golden["weights"], golden["matrices"].shape[1])
    points, matrices, normals, tangents = (
        golden[name].astype(dtype) for name in ("points", "matrices", "normals", "tangents")
    )
    found = sk.skin_mesh(
        points, skin, matrices, normals=normals, tangents=tangents, corners=golden["corners"], method=method
    )
    for name in ("points", "normals", "tangents"):
        assert_close(getattr(found, name), golden[f"{method}_{name}"])


@both_dtypes
@pytest.mark.parametrize("roll", ["hinge", "minimal"])
@pytest.mark.parametrize("label", ["plain", "pole"])
def test_two_bone(dtype, roll, label):
    golden = load("two_bone")
    a, b, c, target, pole = (golden[name].astype(dtype) for name in ("a", "b", "c", "target", "pole"))
    found = sk.solve_two_bone(a, b, c, target, roll=roll, pole=pole if label == "pole" else None)
    stored = {name: golden[f"{roll}_{label}_{name}"] for name in ("b", "c", "upper", "lower", "status", "error")}
    # The bound of a position is relative to the limb; near a straight or folded knee an angle is only known to half
    # the digits, and the positions of all limbs stay within the same bound because the reach is what is exact.
    loose = 2e-3 if dtype is np.float32 else 2e-6
    np.testing.assert_allclose(found.c, stored["c"], atol=2e-5 if dtype is np.float32 else 1e-11)
    np.testing.assert_allclose(found.b, stored["b"], atol=loose)
    for name in ("upper", "lower"):
        same = np.abs((getattr(found, name) * stored[name]).sum(axis=-1))
        np.testing.assert_allclose(same, 1, atol=loose)
    np.testing.assert_array_equal(found.status, stored["status"])


@pytest.mark.slow
def test_the_script_still_makes_the_stored_numbers(tmp_path):
    subprocess.run([sys.executable, str(GOLDEN / "make_golden.py"), str(tmp_path)], check=True, timeout=300)
    paths = sorted(tmp_path.glob("*.npz"))  # others are recorded from Blender
    assert [path.stem for path in paths] == ["kinematics", "mesh", "rest_relative", "skinning", "two_bone"]
    for path in paths:
        with np.load(path) as made:
            stored = load(path.stem)
            assert sorted(made) == sorted(stored)
            for name, value in stored.items():
                # Knees of fully straight and fully folded limbs are known to half the digits only.
                bound = 1e-7 if path.stem == "two_bone" else 1e-12
                np.testing.assert_allclose(made[name], value, rtol=0, atol=bound, err_msg=f"{path.stem}: {name}")
