# SPDX-License-Identifier: MIT
"""Feet along slopes up to a limit, and toes that stay flat while the heel rises until they bend no further.

`python docs/figures/ground_alignment.py` writes docs/figures/ground_alignment.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, LIGHT, SOFT, WARM, Page

import skelkin_py as sk

PLACES = np.array([[0, 0.5, 0], [0, -0.38, 0], [0.16, -0.1, 0], [0.1, 0, 0]], float)  # shin, foot, toe, tip
UP = np.array([0.0, 1.0, 0.0])
FOOT, TOE = 1, 2


def skeleton() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, :3, 3] = PLACES
    return sk.Skeleton([-1, 0, 1, 2], rest, ["shin", "foot", "toe", "tip"])


def leg(p: Panel, pose: np.ndarray) -> np.ndarray:
    """Draw shin, foot and toes over their sole; return the sole's points."""
    g = sk.forward_kinematics(skeleton(), pose)
    sole = np.stack([g[FOOT] @ [-0.06, -0.12, 0, 1], g[FOOT] @ [0.16, -0.12, 0, 1], g[TOE] @ [0.1, -0.02, 0, 1]])[:, :3]
    p.page.shape(p(np.vstack([sole, g[3, None, :3, 3], g[TOE, None, :3, 3], g[FOOT, None, :3, 3]])), closed=True,
                 fill=COOL, fill_opacity=0.15, stroke=COOL, stroke_width=1.5)  # fmt: skip
    p.limb(g[:, :3, 3], colour=INK, width=4.5)
    return sole


def figure() -> str:
    page = Page(940, 330, "Feet along slopes, and toes that stay flat while the heel rises")
    rig = skeleton()
    heading(page, 235, "align_to_ground", "max_slope = 25°: the steepest one is followed no further")
    for k, slope in enumerate((-15.0, 12.0, 40.0)):
        p = Panel(page, (72.0 + 160 * k, 262.0), 260.0)
        normal = np.array([-np.sin(np.radians(slope)), np.cos(np.radians(slope)), 0])
        pose = sk.align_to_ground(rig, rig.rest_local, FOOT, normal, up=UP, max_slope=np.radians(25))
        sole = leg(p, pose)
        along = np.array([normal[1], -normal[0], 0])
        low, places = (sole @ normal).min(), sole @ along
        ends = [low * normal + t * along for t in (places.min() - 0.05, places.max() + 0.05)]
        page.shape(p(np.stack(ends)), stroke=WARM, stroke_width=2)
        page.text((92 + 160 * k, 318), f"slope {slope:g}°", 12, text_anchor="middle", fill=SOFT)
    heading(page, 715, "roll_toe", "hinge of at most 45°: then the toes leave the ground")
    for k, rise in enumerate((20.0, 45.0, 65.0)):
        p = Panel(page, (520.0 + 150 * k, 268.0), 230.0)
        pose = rig.rest_local.copy()
        pose[FOOT] = pose[FOOT] @ sk.compose([0, 0, 0], sk.quaternion_from_axis_angle([0, 0, 1], -np.radians(rise)))
        limits = sk.JointLimits({TOE: sk.hinge([0, 0, 1], 0, np.radians(45))})
        pose = sk.roll_toe(rig, pose, TOE, UP, up=UP, limits=limits)
        sole = leg(p, pose)
        low = sole[:, 1].min()
        page.shape(p(np.array([[-0.08, low, 0], [0.42, low, 0]])), stroke=WARM, stroke_width=2)
        page.text((556 + 150 * k, 318), f"heel up by {rise:g}°", 12, text_anchor="middle", fill=SOFT)
    page.shape(np.array([[478.0, 70.0], [478.0, 300.0]]), stroke=LIGHT, stroke_width=1)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("ground_alignment.svg").write_text(figure(), encoding="utf-8")
