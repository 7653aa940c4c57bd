# SPDX-License-Identifier: MIT
"""Skeletons: a hierarchy of joints with its rest pose, checked once and never changed."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import _core
from ._support.arguments import check_tree, index_array, listed, numbers_of
from ._support.array_types import Array, Floats, Ints
from ._support.html_table import html_table
from ._support.nearest_name import did_you_mean
from ._support.printable import is_unicode


def parents_array(parents: npt.ArrayLike) -> Ints:
    """Return the parents of at least one joint, in any order, as a new array."""
    array = index_array(parents, "parents", 1, "(J,), one parent per joint")
    if array.size == 0:
        raise ValueError("parents is empty: a skeleton needs at least one joint")
    own: Ints = array.copy()  # another thread may write into `parents` while they are checked
    return own


def _matrices_array(matrices: npt.ArrayLike, name: str, num_joints: int) -> Floats:
    array = numbers_of(matrices, name)
    if array.ndim != 3 or array.shape[0] != num_joints or array.shape[1:] not in ((4, 4), (3, 4)):
        raise ValueError(f"{name} has shape {array.shape}: expected ({num_joints}, 4, 4), one matrix per joint")
    out = np.zeros((num_joints, 4, 4))
    out[:, 3, 3] = 1
    out[:, : array.shape[1]] = array
    return out


def _names_tuple(names: Iterable[str] | None, num_joints: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"joint_{j}" for j in range(num_joints))
    if isinstance(names, str):
        raise TypeError(f"names is the string {names!r}: expected one name per joint")
    result = listed("names", names, "expected one name per joint")
    if len(result) != num_joints:
        raise ValueError(f"names has {len(result)} entries: expected {num_joints}, one per joint")
    for j, name in enumerate(result):
        if not isinstance(name, str):
            raise TypeError(f"names[{j}] is {name!r}: a name must be a string")
        if not is_unicode(name):
            raise ValueError(f"names[{j}] is {str(name)!a}: a name must be of letters of Unicode")
    return tuple(str(name) for name in result)


def _end_sites_dict(end_sites: Mapping[int, npt.ArrayLike] | None, num_joints: int) -> Mapping[int, Floats]:
    if end_sites is not None and not isinstance(end_sites, Mapping):
        raise TypeError(f"end_sites is a {type(end_sites).__name__}: expected a mapping of joint to offset")
    result = {}
    for joint, offset in (end_sites or {}).items():
        if isinstance(joint, bool) or not hasattr(joint, "__index__"):
            raise TypeError(f"end_sites has the joint {joint!r}: a joint is given by its number")
        if not 0 <= joint < num_joints:
            raise ValueError(f"end_sites has the joint {joint}: there are {num_joints} joints")
        array = np.array(numbers_of(offset, f"end_sites[{joint}]"), np.float64)
        if array.shape != (3,) or not np.isfinite(array).all():
            raise ValueError(f"end_sites[{joint}] is {offset!r}: expected three finite numbers")
        result[int(joint)] = _frozen(array)
    return MappingProxyType(result)


def _frozen(array: Array) -> Array:
    """Return a copy that cannot be made writeable again, since its memory is a bytes object."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def sort_joints(parents: npt.ArrayLike) -> Ints:
    """Return an order of joints in which every parent comes before its children.

    Parameters
    ----------
    parents : array_like of int, (J,)
        The parent of each joint, -1 for a root, in any order.

    Returns
    -------
    ndarray of int64, (J,)
        ``order[i]`` is the old index of the joint that becomes joint ``i``. Joints move as little as possible; parents
        that are already in order give ``0 .. J-1``.

    Raises
    ------
    ValueError
        A parent is not a joint, or there is a cycle; the message names a joint.

    Examples
    --------
    >>> order = sk.sort_joints([1, -1, 0])
    >>> order
    array([1, 0, 2])

    Other arrays are reordered by ``order``; parents are also renumbered by the inverse order.

    >>> parents = np.array([1, -1, 0])
    >>> new_index = np.argsort(order)
    >>> np.where(parents < 0, -1, new_index[parents])[order]
    array([-1,  0,  1])
    """
    array = parents_array(parents)
    num_joints = len(array)
    for bad in np.flatnonzero((array < -1) | (array >= num_joints)):
        raise ValueError(f"parents[{bad}] is {array[bad]}: there is no joint of this number (-1 for a root)")
    parent_of = array.tolist()
    order: dict[int, None] = {}  # a set that keeps its order, as the path from a joint up is one
    for start in range(num_joints):
        path: dict[int, None] = {}
        j = start
        while j >= 0 and j not in order:
            if j in path:
                raise ValueError(f"parents[{j}] is {parent_of[j]}: joint {j} is its own ancestor")
            path[j] = None
            j = parent_of[j]
        order.update(dict.fromkeys(reversed(path)))
    return np.array(list(order), np.int64)


class Skeleton(_core.SkeletonBase):
    """A hierarchy of joints with its rest pose. Immutable; it copies and checks its arguments.

    Parameters
    ----------
    parents : array_like of int, (J,)
        The parent of each joint: ``parents[j] < j``, or -1 for a root; several roots are allowed. For any other order
        see `sort_joints`.
    rest_local : array_like, (J, 4, 4) or (J, 3, 4)
        Rest pose of each joint relative to its parent, kept as float64.
    names : iterable of str, optional
        One name per joint; ``joint_0``, ``joint_1`` … by default.
    inverse_bind : array_like, (J, 4, 4) or (J, 3, 4), optional
        Matrices from model space to each joint in the pose in which a skin was bound; by default the inverses of
        `rest_global`.
    end_sites : mapping of int to (3,), optional
        Tips of joints without children, as offsets in the joint's space (BVH's ``End Site``).

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule; the message names the index: ``parents[17] is 23: a parent must come before its
        child``.

    Notes
    -----
    The arrays of a skeleton are read-only, and numpy refuses to make them writeable.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest, ["hip", "knee"])
    >>> skeleton
    <Skeleton: 2 joints, 1 root: hip, knee>
    >>> skeleton.rest_global[1, :3, 3]
    array([0., 1., 0.])
    """

    __slots__ = ("_end_sites", "_index", "_names")
    _names: tuple[str, ...]
    _index: dict[str, int]
    _end_sites: Mapping[int, Floats]

    def __new__(
        cls,
        parents: npt.ArrayLike,
        rest_local: npt.ArrayLike,
        names: Iterable[str] | None = None,
        inverse_bind: npt.ArrayLike | None = None,
        *,
        end_sites: Mapping[int, npt.ArrayLike] | None = None,
    ) -> Skeleton:
        """Check everything and copy it."""
        tree = parents_array(parents)
        check_tree(tree)
        num_joints = len(tree)
        rest = _matrices_array(rest_local, "rest_local", num_joints)
        bind = None if inverse_bind is None else _matrices_array(inverse_bind, "inverse_bind", num_joints)
        checked_names = _names_tuple(names, num_joints)
        checked_sites = _end_sites_dict(end_sites, num_joints)
        self = super().__new__(cls, tree, rest, bind)
        object.__setattr__(self, "_names", checked_names)
        object.__setattr__(self, "_index", {name: j for j, name in reversed(list(enumerate(checked_names)))})
        object.__setattr__(self, "_end_sites", checked_sites)
        return self

    @classmethod
    def from_global(
        cls,
        parents: npt.ArrayLike,
        rest_global: npt.ArrayLike,
        names: Iterable[str] | None = None,
        inverse_bind: npt.ArrayLike | None = None,
        *,
        end_sites: Mapping[int, npt.ArrayLike] | None = None,
    ) -> Skeleton:
        """Make a skeleton from a rest pose in model space.

        Parameters
        ----------
        parents, names, inverse_bind, end_sites
            As for `Skeleton`.
        rest_global : array_like, (J, 4, 4) or (J, 3, 4)
            Rest pose of each joint in model space.

        Returns
        -------
        Skeleton
            The skeleton with ``rest_local[j] = inverse(rest_global[parents[j]]) @ rest_global[j]``.

        Examples
        --------
        >>> rest = np.tile(np.eye(4), (2, 1, 1))
        >>> rest[:, 1, 3] = [1, 3]
        >>> sk.Skeleton.from_global([-1, 0], rest).rest_local[1, :3, 3]
        array([0., 2., 0.])
        """
        tree = parents_array(parents)
        check_tree(tree)
        globals_ = _matrices_array(rest_global, "rest_global", len(tree))
        for bad in np.flatnonzero(~np.isfinite(globals_).all(axis=(1, 2))):
            raise ValueError(f"rest_global[{bad}]: a matrix must be finite")
        local = globals_.copy()
        for j, parent in enumerate(tree.tolist()):
            if parent < 0:
                continue
            try:
                local[j] = np.linalg.solve(globals_[parent], globals_[j])
            except np.linalg.LinAlgError:
                raise ValueError(f"rest_global[{parent}] has no inverse: joint {j} needs one") from None
        local[:, 3] = [0, 0, 0, 1]
        return cls(tree, local, names, inverse_bind, end_sites=end_sites)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each joint."""
        return self._names

    @property
    def end_sites(self) -> Mapping[int, Floats]:
        """Offsets of tips, by joint: {joint: (3,)}."""
        return self._end_sites

    def __getitem__(self, name: str) -> int:
        """Return `index` of a joint's name: ``skeleton["Hips"]``; KeyError where there is none."""
        try:
            return self.index(name)
        except ValueError as error:
            raise KeyError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def index(self, name: str) -> int:
        """Return the index of the joint with this name; of several, the first.

        Parameters
        ----------
        name : str
            The joint's name.

        Returns
        -------
        int
            Its index.

        Raises
        ------
        ValueError
            There is no such joint; the message lists similar names.

        Examples
        --------
        >>> sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)), ["hip", "knee"]).index("knee")
        1
        """
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}: a name must be a string")
        found = self._index.get(name)
        if found is None:
            raise ValueError(f"no joint is called {name!r}{did_you_mean(name, self._names)}")
        return found

    def chain(self, root: int | str, tip: int | str) -> tuple[int, ...]:
        """Return the joints from `root` down to `tip`, both included.

        Parameters
        ----------
        root, tip : int or str
            Joints by index or name; `root` is an ancestor of `tip`, or `tip` itself.

        Returns
        -------
        tuple of int
            Joints in order from `root` to `tip`.

        Raises
        ------
        ValueError, TypeError
            There is no such joint, or `root` is not an ancestor of `tip`.

        Examples
        --------
        >>> sk.Skeleton([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1))).chain(0, 2)
        (0, 1, 2)
        """
        first, last = joint_number(self, root, "root"), joint_number(self, tip, "tip")
        parents = self.parents
        path = [last]
        while path[-1] > first:
            path.append(int(parents[path[-1]]))
        if path[-1] != first:
            raise ValueError(f"{self._names[first]!r} is not an ancestor of {self._names[last]!r}")
        return tuple(reversed(path))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Skeleton is immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Skeleton is immutable: cannot delete {name}")

    def _key(self) -> tuple[object, ...]:
        arrays: Sequence[Array] = (self.parents, self.rest_local, self.inverse_bind)
        sites = tuple(sorted((joint, tuple(offset.tolist())) for joint, offset in self._end_sites.items()))
        return (self._names, sites, *((array + 0).tobytes() for array in arrays))  # + 0: -0.0 equals 0.0

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self._key() == other._key() if isinstance(other, Skeleton) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._names, self.parents.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        sites = {joint: offset.tolist() for joint, offset in self._end_sites.items()}
        # plain arrays: the attributes' memory belongs to this object
        arrays = (self.parents.copy(), self.rest_local.copy(), self._names, self.inverse_bind.copy())
        return _rebuild, (type(self), arrays, sites)

    def _repr_html_(self) -> str:
        """Show the joints as a table, indented below their parents."""
        depth: list[int] = []
        rows = []
        for joint, parent in enumerate(self.parents.tolist()):
            depth.append(0 if parent < 0 else depth[parent] + 1)
            offset = " ".join(f"{value:.4g}" for value in self.rest_local[joint, :3, 3])
            tip = self.end_sites.get(joint)
            end = "" if tip is None else " ".join(f"{value:.4g}" for value in tip)
            name = "\N{NO-BREAK SPACE}" * 3 * depth[joint] + self._names[joint]
            rows.append((name, str(joint), "–" if parent < 0 else self._names[parent], offset, end))
        return html_table(("joint", "index", "parent", "offset from the parent", "end site"), rows)

    def __repr__(self) -> str:
        roots = int((self.parents < 0).sum())
        shown = ", ".join(self._names[:4]) + (", ..." if self.num_joints > 4 else "")
        joints = f"{self.num_joints} joint{'s' * (self.num_joints != 1)}"
        return f"<{type(self).__name__}: {joints}, {roots} root{'s' * (roots != 1)}: {shown}>"


def checked_skeleton(skeleton: object) -> Skeleton:
    """Return a skeleton, or raise a TypeError for anything else."""
    if not isinstance(skeleton, Skeleton):
        raise TypeError(f"skeleton is a {type(skeleton).__name__}: a Skeleton is needed")
    return skeleton


def joint_number(skeleton: Skeleton, joint: int | str | np.integer[Any], argument: str) -> int:
    """Return the number of a joint given by number or name; errors name the argument."""
    checked_skeleton(skeleton)
    if isinstance(joint, str):
        try:
            return skeleton.index(joint)
        except ValueError as error:
            raise ValueError(f"{argument}: {error}") from None
    try:
        number = None if isinstance(joint, (bool, np.bool_)) else operator.index(joint)
    except TypeError:  # of an array too, which has an index if it holds one integer
        number = None
    if number is None:
        raise TypeError(f"{argument} is {joint!r}: a joint is given by its number or name")
    if not 0 <= number < skeleton.num_joints:
        raise ValueError(f"{argument} is {number}: there is no joint of this number")
    return number


def _rebuild(cls: type[Skeleton], arrays: tuple[Any, ...], sites: dict[int, list[float]]) -> Skeleton:
    return cls(*arrays, end_sites=sites)
