# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on says: the same words in panel, report and tests."""

from __future__ import annotations

import textwrap

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


def in_lines(text: str, width: int = 22) -> list[str]:
    """Return a line in as many as a sidebar of its usual width needs.

    >>> in_lines("left: knee pops in 9 frames (original 2), frame 250")
    ['left: knee pops in 9', 'frames (original 2),', 'frame 250']
    """
    return textwrap.wrap(text, width)


def letters_in(width: float) -> int:
    """Return how many letters fit beside an icon into a sidebar of so many unscaled pixels, the usual ones at least.

    >>> letters_in(0), letters_in(400)
    (22, 52)
    """
    return max(22, int((width - 88.0) / 6.0))
