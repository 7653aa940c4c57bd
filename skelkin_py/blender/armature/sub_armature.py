# SPDX-License-Identifier: MIT
"""Some bones of an armature, for poses of these alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..._support.arguments import listed, plain
from ..._support.nearest_name import did_you_mean
from ..rest.arguments import Envelopes
from ..rest.bones import checked_armature
from .armature import Armature


def sub_armature(armature: Armature, bones: Iterable[str]) -> Armature:
    """Return the armature of some bones and of those above them.

    Parameters
    ----------
    armature : Armature
    bones : iterable of str
        Names of bones, in any order.

    Returns
    -------
    Armature
        These bones and all their parents up to the roots, in the order of `armature`. Bendy bones are straight in it:
        how they bend depends on bones that may be missing.

    Raises
    ------
    ValueError
        The armature has no bone of that name.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1, 0, 0], np.tile(np.eye(4), (3, 1, 1)), names=["hips", "spine", "leg"])
    >>> sk.blender.sub_armature(arm, ["leg"]).names
    ('hips', 'leg')

    Notes
    -----
    A bone's pose depends on those above it only, so that its matrices are, bit for bit, those of the whole armature.
    """
    wanted_names = listed("bones", bones, "expected names of bones")
    place = {name: bone for bone, name in enumerate(checked_armature(armature).names)}
    wanted: set[int] = set()
    for name in wanted_names:
        if not isinstance(name, str) or name not in place:
            meant = did_you_mean(str(name), place)
            raise ValueError(f"bones has {plain(name)!r}: the armature has no bone of that name{meant}")
        bone = place[name]
        while bone >= 0 and bone not in wanted:
            wanted.add(bone)
            bone = int(armature.parents[bone])
    rows = np.array(sorted(wanted), np.intp)
    row = np.full(armature.num_bones + 1, -1, np.int32)  # the last one is that of the parent -1
    row[rows] = np.arange(len(rows))
    envelopes = armature.envelopes
    return Armature(
        row[armature.parents[rows]],
        armature.rest[rows],
        names=[armature.names[bone] for bone in rows],
        heads=armature.heads[rows],
        tails=armature.tails[rows],
        lengths=armature.lengths[rows],
        axes=armature.axes[rows],
        offsets=armature.offsets[rows],
        connected=armature.connected[rows],
        inherit_rotation=armature.inherit_rotation[rows],
        local_location=armature.local_location[rows],
        deform=armature.deforming[rows],
        inherit_scale=armature.inherit_scale[rows],
        envelopes=envelopes and Envelopes._make(array[rows] for array in envelopes),
    )
