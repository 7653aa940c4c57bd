# SPDX-License-Identifier: MIT
"""How to convert files that are not read, with a program that reads them."""

from __future__ import annotations

import os
import shlex

_IMPORTS = {
    ".fbx": ("FBX", "import_scene.fbx"),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), ("USD", "wm.usd_import")),
    ".dae": ("Collada", "wm.collada_import"),
    ".blend": (".blend", "wm.open_mainfile"),
}
_OPENERS = {
    **dict.fromkeys((".pt", ".pth"), "poses = torch.load({path!r}, map_location='cpu')"),
    **dict.fromkeys((".pkl", ".pickle"), "poses = joblib.load({path!r})"),
}
# Blender's factory settings are requested at its start: to read them later takes the modules of all extensions away,
# also from a Blender that is open. The paths are arguments, so that no shell finds anything in the steps to expand.
_STEPS = (
    "import bpy, sys; bpy.data.batch_remove(bpy.data.objects); bpy.ops.{operator}(filepath=sys.argv[-2]); "
    "bpy.ops.export_scene.gltf(filepath=sys.argv[-1])"
)


def conversion_hint(path: str) -> str | None:
    """Return the line that turns a file into one that is read.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    str or None
        What to type, in a sentence; None where no program is known.

    Examples
    --------
    >>> print(conversion_hint("walk.fbx"))
    FBX files are not read yet; Blender turns one into glTF: blender -b --factory-startup --python-expr "import bpy, ...
    """
    root, ending = os.path.splitext(path)
    ending = ending.lower()
    if ending in _OPENERS:
        how = _OPENERS[ending].format(path=path)
        return (
            f"{ending} files may run code when they are opened, so skelkin does not open them: open it yourself, as "
            f"with {how}, and make a clip of its dict of arrays (global_orient, body_pose, transl, also below other "
            "keys) by sk.Clip.from_smpl(poses, fps=30)"
        )
    if ending not in _IMPORTS:
        return None
    name, operator = _IMPORTS[ending]
    # Windows' shells know double quotes alone, and its files have none in their names.
    quoted = '"{}"'.format if os.name == "nt" else shlex.quote
    steps = _STEPS.format(operator=operator)
    line = f'blender -b --factory-startup --python-expr "{steps}" -- {quoted(path)} {quoted(root + ".glb")}'
    blender = "Blender before 5.0" if ending == ".dae" else "Blender"
    return f"{name} files are not read yet; {blender} turns one into glTF: {line}"
