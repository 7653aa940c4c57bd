# SPDX-License-Identifier: MIT
"""Hips and knees turn no faster than 1.5 times the original's fastest and 60°/s, or the report says where and why."""

from __future__ import annotations

import re

import known_motions
import numpy as np
import pytest
from known_steps import LEG_LENGTH

import skelkin_py as sk
from skelkin_py import _core

ALLOWED = 1.0 + 1e-9
SAID = re.compile(r"the (\w+) hip or knee turns up to ([\d.]+) times as fast as it may .* most to frame (\d+): ")


def degrees_per_second(clip, joint):
    rotations = clip.rotations[3:, joint]  # as in the bar: what files begin with does not count
    cosine = np.abs(np.einsum("fi,fi->f", rotations[1:], rotations[:-1]))
    return np.degrees(2.0 * np.arccos(np.minimum(cosine, 1.0))) * clip.fps


def turns_used(before, after, leg):
    """The fastest turn of a leg's hip or knee, in parts of what it may be."""
    pairs = [[degrees_per_second(clip, joint).max() for clip in (after, before)] for joint in leg.chain[:2]]
    return max(now / (1.5 * known + 60.0) for now, known in pairs)


def moved_spans(case, change):
    """The known contacts, moved by a function from (first, last) to (first, last), inside the clip and apart."""
    last, out = case.clip.num_frames - 1, {}
    for side, spans in case.spans.items():
        out[side] = []
        for a, b in (change(*span) for span in spans):
            a, b = max(a, out[side][-1][1] + 1 if out[side] else 0), min(b, last)
            if a <= b:
                out[side].append((int(a), int(b)))
    return out


EDITS = {
    "later by 0.1 s": lambda frames: lambda a, b: (a + frames, b + frames),
    "longer by 0.1 s": lambda frames: lambda a, b: (a, b + frames),
    "earlier by 0.1 s": lambda frames: lambda a, b: (a - frames, b - frames),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_moved_contacts_of_a_walk_do_not_make_legs_turn_too_fast(edit, fps):
    case = known_motions.known("walk", fps=fps, slide=0.03)
    contacts = moved_spans(case, EDITS[edit](round(0.1 * fps)))
    planted = sk.plant_feet(case.clip, ground=0.0, contacts=contacts)
    assert planted.report.worst("slide") <= 1e-4 * LEG_LENGTH
    assert planted.report.worst("float") <= 1e-3 * LEG_LENGTH
    for leg in case.clip.find_legs():
        assert turns_used(case.clip, planted.clip, leg) <= ALLOWED
    again = sk.plant_feet(planted.clip, ground=0.0, contacts=contacts)
    assert np.abs(again.clip.positions() - planted.clip.positions()).max() <= 1e-4 * LEG_LENGTH


def used_with_parts(motion, part, first=0, last=0):
    """The fastest turn with the heel or ball spans of the report begun and ended so many frames later."""
    case = known_motions.known(motion, fps=24.0, slide=0.05)
    end = case.clip.num_frames - 1
    report = sk.plant_feet(case.clip, ground=0.0).report
    given = {leg.name: {"heel": list(leg.heel_contacts), "ball": list(leg.ball_contacts)} for leg in report.legs}
    for parts in given.values():
        parts[part] = [(max(a + first, 0), min(b + last, end)) for a, b in parts[part]]
    planted = sk.plant_feet(case.clip, ground=0.0, contacts=given)
    return max(turns_used(case.clip, planted.clip, leg) for leg in case.clip.find_legs())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("motion", "edit"),
    [
        ("walk", {"part": "ball", "first": -4}),
        ("run", {"part": "heel", "last": 4}),
        ("run", {"part": "ball", "first": -4}),
        ("crawl", {"part": "heel", "last": 5}),
        ("crawl", {"part": "ball", "last": 5}),
    ],
)
def test_edited_heels_and_balls_do_not_speed_hips_up(motion, edit):
    assert used_with_parts(motion, **edit) <= ALLOWED


def random_edit(random, spans, last):
    """Spans shifted, made longer, shorter and cut, as an editor might leave them."""
    out, most = [], max(1, last // 40)
    for a, b in spans:
        kind, d = random.integers(4), int(random.integers(-most, most + 1))
        if kind == 0:
            out.append((a + d, b + d))
        elif kind == 1:
            out.append((a - abs(d), b + abs(d)))
        elif kind == 2:
            out.append((a + abs(d), b - abs(d)))
        elif b - a > 6:
            out += [(a, (a + b) // 2 - 1), ((a + b) // 2 + 1, b)]
    merged = []
    for a, b in sorted((max(0, a), min(last, b)) for a, b in out):
        if b >= a and (not merged or a > merged[-1][1]):
            merged.append((a, b))
    return merged


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_whatever_the_contacts_the_report_says_where_a_leg_turns_too_fast(seed):
    random = np.random.default_rng(seed)
    motion = ["walk", "run", "dance", "stairs", "crawl"][seed % 5]
    case = known_motions.known(motion, fps=[24.0, 30.0, 60.0][seed % 3], slide=0.01, noise=0.0005, seed=seed)
    contacts = {side: random_edit(random, spans, case.clip.num_frames - 1) for side, spans in case.spans.items()}
    planted = sk.plant_feet(case.clip, ground=0.0 if case.ground is None else case.ground, contacts=contacts)
    said = {found[1]: float(found[2]) for found in map(SAID.match, planted.report.messages) if found}
    for leg, own in zip(case.clip.find_legs(), planted.report.legs, strict=True):
        used = turns_used(case.clip, planted.clip, leg)
        assert (used > ALLOWED) == (own.name in said)
        if own.name in said:
            assert said[own.name] == pytest.approx(used, abs=0.006)


def test_contacts_that_keep_to_the_pace_are_planted_as_usual():
    case = known_motions.known("walk", fps=30.0)
    planted = sk.plant_feet(case.clip, ground=0.0, contacts=case.spans)
    assert not any("turn" in message for message in planted.report.messages)
    outside = ~np.any([np.convolve(each, np.ones(13), "same") > 0 for each in case.contact.values()], axis=0)
    assert np.array_equal(planted.clip.rotations[outside], case.clip.rotations[outside])


def test_how_far_a_joint_turns_is_the_angle_between_its_rotations():
    rng = np.random.default_rng(3)
    angles = np.cumsum(rng.uniform(-3.1, 3.1, size=(50, 2)), axis=0)
    local = np.tile(np.eye(4), (50, 2, 1, 1))
    local[..., 0, 0] = local[..., 1, 1] = np.cos(angles)
    local[..., 1, 0], local[..., 0, 1] = np.sin(angles), -np.sin(angles)
    local[..., :3, :3] *= rng.uniform(0.5, 2.0, size=(50, 2, 1, 1))
    for joint in range(2):
        np.testing.assert_allclose(_core.joint_turns(local, joint), np.abs(np.diff(angles[:, joint])), atol=1e-7)
    assert _core.joint_turns(local[:1], 0).shape == (0,)
    with pytest.raises(IndexError, match="joint is 2 of 2"):
        _core.joint_turns(local, 2)
