# SPDX-License-Identifier: MIT
"""What gives way where a leg is too short: the left knee's flexion and the height of the hips, for each `reach`.

`python docs/figures/wrong_reach.py` writes docs/figures/wrong_reach.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart
from svg import COOL, LEAF, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT = 900, 330
SHOWN = slice(80, 180)
KINDS = {"soften": COOL, "lower_pelvis": LEAF, "stretch": WARM}


def flexion(clip: sk.Clip) -> np.ndarray:
    """Return by how many degrees the left knee is bent in every frame."""
    hip, knee, ankle = (clip.positions()[:, clip.names.index(f"Left{name}")] for name in ("UpLeg", "Leg", "Foot"))
    u, v = knee - hip, ankle - knee
    cosine = (u * v).sum(-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def figure() -> str:
    page = Page(WIDTH, HEIGHT, "How straight the left knee gets and how low the hips, for each way of reaching")
    biped = sk.example("biped")
    walks = {kind: biped.clip.plant_feet(ground=biped.ground, reach=kind).clip for kind in KINDS}
    frames = np.arange(SHOWN.start, SHOWN.stop)
    before = biped.clip.positions()[SHOWN, 0, 1]
    curves = {kind: flexion(walk)[SHOWN] for kind, walk in walks.items()}
    moved = {kind: 100 * (walk.positions()[SHOWN, 0, 1] - before) for kind, walk in walks.items()}
    knee = Chart(page, (52, 74, 370, 200), np.array([frames[0], 0.0]), np.array([frames[-1], 75.0]))
    hips = Chart(page, (502, 74, 370, 200), np.array([frames[0], -8.0]), np.array([frames[-1], 6.0]))
    for chart, words, ticks in (
        (knee, "flexion of the left knee, degrees", range(0, 76, 15)),
        (hips, "hips raised or lowered, cm", range(-8, 7, 2)),
    ):
        for value in ticks:
            chart.tick_y(value, str(value))
        for frame in range(80, 180, 20):
            chart.tick_x(frame, str(frame))
        page.text((chart.box[0], chart.box[1] - 10), words, 13)
        page.text((chart.box[0] + chart.box[2], HEIGHT - 20), "frame", 12, text_anchor="end", fill=SOFT)
    knee.curve(frames, flexion(biped.clip)[SHOWN], SOFT, stroke_dasharray="3 4")
    hips.curve(frames, np.zeros(len(frames)), SOFT, stroke_dasharray="3 4")
    for kind, colour in KINDS.items():
        knee.curve(frames, curves[kind], colour)
        hips.curve(frames, moved[kind], colour)
    for x, (words, colour) in zip((52, 170, 340, 560), {"before": SOFT, **KINDS}.items()):
        page.shape(np.array([[x, 22.0], [x + 26.0, 22.0]]), stroke=colour, stroke_width=3)
        page.text(
            (x + 34, 27), words if words == "before" else f'reach="{words}"'.replace('"', "&quot;"), 13, fill=colour
        )
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_reach.svg").write_text(figure(), encoding="utf-8")
