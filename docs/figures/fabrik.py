# SPDX-License-Identifier: MIT
"""A chain on its way to a target, one that is in line with it, and a tree with two targets.

`python docs/figures/fabrik.py` writes docs/figures/fabrik.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, SOFT, WARM, Page

import skelkin_py as sk

WIDTH = 310
CHAIN = np.stack([np.arange(7) * 0.2, 0.05 * np.sin(np.arange(7)), np.zeros(7)], axis=-1)


def passes(page: Page) -> None:
    p = Panel(page, (110.0, 290.0), 150.0)
    heading(page, WIDTH / 2, "pass by pass", "inwards and outwards, until the end is there")
    target = np.array([-0.4, 1.1, 0])
    p.limb(CHAIN, colour=SOFT, opacity=0.35, width=4)
    for count, opacity in ((1, 0.25), (2, 0.4), (3, 0.55), (64, 1.0)):
        found = sk.solve_fabrik(CHAIN, target, max_iterations=count)
        p.limb(found.positions, colour=COOL, opacity=opacity, width=4)
    p.target(target)
    words = f"{sk.IKStatus(found.status).name} after {found.iterations} passes"
    page.text((WIDTH / 2, 344), words, 12, text_anchor="middle", fill=WARM)


def in_line(page: Page) -> None:
    p = Panel(page, (1.12 * WIDTH, 220.0), 185.0)
    heading(page, 1.5 * WIDTH, "in line with the target", "no pass could bend it: it is bowed first")
    chain = CHAIN * [1.0, 0, 0]
    target = np.array([0.7, 0, 0])
    found = sk.solve_fabrik(chain, target, pole=[0.5, 1.0, 0])
    p.limb(chain, colour=SOFT, opacity=0.35, width=4)
    p.limb(found.positions, colour=COOL, width=4)
    p.target(target)
    page.text((1.5 * WIDTH, 344), sk.IKStatus(found.status).name, 12, text_anchor="middle", fill=WARM)


def tree(page: Page) -> None:
    p = Panel(page, (2.5 * WIDTH, 310.0), 150.0)
    heading(page, 2.5 * WIDTH, "a tree", "where ways meet, amid of what both want")
    joints = np.array(
        [[0, 0, 0], [0, 0.4, 0], [0, 0.8, 0], [-0.35, 1.1, 0], [-0.7, 1.2, 0], [0.35, 1.1, 0], [0.7, 1.2, 0]]
    )
    parents = [-1, 0, 1, 2, 3, 2, 5]
    targets = {4: np.array([-0.25, 1.4, 0]), 6: np.array([0.85, 0.75, 0])}
    found = sk.solve_fabrik(joints, targets, parents=parents)
    for places, colour, opacity in ((joints, SOFT, 0.35), (found.positions, COOL, 1.0)):
        for joint, parent in enumerate(parents[1:], 1):
            p.limb(places[[parent, joint]], colour=colour, opacity=opacity, width=4)
    for target in targets.values():
        p.target(target)
    page.text((2.5 * WIDTH, 344), sk.IKStatus(found.status).name, 12, text_anchor="middle", fill=WARM)
    page.dot(p(np.zeros(3)), 4, fill=INK)


def figure() -> str:
    page = Page(3 * WIDTH, 360, "FABRIK: pass by pass, a chain in line with its target, and a tree")
    passes(page)
    in_line(page)
    tree(page)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("fabrik.svg").write_text(figure(), encoding="utf-8")
