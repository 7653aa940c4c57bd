# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's words in other languages; English, where it is used in the source, is the key of each catalogue.

Blender looks up by itself what it draws from properties, operators and labels. Sentences that we lay out ourselves, or
that are reported, go through `translate`. A key with ``{}`` is a sentence with values in it, which may be words too.
Catalogues are files of gettext (`.po`), which translators have editors for.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import bpy

_ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', re.MULTILINE)


def _read(name: str) -> dict[str, str]:
    """Return the words of a catalogue; texts are in lines that are quoted as in JSON."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    pairs = [["".join(map(json.loads, part.splitlines())) for part in pair] for pair in _ENTRY.findall(text)]
    return {english: word for english, word in pairs if english}  # without it stands what the file says of itself


_GERMAN = _read("de.po")
#: Blender's names of a language, which have changed, and its catalogue
CATALOGUES = {"de_DE": _GERMAN, "de": _GERMAN}
#: names of operators are looked up apart from all other words
_CONTEXTS = ("*", "Operator")


def translate(text: str) -> str:
    """Return a sentence in the language of the interface, as it is where that has none."""
    language = bpy.app.translations.locale
    shown = bpy.context.preferences.view.use_translate_interface
    return translate_into(text, language) if shown and language in CATALOGUES else text


@lru_cache(4096)  # panels say the same again and again
def translate_into(text: str, language: str) -> str:
    """Return a sentence in a language, with what it holds."""
    words = CATALOGUES[language]
    if text in words:
        return words[text]
    for pattern, english in _patterns(language):
        if found := pattern.fullmatch(text):
            return words[english].format(*(_value(value, language) for value in found.groups()))
    return text


def _value(value: str, language: str) -> str:
    """Return what stands in a sentence; one word with a capital is the name of a bone or an action, not ours."""
    return value if value[:1].isupper() and " " not in value else translate_into(value, language)


@lru_cache(None)
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return what the sentences with values look like; those with most words of their own come first."""
    keys = sorted((key for key in CATALOGUES[language] if "{}" in key), key=lambda key: -len(key.replace("{}", "")))
    return [(re.compile("(.+?)".join(map(re.escape, key.split("{}"))), re.DOTALL), key) for key in keys]


def register() -> None:
    """Tell Blender all words."""
    words = {
        language: {
            (context, english): word
            for english, word in catalogue.items()
            if "{}" not in english
            for context in _CONTEXTS
        }
        for language, catalogue in CATALOGUES.items()
    }
    bpy.app.translations.register(__package__, words)


def unregister() -> None:
    """Let Blender forget them."""
    bpy.app.translations.unregister(__package__)
