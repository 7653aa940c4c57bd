# SPDX-License-Identifier: MIT
"""One picture of a film: panels side by side, each with a body on its ground and the slide of its standing feet.

It is drawn at twice the size and averaged, which smooths edges without seams between triangles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._support.array_types import Flags, Floats
from ..._support.errors import MissingExtraError
from ...plot import BEFORE, CONTACT, QUIET
from ..scene_data import ground_lines
from ..stage import Stage
from .bodies import body_of
from .camera import Camera, View, focus_of
from .standing import Standing

_PALE, _DARK = np.array([0.925, 0.937, 0.95]), np.array([0.86, 0.882, 0.905])
_RADIUS, _CELL, _FADED = 1.9, 6.0, 0.7  # of the figure's size; cells in that size; the opaque part of the radius
_SEEN_THROUGH = 0.86
_LAYERS = {"sunk": 1, "ground": 2, "shadow": 3, "standing": 5}  # of polygons, by their heights
_LINES, _TEXTS = 4, 6
_BACKGROUND, _INK, _AFTER_TEXT = "#f8fafb", "#1b2430", "#0b7d5d"
_SMOOTH = 2
_DPI = 100
_POINTS = 72.0 / _DPI  # of a pixel
_BODY, _GHOST = np.array([0.62, 0.67, 0.73]), np.array([0.96, 0.80, 0.72])
_DOWN = np.array([[0.06, 0.62, 0.46], [0.85, 0.34, 0.17]])  # feet that stand, after and before
_LIGHT = np.array([-0.35, 0.75, -0.55])  # in the camera's axes: right, up, forward
_TRAIL = 0.7  # s
_TITLE = 0.085  # of the height


def ground_squares(stage: Stage, middle: Floats) -> tuple[Floats, Floats]:
    """Return the ground about a point as quads (N, 4, 3) and their colours (N, 4), fading out with the distance."""
    cell = _round(stage.framing.size / _CELL)
    radius = _RADIUS * stage.framing.size
    fine = callable(stage.ground)
    step = cell / 2.0 if fine else cell
    lines = [
        step * np.arange(np.floor((middle[k] - radius) / step), np.ceil((middle[k] + radius) / step) + 1)
        for k in (0, 2)
    ]
    xs, zs, heights = ground_lines(stage.ground, stage.turn, lines, 4 if fine else 0, 0.3, step / 12.0)
    points = np.stack(np.broadcast_arrays(xs[:, None], heights, zs[None, :]), -1)
    quads = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], axis=2).reshape(-1, 4, 3)
    centre = quads.mean(1)
    far = np.hypot(*(centre - middle)[:, [0, 2]].T) / radius
    kept = far < 1.0
    quads, centre, far = quads[kept], centre[kept], far[kept]
    odd = (np.floor(centre[:, 0] / cell) + np.floor(centre[:, 2] / cell)) % 2 == 1
    normal = np.cross(quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0])
    upright = np.abs(normal[:, 1]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    tone = np.where(odd[:, None], _DARK, _PALE) * (0.62 + 0.38 * upright)[:, None]
    opaque = _SEEN_THROUGH * np.clip((1.0 - far) / (1.0 - _FADED), 0.0, 1.0)
    return quads, np.concatenate([tone, opaque[:, None]], axis=1)


def _round(value: float) -> float:
    """Return the power of ten, or two or five times one, below the value."""
    unit = 10.0 ** np.floor(np.log10(value))
    return float(unit * max(m for m in (1.0, 2.0, 5.0) if m * unit <= value * (1 + 1e-9)))


class _Polygons:
    """The polygons of one layer. Paths are made once and then moved, which takes a third of the time."""

    def __init__(self, axes: Any, order: float) -> None:
        from matplotlib.collections import PathCollection

        self._shown: Any = PathCollection([], sizes=None, antialiaseds=False, linewidths=0, zorder=order)
        axes.add_collection(self._shown, autolim=False)
        self._corners = np.zeros((0, 3, 2))
        self._paths: list[Any] = []

    def fill(self, polygons: Floats, colours: Floats) -> None:
        """Replace the polygons by others (N, K, 2) with colours (N, 4)."""
        if polygons.shape[1:] != self._corners.shape[1:]:
            self._corners, self._paths = np.zeros((0, *polygons.shape[1:])), []
        if len(polygons) > len(self._paths):
            from matplotlib.path import Path

            self._corners = np.zeros((2 * len(polygons), *polygons.shape[1:]))
            self._paths = [Path(corners) for corners in self._corners]
        self._corners[: len(polygons)] = polygons
        self._shown.set_paths(self._paths[: len(polygons)])
        self._shown.set_facecolor(colours)
        self._shown.stale = True


class Panel(NamedTuple):
    """A part of the picture: its clips (0 the clip, 1 the one to compare), the first in front, and its texts."""

    clips: tuple[int, ...]
    caption: str = ""
    below: str = ""

    def is_behind(self, which: int) -> bool:
        """Tell whether a clip is drawn behind another one."""
        return which == 1 and len(self.clips) > 1


class Pictures:
    """Pictures of one stage in the same layout.

    Parameters
    ----------
    stage : Stage
        The content.
    standing : Standing or None
        The measures of standing feet.
    size : (int, int)
        Width and height in pixels.
    panels : sequence of sequences of Panel
        Rows of panels, from the top.
    view : View
        The view of the camera.
    title : str
        Text above all panels.
    function : str
        The caller, for the message about missing matplotlib.
    """

    def __init__(
        self,
        stage: Stage,
        standing: Standing | None,
        size: tuple[int, int],
        panels: Sequence[Sequence[Panel]],
        view: View,
        title: str,
        function: str,
    ) -> None:
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtraError(function, "matplotlib", "film") from error
        self._stage, self._body, self._standing, self._view = stage, body_of(stage), standing, view
        self._focus = focus_of(stage, view)
        figure = Figure((size[0] / _DPI, size[1] / _DPI), dpi=_DPI * _SMOOTH, facecolor=_BACKGROUND)
        self._canvas: Any = FigureCanvasAgg(figure)
        top = 1.0 - _TITLE * bool(title)
        if title:
            letters = min(0.55 * _TITLE * size[1], size[0] / (0.62 * len(title))) * _POINTS
            figure.text(0.5, 1.0 - _TITLE / 2, title.replace("$", r"\$"), ha="center", va="center", color=_INK,
                        fontsize=letters, weight="bold")  # fmt: skip
        wide, high = 1.0 / len(panels[0]), top / len(panels)
        self._drawn = [
            _Drawn(figure, (c * wide, top - (r + 1) * high, wide, high), panel, size, len(stage.feet))
            for r, row in enumerate(panels)
            for c, panel in enumerate(row)
        ]
        self._paths = [_standing_paths(stage, standing, which) for which in range(len(stage.clips))]

    def at(self, frames: Sequence[float]) -> NDArray[np.uint8]:
        """Return the picture (H, W, 3) at a moment for each panel; frames may lie between two."""
        for drawn, frame in zip(self._drawn, frames, strict=True):
            self._draw(drawn, frame)
        self._canvas.draw()
        full = np.asarray(self._canvas.buffer_rgba())[..., :3].astype(np.uint16)
        quarters = (full[a::_SMOOTH, b::_SMOOTH] for a in range(_SMOOTH) for b in range(_SMOOTH))
        return np.asarray((sum(quarters) + _SMOOTH**2 // 2) // _SMOOTH**2, np.uint8)

    def _draw(self, drawn: _Drawn, frame: float) -> None:
        stage = self._stage
        first = min(int(frame), len(self._focus) - 1)
        part = frame - first
        focus = (1.0 - part) * self._focus[first] + part * self._focus[min(first + 1, len(self._focus) - 1)]
        camera = Camera.looking_at(stage, focus, self._view, drawn.aspect)
        quads, tones = ground_squares(stage, focus)
        flat, away = drawn.seen(camera, quads)
        order = np.argsort(-away.mean(1))
        drawn.polygons["ground"].fill(flat[order], tones[order])
        sunk, standing = [], []
        for which in drawn.panel.clips[::-1]:
            below, flat, colours = self._triangles(drawn, camera, which, frame)
            sunk.append((flat[below], colours[below]))
            standing.append((flat[~below], colours[~below]))
        for name, parts in (("sunk", sunk), ("standing", standing)):
            drawn.polygons[name].fill(*(np.concatenate([part[k] for part in parts]) for k in (0, 1)))
        self._draw_shadows(drawn, camera, frame)
        self._draw_paths(drawn, camera, frame)

    def _triangles(self, drawn: _Drawn, camera: Camera, which: int, frame: float) -> tuple[Flags, Floats, Floats]:
        """Return the triangles that face the camera, the farthest first.

        Which are below the ground (N,), where they are (N, 3, 2), and their colours (N, 4).
        """
        ghost = drawn.panel.is_behind(which)
        corners = self._body.points(which, frame)[self._body.faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        middle = corners.mean(1)
        faces = ((camera.eye - middle) * normal).sum(1) > 0.0
        corners, normal, middle = corners[faces], normal[faces], middle[faces]
        below = middle[:, 1] < self._stage.heights(middle)
        flat, away = drawn.seen(camera, corners)
        lit = normal @ camera.axes.T
        lit = (lit @ (_LIGHT / np.linalg.norm(_LIGHT))) / np.maximum(np.linalg.norm(lit, axis=1), 1e-30)
        tone = np.tile(_GHOST if ghost else _BODY, (len(corners), 1))
        down = np.array([any(a <= frame <= b for a, b in foot.spans) for foot in self._stage.feet], np.float64)
        if len(down) and not ghost:
            part = np.clip(self._body.feet[faces] @ down, 0.0, 1.0)[:, None]
            tone = (1.0 - part) * tone + part * _DOWN[which]
        tone = tone * (0.72 + 0.4 * np.clip(lit, -0.6, 1.0))[:, None]
        order = np.argsort(-away.mean(1))
        colours = np.concatenate([np.clip(tone, 0.0, 1.0), np.ones((len(tone), 1))], axis=1)
        return below[order], flat[order], colours[order]

    def _draw_shadows(self, drawn: _Drawn, camera: Camera, frame: float) -> None:
        """Draw a patch on the ground below each foot."""
        patches, dark = np.zeros((0, 16, 3)), np.zeros((0, 4))
        for which in drawn.panel.clips:
            for foot in self._stage.feet:
                if foot.joints and not drawn.panel.is_behind(which):
                    patch, opacity = self._shadow(self._stage.points[which][round(frame), list(foot.joints)])
                    patches = np.concatenate([patches, patch[None]])
                    dark = np.concatenate([dark, [[0.1, 0.14, 0.2, opacity]]])
        drawn.polygons["shadow"].fill(drawn.seen(camera, patches)[0], dark)

    def _shadow(self, joints: Floats) -> tuple[Floats, float]:
        """Return a patch (16, 3) on the ground below a foot, and its opacity, which grows as the foot comes near."""
        size = self._stage.framing.size
        turn = 2.0 * np.pi * np.arange(16) / 16.0
        middle, reach = joints.mean(0), 0.045 * size
        patch = middle + np.stack([np.cos(turn), 0 * turn, np.sin(turn)], -1) * (
            reach + np.ptp(joints, axis=0).max() / 3
        )
        under = float(self._stage.heights(middle[None])[0])
        heights = self._stage.heights(patch)
        patch[:, 1] = np.where(np.abs(heights - under) < reach, heights, under)  # flat at steps
        above = max(float(joints[:, 1].min()) - under, 0.0)
        return patch, 0.30 * float(np.exp(-above / (0.06 * size)))

    def _draw_paths(self, drawn: _Drawn, camera: Camera, frame: float) -> None:
        """Draw the recent paths of the feet, and how far they slid where they stood."""
        stage = self._stage
        lines: list[Floats] = []
        looks: list[tuple[str, float, float]] = []
        texts: list[tuple[Floats, str, str]] = []
        back = int(max(frame - _TRAIL * stage.clips[0].fps, 0.0))
        for which in drawn.panel.clips:
            tone = CONTACT if which == 0 else BEFORE
            for k, (foot, paths) in enumerate(zip(stage.feet, self._paths[which])):
                if not foot.joints:
                    continue
                lines.append(drawn.seen(camera, stage.points[which][back : int(frame) + 1, foot.joints[-1]])[0])
                looks.append((QUIET, 1.2, 0.55))
                for first, path in paths:
                    if first > frame:
                        continue
                    past = path[: int(frame) - first + 1]
                    seen = drawn.seen(camera, past)[0]
                    lines.append(np.concatenate([seen, seen[-1:] + 1e-3]))  # a path of no length is a dot
                    looks.append((tone, 6.0, 1.0))
                    stands = frame - first <= len(path) - 1 and not drawn.panel.is_behind(which)
                    if self._standing is not None and stands:
                        slide = float(np.linalg.norm((past[-1] - past[0])[[0, 2]]))
                        texts.append((seen[-1], self._standing.in_words(which, k, int(frame), slide), tone))
        drawn.draw_lines(lines, looks)
        drawn.write(texts)


class _Drawn:
    """A panel on axes without a frame, in pixels of the picture, and its texts."""

    def __init__(
        self, figure: Any, box: tuple[float, float, float, float], panel: Panel, size: tuple[int, int], feet: int
    ) -> None:
        from matplotlib.collections import LineCollection

        self.panel = panel
        self._wide, self._high = size[0] * box[2], size[1] * box[3]
        self._behind = figure.get_facecolor()
        self._axes = figure.add_axes(box)
        self._axes.set_axis_off()
        self._axes.set_xlim(0, self._wide)
        self._axes.set_ylim(0, self._high)
        self.polygons = {name: _Polygons(self._axes, order) for name, order in _LAYERS.items()}
        self._lines = LineCollection([], capstyle="round", joinstyle="round", zorder=_LINES)
        self._axes.add_collection(self._lines, autolim=False)
        tone = _INK if len(panel.clips) > 1 else (_AFTER_TEXT, BEFORE)[panel.clips[0]]
        fitting = self._wide / (0.66 * max(len(panel.caption), 1))
        letters = min(float(np.clip(0.052 * self._high, 9.0, 30.0)), fitting)
        middle = self._wide / 2.0
        self._text((middle, 0.965 * self._high), panel.caption, letters, va="top", color=tone, weight="bold")
        self._small = float(np.clip(0.036 * self._high, 8.0, 20.0))
        self._text((middle, 0.012 * self._high), panel.below, self._small, va="bottom", color=QUIET)
        self._texts = [self._text((0, 0), "", self._small, va="top", weight="bold") for _ in range(feet)]

    @property
    def aspect(self) -> float:
        """How much wider than high it is."""
        return self._wide / self._high

    def seen(self, camera: Camera, points: Floats) -> tuple[Floats, Floats]:
        """Return where points are in the panel, and how far away."""
        return camera.project(points, self._wide, self._high)

    def draw_lines(self, lines: list[Floats], looks: list[tuple[str, float, float]]) -> None:
        """Replace the lines by others, with colours, widths in a picture 400 pixels high, and opacities."""
        from matplotlib.colors import to_rgba

        self._lines.set_segments(lines)
        self._lines.set_color([to_rgba(tone, opaque) for tone, _, opaque in looks] or "none")
        self._lines.set_linewidth([_POINTS * (wide * self._high / 400.0) for _, wide, _ in looks] or 0)

    def _text(self, at: tuple[float, float], text: str, size: float, **look: Any) -> Any:
        """Write text at a place, in a size in pixels; dollar signs do not make formulas."""
        from matplotlib.patheffects import withStroke

        halo = withStroke(linewidth=4.0 * _POINTS, foreground=self._behind, alpha=0.8)
        look |= {"ha": "center", "fontsize": size * _POINTS, "zorder": _TEXTS, "path_effects": [halo]}
        return self._axes.text(*at, text.replace("$", r"\$"), **look)

    def write(self, texts: list[tuple[Floats, str, str]]) -> None:
        """Write (place, text, colour) below places of the picture, inside the panel and without overlap."""
        texts = sorted(texts, key=lambda each: float(each[0][0]))
        places = [self._place(at, text) for at, text, _ in texts]
        for k in range(1, len(places)):
            (_, left_up), (_, right_up) = places[k - 1], places[k]
            missing = places[k - 1][0] + self._reach(texts[k - 1][1]) + self._reach(texts[k][1]) - places[k][0]
            if missing > 0.0 and abs(left_up - right_up) < 2.5 * self._small:
                places[k - 1][0] -= missing / 2.0
                places[k][0] += missing / 2.0
        for k, shown in enumerate(self._texts):
            if k < len(texts):
                shown.set(position=places[k], text=texts[k][1], color=texts[k][2])
            else:
                shown.set_text("")

    def _place(self, at: Floats, text: str) -> Floats:
        """Return the position of the upper end of a text below a place."""
        lines = text.count("\n") + 1 + bool(self.panel.below)
        return np.array([at[0], max(at[1] - 0.025 * self._high, (0.5 + 1.25 * lines) * self._small)])

    def _reach(self, text: str) -> float:
        """Return about half the width of a text."""
        return 0.36 * self._small * max(map(len, text.split("\n")))


def _standing_paths(stage: Stage, standing: Standing | None, which: int) -> list[list[tuple[int, Floats]]]:
    """Return for each foot the first frame and the path on the ground (n, 3) of each span in which its ball stands."""
    out: list[list[tuple[int, Floats]]] = []
    for k, foot in enumerate(stage.feet):
        out.append([])
        if standing is None or not foot.joints:
            continue
        steps = standing.curves[which][k].ball_steps @ stage.turn.T
        for first, last in foot.on_ball:
            path = np.concatenate([np.zeros((1, 3)), np.cumsum(steps[first:last], axis=0)])
            path = path + stage.points[which][first, foot.joints[-1]]
            path[:, 1] = stage.heights(path)
            out[-1].append((first, path))
    return out
