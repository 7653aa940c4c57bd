# SPDX-License-Identifier: MIT
"""Reading glTF: each animation as a `Clip`."""

from __future__ import annotations

import numpy as np

from ..._support.arguments import frame_rate
from ..._support.array_types import FilePath
from ..._support.errors import FormatError
from ..._support.nearest_name import did_you_mean
from ..._support.values import lock
from ...kinematics.joint_transforms import rest_shear
from ...motion.clip import Clip, with_source
from ...motion.facts import ClipFacts
from ..unique_names import unique_names
from .accessors import Accessors
from .animations import Sampler
from .container import Document, read_document
from .humanoid import humanoid_names
from .nodes import Rig
from .source import GltfSource

_MOST_LISTED = 12


def read_gltf(path: FilePath, animation: str | int | None = None, fps: float | None = None) -> Clip:
    """Read one animation of a ``.glb`` or ``.gltf`` file.

    Joints are the nodes of all skins and those above them, without a skin all nodes; they have the nodes' names.
    Curves are evaluated at the frames between the first key and the last.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    animation : str or int, optional
        The animation's name, or its number from 0; may be left out where there is one. Where there is none, the clip
        is one frame, the rest pose.
    fps : float, optional
        Frames per second; where not given, those of the keys, see `ClipFacts.fps_source`.

    Returns
    -------
    Clip
        In the file's axes and unit: by the format +Y is up and a unit a metre.

    Raises
    ------
    FormatError
        If the file is broken or needs an extension that is not known.
    ValueError
        If it has several animations and none is named, or none of that name; lists those it has.
    OSError
        If it cannot be opened.

    Notes
    -----
    The format as described in Khronos Group, "glTF 2.0 Specification", 2021; interpolation by its appendix C.

    Examples
    --------
    >>> sk.save_animations({"walk": sk.example("biped").clip}, "biped.glb")
    >>> clip = read_gltf("biped.glb")
    >>> clip.num_frames, clip.facts.animation, clip.facts.fps_source
    (180, 'walk', 'commonest key step')
    """
    reader = _Reader(read_document(path), fps)
    return reader.clip(_chosen(reader.names, animation))


def read_gltf_animations(path: FilePath, fps: float | None = None) -> dict[str, Clip]:
    """Read all animations of a ``.glb`` or ``.gltf`` file.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    fps : float, optional
        As in `read_gltf`, for all of them.

    Returns
    -------
    dict of str to Clip
        By name, in the file's order; empty where there is none. A name that occurs again gets ``.001``, ``.002`` ….

    Raises
    ------
    FormatError, OSError
        As from `read_gltf`.

    Examples
    --------
    >>> sk.save_animations({"walk": sk.example("biped").clip}, "biped.glb")
    >>> read_gltf_animations("biped.glb")
    {'walk': Clip(180 frames at 30 fps, 22 joints)}
    """
    reader = _Reader(read_document(path), fps)
    return {name: reader.clip(number) for number, name in enumerate(reader.names)}


def animation_names(document: Document) -> list[str]:
    """Return what the animations of a document are called, each once."""
    items = document.items("animations")
    return unique_names([document.name(item, f"animation_{number}") for number, item in enumerate(items)])


class _Reader:
    """One document, whose animations share a skeleton."""

    def __init__(self, document: Document, fps: float | None) -> None:
        self._document, self._fps = document, None if fps is None else frame_rate(fps)
        accessors = Accessors(document)
        self._rig = Rig(document, accessors)
        self._sampler = Sampler(document, accessors, self._rig)
        self.names = animation_names(document)
        self._leg_names = humanoid_names(document, self._rig)
        self._notes = self._what_there_is()

    def clip(self, number: int | None) -> Clip:
        """Return an animation; None is the rest pose."""
        rig = self._rig
        if number is None:
            scales = rig.scales[None] if (rig.scales != 1.0).any() else None
            facts = ClipFacts("glTF", None, "+Y", 1.0, self._fps or 30.0, "given" if self._fps else "assumed")
            note = "there is no animation: the clip is the rest pose"
            arrays, times = (rig.rotations[None], rig.translations[None], scales), np.zeros(1)
            notes: tuple[str, ...] = (note,)
        else:
            found = self._sampler.sample(number, self._fps)
            facts = ClipFacts("glTF", self.names[number], "+Y", 1.0, found.fps, found.fps_source)
            arrays, times, notes = found[:3], found.times, found.notes
        facts = facts._replace(notes=(*self._notes, *notes))
        lock(*arrays)  # so that the clip need not copy them
        try:
            clip = Clip(rig.skeleton, *arrays, fps=facts.fps)
        except ValueError as error:
            raise FormatError(self._document.path, None, f"animation {facts.animation!r}: {error}") from None
        of_file = {"container": self._document.container, "leg_names": self._leg_names}
        source = GltfSource.of(clip, facts, number=number, joints=tuple(rig.joints), times=times, **of_file)
        return with_source(clip, source)

    def _what_there_is(self) -> tuple[str, ...]:
        """Return what else the file has, in sentences."""
        skins, document = self._rig.skins, self._document
        notes = [f"skin {skin.name!r} of {len(skin.joints)} joints" for skin in skins[:_MOST_LISTED]]
        if len(skins) > _MOST_LISTED:
            notes.append(f"{len(skins) - _MOST_LISTED} more skins")
        if not skins:
            notes.append("no skin: all nodes are joints")
        if meshes := document.items("meshes"):
            notes.append(f"{len(meshes)} meshes, read by sk.load_mesh")
        if (shear := rest_shear(self._rig.skeleton)) is not None:
            sheared = [
                self._rig.skeleton.names[joint] for joint in np.flatnonzero((shear != np.eye(3)).any(axis=(1, 2)))
            ]
            listed = ", ".join(map(repr, sheared[:_MOST_LISTED])) + (", …" if len(sheared) > _MOST_LISTED else "")
            notes.append(f"sheared by their matrices, which rotations and scales cannot express: {listed}")
        if self._leg_names is not None:
            notes.append("legs are named by its humanoid map")
        return tuple(notes)


def _chosen(names: list[str], animation: str | int | None) -> int | None:
    """Return the number of the animation to read, None for the rest pose."""
    listed = ", ".join(map(repr, names[:_MOST_LISTED]))
    listed += f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    count = f"{len(names)} animation{'s' * (len(names) > 1)}"
    there = f"the file has {count}: {listed}" if names else "the file has no animation"
    if animation is None:
        if len(names) > 1:
            raise ValueError(f"animation is None, and {there}; sk.load_animations reads all")
        return 0 if names else None
    if isinstance(animation, str):
        if animation not in names:
            raise ValueError(f"animation is {animation!r}: {there}{did_you_mean(animation, names, ';')}")
        return names.index(animation)
    if isinstance(animation, bool) or not hasattr(animation, "__index__"):
        raise TypeError(f"animation is {animation!r}: a name or a number is needed")
    number = animation.__index__()
    if not 0 <= number < len(names):
        raise ValueError(f"animation is {number}: {there}")
    return number
