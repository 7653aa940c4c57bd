# SPDX-License-Identifier: MIT
"""From the window's screenshots to the pictures of docs/addon.md: `python tests/gui/pictures.py artefacts/gui`."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

OUT = Path(__file__).resolve().parent.parent.parent / "docs" / "figures" / "addon"
#: screenshot → picture, and the part of the window: left, top, right, bottom
PICTURES = {
    "1_tab": ("tab", (560, 82, 1056, 330)),
    "4b_foot_paths": ("switched_on", (330, 82, 1056, 620)),
    "7_warnings": ("warnings", (330, 82, 1056, 720)),
    "10e_foot_edit": ("feet_by_hand", (0, 82, 1056, 770)),
    "11_contacts": ("contacts", (300, 192, 1056, 720)),
}


def main(shots: Path) -> None:
    """Cut them out, in a palette that a sidebar needs no more than."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name, (picture, part) in PICTURES.items():
        image = Image.open(shots / f"{name}.png").convert("RGB").crop(part)
        image.quantize(192, dither=Image.Dither.NONE).save(OUT / f"{picture}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
