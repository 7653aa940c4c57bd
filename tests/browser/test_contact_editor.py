# SPDX-License-Identifier: MIT
"""Contacts edited in the player's timeline, by mouse, keys and fingers, and planted by the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browser_tabs import wait_until

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """A clip on file and its page, planted with the contacts that were found."""
    folder = tmp_path_factory.mktemp("walk")
    sk.example("biped").clip.save(folder / "walk.bvh")
    clip = sk.load(folder / "walk.bvh")
    planted = clip.plant_feet()
    sk.view.write_html(folder / "page.html", planted.clip, compare=clip, report=planted.report)
    return folder, planted.report


@pytest.fixture
def editor(open_page, walk):
    """The page with the editor open."""
    folder, _ = walk
    tab = open_page(folder / "page.html")
    tab.page.set_viewport_size({"width": 1200, "height": 700})
    tab.page.keyboard.press("e")
    assert tab.page.locator("#editing").is_visible()
    return tab


def contacts(tab):
    """Return what the page's hook says."""
    return tab.page.evaluate("skelkin.contacts.get()")


def part(tab, foot, index, which):
    """Return a bar ("whole") or an end of it ("first", "last")."""
    return tab.page.locator(f'[data-contact="{foot} {index}"][data-part={which}]')


def drag(tab, element, frames):
    """Drag an element by so many frames of the lane."""
    box, lane = element.bounding_box(), tab.page.locator(".time").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x + frames * lane["width"] / 179, y, steps=5)
    tab.page.mouse.up()


def test_bars_and_ends_are_dragged_undone_and_redone(editor):
    original = contacts(editor)
    first, last = original["left"][2]
    drag(editor, part(editor, "left", 2, "whole"), 3)
    assert contacts(editor)["left"][2] == [first + 3, last + 3]
    drag(editor, part(editor, "left", 2, "last"), -4)
    assert contacts(editor)["left"][2] == [first + 3, last - 1]
    drag(editor, part(editor, "left", 2, "first"), -2)
    assert contacts(editor)["left"][2] == [first + 1, last - 1]
    changed = contacts(editor)
    for _ in range(3):
        editor.page.locator("#undo").click()
    assert contacts(editor) == original
    assert editor.page.locator("#undo").is_disabled()
    for _ in range(3):
        editor.page.keyboard.press("Control+Shift+Z")
    assert contacts(editor) == changed


def test_a_bar_stops_at_its_neighbours_and_at_the_ends_of_the_clip(editor):
    spans = contacts(editor)["right"]
    drag(editor, part(editor, "right", 1, "first"), -170)
    drag(editor, part(editor, "right", 0, "whole"), -170)
    moved = contacts(editor)["right"]
    assert moved[1] == [spans[0][1] + 1, spans[1][1]]
    assert moved[0] == [0, spans[0][1] - spans[0][0]]


def test_everything_goes_by_keys(editor):
    page, original = editor.page, contacts(editor)
    part(editor, "left", 1, "last").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    first, last = original["left"][1]
    assert contacts(editor)["left"][1] == [first, last - 9]
    assert page.evaluate("skelkin.state.frame") == last - 9
    assert page.evaluate("document.activeElement.dataset.part") == "last"
    page.keyboard.press("Control+z")
    assert contacts(editor)["left"][1] == [first, last + 1]
    assert page.evaluate("document.activeElement.dataset.part") == "last"
    page.keyboard.press("Delete")
    assert len(contacts(editor)["left"]) == len(original["left"]) - 1
    page.evaluate(f"skelkin.setFrame({first})")
    page.locator("#foot").select_option("left")
    page.locator("#add").press("Enter")
    assert contacts(editor)["left"][1] == [first, first + 9]
    assert "contact added" in page.locator("#said").inner_text()


def test_a_double_click_adds_and_delete_takes_away(editor):
    spans = contacts(editor)["left"]
    gap = (spans[0][1] + spans[1][0]) // 2
    lane = editor.page.locator(".time").first.bounding_box()
    editor.page.mouse.dblclick(lane["x"] + lane["width"] * gap / 179, lane["y"] + lane["height"] / 2)
    added = contacts(editor)["left"]
    assert len(added) == len(spans) + 1
    assert added[1][0] == gap
    editor.page.locator("#remove").click()
    assert contacts(editor)["left"] == spans


def test_buttons_move_what_was_tapped_by_one_frame(open_page, walk):
    tab = open_page(walk[0] / "page.html", has_touch=True)
    tab.page.set_viewport_size({"width": 390, "height": 800})
    tab.page.locator("#edit").tap()
    first, last = contacts(tab)["left"][1]
    for _ in range(4):
        tab.page.locator("#closer").tap()  # the end of the bar becomes wide enough for a finger
    tab.page.evaluate(f"skelkin.setFrame({first})")
    part(tab, "left", 1, "first").tap()
    assert "start of contact" in tab.page.locator("#hint").inner_text()
    tab.page.locator("#later").tap()
    tab.page.locator("#later").tap()
    tab.page.locator("#earlier").tap()
    assert contacts(tab)["left"][1] == [first + 1, last]


def test_fingers_drag_a_bar_on_a_phone(open_page, walk):
    tab = open_page(walk[0] / "page.html", has_touch=True)
    tab.page.set_viewport_size({"width": 390, "height": 800})
    tab.page.locator("#edit").tap()
    first, last = contacts(tab)["right"][1]
    tab.page.evaluate(f"skelkin.setFrame({(first + last) // 2})")
    for _ in range(3):
        tab.page.locator("#closer").tap()
    bar = part(tab, "right", 1, "whole")
    bar.scroll_into_view_if_needed()
    box, lane = bar.bounding_box(), tab.page.locator(".time").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = tab.page.context.new_cdp_session(tab.page)
    way = 5 * lane["width"] / 179
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for k in range(1, 6):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + way * k / 5, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_until(tab.page, f"skelkin.contacts.get().right[1][0] !== {first}")
    assert contacts(tab)["right"][1] == [first + 5, last + 5]


def test_the_timeline_zooms_about_the_frame_that_is_shown(editor):
    page = editor.page
    page.evaluate("skelkin.setFrame(100)")
    width = part(editor, "left", 2, "whole").bounding_box()["width"]
    at = page.locator("#playhead").bounding_box()["x"]
    for _ in range(3):
        page.locator("#closer").click()
    assert part(editor, "left", 2, "whole").bounding_box()["width"] == pytest.approx(width * 1.6**3, rel=0.01)
    assert page.locator("#playhead").bounding_box()["x"] == pytest.approx(at, abs=2)
    span = contacts(editor)["left"][3]
    page.evaluate(f"skelkin.setFrame({span[0]})")
    lane = page.locator(".track").first.bounding_box()
    assert lane["x"] <= page.locator("#playhead").bounding_box()["x"] <= lane["x"] + lane["width"]
    drag(editor, part(editor, "left", 3, "first"), 2)
    assert contacts(editor)["left"][3] == [span[0] + 2, span[1]]


def test_the_saved_file_is_planted_by_the_command_line(editor, walk, tmp_path, capsys):
    folder, _ = walk
    drag(editor, part(editor, "left", 2, "last"), 4)
    part(editor, "right", 1, "whole").focus()
    editor.page.keyboard.press("Delete")
    with editor.page.expect_download() as download:
        editor.page.locator("#save").click()
    assert download.value.suggested_filename == "contacts.json"
    download.value.save_as(tmp_path / "contacts.json")
    saved = json.loads((tmp_path / "contacts.json").read_text())
    assert saved["contacts"] == contacts(editor)
    assert (saved["num_frames"], saved["fps"]) == (180, 30)
    assert editor.page.evaluate("skelkin.contacts.text()") == (tmp_path / "contacts.json").read_text()
    given = ["--contacts", str(tmp_path / "contacts.json")]
    assert main(["plant", str(folder / "walk.bvh"), "-o", str(tmp_path / "planted.bvh"), "--json", *given]) == 0
    report = json.loads(capsys.readouterr().out)
    planted = {"left": [], "right": []}
    for contact in report["contacts"]:
        planted[contact["leg"]].append([contact["first_frame"], contact["last_frame"]])
    assert planted == saved["contacts"]


def test_the_hook_takes_contacts_tells_of_them_and_refuses_what_is_none(editor):
    page = editor.page
    page.evaluate("window.addEventListener('skelkin:contacts', (e) => { window.told = e.detail; })")
    page.evaluate("skelkin.contacts.set({left: [[40, 60], [3, 9]]})")
    expected = {"left": [[3, 9], [40, 60]], "right": []}
    assert contacts(editor) == page.evaluate("window.told") == expected
    assert page.locator(".contact").count() == 2
    refused = {
        "{leftt: []}": "no leg is called leftt",
        "{left: [[5, 2]]}": "is no span of frames 0 to 179",
        "{left: [[0, 180]]}": "is no span of frames 0 to 179",
        "{left: [[0, 10], [10, 12]]}": "overlap",
        "{left: 3}": "left: a list of [first, last] is needed",
        "{left: [3]}": "left: a list of [first, last] is needed",
        "null": "an object of lists is needed",
    }
    for value, rule in refused.items():
        message = page.evaluate(
            f"() => {{ try {{ skelkin.contacts.set({value}); }}"
            " catch (e) { return `${e.name}: ${e.message}`; } }"
        )
        assert message.startswith("RangeError")
        assert rule in message
    assert contacts(editor) == expected
    page.locator("#undo").click()
    assert len(contacts(editor)["left"]) > 2


def test_a_clip_whose_feet_never_stand_gets_its_contacts_by_hand(open_page, tmp_path):
    clip = sk.example("biped").clip
    flies = clip.translations + np.arange(clip.num_frames)[:, None, None] * np.array([0.3, 0.2, 0.5])
    tab = open_page(sk.view.write_html(tmp_path / "bare.html", sk.Clip(clip.skeleton, clip.rotations, flies, fps=30.0)))
    assert contacts(tab) == {"left": [], "right": []}
    tab.page.locator("#edit").click()
    tab.page.evaluate("skelkin.setFrame(30)")
    tab.page.locator("#add").click()
    assert contacts(tab) == {"left": [[30, 39]], "right": []}
