# SPDX-License-Identifier: MIT
"""What the widget's page and the editor say to each other: edits arrive, what changed goes back, nonsense stays out."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import types

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.view.jupyter.session import EditSession


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture
def session(biped):
    """On level ground, where contacts have places; a page has said hello."""
    return Talk(EditSession(sk.PlantEditor(biped.clip, ground=0.0), mesh=biped.mesh))


class Talk:
    """A page: it knows the motion from replies alone."""

    def __init__(self, session):
        self.session, self.editor = session, session.editor
        clip = session.editor.clip
        self.page = np.zeros((clip.num_frames, len(clip.names), 3, 4), np.float32)
        self.say(do="open")

    def say(self, **message):
        reply, buffers = self.session.reply({"view": "one", "id": 1, **message})
        patch = reply["motion"]
        block = np.frombuffer(buffers[0], np.float32).reshape(patch["frames"], len(patch["joints"]), 3, 4)
        self.page[patch["first"] : patch["first"] + patch["frames"], patch["joints"]] = block
        self.patch, self.buffers = patch, buffers
        return reply

    def ankle(self, frame, leg="left"):
        """Where the page has an ankle, and so do its messages."""
        return self.page[frame, self.chain(leg)[2], :, 3].astype(float)

    def chain(self, leg="left"):
        return self.editor.legs[self.editor.leg_names.index(leg)].chain

    def drag(self, frame, by, steps=4, *, gesture=7, leg="left"):
        start = self.ankle(frame, leg)
        for k in range(1, steps + 1):
            point = start + np.asarray(by) * k / steps
            reply = self.say(do="foot", gesture=gesture, leg=leg, frame=frame, point=point.tolist())
            assert "error" not in reply
        return start

    def swing(self):
        spans = self.editor.contacts["left"]
        return (spans[0][1] + spans[1][0]) // 2


def test_a_page_that_opens_is_told_the_whole_motion(session):
    reply = session.say(do="open")
    expected = session.editor.clip.global_matrices()[..., :3, :]
    np.testing.assert_allclose(session.page, expected, atol=1e-6)
    assert [leg["key"] for leg in reply["legs"]] == ["left", "right"]
    assert reply["contacts"]["left"] == [list(span) for span in session.editor.contacts["left"]]
    assert (reply["view"], reply["id"]) == ("one", 1)


def test_a_clip_with_z_up_is_y_up_in_the_page(biped):
    turn = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    clip = biped.clip
    local = np.array(clip.local_matrices())
    local[:, 0] = turn @ local[:, 0]
    t, q, _ = sk.decompose(local)
    talk = Talk(EditSession(sk.PlantEditor(sk.Clip(clip.skeleton, q, t, fps=clip.fps), ground=0.0, up="z")))
    before = talk.ankle(talk.swing())
    assert 0.0 < before[1] < 0.5
    talk.drag(talk.swing(), [0.0, 0.05, 0.02])
    np.testing.assert_allclose(talk.ankle(talk.swing()) - before, [0.0, 0.05, 0.02], atol=1e-5)


def test_a_foot_in_the_air_that_is_dragged_is_a_target_of_that_frame(session):
    frame, by = session.swing(), np.array([0.02, 0.05, -0.03])
    start = session.drag(frame, by)
    np.testing.assert_allclose(session.ankle(frame), start + by, atol=1e-5)
    assert list(session.editor.targets["left"]) == [frame]
    assert session.editor.num_edits == 1


def test_a_standing_foot_that_is_dragged_takes_its_contact_along_the_ground(session):
    first, last = session.editor.contacts["left"][1]
    frame = (first + last) // 2
    start = session.drag(frame, [0.04, 0.3, 0.02])
    np.testing.assert_allclose(session.ankle(frame) - start, [0.04, 0.0, 0.02], atol=2e-3)
    assert not session.editor.targets["left"]
    contact = session.editor.contacts["left"][1]
    assert (contact["first_frame"], contact["last_frame"]) == (first, last)
    assert session.editor.num_edits == 1
    session.drag(frame, [0.01, 0.0, 0.0], gesture=8)
    moved = np.array(session.editor.contacts["left"][1]["place"]) - contact["place"]
    np.testing.assert_allclose(moved, [0.01, 0.0, 0.0], atol=1e-6)


def test_a_standing_foot_on_ground_that_is_not_level_is_dragged_with_a_target(biped):
    talk = Talk(EditSession(sk.PlantEditor(biped.clip, ground=biped.ground)))
    first, last = talk.editor.contacts["left"][1]
    frame = (first + last) // 2
    start = talk.drag(frame, [0.02, 0.0, 0.01])
    np.testing.assert_allclose(talk.ankle(frame) - start, [0.02, 0.0, 0.01], atol=1e-5)
    assert list(talk.editor.targets["left"]) == [frame]


def test_a_foot_that_is_taken_and_not_moved_changes_nothing(session):
    frame = session.swing()
    before = session.page.copy()
    session.drag(frame, [0.0, 0.0, 0.0])
    np.testing.assert_allclose(session.page, before, atol=2e-6)


def test_a_pole_turns_the_knee(session):
    frame = session.swing()
    hip, knee, ankle = (session.page[frame, joint, :, 3].astype(float) for joint in session.chain())
    pole = knee + np.cross(ankle - hip, knee - hip)
    session.say(do="pole", gesture=1, leg="left", frame=frame, point=pole.tolist())
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    now = session.page[frame, session.chain()[1], :, 3] - hip
    ways = [way - way @ axis * axis for way in (now, pole - hip)]
    assert ways[0] @ ways[1] / np.linalg.norm(ways[0]) / np.linalg.norm(ways[1]) > 1 - 1e-6


def test_a_contact_that_is_moved_is_what_contacts_takes(session, biped):
    first, last = session.editor.contacts["left"][1]
    for k in range(3):
        reply = session.say(do="contact", gesture=3, leg="left", index=1, span=[first, last - k])
    assert reply["contacts"]["left"][1] == [first, last - 2]
    assert session.editor.num_edits == 1
    planted = biped.clip.plant_feet(ground=0.0, contacts=reply["given"])
    np.testing.assert_allclose(session.page, planted.clip.global_matrices()[..., :3, :], atol=5e-6)
    session.say(do="contact", leg="left", index=1, span=None)
    assert (first, last - 2) not in session.editor.contacts["left"]


def test_all_contacts_are_set_at_once(session):
    session.say(do="contacts", contacts={"left": [[3, 9], [40, 50]], "right": []})
    assert session.editor.contacts == {"left": [(3, 9), (40, 50)], "right": []}


def test_undo_and_redo_take_the_page_along(session):
    begun = session.page.copy()
    session.drag(session.swing(), [0.0, 0.06, 0.0])
    dragged = session.page.copy()
    assert session.say(do="undo")["redo"]
    np.testing.assert_allclose(session.page, begun, atol=2e-6)
    assert session.say(do="redo")["undo"]
    np.testing.assert_allclose(session.page, dragged, atol=2e-6)


def test_edits_of_another_gesture_are_undone_by_themselves(session):
    frame = session.swing()
    session.drag(frame, [0.0, 0.03, 0.0], gesture=1)
    session.drag(frame, [0.0, 0.03, 0.0], gesture=2)
    assert session.editor.num_edits == 2
    session.say(do="undo")
    session.drag(frame, [0.0, 0.01, 0.0], gesture=2)
    assert session.editor.num_edits == 2  # what was undone is not gone on with


def test_a_gesture_that_begins_where_it_is_does_not_swallow_the_edit_before(session):
    first, last = session.editor.contacts["left"][1]
    session.say(do="contact", gesture=1, leg="left", index=1, span=[first, last - 3])
    for end in (last - 3, last - 5):
        session.say(do="contact", gesture=2, leg="left", index=1, span=[first, end])
    session.say(do="undo")
    assert session.editor.contacts["left"][1] == (first, last - 3)


def test_what_was_put_somewhere_is_let_go_of(session):
    frame = session.swing()
    session.drag(frame, [0.0, 0.05, 0.0])
    session.say(do="clear", leg="left", frame=frame, what="foot")
    assert not session.editor.targets["left"]
    stands = session.editor.contacts["left"][1][0] + 3
    session.drag(stands, [0.03, 0.0, 0.0], gesture=9)
    session.say(do="clear", leg="left", frame=stands, what="foot")
    assert isinstance(session.editor.contacts["left"][1], tuple)


def test_only_what_changed_is_sent(session):
    frame = session.swing()
    session.drag(frame, [0.0, 0.05, 0.0])
    names = {session.editor.clip.names[j] for j in session.patch["joints"]}
    assert 0 < session.patch["frames"] < 90
    assert all("Left" in name or "left" in name or name.endswith((".L", "_L", "_l")) for name in names), names
    session.say(do="figures")
    assert session.patch["frames"] == 0


def test_figures_are_those_of_the_planted_clip(session):
    session.say(do="contact", gesture=1, leg="left", index=0, span=[0, 8])
    reply = session.say(do="figures")
    assert "feet stand" in reply["panel"]
    for leg, curve in zip(session.editor.planted.report.legs, session.buffers[1:], strict=True):
        np.testing.assert_allclose(np.frombuffer(curve, np.float32), leg.after.height, atol=1e-6)


FOOT = {"do": "foot", "leg": "left", "frame": 5, "point": [0, 0, 0]}
BAD = [
    ("no mapping", "a mapping is needed"),
    (None, "a mapping is needed"),
    ({}, "do is None"),
    ({"do": "format_disk"}, "do is 'format_disk'"),
    ({"do": ["foot"]}, "do is"),
    (FOOT | {"leg": "middle"}, "leg is 'middle': there are left, right"),
    (FOOT | {"leg": {}}, "leg is"),
    (FOOT | {"frame": -1}, "frame is -1"),
    (FOOT | {"frame": 180}, "frame is 180"),
    (FOOT | {"frame": 2.5}, "frame is 2.5"),
    (FOOT | {"frame": True}, "frame is True"),
    (FOOT | {"point": [0, 0]}, "point is"),
    (FOOT | {"point": [0, float("nan"), 0]}, "point is"),
    (FOOT | {"point": "abc"}, "point is"),
    (FOOT | {"point": None}, "point is"),
    (FOOT | {"do": "pole", "point": [1e300, 0, 0]}, "point is"),
    ({"do": "clear", "leg": "left", "frame": 3, "what": "all"}, "what is 'all'"),
    ({"do": "contact", "leg": "left", "index": 99, "span": [0, 1]}, "index is 99"),
    ({"do": "contact", "leg": "left", "index": 0, "span": [5, 4]}, "last_frame is 4"),
    ({"do": "contact", "leg": "left", "index": 0, "span": [0, 180]}, "last_frame is 180"),
    ({"do": "contact", "leg": "left", "index": 0, "span": 7}, "span is 7"),
    ({"do": "contact", "leg": "left", "index": 0, "span": ["a", "b"]}, "first_frame is 'a'"),
    ({"do": "contacts", "contacts": [[0, 1]]}, "contacts is"),
    ({"do": "contacts", "contacts": {"left": 3}}, "contacts is"),
    ({"do": "contacts", "contacts": {"tail": [[0, 1]]}}, "leg is 'tail'"),
]


@pytest.mark.parametrize(("message", "words"), BAD)
def test_nonsense_is_answered_by_an_error_and_changes_nothing(session, message, words):
    session.drag(session.swing(), [0.0, 0.05, 0.0])
    state = session.editor.contacts, session.editor.clip, session.editor.num_edits
    reply, _ = session.session.reply(copy.deepcopy(message))
    assert words in reply["error"]
    assert reply["motion"]["frames"] == 0
    assert (session.editor.contacts, session.editor.clip, session.editor.num_edits) == state


def test_the_page_holds_handles_and_loads_nothing(session):
    page = session.session.page().html
    assert "live.start()" in page
    assert "default-src 'none'" in page
    assert "live.start()" not in session.session.still().html


def test_what_is_planted_is_edited_as_it_was_planted(biped, monkeypatch):
    module = types.ModuleType("skelkin_py.view.jupyter.widget")
    module.PlantWidget = lambda editor, **_: editor
    monkeypatch.setitem(sys.modules, module.__name__, module)
    planted = biped.clip.plant_feet(ground=biped.ground, contacts={"left": [(0, 8)], "right": []}, align=0.5)
    editor = sk.jupyter.edit(planted)
    assert editor.original is biped.clip
    assert editor.contacts == {"left": [(0, 8)], "right": []}
    assert (editor.options.ground, editor.options.align) == (biped.ground, 0.5)
    assert editor.clip == planted.clip
    assert sk.jupyter.edit(planted, align=0.0, contacts="never").options.align == 0.0
    again = pickle.loads(pickle.dumps(planted))
    assert sk.jupyter.edit(again).clip == planted.clip


def test_without_anywidget_the_extra_is_named():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import skelkin_py as sk\n"
        "try: sk.jupyter.edit(sk.example('biped').clip)\n"
        "except sk.MissingExtraError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == 'jupyter.edit() needs anywidget: pip install ".[jupyter]" in a clone of skelkin', (
        run.stderr
    )
