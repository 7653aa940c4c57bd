# SPDX-License-Identifier: MIT
"""Putting the player's page together."""

from __future__ import annotations

import html
import json
import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._support.arguments import file_path
from .._support.atomic import replacing
from .._support.values import Value
from ..motion.show_options import Arrange, ShowOptions, takes
from . import panel
from .arguments import Wanted, checked
from .film.standing import standing_of
from .scene_page import scene_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

# The page's script, one file a thing, in the order in which they need each other.
SCRIPTS = (
    "data", "vectors", "motion", "camera", "time", "contacts", "timeline", "contact_editor", "shaders", "shapes",
    "scene", "flat_scene", "controls", "address", "start",
)  # fmt: skip


class Page(Value):
    """A finished page: a notebook displays it, `save` writes it to a file.

    Attributes
    ----------
    html : str
        The whole page; it loads nothing else.
    """

    def __init__(self, text: str) -> None:
        self.html = text

    def _arguments(self) -> dict[str, Any]:
        return {"text": self.html}

    def __repr__(self) -> str:
        return f"<skelkin page, {len(self.html) / 1e6:.1f} MB; .save(path) writes it>"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, as notebooks want it."""
        return (
            f'<iframe srcdoc="{html.escape(self.html, quote=True)}" title="skelkin player" width="100%" height="640" '
            'style="border:0;border-radius:12px" allowfullscreen></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to `path` (through a temporary file beside it) and return the path."""
        target = Path(file_path("path", path))
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(self.encoded())
        return target

    def encoded(self) -> bytes:
        """Return the page as the bytes of its file."""
        return self.html.encode("utf-8", "replace")  # names of files may hold what is no text


def show(
    clip: Any,
    *,
    compare: Any = None,
    mesh: Any = None,
    report: Any = None,
    ground: Any = None,
    title: str | None = None,
    arrange: Arrange = "side_by_side",
    labels: Any = None,
    colors: Any = None,
    color: Any = None,
    color_range: Any = None,
    color_label: str | None = None,
) -> Page:
    """Make the player's page for a clip, or for several.

    Parameters
    ----------
    clip : Clip, or list of Clip
        What is played. Several may differ in skeleton, rate and length: they share the seconds, not the frames, and
        a shorter one holds its last pose until the longest is over.
    compare : Clip, optional
        The same motion before a change, drawn as a ghost; same skeleton and number of frames.
    mesh : Mesh, optional
        A skin; its skeleton's joints are matched to the clip's by name. Without it bones are drawn. Of several clips
        all have it, or a list has one, or None, for each.
    report : PlantReport, optional
        Its numbers fill the side panel, its contacts the bars under the timeline.
    ground : float, callable, HeightGrid, MeshGround, object with `cast`, or None
        A height along the clip's up axis, or a function from points (N, 3) to heights (N,), both in the clip's
        space and units. None takes the report's ground, else the lowest the feet come.
    title : str, optional
        The heading.
    arrange : "side_by_side" or "together", default "side_by_side"
        Where several clips stand: next to each other on one level, or where they have their positions.
    labels : list of str, optional
        What several clips, or `clip` and `compare`, are called.
    colors : list of str, optional
        Their colours, as "#rrggbb"; otherwise eight in turn, which differ with colour blindness too.
    color : array_like, optional
        Values to colour by, one per joint (J,) or vertex of the skin (V,), or those of every frame (F, J) or (F, V);
        NaN where there is none. Of several clips a list with an array or None for each. The map is perceptually
        uniform and rises in lightness from dark blue to yellow; a legend tells its ends.
    color_range : (low, high), optional
        The values at the ends of the map; otherwise the lowest and the highest there are.
    color_label : str, optional
        What the values are, with their unit, for the legend.

    Returns
    -------
    Page
        Displays itself in notebooks; ``.save(path)`` writes the file.

    Raises
    ------
    ValueError
        If `compare` differs in joints or frames, the mesh has a joint that the clip does not have, `color` has another
        shape, or clips stand side by side on ground that is not level.

    Notes
    -----
    The page opens where its address says: ``#frame=40&show=skeleton,after&camera=front`` stays at frame 40 and shows
    what is listed (``after``, ``before``, or ``clip1``, ``clip2``, …; ``skin``, ``skeleton``, ``trails``, ``ground``).
    ``camera`` is ``front``, ``side``, ``top`` or ``corner``, or six numbers: yaw and pitch in radians, distance and
    the shift x, y, z in heights of the figure. *Copy link* makes such an address of what is seen.

    Positions in the page are off by a ten-thousandth of a metre of an adult at most; a clip that 16 bits do not hold so
    well is kept in 32.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> sk.view.show(biped.clip, mesh=biped.mesh, ground=biped.ground)
    <skelkin page, ... MB; .save(path) writes it>

    Two clips, and one coloured by how high its joints are:

    >>> sk.view.show([biped.clip, biped.clip[60:]], labels=["whole", "end"])
    <skelkin page, ... MB; .save(path) writes it>
    >>> sk.view.show(biped.clip, color=biped.clip.positions()[:, :, 1], color_label="height (m)")
    <skelkin page, ... MB; .save(path) writes it>
    """
    wanted = checked(clip, compare, mesh, report, title, arrange, labels, colors, color)
    if not (color_label is None or isinstance(color_label, str)):
        raise TypeError(f"color_label is a {type(color_label).__name__}: text is needed")
    usual = "Before and after" if compare is not None else "Motions" if len(wanted.clips) > 1 else "Motion"
    title = title or usual
    standing = None if report or wanted.several or compare is not None else standing_of(clip, None, None, ground)
    found = None if standing is None else standing.report
    data = scene_of(wanted, report, ground, arrange, color_range, color_label, found)
    return assembled(title, wanted, report, data, found=found)


def assembled(
    title: str, wanted: Wanted, report: Any, data: Any, *, script: str = "", css: str = "", found: Any = None
) -> Page:
    """Put a page together.

    Parameters
    ----------
    title : str
        The heading.
    wanted : Wanted
        What is shown.
    report : PlantReport or None
        What the side panel tells.
    data : dict
        What `scene_of` returns.
    script, css : str
        More of them, behind those of the player.
    found : PlantReport, optional
        Where nothing was planted, what was measured of the clip.

    Returns
    -------
    Page
        The page.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    files = resources.files(__package__)
    page = (files / "page.html").read_text(encoding="utf-8")
    own = "\n".join((files / "player" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    style = (files / "player.css").read_text(encoding="utf-8")
    parts = {
        "title": html.escape(title),
        "css": f"{style}\n{css}",
        "panel": panel.side_panel(title, wanted, report, data, found),
        "data": text,
        "script": f"{own}\n{script}",
    }
    pieces = page.split("{{")  # one pass, so that nothing inside a part is taken for a place
    out = [pieces[0]]
    for piece in pieces[1:]:
        name, rest = piece.split("}}", 1)
        out += [parts[name], rest]
    return Page("".join(out))


@takes(ShowOptions)
def write_html(path: str | os.PathLike[str], clip: Any, **options: Unpack[ShowOptions]) -> Path:
    """Write the player's page for a clip to one file that opens without a network.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write; it is replaced only once the page is complete. Missing folders are made.
    clip : Clip, or list of Clip
        What is played.
    **options
        The keyword arguments of `show`.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile, skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sk.view.write_html(folder + "/walk.html", biped.clip).name
    'walk.html'
    """
    return show(clip, **options).save(path)
