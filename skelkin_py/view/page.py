# SPDX-License-Identifier: MIT
"""The player's page, put together from its parts."""

from __future__ import annotations

import html
import json
import os
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._support.arguments import file_path, whole_number
from .._support.atomic import replacing
from .._support.values import Value
from ..motion.show_options import Arrange, ShowOptions, takes
from . import panel
from .arguments import PageContent, check_text, checked
from .film.standing import standing_of
from .scene_page import scene_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

# The parts of the page's script, each after those that it needs.
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
        """Return the page in a frame of its own, for notebooks."""
        return self.framed()

    def framed(self, attributes: str = "", style: str = "") -> str:
        """Return an `<iframe>` that shows the page, with more attributes and styles."""
        return (
            f'<iframe {attributes}srcdoc="{html.escape(self.html, quote=True)}" title="skelkin player" width="100%" '
            f'height="640" style="{style}border:0;border-radius:12px" allowfullscreen></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to `path` in one step, and return the path."""
        target = Path(file_path("path", path))
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(self.encoded())
        return target

    def encoded(self) -> bytes:
        """Return the page as the bytes of its file."""
        return self.html.encode("utf-8", "replace")  # names of files may not be valid text


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
    first_frame: int = 0,
) -> Page:
    """Make the player's page for a clip, or for several.

    Parameters
    ----------
    clip : Clip, or list of Clip
        The clip to play. Several may differ in skeleton, rate and length: they play at the same time in seconds, and a
        shorter one holds its last pose until the longest is over.
    compare : Clip, optional
        The same motion before a change, drawn as a ghost; same skeleton and number of frames.
    mesh : Mesh, optional
        A skin; its skeleton's joints are matched to the clip's by name. Without it, bones are drawn. For several clips
        one mesh for all, or a list with a mesh or None for each.
    report : PlantReport, optional
        The report to show in the side panel, with its contacts as bars under the timeline.
    ground : float, callable, HeightGrid, MeshGround, object with `cast`, or None
        A height along the clip's up axis, or a function from points (N, 3) to heights (N,), both in the clip's
        space and units. None takes the report's ground, else the lowest height of the feet.
    title : str, optional
        The heading.
    arrange : "side_by_side" or "together", default "side_by_side"
        Where several clips stand: next to each other on one level, or at their own positions.
    labels : list of str, optional
        The names of several clips, or of `clip` and `compare`.
    colors : list of str, optional
        Their colours, as "#rrggbb"; by default eight in turn that can be distinguished with colour blindness too.
    color : array_like, optional
        Values to colour by, one per joint (J,) or vertex of the skin (V,), or those of every frame (F, J) or (F, V);
        NaN where there is none. For several clips a list with an array or None for each. The colour map is perceptually
        uniform and rises in lightness from dark blue to yellow; a legend shows its range.
    color_range : (low, high), optional
        The values at the ends of the map; by default the lowest and the highest value.
    color_label : str, optional
        The quantity and its unit, for the legend.
    first_frame : int, default 0
        The number that the page gives the first frame, as a scene may have another; contacts that the page saves count
        from 0.

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
    The address of the page may set what it shows: ``#frame=40&show=skeleton,after&camera=front`` stops at frame 40 and
    shows what is listed (``after``, ``before``, or ``clip1``, ``clip2``, …; ``skin``, ``skeleton``, ``trails``,
    ``ground``). ``camera`` is ``front``, ``side``, ``top`` or ``corner``, or six numbers: yaw and pitch in radians,
    distance and the shift x, y, z in heights of the figure. *Copy link* makes such an address of the current view.

    Positions in the page are accurate to 0.1 mm for an adult; a clip that 16 bits cannot hold so well is kept in 32.

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
    content = checked(clip, compare, mesh, report, title, arrange, labels, colors, color)
    check_text("color_label", color_label)
    title = title or ("Before and after" if compare is not None else "Motions" if len(content.clips) > 1 else "Motion")
    standing = None if report or content.several or compare is not None else standing_of(clip, None, None, ground)
    found = None if standing is None else standing.report
    data = scene_of(content, report, ground, arrange, color_range, color_label, found)
    data["first"] = whole_number("first_frame", first_frame, -(2**31))
    return assembled(title, content, report, data, found=found)


def assembled(
    title: str, content: PageContent, report: Any, data: Any, *, script: str = "", css: str = "", found: Any = None
) -> Page:
    """Put a page together.

    Parameters
    ----------
    title : str
        The heading.
    content : PageContent
        What is shown.
    report : PlantReport or None
        The report in the side panel.
    data : dict
        The scene, as `scene_of` returns it.
    script, css : str
        Code and styles to add after those of the player.
    found : PlantReport, optional
        For a clip that was not planted, the report of planting it, whose figures of before are shown.

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
        "panel": panel.side_panel(title, content, report, data, found),
        "data": text,
        "script": f"{own}\n{script}",
    }
    # In one pass, so that braces inside a part are not replaced.
    return Page(re.sub(r"\{\{(.*?)\}\}", lambda place: parts[place[1]], page))


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
