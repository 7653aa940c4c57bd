# SPDX-License-Identifier: MIT
"""The widget of a notebook; `session` has the messages between page and editor."""

from __future__ import annotations

from importlib import resources
from typing import Any

import anywidget
import traitlets

from ..._support.arguments import check_kind
from ...motion.clip import Clip
from ...planting import Planted, PlantReport
from ...planting.editing import PlantEditor
from ...skinning.mesh import Mesh
from .session import EditSession


class PlantWidget(anywidget.AnyWidget):
    """The player in a notebook, with handles on ankles and knees and contacts to drag in the timeline; see `edit`.

    Each edit is planted by `editor` at once, and drawn.

    Parameters
    ----------
    editor : PlantEditor
        The editor.
    mesh : Mesh, optional
        A skin.
    title : str, optional
        The heading.
    height : int, default 680
        In pixels.

    Attributes
    ----------
    frame : int
        The current frame; it can be set and observed.
    contacts : dict
        The contacts as ``contacts=`` takes them; they can be observed.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(680, min=200).tag(sync=True)
    frame = traitlets.Int(0, min=0).tag(sync=True)
    contacts = traitlets.Dict(read_only=True)

    def __init__(
        self, editor: PlantEditor, *, mesh: Mesh | None = None, title: str | None = None, height: int = 680
    ) -> None:
        check_kind("editor", editor, PlantEditor)
        self._session = EditSession(editor, mesh=mesh, title=title)
        script = (resources.files(__package__) / "widget.js").read_text(encoding="utf-8")
        super().__init__(_esm=script, _page=self._session.page().html, height=height)
        self.set_trait("contacts", editor.contacts)
        self.on_msg(self._handle)

    @property
    def editor(self) -> PlantEditor:
        """The editor; after calling its methods, call `refresh`."""
        return self._session.editor

    @property
    def clip(self) -> Clip:
        """The planted clip with dragged feet and turned knees."""
        return self.editor.clip

    @property
    def planted(self) -> Planted:
        """The clip planted with the contacts, and its report; without dragged feet and turned knees."""
        return self.editor.planted

    @property
    def report(self) -> PlantReport:
        """The report of planting; without dragged feet and turned knees."""
        return self.editor.planted.report

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        undone = self.editor.undo()
        self.refresh()
        return undone

    def redo(self) -> bool:
        """Redo the last edit that was undone; return whether there was one."""
        redone = self.editor.redo()
        self.refresh()
        return redone

    def refresh(self) -> None:
        """Show the changes made by calls of `editor`."""
        self._handle(self, {"do": "figures"}, [])

    def __repr__(self) -> str:
        return f"<PlantWidget of {self.editor!r}>"

    def _handle(self, _: Any, message: Any, buffers: Any) -> None:
        """Execute a message of a page, and send the reply to all pages."""
        reply, blocks = self._session.reply(message)
        self.send(reply, blocks)
        self.set_trait("contacts", self.editor.contacts)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget, and for viewers without Python the player with the current motion."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        return ({**data, "text/html": self._session.still()._repr_html_()}, *metadata)
