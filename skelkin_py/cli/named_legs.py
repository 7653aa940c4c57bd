# SPDX-License-Identifier: MIT
"""The joints that options name; the legs of a clip, named or found."""

from __future__ import annotations

from collections.abc import Sequence

from .._support.nearest_name import did_you_mean
from ..legs import Leg, sure_legs, too_unsure
from ..motion.clip import Clip


def legs_of(clip: Clip, named: Sequence[Sequence[str]] | None) -> list[Leg]:
    """Return the legs of a clip.

    Parameters
    ----------
    clip : Clip
        The clip.
    named : sequence of sequence of str, or None
        Per leg the names of hip, knee, ankle and, if there is one, toe; None finds the legs.

    Returns
    -------
    list of Leg
        The legs. Of a leg that `Clip.find_legs` finds too, side and knee direction are kept.

    Raises
    ------
    ValueError
        A name that is no joint's, or no leg is found.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> legs_of(clip, [("LeftUpLeg", "LeftLeg", "LeftFoot")])[0].side
    'left'
    """
    found = clip.find_legs()
    if named is None:
        if not found:
            raise ValueError("no leg was found in this skeleton; --leg HIP,KNEE,ANKLE says which joints one is")
        sure = sure_legs(found)
        if not sure:
            raise ValueError(
                f"what was found as legs is too unsure to be planted unasked: {too_unsure(found, clip.names)}; "
                "--leg HIP,KNEE,ANKLE says which joints legs are"
            )
        return sure
    known = {leg.chain: leg for leg in found}
    legs = []
    for names in named:
        hip, knee, ankle, *toe = (joint_of(clip, name, f"--leg {','.join(names)}") for name in names)
        same = known.get((hip, knee, ankle))
        if same is not None and toe in ([], [same.toe]):
            legs.append(same)
        else:
            legs.append(Leg(hip=hip, knee=knee, ankle=ankle, toe=toe[0] if toe else None))
    return legs


def joint_of(clip: Clip, name: str, option: str) -> int:
    """Return the joint of a name that an option says; a ValueError names both where there is none."""
    if name not in clip.names:
        meant = did_you_mean(name, clip.names)
        raise ValueError(f"{option}: there is no joint {name!r}; `skelkin info` lists all{meant}")
    return clip.names.index(name)
