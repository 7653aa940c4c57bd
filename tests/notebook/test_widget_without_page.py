# SPDX-License-Identifier: MIT
"""The widget's Python side without a browser: messages arrive as a notebook brings them, replies are caught."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

import skelkin_py as sk


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture
def widget(biped, require, monkeypatch):
    """A widget whose replies are kept in `sent`."""
    require(find_spec("anywidget"), "anywidget")
    widget = sk.jupyter.edit(biped.clip, mesh=biped.mesh, ground=0.0)
    sent = []
    monkeypatch.setattr(type(widget), "send", lambda self, content, buffers=None: sent.append((content, buffers)))
    widget.sent = sent
    return widget


def arrives(widget, message):
    widget._handle_custom_msg(message, [])
    return widget.sent[-1][0]


def test_contacts_are_observed(widget):
    seen = []
    widget.observe(lambda change: seen.append(change["new"]["left"][0]), "contacts")
    reply = arrives(
        widget, {"do": "contact", "gesture": 1, "leg": "left", "index": 0, "span": [0, 8], "view": "a", "id": 5}
    )
    assert (reply["view"], reply["id"], reply["contacts"]["left"][0]) == ("a", 5, [0, 8])
    assert seen == [(0, 8)]
    assert widget.contacts == widget.editor.contacts
    assert widget.clip is widget.editor.clip
    assert widget.report is widget.planted.report


def test_edits_by_calls_are_shown_by_refresh_and_undone(widget):
    widget.editor.move_contact("left", 0, 0, 8)
    widget.refresh()
    content, buffers = widget.sent[-1]
    assert content["contacts"]["left"][0] == [0, 8]
    assert len(buffers[0]) == 4 * 12 * content["motion"]["frames"] * len(content["motion"]["joints"]) > 0
    assert widget.undo()
    assert widget.contacts["left"][0] == (0, 16)
    assert widget.redo()
    assert widget.contacts["left"][0] == (0, 8)
    assert not widget.redo()


@pytest.mark.parametrize("message", ["nonsense", {}, {"do": "foot", "leg": "left", "frame": 3, "point": [0, 0]}])
def test_nonsense_is_answered_and_changes_nothing(widget, message):
    contacts = widget.contacts
    assert arrives(widget, message)["error"]
    assert widget.contacts == contacts
    assert widget.editor.num_edits == 0


def test_where_no_python_answers_there_is_the_player(widget):
    data = widget._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<iframe" in data["text/html"]


def test_an_editor_keeps_its_edits_and_takes_no_options(biped, widget):
    editor = sk.PlantEditor(biped.clip, ground=0.0)
    editor.move_contact("left", 0, 0, 8)
    assert sk.jupyter.edit(editor).contacts["left"][0] == (0, 8)
    with pytest.raises(ValueError, match="ground is given with an editor"):
        sk.jupyter.edit(editor, ground=0.0)
    with pytest.raises(TypeError, match="editor is a Clip"):
        sk.jupyter.PlantWidget(biped.clip)
