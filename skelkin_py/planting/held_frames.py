# SPDX-License-Identifier: MIT
"""Motion animated on twos, threes or in poses of any length: planted between its poses, each of which is held again.

From frame to frame such a motion holds still and jumps. From pose to pose it moves as any other does: that motion is
planted, and each planted pose is shown for as long as before. Poses that come fast enough are planted by themselves, at
the coarsest rate at which each has a frame of its own; fewer poses get in-betweens at the clip's rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Flags, Floats
from ..ik import apply_two_bone
from ..kinematics.forward import forward_kinematics
from ..legs.limbs import ancestors
from ..transforms import compose, decompose, quaternion_slerp, quaternion_to_matrix
from .foot import LegTrack
from .given_contacts import given_legs
from .leg_tracks import LegPart, Subset, leg_tracks, read_tracks
from .parts import Known, Part, Solved
from .remark import renumbered
from .settings import Settings
from .spans import Span

Ints = NDArray[np.intp]

_SAME = 1e-5  # of rotations, and in legs: frames that differ by less show the same pose
_LONGEST = 0.35  # s: a pose that lasts longer is a rest
_MOSTLY = 0.5  # more than this part of the poses is held
_SOME = 0.1  # the same at the rate of the poses
_PARTLY = 0.33  # the same of a foot alone: while the hips move, a foot whose leg is straight does not stay in place
_FEWEST = 3  # poses
_FAST = 16.0  # 1/s: with fewer poses, feet are seen to stand between them
_BRIEF = 3.0  # poses: contacts that last for less may be missed
_AT_ONE_PLACE, _STEPS = 2e-5, 1e-3  # leg: a foot that holds its place moves by less, and from place to place by more
# leg: poses further apart than this, and than this multiple of the median, get no in-betweens
_JUMP, _OFTEN = 1.0, 4.0
_WORDS = {2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes", 7: "sevens", 8: "eights"}


@dataclass(frozen=True)
class HeldFrames:
    """A clip of F frames that holds its poses, and the motion of N frames between them."""

    shown: Ints  # (F,) which frame of the motion each frame of the clip shows, rising
    frames: Ints  # (N,) the frame of the clip that belongs to each frame of the motion
    local: Floats  # (N, S, 4, 4) local matrices of the motion
    fps: float  # of the motion
    remark: str  # message about it
    shows_motion: bool  # whether the planted clip shows the motion itself, and not its poses held again
    pose_seconds: float  # how long a pose lasts

    def settings(self, chosen: Settings, names: list[str]) -> Settings:
        """Return the options of the clip as those of the motion; ValueError: contacts that do not fit the clip."""
        num, contacts = len(self.shown), chosen.contacts
        if not isinstance(contacts, str):
            given_legs(contacts, names, num)
            by_leg = isinstance(contacts, Mapping)
            contacts = self._contacts(contacts) if by_leg else [self._contacts(own) for own in contacts]
        ground = chosen.ground
        if ground is not None:
            ground.check_frames(num)
            ground = ground.at(self.frames)
        return replace(chosen, contacts=contacts, frames=self._range(chosen.frames), ground=ground)

    def _range(self, frames: Span) -> Span:
        """Return the poses that only frames inside a range of the clip show."""
        first = self.shown[frames[0]] + (frames[0] > 0 and self.shown[frames[0] - 1] == self.shown[frames[0]])
        num = len(self.shown)
        last = self.shown[frames[1]] - (frames[1] < num - 1 and self.shown[frames[1] + 1] == self.shown[frames[1]])
        first = min(int(first), len(self.frames) - 1)
        return first, max(first, int(last))

    def _contacts(self, given: Any) -> Any:
        """Return contacts of legs or of one in frames of the motion, without those in which no pose begins."""
        if isinstance(given, Mapping):  # by leg, or by part of a foot
            return {key: self._contacts(spans) for key, spans in given.items()}
        found = []
        for contact in given:
            fields = dict(contact) if isinstance(contact, Mapping) else None
            first, last = (fields["first_frame"], fields["last_frame"]) if fields else contact
            low, high = np.searchsorted(self.frames, [first, last + 1]).tolist()
            if low < high:
                found.append({**fields, "first_frame": low, "last_frame": high - 1} if fields else (low, high - 1))
        return found

    def clip_frame(self, frame: int) -> int:
        """Return the frame of the clip that belongs to a frame of the motion."""
        return int(self.frames[frame])

    def _missed(self, contacts: Sequence[Sequence[Span]]) -> str:
        """Warn of contacts that may have been missed, where contacts last hardly longer than poses."""
        lengths, least = [last - first + 1 for own in contacts for first, last in own], _BRIEF * self.pose_seconds
        if lengths and float(np.median(lengths)) >= least * self.fps:
            return ""
        return f"; poses last {self.pose_seconds:.2g} s, so that contacts below {least:.2g} s may be missed"

    def _feet(self, subset: Subset) -> list[Ints]:
        """Return which frame of the motion (F,) each foot shows."""
        return [self.shown] * len(subset.legs)

    def _after(self, subset: Subset, local: Floats, part: Part, solved: Solved) -> tuple[Floats, dict[int, Ints]]:
        """Return the clip's planted local matrices, and per changed joint the frames in which it differs."""
        after, changed = local.copy(), {}
        for joint, rows in solved.changed.items():
            own = np.flatnonzero(np.isin(self.shown, rows))
            after[own, joint] = solved.local[self.shown[own], joint]
            if own.size:
                changed[joint] = own
        return after, changed

    def held_again(
        self, known: Known, part: Part, solved: Solved, local: Floats, fps: float, settings: Settings
    ) -> tuple[Known, Part, Solved]:
        """Return the analysis, the frames and the planted poses of the clip from those of the motion that it shows.

        `known`, `part`, `solved`: those of the motion. `local`, `fps`, `settings`: those of the clip.
        """
        subset, shown = known.scene.subset, self.shown
        after, changed = self._after(subset, local, part, solved)
        ground = settings.ground
        if ground is not None:
            length = float(np.mean([track.length for track in part.tracks]))
            ground = ground.facing(known.scene.up, length, len(local))
        feet = self._feet(subset)
        inside, flat = ([*map(_showing, feet, each)] for each in (part.contacts, solved.held))
        contacts, held = ([[span for span, _ in spans] for spans in each] for each in (inside, flat))
        rises = [[each[n] for _, n in spans] for spans, each in zip(inside, solved.rises, strict=True)]
        pace, clip_pace = (f"at {rate:.6g} fps the root" for rate in (self.fps, fps))  # in the message about the pace
        messages = [
            text.replace(pace, clip_pace) if pace in text else renumbered(text, self.clip_frame)
            for text in known.messages
        ]
        messages.insert(0, self.remark + self._missed(part.contacts))
        known = replace(known, scene=replace(known.scene, fps=fps, settings=settings, ground=ground), messages=messages)
        judged = part.tracks if self.shows_motion else None
        part = part.at(shown, subset, local, contacts=contacts, ground=known.ground, judged=judged)
        return known, part, solved.at(shown, subset, after, changed=changed, rises=rises, held=held)


@dataclass(frozen=True)
class PartlyHeld(HeldFrames):
    """A clip in which only the feet hold their places, or only the body, while the other moves."""

    body: Ints  # (F,) which frame of the motion the body shows
    feet: list[Ints]  # per leg, (F,) which frame of the motion its foot shows

    def _feet(self, subset: Subset) -> list[Ints]:
        return self.feet

    def _after(self, subset: Subset, local: Floats, part: Part, solved: Solved) -> tuple[Floats, dict[int, Ints]]:
        moves = np.zeros((local.shape[1], len(local)), dtype=np.bool_)
        for joint, rows in solved.changed.items():
            moves[joint, rows] = True
        chains = [leg.chain for leg in subset.legs]
        above = sorted(_legs_and_above(subset).difference(*chains))
        shifted, pose = np.asarray(moves[above].any(axis=0))[self.body], local.copy()
        for joint in above:
            own = shifted & moves[joint][self.body]
            pose[own, joint] = solved.local[self.body[own], joint]
        for joint in set(solved.changed).difference(above, *chains):  # toes
            pose[moves[joint], joint] = solved.local[moves[joint], joint]
        swung = [np.asarray(moves[list(chain)].any(axis=0)) for chain in chains]
        weight = np.stack([shifted | own[feet] for own, feet in zip(swung, self.feet, strict=True)], axis=1)
        places = [(leg.ankle[feet], leg.foot[feet]) for leg, feet in zip(solved.after, self.feet, strict=True)]
        after = _with_feet_at(subset, pose, part.tracks, places, weight)
        differs = (after != local).any(axis=(2, 3))
        return after, {
            joint: np.flatnonzero(differs[:, joint]) for joint in np.flatnonzero(differs.any(axis=0)).tolist()
        }


def find_held(subset: Subset, local: Floats, fps: float, *, alone: bool = False) -> HeldFrames | None:
    """Return the motion between the poses of a clip that holds them, None where it does not.

    `local` (F, S, 4, 4): its local matrices. Poses count as held where more than half of the distinct ones last from
    two frames to 0.35 s. `alone`: evenly held poses are a motion by themselves, however few there are per second.
    """
    moves = _moves(subset, local)
    starts = np.flatnonzero(moves.any(axis=0))
    if not _poses_are_held(starts, len(local), fps):
        return _partly_held(subset, local, fps, moves)
    pose, step = float(np.median(np.diff(starts))) / fps, int(np.gcd.reduce(starts))
    if not alone and fps / step < _FAST:
        step = 1
    fps, num = fps / step, (len(local) - 1) // step + 1
    places, lengths = starts // step, np.diff(starts // step, append=num)
    if not _are_held(lengths, fps, _SOME):
        shown, motion = np.arange(len(local)) // step, local[::step]
    else:
        num = num if lengths[-1] > _LONGEST * fps else int(places[-1]) + 1
        shown = np.repeat(places, np.diff(starts, append=len(local)))
        motion = local[::step][:num].copy()
        _fill_inbetweens(subset, motion, range(motion.shape[1]), _Inbetweens.of(places, num, fps))
    remark = f"animated {_word(starts)}: planted between its poses, each held as before"
    return HeldFrames(shown, step * np.arange(num), np.ascontiguousarray(motion), fps, remark, False, pose)


def _showing(shown: Ints, spans: Sequence[Span]) -> list[tuple[Span, int]]:
    """Return the clip's frames that show spans of the motion, each with the number of the span that they show."""
    found = [(int(np.searchsorted(shown, a)), int(np.searchsorted(shown, b, "right")) - 1) for a, b in spans]
    return [(span, number) for number, span in enumerate(found) if span[0] <= span[1]]


def _are_held(lengths: Ints, fps: float, part: float) -> bool:
    """Tell whether more than a part of poses of these lengths, in frames, is held."""
    return bool(np.count_nonzero((lengths > 1) & (lengths <= _LONGEST * fps)) > part * len(lengths))


def _word(starts: Ints) -> str:
    """Return in words how long poses that begin in these frames are held."""
    lengths = np.diff(starts)
    if lengths.min() == lengths.max():
        return f"on {_WORDS.get(int(lengths[0]), f'every {lengths[0]}th frame')}"
    common = np.flatnonzero(np.bincount(lengths)[:9] * 10 >= len(lengths))  # of a tenth of the poses and more
    *words, last = ["", *(_WORDS[length] for length in common.tolist() if length in _WORDS)]
    return f"on {', '.join(words[1:])}{' and ' * (len(words) > 1)}{last}" if last else "in held poses"


def _poses_are_held(starts: Ints, num: int, fps: float, part: float = _MOSTLY) -> bool:
    """Tell whether more than a part of the poses that begin in these of `num` frames is held."""
    return len(starts) >= _FEWEST and _are_held(np.diff(starts, append=num), fps, part)


@np.errstate(over="ignore", invalid="ignore")  # of joints beyond all measure, which are refused later
def _moves(subset: Subset, local: Floats) -> Flags:
    """Tell in which frames (S, F) each joint of the legs and above them takes another pose than in the frame before."""
    parents = subset.skeleton.parents
    first = np.asarray(forward_kinematics(subset.skeleton, local[:1]))[0]
    scale = np.cbrt(np.abs(np.linalg.det(first[:, :3, :3])))
    hip, knee, ankle = (first[joint, :3, 3] for joint in subset.legs[0].chain)
    length = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    moves = np.zeros((local.shape[1], len(local)), dtype=np.bool_)
    moves[:, 0] = True
    for joint in _legs_and_above(subset):
        least = np.full((3, 4), _SAME)
        above = parents[joint]
        least[:, 3] = _SAME * length / max(1e-300, scale[above] if above >= 0 else 1.0)
        moves[joint, 1:] = (np.abs(np.diff(local[:, joint, :3], axis=0)) > least).any(axis=(1, 2))
    return moves


def _legs_and_above(subset: Subset) -> set[int]:
    """Return the joints that planting may move, and those above them."""
    parents = subset.skeleton.parents.tolist()
    return {joint for leg in subset.legs for joint in ancestors(parents, leg.chain[2])}


# ---- between poses


class _Inbetweens(NamedTuple):
    """Where the N frames of a motion are between P poses."""

    starts: Ints  # (P,) the frame in which each pose begins
    pose: Ints  # (N,) the pose that each frame holds
    part: Floats  # (N,) how far each frame is from that pose to the next one, 0 to 1

    @staticmethod
    def of(starts: Ints, num: int, fps: float) -> _Inbetweens:
        lengths = np.diff(starts, append=num)
        moves = np.where(lengths > _LONGEST * fps, np.median(lengths), lengths)  # a rest ends as late as other poses
        pose = np.searchsorted(starts, np.arange(num), "right") - 1
        after = np.append(starts, num)[pose + 1]
        part = np.maximum(0.0, 1.0 - (after - np.arange(num)) / moves[pose])
        part[pose == len(starts) - 1] = 0.0
        return _Inbetweens(starts, pose, part)

    def neighbours(self, rows: Ints | slice = slice(None)) -> tuple[Ints, Ints]:
        """Return the first frames of the pose of each row and of the next pose."""
        pose = self.pose[rows]
        return self.starts[pose], self.starts[np.minimum(pose + 1, len(self.starts) - 1)]

    def without_jumps(self, points: Floats, length: float) -> Floats:
        """Return `part`, 0 where these points (N, K, 3) jump to the next pose; `length`: that of a leg."""
        steps = np.linalg.norm(np.diff(points[self.starts], axis=0), axis=2).max(axis=1)
        jumps = np.append(steps > max(_JUMP * length, _OFTEN * float(np.median(steps))), True)
        return np.where(jumps[self.pose], 0.0, self.part)


def _fill_inbetweens(subset: Subset, local: Floats, joints: Iterable[int], inbetweens: _Inbetweens) -> None:
    """Interpolate joints between the held poses of local matrices (N, S, 4, 4), in place."""
    legs = [joint for leg in subset.legs for joint in leg.chain]
    points = np.asarray(forward_kinematics(subset.skeleton, local))[..., :3, 3][:, legs]
    hip, knee, ankle = points[0, :3]
    part = inbetweens.without_jumps(points, float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)))
    rows = np.flatnonzero(part)
    now, then = inbetweens.neighbours(rows)
    part = part[rows]
    for joint in joints:
        (start, turn, size), (end, other, more) = (decompose(local[at, joint]) for at in (now, then))
        middle = quaternion_slerp(turn, other, part)
        places, sizes = start + part[:, None] * (end - start), size + part[:, None] * (more - size)
        local[rows, joint] = compose(places, middle, sizes)


# ---- held in part


def _partly_held(subset: Subset, local: Floats, fps: float, moves: Flags) -> PartlyHeld | None:
    """Return the motion of a clip in which only feet, or only the body, hold their poses; None where neither does."""
    num, legs = len(local), subset.legs
    chains = [leg.chain for leg in legs]
    above = _legs_and_above(subset).difference(*chains)
    body = np.flatnonzero(moves[sorted(above)].any(axis=0)) if subset.mover is not None else np.arange(num)
    body_held = _poses_are_held(body, num, fps)
    feet = [_foot_starts(subset, local, leg, fps) for leg in legs]
    if not (body_held or any(own is not None for own in feet)):
        return None
    try:
        tracks = read_tracks(subset, local)
    except ValueError:  # reading the whole clip reports it
        return None
    motion, everything = local.copy(), np.arange(num)
    if body_held:
        _fill_inbetweens(subset, motion, sorted(above), _Inbetweens.of(body, num, fps))
    carried = leg_tracks(subset, motion, tracks)
    # Feet that move smoothly do not follow the body; where they follow it, they stand only if the body moves too.
    alone = [_roughness(track.ankle) < _roughness(other.ankle) for track, other in zip(tracks, carried, strict=True)]
    places, weight = [], np.zeros((num, len(legs)), dtype=np.bool_)
    for k, (track, own) in enumerate(zip(tracks, feet, strict=True)):
        to, turn = track.ankle, track.foot
        if own is not None:
            to, turn = _foot_inbetweens(track, _Inbetweens.of(own, num, fps), fps)
            weight[:, k] = body_held | (to != track.ankle).any(axis=1) | (turn != track.foot).any(axis=(1, 2))
        elif body_held:
            weight[:, k] = alone[k]
        places.append((to, turn))
    motion = _with_feet_at(subset, motion, tracks, places, weight)
    starts = next((own for own in feet if own is not None), body)
    who, whose = ("the feet are", "their") if starts is not body else ("the body is", "its")
    stays = body_held and (starts is not body or any(alone))
    end = "each held as before" if stays or not body_held else "with in-betweens, so that feet stand"
    remark = f"{who} animated {_word(starts)}: planted between {whose} poses, {end}"
    return PartlyHeld(
        everything, everything, motion, fps, remark, body_held and not stays,
        float(np.median(np.diff(starts))) / fps,
        _shown(body, num) if stays else everything,
        [everything if own is None else _shown(own, num) for own in feet],
    )  # fmt: skip


def _shown(starts: Ints, num: int) -> Ints:
    """Return the frame in which the pose of each of `num` frames begins."""
    return np.repeat(starts, np.diff(starts, append=num))


@np.errstate(all="ignore")  # of legs without length or beyond all measure, which are refused later
def _foot_starts(subset: Subset, local: Floats, leg: LegPart, fps: float) -> Ints | None:
    """Return the frames in which a foot moves from one held place to the next; None where it holds none."""
    poses = np.asarray(forward_kinematics(subset.skeleton, local, joints=leg.chain))
    hip, knee, ankle = np.moveaxis(poses[..., :3, 3], 1, 0)
    length = np.median(np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1))
    foot = poses[:, 2, :3, :3]
    steps = np.linalg.norm(np.diff(ankle, axis=0), axis=1) / length
    turns = np.abs(np.diff(foot, axis=0)).max(axis=(1, 2)) / np.abs(foot[0]).max()
    starts = np.flatnonzero(np.concatenate([[True], np.maximum(steps, turns) > _AT_ONE_PLACE]))
    if not _poses_are_held(starts, len(local), fps, _PARTLY) or np.median(steps[starts[1:] - 1]) < _STEPS:
        return None
    return starts


def _foot_inbetweens(track: LegTrack, inbetweens: _Inbetweens, fps: float) -> tuple[Floats, Floats]:
    """Return a foot's path and axes interpolated from place to place; it leaves the last one as it came there."""
    part = inbetweens.without_jumps(track.ankle[:, None], track.length)
    now, then = inbetweens.neighbours()
    turn = _quaternions(track.foot)
    ankle = track.ankle[now] + part[:, None] * (track.ankle[then] - track.ankle[now])
    before, last = inbetweens.starts[-2:]
    if len(part) - last <= _LONGEST * fps and part[last - 1] > 0.0:
        frames = np.arange(len(part) - last)[:, None] / (last - before)
        ankle[last:] += frames * (track.ankle[last] - track.ankle[before])
    return ankle, quaternion_to_matrix(quaternion_slerp(turn[now], turn[then], part))


def _quaternions(axes: Floats) -> Floats:
    """Return the rotations (..., 4) in matrices (..., 3, 3)."""
    return decompose(np.pad(axes, [(0, 0)] * (axes.ndim - 1) + [(0, 1)]))[1]


def _roughness(path: Floats) -> float:
    """Return the mean second difference of a path."""
    return float(np.linalg.norm(np.diff(path, 2, axis=0), axis=1).mean())


def _with_feet_at(
    subset: Subset, local: Floats, tracks: Sequence[LegTrack], places: Sequence[tuple[Floats, Floats]], weight: Flags
) -> Floats:
    """Return local matrices with the feet moved to a place (F, 3) and axes (F, 3, 3) each, where the weight is 1."""
    ankles, turns = (np.stack(each, axis=1) for each in zip(*places, strict=True))
    hinges = np.stack([track.hinge for track in tracks])
    chains = [leg.chain for leg in subset.legs]
    return apply_two_bone(
        subset.skeleton, local, chains, ankles, hinge=hinges, roll="minimal", weight=weight.astype(np.float64),
        end_rotation=_quaternions(turns),
    ).local  # fmt: skip
