# SPDX-License-Identifier: MIT
"""The README's Python runs as printed, in its order; its pictures are what their scripts draw, and small enough."""

from __future__ import annotations

import importlib
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import skelkin_py as sk
from skelkin_py.cli import main

README = Path(__file__).resolve().parents[2] / "README.md"
FIGURES = README.parent / "docs" / "figures"


def test_python_blocks_run_as_printed(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.S)
    shutil.copy(data_dir / "bvh" / "cmu_12_01_walk.bvh", tmp_path / "walk.bvh")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), namespace)
    printed = capsys.readouterr().out
    assert "LeftUpLeg" in printed
    assert (tmp_path / "planted.bvh").stat().st_size > 100_000
    assert "<canvas" in (tmp_path / "planted.html").read_text(encoding="utf-8")


def shell_lines(heading: str) -> list[str]:
    """Return the commands below a heading, without what is said behind them."""
    part = README.read_text(encoding="utf-8").split(f"{heading}\n", 1)[1]
    return [line.split("#")[0].strip() for line in re.findall(r"```\n(.*?)```", part, flags=re.S)[0].splitlines()]


def test_what_stands_below_install_runs_without_a_clip(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    install, *commands = shell_lines("## Install")
    assert install == "pip install ."
    assert commands
    for command in commands:
        program, *words = command.split()
        assert program == "skelkin"
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
    assert "plant" in capsys.readouterr().out


def test_the_shell_converts_frames_that_the_example_has(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    sk.example("biped").clip.save("walk.bvh")
    (command,) = (line for line in shell_lines("## Five commands") if "--frames" in line)
    assert main(command.split()[1:]) == 0


def test_the_pictures_show_the_figures_that_the_ten_lines_print(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(FIGURES))
    monkeypatch.chdir(tmp_path)
    lines: dict[str, object] = {}
    exec(re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.S)[0], lines)
    drawn = importlib.import_module("readme").planted()
    assert lines["planted"].report.as_rows() == drawn.report.as_rows()


def test_it_is_read_in_a_minute() -> None:
    assert len(README.read_text(encoding="utf-8")) <= 6000


def test_results_beside_motion_correction_are_those_of_their_page() -> None:
    page = (README.parent / "docs" / "planting-beside.md").read_text(encoding="utf-8").splitlines()
    rows = re.findall(r"^\| .*motion_correction \d+ \|$", README.read_text(encoding="utf-8"), flags=re.M)
    assert len(rows) >= 4
    assert set(rows) <= set(page)


@pytest.mark.slow
def test_the_film_of_before_and_after_is_what_its_script_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FIGURES))
    readme = importlib.import_module("readme")
    path = FIGURES / "before_after.gif"
    assert path.stat().st_size <= 2_000_000
    first, last = readme.FILM["frames"]
    with Image.open(path) as film:
        assert film.size == readme.FILM["size"]
        assert film.n_frames == round((last - first + 1) / 30 * readme.FILM["fps"])
        drawn = readme.film(tmp_path / "first.gif", frames=(first, first + 5))
        with Image.open(drawn) as new:
            for picture in (0, 1):
                film.seek(picture)
                new.seek(picture)
                each = [np.asarray(image.convert("RGB"), float) for image in (film, new)]
                assert np.abs(each[0] - each[1]).mean() < 3.0


def test_the_picture_of_the_report_page_is_there() -> None:
    with Image.open(FIGURES / "report_page.png") as picture:
        assert picture.size == (1280, 760)
