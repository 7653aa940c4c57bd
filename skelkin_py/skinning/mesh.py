# SPDX-License-Identifier: MIT
"""A skinned mesh as plain arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.html_table import html_list, html_table
from .._support.values import compared_by_values
from ..skeleton import Skeleton
from .weights import SkinWeights, weights_rows


@compared_by_values
class Mesh(NamedTuple):
    """A triangle mesh bound to a skeleton, in the skeleton's rest pose.

    Attributes
    ----------
    points : (V, 3) floating
        Positions in the rest pose, global space.
    faces : (T, 3) integer
        Triangles, counter-clockwise seen from outside.
    normals : (V, 3) floating or None
        Unit normals.
    tangents : (V, 4) floating or None
        Unit tangents and the sign of the bitangent.
    weights : SkinWeights
        Influences of every vertex.
    skeleton : Skeleton
        The skeleton of the joints in `weights`.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> mesh = sk.example("biped").mesh
    >>> pose = sk.skinning_matrices(mesh.skeleton, mesh.skeleton.rest_global)
    >>> bool(np.allclose(sk.skin_points(mesh.points, mesh.weights, pose), mesh.points, atol=1e-6))
    True
    """

    points: NDArray[np.floating[Any]]
    faces: NDArray[np.integer[Any]]
    normals: NDArray[np.floating[Any]] | None
    tangents: NDArray[np.floating[Any]] | None
    weights: SkinWeights
    skeleton: Skeleton

    def _repr_html_(self) -> str:
        """Show counts, size and unusual weights."""
        points = np.asarray(self.points, np.float64).reshape(-1, 3)
        size = " × ".join(f"{side:.4g}" for side in np.ptp(points, axis=0)) if len(points) else "–"
        rows = [
            ("points", f"{len(points):,}"),
            ("triangles", f"{len(self.faces):,}"),
            ("size along x × y × z", size),
            (
                "normals, tangents",
                ", ".join("given" if each is not None else "none" for each in (self.normals, self.tangents)),
            ),
            *weights_rows(self.weights)[1:],
        ]
        return html_table([], rows) + html_list(str(self.weights.check()).splitlines())

    def __repr__(self) -> str:
        return f"<Mesh: {len(self.points)} points, {len(self.faces)} faces, {self.skeleton.num_joints} joints>"
