# SPDX-License-Identifier: MIT
"""glTF files against Blender's own importer: skinned points of all frames, vertex by vertex, and files of ours."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import addon_utils
import bpy
import numpy as np
import pytest
from captured import data_folder
from parity import note
from small_gltf import SmallGltf

import skelkin_py as sk

BOUND = 1e-5  # of the size of the mesh
FILES = {
    "Fox.glb": ("Survey", "Walk", "Run"),
    "kaykit_Knight.glb": ("Walking_A", "Death_A"),
    "cesium_man.gltf": (None,),
    "SimpleSkin.gltf": (None,),
}
CASES = [(name, animation) for name, animations in FILES.items() for animation in animations]


@pytest.fixture(autouse=True)
def importer(monkeypatch):
    if "bool" not in vars(np):  # the importer of 3.4 uses this name, which its numpy has not
        monkeypatch.setitem(vars(np), "bool", bool)
    addon_utils.enable("io_scene_gltf2")


def with_one_animation(path: Path, animation: str | None, target: Path) -> Path:
    """Write a copy of a file that has only one of its animations, which the importer then plays."""
    data = path.read_bytes()
    if data[:4] != b"glTF":
        target.write_bytes(data)
        return target
    (length,) = struct.unpack_from("<I", data, 12)
    root = json.loads(data[20 : 20 + length])
    root["animations"] = [each for each in root["animations"] if each["name"] == animation]
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
    target.write_bytes(head + struct.pack("<II", len(text), 0x4E4F534A) + text + rest)
    return target


def key_times(path: Path, animation: str | None) -> np.ndarray:
    """Return the times at which every curve of an animation that is longer than two keys has one."""
    data = path.read_bytes()
    if data[:4] == b"glTF":
        (length,) = struct.unpack_from("<I", data, 12)
        root, buffers = json.loads(data[20 : 20 + length]), [data[28 + length :]]
    else:
        root = json.loads(data)
        buffers = [base64.b64decode(each["uri"].partition(",")[2]) for each in root["buffers"]]
    (found,) = (each for each in root["animations"] if animation in (None, each.get("name")))
    times = []
    for given in {sampler["input"] for sampler in found["samplers"]}:
        accessor = root["accessors"][given]
        view = root["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        times.append(np.frombuffer(buffers[view["buffer"]], "<f4", accessor["count"], start).astype(float))
    longest = max(map(len, times))
    return times[0] if longest <= 2 else np.concatenate([each for each in times if len(each) == longest])


def on_keys(path: Path, animation: str | None, clip: sk.Clip) -> list[int]:
    """Return the frames that lie on keys: between them Blender's curves of rotations are others than those of glTF."""
    keys, start = key_times(path, animation), clip._source.times[0]
    return [frame for frame in range(clip.num_frames) if np.abs(keys - start - frame / clip.fps).min() < 1e-4]


def imported_points(frame: float) -> dict[str, np.ndarray]:
    """Return the points of all meshes, by the meshes' names, in the axes of glTF."""
    scene = bpy.context.scene
    scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
    graph = bpy.context.evaluated_depsgraph_get()
    found = {}
    for item in scene.objects:
        if item.type != "MESH" or item.name.startswith("Icosphere"):
            continue
        mesh = item.evaluated_get(graph).to_mesh()
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", points)
        world = np.array(item.evaluated_get(graph).matrix_world)
        placed = points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
        found[item.data.name] = np.stack([placed[:, 0], placed[:, 2], -placed[:, 1]], axis=1)
    return found


@pytest.mark.parametrize(("name", "animation"), CASES, ids=str)
def test_skinned_points_are_where_blender_has_them(name: str, animation: str | None, tmp_path: Path) -> None:
    path = data_folder() / "gltf" / name
    clip = sk.load(path, animation)
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=str(with_one_animation(path, animation, tmp_path / name)))
    start = clip._source.times[0]
    frames = on_keys(path, animation, clip)
    assert len(frames) > clip.num_frames // 15
    shown = imported_points(0.0)
    meshes = {each: sk.load_mesh(path, each if len(shown) > 1 else 0) for each in shown}
    worst = 0.0
    for frame in frames[:: max(len(frames) // 12, 1)]:
        places = clip.global_matrices()[frame]
        for each, points in imported_points(24.0 * (start + frame / clip.fps)).items():
            mesh = meshes[each]
            ours = sk.skin_points(mesh.points, mesh.weights, sk.skinning_matrices(mesh.skeleton, places))
            size = np.ptp(ours, axis=0).max()
            worst = max(worst, float(np.abs(ours - points).max() / size))
    note(f"glTF beside Blender's importer, {name} {animation or ''}".strip(), worst, BOUND)
    assert worst <= BOUND


def test_a_file_of_ours_is_an_armature_that_moves_as_the_clip_does(tmp_path: Path) -> None:
    clip = sk.example("biped").clip[:40]
    sk.save_animations({"walk": clip}, tmp_path / "walk.glb")
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "walk.glb"))
    (rig,) = (item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    size = np.abs(clip.positions()).max()
    for frame in (0, 13, 39):
        bpy.context.scene.frame_set(frame)
        for joint, name in enumerate(clip.names):
            head = np.array(rig.matrix_world @ rig.pose.bones[name].head)
            ours = clip.positions()[frame, joint]
            np.testing.assert_allclose([head[0], head[2], -head[1]], ours, atol=2e-6 * size)


@pytest.mark.parametrize("rate", [24, 25, 30, 60, 120])
def test_step_keys_in_float32_are_on_the_frames_on_which_blender_has_them(rate: int, tmp_path: Path) -> None:
    places = np.random.default_rng(rate).integers(-9, 9, (180, 3)).astype(float)
    times = (np.arange(180) / rate).astype(np.float32)
    made = SmallGltf([{"name": "box"}]).animation("a", (0, "translation", times, places, "STEP"))
    clip = sk.load(made.write(tmp_path / "a.glb"))
    bpy.context.scene.render.fps = rate
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "a.glb"))
    assert clip.fps == rate
    for frame in range(180):
        bpy.context.scene.frame_set(frame)
        place = bpy.data.objects["box"].matrix_world.translation
        np.testing.assert_allclose([place[0], place[2], -place[1]], clip.translations[frame, 0], atol=1e-5)


def test_morph_targets_have_the_weights_that_blender_gives_them(tmp_path: Path) -> None:
    made = SmallGltf([{"name": "shown", "mesh": 0, "translation": [1, 2, 3]}])
    points = np.random.default_rng(1).normal(size=(3, 6, 3)).astype(np.float32)
    base, first, second = (made.accessor(each) for each in points)
    primitive = {"attributes": {"POSITION": base}, "targets": [{"POSITION": first}, {"POSITION": second}]}
    made.root["meshes"] = [{"name": "shown", "primitives": [primitive], "weights": [0.5, 0.25]}]
    mesh = sk.load_mesh(made.write(tmp_path / "a.glb"))
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "a.glb"))
    rest = sk.skinning_matrices(mesh.skeleton, mesh.skeleton.rest_global)
    ours = sk.skin_points(mesh.points, mesh.weights, rest)
    (theirs,) = imported_points(0.0).values()
    np.testing.assert_allclose(theirs, ours, atol=1e-5)
