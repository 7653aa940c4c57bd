# SPDX-License-Identifier: MIT
"""Motion animated on twos, threes or in poses held at will: planted between its poses, each of which is held again.

From frame to frame such a motion stands and jumps. Between its poses it moves as any other does: that is planted, by
the coarsest rate at which every pose has a frame of its own, and what each pose became is shown for as long as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kinematics import forward_kinematics
from ..transforms import compose, decompose, quaternion_slerp
from .given_contacts import given_parts, given_pins, given_spans
from .known import Known, Part, Solved
from .leg_tracks import Subset, leg_tracks
from .remark import numbered
from .settings import Settings
from .spans import Span

__all__ = ["HeldFrames", "find_held"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_SAME = 1e-5  # of rotations, and in legs: frames that differ by less show one pose
_LONGEST = 0.35  # s: a pose that lasts longer is a rest
_MOSTLY = 0.5  # more than this part of the poses is held; at the rate of the poses less is enough:
_SOME = 0.1
_FEWEST = 3  # poses
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

    def _span(self, span: Span) -> Span:
        """Return the clip's frames that show a span of the motion; the last before the first where none does."""
        first = int(np.searchsorted(self.shown, span[0], "left"))
        return first, int(np.searchsorted(self.shown, span[1], "right")) - 1

    def held_again(
        self, known: Known, part: Part, solved: Solved, local: Array, fps: float, settings: Settings
    ) -> tuple[Known, Part, Solved]:
        """Return what is known of the clip, its frames, and how they are planted: as what they show is.

        `known`, `part`, `solved`: of the motion. `local`, `fps`, `settings`: those of the clip.
        """
        subset, shown = known.scene.subset, self.shown
        after, changed = local.copy(), {}
        for joint, rows in solved.changed.items():
            differs = np.zeros(len(self.frames), dtype=np.bool_)
            differs[rows] = True
            own = np.flatnonzero(differs[shown])
            after[own, joint] = solved.local[shown[own], joint]
            if own.size:
                changed[joint] = own
        ground = settings.ground
        if ground is not None:
            length = float(np.mean([track.length for track in part.tracks]))
            ground = ground.facing(known.scene.up, length, len(local))
        tracks = leg_tracks(subset, local, part.tracks)
        spans = [[self._span(span) for span in own] for own in part.contacts]
        held = [[self._span(span) for span in own] for own in solved.held]
        messages = [self.remark, *(numbered(text, self.number) for text in known.scene.messages)]
        scene = replace(known.scene, fps=fps, settings=settings, ground=ground, messages=messages)
        known = replace(known, scene=scene)
        return (
            known,
            replace(
                part,
                local=local,
                tracks=tracks,
                contacts=[[span for span in own if span[0] <= span[1]] for own in spans],
                footholds=[None if hold is None else hold.part(shown) for hold in part.footholds],
                ground=known.ground,
                num=len(local),
                working=settings.frames,
                alone=part.alone[shown],
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


def find_held(subset: Subset, local: Array, fps: float) -> HeldFrames | None:
    """Return the motion between the poses of a clip that holds them, None where it does not.

    `local` (F, S, 4, 4): its local matrices. Held: more than half of the distinct poses last from two frames to 0.35 s.
    """
    starts = _starts(subset, local)
    lasts = np.diff(starts, append=len(local))
    if len(starts) < _FEWEST or not _are_held(lasts, fps, _MOSTLY):
        return None
    step = int(np.gcd.reduce(starts))
    fps, num = fps / step, (len(local) - 1) // step + 1
    places, lasts = starts // step, np.diff(starts // step, append=num)
    if not _are_held(lasts, fps, _SOME):
        shown, motion = np.arange(len(local)) // step, local[::step]
    else:
        rests = lasts > _LONGEST * fps
        num = num if rests[-1] else int(places[-1]) + 1
        shown = np.repeat(places, np.diff(starts, append=len(local)))
        motion = _led_over(subset, local[::step][:num], places, np.where(rests, np.median(lasts), lasts))
    remark = f"animated {_word(starts)}: planted between its poses, each held as before"
    return HeldFrames(shown, step * np.arange(num), np.ascontiguousarray(motion), fps, remark)


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
    return f"on {' and '.join([', '.join(words[:-1]), words[-1]] if words[1:] else words)}" if words else "in held poses"


def _starts(subset: Subset, local: Array) -> Ints:
    """Return in which frames another pose begins."""
    parents, scale = subset.skeleton.parents, np.ones(subset.skeleton.num_joints)
    first = np.asarray(forward_kinematics(subset.skeleton, local[:1]))[0]
    scale = np.cbrt(np.abs(np.linalg.det(first[:, :3, :3])))
    hip, knee, ankle = (first[joint, :3, 3] for joint in subset.legs[0].chain)
    length = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    moved = np.zeros(len(local) - 1, dtype=np.bool_)
    for joint in sorted(_legs_and_above(subset)):
        least = np.full((3, 4), _SAME)
        above = parents[joint]
        least[:, 3] = _SAME * length / max(1e-300, scale[above] if above >= 0 else 1.0)
        moved |= (np.abs(np.diff(local[:, joint, :3], axis=0)) > least).any(axis=(1, 2))
    return np.flatnonzero(np.concatenate([[True], moved]))


def _legs_and_above(subset: Subset) -> set[int]:
    """Return the joints that planting may move, and what these hang from."""
    parents, found = subset.skeleton.parents, set[int]()
    for leg in subset.legs:
        joint = leg.chain[2]
        while joint >= 0:
            found.add(int(joint))
            joint = parents[joint]
    return found


def _led_over(subset: Subset, local: Array, places: Ints, ways: Array) -> Array:
    """Return motion that goes evenly from pose to pose.

    `local` (N, S, 4, 4): in which poses are held. `places` (P,): where each begins. `ways` (P,): how many frames before
    the next one each is left. Poses apart by a jump are not led over.
    """
    num, out = len(local), local.copy()
    run = np.searchsorted(places, np.arange(num), "right") - 1
    after = np.minimum(run + 1, len(places) - 1)
    part = np.maximum(0.0, 1.0 - (places[after] - np.arange(num)) / ways[run])
    part[(after == run) | _jumps(subset, local[places])[run]] = 0.0
    rows = np.flatnonzero(part)
    for joint in range(local.shape[1]):
        (start, turn, size), (end, other, more) = (decompose(local[places[at[rows]], joint]) for at in (run, after))
        way = part[rows][:, None]
        middle = quaternion_slerp(turn, other, part[rows])
        out[rows, joint] = compose(start + way * (end - start), middle, size + way * (more - size))
    return out


def _jumps(subset: Subset, poses: Array) -> NDArray[np.bool_]:
    """Return after which poses (P,) a joint of the legs jumps to the next one."""
    joints = [joint for leg in subset.legs for joint in leg.chain]
    places = np.asarray(forward_kinematics(subset.skeleton, poses))[..., :3, 3][:, joints]
    hip, knee, ankle = places[0, :3]
    length = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
    steps = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)
    return np.append(steps > max(_JUMP * length, _OFTEN * float(np.median(steps))), True)
