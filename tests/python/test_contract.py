# SPDX-License-Identifier: MIT
"""What every verb over arrays promises alike: dtype, `out=`, strides, broadcasting, batches, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from random_rigs import assert_close, random_skeleton, random_transforms, random_weights

import skelkin_py as sk
from skelkin_py import reference

JOINTS, VERTICES = 12, 21


class Verb(NamedTuple):
    """One function: its array arguments by name with their core dimensions, and the reference."""

    name: str
    call: Callable[..., np.ndarray]
    arguments: dict[str, Callable[[int, tuple[int, ...]], np.ndarray]]
    core_ndim: dict[str, int]
    out_core: tuple[int, ...]
    reference: Callable[..., np.ndarray]


SKELETON = random_skeleton(1, JOINTS, 2)
SKIN = sk.SkinWeights(*random_weights(2, VERTICES, 3, JOINTS), JOINTS)


def transforms(seed, lead):
    return random_transforms(seed, *lead, JOINTS)


def quaternions(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, JOINTS, 4))


def offsets(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, JOINTS, 3))


def mesh(seed, lead):
    return np.random.default_rng(seed).normal(size=(*lead, VERTICES, 3))


POSES = (JOINTS, 4, 4)
VERBS = [
    Verb(
        "forward_kinematics",
        lambda local, **kw: sk.forward_kinematics(SKELETON, local, **kw),
        {"local": transforms},
        {"local": 3},
        POSES,
        lambda local: reference.forward_kinematics(SKELETON, local),
    ),
    Verb(
        "forward_kinematics_trs",
        lambda rotations, translations, scales, **kw: sk.forward_kinematics_trs(
            SKELETON, rotations, translations, scales, **kw
        ),
        {"rotations": quaternions, "translations": offsets, "scales": lambda s, lead: 1 + 0.1 * offsets(s, lead)},
        {"rotations": 2, "translations": 2, "scales": 2},
        POSES,
        lambda rotations, translations, scales: reference.forward_kinematics_trs(
            SKELETON, rotations, translations, scales
        ),
    ),
    Verb(
        "skinning_matrices",
        lambda global_, **kw: sk.skinning_matrices(SKELETON, global_, **kw),
        {"global_": transforms},
        {"global_": 3},
        POSES,
        lambda global_: reference.skinning_matrices(SKELETON, global_),
    ),
    Verb(
        "skin_points",
        lambda points, matrices, **kw: sk.skin_points(points, SKIN, matrices, **kw),
        {"points": mesh, "matrices": transforms},
        {"points": 2, "matrices": 3},
        (VERTICES, 3),
        lambda points, matrices: reference.skin_points(points, SKIN, matrices),
    ),
]
every_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def inputs(verb: Verb, lead: tuple[int, ...] = (5,), dtype: type = np.float64) -> dict[str, np.ndarray]:
    return {name: make(10 + i, lead).astype(dtype) for i, (name, make) in enumerate(verb.arguments.items())}


@every_verb
@pytest.mark.parametrize("a", [np.float32, np.float64, np.int32, np.uint8])
def test_dtype_is_the_promotion_of_the_arrays(verb, a):
    for b in (np.float32, np.float64, np.int64):
        given = inputs(verb)
        names = list(given)
        for name, dtype in zip(names, (a, b, b)):
            given[name] = (np.abs(given[name]) * 3 + (4 if name == "rotations" else 0)).astype(dtype)
            if verb.core_ndim[name] == 3:
                given[name][..., 3, :] = 0, 0, 0, 1
        kinds = {np.dtype(a)} | ({np.dtype(b)} if len(names) > 1 else set())
        expected = np.float32 if kinds == {np.dtype(np.float32)} else np.float64
        found = verb.call(**given)
        assert found.dtype == expected
        np.testing.assert_allclose(found, verb.reference(**given), rtol=0, atol=1e-4 * np.abs(found).max())


@every_verb
def test_lists_alone_give_float64(verb):
    given = inputs(verb)
    found = verb.call(**{name: value.tolist() for name, value in given.items()})
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, verb.call(**given))


def test_lists_take_no_part_beside_an_array():
    points = np.zeros((VERTICES, 3), np.float32)
    assert sk.skin_points(points, SKIN, transforms(1, ()).tolist()).dtype == np.float32
    q = quaternions(2, ()).astype(np.float32)
    assert sk.forward_kinematics_trs(SKELETON, q, offsets(3, ()).tolist()).dtype == np.float32


@every_verb
@pytest.mark.parametrize("dtype", [np.complex128, np.longdouble, object, "U4", "M8[s]"])
def test_other_dtypes_are_type_errors_that_name_the_argument(verb, dtype):
    for name in verb.arguments:
        given = inputs(verb)
        given[name] = np.ones(given[name].shape).astype(int).astype(dtype)
        with pytest.raises(TypeError, match=f"^{name} has dtype "):
            verb.call(**given)


@every_verb
@both_dtypes
def test_out_is_returned_and_holds_what_no_out_gives(verb, dtype):
    given = inputs(verb, dtype=dtype)
    out = np.full((5, *verb.out_core), np.nan, dtype)
    assert verb.call(**given, out=out) is out
    np.testing.assert_array_equal(out, verb.call(**given))


@every_verb
@both_dtypes
def test_out_may_have_any_strides(verb, dtype):
    given = inputs(verb, dtype=dtype)
    expected = verb.call(**given)
    reversed_out = np.zeros((10, *verb.out_core), dtype)[::-2]
    fortran = np.zeros((5, *verb.out_core), dtype, order="F")
    inner = np.zeros((5, *(2 * n for n in verb.out_core)), dtype)[
        (slice(None), *[slice(None, None, 2)] * len(verb.out_core))
    ]
    for out in (reversed_out, fortran, inner):
        assert verb.call(**given, out=out) is out
        np.testing.assert_array_equal(out, expected)


@every_verb
def test_what_lies_between_the_strides_of_out_is_untouched(verb):
    given = inputs(verb)
    whole = np.full((10, *verb.out_core), 7.0)
    verb.call(**given, out=whole[::2])
    assert (whole[1::2] == 7).all()


@every_verb
@both_dtypes
def test_out_may_be_an_input(verb, dtype):
    for name in verb.arguments:
        given = inputs(verb, dtype=dtype)
        if given[name].shape != (5, *verb.out_core):
            continue
        expected = verb.call(**given)
        out = given[name]
        assert verb.call(**given, out=out) is out
        np.testing.assert_array_equal(out, expected)


@every_verb
@both_dtypes
@pytest.mark.parametrize("shift", [-1, 1])
def test_out_may_overlap_an_input(verb, dtype, shift):
    for name in verb.arguments:
        given = inputs(verb, dtype=dtype)
        if given[name].shape != (5, *verb.out_core):
            continue
        expected = verb.call(**given)
        memory = np.zeros((7, *verb.out_core), dtype)
        memory[1:6] = given[name]
        given[name] = memory[1:6]
        verb.call(**given, out=memory[1 + shift : 6 + shift])
        np.testing.assert_array_equal(memory[1 + shift : 6 + shift], expected)


@every_verb
def test_a_bad_out_is_named(verb):
    given = inputs(verb)
    shape = (5, *verb.out_core)
    read_only = np.zeros(shape)
    read_only.setflags(write=False)
    cases = [
        (np.zeros((4, *verb.out_core)), ValueError, "^out has shape "),
        (np.zeros((1, *shape)), ValueError, "^out has shape "),
        (np.zeros(shape[:-1]), ValueError, "^out has shape "),
        (np.zeros(shape, np.float32), (TypeError, ValueError), "^out has dtype float32"),
        (np.zeros(shape, int), (TypeError, ValueError), "^out has dtype int64"),
        (read_only, ValueError, "^out is read-only"),
        (np.zeros(shape).tolist(), TypeError, "^out "),
    ]
    for out, error, words in cases:
        with pytest.raises(error, match=words):
            verb.call(**given, out=out)
    with pytest.raises(TypeError, match="positional"):
        verb.call(*given.values(), read_only)


@every_verb
def test_out_is_keyword_only(verb):
    function = getattr(sk, verb.name)
    import inspect

    assert inspect.signature(function).parameters["out"].kind is inspect.Parameter.KEYWORD_ONLY


@every_verb
@both_dtypes
def test_inputs_may_have_any_strides(verb, dtype):
    given = inputs(verb, (4, 3), dtype)
    expected = verb.call(**given)
    for name, value in given.items():
        core = verb.core_ndim[name]
        turned = np.ascontiguousarray(np.moveaxis(value, 1, 0))
        wide = np.zeros((8, 3, *value.shape[2:]), dtype)
        wide[::-2] = value
        unaligned = np.zeros(value.nbytes + 1, np.uint8)[1:].view(dtype).reshape(value.shape)
        unaligned[...] = value
        variants = {
            "transposed lead": np.moveaxis(turned, 0, 1),
            "reversed": wide[::-2],
            "fortran": np.asfortranarray(value),
            "last two swapped in memory": np.ascontiguousarray(value.swapaxes(-1, -2)).swapaxes(-1, -2),
            "unaligned": unaligned,
            "byte order": value.astype(value.dtype.newbyteorder()),
            "subclass": value.view(type("Sub", (np.ndarray,), {})),
            "padded joints": np.repeat(value, 2, axis=-core)[(..., slice(None, None, 2), *[slice(None)] * (core - 1))],
        }
        for label, variant in variants.items():
            np.testing.assert_array_equal(variant, value)
            found = verb.call(**{**given, name: variant})
            np.testing.assert_array_equal(found, expected, err_msg=f"{name}: {label}")


@every_verb
def test_inputs_are_not_written(verb):
    given = inputs(verb)
    for value in given.values():
        value.setflags(write=False)
    verb.call(**given)


@every_verb
@both_dtypes
def test_leading_dimensions_broadcast(verb, dtype):
    leads = [(4, 1), (3,), (1, 1, 1)]
    given = {name: make(20 + i, leads[i % 3]).astype(dtype) for i, (name, make) in enumerate(verb.arguments.items())}
    lead = np.broadcast_shapes(*leads[: len(given)])
    found = verb.call(**given)
    assert found.shape == lead + verb.out_core
    assert_close(found, np.broadcast_to(verb.reference(**given), found.shape))
    full = {
        name: np.broadcast_to(value, lead + value.shape[value.ndim - verb.core_ndim[name] :])
        for name, value in given.items()
    }
    np.testing.assert_array_equal(verb.call(**full), found)


@every_verb
def test_shapes_that_do_not_broadcast_are_listed(verb):
    if len(verb.arguments) < 2:
        return
    given = {name: make(1, (2 + i,)) for i, (name, make) in enumerate(verb.arguments.items())}
    with pytest.raises(
        ValueError, match=r"broadcast.*" + r".*".join(rf"{name}.*\({2 + i}" for i, name in enumerate(given))
    ):
        verb.call(**given)


@every_verb
@pytest.mark.parametrize("lead", [(0,), (3, 0), (0, 3)])
@both_dtypes
def test_an_empty_batch_gives_an_empty_result(verb, lead, dtype):
    found = verb.call(**inputs(verb, lead, dtype))
    assert found.shape == lead + verb.out_core
    assert found.dtype == dtype


@every_verb
@both_dtypes
def test_the_batch_is_the_loop_bit_for_bit_however_it_is_cut(verb, dtype):
    given = inputs(verb, (37,), dtype)
    whole = verb.call(**given)
    for frame in range(37):
        single = verb.call(**{name: value[frame] for name, value in given.items()})
        np.testing.assert_array_equal(single, whole[frame])
    for first, last in [(0, 1), (0, 8), (3, 20), (5, 37), (31, 37)]:
        part = verb.call(**{name: value[first:last] for name, value in given.items()})
        np.testing.assert_array_equal(part, whole[first:last])
    split = verb.call(**{name: value[:36].reshape(4, 9, *value.shape[1:]) for name, value in given.items()})
    np.testing.assert_array_equal(split.reshape(36, *verb.out_core), whole[:36])
    step = verb.call(**{name: value[::5] for name, value in given.items()})
    np.testing.assert_array_equal(step, whole[::5])


@every_verb
@pytest.mark.parametrize("change", ["fewer items", "more items", "last dimension", "too few dimensions", "scalar"])
def test_a_wrong_shape_is_named(verb, change):
    for name in verb.arguments:
        given = inputs(verb)
        value, core = given[name], verb.core_ndim[name]
        bad = {
            "fewer items": np.delete(value, 0, axis=-core),
            "more items": np.repeat(value, 2, axis=-core),
            "last dimension": value[..., :2],
            "too few dimensions": value[(0, *[0] * (core - 1))],
            "scalar": np.float64(1.0),
        }[change]
        with pytest.raises((TypeError, ValueError), match=rf"^{name} has shape "):
            verb.call(**{**given, name: bad})


@every_verb
def test_none_and_strangers_are_named(verb):
    first = next(iter(verb.arguments))
    for stranger in (None, "text", {"a": 1}, object()):
        with pytest.raises((TypeError, ValueError), match=f"^{first} "):
            verb.call(**{**inputs(verb), first: stranger})


@pytest.mark.parametrize("stranger", [None, 3, "skeleton", SKIN])
def test_a_stranger_for_a_skeleton_is_named(stranger):
    for function, argument in [
        (sk.forward_kinematics, transforms(1, ())),
        (sk.forward_kinematics_trs, quaternions(1, ())),
        (sk.skinning_matrices, transforms(1, ())),
    ]:
        with pytest.raises(TypeError, match=r"^skeleton "):
            function(stranger, argument)


@pytest.mark.parametrize("stranger", [None, 3, np.ones((VERTICES, 3)), SKELETON])
def test_a_stranger_for_weights_is_named(stranger):
    with pytest.raises(TypeError, match=r"^weights "):
        sk.skin_points(mesh(1, ()), stranger, transforms(1, ()))


@every_verb
@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # numpy before 1.24 makes an array of objects
def test_lists_that_are_no_array_are_named(verb):
    given = inputs(verb, ())
    for name in given:
        with pytest.raises((ValueError, TypeError), match=rf"^{name} (is no array of numbers|has dtype object): "):
            verb.call(**{**given, name: [[1, 2], [3]]})


def test_what_is_not_a_number_is_told_without_a_sign():
    for value in (np.nan, -np.nan):
        with pytest.raises(ValueError, match=r"^rotations\[0\] is \[nan, nan, nan, nan\]: "):
            sk.forward_kinematics_trs(SKELETON, np.full((JOINTS, 4), value))


@every_verb
def test_many_leading_dimensions(verb):
    given = inputs(verb, (1,) * 20 + (2,))
    assert verb.call(**given).shape == (1,) * 20 + (2, *verb.out_core)


@every_verb
@both_dtypes
def test_memory_maps_and_huge_broadcasts_are_read_in_place(verb, dtype, tmp_path):
    given = inputs(verb, (), dtype)
    name = next(iter(given))
    path = tmp_path / "values"
    given[name].tofile(path)
    mapped = np.memmap(path, dtype, "r", shape=given[name].shape)
    np.testing.assert_array_equal(verb.call(**{**given, name: mapped}), verb.call(**given))
