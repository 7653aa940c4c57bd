# SPDX-License-Identifier: MIT
"""The example: a skinned biped whose walk has the faults of real clips, and uneven ground."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._support.arguments import float_array, numbers_of
from .._support.array_types import Floats
from .._support.values import FixedValue, compared_by_values, read_only
from ..motion.clip import Clip
from ..skeleton import Skeleton
from ..skinning.mesh import Mesh
from ..skinning.weights import SkinWeights

EXAMPLES = ("biped",)


class Profile(FixedValue):
    """Uneven ground whose height depends on the distance along +Z only; call it with points. Immutable.

    Parameters
    ----------
    z : (N,) array_like
        Positions along +Z, ascending; kept as float64, read-only.
    height : (N,) array_like
        The heights there; linear between them, constant beyond the ends.

    Examples
    --------
    >>> slope = Profile([0.0, 2.0], [0.0, 0.5])
    >>> slope(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 9.0]])).tolist()
    [0.25, 0.5]
    """

    def __init__(self, z: Any, height: Any) -> None:
        self.z = read_only(float_array(z, "z", 1, "(N,)").copy())
        self.height = read_only(float_array(height, "height", 1, "(N,)").copy())

    def _arguments(self) -> dict[str, Any]:
        return {"z": self.z, "height": self.height}

    def __repr__(self) -> str:
        return f"Profile({self.z.tolist()}, {self.height.tolist()})"

    def __call__(self, points: Floats) -> Floats:
        """Return the heights (N,) under points (N, 3)."""
        where = numbers_of(points, "points")
        if where.shape[-1:] != (3,):
            raise ValueError(f"points has shape {where.shape}: expected (N, 3)")
        return np.asarray(np.interp(where[..., 2], self.z, self.height), float)


class Contact(NamedTuple):
    """One true contact of the clean walk.

    Attributes
    ----------
    side : str
        "left" or "right".
    part : str
        "heel" or "ball".
    first, last : int
        Frames, both included.
    """

    side: str
    part: str
    first: int
    last: int


@compared_by_values
class Example(NamedTuple):
    """What `example` returns.

    Attributes
    ----------
    clip : Clip
        The walk with its faults: 2.5 cm too high, 7 % too long (so that every standing foot slides), floating in
        frames 40 to 90, sinking in frames 100 to 150.
    mesh : Mesh
        The skin.
    ground : Profile
        A step up, a platform and a slope down; called with points (N, 3), it returns heights (N,).
    contacts : tuple of Contact
        The true contacts of heels and balls.
    clean : Clip
        The walk without faults, on level ground at height 0.
    """

    clip: Clip
    mesh: Mesh
    ground: Profile
    contacts: tuple[Contact, ...]
    clean: Clip

    def __repr__(self) -> str:
        return f"<Example: {self.clip!r}, {self.mesh!r}, {self.ground!r}, {len(self.contacts)} known contacts>"


def example(name: str = "biped") -> Example:
    """Open an example that is shipped with the package; metres, Y up, facing +Z.

    ``examples/make_biped.py`` generates it.

    Parameters
    ----------
    name : str, default "biped"
        The only one so far.

    Returns
    -------
    Example
        Clip, mesh, ground, true contacts and the clean clip.

    Raises
    ------
    ValueError
        There is no example of that name.

    Examples
    --------
    >>> biped = example("biped")
    >>> biped.clip
    Clip(180 frames at 30 fps, 22 joints)
    >>> biped.contacts[0]
    Contact(side='left', part='heel', first=0, last=8)
    """
    if not isinstance(name, str) or name not in EXAMPLES:
        raise ValueError(f"name is {name!r}: the examples are {', '.join(map(repr, EXAMPLES))}")
    from importlib import resources

    with (resources.files(__package__) / f"{name}.npz").open("rb") as file, np.load(file) as data:
        arrays = dict(data)
    joints = [str(joint) for joint in arrays["names"]]
    parents = arrays["parents"]
    positions = arrays["rest_positions"]
    rest = np.tile(np.eye(4), (len(joints), 1, 1))
    rest[:, :3, 3] = positions - np.where(parents[:, None] >= 0, positions[parents], 0.0)
    tips = dict(zip(arrays["tip_joints"].tolist(), arrays["tip_offsets"]))
    skeleton = Skeleton(parents, rest, joints, end_sites=tips)
    weights = SkinWeights(arrays["weight_joints"].astype(np.int32), arrays["weights"], len(joints))
    mesh = Mesh(arrays["points"], arrays["faces"].astype(np.int32), arrays["normals"], None, weights, skeleton)

    def clip(root: Floats) -> Clip:
        translations = np.broadcast_to(rest[:, :3, 3], (len(root), len(joints), 3)).copy()
        translations[:, 0] = root
        return Clip(skeleton, arrays["rotations"], translations, fps=float(arrays["fps"]))

    contacts = tuple(
        Contact(("left", "right")[side], ("heel", "ball")[part], first, last)
        for side, part, first, last in arrays["contacts"].tolist()
    )
    ground = Profile(arrays["ground_z"], arrays["ground_height"])
    return Example(clip(arrays["root_positions"]), mesh, ground, contacts, clip(arrays["root_positions_clean"]))
