# SPDX-License-Identifier: MIT
"""The film of README is what its script draws, and small enough for the page."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "figures"


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
