# SPDX-License-Identifier: MIT
"""`solve_fabrik`: reach, lengths, what happens out of reach and in line, trees, poles, bad rows."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st

import skelkin_py as sk

TOLERANCE = {np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-6}


@pytest.fixture
def rng():
    return np.random.default_rng(2011)


def norm(v):
    return np.linalg.norm(v, axis=-1)


def random_chains(rng, count, joints):
    bones = rng.normal(size=(count, joints - 1, 3))
    bones *= rng.uniform(0.5, 1.5, (count, joints - 1, 1)) / norm(bones)[..., None]
    return np.concatenate([np.zeros((count, 1, 3)), np.cumsum(bones, axis=1)], axis=1)


def random_targets(rng, chains, low, high):
    n = rng.normal(size=(len(chains), 3))
    return n / norm(n)[:, None] * (lengths(chains).sum(axis=1) * rng.uniform(low, high, len(chains)))[:, None]


def lengths(chains):
    return norm(np.diff(np.asarray(chains, np.float64), axis=-2))


def check(chains, targets, solved):
    """Root fixed, lengths kept, error measured on the result; returns that error as a part of the length."""
    chains, result = np.asarray(chains, np.float64), np.asarray(solved.positions, np.float64)
    size = lengths(chains).sum(axis=-1)
    assert np.array_equal(result[..., 0, :], np.broadcast_to(chains[..., 0, :], result[..., 0, :].shape))
    assert (np.abs(lengths(result) - lengths(chains)) <= 1e-6 * size[..., None]).all()
    error = norm(result[..., -1, :] - np.asarray(targets, np.float64))
    assert np.allclose(error, solved.error, rtol=1e-5, atol=1e-7 * float(size.max()))
    return error / size


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("joints", [4, 5, 7, 10, 40, 200])
@pytest.mark.parametrize(("low", "high"), [(0.05, 0.5), (0.5, 0.95), (0.95, 0.999), (0.999, 0.999999)])
def test_targets_in_reach_are_reached_and_bones_keep_their_lengths(rng, dtype, joints, low, high):
    chains = random_chains(rng, 1000 // joints + 5, joints)
    targets = random_targets(rng, chains, low, high)
    possible = 2 * lengths(chains).max(axis=1) <= lengths(chains).sum(axis=1) + norm(targets)
    chains, targets = (x[possible].astype(dtype) for x in (chains, targets))
    solved = sk.solve_fabrik(chains, targets)
    error = check(chains, targets, solved)
    assert (solved.status == sk.IKStatus.REACHED).all()
    assert (error <= 1.01 * TOLERANCE[np.dtype(dtype)]).all()
    assert solved.iterations.max() <= 64
    assert solved.iterations.dtype == np.int32
    assert solved.positions.dtype == solved.error.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_target_beyond_the_reach_stretches_the_chain_straight_towards_it(rng, dtype):
    chains = (random_chains(rng, 50, 8) + 3).astype(dtype)
    n = rng.normal(size=(50, 3))
    n /= norm(n)[:, None]
    size = lengths(chains).sum(axis=1)
    targets = (chains[:, 0] + n * (size * rng.uniform(1.01, 1000, 50))[:, None]).astype(dtype)
    solved = sk.solve_fabrik(chains, targets)
    check(chains, targets, solved)
    assert (solved.status == sk.IKStatus.TOO_FAR).all()
    assert (solved.iterations == 0).all()
    n = targets.astype(np.float64) - chains[:, 0]
    ends = chains[:, 0] + n / norm(n)[:, None] * size[:, None]
    assert np.allclose(solved.positions[:, -1], ends, atol=3e-6 if dtype == np.float32 else 1e-13)


def test_a_longest_bone_that_cannot_fold_back_comes_as_near_as_it_can():
    chain = [[0, 0, 0], [0.5, 0, 0], [0.5, 4, 0], [0.5, 4, 1]]
    solved = sk.solve_fabrik(chain, [0, 0, 2])
    assert solved.status == sk.IKStatus.TOO_CLOSE
    assert solved.error == pytest.approx(0.5, abs=1e-12)  # 4 - 0.5 - 1 = 2.5 is the least distance from the root
    assert np.allclose(solved.positions, [[0, 0, 0], [0, 0, -0.5], [0, 0, 3.5], [0, 0, 2.5]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("lean", [0, 1e-12, 1e-7, 1e-4])
@pytest.mark.parametrize("distance", [-0.7, -0.2, 0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_chain_in_line_with_its_target_does_not_stick(dtype, lean, distance):
    for axis in np.vstack([np.eye(3), [[1, 2, -3]]]):
        axis = axis / norm(axis)
        chain = np.arange(9)[:, None] * axis
        chain[1::2] += lean * np.cross(axis, [0.3, 0.4, 0.5])
        solved = sk.solve_fabrik(chain.astype(dtype), (8 * distance * axis).astype(dtype))
        assert solved.status == sk.IKStatus.REACHED
        check(chain.astype(dtype), (8 * distance * axis).astype(dtype), solved)


def test_folded_chains_in_line_do_not_stick():
    chain = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0], [0.5, 0, 0]])
    assert sk.solve_fabrik(chain, [2.1, 0, 0]).status == sk.IKStatus.REACHED


def test_a_target_on_a_joint_on_the_root_or_on_the_end_is_no_special_case(rng):
    chains = random_chains(rng, 40, 6)
    for joint in range(6):
        solved = sk.solve_fabrik(chains, chains[:, joint])
        check(chains, chains[:, joint], solved)
        assert (solved.status == sk.IKStatus.REACHED).all()
    assert np.array_equal(solved.positions, chains)
    assert (solved.iterations == 0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e6, 1e-30, 1e30])
def test_the_same_problem_at_another_scale_has_the_same_answer(rng, dtype, scale):
    chains = random_chains(rng, 60, 7).astype(dtype)
    targets = random_targets(rng, chains, 0.1, 1.2).astype(dtype)
    power = dtype(2.0 ** np.round(np.log2(scale)))  # so that scaling itself rounds nothing
    one, other = sk.solve_fabrik(chains, targets), sk.solve_fabrik(chains * power, targets * power)
    assert np.array_equal(one.status, other.status)
    assert np.allclose(one.positions, other.positions / power, atol=1e-4 if dtype == np.float32 else 1e-9)


def test_too_few_iterations_are_told(rng):
    chain = np.arange(6)[:, None] * np.array([1.0, 0, 0])
    solved = sk.solve_fabrik(chain, [-2.0, 3.0, 1], max_iterations=1, tolerance=1e-12)
    assert solved.iterations == 1
    assert solved.status == (sk.IKStatus.REACHED if solved.error <= 5e-12 else sk.IKStatus.NOT_CONVERGED)
    tree = sk.solve_fabrik(
        [[0, 0, 0], [1, 0, 0], [2, 1, 0], [2, -1, 0]], [[2, 1, 0], [-2, -1, 0]], parents=[-1, 0, 1, 1]
    )
    assert tree.iterations == 64
    assert tree.status == sk.IKStatus.NOT_CONVERGED
    assert tree.error > 0.1


def test_bones_of_length_zero_are_carried_along(rng):
    chains = random_chains(rng, 30, 8)
    chains[:, 3], chains[:, 7] = chains[:, 2], chains[:, 6]
    targets = random_targets(rng, chains, 0.3, 0.9)
    solved = sk.solve_fabrik(chains, targets)
    check(chains, targets, solved)
    assert (solved.status == sk.IKStatus.REACHED).all()
    assert np.array_equal(solved.positions[:, 3], solved.positions[:, 2])


def test_a_chain_with_a_single_bone_that_has_a_length_is_degenerate():
    assert sk.solve_fabrik([[0, 0, 0], [1, 0, 0], [1, 0, 0]], [0, 0.5, 0]).status == sk.IKStatus.DEGENERATE
    assert sk.solve_fabrik(np.zeros((4, 3)), [0, 0.5, 0]).status == sk.IKStatus.DEGENERATE
    assert sk.solve_fabrik(np.zeros((4, 3)), [0, 0, 0]).status == sk.IKStatus.REACHED
    assert sk.solve_fabrik([[0, 0, 0], [1, 0, 0]], [0, 1, 0]).status == sk.IKStatus.REACHED
    assert sk.solve_fabrik([[0, 0, 0], [1, 0, 0]], [0, 0.5, 0]).status == sk.IKStatus.TOO_CLOSE


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_bad_row_harms_only_itself(rng, dtype, value):
    chains = random_chains(rng, 150, 5).astype(dtype)
    targets = random_targets(rng, chains, 0.2, 1.1).astype(dtype)
    poles = rng.normal(size=(150, 3)).astype(dtype)
    good = sk.solve_fabrik(chains, targets, pole=poles)
    chains[7, 3, 1] = targets[64, 2] = poles[149, 0] = value
    solved = sk.solve_fabrik(chains, targets, pole=poles)
    bad = np.isin(np.arange(150), [7, 64, 149])
    assert np.array_equal(solved.positions[bad], chains[bad], equal_nan=True)
    assert (solved.status[bad] == sk.IKStatus.BAD_INPUT).all()
    assert np.isnan(solved.error[bad]).all()
    for mine, theirs in zip(solved, good):
        assert np.array_equal(mine[~bad], theirs[~bad])


def test_a_batch_is_the_same_as_a_loop_and_broadcasts(rng):
    chains = random_chains(rng, 6, 9).reshape(2, 3, 9, 3).astype(np.float32)
    targets = rng.normal(size=(4, 1, 1, 3)).astype(np.float32) * 3
    solved = sk.solve_fabrik(chains, targets)
    assert solved.positions.shape == (4, 2, 3, 9, 3)
    assert solved.status.shape == (4, 2, 3)
    for i in np.ndindex(4, 2, 3):
        one = sk.solve_fabrik(chains[i[1:]], targets[i[0], 0, 0])
        for mine, theirs in zip(solved, one):
            assert np.array_equal(mine[i], theirs)
    turned = sk.solve_fabrik(np.asfortranarray(chains)[:, ::-1], targets)
    assert np.array_equal(turned.positions, solved.positions[:, :, ::-1])
    assert sk.solve_fabrik(np.zeros((0, 4, 3)), [1, 2, 3]).positions.shape == (0, 4, 3)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(3, 12))
def test_rigid_motions_go_through(seed, joints):
    rng = np.random.default_rng(seed)
    chain, pole = random_chains(rng, 1, joints)[0], rng.normal(size=3) * 5
    target = random_targets(rng, chain[None], 0.1, 1.2)[0]
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    shift = rng.normal(size=3)
    one = sk.solve_fabrik(chain, target, pole=pole)
    other = sk.solve_fabrik(chain @ q.T + shift, q @ target + shift, pole=q @ pole + shift)
    assert one.status == other.status
    assert np.allclose(one.positions @ q.T + shift, other.positions, atol=1e-5 * joints)


def test_the_middle_of_the_chain_goes_to_the_side_of_the_pole(rng):
    chains = random_chains(rng, 80, 10)
    targets = random_targets(rng, chains, 0.3, 0.9)
    poles = rng.normal(size=(80, 3)) * 20
    plain, solved = sk.solve_fabrik(chains, targets), sk.solve_fabrik(chains, targets, pole=poles)
    assert (solved.status == sk.IKStatus.REACHED).all()
    check(chains, targets, solved)
    end = solved.positions[:, -1]
    n = end / norm(end)[:, None]
    bones = lengths(solved.positions)[..., None]
    middle = ((solved.positions[:, 1:] + solved.positions[:, :-1]) * bones).sum(axis=1)
    side, pull = (v - (v * n).sum(-1, keepdims=True) * n for v in (middle, poles))
    clear = norm(pull) > 0.26 * norm(poles)
    cosine = (side * pull).sum(-1) / norm(side) / norm(pull)
    assert (cosine[clear] > 1 - 1e-9).all()
    assert clear.sum() > 60
    gram = lambda p: np.einsum("cik,cjk->cij", p, p)  # noqa: E731 - the shape, whatever its rotation about the root
    assert np.allclose(gram(plain.positions), gram(solved.positions), atol=1e-9)


def test_one_pass_and_trees_are_those_of_the_reference(rng):
    chains = random_chains(rng, 100, 6)
    targets = random_targets(rng, chains, 0.7, 1.3)
    mine, theirs = (f(chains, targets, max_iterations=1) for f in (sk.solve_fabrik, reference.solve_fabrik))
    same = theirs.error > 0.11 * lengths(chains).sum(axis=1)
    assert same.sum() > 20
    assert np.allclose(mine.positions[same], theirs.positions[same], atol=1e-12)
    parents = [-1, 0, 1, 2, 2, 4, 1, 6, 0, 8]
    points = rng.normal(size=(50, 10, 3))
    goals = points[:, [3, 5, 7, 9]] + 0.4 * rng.normal(size=(50, 4, 3))
    mine = sk.solve_fabrik(points, goals, parents=parents, tolerance=1e-4)
    theirs = reference.solve_fabrik(points, goals, parents=parents, tolerance=1e-4)
    assert np.array_equal(mine.iterations, theirs.iterations)
    assert np.allclose(mine.positions, theirs.positions, atol=1e-9)
    assert np.isin(mine.status, [0, 1, 6]).all()
    assert (mine.status == 0).sum() > 5


def same(one, other):
    return all(np.array_equal(x, y, equal_nan=True) for x, y in zip(one, other, strict=True))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_out_is_filled_and_returned_and_may_overlap(rng, dtype):
    chains = random_chains(rng, 90, 6).astype(dtype)
    targets = random_targets(rng, chains, 0.1, 1.2).astype(dtype)
    plain = sk.solve_fabrik(chains, targets)
    out = sk.Fabrik(*(np.empty_like(x) for x in plain))
    got = sk.solve_fabrik(chains, targets, out=out)
    assert all(x is y for x, y in zip(got, out, strict=True))
    assert same(out, plain)
    strided = sk.Fabrik(*(np.empty((*x.shape, 2), x.dtype)[..., 0] for x in plain))
    assert same(sk.solve_fabrik(chains, targets, out=strided), plain)
    place = chains.copy()
    over = sk.solve_fabrik(place, targets, out=out._replace(positions=place))
    assert over.positions is place
    assert same(over, plain)
    one = sk.solve_fabrik(chains[3], targets[3], out=sk.Fabrik(*(np.empty_like(x[3, ...]) for x in plain)))
    assert same(one, (x[3] for x in plain))


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"positions": np.empty((30, 4, 3), np.float32)}, TypeError, "out.positions has dtype float32"),
        ({"positions": np.empty((29, 4, 3))}, ValueError, r"out.positions has shape \(29, 4, 3\)"),
        ({"status": np.empty(30)}, TypeError, "out.status has dtype float64: the result is uint8"),
        ({"status": np.empty(31, np.uint8)}, ValueError, r"out.status has shape \(31,\): expected \(30,\)"),
        ({"error": [0.0] * 30}, TypeError, "out.error"),
        ({"iterations": np.empty(30, np.int64)}, TypeError, "out.iterations has dtype int64: the result is int32"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_and_nothing_is_written(rng, change, error, text):
    chains, targets = rng.normal(size=(30, 4, 3)), rng.normal(size=(30, 3))
    marked = sk.Fabrik(*(np.full_like(x, 7) for x in sk.solve_fabrik(chains, targets)))
    with pytest.raises(error, match=text):
        sk.solve_fabrik(chains, targets, out=marked._replace(**change))
    frozen = marked.iterations.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match=r"out\.iterations is read-only"):
        sk.solve_fabrik(chains, targets, out=marked._replace(iterations=frozen))
    with pytest.raises(TypeError, match="tuple of 4"):
        sk.solve_fabrik(chains, targets, out=marked.positions)
    assert all((x == 7).all() for x in marked)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_trees_keep_their_bones_and_carry_what_has_no_target(rng, dtype):
    parents = np.array([-1, 0, 1, 1, 3, 3, 0, 6, 6, 4])
    trees = rng.normal(size=(200, 10, 3)).astype(dtype)
    targets = {j: (trees[:, j] + 0.5 * rng.normal(size=(200, 3))).astype(dtype) for j in (9, 5, 7)}
    solved = sk.solve_fabrik(trees, targets, parents=parents)
    old, new = trees.astype(np.float64), solved.positions.astype(np.float64)
    bones, kept = (norm(p[:, 1:] - p[:, parents[1:]]) for p in (old, new))
    assert np.array_equal(new[:, 0], old[:, 0])
    assert np.allclose(kept, bones, atol=4e-6 if dtype == np.float32 else 1e-14)
    assert np.allclose(norm(new[:, 2] - new[:, 0]), norm(old[:, 2] - old[:, 0]), atol=4e-6)  # rigid with the bone 0-1
    assert np.allclose(norm(new[:, 8] - new[:, 0]), norm(old[:, 8] - old[:, 0]), atol=4e-6)
    error = np.max([norm(new[:, j] - t) for j, t in targets.items()], axis=0)
    assert np.allclose(error, solved.error, rtol=1e-5, atol=1e-7)
    ways = {9: (1, 3, 4, 9), 5: (1, 3, 5), 7: (6, 7)}
    size = np.max([bones[:, [j - 1 for j in way]].sum(axis=1) for way in ways.values()], axis=0)
    beyond = [norm(targets[j] - old[:, 0]) > bones[:, [i - 1 for i in way]].sum(axis=1) for j, way in ways.items()]
    reached = error <= TOLERANCE[np.dtype(dtype)] * size + 1e-5 * (dtype == np.float32)
    assert (reached[solved.status == sk.IKStatus.REACHED]).all()
    missed = ~np.isin(solved.status, [sk.IKStatus.REACHED])
    assert np.array_equal(solved.status[missed] == sk.IKStatus.TOO_FAR, np.any(beyond, axis=0)[missed])
    assert (solved.iterations[missed] == 64).all()
    assert 20 < (~missed).sum() < 180
    for i in range(0, 200, 23):
        one = sk.solve_fabrik(trees[i], {j: t[i] for j, t in targets.items()}, parents=parents)
        assert same(one, (x[i] for x in solved))


def test_a_skeleton_is_told_to_go_to_apply_fabrik() -> None:
    tail = sk.Skeleton([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1)))
    with pytest.raises(TypeError, match=r"positions is a Skeleton: .* apply_fabrik\(skeleton, local, chain, target\)"):
        sk.solve_fabrik(tail, tail.rest_local, [0, 1, 2], [0, 1, 0])
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        sk.solve_fabrik(np.zeros((3, 3)), [0, 1, 0], [-1, 0, 1])
    assert list(signature(sk.solve_fabrik).parameters)[:3] == ["positions", "target", "parents"]
