# SPDX-License-Identifier: MIT
"""The walking rigs do what they promise, measured in Blender."""

import keys
import numpy as np
import pytest
from rigs import human_metarig_walk, mixamo_walk
from stepping import stance_slide, world_heads

MAKERS = {"metarig": human_metarig_walk, "mixamo": mixamo_walk}


@pytest.mark.parametrize("motion", ["bone", "object", "parent"])
@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_ankles_slide_by_the_promised_amount_in_the_promised_frames(maker, motion):
    walk = maker(root_motion=motion)
    for side, (_, _, foot, toe) in walk.legs.items():
        heads = world_heads(walk.object, [foot, toe], walk.frames)
        spans = [s for s in walk.stance[side] if s[1] - s[0] == 17]
        assert len(spans) >= 1
        for joint in (0, 1):
            assert stance_slide(heads[:, joint], spans, 1) == pytest.approx([walk.slide] * len(spans), abs=1e-5)
        for first, last in walk.stance[side]:
            assert np.ptp(heads[first - 1 : last, 0, 2]) < 1e-5
        swing = [f for f in walk.frames if not any(a <= f <= b for a, b in walk.stance[side])]
        assert heads[[f - 1 for f in swing], 0, 2].min() > heads[:, 0, 2].min() + 0.01 * walk.leg_length


def test_an_in_place_walk_stays_where_it_is():
    walk = human_metarig_walk(in_place=True)
    hips = world_heads(walk.object, [walk.pelvis], walk.frames)
    assert np.ptp(hips[:, 0, 1]) < 0.01


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "AXIS_ANGLE"])
def test_every_rotation_mode_gives_the_same_walk(mode):
    plain = mixamo_walk()
    feet = [leg[2] for leg in plain.legs.values()]
    expected = world_heads(plain.object, feet, plain.frames)
    other = mixamo_walk(rotation_mode=mode)
    assert world_heads(other.object, feet, other.frames) == pytest.approx(expected, abs=2e-5)


def test_sizes_are_those_of_the_real_rigs():
    assert len(mixamo_walk().object.pose.bones) == 65
    metarig = human_metarig_walk(frames=100)
    assert len(metarig.object.pose.bones) > 100
    assert len(metarig.frames) == 100
    assert tuple(metarig.action.frame_range) == (1, 100)
    assert len(keys.digest(metarig.object, metarig.action)) >= 3 * len(metarig.object.pose.bones)
