# SPDX-License-Identifier: MIT
"""Bendy bones without Blender: what Blenders made of rigs, kept in files, and what must hold of any bend."""

import re
from pathlib import Path

import numpy as np
import pytest

from skelkin_py import _core, blender

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("bbones-*.npz"))
CASES = range(5)


def recorded(path, case):
    """Return the armature, what its pose adds, and the other arrays of one recorded rig."""
    with np.load(path) as arrays:
        own = {name.split("_", 1)[1]: arrays[name] for name in arrays.files if name.startswith(f"{case}_")}
    parts = {prefix: {n[len(prefix) :]: v for n, v in own.items() if n.startswith(prefix)} for prefix in PREFIXES}
    bones = parts["armature_"]
    armature = blender.Armature(**bones, bbones=blender.BBones.from_arrays(parts["bbones_"]))
    return armature, blender.BBoneShape(**parts["channels_"]), own


PREFIXES = ("armature_", "bbones_", "channels_")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_segments_are_where_blender_had_them(path, case):
    armature, channels, own = recorded(path, case)
    rest = [blender.segment_frames(armature, bone) for bone in armature.bbones.bendy]
    posed = [blender.segment_frames(armature, bone, own["pose"], channels) for bone in armature.bbones.bendy]
    assert np.abs(np.concatenate(rest + posed) - own["frames"]).max() <= 5e-5


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_points_move_as_blender_moved_them(path, case):
    armature, channels, own = recorded(path, case)
    palette = blender.segment_palette(armature, own["pose"], channels)
    for bone in armature.bbones.bendy:
        mine = own["bones"] == bone
        index, blend = blender.segment_weights(armature, own["points"][mine], bone)
        row, blend = palette.first[bone] + index, blend[:, None, None]
        moves = (1 - blend) * palette.matrices[row] + blend * palette.matrices[row + 1]
        moved = np.einsum("nij,nj->ni", moves[:, :3, :3], own["points"][mine]) + moves[:, :3, 3]
        assert np.abs(moved - own["moved"][mine]).max(initial=0) <= 5e-5


def bent(segments=6, curved=False, beside=1):
    """Return a chain of three bones along Z, the middle one bendy between connected neighbours."""
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    rest[:, 2, 3] = [0, 1, 2]
    options = blender.BBones([beside, segments, beside], curved=[curved] * 3)
    return blender.Armature([-1, 0, 1], rest, connected=[False, True, True], bbones=options)


def turned(armature, angle):
    """Turn the last bone about X, as a pose."""
    pose = armature.rest.astype(float)
    cosine, sine = np.cos(angle), np.sin(angle)
    pose[2, :3, :3] = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]) @ pose[2, :3, :3]
    return pose


def test_nothing_moves_in_the_rest_pose():
    armature = bent()
    palette = blender.segment_palette(armature, armature.rest)
    assert palette.matrices.dtype == np.float32
    np.testing.assert_allclose(palette.matrices, np.tile(np.eye(4), (7, 1, 1)), atol=1e-6)
    assert (palette.first.tolist(), palette.rows.tolist()) == ([0, 0, 7], [0, 7, 0])


def test_segments_bend_towards_the_next_bone_and_keep_their_lengths_even():
    armature = bent()
    frames = blender.segment_frames(armature, 1, turned(armature, 0.6))
    steps = np.linalg.norm(np.diff(frames[:, :3, 3], axis=0), axis=1)
    assert np.ptp(steps) < 0.02 * steps.mean()
    np.testing.assert_allclose(frames[0, :3, 1], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(frames[-1, :3, 1], [0, np.cos(0.6), np.sin(0.6)], atol=1e-6)


def test_leading_dimensions_of_poses_and_of_what_they_add_are_kept():
    armature = bent()
    poses = np.array([[turned(armature, angle) for angle in row] for row in ((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))])
    added = blender.BBoneShape.default(3, of_pose=True)
    curves = np.random.default_rng(1).uniform(-0.3, 0.3, (2, 3, *added.curve.shape)).astype(np.float32)
    together = blender.segment_palette(armature, poses, added._replace(curve=curves)).matrices
    assert together.shape == (2, 3, 7, 4, 4)
    for place in np.ndindex(2, 3):
        alone = blender.segment_palette(armature, poses[place], added._replace(curve=curves[place])).matrices
        np.testing.assert_array_equal(together[place], alone)


@pytest.mark.parametrize("curved", [False, True])
def test_points_along_a_straight_bone_are_between_the_boundaries_beside_them(curved):
    armature = bent(curved=curved)
    points = np.array([[0.1, -0.2, z] for z in np.linspace(0.5, 2.5, 41)])
    index, blend = blender.segment_weights(armature, points, 1)
    expected = 6 * np.clip(points[:, 2] - 1, 0, 1)
    np.testing.assert_allclose(index + blend, expected, atol=1e-6)
    assert np.unique(index).tolist() == list(range(6))
    assert np.all((blend >= 0) & (blend <= 1))


def test_what_the_pose_adds_is_added_and_scale_multiplied():
    bones, posed = blender.BBoneShape.default(1), blender.BBoneShape.default(1, of_pose=True)
    both = bones._replace(scale=bones.scale * 2).with_pose(posed._replace(ease=posed.ease + 0.5, scale=posed.scale * 3))
    assert both.ease.tolist() == [[1.5, 1.5]]
    assert np.unique(both.scale).tolist() == [6]


def test_options_survive_a_file(tmp_path):
    options = blender.BBones(
        [2, 32], handle_types=[["AUTO", "TANGENT"]] * 2, handles=[[1, -1], [-1, 0]], curved=[1 > 0, 1 < 0]
    )
    np.savez(tmp_path / "options.npz", **options.to_arrays())
    with np.load(tmp_path / "options.npz") as arrays:
        again = blender.BBones.from_arrays(arrays)
    for name, value in options.to_arrays().items():
        np.testing.assert_array_equal(again.to_arrays()[name], value)


def test_an_armature_forgets_options_of_bones_that_do_not_bend():
    armature = blender.Armature([-1], np.eye(4)[None], bbones=blender.BBones([1]))
    assert armature.bbones is None
    assert blender.segment_palette(armature, armature.rest).matrices.shape == (0, 4, 4)


def test_a_bone_scaled_to_nothing_between_bendy_ones_is_straight():
    armature = bent(beside=2)
    pose = turned(armature, 0.6)
    pose[1, :3, :3] = 0
    frames = blender.segment_frames(armature, 1, pose)
    np.testing.assert_allclose(frames[:, :3, :3], np.tile(np.eye(3), (7, 1, 1)), atol=1e-12)
    np.testing.assert_allclose(frames[:, 1, 3], np.arange(7) / 6, atol=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"segments": [1, 33]}, r"segments\[1\] = 33: it must be 1 to 32"),
        ({"segments": [0, 2]}, r"segments\[0\] = 0"),
        ({"segments": [1.5, 2]}, "segments has shape"),
        ({"handle_types": [["AUTO", "NEAR"], ["AUTO", "AUTO"]]}, r"handle_types\[0, 1\] = .*NEAR.*ABSOLUTE"),
        ({"handle_types": [[0, 4], [0, 0]]}, r"handle_types\[0, 1\] = .*4"),
        ({"handle_types": ["AUTO", "AUTO"]}, "handle_types has shape"),
        ({"handles": [[-1, 2], [0, 0]]}, r"handles\[0, 1\] = 2: it must be -1 or the index of one of 2 bones"),
        ({"handles": [0, 1]}, "handles has shape"),
        ({"curved": [1.0, 0.0]}, "curved has shape"),
        ({"handle_scale": [True, True]}, "handle_scale has shape"),
        ({"shape": blender.BBoneShape.default(3)}, r"shape.ease has shape \(3, 2\)"),
    ],
)
def test_wrong_options_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        blender.BBones(**{"segments": [1, 2], **given})


def test_wrong_arguments_are_named():
    armature = bent()
    with pytest.raises(ValueError, match="bbones is of 2 bones: expected 1"):
        blender.Armature([-1], np.eye(4)[None], bbones=blender.BBones([2, 2]))
    with pytest.raises(TypeError, match="bbones is dict"):
        blender.Armature([-1], np.eye(4)[None], bbones={})
    with pytest.raises(ValueError, match=r"pose has shape \(2, 4, 4\)"):
        blender.segment_palette(armature, armature.rest[:2])
    with pytest.raises(TypeError, match="pose has dtype"):
        blender.segment_palette(armature, armature.rest.astype(complex))
    added = blender.BBoneShape.default(3, of_pose=True)
    with pytest.raises(ValueError, match=r"bbones.ease has leading dimensions \(4,\): pose has \(\)"):
        blender.segment_palette(armature, armature.rest, added._replace(ease=np.zeros((4, 3, 2))))
    with pytest.raises(TypeError, match="bbones is dict"):
        blender.segment_palette(armature, armature.rest, {})
    with pytest.raises(ValueError, match="points has shape"):
        blender.segment_weights(armature, [[0.0, 1.0]], 1)
    for call in (
        lambda: blender.segment_weights(armature, np.zeros((1, 3)), 0),
        lambda: blender.segment_frames(armature, 3),
    ):
        with pytest.raises(ValueError, match="must be the index of a bone with more than one segment"):
            call()


PACKED = "is not a packed array of float64 of shape"


@pytest.mark.parametrize(
    ("bends", "out", "words"),
    [
        (np.zeros((2, 23)), np.zeros((2, 4, 4, 4)), f"bends {PACKED} (2, 24)"),
        (np.zeros((2, 24), np.float32), np.zeros((2, 4, 4, 4)), f"bends {PACKED} (2, 24)"),
        (np.zeros((1, 24)), np.zeros((2, 4, 4, 4)), f"out {PACKED} (1, ?, 4, 4)"),
        (np.zeros((2, 24)), np.zeros((2, 34, 4, 4)), "out must be (F, segments + 1, 4, 4)"),
        (np.zeros((2, 24)), np.zeros((2, 2, 4, 4)), "out must be (F, segments + 1, 4, 4)"),
        (np.zeros((2, 24)), np.zeros((2, 4, 4)), f"out {PACKED} (2, ?, 4, 4)"),
        (np.zeros((2, 24)), None, f"out {PACKED} (2, ?, 4, 4)"),
    ],
)
def test_the_core_takes_packed_arrays_only(bends, out, words):
    with pytest.raises(TypeError, match=f"^{re.escape(words)}"):
        _core.blender_bend(bends, out)
