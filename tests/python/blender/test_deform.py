# SPDX-License-Identifier: MIT
"""Armature modifiers without Blender: points that its versions have made, the rules, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.blender import ArmatureModifier, BBones, BBoneShape, Envelopes, VertexGroups

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("deform-*.npz"))
DUAL = ArmatureModifier(preserve_volume=True)
STACKS = {
    "linear": [ArmatureModifier()],
    "masked": [ArmatureModifier(vertex_group="mask")],
    "envelopes": [ArmatureModifier(use_bone_envelopes=True)],
    "dual": [DUAL],
    "dual_masked": [DUAL._replace(vertex_group="mask", invert=True)],
    "multi": [ArmatureModifier(), DUAL._replace(vertex_group="mask", multi=True)],
    "row": [ArmatureModifier(), ArmatureModifier(use_bone_envelopes=True)],
}


def recorded(path, seed):
    """Return the armature, the arguments of deform, and Blender's points by name of stack."""
    with np.load(path) as file:
        found = {name.split("_", 1)[1]: file[name] for name in file.files if name.startswith(f"{seed}_")}
    envelopes = Envelopes(*(found[f"envelopes_{name}"] for name in Envelopes._fields))
    options = {name[7:]: values for name, values in found.items() if name.startswith("bbones_")}
    names = ("parents", "rest", "names", "heads", "tails", "lengths", "deform", "connected")
    given = {name: found[name] for name in names}
    bbones = BBones.from_arrays(options) if options else None
    armature = sk.blender.Armature(**given, envelopes=envelopes, bbones=bbones)
    groups = VertexGroups(found["group_names"], found["offsets"], found["groups"], found["weights"])
    keywords = {name: found[name] for name in ("points", "mesh_world", "armature_world")} | {"groups": groups}
    if bbones is not None:
        keywords["bbones"] = BBoneShape(*(found[f"posed_{name}"] for name in BBoneShape._fields))
    keywords["compat"] = "3.4" if path.stem.endswith("3.4") else "4.2"
    expected = {name[9:]: values for name, values in found.items() if name.startswith("expected_")}
    return armature, found["pose"], keywords, expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_points_recorded_from_blender(path, seed):
    armature, pose, keywords, expected = recorded(path, seed)
    assert expected.keys() == STACKS.keys()
    for name, points in expected.items():
        bound = (5e-5 if armature.bbones else 5e-6 if name in ("envelopes", "row") else 1e-6) * np.abs(points).max()
        found = armature.deform(pose, modifiers=STACKS[name], **keywords)
        assert found.dtype == np.float32
        assert np.abs(found - points).max() <= bound, name
        wide = keywords | {"points": keywords["points"].astype(float)}
        assert np.abs(armature.deform(pose, modifiers=STACKS[name], **wide) - points).max() <= bound, name
        exact = armature.deform(pose, modifiers=STACKS[name], exact=True, **keywords)
        assert np.abs(exact - points).max() <= bound, name
        if armature.bbones is None and name in ("linear", "masked"):
            assert np.mean(np.any(exact != points, axis=1)) <= 0.02, name


def chain(bones=3, seed=0):
    rng = np.random.default_rng(seed)
    rest = np.tile(np.eye(4), (bones, 1, 1))
    rest[:, 1, 3] = np.arange(bones)
    pose = rest.copy()
    turns = sk.quaternion_from_axis_angle(rng.normal(size=(bones, 3)), rng.uniform(-3, 3, bones))
    pose[:, :3, :3] = sk.quaternion_to_matrix(turns)
    names = [f"bone{index}" for index in range(bones)]
    return sk.blender.Armature(np.arange(-1, bones - 1), rest, names=names, lengths=np.ones(bones)), pose


def random_groups(armature, vertices=200, seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, armature.num_bones + 1, vertices)
    offsets = np.append(0, np.cumsum(counts))
    groups = np.concatenate([rng.permutation(armature.num_bones)[:count] for count in counts])
    return VertexGroups(armature.names, offsets, groups, rng.random(groups.size)), rng.normal(size=(vertices, 3))


@pytest.mark.parametrize("modifier", [ArmatureModifier(), DUAL, ArmatureModifier(False, True)])
@pytest.mark.parametrize("exact", [False, True])
def test_the_rest_pose_moves_nothing(modifier, exact):
    armature, _ = chain()
    groups, points = random_groups(armature)
    found = armature.deform(armature.rest, points, groups=groups, modifiers=modifier, exact=exact)
    assert found.dtype == (np.float32 if exact else float)
    np.testing.assert_allclose(found, points, atol=1e-6 if exact else 1e-12)


@pytest.mark.parametrize("modifier", [ArmatureModifier(), DUAL])
@pytest.mark.parametrize("exact", [False, True])
def test_frames_give_what_each_gives_alone(modifier, exact):
    armature, _ = chain()
    groups, points = random_groups(armature)
    poses = np.stack([chain(seed=seed)[1] for seed in range(6)]).reshape(2, 3, -1, 4, 4)
    moved = np.eye(4)
    moved[:3, 3] = 1, 2, 3
    keywords = {"groups": groups, "modifiers": modifier, "mesh_world": moved, "exact": exact}
    found = armature.deform(poses, points, **keywords)
    assert found.shape == (2, 3, 200, 3)
    for index in np.ndindex(2, 3):
        assert np.array_equal(found[index], armature.deform(poses[index], points, **keywords))
    of_each = armature.deform(poses, np.broadcast_to(points, (2, 3, 200, 3)), **keywords)
    np.testing.assert_allclose(of_each, found, atol=1e-12 if not exact else 0)


@pytest.mark.parametrize("modifier", [ArmatureModifier(), DUAL])
def test_moving_both_objects_alike_changes_nothing(modifier):
    armature, pose = chain()
    groups, points = random_groups(armature)
    world = np.eye(4)
    world[:3] = np.random.default_rng(1).normal(size=(3, 4))
    plain = armature.deform(pose, points, groups=groups, modifiers=modifier)
    together = armature.deform(pose, points, groups=groups, modifiers=modifier, mesh_world=world, armature_world=world)
    np.testing.assert_allclose(together, plain, atol=2e-5)


@pytest.mark.parametrize("modifier", [ArmatureModifier(vertex_group="mask"), DUAL._replace(vertex_group="mask")])
@pytest.mark.parametrize("exact", [False, True])
def test_an_armature_scaled_to_0_has_all_points_at_its_origin(modifier, exact):
    armature, pose = chain(1)
    pose[0, :3, 3] = 1, 2, 3
    groups = VertexGroups(["bone0", "mask"], [0, 2, 3, 4], [0, 1, 1, 0], [1, 1, 1, 1])
    points = np.random.default_rng(0).normal(size=(3, 3))
    world = np.diag([2.0, 0, 1, 1])
    world[:3, 3] = 4, 5, 6
    found = armature.deform(pose, points, groups=groups, modifiers=modifier, armature_world=world, exact=exact)
    at_bone = (world @ [1, 2, 3, 1])[:3]
    np.testing.assert_allclose(found, [at_bone, world[:3, 3], points[2]], atol=1e-6)


@pytest.mark.parametrize("modifier", [ArmatureModifier(), DUAL, ArmatureModifier(use_bone_envelopes=True)])
@pytest.mark.parametrize("exact", [False, True])
def test_an_armature_without_bones_leaves_the_mesh(modifier, exact):
    armature = sk.blender.Armature([], np.zeros((0, 4, 4)))
    groups = VertexGroups(["mask"], [0, 1, 1], [0], [0.5])
    points = np.array([[1.0, 2, 3], [4, 5, 6]])
    for mask in ("", "mask"):
        options = {"groups": groups, "modifiers": modifier._replace(vertex_group=mask), "exact": exact}
        assert np.array_equal(armature.deform(np.zeros((0, 4, 4)), points, **options), points)
        assert armature.deform(np.zeros((7, 0, 4, 4)), points, **options).shape == (7, 2, 3)


def test_weights_are_divided_by_their_sum_unless_it_is_too_small():
    armature, pose = chain(2)
    groups = VertexGroups(["bone0", "bone1", "other"], [0, 2, 3, 4, 6], [0, 1, 0, 1, 2, 1], [3, 1, 1e-5, 2e-4, 1, 0])
    points = np.ones((4, 3))
    moved = [sk.change_basis_points(points[0], matrix, np.eye(4)) for matrix in pose @ np.linalg.inv(armature.rest)]
    found = armature.deform(pose, points, groups=groups)
    np.testing.assert_allclose(found, [0.75 * moved[0] + 0.25 * moved[1], points[1], moved[1], points[3]], atol=1e-6)


def test_a_group_of_weight_zero_keeps_envelopes_away():
    armature, pose = chain(1)
    groups = VertexGroups(["bone0"], [0, 1, 1], [0], [0.0])
    points = np.array([[0.0, 0.5, 0.0], [0.0, 0.5, 0.0]])
    both = ArmatureModifier(use_bone_envelopes=True)
    found = armature.deform(pose, points, groups=groups, modifiers=both)
    assert np.array_equal(found[0], points[0])
    assert np.abs(found[1] - points[1]).max() > 0.1


def test_signs_follow_the_sum_so_far():
    rest = np.tile(np.eye(4), (3, 1, 1))
    armature = sk.blender.Armature([-1, -1, -1], rest, names=["a", "b", "c"])
    pose = rest.copy()
    for bone, angle in enumerate(np.radians([0, 140, 280])):
        pose[bone, :3, :3] = sk.quaternion_to_matrix(sk.quaternion_from_axis_angle([0, 0, 1.0], angle))
    points = [[1.0, 0, 0]]
    found = [
        armature.deform(pose, points, groups=VertexGroups("abc", [0, 3], order, [1, 1, 1]), modifiers=DUAL)
        for order in ([0, 1, 2], [1, 2, 0])
    ]
    assert np.abs(found[0] - found[1]).max() > 0.1


def test_multi_mixes_with_what_comes_in():
    armature, pose = chain()
    groups, points = random_groups(armature)
    masks = VertexGroups(
        [*groups.names, "mask"],
        groups.offsets + np.arange(201),
        np.insert(groups.groups, groups.offsets[1:], 3),
        np.insert(groups.weights, groups.offsets[1:], 0.25),
    )
    first, second = ArmatureModifier(), DUAL
    one, other = (armature.deform(pose, points, groups=masks, modifiers=each) for each in (first, second))
    multi = second._replace(multi=True, vertex_group="mask")
    new = armature.deform(pose, points, groups=masks, modifiers=[first, multi])
    old = armature.deform(pose, points, groups=masks, modifiers=[first, multi], compat="3.4")
    np.testing.assert_allclose(new, 0.75 * one + 0.25 * other)
    np.testing.assert_allclose(old, 0.25 * one + 0.75 * other)
    unmasked = [first, second._replace(multi=True)]
    assert np.array_equal(armature.deform(pose, points, groups=masks, modifiers=unmasked), other)
    assert np.array_equal(armature.deform(pose, points, groups=masks, modifiers=unmasked, compat="3.4"), one)


def test_what_is_remembered_is_not_taken_for_something_else():
    armature, pose = chain()
    other = sk.blender.Armature(armature.parents, armature.rest, names=["bone2", "bone0", "bone1"])
    groups, points = random_groups(armature)
    both = ArmatureModifier(use_bone_envelopes=True)
    for rig, where, modifier in [(armature, points, both), (other, points, both), (other, points / 2, both)] * 2:
        fresh = VertexGroups(groups.names, groups.offsets, groups.groups, groups.weights)
        expected = rig.deform(pose, where, groups=fresh, modifiers=modifier)
        assert np.array_equal(rig.deform(pose, where, groups=groups, modifiers=modifier), expected)


MASKED = ArmatureModifier(vertex_group="bone0")
WAYS = {
    "linear": ({}, [ArmatureModifier()]),
    "exact": ({"exact": True}, [ArmatureModifier()]),
    "dual": ({}, [DUAL]),
    "dual, masked": ({}, [DUAL._replace(vertex_group="bone0")]),
    "none": ({}, []),
    "multi": ({}, [ArmatureModifier(), MASKED._replace(multi=True)]),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_result_goes_to_out(way):
    options, modifiers = WAYS[way]
    armature, pose = chain()
    poses = np.stack([pose, armature.rest])
    groups, points = random_groups(armature)
    keywords = {"groups": groups, "modifiers": modifiers, **options}
    expected = armature.deform(poses, points, **keywords)
    contiguous, gaps = np.empty_like(expected), np.empty((2, 200, 6), expected.dtype)[..., ::2]
    for out in (contiguous, gaps):
        assert armature.deform(poses, points, out=out, **keywords) is out
        assert np.array_equal(out, expected)
    onto = points.astype(expected.dtype)
    assert np.array_equal(armature.deform(poses[0], onto, out=onto, **keywords), expected[0])
    backwards = np.repeat(points.astype(expected.dtype)[None], 2, axis=0)
    armature.deform(poses, backwards, out=backwards[::-1], **keywords)
    assert np.array_equal(backwards[::-1], expected)


@pytest.mark.parametrize("scale", [1, 1.5])
@pytest.mark.parametrize("compat", ["4.2", "3.4"])
def test_neighbours_with_the_same_bones_move_as_vertices_elsewhere(compat, scale):
    armature, pose = chain(5)
    pose[:, :3, :3] *= scale
    rng = np.random.default_rng(3)
    rows = np.repeat([rng.permutation(5) for _ in range(4)], 50, axis=0)
    weights, points = rng.random(rows.shape), rng.normal(size=(200, 3)).astype(np.float32)

    def deformed(order):
        groups = VertexGroups(armature.names, 5 * np.arange(201), rows[order].ravel(), weights[order].ravel())
        return armature.deform(pose, points[order], groups=groups, modifiers=DUAL, compat=compat)

    shuffled = rng.permutation(200)
    assert np.array_equal(deformed(np.arange(200))[shuffled], deformed(shuffled))


def test_no_vertices_and_no_frames_give_empty_arrays():
    armature, pose = chain()
    groups, points = random_groups(armature)
    assert armature.deform(pose, np.zeros((0, 3))).shape == (0, 3)
    assert armature.deform(np.zeros((0, 3, 4, 4)), points, groups=groups).shape == (0, 200, 3)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"pose": np.zeros((2, 4, 4))}, ValueError, r"pose has shape \(2, 4, 4\): expected \(..., 3, 4, 4\)"),
        ({"points": np.zeros((5, 2))}, ValueError, r"points has shape \(5, 2\): expected \(V, 3\)"),
        ({"points": np.zeros((5, 3))}, ValueError, "groups is of 200 vertices: points has 5"),
        ({"modifiers": ["Armature"]}, TypeError, r"modifiers\[0\] is str: expected an ArmatureModifier"),
        ({"mesh_world": np.eye(3)}, ValueError, r"mesh_world has shape \(3, 3\)"),
        ({"compat": "4.0"}, ValueError, "compat is '4.0': expected '4.2' or '3.4'"),
        ({"out": [0.0]}, TypeError, "out must be a numpy array, not list"),
        ({"out": np.zeros((200, 3), np.float32)}, TypeError, "out has dtype float32: the result is float64"),
        ({"out": np.zeros((100, 3))}, ValueError, r"out has shape \(100, 3\): expected \(200, 3\)"),
        ({"out": np.broadcast_to(0.0, (200, 3))}, ValueError, "out is read-only"),
        (
            {"out": np.lib.stride_tricks.as_strided(np.zeros(3), (200, 3), (0, 8))},
            ValueError,
            r"out has strides \(0, 8\)",
        ),
    ],
)
def test_bad_input_is_named(change, error, message):
    armature, pose = chain()
    groups, points = random_groups(armature)
    keywords = {"pose": pose, "points": points, "groups": groups} | change
    with pytest.raises(error, match=message):
        armature.deform(**keywords)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], [0, 1], [1], [1.0]), r"groups\[0\] = 1: it must be at least 0 and less than 1"),
        ((["a"], [0, 2], [0], [1.0]), "it must begin with 0 and end with the number of entries, 1"),
        ((["a"], [0, 2, 1], [0], [1.0]), r"offsets\[2\] = 1: offsets must not fall"),
        ((["a"], [0, 1], [0], [np.nan]), r"weights\[0\] = nan: a weight must be finite"),
        ((["a"], [0, 1], [0], [1.0, 2.0]), r"weights has shape \(2,\): expected \(1,\)"),
    ],
)
def test_bad_groups_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        VertexGroups(*arguments)
