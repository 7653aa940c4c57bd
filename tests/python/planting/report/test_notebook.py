# SPDX-License-Identifier: MIT
"""What notebooks are handed: HTML that loads nothing, is safe with any name, small enough, there for odd clips too."""

from __future__ import annotations

import base64
import copy
import html
import pickle
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py._support.html_table import html_list, html_table

HOSTILE = "<b>&\"'</b><script>alert(1)</script>"


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture(scope="module")
def planted(biped):
    return biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)


def shown(biped, planted):
    """Return everything that shows itself, by name."""
    legs = biped.clip.find_legs()
    return {
        "clip": biped.clip,
        "planted": planted,
        "report": planted.report,
        "skeleton": biped.clip.skeleton,
        "legs": legs,
        "leg": legs[0],
        "mesh": biped.mesh,
        "weights": biped.mesh.weights,
        "page": planted.show(mesh=biped.mesh),
    }


NAMES = ("clip", "planted", "report", "skeleton", "legs", "leg", "mesh", "weights", "page")
EMPTY = {"img", "br", "meta", "input", "hr"}


class Tags(HTMLParser):
    """The tags of a piece of HTML; each that is opened has to be closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.attributes = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def pictures(text):
    """Return the SVG texts of the images in a piece of HTML."""
    found = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)"', text)
    return [base64.b64decode(each).decode() for each in found]


def skeleton(names, up=1):
    """Return a biped of eight joints: hips, a spine and two legs."""
    points = np.array(
        [[0, 1.0, 0], [0, 1.5, 0], [0.1, 0.9, 0], [0.1, 0.5, 0.02], [0.1, 0.1, 0], [-0.1, 0.9, 0], [-0.1, 0.5, 0.02],
         [-0.1, 0.1, 0]])  # fmt: skip
    if up == 2:
        points = np.stack([points[:, 0], -points[:, 2], points[:, 1]], -1)
    rest = np.tile(np.eye(4), (8, 1, 1))
    rest[:, :3, 3] = points
    return sk.Skeleton.from_global([-1, 0, 0, 2, 3, 0, 5, 6], rest, names)


LEG_NAMES = ["Hips", "Spine", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]


def standing(skel, frames=1, fps=30):
    rotations = np.tile([1.0, 0, 0, 0], (frames, skel.num_joints, 1))
    return sk.Clip(skel, rotations, np.tile(skel.rest_local[:, :3, 3], (frames, 1, 1)), fps=fps)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_whole_html_that_loads_nothing_and_runs_nothing_in_the_notebook_itself(biped, planted, name):
    text = shown(biped, planted)[name]._repr_html_()
    tags = Tags(text)
    assert not {"script", "link", "object", "embed"} & set(tags.tags)
    loaded = [value for key, value in tags.attributes if key in ("src", "href", "data", "srcset", "poster")]
    assert all(value.startswith("data:") for value in loaded)
    inner = [value for key, value in tags.attributes if key == "srcdoc"]
    for each in [text, *inner, *pictures(text)]:
        addresses = set(re.findall(r"https?://[^\s\"'<&]+", html.unescape(each)))
        assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of a language, which nothing is loaded from
    assert not re.search(r"@import|url\(|\bon\w+=", " ".join([text.split("srcdoc=")[0], *pictures(text)]))


@pytest.mark.parametrize("name", ["clip", "planted"])
def test_a_still_picture_and_a_table_are_beside_the_player(biped, planted, name):
    text = shown(biped, planted)[name]._repr_html_()
    (svg,) = pictures(text)
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in svg
    assert text.index("<img") < text.index("<iframe")
    assert Tags(text).tags.count("table") == 1
    assert "scripting:none" in text


def test_of_poses_that_nothing_can_draw_the_table_is_shown(biped):
    places = biped.clip.translations.copy()
    places[3, 0, 0] = 1e30
    text = biped.clip.replace(translations=places)._repr_html_()
    assert "No picture: " in text
    assert Tags(text).tags.count("table") == 1
    assert not {"img", "iframe"} & set(Tags(text).tags)


@pytest.mark.parametrize(("far", "words"), [(1e308, "not finite"), (-1e300, "beyond 1e30"), (1e31, "beyond 1e30")])
@pytest.mark.parametrize("frames", [1, 4])
def test_a_clip_too_far_away_to_be_drawn_is_a_table(biped, far, words, frames):
    clip = biped.clip[:frames]
    clip = clip.replace(translations=np.full_like(clip.translations, far))
    text = clip._repr_html_()
    assert "<table" in text
    assert "No picture: frame 0" in text
    assert words in text
    with pytest.raises(ValueError, match=words):
        clip.show()


def test_what_is_planted_is_shown_before_and_after_with_contacts_and_figures(planted):
    (inner,) = [value for key, value in Tags(planted._repr_html_()).attributes if key == "srcdoc"]
    given = planted.show().html
    assert inner == given
    assert given == planted.clip.show(compare=planted.original, report=planted.report, ground=planted.ground).html
    (svg,) = pictures(planted._repr_html_())
    assert ">before<" in svg
    assert "11 contacts slide 5.09 → 0.00 cm" in svg


def test_show_takes_another_clip_or_ground_in_place_of_what_it_knows(biped, planted):
    other = biped.clip.replace(translations=biped.clip.translations + 0.01)
    shown = planted.show(compare=other, ground=0.5).html
    assert shown == planted.clip.show(compare=other, report=planted.report, ground=0.5).html


def test_orange_marks_are_as_long_as_the_slide(biped, planted):
    """Marks of the clip as it was have a length, those of the planted one none."""
    (svg,) = pictures(planted._repr_html_())
    lengths = {}
    for kind in "cs":
        (path,) = re.findall(rf'<path class="{kind}" d="([^"]+)"', svg)
        ends = [np.array(re.findall(r"[-\d.]+", part), float).reshape(-1, 2) for part in path.split("M")[1:]]
        lengths[kind] = np.median([np.ptp(each[:, 0]) for each in ends])
    assert lengths["c"] < 0.5
    assert lengths["s"] > 2.0


def test_a_planted_pair_remembers_what_it_was_made_of(biped, planted):
    clip, report = planted
    assert (clip, report) == (planted.clip, planted.report)
    assert planted.original is biped.clip
    assert planted.ground is biped.ground
    assert len(planted) == 2
    assert biped.clip.plant_feet(ground=0.0).ground == 0.0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_remember_it_too(planted, copied):
    other = copied(planted)
    assert type(other) is sk.Planted
    assert other.clip == planted.clip
    assert other.original == planted.original
    points = np.random.default_rng(1).normal(size=(5, 3))
    np.testing.assert_array_equal(other.ground(points), planted.ground(points))


def test_a_ground_that_cannot_be_pickled_stays_behind(biped):
    planted = biped.clip.plant_feet(ground=lambda points: np.zeros(len(points)))
    other = pickle.loads(pickle.dumps(planted))
    assert other.ground is None
    assert other.original == biped.clip
    assert planted.ground is not None


def test_a_pair_made_by_hand_shows_itself_without_an_original(planted):
    pair = sk.Planted(planted.clip, planted.report)
    assert pair.original is None
    assert "<iframe" in pair._repr_html_()
    assert pair._replace(clip=planted.original).original is None


@pytest.mark.parametrize("up", [1, 2], ids=["Y up", "Z up"])
def test_pictures_stand_upright_whatever_is_up(up):
    clip = standing(skeleton(LEG_NAMES, up))
    assert len(clip.find_legs()) == 2
    (svg,) = pictures(clip._repr_html_())
    (body,) = re.findall(r'<path class="a" d="([^"]+)"', svg)
    points = np.array(re.findall(r"[-\d.]+", body), float).reshape(-1, 2)
    assert np.ptp(points[:, 1]) > 200  # pixels, of a figure that lies down under 20


@pytest.mark.parametrize("name", ["clip", "skeleton", "legs"])
def test_names_of_joints_cannot_break_out(name):
    skel = skeleton([each + HOSTILE for each in LEG_NAMES])
    clip = standing(skel, 3)
    text = {"clip": clip, "skeleton": skel, "legs": clip.find_legs()}[name]._repr_html_()
    assert not {"script", "b"} & set(Tags(text).tags)
    if name != "clip":
        assert html.escape(HOSTILE) in text


def test_names_of_joints_cannot_break_out_of_a_report():
    clip = standing(skeleton([each + HOSTILE for each in LEG_NAMES]), 40)
    planted = clip.plant_feet()
    for each in (planted, planted.report):
        assert not {"script", "b"} & set(Tags(each._repr_html_()).tags)


@pytest.mark.parametrize("frames", [1, 2])
def test_clips_of_a_frame_or_two_are_shown(frames):
    clip = standing(skeleton(LEG_NAMES), frames)
    text = clip._repr_html_()
    assert "<iframe" in text
    assert len(pictures(text)) == 1
    assert "<iframe" in clip.plant_feet()._repr_html_()


def test_clips_without_legs_or_bones_are_shown():
    clip = standing(sk.Skeleton([-1], np.eye(4)[None], ["only"]), 3)
    text = clip._repr_html_()
    assert "none found" in text
    assert len(pictures(text)) == 1


def test_no_legs_are_said_to_be_none():
    legs = standing(sk.Skeleton([-1], np.eye(4)[None], ["only"])).find_legs()
    assert legs == []
    assert legs._repr_html_() == "<p>no legs</p>"


def test_legs_are_a_list_with_names_that_copies_keep(biped):
    legs = biped.clip.find_legs()
    assert isinstance(legs, list)
    assert legs == list(legs)
    for other in (copy.copy(legs), copy.deepcopy(legs), pickle.loads(pickle.dumps(legs))):
        assert other == legs
        assert other.names == legs.names
    assert all(biped.clip.names[leg.knee] in legs._repr_html_() for leg in legs)
    assert str(legs[0].knee) in legs[0]._repr_html_()


def test_a_mesh_without_points_is_shown():
    skel = sk.Skeleton([-1], np.eye(4)[None], ["only"])
    weights = sk.SkinWeights(np.zeros((0, 1), int), np.zeros((0, 1)), 1)
    mesh = sk.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int), None, None, weights, skel)
    for each in (mesh, weights):
        assert "<table>" in each._repr_html_()


def test_what_is_unusual_about_weights_is_told():
    weights = sk.SkinWeights([[0, 1], [0, 1]], [[0.5, 0.2], [1.0, 0.0]], 2)
    text = weights._repr_html_()
    assert "<li>" in text
    assert "1: 50 %, 2: 50 %" in text


def test_long_clips_show_a_picture_of_their_beginning_and_no_player(biped):
    long = sk.Clip(
        biped.clip.skeleton, np.tile(biped.clip.rotations, (120, 1, 1)), np.tile(biped.clip.translations, (120, 1, 1)),
        fps=30,
    )  # fmt: skip
    text = long._repr_html_()
    assert "<iframe" not in text
    (svg,) = pictures(text)
    assert "The first 18,181 frames of 21,600" in svg
    assert "<code>.show()</code>" in text
    assert len(text) < 200_000


def larger(biped, frames=300, joints=60, vertices=10_000):
    """Return the example with so many frames and joints, and a skin that follows all of them."""
    rng = np.random.default_rng(7)
    own = biped.clip.skeleton.num_joints
    parents = [*biped.clip.skeleton.parents, *(int(rng.integers(10, own)) for _ in range(joints - own))]
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[:, :3, 3] = rng.normal(0, 0.05, (joints, 3))
    rest[:own] = biped.clip.skeleton.rest_local
    skel = sk.Skeleton(parents, rest, [*biped.clip.names, *(f"more{k}" for k in range(joints - own))])
    at = np.arange(frames) % biped.clip.num_frames
    rotations = rng.normal((1, 0, 0, 0), 0.1, (frames, joints, 4))
    rotations[:, :own] = biped.clip.rotations[at]
    translations = np.tile(rest[:, :3, 3], (frames, 1, 1))
    translations[:, :own] = biped.clip.translations[at]
    values = rng.random((vertices, 4)) + 0.01
    values /= values.sum(1, keepdims=True)
    weights = sk.SkinWeights(rng.integers(0, joints, (vertices, 4)), values, joints)
    faces = rng.integers(0, vertices, (2 * vertices, 3))
    mesh = sk.Mesh(rng.normal(size=(vertices, 3)), faces, None, None, weights, skel)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return sk.Clip(skel, rotations, translations, fps=30), mesh


@pytest.mark.slow
def test_300_frames_of_60_joints_with_10000_vertices_are_at_most_3_megabytes(biped):
    clip, mesh = larger(biped)
    planted = clip.plant_feet()
    for each in (clip, planted, clip.show(mesh=mesh), mesh, mesh.weights, clip.skeleton, planted.report):
        assert len(each._repr_html_().encode()) <= 3_000_000
    assert "<iframe" in planted._repr_html_()


def test_tables_escape_and_count_what_is_too_much():
    table = html_table(["<x>", "n"], ([f"<row {k}>", str(k)] for k in range(203)), marked=[1])
    tags = Tags(table)
    assert tags.tags.count("tr") == 201
    assert "<p>and 3 more</p>" in table
    assert "&lt;row 1&gt;" in table
    assert table.count("<strong") == 1
    assert html_list([]) == ""
    assert html_list(["\x1b[31mred<"]).count("<li>") == 1
    assert "\x1b" not in html_list(["\x1b[31mred<"])


def test_a_notebook_shows_the_five_lines_and_folds_the_rest(planted):
    told, folded = planted.report._repr_html_().split("<details>")
    assert all(line in html.unescape(told) for line in planted.report.in_five_lines())
    assert "skating ratio" not in told
    assert "skating ratio" in folded
