# SPDX-License-Identifier: MIT
"""The way from files that are not read to such that are, through a program that reads them."""

from __future__ import annotations

import os

_IMPORTS = {
    ".fbx": ("FBX", "import_scene.fbx"),
    ".usd": ("USD", "wm.usd_import"),
    ".usda": ("USD", "wm.usd_import"),
    ".usdc": ("USD", "wm.usd_import"),
    ".usdz": ("USD", "wm.usd_import"),
    ".dae": ("Collada", "wm.collada_import"),
}
_OPENERS = {
    ".pt": "poses = torch.load({path!r}, map_location='cpu')",
    ".pth": "poses = torch.load({path!r}, map_location='cpu')",
    ".pkl": "poses = joblib.load({path!r})",
    ".pickle": "poses = joblib.load({path!r})",
}
_EMPTY = "bpy.ops.wm.read_factory_settings(use_empty=True); "


def way_through_other_programs(path: str) -> str | None:
    """Return the line that turns a file into one that is read.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    str or None
        What to type, in a sentence; None where no way is known.

    Examples
    --------
    >>> print(way_through_other_programs("walk.blend"))
    .blend files are not read yet; Blender turns one into glTF: blender -b walk.blend --python-expr "import bpy; ...
    """
    root, ending = os.path.splitext(path)
    ending = ending.lower()
    if ending in _OPENERS:
        how = _OPENERS[ending].format(path=path)
        return (
            f"{ending} files may run code when they are opened, so they are not: open it yourself, as by {how}, and "
            "make a clip of its dict of arrays (global_orient, body_pose, transl, also below other keys) by "
            "sk.Clip.from_smpl(poses, fps=30)"
        )
    export = f"bpy.ops.export_scene.gltf(filepath={root + '.glb'!r})"
    if ending == ".blend":
        return _through_blender(".blend", f'{_shown(path)} --python-expr "import bpy; {export}"')
    if ending not in _IMPORTS:
        return None
    name, operator = _IMPORTS[ending]
    steps = f"import bpy; {_EMPTY}bpy.ops.{operator}(filepath={path!r}); {export}"
    return _through_blender(name, f'--python-expr "{steps}"')


def _through_blender(name: str, arguments: str) -> str:
    return f"{name} files are not read yet; Blender turns one into glTF: blender -b {arguments}"


def _shown(path: str) -> str:
    return f"'{path}'" if " " in path else path
