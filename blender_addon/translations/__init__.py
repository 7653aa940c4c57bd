# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's words in other languages; English, where it is used in the source, is the key of each catalogue.

Blender looks up by itself what it draws from properties, operators and labels. Sentences that we lay out ourselves, or
that are reported, are looked up by `said` before.
"""

from __future__ import annotations

import bpy

from . import german

#: Blender's names of a language, which have changed, and its catalogue
CATALOGUES = {"de_DE": german.WORDS, "de": german.WORDS}
#: names of operators are looked up apart from all other words
_CONTEXTS = ("*", "Operator")


def said(text: str) -> str:
    """Return a sentence in the language of the interface, as it is where that has none."""
    return bpy.app.translations.pgettext_iface(text)


def register() -> None:
    """Tell Blender all words."""
    words = {
        language: {(context, english): word for english, word in catalogue.items() for context in _CONTEXTS}
        for language, catalogue in CATALOGUES.items()
    }
    bpy.app.translations.register(__package__, words)


def unregister() -> None:
    """Let Blender forget them."""
    bpy.app.translations.unregister(__package__)
