# SPDX-License-Identifier: MIT
"""A walk of any length on a skeleton of 60 joints with fingers, whose stance feet slide as in real clips."""

from __future__ import annotations

import numpy as np

import skelkin_py as sk

THIGH, SHIN, ANKLE_HEIGHT, HIP_HEIGHT, HIP_WIDTH = 42.0, 40.0, 8.0, 86.0, 9.0  # centimetres
STRIDE, SLIP = 120.0, 0.06  # per cycle, and the part of the ground's speed that stance feet slide
FRAMES_PER_CYCLE, FPS = 64, 60.0
STRIDE_PER_FRAME = STRIDE / FRAMES_PER_CYCLE


def skeleton() -> sk.Skeleton:
    """Return the 60 joints, Y up, facing +Z, at rest with straight legs and the arms out."""
    joints: list[tuple[str, str | None, tuple[float, float, float]]] = [
        ("Hips", None, (0, HIP_HEIGHT + 4, 0)),
        ("Spine", "Hips", (0, 10, 0)),
        ("Spine1", "Spine", (0, 12, 0)),
        ("Spine2", "Spine1", (0, 12, 0)),
        ("Neck", "Spine2", (0, 16, 0)),
        ("Neck1", "Neck", (0, 5, 0)),
        ("Head", "Neck1", (0, 5, 0)),
        ("Jaw", "Head", (0, 2, 5)),
        ("LeftEye", "Head", (3, 8, 8)),
        ("RightEye", "Head", (-3, 8, 8)),
    ]
    for side, x in (("Left", 1.0), ("Right", -1.0)):
        joints += [
            (f"{side}Shoulder", "Spine2", (x * 4, 12, 0)),
            (f"{side}Arm", f"{side}Shoulder", (x * 12, 0, 0)),
            (f"{side}ArmRoll", f"{side}Arm", (x * 14, 0, 0)),
            (f"{side}ForeArm", f"{side}Arm", (x * 28, 0, 0)),
            (f"{side}ForeArmRoll", f"{side}ForeArm", (x * 13, 0, 0)),
            (f"{side}Hand", f"{side}ForeArm", (x * 26, 0, 0)),
        ]
        for finger, z in (("Thumb", 4), ("Index", 3), ("Middle", 1), ("Ring", -1), ("Pinky", -3)):
            parent = f"{side}Hand"
            for bone in (1, 2, 3):
                name = f"{side}Hand{finger}{bone}"
                joints.append((name, parent, (x * (8 if bone == 1 else 3), 0, z if bone == 1 else 0)))
                parent = name
        joints += [
            (f"{side}UpLeg", "Hips", (x * HIP_WIDTH, -4, 0)),
            (f"{side}Leg", f"{side}UpLeg", (0, -THIGH, 0)),
            (f"{side}Foot", f"{side}Leg", (0, -SHIN, 0)),
            (f"{side}ToeBase", f"{side}Foot", (0, -ANKLE_HEIGHT + 2, 13)),
        ]
    names = [name for name, _, _ in joints]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in joints]
    order = sk.sort_joints(parents)
    rank = {int(old): new for new, old in enumerate(order)}
    rest = np.broadcast_to(np.eye(4), (len(joints), 4, 4)).copy()
    for new, old in enumerate(order):
        rest[new, :3, 3] = joints[int(old)][2]
    sorted_parents = [-1 if parents[int(old)] < 0 else rank[parents[int(old)]] for old in order]
    return sk.Skeleton(sorted_parents, rest, [names[int(old)] for old in order])


def walking_clip(frames: int) -> sk.Clip:
    """Return the walk; both feet are planted for 60 % of each cycle and slide forward by a few per cent."""
    rig = skeleton()
    time = np.arange(frames) / FRAMES_PER_CYCLE
    rotations = np.zeros((frames, rig.num_joints, 4))
    rotations[..., 0] = 1
    translations = np.broadcast_to(rig.rest_local[:, :3, 3], (frames, rig.num_joints, 3)).copy()
    hips_y = HIP_HEIGHT - 4 + 1.5 * np.sin(4 * np.pi * time)
    hips_z = STRIDE * time
    translations[:, rig.index("Hips")] = np.stack([2 * np.sin(2 * np.pi * time), hips_y, hips_z], axis=-1)
    for side, phase in (("Left", 0.0), ("Right", 0.5)):
        forward, height, pitch = ankle_path(time + phase)
        down, ahead = height - (hips_y - 4), forward - phase * STRIDE - hips_z
        thigh, knee = leg_angles(ahead, -down)
        for joint, angle in (("UpLeg", thigh), ("Leg", knee), ("Foot", pitch - thigh - knee)):
            rotations[:, rig.index(f"{side}{joint}")] = sk.quaternion_from_axis_angle([1.0, 0, 0], angle)
        swing = 0.5 * np.sin(2 * np.pi * (time + phase))
        arm = sk.quaternion_from_axis_angle([0, 0, 1.0], -1.2 if side == "Left" else 1.2)
        rotations[:, rig.index(f"{side}Arm")] = sk.quaternion_multiply(
            sk.quaternion_from_axis_angle([1.0, 0, 0], swing), arm
        )
        for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky"):
            for bone in (1, 2, 3):
                curl = sk.quaternion_from_axis_angle([0, 0, 1.0], 0.3 + 0.1 * np.sin(time + bone))
                rotations[:, rig.index(f"{side}Hand{finger}{bone}")] = curl
    return sk.Clip(rig, rotations, translations, fps=FPS)


def ankle_path(cycle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how far ahead and how high an ankle is, and the foot's pitch, at a time counted in cycles."""
    whole, part = np.floor(cycle), np.mod(cycle, 1.0)
    stance = part < 0.6
    swing = np.clip((part - 0.6) / 0.4, 0, 1)
    ease = swing * swing * (3 - 2 * swing)
    slide = SLIP * STRIDE * np.where(stance, part, 0.6 * (1 - ease))
    forward = (whole + 0.3 + ease) * STRIDE + slide
    height = ANKLE_HEIGHT + 14 * np.sin(np.pi * swing) ** 2
    return forward, height, 0.5 * np.sin(np.pi * swing) ** 2 * np.cos(np.pi * swing)


def leg_angles(ahead: np.ndarray, below: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns about X of thigh and knee that put the ankle there, the knee bent forward."""
    distance = np.minimum(np.hypot(ahead, below), 0.999 * (THIGH + SHIN))
    cosine = (THIGH**2 + SHIN**2 - distance**2) / (2 * THIGH * SHIN)
    knee = np.pi - np.arccos(np.clip(cosine, -1, 1))
    lean = np.arccos(np.clip((THIGH**2 + distance**2 - SHIN**2) / (2 * THIGH * distance), -1, 1))
    return -np.arctan2(ahead, below) - lean, knee
