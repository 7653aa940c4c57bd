# SPDX-License-Identifier: MIT
"""The report of the product beside the judge, row by row, on motion of others: two kinematics, two sets of hinges.

Not among the clips is adelaide_milad, whose left knee bends by 7 degrees sideways in 60 frames: there flexions about
the two hinges are up to 1 degree apart.
"""

from __future__ import annotations

from pathlib import Path

import clips
import judgement
import numpy as np
import pytest
import viewer

CLIPS = (
    "makehuman_walk1", "fair1_zombie", "accad_side_step", "cmu_01_03_frames_3200_3400", "kimodo_keyframes_walk",
    "cmu_12_01_walk", "cmu_12_01_walk amass", "fair1_jumping", "rokoko_jesse_dance",
    "kimodo_slow_walk", "Knight Jump_Full_Short", "Knight Walking_A", "Knight Walking_A, 30/s", "Fox Walk", "Fox Run",
)  # fmt: skip


@pytest.fixture(scope="module", params=CLIPS)
def found(request: pytest.FixtureRequest, data_dir: Path) -> judgement.Versions:
    return judgement.plant(clips.all_cases(data_dir)[request.param]())


@pytest.fixture
def unit(found: judgement.Versions) -> float:
    """What the report takes for a leg, in those of the judge: bones of some clips change their length."""
    return float(found.report.leg_length * found.report.metres_per_unit / found.metres)


def test_the_report_says_what_the_judge_says(found: judgement.Versions, unit: float) -> None:
    rows = {(row.kind, row.leg): row for row in judgement.measured(found)}
    cost = found.report.cost
    assert cost.num_frames == len(found.before[0].hip)
    for what in ("overturned", "backward", "pops"):
        judged = rows[what, ""]
        twice = 2 * len(cost.legs) * found.report.loop  # round a loop's seam the judge looks at two frames twice
        assert cost.total(what) == pytest.approx((judged.original, judged.planted), abs=twice), what
    for leg in cost.legs:
        for what, scale in (("jerk", 1e-6), ("jump", unit)):
            judged = rows[what, leg.name]
            own = scale * np.array(getattr(leg, what))
            assert own == pytest.approx([judged.original, judged.planted], rel=1e-4), (what, leg.name)
        assert 100.0 * leg.changed == pytest.approx(rows["changed", leg.name].planted), leg.name
    for own, row in (
        (cost.leg_added, "leg acceleration"), (cost.body_added, "body acceleration"),
        (100.0 * cost.body_worst, "body moved"), (100.0 * cost.body_typical, "body moved, RMS"),
    ):  # fmt: skip
        assert unit * own == pytest.approx(rows[row, ""].planted, rel=1e-4, abs=1e-9), row


def test_what_a_viewer_would_mind_is_what_the_judge_sees(found: judgement.Versions) -> None:
    """Row by row; instead of poses that are no part of the motion the report looks at the motion beside them."""
    case = judgement.Case("", found.planted_clip, {})
    lone = any("not part of the motion" in message for message in found.report.messages)
    for judged, own in zip(viewer.seen(judgement.compared(case, found)), found.report.cost.rows, strict=True):
        assert own.row == judged.row
        assert own.value == pytest.approx(max(judged.value, 0.0), rel=0.05 if lone else 1e-4, abs=1e-4), own.row
        assert bool(own.grade) is judged.minded or abs(judged.excess - 1.0) < 1e-3, own.row
