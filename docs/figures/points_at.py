# SPDX-License-Identifier: MIT
"""A joint that points: with and without up, at a joint of another branch, and in both frames below a sheared parent.

`python docs/figures/points_at.py` writes docs/figures/points_at.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, LEAF, SOFT, WARM, Camera, Page

import skelkin_py as sk

WIDTH = 310


def camera(page: Page) -> None:
    """Draw a camera that points at a target, its up arrow left as it falls and kept upright."""
    eye = sk.Skeleton([-1], sk.compose([[0.0, 0, 0]], sk.quaternion_from_euler([[0.0, 0.3, 0.9]], "XYZ")), ["camera"])
    view = Camera(-28.0, 22.0, 90.0)
    heading(page, WIDTH / 2, "up", "axis=[0, 0, 1], up=([0, 1, 0], [0, 1, 0])")
    for k, (up, words) in enumerate(((None, "the smallest turn"), (([0, 1, 0], [0, 1, 0]), "with up"))):
        origin = (75.0, 170.0 + 130 * k)
        target = np.array([1.6, 0.5, 0.9])
        pose = sk.points_at(eye, eye.rest_local, 0, target, axis=[0, 0, 1], up=up)[0, :3, :3]
        corners = np.array([[-0.35, -0.22, 0.7], [0.35, -0.22, 0.7], [0.35, 0.22, 0.7], [-0.35, 0.22, 0.7]]) @ pose.T
        at, centre = view(corners, origin), view(np.zeros(3), origin)
        page.shape(np.stack([centre, view(target, origin)]), stroke=WARM, stroke_width=1.5, stroke_dasharray="4 4")
        for corner in at:
            page.shape(np.stack([centre, corner]), stroke=INK, stroke_width=1.5)
        page.shape(at, closed=True, fill=COOL, fill_opacity=0.15, stroke=COOL, stroke_width=2)
        page.arrow(centre, view(0.75 * pose[:, 1], origin), LEAF)
        page.dot(view(target, origin), 5, fill=WARM)
        page.text((WIDTH - 20, origin[1] + 22), words, 12, text_anchor="end")


def calf(page: Page) -> None:
    """Draw legs of which the left calf points at the right ankle."""
    rest = np.tile(np.eye(4), (7, 1, 1))
    rest[:, :3, 3] = [0, 1, 0], [0.16, 0, 0], [0, -0.45, 0], [0, -0.45, 0], [-0.16, 0, 0], [0, -0.45, 0], [0, -0.45, 0]
    legs = sk.Skeleton([-1, 0, 1, 2, 0, 4, 5], rest)
    pose = rest @ sk.compose(
        [0, 0, 0], sk.quaternion_from_euler([[0, 0, z] for z in (0, 0.35, 0, 0, -0.25, 0, 0)], "XYZ")
    )
    found = sk.points_at(legs, pose, 2, target_joint=6)
    p = Panel(page, (1.5 * WIDTH, 330.0), 225.0)
    heading(page, 1.5 * WIDTH, "a joint as the target", "the calf points at the other ankle")
    before, after = (sk.forward_kinematics(legs, each)[:, :3, 3] for each in (pose, found))
    p.limb(before[[2, 3]], colour=SOFT, opacity=0.4)
    p.limb(after[[0, 1, 2, 3]], colour=COOL)
    p.limb(after[[0, 4, 5, 6]], colour=INK)
    page.shape(p(after[[2, 6]]), stroke=WARM, stroke_width=1.5, stroke_dasharray="4 4")


def frames(page: Page) -> None:
    """Draw a square on a joint below a parent that is scaled differently along its axes, turned in both frames."""
    rest = np.tile(np.eye(4), (2, 1, 1))
    rest[0] = np.diag([1.5, 0.75, 1, 1])
    rig = sk.Skeleton([-1, 0], rest)
    target = np.array([0.75, 0.95, 0])
    square = np.array([[-0.2, -0.2, 0, 1], [1, -0.2, 0, 1], [1, 0.2, 0, 1], [-0.2, 0.2, 0, 1]]) * [0.8, 0.8, 1, 1]
    heading(page, 2.5 * WIDTH, "below a stretched parent", "both point at the target")
    for k, (frame, words) in enumerate(
        (("object", "the local matrix stays free of shear"), ("world", "the shape that is seen stays"))
    ):
        p = Panel(page, (2 * WIDTH + 58.0 + 140 * k, 245.0), 88.0)
        found = sk.points_at(rig, rest, 1, target, axis=[1, 0, 0], frame=frame)
        for pose, colour, opacity in ((rest, SOFT, 0.12), (found, COOL, 0.2)):
            shape = square @ sk.forward_kinematics(rig, pose)[1].T
            page.shape(p(shape), closed=True, fill=colour, fill_opacity=opacity, stroke=colour, stroke_width=1.8)
        page.shape(p(np.stack([np.zeros(3), target])), stroke=WARM, stroke_width=1.5, stroke_dasharray="4 4")
        p.target(target)
        page.dot(p(np.zeros(3)), 4, fill="#ffffff", stroke=INK, stroke_width=2)
        page.text((2 * WIDTH + 84 + 140 * k, 298), f'frame="{frame}"', 12, text_anchor="middle")
        page.text((2.5 * WIDTH, 328 + 18 * k), f"{frame}: {words}", 11, text_anchor="middle", fill=SOFT)


def figure() -> str:
    page = Page(
        3 * WIDTH, 372, "Joints that point: at a target with and without up, at another joint, and in two frames"
    )
    camera(page)
    calf(page)
    frames(page)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("points_at.svg").write_text(figure(), encoding="utf-8")
