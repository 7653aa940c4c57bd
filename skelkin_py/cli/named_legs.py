# SPDX-License-Identifier: MIT
"""The legs of a clip: those that options name, else those that are found."""

from __future__ import annotations

from collections.abc import Sequence

from ..clip import Clip
from ..legs import Leg


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
        return found
    known = {leg.chain: leg for leg in found}
    legs = []
    for names in named:
        for name in names:
            if name not in clip.names:
                raise ValueError(f"--leg {','.join(names)}: there is no joint {name!r}; `skelkin info` lists all")
        hip, knee, ankle, *toe = (clip.names.index(name) for name in names)
        same = known.get((hip, knee, ankle))
        if same is not None and toe in ([], [same.toe]):
            legs.append(same)
        else:
            legs.append(Leg(hip=hip, knee=knee, ankle=ankle, toe=toe[0] if toe else None))
    return legs
