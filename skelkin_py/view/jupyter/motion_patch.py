# SPDX-License-Identifier: MIT
"""What of a motion has changed since it was sent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNSEEN = 1e-6


class SentMotion:
    """The motion that a page has, and what it has to be told to have another one.

    Parameters
    ----------
    turn : (3, 3) ndarray
        From the clip's space to the page's, in which Y is up.
    size : float
        The figure's height: changes by less than a millionth of it are not sent.
    """

    def __init__(self, turn: NDArray[np.float64], size: float) -> None:
        self._turn = turn
        self._bounds = np.array([1.0, 1.0, 1.0, size]) * _UNSEEN
        self._sent: NDArray[np.float32] | None = None

    def patch(self, clip: Any, *, whole: bool = False) -> tuple[dict[str, Any], bytes]:
        """Return what is new in a clip, and keep in mind that it was sent.

        Parameters
        ----------
        clip : Clip
            The motion; always of the same skeleton and number of frames.
        whole : bool, default False
            Whether all of it is sent, as to a page that has just been opened.

        Returns
        -------
        dict
            "first", the first frame of the block; "frames", how many there are; "joints", which.
        bytes
            float32 (frames, joints, 3, 4), row by row: rotation and scale, then position.
        """
        now = np.empty((clip.num_frames, len(clip.names), 3, 4), np.float32)
        np.matmul(self._turn, clip.global_matrices()[..., :3, :], out=now, casting="same_kind")
        sent = self._sent
        if whole or sent is None:
            self._sent = now
            return {"first": 0, "frames": len(now), "joints": list(range(now.shape[1]))}, now.tobytes()
        changed = np.any(np.abs(now - sent) > self._bounds, axis=(2, 3))
        frames, joints = np.flatnonzero(np.any(changed, axis=1)), np.flatnonzero(np.any(changed, axis=0))
        if not len(frames):
            return {"first": 0, "frames": 0, "joints": []}, b""
        first, last = int(frames[0]), int(frames[-1])
        block = now[first : last + 1, joints]
        sent[first : last + 1, joints] = block
        return {"first": first, "frames": len(block), "joints": joints.tolist()}, block.tobytes()
