# SPDX-License-Identifier: MIT
"""Feet on the edges of stairs: what hangs over an edge neither pulls the foot down nor sinks into a tread."""

from __future__ import annotations

from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
import reference
from known_steps import SIDES, SOLE, TO_BACK, spans_of
from standing_truth import UP

import skelkin_py as sk

TREAD, RISER = 0.28, 0.17


def height(points, shift):
    return np.clip(np.floor((points[:, 2] + 0.08 + shift) / TREAD), 0, 20) * RISER


def mesh(shift):
    """Treads and upright risers."""
    edges = np.array([-9.0, *(np.arange(1, 21) * TREAD - 0.08 - shift), 30.0])
    points, faces = [], []
    for k in range(21):
        for first, last in (((k, edges[k]), (k, edges[k + 1])), ((k, edges[k + 1]), (k + 1, edges[k + 1]))):
            if last[0] > 20:
                continue
            corners = [(x, level * RISER, z) for level, z in (first, last) for x in (-3.0, 3.0)]
            n = len(points)
            faces += [[n, n + 1, n + 2], [n + 1, n + 3, n + 2]]
            points += corners
    return sk.MeshGround(points, faces)


@pytest.mark.parametrize("kind", ["mesh", "function"])
@pytest.mark.parametrize("shift", [0.04, -0.05, -0.1])
def test_soles_over_an_edge_stand_on_the_higher_tread(kind, shift, require):
    if kind == "mesh":
        require(find_spec("embreex"), "the extra 'ground'")
    case = known_motions.known(motion="stairs", fps=60.0)
    clip = case.clip
    ground = mesh(shift) if kind == "mesh" else lambda points: height(points, shift)
    planted = sk.plant_feet(clip, ground=ground, contacts=case.spans, up="Y")
    matrices = reference.forward_kinematics(clip.skeleton, planted.clip.local_matrices())
    hanging = 0
    for side in SIDES:
        foot, toe = (clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        back = matrices[:, foot, :3, 3] + matrices[:, foot, :3, :3] @ TO_BACK
        ball = matrices[:, toe, :3, 3] - SOLE * UP
        above = np.stack([point[:, 1] - height(point, shift) for point in (back, ball)])
        lowest = above.min(axis=0)[case.contact[side]] / case.leg
        assert lowest.min() >= -1e-3
        assert lowest.max() <= 1e-3
        hanging += (above.max(axis=0)[case.contact[side]] > 0.1).sum()
        for first, last in spans_of(case.ball[side]):
            assert np.ptp(ball[first : last + 1, [0, 2]], axis=0).max() <= 1e-4 * case.leg
    assert (hanging > 50) == (shift != 0.04)
