# SPDX-License-Identifier: MIT
"""Joints that turn, in poses of 65 joints: to point at something, to lie along the ground, to follow positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import reference
from peers import find
from scene import rig

import skelkin_py as sk
from cases import Case

JOINTS = 65
COUNTS = ((1, "one pose"), (1_000, "1 000 poses"), (10_000, "10 000 poses"))


def deepest_chain(parents: np.ndarray) -> list[int]:
    """Return the joints from the root down to the one with the most ancestors."""
    chains: list[list[int]] = []
    for j, above in enumerate(parents):
        chains.append([*(chains[above] if above >= 0 else []), j])
    return max(chains, key=len)


def cases() -> Iterator[Case]:
    for count, name in COUNTS:
        skeleton, parents, _, rotations = rig(JOINTS, count)
        chain = deepest_chain(parents)
        joint, tip = chain[-2:]
        local = sk.compose(skeleton.rest_local[:, :3, 3].astype(np.float32), rotations)
        local = local.reshape(-1, JOINTS, 4, 4)
        rng = np.random.default_rng(count)
        target, normal = (rng.normal(size=(count, 3)).astype(np.float32) for _ in range(2))
        marks = rng.normal(size=(count, len(chain[-5:]), 3)).astype(np.float32)
        calls: dict[str, tuple[Callable[..., Any], np.ndarray]] = {
            "points_at": (
                lambda p=local, j=joint, t=target, k=tip, s=skeleton, **out: sk.points_at(s, p, j, t, tip=k, **out),
                reference.points_at(skeleton, local, joint, target, tip=local[:, tip, :3, 3]),
            ),
            "align_to_ground": (
                lambda p=local, j=joint, n=normal, s=skeleton, **out: sk.align_to_ground(
                    s, p, j, n, up=[0, 1, 0], **out
                ),
                reference.align_to_ground(skeleton, local, joint, normal, up=[0, 1, 0]),
            ),
            "rotations_from_positions": (
                lambda p=local, c=chain[-5:], m=marks, s=skeleton, **out: sk.rotations_from_positions(
                    s, p, c, m, **out
                ),
                reference.rotations_from_positions(skeleton, local, chain[-5:], marks),
            ),
        }
        for verb, (call, expected) in calls.items():
            case = _case(f"{verb}, {name}", count, local, call, expected)
            module = find("numpy_turns") if verb == "points_at" else None
            if module is not None:
                plain = partial(module.points_at, parents, local, joint, target, tip)
                case.add("numpy", plain)
                case.errors["numpy"] = float(np.abs(plain() - expected).max())
            yield case


def _case(name: str, count: int, local: np.ndarray, call: Callable[..., Any], expected: np.ndarray) -> Case:
    rate: dict[str, Any] = {"scale": 1e6} if count == 1 else {"work": count, "scale": 1e-6}
    writes = {} if count == 1 else {"writes": local.nbytes}
    case = Case(name, "µs/call" if count == 1 else "Mposes/s", **rate, **writes, max_rounds=15)
    out, own = np.empty_like(local), local.copy()
    case.add("skelkin, out=", lambda: call(out=out))
    case.add("skelkin, new array", call)
    case.add("skelkin, poses themselves", lambda: call(p=own, out=own))
    case.errors["skelkin, out="] = float(np.abs(call(out=out) - expected).max())
    return case
