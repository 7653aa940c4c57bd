# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a drag: keys."""

from __future__ import annotations

from ..switching import Result
from .drag import Drag


def confirm(context, drag: Drag) -> Result:
    """Keep a drag: key what was written.

    Raises
    ------
    Refused
        If the armature takes no keys; the pose is given back.
    """
    drag.key()
    return Result(f"{drag.leg.ankle} dragged and keyed in frame {context.scene.frame_current}", [])
