# SPDX-License-Identifier: MIT
"""Which bones Blender's IK solves together, in which order, and which bones follow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]


class Forest(NamedTuple):
    """Trees in the order they are solved in, each of bones that are solved at once, parents first.

    A tree is a row of `trees`: how many bones, goals, followers and loose bones it has, and the bone above it, or
    -1. Those of all trees stand one after the other: `bones` (bone, parent in the tree or -1), `goals` (goal, place of
    its tip in the tree), `followers` (bone, place in the tree of the bone above it) of what is below a tree as a whole,
    and `loose`, the bones below it with an inheritance of their own, and all below them, parents first.
    """

    trees: Ints
    bones: Ints
    goals: Ints
    followers: Ints
    loose: Ints


def chain_of(parents: list[int], bone: int, count: int) -> list[int]:
    """Return the chain's bones, the lowest first: `count` of them, or all up to the root where it is 0."""
    chain = [bone]
    while parents[chain[-1]] >= 0 and len(chain) != count:
        chain.append(parents[chain[-1]])
    return chain


@lru_cache(maxsize=8)
def forest_of(parents: bytes, own: bytes, chains: tuple[tuple[int, int, bool], ...]) -> Forest:
    """Return the trees that chains make: (tip, count, whether the goal has a place) each.

    `parents` are the bytes of int32 numbers, `own` has one for each bone: 0 where it follows its parent whole. Of a
    tree's goals, those with a place come first.

    Chains that begin with the same bone are one tree. Others that share bones are solved one after the other, the one
    that begins higher up first. Bones of trees that were solved before stay where those put them, with all that is
    below them.
    """
    above: list[int] = np.frombuffer(parents, np.int32).tolist()
    below: list[list[int]] = [[] for _ in above]
    for bone, parent in enumerate(above):
        if parent >= 0:
            below[parent].append(bone)
    members: dict[int, set[int]] = {}
    pulls: dict[int, list[int]] = {}
    for goal, (tip, count, _) in enumerate(chains):
        chain = chain_of(above, tip, count)
        members.setdefault(chain[-1], set()).update(chain)
        pulls.setdefault(chain[-1], []).append(goal)
    trees: list[tuple[int, ...]] = []
    bones: list[tuple[int, int]] = []
    goals: list[tuple[int, int]] = []
    followers: list[tuple[int, int]] = []
    loose: list[int] = []
    solved: set[int] = set()
    for first in sorted(members):
        places = {bone: place for place, bone in enumerate(sorted(members[first]))}
        whole, apart = _hanging(below, own, places, solved)
        trees.append((len(places), len(pulls[first]), len(whole), len(apart), above[first]))
        bones += [(bone, places.get(above[bone], -1)) for bone in places]
        goals += [
            (goal, places[chains[goal][0]]) for goal in sorted(pulls[first], key=lambda goal: not chains[goal][2])
        ]
        followers += whole
        loose += apart
        solved.update(places)
    return Forest(_rows(trees, 5), _rows(bones, 2), _rows(goals, 2), _rows(followers, 2), np.array(loose, np.int32))


def _hanging(
    below: list[list[int]], own: bytes, places: dict[int, int], solved: set[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return (bone, place) of the bones below those of a tree as a whole, and the others."""
    whole: list[tuple[int, int]] = []
    loose: list[int] = []
    waiting = [(bone, place) for parent, place in places.items() for bone in below[parent]]
    while waiting:
        bone, place = waiting.pop()
        if bone not in places and bone not in solved:
            apart = place < 0 or own[bone] != 0
            if apart:
                loose.append(bone)
            else:
                whole.append((bone, place))
            waiting += [(child, -1 if apart else place) for child in below[bone]]
    return whole, loose


def _rows(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, np.int32).reshape(-1, width)
