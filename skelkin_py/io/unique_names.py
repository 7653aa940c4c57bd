# SPDX-License-Identifier: MIT
"""Names that occur once each."""

from __future__ import annotations

from collections.abc import Sequence


def unique_names(names: Sequence[str]) -> list[str]:
    """Return the names with ``.001``, ``.002`` … behind those that came before.

    Parameters
    ----------
    names : sequence of str
        The names.

    Returns
    -------
    list of str
        As many.

    Examples
    --------
    >>> unique_names(["a", "b", "a", "a"])
    ['a', 'b', 'a.001', 'a.002']
    """
    taken = set(names)
    seen: set[str] = set()
    counters: dict[str, int] = {}
    result = []
    for name in names:
        unique = name
        while unique in seen or (unique != name and unique in taken):
            counters[name] = counters.get(name, 0) + 1
            unique = f"{name}.{counters[name]:03d}"
        seen.add(unique)
        result.append(unique)
    return result
