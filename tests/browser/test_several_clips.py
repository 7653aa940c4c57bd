# SPDX-License-Identifier: MIT
"""Several clips in one page, and figures coloured by values, as they are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from browser_tabs import FLAT_ONLY, changed

import skelkin_py as sk

COLORS = ["#2060ff", "#ff8000", "#00a040"]


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


def near(picture, color, reach=60):
    """Return where a picture has about the hue of a colour, lit or in the shade."""
    wish = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], float)
    pixels = picture.astype(float)
    light = pixels.max(-1, keepdims=True) / wish.max()
    return (
        (np.abs(pixels - wish * light).max(-1) < reach * light[..., 0])
        & (pixels.max(-1) > 40)
        & (np.ptp(pixels, axis=-1) > 50)
    )


@pytest.mark.parametrize("flat", [False, True])
def test_clips_side_by_side_stand_in_their_colors_from_left_to_right(open_page, biped, tmp_path, flat):
    clips = [biped.clip, biped.clip[30:], biped.clip[60:]]
    labels = ["whole", "from 30", "from 60"]
    page = sk.view.write_html(tmp_path / "side.html", clips, mesh=biped.mesh, labels=labels, colors=COLORS)
    tab = open_page(
        page, "#frame=0&camera=front&show=skin,skeleton,clip1,clip2,clip3", before=FLAT_ONLY if flat else None
    )
    picture = tab.picture()[60:]
    places = [np.median(np.nonzero(near(picture, color))[1]) for color in COLORS]
    assert places == sorted(places)
    assert min(np.diff(places)) > 30
    panel = tab.page.locator("#panel").inner_text()
    assert all(label in panel for label in labels)
    tab.page.locator("#toggle-clip2").click()
    assert near(tab.picture()[60:], COLORS[1]).sum() < 0.1 * near(picture, COLORS[1]).sum()


def test_a_shorter_clip_holds_its_last_pose(open_page, biped, tmp_path):
    page = sk.view.write_html(tmp_path / "short.html", [biped.clip[:40], biped.clip], arrange="together")
    tab = open_page(page, "#frame=39&show=clip1,skeleton")
    tab.page.locator("#follow").uncheck()
    last = tab.picture(39)
    assert changed(tab.picture(20), last) > 0.002
    assert changed(tab.picture(120), last) < 0.001


@pytest.mark.parametrize("of", ["joints", "vertices"])
def test_a_skin_shows_the_colors_of_its_values_with_a_legend(open_page, biped, tmp_path, of):
    heights = biped.clip.skeleton.rest_global[:, 1, 3] if of == "joints" else biped.mesh.points[:, 1]
    page = sk.view.write_html(
        tmp_path / "color.html", biped.clip, mesh=biped.mesh, color=heights, color_label="height (m)"
    )
    tab = open_page(page, "#frame=0&show=skin,after&camera=front", device_scale_factor=1)
    picture = tab.picture().astype(int)[60:, 270:]  # without the buttons and the legend
    figure = np.ptp(picture, axis=-1) > 40
    rows = np.nonzero(figure.any(1))[0]
    top, bottom = (picture[row][figure[row]] for row in (rows[8], rows[-8]))
    assert top[:, 0].mean() > top[:, 2].mean()  # yellow: red over blue
    assert bottom[:, 2].mean() > bottom[:, 1].mean()  # violet: blue over green
    legend = tab.page.locator("#legend")
    assert "height (m)" in legend.inner_text()
    assert "height (m) from" in legend.get_attribute("aria-label")


def test_values_of_every_frame_change_with_it(open_page, biped, tmp_path):
    values = np.zeros((180, len(biped.mesh.points)))
    values[90:] = 1.0
    page = sk.view.write_html(tmp_path / "color.html", biped.clip, mesh=biped.mesh, color=values)
    tab = open_page(page, "#frame=89&show=skin,after")
    low, high = tab.picture(89).astype(int), tab.picture(90).astype(int)
    assert ((high - low)[..., 1] > 60).mean() > 0.01  # violet turned yellow
    assert changed(high, tab.picture(91)) < 0.05


def test_bones_have_the_colors_of_their_joints_with_webgl_and_without(open_page, biped, tmp_path):
    values = np.where(np.arange(22) < 11, 0.0, 1.0)
    page = sk.view.write_html(tmp_path / "bones.html", biped.clip, color=values)
    for before in (None, FLAT_ONLY):
        picture = open_page(page, "#frame=0&show=skeleton,after", before=before).picture()
        assert near(picture, "#edf15e", 40).sum() > 60
        assert near(picture, "#36176b", 60).sum() > 60
