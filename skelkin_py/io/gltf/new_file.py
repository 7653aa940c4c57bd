# SPDX-License-Identifier: MIT
"""New glTF files: a skeleton as nodes and a skin, with animations over it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..._support.array_types import FilePath, Floats
from ..._support.atomic import write_whole
from ...motion.clip import Clip
from ...motion.scales import refuse_shear
from ...skeleton import Skeleton
from ...transforms import decompose
from .container import BIN_CHUNK, data_uri, glb, is_binary
from .humanoid import check_map
from .json_text import compact
from .new_data import NewData


def write_new(path: FilePath, clips: Mapping[str, Clip]) -> None:
    """Write clips of one skeleton as a new file.

    Parameters
    ----------
    path : str or os.PathLike
        The file, ``.glb``, or ``.gltf`` with its data inside; replaced in one step.
    clips : mapping of str to Clip
        The animations by name.

    Raises
    ------
    ValueError
        If their skeletons differ, the name ends in ``.vrm`` or ``.vrma``, or a number is larger than float32 can say.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> write_new("biped.gltf", {"walk": sk.example("biped").clip})
    >>> sk.load("biped.gltf").num_frames
    180
    """
    path = os.fspath(path)
    check_map(path, {})
    (first, clip), *others = clips.items()
    for name, other in others:
        if other.skeleton != clip.skeleton:
            raise ValueError(f"clips[{name!r}] has another skeleton than clips[{first!r}]: a new file has one")
    refuse_shear(clip, "a new glTF file")
    data = NewData()
    root = _skeleton(clip.skeleton, data)
    root["animations"] = [data.animation(name, each, _curves(each)) for name, each in clips.items()]
    root["accessors"], root["bufferViews"] = data.accessors, data.views
    binary = data.data()
    root["buffers"] = [{"byteLength": len(binary)}]
    if not is_binary(path):
        root["buffers"][0]["uri"] = data_uri(binary)
    text = compact(root).encode("utf-8")
    write_whole(path, glb(text, ((BIN_CHUNK, binary),)) if is_binary(path) else text)


def _skeleton(skeleton: Skeleton, data: NewData) -> dict[str, Any]:
    """Return scene, nodes and skin."""
    translations, rotations, scales = decompose(skeleton.rest_local)
    nodes: list[dict[str, Any]] = []
    for joint, name in enumerate(skeleton.names):
        node: dict[str, Any] = {"name": name, "translation": translations[joint].tolist()}
        node["rotation"] = rotations[joint][[1, 2, 3, 0]].tolist()
        if np.abs(scales[joint] - 1.0).max() > 1e-12:
            node["scale"] = scales[joint].tolist()
        nodes.append(node)
    parents = np.asarray(skeleton.parents).tolist()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(joint)
    bind = np.asarray(skeleton.inverse_bind, np.float64)
    columns = bind.transpose(0, 2, 1).reshape(len(bind), 16)
    skin = {"inverseBindMatrices": data.add(columns), "joints": list(range(len(nodes)))}
    return {
        "asset": {"version": "2.0", "generator": "skelkin"},
        "scene": 0,
        "scenes": [{"nodes": [joint for joint, parent in enumerate(parents) if parent < 0]}],
        "nodes": nodes,
        "skins": [skin],
    }


def _curves(clip: Clip) -> Iterator[tuple[int, str, Floats]]:
    """Yield the rotations of all joints, the translations and scales of those that leave their rest."""
    rest, _, sizes = decompose(clip.skeleton.rest_local)
    for joint in range(clip.skeleton.num_joints):
        yield joint, "rotation", clip.rotations[:, joint]
        if (clip.translations[:, joint] != rest[joint]).any():
            yield joint, "translation", clip.translations[:, joint]
        scale = np.ones((1, 3)) if clip.scales is None else clip.scales[:, joint]
        if (scale != sizes[joint]).any():
            yield joint, "scale", np.broadcast_to(scale, (clip.num_frames, 3))
