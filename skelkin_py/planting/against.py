# SPDX-License-Identifier: MIT
"""What planting cost, measured on a planted clip and its original."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._support.arguments import check_kind, frame_range, listed
from .._support.array_types import Floats
from ..legs import Leg, listed_legs, sure_legs
from ..motion.clip import Clip
from .cost import PlantCost, plant_cost
from .leg_tracks import check_legs, flat_frames, leg_tracks, read_tracks, subset_of, without_lone
from .plant import plant_feet
from .report.report import PlantReport

_SAME_RATE = 1e-4  # part: frame times in files are rounded to this
_SAME_REST = 1e-3  # of the leg


def measure_cost(
    planted: Clip,
    original: Clip,
    *,
    legs: Sequence[Leg] | None = None,
    frames: tuple[int, int] | None = None,
    report: PlantReport | None = None,
    names: tuple[str, str] = ("planted", "original"),
) -> PlantCost:
    """Measure what planting cost, by the planted clip and the original.

    Parameters
    ----------
    planted, original : Clip
        The same skeleton, frames and rate.
    legs : sequence of Leg, optional
        The legs; `original.find_legs()` by default.
    frames : (first, last), optional
        The frames to measure, both included; all by default.
    report : PlantReport, optional
        The report of planting `planted` again. The contacts, the up axis, the velocity of the ground and whether the
        clip is a loop are taken from it. By default the clip is planted for it.
    names : (str, str), default ("planted", "original")
        The names of the two clips in errors, such as their files.

    Returns
    -------
    PlantCost
        The figures of `PlantReport.cost`; ``minded()`` returns the rows that a viewer would mind.

    Raises
    ------
    ValueError
        The clips differ in number of frames, joints, rest pose or frame rate; the range is outside the clip; there are
        no legs.
    TypeError
        An argument has another type.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> clip = sk.example("biped").clip
    >>> cost = sk.measure_cost(clip.plant_feet().clip, clip)
    >>> print(cost)
    Nothing that a viewer would mind.
    """
    pair = listed("names", names, "two strings are needed, the names of the clips in errors")
    if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
        raise TypeError(f"names is {names!r}: two strings are needed, the names of the clips in errors")
    check_kind(pair[0], planted, Clip)
    check_kind(pair[1], original, Clip)
    legs = sure_legs(original.find_legs()) if legs is None else listed_legs(legs)
    check_legs(original.skeleton, legs)
    _check_alike(planted, original, names)
    num = original.num_frames
    frames = (0, num - 1) if frames is None else frame_range(frames, num)
    subset = subset_of(original.skeleton, legs, None)
    local = [np.ascontiguousarray(clip.local_matrices()[:, subset.joints]) for clip in (original, planted)]
    hidden = np.zeros(num, np.bool_)
    for clip, each in zip((original, planted), local, strict=True):
        hidden |= (clip.scales is not None) & flat_frames(subset, each)
    if hidden.any() and not hidden.all():
        local = [without_lone(each, hidden) for each in local]
    before = read_tracks(subset, local[0])
    after = leg_tracks(subset, local[1], before)
    length = float(np.mean([track.length for track in before]))
    _check_rest(planted, original, names, length)
    if report is None:
        report = plant_feet(planted, legs=legs).report
    check_kind("report", report, PlantReport)
    return plant_cost(
        before,
        after,
        [leg.contacts for leg in report.legs],
        [leg.name for leg in subset.legs],
        original.fps,
        frames,
        up=report.up,
        step=None if report.ground_velocity is None else report.ground_velocity / report.fps,
        given=report.ground is not None and not report.ground_estimated,
        level=report.ground is not None or not report.contacts,
        turn=_turn(before[0].hip, before[-1].hip) if report.loop else None,
        alone=hidden,
    )


def _turn(one: Floats, other: Floats) -> Floats:
    """Return the turn (3, 3) from a loop's first pose to its last, by the line between the hips."""
    first, last = (one - other)[[0, -1]]
    axis, cosine = np.cross(first, last), float(first @ last)
    k = np.cross(np.eye(3), axis)
    size = float(first @ first)
    if not (size > 0.0 and size + cosine > _SAME_REST * size):
        return np.eye(3)
    return np.asarray(np.eye(3) + k / size + k @ k / (size * (size + cosine)))


def _check_alike(planted: Clip, original: Clip, names: tuple[str, str]) -> None:
    """Raise ValueError for clips that cannot be those before and after planting."""
    one, other = names
    for k, (new, old) in enumerate(zip(planted.names, original.names, strict=False)):
        if new != old:
            raise ValueError(f"{one}: joint {k} is {new!r}, in {other} it is {old!r}: the skeletons must be the same")
    counts = len(planted.names), len(original.names)
    if counts[0] != counts[1]:
        raise ValueError(f"{one} has {counts[0]} joints and {other} {counts[1]}: the skeletons must be the same")
    for k, (new, old) in enumerate(zip(planted.skeleton.parents, original.skeleton.parents, strict=True)):
        if new != old:
            raise ValueError(
                f"{one}: the parent of joint {k} ({original.names[k]}) is {new}, in {other} it is {old}: the skeletons "
                "must be the same"
            )
    if planted.num_frames != original.num_frames:
        raise ValueError(
            f"{one} has {planted.num_frames} frames and {other} {original.num_frames}: the numbers must be equal"
        )
    if not abs(planted.fps - original.fps) <= _SAME_RATE * original.fps:
        raise ValueError(
            f"{one} has {planted.fps:.6g} frames per second and {other} {original.fps:.6g}: the rates must be the same"
        )


def _check_rest(planted: Clip, original: Clip, names: tuple[str, str], length: float) -> None:
    apart = np.abs(planted.skeleton.rest_local[:, :3, 3] - original.skeleton.rest_local[:, :3, 3]).max(axis=1)
    if not apart.max() <= _SAME_REST * length:
        k = int(apart.argmax())
        raise ValueError(
            f"{names[0]}: at rest joint {k} ({original.names[k]}) is {apart[k]:.4g} from where {names[1]} has it: the "
            "skeletons must be the same"
        )
