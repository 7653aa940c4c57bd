# SPDX-License-Identifier: MIT
"""Text that comes from files, made harmless where it is shown: names of joints, of objects and of files themselves."""

from __future__ import annotations

import unicodedata

__all__ = ["escaped", "is_harmless"]

# Control characters, those that are not seen but turn text around, halves of surrogate pairs, ends of lines.
_ESCAPED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_KEPT = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # which words of several scripts are written with


def is_harmless(character: str) -> bool:
    """Tell whether a character shows itself and does nothing else: it moves no cursor and no other character."""
    return character in _KEPT or unicodedata.category(character) not in _ESCAPED


def escaped(text: str) -> str:
    r"""Return a text in one line, in which what a terminal would obey is spelled as Python spells it.

    Escape sequences retitle windows, move the cursor and colour what follows; ends of lines forge other lines, and
    marks of direction turn a name around. Text that has been escaped stays as it is.

    Parameters
    ----------
    text : str
        Anything, such as the name of a file.

    Returns
    -------
    str
        The same, where every character is printed.

    Examples
    --------
    >>> print(escaped("Hips\x1b[2J\r\n夜"))
    Hips\x1b[2J\r\n夜
    """
    if text.isprintable():
        return text
    return "".join(c if is_harmless(c) else c.encode("unicode_escape").decode("ascii") for c in text)
