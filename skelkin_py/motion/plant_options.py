# SPDX-License-Identifier: MIT
"""The options of planting: their names, defaults, bounds and documentation."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from .._support.arguments import FARTHEST, array_of, check_kind, check_word, real_number
from .._support.array_types import Floats
from .._support.nearest_name import did_you_mean
from .._support.short_repr import shown
from .._support.values import Value
from .show_options import show_keywords

if TYPE_CHECKING:
    from ..legs import Leg

Reach = Literal["soften", "stretch", "lower_pelvis"]
REACHES: tuple[str, ...] = get_args(Reach)
TRAVELS = ("keep", "in_place", "travelling")
CONTACT_MODES = ("auto", "always", "never", "ground_only", "cycle")

_LONGEST = 1e6  # s: the frames of a longer blend cannot be counted; also the largest factor
_UNIT = 1e60  # m: the largest unit, and the inverse of the smallest
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _number(default: float | None, least: float, most: float = np.inf) -> Any:
    """Return the field of a number within bounds, or above `least` where there is only that."""
    return dataclasses.field(default=default, metadata={"bounds": (least, most)})


class PlantKeywords(TypedDict, total=False):
    """The fields of `PlantOptions` as keyword arguments, for type checkers."""

    ground: Any
    legs: Sequence[Leg] | None
    contacts: Any
    reach: Reach
    frames: tuple[int, int] | None
    up: ArrayLike | str
    metres_per_unit: float | None
    blend: float
    stretch: float
    sole: float | None
    pelvis: int | None
    max_slope: float
    align: float
    toe_bend: float
    pelvis_acceleration: float
    ground_velocity: ArrayLike | str | None
    loop: bool | str
    travel: str


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PlantOptions(Value):
    """How feet are planted.

    `plant_feet`, `plant_locals` and ``clip.plant_feet`` take each field as a keyword argument, or all of them as
    ``options=``. The command line has the same options.

    Parameters
    ----------
    ground : None, float, callable, HeightGrid, MeshGround, mesh or object with `cast`, default None
        None: one level ground if the heights of the contacts agree, else each contact keeps its own height; the report
        says which, and by how much they differ. A number: a height along `up` in the clip's units. A function: points
        (N, 3) → heights (N,), NaN where there is no ground. A mesh, in the clip's space and units, is anything with
        `points` or `vertices` and `faces`. An object that casts rays has
        ``cast(origins (N, 3), directions (N, 3), frames (N,)) → (distance, normal, hit, surface_id)``, with
        `surface_id` ≥ 0 where it hits, and, if it moves, ``carry(points (N, 3), surface_id (N,), from_frames (N,),
        to_frames (N,)) → points (N, 3)``: a standing foot moves with the surface it stands on. Feet have no contact
        where there is no ground.
    legs : sequence of Leg, optional
        The legs. None finds them with `clip.find_legs()`; for matrices, by names and rest pose.
    contacts : "auto", "always", "never", "ground_only", "cycle", mapping or sequence, default "auto"
        When the feet stand. "auto" finds contacts. "ground_only" finds them and corrects only heights. "always" and
        "never": in every frame, or in none. "cycle", for feet that never stand still, assumes that each foot stands
        where it is lowest and slowest, and the report says so. To give contacts, pass a mapping from a leg's name (its
        side; if several legs share it, its foot joint) to spans, or a list of spans per leg. A span is (first, last),
        both frames included. On level ground a span may be a mapping with ``first_frame``, ``last_frame`` and
        ``place``, the point on which the ball of the foot stands, or ``height``, the height of the sole along `up`. A
        leg's spans may be ``{"heel": spans, "ball": spans}``, as in the report: the foot stands where either does, flat
        where both do, and rolls about the heel (toes up) or the ball (heel up) where only that stands; if it does not
        do so by itself, it is turned. In a cycle in place, whose standing feet all move backwards at one velocity, only
        heights are corrected unless `ground_velocity` is given, and the report says so.
    reach : "soften", "lower_pelvis" or "stretch", default "soften"
        What to do where a leg is too short. "soften": no leg gets straighter than 11.5° of flexion (0.995 of its
        length), unless it was; the body is lowered, and feet in the air are held back. "lower_pelvis": legs in the air
        may reach 0.9995. "stretch": bones first lengthen by up to `stretch`. A contact that stays out of reach is
        dropped, and the report names it.
    frames : (first, last), optional
        The frames to change, both included; all others stay the same bit for bit.
    up : "auto", "Y", "-Z" …, or (3,) array_like, default "auto"
        The axis that points up. "auto" takes the file's, else finds it from the body; the report names it.
    metres_per_unit : float, optional
        The unit, for figures in centimetres; nothing else depends on it. None takes the file's, else assumes legs of
        0.9 m.
    blend : float, default 0.2
        How long corrections take to fade out around a contact, in seconds up to 1e6. After t seconds a fraction of
        e^(−t / (0.96 blend)) is left, by default e^(−t / 0.19 s).
    stretch : float, default 1.05
        The largest factor for ``reach="stretch"``.
    sole : float, optional
        Height of the ball joint above the sole, in the clip's units. None takes it from a rest pose that stands on the
        plane of the origin, else from a typical foot.
    pelvis : int, optional
        The joint that raises and lowers the body; None takes the nearest one above the legs that moves.
    max_slope : float, default 60
        Degrees: feet do not stand on steeper ground, and have no contact there.
    align : float, default 1
        0 … 1: how far standing feet tilt with the ground's slope. At 1 the sole lies along the ground; at 0 feet keep
        their own rotation.
    toe_bend : float, default 0
        Degrees by which toes may be bent upwards where their tips would sink into the ground that the ball stands on,
        as when the heel rises over straight toes. At 0 toes keep their own rotation.
    pelvis_acceleration : float, default 20
        The most acceleration that the body shift may have in any frame, in leg lengths per s² (9.81 m/s² are 10.9 of
        them for legs of 0.9 m). Contacts that legs cannot reach within it are dropped, and the report names them.
    ground_velocity : (3,) array_like or "auto", optional
        The velocity of ground that moves below the body, such as a treadmill, horizontal and in the clip's units per
        second: standing feet move with it, and slide is measured relative to it. "auto" measures it at the standing
        feet of a cycle in place; in any other clip the ground is still. A foot stands while it moves with the ground;
        on ground that moves differently, or is still, as with (0, 0, 0), the feet of a cycle are held where
        `contacts` says.
    loop : bool or "auto", default "auto"
        Whether the last pose is the first, in place or further on by a horizontal displacement and a turn about up.
        Contacts then continue across the seam, and the planted clip closes too; a contact that crosses the seam is
        reported, and may be given, as two spans, one at each end. "auto" recognises a loop whose poses differ by at
        most 0.001 of the leg and whose speed does not jump; True allows 0.03. On ground that slopes or moves the last
        pose may also be higher or lower, and the loop closes if the ground under its feet has the shape, to the same
        tolerance, and the velocity of that under the first; else "auto" leaves it open, and the report says so.
    travel : "keep", "in_place" or "travelling", default "keep"
        What happens to the root motion. "in_place" removes the clip's mean horizontal travel from its roots, so that
        the body stays and the feet move backwards below it. "travelling" plants a cycle in place on the ground that its
        feet move with, by `ground_velocity` or else as measured, and moves the roots at that speed over ground that
        rests. The last pose of a loop is then the first, in place or further on. The report says how much was added. A
        clip with no travel to remove, or with no moving ground, is an error.

    Raises
    ------
    ValueError, TypeError
        An invalid value, whatever the clip: the error names the option, the value and the rule.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> gently = sk.PlantOptions(align=0.5, toe_bend=20.0)
    >>> gently
    PlantOptions(align=0.5, toe_bend=20.0)
    >>> biped = sk.example("biped")
    >>> biped.clip.plant_feet(options=gently, ground=biped.ground, metres_per_unit=1.0).report.slide()[1] < 1e-9
    True
    """

    ground: Any = None
    legs: Sequence[Leg] | None = None
    contacts: Any = "auto"
    reach: Reach = "soften"
    frames: tuple[int, int] | None = None
    up: ArrayLike | str = "auto"
    metres_per_unit: float | None = _number(None, 1.0 / _UNIT, _UNIT)
    blend: float = _number(0.2, 0.0, _LONGEST)
    stretch: float = _number(1.05, 1.0, _LONGEST)
    sole: float | None = _number(None, 0.0, FARTHEST)
    pelvis: int | None = None
    max_slope: float = _number(60.0, 0.0, 90.0)
    align: float = _number(1.0, 0.0, 1.0)
    toe_bend: float = _number(0.0, 0.0, 90.0)
    pelvis_acceleration: float = _number(20.0, 0.0)
    ground_velocity: ArrayLike | str | None = None
    loop: bool | str = "auto"
    travel: str = "keep"

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if "bounds" in field.metadata and not (given is None and field.default is None):
                self._set(field.name, _within(field.name, given, *field.metadata["bounds"]))
        if isinstance(self.contacts, str):
            if self.contacts not in CONTACT_MODES:
                known = f"{', '.join(map(repr, CONTACT_MODES))}, or spans per leg"
                meant = did_you_mean(self.contacts, CONTACT_MODES, ";")
                raise ValueError(f"contacts is {shown(self.contacts)}: expected {known}{meant}")
        elif not isinstance(self.contacts, (Mapping, Sequence)):
            kind = type(self.contacts).__name__
            raise TypeError(f"contacts is a {kind}: expected a mode, a mapping side → spans, or spans per leg")
        check_word("reach", self.reach, REACHES)
        check_word("travel", self.travel, TRAVELS)
        if isinstance(self.loop, np.bool_):
            self._set("loop", bool(self.loop))
        if not (isinstance(self.loop, bool) or (isinstance(self.loop, str) and self.loop == "auto")):
            raise ValueError(f"loop is {shown(self.loop)}: expected True, False or 'auto'")
        self._set("ground_velocity", _velocity(self.ground_velocity))
        if self.legs is not None:
            from ..legs.leg import listed_legs  # loaded already where there are legs

            self._set("legs", listed_legs(self.legs))

    def __hash__(self) -> int:
        values = [getattr(self, field.name) for field in dataclasses.fields(self)]
        return hash(tuple(value if isinstance(value, (float, int, str, type(None))) else 0 for value in values))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        values = [(field.name, getattr(self, field.name)) for field in dataclasses.fields(self)]
        changed = [(name, value) for name, value in values if not np.array_equal(value, getattr(PlantOptions, name))]
        return f"PlantOptions({', '.join(f'{name}={shown(value)}' for name, value in changed)})"


def _within(name: str, given: Any, least: float, most: float) -> float:
    """Return an option as a float that lies within its bounds."""
    value = real_number(name, given)
    if most == np.inf and not value > least:
        raise ValueError(f"{name} is {given}: it must be above {least:g}")
    if not least <= value <= most:
        raise ValueError(f"{name} is {given}: it must lie within {least:g} … {most:g}")
    return value


def _velocity(given: Any) -> Floats | Literal["auto"] | None:
    """Return the velocity of the ground as an array, "auto" or None."""
    if given is None:
        return None
    wanted = "expected 'auto' or (x, y, z) in the clip's units per second"
    if isinstance(given, str):
        if given == "auto":
            return "auto"
        raise ValueError(f"ground_velocity is {shown(given)}: {wanted}")
    velocity = array_of(given, "ground_velocity")
    if velocity.dtype.kind not in "biuf":
        raise TypeError(f"ground_velocity is {shown(given)}: {wanted}")
    if velocity.shape != (3,):
        raise ValueError(f"ground_velocity has shape {velocity.shape}: (3,) is needed, the clip's units per second")
    if not np.isfinite(velocity).all():
        raise ValueError(f"ground_velocity is {velocity.tolist()}: it must be finite")
    if not (np.abs(velocity) < FARTHEST).all():
        raise ValueError(f"ground_velocity is {velocity.tolist()}: it must be below {FARTHEST:g}")
    return velocity.astype(np.float64)


def chosen_options(caller: str, options: PlantOptions | None, changes: Mapping[str, Any]) -> PlantOptions:
    """Return the options that a function was given: in one object, by keyword, or both."""
    if options is not None:
        check_kind("options", options, PlantOptions)
    names = [field.name for field in dataclasses.fields(PlantOptions)]
    for name in changes:
        if name not in names:
            raise TypeError(
                f"{caller}() has no option {name!r}: there are {', '.join(names)}{did_you_mean(name, names, ';')}"
            )
    return PlantOptions(**changes) if options is None else dataclasses.replace(options, **changes)


def takes_plant_options(function: _Function) -> _Function:
    """Add the options of planting to the signature and the docstring of a function that takes them as keywords."""
    show_keywords(function, {field.name: (field.type, field.default) for field in dataclasses.fields(PlantOptions)})
    if function.__doc__ and PlantOptions.__doc__:  # neither with python -OO
        fields = re.search(r"Parameters\n *-+\n(.*?)\n *Raises\n", PlantOptions.__doc__, flags=re.S)
        place = re.search(r"^( *)\*\*changes\n.*?(?=\n\n)", function.__doc__, flags=re.S | re.M)
        assert fields is not None, PlantOptions.__doc__
        assert place is not None, function
        text = textwrap.indent(inspect.cleandoc(fields[1]), place[1]).rstrip()
        function.__doc__ = function.__doc__.replace(place[0], text)
    return function
