# SPDX-License-Identifier: MIT
"""Meshes of glTF with their skins, as plain arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..._support.array_types import Array, FilePath, Floats, Ints
from ..._support.errors import FormatError
from ...skeleton import Skeleton
from ...skinning.mesh import Mesh
from ...skinning.weights import SkinWeights
from .accessors import Accessors
from .container import DRACO, Document, chosen, document_of, read_document
from .nodes import Rig
from .source import GltfSource

_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_MOST_SETS = 16  # of four influences each
_SAME_BIND = 1e-5  # of the size of a matrix


class _Part(NamedTuple):
    """The points of one primitive, and what holds them."""

    points: Floats
    faces: Ints
    normals: Floats | None
    tangents: Floats | None
    joints: Ints  # (V, K)
    weights: Floats


def load_mesh(path: FilePath, mesh: str | int | None = None) -> Mesh:
    """Read the mesh of a ``.glb`` or ``.gltf`` file with its skin, for ``skin_points`` and ``skin_mesh``.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    mesh : str or int, optional
        Only the mesh of this name or number. All of the scene are joined where it is not given: skinned ones as they
        are, others with weight 1 to the nearest joint above, or 0 where there is none and they stay where they are.

    Returns
    -------
    Mesh
        Points where they are bound, morph targets at the file's default weights; triangles, weights of all influences,
        and the skeleton of the file's clips with the skin's inverse bind matrices. The weights of a point sum to 1, as
        programs that show such files make them, whatever the file has. Normals and tangents are None where a part has
        none.

    Raises
    ------
    FormatError
        If the file is broken.
    ValueError
        If there is no mesh, or none of that name; or two meshes bind one joint in different ways.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> sk.save_animations({"walk": sk.example("biped").clip}, "biped.glb")
    >>> sk.load_mesh("biped.glb")
    Traceback (most recent call last):
    ValueError: 'biped.glb' has no mesh
    """
    document = read_document(path)
    return _Loader(document).load(mesh)


def mesh_of(source: GltfSource) -> Mesh | None:
    """Return the mesh of the file that a clip was read from; None where there is none that can be read as one."""
    try:
        document = document_of(source.container)
        return _Loader(document).load(None) if document.items("meshes") else None
    except ValueError:
        return None


class _Loader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._accessors = Accessors(document)
        self._rig = Rig(document, self._accessors)
        self._meshes = document.items("meshes")
        self._bind = np.array(self._rig.skeleton.inverse_bind, np.float64)
        self._bound_by: dict[int, int] = {}  # the skin that has said how a joint is bound

    def load(self, wanted: str | int | None) -> Mesh:
        number = self._chosen(wanted)
        parts: list[_Part] = []
        for node, item in enumerate(self._rig.nodes.items):
            if "mesh" not in item:
                continue
            which = self._document.index(item["mesh"], len(self._meshes), f"nodes[{node}].mesh", "meshes")
            if number is None or number == which:
                parts += self._of_node(node, item, which)
        if not parts:
            raise ValueError(f"{self._document.path!r} has no mesh" + ("" if wanted is None else f" {wanted!r} in use"))
        return self._joined(parts)

    def _chosen(self, wanted: str | int | None) -> int | None:
        names = [self._document.name(item, f"mesh_{k}") for k, item in enumerate(self._meshes)]
        listed = ", ".join(map(repr, names[:12])) or "none"
        return None if wanted is None else chosen("mesh", wanted, names, f"the file has {len(names)} meshes: {listed}")

    def _of_node(self, node: int, item: dict[str, Any], which: int) -> list[_Part]:
        """Return the parts of the mesh that a node shows."""
        there = f"meshes[{which}].primitives"
        primitives = self._document.objects(self._meshes[which].get("primitives"), there)
        skin = None
        if "skin" in item:
            skin = self._document.index(item["skin"], len(self._rig.skins), f"nodes[{node}].skin", "skins")
            self._bind_joints(skin)
        weights = item.get("weights", self._meshes[which].get("weights"))
        parts = [self._part(f"{there}[{k}]", each, skin, node, weights) for k, each in enumerate(primitives)]
        return [part for part in parts if part is not None]

    def _bind_joints(self, skin: int) -> None:
        """Let a skin say how its joints are bound; two may say the same only."""
        for node, matrix in zip(self._rig.skins[skin].joints, self._rig.skins[skin].inverse_bind, strict=True):
            joint = self._rig.joint_of[node]
            before = self._bound_by.setdefault(joint, skin)
            size = max(float(np.abs(matrix).max()), 1.0)
            if before != skin and np.abs(matrix - self._bind[joint]).max() > _SAME_BIND * size:
                name = self._rig.skeleton.names[joint]
                raise ValueError(
                    f"skins {self._rig.skins[before].name!r} and {self._rig.skins[skin].name!r} bind {name!r} in "
                    "different ways: mesh has to name one"
                )
            if before == skin:
                self._bind[joint] = matrix

    def _part(self, where: str, item: dict[str, Any], skin: int | None, node: int, morphs: Any) -> _Part | None:
        """Return a primitive, with its morph targets at their weights; None for points and lines."""
        mode = item.get("mode", _TRIANGLES)
        attributes = item.get("attributes")
        if not isinstance(attributes, dict) or "POSITION" not in attributes:
            self._document.fail(f"{where}.attributes", "has no POSITION")
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            return None
        extensions = item.get("extensions")
        if DRACO in self._document.required and isinstance(extensions, dict) and DRACO in extensions:
            self._document.fail(where, f"is compressed by {DRACO}, which is not read; animations of the file are")
        points = self._floats(attributes, "POSITION", f"{where}.attributes", 3)
        assert points is not None
        count = len(points)
        arrays = {
            "POSITION": points,
            "NORMAL": self._floats(attributes, "NORMAL", f"{where}.attributes", 3, count),
            "TANGENT": self._floats(attributes, "TANGENT", f"{where}.attributes", 4, count),
        }
        if morphs is not None:
            self._morph(where, item.get("targets", []), morphs, arrays)
        points, normals, tangents = arrays.values()
        assert points is not None
        faces = self._faces(item, where, mode, count)
        if skin is not None and "JOINTS_0" in attributes:
            joints, weights = self._influences(attributes, where, skin, count)
            return _Part(points, faces, normals, tangents, joints, weights)
        rigid = _Part(points, faces, normals, tangents, np.empty((0, 0), np.int64), np.empty((0, 0)))
        return self._bound_to_joint(rigid, node)

    def _morph(self, where: str, targets: Any, weights: Any, arrays: dict[str, Floats | None]) -> None:
        """Move points, normals and tangents of a primitive by its morph targets, each by its weight."""
        self._document.objects(targets, f"{where}.targets")
        shares = self._document.numbers(weights, len(targets), f"the weights of {where}.targets") if targets else []
        for k, share in enumerate(shares):
            for key, array in arrays.items() if share else ():
                there = f"{where}.targets[{k}]"
                by = None if array is None else self._floats(targets[k], key, there, 3, len(array))
                if array is not None and by is not None:
                    array = array.copy()
                    array[:, :3] += share * by
                    arrays[key] = array
        for key, array in arrays.items() if any(shares) else ():
            if array is not None and key != "POSITION":
                arrays[key] = np.concatenate([_unit(array[:, :3]), array[:, 3:]], axis=1)

    def _floats(
        self, attributes: dict[str, Any], key: str, where: str, components: int, count: int | None = None
    ) -> Floats | None:
        if key not in attributes:
            return None
        there = f"{where}.{key}"
        found = self._accessors.floats(attributes[key], there, f"VEC{components}")
        if count is not None and len(found) != count:
            self._document.fail(there, f"has {len(found)} elements for {count} points")
        if not np.isfinite(found).all():
            self._document.fail(there, "has a number that is not finite")
        return found

    def _faces(self, item: dict[str, Any], where: str, mode: int, count: int) -> Ints:
        """Return the triangles of a primitive, (T, 3)."""
        if "indices" in item:
            order = self._accessors.integers(item["indices"], f"{where}.indices", "SCALAR")[:, 0]
            if order.size and not 0 <= order.min() <= order.max() < count:
                self._document.fail(f"{where}.indices", f"has {order.max()}, there are {count} points")
        else:
            order = np.arange(count)
        if mode == _TRIANGLES:
            return np.ascontiguousarray(order[: len(order) // 3 * 3].reshape(-1, 3))
        if len(order) < 3:
            return np.empty((0, 3), np.int64)
        if mode == _FAN:
            return np.stack([np.full(len(order) - 2, order[0]), order[1:-1], order[2:]], axis=1)
        strip = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
        strip[1::2] = strip[1::2][:, [1, 0, 2]]
        return strip

    def _influences(self, attributes: dict[str, Any], where: str, skin: int, count: int) -> tuple[Ints, Floats]:
        """Return joints of the skeleton and weights of all sets, (V, 4 per set) each."""
        of_skin = np.array([self._rig.joint_of[node] for node in self._rig.skins[skin].joints], np.int64)
        joints, weights = [], []
        for k in range(_MOST_SETS):
            if f"JOINTS_{k}" not in attributes:
                break
            there = f"{where}.attributes.JOINTS_{k}"
            own = self._accessors.integers(attributes[f"JOINTS_{k}"], there, "VEC4")
            share = self._floats(attributes, f"WEIGHTS_{k}", f"{where}.attributes", 4, count)
            if share is None or len(own) != count:
                self._document.fail(there, f"has {len(own)} elements for {count} points, or no weights")
            own = np.where(share == 0.0, 0, own)  # what a weight of 0 names does not matter
            if own.size and not 0 <= own.min() <= own.max() < len(of_skin):
                self._document.fail(there, f"has {own.max()}, the skin has {len(of_skin)} joints")
            joints.append(of_skin[own])
            weights.append(share)
        return np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)

    def _bound_to_joint(self, part: _Part, node: int) -> _Part:
        """Return a part below a node as one that its nearest joint carries."""
        nodes, at = self._rig.nodes, node
        to_joint = np.eye(4)
        while at >= 0 and at not in self._rig.joint_of:
            to_joint = nodes.local[at] @ to_joint
            at = nodes.parents[at]
        count = len(part.points)
        joint, weight = (0, 0.0) if at < 0 else (self._rig.joint_of[at], 1.0)
        if at >= 0:
            try:
                to_joint = np.linalg.inv(self._bind[joint]) @ to_joint
            except np.linalg.LinAlgError:
                self._document.fail(f"nodes[{at}]", "is bound by a matrix without an inverse")
        turned = to_joint[:3, :3]
        normals, tangents = part.normals, part.tangents
        if normals is not None:
            normals = _unit(normals @ np.linalg.pinv(turned))
        if tangents is not None:
            tangents = np.concatenate([_unit(tangents[:, :3] @ turned.T), tangents[:, 3:]], axis=1)
        points, joints = part.points @ turned.T + to_joint[:3, 3], np.full((count, 1), joint, np.int64)
        return _Part(points, part.faces, normals, tangents, joints, np.full((count, 1), weight))

    def _joined(self, parts: list[_Part]) -> Mesh:
        """Return all parts as one mesh."""
        width = max(part.joints.shape[1] for part in parts)
        starts = np.cumsum([0, *(len(part.points) for part in parts)])
        points = np.concatenate([part.points for part in parts])
        faces = np.concatenate([part.faces + start for part, start in zip(parts, starts[:-1], strict=True)])
        joints = np.concatenate([_wide(part.joints, width) for part in parts])
        weights = np.concatenate([_wide(part.weights, width) for part in parts])
        sums = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(sums > 0.0, sums, 1.0)
        rig = self._rig.skeleton
        skeleton = Skeleton(rig.parents, rig.rest_local, rig.names, self._bind)
        try:
            bound = SkinWeights(joints, weights, skeleton.num_joints)
        except ValueError as error:
            raise FormatError(self._document.path, None, f"weights are none: {error}") from None
        normals, tangents = ([getattr(part, name) for part in parts] for name in ("normals", "tangents"))
        return Mesh(points, faces, _all_or_none(normals), _all_or_none(tangents), bound, skeleton)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, 1.0))


def _wide(array: Array, width: int) -> Array:
    return np.pad(array, ((0, 0), (0, width - array.shape[1])))


def _all_or_none(arrays: list[Floats | None]) -> Floats | None:
    there = [array for array in arrays if array is not None]
    return np.concatenate(there) if len(there) == len(arrays) else None
