# SPDX-License-Identifier: MIT
"""What stands in a player's page, read without the player; and a clip and a skin as large as it promises to carry."""

from __future__ import annotations

import base64
import json
import re

import numpy as np

import skelkin_py as sk

OTHERS = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def scene_of(text):
    """Return what the page's script reads."""
    found = re.search(r'<script type="application/json" id="skelkin-data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found.group(1))


def numbers(leaf):
    """Return a packed array."""
    ((kind, text),) = leaf.items()
    return np.frombuffer(base64.b64decode(text), "<" + kind)


def poses_of(figure):
    """Return the linear parts (F, J, 3, 3), or None, and positions (F, J + E, 3) of a figure of the page."""
    motion, count = figure["motion"], figure["numJoints"]
    frames, parents, ends = motion["frames"], motion["parents"], motion["ends"]
    if "points" in motion:
        return None, numbers(motion["points"]).reshape(frames, -1, 3).astype(float)
    if "near" in motion:
        near = motion["near"]
        values = numbers(near["values"]).reshape(frames, -1, 3) * np.array(near["step"]) + near["low"]
        return None, values + numbers(near["path"]).reshape(frames, 1, 3)
    if "matrices" in motion:
        rows = numbers(motion["matrices"]).reshape(frames, count, 3, 4).astype(float)
        linear, positions = rows[..., :3], list(np.moveaxis(rows[..., 3], 1, 0))
    else:
        linear = sk.quaternion_to_matrix(_quaternions(motion, frames, count))
        if motion["scales"]:
            linear = linear * numbers(motion["scales"]).reshape(count, 1, 3)
        positions = _placed(motion, linear, parents)
    for joint, offset in ends:
        positions.append(positions[joint] + linear[:, joint] @ np.array(offset))
    return linear, np.stack(positions, axis=1)


def _quaternions(motion, frames, count):
    """Return (F, J, 4): three components of 18 bits, the largest one from the length."""
    high, more = numbers(motion["rotations"]).reshape(frames, count, 3), numbers(motion["more"]).reshape(frames, count)
    out = np.zeros((frames, count, 4))
    for largest, others in enumerate(OTHERS):
        rows = np.nonzero((more & 3) == largest)
        steps = np.stack([high[rows][:, k] * 4.0 + (more[rows] >> (2 + 2 * k) & 3) for k in range(3)], -1)
        small = (2.0 * steps / (2**18 - 1) - 1.0) * np.sqrt(0.5)
        for k, other in enumerate(others):
            out[(*rows, other)] = small[:, k]
        out[(*rows, largest)] = np.sqrt(np.maximum(1.0 - (small**2).sum(-1), 0.0))
    return out


def _placed(motion, linear, parents):
    """Return a list of positions (F, 3), parents first."""
    offsets = numbers(motion["offsets"]).reshape(-1, 3).astype(float)
    roots = {one["joint"]: numbers(one["path"]).reshape(-1, 3).astype(float) for one in motion["roots"]}
    moving = {
        one["joint"]: np.array(one["low"]) + np.array(one["step"]) * numbers(one["values"]).reshape(-1, 3)
        for one in motion["moving"]
    }
    out = []
    for joint, parent in enumerate(parents):
        if joint in roots:
            out.append(roots[joint])
        else:
            offset = moving.get(joint, np.broadcast_to(offsets[joint], (len(linear), 3)))
            out.append(out[parent] + np.einsum("fab,fb->fa", linear[:, parent], offset))
    return out


def heavy_clip(frames=3000, joints=60):
    """Return an adult of many joints that swings all of them and walks a hundred metres."""
    rng = np.random.default_rng(6)
    parents = np.array([-1, *(rng.integers(max(0, j - 4), j) for j in range(1, joints))])
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[1:, :3, 3] = rng.normal(size=(joints - 1, 3)) * 0.12
    seconds = np.arange(frames)[:, None, None] / 30.0
    angles = 0.8 * np.sin(rng.uniform(0.5, 9.0, (joints, 3)) * seconds + rng.uniform(0.0, 6.0, (joints, 3)))
    translations = np.tile(rest[:, :3, 3], (frames, 1, 1))
    translations[:, 0] = np.stack(
        [np.sin(seconds[:, 0, 0]), 0.9 + 0.02 * np.sin(9.0 * seconds[:, 0, 0]), seconds[:, 0, 0]], -1
    )
    skeleton = sk.Skeleton(parents, rest, [f"joint {j}" for j in range(joints)])
    return sk.Clip(skeleton, sk.quaternion_from_euler(angles, "XYZ"), translations, fps=30)


def heavy_mesh(clip, vertices=100_000):
    """Return a skin: a closed tube about every joint, each vertex held by four joints."""
    skeleton = clip.skeleton
    joints, rng = len(skeleton.names), np.random.default_rng(7)
    around = 40
    along = vertices // around
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, around, endpoint=False), np.linspace(0, joints - 1, along))
    middle = np.asarray(skeleton.rest_global)[np.rint(v).astype(int), :3, 3]
    way = np.stack([np.cos(u), np.zeros_like(u), np.sin(u)], -1)
    points = (middle + 0.05 * way + np.stack([0 * v, v % 1.0 * 0.02, 0 * v], -1)).reshape(-1, 3)
    at = np.arange(along * around).reshape(along, around)
    right = np.roll(at, -1, axis=1)
    faces = np.stack([at[:-1], at[1:], right[:-1], right[:-1], at[1:], right[1:]], -1).reshape(-1, 3)
    own = np.rint(v).astype(int).reshape(-1, 1)
    indices = (own + np.arange(4)) % joints
    weights = rng.dirichlet([8.0, 2.0, 1.0, 1.0], len(points))
    return sk.Mesh(points, faces, way.reshape(-1, 3), None, sk.SkinWeights(indices, weights, joints), skeleton)
