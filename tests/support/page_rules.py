# SPDX-License-Identifier: MIT
"""Rules of axe-core (WCAG 2.2, A and AA, and best practice) for a page, or a frame of one."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# Rules that are not kept, and why.
NOT_KEPT = {
    "region": "the page is one tool: stage, report and transport are labelled sections beside each other",
    "page-has-heading-one": "as a frame in a notebook the page is a part of another page, which has the headings",
}


def broken_rules(page) -> dict[str, list[str]]:
    """Return the rules that elements of a page or a frame break, and those elements.

    Contacts are as wide as they last, and a short one has no room for 24 pixels at each of its ends: then there are
    buttons that move what is chosen, arrow keys, and the timeline's zoom (the exception "equivalent" of WCAG 2.5.8).
    """
    found = Axe().run(page, options=RULES).response["violations"]
    broken = {
        each["id"]: [
            f"{node['target']}: {node['failureSummary']}"
            for node in each["nodes"]
            if each["id"] != "target-size" or "data-contact" not in node["html"]
        ]
        for each in found
        if each["id"] not in NOT_KEPT
    }
    return {rule: nodes for rule, nodes in broken.items() if nodes}
