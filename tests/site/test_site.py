# SPDX-License-Identifier: MIT
"""The site that `make docs` has made: links lead somewhere, nothing comes from a network, the search finds names."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import skelkin_py as sk

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
NOTEBOOKS = sorted(path.stem for path in (ROOT / "examples").glob("*.ipynb"))


class Reader(HTMLParser):
    """What a page has ids for, links to and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        for name, value in attributes:
            if name == "id" and value:
                self.ids.append(value)
            elif tag == "a" and name == "href" and value:
                self.links.append(value)
            elif name in ("src", "srcset", "poster", "data") or (tag == "link" and name == "href"):
                self.loaded.append(value or "")


@cache
def read(page: Path) -> Reader:
    reader = Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


@pytest.fixture(scope="module")
def pages(require) -> list[Path]:
    found = sorted(SITE.rglob("*.html"))
    require(found, "the site: make docs")
    return found


def test_the_reference_links_to_its_pages_of_python_and_c(pages: list[Path]) -> None:
    page = SITE / "docs" / "reference" / "index.html"
    inside = page.read_text(encoding="utf-8").split("<article", 1)[1]
    assert {"python/index.html", "c/index.html"} <= set(re.findall(r'href="([^"#]*)', inside))


def test_nothing_is_loaded_from_a_network(pages: list[Path]) -> None:
    for page in pages:
        remote = [each for each in read(page).loaded if urlsplit(each).scheme not in ("", "data") or each[:2] == "//"]
        assert not remote, f"{page.relative_to(SITE)} loads {remote}"
    for sheet in SITE.rglob("*.css"):
        asked = re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")]+)", sheet.read_text(encoding="utf-8"))
        assert not asked, f"{sheet.relative_to(SITE)} loads {asked}"


def test_links_inside_lead_to_pages_and_places_that_exist(pages: list[Path]) -> None:
    lost = []
    for page in pages:
        for link in read(page).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert re.fullmatch(r"https?|mailto", parts.scheme), f"{page.relative_to(SITE)}: {link}"
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            here = unquote(parts.fragment)
            if not target.is_file() or (here and target.suffix == ".html" and here not in read(target).ids):
                lost.append(f"{page.relative_to(SITE)}: {link}")
    assert not lost


@pytest.mark.parametrize("module", ["skelkin_py", "skelkin_py.blender", "skelkin_py.view"])
def test_every_public_name_has_one_place_in_the_reference(pages: list[Path], module: str) -> None:
    names = {"skelkin_py": sk, "skelkin_py.blender": sk.blender, "skelkin_py.view": sk.view}[module].__all__
    ids = [each.removeprefix("module-") for page in pages for each in read(page).ids]
    assert {name: ids.count(f"{module}.{name}") for name in names} == dict.fromkeys(names, 1)


def test_functions_of_the_headers_have_a_place(pages: list[Path]) -> None:
    ids = {each for page in pages for each in read(page).ids}
    assert {"c.skl_forward_kinematics_run", "c.skl_plant_solve", "c.skl_status_text"} <= ids


def test_names_in_sentences_lead_to_the_reference(pages: list[Path]) -> None:
    assert "reference/python/planting.html#skelkin_py.plant_locals" in read(SITE / "docs/planting.html").links
    assert "reference/c/planting.html#c.skl_plant_learn" in read(SITE / "docs/planting.html").links


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_have_been_run(pages: list[Path], name: str) -> None:
    page = (SITE / "examples" / f"{name}.html").read_text(encoding="utf-8")
    assert page.count("cell_output") >= 3
    assert "Traceback" not in page


def test_the_site_is_no_larger_than_20_megabytes(pages: list[Path]) -> None:
    assert sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) < 20e6


def search(asked: str, profile: Path) -> str:
    """Return the results of the site's search as a browser shows them."""
    command = [
        shutil.which("chromium") or "",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={profile}",
    ]
    command += ["--virtual-time-budget=6000", "--dump-dom", f"file://{SITE}/search.html?q={asked}"]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    return dom[dom.index('id="search-results"') :]


@pytest.mark.parametrize(
    ("asked", "found"), [("plant_feet", "plant_feet"), ("skl_plant_solve", "planting.h"), ("soften", "Inverse")]
)
def test_the_search_works_from_a_folder(pages: list[Path], require, tmp_path: Path, asked: str, found: str) -> None:
    require(shutil.which("chromium"), "chromium")
    results = search(asked, tmp_path)
    assert found in results
    assert "docs/" in results


@pytest.mark.parametrize("asked", ["pelvis", "two-bone"])
def test_the_search_shows_guides_first_and_records_last(pages: list[Path], require, tmp_path: Path, asked: str) -> None:
    require(shutil.which("chromium"), "chromium")
    results = search(asked, tmp_path).split("</ul>")[0]
    found = [link.split("#")[0] for link in re.findall(r'<a href="((?:docs|examples|benchmarks|C)[^"]*)"', results)]
    guides = [place for place, link in enumerate(found) if link.startswith("docs/guides/")]
    records = [place for place, link in enumerate(found) if re.match(r"benchmarks/|CHANGELOG|docs/status", link)]
    assert guides
    assert records
    assert guides[0] < 3
    assert max(guides) < min(records)
