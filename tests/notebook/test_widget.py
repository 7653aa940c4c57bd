# SPDX-License-Identifier: MIT
"""The widget in a fresh JupyterLab: scrubbed, feet, knees and contacts dragged, undone, and Python knows of all of it.

Pictures of what was seen are left in the folder that SKELKIN_PICTURES names.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest
from page_rules import broken_rules

LIMIT = 120_000  # ms for whatever is waited for

MADE = """\
import json
import skelkin_py as sk
biped = sk.example("biped")
widget = sk.jupyter.edit(biped.clip, mesh=biped.mesh, ground=0.0)
widget"""
ASKED = """\
clip, leg = widget.clip, widget.editor.legs[0]
heights = clip.positions()[:, leg.ankle, 1] - widget.planted.clip.positions()[:, leg.ankle, 1]
editor = widget.editor
print("told:" + json.dumps({"frame": widget.frame, "contacts": widget.contacts["left"], "edits": editor.num_edits,
    "targets": {frame: target.point for frame, target in editor.targets["left"].items()},
    "poles": list(editor.poles["left"]), "lifted": heights.max()}))"""


class Notebook:
    """The notebook with the widget, in a tab."""

    def __init__(self, page, lab):
        self.page, self.complaints, self.foreign = page, [], []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note)
        page.goto(lab.write("edit.ipynb", [MADE, ASKED]))
        page.locator(".jp-CodeCell").nth(1).wait_for()
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        self.run(0)
        self.frame = page.frame_locator("iframe[title^='skelkin: planting']")
        self.frame.locator(".handle.foot").first.wait_for()
        self.inside = next(one for one in page.frames if one.url == "about:srcdoc")

    def _note(self, request):
        if not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|file:|data:|blob:|about:", request.url):
            self.foreign.append(request.url)

    def run(self, cell):
        self.page.locator(".jp-CodeCell .cm-content").nth(cell).click()
        self.page.keyboard.press("Shift+Enter")

    def told(self):
        """Return what the second cell prints when it is run again."""
        self.settled()
        cell = self.page.locator(".jp-CodeCell").nth(1)
        before = cell.locator(".jp-InputPrompt").first.inner_text()
        self.run(1)
        until = time.monotonic() + LIMIT / 1000
        while time.monotonic() < until:
            now = cell.locator(".jp-InputPrompt").first.inner_text()
            output = cell.locator(".jp-OutputArea").inner_text()
            if now not in (before, "[*]:") and "told:" in output:
                return json.loads(output.partition("told:")[2].split("\n")[0])
            time.sleep(0.1)
        raise AssertionError(f"the cell printed {output!r}")

    def told_frame(self, expected):
        """Return the frame that Python knows of, once that is the expected one: what the page tells is on its way."""
        until = time.monotonic() + LIMIT / 1000
        while (told := self.told()["frame"]) != expected and time.monotonic() < until:
            pass
        return told

    def settled(self):
        """Wait until Python has answered all, and the picture is drawn."""
        self.inside.wait_for_function("() => skelkin.live.idle")

    def rest(self, frame):
        self.inside.evaluate(f"skelkin.setFrame({frame})")
        self.inside.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def drag(self, target, dx, dy, steps=8, picture=None):
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for k in range(1, steps + 1):
            self.page.mouse.move(x + dx * k / steps, y + dy * k / steps)
            time.sleep(0.05)
        self.page.mouse.up()
        self.settled()
        if picture and (folder := os.environ.get("SKELKIN_PICTURES")):
            self.page.screenshot(path=Path(folder) / f"widget-{picture}.png")

    def handle(self, name):
        return self.frame.locator(f"[data-handle='{name}']")


@pytest.fixture(scope="module")
def notebook(lab, browser):
    context = browser.new_context(viewport={"width": 1400, "height": 1250}, reduced_motion="reduce")
    context.set_default_timeout(LIMIT)
    yield Notebook(context.new_page(), lab)
    context.close()


@pytest.fixture(autouse=True)
def begun(notebook):
    """Every test begins without edits."""
    while not notebook.frame.locator("#undo").is_disabled():
        notebook.frame.locator("#undo").click()
        notebook.settled()
    yield
    assert notebook.complaints == []
    assert notebook.foreign == []


def test_scrubbing_tells_python_the_frame(notebook):
    notebook.frame.locator("#scrub").focus()
    for _ in range(5):
        notebook.page.keyboard.press("ArrowRight")
    frame = int(notebook.inside.evaluate("Math.floor(skelkin.state.frame)"))
    assert frame >= 5
    assert notebook.told_frame(frame) == frame


def test_a_page_that_has_gone_on_is_not_sent_back_to_what_it_told(notebook):
    notebook.rest(5)
    frames = notebook.inside.evaluate(
        """async () => {
        const { parent } = window, post = parent.postMessage.bind(parent), frames = [];
        const note = () => frames.push(skelkin.state.frame);
        parent.postMessage = (message, ...others) => {
          post(message, ...others);
          if (message.skelkin?.frame === 30) skelkin.setFrame(32);
        };
        window.addEventListener("message", note);
        skelkin.setFrame(30);
        for (let k = 0; k < 30; k++) await new Promise((done) => requestAnimationFrame(done));
        window.removeEventListener("message", note);
        parent.postMessage = post;
        return [...frames, skelkin.state.frame];
        }"""
    )
    assert set(frames) == {32}
    assert notebook.told_frame(32) == 32


def test_an_ankle_that_is_dragged_moves_the_clip_in_python_and_comes_back_by_undo(notebook):
    notebook.rest(27)  # the left foot is in the air
    before = notebook.inside.evaluate("skelkin.live.joint('left', 2)")
    notebook.drag(notebook.handle("left foot"), 10, -40, picture="foot-dragged")
    told = notebook.told()
    assert list(told["targets"]) == ["27"]
    assert told["edits"] == 1
    assert told["lifted"] > 0.05
    after = notebook.inside.evaluate("skelkin.live.joint('left', 2)")
    assert after == pytest.approx(told["targets"]["27"], abs=1e-4)
    notebook.handle("left foot").focus()
    notebook.page.keyboard.press("Control+z")
    told = notebook.told()
    assert (told["edits"], told["targets"]) == (0, {})
    assert notebook.inside.evaluate("skelkin.live.joint('left', 2)") == pytest.approx(before, abs=1e-5)


def test_a_standing_foot_that_is_dragged_places_its_contact(notebook):
    notebook.rest(40)
    notebook.drag(notebook.handle("left foot"), 30, 10, picture="contact-placed")
    told = notebook.told()
    placed = [contact for contact in told["contacts"] if isinstance(contact, dict)]
    assert [(one["first_frame"], one["last_frame"]) for one in placed] == [(30, 52)]
    assert told["targets"] == {}


def test_a_knee_is_turned_by_its_diamond(notebook):
    notebook.rest(27)
    knee = notebook.inside.evaluate("skelkin.live.joint('left', 1)")
    notebook.drag(notebook.handle("left pole"), 60, 10, picture="knee-turned")
    poles = notebook.told()["poles"]
    assert poles == [27]
    now = notebook.inside.evaluate("skelkin.live.joint('left', 1)")
    assert max(abs(a - b) for a, b in zip(now, knee)) > 0.01


def test_an_end_of_a_contact_that_is_dragged_is_contacts_in_python(notebook):
    rounds = notebook.inside.evaluate("skelkin.live.rounds.count")
    end = notebook.frame.locator("[data-contact='left 1'][data-part='last']")
    notebook.drag(end, -60, 0, picture="contact-dragged")
    told = notebook.told()
    assert told["contacts"][1][0] == 30
    assert told["contacts"][1][1] < 50
    assert told["edits"] == 1
    assert notebook.inside.evaluate("skelkin.live.rounds.count") > rounds + 2  # planted while it was dragged
    notebook.frame.locator("#undo").click()
    assert notebook.told()["contacts"][1] == [30, 52]
    assert end.get_attribute("aria-valuenow") == "52"
    notebook.frame.locator("#redo").click()
    assert notebook.told()["contacts"][1] == told["contacts"][1]


def test_arrow_keys_move_a_foot_and_delete_lets_go_of_it(notebook):
    notebook.rest(27)
    notebook.handle("left foot").focus()
    notebook.page.keyboard.press("ArrowUp")
    notebook.page.keyboard.press("Shift+ArrowUp")
    told = notebook.told()
    assert told["edits"] == 2
    assert told["lifted"] > 0.02
    assert told["frame"] == 27
    notebook.handle("left foot").focus()
    notebook.page.keyboard.press("Delete")
    assert notebook.told()["targets"] == {}


def test_figures_are_those_of_the_edited_contacts(notebook):
    panel = notebook.frame.locator("#panel")
    before = panel.locator("tbody tr").filter(has_text="contacts, left").text_content()
    bar = notebook.frame.locator("[data-contact='left 1'][data-part='whole']")
    bar.focus()
    notebook.page.keyboard.press("Delete")
    notebook.settled()
    after = panel.locator("tbody tr").filter(has_text="contacts, left").text_content()
    assert [int(re.findall(r"\d+", text)[-1]) for text in (before, after)] == [6, 5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken_in_the_widget(notebook, scheme):
    notebook.page.emulate_media(color_scheme=scheme)
    notebook.rest(27)
    assert notebook.frame.locator("[data-handle]").count() >= 4
    assert broken_rules(notebook.inside) == {}


def test_how_long_an_answer_takes(notebook):
    notebook.rest(40)
    notebook.drag(notebook.handle("left foot"), 20, 5, steps=20)
    notebook.settled()
    rounds = notebook.inside.evaluate("skelkin.live.rounds")
    print(f"milliseconds from the hand to what is drawn: {rounds}")
    assert rounds["count"] > 10
