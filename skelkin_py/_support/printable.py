# SPDX-License-Identifier: MIT
"""Text that comes from files, made harmless where it is shown: names of joints, of objects and of files themselves."""

from __future__ import annotations

import unicodedata
from array import array

# Control characters, those that are not seen but turn text around, halves of surrogate pairs, ends of lines.
_ESCAPED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_KEPT = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # which words of several scripts are written with


def is_harmless(character: str) -> bool:
    """Tell whether a character is displayed and does nothing else: it moves no cursor and no other character."""
    return character in _KEPT or unicodedata.category(character) not in _ESCAPED


def is_unicode(text: str) -> bool:
    r"""Tell whether a text has letters of Unicode alone, and can be written to any file.

    Parameters
    ----------
    text : str
        Also such as Python would not make: of arrays, with codes beyond Unicode, or of JSON, with halves of pairs.

    Returns
    -------
    bool
        Whether every code is that of a letter.

    Examples
    --------
    >>> is_unicode("夜"), is_unicode("\ud800")
    (True, False)
    """
    if text.isascii():
        return True
    codes = array("I", text.encode("utf-32", "surrogatepass")[4:])
    return all(code < 0xD800 or 0xDFFF < code < 0x110000 for code in codes)


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
