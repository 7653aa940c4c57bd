# SPDX-License-Identifier: MIT
"""One floor in every kind of mesh file that can be ground."""

from __future__ import annotations

import struct

import numpy as np

POINTS = np.array([[-5.0, 0.25, -5.0], [-5.0, 0.25, 9.0], [5.0, 0.25, 9.0], [5.0, 0.25, -5.0]])
QUAD = [[0, 1, 2, 3]]
CORNERS = POINTS[[0, 1, 2, 0, 2, 3]].reshape(2, 3, 3)


def obj():
    lines = ["# a floor", "o floor", *(f"v {x} {y} {z} 1.0" for x, y, z in POINTS), "vn 0 1 0"]
    return "\n".join([*lines, "f 1//1 2//1 3//1 -1//1"]).encode()


def text_stl():
    lines = ["solid floor"]
    for triangle in CORNERS:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x} {y} {z}" for x, y, z in triangle), "endloop"]
        lines += ["endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def binary_stl():
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *triangle.ravel(), 0) for triangle in CORNERS)
    return b"solid, though it is not text".ljust(80) + struct.pack("<I", 2) + rows


def ply(order):
    kind = {"": "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
    header = f"""ply
format {kind} 1.0
comment with a normal's x and a face's colour
element vertex 4
property float nx
property double x
property double y
property double z
element face 1
property uchar red
property list uchar int vertex_indices
end_header
"""
    if order:
        body = b"".join(struct.pack(order + "fddd", 7.0, *point) for point in POINTS)
        body += struct.pack(order + "BB4i", 200, 4, 0, 1, 2, 3)
    else:
        body = "".join(f"7 {x} {y} {z}\n" for x, y, z in POINTS).encode() + b"200 4 0 1 2 3\n"
    return header.encode() + body


FILES = {
    "floor.obj": obj(),
    "text.stl": text_stl(),
    "binary.stl": binary_stl(),
    "text.ply": ply(""),
    "little.ply": ply("<"),
    "big.ply": ply(">"),
}
