# SPDX-License-Identifier: MIT
"""What feet do not ask for, the body does not do: noise, lifted feet, one foot higher, swings below a level, cuts."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

LEG = 90.0  # a leg of two bones of 45 cm


def standing(fps: float, seconds: float = 3.0, lift: float = 0.0, noise: float = 0.0, dip: float = 0.0) -> sk.Clip:
    """Return a figure that stands with bent knees, joints shake; its left foot is lifted midway, or points down there
    by `dip` degrees while its ankle stays."""
    count = int(fps * seconds)
    time = np.arange(count) / fps
    rise = np.clip((time - 0.6) / 0.6, 0.0, 1.0) * np.clip((seconds - 0.6 - time) / 0.6, 0.0, 1.0)
    rise = rise**2 * (3.0 - 2.0 * rise)
    names, parents, offsets = ["Hips", "Spine", "Head"], [-1, 0, 1], [[0, 0, 0], [0, 20, 0], [0, 40, 0]]
    for side, aside in (("Left", 10), ("Right", -10)):
        first = len(names)
        names += [side + part for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
        parents += [0, first, first + 1, first + 2]
        offsets += [[aside, 0, 0], [0, -45, 0], [0, -45, 0], [0, -6, 12]]
    high = LEG * np.cos(np.radians(10.0))
    turns = np.random.default_rng(0).normal(size=(2, 4, count)) * noise
    rotations = np.zeros((count, len(names), 4))
    rotations[..., 0] = 1.0
    for side, first, (out, thigh, shin, aside) in ((1, 3, turns[0]), (-1, 7, turns[1])):
        far = high - (LEG * lift * rise if side > 0 else 0.0)
        bend = 2.0 * np.degrees(np.arccos(far / LEG)) + np.zeros(count)

        def turned(axis: str, degrees: np.ndarray) -> np.ndarray:
            angles = np.zeros((count, 3))
            angles[:, "XYZ".index(axis)] = np.radians(degrees)
            return np.asarray(sk.quaternion_from_euler(angles, "XYZ"))

        rotations[:, first] = sk.quaternion_multiply(turned("Z", side * 5 + out), turned("X", thigh - bend / 2))
        rotations[:, first + 1] = sk.quaternion_multiply(turned("X", bend + shin), turned("Z", aside))
        pitch = dip * rise if side > 0 else np.zeros(count)
        rotations[:, first + 2] = sk.quaternion_multiply(
            turned("X", pitch - bend / 2), turned("Z", np.full(count, -5.0 * side))
        )
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = offsets
    translations = np.tile(np.array(offsets, float), (count, 1, 1))
    translations[:, 0, 1] = high + 6
    return sk.Clip(sk.Skeleton(parents, rest, names=names), rotations, translations, fps=fps)


def body(clip: sk.Clip, planted: sk.Clip) -> np.ndarray:
    """Return how far hips are moved, in every frame."""
    hips = [leg.hip for leg in clip.find_legs()]
    return np.linalg.norm((planted.positions() - clip.positions())[:, hips].mean(axis=1), axis=1)


def toe_level(clip: sk.Clip, report: sk.PlantReport) -> float:
    """Return how much higher the left toe is than the right one in contacts: medians, in legs."""
    high = {}
    for leg, own in zip(clip.find_legs(), report.legs, strict=True):
        at = clip.positions()[:, leg.toe] @ report.up
        high[own.name] = np.median(np.concatenate([at[first : last + 1] for first, last in own.contacts]))
    return float(high["left"] - high["right"]) / report.leg_length


@pytest.mark.parametrize(("degrees", "fps", "most"), [(0.3, 30, 0.03), (0.3, 240, 0.03), (1.0, 120, 0.04)])
def test_noise_does_not_throw_a_body_that_stands(degrees, fps, most):
    clip = standing(fps, noise=degrees)
    assert body(clip, clip.plant_feet().clip).max() <= most * LEG


@pytest.mark.parametrize("fps", [30, 120])
@pytest.mark.parametrize("loop", [True, False])
def test_a_foot_that_is_lifted_in_place_stays_lifted(fps, loop):
    clip = standing(fps, lift=0.05)
    clip = clip if loop else clip[: round(2.8 * fps)]
    planted, report = clip.plant_feet()
    left = clip.find_legs()[0]
    rises = [np.ptp(each.positions()[:, left.ankle, 1]) for each in (clip, planted)]
    assert rises[1] >= 0.8 * rises[0]
    assert len(report.legs[0].contacts) == 2
    assert body(clip, planted).max() <= 0.01 * LEG


def ranges(clip: sk.Clip, *joints: int | None) -> list[float]:
    """Return how far joints of a figure that stands on its place go up and down, in legs."""
    return [float(np.ptp(clip.positions()[:, joint, 1])) / LEG for joint in joints]


@pytest.mark.parametrize("fps", [30, 120])
def test_a_foot_whose_ball_dips_is_turned_and_its_heel_stays_down(fps):
    clip = standing(fps, dip=15.0)
    left = clip.find_legs()[0]
    assert ranges(clip, left.toe)[0] > 0.03
    planted, report = clip.plant_feet()
    ankle, toe = ranges(planted, left.ankle, left.toe)
    assert ankle <= 0.006
    assert toe <= 0.006
    assert [leg.contacts for leg in report.legs] == [[(0, clip.num_frames - 1)]] * 2
    assert body(clip, planted).max() <= 0.005 * LEG


def test_teleports_in_the_first_and_the_last_frame_move_nothing_else():
    clip = standing(60, noise=0.3)
    plain = body(clip, clip.plant_feet(ground=0.0).clip)
    torn = np.array(clip.translations)
    torn[0, 0] += [300.0, 50.0, -200.0]
    torn[-1, 0] -= [300.0, -20.0, 100.0]
    torn = sk.Clip(clip.skeleton, clip.rotations, torn, fps=60)
    planted, report = torn.plant_feet(ground=0.0)
    for frame in (0, -1):
        assert np.array_equal(planted.rotations[frame], clip.rotations[frame])
        assert np.array_equal(planted.translations[frame], torn.translations[frame])
    assert body(torn, planted).max() <= max(plain.max(), 0.03 * LEG)
    assert min(last - first for leg in report.legs for first, last in leg.contacts) > 0.75 * clip.num_frames


@pytest.mark.slow
def test_a_figure_that_stands_for_ten_minutes_stands():
    clip = standing(240, seconds=600.0)
    planted, report = clip.plant_feet()
    assert [leg.contacts for leg in report.legs] == [[(0, clip.num_frames - 1)]] * 2
    assert body(clip, planted).max() <= 1e-6 * LEG


def test_a_figure_whose_soles_are_below_the_ground_everywhere_is_raised_as_a_whole():
    clip = standing(60, lift=0.05)
    planted, report = clip.plant_feet(ground=10.0)
    assert report.worst("penetration") <= 1e-6 * LEG
    assert report.deepest() <= 1e-6 * LEG
    assert np.ptp(body(clip, planted)) <= 0.01 * LEG
    assert {row.row for row in report.cost.rows if row.grade} <= {"float"}  # it stood lower throughout


@pytest.mark.parametrize("what", ["a longer foot", "a foot without a toe"])
def test_feet_that_differ_stand_on_one_level(what):
    clip = standing(60, lift=0.05)
    skeleton, moved = clip.skeleton, np.array(clip.translations)
    toe = skeleton.names.index("RightToeBase")
    rest, kept = np.array(skeleton.rest_local), list(range(len(skeleton.names)))
    if what == "a longer foot":
        rest[toe, :3, 3] *= 1.6
        moved[:, toe] *= 1.6
    else:
        kept.remove(toe)  # the last joint
    names = [skeleton.names[j] for j in kept]
    odd = sk.Clip(
        sk.Skeleton(skeleton.parents[kept], rest[kept], names), clip.rotations[:, kept], moved[:, kept], fps=60
    )
    planted, report = odd.plant_feet()
    assert report.cost.minded() == []
    assert body(odd, planted).max() <= 0.01 * LEG
    assert [len(leg.contacts) for leg in report.legs] == [2, 1]


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["bvh/rokoko_jesse_dance.bvh", "bvh/makehuman_walk1.bvh", "npz/kimodo_soma30_keyframes_walk.npz"]
)
def test_nothing_that_a_viewer_would_mind(data_dir, name):
    """A foot that rises while it is on its way up, or hangs above where it comes to stand, was held down before."""
    assert sk.load(data_dir / name).plant_feet().report.cost.minded() == []


@pytest.mark.data
def test_a_foot_that_is_held_up_while_the_body_rises_stays_up(data_dir):
    clip = sk.load(data_dir / "gltf" / "kaykit_Knight.glb", animation="Spellcast_Long", fps=24.0)
    planted, report = clip.plant_feet()
    left = clip.find_legs()[0]
    heights = [each.positions()[30:46, left.ankle] @ report.up for each in (clip, planted)]
    assert np.ptp(heights[1]) >= 0.8 * np.ptp(heights[0])


@pytest.mark.data
def test_heels_stay_down_where_toe_joints_dip(data_dir):
    clip = sk.load(data_dir / "bvh_hard" / "accad_pick_up_box.bvh")
    planted, report = clip.plant_feet()
    for leg, own in zip(clip.find_legs(), report.legs, strict=True):
        for first, last in own.contacts:
            was, now = (np.ptp(each.positions()[first : last + 1, leg.ankle] @ report.up) for each in (clip, planted))
            assert now - was <= 0.015 / 0.9 * report.leg_length


@pytest.mark.data
@pytest.mark.parametrize("name", ["npz/kimodo_soma30_keyframes_walk.npz", "bvh_hard/accad_side_step.bvh"])
def test_toes_keep_the_level_that_they_have_beside_each_other(data_dir, name):
    """No sole is taken for thicker since its foot was seen raised, nor both for alike as the rest pose has them."""
    clip = sk.load(data_dir / name)
    planted, report = clip.plant_feet()
    assert toe_level(planted, report) == pytest.approx(toe_level(clip, report), abs=0.012)


@pytest.mark.data
@pytest.mark.parametrize("name", ["cmu_01_03_frames_3200_3400", "cmu_03_01_uneven_frames_150_215"])
def test_a_body_is_not_thrown_for_swings_and_noise(data_dir, name):
    clip = sk.load(data_dir / "bvh_hard" / f"{name}.bvh")
    planted, report = clip.plant_feet()
    assert body(clip, planted).max() <= 0.05 * report.leg_length
    assert report.slide()[1] <= 1e-3 * report.leg_length


@pytest.mark.data
def test_a_floor_says_which_way_is_up_where_the_body_lies(data_dir):
    assert sk.load(data_dir / "bvh_hard" / "accad_crawl.bvh").plant_feet().report.up.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.data
@pytest.mark.parametrize("step", [2, 4])
def test_the_body_goes_alike_at_any_frame_rate(data_dir, step):
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    planted, report = clip.plant_feet()
    fewer = sk.Clip(clip.skeleton, clip.rotations[::step], clip.translations[::step], fps=clip.fps / step)
    contacts = {leg.name: [(-(-first // step), last // step) for first, last in leg.contacts] for leg in report.legs}
    again = fewer.plant_feet(contacts=contacts).clip
    hips = [leg.hip for leg in clip.find_legs()]
    shift, own = ((b.positions() - a.positions())[:, hips].mean(axis=1) for a, b in ((clip, planted), (fewer, again)))
    assert np.linalg.norm(own - shift[::step], axis=1).max() <= 0.015 * report.leg_length


@pytest.mark.data
def test_each_side_of_a_cut_is_planted_as_a_clip_of_its_own(data_dir):
    """Two takes, one of them higher above the floor: neither body leads over into the other's."""
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    whole = clip.plant_feet().report
    cut, moved = clip.num_frames // 2, clip.translations.copy()
    moved[cut:, 0] += [30.0, 0.07 * whole.leg_length, 20.0]
    torn = sk.Clip(clip.skeleton, clip.rotations, moved, fps=clip.fps)
    contacts = {}
    for leg in whole.legs:  # both feet stand at the cut
        spans = [(first - 4, min(last + 4, clip.num_frames - 1)) for first, last in leg.contacts]
        parts = [(first, min(last, cut - 1)) for first, last in spans if first < cut]
        contacts[leg.name] = parts + [(max(first, cut), last) for first, last in spans if last > cut]
    hips = [leg.hip for leg in clip.find_legs()]

    def heights(clip):
        planted = clip.plant_feet(contacts=contacts, ground=whole.ground).clip
        return (planted.positions() - clip.positions())[:, hips, 1].mean(axis=1) / whole.leg_length

    apart = heights(torn) - heights(clip)
    near = round(0.2 * clip.fps)
    assert np.ptp(apart[cut - near : cut]) <= 0.01
    assert np.ptp(apart[cut : cut + near]) <= 0.01
    assert apart[cut - 1] - apart[cut] >= 0.04
