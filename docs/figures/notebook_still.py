# SPDX-License-Identifier: MIT
"""What a notebook shows of the planted example where scripts are taken away.

`python docs/figures/notebook_still.py` writes docs/figures/notebook_still.svg.
"""

from __future__ import annotations

from pathlib import Path

import skelkin_py as sk
from skelkin_py.view.still import still_svg


def figure() -> str:
    """Return the figure."""
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)
    return still_svg(planted.clip, compare=planted.original, report=planted.report, ground=planted.ground) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("notebook_still.svg").write_text(figure(), encoding="utf-8")
