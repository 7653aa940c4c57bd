# SPDX-License-Identifier: MIT
"""Meshes of glTF: points, triangles, influences of all sets, and what hangs on a joint without a skin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_gltf import SmallGltf

import skelkin_py as sk

SQUARE = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]


def with_mesh(
    *, mode: int | None = None, indices: list[int] | None = None, sets: int = 1, skin: bool = True
) -> SmallGltf:
    made = SmallGltf().animation("a", (0, "translation", [0.0, 1.0], [[0, 1, 0], [2, 1, 0]]))
    attributes = {"POSITION": made.accessor(SQUARE), "NORMAL": made.accessor([[0, 0, 1]] * 4)}
    if skin:
        bind = np.tile(np.eye(4), (3, 1, 1))
        made.root["skins"] = [{"joints": [2, 1, 0], "inverseBindMatrices": made.accessor(bind.reshape(3, 16))}]
        for k in range(sets):
            attributes[f"JOINTS_{k}"] = made.accessor([[0, 1, 2, 0]] * 4, "u1")
            attributes[f"WEIGHTS_{k}"] = made.accessor([[0.5 / sets, 0.25 / sets, 0.25 / sets, 0.0]] * 4)
    primitive = {"attributes": attributes}
    if mode is not None:
        primitive["mode"] = mode
    if indices is not None:
        primitive["indices"] = made.accessor(indices, "u2")
    made.root["meshes"] = [{"name": "square", "primitives": [primitive]}]
    made.root["nodes"].append({"name": "shown", "mesh": 0, **({"skin": 0} if skin else {})})
    return made


@pytest.mark.parametrize(
    ("mode", "indices", "faces"),
    [
        (None, [0, 1, 2, 2, 1, 3], [[0, 1, 2], [2, 1, 3]]),
        (4, None, [[0, 1, 2]]),
        (5, [0, 1, 2, 3], [[0, 1, 2], [2, 1, 3]]),
        (6, [0, 1, 3, 2], [[0, 1, 3], [0, 3, 2]]),
    ],
    ids=["triangles", "no indices", "strip", "fan"],
)
def test_triangles_come_out_of_all_forms(mode: int | None, indices, faces, tmp_path: Path) -> None:
    path = with_mesh(mode=mode, indices=indices).write(tmp_path / "a.glb")
    mesh = sk.load_mesh(path)
    assert mesh.faces.tolist() == faces
    assert mesh.points.tolist() == SQUARE
    assert mesh.normals is not None


def test_influences_of_all_sets_name_the_joints_of_the_skeleton(tmp_path: Path) -> None:
    mesh = sk.load_mesh(with_mesh(sets=2).write(tmp_path / "a.glb"))
    assert mesh.weights.indices.shape == (4, 8)
    dense = np.zeros(3)
    np.add.at(dense, mesh.weights.indices[0], mesh.weights.weights[0])
    np.testing.assert_allclose(dense, [0.25, 0.25, 0.5])  # the skin has the joints the other way round
    assert mesh.skeleton.names == ("hips", "knee", "foot")


def test_what_hangs_on_a_node_moves_with_it(tmp_path: Path) -> None:
    made = with_mesh(skin=False)
    made.root["nodes"][4 - 1] = {"name": "shown", "mesh": 0, "translation": [0, 0, 5]}
    made.root["nodes"][2]["children"] = [3]
    clip, mesh = sk.load(made.write(tmp_path / "a.glb")), sk.load_mesh(tmp_path / "a.glb")
    matrices = sk.skinning_matrices(mesh.skeleton, clip.global_matrices())
    points = sk.skin_points(mesh.points, mesh.weights, matrices)
    np.testing.assert_allclose(points[0], np.add(SQUARE, [0, 0, 5]), atol=1e-12)
    np.testing.assert_allclose(points[-1], np.add(SQUARE, [2, 0, 5]), atol=1e-12)


BULGE = [[0, 0, 0], [0, 0, 2], [0, 4, 0], [-1, 0, 0]]
TILT = [[1, 0, 0], [0, 0, 0], [0, -2, 0], [0, 0, -3]]


def with_morphs(weights: list[float] | None, of_node: list[float] | None = None) -> SmallGltf:
    made = with_mesh()
    (primitive,) = made.root["meshes"][0]["primitives"]
    primitive["attributes"]["TANGENT"] = made.accessor([[1, 0, 0, -1]] * 4)
    made.root["accessors"].append({"componentType": 5126, "count": 4, "type": "VEC3"})
    nothing = len(made.root["accessors"]) - 1
    bulge = {"POSITION": made.accessor(BULGE), "NORMAL": made.accessor(TILT)}
    primitive["targets"] = [bulge, {"POSITION": nothing}, {"TANGENT": made.accessor(TILT)}]
    for owner, given in ((made.root["meshes"][0], weights), (made.root["nodes"][-1], of_node)):
        if given is not None:
            owner["weights"] = given
    return made


@pytest.mark.parametrize(
    ("weights", "of_node", "shares"),
    [
        (None, None, (0.0, 0.0)),
        ([0.0, 0.0, 0.0], None, (0.0, 0.0)),
        ([0.5, 1.0, 0.0], None, (0.5, 0.0)),
        ([-0.25, 0.0, 2.0], None, (-0.25, 2.0)),
        ([0.5, 1.0, 0.0], [1.5, 0.0, 0.25], (1.5, 0.25)),
        (None, [1.0, 1.0, 1.0], (1.0, 1.0)),
    ],
    ids=str,
)
def test_morph_targets_have_their_default_weights_those_of_the_node_first(weights, of_node, shares, tmp_path) -> None:
    mesh = sk.load_mesh(with_morphs(weights, of_node).write(tmp_path / "a.glb"))
    first, last = shares
    np.testing.assert_allclose(mesh.points, np.add(SQUARE, np.multiply(first, BULGE)), atol=1e-12)
    for vertex in range(4):
        normal = [p + first * d for p, d in zip((0.0, 0.0, 1.0), TILT[vertex], strict=True)]
        size = sum(x * x for x in normal) ** 0.5 or 1.0
        np.testing.assert_allclose(mesh.normals[vertex], [x / size for x in normal], atol=1e-12)
        tangent = [p + last * d for p, d in zip((1.0, 0.0, 0.0), TILT[vertex], strict=True)]
        size = sum(x * x for x in tangent) ** 0.5 or 1.0
        np.testing.assert_allclose(mesh.tangents[vertex], [*(x / size for x in tangent), -1.0], atol=1e-12)


def test_weights_of_other_targets_than_there_are_and_broken_targets_are_named(tmp_path: Path) -> None:
    with pytest.raises(sk.FormatError, match=r"weights of .*primitives\[0\]\.targets: is '\[0\.5\]': 3 finite numbers"):
        sk.load_mesh(with_morphs([0.5]).write(tmp_path / "a.glb"))
    made = with_morphs([1.0, 0.0, 0.0])
    made.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = made.accessor([[0, 0, 0]])
    with pytest.raises(sk.FormatError, match=r"targets\[0\]\.POSITION: has 1 elements for 4 points"):
        sk.load_mesh(made.write(tmp_path / "a.glb"))
    made.root["meshes"][0]["primitives"][0]["targets"] = 7
    with pytest.raises(sk.FormatError, match=r"targets: must be a list of objects"):
        sk.load_mesh(made.write(tmp_path / "a.glb"))


def test_what_hangs_on_a_sheared_node_is_sheared(tmp_path: Path) -> None:
    made = with_mesh(skin=False)
    made.root["nodes"][3] = {"name": "shown", "mesh": 0, "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1]}
    made.root["nodes"][2]["children"] = [3]
    made.root["skins"] = [{"joints": [0, 1, 2]}]
    mesh = sk.load_mesh(made.write(tmp_path / "a.glb"))
    rest = sk.skinning_matrices(mesh.skeleton, mesh.skeleton.rest_global)
    points = sk.skin_points(mesh.points, mesh.weights, rest)
    np.testing.assert_allclose(points, [[3 + x + 0.5 * y, y, z] for x, y, z in SQUARE], atol=1e-12)


def test_a_mesh_is_chosen_by_name_or_number(data_dir: Path) -> None:
    knight = data_dir / "gltf" / "kaykit_Knight.glb"
    whole, body = sk.load_mesh(knight), sk.load_mesh(knight, "PrototypePete_body.020")
    assert 0 < len(body.points) < len(whole.points)
    with pytest.raises(ValueError, match=r"did you mean 'PrototypePete_body\.020'"):
        sk.load_mesh(knight, "PrototypePete_body.20")
    with pytest.raises(ValueError, match="the file has 15 meshes"):
        sk.load_mesh(knight, 15)


@pytest.mark.parametrize("name", ["Fox.glb", "kaykit_Knight.glb", "cesium_man.gltf", "SimpleSkin.gltf"])
def test_skinned_points_are_those_that_the_specification_gives(name: str, data_dir: Path) -> None:
    """Each point alone, in plain loops: the sum over its joints of weight, global and inverse bind matrix."""
    path = data_dir / "gltf" / name
    mesh, clip = sk.load_mesh(path), next(iter(sk.load_animations(path).values()))
    places = clip.global_matrices()[-1]
    points = sk.skin_points(mesh.points, mesh.weights, sk.skinning_matrices(mesh.skeleton, places))
    for vertex in range(0, len(mesh.points), max(len(mesh.points) // 50, 1)):
        wanted = np.zeros(4)
        for joint, weight in zip(mesh.weights.indices[vertex], mesh.weights.weights[vertex], strict=True):
            bind = mesh.skeleton.inverse_bind[joint]
            wanted += weight * (places[joint] @ bind @ np.append(mesh.points[vertex], 1.0))
        np.testing.assert_allclose(points[vertex], wanted[:3], atol=1e-5 * np.abs(mesh.points).max())


def test_of_a_compressed_mesh_the_motion_is_read_and_the_mesh_refused_by_name(tmp_path: Path) -> None:
    made = with_mesh()
    made.root["extensionsRequired"] = made.root["extensionsUsed"] = ["KHR_draco_mesh_compression"]
    (primitive,) = made.root["meshes"][0]["primitives"]
    primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    for number in primitive["attributes"].values():
        del made.root["accessors"][number]["bufferView"]
    path = made.write(tmp_path / "a.glb")
    assert sk.load(path, fps=4).num_frames == 5
    with pytest.raises(sk.FormatError, match=r"primitives\[0\]: is compressed by KHR_draco_mesh_compression"):
        sk.load_mesh(path)


def test_files_without_a_mesh_and_of_other_kinds_say_so(tmp_path: Path) -> None:
    path = SmallGltf().write(tmp_path / "a.glb")
    with pytest.raises(ValueError, match="has no mesh"):
        sk.load_mesh(path)
    with pytest.raises(ValueError, match=r"meshes are read from \.glb, \.gltf and \.vrm files"):
        sk.load_mesh(tmp_path / "a.bvh")
