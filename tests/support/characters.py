# SPDX-License-Identifier: MIT
"""Real characters of the data folder as plain arrays: as much of glTF and of MakeHuman's files as skinning needs."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import skelkin_py as sk

GLTF = ("gltf/Fox.glb", "gltf/cesium_man.gltf", "gltf/kaykit_Knight.glb", "gltf/SimpleSkin.gltf")
MAKEHUMAN = ("makehuman/rig.mixamo.json", "makehuman/rig.game_engine.json")
DTYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Character(NamedTuple):
    """Mesh, influences and skeleton, and local matrices of some poses."""

    points: np.ndarray  # (V, 3)
    normals: np.ndarray | None  # (V, 3)
    indices: np.ndarray  # (V, K)
    weights: np.ndarray  # (V, K)
    skeleton: sk.Skeleton
    poses: np.ndarray  # (F, J, 4, 4) local


class _Gltf:
    """The JSON of a .gltf or .glb and its first buffers."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        if data[:4] == b"glTF":
            size = int.from_bytes(data[12:16], "little")
            self.json: dict[str, Any] = json.loads(data[20 : 20 + size])
            self.buffers = [data[28 + size :]]
        else:
            self.json = json.loads(data)
            self.buffers = [base64.b64decode(buffer["uri"].split(",", 1)[1]) for buffer in self.json["buffers"]]

    def array(self, accessor: int) -> np.ndarray:
        """Return an accessor as float64 or integers, (n, width)."""
        about = self.json["accessors"][accessor]
        view = self.json["bufferViews"][about["bufferView"]]
        dtype, width = np.dtype(DTYPES[about["componentType"]]), WIDTHS[about["type"]]
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        step = view.get("byteStride", dtype.itemsize * width)
        raw = np.frombuffer(self.buffers[view["buffer"]], np.uint8)
        rows = np.lib.stride_tricks.as_strided(raw[start:], (about["count"], dtype.itemsize * width), (step, 1))
        return np.ascontiguousarray(rows).view(dtype).reshape(about["count"], width)

    def parents(self) -> list[int]:
        found = [-1] * len(self.json["nodes"])
        for number, node in enumerate(self.json["nodes"]):
            for child in node.get("children", ()):
                found[child] = number
        return found

    def local(self, moved: dict[int, dict[str, np.ndarray]]) -> np.ndarray:
        """Return the local matrices of all nodes, with the parts of some nodes replaced."""
        found = []
        for number, node in enumerate(self.json["nodes"]):
            parts = {**node, **moved.get(number, {})}
            if "matrix" in parts:
                found.append(np.reshape(parts["matrix"], (4, 4)).T)
                continue
            x, y, z, w = parts.get("rotation", (0, 0, 0, 1))
            scale = np.asarray(parts.get("scale", (1, 1, 1)), float)
            found.append(sk.compose(np.asarray(parts.get("translation", (0, 0, 0)), float), [w, x, y, z], scale))
        return np.array(found, float)

    def poses(self, count: int) -> np.ndarray:
        """Return the local matrices of all nodes at some keys of the first animation."""
        animation, found = self.json["animations"][0], []
        for part in np.linspace(0, 1, count):
            moved: dict[int, dict[str, np.ndarray]] = {}
            for channel in animation["channels"]:
                keys = self.array(animation["samplers"][channel["sampler"]]["output"])
                key = keys[int(part * (len(keys) - 1))].astype(float)
                moved.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = key
            found.append(self.local(moved))
        return np.stack(found)


def read_gltf(path: Path, poses: int = 4) -> Character:
    """Read all skinned primitives of the first skin; every node of the file becomes a joint."""
    file = _Gltf(path)
    skin = file.json["skins"][0]
    order = sk.sort_joints(file.parents())  # parents before children
    rank = np.argsort(order)
    parents = [-1 if (p := file.parents()[node]) < 0 else int(rank[p]) for node in order]
    points, normals, indices, weights = [], [], [], []
    meshes = [node["mesh"] for node in file.json["nodes"] if node.get("skin") == 0]
    for primitive in (p for mesh in meshes for p in file.json["meshes"][mesh]["primitives"]):
        of = primitive["attributes"]
        points.append(file.array(of["POSITION"]).astype(float))
        normals.append(file.array(of["NORMAL"]).astype(float) if "NORMAL" in of else None)
        indices.append(rank[np.asarray(skin["joints"])[file.array(of["JOINTS_0"])]])
        weights.append(file.array(of["WEIGHTS_0"]).astype(float))
    bind = np.tile(np.eye(4), (len(order), 1, 1))
    bind[rank[skin["joints"]]] = file.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
    skeleton = sk.Skeleton(parents, file.local({})[order], inverse_bind=bind)
    whole = None if any(n is None for n in normals) else np.concatenate(normals)
    arrays = (np.concatenate(points), whole, np.concatenate(indices), np.concatenate(weights))
    return Character(*arrays, skeleton, file.poses(poses)[:, order])


def read_makehuman(rig: Path, poses: int = 4) -> Character:
    """Read base.obj, a rig and its weights, as many influences per vertex as there are; poses are random turns."""
    lines = (rig.parent / "base.obj").read_text().splitlines()
    points = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], float)
    bones = json.loads(rig.read_text())
    bones = bones.get("bones", bones)
    given = json.loads((rig.parent / rig.name.replace("rig.", "weights.")).read_text())["weights"]
    names = list(bones)
    above = [names.index(bone["parent"]) if bone["parent"] else -1 for bone in bones.values()]
    order = sk.sort_joints(above)
    rank = np.argsort(order)
    metres = np.array([bone["head"]["default_position"] for bone in bones.values()])  # Z up; the mesh: decimetres, Y up
    places = 10 * metres[:, [0, 2, 1]] * [1, 1, -1]
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = places
    parents = [-1 if above[j] < 0 else int(rank[above[j]]) for j in order]
    skeleton = sk.Skeleton.from_global(parents, rest[order])
    rows = sorted((v, int(rank[names.index(name)]), w) for name in given if name in names for v, w in given[name])
    vertex, joint, weight = (np.array(column) for column in zip(*rows, strict=True))
    vertex = vertex.astype(int)
    counts = np.bincount(vertex, minlength=len(points))
    slot = np.arange(len(vertex)) - np.repeat(np.cumsum(counts) - counts, counts)
    indices, weights = np.zeros((len(points), counts.max()), int), np.zeros((len(points), counts.max()))
    indices[vertex, slot], weights[vertex, slot] = joint, weight
    rng = np.random.default_rng(0)
    turns = np.concatenate([np.ones((poses, len(names), 1)), rng.uniform(-0.3, 0.3, (poses, len(names), 3))], -1)
    local = np.tile(skeleton.rest_local, (poses, 1, 1, 1))
    local[..., :3, :3] = local[..., :3, :3] @ sk.quaternion_to_matrix(turns)
    return Character(points, None, indices, weights, skeleton, local)
