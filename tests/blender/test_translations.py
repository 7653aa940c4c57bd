# SPDX-License-Identifier: MIT
"""Every word that the add-on shows is in each catalogue, and Blender shows it in the language of the interface."""

import ast
import re
import sys
from pathlib import Path

import bpy
import pytest

#: where sentences come from which are laid out or reported by us
SENTENCES = ("panels", "contact_panel", "preferences", "widgets", "bridge/checks")
#: and those with values in them: what panels and buttons say; what else planting tells of a motion is English
WITH_VALUES = (
    *("bridge/checks", "bridge/native", "bridge/leg_data", "bridge/contacts/edits", "core/words"),
    *(f"bridge/dragging/{name}" for name in ("drag", "dragged_leg", "finish", "locking")),
    *(f"operators/{name}" for name in ("legs", "many", "switch", "report")),
)
#: constants of these that nobody reads, or that are names
NO_WORDS = {"Skelkin"}


def own_types():
    return [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("SKELKIN_")]


def words_of(prop):
    """Return name and description of a property, and those of what can be chosen."""
    found = [prop.name, prop.description] if prop.description else []
    for item in prop.enum_items if prop.type == "ENUM" else ():
        found += [item.name, item.description]
    return found


def shown(addon):
    """Return all words of the add-on's panels, operators and properties."""
    found = set()
    for each in own_types():
        rna = each.bl_rna
        base = {prop.identifier for prop in rna.base.properties} if rna.base else set()
        for prop in rna.properties:
            if prop.identifier not in base:
                found.update(words_of(prop))
        if issubclass(each, (bpy.types.Panel, bpy.types.Menu)):
            found.add(each.bl_label)
    for name in dir(bpy.ops.skelkin):
        rna = getattr(bpy.ops.skelkin, name).get_rna_type()
        found.update([rna.name, rna.description])
        for prop in rna.properties:
            found.update(words_of(prop) if prop.identifier != "rna_type" else ())
    for owner in (bpy.types.Object, bpy.types.WindowManager):
        for prop in owner.bl_rna.properties:
            found.update(words_of(prop) if prop.identifier.startswith("skelkin_") else ())
    return {word for word in found if word.strip()} - NO_WORDS


def written(addon):
    """Return the constant sentences of panels and of the reasons why a button is grey."""
    found = set()
    for name in SENTENCES:
        tree = ast.parse((Path(addon.__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        quiet = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr)
        }
        quiet |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
                text = node.value
                if text[:1].isupper() and text.upper() != text and not text.startswith("SKELKIN"):
                    found.add(text)
    return found - NO_WORDS


def with_values(addon):
    """Return the sentences with values of these modules, with a 7 for each value."""
    found = set()
    for name in WITH_VALUES:
        tree = ast.parse((Path(addon.__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "7" for part in node.values]
                if parts[0][:1].isupper() or (parts[0] == "7" and parts[1:2] and parts[1].strip("._/ :7")):
                    found.add("".join(parts))
    return {text for text in found if re.search(r"[a-z]{2}.* .*[a-z]{2}", text)}


def catalogues(addon):
    return sys.modules[f"{addon.__name__}.translations"].CATALOGUES


def test_every_word_of_panels_operators_and_properties_is_in_each_catalogue(addon):
    for language, words in catalogues(addon).items():
        assert shown(addon) - set(words) == set(), language


def test_every_constant_sentence_of_panels_and_checks_is_in_each_catalogue(addon):
    for language, words in catalogues(addon).items():
        assert written(addon) - set(words) == set(), language


def test_every_sentence_with_values_is_in_each_catalogue(addon):
    translations = sys.modules[f"{addon.__name__}.translations"]
    assert len(with_values(addon)) > 20
    for language in translations.CATALOGUES:
        left = {text for text in with_values(addon) if translations.translate_into(text, language) == text}
        assert left == set(), language


def test_values_of_a_sentence_are_looked_up_but_for_names(addon):
    translate_into = sys.modules[f"{addon.__name__}.translations"].translate_into
    assert translate_into("Planted 2 of 14 actions", "de") == "2 von 14 Aktionen korrigiert"
    assert translate_into("Added a leg: Thigh, Shin, Foot", "de") == "Bein hinzugefügt: Thigh, Shin, Foot"
    assert translate_into("left 3–9: pinned to the 3D cursor", "de") == "links 3–9: angeheftet an den 3D-Cursor"
    assert translate_into("a sentence of the report", "de") == "a sentence of the report"


@pytest.mark.parametrize("language", ["de"])
def test_every_value_of_a_sentence_has_its_place_in_the_translation(addon, language):
    for english, word in catalogues(addon)[language].items():
        places = english.count("{}")
        assert not places or all(str(n) in word.format(*range(places)) for n in range(places)), english


def test_tooltips_end_without_a_full_stop_as_blenders_do(addon):
    for words in catalogues(addon).values():
        ends = [word for english, word in words.items() if word.endswith(".") and not english.endswith(".")]
        assert ends == []


@pytest.fixture
def german():
    """Let the interface be German; Blender as a module has no languages."""
    language = next((name for name in ("de_DE", "de") if name in bpy.app.translations.locales), None)
    view = bpy.context.preferences.view
    before = view.language, view.use_translate_interface
    if language is not None:
        view.language, view.use_translate_interface = language, True
    yield language
    view.language, view.use_translate_interface = before


def test_blender_shows_the_words_in_the_language_of_its_interface(addon, german):
    translate = sys.modules[f"{addon.__name__}.translations"].translate
    if german is None:
        assert translate("Find Legs") == "Find Legs"
        return
    assert translate("Find Legs") == "Beine finden"
    assert bpy.app.translations.pgettext_iface("Find Legs", "Operator") == "Beine finden"
    assert translate("no word of ours") == "no word of ours"


def test_a_refusal_is_said_in_the_language_of_the_interface(addon, german):
    with pytest.raises(RuntimeError, match="Wähle eine Armatur aus" if german else "Select an armature"):
        bpy.ops.skelkin.find_legs()
