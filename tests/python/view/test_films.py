# SPDX-License-Identifier: MIT
"""Films of clips: GIF and MP4, read again by other libraries, and what is in their pictures."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

import skelkin_py as sk
from skelkin_py.view import write_film

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def biped():
    return sk.example("biped")


@pytest.fixture(scope="module")
def planted(biped):
    return biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)


def pictures_of(path: Path) -> list[np.ndarray]:
    """Return the pictures (H, W, 3) of a GIF."""
    with Image.open(path) as film:
        return [np.asarray(picture.convert("RGB"), np.int16) for picture in ImageSequence.Iterator(film)]


def durations_of(path: Path) -> list[int]:
    """Return how long the pictures of a GIF stay, in ms."""
    with Image.open(path) as film:
        return [picture.info["duration"] for picture in ImageSequence.Iterator(film)]


def test_a_gif_has_a_picture_for_each_moment_and_lasts_as_long_as_the_clip(biped, tmp_path):
    path = write_film(tmp_path / "new" / "walk.gif", biped.clip, frames=(30, 59), fps=12, size=(160, 120))
    assert path == tmp_path / "new" / "walk.gif"
    pictures = pictures_of(path)
    assert [picture.shape for picture in pictures] == [(120, 160, 3)] * 12
    assert sum(durations_of(path)) == 1000
    assert set(durations_of(path)) <= {80, 90}  # a GIF counts hundredths of a second
    assert all(np.abs(a - b).max() > 50 for a, b in pairwise(pictures))
    with Image.open(path) as film:
        assert film.info["loop"] == 0


def test_speed_shortens_a_film(biped, tmp_path):
    path = write_film(tmp_path / "walk.gif", biped.clip, frames=(0, 29), fps=10, speed=2.0, size=(64, 64))
    assert len(pictures_of(path)) == 5
    assert sum(durations_of(path)) == 500


def test_a_gif_of_a_fast_clip_has_fifteen_pictures_per_second_by_itself(biped, tmp_path):
    assert len(pictures_of(write_film(tmp_path / "a.gif", biped.clip, frames=(0, 29), size=(64, 64)))) == 15


def test_an_mp4_is_decoded_with_its_size_pictures_and_rate(biped, tmp_path):
    import av

    path = write_film(tmp_path / "walk.mp4", biped.clip, frames=(30, 59), fps=24, size=(162, 120))
    with av.open(path) as film:
        stream = film.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.average_rate == 24
        pictures = [frame.to_ndarray(format="rgb24").astype(np.int16) for frame in film.decode(stream)]
    assert [picture.shape for picture in pictures] == [(120, 162, 3)] * 24
    assert all(np.abs(a - b).max() > 50 for a, b in pairwise(pictures))


def test_an_mp4_shows_what_the_gif_shows(biped, tmp_path):
    import av

    told = {"frames": (60, 60), "fps": 30, "size": (160, 120)}
    gif = pictures_of(write_film(tmp_path / "walk.gif", biped.clip, **told))[0]
    with av.open(write_film(tmp_path / "walk.mp4", biped.clip, **told)) as film:
        mp4 = next(film.decode(video=0)).to_ndarray(format="rgb24").astype(np.int16)
    assert np.abs(gif - mp4).mean() < 6


def test_progress_counts_every_picture(biped, tmp_path):
    told = []
    write_film(
        tmp_path / "walk.gif",
        biped.clip,
        frames=(0, 14),
        fps=6,
        size=(64, 64),
        progress=lambda done, of: told.append((done, of)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
@pytest.mark.parametrize("ending", ["gif", "mp4"])
def test_a_film_that_is_stopped_leaves_the_old_file_and_no_folder(biped, tmp_path, stop, ending):
    old = tmp_path / f"walk.{ending}"
    old.write_bytes(b"old")

    def stops(done, of):
        if done == 2:
            raise stop

    for path in (old, tmp_path / "new" / old.name):
        with pytest.raises(stop):
            write_film(path, biped.clip, frames=(0, 29), size=(64, 64), progress=stops)
    assert [each.name for each in tmp_path.iterdir()] == [old.name]
    assert old.read_bytes() == b"old"


def test_methods_write_the_film_that_the_function_writes(biped, planted, tmp_path):
    told = {"compare": biped.clip, "ground": biped.ground, "frames": (0, 5), "fps": 10, "size": (160, 120)}
    films = [
        write_film(tmp_path / "a.gif", planted.clip, report=planted.report, **told),
        planted.clip.save_film(tmp_path / "b.gif", report=planted.report, **told),
        planted.save_film(tmp_path / "c.gif", **told),
    ]
    assert len({film.read_bytes() for film in films}) == 1


def test_the_skin_is_drawn_where_there_is_one(biped, tmp_path):
    told = {"frames": (60, 60), "size": (160, 160)}
    bones = pictures_of(write_film(tmp_path / "bones.gif", biped.clip, **told))[0]
    skin = pictures_of(write_film(tmp_path / "skin.gif", biped.clip, mesh=biped.mesh, **told))[0]
    grey = [(np.ptp(each, axis=2) < 50) & (each.max(2) < 190) for each in (bones, skin)]
    assert grey[1].sum() > 2 * grey[0].sum() > 0


@pytest.mark.data
def test_films_of_real_clips_mark_their_contacts(data_dir, tmp_path):
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    path = clip.save_film(tmp_path / "walk.gif", frames=(0, 119), fps=5, size=(320, 240), camera="feet")
    green = [((p[..., 1] > p[..., 0] + 60) & (p[..., 1] > p[..., 2] + 20)).sum() for p in pictures_of(path)]
    assert max(green) > 20
