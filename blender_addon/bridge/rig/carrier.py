# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone that carries the body: it is lowered where legs are too short."""

from __future__ import annotations

from ..checks import Refused
from .leg_joints import upwards
from .rig_map import RigMap


def carrier(package, bones, rig: RigMap, legs: list, shown: list) -> int:
    """Return the joint above all hips that can take a location and that nothing but its keys moves.

    That is the lowest one; in a control rig (where ``shown``, what the mesh follows, are other legs than those with
    the keys) the control that the legs name as their pelvis or one above it, never a bone of the rig's mechanism.

    Raises
    ------
    Refused
        If there is none.
    """
    common = set.intersection(*(set(upwards(bones, leg.hip)[1:]) for leg in (*legs, *shown)))
    if not common:
        raise Refused("No bone carries both legs: the pelvis cannot be lowered; give the legs a common parent")
    movable = [joint for joint in sorted(common, reverse=True) if not bones.connected[joint]]
    if shown != legs:
        read_name = package.legs.words.read_name
        movable = [joint for joint in movable if not read_name(bones.names[joint]).mechanism]
        named = max((leg.pelvis for leg in legs if leg.pelvis in movable), default=None)
        movable = [joint for joint in movable if named is None or joint <= named]
    free = [joint for joint in movable if rig.is_free(bones.names[joint])]
    if not free:
        raise Refused(rig.why_moved(bones.names[movable[0] if movable else max(common)]))
    return free[0]
