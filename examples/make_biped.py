# SPDX-License-Identifier: MIT
"""Make the embedded example: a skinned biped, a walk with the faults of real clips, and uneven ground.

Run ``python examples/make_biped.py`` to write ``skelkin_py/data/biped.npz`` again; the arrays come out bit for
bit the same (values are rounded far above the last digits that differ between machines). Metres, Y up, the
figure faces +Z and its left hand is at +X; every rest rotation is the identity.

The body is the zero level of one smooth distance field (rounded cones and ellipsoids, blended), meshed by
surface nets and then slid along the field for even triangles (`biped_body.py`). The weights start as "the bone
whose part is nearest" and are diffused along the surface. The walk is written down analytically: each foot
rolls over the heel, stands flat, rolls over the ball and leaves, so that the contacts are known, not measured.
Only then the root is damaged (see `damage`), exactly as bad retargeting would.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from biped_body import build_mesh, mirror

OUTPUT = Path(__file__).resolve().parent.parent / "skelkin_py" / "data" / "biped.npz"
LEGS_IN_C = Path(__file__).resolve().parent / "c" / "biped_walk.h"

# ---------------------------------------------------------------------------------------------- skeleton
_CENTRE = [
    ("Hips", None, (0.0, 0.950, 0.0)),
    ("Spine", "Hips", (0.0, 1.045, -0.008)),
    ("Spine1", "Spine", (0.0, 1.165, -0.012)),
    ("Spine2", "Spine1", (0.0, 1.290, -0.018)),
    ("Neck", "Spine2", (0.0, 1.475, -0.022)),
    ("Head", "Neck", (0.0, 1.555, -0.004)),
]
_SIDE = [
    ("Shoulder", "Spine2", (0.035, 1.420, -0.018)),
    ("Arm", "Shoulder", (0.172, 1.412, -0.026)),
    ("ForeArm", "Arm", (0.366, 1.216, -0.034)),
    ("Hand", "ForeArm", (0.540, 1.042, -0.014)),
    ("UpLeg", "Hips", (0.090, 0.910, 0.0)),
    ("Leg", "UpLeg", (0.097, 0.490, 0.014)),
    ("Foot", "Leg", (0.102, 0.085, -0.022)),
    ("ToeBase", "Foot", (0.112, 0.024, 0.104)),
]
_TIPS = {"Head": (0.0, 1.770, 0.010), "Hand": (0.655, 0.927, 0.004), "ToeBase": (0.118, 0.018, 0.186)}
HEEL = np.array([0.100, 0.0, -0.062])  # where the left heel touches, in the rest pose

# ---------------------------------------------------------------------------------------------- timing
FPS, FRAMES, PERIOD = 30.0, 180, 36  # five strides of 1.2 s
STRIDE = 1.16  # metres per stride
START = {"Left": 6 / PERIOD, "Right": 24 / PERIOD}  # phase at frame 0; a heel strikes at phase 0
FLAT, HEEL_OFF, TOE_OFF = 3, 14, 22  # frames after the heel strike
UNDER = 0.29  # the ankle is under the hips at this phase

# the ground: height over the distance walked, piecewise linear: a step up, a platform, a slope down
GROUND_Z = np.array([-4.0, 2.19, 2.20, 3.70, 5.30, 11.0])
GROUND_HEIGHT = np.array([0.0, 0.0, 0.10, 0.10, -0.05, -0.05])


def skeleton():
    """Return names, parents, rest positions (J, 3) and the tips {name: position} of the last bones."""
    joints = list(_CENTRE)
    for side, place in (("Left", tuple), ("Right", mirror)):
        for name, parent, at in _SIDE:
            joints.append((side + name, parent if parent in ("Spine2", "Hips") else side + parent, place(at)))
    names = [name for name, _, _ in joints]
    parents = np.array([-1 if parent is None else names.index(parent) for _, parent, _ in joints], np.int32)
    tips = {"Head": _TIPS["Head"]}
    for part in ("Hand", "ToeBase"):
        tips["Left" + part], tips["Right" + part] = _TIPS[part], mirror(_TIPS[part])
    return names, parents, np.array([at for _, _, at in joints]), tips


# ---------------------------------------------------------------------------------------------- the walk
def turn(axis, angle):
    """Return rotation matrices (…, 3, 3) about a coordinate axis (0, 1, 2) by angles in radians."""
    angle = np.asarray(angle, float)
    out = np.zeros((*angle.shape, 3, 3))
    u, v = (axis + 1) % 3, (axis + 2) % 3
    out[..., axis, axis] = 1.0
    out[..., u, u] = out[..., v, v] = np.cos(angle)
    out[..., v, u] = np.sin(angle)
    out[..., u, v] = -np.sin(angle)
    return out


def curve(phase, keys):
    """Return a periodic C1 curve through (phase, value, slope) keys: cubic Hermite pieces."""
    keys = [*keys, (keys[0][0] + 1.0, *keys[0][1:])]
    at = keys[0][0] + np.mod(phase - keys[0][0], 1.0)
    out = np.zeros_like(at)
    for (t0, v0, m0), (t1, v1, m1) in pairwise(keys):
        width = t1 - t0
        s = (at - t0) / width
        h1 = s * s * (3 - 2 * s)
        piece = v0 * (1 - h1) + v1 * h1 + width * (m0 * s * (1 - s) ** 2 - m1 * s * s * (1 - s))
        out = np.where((at >= t0) & (at < t1), piece, out)
    return out


def foot_angles(phase):
    """Return the pitch of foot and of toes relative to the foot, radians, toes down positive."""
    p = PERIOD
    pitch = curve(phase, [(0, -22, 80), (FLAT / p, 0, 0), (HEEL_OFF / p, 0, 0), (TOE_OFF / p, 58, 200),
                          (24 / p, 64, 0), (30 / p, 0, -330), (34 / p, -24, 0)])  # fmt: skip
    toes = curve(phase, [(0, -6, 0), (FLAT / p, 0, 0), (HEEL_OFF / p, 0, 0), (TOE_OFF / p, -58, -200),
                         (24 / p, -58, 0), (31 / p, -6, 0), (34 / p, -8, 0)])  # fmt: skip
    flat = (np.mod(phase, 1) >= FLAT / p) & (np.mod(phase, 1) <= TOE_OFF / p + 1e-9)
    return np.radians(pitch), np.radians(np.where(flat, -pitch, toes))


def ankle_path(time, ankle, heel, ball, out_turn):
    """Return ankle positions (N, 3) on flat ground at `time` in strides; pivots given in the rest pose."""

    def stance(t):
        """Return the ankle while the foot is down: turned about the heel, then about the ball."""
        stride = np.floor(t + 1e-9)
        pitch, _ = foot_angles(t)
        rotation = turn(1, out_turn) @ turn(0, pitch)
        pivot = np.where((np.mod(t + 1e-9, 1.0) < HEEL_OFF / PERIOD)[:, None], heel, ball)
        flat = turn(1, out_turn)
        at = np.einsum("ij,nj->ni", flat, pivot - ankle) + np.einsum("nij,nj->ni", rotation, ankle - pivot)
        foot = np.stack([np.full_like(t, ankle[0]), np.full_like(t, ankle[1]), STRIDE * (stride + UNDER)], -1)
        return foot + at

    stride, phase = np.floor(time + 1e-9), np.mod(time + 1e-9, 1.0)
    leave, tiny = TOE_OFF / PERIOD, 1e-4
    start, end = stance(stride + leave), stance(stride + 1.0)
    start_speed = (start - stance(stride + leave - tiny)) / tiny
    end_speed = (stance(stride + 1.0 + tiny) - end) / tiny
    width = 1.0 - leave
    s = np.clip((phase - leave) / width, 0.0, 1.0)[:, None]
    h = s * s * (3 - 2 * s)
    swing = start * (1 - h) + end * h + width * (start_speed * s * (1 - s) ** 2 - end_speed * s * s * (1 - s))
    swing[:, 1] += (0.045 * 28.9 * s * s * (1 - s) ** 3)[:, 0]
    return np.where((phase <= leave + 1e-6)[:, None], stance(time), swing)


def aim(bone, normal, rest_bone, rest_normal):
    """Return the rotations (N, 3, 3) that take a rest bone and its bend normal to the posed ones."""

    def frame(x, n):
        x = x / np.sqrt((x * x).sum(-1, keepdims=True))
        y = np.cross(n, x)
        y /= np.sqrt((y * y).sum(-1, keepdims=True))
        return np.stack([x, y, np.cross(x, y)], -1)

    return frame(bone, normal) @ np.swapaxes(frame(rest_bone, rest_normal), -1, -2)


def leg_pose(hip, ankle, forward, rest):
    """Return the rotations of thigh and shin that bring the ankle there, knees to `forward`; rest (3, 3)."""
    upper, lower = rest[1] - rest[0], rest[2] - rest[1]
    l1, l2 = np.sqrt((upper * upper).sum()), np.sqrt((lower * lower).sum())
    line = ankle - hip
    reach = np.sqrt((line * line).sum(-1))

    if (reach > 0.999 * (l1 + l2)).any():
        raise ValueError(f"the walk overreaches: {reach.max() / (l1 + l2):.4f} of the leg")
    ahead = (l1 * l1 - l2 * l2 + reach * reach) / (2 * reach)
    side = np.cross(line, forward)
    side /= np.sqrt((side * side).sum(-1, keepdims=True))
    direction = line / reach[:, None]
    knee = hip + ahead[:, None] * direction + np.sqrt(l1 * l1 - ahead**2)[:, None] * np.cross(side, direction)
    rest_side = np.cross(rest[2] - rest[0], np.array([0.0, 0.0, 1.0]))
    return aim(knee - hip, side, upper, rest_side), aim(ankle - knee, side, lower, rest_side)


def walk(names, parents, rest):
    """Return global rotations (F, J, 3, 3) and hip positions (F, 3) of the clean walk on flat ground at 0."""
    joint = names.index
    frame = np.arange(FRAMES)
    time = {side: frame / PERIOD + START[side] for side in START}
    left = 2 * np.pi * time["Left"]
    swing, rise, deg = np.cos(left), np.sin(left), np.pi / 180
    hips = np.stack([0.020 * np.sin(left - 0.25), 0.907 - 0.017 * np.cos(2 * left - 0.45),
                     STRIDE * time["Left"] + 0.008 * np.sin(2 * left)], -1)  # fmt: skip
    spin = np.empty((FRAMES, len(names), 3, 3))
    spin[:, joint("Hips")] = (
        turn(1, -5.5 * deg * swing) @ turn(2, 3.0 * deg * rise) @ turn(0, (3.0 + 1.0 * np.cos(2 * left)) * deg)
    )
    for name, yaw, roll, lean in (("Spine", -2.5, 1.0, 2.5), ("Spine1", 1.0, -0.3, 2.0), ("Spine2", 4.5, -1.2, 2.5),
                                  ("Neck", 2.2, -0.6, 5.0), ("Head", 0.8, 0.0, 1.5)):  # fmt: skip
        spin[:, joint(name)] = turn(1, yaw * deg * swing) @ turn(2, roll * deg * rise) @ turn(0, lean * deg)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        ahead = -sign * np.cos(left - 0.2)  # the arm swings against its leg
        chest = spin[:, joint("Spine2")]
        shoulder = chest @ turn(1, -sign * 3.0 * deg * ahead)
        upper = chest @ turn(0, (-3.0 - 19.0 * ahead) * deg) @ turn(2, np.full(FRAMES, -sign * 37.0 * deg))
        bend = -(24.0 + 13.0 * (-sign * np.cos(left - 0.55))) * deg
        fore = chest @ turn(0, (-3.0 - 19.0 * ahead) * deg + bend) @ turn(2, np.full(FRAMES, -sign * 41.0 * deg))
        for name, value in (("Shoulder", shoulder), ("Arm", upper), ("ForeArm", fore),
                            ("Hand", fore @ turn(0, (-5.0 - 5.0 * ahead) * deg))):  # fmt: skip
            spin[:, joint(side + name)] = value
        pitch, toes = foot_angles(time[side])
        out_turn = sign * 6.0 * deg
        chain = [joint(side + name) for name in ("UpLeg", "Leg", "Foot")]
        heel, ball = HEEL * (sign, 1, 1), rest[joint(side + "ToeBase")]
        ankle = ankle_path(time[side], rest[chain[2]], heel, ball, out_turn)
        if side == "Right":  # `time` counts strides from each side's own start
            ankle[:, 2] -= STRIDE * (START["Right"] - START["Left"])
        pelvis = spin[:, joint("Hips")]
        hip = hips + np.einsum("nij,j->ni", pelvis, rest[chain[0]] - rest[joint("Hips")])
        forward = pelvis[..., 2] + 0.06 * sign * pelvis[..., 0]
        spin[:, chain[0]], spin[:, chain[1]] = leg_pose(hip, ankle, forward, rest[chain])
        spin[:, chain[2]] = turn(1, np.full(FRAMES, out_turn)) @ turn(0, pitch)
        spin[:, joint(side + "ToeBase")] = spin[:, chain[2]] @ turn(0, toes)
    return spin, hips


def contacts():
    """Return the true contacts (N, 4): side (0 left, 1 right), part (0 heel, 1 ball), first and last frame."""
    rows = []
    for side, name in enumerate(("Left", "Right")):
        for stride in range(-1, FRAMES // PERIOD + 2):
            strike = round((stride - START[name]) * PERIOD)
            for part, first, last in ((0, 0, HEEL_OFF), (1, FLAT, TOE_OFF)):
                first, last = max(strike + first, 0), min(strike + last, FRAMES - 1)
                if first <= last:
                    rows.append((side, part, first, last))
    return np.array(sorted(rows), np.int32)


def bump(frame, first, last):
    """Return a smooth 0 … 1 … 0 over the frames, flat in the middle half."""
    ramp = (last - first) / 4
    s = np.clip(np.minimum(frame - first, last - frame) / ramp, 0.0, 1.0)
    return s * s * (3 - 2 * s)


def damage(hips):
    """Return the root path with the faults of a clip carried over from a taller person.

    All of it stands 2.5 cm too high; the distance walked is 7 % too long and wanders sideways, so that every
    stance foot slides; frames 40 to 90 float by 3.5 cm more; frames 100 to 150 sink by 4.5 cm.
    """
    frame = np.arange(len(hips))
    out = hips.copy()
    out[:, 2] = hips[0, 2] + 1.07 * (hips[:, 2] - hips[0, 2])
    out[:, 0] += 0.030 * np.sin(2 * np.pi * frame / 97.0)
    out[:, 1] += 0.025 + 0.035 * bump(frame, 40, 90) - 0.045 * bump(frame, 100, 150)
    return out


def quaternions(matrices):
    """Return unit quaternions (…, 4), w x y z with w ≥ 0, of rotation matrices (no half turns in a walk)."""
    m = matrices
    w = np.sqrt(np.maximum(1.0 + m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2], 1e-12)) / 2
    v = np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], -1)
    return np.concatenate([w[..., None], v / (4 * w[..., None])], -1)


def rounded(values, digits):
    """Return the values rounded; a zero loses its sign, which is an accident of the last digits."""
    return np.round(values, digits) + 0.0


def build():
    """Return every array of the example, rounded, ready to store."""
    names, parents, rest, tips = skeleton()
    points, faces, normals, indices, weights = build_mesh(names)
    spin, hips = walk(names, parents, rest)
    local = spin.copy()
    local[:, 1:] = np.swapaxes(spin[:, parents[1:]], -1, -2) @ spin[:, 1:]
    return {
        "names": np.array(names),
        "parents": parents,
        "rest_positions": rounded(rest, 6),
        "tip_joints": np.array([names.index(name) for name in tips], np.int32),
        "tip_offsets": rounded([np.subtract(at, rest[names.index(name)]) for name, at in tips.items()], 6),
        "fps": np.array(FPS),
        "rotations": rounded(quaternions(local), 6).astype(np.float32),
        "root_positions": rounded(damage(hips), 6),
        "root_positions_clean": rounded(hips, 6),
        "contacts": contacts(),
        "ground_z": GROUND_Z,
        "ground_height": GROUND_HEIGHT,
        "points": rounded(points, 5).astype(np.float32),
        "faces": faces.astype(np.uint16),
        "normals": rounded(normals, 4).astype(np.float32),
        "weight_joints": indices.astype(np.uint8),
        "weights": weights.astype(np.float32),
    }


def legs_in_c(arrays):
    """Return the walk of the hips and the legs as a header, for the examples in C."""
    names = [str(name) for name in arrays["names"]]
    own = [k for k, name in enumerate(names) if name == "Hips" or name.endswith(("UpLeg", "Leg", "Foot", "ToeBase"))]
    parents = [own.index(arrays["parents"][k]) if k else -1 for k in own]
    tips = dict(zip(arrays["tip_joints"].tolist(), arrays["tip_offsets"], strict=True))

    def rows(values):
        return "\n".join(f"    {{{', '.join(f'{x:.6f}' for x in row)}}}," for row in values)

    def poses(frames):
        return "\n".join(
            "    {" + ", ".join(f"{{{', '.join(f'{x:.6f}' for x in q)}}}" for q in pose) + "}," for pose in frames
        )

    return f"""/* SPDX-License-Identifier: MIT */
/* The walk of the embedded biped, its hips and legs: written by examples/make_biped.py. Metres, Y up; rotations are
 * w x y z, relative to the parent; every rest rotation is the identity. */
#include <stdint.h>

/* clang-format off */
enum {{ JOINTS = {len(own)}, FRAMES = {FRAMES} }};
static const double FPS = {FPS};
static const char *const NAMES[JOINTS] = {{{", ".join(f'"{names[k]}"' for k in own)}}};
static const int64_t PARENTS[JOINTS] = {{{", ".join(map(str, parents))}}};
/* Where the joints are at rest, and the end of the toes beyond the toe joints. */
static const double REST[JOINTS][3] = {{
{rows(arrays["rest_positions"][own])}
}};
static const double TOE_ENDS[2][3] = {{
{rows([tips[own[4]], tips[own[8]]])}
}};
/* The ground: its height over the distance walked, straight between these places. */
enum {{ CORNERS = {len(GROUND_Z)} }};
static const double GROUND_Z[CORNERS] = {{{", ".join(f"{x:g}" for x in GROUND_Z)}}};
static const double GROUND_HEIGHT[CORNERS] = {{{", ".join(f"{x:g}" for x in GROUND_HEIGHT)}}};
static const double HIPS_AT[FRAMES][3] = {{
{rows(arrays["root_positions"])}
}};
static const double ROTATIONS[FRAMES][JOINTS][4] = {{
{poses(arrays["rotations"][:, own])}
}};
"""


def main():
    """Write the example; a first argument names another file, and the header for C is left alone."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    arrays = build()
    np.savez(path, **arrays)
    if path == OUTPUT:
        LEGS_IN_C.write_text(legs_in_c(arrays), encoding="utf-8")
    print(f"{path.name}: {len(arrays['points'])} vertices, {len(arrays['faces'])} triangles, "
          f"{len(arrays['names'])} joints, {FRAMES} frames, {path.stat().st_size / 1024:.0f} kB")  # fmt: skip


if __name__ == "__main__":
    main()
