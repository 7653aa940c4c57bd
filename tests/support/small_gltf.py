# SPDX-License-Identifier: MIT
"""Small glTF files, written here by the specification and not by what is tested."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

_COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class SmallGltf:
    """A file in the making: nodes in a chain unless others are given, data in one buffer."""

    def __init__(self, nodes: list[dict[str, Any]] | None = None) -> None:
        chain = [
            {"name": "hips", "children": [1], "translation": [0, 1, 0]},
            {"name": "knee", "children": [2], "translation": [0, -0.5, 0]},
            {"name": "foot", "translation": [0, -0.5, 0]},
        ]
        self.data = b""
        self.root: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": chain if nodes is None else nodes,
            "accessors": [],
            "bufferViews": [],
            "animations": [],
        }

    def accessor(self, values: Any, kind: str = "f4", **more: Any) -> int:
        """Add an array and return its number."""
        array = np.asarray(values, f"<{kind}")
        array = array.reshape(len(array), -1)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.data += array.tobytes() + b"\0" * (-array.nbytes % 4)
        self.root["bufferViews"].append(view)
        item = {
            "bufferView": len(self.root["bufferViews"]) - 1,
            "componentType": _COMPONENTS[kind],
            "count": len(array),
            "type": _TYPES[array.shape[1]],
            **more,
        }
        self.root["accessors"].append(item)
        return len(self.root["accessors"]) - 1

    def animation(self, name: str | None, *curves: tuple[Any, ...]) -> SmallGltf:
        """Add an animation of curves (node, path, times, values, interpolation)."""
        samplers, channels = [], []
        for node, path, times, values, *how in curves:
            output = values if isinstance(values, int) else self.accessor(values)
            sampler = {"input": self.accessor(times), "output": output}
            if how:
                sampler["interpolation"] = how[0]
            samplers.append(sampler)
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        named = {} if name is None else {"name": name}
        self.root["animations"].append({**named, "samplers": samplers, "channels": channels})
        return self

    def glb(self, extra: bytes = b"") -> bytes:
        """Return it as a binary file; `extra` is a chunk of another kind."""
        self.root["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.root).encode()
        text += b" " * (-len(text) % 4)
        chunks = [(0x4E4F534A, text), (0x004E4942, self.data)]
        if extra:
            chunks.append((0x41424344, extra))
        body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body

    def gltf(self, uri: str | None = None) -> bytes:
        """Return it as JSON, with its buffer inside or by the name of another file."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.root["buffers"] = [{"byteLength": len(self.data), "uri": uri or inside}]
        return json.dumps(self.root, indent=1).encode()

    def write(self, path: Path) -> Path:
        """Write it as its name ends, and return the path."""
        path.write_bytes(self.gltf() if path.suffix == ".gltf" else self.glb())
        return path


def parts_of_glb(data: bytes) -> tuple[bytes, list[tuple[int, bytes]]]:
    """Return the JSON of a binary file and its other chunks."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    chunks, at = [], 12
    while at < length:
        size, kind = struct.unpack_from("<II", data, at)
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    assert chunks[0][0] == 0x4E4F534A
    return chunks[0][1], chunks[1:]
