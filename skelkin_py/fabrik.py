# SPDX-License-Identifier: MIT
"""FABRIK: chains and trees of any length to targets, as positions."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import _core
from ._support.arguments import index_array, numbers_of
from ._support.results import Fabrik


def solve_fabrik(
    positions: npt.ArrayLike,
    target: npt.ArrayLike | Mapping[int, npt.ArrayLike],
    *more: NoReturn,
    parents: npt.ArrayLike | None = None,
    tolerance: float | None = None,
    max_iterations: int = 64,
    pole: npt.ArrayLike | None = None,
    out: Fabrik | None = None,
) -> Fabrik:
    """Bring the end of a chain, or the leaves of a tree, to where they are wanted; any number of chains at once.

    The first joint stays where it is and bones keep their lengths. A target beyond the reach stretches the chain
    towards it; one so near that the longest bone cannot fold back to it is answered by that bone towards the target
    and the others against it. A chain in line with its target has no side to bend to and is bowed first, to the side
    where most of it lies, else to a fixed one.

    Parameters
    ----------
    positions : array_like, (..., N, 3)
        The joints, root first, N >= 2: a chain, or with `parents` a tree.
    target : array_like, (..., 3), or dict
        Where the last joint should go. For a tree (..., K, 3), one for each of its K leaves in order, or a dictionary
        from leaves to (..., 3); leaves that it leaves out are free.
    parents : array_like, (N,), optional
        Parent of each joint, ``parents[j] < j``, -1 for the first alone. Where several ways to targets meet, the joint
        goes amid of where they want it. What is on no way to a target is carried along rigidly with the joint (and the
        bone above it) on which it hangs.
    tolerance : float, optional
        Miss that counts as reached, as a part of the chain's length (of the longest way to a target), between 0 and 1.
        Default 1e-4 in float32, 1e-6 in float64.
    max_iterations : int
        Most passes inwards and outwards, 1 .. 2147483647.
    pole : array_like, (..., 3), optional
        A point to whose side the middle of the chain goes: the solved chain is turned about the line from its root to
        its end. Within 15 degrees of that line the pull fades. For one target only.
    out : Fabrik, optional
        Arrays for the results, as the function returns them; may overlap with the inputs (then through a copy).

    Returns
    -------
    Fabrik
        ``positions`` (..., N, 3); ``status`` (...) uint8, an `IKStatus` measured on the result: REACHED (error within
        the tolerance, plus 4 ulp of the largest coordinate), TOO_FAR, TOO_CLOSE, NOT_CONVERGED after `max_iterations`,
        DEGENERATE (not reached, and all bones but one have length 0), BAD_INPUT (a position, target or pole that is
        not finite: the chain is left as it is, its error is NaN); ``error`` (...), the distance from the target, of a
        tree the largest; ``iterations`` (...) int32. A chain that is there already keeps its bits, unless a pole turns
        it. Leading dimensions are broadcast. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        Shapes that do not broadcast, parents that are no tree, a target for what is no leaf, a `tolerance` or
        `max_iterations` out of bounds, a pole for several targets, an `out` that does not fit.

    Notes
    -----
    A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the inverse kinematics problem", Graphical Models
    73 (2011), sections 3 and 4. Passes alone gain little where the chain is nearly stretched out, and may go to and
    fro near the root. Therefore, for one target, a chain within a tenth of its length is finished at once: what its
    bones are across the line to its end is scaled by a common factor, found by Newton's method and secants, so that
    the end has the right distance from the root; a turn about the root does the rest. From the fourth pass on the
    same may be had by turning everything behind one joint. Neither is taken unless it meets the target.

    Examples
    --------
    >>> chain = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0]])
    >>> solved = sk.solve_fabrik(chain, [1, 1.5, 0])
    >>> sk.IKStatus(solved.status).name, bool(solved.error < 3e-6)
    ('REACHED', True)
    >>> np.linalg.norm(np.diff(solved.positions, axis=0), axis=1).round(9)
    array([1., 1., 1.])
    >>> far = sk.solve_fabrik(chain, [[4, 0, 0], [0, 0, -6]])
    >>> far.positions[:, 3].round(9) + 0.0, far.error.round(9)
    (array([[ 3.,  0.,  0.],
           [ 0.,  0., -3.]]), array([1., 3.]))

    A tree with two leaves, one of which is told where to go.

    >>> tree = [[0, 0, 0], [0, 1, 0], [-1, 2, 0], [1, 2, 0]]
    >>> sk.IKStatus(sk.solve_fabrik(tree, {3: [1, 1.8, 0.3]}, parents=[-1, 0, 1, 1]).status).name
    'REACHED'
    """
    if isinstance(positions, _core.SkeletonBase):
        raise TypeError(
            "positions is a Skeleton: solve_fabrik moves positions; apply_fabrik(skeleton, local, chain, target) turns "
            "the joints of poses"
        )
    if more:
        raise TypeError(f"solve_fabrik() takes 2 positional arguments but {2 + len(more)} were given")
    tree = leaves = None
    if parents is not None:
        wide = index_array(parents, "parents", 1, "(N,)")
        tree = np.clip(wide, -2, np.iinfo(np.int32).max).astype(np.int32)
        inner = set(tree.tolist())
        leaves = np.array([j for j in range(len(tree)) if j not in inner], np.int32)
    if isinstance(target, Mapping):
        if leaves is None:
            raise TypeError("target is a dictionary: that needs parents, and the leaves of their tree")
        target, leaves = _named_targets(target, leaves)
    return Fabrik._make(_core.solve_fabrik(positions, target, tree, leaves, tolerance, max_iterations, pole, out))


# `more` is there for the message alone.
solve_fabrik.__signature__ = (_whole := signature(solve_fabrik)).replace(  # type: ignore[attr-defined]
    parameters=[each for name, each in _whole.parameters.items() if name != "more"]
)


def _named_targets(
    target: Mapping[int, npt.ArrayLike], leaves: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """Return the targets as one array (..., K, 3), and the leaves that they belong to."""
    if not target:
        raise ValueError("target is an empty dictionary: expected a target for at least one leaf")
    for joint in target:
        if not isinstance(joint, (int, np.integer)) or joint not in leaves:
            raise ValueError(f"target has the joint {joint!r}: expected leaves of the tree, {leaves.tolist()}")
    points = [numbers_of(values, f"target[{joint}]") for joint, values in target.items()]
    for joint, point in zip(target, points):
        if point.ndim == 0 or point.shape[-1] != 3:
            raise ValueError(f"target[{joint}] has shape {point.shape}: expected (..., 3)")
    counted = [p.dtype for p, values in zip(points, target.values()) if isinstance(values, np.ndarray)]
    stacked = np.stack(np.broadcast_arrays(*points), axis=-2)
    return stacked.astype(np.result_type(*counted) if counted else np.float64), np.array(list(target), np.int32)
