# SPDX-License-Identifier: MIT
"""Reading arrays of where joints are, as text-to-motion and pose estimation write them, into a `Clip`."""

from __future__ import annotations

import io
import os
from typing import Any, NamedTuple

import numpy as np

from ..._support.arguments import frame_rate
from ..._support.array_types import Array, FilePath, Floats
from ..._support.errors import FormatError
from ..._support.npy_files import read_npy_header
from ..._support.values import lock
from ...motion.clip import Clip, with_source
from ...motion.facts import ClipFacts
from ...motion.positions_to_transforms import transforms_from_positions
from ...skeleton import Skeleton
from ...transforms import compose, quaternion_from_matrix
from ..amass.body import UNTURNED
from ..array_files import check_finite, names_listed, skeleton_of, unpacked, whole_file
from ..frame_rates import rate_of_arrays
from .bodies import Body, body_of
from .source import PositionsSource

POSITIONS = ("posed_joints", "joint_positions", "positions", "joints")
_TURNS = "global_rot_mats"
_LABELS = ("foot_contacts", "contacts")
_NAMES = ("joint_names", "names")
_FARTHEST = 1e9
_SQUARE = 0.02  # how far the rows of a rotation may be from unit vectors square to each other
_USUAL = 30.0
_OPEN_IT = (
    "it holds Python objects, which skelkin never opens: open it yourself, as with `motion = np.load(path, "
    "allow_pickle=True).item()['motion']` ((n, joints, 3, frames) from MDM), and make clips with "
    "`sk.Clip.from_positions(motion[0].transpose(2, 0, 1), parents, names, fps=20)`"
)


class _Arrays(NamedTuple):
    """The arrays of a file, as they are there."""

    positions: Array
    positions_key: str
    turns: Array | None
    labels: Array | None
    rate: tuple[float, str] | None  # and where it comes from
    parents: Array | None
    names: Array | None


def has_positions(names: Any) -> bool:
    """Tell whether arrays of these names hold where joints are."""
    return any(key in names for key in POSITIONS)


def read_positions(path: FilePath, fps: float | None = None, skeleton: Clip | Skeleton | None = None) -> Clip:
    """Read an `.npy` or `.npz` file with the positions of all joints.

    An `.npy` file is an array (F, J, 3), as HumanML3D and its kin have them. An `.npz` file has it under
    ``posed_joints``, ``joint_positions``, ``positions`` or ``joints``; beside it may be ``global_rot_mats``
    (F, J, 3, 3), global rotations, and ``foot_contacts`` (F, 4), whether the left heel and toe and the right heel and
    toe stand, as Kimodo has them; ``parents`` and ``joint_names``; and ``fps``. All may have one more dimension of 1 in
    front. Nothing that is pickled is opened.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    fps : float, optional
        Frames per second, whatever the file says. Where neither says, 20 for the 22 joints of HumanML3D, else 30.
    skeleton : Skeleton or Clip, optional
        Which joints they are, in the order of the positions; of it only names and parents count. 22, 24, 52 and 55
        joints are those of the SMPL family and 30 those of Kimodo where nothing else is said.

    Returns
    -------
    Clip
        Its joints are where the file has them; without rotations these are found as `Clip.from_positions` finds them.

    Raises
    ------
    FormatError
        If the file is broken, or holds something else; says what.
    ValueError
        If it is not known which joints they are, or `skeleton` has another number of them.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> np.save("joints.npy", clip.positions().astype(np.float32))
    >>> again = read_positions("joints.npy", clip.fps, clip)
    >>> again.names == clip.names, bool(np.abs(again.positions() - clip.positions()).max() < 1e-6)
    (True, True)
    """
    file = whole_file(path)
    data = file.getvalue()
    arrays = _unpacked(path, file, fps) if data[:2] == b"PK" else _one_array(path, file, len(data), fps)
    return _clip_of(path, data, arrays, skeleton)


def _one_array(path: FilePath, file: io.BytesIO, size: int, fps: float | None) -> _Arrays:
    try:
        header = read_npy_header(file, path, size, "f")
    except FormatError as error:
        if b"|O" in file.getvalue()[:256]:
            raise FormatError(path, None, _OPEN_IT) from None
        raise error
    items = file.read(header.num_bytes)
    array = np.frombuffer(items, header.dtype).reshape(header.shape, order="F" if header.in_columns else "C")
    rate = None if fps is None else (frame_rate(fps), "given")
    return _Arrays(array, "", None, None, rate, None, None)


def _unpacked(path: FilePath, file: io.BytesIO, fps: float | None) -> _Arrays:
    arrays = unpacked(file)
    there = arrays.names
    key = next((key for key in POSITIONS if key in there), None)
    if key is None:
        raise FormatError(path, None, f"has no positions of joints, its arrays are {names_listed(there)}")

    def read(names: tuple[str, ...], kinds: str) -> Array | None:
        found = next((name for name in names if name in there), None)
        return None if found is None else arrays.read(found, kinds)

    positions, turns, labels = arrays.read(key, "f"), read((_TURNS,), "f"), read(_LABELS, "biuf")
    rate, parents, names = rate_of_arrays(arrays, fps), read(("parents",), "iu"), read(_NAMES, "U")
    return _Arrays(positions, key, turns, labels, rate, parents, names)


def _clip_of(path: FilePath, data: bytes, arrays: _Arrays, skeleton: Any) -> Clip:
    name = arrays.positions_key or "the array"
    places = _without_batch(path, name, arrays.positions, 3)
    if places.ndim != 3 or places.shape[2] != 3 or 0 in places.shape:
        raise FormatError(path, None, f"{name} has the shape {arrays.positions.shape}: (frames, joints, 3) is needed")
    check_finite(path, name, places, _FARTHEST)
    positions = np.asarray(places, np.float64)
    frames, joints = positions.shape[:2]
    body = _body(path, arrays, joints, skeleton)
    notes = [body.known_from]
    turns_key = ""
    if arrays.turns is None:
        found = transforms_from_positions(positions, body.parents, body.names)
        rest, rotations, translations = found.skeleton, found.rotations, found.translations
        notes += found.notes
    else:
        turns_key = _TURNS
        rest, rotations, translations = _turned(path, arrays.turns, positions, body)
    labels = None
    stands = None if arrays.labels is None else _without_batch(path, "foot_contacts", arrays.labels, 2)
    if stands is not None and stands.shape == (frames, 4):
        notes.append("the file says when heels and toes stand: contacts=clip.labelled_contacts() plants by that")
        labels = np.asarray(stands > 0.5)
    usual = (_USUAL, "assumed") if body.fps is None else (body.fps, "assumed: usual for these joints")
    rate, rate_source = arrays.rate or usual
    lock(rotations, translations)
    clip = Clip(rest, rotations, translations, fps=rate)
    layout = "Kimodo" if turns_key else "positions"
    facts = ClipFacts(layout, None, None, None, rate, rate_source, tuple(notes))
    keys = {"positions_key": arrays.positions_key, "turns_key": turns_key}
    return with_source(clip, PositionsSource.of(clip, facts, data=data, labels=labels, **keys))


def _without_batch(path: FilePath, name: str, array: Array, wanted: int) -> Array:
    """Return an array without a first dimension of 1 that is one too many."""
    if array.ndim != wanted + 1:
        return array
    if len(array) != 1:
        reason = f"{name} has the shape {array.shape}: {len(array)} motions in one array, load them one by one"
        raise FormatError(path, None, reason)
    return np.asarray(array[0])


def _body(path: FilePath, arrays: _Arrays, joints: int, skeleton: Any) -> Body:
    given = skeleton_of(skeleton)
    if given is None and arrays.parents is not None:
        names = None if arrays.names is None else tuple(map(str, arrays.names.reshape(-1).tolist()))
        try:
            given = Skeleton(arrays.parents, np.tile(np.eye(4), (joints, 1, 1)), names)
        except ValueError as error:
            raise FormatError(path, None, str(error)) from None
        return body_of(joints, given)._replace(known_from="joints are those of the file")  # type: ignore[union-attr]
    found = body_of(joints, given)
    if found is None:
        raise ValueError(
            f"skeleton is None: {os.fspath(path)} has positions of {joints} joints and does not say which they are; "
            "give skeleton= (--skeleton), a clip or a .json file with joint_names and parents"
        )
    return found


def _turned(path: FilePath, turns: Array, positions: Floats, body: Body) -> tuple[Skeleton, Floats, Floats]:
    """Return the skeleton, local rotations and local translations of joints whose global rotations are given."""
    frames, joints = positions.shape[:2]
    whole = np.asarray(_without_batch(path, _TURNS, turns, 4), np.float64)
    if whole.shape != (frames, joints, 3, 3):
        shape = f"({frames}, {joints}, 3, 3)"
        raise FormatError(path, None, f"{_TURNS} has the shape {turns.shape}: {shape} is needed")
    check_finite(path, _TURNS, whole.reshape(frames, joints, 9), _FARTHEST)
    square = np.abs(whole @ np.swapaxes(whole, -1, -2) - np.eye(3)).max(axis=(-1, -2))
    wrong = (square > _SQUARE) | (np.linalg.det(whole) < 0.0)
    for frame, joint in np.argwhere(wrong)[:1].tolist():
        raise FormatError(path, None, f"{_TURNS} of joint {joint} in frame {frame} is not a rotation")
    parents = np.asarray(body.parents)
    above = np.maximum(parents, 0)
    back = np.where((parents < 0)[:, None, None], np.eye(3), np.swapaxes(whole[:, above], -1, -2))
    rotations = np.asarray(quaternion_from_matrix(back @ whole), np.float64)
    apart = positions - np.where((parents < 0)[:, None], 0.0, positions[:, above])
    translations = np.ascontiguousarray((back @ apart[..., None])[..., 0])
    rest = compose(np.median(translations, axis=0), UNTURNED)
    return Skeleton(parents, rest, body.names), rotations, translations
