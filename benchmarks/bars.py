# SPDX-License-Identifier: MIT
"""What each case has to reach, as conditions on the rows of one run; no figure of any run stands here."""

from __future__ import annotations

from dataclasses import dataclass, replace

from result_file import OWN, Results

NUMBA = "numba loop"


BOTH = (
    "Both cores have to be free, which they are not on a shared machine. One pose is so little work that waking a "
    "thread takes a good part of it; matrices and points in large numbers are bound by the memory that both share."
)
# Why a bar may be missed, by the start of its row; shown for those that a run misses.
WHY = {
    "3000 frames, 65 bones": (
        "A third of the switch is Blender's own: reading the frames and values of 789 000 keys one by one, without "
        "which nobody would notice that the original was edited, copying them with the action, and evaluating that "
        "copy for the first time. Stepping is two evaluations of every frame, of which the bake does one."
    ),
    "linear, one pose": (
        "The bar was set on another CPU, where it meant to be ahead of ozz-animation. On this one the plain loop comes "
        "nearer to both."
    ),
    "linear, 64 poses": (
        "The matrices of 64 poses are more than the nearest cache holds; on random joints each vertex reads four "
        "of every pose from anywhere."
    ),
    "two bones, 1 000 000 limbs": (
        "Fourteen roots and a dozen quotients per limb, two rotations out of nine entries of a matrix each; and a "
        "tenth of the time goes to the limbs, about one in a hundred, of which float loses digits: double solves them."
    ),
    "two bones, a call for one limb": (
        "Five arrays are taken apart and seven made or checked, most of it in numpy's own calls; the numba loop writes "
        "into arrays that it has been compiled for, and checks nothing."
    ),
    "apply_two_bone": (
        "Before a limb can be solved, the matrices of all joints above it are read and multiplied in double, "
        "and after it the joints are turned back and the end is measured; the bar takes the positions for given."
    ),
    "points_at": (
        "Copying the poses is a small part. The joint lies 29 deep: the matrices above it are multiplied in double, "
        "twice where `out` is given, since nothing may be written before all inverses are known; then it turns in "
        "double, one pose after the other."
    ),
    "align_to_ground": "The matrices above the joint and its turn, in double, take longer than the copy.",
    "rotations_from_positions": "Five joints turn, each behind the turn of the one above.",
    "limits": (
        "The loop solves positions, in float, and has no limits. Here poses are read and turned, and each joint's "
        "rotation is held against its bounds in double; where they deny the target, half a dozen descents look for "
        "the nearest pose inside."
    ),
    "FABRIK": (
        "With the short cuts a chain needs one pass or two: then bringing chains side by side and back, and measuring "
        "their bones, is half of the work."
    ),
    "with normals": (
        "Normals go through the inverse transpose of the blended matrix, are brought to length 1 with a true root and "
        "division, and are as many numbers as the points: about the work of the points again, where the bar leaves two "
        "thirds of it. ozz multiplies with the matrix alone, which is wrong under non-uniform scale."
    ),
    "dual quaternion, one pose": (
        "Four dual quaternions per vertex are brought side by side from anywhere in the palette: shuffles, not "
        "arithmetic, are what the core is busy with. In batches, where lanes are poses, "
        "there is nothing to shuffle."
    ),
    "kinematics": (
        "The numba loop takes unit quaternions for granted and writes 7 numbers per joint; skelkin checks and "
        "normalises quaternions and writes the 16 of a matrix (a loop that does so too is *numba loop to matrices* in "
        "the tables). Past the cache the result is written at most as fast as memcpy; of a call for one pose most is "
        "Python's frame, keywords, and the checks of shapes, strides and overlap."
    ),
    "skin_poses, 100000 vertices": (
        "Matrices of 100 joints are one part in 250 of what is written here, so that nothing is gained by keeping "
        "them in the cache; the gain comes with many poses of small meshes."
    ),
    "skin_poses, 2000 vertices": (
        "The three calls read matrices back from memory, the one call does not; what that wins beside kept arrays "
        "hangs on how busy the memory is."
    ),
    "two cores": BOTH,
    "two processes": BOTH,
    "IK, 100 chains": (
        "The answer depends on each of Blender's steps, at least twelve, so none can be left out: each needs "
        "the singular vectors of a Jacobian, found by some six turns that each wait for the division of the one "
        "before. Chains are solved one at a time, in double; a call for a single pose takes as long again to look at "
        "goals and joints."
    ),
    "planting, 3 000 frames, 60 joints": (
        "A third is the text of 3 000 lines with 186 numbers each, read and written; of the rest no part takes more "
        "than a sixth."
    ),
    "planting, 3 000 frames on a floor": (
        "The profile is flat: of some two hundred passes over the curves of two legs none takes a twentieth. Contacts "
        "are looked for three times, as they are those of the result, and both clips are measured by all figures."
    ),
    "planting, 3 000 frames on": (
        "Both sides are vectorised, and numpy's steps are fewer: no sole that is fitted, no foot that rolls, no search "
        "for where a stance begins, nothing measured before and after."
    ),
    "float64: forward_kinematics": "Twice the bytes in half the lanes, at a size that leaves the second cache.",
    "float64: skinning_matrices": "Twice the bytes of input and result, which then no longer fit into the cache.",
}


def why(what: str) -> str:
    return next((words for start, words in WHY.items() if what.startswith(start)), "")


@dataclass(frozen=True)
class Bar:
    """`candidate` of `case` has to be `times` as fast as `against`, or to take at most `at_most`.

    `against` is a candidate of the same case, or of `against_case`; "memcpy" is the copying of as many bytes as the
    case writes, "best peer" the strongest of the others.
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
    innermost = "numba, frames innermost"
    linear, normals, dual = [], [], []
    for joints in ("", ", random joints"):
        one, batch = f"linear, one pose{joints}", f"linear, 64 poses{joints}"
        linear.append(_faster(one, one, NUMBA, 4.5, "≥ 4.5 × numba loop"))
        linear.append(_faster(batch, batch, innermost, 2.5, f"≥ 2.5 × {innermost}"))
        linear.append(_faster(batch, batch, "memcpy", 0.55, "≥ 0.55 × memcpy of the result"))
        for poses in (f"one pose{joints}", f"64 poses{joints}"):
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
    for size in ("24 joints from rotations", "65 joints from rotations", "65 joints from matrices"):
        case = f"10 000 poses × {size}"
        kinematics.append(_faster(f"kinematics, {case}", case, "memcpy", 0.9, "≥ 0.9 × memcpy of the result"))
    for joints in (24, 65, 200):
        case = f"one pose × {joints} joints from rotations"
        kinematics.append(_faster(f"kinematics, {case}", case, NUMBA, 1 / 0.9, "≤ 0.9 × numba's time"))
    small = [_faster("small call, 32 vertices", "linear, 32 vertices", NUMBA, 1 / 0.8, "≤ 0.8 × numba's time")]
    together = []
    for size in ("100000 vertices × 100 joints × 64 poses", "2000 vertices × 65 joints × 10000 poses"):
        one, case = "skelkin, one call, out=", f"skin_poses, {size}"
        for arrays in ("new arrays", "kept arrays"):
            three = f"skelkin, three calls, {arrays}"
            together.append(_faster(case, case, three, 1.2, f"≥ 1.2 × three calls, {arrays}", one))
        memory = f"memory besides the result, {size}"
        together.append(Bar(case, "flat memory: ≤ 16 MB besides the result", memory, one, at_most=16))
    return [
        *linear,
        *normals,
        *dual,
        *kinematics,
        *small,
        *together,
        *_two_bone(),
        _faster(
            "FABRIK, 100 000 chains × 10 joints",
            "FABRIK, 100 000 chains × 10 joints",
            "numpy",
            20,
            "≥ 20 × numpy",
            "skelkin",
        ),
        *_turns(),
        *_two_cores(),
        *_float64(),
        *_end_to_end(),
    ]


def _two_bone() -> list[Bar]:
    million, one = "two bones, 1 000 000 limbs", "two bones, one limb"
    poses = [f"apply_two_bone, 10 000 frames × 65 joints, one limb below {above} joints" for above in (2, 23)]
    fresh = ("numba loop, new arrays", 1 / 1.2, "≤ 1.2 × numba's time, new arrays", "skelkin, new arrays")
    return [
        _faster(million, million, NUMBA, 8, "≥ 8 × numba loop"),
        _faster(f"{million}, soften and stretch", f"{million}, soften and stretch", NUMBA, 4, "≥ 4 × numba loop"),
        Bar("two bones, a call for one limb", "≤ 1.6 µs", one, at_most=1.6),
        _faster("two bones, a call for one limb", one, NUMBA, 1 / 1.2, "≤ 1.2 × numba's time"),
        _faster("two bones, a call for one limb", one, *fresh),
        *(_faster(clip, clip, "skelkin, copy and solves", 1 / 1.3, "≤ 1.3 × copy and solves") for clip in poses),
        *(
            _faster(
                f"limits, {legs}", f"limits, {legs}, soften and stretch", NUMBA, 4, "≥ 4 × numba loop without limits"
            )
            for legs in ("10 000 legs inside of limits", "10 000 legs held back by limits")
        ),
    ]


def _turns() -> list[Bar]:
    bars = [_faster("points_at, 1 000 poses", "points_at, 1 000 poses", "numpy", 8, "≥ 8 × numpy", "skelkin, out=")]
    for verb in ("points_at", "align_to_ground", "rotations_from_positions"):
        one, many = f"{verb}, one pose", f"{verb}, 10 000 poses"
        bars.append(Bar(one, "≤ 5 µs", one, "skelkin, out=", at_most=5))
        bars.append(_faster(many, many, "memcpy", 1 / 1.5, "≤ 1.5 × a copy", "skelkin, out="))
    return bars


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
    walk = "planting, 3 000 frames, 60 joints, 2 legs"
    hills = "planting, 3 000 frames on 100 000 triangles"
    floor, paths = "planting, 3 000 frames on a floor", "planting, the paths of 3 000 frames"
    return [
        Bar(walk, "≤ 0.05 s", walk, "read, plant, write", at_most=0.05),
        Bar(floor, "≤ 0.02 s in memory", floor, "skelkin", at_most=0.02),
        _faster(floor, floor, "motion_correction, contacts given", 4, "≥ 4 × motion_correction", "skelkin"),
        Bar(hills, "≤ 0.04 s in memory", hills, "skelkin", at_most=0.04),
        _faster(paths, paths, "numpy and scipy, banded", 20, "≥ 20 × numpy and scipy, banded", "skelkin"),
        _faster(hills, hills, "numpy, IK in closed form", 20, "≥ 20 × numpy, closed form", "skelkin"),
        _faster(hills, hills, "numpy, IK iterated", 20, "≥ 20 × numpy, iterated", "skelkin"),
        Bar(
            hills,
            "≥ 20 × the way of papers, in numpy",
            hills,
            "skelkin",
            "numpy, 22 joints",
            f"{hills}, as papers do",
            times=20,
        ),
        Bar(
            "two processes: skelkin plant, 64 clips",
            "≥ 1.8 × one process",
            "two cores: skelkin plant, 64 clips",
            "skelkin plant --jobs 2",
            "skelkin plant --jobs 1",
            times=1.8,
        ),
    ]


BARS = tuple(_bars())
SWITCH_BARS = (
    # The start of a case's name, which ends with the version; what the switch is to be beside the bake of all bones.
    Bar("", "≥ 20 × the bake of all bones", "3000 frames", "switch", "bake all bones", times=20),
    Bar("", "≥ 50 × the bake of all bones", "1000 frames", "switch", "bake all bones", times=50),
    Bar("", "stepped ≥ 1.6 × the bake", "", "switch, stepped", "bake all bones", times=1.6),
    Bar("", "unchecked ≥ 2.5 × the bake", "", "switch, stepped, without its check", "bake all bones", times=2.5),
    Bar("", "sparse keys ≤ 0.2 s", "", "sparse keys", at_most=0.2),
    Bar("", "a mesh as ground ≤ 0.3 s", "", "ground of 100 352 triangles", at_most=0.3),
    Bar("", "Update, one contact edited ≤ 0.3 s", "", "update of 1 000 frames", at_most=0.3),
    Bar("", "≤ 1 s beside frame_set", "500 frames", "switch, without frame_set", at_most=1.0),
)
EVALUATION_BARS = (
    # The start of a case's name, which ends with the version.
    Bar("", "≥ 30 × frame_set", "poses, 60 bones", "skelkin, curves and poses", "frame_set", times=30),
    Bar("", "exact ≥ 1/3 × fast", "poses, 60 bones", "skelkin, poses, exact", "skelkin, poses, float32", times=1 / 3),
    Bar("", "≥ 10 × the modifier", "modifier, 500000 vertices", "skelkin", "Blender's modifier", times=10),
    Bar("", "exact ≥ 1/3 × fast", "modifier, 500000 vertices", "skelkin, exact", "skelkin", times=1 / 3),
    Bar("", "≥ 5 × the constraint", "IK, 100 chains", "skelkin", "Blender's constraint", times=5),
)


@dataclass(frozen=True)
class Verdict:
    """A bar on one CPU: what was reached, by how much of the bar, and beside which peer."""

    bar: Bar
    reached: str
    part: float  # of the bar; 1 and more is reached
    peer: str


def blender_bars(results: Results) -> list[Bar]:
    """Return the bars for the Blenders that were measured."""
    bars = []
    for case in results.matching("*, Blender *"):
        for candidate in results.candidates(case):
            for bar in (*SWITCH_BARS, *EVALUATION_BARS):
                if case.startswith(bar.case) and candidate == bar.candidate:
                    bars.append(replace(bar, what=case, case=case))
    return bars


def judge(bar: Bar, results: Results) -> Verdict | None:
    """Return what a bar comes to, or None where it was not measured."""
    if not results.has(bar.case, bar.candidate):
        return None
    best = results.best_peer(bar.case)
    peer = f"{results.ratio(bar.case, bar.candidate, best)[1]:.2f} × {best}" if best else ""
    if bar.at_most:
        median = results.median(bar.case, bar.candidate)
        part = bar.at_most / median if median else float("inf")
        return Verdict(bar, f"{median:g} {results.unit(bar.case)}", part, peer)
    against = best if bar.against == "best peer" else bar.against
    if not against or not results.has(bar.against_case or bar.case, against):
        return None
    low, middle, high = results.ratio(bar.case, bar.candidate, against, bar.against_case)
    part = middle / bar.times
    if bar.words.startswith("≤"):  # which speaks of time, not of speed
        low, middle, high = 1 / high, 1 / middle, 1 / low
    spread = f" ({low:.2f} to {high:.2f})" if low < high else ""
    return Verdict(bar, f"{middle:.2f} ×{spread}", part, peer)


def verdicts(results: Results) -> list[Verdict]:
    """Return what all bars come to that were measured."""
    return [found for bar in (*BARS, *blender_bars(results)) if (found := judge(bar, results))]
