# SPDX-License-Identifier: MIT
"""The browser, and the page that `make demo` writes."""

from __future__ import annotations

import shutil

import pytest
from browser_tabs import LIMIT, Tab, wait_until

import skelkin_py as sk

# WebGL on the processor; what is no WebGL is painted without it, which takes half of the time.
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization", "--no-sandbox"]


@pytest.fixture(scope="session")
def report_file(tmp_path_factory):
    """The page as `make demo` writes it."""
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)
    return sk.view.write_html(
        tmp_path_factory.mktemp("page") / "report.html",
        planted.clip,
        compare=biped.clip,
        mesh=biped.mesh,
        report=planted.report,
        ground=biped.ground,
    )


@pytest.fixture(scope="session")
def launcher(require):
    """A function from flags to a browser."""
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    require(program, "chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield lambda flags: playwright.chromium.launch(executable_path=program, args=flags, timeout=LIMIT)


@pytest.fixture(scope="session")
def browser(launcher):
    """Debian's Chromium, driven by playwright, with WebGL; no browser is downloaded."""
    chromium = launcher(FLAGS)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def flat_browser(launcher):
    """The same without WebGL."""
    chromium = launcher(["--disable-gpu", "--disable-3d-apis", "--no-sandbox"])
    yield chromium
    chromium.close()


@pytest.fixture
def open_page(browser, report_file):
    """Return a function that opens the page with an offline network and returns a Tab."""
    contexts, tabs = [], []

    def open_(path=report_file, hash_="#frame=0", before=None, **options):
        few_pixels = {"viewport": {"width": 760, "height": 520}, "device_scale_factor": 0.5}
        context = browser.new_context(offline=True, **{**few_pixels, **options})
        context.set_default_timeout(LIMIT)
        if before:
            context.add_init_script(before)
        page = context.new_page()
        tab = Tab(page, [], [])
        page.on("console", lambda m: m.type in ("error", "warning") and tab.complaints.append(m.text))
        page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        page.on("request", lambda request: tab.requests.append(request.url))
        page.goto(path.as_uri() + hash_)
        wait_until(page, "window.skelkin !== undefined")
        contexts.append(context)
        tabs.append(tab)
        return tab

    yield open_
    for context in contexts:
        context.close()
    for tab in tabs:
        assert tab.complaints == []
        assert all(url.startswith(("file:", "data:", "about:")) for url in tab.requests), tab.requests
        assert len([url for url in tab.requests if url.startswith("file:")]) == 1, tab.requests
