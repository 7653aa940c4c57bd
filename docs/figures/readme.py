# SPDX-License-Identifier: MIT
"""The pictures of README from the embedded biped, planted on its ground; `make pictures` runs this.

`python docs/figures/readme.py` writes docs/figures/before_after.gif, and with playwright and an installed Chromium
docs/figures/report_page.png.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import skelkin_py as sk

HERE = Path(__file__).resolve().parent
#: 38 pictures in which feet float, slide and sink on a step and a slope
FILM: dict[str, Any] = {"frames": (38, 132), "fps": 12, "size": (720, 440), "camera": (66, 9), "zoom": 1.0}
PAGE = {"width": 1280, "height": 760}
FRAME = 117  # one foot stands flat, below the ground before
FLAGS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
LIMIT = 200_000  # ms


def planted() -> sk.Planted:
    """Return the biped as the ten lines of README plant it."""
    biped = sk.example("biped")
    return biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)


def film(path: Path, **changes: Any) -> Path:
    """Write the film of before and after."""
    biped = sk.example("biped")
    return planted().save_film(path, compare=biped.clip, mesh=biped.mesh, ground=biped.ground, **{**FILM, **changes})


def page(path: Path) -> None:
    """Write a picture of the report's page, as `make demo` makes it."""
    from playwright.sync_api import sync_playwright

    biped = sk.example("biped")
    made = planted()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = sk.view.write_html(
            Path(folder) / "report.html",
            made.clip,
            compare=biped.clip,
            mesh=biped.mesh,
            report=made.report,
            ground=biped.ground,
            title="A walk, planted on a step and a slope",
        )
        program = next(p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=LIMIT)
        tab = browser.new_page(viewport=PAGE)
        tab.set_default_timeout(LIMIT)
        tab.goto(file.as_uri())
        tab.wait_for_function("() => window.skelkin !== undefined")
        tab.evaluate(f"skelkin.setFrame({FRAME})")
        tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tab.screenshot(path=path)
        browser.close()


def main() -> None:
    """Write both."""
    film(HERE / "before_after.gif")
    page(HERE / "report_page.png")


if __name__ == "__main__":
    main()
