# SPDX-License-Identifier: MIT
"""The player in a real Chromium without a network: it draws, moves, compares, and asks nobody for anything."""

from __future__ import annotations

import io
import re
import shutil
import time

import numpy as np
import pytest
from PIL import Image

import skelkin_py as sk

FLAGS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
LIMIT = 200_000  # ms for whatever is waited for: graphics without a graphics card take what the machine can give


@pytest.fixture(scope="session")
def report_file(tmp_path_factory):
    """The page as `make demo` writes it."""
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)
    return sk.view.write_html(
        tmp_path_factory.mktemp("page") / "report.html",
        planted.clip,
        compare=biped.clip,
        mesh=biped.mesh,
        report=planted.report,
        ground=biped.ground,
    )


@pytest.fixture(scope="session")
def browser(require):
    """Debian's Chromium, driven by playwright; no browser is downloaded."""
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    require(program, "chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=LIMIT)
        yield chromium
        chromium.close()


class Tab:
    """One page with all that went wrong in it."""

    def __init__(self, page, complaints, requests):
        self.page, self.complaints, self.requests = page, complaints, requests

    def picture(self, frame=None):
        """Return the drawing at a frame as an array (height, width, 3)."""
        if frame is not None:
            self.page.evaluate(f"skelkin.setFrame({frame})")
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return decode_png(self.page.locator("#view").screenshot())


@pytest.fixture
def open_page(browser, report_file):
    """Return a function that opens the page with an offline network and returns a Tab."""
    contexts, tabs = [], []

    def open_(path=report_file, hash_="#frame=0", **options):
        context = browser.new_context(offline=True, viewport={"width": 760, "height": 520}, **options)
        context.set_default_timeout(LIMIT)
        page = context.new_page()
        tab = Tab(page, [], [])
        page.on("console", lambda m: m.type in ("error", "warning") and tab.complaints.append(m.text))
        page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        page.on("request", lambda request: tab.requests.append(request.url))
        page.goto(path.as_uri() + hash_)
        wait_until(page, "window.skelkin !== undefined")
        contexts.append(context)
        tabs.append(tab)
        return tab

    yield open_
    for context in contexts:
        context.close()
    for tab in tabs:
        assert tab.complaints == []
        assert all(url.startswith(("file:", "data:", "about:")) for url in tab.requests), tab.requests
        assert len([url for url in tab.requests if url.startswith("file:")]) == 1, tab.requests


def decode_png(data):
    """Return a screenshot as (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def wait_until(page, condition):
    """Wait for a condition by asking; the page's own policy forbids playwright's way, which evaluates text in it."""
    wait_for(page, lambda: page.evaluate(condition), condition)


def wait_for(page, condition, what):
    """Wait until a function of no arguments returns something true, and return that."""
    limit = time.monotonic() + LIMIT / 1000
    while time.monotonic() < limit:
        if found := condition():
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"not within {LIMIT / 1000:g} s: {what}")


def changed(first, second):
    """Return the share of pixels that differ visibly."""
    return float((np.abs(first.astype(int) - second.astype(int)).max(-1) > 24).mean())


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
    tab.page.locator("#home").click()
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
    assert re.search(r"\d+\.\d\d → 0\.\d\d cm", text)
    assert "knee flexion" in text
    spans = tab.page.locator(".lane i").count()
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


def test_without_webgl_a_message_and_the_numbers_remain(open_page):
    tab = open_page()
    tab.page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    tab.page.reload()
    assert tab.page.locator("#fallback").is_visible()
    assert tab.page.locator("#panel table").first.is_visible()
    tab.requests.pop()
