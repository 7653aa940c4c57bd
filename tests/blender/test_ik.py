# SPDX-License-Identifier: MIT
"""IK iterated from arrays against the IK constraint: the same pose after 1, 5, 12 and 500 steps."""

from __future__ import annotations

import bpy
import ik_rigs
import numpy as np
import pytest
from extent import seeds
from parity import note
from random_rigs import live_pose

from skelkin_py.blender import Armature, pole_angle, read_ik

SEEDS = seeds(12)
LIMIT_STEPS = (1, 2, 5, 12, 50, 500)
BOUND = 1e-5


def compare(part, rig, before):
    """Note the worst difference of an entry, in matrices whose coordinates are a few units.

    A few problems are ill conditioned (a step more or less, a limit met or not, by the last bit of the pose): where the
    bound is broken, Blender's own rounding has to be the reason.
    """
    live = ik_rigs.solved_live(rig, before)
    armature, ik = Armature.from_bpy(rig), read_ik(rig)
    error = np.abs(armature.solve_ik(before, **ik) - live).max()
    if error > BOUND:
        rng = np.random.default_rng(0)
        rounded = before * (1 + 2.0**-24 * rng.uniform(-1, 1, (20, *before.shape)))
        spread = np.ptp(armature.solve_ik(rounded, **ik), axis=0).max()
        assert spread > 2e-6
        assert error <= 5 * spread
        return
    note(part, error, BOUND)


def compare_strictly(part, rig, before):
    """Note the worst difference of what hangs on Blender's own rounding, and on nothing else."""
    live = ik_rigs.solved_live(rig, before)
    note(part, np.abs(Armature.from_bpy(rig).solve_ik(before, **read_ik(rig)) - live).max(), BOUND)


def one_goal(seed, count, *, pole=False, reach=1.2, scale=0.0, iterations=None, **options):
    rng = np.random.default_rng(seed)
    rig = ik_rigs.chain(rng, count, scale=scale)
    before = live_pose(rig)
    goal = ik_rigs.goal_for(rig, rng, count, reach)
    if pole:
        options.update(pole=3 * rng.normal(size=3), pole_angle=float(rng.uniform(-3, 3)))
    steps = iterations or ik_rigs.ITERATIONS[seed % 4]
    ik_rigs.constrain(rig, f"b{count - 1}", goal, chain_count=count, iterations=steps, **options)
    return rng, rig, before


@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_chain(seed, count, pole):
    _, rig, before = one_goal(seed, count, pole=pole)
    compare("IK, with pole" if pole else "IK, without pole", rig, before)


@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_out_of_reach(seed, pole):
    _, rig, before = one_goal(seed, 2, pole=pole, reach=3.0)
    compare("IK, out of reach", rig, before)


@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_uneven_scale(seed, pole):
    _, rig, before = one_goal(seed, 2, pole=pole, scale=0.3)
    compare("IK, uneven scale", rig, before)


@pytest.mark.parametrize("scale", [0.0, 0.3])
@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_influence(seed, pole, scale):
    _, rig, before = one_goal(seed, 2, pole=pole, scale=scale, influence=0.15 + 0.07 * seed)
    compare("IK, influence", rig, before)


@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_stiffness(seed, pole):
    rng, rig, before = one_goal(seed, 2, pole=pole)
    for name in ("b0", "b1"):
        ik_rigs.restrict(rig.pose.bones[name], rng, stiff=True)
    compare("IK, stiffness", rig, before)


@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_stretch(seed, pole):
    rng, rig, before = one_goal(seed, 2, pole=pole)
    for name in ("b0", "b1"):
        rig.pose.bones[name].ik_stretch = float(rng.uniform(0.05, 0.4))
    compare("IK, stretch", rig, before)


@pytest.mark.parametrize("lock", ["x", "y", "z", "xy", "xz", "yz"])
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_locks(seed, lock):
    rng, rig, before = one_goal(seed, 3)
    ik_rigs.restrict(rig.pose.bones["b1"], rng, lock=lock)
    compare("IK, locks", rig, before)


@pytest.mark.parametrize(
    ("lock", "limit"),
    [
        *(("yz", "x"), ("xy", "z"), ("xz", "y"), ("x", "yz"), ("z", "xy"), ("y", "xz")),
        *(("", "x"), ("", "y"), ("", "z"), ("", "xz"), ("", "xyz")),
    ],
)
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_limits(seed, lock, limit):
    rng, rig, before = one_goal(seed, 3, iterations=LIMIT_STEPS[seed])
    for name in ("b0", "b2"):
        ik_rigs.restrict(rig.pose.bones[name], rng, lock="xy")
    ik_rigs.restrict(rig.pose.bones["b1"], rng, lock=lock, limit=limit)
    compare("IK, limits", rig, before)


@pytest.mark.parametrize("limit", ["x", "y", "z", "xz", "xyz"])
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_limits_of_every_bone(seed, count, limit):
    rng, rig, before = one_goal(seed, count, iterations=LIMIT_STEPS[seed % 4])
    for index in range(count):
        ik_rigs.restrict(rig.pose.bones[f"b{index}"], rng, limit=limit)
    compare_strictly("IK, limits", rig, before)


@pytest.mark.parametrize("seed", SEEDS)
def test_limits_of_stiff_bones(seed):
    rng, rig, before = one_goal(seed, 3, iterations=LIMIT_STEPS[seed % 4])
    for name in ("b0", "b1", "b2"):
        ik_rigs.restrict(rig.pose.bones[name], rng, limit="xyz", stiff=True)
    compare_strictly("IK, limits", rig, before)


@pytest.mark.parametrize("seed", SEEDS)
def test_rotation_of_bones_that_stretch_and_shrink_to_nothing(seed):
    rng, rig, before = turned_goal(seed, iterations=(5, 12, 30, 50)[seed % 4])
    for name in ("b0", "b1", "b2"):
        rig.pose.bones[name].ik_stretch = float(rng.uniform(0.05, 0.4))
    compare_strictly("IK, rotation", rig, before)


@pytest.mark.parametrize("steps", [1, 2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_single_ball_whose_singular_values_differ_by_rounding_only(seed, steps):
    """Near its joint the tip is damped, by the singular vectors that the rounding of the axes decides about."""
    rng = np.random.default_rng(seed)
    rig = ik_rigs.folded(rng)
    before = live_pose(rig)
    goal = np.array(rig.pose.bones["b0"].head) + ik_rigs.unit(rng.normal(size=3)) * rng.uniform(0.5, 2)
    ik_rigs.restrict(rig.pose.bones["b1"], rng, lock="xyz")
    ik_rigs.constrain(rig, "b1", goal, chain_count=2, iterations=steps)
    compare_strictly("IK, without pole", rig, before)


@pytest.mark.parametrize("bone", ["b0", "b1"])
@pytest.mark.parametrize(
    ("lock", "limit"),
    [
        *((lock, "") for lock in ("x", "y", "z", "xy", "xz", "yz", "xyz")),
        *(("", limit) for limit in ("x", "y", "z", "xz", "yz", "xyz")),
        *(("xz", "y"), ("y", "xz"), ("x", "yz")),
    ],
)
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_locks_and_limits_of_unevenly_scaled_bones(seed, lock, limit, bone):
    rng, rig, before = one_goal(seed, 2, scale=0.3, iterations=LIMIT_STEPS[seed])
    ik_rigs.restrict(rig.pose.bones[bone], rng, lock=lock, limit=limit)
    compare("IK, locks and limits, uneven scale", rig, before)


@pytest.mark.parametrize("counts", [(4, 4), (0, 0), (2, 2), (0, 2)])
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_two_goals(seed, counts):
    """Chains that share bones and begin at different ones are left out: Blender's answer varies from run to run."""
    rng = np.random.default_rng(seed)
    rig = ik_rigs.spider(rng)
    before = live_pose(rig)
    for bone, count in zip(("l1", "r1"), counts, strict=True):
        goal = np.array(rig.pose.bones[bone].tail) + 0.5 * rng.normal(size=3)
        weight, steps = float(rng.uniform(0.1, 1)), ik_rigs.ITERATIONS[seed % 4]
        ik_rigs.constrain(rig, bone, goal, chain_count=count, iterations=steps, weight=weight)
    compare("IK, two goals", rig, before)


@pytest.mark.parametrize("then", [False, True])
@pytest.mark.parametrize("scale", [0.0, 0.3])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_hangs_on_a_chain_inherits_in_its_own_way(seed, scale, then):
    """`then`: one of those bones has an IK constraint of its own, which is solved where the chain has put it."""
    rng = np.random.default_rng(seed)
    rig = ik_rigs.leg(rng, scale=scale)
    before = live_pose(rig)
    ik_rigs.constrain(rig, "b1", ik_rigs.goal_for(rig, rng, 2), chain_count=2)
    if then:
        ik_rigs.constrain(rig, "leaf", 2 * rng.normal(size=3), chain_count=1, iterations=3)
    compare("IK, inheritance", rig, before)


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_the_parent_s_tail_and_objects_that_are_moved(seed):
    rng, rig, before = one_goal(seed, 3, use_tail=False)
    rig.location, rig.rotation_euler, rig.scale = rng.normal(size=3), rng.normal(size=3), (0.5, 0.5, 0.5)
    compare("IK, moved objects", rig, before)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_pole_angle_leaves_a_leg_where_it_is(seed):
    rng = np.random.default_rng(seed)
    rig = ik_rigs.chain(rng, 2)
    before = live_pose(rig)
    tip, pole = np.array(rig.pose.bones["b1"].tail), 3 * rng.normal(size=3)
    angle = float(pole_angle(before[1], tip, pole))
    ik_rigs.constrain(rig, "b1", tip, pole=pole, chain_count=2, pole_angle=angle)
    bpy.context.view_layer.update()
    note("pole angle", np.abs(live_pose(rig) - before).max(), 1e-4)
    assert Armature.from_bpy(rig).solve_ik(before, **read_ik(rig)) == pytest.approx(live_pose(rig), abs=BOUND)


def turned_goal(seed, *, places=True, count=3, **options):
    rng, rig, before = one_goal(seed, count, use_rotation=True, use_location=places, **options)
    constraint = rig.pose.bones[f"b{count - 1}"].constraints[0]
    constraint.target.rotation_euler, constraint.target.scale = rng.uniform(-3, 3, 3), rng.uniform(0.5, 2, 3)
    constraint.weight, constraint.orient_weight = rng.uniform(0.1, 1, 2)
    return rng, rig, before


@pytest.mark.parametrize("influence", [1.0, 0.4])
@pytest.mark.parametrize("pole", [False, True])
@pytest.mark.parametrize("places", [False, True])
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_rotation(seed, places, pole, influence):
    _, rig, before = turned_goal(seed, places=places, pole=pole, influence=influence)
    compare("IK, rotation", rig, before)


@pytest.mark.parametrize("influence", [1.0, 0.4])
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_rotation_with_uneven_scale(seed, influence):
    _, rig, before = turned_goal(seed, scale=0.3, influence=influence)
    compare("IK, rotation", rig, before)


@pytest.mark.parametrize("lock", ["x", "xz", "yz"])
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_rotation_of_bones_with_locks_and_limits(seed, lock):
    rng, rig, before = turned_goal(seed, count=4)
    for name in ("b0", "b2"):
        ik_rigs.restrict(rig.pose.bones[name], rng, lock=lock, stiff=True)
    ik_rigs.restrict(rig.pose.bones["b1"], rng, limit="x")
    compare("IK, rotation", rig, before)


# Left out: a first goal that asks for neither place nor rotation. Blender does not always give the same answer then.
@pytest.mark.parametrize("first", [{"pole": True}, {"places": False, "turns": True}, {"turns": True}])
@pytest.mark.parametrize("other", [{}, {"places": False}, {"pole": True}])
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_two_goals_with_rotations(seed, first, other):
    """A pole counts where one of them has a place."""
    rng = np.random.default_rng(seed)
    rig = ik_rigs.spider(rng)
    before = live_pose(rig)
    for bone, kind in (("l1", first), ("r1", {"turns": True, **other})):
        goal = np.array(rig.pose.bones[bone].tail) + 0.5 * rng.normal(size=3)
        pole = 3 * rng.normal(size=3) if kind.get("pole") else None
        options = {"use_location": kind.get("places", True), "use_rotation": kind.get("turns", False)}
        steps = ik_rigs.ITERATIONS[seed % 4]
        constraint = ik_rigs.constrain(rig, bone, goal, pole=pole, chain_count=4, iterations=steps, **options)
        constraint.target.rotation_euler = rng.uniform(-3, 3, 3)
    compare("IK, rotation", rig, before)


def test_what_is_not_modelled_says_so():
    _, rig, _ = one_goal(0, 2, ik_type="DISTANCE")
    with pytest.raises(ValueError, match="is not modelled"):
        read_ik(rig)


def test_what_has_no_ik_to_read_is_named():
    for what, message in ((None, "rig is None of type NoneType"), (ik_rigs.empty_at((0, 0, 0)), "of type EMPTY")):
        with pytest.raises(TypeError, match=f"{message}: an armature object is needed"):
            read_ik(what)
    rig = ik_rigs.chain(np.random.default_rng(0), 2)
    rig.scale = (1, 0, 1)
    bpy.context.view_layer.update()
    with pytest.raises(ValueError, match="rig is 'Rig', scaled to 0 along an axis"):
        read_ik(rig)
