# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences of the library, in frames of the scene and in words of the panel."""

from __future__ import annotations

from ..core.report_words import panel_words


def in_scene(package, text: str, start: int, leg: float = 0.0) -> str:
    """Return a sentence whose frame 0 is ``start`` of the scene; ``leg`` as in `panel_words`."""
    remark = package.planting.remark
    template = panel_words(str(remark.renumbered(text, lambda _: remark.FRAME)), leg)
    return remark.Remark(template, *(frame + start for frame in remark.frames_of(text)))
