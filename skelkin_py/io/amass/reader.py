# SPDX-License-Identifier: MIT
"""Reading AMASS files and other arrays of SMPL poses into a `Clip`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ... import _core
from ..._support.arguments import plain
from ..._support.array_types import FilePath, Floats
from ..._support.errors import FormatError
from ...motion.clip import Clip, clip_of_own, with_source
from ...motion.facts import ClipFacts, ClipSource
from ...skeleton import Skeleton
from ...transforms import compose, quaternion_from_rotation_vector
from ..array_files import MOST_LISTED, check_finite, names_listed, skeleton_of, unpacked, whole_file
from ..frame_rates import Arrays, rate_of_arrays
from .body import AVERAGE, UNTURNED, average_body, names_of
from .layout import AmassSource, find_parts, find_translations, given_arrays, has_poses, vectors

_LAYOUTS = {22: "SMPL, body only", 24: "SMPL", 52: "SMPL-H", 55: "SMPL-X"}
_FARTHEST = 1e30  # lengths and turns
_SURE = 0.7  # of the mean distance from feet to head along one axis: else nothing is said of what is up
_AXES = ("X", "Y", "Z")


def read_amass(path: FilePath, fps: float | None = None, skeleton: Clip | Skeleton | None = None) -> Clip:
    """Read an `.npz` file with poses of SMPL, SMPL-H or SMPL-X, as AMASS has them.

    The arrays are ``poses`` (F, 66 | 72 | 156 | 165), or ``root_orient`` and ``pose_body`` with ``pose_hand``,
    ``pose_jaw`` and ``pose_eye`` where they are there (``global_orient``, ``body_pose``, ``left_hand_pose``,
    ``right_hand_pose`` likewise), rotation vectors in radians; ``trans`` or ``transl`` (F, 3); and
    ``mocap_framerate``, ``mocap_frame_rate`` or ``fps``. Nothing that is pickled is opened.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    fps : float, optional
        Frames per second, whatever the file says.
    skeleton : Skeleton or Clip, optional
        The body: its offsets of joints, by their names or in the order of the poses. Where not given, one of average
        proportions, as ``clip.facts.notes`` says.

    Returns
    -------
    Clip
        In metres. The pelvis is at that of the body at rest plus ``trans``.

    Raises
    ------
    FormatError
        If the file is broken, or holds no such poses; says which arrays it has.
    ValueError
        If `skeleton` does not fit.
    OSError
        If it cannot be opened.

    Notes
    -----
    The layout as in N. Mahmood et al., "AMASS: Archive of Motion Capture as Surface Shapes", 2019.

    Examples
    --------
    >>> np.savez("stand.npz", poses=np.zeros((10, 156)), trans=np.zeros((10, 3)), mocap_framerate=120.0)
    >>> clip = read_amass("stand.npz")
    >>> clip.num_frames, clip.fps, clip.facts.format, clip.names[:3]
    (10, 120.0, 'AMASS (SMPL-H)', ('pelvis', 'left_hip', 'right_hip'))
    """
    file = whole_file(path)
    return _read(path, file.getvalue(), unpacked(file), fps, skeleton)


def clip_from_arrays(arrays: Mapping[str, Any], fps: float | None, skeleton: Clip | Skeleton | None) -> Clip:
    """Return the clip of arrays in the memory, see `Clip.from_smpl`.

    Parameters
    ----------
    arrays : mapping of str to array_like
        As `read_amass` finds them in a file; or mappings of such mappings, see `_with_poses`.
    fps, skeleton
        As in `read_amass`.

    Returns
    -------
    Clip
        It has no file.

    Raises
    ------
    TypeError
        If it is no mapping.
    FormatError
        If it holds no such poses, those of several people, or broken ones.
    """
    if not isinstance(arrays, Mapping):
        raise TypeError(f"arrays is a {type(arrays).__name__}: a mapping of names to arrays is needed")
    found = _with_poses(arrays)
    if len(found) > 1:
        listed = ", ".join(list(found)[:MOST_LISTED]) + (", …" if len(found) > MOST_LISTED else "")
        reason = f"has poses of {len(found)} people, {listed}: give one, as Clip.from_smpl({next(iter(found))}, fps=30)"
        raise FormatError("arrays", None, reason)
    for place, chosen in found.items():
        clip = _read(place, b"", given_arrays(chosen, place), fps, skeleton)
        notes = clip.facts.notes if place == "arrays" else (f"the poses are those of {place}", *clip.facts.notes)
        return with_source(clip, ClipSource(facts=ClipFacts(fps=clip.fps, notes=notes)))
    first = next((each for each in arrays.values() if isinstance(each, Mapping)), None)
    below = "" if first is None else f"; in the first mapping of them are {names_listed(first)}"
    reason = f"has no poses of the SMPL family, its arrays are {names_listed(arrays)}{below}"
    raise FormatError("arrays", None, reason)


def _with_poses(arrays: Mapping[Any, Any], place: str = "arrays", deep: int = 3) -> dict[str, Mapping[Any, Any]]:
    """Return the mappings that have poses, by how one gets at each.

    Programs that estimate bodies have one for each person, or two: in the world, which counts, and before the camera.
    """
    if has_poses(arrays):
        return {place: arrays}
    found: dict[str, Mapping[Any, Any]] = {}
    in_world = any("global" in str(name) or "world" in str(name) for name in arrays)
    for name, value in arrays.items() if deep else ():
        if isinstance(value, Mapping) and not (in_world and "cam" in str(name)):
            found.update(_with_poses(value, f"{place}[{plain(name)!r}]", deep - 1))
    return found


def _read(path: FilePath, data: bytes, arrays: Arrays, fps: float | None, skeleton: Any) -> Clip:
    names = arrays.names
    if not has_poses(names):
        raise FormatError(path, None, f"has no poses of the SMPL family, its arrays are {names_listed(names)}")
    count, parts, again = find_parts(arrays)
    if count not in _LAYOUTS:
        raise FormatError(path, None, f"has poses of {count} joints: {', '.join(map(str, _LAYOUTS))} are known")
    pieces = [vectors(arrays, part) for part in parts]
    vector = pieces[0] if len(parts) == 1 else np.empty((len(pieces[0]), count, 3))
    for part, piece in zip(parts, pieces, strict=True):
        if len(piece) != len(vector):
            raise FormatError(path, None, f"{part.key} has {len(piece)} frames, {parts[0].key} has {len(vector)}")
        if piece is not vector:
            vector[:, part.joints] = piece
    if len(vector) == 0:
        raise FormatError(path, None, f"{parts[0].key} has no frames")
    check_finite(path, parts[0].key, vector, _FARTHEST)
    body, notes = _body(skeleton, names_of(count))
    moved: Floats = np.zeros((len(vector), 3))
    trans = find_translations(arrays, parts[0].key)
    if trans is None:
        notes.append("the file does not say where the body is: it stays in place")
    else:
        moved = np.asarray(arrays.read(trans, "f"), np.float64)
        moved = moved.reshape(-1, 3) if moved.shape[1:] == (1, 3) else moved
        if moved.shape != (len(vector), 3):
            raise FormatError(path, None, f"{trans} has the shape {moved.shape}: ({len(vector)}, 3) is needed")
        check_finite(path, trans, moved[:, None], _FARTHEST)
        if "smpl_scaling" in names:  # of the body that the translations are of: AIST++
            moved = moved / _scaling(arrays)
    assumed = 60.0 if parts[0].key == "smpl_poses" else 30.0  # AIST++ has the former, most estimators the latter
    rate, rate_source = rate_of_arrays(arrays, fps) or (assumed, "assumed")
    rotations = np.asarray(quaternion_from_rotation_vector(vector))
    rest = np.asarray(body.rest_local)[:, :3, 3]
    translations = np.empty((len(vector), count, 3))
    translations[:] = rest
    translations[:, 0] = rest[0] + moved
    clip = clip_of_own(body, rotations, translations, rate)
    up = _up(clip)
    facts = ClipFacts(f"AMASS ({_LAYOUTS[count]})", None, up, 1.0, rate, rate_source, tuple(notes))
    source = AmassSource.of(clip, facts, data=data, parts=(*parts, *again), trans=trans, pelvis=rest[0])
    return with_source(clip, source)


def _scaling(arrays: Arrays) -> float:
    """Return by what a body in metres was scaled for its translations."""
    found = arrays.read("smpl_scaling", "f").ravel().tolist()
    if len(found) != 1 or not 1e-6 < found[0] < 1e6:
        raise FormatError(arrays.path, None, f"smpl_scaling is {found}: one number above 0 is needed")
    return float(found[0])


def _body(skeleton: Any, names: tuple[str, ...]) -> tuple[Skeleton, list[str]]:
    """Return the joints in the pose in which none is turned, and what there is to say of them."""
    average, given = average_body(names), skeleton_of(skeleton)
    if given is None:
        return average, [AVERAGE]
    parents, theirs = np.asarray(average.parents), np.asarray(given.rest_global)[:, :3, 3]
    missing = [name for name in names if name not in given.names]
    if given.num_joints == len(names) and missing:
        places, missing = theirs, []
    else:
        body = [name for name in missing if name in names_of(22)]
        if body:
            raise ValueError(
                f"skeleton has {given.num_joints} joints, and no {body[0]!r}: it needs those of the poses by name, or "
                f"{len(names)} in their order"
            )
        places = np.zeros((len(names), 3))
        for joint, name in enumerate(names):
            offset = np.asarray(average.rest_local)[joint, :3, 3]
            places[joint] = places[parents[joint]] + offset if name in missing else theirs[given.index(name)]
    offsets = np.concatenate([places[:1], places[1:] - places[parents[1:]]])
    notes = ["offsets of joints are those of the skeleton that was given"]
    if missing:
        notes.append(f"it has no {missing[0]!r} and {len(missing) - 1} more: these are on an average body's places")
    return Skeleton(parents, compose(offsets, UNTURNED), names), notes


def _up(clip: Clip) -> str | None:
    """Return the axis along which heads are above feet, where the motion is clear about it."""
    step = max(clip.num_frames // 256, 1)
    sampled = Clip(clip.skeleton, clip.rotations[::step], clip.translations[::step], fps=clip.fps).positions()
    index = clip.skeleton.index
    head = np.ascontiguousarray(sampled[:, index("head")])
    feet = np.ascontiguousarray(sampled[:, [index("left_ankle"), index("right_ankle")]].mean(axis=1))
    try:
        up, share = _core.body_up(head, head, feet, None, None, clip.fps)
    except ValueError:  # nothing says it
        return None
    axis = int(np.argmax(np.abs(up)))
    return ("+" if up[axis] > 0 else "-") + _AXES[axis] if share >= _SURE else None
