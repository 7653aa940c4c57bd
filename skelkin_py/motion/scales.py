# SPDX-License-Identifier: MIT
"""A clip without scales and shear, for formats that cannot store them."""

from __future__ import annotations

import numpy as np

from ..kinematics.joint_transforms import rest_shear
from ..skeleton import Skeleton
from ..transforms import compose, decompose, quaternion_to_matrix
from .clip import Clip


def without_scales(clip: Clip) -> Clip:
    """Return the clip with scales of 1 and no shear, and with the same joint positions and local rotations.

    Parameters
    ----------
    clip : Clip
        The clip.

    Returns
    -------
    Clip
        Distances between joints are in its translations; it loses the link to its file.

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


def refuse_shear(clip: Clip, what: str) -> None:
    """Raise ValueError if the rest pose is sheared, which a file cannot hold; `what`: such a file in words."""
    shear = rest_shear(clip.skeleton)
    for joint in () if shear is None else np.argwhere((shear != np.eye(3)).any(axis=(1, 2)))[:1, 0].tolist():
        raise ValueError(
            f"rest_local[{joint}] is sheared ({clip.names[joint]!r}): {what} cannot hold that; skelkin convert writes "
            "the joints where they are, without it"
        )


def _translations(places: np.ndarray, rotations: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Return the translations (F, J, 3) that put rigid joints with these rotations at these places."""
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
