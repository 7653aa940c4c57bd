# SPDX-License-Identifier: MIT
"""Plant the feet of the embedded biped on uneven ground, and show what changed; `make demo` runs this.

The clip slides, floats, sinks and stands at the wrong height; the ground has a step and a slope. Printed is the
report; written are demo/before_after.png and demo/report.html, a page with a 3-D player that opens offline.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import skelkin_py as sk


def main() -> None:
    """Run the demonstration."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--output", type=Path, default=Path("demo"), help="folder to write to (default: demo)")
    folder = arguments.parse_args().output
    start = time.perf_counter()

    biped = sk.example("biped")
    for leg in biped.clip.find_legs():
        chain = " > ".join(biped.clip.names[j] for j in leg.chain)
        print(f"{leg.side} leg: {chain} ({leg.confidence:.0%} sure)")

    planted = biped.clip.plant_feet(ground=biped.ground, metres_per_unit=1.0)
    print()
    print(planted.report)
    print()

    picture = folder / "before_after.png"
    planted.report.plot(path=picture)
    page = sk.view.write_html(
        folder / "report.html",
        planted.clip,
        compare=biped.clip,
        mesh=biped.mesh,
        report=planted.report,
        ground=biped.ground,
        title="A walk, planted on a step and a slope",
    )
    print(f"curves of the feet:    {picture.resolve()}")
    print(f"player, opens offline: {page.resolve()}")
    print(f"all of it took {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
