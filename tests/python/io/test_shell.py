# SPDX-License-Identifier: MIT
"""Files with several animations from the shell: all of them, or the one that is named."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from small_gltf import SmallGltf

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.io import other_programs


@pytest.fixture
def knight(data_dir: Path, tmp_path: Path) -> Path:
    """Three animations of the Knight: two in which feet slide and one in place."""
    path = tmp_path / "in" / "knight.glb"
    path.parent.mkdir()
    clips = sk.load_animations(data_dir / "gltf" / "kaykit_Knight.glb")
    named = ("1H_Melee_Attack_Chop", "Throw", "Walking_A")
    sk.save_animations({name: bare(clips[name]) for name in named}, path)
    return path


def bare(clip: sk.Clip) -> sk.Clip:
    """Return a clip that has forgotten its file, so that a new one is made of it."""
    return sk.Clip(clip.skeleton, clip.rotations, clip.translations, clip.scales, fps=clip.fps)


def test_all_animations_are_planted_into_a_copy_of_the_file(knight: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out" / "planted.glb"
    assert main(["plant", str(knight), "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("3 of 3 animations planted", "Throw", "Walking_A", f"wrote {out}"))
    clips, planted = sk.load_animations(knight), sk.load_animations(out)
    assert list(planted) == list(clips)
    for name, clip in clips.items():
        wanted = clip.plant_feet().clip.positions()
        np.testing.assert_allclose(planted[name].positions(), wanted, atol=1e-6 * np.abs(wanted).max())


def test_one_animation_by_its_name_or_number(knight: Path, tmp_path: Path, capsys) -> None:
    for asked in ("Throw", "1"):
        out = tmp_path / f"{asked}.glb"
        assert main(["plant", str(knight), "-o", str(out), "--animation", asked]) == 0
        assert "knee" in capsys.readouterr().out
        planted, clips = sk.load_animations(out), sk.load_animations(knight)
        assert [name for name in clips if planted[name] != clips[name]] == ["Throw"]
    assert main(["plant", str(knight), "-o", str(tmp_path / "a.glb"), "--animation", "throw"]) == 1
    assert "did you mean 'Throw'" in capsys.readouterr().err


def test_a_format_that_holds_one_needs_a_name(knight: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "a.bvh"
    for command in (["plant", str(knight), "-o", str(out)], ["convert", str(knight), str(out)]):
        assert main(command) == 1
        told = capsys.readouterr().err
        assert "3 animations (1H_Melee_Attack_Chop, Throw, Walking_A)" in told
        assert "choose one with --animation" in told
        assert not out.exists()
        assert main([*command, "--animation", "Throw"]) == 0
        assert "rotations of the rest pose" in capsys.readouterr().out
        out.unlink()


def test_json_has_a_report_per_animation_which_is_read_again_as_contacts(knight: Path, tmp_path: Path, capsys) -> None:
    out, told = tmp_path / "a.glb", tmp_path / "told.json"
    assert main(["plant", str(knight), "-o", str(out), "--json"]) == 0
    text = capsys.readouterr().out
    report = json.loads(text)
    assert list(report["animations"]) == ["1H_Melee_Attack_Chop", "Throw", "Walking_A"]
    assert report["animations"]["Throw"]["num_frames"] == 42
    told.write_text(text, encoding="utf-8")
    assert main(["plant", str(knight), "-o", str(out), "--json", "--contacts", str(told)]) == 0
    again = json.loads(capsys.readouterr().out)
    spans = [
        [(each["leg"], each["first_frame"], each["last_frame"]) for each in one["animations"]["Throw"]["contacts"]]
        for one in (report, again)
    ]
    assert spans[0] == spans[1] != []
    del report["animations"]["Throw"]
    told.write_text(json.dumps(report))
    assert main(["plant", str(knight), "-o", str(out), "--contacts", str(told)]) == 1
    assert "'Throw' is missing" in capsys.readouterr().err


@pytest.mark.slow
def test_check_has_a_line_per_animation_also_beside_the_original(knight: Path, tmp_path: Path, capsys) -> None:
    planted = tmp_path / "planted.glb"
    assert main(["plant", str(knight), "-o", str(planted)]) == 0
    capsys.readouterr()
    main(["check", str(planted), "--against", str(knight), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["animation"] for line in lines] == ["1H_Melee_Attack_Chop", "Throw", "Walking_A"]
    assert all("rows" in line for line in lines)
    main(["check", str(planted)])
    printed = capsys.readouterr().out
    assert "knight.glb" not in printed
    assert "planted.glb: Throw" in printed
    assert "all 3" in printed


@pytest.mark.slow
def test_folders_may_hold_files_of_all_kinds(knight: Path, tmp_path: Path, capsys) -> None:
    sk.example("biped").clip[:60].save(knight.parent / "walk.bvh")
    out = tmp_path / "out"
    assert main(["plant", str(knight.parent), "-o", str(out), "--jobs", "2", "--json"]) == 0
    *lines, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {Path(line["clip"]).name: "animations" in line for line in lines} == {"knight.glb": True, "walk.bvh": False}
    assert last["summary"]["clips"] == 2
    assert len(sk.load_animations(out / "knight.glb")) == 3
    assert main(["plant", str(knight.parent), "-o", str(out), "--json"]) == 0
    statuses = [json.loads(line).get("status") for line in capsys.readouterr().out.splitlines()]
    assert statuses[:2] == ["skipped", "skipped"]


def test_info_lists_animations_skins_and_legs(knight: Path, capsys) -> None:
    assert main(["info", str(knight)]) == 0
    printed = capsys.readouterr().out
    for words in ("format  glTF, +Y is up", "skin 'skin_0' of 42 joints", "3 animations", "Throw", "leg     left"):
        assert words in printed
    assert main(["info", str(knight), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in facts["animations"]] == ["1H_Melee_Attack_Chop", "Throw", "Walking_A"]
    assert facts["file"]["format"] == "glTF"


def test_a_file_without_an_animation_is_told_of_and_not_planted(tmp_path: Path, capsys) -> None:
    path = SmallGltf().write(tmp_path / "still.glb")
    assert main(["info", str(path)]) == 0
    assert "there is no animation: the clip is the rest pose" in capsys.readouterr().out
    assert main(["convert", str(path), str(tmp_path / "still.bvh")]) == 0
    assert sk.load(tmp_path / "still.bvh").names == ("hips", "knee", "foot")
    capsys.readouterr()
    for arguments in (["plant", str(path), "-o", str(tmp_path / "out.glb")], ["check", str(path)]):
        assert main(arguments) == 1
        assert (
            capsys.readouterr().err == f"skelkin: {path} has no animation, only a rest pose: give a file with motion\n"
        )
    assert not (tmp_path / "out.glb").exists()


def test_view_needs_to_know_which(knight: Path, tmp_path: Path, capsys) -> None:
    page = tmp_path / "page.html"
    assert main(["view", str(knight), "-o", str(page)]) == 1
    assert "choose one with --animation" in capsys.readouterr().err
    assert main(["view", str(knight), "-o", str(page), "--animation", "Throw"]) == 0
    assert page.stat().st_size > 10_000


def test_a_rate_counts_whatever_files_say(knight: Path, tmp_path: Path, capsys) -> None:
    assert main(["info", str(knight), "--animation", "Throw", "--fps", "60", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["fps"], facts["file"]["fps_source"]) == (60.0, "given")
    walk = tmp_path / "walk.bvh"
    clip = sk.example("biped").clip[:9]
    clip.save(walk)
    np.savez(tmp_path / "walk.npz", positions=clip.positions(), parents=clip.skeleton.parents, fps=30.0)
    for name in ("walk.bvh", "walk.npz"):
        assert main(["info", str(tmp_path / name), "--fps", "60", "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert (facts["fps"], facts["num_frames"], facts["file"]["fps_source"]) == (60.0, 9, "given")


def test_scales_become_distances_where_a_format_has_none(tmp_path: Path, capsys) -> None:
    clip = sk.example("biped").clip[:20]
    large = clip.replace(scales=np.full(clip.translations.shape, 1.01))
    large.save(tmp_path / "large.glb")
    assert main(["convert", str(tmp_path / "large.glb"), str(tmp_path / "large.bvh")]) == 0
    assert "not written, because the format cannot store it: scales" in capsys.readouterr().out
    again = sk.load(tmp_path / "large.bvh")
    order = [again.skeleton.index(name) for name in large.names]
    np.testing.assert_allclose(
        again.positions()[:, order], large.positions(), atol=2e-6 * np.abs(large.positions()).max()
    )


def test_files_of_other_programs_are_told_the_way(tmp_path: Path, capsys) -> None:
    named = {"walk.fbx": "import_scene.fbx", "walk.usda": "usd_import", "my walk.blend": "my walk.glb"}
    for name, words in named.items():
        shutil.copy(__file__, tmp_path / name)
        assert main(["info", str(tmp_path / name)]) == 1
        told = capsys.readouterr().err
        assert words in told
        assert "export_scene.gltf" in told


def test_the_line_for_other_programs_is_quoted_for_the_shell_of_the_system(monkeypatch) -> None:
    told = other_programs.conversion_hint("Bob's walk.fbx")
    assert shlex.split(told)[-3:] == ["--", "Bob's walk.fbx", "Bob's walk.glb"]
    monkeypatch.setattr(other_programs, "os", SimpleNamespace(name="nt", path=os.path))
    told = other_programs.conversion_hint("Bob's walk.fbx")
    assert told.endswith(' -- "Bob\'s walk.fbx" "Bob\'s walk.glb"')
