# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences and rows of the library's report in the words of the panel: its labels in place of options of Python."""

from __future__ import annotations

import re

#: labels of settings, by the option of planting that each sets
_LABELS = {
    "contacts": "Contacts",
    "frames": "Range",
    "ground": "Ground",
    "ground_velocity": "Ground Motion",
    "legs": "Legs",
    "metres_per_unit": "Units in the scene's properties",
    "reach": "Reach",
    "travel": "Travel",
    "up": "the Z axis",
}
#: values that the panel calls otherwise than by the same word with a capital
_VALUES = {
    ("contacts", "auto"): "Automatic",
    ("contacts", "ground_only"): "Ground Only",
    ("ground_velocity", "auto"): "From Feet",
    ("reach", "soften"): "Soft IK",
    ("reach", "lower_pelvis"): "Lower Pelvis",
    ("travel", "in_place"): "In Place",
}
#: sentences of which more than an option is Python's
_SENTENCES = (
    ("contacts has no span for any leg: nothing changed", "Contacts has no contact that counts: nothing changed"),
    ("check that ground= and up= are in the clip's unit and axes", "check Ground, and that the body stands along Z"),
    (
        "check that it is in the clip's units per second and its sign is right. ground_velocity='auto' measures it, "
        "and contacts= sets when feet stand",
        "check its size and sign, choose Ground Motion: From Feet, or add contacts in the Contacts panel",
    ),
    ("give the unit with metres_per_unit= (--unit)", "choose a Unit System in the scene's properties"),
    ("a clip of", "a range of"),
)
_OPTION = re.compile(rf"\b({'|'.join(_LABELS)})=(?:'(\w+)')?")

_KNEE_JERKS = re.compile(r"jerks by [\d ]+ °/s³, more than twice the original")
_CENTIMETRES = re.compile(r"\b(\d+\.\d) cm\b")
_LEGS = re.compile(r"(?<![\d.])(\d(?:\.\d+)?) leg lengths")  # more than ten are a wrong unit, and said as such

#: of each row: its title in the panel, and the unit of value and bar: a part of the leg, of the bar, or what is named
_OF_LEG, _OF_BAR = "leg", "bar"
ROWS = {
    "throw": ("body moves suddenly", _OF_LEG),
    "lift": ("foot is lifted less", " %"),
    "slide": ("foot slides farther", _OF_LEG),
    "level": ("foot stands higher than the others", _OF_LEG),
    "float": ("foot floats more", _OF_LEG),
    "sink": ("foot sinks deeper", _OF_LEG),
    "knee": ("knee bends differently", " % of frames"),
    "pops": ("knee pops", ""),
    "jump": ("foot jolts", _OF_LEG),
    "swing": ("foot swings off its path", _OF_LEG),
    "heel": ("heel rocks", _OF_LEG),
    "jerk": ("knee jerks", _OF_BAR),
}


def panel_words(text: str, centimetres: float = 0.0) -> str:
    """Return a sentence of the library in words of the panel; lengths are in centimetres and in parts of the leg.

    The leg is so many ``centimetres`` long; 0 leaves lengths alone.

    >>> panel_words("contacts='cycle' assumes that each foot stands where it is lowest and slowest")
    'Contacts: Cycle assumes that each foot stands where it is lowest and slowest'
    >>> panel_words("on something that ground= does not include")
    'on something that Ground does not include'
    >>> panel_words("look at: the left foot slides 48.9 cm farther", 1250.0)
    'look at: the left foot slides 48.9 cm (3.9 % of the leg) farther'
    >>> panel_words("the heights of contacts differ by 0.049 leg lengths", 90.0)
    'the heights of contacts differ by 4.4 cm (4.9 % of the leg)'
    """
    for theirs, ours in _SENTENCES:
        text = text.replace(theirs, ours)
    text = _KNEE_JERKS.sub("jerks more than twice as hard as in the original", _OPTION.sub(_label, text))
    if not centimetres:
        return text
    text = _CENTIMETRES.sub(lambda found: _length(float(found[1]), centimetres), text)
    return _LEGS.sub(lambda found: _length(float(found[1]) * centimetres, centimetres), text)


def _label(found: re.Match[str]) -> str:
    option, value = found.groups()
    return _LABELS[option] + (f": {_VALUES.get((option, value), value.capitalize())}" if value else "")


def _length(size: float, leg: float) -> str:
    return f"{size:.1f} cm ({100.0 * size / leg:.1f} % of the leg)"


def row_figures(row: str, leg: str, value: float, bar: float, centimetres: float) -> tuple[str, str]:
    """Return the title of a row, and its value beside its bar; the leg is so many centimetres long.

    >>> row_figures("slide", "left", 0.0391, 0.05, 1250.0)
    ('left: foot slides farther', '48.9 cm (3.9 % of the leg), bar 5 %')
    >>> row_figures("jerk", "right", 200.0, 150.0, 90.0)
    ('right: knee jerks', '133 % of the bar')
    >>> row_figures("pops", "right", 2.0, 5.0, 90.0)
    ('right: knee pops', '2, bar 5')
    """
    title, unit = ROWS[row]
    title = f"{leg}: {title}" if leg else title
    if unit == _OF_LEG:
        return title, f"{_length(value * centimetres, centimetres)}, bar {100.0 * bar:g} %"
    return (
        title,
        f"{100.0 * value / bar:.0f} % of the bar" if unit == _OF_BAR else f"{value:.0f}{unit}, bar {bar:g}{unit}",
    )


def before_after(before: float, after: float, leg: float) -> list[str]:
    """Return two lengths in centimetres, and in a line of their own as parts of the leg.

    >>> before_after(48.9, 0.01, 1250.0)
    ['48.90 → 0.01 cm', '3.9 → 0.0 % of the leg']
    """
    return [f"{before:.2f} → {after:.2f} cm", f"{100.0 * before / leg:.1f} → {100.0 * after / leg:.1f} % of the leg"]
