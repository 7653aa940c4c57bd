# SPDX-License-Identifier: MIT
"""The figures of a page: each clip turned to Y up, in its place, with its skin, label and colours."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._support.array_types import Floats
from ..legs import sure_legs
from . import panel, scene_data as sd
from .arguments import PageContent
from .motion_data import pack_motion
from .shown import Framing, drawn_joints, framing_of

_GAP = 0.35  # between figures side by side, as part of their height


class Figure(NamedTuple):
    """One clip of the page.

    Parameters
    ----------
    clip : Clip
        The clip to play.
    key : str
        Its name in scripts and addresses: "after", "before", or "clip1" and so on.
    label : str
        Its name for readers.
    color : str or None
        A colour #rrggbb; None for the colour of its part in a comparison.
    mesh : Mesh or None
        Its skin.
    legs : list of Leg
        Its legs.
    turn : (3, 3) ndarray
        Rotation from the clip's space to Y up.
    global_ : (F, J, 4, 4) ndarray
        Global matrices, turned and in their place.
    points : (F, J + E, 3) ndarray
        Joints, then end sites.
    drawn : list of int
        The joints that are drawn.
    framing : Framing
        What the camera has to show.
    """

    clip: Any
    key: str
    label: str
    color: str | None
    mesh: Any
    legs: list[Any]
    turn: Floats
    global_: Floats
    points: Floats
    drawn: list[int]
    framing: Framing

    @property
    def shown(self) -> Floats:
        """(F, D, 3) The joints that are drawn."""
        return self.points[:, self.drawn]

    @property
    def standing(self) -> Floats:
        """(F, N) Heights of the joints of its feet, else the lowest height of the figure."""
        feet = [j for leg in self.legs for j in (leg.ankle, leg.toe) if j is not None]
        return self.points[:, feet, 1] if feet else self.framing.lows[:, None]

    def moved(self, by: Floats) -> Figure:
        """Return the figure in another place."""
        global_ = self.global_.copy()
        global_[..., :3, 3] += by
        framing = self.framing._replace(body=self.framing.body + by, path=self.framing.path + by)
        framing = framing._replace(lows=self.framing.lows + by[1])
        return self._replace(global_=global_, points=self.points + by, framing=framing)


def figures_of(content: PageContent, report: Any) -> list[Figure]:
    """Return the figures at the positions of their clips; ValueError: a position is not finite, or beyond 1e30.

    `report`: PlantReport or None, for the up axis.
    """
    out: list[Figure] = []
    items = zip(content.clips, content.keys, content.labels, content.colors, content.meshes, strict=True)
    for n, (clip, key, label, color, mesh) in enumerate(items):
        legs = sure_legs(clip.find_legs())
        compared = n > 0 and "before" in content.keys
        turn = out[0].turn if compared else sd.to_y_up(panel.up_of(clip, report, legs))
        global_ = np.array(clip.global_matrices(), float)
        with np.errstate(over="ignore", invalid="ignore"):  # of positions that are refused below
            global_[..., :3, :] = turn @ global_[..., :3, :]
            points = sd.all_points(clip.skeleton, global_)
        sd.check_points(points, f" of {label!r}" if len(content.clips) > 1 else "")
        drawn = drawn_joints(clip, mesh, legs, points)
        framing = framing_of(clip, mesh, legs, drawn, points, turn)
        out.append(Figure(clip, key, label, color, mesh, legs, turn, global_, points, drawn, framing))
    return out


def heading_of(figure: Figure) -> tuple[Floats, bool]:
    """Return where a figure moves, else faces in its first frame, as a unit vector (x, z); and whether it moves."""
    travel = (figure.framing.body[-1] - figure.framing.body[0])[[0, 2]]
    if float(np.hypot(*travel)) > 0.3 * figure.framing.size:
        return np.asarray(travel / np.hypot(*travel)), True
    sides: dict[str, list[Floats]] = {"left": [], "right": []}
    for leg in figure.legs:
        if leg.side in sides:
            sides[leg.side].append(figure.points[0, leg.hip])
    if all(sides.values()):
        across = np.mean(sides["left"], axis=0) - np.mean(sides["right"], axis=0)
        ahead = np.array([-across[2], across[0]])
        if np.hypot(*ahead) > 0.0:
            return np.asarray(ahead / np.hypot(*ahead)), False
    return np.array([0.0, 1.0]), False


def side_by_side(figures: list[Figure], levels: list[float]) -> list[Figure]:
    """Return the figures next to each other, in order from the left as seen from the front, on one level of ground."""
    x, z = heading_of(figures[0])[0]
    side = np.array([z, 0.0, -x])  # to the right, as seen from the front
    ahead = np.array([x, 0.0, z])
    size = max(figure.framing.size for figure in figures)
    out, edge = [], 0.0
    for figure, level in zip(figures, levels, strict=True):
        spans = figure.shown.reshape(-1, 3) @ side
        low, high = float(spans.min()), float(spans.max())
        start = figure.framing.body[0] @ ahead - figures[0].framing.body[0] @ ahead
        by = side * (edge - low) - ahead * start + np.array([0.0, levels[0] - level, 0.0])
        out.append(figure.moved(by))
        edge += high - low + _GAP * size
    back = -side * (out[0].framing.body[0] - figures[0].framing.body[0]) @ side * side
    return [figure.moved(back * (1.0, 0.0, 1.0)) for figure in out]


def span_of_levels(figures: list[Figure], ground: Any, report: Any) -> list[float]:
    """Return the height of the ground below each figure."""
    return [float(panel.ground_of(ground, report, f.standing, f.turn[1], f.framing.size)) for f in figures]


def figure_data(figure: Figure, mesh_at: int | None, values: Any, size: float) -> dict[str, Any]:
    """Return the data of a figure for the page; `mesh_at`: the index of its skin in the page's list."""
    clip = figure.clip
    names = list(clip.names)
    radius = np.zeros(len(names))
    mesh = figure.mesh
    order: list[int] = []
    if mesh is not None:
        order = [names.index(name) for name in mesh.skeleton.names]
        where = np.asarray(mesh.skeleton.rest_global)[:, :3, 3]
        indices, weights = np.asarray(mesh.weights.indices), np.asarray(mesh.weights.weights)
        far = np.linalg.norm(np.asarray(mesh.points)[:, None, :] - where[indices], axis=-1) * (weights > 0)
        np.maximum.at(radius, np.array(order)[indices].reshape(-1), far.reshape(-1))
    return {
        "key": figure.key,
        "label": figure.label,
        "color": figure.color,
        "fps": float(clip.fps),
        "numJoints": len(names),
        "numPoints": figure.points.shape[1],
        "bones": sd.bones(clip.skeleton, figure.drawn),
        "drawn": figure.drawn,
        "motion": pack_motion(clip.skeleton, figure.global_, min(size, figure.framing.size), radius, mesh is not None),
        "mesh": mesh_at,
        "meshJoints": order,
        "trails": [leg.toe if leg.toe is not None else leg.ankle for leg in figure.legs],
        "values": values,
    }
