# SPDX-License-Identifier: MIT
"""The page for those who do not see it, or use no mouse: rules of axe-core, on desk and phone, light and dark."""

from __future__ import annotations

import pytest
from page_rules import broken_rules


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_rule_is_broken_while_a_clip_is_looked_at(open_page, scheme, width):
    tab = open_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    for summary in tab.page.locator("summary").all():
        summary.click()
    assert broken_rules(tab.page) == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_rule_is_broken_while_contacts_are_edited(open_page, scheme, width):
    tab = open_page(viewport={"width": width, "height": 844}, color_scheme=scheme, has_touch=width < 400)
    tab.page.click("#edit")
    assert tab.page.locator("[role=slider]").count() >= 9
    assert broken_rules(tab.page) == {}


def test_a_rule_that_is_broken_is_found(open_page):
    tab = open_page()
    tab.page.evaluate("document.getElementById('scrub').removeAttribute('aria-label')")
    assert "label" in broken_rules(tab.page)


def test_all_that_can_be_used_is_reached_by_tab_alone_in_the_order_of_the_page(open_page):
    tab = open_page(viewport={"width": 1280, "height": 844})
    tab.page.keyboard.press("e")
    usable = tab.page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, summary, [tabindex="0"], a[href]')]
        .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
        .map((one, k) => { one.dataset.place = String(k); return k; })"""
    )
    reached = []
    for _ in usable:
        tab.page.keyboard.press("Tab")
        reached.append(tab.page.evaluate("Number(document.activeElement.dataset.place)"))
    assert sorted(reached) == usable
    assert reached == usable


def test_ends_of_contacts_can_be_hit_without_aim_and_leave_the_middle_free(open_page):
    tab = open_page(viewport={"width": 1280, "height": 844})
    tab.page.click("#edit")
    for bar in tab.page.locator(".contact.edited").all():
        whole, first, last = (bar.locator(f"[data-part={part}]").bounding_box() for part in ("whole", "first", "last"))
        assert first["x"] + first["width"] <= whole["x"] + 0.31 * whole["width"] + 1
        assert last["x"] >= whole["x"] + 0.69 * whole["width"] - 1
        if whole["width"] >= 24 / 0.3:
            assert min(first["width"], last["width"]) >= 23.5


def test_a_finger_drags_the_end_of_a_contact_on_a_phone(open_page):
    tab = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    tab.page.click("#edit")
    for _ in range(4):
        tab.page.click("#closer")
    before = tab.page.evaluate("skelkin.contacts.get()")
    foot = next(iter(before))
    end = tab.page.locator(f'[data-contact="{foot} 0"][data-part=last]')
    end.scroll_into_view_if_needed()
    box = end.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = tab.page.context.new_cdp_session(tab.page)
    for kind, place in (("touchStart", x), ("touchMove", x - 10), ("touchMove", x - 40), ("touchEnd", None)):
        points = [] if place is None else [{"x": place, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    after = tab.page.evaluate("skelkin.contacts.get()")
    assert after[foot][0][0] == before[foot][0][0]
    assert after[foot][0][1] < before[foot][0][1]
