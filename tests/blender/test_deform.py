# SPDX-License-Identifier: MIT
"""Armature modifiers evaluated from arrays agree with what Blender evaluates; linear ones to the bit."""

import itertools

import bpy
import numpy as np
import pytest
from bendy_rigs import bendy_rig
from extent import seeds
from parity import note
from skinned_meshes import MASK, add_modifier, bound_rig, evaluated_points, live_pose, loose_points, scatter

import skelkin_py as sk
from skelkin_py.blender.float32_inverse import inverse

SEEDS = seeds(6)
BINDS = [(True, False), (False, True), (True, True), (False, False)]
MASKS = [("", False), (MASK, False), (MASK, True), ("no such group", True)]


def worst(found, expected):
    """Largest difference relative to the size of the expected coordinates."""
    assert found.shape == expected.shape
    return np.abs(found - expected).max() / np.abs(expected).max()


def ours(rig, ob, **options):
    armature = sk.blender.Armature.from_bpy(rig)
    return armature.deform(live_pose(rig).reshape(-1, 4, 4), **sk.blender.read_modifiers(ob), **options)


def cases(seed, moved, preserve_volume, binds, masks):
    """Yield the object and what Blender makes of it, option by option."""
    rng = np.random.default_rng(seed)
    rig = bound_rig(rng)
    ob = loose_points(rng, rig)
    if moved:
        scatter(rng, rig, ob)
    modifier = add_modifier(ob, rig, use_deform_preserve_volume=preserve_volume)
    for (groups, envelopes), (mask, invert) in itertools.product(binds, masks):
        modifier.use_vertex_groups, modifier.use_bone_envelopes = groups, envelopes
        modifier.vertex_group, modifier.invert_vertex_group = mask, invert
        yield rig, ob, evaluated_points(ob)


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_groups_blended_linearly_have_blenders_bits(seed, moved):
    for rig, ob, expected in cases(seed, moved, False, [(True, False)], MASKS):
        assert np.abs(expected - sk.blender.read_modifiers(ob)["points"]).max() > 0.1
        differing = np.any(ours(rig, ob, exact=True) != expected, axis=1).mean()
        # Envelopes that multiply end in a square root and a division, whose last bit may differ.
        multiplies = any(bone.use_envelope_multiply for bone in rig.data.bones)
        note(
            f"deform: linear, {'moved objects, ' if moved else ''}vertices not bit-equal", differing, 0.02 * multiplies
        )
        note("deform: linear, masks, fast", worst(ours(rig, ob), expected), 1e-6)


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_envelopes_reach_as_far_as_in_blender(seed, moved):
    for rig, ob, expected in cases(100 + seed, moved, False, BINDS[1:], MASKS[:3]):
        note("deform: envelopes", worst(ours(rig, ob), expected), 5e-6)
        note("deform: envelopes", worst(ours(rig, ob, exact=True), expected), 5e-6)


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_preserved_volume_is_blenders_of_this_version(seed, moved):
    for rig, ob, expected in cases(200 + seed, moved, True, BINDS[:1], MASKS[:3]):
        note("deform: preserve volume", worst(ours(rig, ob), expected), 1e-6)
        other = "3.4" if sk.blender.read_modifiers(ob)["compat"] == "4.2" else "4.2"
        given = {**sk.blender.read_modifiers(ob), "compat": other}
        assert worst(sk.blender.Armature.from_bpy(rig).deform(live_pose(rig), **given), expected) > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_preserved_volume_of_bones_without_scale(seed):
    rng = np.random.default_rng(300 + seed)
    rig = bound_rig(rng, scale=0)
    ob = loose_points(rng, rig)
    add_modifier(ob, rig, use_deform_preserve_volume=True)
    note("deform: preserve volume, no scale", worst(ours(rig, ob), evaluated_points(ob)), 1e-6)


@pytest.mark.parametrize("seed", seeds(16))
def test_modifiers_in_a_row(seed):
    rng = np.random.default_rng(400 + seed)
    rig = bound_rig(rng, 6)
    ob = loose_points(rng, rig)
    scatter(rng, *([rig, ob] if seed % 2 else []))
    for _ in range(int(rng.integers(2, 5))):
        mask, invert = MASKS[rng.integers(3)]
        add_modifier(
            ob,
            rig,
            use_multi_modifier=bool(rng.random() < 0.6),
            use_deform_preserve_volume=bool(rng.random() < 0.3),
            use_bone_envelopes=bool(rng.random() < 0.3),
            vertex_group=mask,
            invert_vertex_group=invert,
            show_viewport=bool(rng.random() < 0.7),
        )
    expected = evaluated_points(ob)
    note("deform: modifiers in a row", worst(ours(rig, ob), expected), 1e-6)


@pytest.mark.parametrize("preserve_volume", [False, True])
@pytest.mark.parametrize("options", ["", "handles shape", "curved handles shape", "sizes easing endroll handles shape"])
def test_bendy_bones(options, preserve_volume):
    for seed in SEEDS[:3]:
        rng = np.random.default_rng(500 + seed)
        rig = bendy_rig(rng, options.split())
        ob = loose_points(rng, rig)
        scatter(rng, *([rig, ob] if seed % 2 else []))
        add_modifier(ob, rig, use_deform_preserve_volume=preserve_volume)
        expected = evaluated_points(ob)
        note("deform: bendy bones", worst(ours(rig, ob), expected), 5e-5)
        note("deform: bendy bones", worst(ours(rig, ob, exact=True), expected), 5e-5)


def test_frames_of_a_pose_are_evaluated_together():
    rng = np.random.default_rng(7)
    rig = bound_rig(rng)
    ob = loose_points(rng, rig)
    add_modifier(ob, rig, use_bone_envelopes=True)
    add_modifier(ob, rig, use_deform_preserve_volume=True)
    poses, expected = [], []
    for _ in range(4):
        for bone in rig.pose.bones:
            bone.location = rng.uniform(-1, 1, 3)
        expected.append(evaluated_points(ob))
        poses.append(live_pose(rig))
    armature = sk.blender.Armature.from_bpy(rig)
    given = sk.blender.read_modifiers(ob)
    found = armature.deform(np.reshape(poses, (2, 2, -1, 4, 4)), **given)
    assert worst(found, np.reshape(expected, (2, 2, -1, 3))) <= 2e-6


def test_shape_keys_come_before_modifiers():
    rng = np.random.default_rng(8)
    rig = bound_rig(rng)
    ob = loose_points(rng, rig)
    add_modifier(ob, rig)
    for name in ("Basis", "one", "two", "three"):
        key = ob.shape_key_add(name=name)
        for point in key.data:
            point.co = rng.uniform(-1, 1, 3)
    keys = ob.data.shape_keys.key_blocks
    keys["one"].value, keys["two"].value, keys["three"].value = 0.4, 0.7, 0.9
    keys["two"].vertex_group = MASK
    keys["two"].relative_key = keys["one"]
    keys["three"].mute = True
    note("deform: shape keys", worst(ours(rig, ob), evaluated_points(ob)), 1e-6)


def test_a_mesh_without_groups_or_armature_stays():
    rng = np.random.default_rng(9)
    rig = bound_rig(rng)
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata([(0, 0, 0), (1, 2, 3)], [], [])
    ob = bpy.data.objects.new("Points", mesh)
    bpy.context.scene.collection.objects.link(ob)
    add_modifier(ob, rig)
    assert np.array_equal(ours(rig, ob), evaluated_points(ob))
    ob.modifiers[0].object = None
    assert np.array_equal(ours(rig, ob), evaluated_points(ob))


FLAT = {
    "mirrored": lambda rng: rng.choice([-1, 1], 3) * rng.uniform(0.3, 2, 3),
    "large": lambda rng: rng.uniform(0.01, 10, 3),
    "point": lambda rng: (0, 0, 0),
    "plane": lambda rng: (0, 1, 1),
    "short": lambda rng: (1, 0, 1),
    "small": lambda rng: (1e-6, 1e-6, 1e-6),
}


@pytest.mark.parametrize("kind", FLAT)
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_bones_of_any_scale(seed, kind):
    rng = np.random.default_rng(600 + seed)
    rig = bound_rig(rng)
    for bone in list(rig.pose.bones)[:: 1 if kind in ("mirrored", "large") else 4]:
        bone.scale = FLAT[kind](rng)
    ob = loose_points(rng, rig)
    modifier = add_modifier(ob, rig)
    for modifier.use_deform_preserve_volume in (False, True):
        expected = evaluated_points(ob)
        assert np.isfinite(expected).all()
        note("deform: bones mirrored, flat, scaled to nothing", worst(ours(rig, ob), expected), 1e-6)
        note("deform: bones mirrored, flat, scaled to nothing", worst(ours(rig, ob, exact=True), expected), 1e-6)


OBJECT_SCALES = [
    ((0, 1, 1), (1, 1, 1), False),
    ((2, 0, 0), (3, 1, 1), True),
    ((1, 1, 1), (1, 0, 1), True),
    ((0, 0, 0), (1, 2, 0), True),
]


@pytest.mark.parametrize(("of_rig", "of_mesh", "moved"), OBJECT_SCALES)
def test_objects_without_an_inverse(of_rig, of_mesh, moved):
    rng = np.random.default_rng(650)
    rig = bound_rig(rng, 6)
    ob = loose_points(rng, rig, 40)
    if moved:
        scatter(rng, rig, ob)
    rig.scale, ob.scale = of_rig, of_mesh
    modifier, second = add_modifier(ob, rig), add_modifier(ob, rig, use_multi_modifier=True, vertex_group=MASK)
    options = itertools.product((False, True), BINDS[:3], MASKS[:3], (False, True))
    for volume, (groups, envelopes), (mask, invert), twice in options:
        modifier.use_deform_preserve_volume, second.show_viewport = volume, twice
        modifier.use_vertex_groups, modifier.use_bone_envelopes = groups, envelopes
        modifier.vertex_group, modifier.invert_vertex_group = mask, invert
        expected = evaluated_points(ob)
        # What is scaled up by 1e8 on the way back brings its rounding with it.
        back = inverse(sk.blender.read_modifiers(ob)["mesh_world"]) @ np.array(rig.matrix_world)
        size = max(1, np.abs(expected).max(), np.abs(back).max())
        note("deform: objects scaled to 0", np.abs(ours(rig, ob) - expected).max() / size, 1e-6)
        note("deform: objects scaled to 0", np.abs(ours(rig, ob, exact=True) - expected).max() / size, 1e-6)


@pytest.mark.parametrize("scale", [(1, 1, 1), (0, 1, 1)])
@pytest.mark.parametrize("mask", ["", MASK])
def test_an_armature_without_bones_leaves_the_mesh(mask, scale):
    rng = np.random.default_rng(660)
    rig = bpy.data.objects.new("Boneless", bpy.data.armatures.new("Boneless"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.update()
    ob = loose_points(rng, rig, 20)
    scatter(rng, rig, ob)
    rig.scale = scale
    modifier = add_modifier(ob, rig, vertex_group=mask)
    for modifier.use_deform_preserve_volume, modifier.use_bone_envelopes in itertools.product((False, True), repeat=2):
        expected = evaluated_points(ob)
        for exact in (False, True):
            assert np.abs(ours(rig, ob, exact=exact) - expected).max() <= 2e-6
    if scale == (1, 1, 1):
        assert np.array_equal(ours(rig, ob), sk.blender.read_modifiers(ob)["points"])


@pytest.mark.parametrize("seed", SEEDS)
def test_bits_from_channels_to_points(seed):
    rng = np.random.default_rng(700 + seed)
    rig = bound_rig(rng)
    ob = loose_points(rng, rig)
    scatter(rng, rig, ob)
    for bone in rig.data.bones:
        bone.use_envelope_multiply = False
    add_modifier(ob, rig, vertex_group=MASK)
    expected = evaluated_points(ob)
    armature = sk.blender.Armature.from_bpy(rig)
    pose = armature.pose(**sk.blender.read_channels(rig), exact=True)[0]
    found = armature.deform(pose, **sk.blender.read_modifiers(ob), exact=True)
    note("deform: from channels, vertices not bit-equal", np.any(found != expected, axis=1).mean(), 0.05)


def test_what_cannot_be_read_is_named():
    rng = np.random.default_rng(11)
    rig, other = bound_rig(rng), bound_rig(rng)
    ob = loose_points(rng, rig)
    with pytest.raises(TypeError, match="a mesh is needed"):
        sk.blender.read_modifiers(rig)
    add_modifier(ob, rig)
    add_modifier(ob, other)
    with pytest.raises(ValueError, match=r"ob.modifiers\[1\] = 'Armature.001' has armature"):
        sk.blender.read_modifiers(ob)
    ob.modifiers.remove(ob.modifiers[1])
    ob.modifiers.new("Smooth", "SMOOTH")
    with pytest.raises(ValueError, match=r"ob.modifiers\[1\] = 'Smooth' is of type SMOOTH"):
        sk.blender.read_modifiers(ob)
