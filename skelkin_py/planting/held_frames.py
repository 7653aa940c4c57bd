# SPDX-License-Identifier: MIT
"""Motion animated on twos, threes or in poses held at will: planted between its poses, each of which is held again.

From frame to frame such a motion stands and jumps. Between its poses it moves as any other does: that is planted, and
what each pose became is shown for as long as before. Poses that come fast enough are planted by themselves, at the
coarsest rate at which each has a frame of its own; few poses are led from one to the next at the clip's rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ik import apply_two_bone
from ..kinematics.forward import forward_kinematics
from ..transforms import compose, decompose, quaternion_slerp, quaternion_to_matrix
from .foot import LegTrack
from .given_contacts import given_parts, given_pins, given_spans
from .leg_tracks import LegPart, Subset, leg_tracks, read_tracks
from .parts import Known, Part, Solved
from .remark import numbered
from .settings import Settings
from .spans import Span

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_SAME = 1e-5  # of rotations, and in legs: frames that differ by less show one pose
_LONGEST = 0.35  # s: a pose that lasts longer is a rest
_MOSTLY = 0.5  # more than this part of the poses is held; at the rate of the poses less is enough:
_SOME = 0.1
_PARTLY = 0.33  # where hips go on, a foot whose leg is straight does not stay where it is held
_FEWEST = 3  # poses
_FAST = 16.0  # 1/s: where fewer poses go by, feet are seen to stand between them
_BRIEF = 3.0  # poses: contacts that last for less may be missed
_AT_ONE_PLACE, _STEPS = 2e-5, 1e-3  # leg: a foot that holds its place moves by less, and from place to place by more
_JUMP, _OFTEN = 1.0, 4.0  # leg: poses further apart, and than this multiple of what is usual, are not led over
_WORDS = {2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes", 7: "sevens", 8: "eights"}


@dataclass(frozen=True)
class HeldFrames:
    """A clip of F frames that holds its poses, and the motion of N frames between them."""

    shown: Ints  # (F,) which frame of the motion each frame of the clip shows, rising
    frames: Ints  # (N,) at which frame of the clip each frame of the motion is
    local: Array  # (N, S, 4, 4) local matrices of the motion
    fps: float  # of the motion
    remark: str  # what to say of it
    led: bool  # whether the clip is to show the motion itself, and not its poses held again
    pose: float  # s, how long one lasts

    def settings(self, chosen: Settings, names: list[str]) -> Settings:
        """Return the options of the clip as those of the motion; ValueError: contacts that do not fit the clip."""
        num, contacts = len(self.shown), chosen.contacts
        if not isinstance(contacts, str):
            for check in (given_spans, given_parts, given_pins):
                check(contacts, names, num)
            of_leg = contacts.items() if isinstance(contacts, Mapping) else enumerate(contacts)
            told = {leg: self._contacts(own) for leg, own in of_leg}
            contacts = told if isinstance(contacts, Mapping) else list(told.values())
        ground = chosen.ground
        if ground is not None:
            ground.check_frames(num)
            ground = ground.at(self.frames)
        return replace(chosen, contacts=contacts, frames=self._range(chosen.frames), ground=ground)

    def _range(self, frames: Span) -> Span:
        """Return the poses that are shown in a range of the clip alone."""
        first = self.shown[frames[0]] + (frames[0] > 0 and self.shown[frames[0] - 1] == self.shown[frames[0]])
        num = len(self.shown)
        last = self.shown[frames[1]] - (frames[1] < num - 1 and self.shown[frames[1] + 1] == self.shown[frames[1]])
        first = min(int(first), len(self.frames) - 1)
        return first, max(first, int(last))

    def _contacts(self, given: Any) -> Any:
        """Return a leg's contacts in frames of the motion; those in which no pose begins are none."""
        if isinstance(given, Mapping):
            return {part: self._contacts(spans) for part, spans in given.items()}
        found = []
        for contact in given:
            more = dict(contact) if isinstance(contact, Mapping) else None
            first, last = contact if more is None else (more["first_frame"], more["last_frame"])
            low, high = np.searchsorted(self.frames, [first, last + 1]).tolist()
            if low < high:
                span = (low, high - 1)
                found.append(span if more is None else {**more, "first_frame": span[0], "last_frame": span[1]})
        return found

    def number(self, frame: int) -> int:
        """Return the frame of the clip at which a frame of the motion is."""
        return int(self.frames[frame])

    def _missed(self, contacts: Sequence[Sequence[Span]]) -> str:
        """Say so where contacts may have been missed, since they last hardly longer than poses."""
        lasts = [last - first + 1 for own in contacts for first, last in own]
        if lasts and float(np.median(lasts)) >= _BRIEF * self.pose * self.fps:
            return ""
        return f"; poses last {self.pose:.2g} s, so that contacts below {_BRIEF * self.pose:.2g} s may be missed"

    def _feet(self, subset: Subset) -> list[Ints]:
        """Return which frame of the motion (F,) each foot shows."""
        return [self.shown] * len(subset.legs)

    def _after(self, subset: Subset, local: Array, part: Part, solved: Solved) -> tuple[Array, dict[int, Ints]]:
        """Return the clip's local matrices as they are planted, and per joint the frames in which they are."""
        after, changed = local.copy(), {}
        for joint, rows in solved.changed.items():
            own = np.flatnonzero(np.isin(self.shown, rows))
            after[own, joint] = solved.local[self.shown[own], joint]
            if own.size:
                changed[joint] = own
        return after, changed

    def held_again(
        self, known: Known, part: Part, solved: Solved, local: Array, fps: float, settings: Settings
    ) -> tuple[Known, Part, Solved]:
        """Return what is known of the clip, its frames, and how they are planted: as what they show is.

        `known`, `part`, `solved`: of the motion. `local`, `fps`, `settings`: those of the clip.
        """
        subset, shown = known.scene.subset, self.shown
        after, changed = self._after(subset, local, part, solved)
        ground = settings.ground
        if ground is not None:
            length = float(np.mean([track.length for track in part.tracks]))
            ground = ground.facing(known.scene.up, length, len(local))
        tracks = leg_tracks(subset, local, part.tracks)
        spans, held = (
            [[_showing(feet, span) for span in own] for feet, own in zip(self._feet(subset), each, strict=True)]
            for each in (part.contacts, solved.held)
        )
        own, of_clip = (f"at {rate:.6g} fps the root" for rate in (self.fps, fps))  # of which a pace is told
        told = [numbered(text, self.number).replace(own, of_clip) for text in known.messages]
        messages = [self.remark + self._missed(part.contacts), *told]
        known = replace(known, scene=replace(known.scene, fps=fps, settings=settings, ground=ground), messages=messages)
        return (
            known,
            replace(
                part,
                local=local,
                tracks=tracks,
                contacts=[[span for span in own if span[0] <= span[1]] for own in spans],
                footholds=[None if hold is None else hold.part(shown) for hold in part.footholds],
                ground=known.ground,
                alone=part.alone[shown],
                judged=part.tracks if self.led else None,
            ),
            replace(
                solved,
                local=after,
                changed=changed,
                errors=solved.errors[shown],
                after=leg_tracks(subset, after, part.tracks),
                rises=[
                    [rise for rise, span in zip(rises, own, strict=True) if span[0] <= span[1]]
                    for rises, own in zip(solved.rises, spans, strict=True)
                ],
                held=[[span for span in own if span[0] <= span[1]] for own in held],
                targets=[target[shown] for target in solved.targets],
                body=solved.body[shown],
            ),
        )


@dataclass(frozen=True)
class PartlyHeld(HeldFrames):
    """A clip in which the feet hold their places, or the body its own, while the other moves on."""

    body: Ints  # (F,) which frame of the motion the body shows
    feet: list[Ints]  # (F,) of each leg, which one its foot shows

    def _feet(self, subset: Subset) -> list[Ints]:
        return self.feet

    def _after(self, subset: Subset, local: Array, part: Part, solved: Solved) -> tuple[Array, dict[int, Ints]]:
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
        ankles = np.stack([leg.ankle[feet] for leg, feet in zip(solved.after, self.feet, strict=True)], axis=1)
        turns = np.stack([leg.foot[feet] for leg, feet in zip(solved.after, self.feet, strict=True)], axis=1)
        after = _brought(subset, pose, part.tracks, ankles, turns, weight)
        differs = (after != local).any(axis=(2, 3))
        return after, {
            joint: np.flatnonzero(differs[:, joint]) for joint in np.flatnonzero(differs.any(axis=0)).tolist()
        }


def find_held(subset: Subset, local: Array, fps: float, *, alone: bool = False) -> HeldFrames | None:
    """Return the motion between the poses of a clip that holds them, None where it does not.

    `local` (F, S, 4, 4): its local matrices. Held: more than half of the distinct poses last from two frames to 0.35 s.
    `alone`: poses that are held evenly are a motion by themselves, however few go by.
    """
    moves = _moves(subset, local)
    starts = np.flatnonzero(moves.any(axis=0))
    if not _poses_are_held(starts, len(local), fps):
        return _partly_held(subset, local, fps, moves)
    pose, step = float(np.median(np.diff(starts))) / fps, int(np.gcd.reduce(starts))
    if not alone and fps / step < _FAST:
        step = 1
    fps, num = fps / step, (len(local) - 1) // step + 1
    places, lasts = starts // step, np.diff(starts // step, append=num)
    if not _are_held(lasts, fps, _SOME):
        shown, motion = np.arange(len(local)) // step, local[::step]
    else:
        num = num if lasts[-1] > _LONGEST * fps else int(places[-1]) + 1
        shown = np.repeat(places, np.diff(starts, append=len(local)))
        motion = local[::step][:num].copy()
        _lead_over(subset, motion, range(motion.shape[1]), _Ways.of(places, num, fps))
    remark = f"animated {_word(starts)}: planted between its poses, each held as before"
    return HeldFrames(shown, step * np.arange(num), np.ascontiguousarray(motion), fps, remark, False, pose)


def _showing(shown: Ints, span: Span) -> Span:
    """Return the clip's frames that show a span of the motion; the last before the first where none does."""
    return int(np.searchsorted(shown, span[0], "left")), int(np.searchsorted(shown, span[1], "right")) - 1


def _are_held(lasts: Ints, fps: float, part: float) -> bool:
    """Whether more than a part of poses that last so many frames is held."""
    return bool(np.count_nonzero((lasts > 1) & (lasts <= _LONGEST * fps)) > part * len(lasts))


def _word(starts: Ints) -> str:
    """Say how long poses that begin in these frames are held."""
    lasts = np.diff(starts)
    if lasts.min() == lasts.max():
        return f"on {_WORDS.get(int(lasts[0]), f'every {lasts[0]}th frame')}"
    common = np.bincount(lasts)[:9] * 10 >= len(lasts)  # a tenth of the poses
    words = [_WORDS[last] for last in np.flatnonzero(common).tolist() if last in _WORDS]
    return (
        f"on {' and '.join([', '.join(words[:-1]), words[-1]] if words[1:] else words)}" if words else "in held poses"
    )


def _poses_are_held(starts: Ints, num: int, fps: float, part: float = _MOSTLY) -> bool:
    """Whether more than a part of the poses that begin in these of `num` frames is held."""
    return len(starts) >= _FEWEST and _are_held(np.diff(starts, append=num), fps, part)


@np.errstate(over="ignore", invalid="ignore")  # joints beyond all measure have no motion that could be held
def _moves(subset: Subset, local: Array) -> NDArray[np.bool_]:
    """Return which joints (S, F) of the legs and above them have another pose than in the frame before, if any."""
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
    parents, found = subset.skeleton.parents, set[int]()
    for leg in subset.legs:
        joint = leg.chain[2]
        while joint >= 0:
            found.add(int(joint))
            joint = parents[joint]
    return found


# ---- between poses


class _Ways(NamedTuple):
    """How motion of N frames is led from each of P poses to the next."""

    places: Ints  # (P,) where each begins
    run: Ints  # (N,) the pose that is held in each frame
    part: Array  # (N,) how far it is on its way to the next one

    @staticmethod
    def of(places: Ints, num: int, fps: float) -> _Ways:
        lasts = np.diff(places, append=num)
        ways = np.where(lasts > _LONGEST * fps, np.median(lasts), lasts)  # a rest is left as late as other poses
        run = np.searchsorted(places, np.arange(num), "right") - 1
        after = np.append(places, num)[run + 1]
        part = np.maximum(0.0, 1.0 - (after - np.arange(num)) / ways[run])
        part[run == len(places) - 1] = 0.0
        return _Ways(places, run, part)

    def over(self, points: Array, length: float) -> Array:
        """Return how far each frame is on its way, where these points (N, K, 3) do not jump to the next pose."""
        steps = np.linalg.norm(np.diff(points[self.places], axis=0), axis=2).max(axis=1)
        jumps = np.append(steps > max(_JUMP * length, _OFTEN * float(np.median(steps))), True)
        return np.where(jumps[self.run], 0.0, self.part)


def _lead_over(subset: Subset, local: Array, joints: Iterable[int], ways: _Ways) -> None:
    """Let joints go evenly from pose to pose, in place: `local` (N, S, 4, 4), in which poses are held."""
    legs = [joint for leg in subset.legs for joint in leg.chain]
    points = np.asarray(forward_kinematics(subset.skeleton, local))[..., :3, 3][:, legs]
    hip, knee, ankle = points[0, :3]
    part = ways.over(points, float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)))
    rows = np.flatnonzero(part)
    now, then = ways.places[ways.run[rows]], ways.places[np.minimum(ways.run[rows] + 1, len(ways.places) - 1)]
    way = part[rows]
    for joint in joints:
        (start, turn, size), (end, other, more) = (decompose(local[at, joint]) for at in (now, then))
        middle = quaternion_slerp(turn, other, way)
        local[rows, joint] = compose(start + way[:, None] * (end - start), middle, size + way[:, None] * (more - size))


# ---- held in part


def _partly_held(subset: Subset, local: Array, fps: float, moves: NDArray[np.bool_]) -> PartlyHeld | None:
    """Return the motion of a clip in which feet alone, or the body alone, hold their poses; None where none does."""
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
    except ValueError:  # which learning names
        return None
    motion, everything = local.copy(), np.arange(num)
    if body_held:
        _lead_over(subset, motion, sorted(above), _Ways.of(body, num, fps))
    carried = leg_tracks(subset, motion, tracks)
    # Feet that go smoothly do not follow the body; where they do, these stand only if the body goes on, too.
    alone = [_roughness(track.ankle) < _roughness(other.ankle) for track, other in zip(tracks, carried, strict=True)]
    ankles, turns, weight = [], [], np.zeros((num, len(legs)), dtype=np.bool_)
    for k, (track, own) in enumerate(zip(tracks, feet, strict=True)):
        to, turn = track.ankle.copy(), track.foot.copy()
        if own is not None:
            part = _Ways.of(own, num, fps)
            to, turn = _between(track, part, fps)
            weight[:, k] = body_held | (to != track.ankle).any(axis=1) | (turn != track.foot).any(axis=(1, 2))
        elif body_held:
            weight[:, k] = alone[k]
        ankles.append(to)
        turns.append(turn)
    motion = _brought(subset, motion, tracks, np.stack(ankles, axis=1), np.stack(turns, axis=1), weight)
    starts = next((own for own in feet if own is not None), body)
    what = "the feet are" if starts is not body else "the body is"
    stays = body_held and (starts is not body or any(alone))
    told = f"{what} animated {_word(starts)}: planted between {'their' if starts is not body else 'its'} poses"
    end = "each held as before" if stays or not body_held else "and led from each to the next, so that feet stand"
    return PartlyHeld(
        everything, everything, motion, fps, f"{told}, {end}", body_held and not stays,
        float(np.median(np.diff(starts))) / fps,
        _shown(body, num) if stays else everything,
        [everything if own is None else _shown(own, num) for own in feet],
    )  # fmt: skip


def _shown(starts: Ints, num: int) -> Ints:
    """Return in which frame each of `num` frames' pose began."""
    return np.repeat(starts, np.diff(starts, append=num))


@np.errstate(all="ignore")  # learning names legs that have no length or are beyond all measure
def _foot_starts(subset: Subset, local: Array, leg: LegPart, fps: float) -> Ints | None:
    """Return when a foot that holds its places goes to another one; None where it does not hold them."""
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


def _between(track: LegTrack, ways: _Ways, fps: float) -> tuple[Array, Array]:
    """Return a foot's way and axes as it goes evenly from place to place, and from the last one on as it came there."""
    part = ways.over(track.ankle[:, None], track.length)
    now, then = ways.places[ways.run], ways.places[np.minimum(ways.run + 1, len(ways.places) - 1)]
    frames = np.tile(np.eye(4), (len(part), 1, 1))
    frames[:, :3, :3] = track.foot
    turn = decompose(frames)[1]
    ankle = track.ankle[now] + part[:, None] * (track.ankle[then] - track.ankle[now])
    before, last = ways.places[-2:]
    if len(part) - last <= _LONGEST * fps and part[last - 1] > 0.0:
        frames = np.arange(len(part) - last)[:, None] / (last - before)
        ankle[last:] += frames * (track.ankle[last] - track.ankle[before])
    return ankle, quaternion_to_matrix(quaternion_slerp(turn[now], turn[then], part))


def _roughness(path: Array) -> float:
    """Return how far a path is off its own neighbours, on average."""
    return float(np.linalg.norm(np.diff(path, 2, axis=0), axis=1).mean())


def _brought(
    subset: Subset, local: Array, tracks: Sequence[LegTrack], ankles: Array, turns: Array, weight: NDArray[np.bool_]
) -> Array:
    """Return local matrices whose feet are brought to places (F, K, 3) and axes (F, K, 3, 3), where the weight is 1."""
    frames = np.tile(np.eye(4), (*weight.shape, 1, 1))
    frames[..., :3, :3] = turns
    hinges = np.stack([track.hinge for track in tracks])
    chains = [leg.chain for leg in subset.legs]
    return apply_two_bone(
        subset.skeleton, local, chains, ankles, hinge=hinges, roll="minimal", weight=weight.astype(np.float64),
        end_rotation=decompose(frames)[1],
    ).local  # fmt: skip
