# SPDX-License-Identifier: MIT
"""glTF written: into the file it was read from, which otherwise stays as it is; and as a new file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from small_gltf import SmallGltf, parts_of_glb

import skelkin_py as sk

TIMES = [0.0, 0.5, 1.0]
PLACES = [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]]
MAY_CHANGE = {"animations", "accessors", "bufferViews", "buffers"}


@pytest.fixture
def gltf_dir(data_dir: Path) -> Path:
    return data_dir / "gltf"


def moved(clip: sk.Clip, joint: int, by: float = 0.25) -> sk.Clip:
    translations = clip.translations.copy()
    translations[:, joint, 1] += by
    return clip.replace(translations=translations)


@pytest.mark.parametrize("name", ["Fox.glb", "kaykit_Knight.glb", "cesium_man.gltf", "SimpleSkin.gltf"])
def test_what_did_not_change_is_the_same_file(name: str, gltf_dir: Path, tmp_path: Path) -> None:
    path = gltf_dir / name
    sk.load(path, 0).save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == path.read_bytes()
    sk.save_animations(sk.load_animations(path), tmp_path / name)
    assert (tmp_path / name).read_bytes() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "animation"), [("Fox.glb", "Survey"), ("kaykit_Knight.glb", "Walking_A")])
def test_a_planted_animation_changes_that_animation_only(
    name: str, animation: str, gltf_dir: Path, tmp_path: Path
) -> None:
    path, target = gltf_dir / name, tmp_path / name
    clips = sk.load_animations(path)
    planted = clips[animation].plant_feet().clip
    planted.save(target)
    old_text, old_chunks = parts_of_glb(path.read_bytes())
    new_text, new_chunks = parts_of_glb(target.read_bytes())
    assert new_chunks[0][1].startswith(old_chunks[0][1])
    assert new_chunks[1:] == old_chunks[1:]
    old, new = json.loads(old_text), json.loads(new_text)
    assert {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)} <= MAY_CHANGE
    for key in ("accessors", "bufferViews"):
        assert new[key][: len(old[key])] == old[key]
    assert new["buffers"] == [{**old["buffers"][0], "byteLength": len(new_chunks[0][1])}]
    others = [each for each in zip(old["animations"], new["animations"], strict=True) if each[0] != each[1]]
    assert [each["name"] for each, _ in others] == [animation]
    again = sk.load_animations(target)
    size = np.abs(planted.positions()).max()
    np.testing.assert_allclose(again[animation].positions(), planted.positions(), atol=1e-6 * size)
    for each, clip in clips.items():
        assert each == animation or again[each] == clip


def test_curves_of_joints_that_stay_keep_their_keys(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES), (2, "translation", TIMES, PLACES, "STEP"))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=10)
    moved(clip, 0).save(tmp_path / "b.glb")
    (animation,) = json.loads(parts_of_glb((tmp_path / "b.glb").read_bytes())[0])["animations"]
    before = made.root["animations"][0]
    assert animation["samplers"][1] == before["samplers"][1]
    assert animation["channels"] == before["channels"]
    again = sk.load(tmp_path / "b.glb", fps=10)
    np.testing.assert_allclose(again.translations, moved(clip, 0).translations, atol=1e-6)


def test_a_curve_that_was_not_there_is_added(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES))
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=4)
    moved(clip, 2).save(tmp_path / "b.glb")
    np.testing.assert_allclose(sk.load(tmp_path / "b.glb", fps=4).translations, moved(clip, 2).translations, atol=1e-6)


def test_a_sampler_that_two_channels_share_stays_for_the_other(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (1, "translation", TIMES, PLACES), (2, "translation", TIMES, PLACES))
    made.root["animations"][0]["channels"][1]["sampler"] = 0
    clip = sk.load(made.write(tmp_path / "a.glb"), fps=4)
    moved(clip, 1).save(tmp_path / "b.glb")
    np.testing.assert_allclose(sk.load(tmp_path / "b.glb", fps=4).translations, moved(clip, 1).translations, atol=1e-6)


def test_other_chunks_numbers_and_spaces_stay_as_they_were_printed(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES))
    made.root["extras"] = {"size": 1.25, "big": 12345678901234567890}
    text = made.glb(b"own chunk...").replace(b'"size": 1.25', b'"size":1.250')
    (tmp_path / "a.glb").write_bytes(text)
    moved(sk.load(tmp_path / "a.glb", fps=4), 0).save(tmp_path / "b.glb")
    new_text, chunks = parts_of_glb((tmp_path / "b.glb").read_bytes())
    assert b'"size":1.250, "big": 12345678901234567890' in new_text
    assert chunks[1] == (0x41424344, b"own chunk...")


def test_new_names_are_added_and_those_that_are_there_replaced(gltf_dir: Path, tmp_path: Path) -> None:
    clips = sk.load_animations(gltf_dir / "Fox.glb")
    sk.save_animations({"Walk": moved(clips["Walk"], 3), "Walk, low": clips["Walk"]}, tmp_path / "fox.glb")
    again = sk.load_animations(tmp_path / "fox.glb")
    assert list(again) == ["Survey", "Walk", "Run", "Walk, low"]
    size = np.abs(clips["Walk"].positions()).max()
    np.testing.assert_allclose(again["Walk, low"].positions(), clips["Walk"].positions(), atol=1e-6 * size)
    assert not np.allclose(again["Walk"].positions(), clips["Walk"].positions())


def test_some_frames_of_an_animation_begin_at_its_first(gltf_dir: Path, tmp_path: Path) -> None:
    clip = sk.load(gltf_dir / "Fox.glb", "Run")[5:15]
    clip.save(tmp_path / "fox.glb")
    again = sk.load(tmp_path / "fox.glb", "Run")
    assert again.num_frames == 10
    np.testing.assert_allclose(again.positions(), clip.positions(), atol=1e-6 * np.abs(clip.positions()).max())


def test_clips_from_elsewhere_become_a_new_file(tmp_path: Path) -> None:
    clip = sk.example("biped").clip
    sk.save_animations({"walk": clip, "stop": clip[:1]}, tmp_path / "a.glb")
    clip.save(tmp_path / "b.gltf")
    again = sk.load_animations(tmp_path / "a.glb")
    assert {name: each.num_frames for name, each in again.items()} == {"walk": 180, "stop": 1}
    for each in (again["walk"], sk.load(tmp_path / "b.gltf")):
        assert each.names == clip.names
        assert each.fps == clip.fps
        np.testing.assert_allclose(each.positions(), clip.positions(), atol=1e-6 * np.abs(clip.positions()).max())
        np.testing.assert_array_equal(each.skeleton.parents, clip.skeleton.parents)
    assert sk.io.what_is_lost(clip, "a.glb") == ("end sites",) if clip.skeleton.end_sites else True


def test_scales_are_kept(tmp_path: Path) -> None:
    clip = sk.example("biped").clip[:5]
    scaled = clip.replace(scales=np.random.default_rng(0).uniform(0.5, 2.0, clip.translations.shape))
    scaled.save(tmp_path / "a.glb")
    np.testing.assert_allclose(sk.load(tmp_path / "a.glb").scales, scaled.scales, rtol=1e-6)


def test_clips_of_different_skeletons_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    clip = sk.example("biped").clip[:2]
    other = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30)
    with pytest.raises(ValueError, match=r"clips\['b'\] has another skeleton than clips\['a'\]"):
        sk.save_animations({"a": clip, "b": other}, tmp_path / "a.glb")
    with pytest.raises(ValueError, match="up to 3e38"):
        clip.replace(translations=np.full(clip.translations.shape, 1e39)).save(tmp_path / "a.glb")
    with pytest.raises(ValueError, match=r"clips has the name 'walk\\ud800': .* Unicode"):
        sk.save_animations({"walk\ud800": clip}, tmp_path / "a.glb")
    assert list(tmp_path.iterdir()) == []


def test_a_gltf_takes_the_files_along_that_it_names(tmp_path: Path) -> None:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES))
    made.root["images"] = [{"uri": "skin.png"}]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "data.bin").write_bytes(made.data)
    (tmp_path / "in" / "skin.png").write_bytes(b"picture")
    (tmp_path / "in" / "a.gltf").write_bytes(made.gltf("data.bin"))
    clip = sk.load(tmp_path / "in" / "a.gltf", fps=4)
    out = tmp_path / "out"
    out.mkdir()
    for by in (0.5, 0.75):  # a second run takes the place of the first
        moved(clip, 0, by).save(out / "planted.gltf")
        assert {path.name for path in out.iterdir()} == {"planted.gltf", "planted.bin", "skin.png"}
        assert (out / "planted.bin").read_bytes().startswith(made.data)
        again = sk.load(out / "planted.gltf", fps=4)
        np.testing.assert_allclose(again.translations, moved(clip, 0, by).translations, atol=1e-6)
    moved(clip, 0).save(out / "one.glb")
    np.testing.assert_allclose(sk.load(out / "one.glb", fps=4).translations, moved(clip, 0).translations, atol=1e-6)
    (out / "skin.png").write_bytes(b"another picture")
    with pytest.raises(FileExistsError, match="already exists"):
        moved(clip, 0).save(out / "two.gltf")
    assert not (out / "two.gltf").exists()


def test_bvh_and_gltf_carry_each_other(gltf_dir: Path, tmp_path: Path) -> None:
    clip = sk.load(gltf_dir / "Fox.glb", "Walk")
    clip.save(tmp_path / "fox.bvh")
    again = sk.load(tmp_path / "fox.bvh")
    np.testing.assert_allclose(again.positions(), clip.positions(), atol=2e-6 * np.abs(clip.positions()).max())
