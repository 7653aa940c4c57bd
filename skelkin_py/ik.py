# SPDX-License-Identifier: MIT
"""Inverse kinematics of two bones: move the end of a limb to a target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._support.arguments import array_of, meaning_of
from ._support.array_types import Array, Floats
from ._support.native import native
from ._support.results import AppliedTwoBone, TwoBone
from .limits import JointLimits, limit_rows
from .skeleton import Skeleton, checked_skeleton, joint_number
from .turns import check_descent

_END_ROTATIONS = {"keep_global": 0, "keep_local": 1}

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
    """Move the end of two bones to a target, in closed form, for any number of limbs at once.

    Hip `a`, knee `b` and ankle `c` are points in one space; the bones keep their lengths. A target nearer than the
    difference of the bone lengths folds the limb, the longer bone towards the target; one beyond reach straightens it.

    The knee stays on the side to which the limb bends, which turns with the limb as it swings to the target. There it
    goes to the nearest point of its circle. Where that point is within 15 degrees of the line to the target, or beyond
    it, the bend direction alone decides, so that the knee neither jumps nor turns over.

    Parameters
    ----------
    a, b, c : array_like, (..., 3)
        Hip, knee and ankle.
    target : array_like, (..., 3)
        The target of the ankle.
    pole : array_like, (..., 3), optional
        The point that the knee points at. Within 15 degrees of the line from the hip through the target, the direction
        that the knee would have without a pole is added, so that the knee swivels smoothly as the pole crosses the
        line. The two cancel only at a pole 5 degrees off the line, opposite to that direction.
    pole_direction : array_like, (..., 3), optional
        The same as a direction; not together with `pole`.
    bend : array_like, (..., 3), optional
        Direction from the hip–ankle line to the knee, used where the given limb is too straight to show it (sine of the
        knee's angle below 1e-3 in float32, 1e-6 in float64, fading in over a decade). Without it such a limb bends
        towards a fixed perpendicular.
    roll : {"hinge", "minimal"}
        ``"hinge"``: the upper bone turns with the bend plane, and the knee turns only about the normal of that plane,
        so that kneecaps follow the bend. ``"minimal"``: the shortest arcs, first of the upper bone, then of the knee.
    soften : array_like, (...)
        Fraction s of the reach L, 0 <= s < 1, over which the end slows down before the limb is straight: beyond
        ``d0 = (1 - s) L`` it goes to ``d0 + s L (1 - exp(-(d - d0) / (s L)))``. A target that moves along its line then
        moves a knee that is open beyond a right angle at most ``0.45 / sqrt(s)`` times as fast (bones of one length:
        ``1 / (2 sqrt(s (2 - s)))``, 2.5 times at 0.02); without softening that speed has no bound.
    stretch : array_like, (...)
        Largest factor by which both bones may lengthen to reach, at least 1.
    stretch_start : array_like, (...)
        Fraction of the reach, 0 < s <= 1, at which lengthening begins.
    twist : array_like, (...)
        Angle in radians by which the solved limb is turned about the direction from the hip to its end.
    weight : array_like, (...)
        0 changes nothing, 1 is the whole solve; between them both bones turn by that fraction.
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
        Shapes do not broadcast, a number is out of bounds (the message names its index), both `pole` and
        `pole_direction` are given, `roll` is unknown, or `out` does not fit. A position that is not finite is not an
        error: its row gets the status BAD_INPUT and does not change.

    Notes
    -----
    The law of cosines gives the knee's place along the line and across it, written for the shorter bone and as
    ``sqrt((l - x)(l + x))``, so that ``x**2 + r**2 = l**2`` to rounding. Rotations come from cosine and sine without
    trigonometric functions. Reached means a miss of at most 4e-6 (float32) or 1e-12 (float64) of the leg's length.

    While the target moves by ``t`` out of the reach L or back, the knee moves by ``2 sqrt(L t) + 2 t`` at most. For
    targets that come too close, that holds for bones whose lengths differ by ``L / 8`` or more; with nearly equal bones
    of fixed length the knee must move farther. A target that passes through the hip may turn the limb over, unless the
    bones have the same length and a pole sets the side.

    Around the direction in which the pole and the bend direction cancel, the knee of any solver goes round once;
    without a pole that direction is opposite to the one from hip to ankle. At 2 degrees or more from it, a target at
    0.75 L or farther moves the knee at most 20 times as fast, and with the bend direction alone at most 3 times. A
    nearer target moves it faster, by the ratio of the knee's offset from the line to the target's distance.

    Examples
    --------
    >>> leg = sk.solve_two_bone([0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, 0.5, 0])
    >>> leg.b.round(3)
    array([0.   , 1.25 , 0.669])
    >>> sk.IKStatus(leg.status).name, bool(leg.error < 1e-12)
    ('REACHED', True)

    A straight limb bends in the given direction; a batch is the same call.

    >>> heights = np.array([[0, 0.5, 0], [0, 1, 0], [0, -1, 0]])
    >>> legs = sk.solve_two_bone([0, 2, 0], [0, 1, 0], [0, 0, 0], heights, bend=[0, 0, 1])
    >>> legs.b[:, 2].round(3), legs.status
    (array([0.661, 0.866, 0.   ]), array([0, 0, 1], dtype=uint8))
    """
    raise NotImplementedError  # C takes the arguments, and calls this with those that do not fit


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
    out: Array | None = None,
) -> AppliedTwoBone:
    """Move the end joint of a limb, or of several, to a target by turning its joints.

    `solve_two_bone` for poses: the rotations are converted to the joints' own frames. Joints between upper, lower and
    end (twist joints, split bones) move rigidly with them. Parents may be rotated, scaled, mirrored or sheared: each
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
        The target of the end joint, in model space.
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
        Limits of the joints of the chain (those of other joints are ignored): see Notes.
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
        As in `solve_two_bone`; or `hinge` is given with `pole` or `pole_direction`, a joint does not exist, a chain
        does not go down the hierarchy, or an `end_rotation` has length 0 (the message names its index). A pose, target,
        hinge or end rotation that is not finite is not an error: its limb gets the status BAD_INPUT and does not
        change.

    Notes
    -----
    With shear, or scale that differs between axes, between hip and knee the end does not move on a circle: the angle of
    the knee, from straight to folded, is found by bracketing the distance from hip to end, then the upper bone is
    aimed. Soften and stretch then refer to the reach that this knee has.

    With a hinge the knee never bends to the wrong side, whatever the given pose: a limb that is bent backward goes to
    the mirror image. The plane in which it bends turns with the line from hip to end by the smallest rotation. It is
    the plane of the given limb where that is bent by 20 degrees or more, and where the target does not change the bend;
    below 4 degrees it is the plane perpendicular to the hinge, with a smooth transition between.

    With limits, the closed-form solution is used if it lies inside them. Else the knee takes an allowed angle with the
    right distance, and the limb swivels about the line to the target until the hip is inside its limits, to the angle
    nearest to that of the pole or the bend. A target that can be reached by swivelling is REACHED. If no swivel is
    allowed for either knee angle with that distance, swing, twist and bend inside their bounds come from Newton's
    method on the distance to the target, from several starts: LIMITED, with that distance as the error; of equally good
    poses the one with the knee nearest to that of the closed form. Softening applies as without limits. Soft limits
    change the angles found, and may keep the end from its target. At a weight below 1 both joints turn by that fraction
    about their own axes. The end joint is turned into its limit last.

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
        goal = meaning_of("end_rotation", end_rotation, _END_ROTATIONS)
    elif isinstance(end_rotation, int):  # the extension takes the words as numbers
        raise TypeError(f"end_rotation is {end_rotation!r}: expected 'keep_global', 'keep_local' or quaternions")
    chains, bends, many = _chains(checked_skeleton(skeleton), chain)
    return AppliedTwoBone._make(
        _core.apply_two_bone(
            skeleton, local, chains, bends, many, target, pole, pole_direction, bend, roll,
            soften, stretch, stretch_start, twist, weight, hinge, goal,
            limit_rows(limits, skeleton), out,
        )
    )  # fmt: skip


def _chains(skeleton: Skeleton, chain: Chain) -> tuple[npt.NDArray[np.int32], Floats, bool]:
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
def _prepared(skeleton: Skeleton, chains: tuple[tuple[int, ...], ...]) -> tuple[npt.NDArray[np.int32], Floats]:
    for i, joints in enumerate(chains):
        check_descent(skeleton, joints, f"chain {i}")
    bends = [rest_bend(skeleton, joints) for joints in chains]
    return np.array(chains, np.int32).reshape(-1, 3), np.array(bends, np.float64).reshape(-1, 3)


def rest_bend(skeleton: Skeleton, joints: tuple[int, ...]) -> Floats:
    """Return the direction in which a limb bends, in the rest frame of its upper joint; zeros where it is unknown.

    It is that of the knee in the rest pose; of a straight limb, that of the farthest child of the end joint: the toes.
    """
    site = skeleton.end_sites.get(joints[2])
    return _core.rest_bend(skeleton, joints, None if site is None else np.asarray(site, dtype=np.float64))
