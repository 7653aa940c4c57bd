# SPDX-License-Identifier: MIT
"""Inverse kinematics: bring the end of a limb to where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._support.arguments import array_of, check_word
from ._support.native import native
from ._support.results import AppliedTwoBone, TwoBone
from .limits import JointLimits, checked_limits
from .skeleton import Skeleton, checked_skeleton, joint_number
from .turns import carries

_END_ROTATIONS = ("keep_global", "keep_local")

Roll = Literal["hinge", "minimal"]
Chain = Sequence[int | str] | Sequence[Sequence[int | str]] | npt.NDArray[np.integer[Any]]


@native(TwoBone)
def solve_two_bone(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    pole: npt.ArrayLike | None = None,
    pole_direction: npt.ArrayLike | None = None,
    bend: npt.ArrayLike | None = None,
    roll: Roll = "hinge",
    soften: npt.ArrayLike = 0.0,
    stretch: npt.ArrayLike = 1.0,
    stretch_start: npt.ArrayLike = 1.0,
    twist: npt.ArrayLike = 0.0,
    weight: npt.ArrayLike = 1.0,
    out: TwoBone | None = None,
) -> TwoBone:
    """Bring the end of two bones to a target, in closed form, for any number of limbs at once.

    Hip `a`, knee `b` and ankle `c` are points of one space; the bones keep their lengths. A target nearer than the
    difference of the bones folds the limb, the longer bone towards the target; one beyond the reach stretches it out.

    The knee stays on the side to which the limb bends, carried along as the limb swings to the target; on that side
    it goes to the point of its circle nearest to where it is. Where that point is within 15 degrees of the line to
    the target, or beyond it, the side alone decides, so that the knee neither jumps nor turns over.

    Parameters
    ----------
    a, b, c : array_like, (..., 3)
        Hip, knee and ankle.
    target : array_like, (..., 3)
        Where the ankle should go.
    pole : array_like, (..., 3), optional
        A point towards which the knee goes. Within 15 degrees of the line from the hip through the target the side
        that the knee would have without it is added, so that the knee goes round as the pole passes the line; 5
        degrees off the line, opposite to that side, the two cancel out: there alone is no direction.
    pole_direction : array_like, (..., 3), optional
        The same as a direction; not together with `pole`.
    bend : array_like, (..., 3), optional
        Direction from the hip-ankle line to the knee, used where the limb as given is too straight to tell (sine of
        the knee's angle below 1e-3 in float32, 1e-6 in float64, fading in over a decade). Without it such a limb
        bends towards a fixed perpendicular.
    roll : {"hinge", "minimal"}
        ``"hinge"``: the upper bone carries the bend plane along, the knee turns about that plane's normal only, and
        kneecaps follow the bend. ``"minimal"``: the shortest arcs, first of the upper bone, then of the knee.
    soften : array_like, (...)
        Part of the reach, 0 <= s < 1, over which the end slows down before the limb is straight: beyond
        ``d0 = (1 - s) L`` it goes to ``d0 + s L (1 - exp(-(d - d0) / (s L)))``. A target that moves along its line then
        moves a knee that is open beyond a right angle at most ``0.45 / sqrt(s)`` times as fast (bones of one length:
        ``1 / (2 sqrt(s (2 - s)))``, 2.5 times at 0.02); without softening that speed has no bound.
    stretch : array_like, (...)
        Largest factor by which both bones may lengthen to reach, at least 1.
    stretch_start : array_like, (...)
        Part of the reach, 0 < s <= 1, at which lengthening begins.
    twist : array_like, (...)
        Angle in radians by which the solved limb is turned about the direction from the hip to its end.
    weight : array_like, (...)
        0 leaves everything as it is, 1 is the whole solve; between them both rotations are taken in part.
    out : TwoBone, optional
        Arrays for the results, as the function returns them; may overlap with the inputs (then through a copy).

    Returns
    -------
    TwoBone
        ``b, c`` (..., 3); ``upper, lower`` (..., 4), total rotations of the two bones as quaternions ``w x y z``
        with ``w >= 0``; ``status`` (...) uint8, an `IKStatus` for the solve at weight 1, from the residual measured on
        the result; ``error`` (...), distance of the returned ``c`` from the target; ``stretch`` (...), factor of the
        lengths. Leading dimensions are broadcast. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        Shapes that do not broadcast, a number out of its bounds (named with its index), both `pole` and
        `pole_direction`, an unknown `roll`, an `out` that does not fit. What is not finite in a position is not an
        error: that row gets the status BAD_INPUT and stays as it is.

    Notes
    -----
    The law of cosines gives the knee's place along the line and across it, written for the shorter bone and as
    ``sqrt((l - x)(l + x))``, so that ``x**2 + r**2 = l**2`` to rounding. Rotations come from cosine and sine without
    trigonometric functions. Reached means a miss of at most 4e-6 (float32) or 1e-12 (float64) of the leg's length.

    While the target goes by ``t`` out of the reach L or back, the knee moves by ``2 sqrt(L t) + 2 t`` at most. Where
    the target comes too close, that holds for bones whose lengths differ by ``L / 8`` or more: lengths that stay leave
    the knees of others no other place than farther off. A target that passes through the hip may turn the limb over,
    unless the bones are of one length and a pole tells the side.

    Around the direction in which a pole and the side cancel out, the knee of any solver goes round once; without a
    pole that direction is opposite to the one from hip to ankle. Two degrees off it and more, a target at 0.75 L or
    farther moves the knee at most 20 times as fast, where the side alone turns at most 3 times as fast; a nearer
    target moves it faster, by the knee's offset from the line over the target's distance.

    Examples
    --------
    >>> leg = sk.solve_two_bone([0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, 0.5, 0])
    >>> leg.b.round(3)
    array([0.   , 1.25 , 0.669])
    >>> sk.IKStatus(leg.status).name, bool(leg.error < 1e-12)
    ('REACHED', True)

    A straight limb bends to the side that it is told; a batch is the same call.

    >>> heights = np.array([[0, 0.5, 0], [0, 1, 0], [0, -1, 0]])
    >>> legs = sk.solve_two_bone([0, 2, 0], [0, 1, 0], [0, 0, 0], heights, bend=[0, 0, 1])
    >>> legs.b[:, 2].round(3), legs.status
    (array([0.661, 0.866, 0.   ]), array([0, 0, 1], dtype=uint8))
    """
    raise NotImplementedError  # C takes the arguments, and comes here with those that do not fit


def apply_two_bone(
    skeleton: Skeleton,
    local: npt.ArrayLike,
    chain: Chain,
    target: npt.ArrayLike,
    *,
    pole: npt.ArrayLike | None = None,
    pole_direction: npt.ArrayLike | None = None,
    bend: npt.ArrayLike | None = None,
    hinge: npt.ArrayLike | None = None,
    roll: Roll = "hinge",
    soften: npt.ArrayLike = 0.0,
    stretch: npt.ArrayLike = 1.0,
    stretch_start: npt.ArrayLike = 1.0,
    twist: npt.ArrayLike = 0.0,
    weight: npt.ArrayLike = 1.0,
    end_rotation: Literal["keep_global", "keep_local"] | npt.ArrayLike = "keep_global",
    limits: JointLimits | None = None,
    out: npt.NDArray[Any] | None = None,
) -> AppliedTwoBone:
    """Bring the end joint of a limb, or of several, to a target by turning its joints.

    `solve_two_bone` on poses: the rotations are carried into the joints' own frames. Joints between upper, lower and
    end (twist joints, split bones) are carried along rigidly. Parents may be turned, scaled, mirrored or sheared: each
    limb is solved in the frame of the upper joint's parent.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints; its rest pose decides to which side a straight limb bends.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The pose: matrix of each joint relative to its parent.
    chain : three joints, or (C, 3) of them
        Upper, lower and end joint by index or name, each an ancestor of the next. Several limbs are solved in order,
        each on the result of the earlier ones.
    target : array_like, (..., 3), or (..., C, 3) for several limbs
        Where the end joint should go, in model space.
    pole, pole_direction, bend : array_like, (..., 3) or (..., C, 3), optional
        As in `solve_two_bone`, in model space. Without `bend` the rest pose decides, then the side on which the toes
        (children of the end joint) lie.
    hinge : array_like, (..., 3) or (..., C, 3), optional
        Axis of the knee in the upper joint's own frame, whose scale and shear do not count: a positive turn of the
        lower bone about it is flexion. Replaces a pole; zeros are ignored. See Notes.
    roll : {"hinge", "minimal"}
        As in `solve_two_bone`.
    soften, stretch, stretch_start, twist, weight : array_like, (...) or (..., C)
        As in `solve_two_bone`. Stretching scales the local translations of lower and end joint only.
    end_rotation : {"keep_global", "keep_local"} or array_like, (..., 4) or (..., C, 4)
        The end joint keeps its rotation in model space, or relative to its parent, or takes this one in model space
        (quaternions ``w x y z``).
    limits : JointLimits, optional
        What the joints of the chain may do (limits of other joints are ignored): see Notes.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the pose goes; may be `local` itself (then through a copy).

    Returns
    -------
    AppliedTwoBone
        ``local`` (..., J, 4, 4), in which all joints but those of the chains, and everything at weight 0, have the
        bits of the input; ``status`` (...) or (..., C), an `IKStatus` for the solve at weight 1; ``error``, the
        distance of the returned end joint from its target. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        As in `solve_two_bone`; `hinge` together with `pole` or `pole_direction`; a joint that does not exist, a chain
        that does not go down the hierarchy, or an `end_rotation` of length 0 (named with its index). A pose, target,
        hinge or goal that is not finite is not an error: that limb gets the status BAD_INPUT and stays as it is.

    Notes
    -----
    Scale that differs between the axes, or shear, between hip and knee bends the path of the end: there the angle of
    the knee, from straight to folded, is found by bracketing the distance from hip to end, then the upper bone aims.
    Soften and stretch then count from the reach that this knee has.

    With a hinge the knee is never on its wrong side, however the limb is given: one that is bent backward goes to the
    mirror image of its side. In which plane it bends, carried along by the smallest turn from old to new line, the
    limb itself tells where it is bent by 20 degrees or more, and where the target leaves its bend as it is; below 4
    degrees that is the plane across the hinge, and between it goes over from one to the other.

    With limits, an answer of the closed form that lies inside is taken as it is. Else the knee takes an angle that it
    may have at the right distance, and the limb swivels about the line to the target until the hip is inside: to the
    angle nearest to the one that the pole, or the bend, asks for. A target that swivelling reaches is REACHED. Where
    no swivel is allowed, for neither angle of the knee at that distance, swing, twist and bend inside of their bounds
    come from Newton's method on the distance to the target, from several starts: LIMITED, with that distance as the
    error; of poses that are as good as each other the one whose knee is nearest to the closed form's. Softening holds
    the end back there as elsewhere. Soft limits ease the angles found, and may hold the end back. At a weight below 1
    both joints turn by that part about their own axes. The end joint is turned into its limit last.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (4, 1, 1))
    >>> rest[:, :3, 3] = [[0, 2, 0], [0, -1, 0.1], [0, -1, -0.1], [0, 0, 0.3]]
    >>> skeleton = sk.Skeleton([-1, 0, 1, 2], rest, ["thigh", "shin", "foot", "toe"])
    >>> posed = sk.apply_two_bone(skeleton, rest, ("thigh", "shin", "foot"), [0, 0.5, 0.2])
    >>> sk.forward_kinematics(skeleton, posed.local)[:, :3, 3].round(3)
    array([[0.   , 2.   , 0.   ],
           [0.   , 1.337, 0.756],
           [0.   , 0.5  , 0.2  ],
           [0.   , 0.5  , 0.5  ]])
    """
    goal: Any = end_rotation
    if isinstance(end_rotation, str):
        check_word("end_rotation", end_rotation, _END_ROTATIONS)
        goal = _END_ROTATIONS.index(end_rotation)
    elif isinstance(end_rotation, int):  # a number is how the words go to the extension
        raise TypeError(f"end_rotation is {end_rotation!r}: expected 'keep_global', 'keep_local' or quaternions")
    chains, bends, many = _chains(checked_skeleton(skeleton), chain)
    return AppliedTwoBone._make(
        _core.apply_two_bone(
            skeleton, local, chains, bends, many, target, pole, pole_direction, bend, roll,
            soften, stretch, stretch_start, twist, weight, hinge, goal,
            None if limits is None else checked_limits(limits).resolved(skeleton), out,
        )
    )  # fmt: skip


def _chains(skeleton: Skeleton, chain: Chain) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], bool]:
    """Return the chains as (C, 3) indices, the bend side of each, and whether there was a dimension of chains."""
    if isinstance(chain, str):
        raise TypeError(f"chain is the string {chain!r}: expected three joints")
    if hasattr(chain, "chain"):
        raise TypeError(f"chain is a {type(chain).__name__}: expected three joints, which leg.chain has")
    if not isinstance(chain, (Sequence, np.ndarray)) or getattr(chain, "ndim", 1) == 0:
        raise TypeError(f"chain is {chain!r}: expected three joints, such as the chain of a Leg")
    rows = array_of(chain, "chain").tolist() if isinstance(chain, np.ndarray) else list(chain)
    many = bool(rows) and not isinstance(rows[0], (int, str, np.integer))
    found = [
        _chain(skeleton, row, f"chain[{i}]" if many else "chain") for i, row in enumerate(rows if many else [rows])
    ]
    return (*_prepared(skeleton, tuple(found)), many)


def _chain(skeleton: Skeleton, row: Any, name: str) -> tuple[int, ...]:
    if isinstance(row, str) or not hasattr(row, "__len__") or len(row) != 3:
        raise ValueError(f"{name} is {row!r}: expected three joints, upper, lower and end")
    return tuple(joint_number(skeleton, joint, f"{name}[{k}]") for k, joint in enumerate(row))


@lru_cache(maxsize=128)
def _prepared(
    skeleton: Skeleton, chains: tuple[tuple[int, ...], ...]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    for i, joints in enumerate(chains):
        for above, below in pairwise(joints):
            if above == below or not carries(skeleton, above, below):
                names = skeleton.names
                raise ValueError(f"chain {i}: {names[above]!r} is not an ancestor of {names[below]!r}")
    bends = [rest_bend(skeleton, joints) for joints in chains]
    return np.array(chains, np.int32).reshape(-1, 3), np.array(bends, np.float64).reshape(-1, 3)


def rest_bend(skeleton: Skeleton, joints: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return the side to which a limb bends in the rest frame of its upper joint; zeros where nothing tells.

    From the knee of the rest pose; where that is straight, from the farthest child of the end joint: the toes.
    """
    site = skeleton.end_sites.get(joints[2])
    return _core.rest_bend(skeleton, joints, None if site is None else np.asarray(site, dtype=np.float64))
