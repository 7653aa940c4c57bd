# SPDX-License-Identifier: MIT
"""Files: `load` reads a clip by the ending of its name, `save` writes one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from .._support.arguments import check_kind, flag
from .._support.short_repr import shown
from ..motion.clip import Clip
from ..skeleton import Skeleton
from ..skinning.mesh import Mesh
from .formats import ENDINGS, FORMATS, Format, format_of
from .given_skeleton import read_skeleton

__all__ = ["ENDINGS", "load", "load_animations", "load_mesh", "save", "save_animations", "what_is_lost"]


def load(
    path: str | os.PathLike[str],
    animation: str | int | None = None,
    *,
    fps: float | None = None,
    skeleton: Clip | Skeleton | str | os.PathLike[str] | None = None,
    strict: bool = False,
    root: Literal["auto", "replace", "add"] = "auto",
) -> Clip:
    """Read a clip from a file.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.bvh``, ``.glb``, ``.gltf``, ``.vrm`` or ``.vrma`` file; an ``.npz`` file of AMASS or other poses of the
        SMPL family; or an ``.npz`` or ``.npy`` file with the positions of all joints, see
        `skelkin_py.io.joint_positions.reader.read_positions`.
    animation : str or int, optional
        Which animation to read where the format can hold several: its name, or its number from 0. May be left out
        where the file has one.
    fps : float, optional
        Frames per second, whatever the file says; at those the curves of glTF are evaluated.
    skeleton : Skeleton, Clip or path, optional
        Which joints they are, for files that do not say (``.npz``, ``.npy``), and their offsets for files that have
        rotations alone: see `skelkin_py.io.amass.reader.read_amass`. A path is that of a clip, or of a ``.json`` or
        ``.npz`` file with "parents", "joint_names" and "rest_offsets".
    strict : bool, default False
        Refuse BVH files that break the rules of the format in ways that are beyond doubt, instead of warning: see
        `skelkin_py.io.bvh.reader.read_bvh`.
    root : {"auto", "replace", "add"}, default "auto"
        Whether position channels of the root of a BVH file take the place of its offset or are added to it; "auto" adds
        only where feet stand on the ground so alone.

    Returns
    -------
    Clip
        The skeleton and its motion, in the file's own unit and axes; ``clip.facts`` says what was found of these.

    Raises
    ------
    FormatError
        If the file is broken; names the line where there are lines.
    ValueError
        If the ending is unknown, or an argument is given that files of the format do not know; names it.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.example("biped").clip.save("walk.bvh")
    >>> sk.load("walk.bvh").num_frames
    180
    >>> sk.load("walk.c3d")
    Traceback (most recent call last):
    ValueError: path is 'walk.c3d': the name must end in .bvh, .glb, .gltf, .vrm, .vrma, .npz or .npy
    """
    found = format_of(path)
    _check_choice("animation", animation)
    given = {"animation": animation, "fps": fps, "skeleton": _skeleton(skeleton), **_reading_of_bvh(strict, root)}
    return found.load_module().read(path, **_known(found, given))


def load_animations(
    path: str | os.PathLike[str],
    *,
    fps: float | None = None,
    skeleton: Clip | Skeleton | str | os.PathLike[str] | None = None,
    strict: bool = False,
    root: Literal["auto", "replace", "add"] = "auto",
) -> dict[str, Clip]:
    """Read all animations of a file.

    Parameters
    ----------
    path : str or os.PathLike
        As for `load`.
    fps, skeleton, strict, root : optional
        As for `load`.

    Returns
    -------
    dict of str to Clip
        In the file's order, by name. Of a format whose files hold one, that one, named as the file is without ending.

    Raises
    ------
    FormatError, ValueError, OSError
        As from `load`.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.example("biped").clip.save("walk.bvh")
    >>> sk.load_animations("walk.bvh")
    {'walk': Clip(180 frames at 30 fps, 22 joints)}
    """
    found = format_of(path)
    given = {"fps": fps, "skeleton": _skeleton(skeleton), **_reading_of_bvh(strict, root)}
    module, options = found.load_module(), _known(found, given)
    if found.several:
        return module.read_animations(path, **options)
    return {os.path.splitext(os.path.basename(os.fspath(path)))[0]: module.read(path, **options)}


def load_mesh(path: str | os.PathLike[str], mesh: str | int | None = None) -> Mesh:
    """Read a skinned mesh from a file, see `skelkin_py.io.gltf.mesh.load_mesh`.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.glb``, ``.gltf`` or ``.vrm`` file.
    mesh : str or int, optional
        Only the mesh of this name or number. All of the scene are joined where it is not given: skinned ones as they
        are, others with weight 1 to their parent joint.

    Returns
    -------
    Mesh
        Points where they are bound, morph targets at their default weights; triangles, normals and tangents where all
        parts have them, weights of all influences, and the skeleton of the file's clips with the skin's inverse bind
        matrices.

    Raises
    ------
    FormatError
        If the file is broken.
    ValueError
        If the ending is another, there is no mesh, or none of that name; or two bind one joint in different ways.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.save_animations({"walk": sk.example("biped").clip}, "biped.glb")
    >>> sk.load_mesh("biped.glb")
    Traceback (most recent call last):
    ValueError: 'biped.glb' has no mesh
    """
    if format_of(path).name != "glTF":
        raise ValueError(f"path is {os.fspath(path)!r}: meshes are read from .glb, .gltf and .vrm files")
    _check_choice("mesh", mesh)
    from .gltf.mesh import load_mesh as load_gltf_mesh

    return load_gltf_mesh(path, mesh)


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Write a clip to a file; the ending of the name says the format.

    Parameters
    ----------
    clip : Clip
        The clip.
    path : str or os.PathLike
        A ``.bvh``, ``.glb`` or ``.gltf`` file, or ``.npy`` for the positions of all joints; ``.npz``, ``.vrm`` or
        ``.vrma`` for a clip that was read from one. Replaced in one step, never half-written. A clip that was read from
        a file of the same format goes back into a copy of that file: only what has changed is new.

    Raises
    ------
    ValueError
        If the ending is unknown or the format cannot hold the clip.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30)
    >>> save(clip, "still.c3d")
    Traceback (most recent call last):
    ValueError: path is 'still.c3d': the name must end in .bvh, .glb, .gltf, .vrm, .vrma, .npz or .npy
    """
    check_kind("clip", clip, Clip)
    format_of(path, writing=True).load_module().write(path, clip)


def save_animations(clips: Mapping[str, Clip], path: str | os.PathLike[str]) -> None:
    """Write several animations into one file.

    Parameters
    ----------
    clips : mapping of str to Clip
        The animations by name. Those that were read from one file go back into a copy of that file: only what has
        changed is new.
    path : str or os.PathLike
        A file of a format that can hold several; replaced in one step, never half-written.

    Returns
    -------
    None
        All is in the file.

    Raises
    ------
    ValueError
        If there is no clip, the format holds one and there are more, or it cannot hold them.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> clip = sk.example("biped").clip
    >>> sk.save_animations({"walk": clip, "stop": clip}, "both.bvh")
    Traceback (most recent call last):
    ValueError: clips has 2 animations: a BVH file holds one
    """
    if not isinstance(clips, Mapping):
        raise TypeError(f"clips is a {type(clips).__name__}: a mapping of names to clips is needed")
    if not clips:
        raise ValueError("clips is empty: at least one animation is needed")
    for name, clip in clips.items():
        if not isinstance(name, str):
            raise TypeError(f"clips has the key {shown(name)}: the name of an animation is text")
        check_kind(f"clips[{name!r}]", clip, Clip)
    found = format_of(path, writing=True)
    if found.several:
        found.load_module().write_animations(path, clips)
    elif len(clips) > 1:
        raise ValueError(f"clips has {len(clips)} animations: a {found.name} file holds one")
    else:
        found.load_module().write(path, next(iter(clips.values())))


def what_is_lost(clip: Clip, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return what a file cannot hold of a clip because of its format.

    Parameters
    ----------
    clip : Clip
        The clip.
    path : str or os.PathLike
        The file it is to be written to.

    Returns
    -------
    tuple of str
        A few words each, such as "scales"; empty where nothing is lost.

    Raises
    ------
    ValueError
        If the ending is unknown.
    """
    check_kind("clip", clip, Clip)
    return format_of(path, writing=True).load_module().what_is_lost(clip)


def _check_choice(name: str, value: Any) -> None:
    if not (value is None or isinstance(value, (str, int, np.integer))):
        raise TypeError(f"{name} is {shown(value)}: its name, or its number from 0, is needed")


def _skeleton(given: Any) -> Any:
    """Return a skeleton that was given as the path of a file."""
    if not isinstance(given, (str, os.PathLike)):
        return given
    ending = os.path.splitext(os.fspath(given))[1].lower()
    found = read_skeleton(given) if ending in (".json", ".npz") else None
    if found is None:
        format_of(given, argument="skeleton")
        found = next(iter(load_animations(given).values())).skeleton
    return found


def _reading_of_bvh(strict: bool, root: str) -> dict[str, Any]:
    """Return the arguments as `_known` takes them: None where they are as without."""
    if not isinstance(root, str):
        raise TypeError(f"root is {shown(root)}: 'auto', 'replace' or 'add' is needed")
    return {"strict": flag("strict", strict) or None, "root": None if root == "auto" else root}


def _known(found: Format, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `load` that were given; refuse those that files of the format do not know."""
    options = {name: value for name, value in given.items() if value is not None}
    for name, value in options.items():
        if name == "animation" and not found.several:
            raise ValueError(f"animation is {value!r}: a {found.name} file holds one animation, it must be None")
        if name != "animation" and name not in found.options:
            takers = " and ".join(row.name for row in FORMATS if name in row.options)
            raise ValueError(f"{name} is {value!r}: it is for {takers} files, not for {found.name}")
    return options
