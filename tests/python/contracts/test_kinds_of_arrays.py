# SPDX-License-Identifier: MIT
"""No array argument takes what is no array of real numbers: masked arrays, complex numbers, text, times, objects."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from blender_calls import blender_calls
from public_calls import Call, core_calls

import skelkin_py as sk

CALLS = (*core_calls(), *blender_calls())
PAIRS = [(call, name) for call in CALLS for name in call.arrays]
every_argument = pytest.mark.parametrize(("call", "name"), PAIRS, ids=[f"{call.name}-{name}" for call, name in PAIRS])


def masked_of(array: np.ndarray) -> np.ma.MaskedArray:
    mask = np.zeros(array.shape, bool)
    mask.flat[:1] = True
    return np.ma.array(array, mask=mask)


class Sub(np.ndarray):
    """An array like any other, as those of numpy.memmap are."""


STRANGERS = {
    "masked": masked_of,
    "masked, nothing hidden": np.ma.array,
    "masked, integers": lambda array: masked_of(array.astype(int)),
    "list of masked": lambda array: [masked_of(row) for row in array]
    if array.ndim > 1
    else [*array.flat[1:], np.ma.masked],
    "complex": lambda array: array + 0j,
    "complex64": lambda array: array.astype(np.complex64),
    "text": lambda array: array.astype(str),
    "bytes": lambda array: array.astype(str).astype("S"),
    "dates": lambda array: array.astype(int).astype("M8[s]"),
    "times": lambda array: array.astype(int).astype("m8[s]"),
    "objects": lambda array: array.astype(object),
    "objects of a list": lambda array: np.full(array.shape, {}).tolist() if array.ndim else {},
    "records": lambda array: array.astype([("x", "f8")]),
    "nothing but text": lambda array: "text",
    "bytes alone": lambda array: b"text",
}


# Names beside numbers come in arrays of objects.
MEANT = {
    ("forward_kinematics of some", "joints", "objects"),
    ("BBones", "handle_types", "objects"),
    ("Curves of several kinds", "interpolation", "objects"),
    ("Curves of several kinds", "easing", "objects"),
}


def refusal(call: Call, name: str, value: Any, **options: Any) -> str:
    """Return what is said of an argument; it must be refused, and by its name."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning that something was thrown away would be a result
        with pytest.raises((TypeError, ValueError)) as raised:
            call.run(**{name: value}, **options)
    return str(raised.value)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_the_calls_themselves_are_good(call):
    call.run()


def test_no_verb_over_arrays_is_left_out():
    tried = {call.function for call in CALLS}
    without = {  # take no arrays, or only what others have made
        "build_info", "example", "get_num_threads", "isa", "load", "load_animations", "load_mesh", "measure_cost",
        "save_animations", "set_num_threads",
    }  # fmt: skip
    verbs = {name for name in sk.__all__ if callable(getattr(sk, name)) and name[0].islower()}
    assert {name for name in verbs if getattr(sk, name) not in tried} == without
    assert len(PAIRS) > 200


@every_argument
def test_what_is_no_array_of_numbers_is_refused_by_name(call, name):
    for kind, stranger in STRANGERS.items():
        if (call.name, name, kind) in MEANT:
            continue
        message = refusal(call, name, stranger(np.asarray(call.arguments[name])))
        assert name in message, kind
        if kind.startswith("masked"):
            assert "masked array: fill it or select its rows first" in message, kind


@pytest.mark.parametrize("call", [call for call in CALLS if call.takes_out], ids=lambda call: call.name)
def test_nothing_is_written_then_and_out_may_not_be_masked(call):
    out = call.out()
    for name in call.arrays:
        for kind in ("masked", "complex", "text", "objects"):
            refusal(call, name, STRANGERS[kind](call.arguments[name]), out=out)
    written = out if isinstance(out, tuple) else (out,)
    assert all((each == 7).all() for each in written)
    hidden = type(out)(*(np.ma.array(each) for each in out)) if isinstance(out, tuple) else np.ma.array(out)
    with pytest.raises(TypeError, match=r"^out.* is a masked array"):
        call.run(out=hidden)
    assert all((each == 7).all() for each in written)


@every_argument
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_other_subclasses_count_as_what_they_hold(call, name):
    value = np.asarray(call.arguments[name])
    plain = call.run()
    assert_same(call.run(**{name: value.view(Sub)}), plain)
    if value.ndim == 2:
        assert_same(call.run(**{name: np.asmatrix(value)}), plain)


def assert_same(found: Any, expected: Any) -> None:
    for a, b in zip(arrays_of(found), arrays_of(expected), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_chain_may_not_be_masked():
    call = next(call for call in CALLS if call.function is sk.apply_two_bone)
    assert refusal(call, "chain", np.ma.array([0, 1, 2])).startswith("chain is a masked array: ")


def arrays_of(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result, or of what it is made of."""
    if isinstance(result, np.ndarray):
        return [result]
    if isinstance(result, dict):
        return [array for each in result.values() for array in arrays_of(each)]
    if isinstance(result, tuple):
        return [array for each in result for array in arrays_of(each)]
    if isinstance(result, sk.Clip):
        return [result.rotations, result.translations]
    return [each for each in getattr(result, "__dict__", {}).values() if isinstance(each, np.ndarray)]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_booleans_count_as_0_and_1_among_numbers(call):
    for name in call.arrays:
        array = np.asarray(call.arguments[name])
        if array.dtype.kind != "f":
            continue
        try:
            expected = call.run(**{name: (array > 0).astype(int)})
        except ValueError:
            continue  # no good numbers there
        assert_same(call.run(**{name: array > 0}), expected)
