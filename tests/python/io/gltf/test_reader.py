# SPDX-License-Identifier: MIT
"""glTF read: which animation, at what rate, curves as the specification has them, joints and their legs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import reference
from small_gltf import SmallGltf

import skelkin_py as sk
from skelkin_py.cli import main

HALF = np.sqrt(0.5)
TIMES = [0.0, 0.5, 1.0]
PLACES = [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]]
TURNS = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, HALF, HALF], [0.0, 0.0, -HALF, -HALF]]  # x y z w; the last two are one


@pytest.fixture
def gltf_dir(data_dir: Path) -> Path:
    return data_dir / "gltf"


def test_all_animations_come_by_name_in_the_order_of_the_file(gltf_dir: Path) -> None:
    clips = sk.load_animations(gltf_dir / "Fox.glb")
    assert {name: (clip.num_frames, clip.fps) for name, clip in clips.items()} == {
        "Survey": (83, 24.0),
        "Walk": (18, 24.0),
        "Run": (28, 24.0),  # 25 keys, some of them two frames apart
    }
    assert len(sk.load_animations(gltf_dir / "kaykit_Knight.glb")) == 76


def test_several_animations_and_none_named_are_listed(gltf_dir: Path) -> None:
    fox = gltf_dir / "Fox.glb"
    with pytest.raises(ValueError, match="the file has 3 animations: 'Survey', 'Walk', 'Run'"):
        sk.load(fox)
    assert sk.load(fox, "Walk") == sk.load(fox, 1) == sk.load(fox, animation=np.int64(1))
    with pytest.raises(ValueError, match="did you mean 'Walk'"):
        sk.load(fox, "walk")
    with pytest.raises(ValueError, match="animation is 3: the file has 3"):
        sk.load(fox, 3)
    with pytest.raises(TypeError, match=r"animation is 1\.5"):
        sk.load(fox, 1.5)


def test_facts_say_axes_unit_and_where_the_rate_comes_from(gltf_dir: Path) -> None:
    facts = sk.load(gltf_dir / "Fox.glb", "Run").facts
    assert facts[:6] == ("glTF", "Run", "+Y", 1.0, 24.0, "commonest key step")
    assert sk.load(gltf_dir / "Fox.glb", "Run", fps=60).facts.fps_source == "given"


def test_linear_curves_are_lines_and_turn_the_shorter_way(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES), (1, "rotation", TIMES, TURNS))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=8)
    np.testing.assert_allclose(clip.translations[:, 0, 0], [0, 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25, 0], atol=1e-12)
    angles = np.array([0, 22.5, 45, 67.5, 90, 90, 90, 90, 90])
    half = np.radians(angles) / 2
    wanted = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=1)
    dots = np.abs(np.einsum("ij,ij->i", clip.rotations[:, 1], wanted))
    np.testing.assert_allclose(dots, 1.0, atol=1e-7)


def test_steps_hold_their_value_until_the_next_key(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES, "STEP"))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=4)
    assert clip.translations[:, 0].tolist() == [PLACES[k] for k in (0, 0, 1, 1, 2)]


@pytest.mark.parametrize("rate", [24, 25, 30, 50, 60, 120])
@pytest.mark.parametrize("how", ["STEP", "LINEAR"])
@pytest.mark.parametrize("first", [0, 1, 100, 10_000])
def test_keys_at_times_in_float32_are_those_of_their_frames(rate: int, how: str, first: int, tmp_path: Path) -> None:
    numbers = np.arange(180)
    places = np.random.default_rng(rate).normal(size=(180, 3)).astype(np.float32)
    curves = [(0, "translation", ((first + numbers) / rate).astype(np.float32), places, how)]
    curves.append((1, "translation", ((first + numbers[::7]) / rate).astype(np.float32), places[::7], how))
    path = SmallGltf().animation("a", *curves).write(tmp_path / "a.glb")
    for clip in (sk.load(path), sk.load(path, fps=rate)):
        assert clip.fps == rate
        np.testing.assert_array_equal(clip.translations[:, 0], places)
        np.testing.assert_array_equal(clip.translations[::7, 1], places[::7])
        if how == "STEP":
            np.testing.assert_array_equal(clip.translations[:, 1], places[numbers // 7 * 7])


def test_cubic_splines_are_those_of_the_specification(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    keys = rng.normal(size=(3, 3, 3)).astype(np.float32)  # key; tangent in, value, tangent out; x y z
    times = np.array([0.0, 0.5, 1.5])
    made = SmallGltf().animation("a", (0, "translation", times, keys.reshape(9, 3), "CUBICSPLINE"))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=16)
    for frame in range(clip.num_frames):
        t = frame / 16
        k = 0 if t < 0.5 else 1
        width = times[k + 1] - times[k]
        u = (t - times[k]) / width
        # The cubic with these values and slopes at both ends, as a polynomial that is solved for.
        ends = np.array([[1, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0], [0, 1, 2, 3]], float)
        conditions = np.stack([keys[k, 1], keys[k + 1, 1], width * keys[k, 2], width * keys[k + 1, 0]])
        wanted = np.array([1, u, u**2, u**3]) @ np.linalg.solve(ends, conditions.astype(float))
        np.testing.assert_allclose(clip.translations[frame, 0], wanted, atol=1e-9)


def test_cubic_rotations_are_unit_quaternions(tmp_path: Path) -> None:
    keys = [[0, 0, 0, 0], TURNS[0], [0, 0, 1, 0], [0, 0, 1, 0], TURNS[1], [0, 0, 0, 0]]
    made = SmallGltf().animation("a", (1, "rotation", [0.0, 1.0], keys, "CUBICSPLINE"))
    turns = sk.load(made.write(tmp_path / "a.glb"), fps=10).rotations[:, 1]
    np.testing.assert_allclose(np.linalg.norm(turns, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(turns[[0, -1]][:, [1, 2, 3, 0]], [TURNS[0], TURNS[1]], atol=1e-7)


def test_normalised_integers_mean_parts_of_one(tmp_path: Path) -> None:
    made = SmallGltf()
    output = made.accessor([[0, 0, 0, 32767], [0, 0, 23170, 23170]], "i2", normalized=True)
    made.animation("a", (1, "rotation", [0.0, 1.0], output))
    turns = sk.load(made.write(tmp_path / "a.gltf"), fps=1).rotations[:, 1]
    np.testing.assert_allclose(turns[:, [1, 2, 3, 0]], [TURNS[0], TURNS[1]], atol=1e-7)


def test_sparse_accessors_replace_single_elements(tmp_path: Path) -> None:
    made = SmallGltf()
    values = made.accessor([[5.0, 6.0, 7.0]])
    rows = made.accessor([2], "u2")
    views = [made.root["accessors"][k]["bufferView"] for k in (rows, values)]
    made.root["accessors"].append(
        {
            "componentType": 5126,
            "count": 3,
            "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": {"bufferView": views[0], "componentType": 5123},
                "values": {"bufferView": views[1]},
            },
        }
    )
    made.animation("a", (0, "translation", TIMES, len(made.root["accessors"]) - 1))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=2)
    assert clip.translations[:, 0].tolist() == [[0, 0, 0], [0, 0, 0], [5, 6, 7]]


def test_elements_may_lie_apart(tmp_path: Path) -> None:
    made = SmallGltf()
    table = np.zeros((3, 5), np.float32)
    table[:, 1:4] = PLACES
    view = {"buffer": 0, "byteOffset": len(made.data), "byteLength": table.nbytes, "byteStride": 20}
    made.data += table.tobytes()
    made.root["bufferViews"].append(view)
    item = {"bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 3, "type": "VEC3"}
    made.root["accessors"].append(item)
    made.animation("a", (0, "translation", TIMES, 0))
    assert sk.load(made.write(tmp_path / "a.glb"), fps=2).translations[:, 0].tolist() == PLACES


def test_buffers_may_be_files_below_the_folder_only(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES))
    (tmp_path / "my data").mkdir()
    (tmp_path / "my data" / "walk.bin").write_bytes(made.data)
    (tmp_path / "a.gltf").write_bytes(made.gltf("my%20data/walk.bin"))
    assert sk.load(tmp_path / "a.gltf", fps=2).translations[:, 0].tolist() == PLACES
    for uri in ("../walk.bin", "/etc/hostname", "file:///etc/hostname", "my data/../../x.bin", "http://a.b/c.bin"):
        (tmp_path / "b.gltf").write_bytes(made.gltf(uri))
        with pytest.raises(sk.FormatError, match=r"buffers\[0\]\.uri: .*only files below the folder"):
            sk.load(tmp_path / "b.gltf")
    (tmp_path / "b.gltf").write_bytes(made.gltf("gone.bin"))
    with pytest.raises(sk.FormatError, match=r"'gone\.bin' cannot be read"):
        sk.load(tmp_path / "b.gltf")


@pytest.mark.parametrize(
    ("times", "rate", "source"),
    [
        (np.arange(40) / 30, 30.0, "commonest key step"),
        (np.round(np.arange(40) / 60, 5), 60.0, "commonest key step"),
        (np.arange(400) * 1.001 / 24, 24 / 1.001, "commonest key step"),
        ([0.0, 0.5, 1.5], 24.0, "all keys lie on frames of 24 per second"),
        ([0.0, 0.04 * 7, 0.04 * 31], 25.0, "all keys lie on frames of 25 per second"),
        ([0.0, 0.417, 1.013], 30.0, "assumed, because there are not two keys"),
        ([0.0], 30.0, "assumed, because there are not two keys"),
        (np.arange(40) / 12, 24.0, "all keys lie on frames of 24 per second"),
        (np.arange(40) / 12.5, 25.0, "all keys lie on frames of 25 per second"),
        (np.arange(40)[np.arange(40) % 5 > 0] / 24 + 7.3, 24.0, "commonest key step"),
        (np.cumsum([2, 2, 2, 3, 2, 2]) / 30, 30.0, "all keys lie on frames of 30 per second"),
        (np.float32(np.cumsum([2, 2, 2, 3, 2, 2]) / 50), 50.0, "all keys lie on frames of 50 per second"),
        (np.round(np.cumsum([4, 4, 4, 5, 4]) / 60, 4), 60.0, "all keys lie on frames of 60 per second"),
        (np.arange(40) / 120, 120.0, "commonest key step"),
        (np.arange(40) / 48, 48.0, "commonest key step"),
        (np.append(np.arange(40) / 32, 40.3 / 32), 32.0, "commonest key step"),
    ],
    ids=str,
)
def test_the_rate_is_what_keys_tell(times, rate: float, source: str, tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", times, np.zeros((len(times), 3))))
    facts = sk.load(made.write(tmp_path / "a.glb")).facts
    assert facts.fps == pytest.approx(rate, rel=1e-5)
    assert facts.fps_source == source


def test_what_lies_between_frames_is_told(tmp_path: Path) -> None:
    times = np.append(np.arange(40) / 32, [40.3 / 32, 40.6 / 32])
    made = SmallGltf().animation("a", (0, "translation", times, np.zeros((42, 3))))
    path = made.write(tmp_path / "a.glb")
    told = "2 of 42 times of keys lie between frames: set a higher rate with fps= (--fps)"
    assert told in sk.load(path).facts.notes
    assert not any("between" in note for note in sk.load(path, fps=320).facts.notes)


def test_keys_that_an_exporter_left_out_change_nothing(tmp_path: Path) -> None:
    """Curves of lines, of which only the corners are left: their commonest step is no frame."""
    corners = [0, 2, 4, 6, 9, 11, 13]
    values = np.random.default_rng(3).normal(size=(len(corners), 3))
    every = np.stack([np.interp(np.arange(14), corners, values[:, k]) for k in range(3)], axis=1)
    clips = []
    for kept, places in ((np.arange(14), every), (np.array(corners), values)):
        made = SmallGltf().animation(
            "a", (0, "translation", kept / 30, places), (1, "translation", [0, 13 / 30], PLACES[:2])
        )
        clips.append(sk.load(made.write(tmp_path / "a.glb")))
    assert clips[0].fps == clips[1].fps == 30.0
    np.testing.assert_allclose(clips[1].translations, clips[0].translations, atol=1e-6)


def test_joints_are_those_of_skins_and_what_they_hang_on(tmp_path: Path) -> None:
    nodes = [
        {"name": "lamp"},
        {"name": "foot"},
        {"name": "knee", "children": [1]},
        {"name": "scene", "children": [2, 0], "scale": [2, 2, 2]},
    ]
    made = SmallGltf(nodes).animation("a", (0, "translation", TIMES, PLACES), (1, "translation", TIMES, PLACES))
    made.root["skins"] = [{"joints": [1, 2], "name": "body"}]
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=2)
    assert clip.names == ("scene", "knee", "foot")
    np.testing.assert_array_equal(clip.positions()[:, 2], 2 * np.array(PLACES))
    assert "skin 'body' of 2 joints" in clip.facts.notes
    assert "1 channels of nodes that are not joints are left as they are" in clip.facts.notes


def test_without_a_skin_all_nodes_are_joints_and_without_an_animation_there_is_the_rest_pose(tmp_path: Path) -> None:
    made = SmallGltf([{"children": [1]}, {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1]}])
    path = made.write(tmp_path / "a.glb")
    clip = sk.load(path)
    assert clip.names == ("node_0", "node_1")
    assert clip.positions().tolist() == [[[0, 0, 0], [3, 4, 5]]]
    assert clip.facts.notes[-1] == "there is no animation: the clip is the rest pose"
    assert sk.load_animations(path) == {}


SHEAR = np.array([[1.0, 0.3, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0], [0.0, -0.2, 1.5, 1.0], [0.0, 0.0, 0.0, 1.0]])


def below_a_sheared_node(folder: Path) -> Path:
    """Write the example below a node with a sheared matrix."""
    sk.save_animations({"walk": sk.example("biped").clip}, folder / "walk.gltf")
    root = json.loads((folder / "walk.gltf").read_text())
    root["nodes"].append(
        {"name": "sheared", "matrix": SHEAR.T.ravel().tolist(), "children": root["scenes"][0]["nodes"]}
    )
    root["scenes"][0]["nodes"] = [len(root["nodes"]) - 1]
    (folder / "sheared.gltf").write_text(json.dumps(root))
    return folder / "sheared.gltf"


def test_nodes_with_a_sheared_matrix_keep_it(tmp_path: Path) -> None:
    plain, clip = sk.example("biped").clip, sk.load(below_a_sheared_node(tmp_path))
    expected = plain.positions() @ SHEAR[:3, :3].T + SHEAR[:3, 3]
    order = [clip.names.index(name) for name in plain.names]
    np.testing.assert_allclose(clip.positions()[:, order], expected, atol=1e-6)
    np.testing.assert_allclose(
        clip.local_matrices()[:, clip.names.index("sheared")], np.tile(SHEAR, (180, 1, 1)), atol=1e-12
    )
    assert "sheared by their matrices, which rotations and scales cannot express: 'sheared'" in clip.facts.notes
    clip.save(tmp_path / "same.gltf")
    assert (tmp_path / "same.gltf").read_bytes() == (tmp_path / "sheared.gltf").read_bytes()


def test_feet_below_a_sheared_node_are_planted_where_they_are_seen(tmp_path: Path) -> None:
    clip = sk.load(below_a_sheared_node(tmp_path))
    planted = clip.plant_feet()
    before, after = (
        reference.forward_kinematics(each.skeleton, each.local_matrices())[..., :3, 3] for each in (clip, planted.clip)
    )
    long = [each for each in planted.report.contacts if each.last_frame - each.first_frame > 8]
    assert len(long) > 4
    for contact in long:
        toe = clip.names.index(f"{contact.name.title()}ToeBase")
        still = slice(contact.first_frame + 3, contact.last_frame - 2)
        assert np.ptp(after[still, toe], axis=0).max() < 1e-5 < np.ptp(before[still, toe], axis=0).max()


def test_shear_is_refused_by_formats_without_a_place_and_left_out_by_the_shell(tmp_path: Path, capsys) -> None:
    clip = sk.load(below_a_sheared_node(tmp_path))
    new = sk.Clip(clip.skeleton, clip.rotations, clip.translations, clip.scales, fps=30)
    with pytest.raises(
        ValueError, match=r"rest_local\[\d+\] is sheared \('sheared'\): a new glTF file cannot hold that"
    ):
        new.save(tmp_path / "new.glb")
    rigid = sk.Clip(clip.skeleton, clip.rotations, clip.translations, fps=30)
    with pytest.raises(ValueError, match=r"is sheared \('sheared'\): a BVH file cannot hold that"):
        rigid.save(tmp_path / "new.bvh")
    assert main(["convert", str(tmp_path / "sheared.gltf"), str(tmp_path / "new.bvh")]) == 0
    assert "not written, because the format cannot store it: scales, shear" in capsys.readouterr().out
    again = sk.load(tmp_path / "new.bvh")
    order = [again.names.index(name) for name in clip.names]
    np.testing.assert_allclose(again.positions()[:, order], clip.positions(), atol=1e-5)


def test_names_that_occur_again_are_told_apart(tmp_path: Path) -> None:
    made = SmallGltf([{"name": "a", "children": [1]}, {"name": "a"}])
    for _ in range(2):
        made.animation("walk", (0, "translation", TIMES, PLACES))
    path = made.write(tmp_path / "a.glb")
    assert sk.load_animations(path).keys() == {"walk", "walk.001"}
    assert sk.load(path, "walk.001").names == ("a", "a.001")


VRM0 = {"VRM": {"humanoid": {"humanBones": [{"bone": "leftUpperLeg", "node": 1}, {"bone": "leftLowerLeg", "node": 2},
        {"bone": "leftFoot", "node": 3}, {"bone": "hips", "node": 0}]}}}  # fmt: skip
VRM1 = {"VRMC_vrm": {"humanoid": {"humanBones": {"leftUpperLeg": {"node": 1}, "leftLowerLeg": {"node": 2},
        "leftFoot": {"node": 3}, "hips": {"node": 0}}}}}  # fmt: skip
VRMA = {"VRMC_vrm_animation": VRM1["VRMC_vrm"]}


def humanoid(extensions: dict) -> SmallGltf:
    nodes = [
        {"name": "q0", "children": [1, 4], "translation": [0, 1, 0]},
        {"name": "q1", "children": [2], "translation": [0.1, 0, 0]},
        {"name": "q2", "children": [3], "translation": [0, -0.45, 0.02]},
        {"name": "q3", "translation": [0, -0.45, -0.02]},
        {"name": "q4", "translation": [0, 0.3, 0]},
    ]
    made = SmallGltf(nodes).animation("a", (0, "translation", TIMES, PLACES))
    made.root["extensions"] = extensions
    return made


HUMANOIDS = {"0.vrm": VRM0, "1.vrm": VRM1, "a.vrma": VRMA, "a.glb": VRM1}


@pytest.mark.parametrize("name", HUMANOIDS)
def test_humanoid_maps_name_the_legs(name: str, tmp_path: Path) -> None:
    clip = sk.load(humanoid(HUMANOIDS[name]).write(tmp_path / name))
    (leg,) = clip.find_legs()
    assert (leg.side, leg.chain) == ("left", (1, 2, 3))
    assert clip.names[1] == "q1"
    (planted,) = clip.plant_feet(ground=0.0).report.legs
    assert planted.name == "left"


@pytest.mark.parametrize("name", HUMANOIDS)
def test_files_with_a_humanoid_map_go_back_into_their_kind(name: str, tmp_path: Path) -> None:
    path = humanoid(HUMANOIDS[name]).write(tmp_path / name)
    clip = sk.load(path)
    (tmp_path / "out").mkdir()
    clip.save(tmp_path / "out" / name)
    assert (tmp_path / "out" / name).read_bytes() == path.read_bytes()
    clip.save(tmp_path / "out.gltf")
    assert sk.load(tmp_path / "out.gltf").find_legs() == clip.find_legs()
    other = "b.vrm" if name == "a.vrma" else "b.vrma"
    for one, wanted in ((clip, tmp_path / other), (sk.example("biped").clip, tmp_path / "new.vrm")):
        with pytest.raises(ValueError, match=r"a \.vrma? file has a humanoid map"):
            one.save(wanted)
        assert not wanted.exists()


def test_clips_of_gltf_are_copied_and_pickled_with_what_they_were_read_from(gltf_dir: Path, tmp_path: Path) -> None:
    clip = sk.load(gltf_dir / "Fox.glb", "Walk")
    again = pickle.loads(pickle.dumps(clip))
    assert again == clip
    again.save(tmp_path / "again.glb")
    assert (tmp_path / "again.glb").read_bytes() == (gltf_dir / "Fox.glb").read_bytes()


def test_legs_are_found_in_real_files(gltf_dir: Path) -> None:
    assert len(sk.load(gltf_dir / "Fox.glb", 0).find_legs()) == 4
    for name in ("cesium_man.gltf", "kaykit_Knight.glb"):
        clip = sk.load(gltf_dir / name, 0)
        assert [leg.side for leg in clip.find_legs()] == ["left", "right"]
