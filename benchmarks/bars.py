# SPDX-License-Identifier: MIT
"""What each case has to reach, as conditions on the rows of one run; no figure of any run stands here."""

from __future__ import annotations

from dataclasses import dataclass

OWN = "skelkin, out="
NUMBA = "numba loop"


@dataclass(frozen=True)
class Bar:
    """`candidate` of `case` has to be `times` as fast as `against`, or to take at most `at_most`.

    `against` is a candidate of the same case, or of `against_case`; "memcpy" is the copying of as many bytes as the
    case writes, "best peer" the fastest of the others.
    """

    what: str
    words: str
    case: str
    candidate: str = OWN
    against: str = ""
    against_case: str = ""
    times: float = 0.0
    at_most: float = 0.0


def _faster(what: str, case: str, against: str, times: float, words: str, candidate: str = OWN) -> Bar:
    return Bar(what, words, case, candidate, against, times=times)


def _bars() -> list[Bar]:
    one, batch = "linear, one pose", "linear, 64 poses"
    innermost = "numba, frames innermost"
    linear = [
        _faster(one, one, NUMBA, 4.5, "≥ 4.5 × numba loop"),
        _faster(f"{batch} into (F, V, 3)", batch, innermost, 2.5, f"≥ 2.5 × {innermost}"),
        _faster(f"{batch} into (F, V, 3)", batch, "memcpy", 0.55, "≥ 55 % of memcpy of the output"),
    ]
    normals, dual = [], []
    for poses in ("one pose", "64 poses"):
        case = f"with normals, {poses}"
        normals.append(_faster(case, case, "skelkin, points only", 0.6, "≥ 0.6 × own speed without"))
        case = f"dual quaternion, {poses}"
        dual.append(_faster(case, case, NUMBA, 6, "≥ 6 × numba loop"))
        dual.append(_faster(case, case, "skelkin, linear", 0.5, "≥ 0.5 × own linear"))
    batch = "poses × 65 joints from rotations"
    kinematics = [
        _faster("kinematics, 10 000 poses × 65 joints", f"10 000 {batch}", NUMBA, 1.3, "≥ 1.3 × numba loop"),
        _faster("kinematics, 100 poses × 65 joints (in the cache)", f"100 {batch}", NUMBA, 2.5, "≥ 2.5 × numba loop"),
    ]
    for joints in (24, 65, 200):
        case = f"one pose × {joints} joints from rotations"
        kinematics.append(_faster(f"kinematics, {case}", case, NUMBA, 1 / 0.9, "≤ 0.9 × numba's time"))
    small = [_faster("small call, 32 vertices", "linear, 32 vertices", NUMBA, 1 / 0.8, "≤ 0.8 × numba's time")]
    together = []
    for size in ("100000 vertices × 100 joints × 64 poses", "2000 vertices × 65 joints × 10000 poses"):
        one = "skelkin, one call, out="
        for arrays in ("new arrays", "kept arrays"):
            three = f"skelkin, three calls, {arrays}"
            together.append(_faster(f"skin_poses, {size}", size, three, 1.2, f"≥ 1.2 × three calls, {arrays}", one))
        memory = f"memory besides the result, {size}"
        together.append(Bar(f"skin_poses, {size}", "flat memory: ≤ 16 MB besides the result", memory, one, at_most=16))
    return [*linear, *normals, *dual, *kinematics, *small, *together, *_two_cores(), *_float64(), *_end_to_end()]


def _two_cores() -> list[Bar]:
    cases = ("linear, one pose", "with normals, one pose", "dual quaternion, one pose", "dual quaternion, 64 poses")
    return [
        Bar(
            f"two cores: {case}",
            "≥ 1.8 × one core",
            f"two cores: {case}",
            "skelkin, two cores",
            "skelkin, one core",
            times=1.8,
        )
        for case in (*cases, "1 000 poses × 65 joints from rotations", "skin_poses, 2 000 vertices × 2 000 poses")
    ]


def _float64() -> list[Bar]:
    verbs = (
        "skin_points, one pose",
        "skin_points, 16 poses",
        "skin_mesh with normals, one pose",
        "skin_mesh with normals, 16 poses",
        "skin_points, dual quaternion, one pose",
        "skin_points, dual quaternion, 16 poses",
        "skin_poses, 500 poses",
        "forward_kinematics_trs, one pose",
        "forward_kinematics_trs, 1000 poses",
        "forward_kinematics, 1000 poses",
        "local_from_global, 1000 poses",
        "skinning_matrices, 1000 poses",
    )
    return [
        Bar(f"float64: {verb}", "≥ 0.45 × own float32", f"float64: {verb}", "float64", "float32", times=0.45)
        for verb in verbs
    ]


def _end_to_end() -> list[Bar]:
    walk = "3 000 frames, 60 joints, 2 legs"
    return [Bar(f"planting, {walk}", "≤ 0.5 s", walk, "read, plant, write", at_most=0.5)]


BARS = tuple(_bars())
BLENDER_BARS = {"3.4": 15.0, "4.": 2.0, "5.": 2.0}  # times as fast as the bake of all bones
SWITCH_SECONDS = 1.5  # on 1 000 frames and 60 bones
NO_PEER = ("memset", "memcpy", "C", "float32", "float64", "read", "plant", "write", "read, plant, write")
NO_PEER += ("switch", "bake legs")
