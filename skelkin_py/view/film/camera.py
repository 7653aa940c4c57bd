# SPDX-License-Identifier: MIT
"""The camera of films and pictures, which follows the body and looks at it from one side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..._support.arguments import real_number
from ..._support.array_types import Floats
from ..stage import Stage

_FIELD = np.radians(24.0)  # vertical field of view
_FIGURE = 1.32  # height of the picture in heights of the figure, with room for text
_FIGURE_ACROSS = 1.15  # and its width in widths of the figure
_DEEP = 0.6  # heights: the depth of a figure up to which its size in the picture does not change
_MIDDLE = 0.485  # of the picture's height: where the focus is
_SOLES = 0.20  # of the picture's height: where the soles are in a picture of feet


class View(NamedTuple):
    """The view of a camera.

    Attributes
    ----------
    azimuth, elevation : float
        Degrees from the front (0) over the figure's right side (90), and from above.
    zoom : float
        Magnification; at 1 the picture shows the whole figure.
    at_feet : bool
        Whether the feet are in the middle.
    """

    azimuth: float
    elevation: float
    zoom: float = 1.0
    at_feet: bool = False


CAMERAS = {
    "corner": View(62.0, 12.0),
    "front": View(0.0, 8.0),
    "side": View(90.0, 5.0),
    "top": View(90.0, 90.0),
    "feet": View(66.0, 9.0, 2.0, True),
}


def view_of(camera: Any = "corner", zoom: Any = 1.0) -> View:
    """Return the view of these arguments, or raise an error."""
    if isinstance(camera, str):
        if camera not in CAMERAS:
            known = ", ".join(map(repr, CAMERAS))
            raise ValueError(f"camera is {camera!r}: must be {known} or (azimuth, elevation) in degrees")
        view = CAMERAS[camera]
    else:
        if not isinstance(camera, (tuple, list)) or len(camera) != 2:
            raise TypeError(f"camera is {camera!r}: a name or (azimuth, elevation) is needed")
        view = View(real_number("camera[0]", camera[0]), real_number("camera[1]", camera[1]))
        if not np.isfinite(view.azimuth):
            raise ValueError(f"camera[0] is {view.azimuth}: a finite azimuth is needed")
        if not 0.0 <= view.elevation <= 90.0:
            raise ValueError(f"camera[1] is {view.elevation:g}: an elevation of 0 to 90 degrees is needed")
    larger = real_number("zoom", zoom)
    if not 0.1 <= larger <= 10.0:
        raise ValueError(f"zoom is {larger:g}: 0.1 to 10 is needed")
    return view._replace(zoom=view.zoom * larger)


class Camera(NamedTuple):
    """A camera in the space of a `Stage`.

    Attributes
    ----------
    eye : (3,) float64
        Its position.
    axes : (3, 3) float64
        Rows: to the right, upwards, and forward.
    focus : (3,) float64
        The point in the middle of the picture.
    """

    eye: Floats
    axes: Floats
    focus: Floats

    @classmethod
    def looking_at(cls, stage: Stage, focus: Floats, view: View, aspect: float) -> Camera:
        """Return the camera with a point in the middle; `aspect`: width of the picture over its height."""
        turn, tilt = np.radians([view.azimuth, view.elevation])
        ahead = np.array([stage.heading[0], 0.0, stage.heading[1]])
        right = np.array([-ahead[2], 0.0, ahead[0]])
        level = np.cos(turn) * ahead + np.sin(turn) * right
        up = np.array([0.0, 1.0, 0.0])
        back = np.cos(tilt) * level + np.sin(tilt) * up
        across = np.cross(up, level)
        high = _FIGURE * stage.framing.size
        if not view.at_feet:
            high = max(high, _FIGURE_ACROSS * stage.framing.width(across[[0, 2]]) / aspect)
        # Nearer parts look larger.
        near = max(stage.framing.width(level[[0, 2]]) - _DEEP * stage.framing.size, 0.0) / 2.0
        eye = focus + back * ((high / (2.0 * np.tan(_FIELD / 2.0)) + near) / view.zoom)
        return cls(eye, np.stack([across, np.cross(back, across), -back]), focus)

    def project(self, points: Floats, width: float, height: float) -> tuple[Floats, Floats]:
        """Return where points (..., 3) are in a picture, (..., 2) from its lower left, and how far away, (...)."""
        seen = (points - self.eye) @ self.axes.T
        away = np.maximum(seen[..., 2], 1e-6 * float(np.linalg.norm(self.focus - self.eye)))
        scale = height / (2.0 * np.tan(_FIELD / 2.0)) / away
        centre = np.array([width / 2.0, height * _MIDDLE])
        return centre + seen[..., :2] * scale[..., None], seen[..., 2]


def focus_of(stage: Stage, view: View) -> Floats:
    """Return the point (F, 3) that is in the middle of the picture in every frame."""
    path = stage.framing.path
    if not view.at_feet:
        return path
    above = float(np.median(path[:, 1] - stage.heights(path)))
    return np.asarray(path - (0.0, above - (_MIDDLE - _SOLES) * _FIGURE * stage.framing.size / view.zoom, 0.0))
