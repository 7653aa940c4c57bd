# SPDX-License-Identifier: MIT
"""Compare what is computed here with what Blender evaluates: of the open file, or of a file in a Blender of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._support.array_types import FilePath
from .._support.printable import escaped
from .armature import Armature
from .curves.fcurves import bone_of_path
from .live.action import read_action
from .live.armature import acts, read_channels, read_ik
from .live.modifiers import modifier_stack, read_modifiers

BOUNDS = {
    "pose": 6e-6,
    "pose with its IK constraints": 1e-5,
    "points of the mesh": 5e-6,
    "points of the mesh, bendy bones": 5e-5,
    "action": 6e-6,
    "action with its IK constraints": 1e-5,
}
_FRAMES = 20  # of an action, spread from the first to the last
# Runs inside Blender, which knows nothing of this package but where it lies. No entry of sys.path leads there: what is
# installed beside the package, numpy above all, is for another Python.
_INSIDE = """
import importlib.util, json, os, sys
import bpy
if {opens!r}:
    bpy.ops.wm.open_mainfile(filepath={file!r})
spec = importlib.util.spec_from_file_location({package!r}, {init!r}, submodule_search_locations=[{folder!r}])
sys.modules[{package!r}] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[{package!r}])
from {package}.blender.check import check_scene
rows = [row._asdict() for row in check_scene()]
with open({result!r}, "w", encoding="utf-8") as out:
    json.dump({{"version": bpy.app.version_string, "rows": rows}}, out)
sys.stdout.flush()
os._exit(0)  # some Blenders as modules crash in their clean-up
"""


class Difference(NamedTuple):
    """One row: which object, what was compared, the worst difference and the bound it should keep.

    `error` is relative to the largest coordinate, None where nothing was compared; then `why` says the reason. `equal`
    of `bones` bones have Blender's bits with ``exact=True``; None where that was not compared.
    """

    name: str
    part: str
    error: float | None
    bound: float | None
    why: str = ""
    equal: int | None = None
    bones: int | None = None


def check_scene() -> list[Difference]:
    """Compare every armature of the scene and every mesh that one of them deforms, at the current frame.

    The scene is as before when it returns; meanwhile it is stepped through actions, and modifiers of other kinds are
    switched off.

    Returns
    -------
    list of Difference
        In the order of ``scene.objects``.

    Raises
    ------
    ModuleNotFoundError
        Outside of Blender.
    """
    bpy: Any = import_module("bpy")

    found: list[Difference] = []
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            found.append(_guarded(thing, "pose", _pose_row))
            if (data := thing.animation_data) is not None and (data.action is not None or _stacked(data)):
                found.append(_guarded(thing, "action", _action_row))
        elif thing.type == "MESH" and any(each.type == "ARMATURE" for each in modifier_stack(thing)):
            found.append(_guarded(thing, "points of the mesh", _mesh_row))
    return found


def _guarded(thing: Any, part: str, row: Callable[[Any], Difference]) -> Difference:
    """Return the row of an object; what is refused by name becomes a row that says so."""
    try:
        return row(thing)
    except ValueError as error:
        return Difference(thing.name, part, None, None, str(error))


def _stacked(data: Any) -> bool:
    """Whether tracks of the NLA have a part in what is played; muted ones have none."""
    return bool(data.use_nla and any(each.is_solo or (len(each.strips) and not each.mute) for each in data.nla_tracks))


def _evaluated(thing: Any) -> Any:
    """Return the evaluated object; what is hidden from the view layer has none, and keeps whatever it had before."""
    bpy: Any = import_module("bpy")

    found = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if not found.is_evaluated:
        raise ValueError("Blender does not evaluate it: it is disabled in the viewport or in an excluded collection")
    return found


def _live_pose(armature_object: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    bones = _evaluated(armature_object).pose.bones
    matrices: np.ndarray[Any, np.dtype[np.float32]] = np.empty((len(bones), 4, 4), np.float32)
    bones.foreach_get("matrix", matrices.reshape(-1))
    return np.ascontiguousarray(matrices.transpose(0, 2, 1))


def _worst(found: Any, expected: Any) -> float:
    if expected.size == 0:
        return 0.0
    size = float(np.abs(expected).max())
    return float(np.abs(np.asarray(found, float) - expected.astype(float)).max()) / (size if size > 0 else 1.0)


def _require_modelled(thing: Any) -> None:
    """Raise an error that names what moves the bones beside channels and IK."""
    if thing.data.pose_position == "REST":
        raise ValueError("it is shown in its rest position")
    for bone in thing.pose.bones:
        for constraint in bone.constraints:
            if constraint.type != "IK" and acts(constraint):
                raise ValueError(f"bone {bone.name!r} has a constraint of type {constraint.type}: only IK is modelled")


def _has_ik(thing: Any) -> bool:
    return any(each.type == "IK" and acts(each) for bone in thing.pose.bones for each in bone.constraints)


def _pose_row(thing: Any) -> Difference:
    live = _live_pose(thing)
    _require_modelled(thing)
    armature = Armature.from_bpy(thing)
    channels = read_channels(thing)
    if _has_ik(thing):
        part = "pose with its IK constraints"
        pose = armature.solve_ik(armature.pose(**channels), **read_ik(thing))
        return Difference(thing.name, part, _worst(pose[0], live), BOUNDS[part])
    equal = int((armature.pose(**channels, exact=True)[0] == live).all(axis=(1, 2)).sum())  # -0 counts as 0
    error = _worst(armature.pose(**channels)[0], live)
    return Difference(thing.name, "pose", error, BOUNDS["pose"], equal=equal, bones=armature.num_bones)


def _action_row(thing: Any) -> Difference:
    """Compare frames of the action, read at once, with Blender stepping to them."""
    bpy: Any = import_module("bpy")

    _evaluated(thing)
    _require_modelled(thing)
    _require_alone(thing.animation_data)
    armature = Armature.from_bpy(thing)
    scene = bpy.context.scene
    now, aside = scene.frame_current, scene.frame_subframe
    first, last = thing.animation_data.action.frame_range
    frames = np.unique(np.round(np.linspace(first, last, _FRAMES))).astype(int)
    poses = armature.pose(**read_action(thing).channels(armature, frames))
    constrained = _has_ik(thing)
    worst = 0.0
    try:
        for frame, pose in zip(frames.tolist(), poses):
            scene.frame_set(frame)
            given = armature.solve_ik(pose[None], **read_ik(thing))[0] if constrained else pose
            worst = max(worst, _worst(given, _live_pose(thing)))
    finally:
        scene.frame_set(now, subframe=aside)
    part = "action with its IK constraints" if constrained else "action"
    span = f"frame {frames[0]}" if len(frames) == 1 else f"{len(frames)} frames from {frames[0]} to {frames[-1]}"
    return Difference(thing.name, f"{part}, {span}", worst, BOUNDS[part])


def _require_alone(data: Any) -> None:
    """Raise an error that names what else than the action sets the bones' channels."""
    if _stacked(data):
        raise ValueError("it plays tracks of the NLA")
    if data.nla_tracks and data.use_nla and (data.action_blend_type != "REPLACE" or data.action_influence < 1):
        raise ValueError(f"its action is mixed in: {data.action_blend_type}, influence {data.action_influence:g}")
    for driver in data.drivers:
        bone, channel = bone_of_path(driver.data_path)
        if not driver.mute and (channel in ("location", "scale") or channel.startswith("rotation_")):
            raise ValueError(f"bone {bone!r} has a driver on {channel}")


def _mesh_row(thing: Any) -> Difference:
    _evaluated(thing)
    part = "points of the mesh"
    others = [each for each in thing.modifiers if each.type != "ARMATURE" and each.show_viewport]
    with _switched_off(others):
        evaluated = _evaluated(thing)
        mesh = evaluated.to_mesh()
        expected = np.empty((len(mesh.vertices), 3), np.float32)
        mesh.vertices.foreach_get("co", expected.reshape(-1))
        evaluated.to_mesh_clear()
        given = read_modifiers(thing)
    rigs = [each.object for each in thing.modifiers if each.type == "ARMATURE" and each.object is not None]
    rig = rigs[0] if rigs else thing.parent
    if rig is None or rig.type != "ARMATURE":
        raise ValueError("its modifier has no armature")
    bound = BOUNDS[f"{part}, bendy bones" if "bbones" in given else part]
    # What Blender evaluated, so that the row speaks of the deformation alone.
    found = Armature.from_bpy(rig).deform(_live_pose(rig), **given)
    if others:
        part += f", without {', '.join(sorted({each.type for each in others}))}"
    return Difference(thing.name, part, _worst(found, expected), bound)


@contextmanager
def _switched_off(modifiers: list[Any]) -> Iterator[None]:
    bpy: Any = import_module("bpy")

    try:
        for modifier in modifiers:
            modifier.show_viewport = False
        bpy.context.view_layer.update()
        yield
    finally:
        for modifier in modifiers:
            modifier.show_viewport = True
        bpy.context.view_layer.update()


def check_file(file: FilePath, blender: str | None = None) -> tuple[str, list[Difference]]:
    """Compare what is computed here with what Blender evaluates for a file, at the frame it was saved in.

    Parameters
    ----------
    file : path
        A ``.blend`` file.
    blender : str, optional
        A Blender, or a Python that has ``bpy``; by default the ``blender`` on the path, else this Python.

    Returns
    -------
    version : str
        Of the Blender that ran.
    rows : list of Difference
        One per armature, action and mesh.

    Raises
    ------
    FileNotFoundError
        There is no such file or no Blender.
    ValueError
        Blender could not read the file, or ended before it was done.

    Examples
    --------
    >>> version, rows = check_file("walk.blend")  # doctest: +SKIP
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise FileNotFoundError(2, "there is no such file", os.fspath(file))
    program = blender or shutil.which("blender") or _own_python()
    if program is None:
        raise FileNotFoundError("no Blender on the path: name one with --blender, or a Python that has bpy")
    package = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="skelkin-check-") as folder:
        script, result = Path(folder) / "check.py", Path(folder) / "result.json"
        version = _run([program, "--version"])
        module = (version.stdout + version.stderr).startswith("Python")
        script.write_text(
            _INSIDE.format(
                folder=os.fspath(package), init=os.fspath(package / "__init__.py"), package=package.name,
                file=os.fspath(path), result=os.fspath(result), opens=module,
            ),
            encoding="utf-8",
        )  # fmt: skip
        command = [program, os.fspath(script)]
        if not module:
            command = [program, "-b", "-noaudio", os.fspath(path), "--python-exit-code", "1", "--python", command[1]]
        ended = _run(command)
        if not result.is_file():
            lines = (ended.stdout + ended.stderr).strip().splitlines()
            errors = [line for line in lines if "rror" in line and "script failed" not in line] or lines
            last = f"; its output ends with: {errors[-1]}" if lines else ""
            raise ValueError(f"{program} ended with {ended.returncode} before it had compared {file}{last}")
        try:
            found = json.loads(result.read_text(encoding="utf-8"))
            return str(found["version"]), [Difference(**row) for row in found["rows"]]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ValueError(f"{program} gave an answer that cannot be read: {type(error).__name__}") from error


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        if error.filename is None:  # Windows does not say it
            error.filename = command[0]
        raise


def _own_python() -> str | None:
    return None if _run([sys.executable, "-c", "import bpy"]).returncode else sys.executable


def table(version: str, rows: list[Difference]) -> str:
    """Return the rows as text for a terminal."""
    if not rows:
        return f"Blender {escaped(version)}: the file has no armature and no mesh that one deforms."
    cells: list[tuple[str, ...]] = [("object", "part", "difference", "bound", "")]
    for row in rows:
        if row.error is None or row.bound is None:
            cells.append((row.name, row.part, "", "", f"not compared: {row.why}"))
        else:
            error = f"{row.error:.1e}" if row.error else "0"
            verdict = "ok" if row.error <= row.bound else "ABOVE its bound"
            if row.equal is not None:
                verdict += f"; with exact=True {row.equal} of {row.bones} bones have Blender's bits"
            cells.append((row.name, row.part, error, f"{row.bound:.0e}", verdict))
    cells = [tuple(map(escaped, line)) for line in cells]
    widths = [max(len(line[k]) for line in cells) for k in range(4)]
    lines = ["  ".join([*(line[k].ljust(widths[k]) for k in range(4)), line[4]]).rstrip() for line in cells]
    return "\n".join([f"Blender {escaped(version)}", "", *lines, "", *_legend(rows)])


def _legend(rows: list[Difference]) -> list[str]:
    compared = [row.error <= row.bound for row in rows if row.error is not None and row.bound is not None]
    if not compared:
        return ["Nothing could be compared."]
    left_out = len(rows) - len(compared)
    more = f"; {left_out} could not be made" if left_out else ""
    return [
        f"{sum(compared)} of {len(compared)} comparisons are within their bounds{more}.",
        "A difference is the worst of all numbers, relative to the largest coordinate; a float32 resolves 6e-08.",
    ]
