# SPDX-License-Identifier: MIT
"""Which joint raises and lowers the body: the one that carries legs and trunk together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.leg_tracks import subset_of

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "legs"


@pytest.mark.parametrize(
    ("world", "mover"),
    [
        ("mixamo", "mixamorig:Hips"),
        ("unreal_5", "pelvis"),
        ("rigify_generated_human_metarig", "torso"),
        # Here the legs have a pelvis beside the spine: moved alone it would tear the waist.
        ("daz_genesis_3_and_8", "hip"),
        ("reallusion_cc", "CC_Base_Hip"),
        ("mmd", "センター"),
        ("ffxiv", "n_hara"),
    ],
)
def test_the_body_is_moved_by_what_carries_legs_and_head(world: str, mover: str) -> None:
    about = json.loads((CORPUS / f"{world}.json").read_text(encoding="utf-8"))
    local = np.tile(np.eye(4), (len(about["names"]), 1, 1))
    rest = np.array(about["rest"], float)
    for j, parent in enumerate(about["parents"]):
        local[j, :3, 3] = rest[j] - (rest[parent] if parent >= 0 else 0.0)
    skeleton = sk.Skeleton(about["parents"], local, about["names"])
    subset = subset_of(skeleton, sk.find_legs(about["names"], about["parents"], rest), None, None)
    assert subset.mover is not None
    assert subset.skeleton.names[subset.mover] == mover
