# SPDX-License-Identifier: MIT
"""A skeleton in motion."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .clip_arrays import checked, locked, normalised
from .kinematics import forward_kinematics_trs
from .legs import Leg, find_legs
from .legs.geometry import BENT_REASON, bend_from_motion
from .skeleton import Skeleton
from .transforms import compose

if TYPE_CHECKING:
    from .planting import Planted

FloatArray = NDArray[np.float64]


_SAMPLED_FRAMES = 64


class ClipSource(Protocol):
    """What a reader leaves in a clip for the writer of the same format."""

    def slice(self, start: int, stop: int) -> ClipSource:
        """Return the same for a part of the frames."""
        ...


class Clip:
    """The motion of a skeleton: one local rotation and translation per frame and joint. Immutable.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    rotations : (F, J, 4) array_like
        Local rotations (relative to the parent, rest rotation included), quaternions ``w x y z``; normalised.
    translations : (F, J, 3) array_like, optional
        Local translations; where None every joint stays at its rest offset.
    scales : (F, J, 3) array_like, optional
        Local scales; None means 1.
    fps : float
        Frames per second.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite or a quaternion is zero; names the index.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = 0, 1, 0
    >>> skeleton = sk.Skeleton([-1, 0], rest, ["hips", "head"])
    >>> clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (3, 2, 1)), fps=30)
    >>> clip
    Clip(3 frames at 30 fps, 2 joints)
    >>> clip.positions()[0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """

    __slots__ = ("_fps", "_rotations", "_scales", "_skeleton", "_source", "_translations")

    def __init__(
        self,
        skeleton: Skeleton,
        rotations: ArrayLike,
        translations: ArrayLike | None = None,
        scales: ArrayLike | None = None,
        *,
        fps: float,
        _source: ClipSource | None = None,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise TypeError(f"skeleton is a {type(skeleton).__name__}: must be a Skeleton")
        fps = float(fps)
        if not (0.0 < fps < float("inf")):
            raise ValueError(f"fps is {fps}: must be positive and finite")
        quaternions = checked("rotations", rotations, None, skeleton.num_joints, 4)
        frames = len(quaternions)
        if translations is None:
            offsets = np.asarray(skeleton.rest_local)[:, :3, 3]
            moved = locked(np.array(np.broadcast_to(offsets, (frames, skeleton.num_joints, 3))))
        else:
            moved = checked("translations", translations, frames, skeleton.num_joints, 3)
        self._skeleton = skeleton
        self._rotations = normalised(quaternions)
        self._translations = moved
        self._scales = None if scales is None else checked("scales", scales, frames, skeleton.num_joints, 3)
        self._fps = fps
        self._source = _source

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton."""
        return self._skeleton

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the joints."""
        return tuple(self._skeleton.names)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self._fps

    @property
    def num_frames(self) -> int:
        """Number of frames F."""
        return len(self._rotations)

    @property
    def rotations(self) -> FloatArray:
        """Local rotations, (F, J, 4) unit quaternions ``w x y z``; read-only."""
        return self._rotations

    @property
    def translations(self) -> FloatArray:
        """Local translations, (F, J, 3); read-only."""
        return self._translations

    @property
    def scales(self) -> FloatArray | None:
        """Local scales, (F, J, 3), or None for 1 everywhere; read-only."""
        return self._scales

    def __len__(self) -> int:
        return self.num_frames

    def __repr__(self) -> str:
        frames, joints = self.num_frames, self._skeleton.num_joints
        return f"Clip({frames} frame{'s' * (frames != 1)} at {self._fps:g} fps, {joints} joint{'s' * (joints != 1)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clip):
            return NotImplemented
        same_scales = (self._scales is None) == (other._scales is None)
        return bool(
            same_scales
            and self._fps == other._fps
            and self._skeleton == other._skeleton
            and np.array_equal(self._rotations, other._rotations)
            and np.array_equal(self._translations, other._translations)
            and (self._scales is None or np.array_equal(self._scales, np.asarray(other._scales)))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = (self._rotations, self._translations, self._scales)
        return _restored, (self._skeleton, *arrays, self._fps, self._source)

    def local_matrices(self) -> FloatArray:
        """Return the local transforms (relative to the parent) of all frames.

        Returns
        -------
        (F, J, 4, 4) float64 array
            ``T @ R @ S`` of every joint.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], [[[0, 2, 0]]], fps=30)
        >>> clip.local_matrices()[0, 0, :3, 3].tolist()
        [0.0, 2.0, 0.0]
        """
        return np.asarray(compose(self._translations, self._rotations, self._scales), np.float64)

    def global_matrices(self) -> FloatArray:
        """Return the global transforms (in the skeleton's own space) of all frames.

        Returns
        -------
        (F, J, 4, 4) float64 array
            Products of the local transforms from the root down.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], [[[0, 2, 0]]], fps=30)
        >>> clip.global_matrices().shape
        (1, 1, 4, 4)
        """
        result = forward_kinematics_trs(self._skeleton, self._rotations, self._translations, self._scales)
        return np.asarray(result, np.float64)

    def positions(self) -> FloatArray:
        """Return where the joints are in every frame, in the skeleton's own space.

        Returns
        -------
        (F, J, 3) float64 array
            Positions in the clip's unit.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], [[[0, 2, 0]]], fps=30)
        >>> clip.positions().tolist()
        [[[0.0, 2.0, 0.0]]]
        """
        return np.ascontiguousarray(self.global_matrices()[..., :3, 3])

    def slice(self, start: int | None = None, stop: int | None = None) -> Clip:
        """Return the frames from `start` up to, and without, `stop`.

        Parameters
        ----------
        start, stop : int, optional
            As in a Python slice: negative ones count from the end, None is the first frame or the end.

        Returns
        -------
        Clip
            At least one frame.

        Raises
        ------
        ValueError
            If no frame would be left.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), np.tile([1, 0, 0, 0], (9, 1, 1)), fps=30)
        >>> clip.slice(2, -3).num_frames
        4
        """
        first, last, _ = slice(start, stop).indices(self.num_frames)
        if last <= first:
            raise ValueError(f"start is {start} and stop is {stop}: no frame of {self.num_frames} is between them")
        part = slice(first, last)
        return Clip(
            self._skeleton,
            self._rotations[part],
            self._translations[part],
            None if self._scales is None else self._scales[part],
            fps=self._fps,
            _source=None if self._source is None else self._source.slice(first, last),
        )

    def replace(
        self,
        *,
        rotations: ArrayLike | None = None,
        translations: ArrayLike | None = None,
        scales: ArrayLike | None = None,
    ) -> Clip:
        """Return a clip with other rotations, translations or scales and everything else the same.

        A clip that was read from a file is still saved in that file's layout.

        Parameters
        ----------
        rotations : (F, J, 4) array_like, optional
            New local rotations.
        translations : (F, J, 3) array_like, optional
            New local translations.
        scales : (F, J, 3) array_like, optional
            New local scales.

        Returns
        -------
        Clip
            The same number of frames.

        Raises
        ------
        ValueError
            As for `Clip`; also if the number of frames differs.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30)
        >>> clip.replace(translations=[[[0, 3, 0]]]).positions().tolist()
        [[[0.0, 3.0, 0.0]]]
        """
        frames, joints = self.num_frames, self._skeleton.num_joints
        if rotations is not None:
            rotations = checked("rotations", rotations, frames, joints, 4)
        return Clip(
            self._skeleton,
            self._rotations if rotations is None else rotations,
            self._translations if translations is None else translations,
            self._scales if scales is None else scales,
            fps=self._fps,
            _source=self._source,
        )

    def find_legs(self) -> list[Leg]:
        """Find the legs of the skeleton by names and by structure, in its rest pose.

        Where a leg is straight in the rest pose, the motion says to which side its knee bends.

        Returns
        -------
        list of Leg
            Left before right; empty where there are none.

        See Also
        --------
        find_legs : The same for arrays.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30).find_legs()
        []
        """
        rest = np.asarray(self._skeleton.rest_global, np.float64)
        legs = find_legs(self.names, self._skeleton.parents, rest[:, :3, 3])
        if all(BENT_REASON in leg.reasons for leg in legs):
            return legs
        frames = np.linspace(0, self.num_frames - 1, min(self.num_frames, _SAMPLED_FRAMES)).astype(int)
        scales = None if self._scales is None else self._scales[frames]
        poses = forward_kinematics_trs(self._skeleton, self._rotations[frames], self._translations[frames], scales)
        return [_bent_by_motion(leg, rest, np.asarray(poses, np.float64)) for leg in legs]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the clip to a file, see `skelkin_py.io.save`.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.bvh`` file; replaced in one step, never half-written.
        """
        from .io import save

        save(self, path)

    def plant_feet(self, **options: Any) -> Planted:
        """Plant the feet on the ground, see `plant_feet`.

        Parameters
        ----------
        **options
            The keyword arguments of `plant_feet`.

        Returns
        -------
        Planted
            ``.clip`` and ``.report``.
        """
        from .planting import plant_feet

        return plant_feet(self, **options)

    def show(self, **options: Any) -> Any:
        """Show the clip in a notebook, see `skelkin_py.view.show`.

        Parameters
        ----------
        **options
            The keyword arguments of `skelkin_py.view.show`, such as ``compare=``.

        Returns
        -------
        object
            Shown by Jupyter; ``.save(path)`` writes it as one HTML file.
        """
        from .view import show

        return show(self, **options)


def _bent_by_motion(leg: Leg, rest: FloatArray, poses: FloatArray) -> Leg:
    """Return the leg with its bend taken from some poses where the rest pose does not show it."""
    if BENT_REASON in leg.reasons:
        return leg
    bend = bend_from_motion(rest, poses, *leg.chain)
    if bend is None:
        return leg
    kept = tuple(reason for reason in leg.reasons if not reason.startswith("bend: "))
    return replace(leg, bend=bend, reasons=(*kept, "bend: from the motion, the leg is straight in the rest pose"))


def _restored(
    skeleton: Skeleton,
    rotations: FloatArray,
    translations: FloatArray,
    scales: FloatArray | None,
    fps: float,
    source: ClipSource | None,
) -> Clip:
    """Rebuild a clip from its pickle."""
    return Clip(skeleton, rotations, translations, scales, fps=fps, _source=source)
