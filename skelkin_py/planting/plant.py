# SPDX-License-Identifier: MIT
"""Foot planting: find when the feet stand, hold them on the ground there, and move the legs to it.

The only things that change are the joint that carries the body and three joints per leg (thigh, shin, foot),
and those only in frames in which something has to move. All limits are relative to the leg, so that no unit
is assumed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import frame_rate, numbers_of
from ..clip import Clip, with_moved_joints
from ..legs import Leg, find_legs
from ..skeleton import Skeleton, checked_skeleton
from ..transforms import compose, decompose
from .blend import frames_to_spans
from .core import plant_subset
from .joint_motion import frame_blocks
from .leg_tracks import Subset, check_legs, subset_of
from .report import PlantReport
from .settings import ACCELERATION, ALIGN, BLEND, MAX_SLOPE, STRETCH, Reach, check_settings

if TYPE_CHECKING:
    from ..mesh import Mesh
    from ..view import Page

__all__ = ["Planted", "PlantedLocals", "plant_feet", "plant_locals"]

Array = NDArray[np.float64]


class Planted(NamedTuple):
    """What `plant_feet` returns.

    Attributes
    ----------
    clip : Clip
        The planted clip.
    report : PlantReport
        What was done, in numbers.
    """

    clip: Clip
    report: PlantReport

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the planted clip to a file: ``planted.clip.save(path)``."""
        self.clip.save(path)

    def show(
        self,
        *,
        compare: Clip | None = None,
        mesh: Mesh | None = None,
        ground: Any = None,
        title: str | None = None,
    ) -> Page:
        """Show the planted clip in a notebook, with the contacts and figures of its report.

        Parameters
        ----------
        compare : Clip, optional
            The clip that was planted, drawn behind.
        mesh, ground, title
            As in `skelkin_py.view.show`. Ground that is not level has to be given again: the report has heights only.

        Returns
        -------
        Page
            Shown by Jupyter; ``.save(path)`` writes it as one HTML file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> clip = sk.example("biped").clip
        >>> clip.plant_feet().show(compare=clip)
        <skelkin page, ... MB; .save(path) writes it>
        """
        return self.clip.show(compare=compare, mesh=mesh, report=self.report, ground=ground, title=title)


class PlantedLocals(NamedTuple):
    """What `plant_locals` returns.

    Attributes
    ----------
    local : (F, J, 4, 4) ndarray
        Local matrices, in the dtype of the input.
    changed : tuple of int
        Joints whose local matrix differs from the input in some frame, rising.
    report : PlantReport
        What was done, in numbers.
    """

    local: NDArray[Any]
    changed: tuple[int, ...]
    report: PlantReport

    def __repr__(self) -> str:
        return f"PlantedLocals(local={self.local.shape} {self.local.dtype}, changed={self.changed}, {self.report!r})"


def plant_feet(
    clip: Clip,
    *,
    ground: Any = None,
    legs: Sequence[Leg] | None = None,
    contacts: Any = "auto",
    reach: Reach = "soften",
    frames: tuple[int, int] | None = None,
    up: ArrayLike | str = "auto",
    metres_per_unit: float | None = None,
    blend: float = BLEND,
    stretch: float = STRETCH,
    sole: float | None = None,
    pelvis: int | None = None,
    max_slope: float = MAX_SLOPE,
    align: float = ALIGN,
    toe_bend: float = 0.0,
    pelvis_acceleration: float = ACCELERATION,
    ground_velocity: ArrayLike | str | None = None,
    loop: bool | str = "auto",
) -> Planted:
    """Plant the feet of a clip on the ground.

    Parameters
    ----------
    clip : Clip
        The motion, F frames.
    ground : None, float, callable, HeightGrid, MeshGround, mesh or object with `cast`, default None
        None: the level plane through the stance feet, estimated and reported. A number: a height along
        `up` in the clip's units. A function: points (N, 3) → heights (N,), NaN where there is no ground. A mesh,
        in the clip's space and units, is anything with `points` or `vertices` and `faces`. An object that answers
        rays has ``cast(origins (N, 3), directions (N, 3), frames (N,)) → (distance, normal, hit, surface_id)``,
        with `surface_id` ≥ 0 where it hits, and, if it moves, ``carry(points (N, 3), surface_id (N,), from_frames
        (N,), to_frames (N,)) → points (N, 3)``: a standing foot is carried along with the place it stands on. Where
        there is no ground, feet are in no contact.
    legs : sequence of Leg, optional
        The legs; found by `clip.find_legs()` where None.
    contacts : "auto", "always", "never", "ground_only", mapping or sequence, default "auto"
        When the feet stand. "auto" finds it; "ground_only" finds it and corrects heights only; "always" and
        "never" say it; a mapping from a leg's name (its side; else, where several
        share it, its foot joint) to spans, or a list of spans per leg, gives it. A span is
        (first, last), both frames included. For a leg's spans there may be ``{"heel": spans, "ball": spans}``,
        as the report has them: the foot stands where either does, flat where both do, and rolls about the heel
        (toes up) or the ball (heel up) where that stands alone; where it does not do so by itself it is turned.
        In an in-place cycle, whose stance feet all move back at one
        velocity, only heights are corrected in every mode unless `ground_velocity` is given, and the report
        says so.
    reach : "soften", "lower_pelvis" or "stretch", default "soften"
        What happens where a leg is too short. "soften": no leg gets straighter than 11.5° of flexion (0.995 of
        its length), unless it was; the body comes down, and feet in the air are held back. "lower_pelvis": legs
        in the air may come to 0.9995. "stretch": bones lengthen by up to `stretch` first. A contact out of reach
        is left out, and named in the report.
    frames : (first, last), optional
        The range to work on, both included; everything else stays to the last bit.
    up : "auto", "Y", "-Z" …, or (3,) array_like, default "auto"
        Which way is up; found from the body where "auto", and named in the report.
    metres_per_unit : float, optional
        For figures in centimetres; where None a leg counts as 0.9 m. Nothing else depends on it.
    blend : float, default 0.2
        How long corrections take to fade outside a contact, in seconds up to 1e6: after t they are down to
        e^(−t / (0.96 blend)), which is e^(−t / 0.19 s) by default.
    stretch : float, default 1.05
        Largest factor for ``reach="stretch"``.
    sole : float, optional
        Height of the ball joint above the sole, in the clip's units; where None it is read from a rest pose
        that stands on the origin's plane, else a typical foot's is taken.
    pelvis : int, optional
        The joint that raises and lowers the body; where None, the nearest one above the legs that moves.
    max_slope : float, default 60
        Degrees: ground that is steeper is none to stand on, and feet there are in no contact.
    align : float, default 1
        0 … 1: how much of the ground's slope standing feet take on. At 1 the sole lies along the ground; at 0
        feet keep their own rotation.
    toe_bend : float, default 0
        Degrees up to which toes are bent upwards where their tip would sink into the ground that the ball stands on,
        as when the heel rises over straight toes. At 0 toes keep their own rotation.
    pelvis_acceleration : float, default 20
        Leg lengths per s²: how much acceleration the shift of that joint may have in any frame (9.81 m/s² are 10.9
        of them for legs of 0.9 m). Where legs cannot reach their places within it, contacts are left out, and
        named in the report.
    ground_velocity : (3,) array_like or "auto", optional
        The velocity of a ground that moves below the body, a treadmill, in the clip's units per second and in
        the level plane: standing feet go with it, and slide is measured relative to it. "auto" takes that of
        the stance feet of an in-place cycle; in any other clip the ground rests. A foot is found to stand while it
        goes with the ground; on one that moves otherwise, such as (0, 0, 0), which rests, the feet of a cycle are
        held where `contacts` says so.
    loop : bool or "auto", default "auto"
        Whether the last pose is the first, in place or carried on by a level displacement and a turn about up.
        Then contacts go on across the seam, and the planted clip is closed as well; a contact that crosses it
        is reported, and may be given, as two spans, one at either end. "auto" recognises it where the poses
        differ by 0.001 of the leg at most and the speed does not jump; True allows 0.03. On ground that slopes or
        moves it may come back higher or lower too, and is closed where the ground under the feet of the last pose
        has the shape, to the same tolerance, and the velocity of that under the first; else "auto" leaves it open,
        and the report says so.

    Returns
    -------
    Planted
        ``clip`` and ``report``. Rotations and translations of all joints but the pelvis and the legs are
        bit-equal to the input's, those of the toes too where `toe_bend` is 0.

    Raises
    ------
    ValueError
        No legs, a leg of length zero or beyond 1e-50 … 1e50 of the clip's units, spans or a range outside the clip,
        an option that is not known, a `ground_velocity` that is not finite, not (3,), or that leaves the level plane,
        ``loop=True`` of a clip that cannot be one, a ground that returns the wrong shape or infinite heights, or that
        is below or above no foot at all; heel and ball given apart where feet are not turned (in place), where nothing
        tells them apart (no toe), or otherwise in a loop's last pose than in its first.
    TypeError
        An option of another kind than described.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")  # a walk whose feet slide, float and sink, and uneven ground
    >>> planted = sk.plant_feet(biped.clip, ground=biped.ground, metres_per_unit=1.0)
    >>> planted.report
    <PlantReport: 11 contacts, slide 5.09 → 0.00 cm>

    Notes
    -----
    After Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002, whose steps
    (constraints on heel and ball, root placement, leg lengths, blending) are kept; the rolling foot, the
    holding of flat moments and the envelope of the pelvis are our own.
    """
    start = time.perf_counter()
    if not isinstance(clip, Clip):
        raise TypeError(f"clip is a {type(clip).__name__}: a Clip is needed; for matrices there is plant_locals")
    skeleton = clip.skeleton
    settings = check_settings(
        clip.num_frames,
        ground=ground,
        contacts=contacts,
        reach=reach,
        frames=frames,
        up=up,
        metres_per_unit=metres_per_unit,
        blend=blend,
        stretch=stretch,
        sole=sole,
        max_slope=max_slope,
        align=align,
        toe_bend=toe_bend,
        pelvis_acceleration=pelvis_acceleration,
        ground_velocity=ground_velocity,
        loop=loop,
    )
    chosen = found_legs(skeleton) if legs is None else legs
    check_legs(skeleton, chosen)
    subset = subset_of(skeleton, chosen, pelvis, clip.translations)
    picked = subset.joints
    local = _picked_locals(clip, picked)
    planted, changed, report = plant_subset(subset, local, clip.fps, settings, start)
    if not changed:
        return Planted(clip, report)
    rotations, translations = {}, {}
    for joint, rows in changed.items():
        full = int(picked[joint])
        new, old = planted[rows, joint], local[rows, joint]
        if not np.array_equal(new[:, :3, :3], old[:, :3, :3]):
            turned = decompose(new)[1]
            turned[np.einsum("fi,fi->f", turned, clip.rotations[rows, full]) < 0.0] *= -1.0
            rotations[full] = rows, turned
        if not np.array_equal(new[:, :3, 3], old[:, :3, 3]):
            translations[full] = rows, new[:, :3, 3].copy()
    del local, planted, new, old  # as large as what is made next
    return Planted(with_moved_joints(clip, rotations, translations), report)


def plant_locals(
    skeleton: Skeleton,
    local: ArrayLike,
    *,
    fps: float,
    legs: Sequence[Leg] | None = None,
    ground: Any = None,
    contacts: Any = "auto",
    reach: Reach = "soften",
    frames: tuple[int, int] | None = None,
    up: ArrayLike | str = "auto",
    metres_per_unit: float | None = None,
    blend: float = BLEND,
    stretch: float = STRETCH,
    sole: float | None = None,
    pelvis: int | None = None,
    max_slope: float = MAX_SLOPE,
    align: float = ALIGN,
    toe_bend: float = 0.0,
    pelvis_acceleration: float = ACCELERATION,
    ground_velocity: ArrayLike | str | None = None,
    loop: bool | str = "auto",
) -> PlantedLocals:
    """Plant the feet of local matrices, as `plant_feet` does for a clip.

    The root's local matrix may hold any transform of the whole character, such as an object's world
    matrix with scale 0.01 or a mirrored axis: everything is computed in the space the roots lie in, and
    ground, `up` and the report are in that space too.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    local : (F, J, 4, 4) or (F, J, 3, 4) array_like
        Local matrices.
    fps : float
        Frames per second, 1e-12 to 1e12.
    legs : sequence of Leg, optional
        The legs; found by names and rest pose where None.
    ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole, pelvis
        As in `plant_feet`.
    max_slope, align, toe_bend, pelvis_acceleration, ground_velocity, loop
        As there.

    Returns
    -------
    PlantedLocals
        ``local``, ``changed`` and ``report``.

    Raises
    ------
    ValueError
        As in `plant_feet`; a matrix that is not finite, named by frames and joint.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> clip = sk.example("biped").clip
    >>> planted = sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps)
    >>> [clip.names[j] for j in planted.changed]
    ['Hips', 'LeftUpLeg', 'LeftLeg', 'LeftFoot', 'RightUpLeg', 'RightLeg', 'RightFoot']
    """
    start = time.perf_counter()
    checked_skeleton(skeleton)
    given = numbers_of(local, "local")
    completed = given.ndim == 4 and given.shape[2:] == (3, 4)
    if completed:
        last = np.broadcast_to(np.array([0, 0, 0, 1], dtype=given.dtype), (*given.shape[:2], 1, 4))
        given = np.concatenate([given, last], axis=2)
    if given.ndim != 4 or given.shape[1:] != (skeleton.num_joints, 4, 4) or not len(given):
        raise ValueError(f"local has shape {given.shape}: (F, {skeleton.num_joints}, 4, 4) with F ≥ 1 is needed")
    fps = frame_rate(fps)
    settings = check_settings(
        len(given),
        ground=ground,
        contacts=contacts,
        reach=reach,
        frames=frames,
        up=up,
        metres_per_unit=metres_per_unit,
        blend=blend,
        stretch=stretch,
        sole=sole,
        max_slope=max_slope,
        align=align,
        toe_bend=toe_bend,
        pelvis_acceleration=pelvis_acceleration,
        ground_velocity=ground_velocity,
        loop=loop,
    )
    legs = found_legs(skeleton) if legs is None else legs
    check_legs(skeleton, legs)
    subset = subset_of(skeleton, legs, pelvis)
    part = np.ascontiguousarray(given[:, subset.joints], dtype=np.float64)
    check_finite(part, subset)
    planted, changed, report = plant_subset(subset, part, float(fps), settings, start)
    del part  # before the result takes as much again
    dtype = given.dtype if given.dtype.kind == "f" else np.dtype(np.float64)
    out = given.astype(dtype, copy=not completed)
    for joint, rows in changed.items():
        out[rows, subset.joints[joint]] = planted[rows, joint]
    return PlantedLocals(out, tuple(sorted(int(subset.joints[j]) for j in changed)), report)


def _picked_locals(clip: Clip, joints: NDArray[np.intp]) -> Array:
    """Return the local matrices (F, S, 4, 4) of some joints of a clip."""
    local = np.empty((clip.num_frames, len(joints), 4, 4))
    for own in frame_blocks(clip.num_frames):
        scales = None if clip.scales is None else clip.scales[own, joints]
        compose(clip.translations[own, joints], clip.rotations[own, joints], scales, out=local[own])
    return local


def found_legs(skeleton: Skeleton) -> list[Leg]:
    """Return the legs that names and rest pose tell; to which side knees bend, planting reads from the motion."""
    return find_legs(skeleton.names, skeleton.parents, np.asarray(skeleton.rest_global)[:, :3, 3])


def check_finite(local: Array, subset: Subset, first: int = 0) -> None:
    """Raise ValueError where a subset's local matrices, those of the frames from `first` on, are not finite."""
    bad = np.asarray(~np.isfinite(local.reshape(*local.shape[:2], 16)).all(axis=2), dtype=np.bool_)
    if bad.any():
        frames = np.flatnonzero(np.asarray(bad.any(axis=1)))
        joint = int(np.flatnonzero(bad[frames[0]])[0])
        runs = [(a + first, b + first) for a, b in frames_to_spans(np.asarray(bad.any(axis=1)))[:5]]
        spans = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
        raise ValueError(
            f"local[{frames[0] + first}, {int(subset.joints[joint])}] ({subset.skeleton.names[joint]}) is not finite: "
            f"frame{'s' * (len(frames) > 1)} {spans} cannot be planted; repair them or leave them out by slicing"
        )
