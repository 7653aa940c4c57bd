# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of the scene as ground: what stands still is one mesh, what moves as a whole is queried in its own space.

A mesh that changes its shape is read on every frame, and put in order again for each that is requested.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ..core.steps import Progress, Steps
from .checks import Refused, is_evaluated, with_parents
from .playback import playing
from .poses import stepping

#: triangles times frames of a mesh that changes its shape: what can be put in order in some seconds
_MOST = 2e7
#: triangles times frames of such a mesh that are read and put in order in a second
_A_SECOND = 3e6
#: frames on which it is looked whether a mesh changes its shape
_LOOKS = 5
_CHANGES = "The faces of {} change in frame {}: choose a ground that keeps its faces, or apply its modifiers"
#: parts of the size by which a mesh may differ between frames and still count as one that keeps its shape
_SAME = 1e-5


class Triangles(NamedTuple):
    """A mesh in the space of its object: points (V, 3) float64, faces (T, 3) int64."""

    points: np.ndarray
    faces: np.ndarray


def chosen(name: str, collection: str, ob) -> list:
    """Return the objects with a mesh that an object's and a collection's name stand for, without the armature's own.

    Where the scene has instances of the collection, the objects that place them belong to it.

    Raises
    ------
    Refused
        If there is nothing of such a name, or no mesh in it.
    """
    found = []
    for kind, wanted, known in (("object", name, bpy.data.objects), ("collection", collection, bpy.data.collections)):
        if wanted and wanted not in known:
            raise Refused(f"There is no {kind} named {wanted}: choose another ground")
    if name:
        found.append(bpy.data.objects[name])
    if collection:
        group = bpy.data.collections[collection]
        found += [*group.all_objects, *(each for each in bpy.context.scene.objects if _instanced(each) == group)]
    if not found:
        raise Refused("No ground is chosen: name an object or a collection")
    meshes = [each for each in dict.fromkeys(found) if _has_surface(each) and not _is_carried_by(each, ob)]
    if not meshes:
        raise Refused(f"{name or collection} holds no mesh that feet could stand on: choose another ground")
    return meshes


_SURFACES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}


def _instanced(obj):
    """Return the collection that an object places in the scene, None where it places none."""
    return obj.instance_collection if obj.instance_type == "COLLECTION" else None


def _parts_of(obj) -> list:
    """Return the objects that it shows as instances."""
    collection = _instanced(obj)
    return [] if collection is None else list(collection.all_objects)


def _has_surface(obj) -> bool:
    return obj.type in _SURFACES or any(map(_has_surface, _parts_of(obj)))


def surfaces(context, obj) -> Iterator[tuple[Any, Any]]:
    """Yield the evaluated objects that an object shows, itself or instances, each with its matrix in the world."""
    depsgraph = context.evaluated_depsgraph_get()
    if obj.type in _SURFACES:
        yield obj.evaluated_get(depsgraph), obj.matrix_world
    for each in depsgraph.object_instances if _parts_of(obj) else ():
        if each.is_instance and each.parent.original == obj and each.object.type in _SURFACES:
            yield each.object, each.matrix_world


def _is_carried_by(obj, ob) -> bool:
    """Whether it is the skin of the armature, or attached to it."""
    armed = any(modifier.type == "ARMATURE" and modifier.object == ob for modifier in obj.modifiers)
    return armed or any(each == ob for each in with_parents(obj))


def may_move(obj) -> bool:
    """Whether anything could move the object during the action."""
    for link in with_parents(obj):
        data = link.animation_data
        if (data is not None and (data.action or data.drivers or data.nla_tracks)) or link.rigid_body is not None:
            return True
        if link.constraints or (link.parent is not None and link.parent_type != "OBJECT"):
            return True
    return False


def triangles_of(context, obj) -> Triangles:
    """Return the evaluated mesh of the frame at hand, or all that an object shows as instances as one mesh."""
    inside = np.linalg.inv(np.array(obj.matrix_world, dtype=np.float64)) if _parts_of(obj) else None
    found = []
    for evaluated, matrix in surfaces(context, obj):
        mesh = _triangles(evaluated)
        found.append((mesh, np.eye(4) if inside is None else inside @ np.array(matrix, dtype=np.float64)))
    if not any(len(mesh.faces) for mesh, _ in found):
        raise Refused(f"{obj.name} has no faces that feet could stand on: choose another ground")
    return _joined(found)


def _joined(placed: list[tuple[Triangles, np.ndarray]]) -> Triangles:
    """Return meshes, each with its matrix (4, 4), as one."""
    points = [mesh.points @ matrix[:3, :3].T + matrix[:3, 3] for mesh, matrix in placed]
    begin = np.cumsum([0, *map(len, points)])
    faces = [mesh.faces + first for (mesh, _), first in zip(placed, begin, strict=False)]
    return Triangles(np.concatenate(points), np.concatenate(faces))


def _triangles(evaluated) -> Triangles:
    """Return the mesh of an evaluated object."""
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        faces = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", faces)
    finally:
        evaluated.to_mesh_clear()
    return Triangles(points.reshape(-1, 3).astype(np.float64), faces.reshape(-1, 3).astype(np.int64))


def changes_shape(context, obj, frame_set, frames: list[int], first: Triangles) -> bool:
    """Whether a mesh is another one on some of these frames.

    Raises
    ------
    Refused
        If it has other faces there: nothing says which place a foot stands on then.
    """
    if not _may_change_shape(obj):
        return False
    size, found = float(np.abs(first.points).max(initial=0.0)), False
    for frame in frames:
        frame_set(frame)
        now = triangles_of(context, obj)
        if not np.array_equal(now.faces, first.faces):
            raise Refused(_CHANGES.format(obj.name, frame))
        found = found or bool(np.abs(now.points - first.points).max() > _SAME * size)
    return found


def _may_change_shape(obj) -> bool:
    if any(may_move(each) or _may_change_shape(each) for each in _parts_of(obj)):
        return True
    return bool(obj.modifiers) or _has_animated_shape(obj)


def cost_of(context, ob, name: str, collection: str) -> list[str]:
    """Return a sentence for each chosen mesh that may change its shape: what it costs as ground. Cheap for drawing.

    Nothing is evaluated: triangles are those of the mesh as the scene shows it.
    """
    action = playing(ob).action
    try:
        objects = chosen(name, collection, ob) if action is not None else []
    except Refused:
        return []
    depsgraph, found = context.view_layer.depsgraph, []
    for obj in objects:
        if obj.type != "MESH" or not _may_change_shape(obj):
            continue
        mesh = obj.evaluated_get(depsgraph).data
        count = len(mesh.loops) - 2 * len(mesh.polygons)
        frames = round(action.frame_range[1] - action.frame_range[0]) + 1
        many = count * frames
        cost = f"{obj.name} may change its shape: {count} triangles on {frames} frames, "
        if many > _MOST:
            found.append(f"{cost}too many: choose a simpler mesh")
        elif many > _A_SECOND:
            found.append(f"{cost}about {many / _A_SECOND:.0f} s")
    return found


def _has_animated_shape(obj) -> bool:
    keys = getattr(obj.data, "shape_keys", None)
    return any(block is not None and block.animation_data is not None for block in (obj.data, keys))


class Mover(NamedTuple):
    """A mesh that moves as a whole: its tree in its own space, and where that is (F, 4, 4) in the world."""

    tree: BVHTree
    world: np.ndarray


class SceneGround:
    """What answers rays for planting: ``cast`` and ``carry`` as the library asks them, see `skelkin_py.Ground`."""

    def __init__(self, still: Any, movers: list[Mover], shapes: list[Any]) -> None:
        self._still, self._movers, self._shapes = still, movers, shapes
        # Surfaces are the movers, and then the triangles of each mesh that changes its shape.
        counts = [len(movers), *(len(mesh.faces) for mesh in shapes)]
        self._begin = [int(number) for number in np.cumsum(counts)]

    def cast(self, origins: np.ndarray, directions: np.ndarray, frames: np.ndarray) -> tuple:
        """Return distance, normal, whether something is hit, and which surface (-1: what stands still).

        All rays have one direction: ``directions`` is (1, 3), or the same for each.
        """
        count = len(origins)
        distance, normal = np.full(count, np.inf), np.zeros((count, 3))
        hit, surface = np.zeros(count, dtype=bool), np.full(count, -1, dtype=np.intp)
        if self._still is not None:
            distance, normal, hit, _ = self._still.cast(origins, directions[:1], None)
        for number, mover in enumerate(self._movers):
            back = np.linalg.inv(mover.world[frames])
            starts = np.einsum("nij,nj->ni", back[:, :3, :3], origins) + back[:, :3, 3]
            local_directions = back[:, :3, :3] @ directions[0]
            for ray, (start, direction) in enumerate(zip(starts, local_directions, strict=True)):
                length = float(np.linalg.norm(direction))
                _, side, _, far = mover.tree.ray_cast(Vector(start), Vector(direction))
                if far is not None and far / length < distance[ray]:
                    distance[ray], hit[ray], surface[ray] = far / length, True, number
                    normal[ray] = back[ray, :3, :3].T @ np.array(side)
        for begin, mesh in zip(self._begin, self._shapes, strict=False):
            far, side, there, face = mesh.cast(origins, directions[:1], frames)
            nearer = there & (far < distance)
            distance[nearer], normal[nearer], hit[nearer] = far[nearer], side[nearer], True
            surface[nearer] = begin + face[nearer]
        return distance, normal, hit, surface

    def carry(self, points: np.ndarray, surface: np.ndarray, first: np.ndarray, then: np.ndarray) -> np.ndarray:
        """Return where points that go with surfaces are in other frames."""
        out = np.array(points)
        for number, mover in enumerate(self._movers):
            rows = np.flatnonzero(surface == number)
            motion = mover.world[then[rows]] @ np.linalg.inv(mover.world[first[rows]])
            out[rows] = np.einsum("nij,nj->ni", motion[:, :3, :3], points[rows]) + motion[:, :3, 3]
        for begin, mesh in zip(self._begin, self._shapes, strict=False):
            rows = np.flatnonzero((surface >= begin) & (surface < begin + len(mesh.faces)))
            out[rows] = mesh.carry(points[rows], surface[rows] - begin, first[rows], then[rows])
        return out


class _Tree:
    """A mesh that stands still, queried ray by ray: for dozens of triangles above each other."""

    def __init__(self, mesh: Triangles) -> None:
        self._tree = BVHTree.FromPolygons(mesh.points.tolist(), mesh.faces.tolist())

    def cast(self, origins: np.ndarray, directions: np.ndarray, _frames: Any) -> tuple:
        count, direction = len(origins), Vector(directions[0])
        distance, normal, hit = np.full(count, np.inf), np.zeros((count, 3)), np.zeros(count, dtype=bool)
        for ray, start in enumerate(origins):
            _, side, _, far = self._tree.ray_cast(Vector(start), direction)
            if far is not None:
                distance[ray], normal[ray], hit[ray] = far, side, True
        return distance, normal, hit, np.full(count, -1, dtype=np.intp)


class Base(NamedTuple):
    """The objects that are ground: those that stand still, and those that may move."""

    still: list
    moving: list

    @property
    def why_stepped(self) -> str:
        """Why the scene is stepped to read where they are; empty where nothing moves."""
        return f"the ground {self.moving[0].name} may move" if self.moving else ""


def base_of(context, ob, settings: dict) -> Base | None:
    """Return the objects that the settings choose as ground; None where the ground is a plane.

    Objects of a collection that are disabled are none.

    Raises
    ------
    Refused
        If there is none, or one that is chosen by its name is disabled.
    """
    if settings["ground"] != "OBJECTS":
        return None
    name, collection = settings["ground_object"], settings["ground_collection"]
    found = chosen(name, collection, ob)
    objects = [each for each in found if is_evaluated(context, each)]
    disabled = [each.name for each in found if each not in objects and (each.name == name or not objects)]
    if disabled:
        raise Refused(
            f"{disabled[0]} or its collection is disabled in viewports, so that Blender does not show where it is: "
            "enable it, or choose another ground"
        )
    return Base([each for each in objects if not may_move(each)], [each for each in objects if may_move(each)])


def ground_steps(context, package, base: Base, tracks: tuple, frames: np.ndarray) -> Steps:
    """Return the ground as planting takes it; ``tracks`` say where what may move is on the ``frames``.

    Raises
    ------
    Refused
        If a mesh has no faces, other faces on some frame, or is too large for one that changes its shape.
    """
    meshes = {obj: triangles_of(context, obj) for obj in (*base.still, *base.moving)}
    looks = np.unique(np.linspace(frames[0], frames[-1], _LOOKS).round().astype(int)).tolist()
    with stepping(context) as frame_set:
        shaped = [obj for obj, mesh in meshes.items() if changes_shape(context, obj, frame_set, looks, mesh)]
    yield
    shapes = []
    if shaped:
        points = yield from _points_steps(context, {obj: meshes[obj] for obj in shaped}, frames)
        shapes = [_shape(package, obj, points[obj], meshes[obj].faces) for obj in shaped]
    still = [(meshes[obj], np.array(obj.matrix_world, dtype=np.float64)) for obj in base.still if obj not in shaped]
    moving = []
    for obj, track in zip(base.moving, tracks, strict=True):
        if obj in shaped:
            continue
        if np.array_equal(track.world, np.broadcast_to(track.world[:1], track.world.shape)):
            still.append((meshes[obj], track.world[0]))
        else:
            moving.append((meshes[obj], track.world))
    return _ground_of(package, still, moving, shapes)


def _points_steps(context, meshes: dict[Any, Triangles], frames: np.ndarray) -> Steps:
    """Return where the points of each object's mesh (F, V, 3) are in the world."""
    for obj, mesh in meshes.items():
        if len(mesh.faces) * len(frames) > _MOST:
            raise Refused(
                f"{obj.name} changes its shape, and its {len(mesh.faces)} triangles on {len(frames)} frames take too "
                "long: choose a simpler mesh as ground, or fewer frames"
            )
    found = {obj: np.empty((len(frames), len(mesh.points), 3)) for obj, mesh in meshes.items()}
    with stepping(context) as frame_set:
        for i, frame in enumerate(frames):
            frame_set(int(frame))
            for obj, mesh in meshes.items():
                now, world = triangles_of(context, obj), np.array(obj.matrix_world, dtype=np.float64)
                if now.points.shape != mesh.points.shape:
                    raise Refused(_CHANGES.format(obj.name, frame))
                found[obj][i] = now.points @ world[:3, :3].T + world[:3, 3]
            yield Progress(i, len(frames), f"reading the ground in frame {frame}", True)
    return found


def _shape(package, obj, points: np.ndarray, faces: np.ndarray) -> Any:
    try:
        mesh = package.MeshGround(points, faces)
        mesh.cast(points[0, :1], np.array([[0.0, 0.0, -1.0]]), np.zeros(1, dtype=np.intp))
    except (ValueError, package.MissingExtraError) as error:
        raise Refused(f"{obj.name} changes its shape, and cannot be the ground: {error}") from error
    return mesh


def _ground_of(
    package, still: list[tuple[Triangles, np.ndarray]], moving: list[tuple[Triangles, np.ndarray]], shapes: list
) -> Any:
    """Return the ground of meshes with their world matrices: (4, 4) of those that stand still, else (F, 4, 4)."""
    movers = [Mover(BVHTree.FromPolygons(m.points.tolist(), m.faces.tolist()), world) for m, world in moving]
    if not still:
        return SceneGround(None, movers, shapes)
    whole = _joined(still)
    try:
        mesh = package.MeshGround(whole.points, whole.faces)
        mesh.cast(whole.points[:1], np.array([[0.0, 0.0, -1.0]]))
    except package.MissingExtraError:
        mesh = _Tree(whole)
    except ValueError as error:
        raise Refused(f"The ground cannot be used ({error}): choose another") from error
    return SceneGround(mesh, movers, shapes) if movers or shapes else mesh
