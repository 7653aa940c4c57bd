# SPDX-License-Identifier: MIT
"""Foot planting: find when the feet stand, hold them on the ground there, and move the legs to it.

The only things that change are the joint that carries the body and three joints per leg (thigh, shin, foot),
and those only in frames in which something has to move. All limits are relative to the leg, so that no unit
is assumed.
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
from .._support.values import compared_by_values
from ..legs import Leg, LegList, find_legs, listed_legs, sure_legs, too_unsure
from ..legs.finder import STRUCTURE_CEILING
from ..motion.clip import Clip, with_moved_joints
from ..motion.hung import Hung, hang_elsewhere, stay_together
from ..motion.plant_options import PlantKeywords, PlantOptions, chosen_options, takes_plant_options
from ..motion.show_options import FilmOptions, PictureOptions, ShowOptions, takes
from ..skeleton import Skeleton, checked_skeleton
from ..transforms import decompose
from .given_contacts import cycle_spans
from .held_frames import HeldFrames, find_held
from .known import cut_out, learn, solve_settled, unchanged
from .leg_tracks import Subset, check_legs, subset_of
from .measure import measured
from .parts import Known, Part, Solved
from .remark import numbered
from .remarks import STILL, about_distance, fastest_turns
from .report.report import PlantReport
from .settings import Settings, settled
from .spans import frames_to_spans
from .travel import check_travel, travelled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..motion.clip import Page

Array = NDArray[np.float64]

_LEGS_IN_METRES = (0.1, 3.0)


class _ClipAndReport(NamedTuple):
    clip: Clip
    report: PlantReport


@compared_by_values
class Planted(_ClipAndReport):
    """What `plant_feet` returns: a pair ``clip, report`` that knows what it was made of.

    Attributes
    ----------
    clip : Clip
        The planted clip.
    report : PlantReport
        What was done, in numbers.
    original : Clip or None
        The clip that was planted.
    ground
        The ground as it was given, None where it was not.
    options : PlantOptions or None
        How it was planted: what `jupyter.edit` continues with.

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
        """The ground as it was given."""
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
        """Show in a notebook what was before and is after: figures, a picture and the player."""
        return self.clip._repr_html_(**self._drawn({}))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the planted clip to a file: ``planted.clip.save(path)``."""
        self.clip.save(path)

    @takes(ShowOptions)
    def show(self, **options: Unpack[ShowOptions]) -> Page:
        """Show before and after in a notebook, with the contacts and figures of the report.

        Parameters
        ----------
        **options
            The keyword arguments of `skelkin_py.view.show`. Where None, `compare` is the original, `ground` the one it
            was planted on, and `report` its own.

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
        return self.clip.show(**self._drawn(options))

    @takes(FilmOptions)
    def save_film(self, path: str | os.PathLike[str], **options: Unpack[FilmOptions]) -> Path:
        """Write a film of before and after with the contacts of the report.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.gif`` or ``.mp4`` file.
        **options
            The keyword arguments of `skelkin_py.view.write_film`; what is None is as in `show`.

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
        return self.clip.save_film(path, **self._drawn(options))

    @takes(PictureOptions)
    def save_picture(
        self, path: str | os.PathLike[str], frames: int | Sequence[int] | None = None, **options: Unpack[PictureOptions]
    ) -> Path:
        """Write a picture of before and after with the contacts of the report.

        Parameters
        ----------
        path : str or os.PathLike
            A ``.png`` file.
        frames : int or sequence of int, optional
            Which; several stand in a row.
        **options
            The keyword arguments of `skelkin_py.view.write_picture`; what is None is as in `show`.

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
        return self.clip.save_picture(path, frames, **self._drawn(options))

    def _drawn(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return how it is drawn: where nothing else is said, beside what it was planted from and on."""
        given = {name: value for name, value in options.items() if value is not None}
        return {"compare": self.original, "ground": self.ground, "report": self.report, **given}


def _can_be_pickled(ground: Any) -> bool:
    """Tell whether a ground goes into a pickle."""
    try:
        pickle.dumps(ground)
    except Exception:  # whatever the object's own methods raise
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
        Joints whose local matrix differs from the input in some frame, rising.
    report : PlantReport
        What was done, in numbers.
    """

    local: NDArray[Any]
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
        All options below together; those that are also given as keywords replace them.
    **changes
        The fields of `PlantOptions`.

    Returns
    -------
    Planted
        ``clip`` and ``report``. Rotations and translations of all joints but the pelvis and the legs are
        bit-equal to the input's, those of the toes too where `toe_bend` is 0.

    Raises
    ------
    ValueError
        No legs; a leg of length zero or outside 1e-50 … 1e50 of the clip's units; spans or frames outside the clip; an
        unknown option; a `ground_velocity` that is not finite, not (3,) or not horizontal; ``loop=True`` for a clip
        that is not a loop; a ground that returns the wrong shape or infinite heights, or that is below or above no foot
        at all; heel and ball given apart where feet are not turned (in place), where nothing distinguishes them (no
        toe), or differently in a loop's last pose and its first.
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
    if not isinstance(clip, Clip):
        raise TypeError(f"clip is a {type(clip).__name__}: a Clip is needed; for matrices there is plant_locals")
    planted, ways = _planted_clip(clip, chosen_options("plant_feet", options, changes))
    if ways is None:
        return planted
    roots = np.flatnonzero(clip.skeleton.parents < 0).tolist()
    frames = np.arange(clip.num_frames)
    moved = {root: (frames, planted.clip.translations[:, root] + ways) for root in roots}
    return Planted(with_moved_joints(planted.clip, {}, moved), planted.report, clip, planted.options)


def _planted_clip(clip: Clip, given: PlantOptions) -> tuple[Planted, Array | None]:
    """Return a clip planted, and how far its roots are then to be moved (F, 3), None where they are not."""
    start = time.perf_counter()
    skeleton = clip.skeleton
    if isinstance(given.up, str) and given.up == "auto" and clip.facts.up is not None:
        given = dataclasses.replace(given, up=clip.facts.up)
    found: LegList | None = None
    if (legs := given.legs) is None:
        found = _found_legs(skeleton, None if clip._source is None else clip._source.leg_names)
        legs = _hung_legs(clip, found)
    elsewhere = hang_elsewhere(skeleton.parents.tolist(), listed_legs(legs)) if legs else {}
    if elsewhere and stay_together(clip, elsewhere):
        return _planted_as_hung(clip, legs, elsewhere, given)
    settings = settled(given, clip.num_frames)
    subset = subset_for(skeleton, settings, clip.translations, found)
    if settings.metres_per_unit is None:
        settings = dataclasses.replace(settings, metres_per_unit=_unit_of_file(clip, subset))
    picked = subset.joints
    local = clip._transforms.local_matrices(skeleton, picked)
    planted, changed, report, ways = plant_subset(subset, local, clip.fps, settings, start)
    if not changed:
        return Planted(clip, report, clip, given), ways
    rotations, translations = {}, {}
    for joint, rows in changed.items():
        own = slice(None) if len(rows) == clip.num_frames else rows  # views, where nothing has to be picked
        full, new = int(picked[joint]), planted[own, joint]
        differs = (new != local[own, joint]).reshape(len(new), 16).any(axis=0).reshape(4, 4)
        if differs[:3, :3].any():
            turned = decompose(new)[1]
            turned[np.einsum("fi,fi->f", turned, clip.rotations[own, full]) < 0.0] *= -1.0
            rotations[full] = rows, turned
        if differs[:3, 3].any():
            translations[full] = rows, new[:, :3, 3].copy()
    del local, planted, new  # as large as what is made next
    return Planted(with_moved_joints(clip, rotations, translations), report, clip, given), ways


def _found_legs(skeleton: Skeleton, names: Sequence[str] | None = None) -> LegList:
    """Return the legs that the rest pose shows, by `names` where those are not the joints' own."""
    rest = np.asarray(skeleton.rest_global)[:, :3, 3]
    return find_legs(skeleton.names if names is None else names, skeleton.parents, rest)


def _hung_legs(clip: Clip, found: LegList) -> list[Leg]:
    """Return the legs of a clip of which the motion alone tells that their feet belong to them, else none."""
    if any(leg.confidence > STRUCTURE_CEILING for leg in found):
        return []
    legs = clip.find_legs()
    return legs if hang_elsewhere(clip.skeleton.parents.tolist(), legs) else []


def _planted_as_hung(
    clip: Clip, legs: Sequence[Leg], elsewhere: dict[int, int], given: PlantOptions
) -> tuple[Planted, Array | None]:
    """Plant a clip whose legs' joints hang elsewhere as if they hung from each other."""
    num = clip.skeleton.num_joints
    for k, leg in enumerate(legs):
        for joint in (*leg.segments, *leg.chain, *(j for j in (leg.toe, leg.heel, leg.pelvis) if j is not None)):
            if not 0 <= joint < num:
                raise ValueError(f"legs[{k}] has the joint {joint}: it must be one of the {num} joints")
    hung = Hung(clip, elsewhere)
    options = dataclasses.replace(given, legs=hung.legs(legs), pelvis=hung.joint(given.pelvis))
    planted, ways = _planted_clip(hung.clip, options)
    return Planted(hung.put_back(planted.clip), planted.report, clip, dataclasses.replace(given, legs=list(legs))), ways


def _unit_of_file(clip: Clip, subset: Subset) -> float | None:
    """Return the unit that the clip's file says, where legs are as long in it as legs can be; else None.

    Formats that fix the unit are written all the same with whatever a program had.
    """
    metres = clip.facts.metres_per_unit
    if metres is None or not subset.legs:
        return None
    rest = np.asarray(subset.skeleton.rest_global)[:, :3, 3]
    lengths = [np.linalg.norm(np.diff(rest[list(leg.chain)], axis=0), axis=1).sum() for leg in subset.legs]
    shortest, longest = _LEGS_IN_METRES
    return metres if shortest <= metres * float(np.mean(lengths)) <= longest else None


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
    options : PlantOptions, optional
        All options below together; those that are also given as keywords replace them.
    **changes
        The fields of `PlantOptions`.

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
    settings = settled(chosen_options("plant_locals", options, changes), len(given))
    subset = subset_for(skeleton, settings)
    part = np.ascontiguousarray(given[:, subset.joints], dtype=np.float64)
    check_finite(part, subset)
    planted, changed, report, ways = plant_subset(subset, part, float(fps), settings, start)
    del part  # before the result takes as much again
    dtype = given.dtype if given.dtype.kind == "f" else np.dtype(np.float64)
    out = given.astype(dtype, copy=not completed)
    for joint, rows in changed.items():
        out[rows, subset.joints[joint]] = planted[rows, joint]
    joints = {int(subset.joints[j]) for j in changed}
    if ways is not None:
        roots = np.flatnonzero(skeleton.parents < 0)
        out[..., :3, 3][:, roots] += ways[:, None]
        joints.update(roots.tolist())
    return PlantedLocals(out, tuple(sorted(joints)), report)


def plant_subset(
    subset: Subset, local: Array, fps: float, settings: Settings, start: float
) -> tuple[Array, dict[int, NDArray[np.intp]], PlantReport, Array | None]:
    """Plant the feet of a subset's local matrices (F, S, 4, 4); the work began at `start`, by `time.perf_counter`.

    Returns the planted matrices, per changed joint the frames in which it differs, the report, and how far the roots
    are then to be moved (F, 3), None where they are not.
    """
    settings = check_travel(settings, len(local))
    held = find_held(subset, local, fps)
    known, part, solved = _planted_held(subset, local, fps, settings, held)
    if held is not None and not known.stands:
        held = find_held(subset, local, fps, alone=True)
        known, part, solved = _planted_held(subset, local, fps, settings, held)
    shown = np.arange(len(local)) if held is None or held.led else held.frames[held.shown]
    report, ways = travelled(measured(known, part, solved, start), solved.after, settings, shown)
    return solved.local, solved.changed, report, ways


def _planted_held(
    subset: Subset, local: Array, fps: float, settings: Settings, held: HeldFrames | None
) -> tuple[Known, Part, Solved]:
    """Return what is known of a clip, all of it, and how it is planted; `held`: the motion between poses it holds."""
    if held is None:
        return _planted(subset, local, fps, settings)
    try:
        own = held.settings(settings, [leg.name for leg in subset.legs])
        told = _planted(subset, held.local, held.fps, own)
    except ValueError as error:
        raise ValueError(numbered(error.args[0], held.number)) from error
    return held.held_again(*told, local, fps, settings)


def _planted(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Known, Part, Solved]:
    """Return what is known of a motion, all of it, and how it is planted."""
    assumed: list[str] = []
    if settings.contacts == "cycle":
        scene = learn(subset, local, fps, dataclasses.replace(settings, contacts="never", loop=False))[0].scene
        spans = [cycle_spans(track, fps, scene.up) for track in scene.tracks]
        counts = ", ".join(f"{len(own)} {leg.name}" for own, leg in zip(spans, subset.legs, strict=True))
        assumed = [f"contacts='cycle': each foot is assumed to stand where it is lowest and slowest ({counts})"]
        settings = dataclasses.replace(settings, contacts=spans)
    known, part = learn(subset, local, fps, settings)
    if not known.stands:
        return known.telling(assumed), part, unchanged(part)
    scene = dataclasses.replace(known.scene, remarks=assumed + known.scene.remarks)
    known, part, solved = solve_settled(dataclasses.replace(known, scene=scene), part)
    messages = about_distance(scene, solved.body) + fastest_turns(known, part, solved)
    if scene.loop is not None:
        part, solved = cut_out(known, part, solved, local[-1])
    return known.telling(messages + [STILL] * (not solved.changed)), part, solved


def subset_for(
    skeleton: Skeleton, options: PlantOptions, translations: Array | None = None, found: LegList | None = None
) -> Subset:
    """Return the joints that planting reads and writes: those of the legs, given or found, and what carries them."""
    legs = options.legs
    if legs is None:  # to which side knees bend is read from the motion
        found = _found_legs(skeleton) if found is None else found
        legs = sure_legs(found)
        if found and not legs:
            raise ValueError(
                f"legs: the legs that were found are too unsure to plant: {too_unsure(found, skeleton.names)}; "
                "give their joints, legs=[Leg(hip, knee, ankle), ...], or legs=clip.find_legs() to plant these"
            )
    check_legs(skeleton, legs)
    return subset_of(skeleton, legs, options.pelvis, translations)


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
