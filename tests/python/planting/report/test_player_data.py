# SPDX-License-Identifier: MIT
"""What the player is told: motions in few bytes, several clips in their places, values as colours, what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from player_pages import heavy_clip, heavy_mesh, numbers, poses_of, scene_of
from real_clips import CLIPS

import skelkin_py as sk
from skelkin_py.view.colors import CLIP_COLORS, color_map
from skelkin_py.view.panel import verdict

TENTH_OF_A_MILLIMETRE = 1e-4


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture(scope="module")
def heavy():
    return heavy_clip()


@pytest.mark.slow
@pytest.mark.parametrize("skinned", [False, True])
def test_3000_frames_of_60_joints_take_2_megabytes_and_move_no_joint_by_a_tenth_of_a_millimetre(heavy, skinned):
    mesh = heavy_mesh(heavy, 4000) if skinned else None
    bare = len(sk.view.show(heavy[:1], mesh=mesh).html)
    page = sk.view.show(heavy, mesh=mesh).html
    (figure,) = scene_of(page)["figures"]
    assert len(page) - bare <= 2e6
    assert len(json.dumps(figure["motion"])) <= 2e6
    _, points = poses_of(figure)
    assert np.linalg.norm(points[:, :60] - heavy.positions(), axis=-1).max() <= TENTH_OF_A_MILLIMETRE


@pytest.mark.slow
def test_no_vertex_of_a_packed_skin_is_off_by_more_than_a_tenth_of_a_millimetre_and_what_the_skin_rounds(heavy):
    mesh = heavy_mesh(heavy, 4000)
    scene = scene_of(sk.view.show(heavy, mesh=mesh).html)
    frames = slice(0, 3000, 250)
    linear, points = (part[frames] for part in poses_of(scene["figures"][0]))
    packed = np.zeros((*linear.shape[:2], 4, 4))
    packed[..., :3, :3], packed[..., :3, 3], packed[..., 3, 3] = linear, points[:, :60], 1.0
    exact = heavy.global_matrices()[frames]
    skins = [sk.skin_points(mesh.points, mesh.weights, sk.skinning_matrices(mesh.skeleton, g)) for g in (packed, exact)]
    assert np.linalg.norm(skins[0] - skins[1], axis=-1).max() <= TENTH_OF_A_MILLIMETRE


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIPS)
def test_captured_clips_are_within_a_tenth_of_a_millimetre_of_an_adult(data_dir, name):
    clip = sk.load(data_dir / f"{name}.bvh")
    (figure,) = scene_of(sk.view.show(clip).html)["figures"]
    drawn = poses_of(figure)[1][:, : len(clip.names)].reshape(-1, 3)
    exact = clip.positions().reshape(-1, 3)
    turn = np.rint(np.linalg.lstsq(exact - exact.mean(0), drawn - drawn.mean(0), rcond=None)[0])
    assert np.linalg.det(turn) == pytest.approx(1.0)  # axes turned to Y up, nothing else
    height = np.median(np.ptp(poses_of(figure)[1][..., 1], axis=1))
    assert np.linalg.norm(exact @ turn - drawn, axis=-1).max() <= TENTH_OF_A_MILLIMETRE / 1.8 * height


def test_what_16_bits_do_not_hold_is_kept_in_32():
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[1:, 1, 3] = 0.5
    skeleton = sk.Skeleton([-1, 0, 1], rest, ["a", "b", "c"])
    translations = np.tile(rest[:, :3, 3], (40, 1, 1))
    translations[:, 2, 0] = np.linspace(0.0, 500.0, 40)  # flies off: steps of 16 bits would be 8 mm
    rotations = np.tile([1.0, 0, 0, 0], (40, 3, 1))
    (figure,) = scene_of(sk.view.show(sk.Clip(skeleton, rotations, translations, fps=30)).html)["figures"]
    _, points = poses_of(figure)
    exact = sk.Clip(skeleton, rotations, translations, fps=30).positions()
    ways = np.ptp(exact.reshape(-1, 3), axis=0)
    assert np.abs(points - exact).max() <= 1e-4 * ways[1]


def test_scales_and_joints_that_move_in_their_parents_are_kept(biped):
    clip = biped.clip
    scales = np.ones((180, 22, 3))
    scales[:, 4] = (1.3, 0.8, 1.1)
    translations = np.array(clip.translations)
    translations[:, 6] += 0.02 * np.sin(np.arange(180))[:, None]
    changed = sk.Clip(clip.skeleton, clip.rotations, translations, scales, fps=30)
    (figure,) = scene_of(sk.view.show(changed, mesh=biped.mesh).html)["figures"]
    linear, points = poses_of(figure)
    assert np.abs(points[:, :22] - changed.positions()).max() <= TENTH_OF_A_MILLIMETRE
    assert np.abs(linear - changed.global_matrices()[..., :3, :3]).max() < 1e-3


def test_clips_side_by_side_do_not_meet_and_together_keep_their_places(biped):
    clips = [biped.clip, biped.clip, biped.clip[60:]]
    apart = [poses_of(f)[1] for f in scene_of(sk.view.show(clips).html)["figures"]]
    scene = scene_of(sk.view.show(clips, arrange="together").html)
    together = [poses_of(f)[1] for f in scene["figures"]]
    assert np.allclose(together[0][:, :22], biped.clip.positions(), atol=1e-4)
    assert np.allclose(together[2][:, :22], biped.clip[60:].positions(), atol=1e-4)
    side = np.array([np.cos(scene["heading"]), 0.0, -np.sin(scene["heading"])])
    spans = [(points @ side).min() for points in apart], [(points @ side).max() for points in apart]
    assert spans[1][0] < spans[0][1] < spans[1][1] < spans[0][2]
    for a, b in zip(apart, together):
        assert np.allclose(np.diff(a, axis=0), np.diff(b, axis=0), atol=3e-4)  # moved, not changed


def test_clips_of_other_rates_share_the_seconds(biped):
    clip = biped.clip
    fast = sk.Clip(clip.skeleton, clip.rotations, clip.translations, fps=60)[:100]
    scene = scene_of(sk.view.show([clip, fast], labels=["slow", "fast"]).html)
    assert (scene["fps"], scene["frames"]) == (30.0, 180)
    assert [(f["label"], f["fps"], f["motion"]["frames"]) for f in scene["figures"]] == [
        ("slow", 30, 180),
        ("fast", 60, 100),
    ]
    assert [f["color"] for f in scene["figures"]] == list(CLIP_COLORS[:2])
    assert scene["feet"] == []


def test_a_skin_of_several_clips_is_in_the_page_once(biped):
    scene = scene_of(sk.view.show([biped.clip, biped.clip], mesh=biped.mesh).html)
    assert len(scene["meshes"]) == 1
    assert [figure["mesh"] for figure in scene["figures"]] == [0, 0]
    mixed = scene_of(sk.view.show([biped.clip, biped.clip], mesh=[None, biped.mesh]).html)
    assert [figure["mesh"] for figure in mixed["figures"]] == [None, 0]


def test_values_go_from_the_lowest_to_the_highest_color_and_none_has_none(biped):
    values = np.tile(np.linspace(-2.0, 6.0, 22), (180, 1))
    values[5, 3] = np.nan
    scene = scene_of(sk.view.show(biped.clip, color=values, color_label="load (N)").html)
    steps = numbers(scene["figures"][0]["values"]["steps"]).reshape(180, 22)
    assert (steps[0, 0], steps[0, -1], steps[5, 3]) == (1, 255, 0)
    assert np.abs((steps[0] - 1) / 254 * 8 - 2 - values[0]).max() <= 8 / 254 / 2 + 1e-9
    assert [scene["legend"][key] for key in ("label", "low", "high")] == ["load (N)", "-2", "6"]
    still = scene_of(sk.view.show(biped.clip, mesh=biped.mesh, color=biped.mesh.points[:, 1], color_range=(0, 1)).html)
    assert still["figures"][0]["values"]["ofJoints"] is False
    assert still["figures"][0]["values"]["frames"] == 1
    assert numbers(still["figures"][0]["values"]["steps"]).max() == 255


def lightness(colors):
    """Return CIE L* of (N, 3) sRGB."""
    s = np.asarray(colors, float) / 255.0
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


def test_the_color_map_rises_evenly_in_lightness():
    steps = np.diff(lightness(color_map()))
    assert steps.min() > -0.5  # eight bits a channel
    coarse = np.diff(lightness(color_map(9)))
    assert coarse.min() > 0.4 * coarse.mean()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("5.12", "0.00", "better"),
        ("0.031", "0.040", "worse"),
        ("1,200", "1,900", "worse"),
        ("0.00", "0.00", "equal"),
        ("100.0", "100.4", "equal"),
        ("", "12", "equal"),
        ("3 … 80", "3 … 82", "equal"),
    ],
)
def test_a_figure_is_better_only_where_it_became_smaller(before, after, expected):
    assert verdict(before, after) == expected


def test_figures_that_became_worse_are_not_marked_as_better(biped):
    planted = biped.clip.plant_feet(ground=biped.ground)
    page = sk.view.show(planted.clip, compare=biped.clip, report=planted.report, ground=biped.ground).html
    kinds = {"better": 0, "worse": 0}
    for _, old, new in planted.report.as_rows():
        for a, b in zip(old.split(" / "), new.split(" / ")):
            kind = verdict(a, b)
            if kind in kinds:
                kinds[kind] += 1
                assert f'<span class="{kind}">{b}<i aria-hidden' in page
    assert all(kinds.values()), "the example has both"


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"clip": []}, ValueError, "clip is empty"),
        ({"clip": [1]}, TypeError, r"clip\[0\] is a int: a Clip is needed"),
        ({"arrange": "stacked"}, ValueError, "arrange is 'stacked': expected 'side_by_side' or 'together'"),
        ({"labels": ["one"]}, ValueError, "labels has 1 items: there are 2 clips"),
        ({"labels": "one"}, TypeError, "labels is a str: a list"),
        ({"colors": ["#123456", "red"]}, ValueError, r"colors\[1\] is 'red': a colour is written as '#rrggbb'"),
        ({"compare": sk.example("biped").clip}, ValueError, "compare belongs to one clip, and 2 are given"),
        ({"color": [None, np.zeros(5)]}, ValueError, r"color\[1\] has shape \(5,\)"),
        (
            {"color": [None, np.full(22, np.inf)]},
            ValueError,
            r"color\[1\]\[0, 0\] is infinite|color\[1\]\[0\] is infinite",
        ),
        ({"color_range": (3, 1)}, ValueError, r"color_range is \(3, 1\): two numbers, the lower one first"),
        ({"color_label": 3}, TypeError, "color_label is 3: text is needed"),
        ({"ground": lambda points: points[:, 0]}, ValueError, "ground is not level"),
    ],
)
def test_what_does_not_fit_several_clips_is_said(biped, given, error, told):
    with pytest.raises(error, match=told):
        sk.view.show(given.pop("clip", [biped.clip, biped.clip]), **given)
