# SPDX-License-Identifier: MIT
"""The smoothest correction that keeps the same contacts and the same places: J and its least value J*.

Unknown are the shift b of the hips, the offset o of each ankle and the part y of each knee's change that is no noise,
in every frame; lengths are in legs, times in seconds. Ankles in contacts stay where planting has put them, hips stay
within reach, soles in the air do not sink, the body's added acceleration is bounded; all ends are free, and a loop has
none. The problem is convex; a conic interior-point solver (Clarabel) finds its solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from hinges import signed_flexion
from motion import Array, LegMotion, norm, unit
from scipy.sparse.linalg import spsolve

BODY, STEADY, PATH, BEND_SPEED, BEND = 20.0, 3000.0, 0.2, 0.1, 1000.0  # weights; STEADY in 1/s^4
SPLIT = 1e7  # what of a knee's change is noise
CALM, FAR = 0.02, 0.08  # seconds: the bell that legs are seen through, and its end
TORN, TIMES, AROUND = 0.1, 4.0, 0.2  # a jump: so many legs in a frame, so many times any other step in seconds around
REACH = 0.995  # of the leg: 11.5 degrees of flexion
LEAST_BEND = np.radians(4.0)  # half the flexion at which a change of length is taken to change the flexion most,
LEAST_SHAKING = np.radians(2.0)  # and at which noise is taken to
SHAKES = 0.002  # of the leg: where the original is off its calm line by as much, that counts half
CAP = 15.0  # legs per second squared
UNREACHED = 1e-4  # legs by which a contact's place is out of reach
GAP = 1e-6  # relative, between the solution and its bound


@dataclass(frozen=True)
class Problem:
    """What is asked: original legs (in legs), where each ankle has to be, and heights of soles.

    `pins` flags (F,) per leg where its ankle's offset is given; `offsets` (F, 3) per leg holds what is given there.
    `lowest` (F,) per leg is the least offset along `up`, -inf where nothing bounds it.
    """

    legs: Sequence[LegMotion]
    hinges: Sequence[Array]
    pins: Sequence[Array]
    offsets: Sequence[Array]
    lowest: Sequence[Array]
    up: Array
    fps: float
    cyclic: bool = False


@dataclass(frozen=True)
class Solution:
    """The least correction: body (F, 3) and ankles (F, 3) per leg; frames per leg that no solution reaches, let go.

    With slack, `let_go` says instead by how much each frame's place is missed.
    """

    cost: float
    body: Array
    ankles: list[Array]
    let_go: list[Array]


def frames_of(problem: Problem) -> int:
    """Number of frames that count: the last pose of a loop is its first."""
    return len(problem.legs[0].hip) - problem.cyclic


def difference(count: int, cyclic: bool) -> sp.csr_matrix:
    """Second differences of `count` values, of the inner ones or round a loop."""
    if count < 3:
        return sp.csr_matrix((0, count))
    if not cyclic:
        return sp.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(count - 2, count), format="csr")
    eye = sp.identity(count, format="csr")
    shift = sp.csr_matrix((np.ones(count), (np.arange(count), (np.arange(count) + 1) % count)), shape=(count, count))
    return sp.csr_matrix(shift + shift.T - 2.0 * eye)


def objective(problem: Problem) -> tuple[sp.csr_matrix, Array]:
    """L and m such that J = |L x - m|^2 for x = body, then ankle after ankle, then calm part after calm part, frame by
    frame."""
    count, fps = frames_of(problem), problem.fps
    num = len(problem.legs)
    bend = bends(problem)
    second, same = sp.kron(bend, sp.identity(3)), sp.identity(3 * count)
    rows: list[sp.spmatrix] = []
    aims: list[Array] = []

    def term(weight: float, parts: dict[int, sp.spmatrix], aim: Array | None = None) -> None:
        height = next(iter(parts.values())).shape[0]
        empty = [sp.csr_matrix((height, 3 * count))] * (num + 1) + [sp.csr_matrix((height, count))] * num
        rows.append(np.sqrt(weight / fps) * sp.hstack([parts.get(n, none) for n, none in enumerate(empty)]))
        aims.append(np.sqrt(weight / fps) * (np.zeros(height) if aim is None else aim))

    term(BODY, {0: second})
    term(BODY * STEADY, {0: same})
    for k, (leg, hinge) in enumerate(zip(problem.legs, problem.hinges), start=1):
        term(1.0, {0: -second, k: second})
        term(STEADY, {0: -same, k: same})
        term(PATH, {k: second})
        term(PATH * STEADY, {k: same})
        gain, aim = flexion_change(leg, hinge, fps, problem.cyclic)
        term(BEND_SPEED, {num + k: bend})
        term(BEND, {0: gain, k: -gain}, aim)
        more = sp.diags(np.sqrt(noise_weights(leg, fps, problem.cyclic)))
        term(SPLIT, {0: more @ gain, k: -more @ gain, num + k: -more}, more @ aim)
    return sp.csr_matrix(sp.vstack(rows)), np.concatenate(aims)


def torn(points: Array, fps: float) -> Array:
    """(F,) Flags of the frames whose points have jumped since the frame before, in legs."""
    steps = np.r_[0.0, norm(np.diff(points, axis=0))]
    around = max(int(np.ceil(AROUND * fps)), 2)
    found = np.zeros(len(points), dtype=bool)
    for f in np.flatnonzero(steps > TORN):
        others = np.r_[steps[max(f - around, 0) : f], steps[f + 1 : f + around + 1]]
        found[f] = steps[f] > TIMES * others.max(initial=0.0)
    return found


def bends(problem: Problem) -> sp.csr_matrix:
    """Second differences per second squared of what goes on without a jump of the hips."""
    jumps = torn(np.mean([leg.hip for leg in problem.legs], axis=0), problem.fps)
    matrix = difference(frames_of(problem), problem.cyclic) * problem.fps**2
    if problem.cyclic or matrix.shape[0] == 0:
        return matrix
    return matrix[np.flatnonzero(~(jumps[1:-1] | jumps[2:]))]


def calm_line(leg: LegMotion, fps: float, cyclic: bool) -> Array:
    """(F, 3) From ankle to hip, through a bell that neither ends nor jumps of the leg let through."""
    line = leg.hip - leg.ankle
    count, far = len(line), int(FAR * fps)
    piece = np.cumsum(torn(line, fps))
    total, weight = np.zeros_like(line), np.zeros(count)
    for step in range(-far, far + 1):
        at = np.arange(count) + step
        if cyclic:
            at %= count - 1
            inside = np.ones(count, dtype=bool)
        else:
            inside = (at >= 0) & (at < count)
            inside &= piece[np.clip(at, 0, count - 1)] == piece
        bell = np.exp(-0.5 * (step / fps / CALM) ** 2) * inside
        total += bell[:, None] * line[np.clip(at, 0, count - 1)]
        weight += bell
    return np.asarray(total / weight[:, None])


def flexion_change(leg: LegMotion, hinge: Array, fps: float, cyclic: bool) -> tuple[sp.csr_matrix, Array]:
    """Matrix G and aim (F,) such that the change of flexion is G (b - o) - aim, radians, about the original's."""
    count = len(leg.hip) - cyclic
    towards, distance = calm_line(leg, fps, cyclic), norm(leg.hip - leg.ankle)
    length = leg.lengths.sum(axis=0)
    half = np.sqrt(np.maximum(1.0 - (norm(towards) / length) ** 2, 0.0))
    gain = 2.0 / (length * np.maximum(half, np.sin(LEAST_BEND)))
    wanted = np.where(signed_flexion(leg, hinge) < 0.0, length, distance)
    blocks = (gain[:, None] * unit(towards))[:count]
    columns = np.arange(3 * count)
    matrix = sp.csr_matrix((blocks.ravel(), (columns // 3, columns)), shape=(count, 3 * count))
    return matrix, (gain * (wanted - distance))[:count]


def noise_weights(leg: LegMotion, fps: float, cyclic: bool) -> Array:
    """(F,) How many times SPLIT noise in a knee's change costs: more where the knee is nearly straight and calm."""
    towards = calm_line(leg, fps, cyclic)
    half = np.sqrt(np.maximum(1.0 - (norm(towards) / leg.lengths.sum(axis=0)) ** 2, 0.0))
    steeper = np.maximum(half, np.sin(LEAST_BEND)) / np.maximum(half, np.sin(LEAST_SHAKING))
    off = norm(leg.hip - leg.ankle - towards) / SHAKES
    return np.asarray(1.0 + (steeper**2 - 1.0) / (1.0 + off**2))[: len(leg.hip) - cyclic]


def cost_of(problem: Problem, body: Array, ankles: Sequence[Array]) -> float:
    """J of a correction (F, 3) of the body and of each ankle, with the calm parts that make the least of it."""
    matrix, aim = objective(problem)
    x = np.concatenate([part[: frames_of(problem)].ravel() for part in (body, *ankles)])
    inner = sp.csc_matrix(matrix[:, len(x) :])
    rest = aim - matrix[:, : len(x)] @ x
    calm = spsolve(sp.csc_matrix(inner.T @ inner), inner.T @ rest)
    return float(np.sum((inner @ calm - rest) ** 2))


def solve(problem: Problem, scale: float = 1.0) -> Solution:
    """Find the least correction. `scale` is a guess of its cost; contacts that are out of reach are let go."""
    none = [np.zeros(len(pins), dtype=bool) for pins in problem.pins]
    found = _solve(problem, none, scale, slack=False)
    let_go = none
    while found is None:
        slack = _solve(problem, let_go, scale, slack=True)
        if slack is None:
            raise RuntimeError("the solver finds no correction even with every contact let go")
        missed = [float(far.max(initial=0.0)) for far in slack.let_go]
        worst = int(np.argmax(missed))
        if missed[worst] <= UNREACHED:
            return Solution(slack.cost, slack.body, slack.ankles, let_go)
        frame = int(slack.let_go[worst].argmax())
        let_go = [
            gone | (k == worst) * _span_of(pins, frame) for k, (gone, pins) in enumerate(zip(let_go, problem.pins))
        ]
        found = _solve(problem, let_go, scale, slack=False)
    return found


def _span_of(pins: Array, frame: int) -> Array:
    """Flags of the run of `pins` around a frame."""
    run = np.cumsum(np.diff(np.r_[0, pins.astype(int)]) == 1) * pins
    return np.asarray(run == run[frame])


def _solve(problem: Problem, let_go: list[Array], scale: float, slack: bool) -> Solution | None:
    import clarabel

    count, num = frames_of(problem), len(problem.legs)
    matrix, aim = objective(problem)
    places = 3 * count * (num + 1)
    size = places + count * num
    free = np.ones(size, dtype=bool)
    given = np.zeros(size)
    for k, (pins, gone, offsets) in enumerate(zip(problem.pins, let_go, problem.offsets), start=1):
        own = np.repeat((pins & ~gone)[:count], 3)
        part = slice(3 * count * k, 3 * count * (k + 1))
        free[part] = ~own
        given[part] = np.where(own, offsets[:count].ravel(), 0.0)
    pick = sp.identity(size, format="csc")[:, np.flatnonzero(free)]
    rest = aim - matrix @ given
    reduced = sp.csc_matrix(matrix @ pick)
    bounds, sides, cones = _constraints(problem, let_go)
    bounds = sp.hstack([bounds, sp.csr_matrix((len(sides), size - places))], format="csr")
    number = 0
    if slack:  # every cone of a pinned ankle may be wider, which costs more than anything else
        wide = np.concatenate([(pins & ~gone)[:count] for pins, gone in zip(problem.pins, let_go)])
        heads = np.flatnonzero(wide) * 4
        number = len(heads)
        widen = sp.csr_matrix((-np.ones(number), (heads, np.arange(number))), shape=(len(sides), number))
        least = sp.hstack([sp.csr_matrix((number, pick.shape[1])), -sp.identity(number)])
    left = sp.csc_matrix(bounds @ pick)
    right = sides - bounds @ given
    hessian = 2.0 * (reduced.T @ reduced) / scale
    linear = -2.0 * (reduced.T @ rest) / scale
    if slack:
        left = sp.csc_matrix(sp.vstack([sp.hstack([left, widen]), least]))
        right = np.concatenate([right, np.zeros(number)])
        cones = [*cones, clarabel.NonnegativeConeT(number)]
        hessian = sp.block_diag([hessian, sp.csc_matrix((number, number))])
        linear = np.concatenate([linear, np.full(number, 1e4)])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = GAP
    settings.tol_feas = 1e-7
    settings.max_iter = 100
    solver = clarabel.DefaultSolver(
        sp.csc_matrix(sp.triu(hessian)), linear, sp.csc_matrix(left), right, cones, settings
    )
    result = solver.solve()
    if str(result.status) not in ("Solved", "AlmostSolved"):
        return None
    y = np.asarray(result.x)
    x = given + pick @ y[: pick.shape[1]]
    missed = [np.zeros(len(pins)) for pins in problem.pins]
    if slack:
        wider = np.zeros(num * count)
        wider[heads // 4] = y[pick.shape[1] :]
        for own, far in zip(missed, wider.reshape(num, count)):
            own[:count] = far
    parts = x[:places].reshape(num + 1, count, 3)
    if problem.cyclic:
        parts = np.concatenate([parts, parts[:, :1]], axis=1)
    gone = missed if slack else let_go
    return Solution(float(np.sum((matrix @ x - aim) ** 2)), parts[0], list(parts[1:]), gone)


def _constraints(problem: Problem, let_go: list[Array]) -> tuple[sp.csr_matrix, Array, list[object]]:
    """A, right-hand side and cones of s = right - A x: reach of every leg and frame, the body's cap, soles."""
    import clarabel

    count, num = frames_of(problem), len(problem.legs)
    blocks, sides = [], []
    empty = sp.csr_matrix((4 * count, 3 * count))
    rows, columns = 4 * (np.arange(3 * count) // 3) + 1 + np.arange(3 * count) % 3, np.arange(3 * count)
    place = sp.csr_matrix((np.ones(3 * count), (rows, columns)), shape=(4 * count, 3 * count))
    for k, leg in enumerate(problem.legs, start=1):
        parts = [place if n == k else -place if n == 0 else empty for n in range(num + 1)]
        reach = np.maximum(norm(leg.hip - leg.ankle), REACH * leg.lengths.sum(axis=0))
        blocks.append(sp.hstack(parts))
        sides.append(np.column_stack([reach, leg.hip - leg.ankle])[:count].ravel())
    bend = bends(problem)
    inner = bend.shape[0]
    lift = place[: 4 * inner, : 3 * inner]
    blocks.append(sp.hstack([-lift @ sp.kron(bend, sp.identity(3)), sp.csr_matrix((4 * inner, 3 * count * num))]))
    sides.append(np.tile([CAP, 0.0, 0.0, 0.0], inner))
    cones: list[object] = [clarabel.SecondOrderConeT(4)] * (count * num + inner)
    for k, (pins, gone, lowest) in enumerate(zip(problem.pins, let_go, problem.lowest), start=1):
        frames = np.flatnonzero((~pins | gone)[:count] & np.isfinite(lowest[:count]))
        at = 3 * count * k + 3 * frames
        rows = np.repeat(np.arange(len(frames)), 3)
        columns = (at[:, None] + np.arange(3)).ravel()
        values = np.tile(-problem.up, len(frames))
        blocks.append(sp.csr_matrix((values, (rows, columns)), shape=(len(frames), 3 * count * (num + 1))))
        sides.append(-lowest[frames])
        if len(frames):
            cones.append(clarabel.NonnegativeConeT(len(frames)))
    return sp.csr_matrix(sp.vstack(blocks)), np.concatenate(sides), cones


def body_and_legs(before: Sequence[LegMotion], after: Sequence[LegMotion]) -> tuple[Array, list[Array]]:
    """How far the hips, on average, and each ankle are moved."""
    body = np.mean([now.hip - old.hip for now, old in zip(after, before)], axis=0)
    return np.asarray(body), [now.ankle - old.ankle for now, old in zip(after, before)]
