# SPDX-License-Identifier: MIT
"""Functions whose arguments are taken in C: signature, help and errors are those of a function of Python."""

from __future__ import annotations

import inspect
import pickle
import types

import numpy as np
import pytest

import skelkin_py as sk

LIMB = ([0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, 0.5, 0])
OPTIONS = {
    "pole": None, "pole_direction": None, "bend": None, "roll": "hinge", "soften": 0.0, "stretch": 1.0,
    "stretch_start": 1.0, "twist": 0.0, "weight": 1.0, "out": None,
}  # fmt: skip


def test_nothing_of_python_stands_before_the_call():
    assert isinstance(sk.solve_two_bone, types.BuiltinFunctionType)


def test_signature_and_help_are_told():
    parameters = inspect.signature(sk.solve_two_bone).parameters
    assert list(parameters) == ["a", "b", "c", "target", *OPTIONS]
    kinds = [each.kind for each in parameters.values()]
    assert kinds == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * 4 + [inspect.Parameter.KEYWORD_ONLY] * len(OPTIONS)
    assert {name: parameters[name].default for name in OPTIONS} == OPTIONS
    assert inspect.getdoc(sk.solve_two_bone).startswith("Move the end of two bones to a target")
    assert sk.solve_two_bone.__module__ == "skelkin_py.ik"
    assert pickle.loads(pickle.dumps(sk.solve_two_bone)) is sk.solve_two_bone


@pytest.mark.parametrize(
    ("positional", "named", "message"),
    [
        (LIMB[:2], {}, r"solve_two_bone\(\) missing 2 required positional arguments: 'c' and 'target'$"),
        ((*LIMB, 1), {}, r"solve_two_bone\(\) takes 4 positional arguments but 5 were given$"),
        (
            (*LIMB, 1),
            {"pole": 1},
            r"solve_two_bone\(\) takes 4 positional arguments but 5 positional arguments .* were given$",
        ),
        (LIMB, {"poles": 1}, r"solve_two_bone\(\) got an unexpected keyword argument 'poles'"),
        (LIMB, {"a": 1}, r"solve_two_bone\(\) got multiple values for argument 'a'$"),
    ],
)
def test_arguments_that_do_not_fit_are_told_as_python_does(positional, named, message):
    with pytest.raises(TypeError, match=message):
        sk.solve_two_bone(*positional, **named)


def test_names_that_are_not_interned_and_any_order_are_taken():
    wanted = sk.solve_two_bone(*LIMB, pole=[0, 1, 3], twist=0.3)
    names = ["".join(["tw", "ist"]), "".join(["po", "le"]), *["target", "c", "b", "a"]]
    values = [0.3, [0, 1, 3], *LIMB[::-1]]
    found = sk.solve_two_bone(**dict(zip(names, values, strict=True)))
    assert type(found) is sk.TwoBone
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_values_are_looked_at_as_before():
    with pytest.raises(ValueError, match=r"^roll is 'round': expected 'hinge' or 'minimal'$"):
        sk.solve_two_bone(*LIMB, roll="round")
    with pytest.raises(ValueError, match=r"^roll is None: expected 'hinge' or 'minimal'$"):
        sk.solve_two_bone(*LIMB, roll=None)


def test_codes_go_straight_into_an_array_that_is_given():
    many = np.broadcast_to(LIMB[3], (6, 3)) * np.linspace(0, 9, 6)[:, None]
    out = sk.solve_two_bone(*LIMB[:3], many)
    spread = np.full((6, 2), 99, np.uint8)
    kept = out._replace(status=spread[:, 1])
    found = sk.solve_two_bone(*LIMB[:3], many, out=kept)
    assert found.status is kept.status
    np.testing.assert_array_equal(spread, np.stack([np.full(6, 99), out.status], axis=1))
