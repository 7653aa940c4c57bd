# SPDX-License-Identifier: MIT
"""`apply_two_bone(hinge=…)`: knees that stay on their side of an axis, near straight and past it."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from limb_rigs import FIRST, LEG, PARENT_KINDS, PARENTS, SECOND, leg_skeleton, matrices, norm, reachable

import skelkin_py as sk

AXIS = np.array([1.0, 0.0, 0.0])  # of a leg that hangs down and looks along z


@pytest.fixture
def rng():
    return np.random.default_rng(1804)


def turned(axis, degrees):
    return sk.quaternion_to_matrix(sk.quaternion_from_axis_angle(axis, np.radians(degrees)))


def posed(flexion, thigh=None, off=0.0):
    """A leg of the thigh's rotation, whose shin is turned so far about the hinge, turned `off` about the bone."""
    flexion = np.asarray(flexion, float)
    skeleton = leg_skeleton()
    local = np.tile(skeleton.rest_local, (len(flexion), 1, 1, 1))
    if thigh is not None:
        local[:, 1, :3, :3] = thigh
    axis = turned([0.0, 1.0, 0.0], off) @ AXIS
    local[:, 2, :3, :3] = turned(axis, flexion)
    return skeleton, local


def leg_points(skeleton, local):
    return np.moveaxis(sk.forward_kinematics(skeleton, local)[..., 1:4, :3, 3], -2, 0)


def carried_side(old, new, thigh, axis=AXIS):
    """The hinge's side of the old line, carried by the smallest turn onto the new one, by a quaternion."""
    u, v = (x / norm(x)[:, None] for x in (old, new))
    side = np.cross(u, thigh @ axis)
    q = np.concatenate([1.0 + (u * v).sum(-1, keepdims=True), np.cross(u, v)], axis=-1)
    return sk.quaternion_rotate(q / norm(q)[:, None], side / norm(side)[:, None])


@pytest.mark.parametrize("kind", PARENT_KINDS)
@pytest.mark.parametrize("roll", ["hinge", "minimal"])
def test_it_is_the_reference(rng, kind, roll):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 60, len(PARENTS))
    PARENT_KINDS[kind](local)
    hinge = rng.normal(size=(60, 2, 3))
    target = np.stack([reachable(rng, local, chain) for chain in (FIRST, SECOND)], axis=1)
    given = skeleton, local, [FIRST, SECOND], target
    found, wanted = (m.apply_two_bone(*given, hinge=hinge, roll=roll) for m in (sk, reference))
    np.testing.assert_allclose(found.local, wanted.local, atol=1e-9)
    assert np.array_equal(found.status, wanted.status)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_the_reference_near_straight(rng, dtype):
    skeleton, local = posed(rng.uniform(-30.0, 30.0, 300), turned(rng.normal(size=(300, 3)), rng.uniform(0, 180, 300)))
    hip, _, ankle = leg_points(skeleton, local)
    target = hip + (ankle - hip) * rng.uniform(0.4, 1.1, (300, 1)) + 0.2 * rng.normal(size=(300, 3))
    given = [x.astype(dtype) for x in (local, target, AXIS)]
    found = sk.apply_two_bone(skeleton, given[0], LEG, given[1], hinge=given[2])
    wanted = reference.apply_two_bone(skeleton, given[0], LEG, given[1], hinge=given[2])
    assert found.local.dtype == dtype
    np.testing.assert_allclose(found.local, wanted.local, atol=1e-9 if dtype == np.float64 else 2e-3)


@pytest.mark.parametrize("off", [0.0, 25.0])
def test_the_knee_is_on_the_side_of_its_hinge(rng, off):
    thigh = turned(rng.normal(size=(500, 3)), rng.uniform(0, 180, 500))
    skeleton, local = posed(rng.uniform(-25.0, 120.0, 500), thigh, off)
    hip, _, ankle = leg_points(skeleton, local)
    far = rng.uniform(0.2, 1.1, (500, 1)) * 2.0
    target = hip + far * (ankle - hip) / norm(ankle - hip)[:, None] + 0.2 * rng.normal(size=(500, 3))
    solved = sk.apply_two_bone(skeleton, local, LEG, target, hinge=AXIS)
    _, knee, end = leg_points(skeleton, solved.local)
    side = carried_side(ankle - hip, end - hip, thigh)
    assert np.einsum("fi,fi->f", knee - hip, side).min() >= -1e-9


@pytest.mark.parametrize(("flexion", "own"), [(3.9, False), (-3.9, False), (20.1, True), (70.0, True)])
def test_a_straight_leg_bends_about_its_hinge_and_a_bent_one_in_its_own_plane(flexion, own):
    skeleton, local = posed(np.full(1, flexion), off=30.0)
    hip, _, ankle = leg_points(skeleton, local)
    target = hip + 0.5 * (ankle - hip)
    found = leg_points(skeleton, sk.apply_two_bone(skeleton, local, LEG, target, hinge=AXIS).local)[1]
    line = (ankle - hip) / norm(ankle - hip)[:, None]
    side = carried_side(line, line, np.eye(3)[None], turned([0.0, 1.0, 0.0], 30.0) @ AXIS if own else AXIS)
    off = found - hip - ((found - hip) * line).sum(-1, keepdims=True) * line
    np.testing.assert_allclose(off / norm(off)[:, None], side, atol=1e-9)


def test_a_leg_past_straight_is_mirrored():
    skeleton, local = posed([-12.0])
    hip, knee, ankle = leg_points(skeleton, local)
    found = leg_points(skeleton, sk.apply_two_bone(skeleton, local, LEG, ankle, hinge=AXIS).local)[1]
    line = (ankle - hip) / norm(ankle - hip)[:, None]
    along = ((knee - hip) * line).sum(-1, keepdims=True) * line
    np.testing.assert_allclose(found - hip, 2.0 * along - (knee - hip), atol=1e-12)


def test_a_leg_at_its_target_keeps_its_pose(rng):
    flexion = np.concatenate([np.geomspace(0.1, 4.0, 50), rng.uniform(4.0, 120.0, 150)])
    skeleton, local = posed(flexion, turned(rng.normal(size=(200, 3)), rng.uniform(0, 180, 200)), off=25.0)
    solved = sk.apply_two_bone(skeleton, local, LEG, leg_points(skeleton, local)[2], hinge=AXIS)
    np.testing.assert_allclose(solved.local, local, atol=1e-7)


def test_a_hardly_bent_leg_that_passes_its_hinge_sideways_stays_bent_about_it():
    # A knee that bends by 5 degrees all the time, while its plane goes round from backward to forward.
    off = np.linspace(180.0, 0.0, 181)
    axes = turned(np.tile([0.0, 1.0, 0.0], (181, 1)), off) @ AXIS
    skeleton, local = posed(np.zeros(181))
    local[:, 2, :3, :3] = turned(axes, 5.0)
    hip, knee, ankle = leg_points(skeleton, local)
    solved = sk.apply_two_bone(skeleton, local, LEG, ankle, hinge=AXIS)
    knees = leg_points(skeleton, solved.local)[1]
    line = (ankle - hip) / norm(ankle - hip)[:, None]
    out = knees - hip - ((knees - hip) * line).sum(-1, keepdims=True) * line
    cosines = (out / norm(out)[:, None] * np.cross(line, AXIS)).sum(-1)
    assert cosines.min() >= 0.45  # 0 where it would bend sideways
    assert norm(np.diff(knees, axis=0)).max() <= 5.0 * norm(np.diff(ankle, axis=0)).max()
    np.testing.assert_allclose(knees[off <= 59.0], knee[off <= 59.0], atol=1e-12)


def test_the_knee_moves_as_the_pose_does_through_straight():
    steps = 4001
    skeleton, local = posed(np.linspace(-30.0, 40.0, steps), off=15.0)
    hip, _, ankle = leg_points(skeleton, local)
    solved = sk.apply_two_bone(skeleton, local, LEG, hip + 0.9 * (ankle - hip), hinge=AXIS)
    knees = leg_points(skeleton, solved.local)[1]
    assert norm(np.diff(knees, axis=0)).max() <= 5.0 * norm(np.diff(ankle, axis=0)).max()


def test_zeros_say_nothing_and_each_limb_has_its_own(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local, target = matrices(rng, 20, len(PARENTS)), rng.normal(size=(20, 2, 3))
    hinges = np.array([[0.0, 0.0, 0.0], [0.6, 0.0, 0.8]])
    both = sk.apply_two_bone(skeleton, local, [FIRST, SECOND], target, hinge=hinges)
    first = sk.apply_two_bone(skeleton, local, FIRST, target[:, 0])
    second = sk.apply_two_bone(skeleton, first.local, SECOND, target[:, 1], hinge=hinges[1])
    np.testing.assert_allclose(both.local, second.local, atol=1e-12)


def test_a_hinge_that_is_no_number_leaves_its_limb():
    skeleton, local = posed([5.0, 5.0])
    solved = sk.apply_two_bone(skeleton, local, LEG, [0.0, 0.5, 0.0], hinge=[[1.0, 0.0, 0.0], [np.nan, 0.0, 0.0]])
    assert solved.status.tolist() == [sk.IKStatus.REACHED, sk.IKStatus.BAD_INPUT]
    assert np.array_equal(solved.local[1], local[1])


def test_limits_hold_beside_a_hinge(rng):
    skeleton, local = posed(rng.uniform(-10.0, 10.0, 50))
    limits = sk.JointLimits({"shin": sk.hinge(AXIS, 0.0, 2.6)})
    solved = sk.apply_two_bone(skeleton, local, LEG, [0.0, 0.6, 0.0], hinge=AXIS, limits=limits)
    assert (solved.status == sk.IKStatus.REACHED).all()
    assert limits.inside(skeleton, solved.local).all()
    assert leg_points(skeleton, solved.local)[1][:, 2].min() > 0.5


@pytest.mark.parametrize("other", ["pole", "pole_direction"])
def test_a_pole_beside_a_hinge_is_refused(other):
    skeleton, local = posed([5.0])
    with pytest.raises(ValueError, match=f"^hinge and {other} are both given: give one of them$"):
        sk.apply_two_bone(skeleton, local, LEG, [0.0, 0.5, 0.0], hinge=AXIS, **{other: [0.0, 0.0, 1.0]})


@pytest.mark.parametrize("hinge", [[1.0, 0.0], [[[1.0, 0.0, 0.0]] * 3] * 2])
def test_hinges_of_another_shape_are_refused(hinge):
    skeleton, local = posed([5.0] * 5)
    with pytest.raises(ValueError, match=r"hinge|broadcast"):
        sk.apply_two_bone(skeleton, local, LEG, [0.0, 0.5, 0.0], hinge=hinge)
