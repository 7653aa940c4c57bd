# SPDX-License-Identifier: MIT
"""Foot planting: find when the feet stand, hold them on the ground there, and move the legs to it.

The only things that change are the joint that carries the body and three joints per leg (thigh, shin, foot),
and those only in frames in which something has to move. All limits are relative to the leg, so that no unit
is assumed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blend import Span, frames_to_spans, smoothstep, span_mask
from .contacts import CONTACT_MODES, detect_contacts, find_treadmill, foot_signal, given_spans, limit_to_range
from .contacts import standing_frames
from .foot import FootModel, LegLike, LegTrack, fit_foot
from .foot_paths import FootPaths, contact_rises, plan_paths
from .ground import Ground, as_ground
from .kinematics import forward_kinematics
from .leg_solve import solve_legs
from .leg_tracks import Subset, check_legs, leg_tracks, subset_of
from .legs import find_legs
from .metrics import foot_curves, measure_contacts
from .report import LEG_METRES, Contact, LegReport, Report
from .skeleton import Skeleton
from .transforms import compose, decompose
from .up_axis import axis_name, resolve_up

if TYPE_CHECKING:
    from .clip import Clip

__all__ = ["Planted", "PlantedLocals", "plant_feet", "plant_locals"]

Array = NDArray[np.float64]
Reach = Literal["soften", "stretch", "lower_pelvis"]

_BLEND = 0.2  # s: how long a correction takes to fade outside a contact


class Planted(NamedTuple):
    """What `plant_feet` returns.

    Attributes
    ----------
    clip : Clip
        The planted clip.
    report : Report
        What was done, in numbers.
    """

    clip: Clip
    report: Report


class PlantedLocals(NamedTuple):
    """What `plant_locals` returns.

    Attributes
    ----------
    local : (F, J, 4, 4) ndarray
        Local matrices, in the dtype of the input.
    changed : tuple of int
        Joints whose local matrix differs from the input in some frame, rising.
    report : Report
        What was done, in numbers.
    """

    local: NDArray[Any]
    changed: tuple[int, ...]
    report: Report


class Settings(NamedTuple):
    """The keyword arguments that both entry points share, checked."""

    ground: Ground | None
    contacts: Any
    reach: Reach
    stretch: float
    frames: tuple[int, int]
    up: Any
    metres_per_unit: float | None
    blend: float
    sole: float | None


def plant_feet(
    clip: Clip,
    *,
    ground: Any = None,
    legs: Sequence[LegLike] | None = None,
    contacts: Any = "auto",
    reach: Reach = "soften",
    frames: tuple[int, int] | None = None,
    up: ArrayLike | str = "auto",
    metres_per_unit: float | None = None,
    blend: float = _BLEND,
    stretch: float = 1.05,
    sole: float | None = None,
    pelvis: int | None = None,
) -> Planted:
    """Plant the feet of a clip on the ground.

    Parameters
    ----------
    clip : Clip
        The motion, F frames.
    ground : None, float or callable, default None
        None: the level plane through the stance feet, estimated and reported. A number: a height along
        `up` in the clip's units. A function: points (N, 3) → heights (N,).
    legs : sequence of Leg, optional
        The legs; found by `clip.find_legs()` where None.
    contacts : "auto", "always", "never", "ground_only", mapping or sequence, default "auto"
        When the feet stand. "auto" finds it; "ground_only" finds it and corrects heights only; "always" and
        "never" say it; a mapping from side to spans, or a list of spans per leg, gives it. A span is
        (first, last), both frames included.
    reach : "soften", "lower_pelvis" or "stretch", default "soften"
        What happens where a leg is too short. "lower_pelvis": the body comes down smoothly wherever a
        standing leg could not reach. "soften": the same, and a leg in the air is slowed down before it snaps
        straight. "stretch": bones lengthen by up to `stretch` first.
    frames : (first, last), optional
        The range to work on, both included; everything else stays to the last bit.
    up : "auto", "Y", "-Z" …, or (3,) array_like, default "auto"
        Which way is up; found from the body where "auto", and named in the report.
    metres_per_unit : float, optional
        For figures in centimetres; where None a leg counts as 0.9 m. Nothing else depends on it.
    blend : float, default 0.2
        Seconds over which a correction fades outside a contact.
    stretch : float, default 1.05
        Largest factor for ``reach="stretch"``.
    sole : float, optional
        Height of the ball joint above the sole, in the clip's units; where None it is read from a rest pose
        that stands on the origin's plane, else a typical foot's is taken.
    pelvis : int, optional
        The joint that raises and lowers the body; where None, the nearest one above the legs that moves.

    Returns
    -------
    Planted
        ``clip`` and ``report``. Rotations and translations of all joints but the pelvis and the legs are
        bit-equal to the input's.

    Raises
    ------
    ValueError
        No legs, a leg of length zero, spans or a range outside the clip, an option that is not known, or a
        ground function that returns the wrong shape or no finite height.
    TypeError
        A ground of another kind.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> clip = sk.load("walk.bvh")  # doctest: +SKIP
    >>> planted = sk.plant_feet(clip)  # doctest: +SKIP
    >>> planted.report.slide("before")[1] > planted.report.slide("after")[1]  # doctest: +SKIP
    True

    Notes
    -----
    After Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002, whose steps
    (constraints on heel and ball, root placement, leg lengths, blending) are kept; the rolling foot, the
    holding of flat moments and the envelope of the pelvis are our own.
    """
    start = time.perf_counter()
    skeleton = clip.skeleton
    settings = _settings(
        clip.num_frames, ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole
    )
    legs = clip.find_legs() if legs is None else list(legs)
    check_legs(skeleton, legs)
    moving = np.ptp(clip.translations, axis=0).max(axis=-1) > 0.0
    subset = subset_of(skeleton, legs, pelvis, moving)
    picked = subset.joints
    scales = None if clip.scales is None else clip.scales[:, picked]
    local = compose(clip.translations[:, picked], clip.rotations[:, picked], scales)
    planted, changed, report = _plant(subset, np.asarray(local, dtype=np.float64), clip.fps, settings, start)
    if not changed:
        return Planted(clip, report)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    for joint, rows in changed.items():
        full = int(picked[joint])
        moved, turned, _ = decompose(planted[rows, joint])
        sign = np.where(np.einsum("fi,fi->f", turned, rotations[rows, full]) < 0.0, -1.0, 1.0)
        if not np.array_equal(planted[rows, joint, :3, :3], local[rows, joint, :3, :3]):
            rotations[rows, full] = turned * sign[:, None]
        if not np.array_equal(planted[rows, joint, :3, 3], local[rows, joint, :3, 3]):
            translations[rows, full] = moved
    return Planted(clip.replace(rotations=rotations, translations=translations), report)


def plant_locals(
    skeleton: Skeleton,
    local: ArrayLike,
    *,
    fps: float,
    legs: Sequence[LegLike] | None = None,
    ground: Any = None,
    contacts: Any = "auto",
    reach: Reach = "soften",
    frames: tuple[int, int] | None = None,
    up: ArrayLike | str = "auto",
    metres_per_unit: float | None = None,
    blend: float = _BLEND,
    stretch: float = 1.05,
    sole: float | None = None,
    pelvis: int | None = None,
) -> PlantedLocals:
    """Plant the feet of local matrices, as `plant_feet` does for a clip.

    The root's local matrix may hold any transform of the whole character, such as an object's world
    matrix with scale 0.01 or a mirrored axis: everything is computed in the space the roots lie in, and
    ground, `up` and the report are in that space too.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    local : (F, J, 4, 4) array_like
        Local matrices.
    fps : float
        Frames per second.
    legs : sequence of Leg, optional
        The legs; found by names and rest pose where None.
    ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole, pelvis
        As in `plant_feet`.

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
    >>> from skelkin_py.planting import plant_locals
    >>> clip = sk.load("walk.bvh")  # doctest: +SKIP
    >>> planted = plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps)  # doctest: +SKIP
    >>> [clip.names[j] for j in planted.changed]  # doctest: +SKIP
    ['Hips', 'LeftUpLeg', 'LeftLeg', 'LeftFoot', 'RightUpLeg', 'RightLeg', 'RightFoot']
    """
    start = time.perf_counter()
    given = np.asarray(local)
    if given.dtype.kind not in "fiu":
        raise TypeError(f"local is of dtype {given.dtype}: real numbers are needed")
    if given.ndim != 4 or given.shape[1:] != (skeleton.num_joints, 4, 4) or not len(given):
        raise ValueError(f"local has shape {given.shape}: (F, {skeleton.num_joints}, 4, 4) with F ≥ 1 is needed")
    if not (np.isfinite(fps) and fps > 0.0):
        raise ValueError(f"fps is {fps}: it must be positive and finite")
    settings = _settings(len(given), ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole)
    if legs is None:
        legs = find_legs(skeleton.names, skeleton.parents, np.asarray(skeleton.rest_global)[:, :3, 3])
    check_legs(skeleton, legs)
    subset = subset_of(skeleton, legs, pelvis, None)
    part = np.ascontiguousarray(given[:, subset.joints], dtype=np.float64)
    _check_finite(part, subset)
    planted, changed, report = _plant(subset, part, float(fps), settings, start)
    out = np.array(given, dtype=given.dtype if given.dtype.kind == "f" else np.float64)
    for joint, rows in changed.items():
        out[rows, subset.joints[joint]] = planted[rows, joint]
    return PlantedLocals(out, tuple(sorted(int(subset.joints[j]) for j in changed)), report)


def _check_finite(local: Array, subset: Subset) -> None:
    bad = ~np.isfinite(local).all(axis=(2, 3))
    if bad.any():
        frames = np.flatnonzero(bad.any(axis=1))
        joint = int(np.flatnonzero(bad[frames[0]])[0])
        spans = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in frames_to_spans(bad.any(axis=1))[:5])
        raise ValueError(
            f"local[{frames[0]}, {int(subset.joints[joint])}] ({subset.skeleton.names[joint]}) is not finite: frames "
            f"{spans} cannot be planted; repair them or leave them out by slicing"
        )


def _settings(
    num: int, ground: Any, contacts: Any, reach: Any, frames: Any, up: Any, metres_per_unit: Any, blend: Any,
    stretch: Any, sole: Any,
) -> Settings:  # fmt: skip
    """Check the options that need no motion."""
    if isinstance(contacts, str):
        if contacts not in CONTACT_MODES:
            raise ValueError(f"contacts is {contacts!r}: one of {', '.join(CONTACT_MODES)}, or spans per leg")
    elif not isinstance(contacts, (Mapping, Sequence)):
        raise TypeError(f"contacts is {type(contacts).__name__}: a mode, a mapping side → spans, or spans per leg")
    if reach not in ("soften", "lower_pelvis", "stretch"):
        raise ValueError(f"reach is {reach!r}: one of soften, lower_pelvis, stretch")
    for name, value, least in (("blend", blend, 0.0), ("stretch", stretch, 1.0)):
        if not (np.isfinite(value) and value >= least):
            raise ValueError(f"{name} is {value}: it must be finite and at least {least:g}")
    for name, value in (("metres_per_unit", metres_per_unit), ("sole", sole)):
        if value is not None and not (np.isfinite(value) and value >= 0.0 and (value > 0.0 or name == "sole")):
            raise ValueError(f"{name} is {value}: it must be positive and finite")
    first, last = 0, num - 1
    if frames is not None:
        first, last = (int(f) for f in frames)
        if not 0 <= first <= last < num:
            raise ValueError(f"frames is ({first}, {last}): 0 ≤ first ≤ last < {num} is needed")
    return Settings(
        as_ground(ground), contacts, reach, float(stretch), (first, last), up, metres_per_unit, float(blend), sole
    )


def _ramp(num: int, frames: tuple[int, int], window: int) -> Array:
    """Return 0 outside the range and 1 inside, smooth at those of its ends that are not the clip's."""
    first, last = frames
    index = np.arange(num, dtype=np.float64)
    ramp = np.ones(num)
    if first > 0:
        ramp *= smoothstep((index - first) / window)
    if last < num - 1:
        ramp *= smoothstep((last - index) / window)
    return ramp


def _find_contacts(
    settings: Settings, tracks: list[LegTrack], models: list[FootModel], subset: Subset, body: Array, up: Array,
    fps: float,
) -> tuple[list[list[Span]], Array | None]:  # fmt: skip
    """Return the contacts per leg and, for an in-place cycle, the velocity of its stance feet (legs per second)."""
    num, mode = len(body), settings.contacts
    signals = [foot_signal(t, m, up, fps) for t, m in zip(tracks, models, strict=True)]
    length = float(np.mean([t.length for t in tracks]))
    treadmill = find_treadmill(signals, body, length, fps)
    if not isinstance(mode, str):
        return given_spans(mode, [leg.side for leg in subset.legs], num), treadmill
    if mode == "never":
        return [[] for _ in tracks], treadmill
    if mode == "always":
        return [[(0, num - 1)] for _ in tracks], treadmill
    return detect_contacts(signals, [t.length for t in tracks], fps, treadmill), treadmill


def _plant(
    subset: Subset, local: Array, fps: float, settings: Settings, start: float
) -> tuple[Array, dict[int, NDArray[np.intp]], Report]:
    """Plant the subset's local matrices; return them, the changed rows per joint, and the report."""
    matrices = forward_kinematics(subset.skeleton, local)
    tracks = leg_tracks(subset, matrices)
    num = len(local)
    messages: list[str] = []
    feet = np.mean([t.ankle for t in tracks], axis=0)
    hips = np.mean([t.hip for t in tracks], axis=0)
    top = hips if subset.head is None else matrices[:, subset.head, :3, 3]
    up, remark = resolve_up(settings.up, top, feet)
    messages += [remark] if remark else []
    models = []
    for track, leg in zip(tracks, subset.legs, strict=True):
        clearance = leg.clearance if settings.sole is None else settings.sole / track.length
        models.append(fit_foot(track, up, standing_frames(track, up, fps), clearance))
    contacts, treadmill = _find_contacts(settings, tracks, models, subset, hips, up, fps)
    window = max(1, round(settings.blend * fps))
    first, last = settings.frames
    contacts = limit_to_range(contacts, first + window * (first > 0), last - window * (last < num - 1))

    ground, rises, paths = settings.ground, [[0.0] * len(spans) for spans in contacts], None
    if any(contacts):
        level, rises = contact_rises(tracks, models, contacts, up, ground is None or ground.level is not None)
        ground = Ground(level) if ground is None else ground
        messages += _contact_messages(settings, treadmill, rises, subset)
        pin = settings.contacts != "ground_only" and treadmill is None
        paths = plan_paths(
            tracks,
            models,
            contacts,
            rises,
            ground,
            up,
            fps,
            pin=pin,
            reach=settings.reach,
            stretch=settings.stretch,
            window=window,
            ramp=_ramp(num, settings.frames, window),
            has_body=subset.mover is not None,
        )
        stretch = settings.stretch if settings.reach == "stretch" else 1.0
        planted, changed, errors = solve_legs(subset, local, matrices, tracks, paths, up, fps, stretch)
    else:
        messages.append(_nothing_message(settings, num, fps))
        planted, changed, errors = local, {}, np.zeros((num, len(tracks)))
    after = tracks if paths is None else leg_tracks(subset, forward_kinematics(subset.skeleton, planted), tracks)
    report = _report(
        subset, settings, tracks, after, models, contacts, rises, ground, up, fps, treadmill, paths, errors, messages, start
    )
    return planted, changed, report


def _nothing_message(settings: Settings, num: int, fps: float) -> str:
    if settings.contacts == "never":
        return "contacts='never': nothing changed"
    if num < 2 or num / fps < 0.1:
        return f"a clip of {num} frames is shorter than a contact: nothing changed"
    return "no foot ever stands on the ground: nothing changed"


def _contact_messages(
    settings: Settings, treadmill: Array | None, rises: list[list[float]], subset: Subset
) -> list[str]:
    messages = []
    if treadmill is not None:
        messages.append(
            "in-place cycle: the stance feet move back at one steady velocity, so only heights are fixed; slide is "
            "measured relative to that velocity"
        )
    high = sum(r > 0.0 for own in rises for r in own)
    if high:
        messages.append(
            f"{high} contact{'s' if high > 1 else ''} far above the ground stand{'' if high > 1 else 's'} on something "
            "that is not given: kept at the original height"
        )
    if subset.mover is None:
        messages.append("the legs hang from no common joint: the body is not raised or lowered")
    if settings.reach == "stretch":
        messages.append("bones of stretched legs change their length: formats without joint translations lose that")
    return messages


def _report(
    subset: Subset, settings: Settings, tracks: list[LegTrack], after: list[LegTrack], models: list[FootModel],
    contacts: list[list[Span]], rises: list[list[float]], ground: Ground | None, up: Array, fps: float,
    treadmill: Array | None, paths: FootPaths | None, errors: Array, messages: list[str], start: float,
) -> Report:  # fmt: skip
    """Measure both versions and put the report together."""
    num = len(errors)
    length = float(np.mean([t.length for t in tracks]))
    metres = settings.metres_per_unit
    if metres is None:
        messages.append(f"the unit is not known: a leg counts as {LEG_METRES} m in centimetre figures")
    records: list[Contact] = []
    legs: list[LegReport] = []
    for k, leg in enumerate(subset.legs):
        step = None if treadmill is None else treadmill * (tracks[k].length / fps)
        curves = [foot_curves(t[k], models[k], ground, up, fps, step) for t in (tracks, after)]
        measured = [
            measure_contacts(t[k], models[k], c, contacts[k], rises[k], up, step)
            for t, c in zip((tracks, after), curves, strict=True)
        ]
        for (a, b), rise, before, now in zip(contacts[k], rises[k], *measured, strict=True):
            records.append(Contact(k, leg.name, a, b, before, now, rise))
        missed = (errors[:, k] > 1e-4 * tracks[k].length) & span_mask(contacts[k], num)
        legs.append(
            LegReport(
                leg.name,
                contacts[k],
                [] if paths is None else paths.held[k],
                tracks[k].length,
                models[k].clearance * tracks[k].length,
                models[k].source if settings.sole is None else "given",
                *curves,
                frames_to_spans(missed),
            )
        )
        if missed.any():
            messages.append(f"the {leg.name} leg cannot reach its place in {int(missed.sum())} frames")
    return Report(
        contacts=tuple(records),
        legs=tuple(legs),
        num_frames=num,
        frames=settings.frames,
        fps=fps,
        up=up,
        up_name=axis_name(up),
        ground=None if ground is None else ground.level,
        ground_estimated=settings.ground is None and ground is not None,
        ground_velocity=None if treadmill is None else treadmill * length * 1.0,
        metres_per_unit=LEG_METRES / length if metres is None else float(metres),
        unit_known=metres is not None,
        body_shift=np.zeros(num) if paths is None else paths.body,
        seconds=time.perf_counter() - start,
        messages=tuple(messages),
    )
