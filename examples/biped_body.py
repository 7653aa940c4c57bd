# SPDX-License-Identifier: MIT
"""The body of the embedded biped: one smooth distance field, meshed by surface nets, with weights.

`make_biped.py` next to this file uses it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def mirror(point):
    """Return the point on the other side of the body."""
    return (-point[0], point[1], point[2])


def body_parts():
    """Return the parts of the body: (joint, kind, first point, second point or radii, radii)."""
    side = [
        ("Shoulder", "cone", (0.03, 1.405, -0.015), (0.160, 1.405, -0.024), (0.062, 0.056)),
        ("Arm", "cone", (0.172, 1.402, -0.026), (0.270, 1.310, -0.030), (0.056, 0.047)),
        ("Arm", "cone", (0.270, 1.310, -0.026), (0.366, 1.216, -0.034), (0.046, 0.037)),
        ("ForeArm", "cone", (0.366, 1.216, -0.034), (0.425, 1.157, -0.028), (0.037, 0.040)),
        ("ForeArm", "cone", (0.425, 1.157, -0.028), (0.540, 1.042, -0.014), (0.040, 0.026)),
        ("Hand", "slab", (0.548, 1.034, -0.013), (0.602, 0.980, -0.006), (0.018, 0.024)),
        ("Hand", "slab", (0.602, 0.980, -0.006), (0.648, 0.932, 0.001), (0.0185, 0.018)),
        ("Hand", "cone", (0.556, 1.022, 0.010), (0.592, 0.974, 0.048), (0.0165, 0.0145)),
        ("Hips", "ball", (0.068, 0.915, -0.048), (0.082, 0.088, 0.072), None),
        ("UpLeg", "cone", (0.091, 0.890, -0.002), (0.096, 0.700, 0.008), (0.080, 0.068)),
        ("UpLeg", "cone", (0.096, 0.700, 0.008), (0.097, 0.490, 0.014), (0.068, 0.049)),
        ("Leg", "cone", (0.097, 0.490, 0.014), (0.099, 0.380, -0.012), (0.048, 0.053)),
        ("Leg", "cone", (0.099, 0.380, -0.012), (0.102, 0.110, -0.020), (0.053, 0.032)),
        ("Foot", "cone", (0.102, 0.100, -0.022), (0.101, 0.032, -0.044), (0.038, 0.036)),
        ("Foot", "cone", (0.102, 0.074, -0.012), (0.110, 0.026, 0.096), (0.036, 0.027)),
        ("Foot", "cone", (0.101, 0.024, -0.048), (0.104, 0.022, 0.090), (0.032, 0.034)),
        ("Foot", "ball", (0.113, 0.020, 0.098), (0.046, 0.026, 0.034), None),
        ("ToeBase", "ball", (0.116, 0.017, 0.142), (0.044, 0.026, 0.052), None),
    ]
    parts = [
        ("Hips", "ball", (0.0, 0.970, 0.000), (0.148, 0.125, 0.096), None),
        ("Spine", "ball", (0.0, 1.095, 0.004), (0.124, 0.180, 0.086), None),
        ("Spine1", "ball", (0.0, 1.215, 0.002), (0.140, 0.190, 0.097), None),
        ("Spine2", "ball", (0.0, 1.325, -0.004), (0.152, 0.130, 0.102), None),
        ("Neck", "cone", (0.0, 1.430, -0.024), (0.0, 1.550, -0.002), (0.058, 0.049)),
        ("Head", "ball", (0.0, 1.668, 0.008), (0.076, 0.104, 0.094), None),
        ("Head", "ball", (0.0, 1.606, 0.040), (0.054, 0.062, 0.062), None),
        ("Head", "ball", (0.0, 1.640, 0.104), (0.012, 0.022, 0.016), None),
    ]
    for name, place in (("Left", tuple), ("Right", mirror)):
        for joint, kind, first, second, radii in side:
            other = place(second) if kind != "ball" else second
            parts.append((joint if joint == "Hips" else name + joint, kind, place(first), other, radii))
    return parts


def dot(a, b):
    """Return the dot products (…,) of vectors (…, 3)."""
    return np.einsum("...i,...i->...", a, b)


def distances(points):
    """Return the signed distance (P, N) of N points to each of the P parts, near their surfaces."""
    out = []
    for _, kind, first, second, radii in body_parts():
        first, second = np.array(first), np.array(second)
        if kind == "ball":
            unit = (points - first) / second
            length = np.sqrt(dot(unit, unit)) + 1e-12
            slope = np.sqrt(dot(unit / second, unit / second)) + 1e-12
            out.append(length * (length - 1.0) / slope)
            continue
        axis = second - first
        along = np.clip((points - first) @ axis / (axis @ axis), 0.0, 1.0)
        away = points - first - along[:, None] * axis
        if kind == "slab":  # a hand: flat across the palm, wide along z
            palm, wide = radii
            out.append(
                np.sqrt(away[:, 0] ** 2 + away[:, 1] ** 2 + np.maximum(np.abs(away[:, 2]) - wide, 0.0) ** 2) - palm
            )
        else:
            out.append(np.sqrt(dot(away, away)) - (radii[0] + (radii[1] - radii[0]) * along))
    return np.array(out)


def field(points):
    """Return the distance (N,) to the whole body: parts blended, soles cut flat at height 0."""
    blend, sole = 0.012, 0.004
    near = distances(points)
    least = near.min(0)
    body = least - blend * np.log(np.exp((least - near) / blend).sum(0))
    below = -points[:, 1]
    top = np.maximum(body, below)
    return top + sole * np.log(np.exp((body - top) / sole) + np.exp((below - top) / sole)) - sole * np.log(1.5)


def gradient(points):
    """Return the gradient (N, 3) of the field by central differences."""
    step = 1e-4
    return np.stack([(field(points + e) - field(points - e)) / (2 * step) for e in np.eye(3) * step], -1)


def axis_lines(stops):
    """Return grid coordinates: `stops` is [(start, spacing), ..., (end,)]; spacing holds up to the next stop."""
    lines = []
    for (start, spacing), stop in pairwise(stops):
        count = max(1, round((stop[0] - start) / spacing))
        lines.extend(start + (stop[0] - start) * np.arange(count) / count)
    return np.array([*lines, stops[-1][0]])


def settle_faces(values):
    """Pull in one corner of every grid face whose corners alternate: its net would not be a surface."""
    for _ in range(20):
        changed = False
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corner = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                start = {u: du, v: dv}
                corner.append(values[tuple(slice(start.get(k, 0), values.shape[k] - 1 + start.get(k, 0))
                                           if k != axis else slice(None) for k in range(3))])  # fmt: skip
            side = [c < 0 for c in corner]
            mixed = (side[0] == side[2]) & (side[1] == side[3]) & (side[0] != side[1])
            for k in (0, 1):  # the view writes through to `values`
                pull = mixed & ~side[k] & ~side[k + 2]
                corner[k][pull] = -1e-4
                changed |= bool(pull.any())
        if not changed:
            return


def surface_nets(lines):
    """Return points (V, 3) and triangles (T, 3) of the zero level on a rectilinear grid (naive surface nets)."""
    shape = tuple(len(line) for line in lines)
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), -1)
    values = field(grid.reshape(-1, 3)).reshape(shape)
    settle_faces(values)
    inside = values < 0
    cells = tuple(n - 1 for n in shape)
    total, count = np.zeros((*cells, 3)), np.zeros(cells)
    for axis in range(3):  # every cell gathers the crossings of its twelve edges
        low = tuple(slice(0, -1) if k == axis else slice(None) for k in range(3))
        high = tuple(slice(1, None) if k == axis else slice(None) for k in range(3))
        cross = inside[low] != inside[high]
        share = np.where(cross, values[low] / np.where(cross, values[low] - values[high], 1.0), 0.0)
        at = grid[low] + share[..., None] * (grid[high] - grid[low])
        for du in (0, 1):
            for dv in (0, 1):
                shift = [du, dv]
                view = tuple(
                    slice(None) if k == axis else slice((o := shift.pop(0)), shape[k] - 1 + o) for k in range(3)
                )
                total += np.where(cross[view][..., None], at[view], 0.0)
                count += cross[view]
    index = np.full(cells, -1)
    index[count > 0] = np.arange(int((count > 0).sum()))
    quads = []
    for axis in range(3):  # every crossed edge joins the four cells around it
        u, v = (axis + 1) % 3, (axis + 2) % 3
        low = tuple(slice(0, -1) if k == axis else slice(1, -1) for k in range(3))
        high = tuple(slice(1, None) if k == axis else slice(1, -1) for k in range(3))
        where = np.argwhere(inside[low] != inside[high])
        flip = inside[low][tuple(where.T)]
        start = where + (np.arange(3) != axis)
        corner = []
        for du, dv in ((1, 1), (0, 1), (0, 0), (1, 0)):
            cell = start.copy()
            cell[:, u] -= du
            cell[:, v] -= dv
            corner.append(index[tuple(cell.T)])
        ring = np.stack(corner, -1)
        quads.append(np.where(flip[:, None], ring, ring[:, ::-1]))
    quad = np.concatenate(quads)
    points = total[count > 0] / count[count > 0][:, None]
    return points, quad


def triangles(points, quad):
    """Return the quads cut along their shorter diagonal (T, 3)."""
    first = ((points[quad[:, 0]] - points[quad[:, 2]]) ** 2).sum(-1)
    second = ((points[quad[:, 1]] - points[quad[:, 3]]) ** 2).sum(-1)
    split = np.where((first <= second + 1e-9)[:, None, None], [[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]])
    return np.take_along_axis(quad[:, None, :], split, -1).reshape(-1, 3)


def neighbour_mean(quad, values):
    """Return the mean (V, …) of the values at the mesh neighbours of every vertex."""
    edges = np.unique(np.sort(np.concatenate([quad[:, [k, (k + 1) % 4]] for k in range(4)]), axis=1), axis=0)
    both = np.concatenate([edges, edges[:, ::-1]])
    total = np.zeros_like(values)
    np.add.at(total, both[:, 0], values[both[:, 1]])
    return total / np.bincount(both[:, 0], minlength=len(values)).reshape(-1, *[1] * (values.ndim - 1))


def build_mesh(names):
    """Return points, faces, normals, weight indices (V, 4) and weights (V, 4)."""
    lines = [
        axis_lines([(-0.70, 0.0183), (-0.50, 0.0325), (-0.17, 0.0242), (0.17, 0.0325), (0.50, 0.0183), (0.70,)]),
        axis_lines([(-0.03, 0.0151), (0.12, 0.0345), (1.45, 0.0243), (1.80,)]),
        axis_lines([(-0.17, 0.0223), (0.21,)]),
    ]
    points, quad = surface_nets(lines)
    for k in range(6):  # even out along the surface and go back onto it
        slope = gradient(points)
        slope /= dot(slope, slope)[:, None]
        move = neighbour_mean(quad, points) - points
        normal = slope / np.sqrt(dot(slope, slope))[:, None]
        points = points + (0.5 if k < 4 else 0.0) * (move - dot(move, normal)[:, None] * normal)
        points = points - field(points)[:, None] * slope
    normals = gradient(points)
    normals /= np.sqrt(dot(normals, normals))[:, None]
    nearest = np.round(distances(points), 7).argmin(0)  # rounded: a tie is a tie on every machine
    part_joint = np.array([names.index(part[0]) for part in body_parts()])
    dense = np.zeros((len(points), len(names)))
    dense[np.arange(len(points)), part_joint[nearest]] = 1.0
    for _ in range(7):
        dense = 0.4 * dense + 0.6 * neighbour_mean(quad, dense)
    order = np.argsort(-np.round(dense, 9), axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(dense, order, 1)
    weights = np.where(weights < 0.02, 0.0, weights)
    steps = np.floor(weights / weights.sum(1, keepdims=True) * 1024 + 1e-6)  # whole 1024ths sum to exactly 1
    steps[:, 0] += 1024 - steps.sum(1)
    return points, triangles(points, quad), normals, order, steps / 1024
