# SPDX-License-Identifier: MIT
"""Planting edited by hand: what is edited is planted at once, comes back by undo, and is refused without a trace."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.editing import editor as editing


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture
def editor(biped):
    return sk.PlantEditor(biped.clip, ground=biped.ground)


@pytest.fixture
def level(biped):
    """On level ground, where contacts may have places."""
    return sk.PlantEditor(biped.clip, ground=0.0)


def ankle(editor, leg="left"):
    """Where an ankle is (F, 3)."""
    joint = editor.clip.find_legs()[leg == "right"].ankle
    return editor.clip.positions()[:, joint]


def test_it_begins_with_what_planting_finds(biped, editor):
    planted = biped.clip.plant_feet(ground=biped.ground)
    assert editor.clip == planted.clip
    assert editor.contacts == {leg.name: [(a, b) for a, b in leg.contacts] for leg in planted.report.legs}


def test_contacts_that_are_edited_are_planted_as_if_given(biped, editor):
    first, last = editor.contacts["left"][1]
    editor.move_contact("left", 1, first, last - 4)
    editor.add_contact("right", 0, 2)
    editor.remove_contact("right", 1)
    assert editor.clip == biped.clip.plant_feet(ground=biped.ground, contacts=editor.contacts).clip
    assert editor.contacts["left"][1] == (first, last - 4)


def test_a_contact_has_a_place_on_level_ground(level):
    at = np.array(next(c for c in level.planted.report.contacts if c.name == "left").stands_at)
    level.place_contact("left", 0, at + np.array([0.05, 0, 0.02]))
    stands = np.array(next(c for c in level.planted.report.contacts if c.name == "left").stands_at)
    np.testing.assert_allclose(stands[[0, 2]] - at[[0, 2]], [0.05, 0.02], atol=1e-9)
    level.place_contact("left", 0, None, 0.03)
    stands = np.array(next(c for c in level.planted.report.contacts if c.name == "left").stands_at)
    np.testing.assert_allclose(stands[1] - at[1], 0.03, atol=1e-9)


def test_places_that_were_given_are_kept(biped):
    given = {"left": [{"first_frame": 30, "last_frame": 45, "place": [0.1, 0.0, 0.9]}], "right": [(50, 60)]}
    editor = sk.PlantEditor(biped.clip, ground=0.0, contacts=given)
    assert editor.contacts == given
    editor.move_contact("right", 0, 50, 62)
    assert editor.contacts["left"] == given["left"]


def swings(editor, leg="left"):
    """The frames between contacts of a foot: first and last of each swing."""
    contacts = editor.contacts[leg]
    return [(one[1] + 1, other[0] - 1) for one, other in itertools.pairwise(contacts)]


def middle_of_a_swing(editor):
    return sum(swings(editor)[1]) // 2


def test_a_dragged_foot_is_where_it_was_put_and_frames_around_it_follow_smoothly(editor):
    before = ankle(editor)
    swing = middle_of_a_swing(editor)
    goal = before[swing] + [0.02, 0.05, -0.03]
    editor.set_target("left", swing, goal)
    shift = ankle(editor) - before
    np.testing.assert_allclose(ankle(editor)[swing], goal, atol=1e-9)
    first, last = swings(editor)[1]
    assert not shift[:first].any()
    assert not shift[last + 1 :].any()
    away = np.linalg.norm(shift, axis=1)
    rising, falling = np.diff(away[first : swing + 1]), np.diff(away[swing : last + 1])
    assert (rising > 0).all()
    assert (falling < 0).all()
    assert max(rising.max(), -falling.min()) < 2.0 * away[swing] / (last - swing)
    np.testing.assert_array_equal(ankle(editor, "right"), ankle(editor.planted, "right"))


@pytest.mark.parametrize("from_swing", [0, 1, 2, 3, -3, -2, -1])
def test_an_edit_in_the_air_moves_no_standing_foot(editor, from_swing):
    before = {leg: ankle(editor, leg) for leg in ("left", "right")}
    for first, last in swings(editor):
        frame = (first if from_swing >= 0 else last + 1) + from_swing
        editor.set_target("left", frame, before["left"][frame] + [0.0, 0.08, 0.05])
    for leg in ("left", "right"):
        for first, last in editor.contacts[leg]:
            np.testing.assert_array_equal(ankle(editor, leg)[first : last + 1], before[leg][first : last + 1])


@pytest.mark.parametrize("apart", [1, 2, 5])
def test_between_two_edits_the_foot_is_moved_by_no_more_than_by_the_larger(editor, apart):
    before = ankle(editor)
    first = swings(editor)[1][0]
    for frame, much in ((first + 3, 0.02), (first + 3 + apart, -0.03)):
        editor.set_target("left", frame, before[frame] + [0.0, much, 0.0])
    shift = ankle(editor) - before
    assert np.abs(shift[first + 3] - [0.0, 0.02, 0.0]).max() < 1e-9
    assert np.abs(shift[first + 3 + apart] - [0.0, -0.03, 0.0]).max() < 1e-9
    assert np.linalg.norm(shift, axis=1).max() < 0.03 + 1e-9


def test_each_edit_fades_over_its_own_time(editor):
    before = ankle(editor)
    swing = middle_of_a_swing(editor)
    editor.set_target("left", swing, before[swing] + [0.0, 0.05, 0.0], fade=(2 / 30, 4 / 30))
    assert list(np.flatnonzero((ankle(editor) - before).any(axis=1)) - swing) == [-1, 0, 1, 2, 3]
    assert editor.targets["left"][swing].fade == (2 / 30, 4 / 30)


def test_a_foot_is_turned_as_its_target_says(editor):
    joint = editor.clip.find_legs()[0].ankle
    swing = middle_of_a_swing(editor)
    kept = editor.clip.global_matrices()[:, joint]
    turned = sk.quaternion_multiply([0.96, 0.0, 0.28, 0.0], sk.decompose(kept[swing])[1])
    editor.set_target("left", swing, kept[swing, :3, 3], rotation=2.0 * turned)
    now = editor.clip.global_matrices()[:, joint]
    np.testing.assert_allclose(now[swing, :3, :3], sk.quaternion_to_matrix(turned), atol=1e-9)
    np.testing.assert_allclose(now[:, :3, 3], kept[:, :3, 3], atol=1e-9)
    by = np.linalg.norm(now[:, :3, :3] - kept[:, :3, :3], axis=(1, 2))
    first, last = swings(editor)[1]
    assert not by[:first].any()
    assert not by[last + 1 :].any()
    assert (np.diff(by[first : swing + 1]) > 0).all()
    assert (np.diff(by[swing : last + 1]) < 0).all()


def test_a_target_where_the_ankle_is_changes_nothing(editor):
    before = ankle(editor)
    editor.set_target("left", 24, before[24])
    np.testing.assert_allclose(ankle(editor), before, atol=1e-12)
    assert list(editor.targets["left"]) == [24]


def test_a_standing_foot_that_is_dragged_stays_in_place_throughout_its_contact(editor):
    before = ankle(editor)
    first, last = editor.contacts["left"][2]
    shift = np.array([0.03, 0.0, 0.02])
    editor.set_target("left", (first + last) // 2, before[(first + last) // 2] + shift)
    moved = (ankle(editor) - before)[first : last + 1]
    np.testing.assert_allclose(moved, np.tile(shift, (len(moved), 1)), atol=1e-9)


def test_several_targets_of_a_leg_are_all_reached(editor):
    before = ankle(editor)
    goals = {20: before[20] + [0.02, 0.03, 0], 26: before[26] + [0, 0.05, 0.02], 70: before[70] + [0.0, 0.02, 0.02]}
    for frame, goal in goals.items():
        editor.set_target("left", frame, goal)
    assert sorted(editor.targets["left"]) == sorted(goals)
    for frame, goal in goals.items():
        np.testing.assert_allclose(ankle(editor)[frame], goal, atol=1e-9)


def test_a_pole_turns_the_knee_and_leaves_the_ankle(editor):
    leg = editor.clip.find_legs()[0]
    before = editor.clip.positions()
    hip, knee, end = (before[40, joint] for joint in leg.chain)
    pole = knee + np.cross(end - hip, knee - hip)  # a quarter turn
    editor.set_pole("left", 40, pole)
    after = editor.clip.positions()
    np.testing.assert_allclose(after[:, leg.ankle], before[:, leg.ankle], atol=1e-9)
    axis = (end - hip) / np.linalg.norm(end - hip)
    ways = [p - hip - (p - hip) @ axis * axis for p in (after[40, leg.knee], pole)]
    cosine = ways[0] @ ways[1] / np.linalg.norm(ways[0]) / np.linalg.norm(ways[1])
    assert cosine > 1 - 1e-9
    feet = [leg.ankle, leg.toe]
    turned, kept = editor.clip.global_matrices(), editor.planted.clip.global_matrices()
    np.testing.assert_allclose(turned[:, feet], kept[:, feet], atol=1e-9)


def test_bones_keep_their_lengths(editor):
    leg = editor.clip.find_legs()[1]
    editor.set_target("right", 30, ankle(editor, "right")[30] + [0.0, -0.5, 3.0])  # out of reach
    at = editor.clip.positions()
    for one, other in zip(leg.chain, leg.chain[1:]):
        lengths = np.linalg.norm(at[:, one] - at[:, other], axis=1)
        np.testing.assert_allclose(lengths, lengths[0], rtol=1e-9)


def test_undo_and_redo_go_through_every_state(editor):
    states = [(editor.contacts, editor.clip)]
    editor.move_contact("left", 0, 0, 7)
    states.append((editor.contacts, editor.clip))
    editor.set_target("left", 60, ankle(editor)[60] + [0, 0.1, 0])
    states.append((editor.contacts, editor.clip))
    editor.set_pole("right", 20, [1.0, 0.5, 3.0])
    states.append((editor.contacts, editor.clip))
    for contacts, clip in reversed(states[:-1]):
        assert editor.undo()
        assert editor.contacts == contacts
        assert editor.clip == clip
    assert not editor.undo()
    for contacts, clip in states[1:]:
        assert editor.redo()
        assert editor.contacts == contacts
        assert editor.clip == clip
    assert not editor.redo()


def test_an_edit_after_undo_ends_what_could_be_done_again(editor):
    editor.move_contact("left", 0, 0, 7)
    editor.undo()
    editor.move_contact("left", 0, 0, 6)
    assert not editor.can_redo


def test_edits_of_one_drag_are_undone_together(editor):
    before = editor.contacts
    for k in range(4):
        editor.move_contact("left", 1, 30, 44 - k, merge=k > 0)
    assert editor.contacts["left"][1] == (30, 41)
    editor.undo()
    assert editor.contacts == before


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda e: e.move_contact("left", 99, 0, 1), IndexError, "index is 99"),
        (
            lambda e: e.move_contact("left", 0, 5, 4),
            ValueError,
            "last_frame is 4: it must not come before first_frame, 5",
        ),
        (lambda e: e.move_contact("left", 0, 0, 180), ValueError, "last_frame is 180: there are 180 frames"),
        (lambda e: e.add_contact("lft", 0, 1), KeyError, "leg is 'lft': there are left, right"),
        (lambda e: e.set_target("left", 3, [np.nan, 0, 0]), ValueError, "point is"),
        (lambda e: e.set_target("left", 3, [0, 0, 0], rotation=[0, 0, 0, 0]), ValueError, "rotation is"),
        (lambda e: e.set_target("left", 3, [0, 0, 0], fade=-0.1), ValueError, "fade is -0.1: seconds are needed"),
        (lambda e: e.set_target("left", 3, [0, 0, 0], fade=(1, 2, 3)), ValueError, "fade is"),
        (lambda e: e.set_target("left", 180, [0, 0, 0]), ValueError, "^frame is 180: there are 180 frames"),
        (lambda e: e.place_contact("left", 0, [0, 0, 0]), ValueError, "level"),
    ],
)
def test_what_is_refused_changes_nothing(editor, call, error, words):
    state = editor.contacts, editor.clip, editor.can_undo
    with pytest.raises(error, match=words):
        call(editor)
    assert (editor.contacts, editor.clip, editor.can_undo) == state


def test_saved_contacts_plant_the_same_from_the_shell(level, biped, tmp_path):
    from skelkin_py.cli import main

    level.move_contact("left", 0, 0, 6)
    at = next(c.stands_at for c in level.planted.report.contacts if c.name == "right")
    level.place_contact("right", 0, np.array(at) + np.array([0.04, 0, 0]))
    contacts = tmp_path / "contacts.json"
    level.save_contacts(contacts)
    biped.clip.save(tmp_path / "walk.bvh")
    out = tmp_path / "planted.bvh"
    assert (
        main(["plant", str(tmp_path / "walk.bvh"), "-o", str(out), "--contacts", str(contacts), "--ground", "0"]) == 0
    )
    planted = sk.load(out)
    order = [planted.names.index(name) for name in biped.clip.names]
    difference = planted.positions()[:, order] - level.planted.clip.positions()
    assert np.abs(difference).max() < 1e-4


def test_it_is_copied_and_pickled_with_its_history(editor):
    editor.move_contact("left", 0, 0, 7)
    for other in (copy.deepcopy(editor), pickle.loads(pickle.dumps(editor))):
        assert other.clip == editor.clip
        assert other.undo()
        assert editor.contacts["left"][0] == (0, 7)


def test_what_planting_has_no_part_in_is_not_planted_again(editor, monkeypatch):
    counted = []
    plant = editing.plant_feet
    monkeypatch.setattr(editing, "plant_feet", lambda *args, **kwargs: counted.append(1) or plant(*args, **kwargs))
    before = editor.planted
    for k in range(30):
        editor.set_target("left", 60, ankle(editor)[60] + [0, 0.001, 0], merge=True)
        editor.set_pole("right", 60, [0, 1, k], merge=True)
    assert counted == []
    assert editor.planted is before
    editor.move_contact("left", 1, 30, 44)
    editor.move_contact("left", 1, 30, 44)  # as it is
    editor.undo()
    editor.redo()
    assert counted == [1]
