# SPDX-License-Identifier: MIT
"""Motion that holds its poses: on twos, on threes, unevenly, with rounding noise, in the feet or the body alone."""

from __future__ import annotations

from itertools import cycle

import known_motions
import known_steps
import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.remark import frames_of

UNEVEN = (2, 3, 2, 4)


def shown(num: int, lasts: tuple[int, ...]) -> np.ndarray:
    """Return which of `num` frames each shows, where poses last so many frames in turn."""
    found: list[int] = []
    for last in cycle(lasts):
        if len(found) >= num:
            return np.array(found[:num])
        found += [len(found)] * last
    raise AssertionError


def at_frames(clip: sk.Clip, frames: np.ndarray, fps: float | None = None) -> sk.Clip:
    return sk.Clip(clip.skeleton, clip.rotations[frames], clip.translations[frames], fps=fps or clip.fps)


def walk() -> sk.Clip:
    return sk.example("biped").clip


def body_moved(planted: sk.Planted) -> float:
    return float(np.linalg.norm(planted.report.body_path, axis=1).max() / planted.report.leg_length)


def spans(planted: sk.Planted) -> list[tuple[int, int, int]]:
    return [(each.leg, each.first_frame, each.last_frame) for each in planted.report.contacts]


def assert_held(clip: sk.Clip, poses: np.ndarray) -> None:
    for channels in (clip.rotations, clip.translations):
        assert np.array_equal(channels, channels[np.searchsorted(poses, poses)])


@pytest.mark.parametrize("times", [2, 3, 4])
@pytest.mark.parametrize("motion", ["example", "walk loop", "in place", "run", "dance"])
def test_frames_that_are_each_shown_several_times_are_planted_as_once(motion: str, times: int) -> None:
    clip = walk() if motion == "example" else known_motions.known(motion, fps=30.0, slide=0.03).clip
    once = sk.plant_feet(clip)
    repeated = at_frames(clip, np.repeat(np.arange(clip.num_frames), times), times * clip.fps)
    often = sk.plant_feet(repeated)
    assert np.array_equal(often.clip.rotations, np.repeat(once.clip.rotations, times, axis=0))
    assert np.array_equal(often.clip.translations, np.repeat(once.clip.translations, times, axis=0))
    assert spans(often) == [(leg, times * first, times * last + times - 1) for leg, first, last in spans(once)]
    assert often.report.fps == times * clip.fps
    assert often.report.num_frames == times * clip.num_frames


@pytest.mark.parametrize("lasts", [(2,), (3,), (4,), UNEVEN, (2, 2, 4)])
def test_motion_on_twos_has_the_contacts_of_the_motion_between_its_poses(lasts: tuple[int, ...]) -> None:
    clip = walk()
    poses = shown(clip.num_frames, lasts)
    planted = sk.plant_feet(at_frames(clip, poses))
    assert abs(len(planted.report.contacts) - len(sk.plant_feet(clip).report.contacts)) <= 1
    assert body_moved(planted) < 0.06
    assert (
        planted.report.slide()[1] < 1e-3 * planted.report.leg_length
    )  # from pose to pose a foot rolls on heel and ball
    assert_held(planted.clip, poses)


@pytest.mark.parametrize("lasts", [(2,), (3,), UNEVEN])
def test_a_run_in_few_poses_loses_few_contacts(lasts: tuple[int, ...]) -> None:
    clip = known_motions.known("run", fps=30.0).clip
    steps = sk.plant_feet(clip).report.contacts
    report = sk.plant_feet(at_frames(clip, shown(clip.num_frames, lasts))).report
    assert len(report.contacts) >= len(steps) - 2


def test_where_poses_last_nearly_as_long_as_contacts_the_report_says_that_some_may_be_missed() -> None:
    clip = known_steps.build(known_motions.run(period=0.6, stance=0.2), fps=30.0).clip
    said = sk.plant_feet(at_frames(clip, shown(clip.num_frames, (3,)))).report.messages
    assert any("poses last 0.1 s, so that contacts below 0.3 s may be missed" in text for text in said)


def test_the_pace_of_a_held_cycle_is_told_at_the_rate_of_the_clip() -> None:
    clip = known_motions.known("in place", fps=30.0).clip
    report = sk.plant_feet(at_frames(clip, np.repeat(np.arange(clip.num_frames), 2), 60.0)).report
    assert any("at 60 fps the root must move 1 units/s" in text for text in report.messages)


def test_messages_about_held_motion_know_the_frames_that_they_name() -> None:
    clip = at_frames(walk(), np.repeat(np.arange(60), 2), 60.0)
    messages = sk.plant_feet(clip, contacts={"left": [(3, 30), (33, 60)]}).report.messages
    hurried = next(text for text in messages if "turns up to" in text)
    assert frames_of(hurried) == (32, 4, 30, 34, 60)
    assert "most to frame 32: between contacts 4–30, 34–60" in hurried


def test_the_report_says_on_what_a_clip_is_animated() -> None:
    clip = walk()
    said = sk.plant_feet(at_frames(clip, shown(clip.num_frames, (2,)))).report.messages
    assert "animated on twos: planted between its poses, each held as before" in said
    said = sk.plant_feet(at_frames(clip, shown(clip.num_frames, UNEVEN))).report.messages
    assert "animated on twos, threes and fours: planted between its poses, each held as before" in said
    assert not any("animated" in text for text in sk.plant_feet(clip).report.messages)


def test_poses_held_but_for_rounding_are_held() -> None:
    clip = walk()
    poses = shown(clip.num_frames, (2,))
    noise = 1e-7 * np.random.default_rng(1).standard_normal(clip.rotations.shape)
    noisy = sk.Clip(clip.skeleton, clip.rotations[poses] + noise, clip.translations[poses], fps=clip.fps)
    planted = sk.plant_feet(noisy)
    assert len(planted.report.contacts) == len(sk.plant_feet(clip).report.contacts)
    legs = [joint for leg in clip.find_legs() for joint in leg.chain]
    contact = planted.report.contacts[0]
    inside = slice(contact.first_frame, contact.last_frame + 1)
    held = planted.clip.rotations[inside][:, legs[3 * contact.leg : 3 * contact.leg + 3]]
    assert np.array_equal(held[0::2], held[1::2])


def feet_held(clip: sk.Clip, poses: np.ndarray) -> sk.Clip:
    """Return a clip whose feet are where they are in these frames, while the hips go on."""
    chains = [leg.chain for leg in clip.find_legs()]
    ends = [chain[2] for chain in chains]
    places = sk.forward_kinematics(clip.skeleton, clip.local_matrices())[poses][:, ends]
    turned = sk.apply_two_bone(
        clip.skeleton, clip.local_matrices(), chains, places[..., :3, 3], end_rotation=sk.decompose(places)[1],
        roll="minimal",
    ).local  # fmt: skip
    translations, rotations, _ = sk.decompose(turned)
    return sk.Clip(clip.skeleton, rotations, translations, fps=clip.fps)


@pytest.mark.parametrize("lasts", [(2,), UNEVEN])
def test_feet_on_twos_below_hips_on_ones_stand_as_between_their_places(lasts: tuple[int, ...]) -> None:
    clip = walk()
    poses = shown(clip.num_frames, lasts)
    planted = sk.plant_feet(feet_held(clip, poses))
    assert len(planted.report.contacts) == len(sk.plant_feet(clip).report.contacts)
    assert body_moved(planted) < body_moved(sk.plant_feet(clip))
    told = "on twos" if len(lasts) == 1 else "on twos, threes and fours"
    said = f"the feet are animated {told}: planted between their poses, each held as before"
    assert said in planted.report.messages
    ankles = planted.clip.positions()[:, [leg.chain[2] for leg in clip.find_legs()]]
    assert np.abs(ankles - ankles[poses]).max() < 1e-9


@pytest.mark.parametrize("lasts", [(2,), UNEVEN])
def test_hips_on_twos_do_not_shake_the_feet(lasts: tuple[int, ...]) -> None:
    clip = walk()
    poses = shown(clip.num_frames, lasts)
    rotations, translations = np.array(clip.rotations), np.array(clip.translations)
    rotations[:, 0], translations[:, 0] = rotations[poses, 0], translations[poses, 0]
    planted = sk.plant_feet(sk.Clip(clip.skeleton, rotations, translations, fps=clip.fps))
    assert len(planted.report.contacts) == len(sk.plant_feet(clip).report.contacts)
    assert body_moved(planted) < 0.06
    assert planted.report.slide()[1] < 1e-6 * planted.report.leg_length
    assert any(text.startswith("the body is animated on twos") for text in planted.report.messages)


@pytest.mark.parametrize("num", [120, 156])
def test_a_foot_held_where_the_clip_ends_in_the_air_does_not_stand_there(num: int) -> None:
    clip = sk.example("biped").clean[:num]
    planted = sk.plant_feet(feet_held(clip, shown(num, (3,))))
    steps = sk.plant_feet(clip).report
    assert [len(leg.contacts) for leg in planted.report.legs] == [len(leg.contacts) for leg in steps.legs]


def test_hips_that_are_led_on_are_not_told_as_a_body_thrown_or_a_foot_jolted() -> None:
    clip = sk.example("biped").clean
    poses = shown(clip.num_frames, (3,))
    rotations, translations = np.array(clip.rotations), np.array(clip.translations)
    rotations[:, 0], translations[:, 0] = rotations[poses, 0], translations[poses, 0]
    report = sk.plant_feet(sk.Clip(clip.skeleton, rotations, translations, fps=clip.fps)).report
    assert any("the body is animated on threes" in text for text in report.messages)
    assert not report.minded()


def test_only_poses_of_the_range_change() -> None:
    clip = walk()
    poses = shown(clip.num_frames, (2,))
    held = at_frames(clip, poses)
    planted = sk.plant_feet(held, frames=(31, 120))
    same = np.r_[0:32, 120 : clip.num_frames]
    assert np.array_equal(planted.clip.rotations[same], held.rotations[same])
    assert np.array_equal(planted.clip.translations[same], held.translations[same])
    assert planted.report.frames == (31, 120)
    assert planted.report.contacts
    assert_held(planted.clip, poses)


def test_contacts_given_in_frames_of_the_clip_are_those_of_the_report() -> None:
    clip = walk()
    poses = shown(clip.num_frames, (2,))
    editor = sk.PlantEditor(at_frames(clip, poses))
    found = editor.contacts
    editor.move_contact("left", 0, 0, 9)
    assert editor.planted.report.legs[0].contacts == [(0, 9), *found["left"][1:]]
    assert_held(editor.clip, poses)
    with pytest.raises(ValueError, match="< 180 frames is needed"):
        sk.plant_feet(at_frames(clip, poses), contacts={"left": [(0, 500)]})


def test_ground_that_moves_is_asked_in_frames_of_the_clip() -> None:
    class Lift:
        """A floor that rises by 1 mm per frame."""

        def __init__(self) -> None:
            self.last = 0

        def cast(self, origins, directions, frames):  # type: ignore[no-untyped-def]
            self.last = max(self.last, int(frames.max()))
            distance = origins[:, 1] - 0.001 * frames
            return distance, np.tile([0.0, 1.0, 0.0], (len(origins), 1)), np.ones(len(origins), bool), 0 * frames

        def carry(self, points, surface_id, from_frames, to_frames):  # type: ignore[no-untyped-def]
            return points + 0.001 * (to_frames - from_frames)[:, None] * [0.0, 1.0, 0.0]

    clip, ground = walk(), Lift()
    poses = shown(clip.num_frames, (2,))
    planted = sk.plant_feet(at_frames(clip, poses), ground=ground)
    assert ground.last == clip.num_frames - 1
    assert planted.report.contacts
    assert_held(planted.clip, poses)


def test_rests_and_single_duplicates_are_no_held_poses() -> None:
    clip = walk()
    rest = at_frames(clip, np.r_[0:90, np.repeat(90, 30), 90:180])
    twice = at_frames(clip, np.r_[0:40, 39:120, 119:180])
    for each in (rest, twice, at_frames(clip, np.repeat(5, 8))):
        assert not any("animated" in text for text in sk.plant_feet(each).report.messages)
