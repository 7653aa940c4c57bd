# SPDX-License-Identifier: MIT
"""Foot planting in vectorised numpy: contact thresholds, heights of a mesh from a table of cells, IK of both legs.

Y is up. The steps are those of skelkin in their plainest form: one rule for contacts, feet held at the mean of their
contact, corrections that go over in straight lines between contacts, a smoothed shift of the body, and an IK that is
either solved in closed form or iterated. Nothing is measured afterwards.
"""

from __future__ import annotations

import numpy as np

SLOW, NEAR = 0.5, 0.1  # leg/s and leg: slower and nearer to the ground a foot stands
ROUNDS, DAMPING, TOLERANCE = 64, 1e-3, 1e-4  # of the iteration; the last two in leg lengths


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return quaternion products."""
    w, x, y, z = np.moveaxis(p, -1, 0)
    a, b, c, d = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ],
        axis=-1,
    )


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return vectors turned by unit quaternions."""
    t = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * t + np.cross(q[..., 1:], t)


def conjugate(q: np.ndarray) -> np.ndarray:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def between(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the shortest turns from directions u to v."""
    size = np.sqrt((u * u).sum(-1) * (v * v).sum(-1))
    q = np.concatenate([(size + (u * v).sum(-1))[:, None], np.cross(u, v)], axis=-1)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


class Cells:
    """The triangles of a mesh by the square of the level plane they lie in; made outside the clock."""

    def __init__(self, points: np.ndarray, faces: np.ndarray) -> None:
        corners = points[faces]
        self.a, self.b, self.c = (corners[:, k] for k in range(3))
        low, high = corners.min(axis=1)[:, [0, 2]], corners.max(axis=1)[:, [0, 2]]
        self.size = float((high - low).mean())
        self.origin = low.min(axis=0)
        first, last = (np.floor((x - self.origin) / self.size).astype(int) for x in (low, high))
        self.shape = last.max(axis=0) + 1
        wide = last - first + 1
        which = np.repeat(np.arange(len(faces)), wide.prod(axis=1))
        place = np.arange(len(which)) - np.repeat(np.cumsum(wide.prod(axis=1)) - wide.prod(axis=1), wide.prod(axis=1))
        cell = (first[which, 0] + place // wide[which, 1]) * self.shape[1] + first[which, 1] + place % wide[which, 1]
        order = np.argsort(cell, kind="stable")
        self.triangles = which[order]
        self.begin = np.searchsorted(cell[order], np.arange(self.shape.prod() + 1))
        self.most = int(np.diff(self.begin).max())

    def heights(self, points: np.ndarray) -> np.ndarray:
        """Return the height of the surface under or over each point (N, 3)."""
        steps = ((points[:, [0, 2]] - self.origin) / self.size).astype(int)
        cell = steps[:, 0] * self.shape[1] + steps[:, 1]
        at = self.begin[cell][:, None] + np.arange(self.most)
        known = at < self.begin[cell + 1][:, None]
        found = self.triangles[np.where(known, at, 0)]
        a, u, v = self.a[found], self.b[found] - self.a[found], self.c[found] - self.a[found]
        x, z = points[:, None, 0] - a[..., 0], points[:, None, 2] - a[..., 2]
        area = u[..., 0] * v[..., 2] - u[..., 2] * v[..., 0]
        s, t = (x * v[..., 2] - z * v[..., 0]) / area, (z * u[..., 0] - x * u[..., 2]) / area
        hit = known & (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1.0 + 1e-9)
        return np.where(hit, a[..., 1] + s * u[..., 1] + t * v[..., 1], -np.inf).max(axis=1)


def forward(
    parents: list[int], rotations: np.ndarray, translations: np.ndarray, joints: list[int]
) -> tuple[dict[int, np.ndarray], dict[int, np.ndarray]]:
    """Return global rotations and positions of the joints that are asked for and those above them."""
    wanted: set[int] = set()
    for joint in joints:
        while joint >= 0:
            wanted.add(joint)
            joint = parents[joint]
    turn, place = {}, {}
    for j in sorted(wanted):
        up = parents[j]
        turn[j] = rotations[:, j] if up < 0 else multiply(turn[up], rotations[:, j])
        place[j] = translations[:, j] if up < 0 else place[up] + rotate(turn[up], translations[:, j])
    return turn, place


def smoothed(values: np.ndarray, sigma: float) -> np.ndarray:
    half = int(np.ceil(3 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    return np.convolve(np.pad(values, half, mode="edge"), kernel / kernel.sum(), mode="valid")


def held(ankle: np.ndarray, sole: np.ndarray, stands: np.ndarray, cells: Cells) -> np.ndarray:
    """Return corrections of an ankle: held at its mean in each contact, the sole on the ground, straight between."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], stands.astype(int), [0]])))
    first, last = edges[::2], edges[1::2]
    which = np.repeat(np.arange(len(first)), last - first)
    inside = np.flatnonzero(stands)
    mean = np.add.reduceat(ankle[inside], np.cumsum(last - first) - (last - first), axis=0) / (last - first)[:, None]
    offset = np.zeros_like(ankle)
    offset[inside] = mean[which] - ankle[inside]
    moved = sole[:, inside] + offset[inside]
    ground = cells.heights(moved.reshape(-1, 3)).reshape(2, -1)
    offset[inside, 1] += (ground - moved[..., 1]).max(axis=0)
    frames = np.arange(len(ankle))
    return np.stack([np.interp(frames, inside, offset[inside, k]) for k in range(3)], axis=1)


def closed(hip: np.ndarray, knee: np.ndarray, ankle: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the global turns of thigh and shin that bring the ankle there, by the law of cosines."""
    l1, l2 = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
    line = target - hip
    far = np.linalg.norm(line, axis=1)
    reach = np.clip(far, np.abs(l1 - l2) + 1e-9, 0.9999 * (l1 + l2))
    line = line / far[:, None]
    now = ankle - hip
    carried = rotate(between(now, line), knee - hip)  # where the knee goes with the line from hip to ankle
    side = carried - (carried * line).sum(1, keepdims=True) * line
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-12)
    along = (reach * reach + l1 * l1 - l2 * l2) / (2.0 * reach)
    new_knee = hip + along[:, None] * line + np.sqrt(np.maximum(l1 * l1 - along * along, 0.0))[:, None] * side
    new_ankle = hip + reach[:, None] * line
    return between(knee - hip, new_knee - hip), between(ankle - knee, new_ankle - new_knee)


def iterated(hip: np.ndarray, knee: np.ndarray, ankle: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the same by damped least squares, frames leaving as they arrive."""
    thigh, shin = knee - hip, ankle - knee
    leg = float((np.linalg.norm(thigh, axis=1) + np.linalg.norm(shin, axis=1)).mean())
    upper = np.tile([1.0, 0.0, 0.0, 0.0], (len(hip), 1))
    lower = upper.copy()
    left = np.arange(len(hip))
    for _ in range(ROUNDS):
        b = rotate(upper[left], thigh[left])
        c = b + rotate(lower[left], shin[left])
        miss = target[left] - hip[left] - c
        going = np.linalg.norm(miss, axis=1) > TOLERANCE * leg
        if not going.any():
            break
        left, b, c, miss = left[going], b[going], c[going], miss[going]
        # Columns of the Jacobian: the ankle's velocity as hip and knee turn about the three axes.
        axes = np.eye(3)
        jacobian = np.concatenate([np.cross(axes, arm[:, None]) for arm in (c, c - b)], axis=1)
        gram = np.einsum("fki,fkj->fij", jacobian, jacobian) + DAMPING * leg * leg * axes
        step = np.einsum("fki,fi->fk", jacobian, np.linalg.solve(gram, miss[..., None])[..., 0])
        hips, knees = (exponential(np.clip(part, -0.5, 0.5)) for part in (step[:, :3], step[:, 3:]))
        upper[left] = multiply(hips, upper[left])
        lower[left] = multiply(knees, multiply(hips, lower[left]))
    return upper, lower


def exponential(vectors: np.ndarray) -> np.ndarray:
    """Return quaternions of rotation vectors."""
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * vectors], axis=1)


def plant(
    parents: list[int],
    legs: list[tuple[int, int, int, int]],
    rotations: np.ndarray,
    translations: np.ndarray,
    cells: Cells,
    fps: float,
    *,
    iterate: bool,
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return planted rotations and translations, and the worst miss of an ankle that stands, in leg lengths."""
    turn, place = forward(parents, rotations, translations, [toe for *_, toe in legs])
    offsets, contacts, leg = [], [], 0.0
    for hip, knee, ankle, toe in legs:
        a, b, c = place[hip], place[knee], place[ankle]
        leg = float(np.median(np.linalg.norm(b - a, axis=1) + np.linalg.norm(c - b, axis=1)))
        sole = np.stack([c, place[toe]])
        drop = np.percentile(sole[..., 1] - cells.heights(sole.reshape(-1, 3)).reshape(2, -1), 5, axis=1)
        sole[..., 1] -= drop[:, None]
        above = (sole[..., 1] - cells.heights(sole.reshape(-1, 3)).reshape(2, -1)).min(axis=0)
        speed = np.linalg.norm(np.gradient(place[toe], axis=0), axis=1) * fps
        stands = (smoothed(speed, 2.0) < SLOW * leg) & (above < NEAR * leg)
        offsets.append(held(c, sole, stands, cells))
        contacts.append(stands)
    rotations, translations = rotations.copy(), translations.copy()
    shift = smoothed(np.mean([offset[:, 1] for offset in offsets], axis=0), 0.12 * fps)
    translations[:, 0, 1] += shift
    worst = 0.0
    for (hip, knee, ankle, _), offset, stands in zip(legs, offsets, contacts, strict=True):
        base = place[hip] + shift[:, None] * [0.0, 1.0, 0.0]
        b, c = (place[j] - place[hip] + base for j in (knee, ankle))
        target = place[ankle] + offset
        upper, lower = (iterated if iterate else closed)(base, b, c, target)
        ends = base + rotate(upper, b - base) + rotate(lower, c - b)
        worst = max(worst, float(np.linalg.norm(ends - target, axis=1)[stands].max()) / leg)
        thigh, shin = multiply(upper, turn[hip]), multiply(lower, turn[knee])
        rotations[:, hip] = multiply(conjugate(turn[parents[hip]]), thigh)
        rotations[:, knee] = multiply(conjugate(thigh), shin)
        rotations[:, ankle] = multiply(conjugate(shin), turn[ankle])
    return rotations, translations, worst
