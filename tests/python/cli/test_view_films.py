# SPDX-License-Identifier: MIT
"""``skelkin view --gif``, ``--mp4`` and ``--png``."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image
from refusals import check_refused

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.bvh"
    sk.example("biped").clip.slice(0, 60).save(path)
    return path


@pytest.mark.slow
def test_view_writes_page_films_and_picture_of_before_and_after_in_one_go(walk: Path, tmp_path: Path, capsys) -> None:
    import av

    planted, page, gif, mp4, png = (tmp_path / f"out.{ending}" for ending in ("bvh", "html", "gif", "mp4", "png"))
    sk.load(walk).plant_feet().save(planted)
    told = ["--frames", "30", "59", "--fps", "10", "--size", "200x120", "--camera", "feet", "--frame", "40"]
    outputs = ["-o", str(page), "--gif", str(gif), "--mp4", str(mp4), "--png", str(png)]
    assert main(["view", str(planted), "--compare", str(walk), *outputs, *told]) == 0
    captured = capsys.readouterr()
    assert captured.out == "".join(f"wrote {path}\n" for path in (page, gif, mp4, png))
    assert captured.err == ""
    with Image.open(gif) as film:
        assert (film.size, film.n_frames) == ((200, 120), 10)
    with av.open(mp4) as film:
        assert [frame.format.name for frame in film.decode(video=0)] == ["yuv420p"] * 10
    with Image.open(png) as picture:
        assert picture.size == (200, 120)


@pytest.mark.slow
def test_options_of_looks_change_the_picture(walk: Path, tmp_path: Path) -> None:
    looks: list[list[str]] = [[], ["--camera", "top"], ["--camera", "10,20"], ["--zoom", "1.5"], ["--title", "A"]]
    looks += [["--compare", str(walk)], ["--compare", str(walk), "--arrange", "together"], ["--ground", "0.2"]]
    pictures = []
    for look in looks:
        assert (
            main(["view", str(walk), "--png", str(tmp_path / "a.png"), "--frame", "9", "--size", "90x90", *look]) == 0
        )
        pictures.append((tmp_path / "a.png").read_bytes())
    assert len(set(pictures)) == len(looks)


@pytest.mark.slow
def test_a_picture_without_a_frame_is_a_strip(walk: Path, tmp_path: Path) -> None:
    assert main(["view", str(walk), "--png", str(tmp_path / "a.png")]) == 0
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (5 * 240, 340)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no file to write: add -o PAGE.html, --gif FILE, --mp4 FILE or --png FILE"),
        (["--gif", "a.mp4"], "--gif a.mp4: give a name that ends in .gif"),
        (["--png", "a.jpg"], "--png a.jpg: give a name that ends in .png"),
        (["-o", "a.html", "--fps", "5"], "--fps needs --gif FILE or --mp4 FILE"),
        (["-o", "a.html", "--camera", "top"], "--camera needs --gif FILE or --mp4 FILE or --png FILE"),
        (["--gif", "a.gif", "--frame", "5"], "--frame needs --png FILE"),
        (["--png", "a.png", "--frames", "5", "9"], "--frames needs --gif FILE or --mp4 FILE"),
        (["--gif", "a.gif", "--open"], "--open opens the page: add -o PAGE.html"),
        (["--gif", "a.gif", "--frames", "9", "5"], "--frames 9 5: give the first frame first"),
        (["--gif", "a.gif", "--size", "10x100"], "--size[0] is 10: 64 to 8192"),
        (["--mp4", "a.mp4", "--size", "101x100"], "--size[0] is 101: an MP4 needs even numbers"),
        (["--gif", "a.gif", "--fps", "60"], "--fps is 60: above 0 and up to 50"),
        (["--gif", "a.gif", "--camera", "low"], "--camera is 'low': must be 'corner'"),
        (["--gif", "a.gif", "--camera", "0,95"], "--camera[1] is 95"),
        (["--gif", "a.gif", "--zoom", "50"], "--zoom is 50: 0.1 to 10"),
    ],
    ids=" ".join,
)
def test_options_that_do_not_fit_together_are_wrong_usage(walk: Path, tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    check_refused(["view", str(walk), *arguments], words, capsys, code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]


@pytest.mark.parametrize(("option", "value"), [("--size", "800"), ("--camera", "1,2,3"), ("--frame", "-1")])
def test_values_that_cannot_be_read_are_wrong_usage(walk: Path, capsys, option: str, value: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["view", str(walk), "--png", "a.png", option, value])
    assert stop.value.code == 2
    assert value in capsys.readouterr().err


def test_frames_that_the_clip_does_not_have_fail_with_its_name(walk: Path, tmp_path: Path, capsys) -> None:
    gif, png = str(tmp_path / "a.gif"), str(tmp_path / "a.png")
    words = "walk.bvh: frames is (0, 60): 0 ≤ first ≤ last < 60 is needed"
    check_refused(["view", str(walk), "--gif", gif, "--frames", "0", "60"], words, capsys)
    check_refused(["view", str(walk), "--png", png, "--frame", "60"], "is 60: the clip has frames 0 to 59", capsys)


@pytest.mark.slow
@pytest.mark.parametrize(("option", "module", "package"), [("--mp4", "av", "av"), ("--gif", "PIL", "pillow")])
def test_without_its_packages_the_option_names_the_extra(walk: Path, tmp_path, option, module, package) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\nfrom skelkin_py.cli import main\n"
        f"sys.exit(main(['view', {str(walk)!r}, {option!r}, 'a.{option[2:]}']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert run.stderr == f'skelkin: {option} needs {package}: pip install ".[film]" in a clone of skelkin\n'
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["gif", "mp4"])
def test_ctrl_c_in_mid_film_leaves_nothing(walk: Path, tmp_path: Path, ending: str) -> None:
    film = f"a.{ending}"
    code = "import sys\nfrom skelkin_py.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "view", str(walk), f"--{ending}", film, "--size", "1600x1200"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    end = time.monotonic() + 60
    while not list(tmp_path.glob(f".{film}.*.part")) and time.monotonic() < end:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130, told
    assert "interrupted: no half-written file is left" in told
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]
