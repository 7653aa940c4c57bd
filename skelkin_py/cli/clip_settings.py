# SPDX-License-Identifier: MIT
"""What the options of a command mean for one clip: which joints its legs are, its ground, its contacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..legs import leg_names
from ..motion.clip import Clip
from .contacts_file import read_contacts
from .ground_file import with_ground
from .named_legs import joint_of, legs_of


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
        No leg; a name that is no joint's; a file that does not say what it should.
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
