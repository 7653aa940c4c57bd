# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on says: the same words in panel, report and tests."""

from __future__ import annotations

#: letters by their width in the fonts of the interface
_NARROW, _WIDE = " fijlrtI.,:;|'()[]!-", "mwMW%@→"

IN_SLOW_MOTION = (
    "The legs move as in slow motion: if the motion was made at another frame rate, "
    "choose it as Rate or take it from the BVH file"
)
NOTHING_MINDED = "Nothing that a viewer would mind."


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "contact"), counted(14, "contact")
    ('1 contact', '14 contacts')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_lines(text: str, width: float) -> list[str]:
    """Return a text in lines that are no wider than so many unscaled pixels; longer words are broken.

    >>> in_lines("moved by 26.6 cm (31.9 % of the leg)", room_in(0))
    ['moved by 26.6 cm', '(31.9 % of the leg)']
    """
    lines = [""]
    for word in text.split():
        while _width(word) > width:
            cut = next(k for k in range(len(word), 0, -1) if _width(word[:k]) <= width)
            lines, word = [*lines, word[:cut]], word[cut:]
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if _width(longer) <= width else [*lines, word]
    return list(filter(None, lines))


def _width(text: str) -> float:
    """Return how many pixels a text takes at most in the fonts of Blender's interface."""
    wide = (10.0 if c in _WIDE else 4.0 if c in _NARROW else 7.0 if c.isupper() or c.isdigit() else 6.2 for c in text)
    return sum(wide)


def room_in(width: float) -> float:
    """Return how many pixels text has beside an icon, in a box in a box of a sidebar of so many unscaled pixels.

    >>> room_in(0), room_in(400)
    (122.0, 293.0)
    """
    return max(122.0, width - 107.0)
