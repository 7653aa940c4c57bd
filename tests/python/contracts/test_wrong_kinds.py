# SPDX-License-Identifier: MIT
"""Whatever is given for whatever argument: a result, or a TypeError or ValueError; no other exception."""

from __future__ import annotations

import copy
import decimal
import fractions
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from blender_calls import armature, blender_calls
from public_calls import Call, clip_of_example, core_calls, rig, walk

import skelkin_py as sk
from skelkin_py import blender, io, view
from skelkin_py.blender import BBones, BBoneShape, Curves, Cycles, IKGoal, VertexGroups
from skelkin_py.legs import completed_legs, leg_names


class Sparse:
    """What matrices of scipy.sparse have in common."""

    shape, ndim = (2, 3), 2

    def tocsr(self) -> Sparse:
        return self


SPARSE = Sparse()
STRANGERS: dict[str, Any] = {
    "None": None, "text": "text", "no text": "", "bytes": b"x", "dictionary": {}, "an entry": {"a": 1}, "True": True,
    "nan": float("nan"), "inf": float("inf"), "-inf": -float("inf"), "huge": 1e308, "tiny": 5e-324, "-1": -1, "0": 0,
    "10**400": 10**400, "2**63": 2**63, "-2**63": -(2**63), "1.5": 1.5, "complex": 1j, "list": [], "lists": [[]],
    "tuple": (), "0-d": np.array(1.0), "0-d integer": np.array(1), "no numbers": np.zeros(0),
    "no rows": np.zeros((0, 3)),
    "seven dimensions": np.zeros((1,) * 7), "object": object(), "class": complex, "set": {1, 2}, "list of None": [None],
    "list of text": ["a"], "ragged": [[1], [2, 3]], "nans": np.full(3, np.nan), "infs": np.full(3, np.inf),
    "huge numbers": np.full(3, 1e300), "tiny numbers": np.full(3, 5e-324), "zeros": np.zeros(3), "range": range(3),
    "matrix": SPARSE, "no time": np.timedelta64("NaT", "s"), "path": pathlib.Path("a"), "texts": np.array(["a", "b"]),
    "numbers as text": ["-1.0"] * 22, "a function": lambda *_: None, "structured": np.zeros(2, [("a", float)]),
    "fraction": fractions.Fraction(1, 3), "decimal": decimal.Decimal(1), "skeleton": rig()[0], "weights": rig()[1],
}  # fmt: skip

CLIP = walk()
PLANTED = sk.plant_feet(CLIP)
REPORT = PLANTED.report
LEGS = CLIP.find_legs()
EDITOR = sk.PlantEditor(CLIP)
REST = CLIP.skeleton.rest_global[:, :3, 3]
ONE_LEG = {name: getattr(LEGS[0], name) for name in ("hip", "knee", "ankle", "toe", "heel", "pelvis", "side", "chain")}
SKELETON, WEIGHTS = rig()
ARMATURE = armature()
LIMITS = sk.JointLimits({1: sk.hinge([1, 0, 0], 0, 1)})
GROUPS = VertexGroups(["a"], [0, 1, 2], [0, 0], [1.0, 1.0])
CURVES = Curves([('pose.bones["a"].location', 0)], [0, 2], [[0, 1], [5, 2]])
PLANTING = {
    "ground": 0.0, "legs": None, "contacts": "auto", "reach": "soften", "frames": (0, 50), "up": "auto", "blend": 0.2,
    "metres_per_unit": 1.0, "stretch": 1.05, "sole": 0.1, "pelvis": 0, "max_slope": 60.0, "align": 1.0, "toe_bend": 0.0,
    "pelvis_acceleration": 20.0, "ground_velocity": None, "loop": "auto",
}  # fmt: skip
POSE = {"skeleton": SKELETON, "local": SKELETON.rest_local}
BENT = ARMATURE.rest.astype(float)


def edited(name: str) -> Callable[..., Any]:
    """Return a method of an editor, which stays as it is."""
    return lambda **arguments: getattr(copy.copy(EDITOR), name)(**arguments)


def call(name: str, function: Callable[..., Any], /, **arguments: Any) -> Call:
    return Call(name, function, arguments, ())


def aimed(**fields: Any) -> Any:
    return ARMATURE.solve_ik(BENT, [IKGoal(**fields)])


def cycled(**fields: Any) -> Any:
    return Curves([("a", 0)], [0, 2], [[0, 1], [5, 2]], cycles=[Cycles(**fields)]).evaluate([1, 9])


# Options that are no arrays, and calls that take none. Numbers of passes of FABRIK are looked at where it is tested.
OTHERS = (
    call("plant_feet, all options", sk.plant_feet, clip=CLIP, **PLANTING),
    call(
        "plant_locals, all", sk.plant_locals, skeleton=CLIP.skeleton, local=CLIP.local_matrices(), fps=30.0, **PLANTING
    ),
    call("Clip.show", CLIP.show, compare=CLIP, mesh=None, report=REPORT, ground=0.0, title="x"),
    call("view.show", view.show, clip=clip_of_example(), mesh=sk.example("biped").mesh),
    call("Clip.slice", CLIP.slice, start=0, stop=3),
    call("names", sk.Skeleton, parents=[-1], rest_local=np.eye(4)[None], names=["a"], end_sites={0: [0, 1, 0]}),
    call("Skeleton.index", SKELETON.index, name="hip"),
    call("Skeleton.chain", SKELETON.chain, root=0, tip=2),
    call("pruned", WEIGHTS.pruned, max_influences=2),
    call("check", WEIGHTS.check, max_influences=2),
    call("JointLimits", sk.JointLimits, limits={1: sk.hinge([1, 0, 0], 0, 1)}),
    call("knees", sk.JointLimits.knees, skeleton=CLIP.skeleton, legs=CLIP.find_legs(), soft=0.1),
    call("nearest", LIMITS.nearest, **POSE, joints=[0, 1]),
    call("resolved", LIMITS.resolved, skeleton=SKELETON),
    call("example", sk.example, name="biped"),
    call("start", sk.forward_kinematics, **POSE, start=1, out=SKELETON.rest_global.copy()),
    call("axes", sk.rest_relative, skeleton=SKELETON, rotations=np.ones((5, 4)), axes="posed"),
    call(
        "method",
        sk.skin_points,
        points=np.zeros((6, 3)),
        weights=WEIGHTS,
        matrices=SKELETON.rest_global,
        method="linear",
    ),
    call("roll", sk.solve_two_bone, a=[0, 2, 0], b=[0, 1, 0.1], c=[0, 0, 0], target=[0, 0.5, 0], roll="hinge"),
    call("limits", sk.apply_two_bone, **POSE, chain=(0, 1, 2), target=[0, 0.5, 0], limits=LIMITS),
    call(
        "frame of positions",
        sk.rotations_from_positions,
        **POSE,
        chain=(0, 1),
        positions=[[0, 2, 0], [0, 1, 0]],
        frame="world",
    ),
    call(
        "points_at",
        sk.points_at,
        **POSE,
        joint=0,
        target_joint=None,
        target=[0, 1, 0],
        tip=1,
        frame="object",
        limits=LIMITS,
    ),
    call("as_ground", sk.ground.as_ground, ground=0.0),
    call("slide", REPORT.slide, when="after"),
    call("worst", REPORT.worst, what="slide", when="after"),
    call("violations", REPORT.violations, max_slide=1.0, max_penetration=1.0, max_float=1.0, when="after"),
    call("centimetres", REPORT.centimetres, length=1.0),
    call("rotation_mode", ARMATURE.pose, rotation_mode="QUATERNION", exact=False),
    call("sub_armature", blender.sub_armature, armature=ARMATURE, bones=["a"]),
    call(
        "deform",
        blender.deform,
        armature=ARMATURE,
        pose=BENT,
        points=np.zeros((2, 3)),
        groups=GROUPS,
        modifiers=None,
        bbones=None,
        compat="4.2",
        exact=False,
    ),
    call("solve_ik", ARMATURE.solve_ik, pose=BENT, goals=[IKGoal(2, [1.0, 1, 0])], joints=None),
    call("IKGoal", aimed, **IKGoal(2, [1.0, 1, 0])._asdict()),
    call("Cycles", cycled, **Cycles()._asdict()),
    call(
        "Curves",
        Curves,
        names=[("a", 0)],
        starts=[0, 2],
        keys=[[0, 1], [5, 2]],
        extrapolation="LINEAR",
        cycles=[None],
        still={},
    ),
    call("channels", CURVES.channels, armature=ARMATURE, frames=[0, 1], still=None, compat="4.2"),
    call("VertexGroups", VertexGroups, names=["a"], offsets=[0, 1], groups=[0], weights=[1.0]),
    call("mask", GROUPS.mask, name="a", invert=True),
    call("BBones", BBones, segments=[1, 2, 3], shape=BBoneShape.default(3)),
    call("with_pose", BBoneShape.default(2).with_pose, posed=None),
    call("from_arrays", BBones.from_arrays, arrays=BBones([1, 2]).to_arrays()),
    call("segment_frames", blender.segment_frames, armature=ARMATURE, bone=2, pose=None, bbones=None),
    call("PlantEditor", sk.PlantEditor, clip=CLIP, options=None, legs=LEGS, contacts="auto", frames=(0, 50)),
    call(
        "measure_cost",
        sk.measure_cost,
        planted=PLANTED.clip,
        original=CLIP,
        legs=LEGS,
        frames=(0, 50),
        report=REPORT,
        names=("planted", "original"),
    ),
    call(
        "from_positions",
        sk.Clip.from_positions,
        positions=CLIP.positions()[:9],
        parents=CLIP.skeleton.parents,
        names=CLIP.names,
        fps=30,
    ),
    call("Leg", sk.Leg, **ONE_LEG, segments=LEGS[0].segments, bend=(0, 0, 1), confidence=1, reasons=["by hand"]),
    call("LegList", sk.LegList, legs=LEGS, names=CLIP.names),
    call("find_legs", sk.find_legs, names=CLIP.names, parents=CLIP.skeleton.parents, rest_positions=REST),
    call(
        "completed_legs",
        completed_legs,
        legs=LEGS,
        names=CLIP.names,
        parents=CLIP.skeleton.parents,
        rest_positions=REST,
    ),
    call("leg_names", leg_names, legs=LEGS, names=CLIP.names),
    call("move_contact", edited("move_contact"), leg="left", index=0, first_frame=0, last_frame=3, merge=False),
    call("add_contact", edited("add_contact"), leg="left", first_frame=0, last_frame=3, merge=False),
    call("set_target", edited("set_target"), leg="left", frame=3, point=(0, 1, 0), merge=False),
    call("set_contacts", edited("set_contacts"), contacts={"left": [(0, 3)]}, merge=False),
    call("cost total", REPORT.cost.total, what="pops"),
    call("what_is_lost", io.what_is_lost, clip=CLIP, path="walk.npy"),
    *(
        call(read.__name__, read, ob=None)
        for read in (blender.read_bbones, blender.read_channels, blender.read_modifiers)
    ),
)
CALLS = (*core_calls(), *blender_calls(), *OTHERS)


@pytest.mark.parametrize(
    "each", [each for each in OTHERS if not each.name.startswith("read_")], ids=lambda each: each.name
)
def test_the_calls_themselves_are_good(each):
    each.run()


@pytest.mark.parametrize("each", CALLS, ids=lambda each: each.name)
@pytest.mark.filterwarnings("ignore")
def test_nothing_but_type_and_value_errors_comes_of_strangers(each):
    wrong = []
    for name in each.arguments:
        if (name, each.name) in ELSEWHERE or name in ("max_iterations", "tolerance"):
            continue
        for label, stranger in STRANGERS.items():
            try:
                each.run(**{name: stranger})
            except (TypeError, ValueError):
                pass
            except (KeyError, IndexError) as error:  # of what an editor has, by name or number
                if not str(error.args[0]).startswith(f"{name} is "):
                    wrong.append(f"{name}={label}: {type(error).__name__}: {error}")
            except Exception as error:  # whatever it is, it is wrong
                wrong.append(f"{name}={label}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


ELSEWHERE = {("skeleton", "apply_two_bone"), ("skeleton", "apply_two_bone to a side"), ("skeleton", "limits")}


NAMED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: blender.deform(3, BENT, np.zeros((2, 3))), TypeError, "armature is int: expected an Armature"),
    (lambda: blender.segment_palette("a", BENT), TypeError, "armature is str: expected an Armature"),
    (lambda: CURVES.channels(SKELETON, [0.0]), TypeError, "armature is Skeleton: expected an Armature"),
    (lambda: blender.sub_armature(None, ["a"]), TypeError, "armature is NoneType: expected an Armature"),
    (
        lambda: blender.deform(ARMATURE, BENT, np.zeros((2, 3)), groups=3),
        TypeError,
        "groups is int: expected VertexGroups",
    ),
    (lambda: view.show(CLIP, title=3.0), TypeError, "title is 3.0: text is needed"),
    (lambda: CLIP.show(title=3.0), TypeError, "title is 3.0: text is needed"),
    (lambda: CLIP.show(report=3), TypeError, "report is a int: a PlantReport is needed"),
    (lambda: sk.plant_feet(CLIP, blend=1e308), ValueError, "blend is 1e+308: it must lie within 0 … 1e+06"),
    (
        lambda: sk.plant_feet(CLIP, blend=10**400),
        ValueError,
        "blend is an integer of 1329 bits: it must fit into float64",
    ),
    (
        lambda: sk.Clip(CLIP.skeleton, CLIP.rotations, fps=5e-324),
        ValueError,
        "fps is 5e-324: it must lie within 1e-12 … 1e+12",
    ),
    (
        lambda: sk.Clip(CLIP.skeleton, CLIP.rotations, fps=1e300),
        ValueError,
        "fps is 1e+300: it must lie within 1e-12 … 1e+12",
    ),
    (
        lambda: sk.plant_locals(CLIP.skeleton, CLIP.local_matrices(), fps=1e13),
        ValueError,
        "fps is 10000000000000.0: it must lie",
    ),
    (lambda: sk.hinge([1, 0, 0], 0, 1, soft="a"), TypeError, "soft is 'a': a number is needed"),
    (lambda: LIMITS.inside(SKELETON, SKELETON.rest_local, None), TypeError, "tolerance is None: a number is needed"),
    (lambda: LIMITS.nearest([], SKELETON.rest_local), TypeError, "skeleton is a list: a Skeleton is needed"),
    (lambda: sk.JointLimits.knees(SKELETON, ["a"]), TypeError, "legs[0] is 'a': a Leg is needed"),
    (
        lambda: sk.rotations_from_positions(SKELETON, SKELETON.rest_local, [0, 1.5], np.zeros((2, 3))),
        TypeError,
        "chain[1] is 1.5: ",
    ),
    (lambda: SKELETON.index(3), TypeError, "name is 3: a name must be a string"),
    (lambda: CLIP.slice(0.5), TypeError, "start is 0.5: a whole number or None is needed"),
    (lambda: REPORT.centimetres("1"), TypeError, "length is '1': a number is needed"),
    (lambda: REPORT.violations(max_slide="1"), TypeError, "max_slide is '1': a number is needed"),
    (lambda: VertexGroups([1], [0], [], []), TypeError, "names[0] is 1: expected a str"),
    (lambda: BBones.from_arrays({}), ValueError, "arrays has no 'segments': expected what to_arrays returns"),
    (
        lambda: CURVES.channels(ARMATURE, [0.0], still={}),
        ValueError,
        "still has no 'location': expected what read_channels",
    ),
    (lambda: sk.PlantEditor(CLIP, legs="abc"), TypeError, "legs is 'abc': a sequence of Leg is needed"),
    (lambda: sk.PlantOptions(legs=[1]), TypeError, "legs[0] is 1: a Leg is needed, as find_legs returns it"),
    (lambda: sk.measure_cost(CLIP, CLIP, frames=""), TypeError, "frames is '': (first, last) is needed, two whole"),
    (lambda: sk.measure_cost(CLIP, CLIP, frames={}), TypeError, "frames is {}: (first, last) is needed, two whole"),
    (lambda: sk.measure_cost(CLIP, CLIP, names=3), TypeError, "names is 3: two strings are needed"),
    (lambda: sk.measure_cost(CLIP, CLIP, report="no"), TypeError, "report is a str: a PlantReport is needed"),
    (
        lambda: sk.Clip.from_positions(np.ones((1, 2, 3)), ["-1.0", "0.0"], fps=30),
        TypeError,
        "parents has dtype <U4: integers are needed",
    ),
    (lambda: sk.Leg("x", 1, 2), TypeError, "hip is 'x': an integer is needed"),
    (lambda: sk.Leg(0, 1, 2, toe=-1), ValueError, "toe is -1: it must be at least 0"),
    (lambda: sk.Leg(0, 1, 2, side=3), TypeError, "side is 3: 'left', 'right' or None is needed"),
    (lambda: sk.Leg(0, 1, 2, chain=(0, 1)), ValueError, "chain is (0, 1): three joints are needed"),
    (lambda: sk.Leg(0, 1, 2, bend="up"), TypeError, "bend has dtype <U2: numbers are needed"),
    (lambda: sk.load(b"a.bvh"), TypeError, "path is b'a.bvh': the path of a file is needed, a str or a Path"),
    (
        lambda: sk.load("HIERARCHY\nROOT Hips\n" + "0 " * 999),
        ValueError,
        "path is the text 'HIERARCHY\\nROOT Hips\\n0 0 0 0 0 0 0 0 0 0 …': give the path of a file",
    ),
    (lambda: sk.load("a.bvh", skeleton="b.c3d"), ValueError, "skeleton is 'b.c3d': the name must end in"),
    (lambda: sk.load("a.bvh", strict="no"), TypeError, "strict is 'no': True or False is needed"),
    (lambda: io.save(PLANTED, "a.bvh"), TypeError, "clip is a Planted: a Clip is needed"),
    (lambda: sk.save_animations({"a": 1}, "a.glb"), TypeError, "clips['a'] is a int: a Clip is needed"),
    (lambda: CLIP.show().save(b"a.html"), TypeError, "path is b'a.html': the path of a file is needed"),
    (
        lambda: sk.SkinWeights.from_dense(SPARSE),
        TypeError,
        "dense is a sparse Sparse: from_csr takes its rows as they are: m = dense.tocsr(); SkinWeights.from_csr(",
    ),
    (lambda: sk.sort_joints(SPARSE), TypeError, "parents is a sparse Sparse: a full array is needed, as its toarray()"),
    (
        lambda: sk.Skeleton([-1, 2, 0], np.tile(np.eye(4), (3, 1, 1))),
        ValueError,
        "parents[1] is 2: a parent must come before its child: sort_joints(parents) gives the order in which it does",
    ),
    (
        lambda: sk.find_legs(["a", "b", "c"], [-1, 2, 0], np.zeros((3, 3))),
        ValueError,
        "parents[1] is 2: a parent must come before its child: sort_joints(parents) gives",
    ),
    (
        lambda: sk.find_legs(["a"], [7], np.zeros((1, 3))),
        ValueError,
        "parents[0] is 7: there is no joint of this number",
    ),
    (
        lambda: sk.Clip(CLIP.skeleton, CLIP.rotations, fps=np.timedelta64("NaT", "s")),
        TypeError,
        "fps is np.timedelta64('NaT','s'): a number is needed"
        if np.lib.NumpyVersion(np.__version__) >= "2.0.0"
        else "fps is ",
    ),
    (lambda: REPORT.as_text(words="German"), ValueError, "words is 'German': expected 'python', 'shell' or 'blender'"),
    (lambda: CLIP.plant_feet(frames=(True, 5)), TypeError, "frames is (True, 5): (first, last) is needed"),
    (lambda: REPORT.cost.total("pop"), ValueError, "what is 'pop': expected 'overturned', 'backward' or 'pops'"),
    (lambda: copy.copy(EDITOR).add_contact(["left"], 0, 3), TypeError, "leg is ['left']: the name of a leg is needed"),
    (lambda: sk.jupyter.edit("walk.bvh"), TypeError, "motion is a str: a Clip, what plant_feet returned, or a PlantEd"),
    (lambda: cycled(blend_in="1"), TypeError, "cycles[0].blend_in is '1': a number is needed"),
]


@pytest.mark.parametrize(("wrong", "error", "words"), NAMED, ids=[words for *_, words in NAMED])
def test_the_argument_is_named_with_its_value_and_the_rule(wrong, error, words):
    with pytest.raises(error) as raised:
        wrong()
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize("fps", [1e-12, 0.01, 30, np.float32(30), np.int16(30), 1e6, 1e12])
def test_rates_within_the_bounds_are_planted(fps):
    planted = sk.plant_feet(sk.Clip(CLIP.skeleton, CLIP.rotations, fps=fps))
    assert np.isfinite(planted.clip.positions()).all()
    assert planted.report.to_dict()["fps"] == fps
    assert planted.clip.show(report=planted.report).html


def test_the_longest_blend_is_taken():
    assert np.isfinite(sk.plant_feet(CLIP, blend=1e6).clip.positions()).all()


@pytest.mark.parametrize("seconds", ["1e-13", "1e13", "5e-324"])
def test_a_file_with_such_a_frame_time_is_refused_by_its_line(seconds, tmp_path):
    path = tmp_path / "still.bvh"
    CLIP.slice(0, 1).save(path)
    lines = path.read_text().splitlines()
    line = next(k for k, text in enumerate(lines) if text.startswith("Frame Time"))
    lines[line] = f"Frame Time: {seconds}"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(sk.FormatError, match=r"the frame time is .*: must lie within 1e-12 … 1e\+12 s") as raised:
        sk.load(path)
    assert raised.value.line == line + 1


def test_integers_too_long_to_be_written_are_named():
    with pytest.raises(ValueError, match=r"^fps is an integer of 33220 bits: it must fit into float64$"):
        sk.Clip(CLIP.skeleton, CLIP.rotations, fps=10**10_000)
