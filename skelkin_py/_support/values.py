# SPDX-License-Identifier: MIT
"""Objects that are their values: compared by them, copied and pickled without what was computed from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from .short_repr import short_repr

_Held = TypeVar("_Held")
_Kind = TypeVar("_Kind", bound=type)


class Value:
    """What is made of arguments that it keeps: two are equal where these are, and a pickle holds nothing else.

    Dataclasses keep their fields, arrays read-only. They name ``eq=False``, or theirs would compare arrays as numpy
    does.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, value in self._arguments().items():
            held = read_only(value)
            if held is not value:
                object.__setattr__(self, name, held)

    def _arguments(self) -> dict[str, Any]:
        """Return what the constructor takes to make the same object again."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Value) or type(other) is not type(self):
            return NotImplemented
        return same_values(_compared(self), _compared(other))

    __hash__: Any = None  # as of arrays; classes that are keys say what theirs is

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._arguments())


class FixedValue(Value):
    """The same, and an attribute that has been set stays; so it can be a key, by its words and shapes."""

    __slots__ = ()

    def __hash__(self) -> int:
        parts = self._arguments().values()
        return hash((type(self).__name__, *(_hashed(part) for part in parts)))

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "__dict__") and name not in vars(self):
            object.__setattr__(self, name, value)
        else:
            self._refuse(f"set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        self._refuse(f"delete {name}")

    def _refuse(self, what: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable: cannot {what}")


def _hashed(part: Any) -> Any:
    """Return what equal parts have in common and has a hash: not the numbers, of which there may be millions."""
    return part.shape if isinstance(part, np.ndarray) else part if isinstance(part, str) else None


def _rebuilt(kind: type[Any], arguments: dict[str, Any]) -> Any:
    """Make an object from its pickle."""
    return kind(**arguments)


def _compared(one: Any) -> dict[str, Any]:
    """Return what a value or a dataclass holds, without fields that dataclasses don't compare."""
    if not dataclasses.is_dataclass(one):
        held: dict[str, Any] = one._arguments()
        return held
    return {field.name: getattr(one, field.name) for field in dataclasses.fields(one) if field.compare}


def compared_by_values(kind: _Kind) -> _Kind:
    """Let tuples with names, whose parts are arrays, be compared: a decorator of their class.

    The ``==`` of tuples compares arrays, which give a result for each element. Their hash is that of tuples,
    which there is where all parts have one.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> @compared_by_values
    ... class Line(NamedTuple):
    ...     start: np.ndarray
    ...     end: np.ndarray
    >>> line = Line(np.zeros(3), np.ones(3))
    >>> line == Line(np.zeros(3), np.ones(3)), line != (np.zeros(3), np.ones(3)), line == (np.zeros(3), None)
    (True, False, False)
    """

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        if not isinstance(other, tuple):
            return NotImplemented
        return type(other) in (kind, tuple) and same_values(tuple(self), tuple(other))

    def __ne__(self: Any, other: object) -> Any:  # noqa: N807
        same = __eq__(self, other)
        return same if same is NotImplemented else not same

    for name, method in (("__eq__", __eq__), ("__ne__", __ne__)):
        setattr(kind, name, method)
    return kind


def tuple_of_arrays(kind: _Kind) -> _Kind:
    """Let tuples with names be compared by their values, and shown on one screen: a decorator of their class."""
    type.__setattr__(kind, "__repr__", short_repr)
    return compared_by_values(kind)


def same_values(one: Any, other: Any) -> bool:
    """Return whether two things are equal: numbers and arrays by value, NaN as NaN, and what holds them part by part.

    Parameters
    ----------
    one, other : object
        Arrays are equal where shapes and all elements are, whatever their dtypes; so is an array with the list of its
        elements.

    Returns
    -------
    bool
        False, never an error, where shapes, kinds or keys differ.

    Examples
    --------
    >>> same_values([1.0, np.array([np.nan, 2])], [1.0, np.array([np.nan, 2])])
    True
    >>> same_values({"a": np.zeros(2)}, {"a": np.zeros(3)})
    False
    """
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(one, other)
    if isinstance(one, (float, np.floating)) and isinstance(other, (float, np.floating)):
        return bool(one == other or (one != one and other != other))
    if type(one) is type(other):
        if isinstance(one, (list, tuple)):
            return len(one) == len(other) and all(same_values(*pair) for pair in zip(one, other))
        if isinstance(one, Value) or dataclasses.is_dataclass(one):
            return same_values(_compared(one), _compared(other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_values(value, other[key]) for key, value in one.items())
    return bool(np.all(one == other))


def _same_arrays(one: Any, other: Any) -> bool:
    if not all(isinstance(each, (np.ndarray, list, tuple)) for each in (one, other)):
        return False
    first, second = np.asarray(one), np.asarray(other)
    return bool(np.array_equal(first, second, equal_nan=first.dtype.kind == second.dtype.kind == "f"))


def read_only(value: _Held) -> _Held:
    """Return an array, or the arrays in a tuple, as what cannot be written through; the caller's own stays as it is.

    Parameters
    ----------
    value : ndarray, tuple or object
        Anything else is returned itself.

    Returns
    -------
    object
        A view of the same memory; a tuple of the same kind.

    Examples
    --------
    >>> mine = np.zeros(3)
    >>> read_only((mine, "word"))[0].flags.writeable, mine.flags.writeable
    (False, True)
    """
    return cast(_Held, _held(value))


def _held(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.flags.writeable:
        view = value.view()
        view.flags.writeable = False
        return view
    if isinstance(value, tuple):
        parts = [_held(part) for part in value]
        if any(new is not old for new, old in zip(parts, value)):
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def lock(*values: Any) -> None:
    """Make those of the values that are arrays read-only."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
