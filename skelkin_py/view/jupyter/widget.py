# SPDX-License-Identifier: MIT
"""The widget of a notebook; what is said between page and editor is in `session`."""

from __future__ import annotations

from importlib import resources
from typing import Any

import anywidget
import traitlets

from ...motion.clip import Clip
from ...planting import Planted, PlantReport
from ...planting.editing import PlantEditor
from ...skinning.mesh import Mesh
from .session import EditSession


class PlantWidget(anywidget.AnyWidget):
    """The player in a notebook, with handles on ankles and knees, and contacts that are dragged in the timeline.

    Whatever is dragged is planted by `editor` at once, and drawn. `edit` makes it.

    Parameters
    ----------
    editor : PlantEditor
        What is edited.
    mesh : Mesh, optional
        A skin.
    title : str, optional
        The heading.
    height : int, default 680
        In pixels.

    Attributes
    ----------
    frame : int
        The frame that is shown, to be read, set and observed.
    contacts : dict
        The contacts as ``contacts=`` takes them, to be read and observed.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(680, min=200).tag(sync=True)
    frame = traitlets.Int(0, min=0).tag(sync=True)
    contacts = traitlets.Dict(read_only=True)

    def __init__(
        self, editor: PlantEditor, *, mesh: Mesh | None = None, title: str | None = None, height: int = 680
    ) -> None:
        if not isinstance(editor, PlantEditor):
            raise TypeError(f"editor is a {type(editor).__name__}: a PlantEditor is needed")
        self._session = EditSession(editor, mesh=mesh, title=title)
        script = (resources.files(__package__) / "widget.js").read_text(encoding="utf-8")
        super().__init__(_esm=script, _page=self._session.page().html, height=height)
        self.set_trait("contacts", editor.contacts)
        self.on_msg(self._answer)

    @property
    def editor(self) -> PlantEditor:
        """What is edited; `refresh` shows what was changed there."""
        return self._session.editor

    @property
    def clip(self) -> Clip:
        """The planted clip with feet dragged and knees turned, as it is now."""
        return self.editor.clip

    @property
    def planted(self) -> Planted:
        """The clip as it is planted with the contacts, and the report; feet dragged and knees turned not counted."""
        return self.editor.planted

    @property
    def report(self) -> PlantReport:
        """What planting won and cost; feet dragged and knees turned not counted."""
        return self.editor.planted.report

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        could = self.editor.undo()
        self.refresh()
        return could

    def redo(self) -> bool:
        """Redo the last edit that was undone; return whether there was one."""
        could = self.editor.redo()
        self.refresh()
        return could

    def refresh(self) -> None:
        """Show what was changed by calls of `editor`."""
        self._answer(self, {"do": "figures"}, [])

    def __repr__(self) -> str:
        return f"<PlantWidget of {self.editor!r}>"

    def _answer(self, _: Any, message: Any, buffers: Any) -> None:
        """Answer a message of a page, to all pages."""
        reply, blocks = self._session.answer(message)
        self.send(reply, blocks)
        self.set_trait("contacts", self.editor.contacts)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget, and for where no Python answers the player as the motion is now."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        return ({**data, "text/html": self._session.still()._repr_html_()}, *metadata)
