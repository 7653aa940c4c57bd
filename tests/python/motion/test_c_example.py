# SPDX-License-Identifier: MIT
"""The example in C plants the embedded biped as the package does; tests/c says that it prints what is written there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

PRINTED = Path(__file__).resolve().parents[3] / "examples" / "c" / "plant_biped.txt"
LINE = re.compile(
    r"(Left|Right)Foot +stands in frames +(\d+) to +(\d+), slides +([\d.]+) cm, then ([\d.]+); "
    r"sinks ([\d.]+) cm, then ([\d.]+)"
)


def of_hips_and_legs(clip: sk.Clip) -> sk.Clip:
    """Return the clip of these joints alone, with the ends of its toes."""
    own = [k for k, name in enumerate(clip.names) if name == "Hips" or name.endswith(("Leg", "Foot", "ToeBase"))]
    parents = [own.index(clip.skeleton.parents[k]) if k else -1 for k in own]
    ends = {own.index(k): site for k, site in clip.skeleton.end_sites.items() if k in own}
    names = [clip.names[k] for k in own]
    skeleton = sk.Skeleton(parents, clip.skeleton.rest_local[own], names, end_sites=ends)
    return sk.Clip(skeleton, clip.rotations[:, own], clip.translations[:, own], fps=clip.fps)


def test_the_example_in_c_plants_the_biped_as_the_package_does():
    biped = sk.example("biped")
    report = of_hips_and_legs(biped.clip).plant_feet(ground=biped.ground).report
    printed = [LINE.fullmatch(line) for line in PRINTED.read_text(encoding="utf-8").splitlines()]
    assert len(printed) == len(report.contacts)
    for found, contact in zip(printed, report.contacts, strict=True):
        assert found is not None
        assert (found[1].lower(), int(found[2]), int(found[3])) == (
            contact.name, contact.first_frame, contact.last_frame
        )  # fmt: skip
        wanted = [contact.before.slide, contact.after.slide, contact.before.penetration, contact.after.penetration]
        assert np.array([float(found[n]) for n in range(4, 8)]) == pytest.approx(100.0 * np.array(wanted), abs=0.0051)
