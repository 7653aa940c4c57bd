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

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
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


def test_the_script_still_makes_the_stored_numbers(tmp_path):
    subprocess.run([sys.executable, str(GOLDEN / "make_golden.py"), str(tmp_path)], check=True, timeout=60)
    for path in sorted(GOLDEN.glob("*.npz")):
        with np.load(tmp_path / path.name) as made:
            stored = load(path.stem)
            assert sorted(made) == sorted(stored)
            for name, value in stored.items():
                np.testing.assert_allclose(made[name], value, rtol=0, atol=1e-12, err_msg=f"{path.stem}: {name}")
