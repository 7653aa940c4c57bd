# SPDX-License-Identifier: MIT
"""What every verb over arrays promises alike: dtype, `out=`, strides, broadcasting, batches, errors."""

from __future__ import annotations

import numpy as np
import pytest
from random_rigs import assert_close, random_skeleton, random_transforms, random_weights
from verbs import make_verbs

import skelkin_py as sk

JOINTS, VERTICES = 12, 21
VERBS = make_verbs(JOINTS, VERTICES)
SKELETON = random_skeleton(1, JOINTS, 2)
SKIN = sk.SkinWeights(*random_weights(2, VERTICES, 3, JOINTS), JOINTS)
every_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def assert_same(found, expected, message=""):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=message)


def assert_all_close(found, expected):
    for a, b in zip(found, expected, strict=True):
        assert_close(a, np.broadcast_to(b, a.shape))


def poses(seed, lead):
    return random_transforms(seed, *lead, JOINTS)


def quaternions(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, JOINTS, 4))


def mesh(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, VERTICES, 3))


def offsets(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, JOINTS, 3))


@every_verb
@pytest.mark.parametrize("a", [np.float32, np.float64, np.int32, np.uint8])
def test_dtype_is_the_promotion_of_the_arrays(verb, a):
    for b in (np.float32, np.float64, np.int64):
        given = verb.inputs()
        names = list(given)
        for name, dtype in zip(names, (a, b, b, b, b)):
            clear = 20 * np.eye(4) if verb.arguments[name].core == 3 else 4 * (name == "rotations")
            given[name] = (np.abs(given[name]) * 3 + clear).astype(dtype)
            if verb.arguments[name].core == 3:
                given[name][..., 3, :] = 0, 0, 0, 1
        kinds = {np.dtype(a)} | ({np.dtype(b)} if len(names) > 1 else set())
        expected = np.float32 if kinds == {np.dtype(np.float32)} else np.float64
        for found, wanted in zip(verb.run(given), verb.expect(given), strict=True):
            assert found.dtype == expected
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4 * np.abs(found).max())


@every_verb
def test_lists_alone_give_float64(verb):
    given = verb.inputs()
    found = verb.run({name: value.tolist() for name, value in given.items()})
    assert all(each.dtype == np.float64 for each in found)
    assert_same(found, verb.run(given))


def test_lists_take_no_part_beside_an_array():
    points = np.zeros((VERTICES, 3), np.float32)
    assert sk.skin_points(points, SKIN, poses(1, ()).tolist()).dtype == np.float32
    q = quaternions(2, ()).astype(np.float32)
    assert sk.forward_kinematics_trs(SKELETON, q, offsets(3, ()).tolist()).dtype == np.float32


@every_verb
@pytest.mark.parametrize("dtype", [np.complex128, np.longdouble, object, "U4", "M8[s]"])
def test_other_dtypes_are_type_errors_that_name_the_argument(verb, dtype):
    for name in verb.arguments:
        given = verb.inputs()
        given[name] = np.ones(given[name].shape).astype(int).astype(dtype)
        with pytest.raises(TypeError, match=f"^{name} has dtype "):
            verb.call(**given)


@every_verb
@both_dtypes
def test_inputs_may_have_any_strides(verb, dtype):
    given = verb.inputs((4, 3), dtype)
    expected = verb.run(given)
    for name, value in given.items():
        core = verb.arguments[name].core
        for label, variant in strided_variants(value, core).items():
            np.testing.assert_array_equal(variant, value)
            assert_same(verb.run({**given, name: variant}), expected, f"{name}: {label}")


def strided_variants(value, core):
    """Return the same numbers, (4, 3, ...), kept in memory in every way that comes to mind."""
    turned = np.ascontiguousarray(np.moveaxis(value, 1, 0))
    wide = np.zeros((8, 3, *value.shape[2:]), value.dtype)
    wide[::-2] = value
    unaligned = np.zeros(value.nbytes + 1, np.uint8)[1:].view(value.dtype).reshape(value.shape)
    unaligned[...] = value
    backwards = np.ascontiguousarray(np.flip(value, axis=-core))
    return {
        "transposed lead": np.moveaxis(turned, 0, 1),
        "reversed": wide[::-2],
        "fortran": np.asfortranarray(value),
        "last two swapped in memory": np.ascontiguousarray(value.swapaxes(-1, -2)).swapaxes(-1, -2),
        "unaligned": unaligned,
        "byte order": value.astype(value.dtype.newbyteorder()),
        "subclass": value.view(type("Sub", (np.ndarray,), {})),
        "padded joints": np.repeat(value, 2, axis=-core)[(..., slice(None, None, 2), *[slice(None)] * (core - 1))],
        "joints backwards": np.flip(backwards, axis=-core),
    }


@every_verb
@both_dtypes
def test_a_stride_of_zero_is_the_copies_it_stands_for(verb, dtype):
    one = verb.inputs((), dtype)
    expected = verb.run({name: np.repeat(value[None], 9, axis=0) for name, value in one.items()})
    given = {name: np.broadcast_to(value, (9, *value.shape)) for name, value in one.items()}
    assert_same(verb.run(given), expected)
    for each, single in zip(expected, verb.run(one), strict=True):
        np.testing.assert_array_equal(each, np.broadcast_to(single, each.shape))


@every_verb
def test_inputs_are_not_written(verb):
    given = verb.inputs()
    for value in given.values():
        value.setflags(write=False)
    verb.run(given)


@every_verb
@both_dtypes
def test_leading_dimensions_broadcast(verb, dtype):
    leads = [(4, 1), (3,), (1, 1, 1)]
    given = {
        name: each.make(20 + i, leads[i % 3]).astype(dtype) for i, (name, each) in enumerate(verb.arguments.items())
    }
    lead = np.broadcast_shapes(*leads[: len(given)])
    found = verb.run(given)
    assert [each.shape for each in found] == [lead + core for core in verb.outs]
    assert_all_close(found, verb.expect(given))
    full = {
        name: np.broadcast_to(value, lead + value.shape[value.ndim - verb.arguments[name].core :])
        for name, value in given.items()
    }
    assert_same(verb.run(full), found)


@every_verb
def test_shapes_that_do_not_broadcast_are_listed(verb):
    if len(verb.arguments) < 2:
        return
    given = {name: each.make(1, (2 + i,)) for i, (name, each) in enumerate(verb.arguments.items())}
    each_with_its_shape = "".join(rf"(?=.*\b{name} has \({2 + i})" for i, name in enumerate(given))
    with pytest.raises(ValueError, match="broadcast" + each_with_its_shape):
        verb.run(given)


@every_verb
@pytest.mark.parametrize("lead", [(0,), (3, 0), (0, 3)])
@both_dtypes
def test_an_empty_batch_gives_an_empty_result(verb, lead, dtype):
    found = verb.run(verb.inputs(lead, dtype))
    assert [each.shape for each in found] == [lead + core for core in verb.outs]
    assert all(each.dtype == dtype for each in found)


@every_verb
@pytest.mark.parametrize("change", ["fewer items", "more items", "last dimension", "too few dimensions", "scalar"])
def test_a_wrong_shape_is_named(verb, change):
    for name in verb.arguments:
        given = verb.inputs()
        value, core = given[name], verb.arguments[name].core
        bad = {
            "fewer items": np.delete(value, 0, axis=-core),
            "more items": np.repeat(value, 2, axis=-core),
            "last dimension": value[..., :2],
            "too few dimensions": value[(0, *[0] * max(core - 1, 1))],
            "scalar": np.float64(1.0),
        }[change]
        with pytest.raises((TypeError, ValueError), match=rf"^{name} has shape "):
            verb.run({**given, name: bad})


@every_verb
def test_none_and_strangers_are_named(verb):
    first = next(iter(verb.arguments))
    for stranger in (None, "text", {"a": 1}, object()):
        with pytest.raises((TypeError, ValueError), match=f"^{first} "):
            verb.run({**verb.inputs(), first: stranger})


@pytest.mark.parametrize("stranger", [None, 3, "skeleton", SKIN])
def test_a_stranger_for_a_skeleton_is_named(stranger):
    for function, argument in [
        (sk.forward_kinematics, poses(1, ())),
        (sk.forward_kinematics_trs, quaternions(1, ())),
        (sk.skinning_matrices, poses(1, ())),
    ]:
        with pytest.raises(TypeError, match=r"^skeleton "):
            function(stranger, argument)


@pytest.mark.parametrize("stranger", [None, 3, np.ones((VERTICES, 3)), SKELETON])
def test_a_stranger_for_weights_is_named(stranger):
    with pytest.raises(TypeError, match=r"^weights "):
        sk.skin_points(mesh(1, ()), stranger, poses(1, ()))


@every_verb
@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # numpy before 1.24 makes an array of objects
def test_lists_that_are_no_array_are_named(verb):
    given = verb.inputs(())
    for name in given:
        with pytest.raises((ValueError, TypeError), match=rf"^{name} (is not an array of numbers|has dtype object): "):
            verb.run({**given, name: [[1, 2], [3]]})


def test_what_is_not_a_number_is_told_without_a_sign():
    for value in (np.nan, -np.nan):
        with pytest.raises(ValueError, match=r"^rotations\[0\] is \[nan, nan, nan, nan\]: "):
            sk.forward_kinematics_trs(SKELETON, np.full((JOINTS, 4), value))


@every_verb
def test_many_leading_dimensions(verb):
    given = verb.inputs((1,) * 20 + (2,))
    assert [each.shape for each in verb.run(given)] == [(1,) * 20 + (2, *core) for core in verb.outs]


@every_verb
@both_dtypes
def test_memory_maps_and_huge_broadcasts_are_read_in_place(verb, dtype, tmp_path):
    given = verb.inputs((), dtype)
    name = next(iter(given))
    path = tmp_path / "values"
    given[name].tofile(path)
    mapped = np.memmap(path, dtype, "r", shape=given[name].shape)
    assert_same(verb.run({**given, name: mapped}), verb.run(given))
