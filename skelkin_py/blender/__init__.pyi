# SPDX-License-Identifier: MIT
# The public names: this is their only list, which `__init__.py` reads.

from .armature import Armature as Armature, sub_armature as sub_armature
from .bbones.palette import (
    SegmentPalette as SegmentPalette,
    segment_frames as segment_frames,
    segment_palette as segment_palette,
    segment_weights as segment_weights,
)
from .curves.fcurves import Curves as Curves, Cycles as Cycles
from .curves.fit_keys import FittedKeys as FittedKeys, KeyedBone as KeyedBone, fit_keys as fit_keys
from .ik.goals import IKGoal as IKGoal, pole_angle as pole_angle
from .ik.solve import IKJoints as IKJoints
from .live.action import read_action as read_action
from .live.armature import (
    read_bbone_channels as read_bbone_channels,
    read_bbones as read_bbones,
    read_channels as read_channels,
    read_ik as read_ik,
)
from .live.modifiers import read_modifiers as read_modifiers
from .modifiers.deform import deform as deform
from .modifiers.options import ArmatureModifier as ArmatureModifier, VertexGroups as VertexGroups
from .rest.bbones import BBones as BBones, BBoneShape as BBoneShape
from .rest.bones import Envelopes as Envelopes
from .rest.frames import frame_from_roll as frame_from_roll, roll_from_frame as roll_from_frame
