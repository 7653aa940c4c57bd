# SPDX-License-Identifier: MIT
"""Every instruction set that this CPU has gives the reference's results; SKELKIN_ISA only lowers the choice."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import reference
from npz_arrays import read_npz
from random_rigs import assert_close, calm_transforms, random_skeleton, random_transforms, random_weights

import skelkin_py as sk

NAMES = ("scalar", "sse2", "avx2", "avx512", "neon")
MACHINES = {
    "x86_64": ("avx512", "avx2", "sse2", "scalar"),
    "amd64": ("avx512", "avx2", "sse2", "scalar"),
    "aarch64": ("neon", "scalar"),
    "arm64": ("neon", "scalar"),
}

TESTS = (str(Path(__file__).resolve().parents[2]),)  # where the reference is
DUMP = """
import sys
import numpy as np
import skelkin_py as sk
sys.path.append(sys.argv.pop())
import reference
given = np.load(sys.argv[1])
skeleton = sk.Skeleton(given["parents"], given["rest"])
skin = sk.SkinWeights(given["indices"], given["weights"], len(given["parents"]))
found = {"isa": sk.isa()}
for dtype in (np.float32, np.float64):
    local, q, t, points = (given[name].astype(dtype) for name in ("local", "q", "t", "points"))
    global_ = sk.forward_kinematics(skeleton, local)
    matrices = sk.skinning_matrices(skeleton, global_)
    results = global_, sk.forward_kinematics_trs(skeleton, q, t), matrices, sk.skin_points(points, skin, matrices)
    for name, array in zip(("fk", "trs", "matrices", "points"), results):
        found[name + np.dtype(dtype).name] = array
    motion = sk.rest_relative(skeleton, q)
    calm = given["calm"].astype(dtype)
    linear, dual = (sk.skin_mesh(points, skin, calm, normals=points, method=m) for m in ("linear", "dual_quaternion"))
    results = *motion, linear.points, linear.normals, dual.points, dual.normals
    for name, array in zip(("Q", "T", "linear", "linear_normals", "dual", "dual_normals"), results):
        found[name + np.dtype(dtype).name] = array
np.savez(sys.argv[2], **found)
"""


def run_python(code: str, *arguments: str, isa: str | None, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "SKELKIN_ISA"}
    if isa is not None:
        environment["SKELKIN_ISA"] = isa
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=check, timeout=300)


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    rng = np.random.default_rng(1)
    skeleton = random_skeleton(1, 30, 3)
    indices, weights = random_weights(2, 101, 4, 30)
    arrays = {
        "parents": np.asarray(skeleton.parents),
        "rest": skeleton.rest_local,
        "indices": indices,
        "weights": weights,
        "local": random_transforms(3, 37, 30, scaled=False),
        "q": rng.normal(size=(37, 30, 4)),
        "t": rng.normal(size=(37, 30, 3)) * 0.3,
        "points": rng.normal(size=(101, 3)),
        "calm": calm_transforms(4, 37, 30),
    }
    path = tmp_path_factory.mktemp("isa") / "given.npz"
    np.savez(path, **arrays)
    return path, arrays, skeleton


@pytest.mark.slow
@pytest.mark.parametrize("isa", NAMES)
def test_every_instruction_set_gives_the_reference(isa, problem, tmp_path):
    path, arrays, skeleton = problem
    run = run_python(DUMP, str(path), str(tmp_path / "found.npz"), *TESTS, isa=isa)
    found = read_npz(tmp_path / "found.npz")
    assert found["isa"] == isa or isa != "scalar"
    if found["isa"] != isa:  # not built, or above this CPU: said so, and the best one does the work
        assert "RuntimeWarning" in run.stderr
        assert isa in run.stderr
    else:
        assert run.stderr == ""
    skin = sk.SkinWeights(arrays["indices"], arrays["weights"], 30)
    for dtype in (np.float32, np.float64):
        local, q, t, points = (arrays[name].astype(dtype) for name in ("local", "q", "t", "points"))
        global_ = reference.forward_kinematics(skeleton, local)
        matrices = reference.skinning_matrices(skeleton, global_)
        trs = reference.forward_kinematics_trs(skeleton, q, t)
        skinned = reference.skin_points(points, skin, matrices)
        calm = arrays["calm"].astype(dtype)
        rotations, translations = reference.rest_relative(skeleton, q)
        linear, linear_normals, _ = reference.skin_mesh(points, skin, calm, normals=points)
        dual, dual_normals, _ = reference.skin_mesh(points, skin, calm, normals=points, method="dual_quaternion")
        expected_by_name = {
            "fk": global_,
            "trs": trs,
            "matrices": matrices,
            "points": skinned,
            "Q": rotations,
            "T": translations,
            "linear": linear,
            "linear_normals": linear_normals,
            "dual": dual,
            "dual_normals": dual_normals,
        }
        for name, expected in expected_by_name.items():
            assert_close(found[name + np.dtype(dtype).name], expected)


@pytest.mark.slow
def test_empty_means_not_set_and_an_unknown_name_warns():
    code = "import skelkin_py as sk; print(sk.isa())"
    best = run_python(code, isa="")
    assert best.stderr == ""
    for isa in ("avx1024", "é"):
        run = run_python(code, isa=isa)
        assert run.stdout == best.stdout
        assert "RuntimeWarning: SKELKIN_ISA" in run.stderr


@pytest.mark.slow
def test_a_warning_made_an_error_is_an_import_error_and_no_crash():
    code = "import warnings; warnings.simplefilter('error'); import skelkin_py"
    run = run_python(code, isa="avx1024", check=False)
    assert run.returncode == 1
    assert "SKELKIN_ISA" in run.stderr


def test_isa_is_one_of_the_names():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sk.isa() in NAMES


def test_all_kernels_of_the_machine_are_compiled_in():
    """An editable install leaves out those that its CPU lacks."""
    cpu = Path("/proc/cpuinfo").read_text().split() if sys.platform == "linux" else []
    lacks = {isa for isa, word in (("avx2", "avx2"), ("avx512", "avx512vl")) if "sse2" in cpu and word not in cpu}
    machine = MACHINES.get(platform.machine().lower(), ("scalar",))
    assert sk.build_info().isas in (machine, tuple(isa for isa in machine if isa not in lacks))
    assert sk.isa() in sk.build_info().isas


@pytest.mark.slow
def test_instruction_sets_that_round_alike_give_the_same_bits(problem, tmp_path):
    found = {}
    for isa in sk.build_info().isas:
        run = run_python(DUMP, str(problem[0]), str(tmp_path / f"{isa}.npz"), *TESTS, isa=isa)
        if not run.stderr:  # else it is above this CPU
            found[isa] = read_npz(tmp_path / f"{isa}.npz")
    for alike in (("scalar", "sse2"), ("avx2", "avx512")):
        here = [found[isa] for isa in alike if isa in found]
        for other in here[1:]:
            for name in set(other) - {"isa"}:
                np.testing.assert_array_equal(other[name], here[0][name], err_msg=f"{name}: {alike}")
