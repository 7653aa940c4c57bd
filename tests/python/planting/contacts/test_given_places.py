# SPDX-License-Identifier: MIT
"""Contacts that are given with a place or a height: the foot stands there, and the rest follows."""

from __future__ import annotations

import json
from pathlib import Path

import known_motions
import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.contacts_file import read_contacts


@pytest.fixture(scope="module")
def walk(make_walk) -> sk.Clip:
    return make_walk().clip.slice(0, 180)


def given(report: sk.PlantReport) -> dict[str, list]:
    return {leg.name: list(leg.contacts) for leg in report.legs}


def pinned(contacts: dict[str, list], leg: str, n: int, **more: object) -> dict[str, list]:
    """Return contacts of which one has a place or a height."""
    first, last = contacts[leg][n]
    own = [*contacts[leg][:n], {"first_frame": first, "last_frame": last, **more}, *contacts[leg][n + 1 :]]
    return {**contacts, leg: own}


def contact_of(report: sk.PlantReport, leg: str, n: int) -> sk.Contact:
    return [contact for contact in report.contacts if contact.name == leg][n]


@pytest.fixture(scope="module")
def found(walk: sk.Clip) -> sk.Planted:
    return walk.plant_feet(ground=0.0)


def level(vector) -> np.ndarray:
    return np.asarray(vector, dtype=np.float64) * (1.0, 0.0, 1.0)


def test_the_ball_stands_over_its_place(walk: sk.Clip, found: sk.Planted) -> None:
    contacts = given(found.report)
    before = contact_of(found.report, "left", 1)
    place = np.add(before.stands_at, (0.04, 0.3, -0.03))
    moved = walk.plant_feet(ground=0.0, contacts=pinned(contacts, "left", 1, place=place)).report
    now = contact_of(moved, "left", 1)
    np.testing.assert_allclose(level(now.stands_at), level(place), atol=1e-9)
    assert now.stands_at[1] == pytest.approx(before.stands_at[1], abs=1e-9)
    assert now.after.slide < 1e-9
    assert now.after.penetration < 1e-6
    others = [(a, b) for a, b in zip(found.report.contacts, moved.contacts, strict=True) if a.name == "right"]
    for old, new in others:
        np.testing.assert_allclose(new.stands_at, old.stands_at, atol=1e-9)


def test_the_place_where_a_foot_stands_anyway_changes_nothing(walk: sk.Clip, found: sk.Planted) -> None:
    place = contact_of(found.report, "right", 0).stands_at
    same = walk.plant_feet(ground=0.0, contacts=pinned(given(found.report), "right", 0, place=place)).clip
    np.testing.assert_allclose(same.positions(), found.clip.positions(), atol=1e-9)


@pytest.mark.parametrize("ground", [0.0, None])
def test_the_sole_stands_at_its_height(walk: sk.Clip, ground: float | None) -> None:
    plain = walk.plant_feet(ground=ground).report
    height = plain.ground + 0.05
    report = walk.plant_feet(ground=ground, contacts=pinned(given(plain), "left", 1, height=height)).report
    now, old = contact_of(report, "left", 1), contact_of(plain, "left", 1)
    assert now.rise == pytest.approx(0.05)
    assert now.stands_at[1] - old.stands_at[1] == pytest.approx(0.05, abs=1e-6)
    assert max(now.after.penetration, now.after.float) < 1e-6
    assert contact_of(report, "right", 1).rise == 0.0


def test_a_contact_far_above_the_ground_is_brought_down_by_its_height(make_walk) -> None:
    clip = make_walk().clip.slice(0, 120)
    contacts = given(clip.plant_feet(ground=0.0).report)
    high = pinned(contacts, "right", 0, height=0.2)
    there = clip.plant_feet(ground=0.0, contacts=high).clip
    report = there.plant_feet(ground=0.0, contacts=pinned(contacts, "right", 0, height=0.0)).report
    assert contact_of(report, "right", 0).rise == 0.0
    assert contact_of(report, "right", 0).after.float < 1e-6


def test_heel_and_ball_and_a_place_go_together(walk: sk.Clip, found: sk.Planted) -> None:
    leg = found.report.legs[0]
    parts = {"heel": leg.heel_contacts, "ball": leg.ball_contacts}
    first, last = leg.contacts[1]
    place = np.add(contact_of(found.report, "left", 1).stands_at, (0.03, 0.0, 0.0))
    whole = {"first_frame": first, "last_frame": last, "place": place}
    report = walk.plant_feet(ground=0.0, contacts=[{**parts, "foot": [whole]}, found.report.legs[1].contacts]).report
    np.testing.assert_allclose(level(contact_of(report, "left", 1).stands_at), level(place), atol=1e-9)
    with pytest.raises(ValueError, match=r"^contacts\[0\]\['foot'\]: no contact of heel and ball holds frames 0–179$"):
        walk.plant_feet(contacts=[{**parts, "foot": [{"first_frame": 0, "last_frame": 179, "height": 0.0}]}, []])


def test_a_loop_that_travels_carries_its_places() -> None:
    """Both steps of a travelling loop are moved by the same: it stays closed, and the seam is not seen."""
    case = known_motions.known("walk loop", fps=30.0)
    plain = case.clip.plant_feet(ground=0.0)
    assert plain.report.loop
    contact = next(c for c in plain.report.contacts if c.first_frame > 0 and c.last_frame < case.clip.num_frames - 1)
    place = np.add(contact.stands_at, (0.02 * plain.report.leg_length, 0.0, 0.0))
    contacts = {leg.name: list(leg.contacts) for leg in plain.report.legs}
    n = contacts[contact.name].index((contact.first_frame, contact.last_frame))
    moved = case.clip.plant_feet(ground=0.0, contacts=pinned(contacts, contact.name, n, place=place))
    assert moved.report.loop
    now = next(c for c in moved.report.contacts if (c.name, c.first_frame) == (contact.name, contact.first_frame))
    away = np.asarray(now.stands_at) - place
    away -= (away @ moved.report.up) * moved.report.up
    assert np.linalg.norm(away) < 1e-9 * plain.report.leg_length


def test_the_shell_reads_places_and_heights(walk: sk.Clip, found: sk.Planted, tmp_path: Path) -> None:
    place = (np.add(contact_of(found.report, "left", 1).stands_at, (0.04, 0.0, -0.03))).tolist()
    contacts = pinned(given(found.report), "left", 1, place=place)
    walk.save(tmp_path / "walk.bvh")
    told = found.report.to_dict()
    one = next(
        c for c in told["contacts"] if c["leg"] == "left" and c["first_frame"] == contacts["left"][1]["first_frame"]
    )
    one["place"] = place
    for name, root in (("report.json", told), ("own.json", {"contacts": contacts})):
        (tmp_path / name).write_text(json.dumps(root), encoding="utf-8")
        target = tmp_path / f"{name}.bvh"
        options = ["--ground", "0", "--contacts", str(tmp_path / name)]
        assert main(["plant", str(tmp_path / "walk.bvh"), "-o", str(target), *options]) == 0
        expected = sk.load(tmp_path / "walk.bvh").plant_feet(ground=0.0, contacts=contacts).clip
        np.testing.assert_allclose(sk.load(target).positions(), expected.positions(), atol=1e-5)


@pytest.mark.parametrize(
    ("contact", "error", "words"),
    [
        ({"first_frame": 3}, ValueError, r"contacts\['left'\]\[0\] has no last_frame: a contact has first_frame"),
        ({"first_frame": 3, "last_frame": 9, "at": 1}, ValueError, r"contacts\['left'\]\[0\]\['at'\]: a contact has"),
        ({"first_frame": 3, "last_frame": 999}, ValueError, r"contacts\['left'\]\[0\] is \(3, 999\)"),
        ({"first_frame": 3, "last_frame": 9, "place": [1, 2]}, ValueError, r"\['place'\] is \[1, 2\]: \(x, y, z\)"),
        (
            {"first_frame": 3, "last_frame": 9, "place": [1, 2, np.nan]},
            ValueError,
            r"\['place'\] is .*nan\]: \(x, y, z\)",
        ),
        ({"first_frame": 3, "last_frame": 9, "height": "low"}, TypeError, r"\['height'\] is 'low': a number is needed"),
        ({"first_frame": 3, "last_frame": 9, "height": np.inf}, ValueError, r"\['height'\] is inf: it must be finite"),
    ],
)
def test_a_contact_that_cannot_be_is_named(walk: sk.Clip, contact: dict, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        walk.plant_feet(contacts={"left": [contact]})


def test_contacts_with_places_do_not_overlap_others(walk: sk.Clip) -> None:
    with pytest.raises(ValueError, match=r"\(0, 9\) and \(5, 20\) overlap; a contact with a place or a height stands"):
        walk.plant_feet(contacts={"left": [(0, 9), {"first_frame": 5, "last_frame": 20, "height": 0.0}]})


def test_places_are_for_level_ground_on_which_feet_are_held(walk: sk.Clip) -> None:
    one = {"left": [{"first_frame": 20, "last_frame": 40, "place": (0.0, 0.0, 0.0)}]}
    with pytest.raises(ValueError, match=r"^contacts\['left'\]: \(20, 40\) has a place: that is for level ground"):
        walk.plant_feet(contacts=one, ground=lambda points: 0.1 * points[:, 0])
    case = known_motions.known("in place", fps=30.0)
    report = case.clip.plant_feet().report
    first, last = report.legs[0].contacts[1]
    place = {"first_frame": first, "last_frame": last, "place": (0.0, 0.0, 0.0)}
    with pytest.raises(ValueError, match="has a place, and in a cycle in place only heights are corrected"):
        case.clip.plant_feet(contacts=[[place], report.legs[1].contacts])


def test_a_file_of_contacts_names_what_it_has_wrong(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    for more, words in (
        ({"place": [1, 2]}, r"contacts\[0\]\['place'\] is \[1, 2\]: \(x, y, z\) is needed"),
        ({"place": [1, 2, "x"]}, r"\['place'\] is \[1, 2, 'x'\]: \(x, y, z\)"),
        ({"height": True}, r"contacts\[0\]\['height'\] is True: a number is needed"),
    ):
        contact = {"leg": "left", "first_frame": 0, "last_frame": 9, **more}
        path.write_text(json.dumps({"contacts": [contact]}), encoding="utf-8")
        with pytest.raises(sk.FormatError, match=words):
            read_contacts(str(path), ["left", "right"], 30)
