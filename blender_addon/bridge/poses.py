# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading evaluated poses by stepping the scene."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..core.steps import Progress, Steps
from . import compat

#: what is read of each bone, and how many numbers that is
_READ = (("matrix", 16), ("scale", 3), ("location", 3))


class Track(NamedTuple):
    """An object over the frames: ``world`` and ``basis`` (F, 4, 4), scale channels (F, 3)."""

    obj: Any
    world: np.ndarray
    basis: np.ndarray
    scale: np.ndarray
    first_rotation: np.ndarray

    def cut(self, part: slice) -> Track:
        """Return some of the frames."""
        return self._replace(world=self.world[part], basis=self.basis[part], scale=self.scale[part])


class Poses(NamedTuple):
    """Poses of F frames and J bones: ``world`` (F, 4, 4), ``pose`` (F, J, 4, 4) in armature space.

    ``scale`` and ``location`` (F, J, 3) are the bones' channels.
    """

    frames: np.ndarray
    world: np.ndarray
    pose: np.ndarray
    scale: np.ndarray
    location: np.ndarray
    first_rotation: dict
    objects: tuple[Track, ...] = ()

    def cut(self, part: slice) -> Poses:
        """Return the poses of some of the frames."""
        objects = tuple(track.cut(part) for track in self.objects)
        return Poses(*(column[part] for column in self[:-2]), self.first_rotation, objects)


def rows_of(ob, armature) -> list[int]:
    """Return where the bones of (a part of) the object's armature are among its pose bones."""
    place = {bone.name: row for row, bone in enumerate(ob.pose.bones)}
    return [place[name] for name in armature.names]


@contextmanager
def stepping(context):
    """Hand out ``frame_set``, for frames of keys; frame, sub-frame and Time Stretching come back, whatever happens."""
    scene, render = context.scene, context.scene.render
    frame, subframe, stretched = scene.frame_current, scene.frame_subframe, render.frame_map_new
    compat.stop_playback(context)
    try:
        render.frame_map_new = render.frame_map_old
        yield scene.frame_set
    finally:
        render.frame_map_new = stretched
        scene.frame_set(frame, subframe=subframe)


def read_steps(
    context, ob, armature, frames: np.ndarray, watched: tuple[str, ...], watch_frame: int, objects=()
) -> Steps:
    """Step the scene through ``frames`` (whole numbers) and read what is evaluated, constraints and drivers included.

    Only the bones of ``armature`` are kept, in its order. ``watched`` names bones whose rotation channels on
    ``watch_frame`` are wanted; ``objects`` are objects that are read too.
    """
    bones = ob.pose.bones
    count, rows = len(frames), rows_of(ob, armature)
    kept = {name: np.empty((count, len(rows), size), np.float32) for name, size in _READ}
    buffers = {name: np.empty(len(bones) * size, np.float32) for name, size in _READ}
    world = np.empty((count, 4, 4))
    tracks = [Track(obj, world.copy(), world.copy(), np.empty((count, 3)), np.empty(0)) for obj in objects]
    first_rotation: dict = {}
    manager = context.window_manager
    manager.progress_begin(0, count)
    try:
        with stepping(context) as frame_set:
            for i, frame in enumerate(frames):
                frame_set(int(frame))
                for name, size in _READ:
                    bones.foreach_get(name, buffers[name])
                    kept[name][i] = buffers[name].reshape(-1, size)[rows]
                world[i] = ob.matrix_world
                for track in tracks:
                    track.world[i], track.basis[i] = track.obj.matrix_world, track.obj.matrix_basis
                    track.scale[i] = track.obj.scale
                if frame == watch_frame:
                    first_rotation = {name: _rotation(bones[name]) for name in watched}
                    tracks = [track._replace(first_rotation=_rotation(track.obj)) for track in tracks]
                if i % 64 == 0:
                    manager.progress_update(i)
                yield Progress(i, count, f"reading frame {frame}", True)
    finally:
        manager.progress_end()
    matrices, scale, location = (kept[name].astype(np.float64) for name, _ in _READ)
    pose = matrices.reshape(count, -1, 4, 4).transpose(0, 1, 3, 2)
    return Poses(np.asarray(frames, dtype=np.float64), world, pose, scale, location, first_rotation, tuple(tracks))


def _rotation(bone) -> np.ndarray:
    if bone.rotation_mode == "QUATERNION":
        return np.array(bone.rotation_quaternion, dtype=np.float64)
    if bone.rotation_mode == "AXIS_ANGLE":
        return np.array(bone.rotation_axis_angle, dtype=np.float64)
    return np.array(bone.rotation_euler, dtype=np.float64)
