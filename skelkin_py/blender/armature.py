# SPDX-License-Identifier: MIT
"""An armature's bones at rest, as Blender stores them: whole, in part, and in files of numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._support.arguments import listed, plain
from .._support.array_types import Array
from .._support.errors import FormatError
from .._support.nearest_name import did_you_mean
from .._support.npz_files import MAX_BYTES, File, NpzArrays
from .ik.goals import IKGoal
from .ik.solve import IKJoints, solve_ik
from .modifiers.deform import deform
from .pose import local_from_pose, pose
from .rest.bbones import BBONE_ARRAYS, BBones
from .rest.bones import Bones, Envelopes, checked_armature, take_parents
from .rest.frames import rest_from_rolls

# Arguments of `Armature` that are arrays, a row a bone.
_ARRAYS = (
    *("parents", "rest", "heads", "tails", "lengths", "axes", "offsets"),
    *("connected", "inherit_rotation", "local_location", "deform", "inherit_scale"),
)


def _fields(arrays: NpzArrays) -> dict[str, Any]:
    """Return the arguments of `Armature`."""
    found: dict[str, Any] = {name: arrays.read(name) for name in _ARRAYS}
    found["names"] = arrays.read("names", "U")
    if found["names"].ndim != 1:
        raise ValueError(f"names has shape {found['names'].shape}: one name per bone is needed")
    envelopes = [f"envelopes.{name}" for name in Envelopes._fields]
    if all(name in arrays.names for name in envelopes):
        found["envelopes"] = Envelopes(*(arrays.read(name) for name in envelopes))
    if any(name.startswith("bbones.") for name in arrays.names):
        found["bbones"] = BBones.from_arrays({name: arrays.read(f"bbones.{name}") for name in BBONE_ARRAYS})
    return found


class Armature(Bones):
    """Bones at rest, parents first; immutable, its arrays read-only.

    Parameters
    ----------
    parents : (B,) int array
        Index of each bone's parent, -1 for roots; parents come before children, as in ``pose.bones``.
    rest : (B, 4, 4) float array
        Rest matrices in armature space (``Bone.matrix_local``), heads in their last columns.
    names : sequence of str, optional
    heads, tails : (B, 3) float array, optional
        ``Bone.head_local`` and ``Bone.tail_local``. Without them, they follow from `rest` and `lengths`.
    lengths : (B,) float array, optional
        ``Bone.length``, 0 or more; without it, from heads and tails, else 1. Blender keeps no bones of length 0.
    axes : (B, 3, 3) float array, optional
        ``Bone.matrix``: rest axes in the parent's. Without it, from `rest`; exact evaluation needs Blender's own.
    offsets : (B, 3) float array, optional
        ``Bone.head``: the head, from the parent's tail, in the parent's axes.
    connected, inherit_rotation, local_location, deform : (B,) bool array, optional
        ``use_connect`` (False), ``use_inherit_rotation``, ``use_local_location``, ``use_deform`` (True).
    inherit_scale : str, sequence of str or (B,) int array, optional
        ``Bone.inherit_scale``: a name or the index in `INHERIT_SCALE`; "FULL".
    envelopes, bbones : Envelopes and BBones, optional
        Those of bendy bones are kept as None if none has more than one segment.

    Raises
    ------
    ValueError
        A shape does not fit, a number is not finite, a parent does not come before its child, a name occurs twice, a
        rest matrix is transposed or flat, an `inherit_scale` is not one of Blender's.
    TypeError
        An argument is of another kind altogether.

    Notes
    -----
    All numbers are kept as float32, which is what Blender has.
    """

    @classmethod
    def from_bpy(cls, ob: Any) -> Armature:
        """Return the armature of a live Blender object, bones in the order of ``pose.bones``.

        Parameters
        ----------
        ob : bpy.types.Object
            An armature, not in Edit Mode. Its bones at rest are read, whatever its pose.

        Raises
        ------
        TypeError
            `ob` is no armature object.
        ValueError
            It is in Edit Mode.
        """
        from .live.armature import read_bones  # which nobody needs outside of Blender

        return cls(**read_bones(ob))

    @classmethod
    def from_edit_bones(
        cls, parents: npt.ArrayLike, heads: npt.ArrayLike, tails: npt.ArrayLike, rolls: npt.ArrayLike, **options: Any
    ) -> Armature:
        """Return the armature that Blender makes of bones on leaving Edit Mode.

        Parameters
        ----------
        parents : (B,) int array
            -1 for roots; parents come before children.
        heads, tails : (B, 3) array
            In armature space.
        rolls : (B,) array
            ``EditBone.roll``, in radians.
        **options
            The other arguments of `Armature`: names, flags, envelopes.

        Raises
        ------
        ValueError
            A shape does not fit, or a bone is not longer than 1e-6: Blender up to 4.5 drops such bones, 5.0 and later
            make them longer.

        Examples
        --------
        >>> import skelkin_py.blender as blender
        >>> arm = blender.Armature.from_edit_bones([-1], [[0, 0, 0]], [[0, 0, 2]], [0.0])
        >>> arm.lengths.tolist(), arm.rest[0, :3, 1].tolist()
        ([2.0], [0.0, 0.0, 1.0])

        Notes
        -----
        What Blender keeps is a product of the parents' float32 numbers: children that point near their parent's -Y
        differ from their ideal frame by up to 2e-5. This follows the same steps, up to the last bits; for Blender's
        bits take `from_bpy`. Method: docs/blender-parity.md.
        """
        order = take_parents(parents)
        made: dict[str, Any] = rest_from_rolls(order, heads, tails, rolls)
        return cls(order, heads=heads, tails=tails, **made, **options)

    @classmethod
    def from_npz(cls, file: File, *, max_bytes: int = MAX_BYTES) -> Armature:
        """Return an armature out of a file that `to_npz` has written.

        Parameters
        ----------
        file : path or binary file
        max_bytes : int, default 2**30
            How many bytes its arrays may take. A file of a few MB can unpack to thousands of times its size: give more
            where you trust it. Arrays that are none of an armature stay packed.

        Raises
        ------
        FormatError
            The file holds something else, is damaged, or unpacks to more than `max_bytes`.
        TypeError
            `max_bytes` is no whole number.
        OSError
            The file cannot be read.
        """
        limit = plain(max_bytes)
        if isinstance(limit, bool) or not isinstance(limit, int):
            raise TypeError(f"max_bytes is {max_bytes!r}: a whole number of bytes is needed")
        try:
            with NpzArrays(file, max_bytes=limit) as arrays:
                try:
                    return cls(**_fields(arrays))
                except FormatError:
                    raise
                except (ValueError, TypeError) as error:
                    raise FormatError(arrays.path, None, str(error)) from None
        except FormatError as error:
            raise FormatError(error.path, None, f"file holds no armature: {error.reason}") from None

    def to_npz(self, file: File) -> None:
        """Write all of the armature into a file of numpy.

        Parameters
        ----------
        file : path or binary file
            A path without a suffix gets ``.npz``.

        Examples
        --------
        >>> import io
        >>> import skelkin_py.blender as blender
        >>> file = io.BytesIO()
        >>> blender.Armature([-1], np.eye(4)[None], names=["hips"]).to_npz(file)
        >>> blender.Armature.from_npz(io.BytesIO(file.getvalue())).names
        ('hips',)
        """
        arrays = {name: self._arguments()[name] for name in _ARRAYS}
        if self.envelopes is not None:
            arrays |= {f"envelopes.{name}": value for name, value in self.envelopes._asdict().items()}
        if self.bbones is not None:
            arrays |= {f"bbones.{name}": value for name, value in self.bbones.to_arrays().items()}
        np.savez_compressed(file, names=np.array(self.names, np.str_), **arrays)

    def pose(
        self,
        location: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
        rotation_mode: str | Sequence[str] = "QUATERNION",
        scale: npt.ArrayLike | None = None,
        *,
        exact: bool = False,
    ) -> Array:
        """Return the matrices of bones in armature space, before constraints: Blender's ``pose_bone.matrix``.

        Parameters
        ----------
        location : (..., B, 3) array, optional
            As stored in the bones; 0 without it. That of connected bones is not used, as in Blender.
        rotation : (..., B, 4) array, optional
            By the mode of the bone: a quaternion (w, x, y, z), an angle and its axis (angle, x, y, z), or three Euler
            angles and a fourth number that is not read. Where all modes are Euler's, (..., B, 3) is taken too.
        rotation_mode : str or sequence of B str
            "QUATERNION", "AXIS_ANGLE", or an order in which Euler angles are applied: "XYZ" is X first.
        scale : (..., B, 3) array, optional
            Any numbers, of any sign, 0 included.
        exact : bool
            Blender's bits: float32, each operation in the order in which Blender does it. Otherwise the result has the
            precision of the arrays given, float64 for lists.

        Returns
        -------
        (F, B, 4, 4) array
            One per frame; F = 1 for channels without leading dimensions. Several leading dimensions broadcast as in
            numpy and are kept.

        Raises
        ------
        ValueError
            A shape does not fit the bones, or a rotation mode is not one of Blender's.
        TypeError
            A channel is not an array of numbers.

        Examples
        --------
        >>> import skelkin_py.blender as blender
        >>> rest = np.tile(np.eye(4), (2, 1, 1))
        >>> rest[1, 1, 3] = 1.0  # the second bone starts at the first one's tail, at Y = 1
        >>> arm = blender.Armature([-1, 0], rest, connected=[False, True])
        >>> turned = arm.pose(rotation=[[0, 0, np.pi / 2], [0, 0, 0]], rotation_mode="XYZ")
        >>> turned.shape, turned[0, 1, :3, 3].round(6).tolist()
        ((1, 2, 4, 4), [-1.0, 0.0, 0.0])

        Notes
        -----
        What is not a rotation is taken as Blender takes it: a quaternion of zeros is half a turn about X, an axis of
        zeros no turn. A number that is not finite spreads to the bones below, in its own frame.

        Method: docs/blender-parity.md.
        """
        return pose(self, location, rotation, rotation_mode, scale, exact)

    def local_from_pose(self, pose: npt.ArrayLike) -> Array:
        """Return the matrices that the bones' channels have to make up for a pose: ``pose_bone.matrix_basis``.

        Parameters
        ----------
        pose : (..., B, 4, 4) array
            In armature space; the last rows are not read.

        Returns
        -------
        (..., B, 4, 4) array
            In float32 for a float32 array, else in float64. Connected bones get no translation, since Blender gives
            them none. Children of a parent that is flat (to a millionth) get zeros, where Blender gives arbitrary
            numbers or nan.

        Raises
        ------
        ValueError
            The shape does not fit the bones.

        Examples
        --------
        >>> import skelkin_py.blender as blender
        >>> arm = blender.Armature([-1], np.eye(4)[None])
        >>> local = arm.local_from_pose(arm.pose(location=[[1.0, 2.0, 3.0]]))
        >>> local[0, 0, :3, 3].tolist()
        [1.0, 2.0, 3.0]

        Notes
        -----
        The inverse of `pose`, bone by bone: what is inherited comes from the parent's given matrix, so that errors do
        not add up along chains. Method: docs/blender-parity.md.
        """
        return local_from_pose(self, pose)

    def deform(self, pose: npt.ArrayLike, points: npt.ArrayLike, **modifiers: Any) -> Array:
        """Move the points of a mesh as Blender's Armature modifiers do: `deform` with this armature.

        Parameters
        ----------
        pose : (..., B, 4, 4) float array
            Matrices of the bones in armature space, as `pose` returns them.
        points : (V, 3) or (..., V, 3) float array
            Points of the mesh in its own space.
        **modifiers
            Keywords of `deform`. For a mesh in live Blender, `read_modifiers` returns them all, the points included.

        Returns
        -------
        (..., V, 3) array
            Points of the mesh in its own space.
        """
        return deform(self, pose, points, **modifiers)

    def solve_ik(
        self, pose: npt.ArrayLike, goals: Sequence[IKGoal], joints: IKJoints | None = None
    ) -> npt.NDArray[np.floating[Any]]:
        """Return the poses as Blender's IK constraints leave them.

        Parameters
        ----------
        pose : (..., B, 4, 4) float array
            Poses in armature space, evaluated without the constraints. The result depends on them, as in Blender.
        goals : sequence of IKGoal
            The active constraints; several on one tree of bones are solved together, and poles have no part in that.
        joints : IKJoints, optional
            Stiffness, locks, limits and stretch of the bones; without it, bones are free and keep their length.

        Returns
        -------
        poses : (..., B, 4, 4) array
            float32 if `pose` is, else float64. What is below a chain keeps its channels and follows as it inherits.

        Raises
        ------
        TypeError
            A goal is no IKGoal or has another kind of number in it, or `joints` is no IKJoints.
        ValueError
            A shape does not fit, a bone does not exist, a number is out of its range or not finite.

        Notes
        -----
        Selectively damped least squares (S. R. Buss, J.-S. Kim, 2005) with Blender's constants. As there: a straight
        chain never bends, targets out of reach leave the chain a little bent, and a chain with uneven scale misses its
        target. Chains that share bones are one tree if they begin with the same bone; else the higher one is solved
        first, while Blender's result then varies from run to run. Where two singular values are equal and a step is
        cut (a chain whose bones are locked but for one ball), it depends on rounding (``docs/blender-parity.md``).

        Examples
        --------
        >>> import skelkin_py.blender as blender
        >>> rest = np.tile(np.eye(4), (2, 1, 1))
        >>> rest[1, 1, 3] = 1.0  # the second bone starts at the first one's tail, at Y = 1
        >>> arm = blender.Armature([-1, 0], rest, lengths=[1, 1])
        >>> bent = rest.copy()
        >>> bent[1, :3, :3] = [[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]]
        >>> solved = arm.solve_ik(bent, [blender.IKGoal(1, [0, 1.2, 0.5])])
        >>> np.allclose(solved[1, :3, 3] + solved[1, :3, 1], [0, 1.2, 0.5], atol=1e-3)
        True
        """
        return solve_ik(self, pose, goals, joints)

    def __repr__(self) -> str:
        return f"<skelkin_py.blender.Armature of {self.num_bones} bones>"


def sub_armature(armature: Armature, bones: Iterable[str]) -> Armature:
    """Return the armature of some bones and of those above them.

    Parameters
    ----------
    armature : Armature
    bones : iterable of str
        Names of bones, in any order.

    Returns
    -------
    Armature
        These bones and all their parents up to the roots, in the order of `armature`. Bendy bones are straight in it:
        how they bend depends on bones that may be missing.

    Raises
    ------
    ValueError
        The armature has no bone of that name.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1, 0, 0], np.tile(np.eye(4), (3, 1, 1)), names=["hips", "spine", "leg"])
    >>> sk.blender.sub_armature(arm, ["leg"]).names
    ('hips', 'leg')

    Notes
    -----
    A bone's pose depends on those above it only, so that its matrices are, bit for bit, those of the whole armature.
    """
    wanted_names = listed("bones", bones, "expected names of bones")
    place = {name: bone for bone, name in enumerate(checked_armature(armature).names)}
    wanted: set[int] = set()
    for name in wanted_names:
        if not isinstance(name, str) or name not in place:
            meant = did_you_mean(str(name), place)
            raise ValueError(f"bones has {plain(name)!r}: the armature has no bone of that name{meant}")
        bone = place[name]
        while bone >= 0 and bone not in wanted:
            wanted.add(bone)
            bone = int(armature.parents[bone])
    rows = np.array(sorted(wanted), np.intp)
    row = np.full(armature.num_bones + 1, -1, np.int32)  # the last one is that of the parent -1
    row[rows] = np.arange(len(rows))
    arrays = {name: armature._arguments()[name][rows] for name in _ARRAYS[1:]}
    names = [armature.names[bone] for bone in rows]
    envelopes = armature.envelopes and Envelopes._make(array[rows] for array in armature.envelopes)
    return Armature(row[armature.parents[rows]], names=names, envelopes=envelopes, **arrays)
