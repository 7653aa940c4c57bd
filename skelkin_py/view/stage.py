# SPDX-License-Identifier: MIT
"""What a picture of a clip shows, turned to Y up: joints and tips of every frame, feet, ground, heading and size."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from . import panel, scene_data as sd
from .arguments import ARRANGE, checked
from .figures import figures_of, heading_of
from .shown import Framing

_MOST_TRIANGLES = 60_000  # of a file's own mesh that is drawn: more take too long


class Stage(NamedTuple):
    """The content of a picture.

    Attributes
    ----------
    clips : tuple of Clip
        The clip and, where there is one, the clip to compare.
    points : tuple of (F, N, 3) float64
        Joints and tips of each clip, Y up.
    bones : (B, 2) int
        The two points of each bone.
    feet : tuple of Foot
        The feet.
    ground : float or callable
        A height, or heights (N,) under points (N, 3) of the clip's own space.
    turn : (3, 3) float64
        From the clip's space to this one.
    heading : (2,) float64
        Horizontal unit vector (x, z) of the body's travel, or where it faces in the first frame.
    travels : bool
        Whether the body travels.
    framing : Framing
        What the camera has to show.
    mesh : Mesh or None
        The skin: the one that was given, else that of the clip's file.
    """

    clips: tuple[Any, ...]
    points: tuple[Floats, ...]
    bones: NDArray[np.intp]
    feet: tuple[panel.Foot, ...]
    ground: Any
    turn: Floats
    heading: Floats
    travels: bool
    framing: Framing
    mesh: Any

    def heights(self, points: Floats) -> Floats:
        """Return the ground's height (N,) under points (N, 3), Y up."""
        return np.asarray(sd.heights_of(self.ground, points @ self.turn))


def set_stage(clip: Any, compare: Any = None, mesh: Any = None, report: Any = None, ground: Any = None) -> Stage:
    """Return what a picture of a clip shows; arguments are those of `show`, and so are the errors."""
    if isinstance(clip, (list, tuple)):
        raise TypeError(f"clip is a {type(clip).__name__}: one Clip is needed")
    content = checked(clip, compare, mesh, report, None, ARRANGE[0], None, None, None)
    own = content.meshes[0]
    if mesh is None and own is not None and len(own.faces) > _MOST_TRIANGLES:
        content = content._replace(meshes=[None] * len(content.clips))
    figures = figures_of(content, report)
    shown = figures[0]
    feet = panel.feet_of(clip, report, shown.legs)
    standing = [joint for foot in feet for joint in foot.joints]
    heights = shown.points[:, standing, 1] if standing else shown.framing.lows[:, None]
    return Stage(
        tuple(content.clips),
        tuple(figure.points for figure in figures),
        np.array(sd.bones(clip.skeleton, shown.drawn), np.intp).reshape(-1, 2),
        tuple(feet),
        panel.ground_of(ground, report, heights, shown.turn[1], shown.framing.size),
        shown.turn,
        *heading_of(shown),
        shown.framing,
        shown.mesh,
    )
