# SPDX-License-Identifier: MIT
"""A planted clip beside its original: what planting cost, measured on two clips that nobody needs to have kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import frame_range, listed
from ..legs import Leg, listed_legs, sure_legs
from ..motion.clip import Clip
from .cost import PlantCost, plant_cost
from .leg_tracks import check_legs, flat_frames, leg_tracks, read_tracks, subset_of, without_lone
from .plant import plant_feet
from .report.report import PlantReport

_SAME_RATE = 1e-4  # what frame times in files are rounded to
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
    """Measure what planting cost, on the clip that came out beside the one that went in.

    Parameters
    ----------
    planted, original : Clip
        The same skeleton, frames and rate.
    legs : sequence of Leg, optional
        The legs; found by `original.find_legs()` where None.
    frames : (first, last), optional
        The frames to measure, both included; all where None.
    report : PlantReport, optional
        That of planting `planted` once more, which says when feet stand, which way is up, how the ground moves and
        whether it is a loop; made where None.
    names : (str, str)
        What errors call the two, such as their files.

    Returns
    -------
    PlantCost
        The figures of `PlantReport.cost`; ``minded()`` are the rows that a viewer would mind.

    Raises
    ------
    ValueError
        Clips that differ in number of frames, joints, rest pose or frame rate; a range outside the clip; no legs.

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
    for clip, name in zip((planted, original), pair):
        if not isinstance(clip, Clip):
            raise TypeError(f"{name} is a {type(clip).__name__}: a Clip is needed")
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
    if not (report is None or isinstance(report, PlantReport)):
        raise TypeError(f"report is a {type(report).__name__}: a PlantReport is needed")
    if report is None:
        report = plant_feet(planted, legs=legs).report
    turn = _turn(before[0].hip, before[-1].hip) if report.loop else None
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
        turn=turn,
        alone=hidden,
    )


def _turn(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, 3) How a loop's last pose is turned beside its first, by the line between hips; none where there is none."""
    first, last = (one - other)[[0, -1]]
    axis, cosine = np.cross(first, last), float(first @ last)
    k = np.cross(np.eye(3), axis)
    size = float(first @ first)
    if not (size > 0.0 and size + cosine > _SAME_REST * size):
        return np.eye(3)
    return np.asarray(np.eye(3) + k / size + k @ k / (size * (size + cosine)))


def _check_alike(planted: Clip, original: Clip, names: tuple[str, str]) -> None:
    """Refuse clips that cannot be those before and after planting."""
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
