# SPDX-License-Identifier: MIT
"""Nodes of glTF: the tree, checked, where each node is at rest, and which of them are the joints of clips."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..._support.arguments import MAX_JOINTS
from ..._support.array_types import Array, Floats
from ...skeleton import Skeleton
from ...transforms import compose, decompose
from ..unique_names import unique_names
from .accessors import Accessors
from .container import Document

_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


class Nodes:
    """The nodes of a document.

    Attributes
    ----------
    parents : list of int
        The parent of each node, -1 where it has none.
    order : list of int
        All nodes, parents before their children: as in the file where it has them so.
    names : list of str
        As in the file; a node without a name is called by its number.
    translations, rotations, scales : (N, 3), (N, 4), (N, 3) float64 arrays
        Where each node is at rest, relative to its parent; quaternions ``w x y z``.
    local : (N, 4, 4) float64 array
        The same as matrices, with the shear of those that are given as such.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.items = document.items("nodes")
        if not self.items:
            document.fail("nodes", "there are no nodes")
        if len(self.items) > MAX_JOINTS:
            document.fail("nodes", f"there are {len(self.items)}, and {MAX_JOINTS} at most are read")
        self.parents = self._parents()
        self.order = self._order()
        self.names = [document.name(item, f"node_{k}") for k, item in enumerate(self.items)]
        self.translations, self.rotations, self.scales, self.local = self._rest()

    def __len__(self) -> int:
        return len(self.items)

    def _children(self, node: int) -> list[int]:
        children = self.items[node].get("children", [])
        where = f"nodes[{node}].children"
        if not isinstance(children, list):
            self._document.fail(where, "must be a list")
        return [self._document.index(child, len(self.items), where, "nodes") for child in children]

    def _parents(self) -> list[int]:
        parents = [-1] * len(self.items)
        for node in range(len(self.items)):
            for child in self._children(node):
                if parents[child] >= 0:
                    rule = f"has {child}, which is a child of node {parents[child]} already"
                    self._document.fail(f"nodes[{node}].children", rule)
                parents[child] = node
        return parents

    def _order(self) -> list[int]:
        """Return all nodes from the roots down, children in the file's order; a node in a circle is left out."""
        order: list[int] = []
        for root in (node for node, parent in enumerate(self.parents) if parent < 0):
            waiting = [root]
            while waiting:
                node = waiting.pop()
                order.append(node)
                waiting += reversed(self._children(node))
        if len(order) < len(self.items):
            circle = min(set(range(len(self.items))) - set(order))
            self._document.fail(f"nodes[{circle}]", "is its own ancestor")
        return sorted(order) if all(parent < node for node, parent in enumerate(self.parents)) else order

    def _rest(self) -> tuple[Floats, Floats, Floats, Floats]:
        count = len(self.items)
        places = {key: np.tile(np.array(value), (count, 1)) for key, value in _REST.items()}
        for node, item in enumerate(self.items):
            for key, default in _REST.items():
                if key in item:
                    places[key][node] = self._document.numbers(item[key], len(default), f"nodes[{node}].{key}")
        rotations = places["rotation"][:, [3, 0, 1, 2]]
        for zero in np.flatnonzero(~(np.abs(rotations).max(axis=1) > 0.0)):
            self._document.fail(f"nodes[{zero}].rotation", "is zero: not a rotation")
        local = compose(places["translation"], rotations, places["scale"])
        for node, item in enumerate(self.items):
            if "matrix" in item:
                matrix = np.array(self._document.numbers(item["matrix"], 16, f"nodes[{node}].matrix")).reshape(4, 4).T
                try:
                    parts = decompose(matrix)
                except ValueError as error:
                    self._document.fail(f"nodes[{node}].matrix", str(error))
                places["translation"][node], rotations[node], places["scale"][node] = parts
                local[node, :3] = matrix[:3]
        return places["translation"], rotations, places["scale"], local

    def with_ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return nodes and all that are above them."""
        found: set[int] = set()
        for node in nodes:
            while node >= 0 and node not in found:
                found.add(node)
                node = self.parents[node]
        return found


class Skin:
    """A skin: its joints as nodes, and per joint the matrix from where points are to the joint, (n, 4, 4)."""

    def __init__(self, document: Document, accessors: Accessors, number: int, item: dict[str, Any]) -> None:
        where, count = f"skins[{number}]", len(document.items("nodes"))
        joints = item.get("joints")
        if not isinstance(joints, list) or not joints:
            document.fail(f"{where}.joints", "must be a list of nodes")
        self.name = document.name(item, f"skin_{number}")
        self.joints = [document.index(node, count, f"{where}.joints", "nodes") for node in joints]
        self.inverse_bind = np.tile(np.eye(4), (len(joints), 1, 1))
        if "inverseBindMatrices" in item:
            there = f"{where}.inverseBindMatrices"
            columns = accessors.floats(item["inverseBindMatrices"], there, "MAT4")
            if len(columns) < len(joints):
                document.fail(there, f"has {len(columns)} matrices for {len(joints)} joints")
            if not np.isfinite(columns).all():
                document.fail(there, "has a number that is not finite")
            self.inverse_bind = columns[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
            self.inverse_bind[:, 3] = 0.0, 0.0, 0.0, 1.0


class Rig:
    """The joints of a document's clips.

    Attributes
    ----------
    nodes : Nodes
        All nodes.
    skins : list of Skin
        All skins.
    joints : list of int
        The node of each joint: those of all skins and the nodes above them; without a skin all nodes.
    skeleton : Skeleton
        These joints at rest.
    """

    def __init__(self, document: Document, accessors: Accessors) -> None:
        self.nodes = nodes = Nodes(document)
        self.skins = [Skin(document, accessors, k, item) for k, item in enumerate(document.items("skins"))]
        wanted = nodes.with_ancestors(node for skin in self.skins for node in skin.joints)
        self.joints = [node for node in nodes.order if not wanted or node in wanted]
        self.joint_of = {node: joint for joint, node in enumerate(self.joints)}
        parents = [self.joint_of[nodes.parents[node]] if nodes.parents[node] >= 0 else -1 for node in self.joints]
        self.translations, self.rotations, self.scales = (
            array[self.joints] for array in (nodes.translations, nodes.rotations, nodes.scales)
        )
        rest = nodes.local[self.joints]
        names = unique_names([nodes.names[node] for node in self.joints])
        try:
            self.skeleton = Skeleton(parents, rest, names, self._inverse_bind(parents, rest))
        except ValueError as error:
            document.fail("nodes", f"do not form a skeleton: {error}")

    def _inverse_bind(self, parents: list[int], rest: Array) -> Floats:
        """Return per joint the matrix of the first skin that has it; of others the inverse of where they are."""
        places = np.array(rest, np.float64)
        for joint, parent in enumerate(parents):
            if parent >= 0:
                places[joint] = places[parent] @ places[joint]
        result = np.tile(np.eye(4), (len(parents), 1, 1))
        bound: dict[int, Floats] = {}
        for skin in reversed(self.skins):
            bound.update(zip((self.joint_of[node] for node in skin.joints), skin.inverse_bind, strict=True))
        for joint, matrix in enumerate(places):
            if joint in bound:
                result[joint] = bound[joint]
            elif abs(np.linalg.det(matrix[:3, :3])) > 1e-30:
                result[joint] = np.linalg.inv(matrix)
        return result
