# SPDX-License-Identifier: MIT
"""A skeleton in motion."""

from __future__ import annotations

import builtins
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._support.arguments import check_bound, frame_rate, positive_number
from .._support.array_types import Floats
from .._support.values import lock
from ..kinematics.joint_transforms import JointTransforms, JointValues
from ..skeleton import Skeleton
from .facts import ClipFacts, ClipSource
from .normalized import NormalizedSource, axis_of, normalized
from .plant_options import PlantKeywords, PlantOptions, takes_plant_options
from .show_options import FilmOptions, PictureOptions, ShowOptions, takes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..legs import LegList
    from ..planting import Planted
    from ..view import Page as Page


class Clip:
    """The motion of a skeleton: one local rotation and translation per frame and joint. Immutable.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    rotations : (F, J, 4) array_like
        Local rotations (relative to the parent, rest rotation included), quaternions ``w x y z``; normalised.
    translations : (F, J, 3) array_like, optional
        Local translations; None keeps every joint at its rest offset.
    scales : (F, J, 3) array_like, optional
        Local scales; None means 1.
    fps : float
        Frames per second, 1e-12 to 1e12.

    Raises
    ------
    ValueError
        A shape does not fit, a number is not finite or a quaternion is zero; the message names the index.

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

    __slots__ = ("_fps", "_skeleton", "_source", "_transforms")

    def __init__(
        self,
        skeleton: Skeleton,
        rotations: ArrayLike,
        translations: ArrayLike | None = None,
        scales: ArrayLike | None = None,
        *,
        fps: float,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise TypeError(f"skeleton is a {type(skeleton).__name__}: must be a Skeleton")
        fps = frame_rate(fps)
        self._skeleton = skeleton
        self._transforms = JointTransforms.checked(skeleton, rotations, translations, scales)
        self._fps = fps
        self._source = ClipSource(facts=ClipFacts(fps=fps))

    @classmethod
    def from_positions(
        cls, positions: ArrayLike, parents: ArrayLike, names: Sequence[str] | None = None, *, fps: float
    ) -> Clip:
        """Make a clip from joint positions, as text-to-motion and pose estimation return them.

        Parameters
        ----------
        positions : (F, J, 3) array_like
            Position of each joint in every frame, in one space and any unit.
        parents : (J,) array_like of int
            The parent of each joint, before it; -1 for a root.
        names : sequence of str, optional
            Names of the joints; common names make finding legs more reliable.
        fps : float
            Frames per second.

        Returns
        -------
        Clip
            ``clip.positions()`` returns the given positions, up to rounding, also where bones change their lengths. In
            the rest pose bones have their median lengths, and a body with legs stands upright with flat feet.
            ``clip.facts.notes`` lists what positions do not determine.

        Raises
        ------
        ValueError
            A shape does not fit, a number is not finite, or a parent does not come before its child; the message names
            the index.

        See Also
        --------
        rotations_from_positions : Turn the joints of a chain of an existing skeleton.

        Notes
        -----
        Thigh and shin turn with the plane of hip, knee and ankle, arms with that of shoulder, elbow and wrist, the
        pelvis with the hips and the trunk. Another joint with several children takes the rotation that
        turns their offsets best (W. Kabsch, "A solution for the best rotation to relate two sets of vectors", 1976),
        one with a single child the least turn from its parent's. Bones without length are ignored.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> biped = sk.example("biped").clip
        >>> clip = sk.Clip.from_positions(biped.positions(), biped.skeleton.parents, biped.names, fps=30)
        >>> clip.plant_feet(metres_per_unit=1.0).report
        <PlantReport: 11 contacts, slide 5.16 → 0.00 cm>
        """
        from .positions_to_transforms import transforms_from_positions

        found = transforms_from_positions(positions, parents, names)
        clip = cls(found.skeleton, found.rotations, found.translations, fps=fps)
        return with_source(clip, ClipSource(facts=ClipFacts(fps=clip.fps, notes=found.notes)))

    @classmethod
    def from_smpl(
        cls, arrays: Mapping[str, ArrayLike], *, fps: float | None = None, skeleton: Clip | Skeleton | None = None
    ) -> Clip:
        """Make a clip from poses of SMPL, SMPL-H or SMPL-X, as pose estimation and text-to-motion return them.

        Parameters
        ----------
        arrays : mapping of str to array_like
            Rotations, as vectors in radians or as matrices, and positions: ``poses`` (F, 66 | 72 | 156 | 165), or
            ``global_orient`` (F, 3) and ``body_pose`` (F, 63 | 69), and ``transl`` or ``trans`` (F, 3), all keys as in
            `load`; ``pose_world`` with ``trans_world``, or ``pose``, of WHAM, VIBE and PromptHMR;
            ``pred_rotmat`` (F, 24, 3, 3) and ``pred_trans`` of TRAM, relative to the camera; ``smpl_poses``,
            ``smpl_trans`` and ``smpl_scaling`` of AIST++, at 60 frames per second by default. Other keys are ignored.
            Tensors must be detached and on the CPU. The arrays may be nested below other keys; arrays in the world are
            preferred to those relative to the camera. For several people, pass one of them, such as ``results[0]``.
        fps : float, optional
            Frames per second, instead of ``mocap_framerate`` or ``fps`` of the arrays.
        skeleton : Skeleton or Clip, optional
            The body, as for `load`.

        Returns
        -------
        Clip
            The clip in metres, as `load` reads it from a file of these arrays.

        Raises
        ------
        ValueError
            There are no such poses, or poses of several people; a shape does not fit, or a number is not finite.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> poses = {"global_orient": np.zeros((9, 3)), "body_pose": np.zeros((9, 63)), "transl": np.zeros((9, 3))}
        >>> sk.Clip.from_smpl(poses, fps=30)
        Clip(9 frames at 30 fps, 22 joints)
        """
        from ..io.amass.reader import clip_from_arrays

        return clip_from_arrays(arrays, fps, skeleton)

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
        return len(self._transforms.rotations)

    @property
    def rotations(self) -> Floats:
        """Local rotations, (F, J, 4) unit quaternions ``w x y z``; read-only."""
        return self._transforms.rotations

    @property
    def translations(self) -> Floats:
        """Local translations, (F, J, 3); read-only."""
        return self._transforms.translations

    @property
    def scales(self) -> Floats | None:
        """Local scales, (F, J, 3), or None for 1 everywhere; read-only."""
        return self._transforms.scales

    @property
    def facts(self) -> ClipFacts:
        """Format, axes, unit and frame rate as its file has them, and what was assumed."""
        return self._source.facts

    def __len__(self) -> int:
        return self.num_frames

    def __getitem__(self, frames: builtins.slice) -> Clip:
        """Return `slice` of a range of frames: ``clip[5:10]``."""
        if not isinstance(frames, builtins.slice):
            raise TypeError(f"frames is {frames!r}: expected a range, as in clip[5:10]; one frame is clip[5:6]")
        if frames.step not in (None, 1):
            raise ValueError(f"frames has the step {frames.step!r}: a clip keeps every frame of a range")
        return self.slice(frames.start, frames.stop)

    def __repr__(self) -> str:
        frames, joints = self.num_frames, self._skeleton.num_joints
        return f"Clip({frames} frame{'s' * (frames != 1)} at {self._fps:g} fps, {joints} joint{'s' * (joints != 1)})"

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"a Clip is immutable: cannot set {name}: replace() returns another")
        object.__setattr__(self, name, value)

    def _repr_html_(self, **options: Any) -> str:
        """Show the clip in a notebook: a table, a picture and, unless it is too long, the player."""
        from ..view.notebook import clip_html

        return clip_html(self, **options)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clip):
            return NotImplemented
        same = self._fps == other._fps and self._skeleton == other._skeleton
        return same and self._transforms.equal(other._transforms)

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = self.rotations, self.translations, self.scales
        return _restored, ((self._skeleton, *arrays), self._fps, self._source)

    def local_matrices(self) -> Floats:
        """Return the local transforms (relative to the parent) of all frames.

        Returns
        -------
        (F, J, 4, 4) float64 array
            ``T @ R @ S`` of every joint, with the shear of the rest pose, if any, between rotation and scale.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], [[[0, 2, 0]]], fps=30)
        >>> clip.local_matrices()[0, 0, :3, 3].tolist()
        [0.0, 2.0, 0.0]
        """
        return self._transforms.local_matrices(self._skeleton)

    def global_matrices(self) -> Floats:
        """Return the global transforms (in the skeleton's own space) of all frames.

        Returns
        -------
        (F, J, 4, 4) float64 array
            Products of the local transforms from the root down.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.example("biped").clip.global_matrices().shape[2:]
        (4, 4)
        """
        return self._transforms.global_matrices(self._skeleton)

    def positions(self) -> Floats:
        """Return the positions of the joints in every frame, in the skeleton's own space.

        Returns
        -------
        (F, J, 3) float64 array
            Positions in the clip's unit.
        """
        return np.ascontiguousarray(self.global_matrices()[..., :3, 3])

    def slice(self, start: int | None = None, stop: int | None = None) -> Clip:
        """Return the frames from `start` up to, and without, `stop`.

        Parameters
        ----------
        start, stop : int, optional
            As in a Python slice: negative numbers count from the end, None is the first frame or the end.

        Returns
        -------
        Clip
            At least one frame.

        Raises
        ------
        ValueError
            No frame would be left.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), np.tile([1, 0, 0, 0], (9, 1, 1)), fps=30)
        >>> clip.slice(2, -3).num_frames
        4
        """
        check_bound("start", start)
        check_bound("stop", stop)
        first, last, _ = slice(start, stop).indices(self.num_frames)
        if last <= first:
            raise ValueError(f"start is {start} and stop is {stop}: no frame of {self.num_frames} is between them")
        transforms, source = self._transforms.at_frames(slice(first, last)), self._source.slice(first, last)
        return _made(self._skeleton, transforms, self._fps, source)

    def replace(
        self,
        *,
        rotations: ArrayLike | None = None,
        translations: ArrayLike | None = None,
        scales: ArrayLike | None = None,
    ) -> Clip:
        """Return a clip with other rotations, translations or scales and everything else the same.

        A clip that was read from a file is still saved in the layout of that file.

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
        transforms = self._transforms.replaced(rotations, translations, scales)
        return _made(self._skeleton, transforms, self._fps, self._source)

    def normalized(
        self,
        *,
        up: str = "+Y",
        metres_per_unit: float | None = 1.0,
        from_up: str | None = None,
        from_metres_per_unit: float | None = None,
    ) -> Clip:
        """Return the clip in other axes and another unit.

        Parameters
        ----------
        up : str, default "+Y"
            The new up axis, such as "+X" or "-Z".
        metres_per_unit : float or None, default 1
            The new unit of length, in metres; None keeps the unit.
        from_up : str, optional
            The current up axis, if ``facts.up`` is None; the report of planting and ``skelkin info`` find it from the
            motion.
        from_metres_per_unit : float, optional
            The current unit of length in metres, if ``facts.metres_per_unit`` is None.

        Returns
        -------
        Clip
            The world is turned by the least rotation from one axis to the other, and all lengths are scaled: roots
            turn, all other rotations stay, and the rest pose keeps its axes. ``facts`` have the new axis and unit. The
            clip loses the link to its file: saving it makes a new one.

        Raises
        ------
        ValueError
            The current axis or unit is unknown, an axis is invalid, or a unit is not positive.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> clip = sk.example("biped").clip
        >>> turned = clip.normalized(up="+Z", metres_per_unit=0.01, from_up="+Y", from_metres_per_unit=1.0)
        >>> turned.facts.up, bool(abs(turned.positions()[..., 2] - 100 * clip.positions()[..., 1]).max() < 1e-9)
        ('+Z', True)
        """
        facts = self.facts
        now = facts.up if from_up is None else from_up
        if now is None:
            raise ValueError("from_up is None: the clip does not say which axis points up, give it, such as '+Z'")
        unit = facts.metres_per_unit if from_metres_per_unit is None else from_metres_per_unit
        scale = 1.0
        if metres_per_unit is not None:
            if unit is None:
                raise ValueError(
                    "from_metres_per_unit is None: the clip does not say how long a unit is; give it, or "
                    "metres_per_unit=None to leave the unit as it is"
                )
            new_unit = positive_number("metres_per_unit", metres_per_unit)
            scale, unit = positive_number("from_metres_per_unit", unit) / new_unit, new_unit
        old_axis, new_axis = axis_of("from_up", now), axis_of("up", up)
        skeleton, transforms = normalized(self._skeleton, self._transforms, old_axis, new_axis, scale)
        name = ("-" if new_axis.min() < 0.0 else "+") + "XYZ"[int(abs(new_axis).argmax())]
        made = facts._replace(up=name, metres_per_unit=unit, fps=self._fps)
        leg_names, labels = self._source.leg_names, self._source.contact_labels()
        source = NormalizedSource(facts=made, leg_names=leg_names, labels=labels)
        return _made(skeleton, transforms, self._fps, source)

    def find_legs(self) -> LegList:
        """Find the legs of the skeleton by names and by structure, in its rest pose.

        Where a leg is straight in the rest pose, the motion shows to which side its knee bends.

        Returns
        -------
        LegList
            A list of `Leg`, left before right; empty where there are none.

        See Also
        --------
        find_legs : The same for arrays.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30).find_legs()
        []
        """
        from ..legs.motion_bend import find_moving_legs

        return find_moving_legs(self._skeleton, self._transforms, self._source.leg_names)

    def labelled_contacts(self) -> dict[str, dict[str, list[tuple[int, int]]]]:
        """Return the contacts of heels and balls of the feet that the clip's file has labels of.

        Returns
        -------
        dict of str to dict
            For "left" and "right" the spans (first, last) in which "heel" and "ball" stand, as ``contacts=`` of
            `plant_feet` takes them.

        Raises
        ------
        ValueError
            The clip's file has no labels of contacts.

        Examples
        --------
        >>> import numpy as np, skelkin_py as sk
        >>> biped = sk.example("biped").clip
        >>> labels = np.zeros((180, 4), bool)
        >>> labels[10:21, 1] = True
        >>> np.savez("walk.npz", posed_joints=biped.positions(), foot_contacts=labels, fps=30)
        >>> sk.load("walk.npz", skeleton=biped).labelled_contacts()["left"]
        {'heel': [], 'ball': [(10, 20)]}
        """
        found = self._source.contact_labels()
        if found is None:
            raise ValueError("the file of this clip has no labels of contacts (foot_contacts of an .npz file)")
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the clip to a file, see `skelkin_py.io.save`.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.bvh``, ``.glb``, ``.gltf``, ``.npy`` or ``.npz`` file; replaced in one step, never half-written.
        """
        from ..io import save

        save(self, path)

    @takes_plant_options
    def plant_feet(self, *, options: PlantOptions | None = None, **changes: Unpack[PlantKeywords]) -> Planted:
        """Plant the feet on the ground: ``sk.plant_feet(clip, ...)``.

        Parameters
        ----------
        options : PlantOptions, optional
            All options below in one object; keywords replace its fields.
        **changes
            The fields of `PlantOptions`.

        Returns
        -------
        Planted
            ``.clip`` and ``.report``.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.example("biped").clip.plant_feet(metres_per_unit=1.0).report
        <PlantReport: 11 contacts, slide 5.12 → 0.00 cm>
        """
        from ..planting import plant_feet

        return plant_feet(self, options=options, **changes)

    @takes(ShowOptions)
    def show(self, **options: Unpack[ShowOptions]) -> Page:
        """Show the clip in a notebook: ``sk.view.show(clip, ...)``.

        Parameters
        ----------
        **options
            The keyword arguments of `skelkin_py.view.show`.

        Returns
        -------
        Page
            Shown by Jupyter; ``.save(path)`` writes it as one HTML file.
        """
        from ..view import show

        return show(self, **options)

    @takes(FilmOptions)
    def save_film(self, path: str | os.PathLike[str], **options: Unpack[FilmOptions]) -> Path:
        """Write a film of the clip: ``sk.view.write_film(path, clip, ...)``.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.gif`` or ``.mp4`` file.
        **options
            The keyword arguments of `skelkin_py.view.write_film`.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.example("biped").clip.save_film("walk.gif", frames=(0, 9), fps=5, camera="feet").name
        'walk.gif'
        """
        from ..view import write_film

        return write_film(path, self, **options)

    @takes(PictureOptions)
    def save_picture(
        self, path: str | os.PathLike[str], frames: int | Sequence[int] | None = None, **options: Unpack[PictureOptions]
    ) -> Path:
        """Write a picture of one frame, or a strip of several: ``sk.view.write_picture(path, clip, frames, ...)``.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.png`` file.
        frames : int or sequence of int, optional
            The frames to draw, in a row; five spread over the clip by default.
        **options
            The keyword arguments of `skelkin_py.view.write_picture`.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.example("biped").clip.save_picture("walk.png", [20, 40, 60]).name
        'walk.png'
        """
        from ..view import write_picture

        return write_picture(path, self, frames, **options)


def clip_of_own(skeleton: Skeleton, rotations: Floats, translations: Floats, fps: float) -> Clip:
    """Return a clip that takes over new arrays without a check: unit quaternions (F, J, 4), translations (F, J, 3)."""
    lock(rotations, translations)
    transforms = JointTransforms(rotations, translations, None)
    return _made(skeleton, transforms, fps, ClipSource(facts=ClipFacts(fps=fps)))


def with_source(clip: Clip, source: ClipSource) -> Clip:
    """Set the facts of a new clip, and what a reader keeps for the writer, and return the clip."""
    clip._source = source
    return clip


def with_moved_joints(clip: Clip, rotations: JointValues, translations: JointValues) -> Clip:
    """Return the clip with other unit quaternions and translations: per joint the frames, (n,), and (n, 4) or (n, 3).

    Only these are checked; an array without changes is not copied.
    """
    transforms = clip._transforms.with_joints(rotations, translations)
    return _made(clip._skeleton, transforms, clip._fps, clip._source)


def _made(skeleton: Skeleton, transforms: JointTransforms, fps: float, source: ClipSource) -> Clip:
    """Return a clip of what has been checked."""
    clip: Clip = object.__new__(Clip)
    clip._skeleton, clip._transforms, clip._fps, clip._source = skeleton, transforms, fps, source
    return clip


def _restored(parts: tuple[Any, ...], fps: float, source: ClipSource) -> Clip:
    """Rebuild a clip from its pickle."""
    return with_source(Clip(*parts, fps=fps), source)
