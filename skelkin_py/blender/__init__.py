# SPDX-License-Identifier: MIT
"""What Blender computes from armatures, evaluated from arrays: poses, deformation, its IK constraint, F-curves.

Nothing here imports ``bpy`` before a function that reads live Blender is called.
"""

import typing as _typing

from .armature.armature import Armature
from .armature.sub_armature import sub_armature
from .bbones.mapping import segment_weights
from .bbones.palette import SegmentPalette, segment_frames, segment_palette
from .curves.fcurves import Curves, Cycles
from .curves.fit_keys import FittedKeys, KeyedBone, fit_keys
from .ik.goals import IKGoal
from .ik.pole_angle import pole_angle
from .ik.solve import IKJoints
from .modifiers.deform import deform
from .modifiers.options import ArmatureModifier, VertexGroups
from .rest.arguments import Envelopes
from .rest.bbones import BBones, BBoneShape
from .rest.frames import frame_from_roll, roll_from_frame

if _typing.TYPE_CHECKING:
    from .live.action import read_action
    from .live.armature import read_bbone_channels, read_bbones, read_channels
    from .live.ik import read_ik
    from .live.modifiers import read_modifiers

# What reads live Blender is imported when it is named for the first time: elsewhere nobody needs it.
_LIVE = {
    "read_action": "action",
    "read_bbone_channels": "armature",
    "read_bbones": "armature",
    "read_channels": "armature",
    "read_ik": "ik",
    "read_modifiers": "modifiers",
}

__all__ = [
    "Armature",
    "ArmatureModifier",
    "BBoneShape",
    "BBones",
    "Curves",
    "Cycles",
    "Envelopes",
    "FittedKeys",
    "IKGoal",
    "IKJoints",
    "KeyedBone",
    "SegmentPalette",
    "VertexGroups",
    "deform",
    "fit_keys",
    "frame_from_roll",
    "pole_angle",
    "read_action",
    "read_bbone_channels",
    "read_bbones",
    "read_channels",
    "read_ik",
    "read_modifiers",
    "roll_from_frame",
    "segment_frames",
    "segment_palette",
    "segment_weights",
    "sub_armature",
]


def __getattr__(name: str) -> _typing.Any:
    """Import a function that reads live Blender, which is named for the first time."""
    if name not in _LIVE:
        from .._support.nearest_name import did_you_mean

        meant = "" if name.startswith("_") else did_you_mean(name, __all__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}")
    import importlib

    found = globals()[name] = getattr(importlib.import_module(f".live.{_LIVE[name]}", __name__), name)
    return found


def __dir__() -> list[str]:
    """Return the public names, those too that have not been imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
