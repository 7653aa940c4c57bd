# SPDX-License-Identifier: MIT
"""glTF files against pygltflib, which reads keys and structure by code of its own, and trimesh, which reads meshes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pygltflib
import pytest
import trimesh

import skelkin_py as sk

pytestmark = pytest.mark.data
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
MOVING = ("rotation", "translation", "scale")


@pytest.fixture(params=["Fox.glb", "cesium_man.gltf"])
def path(request: pytest.FixtureRequest, data_dir: Path) -> Path:
    return data_dir / "gltf" / request.param


def floats(document: pygltflib.GLTF2, index: int) -> np.ndarray:
    """Return an accessor of floats without gaps, as pygltflib finds its bytes."""
    accessor = document.accessors[index]
    view = document.bufferViews[accessor.bufferView]
    buffer = document.buffers[view.buffer]
    data = document.binary_blob() if buffer.uri is None else document.get_data_from_buffer_uri(buffer.uri)
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    components = COMPONENTS[accessor.type]
    assert accessor.componentType == pygltflib.FLOAT
    assert view.byteStride in (None, 4 * components)
    return np.frombuffer(data, "<f4", accessor.count * components, start).reshape(-1, components).astype(float)


def moved_joints(document: pygltflib.GLTF2, clip: sk.Clip, animation: pygltflib.Animation) -> list[tuple]:
    """Return joint, path, times and values at the keys of each channel that moves a joint."""
    found = []
    for channel in animation.channels:
        name = document.nodes[channel.target.node].name or f"node_{channel.target.node}"
        if name in clip.names and channel.target.path in MOVING:
            sampler = animation.samplers[channel.sampler]
            times, values = floats(document, sampler.input)[:, 0], floats(document, sampler.output)
            found.append((clip.names.index(name), channel.target.path, times, values))
    return found


def on_frames(clip: sk.Clip, times: np.ndarray, begin: float) -> tuple[np.ndarray, np.ndarray]:
    """Return which keys lie on frames of a clip, and on which."""
    frames = (times - begin) * clip.fps
    near = np.abs(frames - np.round(frames)) < 1e-3
    return near, np.round(frames[near]).astype(int)


def check_keys(document: pygltflib.GLTF2, clip: sk.Clip, animation: pygltflib.Animation) -> int:
    """Hold a clip against the keys of its animation; return how many numbers were compared."""
    channels = moved_joints(document, clip, animation)
    begin, compared = min(times[0] for _, _, times, _ in channels), 0
    for joint, what, times, values in channels:
        near, frames = on_frames(clip, times, begin)
        if what == "rotation":
            expected = values[near][:, [3, 0, 1, 2]]
            off = 1 - np.abs((expected * clip.rotations[frames, joint]).sum(1)) / np.linalg.norm(expected, axis=1)
            assert np.abs(off).max(initial=0) < 1e-6
        elif what == "translation":
            size = max(1.0, float(np.abs(values).max()))
            np.testing.assert_allclose(clip.translations[frames, joint], values[near], rtol=0, atol=1e-6 * size)
        elif clip.scales is not None:
            np.testing.assert_allclose(clip.scales[frames, joint], values[near], rtol=1e-6)
        compared += values[near].size
    return compared


def test_clips_are_what_the_keys_say(path: Path) -> None:
    document = pygltflib.GLTF2().load(str(path))
    clips = sk.load_animations(path)
    assert len(clips) == len(document.animations)
    for clip, animation in zip(clips.values(), document.animations, strict=True):
        assert check_keys(document, clip, animation) > 1000


def test_a_planted_file_says_the_planted_clip_and_nothing_else_has_changed(path: Path, tmp_path: Path) -> None:
    name, clip = next(iter(sk.load_animations(path).items()))
    planted = clip.plant_feet().clip
    target = tmp_path / path.name
    sk.save_animations({name: planted}, target)
    before, after = (pygltflib.GLTF2().load(str(each)) for each in (path, target))
    assert check_keys(after, planted, after.animations[0]) > 1000
    turned = np.abs(planted.rotations - clip.rotations).max(axis=(0, 2)) > 5e-6
    assert turned.sum() >= 4
    old, new = (json.loads(each.gltf_to_json()) for each in (before, after))
    assert {key for key in old | new if old.get(key) != new.get(key)} == {
        "accessors", "animations", "bufferViews", "buffers"
    }  # fmt: skip
    assert new["animations"][1:] == old["animations"][1:]
    for what in ("accessors", "bufferViews"):
        assert new[what][: len(old[what])] == old[what]


def test_meshes_are_those_that_trimesh_reads(path: Path) -> None:
    mesh = sk.load_mesh(path)
    scene = trimesh.load(path, process=False)
    theirs = list(scene.geometry.values())
    assert [len(each.vertices) for each in theirs] == [len(mesh.points)]
    np.testing.assert_allclose(mesh.points, theirs[0].vertices, rtol=0, atol=1e-6 * np.abs(mesh.points).max())
    assert np.array_equal(mesh.faces, theirs[0].faces)
