# SPDX-License-Identifier: MIT
"""The player in a real Chromium without a network: it draws, moves, compares, and asks nobody for anything."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from browser_tabs import FLAT_ONLY, changed, decode_png, wait_for, wait_until

import skelkin_py as sk


def test_the_walker_is_drawn_and_moves_when_scrubbed(open_page):
    tab = open_page()
    first, later = tab.picture(20), tab.picture(110)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500  # shaded, not blank
    assert changed(first, later) > 0.02
    assert changed(first, tab.picture(20)) < 0.002  # the same frame is the same picture


def test_a_step_from_between_two_frames_goes_to_the_next_one(open_page):
    """As after a pause: the clock shows the frame before."""
    tab = open_page()
    clock = tab.page.locator("#clock")
    for key, expected in (("ArrowRight", 11), ("ArrowLeft", 9)):
        tab.page.evaluate("skelkin.setFrame(10.6)")
        assert "frame 10 / 179" in clock.inner_text()
        tab.page.keyboard.press(key)
        assert f"frame {expected} / 179" in clock.inner_text()


def test_frames_are_shown_by_the_numbers_that_the_page_was_given(open_page, tmp_path):
    page = sk.view.write_html(tmp_path / "page.html", sk.example("biped").clip, first_frame=1001)
    tab = open_page(page, "#frame=1041")
    assert "frame 1041 / 1180" in tab.page.locator("#clock").inner_text()
    assert tab.page.evaluate("skelkin.state.frame") == 40
    assert tab.page.locator(".contact").first.get_attribute("title").startswith("contact, frames 10")


@pytest.mark.parametrize(("shown", "visible"), [("skin", 10), ("skeleton", 24)])  # bones are mostly smoothed edge
def test_the_ghost_stands_behind_the_other_figure_and_is_seen_through(open_page, tmp_path, shown, visible):
    biped = sk.example("biped")
    moved = biped.clip.translations.copy()
    moved[:, 0] += (0.08, 0.05, 0.03)
    page = tmp_path / "page.html"
    other = biped.clip.replace(translations=moved)
    sk.view.write_html(page, biped.clip, compare=other, mesh=biped.mesh, ground=None)
    pictures = {}
    for figures in ("", "after", "before", "after,before"):
        tab = open_page(page, f"#frame=60&show={shown},{figures}")
        pictures[figures] = tab.picture(60).astype(int)
    empty, after, before, both = pictures.values()
    figure = np.abs(after - empty).max(-1) > 24
    assert figure.sum() > 200
    assert (np.abs(both - after).max(-1) > visible)[figure].mean() < 0.1  # its edge is smoothed, nothing else
    ghost = (np.abs(before - empty).max(-1) > 60) & ~figure & (np.abs(both - empty).max(-1) > 12)
    assert ghost.sum() > 100
    opacity = np.abs(both - empty)[ghost].sum() / np.abs(before - empty)[ghost].sum()
    assert 0.1 < opacity < 0.6


def test_the_scrub_bar_seeks(open_page):
    tab = open_page()
    first = tab.picture()
    tab.page.locator("#scrub").fill("110")
    assert changed(first, tab.picture()) > 0.02
    assert "frame 110 / 179" in tab.page.locator("#clock").inner_text()


def test_every_toggle_changes_the_picture_and_back(open_page):
    tab = open_page()
    for name in ("before", "after", "skin", "skeleton", "trails", "ground"):
        button = tab.page.locator(f"#toggle-{name}")
        pressed = button.get_attribute("aria-pressed")
        first = tab.picture(60)
        button.click()
        second = tab.picture()
        assert button.get_attribute("aria-pressed") != pressed
        assert changed(first[60:], second[60:]) > 0.002, name
        button.click()
        assert changed(first[60:], tab.picture()[60:]) < 0.001, name


def test_play_pause_and_arrow_keys(open_page):
    tab = open_page()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Shift+ArrowRight")
    assert tab.page.evaluate("skelkin.state.frame") == 11
    tab.page.keyboard.press("Space")
    wait_until(tab.page, "skelkin.state.frame > 14")
    tab.page.keyboard.press("Space")
    assert tab.page.evaluate("skelkin.state.playing") is False
    assert tab.page.locator("#play").get_attribute("aria-label") == "Play"


def test_mouse_orbits_zooms_and_pans(open_page):
    tab = open_page()
    pictures = [tab.picture(30)]
    mouse = tab.page.mouse
    for act in ("orbit", "pan", "zoom"):
        mouse.move(300, 250)
        if act == "zoom":
            distance = tab.page.evaluate("skelkin.camera.distance")
            mouse.wheel(0, -400)  # returns before the page has heard of it
            wait_until(tab.page, f"skelkin.camera.distance !== {distance}")
        else:
            if act == "pan":
                tab.page.keyboard.down("Shift")
            mouse.down()
            mouse.move(380, 270, steps=4)
            mouse.up()
            tab.page.keyboard.up("Shift")
        pictures.append(tab.picture())
        assert changed(pictures[-2], pictures[-1]) > 0.02, act
    tab.page.locator("[data-camera=corner]").click()
    assert changed(pictures[0], tab.picture()) < 0.002


def test_fingers_zoom(open_page):
    tab = open_page(has_touch=True)
    first = tab.picture(30)
    tab.page.evaluate(
        """() => {
          const view = document.getElementById("view");
          view.setPointerCapture = () => {};
          const send = (type, id, x) => view.dispatchEvent(new PointerEvent(type,
            {pointerId: id, clientX: x, clientY: 250, pointerType: "touch", buttons: 1, bubbles: true}));
          send("pointerdown", 11, 250); send("pointerdown", 12, 350);
          send("pointermove", 11, 200); send("pointermove", 12, 420);
          send("pointerup", 11, 200); send("pointerup", 12, 420);
        }"""
    )
    assert changed(first, tab.picture()) > 0.05


def test_dark_and_light_follow_the_system(open_page):
    light, dark = (open_page(color_scheme=scheme).picture(10) for scheme in ("light", "dark"))
    assert light[70:140, -120:].mean() > 180
    assert dark[70:140, -120:].mean() < 70


def test_the_numbers_of_the_report_stand_beside_the_picture(open_page):
    tab = open_page()
    text = tab.page.locator("#panel").inner_text()
    assert re.search(r"slide\s+\d+\.\d\d → 0\.00", text)
    assert "Nothing that a viewer would mind." in text
    spans = tab.page.locator(".lane .contact").count()
    assert spans >= 8


def test_controls_have_names_for_screen_readers(open_page):
    tab = open_page()
    missing = tab.page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, canvas")].filter((e) =>
          !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map((e) => e.outerHTML)"""
    )
    assert missing == []


def test_a_skeleton_alone_is_drawn(open_page, tmp_path):
    clip = sk.example("biped").clip
    tab = open_page(sk.view.write_html(tmp_path / "bones.html", clip))
    assert changed(tab.picture(20), tab.picture(50)) > 0.005
    assert tab.page.locator("#toggle-before").count() == 0


def test_a_notebook_frame_draws_too(open_page, tmp_path):
    path = tmp_path / "notebook.html"
    frame = sk.example("biped").clip.show()._repr_html_()
    path.write_text(f"<!DOCTYPE html><title>t</title><script>window.skelkin = 1</script>{frame}", encoding="utf-8")
    tab = open_page(path)
    view = tab.page.frame_locator("iframe").locator("#view")
    view.wait_for()
    wait_for(
        tab.page, lambda: len(np.unique(decode_png(view.screenshot()).reshape(-1, 3), axis=0)) > 300, "a picture in it"
    )


def test_without_webgl_bones_are_drawn_and_everything_else_works(open_page):
    tab = open_page(before=FLAT_ONLY)
    assert "without WebGL 2" in tab.page.locator("#fallback").inner_text()
    assert tab.page.locator("#toggle-skin").count() == 0
    first, later = tab.picture(20), tab.picture(110)
    assert changed(first, later) > 0.01
    tab.page.keyboard.press("1")
    assert changed(later, tab.picture()) > 0.01
    for name in ("before", "after", "trails", "ground"):
        shown = tab.picture(60)
        tab.page.locator(f"#toggle-{name}").click()
        assert changed(shown, tab.picture()) > 0.0005, name  # trails are thin
    assert tab.page.locator("#panel table").first.is_visible()


def test_without_any_canvas_a_message_and_the_numbers_remain(open_page):
    tab = open_page(before="HTMLCanvasElement.prototype.getContext = () => null")
    assert "does not draw here" in tab.page.locator("#fallback").inner_text()
    assert tab.page.locator("#panel table").first.is_visible()


def test_a_browser_that_has_webgl_switched_off_draws_bones(flat_browser, report_file):
    page = flat_browser.new_page(viewport={"width": 760, "height": 520})
    page.goto(report_file.as_uri() + "#frame=20")
    wait_until(page, "window.skelkin !== undefined")
    assert page.locator("#fallback").is_visible()
    picture = decode_png(page.locator("#view").screenshot())
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    page.close()


PRESETS = ("front", "side", "top", "corner")


def test_camera_presets_by_button_key_and_address_agree(open_page):
    tab = open_page()
    pictures = {}
    for k, name in enumerate(PRESETS):
        tab.page.keyboard.press(str(k + 1))
        pictures[name] = tab.picture(40)
        tab.page.locator("[data-camera=corner]").click()
        tab.page.locator(f"[data-camera={name}]").click()
        assert changed(pictures[name], tab.picture(40)) < 0.001
        other = open_page(hash_=f"#frame=40&camera={name}")
        assert changed(pictures[name][60:], other.picture()[60:]) < 0.001
    for a, b in itertools.pairwise(PRESETS):
        assert changed(pictures[a], pictures[b]) > 0.05


def test_the_front_preset_looks_into_the_face(open_page):
    """The biped walks along +X: from the front the camera stands there."""
    tab = open_page(hash_="#frame=40&camera=front")
    yaw = tab.page.evaluate("skelkin.camera.yaw")
    clip = sk.example("biped").clip
    way = clip.positions()[-1, 0] - clip.positions()[0, 0]
    assert np.array([np.sin(yaw), np.cos(yaw)]) @ way[[0, 2]] > 0.99 * np.hypot(*way[[0, 2]])


def test_the_address_of_what_is_seen_opens_the_same_again(open_page):
    tab = open_page()
    tab.page.evaluate("skelkin.setFrame(77)")
    tab.page.mouse.move(300, 250)
    tab.page.mouse.down()
    tab.page.mouse.move(380, 270, steps=4)
    tab.page.mouse.up()
    tab.page.locator("#toggle-ground").click()
    seen = tab.picture()
    tab.page.locator("#link").click()
    wait_until(tab.page, "location.hash.includes('frame=77')")
    assert "ground" not in tab.page.evaluate("location.hash")
    again = open_page(hash_=tab.page.evaluate("location.hash"))
    assert again.page.evaluate("skelkin.state.frame") == 77
    assert changed(seen, again.picture()) < 0.002


def test_a_changed_address_is_followed_and_nonsense_in_it_is_harmless(open_page):
    tab = open_page()
    tab.page.evaluate("location.hash = '#frame=90&camera=1,0.2,NaN,0,0,0'")
    wait_until(tab.page, "skelkin.state.frame === 90")
    tab.page.evaluate("location.hash = '#frame=99999999&show=nothing,__proto__&camera=constructor'")
    wait_until(tab.page, "skelkin.state.frame === 179")
    assert tab.page.evaluate("isFinite(skelkin.camera.distance)")


def test_the_camera_goes_by_keys_alone(open_page):
    tab = open_page()
    before = tab.picture(30)
    tab.page.locator("#view").focus()
    for keys in (["j"], ["l", "l"], ["ArrowUp"], ["ArrowDown"] * 2, ["Shift+L"], ["Shift+ArrowUp"], ["+"], ["-", "-"]):
        for key in keys:
            tab.page.keyboard.press(key)
        after = tab.picture()
        assert changed(before, after) > 0.01, keys
        before = after
    assert tab.page.evaluate("skelkin.state.frame") == 30


def test_a_tap_plays_and_two_fingers_pan(open_page):
    tab = open_page(has_touch=True)
    tab.page.locator("#view").tap(position={"x": 200, "y": 200})
    wait_until(tab.page, "skelkin.state.playing")
    tab.page.locator("#view").tap(position={"x": 200, "y": 200})
    wait_until(tab.page, "!skelkin.state.playing")
    tab.page.evaluate(
        """() => {
          const view = document.getElementById("view");
          view.setPointerCapture = () => {};
          const send = (type, id, x, y) => view.dispatchEvent(new PointerEvent(type,
            {pointerId: id, clientX: x, clientY: y, pointerType: "touch", buttons: 1, bubbles: true}));
          send("pointerdown", 1, 200, 200); send("pointerdown", 2, 300, 200);
          for (let k = 1; k <= 10; k++) {
            send("pointermove", 1, 200 + 8 * k, 200);
            send("pointermove", 2, 300 + 8 * k, 200);
          }
          send("pointerup", 1, 280, 200); send("pointerup", 2, 380, 200);
        }"""
    )
    assert tab.page.evaluate("Math.hypot(...skelkin.camera.pan)") > 0.1


CONTRAST = """() => {
  const rgba = (text) => {
    const m = text.match(/[\\d.]+/g).map(Number);
    return text.startsWith("color(") ? [m[0] * 255, m[1] * 255, m[2] * 255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1];
  };
  const luminance = (c) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = c.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const poor = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest("script, .unseen")) continue;
    let back = null;
    for (let e = element; e; e = e.parentElement) {
      const b = rgba(getComputedStyle(e).backgroundColor);
      if (b[3] > 0.85) { back = b; break; }
    }
    back = back || [255, 255, 255];
    const [a, b] = [luminance(rgba(getComputedStyle(element).color).slice(0, 3)), luminance(back.slice(0, 3))];
    seen += 1;
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([walker.currentNode.data.trim(), ratio.toFixed(2)]);
  }
  return { seen, poor };
}"""


@pytest.mark.parametrize("height", [500, 800])
def test_on_a_desktop_the_panel_scrolls_and_the_page_does_not(open_page, height):
    tab = open_page()
    tab.page.set_viewport_size({"width": 1280, "height": height})
    assert tab.page.evaluate("(e => e.scrollHeight - e.clientHeight)(document.getElementById('panel'))") > 0
    assert tab.page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_text_has_a_contrast_of_4_and_a_half_and_nothing_is_wider_than_a_phone(open_page, scheme, width):
    tab = open_page(color_scheme=scheme)
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.page.locator("#edit").click()
    tab.page.locator("#panel summary").first.click()
    found = tab.page.evaluate(CONTRAST)
    assert found["seen"] > 60
    assert found["poor"] == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    small = tab.page.evaluate(
        """() => [...document.querySelectorAll("button, select")].filter((e) => e.checkVisibility()
          && (e.offsetHeight < 44 || e.offsetWidth < 44)).map((e) => e.id)"""
    )
    assert width > 820 or small == []


def test_every_control_shows_that_it_has_the_focus(open_page):
    tab = open_page()
    tab.page.locator("#edit").click()
    seen = set()
    for _ in range(160):
        tab.page.keyboard.press("Tab")
        name, style, shadow = tab.page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
              return [e.id || e.dataset.part || e.tagName, s.outlineStyle, s.boxShadow]; }"""
        )
        if name in ("BODY", "HTML"):
            continue  # from the last one on to the first
        seen.add(name)
        assert style != "none" or "inset" in shadow, name
    assert {"view", "toggle-skin", "play", "speed", "scrub", "whole", "first", "last", "save", "panel"} <= seen
