# SPDX-License-Identifier: MIT
"""A sheet of pictures of every character below a folder, to look at: ``contact_sheet.py FOLDER OUT [NAME ...]``.

Each animation of glTF files and each BVH and array is drawn in five moments, as ``skelkin view --png`` draws it. With
NAMEs only files whose names begin with one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread, imsave

import skelkin_py as sk

WIDE, HIGH = 1200, 340
MOST_ANIMATIONS, MOST_FRAMES = 2, 600


def characters(folder: Path, beginnings: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield a name and a clip of each file that can be read."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".bvh", ".glb", ".gltf", ".npz") or not path.name.startswith(tuple(beginnings)):
            continue
        try:
            clips = sk.load_animations(path) if path.suffix in (".glb", ".gltf") else {"": sk.load(path)}
        except ValueError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        moving = sorted(clips, key=lambda name: "walk" not in name.lower())
        for animation in moving[:MOST_ANIMATIONS]:
            yield f"{path.stem} {animation}".strip(), clips[animation][:MOST_FRAMES]


def main(folder: str, out: str, *beginnings: str) -> None:
    """Write the sheet."""
    rows = []
    for name, clip in characters(Path(folder), list(beginnings) or [""]):
        picture = Path(out).with_suffix(".row.png")
        sk.view.write_picture(picture, clip, title=name, size=(WIDE, HIGH))
        rows.append(imread(picture)[..., :3])
        picture.unlink()
        print(name, file=sys.stderr)
    imsave(out, np.concatenate(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
