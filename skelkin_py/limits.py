# SPDX-License-Identifier: MIT
"""Joint limits: hinges, and swing and twist about a bone; and poses inside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, pi, radians
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._support.arguments import float_array, listed, plain, real_number
from ._support.array_types import Array, Flags, Floats
from ._support.values import FixedValue
from .skeleton import Skeleton, checked_skeleton, joint_number

if TYPE_CHECKING:
    from .legs import Leg


_KNEE_RANGE = radians(150.0)


@dataclass(frozen=True)
class Hinge:
    """A joint that turns about one axis only: made by `hinge`, which says what the numbers mean."""

    axis: tuple[float, float, float]
    min: float
    max: float
    soft: float = 0.0


@dataclass(frozen=True)
class SwingTwist:
    """A joint that swings inside of an ellipse and twists inside of a range: made by `swing_twist`."""

    axis: tuple[float, float, float]
    swing: tuple[float, float]
    twist: tuple[float, float]
    soft: float = 0.0


Limit: TypeAlias = Hinge | SwingTwist


def hinge(axis: npt.ArrayLike, min: float, max: float, *, soft: float = 0.0) -> Hinge:
    """Return the limit of a joint that turns about one axis only, such as a knee.

    Parameters
    ----------
    axis : array_like, (3,)
        The axis in the joint's own frame in the rest pose; any length but 0.
    min, max : float
        Range of the angle from the rest pose in radians, counter-clockwise seen from the tip of the axis. A range of a
        whole turn or more does not limit the joint.
    soft : float
        Fraction s of the range, 0 <= s < 1, over which the bounds are approached smoothly: see Notes.

    Returns
    -------
    Hinge
        Immutable, for `JointLimits`.

    Raises
    ------
    ValueError, TypeError
        The axis has length 0, `min` is above `max`, a number is not finite, or `soft` is out of bounds.

    Notes
    -----
    With h half of the range, an angle x from its middle beyond ``h (1 - s)`` becomes ``x - (x - h (1 - s))**2 /
    (4 s h)``, until at ``h (1 + s)`` the bound is reached with slope 0; the slope is continuous everywhere.

    Examples
    --------
    >>> sk.hinge([0, 0, 2], 0, 2.5)
    Hinge(axis=(0.0, 0.0, 1.0), min=0.0, max=2.5, soft=0.0)
    """
    low, high = _range((min, max), "min, max")
    return Hinge(_axis(axis), low, high, _soft(soft))


def swing_twist(
    axis: npt.ArrayLike, swing: Sequence[float], twist: Sequence[float], *, soft: float = 0.0
) -> SwingTwist:
    """Return the limit of a joint that swings and twists, such as a hip.

    The rotation from the rest pose is split as swing · twist: first a turn about `axis` by the twist, then a turn about
    a perpendicular axis by the swing.

    Parameters
    ----------
    axis : array_like, (3,)
        The axis of the twist (usually along the bone) in the joint's own frame in the rest pose.
    swing : (float, float)
        Half angles x, y in radians, 0 to pi: the rotation vector of the swing lies inside the ellipse with these half
        axes. x is about the first axis perpendicular to `axis`, y about the second: for X these are Y and Z, for Y they
        are Z and X, for Z they are X and Y; for -X they are Y and -Z, and so on. For any other axis they are those of
        the nearest coordinate axis, turned by the shortest arc. With both 0 the joint is a hinge.
    twist : (float, float)
        Smallest and largest twist in radians. A range of a whole turn or more does not limit it.
    soft : float
        As in `hinge`; for the swing the fraction of the distance from the middle to the ellipse.

    Returns
    -------
    SwingTwist
        Immutable, for `JointLimits`.

    Raises
    ------
    ValueError, TypeError
        As in `hinge`; or a half angle is below 0 or above pi.

    Examples
    --------
    >>> sk.swing_twist([0, -1, 0], swing=(1.0, 0.5), twist=(-0.3, 0.3)).swing
    (1.0, 0.5)
    """
    x, y = _two(swing, "swing")
    for value in (x, y):
        if not 0 <= value <= pi:
            raise ValueError(f"swing is {(x, y)}: half angles must be between 0 and pi")
    return SwingTwist(_axis(axis), (x, y), _range(twist, "twist"), _soft(soft))


class JointLimits(FixedValue):
    """Limits of some joints of a skeleton. Immutable.

    Parameters
    ----------
    limits : mapping of int or str to Hinge or SwingTwist
        The limit of each limited joint. Names are looked up in the skeleton with which the limits are used.

    Attributes
    ----------
    limits : mapping
        The same, read-only.

    Raises
    ------
    TypeError
        A value was not made by `hinge` or `swing_twist`, or a key is neither a number nor a name.

    Examples
    --------
    >>> limits = sk.JointLimits({"shin": sk.hinge([1, 0, 0], 0, 2.5)})
    >>> sorted(limits.limits)
    ['shin']
    """

    __slots__ = ("limits",)

    limits: Mapping[int | str, Limit]

    def __init__(self, limits: Mapping[int | str, Limit]) -> None:
        if not isinstance(limits, Mapping):
            raise TypeError(f"limits is {limits!r}: a mapping from joints to limits is needed")
        for joint, limit in limits.items():
            if isinstance(joint, bool) or not isinstance(joint, (int, str, np.integer)):
                raise TypeError(f"limits has the joint {joint!r}: a number or a name is needed")
            if not isinstance(limit, (Hinge, SwingTwist)):
                raise TypeError(f"limits[{joint!r}] is {limit!r}: make it by hinge() or swing_twist()")
        object.__setattr__(self, "limits", MappingProxyType(dict(limits)))

    def __repr__(self) -> str:
        return f"JointLimits({dict(self.limits)!r})"

    def _arguments(self) -> dict[str, Any]:
        return {"limits": dict(self.limits)}

    def __hash__(self) -> int:
        return hash(frozenset(self.limits))

    @classmethod
    def knees(cls, skeleton: Skeleton, legs: Iterable[Leg], *, soft: float = 0.0) -> JointLimits:
        """Return hinges for the knees of legs, from straight to bent by 150 degrees.

        Parameters
        ----------
        skeleton : Skeleton
            The skeleton, whose rest pose shows axis and angle of each knee.
        legs : iterable of Leg
            As `find_legs` returns them; the middle joint of each chain is limited.
        soft : float
            As in `hinge`.

        Returns
        -------
        JointLimits
            The angle is that between thigh and shin, 0 for a straight leg; the range is wider where the rest pose is
            bent further. The axis is that of the bend in the rest pose; for a straight leg (sine below 1e-3) the one
            about which it bends towards `Leg.bend`.

        Raises
        ------
        ValueError
            A leg has a bone of length 0, or is straight with a `bend` that does not show its side.

        Examples
        --------
        >>> rest = np.tile(np.eye(4), (3, 1, 1))
        >>> rest[:, :3, 3] = [[0, 2, 0], [0, -1, 0], [0, -1, 0]]
        >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["thigh", "shin", "foot"])
        >>> knees = sk.JointLimits.knees(skeleton, [sk.Leg(0, 1, 2, bend=(0.0, 0.0, 1.0))])
        >>> knees.limits[1].axis, round(np.degrees(knees.limits[1].max))
        ((1.0, 0.0, 0.0), 150)
        """
        limits: dict[int | str, Limit] = {}
        checked_skeleton(skeleton)
        for i, leg in enumerate(listed("legs", legs, "a sequence of Leg is needed")):
            axis, angle = knee_axis(skeleton, leg, i)
            limits[leg.chain[1]] = hinge(axis, -angle, max(_KNEE_RANGE - angle, 0.0), soft=soft)
        return cls(limits)

    def nearest(
        self,
        skeleton: Skeleton,
        local: npt.ArrayLike,
        joints: Iterable[int | str] | None = None,
        *,
        out: Array | None = None,
    ) -> Array:
        """Return poses with limited joints turned to the nearest rotation inside their limits.

        Parameters
        ----------
        skeleton : Skeleton
            The hierarchy of J joints; limits count from its rest pose.
        local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
            The pose: matrix of each joint relative to its parent. float32 or float64; integers count as float64.
        joints : iterable of int or str, optional
            Apply only the limits of these joints; by default all.
        out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
            Where the poses go; may be `local` itself (then through a copy).

        Returns
        -------
        ndarray, (..., J, 4, 4)
            In the dtype of `local`. Translations, scale and shear stay; joints inside (to 1e-6 radians in float32,
            4e-15 in float64) and joints that are not finite keep their bits.

        Raises
        ------
        ValueError, TypeError
            The skeleton has no such joint, or shapes or dtypes do not fit.

        Notes
        -----
        Nearest means the smallest turn. For a hinge: the nearest rotation about the axis, then the nearest bound. For
        swing and twist: where both are outside, or the ellipse is not a circle, the boundary is searched for the
        rotation with the smallest angle to the given one, instead of applying one bound after the other.

        The result therefore changes continuously with the input, except where two rotations inside the limits are
        equally near: half a turn from the middle of the range (for a hinge also where the rotation perpendicular to the
        axis is half a turn), where no nearest rotation is continuous. Soft limits change twist and swing separately
        instead.

        Examples
        --------
        >>> skeleton = sk.Skeleton([-1], np.eye(4)[None])
        >>> turned = sk.compose([[1, 2, 3]], sk.quaternion_from_euler([[0.4, 0.1, 0]], "XYZ"))
        >>> inside = sk.JointLimits({0: sk.hinge([1, 0, 0], 0, 0.3)}).nearest(skeleton, turned)
        >>> sk.quaternion_to_euler(sk.quaternion_from_matrix(inside), "XYZ").round(12) + 0
        array([[0.3, 0. , 0. ]])
        """
        limits = self.resolved(skeleton)
        if joints is not None:
            some = listed("joints", joints, "joints by number or name are needed")
            wanted = {joint_number(skeleton, joint, "joints") for joint in some}
            limits = limits[[int(joint) in wanted for joint in limits["joint"]]]
        return _core.limit_poses(skeleton, local, limits, False, out)

    def inside(self, skeleton: Skeleton, local: npt.ArrayLike, tolerance: float = 1e-6) -> Flags:
        """Return which joints of poses are within their limits.

        Parameters
        ----------
        skeleton : Skeleton
            As in `nearest`.
        local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
            The poses.
        tolerance : float
            Largest angle outside the limits, in radians, that still counts as inside.

        Returns
        -------
        ndarray of bool, (..., number of limited joints)
            In the order of the joints' numbers. Softness is ignored. Joints that are not finite are not inside.

        Raises
        ------
        ValueError, TypeError
            As in `nearest`; or `tolerance` is negative or not a number.

        Examples
        --------
        >>> skeleton = sk.Skeleton([-1], np.eye(4)[None])
        >>> sk.JointLimits({0: sk.hinge([1, 0, 0], 0.1, 0.3)}).inside(skeleton, np.eye(4)[None])
        array([False])
        """
        if not real_number("tolerance", plain(tolerance)) >= 0:
            raise ValueError(f"tolerance is {tolerance!r}: it must be at least 0")
        angles = _core.limit_poses(skeleton, local, self.resolved(skeleton), True, None)
        with np.errstate(invalid="ignore"):
            return np.asarray(angles <= tolerance)

    def resolved(self, skeleton: Skeleton) -> npt.NDArray[np.void]:
        """Return the limits by number of joint, as the C core takes them.

        Parameters
        ----------
        skeleton : Skeleton
            The skeleton with the joints' names and rest pose.

        Returns
        -------
        ndarray, (L,)
            In the order of the joints' numbers, with the fields ``joint``, ``frame`` (9, by rows; joint-local),
            ``rest`` (9; the same axes in the parent's coordinates), ``swing`` (2), ``twist`` (2), ``soft``; angles in
            radians. Read-only.

        Raises
        ------
        ValueError
            The skeleton has no such joint, or a joint is given twice, by number and by name.

        Examples
        --------
        >>> skeleton = sk.Skeleton([-1], np.eye(4)[None])
        >>> sk.JointLimits({0: sk.hinge([1, 0, 0], 0, 1)}).resolved(skeleton)["twist"]
        array([[0., 1.]])
        """
        return _resolved(self, checked_skeleton(skeleton))


def limit_rows(limits: object, skeleton: Skeleton) -> npt.NDArray[np.void] | None:
    """Return limits as the C core takes them, None for none, or raise a TypeError for anything else."""
    if limits is None:
        return None
    if not isinstance(limits, JointLimits):
        raise TypeError(f"limits is {limits!r}: expected JointLimits, which JointLimits({{joint: limit}}) makes")
    return limits.resolved(skeleton)


@lru_cache(maxsize=128)
def _resolved(limits: JointLimits, skeleton: Skeleton) -> npt.NDArray[np.void]:
    found: dict[int, Limit] = {}
    for joint, limit in limits.limits.items():
        number = joint_number(skeleton, joint, "a joint of limits")
        if number in found:
            raise ValueError(f"limits has the joint {number} ({skeleton.names[number]!r}) twice")
        found[number] = limit
    rows = np.zeros(len(found), _core.JOINT_LIMIT)
    for k, (number, limit) in enumerate(sorted(found.items())):
        frame = limit_frame(limit.axis)
        rest = rest_rotation(skeleton, number) @ frame
        bounds = ((0.0, 0.0), (limit.min, limit.max)) if isinstance(limit, Hinge) else (limit.swing, limit.twist)
        rows[k] = (number, frame.ravel(), rest.ravel(), *bounds, limit.soft)
    rows.flags.writeable = False
    return rows


def _axis(axis: npt.ArrayLike) -> tuple[float, float, float]:
    vector = float_array(axis, "axis", 1, "(3,)")
    if vector.shape != (3,):
        raise ValueError(f"axis has shape {vector.shape}: expected (3,)")
    largest = float(np.abs(vector).max())
    if not (isfinite(largest) and largest > 0):
        raise ValueError(f"axis is {vector.tolist()}: it must be finite and not zero")
    unit = vector / largest
    x, y, z = (float(v) for v in unit / np.linalg.norm(unit))
    return x, y, z


def _two(values: Sequence[float], name: str) -> tuple[float, float]:
    pair = float_array(values, name, 1, "(2,)")
    if pair.shape != (2,) or not np.isfinite(pair).all():
        raise ValueError(f"{name} is {pair.tolist()}: expected two finite numbers")
    return float(pair[0]), float(pair[1])


def _range(values: Sequence[float], name: str) -> tuple[float, float]:
    low, high = _two(values, name)
    if low > high:
        raise ValueError(f"{name} is {(low, high)}: the first must not be above the second")
    return low, high


def _soft(soft: float) -> float:
    if not 0 <= real_number("soft", soft) < 1:
        raise ValueError(f"soft is {soft!r}: it must be at least 0 and less than 1")
    return float(soft)


def limit_frame(axis: Sequence[float]) -> Floats:
    """Return the axes (3, 3) of a limit as columns: two perpendicular to the unit vector `axis`, then `axis` itself."""
    unit = np.array(axis, float)
    k = int(np.argmax(np.abs(unit)))
    main = np.zeros(3)
    main[k] = 1.0 if unit[k] > 0 else -1.0
    first = np.zeros(3)
    first[(k + 1) % 3] = 1.0
    # The shortest arc from `main` to `axis`, never near a half turn.
    v, c = np.cross(main, unit), float(main @ unit)
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    first = (np.eye(3) + cross + cross @ cross / (1 + c)) @ first
    return np.stack([first, np.cross(unit, first), unit], axis=-1)


def rest_rotation(skeleton: Skeleton, joint: int) -> Floats:
    """Return the rotation (3, 3) of a joint in the rest pose; of a mirrored joint with all three scales negated."""
    u, _, vt = np.linalg.svd(skeleton.rest_local[joint, :3, :3])
    rotation = u @ vt
    return np.asarray(rotation if np.linalg.det(rotation) > 0 else -rotation)


def knee_axis(skeleton: Skeleton, leg: Leg, i: int) -> tuple[Floats, float]:
    """Return the axis of a knee in the frame of its joint, and the angle by which the rest pose bends it."""
    if not hasattr(leg, "chain") or not hasattr(leg, "bend"):
        raise TypeError(f"legs[{i}] is {leg!r}: a Leg is needed")
    upper, lower, end = (joint_number(skeleton, joint, f"legs[{i}].chain") for joint in leg.chain)
    rest = skeleton.rest_global
    parent = int(skeleton.parents[lower])
    into = np.linalg.inv(rest[parent, :3, :3])
    u = into @ (rest[lower, :3, 3] - rest[upper, :3, 3])
    v = into @ (rest[end, :3, 3] - rest[lower, :3, 3])
    product = float(np.linalg.norm(u) * np.linalg.norm(v))
    if not product > 0:
        raise ValueError(f"legs[{i}] has a bone of length 0: its knee has no axis")
    axis = np.cross(u, v)
    angle = float(np.arctan2(np.linalg.norm(axis), u @ v))
    if not np.linalg.norm(axis) >= 1e-3 * product:
        axis = np.cross(into @ np.asarray(leg.bend, float), u + v)
        angle = 0.0
    if not np.linalg.norm(axis) > 1e-9 * float(np.linalg.norm(u + v)):
        raise ValueError(f"legs[{i}] is straight and its bend is {leg.bend}: the knee's axis is not known")
    return rest_rotation(skeleton, lower).T @ axis, angle
