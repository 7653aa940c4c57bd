# SPDX-License-Identifier: MIT
"""Calls from several threads at once, a lock that is given up during long calls, and references that balance."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from random_rigs import random_skeleton, random_transforms, random_weights

import skelkin_py as sk


def test_the_interpreter_runs_on_during_a_long_call():
    skeleton = random_skeleton(1, 200)
    local = np.broadcast_to(random_transforms(2, 200).astype(np.float32), (4000, 200, 4, 4))
    out = np.empty((4000, 200, 4, 4), np.float32)
    for _ in range(50):
        out.fill(np.nan)
        worker = threading.Thread(target=sk.forward_kinematics, args=(skeleton, local), kwargs={"out": out})
        worker.start()
        halfway = False
        while worker.is_alive() and not halfway:
            first, last = out[0, 0, 0, 0], out[-1, -1, 0, 0]  # in this order: `last` is looked at later
            halfway = not np.isnan(first) and bool(np.isnan(last))
        worker.join()
        if halfway:
            return
    pytest.fail("no other thread ever saw a half-written result: the lock was held throughout")


def test_threads_share_a_skeleton_and_weights():
    skeleton = random_skeleton(3, 40)
    skin = sk.SkinWeights(*random_weights(4, 300, 4, 40), 40)
    points = np.random.default_rng(5).normal(size=(300, 3))
    poses = random_transforms(6, 24, 40, scaled=False)

    def work(pose):
        return sk.skin_points(points, skin, sk.skinning_matrices(skeleton, sk.forward_kinematics(skeleton, pose)))

    expected = [work(pose) for pose in poses]
    with ThreadPoolExecutor(6) as pool:
        for found, single in zip(pool.map(work, list(poses) * 5), expected * 5):
            np.testing.assert_array_equal(found, single)


@pytest.mark.parametrize("lead", [(), (300,)])
def test_references_balance_in_success_and_in_failure(lead):
    skeleton = random_skeleton(7)
    skin = sk.SkinWeights(*random_weights(8, 30, 4, 20), 20)
    local = random_transforms(9, *lead, 20)
    points, q, out = np.zeros((30, 3)), np.ones((*lead, 20, 4)), np.empty((*lead, 20, 4, 4))
    narrow, flat = local.astype(np.float32), np.zeros((2, 2))
    held = [skeleton, skin, local, points, q, out, narrow, flat]

    def attempt(function, *arguments, **options):
        with contextlib.suppress(TypeError, ValueError):
            function(*arguments, **options)

    def everything():
        attempt(sk.forward_kinematics, skeleton, local)
        attempt(sk.forward_kinematics, skeleton, local, out=out)
        attempt(sk.forward_kinematics, skeleton, local, out=local)
        attempt(sk.forward_kinematics, skeleton, narrow, out=out)
        attempt(sk.forward_kinematics, skeleton, flat)
        attempt(sk.forward_kinematics, skin, local)
        attempt(sk.forward_kinematics_trs, skeleton, q, None, None, out=out)
        attempt(sk.forward_kinematics_trs, skeleton, q * 0)
        attempt(sk.forward_kinematics_trs, skeleton, q, points)
        attempt(sk.skinning_matrices, skeleton, local, out=flat)
        attempt(sk.skin_points, points, skin, local)
        attempt(sk.skin_points, points, skin, flat)
        attempt(sk.Skeleton, [-1, 5], np.zeros((2, 4, 4)))
        attempt(sk.SkinWeights, [[7]], [[1.0]], 2)

    everything()
    gc.collect()
    before = [sys.getrefcount(thing) for thing in held]
    for _ in range(20):
        everything()
    gc.collect()
    assert [sys.getrefcount(thing) for thing in held] == before


def test_objects_are_freed():
    if sys.platform != "linux":
        return
    import resource

    points = np.zeros((2000, 3))
    indices, weights = random_weights(10, 2000, 4, 50)
    rest, parents = random_transforms(11, 50), list(range(-1, 49))

    def rounds(count):
        for _ in range(count):
            skeleton, skin = sk.Skeleton(parents, rest), sk.SkinWeights(indices, weights, 50)
            sk.skin_points(points, skin, sk.skinning_matrices(skeleton, skeleton.rest_global))
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first = rounds(30)
    assert rounds(150) - first < 20_000  # kilobytes; each round holds about 200 kB
