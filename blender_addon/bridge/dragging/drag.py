# SPDX-License-Identifier: GPL-3.0-or-later
"""A drag of a foot while it lasts: written into the pose at once, and given back or keyed at its end."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.channels import ROTATION_CHANNELS
from ...core.foot_drag import Locks, height_of_sole, solved, unlocked, within_reach
from ...core.state import Refused
from .. import checks, native, plant_settings, scene_ground
from ..playback import playing
from ..rig.written_channels import rotation_channel
from . import dragged_leg

#: how far above the sole a ray to the ground begins, in leg lengths
_ABOVE = 0.5
#: of channels, by bone and name
Values = dict[tuple[str, str], tuple[float, ...]]

_running: list[Drag] = []


class Drag:
    """What is dragged of an armature, by names: undo makes references stale. World space throughout."""

    def __init__(self, context, ob, active: str) -> None:
        self.package = native.load()
        context.view_layer.update()
        checks.check_object(context, ob)
        self.name = ob.name
        self.leg = dragged_leg.find(context, ob, self.package, active)
        action, _ = playing(bpy.data.objects[self.leg.control] if self.leg.is_object else ob)
        if action is not None and action.library is not None:
            raise Refused(f"{action.name} is linked, and takes no keys: make it local first")
        if ob.animation_data is not None:
            checks.check_written(ob, {self.leg.control, *self.leg.names})
        self._at = context.scene.frame_current, context.scene.frame_subframe
        self._world = np.array(ob.matrix_world, dtype=np.float64)
        if not np.linalg.det(self._world[:3, :3]):
            raise Refused(f"{ob.name} is scaled to nothing: give it a scale other than 0")
        self._inside = np.linalg.inv(self._world)
        self._hand = np.sign(np.linalg.det(self._world[:3, :3]))  # mirrored, turns go the other way
        self._axes = self._world[:3, :3] / np.linalg.norm(self._world[:3, :3], axis=0)
        self.ankle = self._place(self.leg.limb.ankle)
        self.rotation = self.package.transforms.decompose(self._world @ self.leg.limb.pose[self.leg.limb.chain[2]])[1]
        self.hip = self._place(self.leg.limb.pose[self.leg.limb.chain[0], :3, 3])
        if self.leg.is_object:
            obj = bpy.data.objects[self.leg.control]
            self._outside = np.array(obj.matrix_basis) @ np.linalg.inv(np.array(obj.matrix_world))
        self._start = {(bone.name, channel): tuple(getattr(bone, channel)) for bone, channel in self._channels(ob)}
        self.written: Values = dict(self._start)
        _running.append(self)

    def _place(self, point: np.ndarray) -> np.ndarray:
        return np.asarray((self._world @ [*point, 1.0])[:3])

    def _channels(self, ob) -> list[tuple]:
        """Return the bones, or the object, and the channels that are written."""
        names = [self.leg.control] if self.leg.control else [name for _, name in self.leg.turned]
        found = [(owner, _rotation(owner)) for owner in (self._owner(ob, name) for name in names)]
        return [*found, (found[0][0], "location")] if self.leg.control else found

    def _owner(self, ob, name: str):
        """Return the bone of this name, or the object where one is dragged; None where it is gone."""
        return (bpy.data.objects if self.leg.is_object else ob.pose.bones).get(name)

    @property
    def object(self):
        """The armature; None where it is gone."""
        return bpy.data.objects.get(self.name)

    @property
    def is_undisturbed(self) -> bool:
        """Whether the frame is the same and the bones are where they were put last."""
        ob = self.object
        if ob is None or ob.type != "ARMATURE" or any(self._owner(ob, name) is None for name, _ in self.written):
            return False
        scene = bpy.context.scene
        return (scene.frame_current, scene.frame_subframe) == self._at and all(
            tuple(getattr(self._owner(ob, name), channel)) == value for (name, channel), value in self.written.items()
        )

    def to(self, ankle: np.ndarray, turn: np.ndarray, swivel: float) -> None:
        """Bring the ankle to a place, turn the foot by a rotation vector and the knee by an angle."""
        bones = self.object.pose.bones
        target = (self._inside @ [*ankle, 1.0])[:3]
        inner = self.package.quaternion_from_rotation_vector(self._hand * (turn @ self._axes))
        if self.leg.control:
            foot = np.eye(4)
            foot[:3, :3] = self.package.quaternion_to_matrix(inner) @ self.leg.limb.pose[self.leg.limb.chain[2], :3, :3]
            foot[:3, 3] = within_reach(self.leg.limb, target)
            owner, place = self._owner(self.object, self.leg.control), foot @ np.linalg.inv(self.leg.offset)
            if self.leg.is_object:
                basis = self._outside @ self._world @ place
            else:
                basis = _basis(owner, place, owner.parent and owner.parent.matrix)
            self._turn(owner, basis)
            location = np.where(owner.lock_location, self._start[owner.name, "location"], basis[:3, 3])
            self._set(owner, "location", location)
        else:
            found = solved(self.package, self.leg.limb, target, inner, self._hand * swivel)
            for joint, name in self.leg.turned:
                bone = bones[name]
                parent = Matrix(found[joint - 1].tolist()) if joint else bone.parent and bone.parent.matrix
                self._turn(bone, _basis(bone, found[joint], parent))

    def _turn(self, bone, basis: np.ndarray) -> None:
        channel = _rotation(bone)
        before = np.array(self._start[bone.name, channel])
        scale = np.array([bone.scale], dtype=np.float64)
        after = rotation_channel(self.package, bone, basis[None], scale, before).values[0]
        self._set(bone, channel, unlocked(self.package, bone.rotation_mode, before, after, _locks(bone)))

    def _set(self, bone, channel: str, value: np.ndarray) -> None:
        setattr(bone, channel, value)
        self.written[bone.name, channel] = tuple(getattr(bone, channel))

    def turn_to(self, rotation: np.ndarray) -> np.ndarray:
        """Return the turn, a rotation vector, that gives the foot another rotation `w x y z`."""
        turn = self.package.quaternion_multiply(rotation, self.rotation * [1.0, -1.0, -1.0, -1.0])
        return self.package.quaternion_to_rotation_vector(turn)

    def turned_on(self, turn: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Return a turn that another follows, both as rotation vectors."""
        first, then = map(self.package.quaternion_from_rotation_vector, (turn, more))
        return self.package.quaternion_to_rotation_vector(self.package.quaternion_multiply(then, first))

    def snapped(self, context, ankle: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return the place above or below another at which the sole stands on the ground."""
        foot = self._world @ self.leg.limb.pose[self.leg.limb.chain[2]]
        rotation = self.package.quaternion_to_matrix(self.package.quaternion_from_rotation_vector(turn))
        foot[:3, :3] = rotation @ foot[:3, :3]
        height = height_of_sole(foot, self.leg.sole)
        length = float(np.linalg.norm(self.hip - self.ankle))
        top = float(ankle[2]) - height + _ABOVE * length
        return np.array([ankle[0], ankle[1], self._ground(context, float(ankle[0]), float(ankle[1]), top) + height])

    def _ground(self, context, x: float, y: float, top: float) -> float:
        """Return the height of the ground as the settings say; where they leave it open, that of the sole at rest."""
        ob = self.object
        settings = plant_settings.wanted(ob, {}, {})
        if settings["ground"] == "HEIGHT":
            return float(settings["ground_height"])
        if settings["ground"] == "OBJECTS":
            objects = scene_ground.chosen(settings["ground_object"], settings["ground_collection"], ob)
            hits = [_height_below(context, obj, (x, y, top)) for obj in objects]
            if found := [hit for hit in hits if hit is not None]:
                return max(found)
        foot = self._world @ self.leg.rest_foot
        return float(foot[2, 3]) - height_of_sole(foot, self.leg.sole)

    def leave(self) -> None:
        """Give back all that is as it was put last; what something else has moved since is left to it."""
        _forget(self)
        ob = self.object
        for (name, channel), value in self.written.items() if ob is not None and ob.pose is not None else ():
            bone = self._owner(ob, name)
            if bone is not None and tuple(getattr(bone, channel)) == value:
                setattr(bone, channel, self._start[name, channel])

    def key(self, poses: dict[float, Values] | None = None) -> None:
        """Key what is `written`, or values by frame, but no locked channels; on an error the pose is given back."""
        ob = self.object
        try:
            for frame, values in (poses or {bpy.context.scene.frame_current_final: self.written}).items():
                for (name, channel), value in values.items():
                    bone = self._owner(ob, name)
                    setattr(bone, channel, value)
                    for index in _open(bone, channel):
                        bone.keyframe_insert(channel, index=index, frame=frame, group=name)
        except RuntimeError as error:
            self.leave()
            raise Refused(f"{ob.name} takes no keys: {error}") from error
        _forget(self)


def _rotation(bone) -> str:
    return ROTATION_CHANNELS[bone.rotation_mode][0]


def _forget(drag: Drag) -> None:
    if drag in _running:
        _running.remove(drag)


def stop() -> None:
    """End what is being dragged, without a trace: and clear what windows show of it."""
    for window in bpy.context.window_manager.windows if _running else ():
        window.workspace.status_text_set(None)
        for area in window.screen.areas:
            area.header_text_set(None)
    while _running:
        _running[-1].leave()


def _basis(bone, pose: np.ndarray, parent) -> np.ndarray:
    """Return what the channels of a bone make up where it is at a pose and its parent at another, or has none."""
    above = {}
    if parent is not None:
        above = {"parent_matrix": parent, "parent_matrix_local": bone.bone.parent.matrix_local}
    rest = bone.bone.matrix_local
    found = bone.bone.convert_local_to_pose(Matrix(pose.tolist()), rest, invert=True, **above)
    return np.array([row[:] for row in found])  # numpy takes ten times as long to read a Matrix


def _locks(bone) -> Locks:
    """Return the locks of a bone's rotation."""
    return Locks(tuple(bone.lock_rotation), bone.lock_rotation_w, bone.lock_rotations_4d)


def _open(bone, channel: str) -> list[int]:
    """Return which components of a channel are not locked."""
    if channel == "location":
        return [index for index in range(3) if not bone.lock_location[index]]
    return _locks(bone).open_channels(bone.rotation_mode)


def _height_below(context, obj, start: tuple[float, float, float]) -> float | None:
    """Return the height at which an object is hit from above, None where it is not."""
    heights = []
    for evaluated, matrix in scene_ground.surfaces(context, obj):
        inside = matrix.inverted_safe()
        hit, place, *_ = evaluated.ray_cast(inside @ Vector(start), inside.to_3x3() @ Vector((0.0, 0.0, -1.0)))
        heights += [(matrix @ place).z] if hit else []
    return max(heights, default=None)
