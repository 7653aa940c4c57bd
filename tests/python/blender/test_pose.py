# SPDX-License-Identifier: MIT
"""Blender's poses from arrays: recorded numbers of live Blender, algebra, and what is no armature or pose."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import skelkin_py.blender as blender
from skelkin_py.blender import BBones, Envelopes

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("blender_pose_*.npz"))
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def recorded(path: Path) -> list[tuple[blender.Armature, dict, np.ndarray]]:
    """Return (armature, channels, pose) of each rig that was recorded."""
    found = []
    with np.load(path) as file:
        for rig in range(int(file["count"])):
            of = {name.split(".", 1)[1]: file[name] for name in file.files if name.startswith(f"rig{rig}.")}
            channels = {name: of.pop(name) for name in ("location", "rotation", "rotation_mode", "scale")}
            pose = of.pop("pose")
            found.append((blender.Armature(**of), channels, pose))
    return found


def chain(count: int = 6, seed: int = 0, **options) -> blender.Armature:
    rng = np.random.default_rng(seed)
    tails = np.cumsum(rng.uniform(-1, 1, (count + 1, 3)), axis=0)
    connected = [False] + [True] * (count - 1)
    return blender.Armature.from_edit_bones(
        np.arange(-1, count - 1), tails[:-1], tails[1:], rng.uniform(-3, 3, count), connected=connected, **options
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_recorded_poses_come_out_bit_by_bit(path):
    rigs = recorded(path)
    equal = 0
    for armature, channels, pose in rigs:
        exact = armature.pose(**channels, exact=True)[0]
        assert np.abs(exact - pose).max() <= 1e-6 * max(np.abs(pose).max(), 1)
        equal += np.array_equal(exact, pose)
        wide = {name: np.asarray(value, float) for name, value in channels.items() if name != "rotation_mode"}
        double = armature.pose(**wide, rotation_mode=channels["rotation_mode"])[0]
        assert np.abs(double - pose).max() <= 1e-6 * max(np.abs(pose).max(), 1)
    assert equal >= 0.95 * len(rigs)


def test_there_are_recorded_poses_of_every_version():
    assert [path.stem.removeprefix("blender_pose_") for path in GOLDEN] == ["3.4", "4.2", "4.5", "5.0", "5.2"]


def test_a_bone_at_rest_stays_and_frames_do_not_meet():
    armature = chain()
    assert np.abs(armature.pose()[0] - armature.rest).max() < 1e-5
    rng = np.random.default_rng(1)
    turns = rng.normal(size=(21, 6, 4))
    together = armature.pose(rotation=turns)
    assert together.shape == (21, 6, 4, 4)
    alone = np.concatenate([armature.pose(rotation=frame) for frame in turns])
    assert np.array_equal(together, alone)
    assert np.array_equal(together.reshape(3, 7, 6, 4, 4), armature.pose(rotation=turns.reshape(3, 7, 6, 4)))


def test_leading_dimensions_broadcast_and_precision_follows_the_arrays():
    armature = chain()
    rng = np.random.default_rng(2)
    turns, sizes = rng.normal(size=(4, 1, 6, 4)), rng.uniform(0.5, 2, (5, 6, 3))
    pose = armature.pose(rotation=turns, scale=sizes)
    assert pose.shape == (4, 5, 6, 4, 4)
    assert np.array_equal(pose[3, 2], armature.pose(rotation=turns[3, 0], scale=sizes[2])[0])
    assert pose.dtype == np.float64
    assert armature.pose(rotation=turns.astype(np.float32)).dtype == np.float32
    assert armature.pose(scale=sizes, exact=True).dtype == np.float32
    assert armature.pose(rotation=np.zeros((0, 6, 4))).shape == (0, 6, 4, 4)
    assert blender.Armature([], np.zeros((0, 4, 4))).pose().shape == (1, 0, 4, 4)


@pytest.mark.parametrize("order", MODES[2:])
def test_eulers_turn_about_their_first_axis_first(order):
    armature = blender.Armature([-1], np.eye(4)[None])
    angles = np.array([0.3, -0.7, 1.1])
    expected = np.eye(3)
    for axis in order:
        turn = np.eye(3)
        i, j = ("XYZ".index(axis) + 1) % 3, ("XYZ".index(axis) + 2) % 3
        c, s = np.cos(angles["XYZ".index(axis)]), np.sin(angles["XYZ".index(axis)])
        turn[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
        expected = turn @ expected
    assert np.abs(armature.pose(rotation=angles[None], rotation_mode=order)[0, 0, :3, :3] - expected).max() < 1e-15
    four = np.append(angles, np.nan)[None]
    assert np.array_equal(
        armature.pose(rotation=four, rotation_mode=[order]), armature.pose(rotation=angles[None], rotation_mode=order)
    )


def test_quaternions_and_axes_without_length_mean_what_they_mean_in_blender():
    armature = blender.Armature([-1], np.eye(4)[None])
    half = armature.pose(rotation=np.zeros((1, 4)))[0, 0]
    assert np.abs(half - np.diag([1, -1, -1, 1])).max() < 1e-15
    still = armature.pose(rotation=[[2.0, 0, 0, 0]], rotation_mode="AXIS_ANGLE")[0, 0]
    assert np.array_equal(still, np.eye(4))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("mode", range(6))
@pytest.mark.parametrize("turns", [False, True])
def test_local_matrices_make_the_pose_again(dtype, mode, turns):
    rng = np.random.default_rng(mode)
    armature = chain(seed=mode, inherit_scale=[mode] * 6, inherit_rotation=[turns] * 6)
    moved = rng.normal(size=(9, 6, 3)).astype(dtype)
    turned, sizes = rng.normal(size=(9, 6, 4)).astype(dtype), rng.uniform(0.7, 1.4, (9, 6, 3)).astype(dtype)
    pose = armature.pose(moved, turned, scale=sizes)
    local = armature.local_from_pose(pose)
    assert local.dtype == dtype
    bound = 2e-4 if dtype == np.float32 else 1e-12
    assert np.abs(local[:, 0, :3, 3] - moved[:, 0]).max() < bound
    assert np.abs(np.linalg.norm(local[..., :3, :3], axis=-2) - sizes).max() < bound
    assert not local[:, 1:, :3, 3].any()  # connected


def test_children_of_a_bone_without_size_get_zeros():
    armature = chain(2)
    pose = armature.pose(scale=[[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    local = armature.local_from_pose(pose)
    assert np.isfinite(local).all()
    assert not local[0, 1, :3].any()


def test_frames_and_rolls_belong_to_each_other():
    rng = np.random.default_rng(5)
    directions = rng.normal(size=(200, 3))
    directions[:50] = [0, -1, 0] + 10.0 ** rng.uniform(-3, -1, (50, 1)) * rng.normal(size=(50, 3))
    rolls = rng.uniform(-3.1, 3.1, 200)
    frames = blender.frame_from_roll(directions, rolls)
    assert np.abs(np.swapaxes(frames, 1, 2) @ frames - np.eye(3)).max() < 1e-4
    unit = directions / np.linalg.norm(directions, axis=1)[:, None]
    assert np.abs(frames[..., 1] - unit).max() < 1e-14
    assert np.abs(blender.roll_from_frame(frames) - rolls).max() < 1e-4
    assert blender.frame_from_roll(np.float32([0, -1, 0])).tolist() == np.diag([-1, -1, 1]).tolist()
    half = blender.frame_from_roll([1.0, 1.0, 1.0], np.pi / 2)
    assert np.abs(half[:, 1] - 3**-0.5).max() < 1e-15
    with pytest.raises(ValueError, match=r"direction\[1\] is \[0.0, 0.0, 0.0\]: the square of its length must"):
        blender.frame_from_roll([[1, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"direction has shape \(2,\): expected \(..., 3\)"):
        blender.frame_from_roll([1, 0])
    with pytest.raises(ValueError, match=r"axes has shape \(4, 4\)"):
        blender.roll_from_frame(np.eye(4))
    with pytest.raises(ValueError, match=r"direction\[0, 2\] is nan: it must be finite"):
        blender.frame_from_roll([[1, 0, np.nan]])
    with pytest.raises(ValueError, match=r"roll has shape \(5,\): it does not broadcast to \(4,\)"):
        blender.frame_from_roll(np.ones((4, 3)), np.zeros(5))
    with pytest.raises(ValueError, match=r"direction \(5, 3\) and axes \(4, 3, 3\) do not broadcast"):
        blender.roll_from_frame(np.tile(np.eye(3), (4, 1, 1)), np.ones((5, 3)))


def test_files_keep_everything(tmp_path):
    count = 6
    envelopes = blender.Envelopes(*np.random.default_rng(3).random((4, count)), multiply=np.arange(count) % 2 == 0)
    armature = chain(envelopes=envelopes, bbones=BBones([1, 4, 1, 1, 8, 1]), deform=[True, False] * 3)
    armature.to_npz(tmp_path / "rig.npz")
    again = blender.Armature.from_npz(tmp_path / "rig.npz")
    assert again.names == armature.names
    for name, value in vars(armature).items():
        if isinstance(value, np.ndarray):
            assert np.array_equal(getattr(again, name), value), name
            assert not getattr(again, name).flags.writeable
    assert all(np.array_equal(a, b) for a, b in zip(again.envelopes, armature.envelopes))
    assert np.array_equal(again.bbones.segments, armature.bbones.segments)
    assert np.array_equal(again.bbones.shape.ease, armature.bbones.shape.ease)
    file = io.BytesIO()
    np.savez(file, names=np.array(["a"]))
    with pytest.raises(ValueError, match="file holds no armature: there is no array 'parents' in it"):
        blender.Armature.from_npz(io.BytesIO(file.getvalue()))


def test_files_that_hold_no_armature_are_named():
    whole, single = io.BytesIO(), io.BytesIO()
    chain().to_npz(whole)
    np.save(single, np.zeros(3))
    for content in (b"", b"a text", single.getvalue(), whole.getvalue()[:1000]):
        with pytest.raises(ValueError, match="file holds no armature: "):
            blender.Armature.from_npz(io.BytesIO(content))


EYES = np.tile(np.eye(4), (2, 1, 1))


@pytest.mark.parametrize(
    ("parents", "options", "said"),
    [
        ([0, -1], {}, r"parents\[0\] = 0: it must be -1 or the index of an earlier bone"),
        ([[-1, 0]], {}, r"parents has shape \(1, 2\) .*: expected \(B,\) integers"),
        ([-1, 0], {"names": ["a", "a"]}, r"names\[1\] = 'a' is already the name of bone 0"),
        ([-1, 0], {"names": ["a"]}, "names has 1 entries: expected 2"),
        ([-1, 0], {"lengths": [1, np.inf]}, r"lengths\[1\] is inf: it must be finite in float32"),
        ([-1, 0], {"heads": [[0, 0, 0], [0, 1e300, 0]]}, r"heads\[1, 1\] is 1e\+300: it must be finite"),
        ([-1, 0], {"inherit_scale": ["FULL", "SOME"]}, r"inherit_scale\[1\] = 'SOME': it must be one of FULL"),
        ([-1, 0], {"inherit_scale": [0, 6]}, r"inherit_scale\[1\] = 6"),
        ([-1, 0], {"inherit_scale": 3}, r"inherit_scale has shape \(\): expected \(2,\)"),
        ([-1, 0], {"inherit_scale": [True, False]}, r"inherit_scale\[0\] = True"),
        ([-1, 0], {"lengths": [1, -2]}, r"lengths\[1\] is -2.0: it must not be negative"),
        ([-1, 0], {"connected": [True]}, r"connected has shape \(1,\) .*: expected \(2,\) bool"),
        ([-1, 0], {"envelopes": blender.Envelopes(*np.ones((4, 3)), multiply=np.ones(3, bool))}, r"envelopes\.head_r"),
    ],
)
def test_what_is_no_armature_is_named(parents, options, said):
    with pytest.raises(ValueError, match=said):
        blender.Armature(parents, EYES, **options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"names": "ab"}, "names is 'ab': expected a sequence of 2 str"),
        ({"names": 5}, "names is 5: expected a sequence"),
        ({"names": ["a", 1]}, r"names\[1\] is 1: expected a str"),
        ({"envelopes": [1, 2]}, "envelopes is list: expected Envelopes or None"),
        ({"bbones": 3}, "bbones is int: expected BBones or None"),
    ],
)
def test_options_of_another_kind_are_named(options, said):
    with pytest.raises(TypeError, match=said):
        blender.Armature([-1, 0], EYES, **options)


def test_one_name_is_the_inherited_scale_of_all_bones():
    named = blender.Armature([-1, 0], EYES, inherit_scale="ALIGNED")
    mixed = blender.Armature([-1, 0], EYES, inherit_scale=["ALIGNED", 2])
    assert named.inherit_scale.tolist() == mixed.inherit_scale.tolist() == [2, 2]


def test_transposed_rest_matrices_are_named():
    moved = EYES.copy()
    moved[1, :3, 3] = 0, 2, 0
    with pytest.raises(ValueError, match=r"rest\[1\] has the last row \[0.0, 2.0, 0.0, 1.0\]: it must be 0, 0, 0, 1"):
        blender.Armature([-1, 0], moved.swapaxes(1, 2))


def test_a_bone_of_length_zero_has_its_children_at_its_head():
    armature = blender.Armature([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1)), lengths=[0, 0, 0])
    pose = armature.pose(location=[[1, 2, 3], [0, 0, 0], [0, 0, 0]], rotation=[[1, 1, 0, 0]] * 3)
    assert np.abs(pose[0, :, :3, 3] - [1, 2, 3]).max() < 1e-12


def test_an_armature_may_have_no_bones():
    armature = blender.Armature([], [])
    assert armature.pose().shape == (1, 0, 4, 4)
    channels = {"location": np.zeros((5, 0, 3)), "rotation": np.zeros((0, 4)), "scale": np.zeros((0, 3))}
    for exact in (False, True):
        assert armature.pose(**channels, rotation_mode=(), exact=exact).shape == (5, 0, 4, 4)
    assert armature.local_from_pose(np.zeros((5, 0, 4, 4))).shape == (5, 0, 4, 4)
    assert blender.Armature.from_edit_bones([], [], [], []).num_bones == 0
    file = io.BytesIO()
    armature.to_npz(file)
    assert blender.Armature.from_npz(io.BytesIO(file.getvalue())).num_bones == 0


def test_bones_without_axes_or_length_are_named():
    with pytest.raises(ValueError, match=r"rest\[0\] has no inverse: a bone at rest has three axes"):
        blender.Armature([-1, 0], EYES * np.diag([1, 0, 1, 1]))
    with pytest.raises(ValueError, match=r"tails\[0\] is at heads\[0\], \[1.0, 0.0, 0.0\]: a bone must be longer"):
        blender.Armature.from_edit_bones([-1], [[1, 0, 0]], [[1, 0, 0]], [0])
    with pytest.raises(ValueError, match=r"tails\[0, 1\] is nan: it must be finite"):
        blender.Armature.from_edit_bones([-1], [[1, 0, 0]], [[1, np.nan, 0]], [0])


@pytest.mark.parametrize(
    ("channels", "error", "said"),
    [
        ({"location": np.zeros((3, 3))}, ValueError, r"location has shape \(3, 3\): expected \(..., 2, 3\)"),
        ({"rotation": np.zeros((2, 3))}, ValueError, r"rotation has shape \(2, 3\): expected \(..., 2, 4\)"),
        ({"scale": np.zeros(2)}, ValueError, r"scale has shape \(2,\)"),
        ({"scale": [["a"] * 3] * 2}, TypeError, "scale has dtype <U1: numbers are needed"),
        ({"rotation_mode": "XYX"}, ValueError, "rotation_mode is 'XYX': it must be one of QUATERNION, XYZ"),
        ({"rotation_mode": ["XYZ", 3]}, ValueError, r"rotation_mode\[1\] is 3: it must be one of"),
        ({"rotation_mode": None}, TypeError, "rotation_mode is None: expected one name for all bones"),
        ({"rotation_mode": ["XYZ"]}, ValueError, "rotation_mode has 1 entries: expected 2, one per bone"),
        ({"scale": np.ones((2, 2, 3)), "location": np.ones((3, 2, 3))}, ValueError, r"location \(3, 2, 3\), scale"),
    ],
)
def test_channels_that_do_not_fit_are_named(channels, error, said):
    armature = blender.Armature([-1, 0], EYES)
    with pytest.raises(error, match=said):
        armature.pose(**channels)


def test_poses_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"pose has shape \(3, 4, 4\): expected \(..., 2, 4, 4\)"):
        blender.Armature([-1, 0], EYES).local_from_pose(np.zeros((3, 4, 4)))


@pytest.mark.filterwarnings("error")
def test_what_is_too_large_for_float32_is_infinite_in_exact_poses():
    pose = blender.Armature([-1, 0], EYES).pose(location=[[0, 1e300, 0], [0, 0, 0]], exact=True)
    assert np.isinf(pose[0, 0, 1, 3])


def test_what_is_not_finite_stays_in_its_frame_and_below():
    armature = blender.Armature([-1, 0, -1], np.tile(np.eye(4), (3, 1, 1)))
    moved = np.zeros((10, 3, 3))
    moved[4, 0, 0] = np.nan
    pose = armature.pose(moved)
    broken = ~np.isfinite(pose).all((2, 3))
    assert np.argwhere(broken).tolist() == [[4, 0], [4, 1]]


def loose_bones(count: int = 5, **options) -> blender.Armature:
    """A chain of bones away from their parents' tails."""
    rng = np.random.default_rng(7)
    heads = rng.normal(size=(count, 3))
    return blender.Armature.from_edit_bones(
        np.arange(-1, count - 1), heads, heads + rng.normal(size=(count, 3)), rng.uniform(-3, 3, count), **options
    )


@pytest.mark.parametrize("mode", range(6))
@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("local", [False, True])
def test_bones_that_may_move_get_their_location_back_under_every_parent_option(mode, turns, local):
    armature = loose_bones(inherit_scale=[mode] * 5, inherit_rotation=[turns] * 5, local_location=[local] * 5)
    rng = np.random.default_rng(3)
    moved = rng.normal(size=(20, 5, 3))
    pose = armature.pose(moved, rng.normal(size=(20, 5, 4)), scale=rng.uniform(0.5, 2, (20, 5, 3)))
    np.testing.assert_allclose(armature.local_from_pose(pose)[..., :3, 3], moved, atol=1e-10)


def test_full_inheritance_is_the_plain_matrix_product():
    armature = loose_bones()
    rng = np.random.default_rng(4)
    channels = {"location": rng.normal(size=(9, 5, 3)), "rotation": rng.normal(size=(9, 5, 4))}
    pose, basis = armature.pose(**channels), armature.local_from_pose(armature.pose(**channels))
    rest = armature.rest.astype(float)
    expected = pose[:, 1] @ np.linalg.inv(rest[1]) @ rest[2] @ basis[:, 2]
    np.testing.assert_allclose(pose[:, 2], expected, atol=1e-5)


def test_a_root_without_local_location_moves_along_the_armature_axes():
    armature = loose_bones(1, local_location=[False])
    pose = armature.pose(location=[[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(pose[0, 0, :3, 3], armature.rest[0, :3, 3] + [1, 2, 3], atol=1e-6)


def test_a_part_of_an_armature_has_the_poses_of_the_whole():
    armature = blender.Armature(
        [-1, 0, 1, 0, 3, -1],
        loose_bones(6).rest,
        connected=[False, True, True, False, True, False],
        inherit_scale=range(6),
        envelopes=Envelopes(*np.arange(24.0).reshape(4, 6), [False] * 6),
        bbones=BBones([1, 2, 3, 4, 5, 6]),
    )
    rng = np.random.default_rng(2)
    channels = {"location": rng.normal(size=(4, 6, 3)), "rotation": rng.normal(size=(4, 6, 4))}
    part = blender.sub_armature(armature, ["Bone.005", "Bone.004"])
    rows = [0, 3, 4, 5]
    assert part.names == tuple(armature.names[row] for row in rows)
    assert part.parents.tolist() == [-1, 0, 1, -1]
    assert part.bbones is None
    assert part.envelopes is not None
    assert part.envelopes.tail_radius.tolist() == [6, 9, 10, 11]
    posed = part.pose(**{name: value[:, rows] for name, value in channels.items()})
    assert np.array_equal(posed, armature.pose(**channels)[:, rows])
    with pytest.raises(ValueError, match="bones has 'Bone': the armature has no bone of that name"):
        blender.sub_armature(armature, ["Bone"])
