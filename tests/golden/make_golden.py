# SPDX-License-Identifier: MIT
"""Write the goldens: small inputs, and what skelkin_py.reference makes of them in float64.

``python tests/golden/make_golden.py [FOLDER]`` writes them beside this file, or into FOLDER. Inputs are stored with the
results, so that a test needs no random numbers. Make them anew only when a definition changes, and say so in the
changelog.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import skelkin_py as sk
from skelkin_py import reference

Arrays = dict[str, Any]


def kinematics() -> Arrays:
    """Two trees with scale, five poses."""
    rng = np.random.default_rng(1)
    parents = np.array([-1, 0, 1, 1, 3, 0, 5, -1, 7, 8, 8, 10])
    joints = len(parents)
    rest = sk.compose(rng.normal(size=(joints, 3)), rng.normal(size=(joints, 4)))
    skeleton = sk.Skeleton(parents, rest)
    q, t = rng.normal(size=(5, joints, 4)), rng.normal(size=(5, joints, 3))
    s = rng.uniform(0.7, 1.4, (5, joints, 3))
    local = sk.compose(t, q, s)
    global_ = reference.forward_kinematics(skeleton, local)
    return {
        "parents": parents,
        "rest_local": rest,
        "rotations": q,
        "translations": t,
        "scales": s,
        "local": local,
        "global": global_,
        "global_trs": reference.forward_kinematics_trs(skeleton, q, t, s),
        "global_rest_offsets": reference.forward_kinematics_trs(skeleton, q),
        "skinning": reference.skinning_matrices(skeleton, global_),
    }


def skinning() -> Arrays:
    """Forty vertices with up to five influences, some negative, zero or repeated; three poses."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(40, 3))
    indices = rng.integers(0, 7, (40, 5))
    weights = rng.normal(size=(40, 5)) * (rng.uniform(size=(40, 5)) < 0.6)
    weights[3] = 0
    matrices = sk.compose(rng.normal(size=(3, 7, 3)), rng.normal(size=(3, 7, 4)), rng.uniform(0.5, 2, (3, 7, 3)))
    skin = sk.SkinWeights(indices, weights, 7)
    return {
        "points": points,
        "indices": indices,
        "weights": weights,
        "matrices": matrices,
        "skinned": reference.skin_points(points, skin, matrices),
    }


def two_bone() -> Arrays:
    """Sixty limbs with targets within, beyond and too close; both rolls, with and without a pole."""
    rng = np.random.default_rng(3)
    a, upper, lower, aim, pole = (rng.normal(size=(60, 3)) for _ in range(5))
    b, c = a + upper, a + upper + lower
    length = np.linalg.norm(upper, axis=1) + np.linalg.norm(lower, axis=1)
    distance = length * np.linspace(0.02, 1.5, 60)
    target = a + aim / np.linalg.norm(aim, axis=1, keepdims=True) * distance[:, None]
    found: Arrays = {"a": a, "b": b, "c": c, "target": target, "pole": a + pole * 3}
    for roll in ("hinge", "minimal"):
        for label, options in (("plain", {}), ("pole", {"pole": found["pole"]})):
            result = reference.solve_two_bone(a, b, c, target, roll=roll, **options)
            for name in ("b", "c", "upper", "lower", "status", "error"):
                found[f"{roll}_{label}_{name}"] = getattr(result, name)
    return found


MAKERS = {"kinematics": kinematics, "skinning": skinning, "two_bone": two_bone}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    for name, maker in MAKERS.items():
        np.savez_compressed(folder / f"{name}.npz", **maker())


if __name__ == "__main__":
    main()
