# SPDX-License-Identifier: MIT
"""The page of one clip: what is found of its contacts, the legend of its trails, and controls that fit."""

from __future__ import annotations

import pytest

import skelkin_py as sk


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    """The page of a clip that was not planted, with a title longer than any panel is wide."""
    path = tmp_path_factory.mktemp("single") / "walk.html"
    return sk.view.write_html(path, sk.example("biped").clip, title="A_title_of_one_word_" * 12)


def test_contacts_are_listed_and_a_click_goes_to_them(open_page, single):
    page = open_page(single).page
    rows = page.locator("#panel tr[data-frame]")
    assert rows.count() == page.locator(".contact").count() >= 10
    assert "contacts found" in page.locator("#panel summary").first.inner_text()
    rows.nth(3).click()
    assert page.evaluate("skelkin.state.frame") == int(rows.nth(3).get_attribute("data-frame"))


def test_the_thumb_is_at_the_playhead_at_both_ends(open_page, single):
    page = open_page(single).page
    for frame in (0, 179):
        page.evaluate(f"skelkin.setFrame({frame})")
        thumb, head = page.evaluate(
            """() => {
              const box = document.getElementById("scrub").getBoundingClientRect(), share = scrub.value / scrub.max;
              const line = document.getElementById("playhead").getBoundingClientRect();
              return [box.left + 8 + share * (box.width - 16), line.left + line.width / 2];
            }"""
        )
        assert abs(thumb - head) < 1.5, frame


def test_trails_have_a_legend_and_are_those_of_a_moment(open_page, single):
    tab = open_page(single)
    assert tab.page.locator("#toggle-trails").inner_text().split() == ["Foot", "trails", "left", "right"]
    assert tab.page.locator("#toggle-trails .trail").count() == 2


def test_nothing_stands_outside_of_its_button_or_panel_on_a_phone(open_page, single):
    page = open_page(single, viewport={"width": 390, "height": 844}, device_scale_factor=1).page
    outside = page.evaluate(
        """() => [...document.querySelectorAll("#buttons button, #toggles button, #panel, #panel h1")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.id || one.tagName)"""
    )
    assert outside == []
