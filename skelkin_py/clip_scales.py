# SPDX-License-Identifier: MIT
"""A clip with scales as one without, for formats that have no place for them."""

from __future__ import annotations

import numpy as np

from .clip import Clip
from .skeleton import Skeleton
from .transforms import compose, decompose, quaternion_to_matrix

__all__ = ["without_scales"]


def without_scales(clip: Clip) -> Clip:
    """Return the clip with scales of 1, its joints where they were and their local rotations the same.

    Parameters
    ----------
    clip : Clip
        The clip.

    Returns
    -------
    Clip
        Distances between joints are in its translations; it is no longer tied to the file it was read from.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> large = clip.replace(scales=np.full(clip.translations.shape, 1.1))
    >>> same = without_scales(large)
    >>> same.scales is None, bool(np.abs(same.positions() - large.positions()).max() < 1e-9)
    (True, True)
    """
    rest = clip.skeleton
    turns, places = decompose(rest.rest_local)[1], rest.rest_global[:, :3, 3]
    local = compose(_translations(places[None], turns[None], rest.parents)[0], turns)
    ends = {
        joint: np.linalg.norm(rest.rest_global[joint, :3, :3], axis=0) * offset
        for joint, offset in rest.end_sites.items()
    }
    skeleton = Skeleton(rest.parents, local, rest.names, end_sites=ends)
    translations = _translations(clip.positions(), clip.rotations, rest.parents)
    return Clip(skeleton, clip.rotations, translations, fps=clip.fps)


def _translations(places: np.ndarray, rotations: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Return the translations (F, J, 3) in which rigid joints, turned like that, stand at these places."""
    frames, joints = places.shape[:2]
    turned = np.empty((frames, joints, 3, 3))
    result = np.empty((frames, joints, 3))
    for joint, parent in enumerate(np.asarray(parents).tolist()):
        own = quaternion_to_matrix(rotations[:, joint])
        if parent < 0:
            turned[:, joint], result[:, joint] = own, places[:, joint]
        else:
            turned[:, joint] = turned[:, parent] @ own
            away = places[:, joint] - places[:, parent]
            result[:, joint] = np.einsum("fji,fj->fi", turned[:, parent], away)
    return result
