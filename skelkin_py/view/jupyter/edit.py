# SPDX-License-Identifier: MIT
"""Editing a clip's planting in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._support.errors import MissingExtraError
from ...motion.clip import Clip
from ...motion.plant_options import PlantKeywords, PlantOptions, takes_plant_options
from ...planting import Planted
from ...planting.editing import PlantEditor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...skinning.mesh import Mesh
    from .widget import PlantWidget


@takes_plant_options
def edit(
    motion: Clip | Planted | PlantEditor,
    *,
    mesh: Mesh | None = None,
    title: str | None = None,
    height: int = 680,
    options: PlantOptions | None = None,
    **changes: Unpack[PlantKeywords],
) -> PlantWidget:
    """Plant a clip in a widget in which feet, knees and contacts are dragged.

    Parameters
    ----------
    motion : Clip, Planted or PlantEditor
        The original motion; or the result of `plant_feet`, whose options are used unless others are given; or an editor
        with its edits.
    mesh : Mesh, optional
        A skin, as in `skelkin_py.view.show`.
    title : str, optional
        The heading.
    height : int, default 680
        Height of the widget in pixels.
    options : PlantOptions, optional
        All options below in one object; keywords replace its fields. An editor has its own options.
    **changes
        The fields of `PlantOptions`.

    Returns
    -------
    PlantWidget
        Displayed as the last value of a cell. ``clip``, ``contacts`` (as ``contacts=`` takes them), ``planted`` and
        ``report`` are the current ones. ``editor`` is its `PlantEditor`; call ``refresh()`` after using it. ``undo()``
        and ``redo()`` are those of the page. ``frame`` is the current frame and can be set. ``observe`` registers a
        function to call when ``contacts`` or ``frame`` change.

    Raises
    ------
    MissingExtraError
        Without anywidget.
    ValueError, TypeError
        As in `PlantEditor` and `skelkin_py.view.show`.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> widget = sk.jupyter.edit(biped.clip, mesh=biped.mesh, ground=biped.ground)  # doctest: +SKIP
    >>> widget.clip.save("planted.bvh")  # doctest: +SKIP
    """
    editor: Any = motion
    if isinstance(motion, Planted) and motion.original is not None:
        editor, options = motion.original, motion.options if options is None else options
    if not isinstance(editor, (Clip, PlantEditor)):
        raise TypeError(f"motion is a {type(motion).__name__}: a Clip, what plant_feet returned, or a PlantEditor")
    try:
        from .widget import PlantWidget
    except ModuleNotFoundError as error:
        if error.name != "anywidget":
            raise
        raise MissingExtraError("jupyter.edit()", "anywidget", "jupyter") from error
    if isinstance(editor, Clip):
        editor = PlantEditor(editor, options=options, **changes)
    elif options is not None or changes:
        given = ["options", *changes] if options is not None else list(changes)
        raise ValueError(f"{given[0]} is given with an editor, which has its own options")
    return PlantWidget(editor, mesh=mesh, title=title, height=height)
