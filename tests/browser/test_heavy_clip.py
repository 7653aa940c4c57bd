# SPDX-License-Identifier: MIT
"""A clip and a skin as large as the player promises: what goes to the graphics card in a frame, and how often it draws.

The time of script is printed and no test: it belongs to the machine. ``pytest -s`` shows it.
"""

from __future__ import annotations

import numpy as np
import pytest
from browser_tabs import wait_until
from player_pages import heavy_clip, heavy_mesh

import skelkin_py as sk

# Counts calls of WebGL, and bytes that go up, by kind.
COUNTED = """(() => {
  const kind = WebGL2RenderingContext.prototype, log = window.counted = { draws: [], bytes: {} };
  let frame = null;
  const wrap = (name, note) => {
    const own = kind[name];
    kind[name] = function (...given) { note.call(this, ...given); return own.apply(this, given); };
  };
  wrap("bindFramebuffer", (target, to) => { frame = to; });
  for (const name of ["drawElements", "drawArrays", "drawArraysInstanced", "drawElementsInstanced"])
    wrap(name, (...given) => {
      log.draws.push([name, name.startsWith("drawElements") ? given[1] : given[2], frame === null]);
    });
  const up = (name, array) => { log.bytes[name] = (log.bytes[name] || 0) + (array ? array.byteLength : 0); };
  wrap("texImage2D", (...given) => up("texImage2D", given[8]));
  wrap("bufferData", (target, array) => up("bufferData", array));
  wrap("bufferSubData", (target, at, array) => up("bufferSubData", array));
})()"""


SMALL = {"width": 320, "height": 240}  # pixels take their time without a graphics card


@pytest.fixture(scope="module")
def heavy_page(tmp_path_factory):
    clip = heavy_clip()
    mesh = heavy_mesh(clip)
    assert (clip.num_frames, len(clip.names), len(mesh.points)) == (3000, 60, 100_000)
    return sk.view.write_html(tmp_path_factory.mktemp("heavy") / "heavy.html", clip, mesh=mesh), mesh


def frame_of(tab, frame):
    """Return what one frame drew and sent."""
    wait_until(tab.page, "skelkin.timing.frames > 0")
    before = tab.page.evaluate("counted.draws = [], counted.bytes = {}, skelkin.timing.frames")
    tab.page.evaluate(f"skelkin.setFrame({frame})")
    wait_until(tab.page, f"skelkin.timing.frames > {before}")
    drawn, seen = tab.page.evaluate("[skelkin.timing.frames, counted]")
    assert drawn == before + 1
    return seen


def test_a_mesh_is_one_draw_call_and_only_joint_matrices_go_up(open_page, heavy_page):
    page, mesh = heavy_page
    tab = open_page(page, "#frame=100&show=skin,after,ground", before=COUNTED, viewport=SMALL)
    seen = frame_of(tab, 1500)
    corners = mesh.faces.size
    assert [count for _, count, on_screen in seen["draws"] if on_screen and count == corners] == [corners]
    assert [count for _, count, on_screen in seen["draws"] if not on_screen] == [corners]  # and one for its shadow
    assert len(seen["draws"]) == 3  # the ground
    assert seen["bytes"] == {"texImage2D": 60 * 16 * 4}


def test_each_of_several_figures_is_one_draw_call(open_page, tmp_path):
    biped = sk.example("biped")
    page = sk.view.write_html(tmp_path / "three.html", [biped.clip] * 3, mesh=biped.mesh)
    tab = open_page(page, "#frame=100&show=skin,clip1,clip2,clip3", before=COUNTED)
    on_screen = [count for _, count, seen in frame_of(tab, 50)["draws"] if seen]
    assert on_screen == [biped.mesh.faces.size] * 3


def test_bones_of_a_figure_are_two_draw_calls_whatever_their_number(open_page, tmp_path):
    page = sk.view.write_html(tmp_path / "bones.html", heavy_clip(frames=30))
    tab = open_page(page, "#frame=10&show=skeleton,after", before=COUNTED)
    assert [name for name, _, seen in frame_of(tab, 20)["draws"] if seen] == ["drawArraysInstanced"] * 2


def test_the_heavy_page_plays(open_page, heavy_page):
    page, _ = heavy_page
    tab = open_page(page, "#frame=0", viewport=SMALL)
    assert len(np.unique(tab.picture(10).reshape(-1, 3), axis=0)) > 300
    tab.page.evaluate("Object.assign(skelkin.timing, { frames: 0, mean: 0, worst: 0 })")
    tab.page.keyboard.press("Space")
    wait_until(tab.page, "skelkin.timing.frames >= 3")
    told = tab.page.evaluate("skelkin.timing")
    print(
        "\nscript a frame, 3000 frames x 60 joints, 100 000 vertices: "
        f"mean {told['mean']:.2f} ms, worst {told['worst']:.2f} ms"
    )
    print(f"page: {page.stat().st_size / 1e6:.1f} MB")
