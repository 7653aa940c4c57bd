# SPDX-License-Identifier: MIT
"""Foot planting: find when the feet stand, hold them in place on the ground, and move the legs accordingly.

Only the joint that carries the body and three joints per leg (thigh, shin, foot) change, and only in frames in which
something has to move. All limits are relative to the leg, so that no unit is assumed.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._support.arguments import frame_rate, numbers_of
from .._support.array_types import Array, Floats
from .._support.values import compared_by_values
from ..legs import Leg, LegList, find_legs, listed_legs, sure_legs, too_unsure
from ..legs.detached_feet import loose_legs, second_feet, stays_at_the_ankle
from ..legs.finder import STRUCTURE_CEILING
from ..motion.clip import Clip, with_moved_joints
from ..motion.plant_options import PlantKeywords, PlantOptions, chosen_options, takes_plant_options
from ..motion.reparented import Reparented, detached_joints, move_rigidly
from ..motion.show_options import FilmOptions, PictureOptions, ShowOptions, takes
from ..skeleton import Skeleton, checked_skeleton
from ..transforms import decompose
from .given_contacts import cycle_spans
from .held_frames import HeldFrames, find_held
from .known import cut_out, learn, solve_settled, unchanged
from .leg_tracks import Subset, check_legs, subset_of
from .measure import measured
from .parts import Known, Part, Solved
from .remark import renumbered
from .remarks import STILL, about_distance, fastest_turns
from .report.report import PlantReport
from .settings import Settings, settled
from .spans import frames_to_spans
from .travel import check_travel, travelled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..motion.clip import Page


_SHORTEST, _LONGEST = 0.1, 3.0  # m: legs


class _ClipAndReport(NamedTuple):
    clip: Clip
    report: PlantReport


@compared_by_values
class Planted(_ClipAndReport):
    """What `plant_feet` returns: a pair ``clip, report``, with the original clip and the options.

    Attributes
    ----------
    clip : Clip
        The planted clip.
    report : PlantReport
        What changed, in numbers.
    original : Clip or None
        The clip before planting.
    ground
        The ground as given, or None.
    options : PlantOptions or None
        The options of planting; `jupyter.edit` starts with them.

    Notes
    -----
    A pickle includes the ground if it can be pickled; a function that cannot be imported by name is left out.
    """

    original: Clip | None = None
    options: PlantOptions | None = None

    def __new__(
        cls, clip: Clip, report: PlantReport, original: Clip | None = None, options: PlantOptions | None = None
    ) -> Planted:
        """Make the pair."""
        self = super().__new__(cls, clip, report)
        self.original, self.options = original, options
        return self

    @property
    def ground(self) -> Any:
        """The ground as given, or None."""
        return None if self.options is None else self.options.ground

    def __copy__(self) -> Planted:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        options = self.options
        if options is not None and not _can_be_pickled(options.ground):
            options = dataclasses.replace(options, ground=None)
        return type(self), (*self, self.original, options)

    def __repr__(self) -> str:
        return f"Planted(clip={self.clip!r}, report={self.report!r})"

    def _repr_html_(self) -> str:
        """Show before and after in a notebook: figures, a picture and the player."""
        return self.clip._repr_html_(**self._with_defaults({}))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the planted clip to a file: ``planted.clip.save(path)``."""
        self.clip.save(path)

    @takes(ShowOptions)
    def show(self, **options: Unpack[ShowOptions]) -> Page:
        """Show before and after in a notebook, with the contacts and figures of the report.

        Parameters
        ----------
        **options
            The keyword arguments of `skelkin_py.view.show`. By default `compare` is the original clip, `ground` the one
            of planting, and `report` this report.

        Returns
        -------
        Page
            Shown by Jupyter; ``.save(path)`` writes it as one HTML file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> biped = sk.example("biped")
        >>> biped.clip.plant_feet(ground=biped.ground).show(mesh=biped.mesh)
        <skelkin page, ... MB; .save(path) writes it>
        """
        return self.clip.show(**self._with_defaults(options))

    @takes(FilmOptions)
    def save_film(self, path: str | os.PathLike[str], **options: Unpack[FilmOptions]) -> Path:
        """Write a film of the clip before and after planting, with the contacts of the report.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.gif`` or ``.mp4`` file.
        **options
            The keyword arguments of `skelkin_py.view.write_film`; defaults as in `show`.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> clip = sk.example("biped").clip
        >>> clip.plant_feet().save_film("planted.gif", frames=(0, 9), fps=5).name
        'planted.gif'
        """
        return self.clip.save_film(path, **self._with_defaults(options))

    @takes(PictureOptions)
    def save_picture(
        self, path: str | os.PathLike[str], frames: int | Sequence[int] | None = None, **options: Unpack[PictureOptions]
    ) -> Path:
        """Write a picture of the clip before and after planting, with the contacts of the report.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.png`` file.
        frames : int or sequence of int, optional
            The frames to draw, in a row; five spread over the clip by default.
        **options
            The keyword arguments of `skelkin_py.view.write_picture`; defaults as in `show`.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> clip = sk.example("biped").clip
        >>> clip.plant_feet().save_picture("planted.png", 60).name
        'planted.png'
        """
        return self.clip.save_picture(path, frames, **self._with_defaults(options))

    def _with_defaults(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options with the original, the ground and the report of this planting where they are None."""
        given = {name: value for name, value in options.items() if value is not None}
        return {"compare": self.original, "ground": self.ground, "report": self.report, **given}


def _can_be_pickled(ground: Any) -> bool:
    """Tell whether a ground can be pickled."""
    try:
        pickle.dumps(ground)
    except Exception:  # an object's own methods may raise anything
        return False
    return True


@compared_by_values
class PlantedLocals(NamedTuple):
    """What `plant_locals` returns.

    Attributes
    ----------
    local : (F, J, 4, 4) ndarray
        Local matrices, in the dtype of the input.
    changed : tuple of int
        Joints whose local matrix differs from the input in some frame, in ascending order.
    report : PlantReport
        What changed, in numbers.
    """

    local: Array
    changed: tuple[int, ...]
    report: PlantReport

    def __repr__(self) -> str:
        return f"PlantedLocals(local={self.local.shape} {self.local.dtype}, changed={self.changed}, {self.report!r})"


@takes_plant_options
def plant_feet(clip: Clip, *, options: PlantOptions | None = None, **changes: Unpack[PlantKeywords]) -> Planted:
    """Plant the feet of a clip on the ground.

    Parameters
    ----------
    clip : Clip
        The motion, F frames.
    options : PlantOptions, optional
        All options below in one object; keywords replace its fields.
    **changes
        The fields of `PlantOptions`.

    Returns
    -------
    Planted
        ``clip`` and ``report``. All joints but the pelvis and the legs keep their rotations and translations bit for
        bit; so do the toes where `toe_bend` is 0.

    Raises
    ------
    ValueError
        The skeleton has no legs; a leg has length zero, or one outside 1e-50 … 1e50 of the clip's units; spans or
        frames are outside the clip; a word is unknown; `ground_velocity` is not finite, not (3,) or not horizontal;
        ``loop=True`` for a clip that is not a loop; a ground returns the wrong shape or infinite heights, or is below
        or above no foot; heel and ball are given separately for feet that are not turned (a cycle in place) or have no
        toe, or differently in the first and last pose of a loop.
    TypeError
        An option has another type than described, or there is no such option.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")  # a walk whose feet slide, float and sink, and uneven ground
    >>> planted = sk.plant_feet(biped.clip, ground=biped.ground, metres_per_unit=1.0)
    >>> planted.report
    <PlantReport: 11 contacts, slide 5.09 → 0.00 cm>

    Notes
    -----
    The steps (constraints on heel and ball, root placement, leg lengths, blending) are those of Kovar, Schreiner and
    Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002. How the foot rolls, how flat feet are held still and
    how the body shift is bounded are not from that paper.
    """
    if not isinstance(clip, Clip):
        raise TypeError(f"clip is a {type(clip).__name__}: a Clip is needed; for matrices there is plant_locals")
    planted, travel = _planted_clip(clip, chosen_options("plant_feet", options, changes))
    if travel is None:
        return planted
    roots = np.flatnonzero(clip.skeleton.parents < 0).tolist()
    frames = np.arange(clip.num_frames)
    moved = {root: (frames, planted.clip.translations[:, root] + travel) for root in roots}
    return Planted(with_moved_joints(planted.clip, {}, moved), planted.report, clip, planted.options)


def _planted_clip(clip: Clip, given: PlantOptions) -> tuple[Planted, Floats | None]:
    """Return a clip planted, and the travel (F, 3) that its roots are still to get, None where they stay."""
    start = time.perf_counter()
    skeleton = clip.skeleton
    if isinstance(given.up, str) and given.up == "auto" and clip.facts.up is not None:
        given = dataclasses.replace(given, up=clip.facts.up)
    found: LegList | None = None
    if (legs := given.legs) is None:
        found = _found_legs(skeleton, clip._source.leg_names)
        legs = _legs_of_motion(clip, found)
    detached = _joints_to_reparent(clip, listed_legs(legs)) if legs else {}
    if legs and detached:
        return _planted_reparented(clip, legs, detached, given)
    settings = settled(given, clip.num_frames)
    subset = subset_for(skeleton, settings, clip.translations, found)
    if settings.metres_per_unit is None:
        settings = dataclasses.replace(settings, metres_per_unit=_unit_of_file(clip, subset))
    picked = subset.joints
    local = clip._transforms.local_matrices(skeleton, picked)
    planted, changed, report, travel = plant_subset(subset, local, clip.fps, settings, start)
    if not changed:
        return Planted(clip, report, clip, given), travel
    rotations, translations = {}, {}
    for joint, rows in changed.items():
        own = slice(None) if len(rows) == clip.num_frames else rows  # a slice gives views
        full, new = int(picked[joint]), planted[own, joint]
        differs = (new != local[own, joint]).reshape(len(new), 16).any(axis=0).reshape(4, 4)
        if differs[:3, :3].any():
            turned = decompose(new)[1]
            turned[np.einsum("fi,fi->f", turned, clip.rotations[own, full]) < 0.0] *= -1.0
            rotations[full] = rows, turned
        if differs[:3, 3].any():
            translations[full] = rows, new[:, :3, 3].copy()
    del local, planted, new  # as large as what is made next
    return Planted(with_moved_joints(clip, rotations, translations), report, clip, given), travel


def _found_legs(skeleton: Skeleton, names: Sequence[str] | None = None) -> LegList:
    """Return the legs in the rest pose, found by `names` where these are not the joints' own."""
    rest = np.asarray(skeleton.rest_global)[:, :3, 3]
    return find_legs(skeleton.names if names is None else names, skeleton.parents, rest)


def _legs_of_motion(clip: Clip, found: LegList) -> list[Leg]:
    """Return the legs of a clip where names show feet that are not below the shins, which the motion decides."""
    parents = clip.skeleton.parents.tolist()
    named = [leg for leg in found if leg.confidence > STRUCTURE_CEILING]
    loose = loose_legs(found.names, parents, named) or second_feet(found.names, parents, named)
    return sure_legs(clip.find_legs()) if loose else []


def _joints_to_reparent(clip: Clip, legs: Sequence[Leg]) -> dict[int, int]:
    """Return the joints of legs to plant below others than their parents: feet below the shin or beside the ankle."""
    parents = clip.skeleton.parents.tolist()
    detached = detached_joints(parents, legs)
    if detached and not move_rigidly(clip, detached):
        return {}
    names = clip._source.leg_names or clip.names
    beside = [(foot, leg) for foot, leg in second_feet(names, parents, legs) if foot not in leg.chain]
    if beside:
        poses = np.asarray(clip.global_matrices(), np.float64)
        detached |= {foot: leg.ankle for foot, leg in beside if stays_at_the_ankle(foot, leg, poses)}
    return detached


def _planted_reparented(
    clip: Clip, legs: Sequence[Leg], detached: dict[int, int], given: PlantOptions
) -> tuple[Planted, Floats | None]:
    """Plant a clip whose legs have joints under other parents as if each were below the one before it."""
    num = clip.skeleton.num_joints
    for k, leg in enumerate(legs):
        for joint in (*leg.segments, *leg.chain, *(j for j in (leg.toe, leg.heel, leg.pelvis) if j is not None)):
            if not 0 <= joint < num:
                raise ValueError(f"legs[{k}] has the joint {joint}: it must be one of the {num} joints")
    moved = Reparented(clip, detached)
    options = dataclasses.replace(given, legs=moved.legs(legs), pelvis=moved.joint(given.pelvis))
    planted, travel = _planted_clip(moved.clip, options)
    options = dataclasses.replace(given, legs=list(legs))
    return Planted(moved.restored(planted.clip), planted.report, clip, options), travel


def _unit_of_file(clip: Clip, subset: Subset) -> float | None:
    """Return the unit that the clip's file says if legs have a plausible length in it, else None.

    Programs write formats with a fixed unit in whatever unit they had.
    """
    metres = clip.facts.metres_per_unit
    if metres is None or not subset.legs:
        return None
    rest = np.asarray(subset.skeleton.rest_global)[:, :3, 3]
    lengths = [np.linalg.norm(np.diff(rest[list(leg.chain)], axis=0), axis=1).sum() for leg in subset.legs]
    return metres if _SHORTEST <= metres * float(np.mean(lengths)) <= _LONGEST else None


@takes_plant_options
def plant_locals(
    skeleton: Skeleton,
    local: ArrayLike,
    *,
    fps: float,
    options: PlantOptions | None = None,
    **changes: Unpack[PlantKeywords],
) -> PlantedLocals:
    """Plant the feet of local matrices, as `plant_feet` does for a clip.

    The root's local matrix may hold any transform of the whole character, such as an object's world matrix with scale
    0.01 or a mirrored axis. Planting works in the space above the roots; the ground, `up` and the report are in it too.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    local : (F, J, 4, 4) or (F, J, 3, 4) array_like
        Local matrices.
    fps : float
        Frames per second, 1e-12 to 1e12.
    options : PlantOptions, optional
        All options below in one object; keywords replace its fields.
    **changes
        The fields of `PlantOptions`.

    Returns
    -------
    PlantedLocals
        ``local``, ``changed`` and ``report``.

    Raises
    ------
    ValueError
        As in `plant_feet`; or a matrix is not finite (the message names frames and joint).

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
    settings = settled(chosen_options("plant_locals", options, changes), len(given))
    subset = subset_for(skeleton, settings)
    part = np.ascontiguousarray(given[:, subset.joints], dtype=np.float64)
    _check_finite(part, subset)
    planted, changed, report, travel = plant_subset(subset, part, float(fps), settings, start)
    del part  # before the result needs as much memory again
    dtype = given.dtype if given.dtype.kind == "f" else np.dtype(np.float64)
    out = given.astype(dtype, copy=not completed)
    for joint, rows in changed.items():
        out[rows, subset.joints[joint]] = planted[rows, joint]
    joints = {int(subset.joints[j]) for j in changed}
    if travel is not None:
        roots = np.flatnonzero(skeleton.parents < 0)
        out[..., :3, 3][:, roots] += travel[:, None]
        joints.update(roots.tolist())
    return PlantedLocals(out, tuple(sorted(joints)), report)


def plant_subset(
    subset: Subset, local: Floats, fps: float, settings: Settings, start: float
) -> tuple[Floats, dict[int, NDArray[np.intp]], PlantReport, Floats | None]:
    """Plant the feet of a subset's local matrices (F, S, 4, 4); `start`: when the work began, by `time.perf_counter`.

    Returns the planted matrices, per changed joint the frames in which it differs, the report, and the travel (F, 3)
    that the roots are still to get, None where they stay.
    """
    settings = check_travel(settings, len(local))
    held = find_held(subset, local, fps)
    known, part, solved = _planted_held(subset, local, fps, settings, held)
    if held is not None and not known.stands:
        held = find_held(subset, local, fps, alone=True)
        known, part, solved = _planted_held(subset, local, fps, settings, held)
    shown = np.arange(len(local)) if held is None or held.shows_motion else held.frames[held.shown]
    report, travel = travelled(measured(known, part, solved, start), solved.after, settings, shown)
    return solved.local, solved.changed, report, travel


def _planted_held(
    subset: Subset, local: Floats, fps: float, settings: Settings, held: HeldFrames | None
) -> tuple[Known, Part, Solved]:
    """Return the analysis of a clip, its frames and its planted motion; `held`: the motion between held poses."""
    if held is None:
        return _planted(subset, local, fps, settings)
    try:
        own = held.settings(settings, [leg.name for leg in subset.legs])
        motion = _planted(subset, held.local, held.fps, own)
    except ValueError as error:
        raise ValueError(renumbered(error.args[0], held.clip_frame)) from error
    return held.held_again(*motion, local, fps, settings)


def _planted(subset: Subset, local: Floats, fps: float, settings: Settings) -> tuple[Known, Part, Solved]:
    """Return the analysis of a motion, its frames and its planted motion."""
    assumed: list[str] = []
    if settings.contacts == "cycle":
        scene = learn(subset, local, fps, dataclasses.replace(settings, contacts="never", loop=False))[0].scene
        spans = [cycle_spans(track, fps, scene.up) for track in scene.tracks]
        counts = ", ".join(f"{len(own)} {leg.name}" for own, leg in zip(spans, subset.legs, strict=True))
        assumed = [f"contacts='cycle': each foot is assumed to stand where it is lowest and slowest ({counts})"]
        settings = dataclasses.replace(settings, contacts=spans)
    known, part = learn(subset, local, fps, settings)
    if not known.stands:
        return known.with_messages(assumed), part, unchanged(part)
    scene = dataclasses.replace(known.scene, remarks=assumed + known.scene.remarks)
    known, part, solved = solve_settled(dataclasses.replace(known, scene=scene), part)
    messages = about_distance(scene, solved.body) + fastest_turns(known, part, solved)
    if scene.loop is not None:
        part, solved = cut_out(known, part, solved, local[-1])
    return known.with_messages(messages + [STILL] * (not solved.changed)), part, solved


def subset_for(
    skeleton: Skeleton, options: PlantOptions, translations: Floats | None = None, found: LegList | None = None
) -> Subset:
    """Return the joints that planting reads and writes: those of the given or found legs, and those above them."""
    legs = options.legs
    if legs is None:  # the side to which knees bend is read from the motion
        found = _found_legs(skeleton) if found is None else found
        legs = sure_legs(found)
        if found and not legs:
            raise ValueError(
                f"legs: the legs that were found are not sure enough to plant: {too_unsure(found, skeleton.names)}; "
                "give their joints, legs=[Leg(hip, knee, ankle), ...], or legs=clip.find_legs() to plant these"
            )
    check_legs(skeleton, legs)
    return subset_of(skeleton, legs, options.pelvis, translations)


def _check_finite(local: Floats, subset: Subset) -> None:
    """Raise ValueError where a subset's local matrices are not finite."""
    bad = np.asarray(~np.isfinite(local.reshape(*local.shape[:2], 16)).all(axis=2), dtype=np.bool_)
    if bad.any():
        frame, joint = np.argwhere(bad)[0].tolist()
        frames = np.asarray(bad.any(axis=1))
        spans = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in frames_to_spans(frames)[:5])
        plural = "s" if np.count_nonzero(frames) > 1 else ""
        raise ValueError(
            f"local[{frame}, {int(subset.joints[joint])}] ({subset.skeleton.names[joint]}) is not finite: "
            f"frame{plural} {spans} cannot be planted; repair them or leave them out by slicing"
        )
