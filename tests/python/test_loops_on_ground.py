# SPDX-License-Identifier: MIT
"""Loops that come back to another place, on ground that is not level or moves: closed where it is the same there."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
from known_steps import SIDES, Motion, Step, build
from planted_files import assert_same, plant_both
from rigid_plate import Plate
from standing_truth import UP, riding, standing, turned

import skelkin_py as sk
from skelkin_py import reference

FPS = 60.0
FAULT = {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03}
DEGREES = 5.0


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


def walk_loop(**faults):
    return known_motions.known("walk loop", fps=FPS, **faults)


def places(clip):
    return np.asarray(reference.forward_kinematics(clip.skeleton, clip.local_matrices()), float)


def way(clip, rise=0.0):
    """The displacement and turn from the first pose to the last, from the root alone, and so much further up."""
    root = places(clip)[:, 0]
    out = root[-1] @ np.linalg.inv(root[0])
    out[1, 3] += rise
    return out


def assert_closed(case, planted, travel):
    """The last pose is the first carried by `travel`, with no jump of the speed at the seam."""
    assert planted.report.loop
    at = places(planted.clip)[..., :3, 3]
    on = at[:3] @ travel[:3, :3].T + travel[:3, 3]
    inside = np.linalg.norm(np.diff(at[:-1], 2, axis=0), axis=-1).max()
    assert np.linalg.norm(on[0] - at[-1], axis=-1).max() <= 1e-6 * case.leg
    across = np.concatenate([at[-3:], on[1:]])
    assert np.linalg.norm(np.diff(across, 2, axis=0), axis=-1).max() <= 1.2 * inside


def assert_open(planted, words):
    assert not planted.report.loop
    told = [message for message in planted.report.messages if "not closed" in message]
    assert len(told) == 1
    assert words in told[0]


def ramp(num, degrees=DEGREES):
    """A plane that goes up along +z: the transform that leans a level one, and its heights."""
    motion = turned([1.0, 0.0, 0.0], np.full(num, -np.radians(degrees)))
    return motion, lambda points: np.tan(np.radians(degrees)) * points[:, 2]


@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on the ramp", "made on a floor"])
@pytest.mark.parametrize("fault", [{}, FAULT], ids=["clean", "damaged"])
def test_a_walk_up_a_ramp_is_closed(made_on_it, fault):
    case = walk_loop(**fault)
    motion, ground = ramp(case.clip.num_frames)
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=ground, up="Y")
    level = way(clip)[2, 3]
    rise = 0.0 if made_on_it else np.tan(np.radians(DEGREES)) * level
    assert_closed(case, planted, way(clip, rise))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3
    told = f"the last pose is the first, {level:.4g} units on, {np.tan(np.radians(DEGREES)) * level:.4g} units up"
    assert any(told in message for message in planted.report.messages)


def test_contacts_on_a_ramp_go_on_across_the_seam():
    case = walk_loop(slide=0.05)
    motion, ground = ramp(case.clip.num_frames)
    report = sk.plant_feet(riding(case.clip, motion), ground=ground, up="Y").report
    for leg in report.legs:
        stands = np.zeros(case.clip.num_frames, bool)
        for a, b in leg.contacts:
            stands[a : b + 1] = True
        truth = case.contact[leg.name]
        assert (stands == truth)[:10].all()
        assert (stands == truth)[-10:].all()


TREAD, RISER = 0.28, 0.17


def endless_stair(points):
    return np.floor((points[..., 2] + 0.08) / TREAD) * RISER


def stair_loop(**faults):
    """Four steps up an endless stair, one foot per step."""
    steps = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0), ("right", -0.1, 1)):
        for n in range(start - 4, 14, 2):
            down = 0.5 * n + 0.1
            step = Step((x, RISER * (n - 1), TREAD * (n - 1) + 0.12), down, down, down + 0.42, down + 0.64, push=0.5)
            steps[side].append(step)
    motion = Motion(
        steps, 2.0, swing=0.07, height=0.83, bounce=(0.012, 1.0), ground=endless_stair, closed=2.0
    )  # fmt: skip
    return build(motion, fps=FPS, **faults)


@pytest.mark.parametrize("fault", [{}, {"slide": 0.01, "lift": 0.03, "noise": 0.004}], ids=["clean", "damaged"])
def test_steps_up_an_endless_stair_are_closed(fault):
    case = stair_loop(**fault)
    planted = sk.plant_feet(case.clip, ground=case.ground, up="Y")
    assert_closed(case, planted, way(case.clip, 4 * RISER - way(case.clip)[1, 3]))
    assert planted.report.worst("slide") <= 1e-4 * case.leg
    assert max(planted.report.worst(what) for what in ("penetration", "float")) <= 1e-3 * case.leg


def test_a_stair_that_ends_under_the_last_pose_is_left_open():
    case = stair_loop()
    planted = sk.plant_feet(case.clip, ground=lambda points: np.minimum(endless_stair(points), RISER), up="Y")
    assert_open(planted, "the ground under its last pose is another than under its first")


def waves(period, height=0.04):
    """A mesh that goes up and down along z."""
    z, x = np.arange(-4.0, 8.0, 0.01), np.array([-2.0, 2.0])
    points = np.stack([np.tile(x, len(z)), np.zeros(2 * len(z)), np.repeat(z, 2)], axis=1)
    points[:, 1] = height * np.sin(2.0 * np.pi * points[:, 2] / period)
    corner = 2 * np.arange(len(z) - 1)
    halves = [np.stack([corner + k for k in half], axis=1) for half in ((0, 2, 1), (1, 2, 3))]
    return sk.MeshGround(points, np.concatenate(halves))


@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("parts", [1, 2, 4])
def test_a_mesh_whose_period_is_a_part_of_the_way_is_walked_on_for_ever(parts):
    case = walk_loop(**FAULT)
    case = replace(case, clip=_way_of(case.clip, 2.2))
    planted = sk.plant_feet(case.clip, ground=waves(2.2 / parts), up="Y")
    assert_closed(case, planted, way(case.clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg
    assert max(planted.report.worst(what) for what in ("penetration", "float")) <= 1e-3 * case.leg


def _way_of(clip, length):
    """The clip, its way along z made so long."""
    translations = clip.translations.copy()
    own = translations[-1, 0, 2] - translations[0, 0, 2]
    translations[:, 0, 2] += (length - own) * np.linspace(0.0, 1.0, clip.num_frames)
    return clip.replace(translations=translations)


@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("period", [1.7, 0.9])
def test_a_mesh_of_another_period_leaves_it_open(period):
    planted = sk.plant_feet(walk_loop().clip, ground=waves(period), up="Y")
    assert_open(planted, "the last pose is the first, 2.2 units on, but the ground under its last pose is another")


def test_ground_that_ends_under_the_last_pose_leaves_it_open():
    clip = walk_loop().clip
    planted = sk.plant_feet(clip, ground=lambda points: np.where(points[:, 2] > 2.1, np.nan, 0.0), up="Y")
    assert_open(planted, "the ground under its last pose is another than under its first")


def test_of_ground_between_its_ends_nothing_is_asked():
    """Over a hill from one flat place to another: beyond both ends there is no ground at all."""
    case = walk_loop(slide=0.05)

    def hill(points):
        z = points[:, 2]
        high = 0.08 * np.where((z > 0.2) & (z < 1.3), np.sin(np.pi * (z - 0.2) / 1.1) ** 2, 0.0)
        return np.where((z < -0.9) | (z > 2.5), np.nan, high)

    planted = sk.plant_feet(case.clip, ground=hill, up="Y")
    assert_closed(case, planted, way(case.clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg


def carrier(num, across=0.0, rise=0.0, turn=0.0):
    """A plane that goes at one velocity, units per second along x and y, and turns, radians per second."""
    time = np.arange(num) / FPS
    motion = turned(UP, turn * time, (0.5, 0.0, 1.0))
    motion[:, 0, 3] += across * time
    motion[:, 1, 3] += rise * time
    return motion


CARRIERS = {"belt": {"across": 0.3}, "lift": {"rise": 0.2}, "escalator": {"across": -0.2, "rise": 0.15}}


@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
@pytest.mark.parametrize("name", CARRIERS)
def test_a_walk_on_a_carrier_of_constant_velocity_is_closed(name, made_on_it):
    case = walk_loop(slide=0.03)
    motion = carrier(case.clip.num_frames, **CARRIERS[name])
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    rise = 0.0 if made_on_it else motion[-1, 1, 3] - motion[0, 1, 3]
    assert_closed(case, planted, way(clip, rise))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
def test_a_turntable_closes_what_stays_where_it_is_on_it(made_on_it):
    """Who walks on it gets to where it goes at another speed, and cannot go on as before."""
    for name, closes in (("side-step loop", True), ("walk loop", False)):
        case = known_motions.known(name, fps=FPS, slide=0.03)
        motion = carrier(case.clip.num_frames, turn=0.3)
        clip = riding(case.clip, motion) if made_on_it else case.clip
        planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
        if closes:
            assert_closed(case, planted, way(clip))
            figures = standing(case, planted, motion)
            assert figures["slide"] <= 1e-4
            assert max(figures["penetration"], figures["float"]) <= 1e-3
        else:
            assert_open(planted, "the ground moves at another speed under its last pose than under its first")


def swinging(num, seconds, height=0.1):
    """A plane that goes up and down and to and fro once in so many seconds."""
    phase = 2.0 * np.pi * np.arange(num) / FPS / seconds + 0.7
    motion = turned([1.0, 0.0, 0.0], 0.03 * np.cos(phase))
    motion[:, 0, 3], motion[:, 1, 3] = 0.1 * np.cos(phase), height * np.sin(phase)
    return motion


@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
def test_steps_on_ground_that_swings_with_them_are_closed(made_on_it):
    case = known_motions.known("side-step loop", fps=FPS, slide=0.03)
    num = case.clip.num_frames
    motion = swinging(num, (num - 1) / FPS / 2.0)
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    assert_closed(case, planted, np.eye(4))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


def test_ground_that_swings_at_another_rate_leaves_it_open():
    clip = known_motions.known("side-step loop", fps=FPS).clip
    planted = sk.plant_feet(clip, ground=Plate(swinging(clip.num_frames, 3.7)), up="Y")
    assert_open(planted, "the ground under its last pose is another than under its first")
    # Where it passes the same place the other way.
    motion = np.tile(np.eye(4), (clip.num_frames, 1, 1))
    motion[:, 1, 3] = 0.4 * np.sin(np.linspace(0.0, np.pi, clip.num_frames))
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    assert_open(planted, "the ground moves at another speed under its last pose than under its first")


def standing_still(sway=0.02):
    """A figure that shifts its weight and never lifts a foot."""
    case = known_motions.known("side-step loop", fps=FPS)
    rotations, translations = (np.repeat(x[40:41], 121, axis=0) for x in (case.clip.rotations, case.clip.translations))
    translations[:, 0, 0] += sway * np.sin(np.linspace(0.0, 2.0 * np.pi, 121))
    return case, sk.Clip(case.clip.skeleton, rotations, translations, fps=FPS)


@pytest.mark.parametrize("name", [*CARRIERS, "turntable"])
def test_a_figure_that_stands_on_a_carrier_goes_with_it(name):
    case, clip = standing_still()
    motion = carrier(clip.num_frames, **CARRIERS.get(name, {"turn": 0.3}))
    clip = riding(clip, motion)
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y", contacts="always")
    assert_closed(case, planted, way(clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg


def test_a_figure_that_stands_still_while_the_ground_leaves_is_left_open():
    _, clip = standing_still()
    ground = Plate(carrier(clip.num_frames, across=0.05))
    planted = sk.plant_feet(clip, ground=ground, up="Y", contacts="always")
    assert_open(
        planted, "the last pose is the first, but a foot never leaves the ground, which does not go with the body"
    )
    with pytest.raises(ValueError, match="a foot never leaves the ground, which does not go with the body"):
        sk.plant_feet(clip, ground=ground, up="Y", contacts="always", loop=True)


@pytest.mark.usefixtures("embree")
def test_a_floor_that_is_a_mesh_is_a_floor():
    case = walk_loop(**FAULT)
    mesh, height = (sk.plant_feet(case.clip, ground=ground, up="Y") for ground in (waves(1.0, 0.0), 0.0))
    assert mesh.report.loop
    assert np.abs(mesh.clip.positions() - height.clip.positions()).max() <= 1e-6 * case.leg


def in_a_row(clip, times):
    """A loop so many times, one after the other; only its roots are carried on, from the middle one."""
    period, travel = clip.num_frames - 1, way(clip)
    turn, frame = np.divmod(np.arange(times * period + 1) - times // 2 * period, period)
    local = clip.local_matrices()[frame]
    local[:, 0] = np.stack([np.linalg.matrix_power(travel, k) for k in turn]) @ local[:, 0]
    translations, rotations, _ = sk.decompose(local)
    return sk.Clip(clip.skeleton, rotations, translations, fps=clip.fps)


@pytest.mark.parametrize("kind", ["made on a ramp", "stair", "made on an escalator"])
def test_it_is_a_piece_of_the_endless_motion(kind):
    """The third of five periods in a row, planted as any clip on ground that really goes on."""
    case = stair_loop(lift=0.02) if kind == "stair" else walk_loop(slide=0.05, lift=0.02)
    clip, num = case.clip, case.clip.num_frames
    period = num - 1
    if kind == "stair":
        grounds = [endless_stair, endless_stair]
    elif kind == "made on a ramp":
        clip, grounds = riding(clip, ramp(num)[0]), [ramp(1)[1]] * 2
    else:
        motion = carrier(5 * period + 1, **CARRIERS["escalator"])
        motion = np.linalg.inv(motion[2 * period]) @ motion
        grounds = [Plate(motion[2 * period : 3 * period + 1]), Plate(motion)]
        clip = riding(clip, grounds[0].motion)
    loop = sk.plant_feet(clip, ground=grounds[0], up="Y")
    whole = sk.plant_feet(in_a_row(clip, 5), ground=grounds[1], up="Y", loop=False)
    assert loop.report.loop
    assert not whole.report.loop
    apart = loop.clip.positions() - whole.clip.positions()[2 * period : 3 * period + 1]
    assert np.abs(apart).max() <= 1e-9 * case.leg


@pytest.mark.parametrize("kind", ["ramp", "lift"])
def test_the_last_planted_pose_follows_on_the_one_before(kind):
    """A walk made on a floor, on ground that goes up: what is written for the last frame is what was planned there."""
    case = walk_loop(slide=0.05, lift=0.02)
    num = case.clip.num_frames
    ground = ramp(num)[1] if kind == "ramp" else Plate(carrier(num, rise=0.2))
    planted = sk.plant_feet(case.clip, ground=ground, up="Y")
    hips = planted.clip.translations[:, 0, 1]
    change = np.abs(np.diff(hips, 2))
    assert planted.report.loop
    assert change[-1] <= 1.1 * change[-12:-1].max()


def test_a_climb_on_a_floor_is_no_loop():
    case = walk_loop()
    motion, _ = ramp(case.clip.num_frames)
    for ground in (None, 0.0):
        report = sk.plant_feet(riding(case.clip, motion), ground=ground, up="Y").report
        assert not report.loop
        assert not any("last pose" in message for message in report.messages)


@pytest.mark.parametrize("loop", ["auto", True])
def test_ground_that_is_nearly_the_same_has_to_be_called_so(loop):
    """Tipped by a degree on the way."""
    clip = walk_loop().clip
    tipped = np.radians(1.0)
    ground = Plate(turned([0.0, 0.0, 1.0], np.linspace(0.0, tipped, clip.num_frames)))
    planted = sk.plant_feet(clip, ground=ground, up="Y", loop=loop)
    assert planted.report.loop is (loop is True)


@pytest.mark.parametrize("kind", ["ramp", "stair", "belt", "lift"])
def test_a_second_run_changes_nothing(kind):
    case = stair_loop(lift=0.02) if kind == "stair" else walk_loop(slide=0.05)
    num = case.clip.num_frames
    ground = {"ramp": ramp(num)[1], "stair": endless_stair}.get(kind)
    if ground is None:
        ground = Plate(carrier(num, **CARRIERS[kind]))
    first = sk.plant_feet(case.clip, ground=ground, up="Y")
    spans = [leg.contacts for leg in first.report.legs]
    again = sk.plant_feet(first.clip, ground=ground, up="Y", contacts=spans)
    assert again.report.loop
    assert np.abs(again.clip.positions() - first.clip.positions()).max() <= 1e-4 * case.leg


@pytest.mark.parametrize("block", [25, 1000])
@pytest.mark.parametrize("kind", ["ramp", "stair", "belt", "swing", "stands"])
def test_files_are_closed_as_in_memory(tmp_path, kind, block):
    case = stair_loop(lift=0.02) if kind == "stair" else walk_loop(slide=0.05)
    clip, num, options = case.clip, case.clip.num_frames, {}
    if kind == "stands":
        case, clip = standing_still()
        motion = carrier(clip.num_frames, across=0.3)
        clip, options = riding(clip, motion), {"contacts": "always"}
        ground = Plate(motion)
    elif kind == "swing":
        clip = known_motions.known("side-step loop", fps=FPS, slide=0.03).clip
        ground = Plate(swinging(clip.num_frames, (clip.num_frames - 1) / FPS))
    else:
        ground = {"ramp": ramp(num)[1], "stair": endless_stair, "belt": Plate(carrier(num, across=0.3))}[kind]
    planted, found, expected = plant_both(tmp_path, clip, block, ground=ground, up="Y", **options)
    assert planted.report.loop
    assert_same(planted, found, expected)
    assert set(planted.report.messages) == set(expected.report.messages)
