# SPDX-License-Identifier: MIT
"""The player's page as a file: complete in itself, with the numbers it is given, safe with any name."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from player_pages import numbers, poses_of, scene_of

import skelkin_py as sk


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture(scope="module")
def planted(biped):
    return biped.clip.plant_feet(ground=biped.ground)


def short(clip, count=4):
    """Return a chain of three joints that does not move."""
    del clip
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[1:, 1, 3] = 0.5
    skeleton = sk.Skeleton([-1, 0, 1], rest, ["a", "b", "c"])
    return sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (count, 3, 1)), fps=30)


@pytest.mark.slow
def test_the_page_loads_nothing_from_anywhere(biped, planted):
    text = sk.view.show(planted.clip, compare=biped.clip, mesh=biped.mesh, report=planted.report, ground=0.0).html
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}[^\s\"']*", text)) - {"http://www.w3.org/2000/svg"}
    assert not addresses
    assert not re.search(r"<(?:link|img|iframe)\b|\b(?:src|href)=|@import|fetch\(|XMLHttpRequest|WebSocket", text)
    assert "default-src 'none'" in text


def test_positions_in_the_page_are_those_of_the_clip(biped):
    (figure,) = scene_of(sk.view.show(biped.clip).html)["figures"]
    _, points = poses_of(figure)
    assert np.allclose(points[:, :22], biped.clip.positions(), atol=1e-4)
    assert points.shape[1] == figure["numPoints"] == 22 + len(biped.clip.skeleton.end_sites)
    assert len(figure["bones"]) == figure["numPoints"] - 1


def test_skin_in_the_page_is_that_of_skin_points(biped):
    scene = scene_of(sk.view.show(biped.clip, mesh=biped.mesh).html)
    frame, figure = 77, scene["figures"][0]
    mesh = scene["meshes"][figure["mesh"]]
    linear, positions = (part[frame, figure["meshJoints"]] for part in poses_of(figure))
    global_ = np.concatenate([linear, positions[:, :, None]], axis=-1)
    inverse = np.concatenate([numbers(mesh["inverseBind"]).reshape(-1, 3, 4), np.tile([[[0, 0, 0, 1]]], (22, 1, 1))], 1)
    weights = numbers(mesh["weights"]).reshape(-1, mesh["influences"]) / 65535.0
    joints = numbers(mesh["joints"]).reshape(-1, mesh["influences"])
    blended = np.einsum("vk,vkab->vab", weights, (global_ @ inverse)[joints])
    points = numbers(mesh["points"]).reshape(-1, 3) * np.array(mesh["step"]) + mesh["low"]
    drawn = np.einsum("vab,vb->va", blended[:, :, :3], points) + blended[:, :, 3]
    pose = sk.skinning_matrices(biped.mesh.skeleton, biped.clip.global_matrices()[frame])
    assert np.allclose(drawn, sk.skin_points(biped.mesh.points, biped.mesh.weights, pose), atol=1.5e-4)


def test_z_up_clips_stand_upright_in_the_player(biped):
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # y up to z up
    skeleton = biped.clip.skeleton
    rest = np.array(skeleton.rest_local)
    rest[:, :3, 3] = rest[:, :3, 3] @ turn.T
    matrices = turn @ sk.quaternion_to_matrix(biped.clip.rotations) @ turn.T
    flipped = sk.Clip(
        sk.Skeleton(skeleton.parents, rest, skeleton.names),
        sk.quaternion_from_matrix(matrices),
        biped.clip.translations @ turn.T,
        fps=30,
    )
    (figure,) = scene_of(sk.view.show(flipped).html)["figures"]
    assert np.allclose(poses_of(figure)[1][:, :22], biped.clip.positions(), atol=1e-4)


def test_contacts_and_curves_of_the_report_are_under_the_timeline(biped, planted):
    page = sk.view.show(planted.clip, compare=biped.clip, report=planted.report, ground=biped.ground).html
    for foot, leg in zip(scene_of(page)["feet"], planted.report.legs):
        assert foot["spans"] == [list(span) for span in leg.contacts]
        after, before = (numbers(heights) for heights in foot["heights"])
        assert np.allclose(after, leg.after.height, atol=1e-6)
        assert np.allclose(before, leg.before.height, atol=1e-6)
    for what, old, new in planted.report.as_rows():
        assert what in page
        assert old.replace(" / ", " /<br>") in page  # those of several legs stand below each other
        assert all(f">{figure}" in page for figure in new.split(" / "))


def test_only_keys_that_do_something_are_listed(biped):
    def keys(clip=biped.clip, **more):
        found = re.findall(r"<kbd>(\w)</kbd> (\w+)", sk.view.show(clip, **more).html)
        return [pair for pair in found if pair != ("4", "front")]

    rest = [("K", "skeleton"), ("T", "trails"), ("G", "ground"), ("E", "edit")]
    assert keys() == [("A", "motion"), *rest]
    assert keys(compare=biped.clip) == [("B", "before"), ("A", "after"), *rest]
    assert keys(mesh=biped.mesh) == [("A", "motion"), ("S", "skin"), *rest]
    assert keys(short(None)) == [("A", "motion"), ("K", "skeleton"), ("G", "ground")]


def test_ground_with_a_hole_is_drawn_as_deep_as_it_goes(biped):
    ground = sk.HeightGrid([[0.2, 0.2, 0.1], [0.2, np.nan, 0.1], [0.2, 0.2, 0.1]], spacing=0.5, origin=(-0.5, -0.5))
    scene = scene_of(sk.view.show(biped.clip, ground=ground).html)
    points = numbers(scene["ground"]["points"]).reshape(-1, 3)
    assert np.isfinite(points).all()
    assert scene["ground"]["low"] == pytest.approx(0.1)


def test_a_mesh_is_drawn_as_ground(biped, require):
    require(find_spec("embreex"), "the extra 'ground'")
    floor = sk.MeshGround([[-50, 0.3, -50], [-50, 0.3, 50], [50, 0.3, -50], [50, 0.3, 50]], [[0, 1, 2], [1, 3, 2]])
    scene = scene_of(sk.view.show(biped.clip, ground=floor).html)
    assert scene["ground"]["low"] == pytest.approx(0.3)
    assert scene["ground"]["slab"]


def test_uneven_ground_is_sampled_from_its_function(biped):
    scene = scene_of(sk.view.show(biped.clip, ground=biped.ground).html)
    points = numbers(scene["ground"]["points"]).reshape(-1, 3).astype(float)
    top = points[points[:, 1] > scene["ground"]["low"] - 1e-6]
    off = np.abs(top[:, 1] - biped.ground(top))
    assert np.mean(off < 1e-4) > 0.99  # the riser is so steep that float32 moves its height
    assert np.ptp(top[:, 1]) == pytest.approx(np.ptp(biped.ground.height), abs=1e-4)


def test_a_skeleton_without_legs_or_names_can_be_shown():
    page = sk.view.show(short(None))
    assert scene_of(page.html)["feet"] == []
    single = sk.view.show(short(None, count=1))
    assert scene_of(single.html)["frames"] == 1


def test_names_and_titles_cannot_break_out_of_the_page():
    rest = np.tile(np.eye(4), (2, 1, 1))
    skeleton = sk.Skeleton([-1, 0], rest, ["a", "b"])
    clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (2, 2, 1)), fps=30)
    labels = ["</script><script>alert(1)</script>", "脚 {{data}}"]
    page = sk.view.show([clip, clip], labels=labels, title="<b>&amp; {{data}}").html
    assert "alert(1)</script>" not in page
    assert page.count("</script>") == 2
    assert "&lt;b&gt;&amp;amp; {{data}}" in page
    assert [figure["label"] for figure in scene_of(page)["figures"]] == labels


def test_notebooks_get_a_frame_of_their_own(biped):
    page = biped.clip.show()
    text = page._repr_html_()
    assert text.startswith("<iframe srcdoc=")
    assert "<script" not in text
    assert "MB" in repr(page)


def test_saving_makes_the_folder_and_leaves_no_part(biped, tmp_path):
    path = sk.view.write_html(tmp_path / "a" / "b.html", biped.clip)
    assert [p.name for p in path.parent.iterdir()] == ["b.html"]
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_what_does_not_fit_is_said(biped):
    with pytest.raises(ValueError, match="compare has 100 frames, clip 180"):
        sk.view.show(biped.clip, compare=biped.clip.slice(0, 100))
    other = short(None, count=180)
    with pytest.raises(ValueError, match="compare has other joints"):
        sk.view.show(biped.clip, compare=other)
    with pytest.raises(ValueError, match=r"mesh.skeleton.names\[0\] is 'Hips'"):
        sk.view.show(other, mesh=biped.mesh)


def test_a_page_takes_the_place_of_an_old_one_and_of_nothing_else(biped, tmp_path):
    page, neighbour = tmp_path / "a.html", tmp_path / "a.html.part"
    page.write_text("old")
    neighbour.write_text("somebody's")
    sk.view.write_html(page, biped.clip)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert neighbour.read_text() == "somebody's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.html.part"]


def test_the_result_of_planting_shows_its_report_and_saves_its_clip(tmp_path: Path):
    clip = sk.example("biped").clip
    planted = clip.plant_feet()
    given = {"compare": clip, "mesh": sk.example("biped").mesh, "ground": 0.01, "title": "planted"}
    page = planted.show(**given).html
    assert page == sk.view.show(planted.clip, report=planted.report, **given).html
    assert page.index('<th scope="row">feet stand</th><td>left') < page.index("<summary>All figures</summary>")
    assert "Nothing that a viewer would mind." in planted.show().html
    planted.save(tmp_path / "planted.bvh")
    planted.clip.save(tmp_path / "clip.bvh")
    assert (tmp_path / "planted.bvh").read_bytes() == (tmp_path / "clip.bvh").read_bytes()
    assert len(planted) == 2  # clip, report = clip.plant_feet() as ever


def test_a_page_numbers_frames_from_the_number_of_the_first(biped):
    planted = biped.clip.plant_feet()
    plain, numbered = (planted.show(first_frame=first).html for first in (0, 1001))
    assert (scene_of(plain)["first"], scene_of(numbered)["first"]) == (0, 1001)
    contact = planted.report.contacts[0]
    first, last = contact.first_frame, contact.last_frame
    assert f"<td>{first}–{last}</td>" in plain
    assert f'<tr data-frame="{first}"><td>{contact.name}</td><td>{first + 1001}–{last + 1001}</td>' in numbered
    with pytest.raises(TypeError, match=r"first_frame is 1\.5: an integer is needed"):
        planted.show(first_frame=1.5)
