# SPDX-License-Identifier: MIT
"""What notebooks show of clips and their kin: in a fresh JupyterLab, at a desk and on a phone, light and dark, in a
notebook that is not trusted, and in exported HTML without a network, with scripts and without.

Pictures of what was seen are left in the folder that SKELKIN_PICTURES names.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

LIMIT = 200_000  # ms for whatever is waited for: graphics without a graphics card take what the machine can give
CELLS = {
    "made": "import skelkin_py as sk\nbiped = sk.example('biped')\n"
    "planted = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)",
    "clip": "biped.clip",
    "planted": "planted",
    "show": "planted.show(mesh=biped.mesh)",
    "report": "planted.report",
    "skeleton": "biped.clip.skeleton",
    "legs": "biped.clip.find_legs()",
    "mesh": "biped.mesh",
    "weights": "biped.mesh.weights",
}
PLAYERS = ("clip", "planted", "show")
TABLES = {  # what each table has to say of the example
    "report": ["feet stand", "slide", "All figures"],
    "skeleton": ["LeftUpLeg", "offset from the parent"],
    "legs": ["left", "right", "RightFoot"],
    "mesh": ["triangles", "joints per vertex"],
    "weights": ["vertices", "joints per vertex"],
}
SIZES = {"desktop": {"width": 1200, "height": 900}, "phone": {"width": 390, "height": 844}}


class Tab:
    """A page, and which addresses it asked for that are not on this machine."""

    def __init__(self, context):
        context.set_default_timeout(LIMIT)
        self.context, self.page, self.foreign = context, context.new_page(), []
        self.page.on("request", self._note)

    def _note(self, request):
        if not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|file:|data:|blob:|about:", request.url):
            self.foreign.append(request.url)


@pytest.fixture
def open_tab(browser):
    """Return a function that makes a tab, in which no player plays by itself."""
    contexts = []

    def open_(**options):
        contexts.append(browser.new_context(**{"reduced_motion": "reduce", **options}))
        return Tab(contexts[-1])

    yield open_
    for context in contexts:
        context.close()


def decode_png(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def wait_for(page, condition, what):
    """Wait until a function of no arguments returns something true, and return that."""
    limit = time.monotonic() + LIMIT / 1000
    while time.monotonic() < limit:
        if found := condition():
            return found
        page.wait_for_timeout(100)
    raise AssertionError(f"not within {LIMIT / 1000:g} s: {what}")


def colours(picture):
    return len(np.unique(picture.reshape(-1, 3), axis=0))


def keep(name, data):
    """Leave a picture for whoever wants to look."""
    if folder := os.environ.get("SKELKIN_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{name}.png").write_bytes(data)
    return decode_png(data)


def scrub(tab, player):
    """Move a player's slider and return its drawing before and after; its clock has to follow."""
    view, clock, slider = (player.locator(each) for each in ("#view", "#clock", "#scrub"))
    view.wait_for()
    pictures = []
    for frame in (20, 110):
        slider.fill(str(frame))
        wait_for(tab.page, lambda f=frame: f"{f} / 179" in clock.inner_text(), f"frame {frame} on the clock")
        wait_for(tab.page, lambda: colours(decode_png(view.screenshot())) > 300, "a drawing")
        pictures.append(decode_png(view.screenshot()))
    return pictures


def changed(first, second):
    """Return the share of pixels that differ visibly."""
    return float((np.abs(first.astype(int) - second.astype(int)).max(-1) > 24).mean())


@pytest.fixture(scope="module")
def executed(lab, browser):
    """The name of a notebook that was opened in JupyterLab, run there and saved."""
    for name, told in (("themes", {"adaptive-theme": True}), ("notification", {"fetchNews": "false"})):
        settings = lab.home / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / f"{name}.jupyterlab-settings").write_text(json.dumps(told))
    address = lab.write("shown.ipynb", list(CELLS.values()))
    context = browser.new_context(viewport=SIZES["desktop"], reduced_motion="reduce")
    tab = Tab(context)
    tab.page.goto(address)
    tab.page.locator(".jp-Notebook .jp-CodeCell").first.click()
    tab.page.get_by_role("menuitem", name="Run", exact=True).click()
    tab.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def saved():
        tab.page.keyboard.press("Control+s")
        text = (lab.folder / "shown.ipynb").read_text()
        try:
            cells = json.loads(text)["cells"]
        except json.JSONDecodeError:  # it is just being written
            return False
        return all(cell["outputs"] for cell in cells[1:]) and cells

    cells = wait_for(tab.page, saved, "a run of all cells, saved")
    context.close()
    errors = [out for cell in cells for out in cell["outputs"] if out["output_type"] == "error"]
    assert errors == []
    return "shown.ipynb"


def output(page, name):
    """Return the output of a cell, which is scrolled to: JupyterLab draws only those that are near."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(list(CELLS).index(name))
    cell.scroll_into_view_if_needed()
    found = cell.locator(".jp-OutputArea-output").first
    found.wait_for()
    found.scroll_into_view_if_needed()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_jupyterlab_shows_players_and_tables(lab, executed, open_tab, size, scheme):
    tab = open_tab(viewport=SIZES[size], color_scheme=scheme)
    tab.page.goto(lab.opened(executed))
    tab.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    every = [name for name in CELLS if name != "made"]
    for name in every if (size, scheme) == ("desktop", "light") else ("planted", "report", "skeleton", "legs"):
        shown = output(tab.page, name)
        if name in PLAYERS:
            first, later = scrub(tab, shown.frame_locator("iframe"))
            assert changed(first, later) > 0.004, name
            if name != "clip":
                assert "0.00" in shown.frame_locator("iframe").locator("#panel").inner_text()
        else:
            text = shown.inner_text()
            assert all(word in text for word in TABLES[name]), (name, text)
        picture = keep(f"{size}-{scheme}-{name}", shown.screenshot())
        dark = np.median(picture.reshape(-1, 3).mean(1)) < 128
        assert dark == (scheme == "dark"), name
        assert shown.evaluate("e => e.scrollWidth <= e.clientWidth + 1") or size == "phone", name
    assert tab.foreign == []


def test_a_notebook_that_is_not_trusted_shows_pictures_and_tables(lab, executed, open_tab):
    told = json.loads((lab.folder / executed).read_text())
    told["metadata"]["title"] = "of somebody else"
    for cell in told["cells"]:
        cell["metadata"].pop("trusted", None)
        for out in cell["outputs"]:
            out.get("data", {}).get("text/html", []) and out["data"]["text/html"].append("<!-- not signed -->")
    (lab.folder / "foreign.ipynb").write_text(json.dumps(told))
    tab = open_tab(viewport=SIZES["desktop"])
    tab.page.goto(lab.opened("foreign.ipynb"))
    for name in ("clip", "planted"):
        shown = output(tab.page, name)
        assert shown.locator("iframe").count() == 0
        picture_is_seen(tab.page, shown.locator("img"))
        folded = shown.locator("details").first.text_content()
        assert ("frames per second" if name == "clip" else "slide, mean (cm)") in folded
        keep(f"not-trusted-{name}", shown.screenshot())


def picture_is_seen(page, image):
    """Check that an image is what lies on top at its place, and that it is a drawing."""
    image.wait_for()
    image.scroll_into_view_if_needed()
    wait_for(page, lambda: image.evaluate("e => e.complete && e.naturalWidth > 100"), "the picture")
    on_top = image.evaluate(
        """e => { const r = e.getBoundingClientRect();
        return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) === e; }"""
    )
    assert on_top
    assert colours(decode_png(image.screenshot())) > 50


@pytest.fixture(scope="module")
def exported(lab, executed):
    """The same notebook as HTML."""
    command = [sys.executable, "-m", "nbconvert", "--to", "html", executed]
    subprocess.run(command, cwd=lab.folder, env=lab.environment, check=True, capture_output=True)
    return (lab.folder / executed).with_suffix(".html")


def test_the_player_works_in_exported_html_without_a_network(exported, open_tab):
    tab = open_tab(viewport=SIZES["desktop"])
    tab.context.set_offline(True)
    tab.page.goto(exported.as_uri(), wait_until="commit")
    players = tab.page.locator("iframe.skelkin-player, iframe[title='skelkin player']")
    wait_for(tab.page, lambda: players.count() == len(PLAYERS), "a player in each of their outputs")
    for k, name in enumerate(PLAYERS):
        players.nth(k).scroll_into_view_if_needed()
        first, later = scrub(tab, players.nth(k).content_frame)
        assert changed(first, later) > 0.004, name
        keep(f"exported-{name}", players.nth(k).screenshot())
    assert not [
        url for url in tab.foreign if "cdnjs" not in url and "jsdelivr" not in url
    ]  # what nbconvert's pages load


def test_exported_html_shows_the_pictures_where_scripts_are_off(exported, open_tab):
    tab = open_tab(viewport=SIZES["desktop"], java_script_enabled=False, offline=True)
    tab.page.goto(exported.as_uri(), wait_until="commit")
    for k, name in enumerate(("clip", "planted")):
        image = tab.page.locator("img[src^='data:image/svg']").nth(k)
        picture_is_seen(tab.page, image)
        keep(f"scripts-off-{name}", image.screenshot())


def test_exported_html_shows_the_pictures_where_scripts_frames_and_styles_are_cut_out(exported, open_tab, tmp_path):
    text = exported.read_text(encoding="utf-8")
    for tag in ("script", "iframe", "style"):
        text = re.sub(rf"<{tag}\b.*?</{tag}>", "", text, flags=re.DOTALL)
    cut = tmp_path / "cut.html"
    cut.write_text(text, encoding="utf-8")
    tab = open_tab(viewport=SIZES["phone"], offline=True)
    tab.page.goto(cut.as_uri())
    for k in range(2):
        image = tab.page.locator("img[src^='data:image/svg']").nth(k)
        picture_is_seen(tab.page, image)
        assert image.bounding_box()["width"] <= 390
    keep("cut-out-phone", tab.page.screenshot())


def test_outputs_are_no_larger_than_3_megabytes(lab, executed):
    cells = json.loads((lab.folder / executed).read_text())["cells"]
    sizes = {name: len(json.dumps(cell["outputs"])) for name, cell in zip(CELLS, cells)}
    assert all(size < 3_000_000 for size in sizes.values()), sizes
