# SPDX-License-Identifier: MIT
"""What results with many numbers say of themselves: every field, and of what is long its kind and size."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from .status import IKStatus

_NUMBERS = 16  # an array of more is shown by its dtype and shape
_ITEMS = 4  # a sequence of more by its length
_LETTERS = 160  # anything else by its type


def short_repr(self: Any) -> str:
    r"""Return a text of one screen for a named tuple or a dataclass; to be its `__repr__`.

    Parameters
    ----------
    self : NamedTuple or dataclass
        The object; arrays, sequences and objects in it may be of any size.

    Returns
    -------
    str
        ``Name(field=value, ...)``. Arrays of more than 16 numbers are ``dtype (shape)``; outcomes of solves, in a
        field called ``status``, are counted by name.

    Examples
    --------
    >>> a = np.zeros((500, 3))
    >>> sk.solve_fabrik(np.stack([a, a + [0, 1, 0], a + [0, 2, 0]], axis=1), [0, 1, 0.5])
    Fabrik(positions=float64 (500, 3, 3), status=500 REACHED, error=float64 (500,), iterations=int32 (500,))
    """
    fields = getattr(self, "_fields", None) or [field.name for field in dataclasses.fields(self) if field.repr]
    parts = (f"{name}={_outcomes(value) if name == 'status' else shown(value)}" for name in fields
             for value in [getattr(self, name)])  # fmt: skip
    return f"{type(self).__name__}({', '.join(parts)})"


def _outcomes(status: Any) -> str:
    """Return how many solves ended how."""
    codes, counts = np.unique(np.asarray(status), return_counts=True)
    named = {int(each): each.name for each in IKStatus}
    if any(code not in named for code in codes.tolist()):
        return shown(status)
    if np.ndim(status) == 0:
        return named[int(codes[0])]
    return ", ".join(f"{count} {named[code]}" for code, count in zip(codes.tolist(), counts.tolist())) or "none"


def shown(value: Any) -> str:
    """Return a value as it is, or what it is where that would be long.

    Examples
    --------
    >>> shown([1, 2]), shown(list(range(1000))), shown(("long " * 40, 1))
    ('[1, 2]', '<list of 1000>', '<tuple of 2>')
    """
    if isinstance(value, np.ndarray):
        if value.size > _NUMBERS:
            return f"{value.dtype} {value.shape}"
        return " ".join(np.array2string(value, separator=", ").split())
    if isinstance(value, (list, tuple, dict, set, frozenset)) and len(value) > _ITEMS:
        return f"<{type(value).__name__} of {len(value)}>"
    text = repr(value)
    if len(text) <= _LETTERS and "\n" not in text:
        return text
    size = f" of {len(value)}" if isinstance(value, (list, tuple, dict)) and not hasattr(value, "_fields") else ""
    return f"<{type(value).__name__}{size}>"
