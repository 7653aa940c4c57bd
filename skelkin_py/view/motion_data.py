# SPDX-License-Identifier: MIT
"""A clip's motion in few bytes, from which the page makes poses.

The smaller of two forms is used that keeps every point within `TOLERANCE` of the figure's height:

- Rotations: global ones, so that errors do not add up along a chain, as the three smallest components of a unit
  quaternion with 18 bits each; positions follow from the offset of each joint in its parent, which hardly any clip
  changes.
- Points: joints and ends, relative to the first joint, with 16 bits; there is no skin without rotations.

Where neither is accurate enough, float32 is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._support.array_types import Array, Floats
from ..transforms import decompose, quaternion_to_matrix
from . import scene_data as sd
from .scene_data import pack

TOLERANCE = 1e-4 / 1.8  # of the figure's height: a tenth of a millimetre of an adult
_ROOT = np.sqrt(0.5)
_STEPS = 2**18 - 1
_OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


def pack_motion(skeleton: Any, global_: Array, size: float, radius: Floats, skinned: bool) -> dict[str, Any]:
    """Return a motion as the page reads it.

    Parameters
    ----------
    skeleton : Skeleton
        Its parents and end sites.
    global_ : (F, J, 4, 4) ndarray
        Global matrices, turned to Y up.
    size : float
        The figure's height.
    radius : (J,) ndarray
        Largest distance of points that follow a joint, by which an error of its rotation is multiplied.
    skinned : bool
        Whether a skin is drawn, which needs rotations.

    Returns
    -------
    dict
        JSON, arrays packed.
    """
    points = sd.all_points(skeleton, np.asarray(global_, float))
    ends = [[int(j), [float(x) for x in offset]] for j, offset in skeleton.end_sites.items()]
    out: dict[str, Any] = {"frames": len(global_), "parents": [int(p) for p in skeleton.parents], "ends": ends}
    near = _near_points(points)
    parts = _compressed(skeleton, global_, size)
    by_points = 6 * points.shape[1] < 7 * len(out["parents"]) + 6 * len(parts["moving"])
    if not skinned and by_points and near["error"] <= TOLERANCE * size:
        return out | _packed_points(near)
    linear, positions = _poses(parts, skeleton)
    reach = np.maximum(radius, 0.0)
    for joint, offset in skeleton.end_sites.items():
        reach[joint] = max(reach[joint], float(np.linalg.norm(offset)))
    off = np.linalg.norm(positions - global_[..., :3, 3], axis=-1).max()
    turned = (np.linalg.norm(linear - global_[..., :3, :3], axis=(-2, -1)) * reach).max()
    if off + turned <= TOLERANCE * size:
        return out | _packed_rotations(parts)
    if skinned:
        return out | {"matrices": pack(global_[..., :3, :], "f4")}
    return out | (_packed_points(near) if near["error"] <= TOLERANCE * size else {"points": pack(points, "f4")})


def _near_points(points: Floats) -> dict[str, Any]:
    """Return points as whole numbers, counted from the first one of each frame."""
    path = points[:, 0].astype(np.float32)
    away = points - path[:, None].astype(float)
    low = away.min((0, 1))
    step = (away.max((0, 1)) - low) / 65535.0
    values = np.round((away - low) / np.where(step > 0, step, 1.0))
    return {"path": path, "low": low, "step": step, "values": values, "error": float(np.linalg.norm(step)) / 2}


def _packed_points(near: dict[str, Any]) -> dict[str, Any]:
    path, values = pack(near["path"], "f4"), pack(near["values"], "u2")
    return {"near": {"path": path, "low": near["low"].tolist(), "step": near["step"].tolist(), "values": values}}


def _packed_rotations(parts: dict[str, Any]) -> dict[str, Any]:
    rotations = parts["rotations"]
    low = ((rotations & 3) << np.array([2, 4, 6])).sum(-1)  # the two lowest bits of each, and which one was left out
    return {
        "rotations": pack(rotations >> 2, "u2"),
        "more": pack(low | parts["largest"], "u1"),
        "scales": None if (parts["scales"] == 1.0).all() else pack(parts["scales"], "f4"),
        "offsets": pack(parts["offsets"], "f4"),
        "roots": [{"joint": j, "path": pack(path, "f4")} for j, path in parts["roots"].items()],
        "moving": [
            {"joint": j, "low": low.tolist(), "step": step.tolist(), "values": pack(values, "u2")}
            for j, (low, step, values) in parts["moving"].items()
        ],
    }


def _compressed(skeleton: Any, global_: Array, size: float) -> dict[str, Any]:
    """Return the motion as whole numbers, with their scales and offsets."""
    positions = np.asarray(global_[..., :3, 3], float)
    parents = np.asarray(skeleton.parents)
    _, q, s = decompose(np.asarray(global_, float))
    largest = np.abs(q).argmax(-1)
    q = q * np.where(np.take_along_axis(q, largest[..., None], -1) < 0, -1.0, 1.0)
    small = np.take_along_axis(q, _OTHERS[largest], -1)
    rotations = np.clip(np.round((small / _ROOT + 1.0) * _STEPS / 2), 0, _STEPS).astype(np.int32)
    scales = np.asarray(s[0], np.float32).astype(float)
    scales[np.abs(scales - 1.0) < 1e-6] = 1.0
    linear = np.asarray(quaternion_to_matrix(q)) * scales[:, None, :]
    out: dict[str, Any] = {"rotations": rotations, "largest": largest, "scales": scales, "roots": {}, "moving": {}}
    out["offsets"] = np.zeros((len(parents), 3))
    for j, parent in enumerate(parents):
        if parent < 0:
            out["roots"][j] = positions[:, j].astype(np.float32).astype(float)
            continue
        bone = positions[:, j] - positions[:, parent]
        offset = np.einsum("fba,fb->fa", linear[:, parent], bone) / np.where(
            scales[parent] == 0, 1, scales[parent] ** 2
        )
        low, high = offset.min(0), offset.max(0)
        out["offsets"][j] = ((low + high) / 2).astype(np.float32)
        if (high - low).max() * np.abs(scales[parent]).max() > 2e-6 * size:
            step = (high - low) / 65535.0
            values = np.round((offset - low) / np.where(step > 0, step, 1.0)).astype(np.uint16)
            out["moving"][j] = (low, step, values)
    return out


def _poses(parts: dict[str, Any], skeleton: Any) -> tuple[Floats, Floats]:
    """Return linear parts and positions as the page computes them."""
    small = (parts["rotations"] * (2 / _STEPS) - 1.0) * _ROOT
    q = np.zeros((*small.shape[:-1], 4))
    np.put_along_axis(q, _OTHERS[parts["largest"]], small, -1)
    rest = np.sqrt(np.maximum(0.0, 1.0 - (small * small).sum(-1)))
    np.put_along_axis(q, parts["largest"][..., None], rest[..., None], -1)
    linear = np.asarray(quaternion_to_matrix(q)) * parts["scales"][:, None, :]
    positions = np.zeros((*small.shape[:-1], 3))
    for j, parent in enumerate(np.asarray(skeleton.parents)):
        if parent < 0:
            positions[:, j] = parts["roots"][j]
            continue
        offset = parts["offsets"][j]
        if j in parts["moving"]:
            low, step, values = parts["moving"][j]
            offset = low + step * values
        offset = np.broadcast_to(offset, (len(q), 3))
        positions[:, j] = positions[:, parent] + np.einsum("fab,fb->fa", linear[:, parent], offset)
    return linear, positions
