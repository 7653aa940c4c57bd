# SPDX-License-Identifier: MIT
"""Pictures of clips: what is in them, from where they are seen, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import skelkin_py as sk
from skelkin_py.view import write_film, write_picture
from skelkin_py.view.film.camera import CAMERAS, Camera, focus_of
from skelkin_py.view.film.standing import standing_of
from skelkin_py.view.stage import set_stage

FRAME = 62  # one foot stands, and slides


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture(scope="module")
def planted(biped):
    return biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)


def seen(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), np.int16)


def green(picture: np.ndarray) -> int:
    return int(((picture[..., 1] > picture[..., 0] + 60) & (picture[..., 1] > picture[..., 2] + 20)).sum())


def red(picture: np.ndarray) -> int:
    return int(((picture[..., 0] > picture[..., 1] + 60) & (picture[..., 0] > picture[..., 2] + 60)).sum())


@pytest.mark.slow
def test_before_stands_at_the_left_in_red_and_after_at_the_right_in_green(biped, planted, tmp_path):
    path = planted.save_picture(tmp_path / "a.png", FRAME, compare=biped.clip, ground=biped.ground, size=(640, 400))
    picture = seen(path)
    assert picture.shape == (400, 640, 3)
    left, right = picture[60:, :320], picture[60:, 320:]  # below what is written above
    assert red(left) > 100
    assert green(left) == 0
    assert green(right) > 100
    assert red(right) == 0


@pytest.mark.slow
def test_the_original_stands_behind_where_both_are_together(biped, planted, tmp_path):
    told = {"ground": biped.ground, "size": (320, 320), "labels": ("", "")}
    alone = seen(planted.clip.save_picture(tmp_path / "a.png", FRAME, report=planted.report, **told))
    both = seen(planted.save_picture(tmp_path / "b.png", FRAME, compare=biped.clip, arrange="together", **told))
    assert both.shape == alone.shape
    assert green(both) > 20
    assert red(both) > 0 == red(alone)


@pytest.mark.slow
def test_feet_are_marked_only_while_they_stand(biped, tmp_path):
    never = biped.clip.plant_feet(contacts="never")
    marked = seen(biped.clip.save_picture(tmp_path / "a.png", FRAME, size=(200, 200)))
    plain = seen(never.clip.save_picture(tmp_path / "b.png", FRAME, report=never.report, size=(200, 200)))
    assert green(marked) > 20
    assert green(plain) == 0


@pytest.mark.slow
def test_pictures_of_two_frames_differ_and_of_one_are_equal_bit_for_bit(biped, tmp_path):
    paths = [write_picture(tmp_path / f"{k}.png", biped.clip, k, size=(120, 120)) for k in (20, 24)]
    again = write_picture(tmp_path / "again.png", biped.clip, 20, size=(120, 120))
    assert np.abs(seen(paths[0]) - seen(paths[1])).max() > 50
    assert paths[0].read_bytes() == again.read_bytes()


@pytest.mark.slow
def test_a_strip_has_a_figure_for_each_frame_and_before_above(biped, planted, tmp_path):
    path = planted.save_picture(tmp_path / "a.png", [20, 40, 60], compare=biped.clip, ground=biped.ground)
    picture = seen(path)
    assert picture.shape == (2 * 340, 3 * 240, 3)
    assert red(picture[60:340]) > 100 > green(picture[60:340])
    assert green(picture[340:]) > 100 > red(picture[400:])
    strip = seen(write_picture(tmp_path / "b.png", biped.clip))
    assert strip.shape == (340, 5 * 240, 3)


@pytest.mark.slow
def test_title_and_labels_are_written_whatever_is_in_them(biped, tmp_path):
    told = {"compare": biped.clip, "size": (300, 200)}
    plain = seen(write_picture(tmp_path / "a.png", biped.clip, 0, labels=("", ""), **told))
    labelled = seen(write_picture(tmp_path / "b.png", biped.clip, 0, labels=("$x_1 <b>", r"$\frac"), **told))
    assert (np.abs(plain - labelled).max(2) > 30)[:40].any()
    assert not (np.abs(plain - labelled).max(2) > 30)[60:].any()
    titled = seen(write_picture(tmp_path / "c.png", biped.clip, 0, labels=("", ""), title="A walk_1 $", **told))
    assert (titled[:17].min(2) < 100).any()
    assert not (plain[:17].min(2) < 100).any()


@pytest.mark.slow
def test_a_clip_without_legs_is_drawn_without_marks(tmp_path):
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[1:, 1, 3] = 1.0
    skeleton = sk.Skeleton([-1, 0, 1], rest)
    clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (10, 3, 1)), fps=30.0)
    picture = seen(write_picture(tmp_path / "a.png", clip, 5, size=(120, 120)))
    assert green(picture) == red(picture) == 0
    assert (picture.max(2) < 190).sum() > 50


def test_cameras_look_from_where_they_are_called(biped):
    stage = set_stage(biped.clip)
    focus = stage.framing.path[FRAME]
    names = biped.clip.names
    ahead = np.array([stage.heading[0], 0.0, stage.heading[1]])
    left, right = (stage.points[0][FRAME, [names.index(f"{side}UpLeg")]] for side in ("Left", "Right"))
    across = {}
    for name in CAMERAS:
        camera = Camera.looking_at(stage, focus, CAMERAS[name], 1.0)
        np.testing.assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-12)
        middle, forward, above, a, b = (
            camera.project(np.atleast_2d(point), 400.0, 400.0)[0][0]
            for point in (focus, focus + 0.1 * ahead, focus + np.array([0.0, 0.1, 0.0]), left, right)
        )
        across[name] = forward[0] - middle[0], above[1] - middle[1], a[0] - b[0]
    assert across["front"][2] > 1.0  # the figure's left is at the right
    assert abs(across["front"][0]) < 1e-6
    for name in ("side", "top", "corner", "feet"):
        assert across[name][0] > 1.0  # it goes to the right
    for name in ("front", "side", "corner", "feet"):
        assert across[name][1] > 1.0
    assert abs(across["top"][1]) < 1e-6


def test_the_camera_at_the_feet_is_near_and_has_the_ground_low_in_the_picture(biped):
    stage = set_stage(biped.clip, ground=0.0)
    view = CAMERAS["feet"]
    focus = focus_of(stage, view)
    for frame in (10, 90, 170):
        camera = Camera.looking_at(stage, focus[frame], view, 1.0)
        below = focus[frame] * (1.0, 0.0, 1.0)
        assert 0.1 < camera.project(below[None], 400.0, 400.0)[0][0, 1] / 400.0 < 0.3


def test_what_is_written_below_a_foot_is_what_the_report_measured(biped, planted):
    standing = standing_of(planted.clip, biped.clip, planted.report, biped.ground)
    contact = max(planted.report.contacts, key=lambda each: each.before.penetration)
    heights = planted.report.legs[contact.leg].before.height[contact.first_frame : contact.last_frame + 1]
    deepest = int(heights.argmin())
    words = standing.in_words(1, contact.leg, contact.first_frame + deepest, 0.0321)
    assert words == f"slides 3.2 cm\nsinks {-100.0 * heights[deepest]:.1f} cm"
    assert standing.in_words(0, contact.leg, contact.first_frame + deepest, 0.0) == "slides 0.0 cm"


def test_without_a_report_both_clips_are_measured(biped, planted):
    told = standing_of(planted.clip, biped.clip, planted.report, biped.ground)
    measured = standing_of(planted.clip, biped.clip, None, biped.ground)
    assert told.slides == pytest.approx([100.0 * planted.report.slide(when)[0] for when in ("after", "before")])
    assert measured.slides[0] < 0.1
    assert measured.slides[1] == pytest.approx(told.slides[1], rel=0.2)


def test_without_a_report_a_cycle_in_place_is_measured_over_one_moving_ground(data_dir):
    clip = sk.load(data_dir / "gltf" / "cesium_man.gltf")
    planted = clip.plant_feet()
    measured = standing_of(planted.clip, clip, None, None)
    assert planted.report.ground_velocity is not None
    assert measured.report.contacts
    assert measured.slides[1] == pytest.approx(measured.slides[0], rel=0.05)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"path": "walk.avi"}, r"path is 'walk.avi': the name must end in .gif or .mp4"),
        ({"size": (63, 100)}, r"size\[0\] is 63: 64 to 8192"),
        ({"size": (100, 99), "path": "walk.mp4"}, r"size\[1\] is 99: an MP4 needs even numbers"),
        ({"size": (100.5, 99)}, r"size\[0\] is 100.5: a whole number"),
        ({"size": 100}, r"size is 100: \(width, height\)"),
        ({"frames": (3, 2)}, r"frames is \(3, 2\): 0 ≤ first ≤ last < 180"),
        ({"frames": (0, 180)}, r"frames is \(0, 180\): 0 ≤ first ≤ last < 180"),
        ({"frames": (True, 5)}, r"frames is \(True, 5\): \(first, last\) is needed, two whole frames"),
        ({"frames": 5}, r"frames is 5: \(first, last\)"),
        ({"fps": 51}, "fps is 51: above 0 and up to 50"),
        ({"fps": float("nan")}, "fps is nan"),
        ({"fps": "15"}, "fps is '15': a number"),
        ({"speed": 0}, "speed is 0"),
        ({"speed": float("inf")}, "speed is inf"),
        ({"arrange": "above"}, "arrange is 'above'"),
        ({"labels": "ab"}, "labels is 'ab': two texts"),
        ({"camera": "left"}, "camera is 'left': must be 'corner'"),
        ({"camera": (0, 91)}, r"camera\[1\] is 91"),
        ({"camera": (float("nan"), 0)}, r"camera\[0\] is nan"),
        ({"camera": 5}, "camera is 5: a name or"),
        ({"zoom": 11}, "zoom is 11: 0.1 to 10"),
        ({"title": 5}, "title is 5: text"),
        ({"compare": 5}, "compare is a int: a Clip"),
        ({"report": 5}, "report is a int"),
        ({"mesh": 5}, "mesh is a int: a Mesh"),
        ({"clip": 5}, "clip is a int: a Clip"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_by_name_and_nothing_is_written(biped, tmp_path, changes, words):
    asked = {"path": "walk.gif", "clip": biped.clip, **changes}
    folder = tmp_path / "new"
    asked["path"] = str(folder / asked["path"])
    with pytest.raises((ValueError, TypeError), match=words.replace("'walk.avi'", re.escape(repr(asked["path"])))):
        write_film(**asked)
    assert not folder.exists()


def test_frames_of_a_picture_are_checked(biped, tmp_path):
    for frames, words in ((180, "frames is 180"), ([3, -1], r"frames\[1\] is -1"), ([], "frames is empty")):
        with pytest.raises(ValueError, match=words):
            write_picture(tmp_path / "a.png", biped.clip, frames)
    with pytest.raises(TypeError, match=r"frames\[0\] is 1.5"):
        write_picture(tmp_path / "a.png", biped.clip, [1.5])
    with pytest.raises(ValueError, match=r"must end in .png"):
        write_picture(tmp_path / "a.jpg", biped.clip)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "call", "words"),
    [
        (
            "matplotlib",
            "write_film('a.gif', clip)",
            'write_film() needs matplotlib: pip install ".[film]" in a clone of skelkin',
        ),
        (
            "matplotlib",
            "write_picture('a.png', clip)",
            'write_picture() needs matplotlib: pip install ".[film]" in a clone of skelkin',
        ),
        ("PIL", "write_film('a.gif', clip)", 'write_film() needs pillow: pip install ".[film]" in a clone of skelkin'),
        ("av", "write_film('a.mp4', clip)", 'write_film() needs av: pip install ".[film]" in a clone of skelkin'),
    ],
)
def test_without_its_packages_the_extra_is_named(tmp_path, missing, call, words):
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import skelkin_py as sk\nfrom skelkin_py.view import write_film, write_picture\n"
        f"clip = sk.example('biped').clip.slice(0, 4)\n"
        f"try: {call}\nexcept sk.MissingExtraError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.stdout.strip() == words, run.stderr
    assert list(tmp_path.iterdir()) == []
