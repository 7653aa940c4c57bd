# SPDX-License-Identifier: MIT
"""Arrays of where joints are: read, planted and written back in their layout, with what did not change as it was."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
import reference

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.io.amass.body import names_of, parents_of

SKELETON = "kimodo_soma30_slow_walk.skeleton.json"


@pytest.fixture
def kimodo(data_dir: Path) -> Path:
    return data_dir / "npz" / "kimodo_soma30_slow_walk.npz"


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as packed:
        return dict(packed)


def humanml(folder: Path, data_dir: Path) -> Path:
    """Write the real walk of SMPL joints as HumanML3D's arrays are: (F, 22, 3) float32, Y up."""
    known = json.loads((data_dir / "npz" / "cmu_12_01_walk_amass_layout.skeleton.json").read_text())
    body = sk.Skeleton(known["parents"], offsets(known["rest_offsets"]), known["joint_names"])
    places = sk.load(data_dir / "npz" / "cmu_12_01_walk_amass_layout.npz", skeleton=body).positions()[::6, :22]
    np.save(folder / "walk.npy", np.stack([places[..., 1], places[..., 2], places[..., 0]], -1).astype(np.float32))
    return folder / "walk.npy"


def offsets(rows) -> np.ndarray:
    local = np.tile(np.eye(4), (len(rows), 1, 1))
    local[:, :3, 3] = rows
    return local


def test_positions_and_rotations_of_kimodo_are_those_of_the_file(kimodo):
    clip, arrays = sk.load(kimodo), arrays_of(kimodo)
    known = json.loads((kimodo.parent / SKELETON).read_text())
    assert list(clip.names) == known["joint_names"]
    assert np.asarray(clip.skeleton.parents).tolist() == known["parents"]
    assert np.abs(clip.positions() - arrays["posed_joints"]).max() <= 1e-6
    matrices = reference.forward_kinematics(clip.skeleton, clip.local_matrices())
    assert np.abs(matrices[..., :3, :3] - arrays["global_rot_mats"]).max() <= 1e-5
    assert clip.facts[:2] == ("Kimodo", None)
    assert (clip.fps, clip.facts.fps_source) == (30.0, "assumed: usual for these joints")
    assert sk.load(kimodo, skeleton=kimodo.parent / SKELETON) == clip
    assert len(clip.find_legs()) == 2


def test_an_unchanged_clip_gives_the_same_arrays_bit_for_bit(kimodo, tmp_path, data_dir):
    sk.load(kimodo).save(tmp_path / "same.npz")
    for key, array in arrays_of(kimodo).items():
        again = arrays_of(tmp_path / "same.npz")[key]
        assert (again.dtype, again.tobytes()) == (array.dtype, array.tobytes())
    source = humanml(tmp_path, data_dir)
    sk.load(source).save(tmp_path / "same.npy")
    assert (tmp_path / "same.npy").read_bytes() == source.read_bytes()


def test_what_planting_did_not_move_keeps_its_numbers_and_what_it_moved_is_there(kimodo, tmp_path):
    clip = sk.load(kimodo)
    planted = clip.plant_feet().clip
    planted.save(tmp_path / "planted.npz")
    old, new = arrays_of(kimodo), arrays_of(tmp_path / "planted.npz")
    assert list(new) == list(old)
    assert {key: (each.shape, each.dtype) for key, each in new.items()} == {
        key: (each.shape, each.dtype) for key, each in old.items()
    }
    assert np.abs(new["posed_joints"] - planted.positions()).max() <= 1e-6
    turned = planted.global_matrices()[..., :3, :3]
    assert np.abs(new["global_rot_mats"] - turned).max() <= 1e-5
    assert new["foot_contacts"].tobytes() == old["foot_contacts"].tobytes()
    stayed = np.abs(turned - clip.global_matrices()[..., :3, :3]).max(axis=(-1, -2)) == 0.0
    assert stayed[:, clip.names.index("Head")].all()
    assert new["global_rot_mats"][stayed].tobytes() == old["global_rot_mats"][stayed].tobytes()
    again = sk.load(tmp_path / "planted.npz")
    assert np.abs(again.positions() - planted.positions()).max() <= 1e-6


def test_labels_of_contacts_are_planted_if_asked(kimodo):
    clip, labels = sk.load(kimodo), arrays_of(kimodo)["foot_contacts"]
    given = clip.labelled_contacts()
    for k, (side, part) in enumerate((("left", "heel"), ("left", "ball"), ("right", "heel"), ("right", "ball"))):
        stands = np.zeros(len(labels), bool)
        for first, last in given[side][part]:
            stands[first : last + 1] = True
        assert (stands == labels[:, k]).all()
    report = clip.plant_feet(contacts=given).report
    for leg in report.legs:
        assert list(leg.heel_contacts) == given[leg.name]["heel"]
    assert clip[40:90].labelled_contacts()["left"]["ball"] == [
        (max(first - 40, 0), min(last - 40, 49)) for first, last in given["left"]["ball"] if last >= 40 and first < 90
    ]
    with pytest.raises(ValueError, match="has no labels of contacts"):
        sk.example("biped").clip.labelled_contacts()


def test_positions_alone_are_planted_and_written_in_their_layout(tmp_path, data_dir):
    source = humanml(tmp_path, data_dir)
    clip = sk.load(source)
    assert (clip.names, np.asarray(clip.skeleton.parents).tolist()) == (names_of(22), parents_of(names_of(22)))
    assert (clip.fps, clip.num_frames) == (20.0, len(np.load(source)))
    assert "22 joints are taken to be those of SMPL" in clip.facts.notes[0]
    assert np.abs(clip.positions() - np.load(source)).max() <= 1e-6
    planted = clip.plant_feet().clip
    assert np.abs(planted.positions() - clip.positions()).max() > 1e-3
    planted.save(tmp_path / "planted.npy")
    old, new = np.load(source), np.load(tmp_path / "planted.npy")
    assert (new.shape, new.dtype) == (old.shape, old.dtype)
    assert np.abs(new - planted.positions()).max() <= 1e-6
    stayed = np.abs(planted.positions() - clip.positions()).max(axis=-1) == 0.0
    assert new[stayed].tobytes() == old[stayed].tobytes()


def test_a_part_of_a_clip_is_written_as_that_part(kimodo, tmp_path, data_dir):
    sk.load(kimodo)[10:50].save(tmp_path / "part.npz")
    for key, array in arrays_of(kimodo).items():
        assert arrays_of(tmp_path / "part.npz")[key].tobytes() == array[10:50].tobytes()
    source = humanml(tmp_path, data_dir)
    sk.load(source)[10:50].save(tmp_path / "part.npy")
    assert np.load(tmp_path / "part.npy").tobytes() == np.load(source)[10:50].tobytes()


def test_one_motion_in_a_batch_is_that_motion(kimodo, tmp_path):
    arrays = {key: array[None] for key, array in arrays_of(kimodo).items()}
    np.savez(tmp_path / "batch.npz", **arrays)
    clip = sk.load(tmp_path / "batch.npz")
    assert clip == sk.load(kimodo)
    clip[5:9].save(tmp_path / "part.npz")
    for key, array in arrays.items():
        assert arrays_of(tmp_path / "part.npz")[key].tobytes() == array[:, 5:9].tobytes()
    np.savez(tmp_path / "two.npz", **{key: np.concatenate([array] * 2) for key, array in arrays.items()})
    with pytest.raises(sk.FormatError, match="2 motions in one array, load them one by one"):
        sk.load(tmp_path / "two.npz")


def test_joints_are_those_of_the_file_or_of_the_skeleton_that_is_given(tmp_path):
    biped = sk.example("biped").clip
    parents, names = np.asarray(biped.skeleton.parents), np.array(biped.names)
    np.savez(tmp_path / "own.npz", positions=biped.positions(), parents=parents, joint_names=names, fps=25)
    own = sk.load(tmp_path / "own.npz")
    assert (own.names, own.fps, own.facts.notes[0]) == (biped.names, 25.0, "joints are those of the file")
    biped.save(tmp_path / "rig.bvh")
    np.save(tmp_path / "joints.npy", biped.positions())
    for skeleton in (biped, biped.skeleton, str(tmp_path / "own.npz")):
        assert sk.load(tmp_path / "joints.npy", skeleton=skeleton).names == biped.names
    np.save(tmp_path / "rig.npy", sk.load(tmp_path / "rig.bvh").positions())  # a BVH file has an order of its own
    assert sk.load(tmp_path / "rig.npy", skeleton=tmp_path / "rig.bvh").names == sk.load(tmp_path / "rig.bvh").names
    np.save(tmp_path / "few.npy", biped.positions()[:, :9])
    with pytest.raises(ValueError, match="has positions of 9 joints and does not say which they are; give skeleton="):
        sk.load(tmp_path / "few.npy")
    with pytest.raises(ValueError, match="skeleton has 22 joints, and the positions are those of 9"):
        sk.load(tmp_path / "few.npy", skeleton=biped)


def test_a_skeleton_as_json_gives_offsets_to_poses(data_dir, tmp_path):
    folder = data_dir / "npz"
    known = json.loads((folder / "cmu_12_01_walk_amass_layout.skeleton.json").read_text())
    clip = sk.load(
        folder / "cmu_12_01_walk_amass_layout.npz", skeleton=folder / "cmu_12_01_walk_amass_layout.skeleton.json"
    )
    apart = np.abs(clip.positions()[::20, :22] - np.array(known["joint_positions_every_20th_frame"]))
    assert np.delete(apart, known["joint_names"].index("head"), axis=1).max() <= 3e-5  # a joint of the neck is left out
    keys = {"parents": known["parents"], "names": known["joint_names"], "offsets": known["rest_offsets"]}
    np.savez(tmp_path / "body.npz", **keys)
    assert sk.load(folder / "cmu_12_01_walk_amass_layout.npz", skeleton=tmp_path / "body.npz") == clip


BROKEN_SKELETONS = {
    "no JSON": ("{", "not valid JSON"),
    "a list": ("[1, 2]", "an object with"),
    "no parents": ('{"names": ["a"]}', "has no 'parents'"),
    "words for parents": ('{"parents": ["a"]}', "must be a list of whole numbers"),
    "a circle": ('{"parents": [1, 0]}', "parents"),
    "too few offsets": ('{"parents": [-1, 0], "offsets": [[0, 0, 0], [0]]}', "rig.json"),
    "an offset that is no number": ('{"parents": [-1], "offsets": [[0, NaN, 0]]}', "rig.json"),
    "nested a million times": ("[" * 10**6, "not valid JSON"),
    "a name that is half a letter": ('{"parents": [-1, 0], "names": ["a", "b\\ud800"]}', r"names\[1\] is 'b\\ud800'"),
}


@pytest.mark.parametrize("kind", BROKEN_SKELETONS)
def test_a_broken_skeleton_is_named(kind, tmp_path):
    text, words = BROKEN_SKELETONS[kind]
    (tmp_path / "rig.json").write_text(text)
    np.save(tmp_path / "joints.npy", np.zeros((3, 2, 3)))
    with pytest.raises(ValueError, match=words) as caught:
        sk.load(tmp_path / "joints.npy", skeleton=tmp_path / "rig.json")
    assert "rig.json" in str(caught.value)


GOOD = {"posed_joints": np.zeros((4, 22, 3)), "foot_contacts": np.zeros((4, 4), bool)}
TURNS = np.tile(np.eye(3), (4, 22, 1, 1))
NAMES = {"parents": np.arange(-1, 21), "joint_names": np.array([f"joint {k}" for k in range(22)])}


def with_code(code: int) -> np.ndarray:
    """Return names of joints, of which the third begins with a code."""
    names = NAMES["joint_names"].copy()
    names.view(np.uint32).reshape(22, -1)[2, 0] = code
    return names


BROKEN = {
    "a name beyond Unicode": (GOOD | NAMES | {"joint_names": with_code(0x110000)}, r"joint_names\[2\] has 0x110000"),
    "a name that is half a letter": (GOOD | NAMES | {"joint_names": with_code(0xD800)}, "has 0xd800 at 0: .* Unicode"),
    "no joint": ({"posed_joints": np.zeros((4, 0, 3))}, r"posed_joints has the shape \(4, 0, 3\)"),
    "two numbers a joint": ({"posed_joints": np.zeros((4, 22, 2))}, r"has the shape \(4, 22, 2\)"),
    "not a number": ({"posed_joints": np.full((4, 22, 3), np.nan)}, "posed_joints of joint 0 in frame 0 is"),
    "far away": ({"posed_joints": np.full((4, 22, 3), 1e30)}, "posed_joints of joint 0 in frame 0 is"),
    "whole numbers": ({"posed_joints": np.zeros((4, 22, 3), int)}, "holds int64: floating-point numbers are needed"),
    "other rotations": (GOOD | {"global_rot_mats": TURNS[:3]}, r"global_rot_mats has the shape \(3, 22, 3, 3\)"),
    "a mirror": (GOOD | {"global_rot_mats": -TURNS}, "global_rot_mats of joint 0 in frame 0 is not a rotation"),
    "scaled rotations": (
        GOOD | {"global_rot_mats": 2 * TURNS},
        "global_rot_mats of joint 0 in frame 0 is not a rotation",
    ),
    "a rate of nothing": (GOOD | {"fps": 0.0}, "the rate is 0.0"),
    "parents in a circle": (GOOD | {"parents": np.ones(22, int)}, "parents"),
    "nothing known": ({"vectors": np.zeros((4, 263))}, "neither poses of the SMPL family nor positions of joints"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_named(kind, tmp_path):
    arrays, words = BROKEN[kind]
    np.savez(tmp_path / "motion.npz", **arrays)
    with pytest.raises(sk.FormatError, match=words) as caught:
        sk.load(tmp_path / "motion.npz")
    assert "motion.npz" in str(caught.value)


@pytest.mark.parametrize("code", [0, 1, 7, 10, 27, 0x7F, 0x85, 0x2028, 0x202E, 0xFEFF, 0xFFFE, 0x10FFFF])
def test_names_of_unusual_letters_are_read_and_written(code, tmp_path):
    np.savez(tmp_path / "motion.npz", **GOOD, **NAMES | {"joint_names": with_code(code)})
    clip = sk.load(tmp_path / "motion.npz")
    assert clip.names[2] == f"{chr(code)}oint 2"
    clip.find_legs()
    clip.save(tmp_path / "motion.glb")
    assert sk.load(tmp_path / "motion.glb").names == clip.names
    with pytest.raises(ValueError, match=r"names\[2\] is .*: a BVH name is not empty"):
        clip.save(tmp_path / "motion.bvh")
    assert not (tmp_path / "motion.bvh").exists()


@pytest.mark.parametrize(
    ("arrays", "rates"),
    [
        ({"posed_joints": np.zeros((4, 22, 3))}, ("fps", "mocap_framerate")),
        ({"poses": np.zeros((4, 66)), "trans": np.zeros((4, 3))}, ("mocap_framerate", "mocap_frame_rate")),
    ],
    ids=["positions", "poses"],
)
def test_the_rate_of_arrays_may_be_given_and_is_doubted_where_it_is_the_time_of_a_frame(arrays, rates, tmp_path):
    path, saved = tmp_path / "motion.npz", tmp_path / "saved.npz"
    for rate, key in ((50, rates[0]), (0.5, rates[1])):
        np.savez(path, **arrays, **{key: rate})
        sk.load(path).save(saved)
        assert (sk.load(path).fps, sk.load(path).facts.fps_source) == (rate, "file")
        assert arrays_of(saved)[key] == rate
    for rate, expected in ((1 / 30, 30), (np.float32(1 / 120), 120), (0.04, 25)):
        np.savez(path, **arrays, **{rates[0]: rate})
        with pytest.warns(
            sk.FormatWarning,
            match=rf"taken for the seconds of a frame: {expected} frames per second; give the rate with fps=",
        ):
            clip = sk.load(path)
        assert clip.fps == pytest.approx(expected, rel=1e-6)
        clip.save(saved)
        assert sk.load(saved).fps == clip.fps
    for rate in (120, 0.04, 0.0, np.nan, "30", [1.0, 2.0]):
        np.savez(path, **arrays, **{rates[0]: rate})
        clip = sk.load(path, fps=29.97)
        assert (clip.fps, clip.facts.fps_source) == (29.97, "given")
        clip[1:].save(saved)
        assert sk.load(saved).fps == 29.97
    for rate, shown in (("30", "'30'"), ("fast", "'fast'"), (-1.0, "-1.0")):
        np.savez(path, **arrays, **{rates[0]: rate})
        with pytest.raises(
            sk.FormatError, match=rf"is {shown}: a number of frames per second is needed; give it with fps="
        ):
            sk.load(path)


class Bomb:
    """What says so if it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


def test_python_objects_are_never_opened_and_the_line_to_type_is_told(tmp_path):
    with open(tmp_path / "results.npy", "wb") as file:
        np.lib.format.write_array(file, np.array([{"motion": Bomb()}]), allow_pickle=True)
    with pytest.raises(sk.FormatError, match=r"np.load\(path, allow_pickle=True\).*sk.Clip.from_positions"):
        sk.load(tmp_path / "results.npy")
    for name, opener in (("gvhmr.pt", "torch.load"), ("wham.pkl", "joblib.load")):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb()))
        with pytest.raises(ValueError, match=rf"{opener}\('.*{name}'.*sk.Clip.from_smpl\(poses, fps=30\)"):
            sk.load(tmp_path / name)


@pytest.mark.slow
def test_an_array_that_unpacks_to_too_much_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        header = b"\x93NUMPY\x01\x00"
        text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 22, 3), }\n"
        with packed.open("posed_joints.npy", "w", force_zip64=True) as member:
            member.write(header + len(text).to_bytes(2, "little") + text)
            for _ in range(528):
                member.write(bytes(1_000_000))
    with pytest.raises(sk.FormatError, match="unpacks to more than"):
        sk.load(tmp_path / "bomb.npz")


@pytest.mark.slow
@pytest.mark.parametrize("packed", [True, False], ids=["npz", "npy"])
def test_two_thousand_damaged_files_are_read_or_refused(packed, tmp_path, kimodo):
    path = tmp_path / ("motion.npz" if packed else "motion.npy")
    arrays = arrays_of(kimodo)
    if packed:
        np.savez(path, **{key: array[:3] for key, array in arrays.items()})
    else:
        np.save(path, arrays["posed_joints"][:3])
    whole, read = path.read_bytes(), 0
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        data = bytearray(whole)
        for _ in range(int(rng.integers(1, 5))):
            place = int(rng.integers(len(data)) if rng.integers(2) else rng.integers(min(200, len(data))))
            if rng.integers(4):
                data[place] = int(rng.integers(256))
            else:
                del data[place : place + int(rng.integers(1, 40))]
        path.write_bytes(data)
        try:
            clip = sk.load(path)
        except sk.FormatError:
            continue
        except ValueError as error:  # joints of which nobody knows what they are
            if "does not say which they are" not in str(error):
                raise
            continue
        read += 1
        assert np.isfinite(clip.positions()).all()
    assert read > 50


def test_any_clip_is_written_as_positions(tmp_path):
    clip = sk.example("biped").clip
    clip.save(tmp_path / "joints.npy")
    assert np.load(tmp_path / "joints.npy").dtype == np.float32
    assert np.abs(np.load(tmp_path / "joints.npy") - clip.positions()).max() <= 1e-6
    with pytest.raises(ValueError, match=r"was not read from an \.npz file of positions"):
        clip.save(tmp_path / "joints.npz")
    assert not (tmp_path / "joints.npz").exists()


def test_the_shell_plants_checks_and_converts_arrays(tmp_path, data_dir, kimodo, capsys):
    source, planted = humanml(tmp_path, data_dir), tmp_path / "planted.npy"
    assert main(["plant", str(source), "-o", str(planted)]) == 0
    assert np.abs(np.load(planted) - sk.load(source).plant_feet().clip.positions()).max() <= 1e-6
    assert main(["info", str(source)]) == 0
    assert "22 joints are taken to be those of SMPL" in " ".join(capsys.readouterr().out.split())
    assert main(["convert", str(kimodo), str(tmp_path / "kimodo.npy")]) == 0
    assert "not written" not in capsys.readouterr().out
    sk.example("biped").clip.save(tmp_path / "rig.bvh")
    biped = sk.example("biped").clip
    np.save(tmp_path / "odd.npy", biped.positions()[:, :21])
    rig = {"parents": np.asarray(biped.skeleton.parents)[:21].tolist(), "joint_names": list(biped.names)[:21]}
    (tmp_path / "rig.json").write_text(json.dumps(rig))
    assert main(["info", str(tmp_path / "odd.npy")]) == 1
    assert "give skeleton= (--skeleton)" in capsys.readouterr().err
    assert main(["info", "--skeleton", str(tmp_path / "rig.json"), str(tmp_path / "odd.npy")]) == 0
    line = ["plant", "--skeleton", str(tmp_path / "rig.json"), str(tmp_path / "odd.npy"), "-o", str(tmp_path / "o.npy")]
    assert main(line) == 0
    assert np.load(tmp_path / "o.npy").shape == (180, 21, 3)
    capsys.readouterr()


@pytest.mark.slow
def test_folders_with_all_kinds_are_planted_and_other_arrays_are_left_alone(tmp_path, data_dir, kimodo, capsys):
    folder = tmp_path / "clips"
    folder.mkdir()
    humanml(folder, data_dir)
    (folder / "kimodo.npz").write_bytes(kimodo.read_bytes())
    sk.example("biped").clip.save(folder / "biped.bvh")
    np.save(folder / "features.npy", np.zeros((10, 263)))
    assert main(["plant", str(folder), "-o", str(tmp_path / "planted")]) == 0
    made = {path.name for path in (tmp_path / "planted").iterdir() if not path.name.startswith(".")}
    assert {"walk.npy", "kimodo.npz", "biped.bvh"} <= made
    assert "features.npy" not in made
    capsys.readouterr()


def smpl(frames: int = 9) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    return {
        "global_orient": rng.normal(0, 0.3, (frames, 3)),
        "body_pose": rng.normal(0, 0.3, (frames, 63)),
        "transl": rng.normal(0, 1.0, (frames, 3)),
    }


def test_arrays_of_poses_in_memory_are_those_of_a_file(tmp_path):
    arrays = smpl()
    np.savez(tmp_path / "poses.npz", **arrays)
    clip, read = sk.Clip.from_smpl(arrays, fps=24), sk.load(tmp_path / "poses.npz", fps=24)
    assert clip == read
    assert clip.facts.notes == read.facts.notes
    nested = {"smpl_params_incam": smpl(3), "smpl_params_global": arrays, "K": np.eye(3)}
    assert sk.Clip.from_smpl(nested, fps=24) == clip
    clip.save(tmp_path / "clip.glb")
    with pytest.raises(ValueError, match=r"was not read from an \.npz file"):
        clip.save(tmp_path / "clip.npz")


def estimated(frames: int = 9) -> dict[str, np.ndarray]:
    """Return what WHAM has of a person: before the camera, and in the world."""
    rng = np.random.default_rng(5)
    pose, trans = rng.normal(0, 0.3, (2, frames, 72)), rng.normal(0, 1.0, (2, frames, 3))
    return {"pose": pose[0], "trans": trans[0], "pose_world": pose[1], "trans_world": trans[1], "betas": np.zeros(10)}


def test_poses_of_one_person_are_found_below_other_keys_and_those_in_the_world_are_taken():
    wham = estimated()
    expected = sk.Clip.from_smpl({"poses": wham["pose_world"], "trans": wham["trans_world"]}, fps=30)
    for arrays in (wham, {7: wham}, {np.int64(7): wham}, {"people": {7: wham}, "camera_world": {}}):
        assert sk.Clip.from_smpl(arrays, fps=30) == expected
    assert sk.Clip.from_smpl({7: wham}, fps=30).facts.notes[0] == "the poses are those of arrays[7]"
    smplx = {"smplx_cam": estimated(), "smplx_world": {"pose": np.zeros((9, 165)), "trans": np.ones((9, 3))}}
    assert sk.Clip.from_smpl({"people": {1: smplx}}, fps=30).names == names_of(55)


def test_scaled_translations_and_rotation_matrices_are_read():
    pose, trans = estimated()["pose"], estimated()["trans"]
    expected = sk.Clip.from_smpl({"poses": pose, "trans": trans}, fps=60)
    scaled = {"smpl_poses": pose.reshape(-1, 24, 3), "smpl_trans": 93.8 * trans, "smpl_scaling": np.array([93.8])}
    matrices = sk.quaternion_to_matrix(sk.quaternion_from_rotation_vector(pose.reshape(-1, 24, 3)))
    tracked = {"pred_rotmat": matrices, "pred_trans": trans[:, None], "frame": np.arange(len(pose))}
    halves = {"global_orient": matrices[:, :1], "body_pose": matrices[:, 1:], "transl": trans}
    assert sk.Clip.from_smpl(scaled).fps == 60
    for arrays in (scaled, tracked, halves):
        np.testing.assert_allclose(
            sk.Clip.from_smpl(arrays, fps=60).positions(), expected.positions(), rtol=0, atol=1e-12
        )


def test_poses_without_a_place_stay_in_place():
    pose = estimated()["pose"]
    clip = sk.Clip.from_smpl({1: {"pose": pose, "pred_cam": np.zeros((9, 3)), "joints2d": None}}, fps=30)
    assert clip == sk.Clip.from_smpl({"poses": pose}, fps=30)
    assert "it stays in place" in clip.facts.notes[-1]
    world = {"pose": pose, "trans": np.ones((9, 3)), "pose_world": pose}
    assert sk.Clip.from_smpl(world, fps=30) == clip  # the place before the camera is none in the world


@pytest.mark.parametrize("names", [("p1", "p2"), (0, 3), (np.int64(0), np.int64(3)), ("hello world", "p2")])
def test_of_several_people_none_is_taken_and_all_are_named(names):
    first, second = (f"arrays[{getattr(name, 'item', lambda name=name: name)()!r}]" for name in names)
    with pytest.raises(sk.FormatError) as told:
        sk.Clip.from_smpl({names[0]: estimated(), names[1]: estimated()}, fps=30)
    assert told.value.reason == (
        f"has poses of 2 people, {first}, {second}: give one, as Clip.from_smpl({first}, fps=30)"
    )


class WithGradients:
    """What refuses to be an array as a tensor of torch that has gradients does."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise RuntimeError("call detach() first")


@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # numpy before 1.24
@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, "no poses of the SMPL family"),
        ({0: {"poses_body": 1}, "b": 2}, "its arrays are 0, b; in the first mapping of them are poses_body"),
        ({"a": {"b": {"c": {"d": {"pose": np.zeros((4, 72))}}}}}, "no poses of the SMPL family"),
        ({0: {"pose": np.zeros((4, 60, 3, 3))}}, r"arrays\[0\]: pose has 180 values a frame: rotation vectors"),
        ({"pred_rotmat": np.full((4, 24, 3, 3), np.nan)}, r"pred_rotmat\[0, 0\] is .*: a rotation matrix is needed"),
        ({"pred_rotmat": np.ones((4, 24, 3, 3))}, r"pred_rotmat\[0, 0\] is .*: a rotation matrix is needed"),
        ({"smpl_poses": np.zeros((4, 72)), "smpl_scaling": [0.0], "smpl_trans": np.ones((4, 3))}, "above 0 is needed"),
        ({0: {"pose": WithGradients()}}, "pose is a WithGradients, not an array of numbers: call detach"),
        ({0: {"pose": None}}, "pose has dtype object"),
        ({0: {"pose": [[0.0] * 72, [0.0]]}}, "pose (is not an array of numbers|has dtype object)"),
        ({"poses": np.zeros((4, 65))}, "poses has 65 values a frame"),
        ({"poses": np.full((4, 66), np.nan)}, "poses of joint 0 in frame 0"),
        ({"poses": np.array([["a"] * 66])}, "poses has dtype"),
        ({"poses": np.zeros((4, 66)), "trans": np.zeros((3, 3))}, r"trans has the shape \(3, 3\)"),
    ],
)
def test_arrays_in_memory_that_are_no_poses_are_named(arrays, words):
    with pytest.raises((ValueError, TypeError), match=words):
        sk.Clip.from_smpl(arrays)
