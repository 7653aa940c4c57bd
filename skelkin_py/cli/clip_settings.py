# SPDX-License-Identifier: MIT
"""What the options of a command mean for one clip: which joints its legs are, its ground, its contacts."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from .._support.nearest_name import did_you_mean
from ..ground import HeightGrid, MeshGround, load_ground
from ..legs import Leg, leg_names, sure_legs, too_unsure
from ..motion.clip import Clip
from .contacts_file import read_contacts


def clip_settings(
    clip: Clip,
    options: Mapping[str, Any],
    contacts: str | None = None,
    num_frames: int | None = None,
    animation: str = "",
) -> dict[str, Any]:
    """Return the keyword arguments of `plant_feet` for one clip.

    Parameters
    ----------
    clip : Clip
        The clip.
    options : dict
        What `option_types.clip_options` returned, and more.
    contacts : str, optional
        The file of its contacts.
    num_frames : int, optional
        Length of the motion that is meant, where it is not the clip's own.
    animation : str, optional
        The name of the clip in its file, where that has several.

    Returns
    -------
    dict
        The options, with joints in place of their names, and ground and contacts in place of their files.

    Raises
    ------
    ValueError
        No leg; a name that no joint has; a file that lacks what it should hold.
    OSError
        A file that cannot be read.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> [leg.side for leg in clip_settings(clip, {"legs": None, "ground": None})["legs"]]
    ['left', 'right']
    """
    chosen = with_ground(options)
    legs = chosen["legs"] = legs_of(clip, options["legs"])
    if options.get("pelvis") is not None:
        chosen["pelvis"] = joint_of(clip, options["pelvis"], "--pelvis")
    if contacts is not None:
        num = clip.num_frames if num_frames is None else num_frames
        chosen["contacts"] = read_contacts(contacts, leg_names(legs, clip.names), num, animation)
    return chosen


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
        A name that no joint has, or no leg is found.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> legs_of(clip, [("LeftUpLeg", "LeftLeg", "LeftFoot")])[0].side
    'left'
    """
    found = clip.find_legs()
    if named is None:
        if not found:
            raise ValueError("no leg was found in this skeleton: name the joints of each leg with --leg HIP,KNEE,ANKLE")
        sure = sure_legs(found)
        if not sure:
            raise ValueError(
                f"the legs that were found are not sure enough to plant: {too_unsure(found, clip.names)}; name the "
                "joints of each leg with --leg HIP,KNEE,ANKLE"
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
        raise ValueError(f"{option}: there is no joint {name!r}{meant or ':'} skelkin info CLIP lists all joints")
    return clip.names.index(name)


def with_ground(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of `plant_feet` with the ground itself in place of the file's name.

    Parameters
    ----------
    options : dict
        What `clip_options` returned, and more.

    Returns
    -------
    dict
        The same, with a ground that was read.

    Raises
    ------
    OSError, ValueError
        The ground cannot be read.
    """
    ground = options.get("ground")
    if not isinstance(ground, Mapping):
        return dict(options)
    extent = None if ground["extent"] is None else tuple(ground["extent"])
    return {**options, "ground": _read(ground["file"], tuple(ground["stamp"]), extent)}


@functools.lru_cache(maxsize=2)
def _read(path: str, stamp: tuple[int, ...], extent: tuple[float, ...] | None) -> HeightGrid | MeshGround:
    """Read a ground; the same file is read once."""
    return load_ground(path, extent)
