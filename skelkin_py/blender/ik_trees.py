# SPDX-License-Identifier: MIT
"""Which bones Blender's IK solves together, in which order, and which bones follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Parents = npt.NDArray[np.int32]


class Tree(NamedTuple):
    """Bones solved at once, parents first, and the places of the goals that pull at them."""

    bones: list[int]
    goals: list[int]

    def parents(self, parents: Parents) -> list[int]:
        """Return each bone's parent as an index in the tree, -1 for the first."""
        places = {bone: place for place, bone in enumerate(self.bones)}
        return [places.get(int(parents[bone]), -1) for bone in self.bones]

    def followers(self, parents: Parents, solved: set[int]) -> npt.NDArray[np.int32]:
        """Return (bone, index in the tree of the bone it hangs on) of all that hang on the tree.

        Bones of trees that have been `solved` before stay where those put them, with all that hangs on them.
        """
        places = {bone: place for place, bone in enumerate(self.bones)}
        found: dict[int, int] = {}
        for bone, parent in enumerate(parents.tolist()):
            above = places.get(parent, found.get(parent))
            if above is not None and bone not in places and bone not in solved:
                found[bone] = above
        return np.array(list(found.items()), np.int32).reshape(-1, 2)


def chain_of(parents: Parents, bone: int, count: int) -> list[int]:
    """Return the chain's bones, the lowest first: `count` of them, or all up to the root where it is 0."""
    chain = [bone]
    while parents[chain[-1]] >= 0 and len(chain) != count:
        chain.append(int(parents[chain[-1]]))
    return chain


def trees_of(parents: Parents, chains: list[list[int]]) -> list[Tree]:
    """Return the trees that the chains make, in the order they are solved in.

    Chains that begin with the same bone are one tree. Others that share bones are solved one after the other, the one
    that begins higher up first.
    """
    trees: dict[int, Tree] = {}
    for goal, chain in enumerate(chains):
        tree = trees.setdefault(chain[-1], Tree([], []))
        tree.bones[:] = sorted({*tree.bones, *chain})
        tree.goals.append(goal)
    return [trees[first] for first in sorted(trees)]
