# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics in closed form with numba: the loop that a numpy user writes, in three kinds.

All put the knee by the law of cosines towards a pole and take the bones there by two shortest arcs. The first does so
with acos, cos and sin, as the formulas are mostly printed, the second with square roots alone; both give what skelkin
gives: knee, end, the two rotations (the knee's on top of the upper bone's), status and error. The third leaves status
and error out and turns the lower bone on its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np

REACHED = 4e-6  # of the limb


@numba.njit(fastmath=True, inline="always")
def arc_by_root(ux, uy, uz, vx, vy, vz):
    """Shortest arc between vectors of any length."""
    w = math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) + ux * vx + uy * vy + uz * vz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    n = 1 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * n, x * n, y * n, z * n


@numba.njit(fastmath=True, inline="always")
def arc_by_angle(ux, uy, uz, vx, vy, vz):
    """Shortest arc again, from the angle between them and the axis across both."""
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = math.sqrt(x * x + y * y + z * z)
    lengths = math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))
    cosine = min(max((ux * vx + uy * vy + uz * vz) / lengths, -1), 1)
    half = math.acos(cosine) / 2
    s = math.sin(half) / size if size > 0 else 0.0
    return math.cos(half), x * s, y * s, z * s


@numba.njit(fastmath=True, inline="always")
def turn(w, x, y, z, vx, vy, vz):
    """Turn a vector by a quaternion."""
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx


def make_loop(by_angle: bool, soft: bool, judged: bool) -> Callable[..., None]:
    """Compile a kind of the loop; what is False is not in it."""
    arc = arc_by_angle if by_angle else arc_by_root

    @numba.njit(fastmath=True)
    def loop(a, b, c, target, pole, soften, stretch, new_b, new_c, upper, lower, status, error):
        for i in range(a.shape[0]):
            ax, ay, az = a[i, 0], a[i, 1], a[i, 2]
            ux, uy, uz = b[i, 0] - ax, b[i, 1] - ay, b[i, 2] - az
            vx, vy, vz = c[i, 0] - b[i, 0], c[i, 1] - b[i, 1], c[i, 2] - b[i, 2]
            l1, l2 = math.sqrt(ux * ux + uy * uy + uz * uz), math.sqrt(vx * vx + vy * vy + vz * vz)
            dx, dy, dz = target[i, 0] - ax, target[i, 1] - ay, target[i, 2] - az
            d = math.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx / d, dy / d, dz / d
            full, reach = l1 + l2, d
            if soft:
                zone = soften * full
                if d > full - zone:
                    reach = full - zone * math.exp((full - zone - d) / zone)
                factor = min(max(d / reach, 1), stretch)
                reach, l1, l2 = min(d, reach * factor), l1 * factor, l2 * factor
            reach = min(max(reach, abs(l1 - l2)), l1 + l2)
            sx, sy, sz = pole[i, 0] - ax, pole[i, 1] - ay, pole[i, 2] - az
            s = sx * dx + sy * dy + sz * dz
            sx, sy, sz = sx - s * dx, sy - s * dy, sz - s * dz
            n = 1 / math.sqrt(sx * sx + sy * sy + sz * sz)
            if by_angle:
                at_hip = math.acos(min(max((l1 * l1 + reach * reach - l2 * l2) / (2 * l1 * reach), -1), 1))
                x, y = l1 * math.cos(at_hip), l1 * math.sin(at_hip) * n
            else:
                x = (l1 * l1 - l2 * l2 + reach * reach) / (2 * reach)
                y = math.sqrt(max(l1 * l1 - x * x, 0)) * n
            kx, ky, kz = x * dx + y * sx, x * dy + y * sy, x * dz + y * sz
            ex, ey, ez = reach * dx, reach * dy, reach * dz
            new_b[i, 0], new_b[i, 1], new_b[i, 2] = ax + kx, ay + ky, az + kz
            new_c[i, 0], new_c[i, 1], new_c[i, 2] = ax + ex, ay + ey, az + ez
            w, p, q, r = arc(ux, uy, uz, kx, ky, kz)
            upper[i, 0], upper[i, 1], upper[i, 2], upper[i, 3] = w, p, q, r
            if not judged:
                lower[i, 0], lower[i, 1], lower[i, 2], lower[i, 3] = arc(vx, vy, vz, ex - kx, ey - ky, ez - kz)
            else:  # the knee turns on top of the upper bone
                vx, vy, vz = turn(w, p, q, r, vx, vy, vz)
                kw, kp, kq, kr = arc(vx, vy, vz, ex - kx, ey - ky, ez - kz)
                lower[i, 0] = kw * w - kp * p - kq * q - kr * r
                lower[i, 1] = kw * p + kp * w + kq * r - kr * q
                lower[i, 2] = kw * q + kq * w + kr * p - kp * r
                lower[i, 3] = kw * r + kr * w + kp * q - kq * p
                mx, my, mz = new_c[i, 0] - target[i, 0], new_c[i, 1] - target[i, 1], new_c[i, 2] - target[i, 2]
                missed = math.sqrt(mx * mx + my * my + mz * mz)
                error[i] = missed
                status[i] = 0 if missed <= REACHED * full else 1 if d > full else 2

    return loop


KINDS = {
    "numba loop": (True, True),
    "numba loop, square roots": (False, True),
    "numba loop, no status, no error": (False, False),
}


def kind(name: str, limbs: tuple[np.ndarray, ...], soften: float = 0.0, stretch: float = 1.0):
    """Return the call, the arrays it fills, and a call that makes them anew: b, c, upper, lower, status, error."""
    by_angle, judged = KINDS[name]
    loop = make_loop(by_angle, soften > 0, judged)
    numbers = np.float32(soften), np.float32(stretch)

    def arrays():
        count = len(limbs[0])
        made = [np.empty((count, size), np.float32) for size in (3, 3, 4, 4)]
        return [*made, np.empty(count, np.uint8), np.empty(count, np.float32)]

    kept = arrays()

    def fresh():
        made = arrays()
        loop(*limbs, *numbers, *made)
        return made

    return lambda: loop(*limbs, *numbers, *kept), kept, fresh
