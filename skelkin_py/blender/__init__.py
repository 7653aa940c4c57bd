# SPDX-License-Identifier: MIT
"""What Blender computes from armatures, evaluated from arrays: poses, deformation, its IK constraint, F-curves.

Nothing here imports ``bpy`` before a function that reads live Blender is called.
"""

from .armature import Armature
from .bbone_mapping import segment_weights
from .bbone_palette import SegmentPalette, segment_frames, segment_palette
from .bbones import BBones, BBoneShape
from .deform import deform
from .envelopes import Envelopes
from .fcurves import Curves, Cycles
from .ik_goals import IKGoal
from .live_armature import read_channels
from .live_bbones import read_bbone_channels, read_bbones
from .live_modifiers import read_modifiers
from .modifiers import ArmatureModifier, VertexGroups
from .pole_angle import pole_angle
from .read_action import read_action
from .read_ik import read_ik
from .rest_frames import frame_from_roll, roll_from_frame
from .solve_ik import IKJoints
from .sub_armature import sub_armature

__all__ = [
    "Armature",
    "ArmatureModifier",
    "BBoneShape",
    "BBones",
    "Curves",
    "Cycles",
    "Envelopes",
    "IKGoal",
    "IKJoints",
    "SegmentPalette",
    "VertexGroups",
    "deform",
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
