# SPDX-License-Identifier: MIT
"""Write the goldens: small inputs, and what tests/reference makes of them in float64.

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

sys.path.append(str(Path(__file__).resolve().parents[1]))

import reference

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


def rest_relative() -> Arrays:
    """Two trees whose rest pose has turns and scale, four poses, both ways to write a turn."""
    rng = np.random.default_rng(4)
    parents = np.array([-1, 0, 1, 1, 3, -1, 5, 5])
    joints = len(parents)
    rest = sk.compose(rng.normal(size=(joints, 3)), rng.normal(size=(joints, 4)), rng.uniform(0.8, 1.25, (joints, 3)))
    skeleton = sk.Skeleton(parents, rest)
    found: Arrays = {"parents": parents, "rest_local": rest, "turns": rng.normal(size=(4, joints, 4))}
    for axes in ("posed", "rest"):
        found[f"{axes}_rotations"], found[f"{axes}_translations"] = reference.rest_relative(
            skeleton, found["turns"], axes=axes
        )
    return found


def mesh() -> Arrays:
    """Thirty vertices on five joints that turn, swell and mirror: normals, tangents and corners by both methods."""
    rng = np.random.default_rng(5)
    joints, vertices = 5, 30
    indices, weights = rng.integers(0, joints, (vertices, 3)), rng.uniform(size=(vertices, 3))
    weights[:, 0] += 1
    weights[4] = 0
    turns = rng.normal(size=(3, joints, 4)) * 0.15 + [1, 0, 0, 0]
    scales = rng.uniform(0.8, 1.25, (3, joints, 3))
    scales[1] *= [1, 1, -1]
    corners = rng.integers(0, vertices, 50)
    found: Arrays = {
        "points": rng.normal(size=(vertices, 3)),
        "indices": indices,
        "weights": weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9),
        "matrices": sk.compose(rng.normal(size=(3, joints, 3)), turns, scales),
        "corners": corners,
        "normals": rng.normal(size=(len(corners), 3)),
        "tangents": np.concatenate([rng.normal(size=(len(corners), 3)), rng.choice([-1.0, 1], (len(corners), 1))], 1),
    }
    skin = sk.SkinWeights(indices, found["weights"], joints)
    directions = {name: found[name] for name in ("normals", "tangents", "corners")}
    for method in ("linear", "dual_quaternion"):
        skinned = reference.skin_mesh(found["points"], skin, found["matrices"], method=method, **directions)
        for name, values in zip(("points", "normals", "tangents"), skinned, strict=True):
            found[f"{method}_{name}"] = values
    return found


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


MAKERS = {
    "kinematics": kinematics,
    "rest_relative": rest_relative,
    "skinning": skinning,
    "mesh": mesh,
    "two_bone": two_bone,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    for name, maker in MAKERS.items():
        np.savez_compressed(folder / f"{name}.npz", **maker())


if __name__ == "__main__":
    main()
