# SPDX-License-Identifier: MIT
"""When does each foot stand? Spans found by height and speed with hysteresis, from the clip's own statistics.

Height is measured against the foot's own low envelope, not against a ground, so that a clip that floats,
sinks or was made at another height is read all the same. Speed is that of the pivot, the point of the sole
the foot rolls about, so that a rolling foot counts as standing still. All limits are in leg lengths and
seconds; the frame rate enters nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span, frames_to_spans, lengths, median, running_min
from .foot_signal import ENVELOPE, FootSignal

__all__ = ["ContactLimits", "ContactMode", "contact_limits", "detect_contacts", "find_treadmill"]
__all__ += ["joined_spans", "limit_to_range", "stance_velocity"]

Array = NDArray[np.float64]
ContactMode = Literal["auto", "always", "never", "ground_only"]

_LOW = 0.05  # leg: a contact begins this near to the foot's low envelope
_STAY = 0.03  # leg: and goes on while the sole is this near to its level in the contact
_HELD_UP = 0.12  # leg: a still foot this much above the other one is held up, not standing
_ALONE = 0.15  # s: one that is still for longer while all others move stands: what falls is not still for so long
_TOP = 0.01  # leg: a foot that is still for less, and comes up to there and goes down again by more, is at its highest
_UNEVEN = 0.06  # leg: feet that stand on one ground do not differ by more
_SLOW = (0.25, 0.6)  # leg/s: bounds of the speed at which a contact may begin
_SLOW_PART = 0.1  # of the clip's fast feet (95th percentile): that speed between its bounds
_SHAKEN = 40.0  # 1/s: where noise shakes the path, of its deviation: that speed is at least this multiple of it,
_SHAKEN_PART = 0.2  # but for this part of the clip's fast feet
_STEADY = 0.35  # leg/s: and while its velocity differs from that of the contact's middle by less than this
_LEAVE = 1.5  # a contact goes on up to this multiple of the speed at which it may begin
_QUIET = 0.15  # leg/s: at a contact's ends its level velocity differs by less than this from that of its core,
_LIFT = 0.22  # leg/s: and it rises or falls by less than this; a clip that floats or sinks takes standing feet along
_NOISE = 3.0  # or both by less than this multiple of the core's own median
_SETS_OFF = 2.0  # leg/s²: a foot that sets off, or comes to rest, gets faster, or slower, by more than this,
_RISES_OFF = 1.0  # leg/s²: or rises, or falls, faster, or slower, by more than this
_ON_THE_WAY = 0.04  # s: and does so for this long at most before, or after, it is no longer quiet
_BRIEF = 0.1  # s: and is quiet for this long at most after it rested to rounding; one that is so for longer rolls on
_CORE = 0.06  # s: the shortest time a foot must stand still to begin a contact
_SHORTEST = 0.1  # s: the shortest contact
_GAP = 0.08  # s: two contacts at one place less than this apart are one
_SAME_PLACE = 0.05  # leg


def find_treadmill(signals: Sequence[FootSignal], pelvis: Array, length: float, fps: float) -> Array | None:
    """Recognise an in-place cycle: stance feet slide back at one steady velocity while the body stays.

    `pelvis` (F, 3): path of the pelvis. `length`: leg length. Returns (3,): the level velocity of the stance feet in
    leg lengths per second; None for any other clip.
    """
    num = len(pelvis)
    if num < 4:
        return None
    half = max(1, round(ENVELOPE * fps))
    low = []
    for s in signals:
        above = s.height - running_min(s.height, half)
        low.append(s.velocity[(above < _LOW) & (np.abs(s.climb) < 0.8)])
    pooled = np.concatenate(low)
    if len(pooled) < max(4, 0.15 * num * len(signals)):
        return None
    steady = np.array([median(column) for column in pooled.T])
    speed = float(np.linalg.norm(steady))
    spread = median(lengths(pooled - steady))
    drift = np.linalg.norm(pelvis[-1] - pelvis[0]) / length * fps / (num - 1)
    if speed < 0.4 or spread > 0.35 * speed or drift > 0.25 * speed:
        return None
    return steady


class ContactLimits(NamedTuple):
    """What detection reads from a clip as a whole.

    Parameters
    ----------
    enter : float
        The speed below which a contact begins, in leg lengths per second.
    lowest : tuple of float
        Per foot the height it is held up from, in mean leg lengths.
    smoothing : tuple of float
        Per foot by how much its path is smoothed, see `path_smoothing`.
    ground_velocity : (3,) float64 or None
        Velocity of a moving ground in leg lengths per second, as `find_treadmill` returns it.
    """

    enter: float
    lowest: tuple[float, ...]
    smoothing: tuple[float, ...]
    ground_velocity: Array | None


def contact_limits(
    signals: Sequence[FootSignal], leg_lengths: Sequence[float], ground_velocity: Array | None = None
) -> ContactLimits:
    """Read the limits of contacts from a whole clip."""
    speeds = [s.speed(ground_velocity) for s in signals]
    fast = float(np.quantile(np.concatenate(speeds), 0.95))
    enter = float(np.clip(_SLOW_PART * fast, *_SLOW))
    enter = max(enter, min(_SHAKEN * max(s.shake for s in signals), _SHAKEN_PART * fast))
    if ground_velocity is not None:
        enter = max(enter, 0.35 * float(np.linalg.norm(ground_velocity)))
    # Each foot's height above its own lowest: soles and retargeting differ from side to side, but not by much.
    lowest = [float(np.quantile(height, 0.05)) for height in _comparable(signals, leg_lengths)]
    held = tuple(min(own, min(lowest) + _UNEVEN) for own in lowest)
    return ContactLimits(enter, held, tuple(s.smoothing for s in signals), ground_velocity)


def _comparable(signals: Sequence[FootSignal], leg_lengths: Sequence[float]) -> list[Array]:
    """Return the heights of the feet in mean leg lengths: in their own, far from the origin, they would not agree."""
    mean = float(np.mean(leg_lengths))
    return [s.height * (length / mean) for s, length in zip(signals, leg_lengths, strict=True)]


def stance_velocity(signals: Sequence[FootSignal], contacts: Sequence[Sequence[Span]], fps: float) -> Array | None:
    """Measure the velocity of the ground that standing feet go with.

    Returns (3,): mean level velocity of the pivots over the inner halves of all contacts, in leg lengths per second;
    None where no contact has an inside.
    """
    steps = []
    for signal, spans in zip(signals, contacts, strict=True):
        for first, last in spans:
            edge = (last - first) // 4
            steps.append(signal.raw[first + edge : last - edge])
    together = np.concatenate(steps) if steps else np.zeros((0, 3))
    return np.asarray(together.mean(axis=0) * fps) if len(together) else None


def detect_contacts(
    signals: Sequence[FootSignal],
    leg_lengths: Sequence[float],
    fps: float,
    limits: ContactLimits | None = None,
) -> list[list[Span]]:
    """Find the spans in which each foot stands.

    A contact begins where the foot is slow, near its own low envelope and not held up beside the other
    foot; it goes on both ways while the sole stays near its level and the pivot below a higher speed.
    It ends where the foot set off: a foot leaves from rest, and comes to it, with a speed that grows evenly at
    first, so that the speed of its first steps is followed back to what it is while the foot stands.

    `leg_lengths`: in the clip's units. `limits`, optional: what `contact_limits` gives for the clip of which the
    signals are a part; by default for the signals. Returns per foot the rising spans of frames, both ends included.

    Notes
    -----
    The scheme (height and speed, two thresholds) is that of the literature on footskate, e.g. Kovar,
    Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002; the pivot's speed instead
    of a joint's and the limits taken from the clip are our own.
    """
    if limits is None:
        limits = contact_limits(signals, leg_lengths)
    speeds = [s.speed(limits.ground_velocity) for s in signals]
    heights = _comparable(signals, leg_lengths)
    relative = [height - low for height, low in zip(heights, limits.lowest, strict=True)]
    return [
        _detect_one(k, signals, speeds, limits.enter, relative, leg_lengths[k], fps, limits.ground_velocity)
        for k in range(len(signals))
    ]


def _detect_one(
    k: int,
    signals: Sequence[FootSignal],
    speeds: Sequence[Array],
    enter: float,
    relative: Sequence[Array],
    length: float,
    fps: float,
    ground_velocity: Array | None,
) -> list[Span]:
    """Find the contacts of foot k."""
    signal, speed = signals[k], speeds[k]
    half = max(1, round(ENVELOPE * fps))
    # Low in space, or low for the body: a clip that floats for a while moves both feet away from the ground.
    low = (signal.height - running_min(signal.height, half) < _LOW) | (
        signal.hung - running_min(signal.hung, half) < _LOW
    )
    still = [(s < enter) & (np.abs(each.climb) < enter) for s, each in zip(speeds, signals, strict=True)]
    core = still[k] & low
    if others := [i for i in range(len(signals)) if i != k]:
        down = relative[k] - np.min([relative[i] for i in others], axis=0) < _HELD_UP
        core &= down
        # Up a stair, the step it stands on is high for its surroundings; yet nothing else carries the body.
        for first, last in frames_to_spans(still[k] & down & ~np.any([still[i] for i in others], axis=0)):
            core[first : last + 1] |= last - first + 1 > _ALONE * fps
    _drop_tops(core, signal.height, fps)
    ground = np.zeros(3) if ground_velocity is None else ground_velocity / fps
    rests = signal.fixed(_LIFT / fps, None if ground_velocity is None else ground)
    shortest = max(1, round(_CORE * fps))
    limits = np.zeros(1, _core.CONTACT_LIMITS)
    limits["shortest_core"] = shortest
    limits["shortest_rest"] = max(3, shortest)
    limits["shortest"] = max(2, round(_SHORTEST * fps))
    limits["steady"] = max(_STEADY, 0.75 * enter)
    limits["stay"] = _STAY
    limits["quiet"] = _QUIET
    limits["lift"] = _LIFT / fps
    limits["noise"] = _NOISE
    limits["sets_off"] = _SETS_OFF / fps
    limits["rises_off"] = _RISES_OFF / fps**2
    limits["on_the_way"] = round(_ON_THE_WAY * fps)
    limits["brief"] = max(1, int(_BRIEF * fps))
    limits["gap"] = _GAP * fps
    limits["same_place"] = _SAME_PLACE * length
    limits["ground_step"] = ground * length
    leave = speed < _LEAVE * enter
    return _core.find_contacts(core, leave, rests, signal.height, signal.velocity, signal.place, signal.slips, limits)


def _drop_tops(core: NDArray[np.bool_], height: Array, fps: float) -> None:
    """Take out moments in which a foot is still at its highest: in a jump it hangs below the body."""
    near = max(2, round(_CORE * fps))
    for first, last in frames_to_spans(core):
        if near <= first and last + near < len(core) and last - first + 1 < _ALONE * fps:
            around = max(height[first - near], height[last + near])
            core[first : last + 1] = around > min(height[first], height[last]) - _TOP


def limit_to_range(contacts: list[list[Span]], first: int, last: int) -> list[list[Span]]:
    """Cut contacts to the frames first … last; those of which one frame or none is left are dropped.

    Examples
    --------
    >>> limit_to_range([[(0, 5), (7, 7), (8, 9)]], 3, 8)
    [[(3, 5), (7, 7)]]
    """
    inside = [[(a, b, max(a, first), min(b, last)) for a, b in spans] for spans in contacts]
    # A contact given as one frame stands; one frame that cutting leaves of a longer one is an edge, not a footstep.
    return [[(c, d) for a, b, c, d in spans if d > c or (a == b and c == d)] for spans in inside]


def joined_spans(own: list[Span], more: list[Span]) -> list[Span]:
    """Return spans that go on wherever one of the others overlaps them, and those of the others that overlap none.

    Examples
    --------
    >>> joined_spans([(0, 3), (4, 9), (20, 25)], [(2, 5), (12, 14), (21, 24)])
    [(0, 9), (12, 14), (20, 25)]
    """
    out: list[Span] = []
    for first, last in sorted([*own, *more]):  # neither overlap among themselves
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out
