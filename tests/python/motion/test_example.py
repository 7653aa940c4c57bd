# SPDX-License-Identifier: MIT
"""The embedded example is what it says: closed skin, sound weights, known contacts, and known faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scripts import load_script

import skelkin_py as sk

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "examples" / "make_biped.py"
SHIPPED = ROOT / "skelkin_py" / "data" / "biped.npz"
LEGS_IN_C = ROOT / "examples" / "c" / "biped_walk.h"


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture
def generator(monkeypatch):
    monkeypatch.syspath_prepend(str(GENERATOR.parent))
    return load_script("examples/make_biped.py")


def contact_points(clip, contact):
    """Return the path of the point that a contact holds still: the ball joint, or the heel fixed to the foot."""
    side = contact.side.capitalize()
    frames = slice(contact.first, contact.last + 1)
    if contact.part == "ball":
        return clip.positions()[frames, clip.skeleton.index(side + "ToeBase")]
    foot = clip.skeleton.index(side + "Foot")
    heel = np.array([0.100 if side == "Left" else -0.100, 0.0, -0.062]) - clip.skeleton.rest_global[foot, :3, 3]
    matrices = clip.global_matrices()[frames, foot]
    return matrices[:, :3, :3] @ heel + matrices[:, :3, 3]


@pytest.mark.slow
def test_the_generator_makes_the_shipped_arrays_bit_for_bit(generator):
    with np.load(SHIPPED) as data:
        shipped = dict(data)
    made = generator.build()
    assert list(made) == list(shipped)
    for name, array in made.items():
        assert array.dtype == shipped[name].dtype, name
        assert array.tobytes() == shipped[name].tobytes(), name


@pytest.mark.slow
def test_the_generator_writes_the_legs_of_the_examples_in_c(generator):
    assert generator.legs_in_c(generator.build()) == LEGS_IN_C.read_text(encoding="utf-8")


def test_the_shipped_file_is_small():
    assert SHIPPED.stat().st_size < 400_000


def test_skin_is_closed_and_faces_outwards(biped):
    points, faces = biped.mesh.points.astype(float), biped.mesh.faces
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    assert len(np.unique(directed, axis=0)) == len(directed)  # every directed edge once
    assert {tuple(edge) for edge in directed} == {(b, a) for a, b in directed}  # and its opposite
    corners = points[faces]
    volume = np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert 0.04 < volume < 0.09  # cubic metres of a person, positive when faces turn outwards
    assert 2000 <= len(points) <= 4000


def test_normals_are_unit_and_agree_with_the_faces(biped):
    points, faces, normals = biped.mesh.points.astype(float), biped.mesh.faces, biped.mesh.normals.astype(float)
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0, atol=2e-4)
    across = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    agreement = np.einsum("ti,ti->t", across, normals[faces].mean(1))
    assert agreement.min() > 0.1  # in the creases
    assert (agreement > 0.5).mean() > 0.998
    assert np.median(agreement) > 0.98


def test_weights_are_few_positive_and_sum_to_one(biped):
    weights = biped.mesh.weights
    assert weights.max_influences <= 4
    assert (np.asarray(weights.weights) >= 0).all()
    assert np.array_equal(np.asarray(weights.weights).sum(1), np.ones(weights.num_vertices))


def test_soles_touch_the_level_ground_in_the_clean_walk(biped):
    mesh = biped.mesh
    pose = sk.skinning_matrices(mesh.skeleton, biped.clean.global_matrices()[::6])
    lowest = sk.skin_points(mesh.points.astype(float), mesh.weights, pose)[..., 1].min(1)
    assert np.abs(lowest).max() < 0.006


def test_contacts_of_the_clean_walk_do_not_move(biped):
    assert len(biped.contacts) >= 20
    for contact in biped.contacts:
        assert np.ptp(contact_points(biped.clean, contact), axis=0).max() < 2e-5, contact


def test_every_standing_foot_of_the_clip_slides(biped):
    slides = [np.ptp(contact_points(biped.clip, c)[:, [0, 2]], axis=0).max() for c in biped.contacts]
    long_enough = [s for s, c in zip(slides, biped.contacts) if c.last - c.first >= 10]
    assert min(long_enough) > 0.015


def test_the_clip_floats_and_sinks_where_it_says(biped):
    off = biped.clip.positions()[:, 0, 1] - biped.clean.positions()[:, 0, 1]
    assert off[:40] == pytest.approx(0.025, abs=1e-6)
    assert off[53:77] == pytest.approx(0.060, abs=1e-6)
    assert off[113:137] == pytest.approx(-0.020, abs=1e-6)


def test_only_the_root_of_the_clip_is_damaged(biped):
    assert np.array_equal(biped.clip.rotations, biped.clean.rotations)
    assert np.array_equal(biped.clip.translations[:, 1:], biped.clean.translations[:, 1:])


def test_legs_are_found_by_name(biped):
    legs = {leg.side: leg for leg in biped.clip.find_legs()}
    assert set(legs) == {"left", "right"}
    assert [biped.clip.names[j] for j in legs["left"].chain] == ["LeftUpLeg", "LeftLeg", "LeftFoot"]
    assert biped.clip.names[legs["right"].toe] == "RightToeBase"


def test_knees_bend_forwards_and_never_lock(biped):
    positions = biped.clean.positions()
    for leg in biped.clean.find_legs():
        hip, knee, ankle = (positions[:, j] for j in leg.chain)
        upper, lower = knee - hip, ankle - knee
        angle = np.degrees(np.arccos(np.einsum("fi,fi->f", upper, lower)
                                     / np.linalg.norm(upper, axis=1) / np.linalg.norm(lower, axis=1)))  # fmt: skip
        assert angle.min() > 3.0
        assert 50.0 < angle.max() < 80.0
        middle = (hip + ankle) / 2
        assert (knee[:, 2] > middle[:, 2]).all()


def test_the_ground_has_a_step_and_a_slope(biped):
    along = np.linspace(-2.0, 8.0, 2001)
    height = biped.ground(np.stack([0 * along, 0 * along, along], -1))
    rise = np.diff(height) / np.diff(along)
    assert rise.max() > 5.0  # the riser
    assert ((rise < -0.02) & (rise > -0.3)).sum() > 100  # the slope
    assert (rise == 0).sum() > 400


def test_an_unknown_example_is_named():
    with pytest.raises(ValueError, match="name is 'quadruped'"):
        sk.example("quadruped")


def test_planting_holds_the_known_contacts_still(biped):
    planted = biped.clip.plant_feet(ground=biped.ground).clip
    for contact in biped.contacts:
        if contact.part == "ball":
            path = contact_points(planted, contact)
            assert np.ptp(path[:, [0, 2]], axis=0).max() < 0.0005, contact


def test_contacts_found_last_as_long_as_the_known_ones(biped):
    """The body floats and sinks meanwhile, and takes standing feet along: that ends no contact."""
    report = biped.clip.plant_feet(ground=biped.ground).report
    for leg in report.legs:
        found, known = (set[int]() for _ in range(2))
        for first, last in leg.contacts:
            found.update(range(first, last + 1))
        for contact in biped.contacts:
            if contact.side == leg.name:
                known.update(range(contact.first, contact.last + 1))
        assert found == known, leg.name
