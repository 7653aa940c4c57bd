# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on says: the same words in panel, report and tests."""

from __future__ import annotations

import textwrap


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "contact"), counted(14, "contact")
    ('1 contact', '14 contacts')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def result_line(contacts: int, before: float, after: float, unit: str = "cm") -> str:
    """Return the result of planting; slides in the unit named.

    >>> result_line(14, 3.14, 0.01)
    'Planted 14 contacts, slide 3.1 → 0.0 cm'
    """
    return f"Planted {counted(contacts, 'contact')}, slide {before:.1f} → {after:.1f} {unit}"


def in_lines(text: str, width: int = 26) -> list[str]:
    """Return a line in as many as a sidebar of its usual width needs.

    >>> in_lines("left: knee pops in 9 frames (original 2), frame 250")
    ['left: knee pops in 9', 'frames (original 2), frame', '250']
    """
    return textwrap.wrap(text, width)
