# SPDX-License-Identifier: MIT
"""The ground's velocity below cycles in place, and root motion that is taken out of clips or put into them."""

from __future__ import annotations

import json

import known_motions
import numpy as np
import pytest
from known_steps import build

import skelkin_py as sk
from skelkin_py.cli import main


def without_travel(clip: sk.Clip, up: np.ndarray) -> tuple[sk.Clip, np.ndarray]:
    """Return a clip without its mean level travel, and the velocity that was added to it."""
    hips = clip.positions()[:, [leg.hip for leg in clip.find_legs()]].mean(axis=1)
    seconds = np.arange(clip.num_frames) / clip.fps
    velocity = -(hips[-1] - hips[0]) / seconds[-1]
    velocity -= (velocity @ up) * up
    translations = np.array(clip.translations)
    translations[:, np.flatnonzero(clip.skeleton.parents < 0)] += (seconds[:, None] * velocity)[:, None]
    return clip.replace(translations=translations), velocity


def hips_of(clip: sk.Clip) -> np.ndarray:
    return clip.positions()[:, [leg.hip for leg in clip.find_legs()]].mean(axis=1)


@pytest.fixture(scope="module")
def captured(data_dir) -> sk.Clip:
    return sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")[1:]


@pytest.mark.parametrize("motion", ["walk", "run"])
@pytest.mark.parametrize(("fps", "fault"), [(24.0, {"slide": 0.08}), (30.0, {"noise": 4e-3}), (120.0, {"noise": 4e-3})])
def test_on_ground_of_known_velocity_a_motion_in_place_is_planted_as_when_it_travels(motion, fps, fault) -> None:
    clip = known_motions.known(motion, fps=fps, **fault).clip
    travels = sk.plant_feet(clip)
    cycle, velocity = without_travel(clip, travels.report.up)
    planted = sk.plant_feet(cycle, ground_velocity=tuple(velocity))
    assert [leg.contacts for leg in planted.report.legs] == [leg.contacts for leg in travels.report.legs]
    seconds = (np.arange(clip.num_frames) / clip.fps)[:, None, None]
    apart = np.linalg.norm(travels.clip.positions() + seconds * velocity - planted.clip.positions(), axis=2)
    assert apart.max() <= 1e-6 * travels.report.leg_length


@pytest.mark.parametrize("fps", [60.0, 120.0])
@pytest.mark.parametrize("motion", ["walk", "run"])
def test_a_noisy_motion_in_place_finds_its_ground_and_is_planted_as_when_it_travels(motion, fps) -> None:
    clip = known_motions.known(motion, fps=fps, noise=0.004).clip
    travels = sk.plant_feet(clip)
    cycle, velocity = without_travel(clip, travels.report.up)
    planted = sk.plant_feet(cycle, ground_velocity="auto")
    assert np.linalg.norm(planted.report.ground_velocity - velocity) <= 0.03 * np.linalg.norm(velocity)
    seconds = (np.arange(clip.num_frames) / clip.fps)[:, None, None]
    apart = np.linalg.norm(travels.clip.positions() + seconds * velocity - planted.clip.positions(), axis=2)
    assert apart.max() <= 1e-2 * travels.report.leg_length


@pytest.mark.data
@pytest.mark.parametrize("every", [1, 4])
def test_a_captured_walk_without_its_travel_gives_it_back_and_is_planted_as_when_it_travels(captured, every) -> None:
    clip = sk.Clip(captured.skeleton, captured.rotations[::every], captured.translations[::every], fps=120.0 / every)
    travels = sk.plant_feet(clip)
    report = travels.report
    cycle, velocity = without_travel(clip, report.up)
    planted = sk.plant_feet(cycle, ground_velocity="auto")
    found = planted.report.ground_velocity
    assert np.linalg.norm(found - velocity) <= 0.03 * np.linalg.norm(velocity)
    assert len(planted.report.contacts) == len(report.contacts)
    seconds = (np.arange(clip.num_frames) / clip.fps)[:, None, None]
    apart = np.linalg.norm(travels.clip.positions() + seconds * velocity - planted.clip.positions(), axis=2)
    assert apart.max() <= 1e-2 * report.leg_length


def test_the_steps_of_a_run_in_place_are_found_where_they_last_two_to_four_frames() -> None:
    case = build(known_motions.run(period=0.6, stance=0.18, stride=2.4), fps=30.0)
    cycle, velocity = without_travel(case.clip, np.array([0.0, 1.0, 0.0]))
    report = sk.plant_feet(cycle, ground_velocity="auto").report
    assert np.linalg.norm(report.ground_velocity - velocity) <= 0.03 * np.linalg.norm(velocity)
    for leg in report.legs:
        known = [(a, b) for a, b in case.spans[leg.name] if b > a]
        assert len(leg.contacts) >= len(known) - 1
        assert all(2 <= b - a + 1 <= 5 for a, b in leg.contacts)


def test_the_ground_has_one_velocity_whether_feet_are_held_on_it_or_not() -> None:
    clip = known_motions.known("in place", fps=30.0, slide=0.08, sway=0.02).clip
    free, held = (sk.plant_feet(clip, ground_velocity=given).report for given in (None, "auto"))
    assert free.ground_velocity.tolist() == held.ground_velocity.tolist()
    assert free.pace == pytest.approx(np.linalg.norm(held.ground_velocity))
    told = held.to_dict()
    assert told["pace"] == held.pace
    assert told["pace_legs"] == pytest.approx(held.pace / held.leg_length)


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "animation"),
    [
        *(("kaykit_Knight.glb", f"Running_{name}") for name in ("A", "B", "Strafe_Left", "Strafe_Right")),
        ("Fox.glb", "Run"),
    ],
)
def test_runs_whose_feet_keep_no_velocity_are_left_alone_with_no_advice_that_makes_them_worse(
    data_dir, file: str, animation: str
) -> None:
    clip = sk.load(data_dir / "gltf" / file, animation=animation)
    for given in (None, "auto"):
        planted = sk.plant_feet(clip, ground_velocity=given)
        assert planted.clip == clip
        assert not planted.report.minded()
    said = " ".join(sk.plant_feet(clip).report.messages)
    assert "no foot ever stands on the ground, or moves evenly with moving ground" in said
    assert "contacts=" not in said


def test_the_travel_of_a_walk_is_taken_out_and_nothing_else() -> None:
    clip = sk.example("biped").clip
    plain, planted = sk.plant_feet(clip), sk.plant_feet(clip, travel="in_place")
    assert np.array_equal(planted.clip.rotations, plain.clip.rotations)
    assert np.array_equal(planted.clip.translations[:, 1:], plain.clip.translations[:, 1:])
    added = planted.report.travel_added
    ways = planted.clip.translations[:, 0] - plain.clip.translations[:, 0]
    np.testing.assert_allclose(ways, np.arange(clip.num_frames)[:, None] / clip.fps * added, atol=1e-12)
    hips = hips_of(planted.clip)
    assert np.abs((hips[-1] - hips[0])[[0, 2]]).max() < 1e-9
    assert added[1] == 0.0
    assert any(text.startswith("travel='in_place': a travel of 1.03 units/s") for text in planted.report.messages)
    assert planted.report.to_dict()["travel_added"] == added.tolist()
    assert plain.report.travel_added is None


def test_a_cycle_in_place_travels_by_its_own_feet_which_then_rest() -> None:
    case = known_motions.known("in place", fps=30.0, slide=0.08, sway=0.02)
    planted = sk.plant_feet(case.clip, travel="travelling")
    report = planted.report
    assert np.linalg.norm(report.travel_added + case.velocity) <= 0.03 * np.linalg.norm(case.velocity)
    again = sk.plant_feet(planted.clip, contacts={leg.name: leg.contacts for leg in report.legs}).report
    assert again.ground_velocity is None
    assert again.slide("before")[1] <= 1e-6 * report.leg_length
    for contact, other in zip(report.contacts, again.contacts, strict=True):
        np.testing.assert_allclose(contact.stands_at, other.stands_at, atol=1e-3 * report.leg_length)


def test_a_loop_stays_one_when_its_travel_is_taken_out_or_put_in() -> None:
    clip = known_motions.known("walk loop", fps=30.0).clip
    in_place = sk.plant_feet(clip, travel="in_place")
    assert in_place.report.loop
    positions = in_place.clip.positions()
    assert np.abs(positions[-1] - positions[0]).max() < 1e-9
    travels = sk.plant_feet(in_place.clip, travel="travelling")
    assert travels.report.loop
    plain = sk.plant_feet(clip).clip.positions()
    assert np.abs(travels.clip.positions() - plain).max() < 1e-2 * travels.report.leg_length
    ways = travels.clip.positions()[-1] - travels.clip.positions()[0]
    assert np.abs(ways - ways[0]).max() < 1e-9


@pytest.mark.parametrize("motion", ["walk", "in place"])
def test_poses_that_are_held_stay_held_when_roots_go_otherwise(motion: str) -> None:
    clip = known_motions.known(motion, fps=30.0).clip
    poses = np.arange(clip.num_frames) // 2 * 2
    held = clip.replace(rotations=clip.rotations[poses], translations=clip.translations[poses])
    planted = sk.plant_feet(held, travel="in_place" if motion == "walk" else "travelling").clip
    assert np.array_equal(planted.translations, planted.translations[poses])
    hips = hips_of(planted)
    assert (np.abs((hips[-1] - hips[0])[[0, 2]]).max() < 1e-9) == (motion == "walk")


@pytest.mark.parametrize(
    ("motion", "options", "words"),
    [
        ("in place", {"travel": "in_place"}, "so there is no travel to remove; leave travel at 'keep'"),
        ("walk", {"travel": "travelling"}, "the feet do not move with the ground.*give ground_velocity="),
        (
            "walk",
            {"travel": "in_place", "frames": (0, 20)},
            r"frames=\(0, 20\): travel changes every frame: leave out frames",
        ),
        ("walk", {"travel": "in_place", "ground": lambda points: 0.1 * points[:, 2]}, "ground that is not level"),
        (
            "walk",
            {"travel": "in place"},
            "travel is 'in place': expected 'keep', 'in_place' or 'travelling'; did you mean 'in_place'?",
        ),
    ],
)
def test_what_cannot_be_taken_out_or_put_in_is_refused_with_the_cure(motion: str, options: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sk.plant_feet(known_motions.known(motion, fps=30.0).clip, **options)


def test_editors_leave_the_root_alone() -> None:
    with pytest.raises(ValueError, match="travel is 'in_place': give the edited contacts to plant_feet"):
        sk.PlantEditor(sk.example("biped").clip, travel="in_place")


@pytest.mark.parametrize("ending", [".bvh", ".glb"])
def test_every_format_keeps_the_travel(ending: str, tmp_path) -> None:
    planted = sk.plant_feet(sk.example("biped").clip, travel="in_place").clip
    planted.save(tmp_path / f"out{ending}")
    read = sk.load(tmp_path / f"out{ending}")
    names = [name for name in planted.names if name in read.names]
    at, there = (clip.positions()[:, [clip.names.index(name) for name in names]] for clip in (read, planted))
    assert len(names) == len(planted.names)
    assert np.abs(at - there).max() < 1e-4


@pytest.mark.data
@pytest.mark.parametrize("name", ["cmu_12_01_walk_amass_layout", "kimodo_soma30_slow_walk"])
def test_array_files_keep_the_travel_too(data_dir, tmp_path, name: str) -> None:
    skeleton = data_dir / "npz" / f"{name}.skeleton.json"
    planted = sk.plant_feet(sk.load(data_dir / "npz" / f"{name}.npz", skeleton=skeleton), travel="in_place").clip
    planted.save(tmp_path / "out.npz")
    read = sk.load(tmp_path / "out.npz", skeleton=skeleton)
    assert np.abs(read.positions() - planted.positions()).max() < 1e-4


def test_matrices_travel_the_same_way() -> None:
    clip = sk.example("biped").clip
    planted = sk.plant_feet(clip, travel="in_place").clip
    told = sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps, legs=clip.find_legs(), travel="in_place")
    assert np.abs(told.local - planted.local_matrices()).max() < 1e-9
    assert 0 in told.changed


def test_the_shell_takes_travel_out(tmp_path, capsys) -> None:
    clip = sk.example("biped").clip
    clip.save(tmp_path / "walk.bvh")
    arguments = ["plant", str(tmp_path / "walk.bvh"), "-o", str(tmp_path / "out.bvh"), "--json", "--travel", "in_place"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    hips = hips_of(sk.load(tmp_path / "out.bvh"))
    assert np.abs((hips[-1] - hips[0])[[0, 2]]).max() < 1e-4
    assert told["travel_added"][2] == pytest.approx(-1.03, abs=0.01)
    assert main(["plant", str(tmp_path / "out.bvh"), "-o", str(tmp_path / "x.bvh"), "--travel", "in_place"]) == 1
    assert "no travel to remove" in capsys.readouterr().err


def test_info_tells_the_pace_of_a_cycle_in_place(tmp_path, capsys) -> None:
    clip = known_motions.known("in place", fps=30.0).clip
    clip.save(tmp_path / "cycle.bvh")
    sk.example("biped").clip.save(tmp_path / "walk.bvh")
    assert main(["info", str(tmp_path / "cycle.bvh")]) == 0
    assert "at 30 fps the root must move 1 units/s (1.19 legs/s) so that no foot slides" in " ".join(
        capsys.readouterr().out.split()
    )
    for name, expected in (("cycle", 1.0), ("walk", None)):
        assert main(["info", str(tmp_path / f"{name}.bvh"), "--json"]) == 0
        pace = json.loads(capsys.readouterr().out)["pace"]
        assert (pace and pace["units_per_second"]) == (expected and pytest.approx(expected, rel=1e-3))
