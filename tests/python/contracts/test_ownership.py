# SPDX-License-Identifier: MIT
"""Skeleton and SkinWeights own their arrays: nothing that happens to the caller's, then or later, gets into them."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from random_rigs import random_parents, random_transforms, random_weights

import skelkin_py as sk

JOINTS, VERTICES = 40, 20_000


class Scribbler:
    """A thread that writes good and bad values into an array, over and over, without holding the interpreter."""

    def __init__(self, array: np.ndarray, bad: np.ndarray) -> None:
        self.array, self.good, self.bad = array, array.copy(), bad
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.scribble)

    def scribble(self) -> None:
        while not self.stop.is_set():
            np.copyto(self.array, self.bad)
            np.copyto(self.array, self.good)

    def __enter__(self) -> Scribbler:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()


def attempts(seconds: float):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield


@pytest.mark.slow
@pytest.mark.parametrize("what", ["indices", "weights"])
def test_weights_made_while_their_arrays_change_are_good_or_refused(what):
    """What is checked is what is kept: joints that are there, and as many influences as were counted."""
    indices, weights = random_weights(1, VERTICES, 4, JOINTS)
    bad = np.full(indices.shape, 2**40) if what == "indices" else np.zeros(weights.shape)
    points, matrices = np.zeros((VERTICES, 3)), random_transforms(2, JOINTS)
    with Scribbler(indices if what == "indices" else weights, bad):
        for _ in attempts(0.25):
            try:
                skin = sk.SkinWeights(indices, weights, JOINTS)
            except ValueError:
                continue
            assert skin.indices.max() < JOINTS
            assert np.isfinite(sk.skin_points(points, skin, matrices)).all()


@pytest.mark.slow
def test_compressed_weights_made_while_their_offsets_change_are_good_or_refused():
    indices, weights = random_weights(3, VERTICES, 4, JOINTS)
    offsets = np.arange(VERTICES + 1) * 4
    bad = offsets.copy()
    bad[1:-1] = 4 * VERTICES
    points, matrices = np.zeros((VERTICES, 3)), random_transforms(2, JOINTS)
    with Scribbler(offsets, bad):
        for _ in attempts(0.25):
            try:
                skin = sk.SkinWeights.from_csr(offsets, indices.ravel(), weights.ravel(), JOINTS)
            except ValueError:
                continue
            assert np.isfinite(sk.skin_points(points, skin, matrices)).all()


@pytest.mark.slow
def test_a_skeleton_made_while_its_parents_change_is_good_or_refused():
    joints = 60_000
    parents = np.asarray(random_parents(4, joints))
    rest = np.tile(np.eye(4), (joints, 1, 1))
    local = np.tile(np.eye(4, dtype=np.float32), (joints, 1, 1))
    with Scribbler(parents, np.full(joints, 2**40)):
        for _ in attempts(0.25):
            try:
                skeleton = sk.Skeleton(parents, rest)
            except ValueError:
                continue
            assert (skeleton.parents < np.arange(joints)).all()
            assert np.isfinite(sk.forward_kinematics(skeleton, local)).all()


def test_what_happens_to_the_arrays_afterwards_changes_nothing():
    indices, weights = random_weights(5, 50, 4, JOINTS)
    parents, rest = np.asarray(random_parents(6, JOINTS)), random_transforms(7, JOINTS, scaled=False)
    bind = np.linalg.inv(rest)
    dense = np.random.default_rng(8).uniform(size=(50, JOINTS))
    offsets = np.arange(51) * 4
    flat_indices, flat_weights = indices.ravel().copy(), weights.ravel().copy()
    skeleton = sk.Skeleton(parents, rest, inverse_bind=bind)
    skins = [
        sk.SkinWeights(indices, weights, JOINTS),
        sk.SkinWeights.from_csr(offsets, flat_indices, flat_weights, JOINTS),
        sk.SkinWeights.from_dense(dense),
    ]
    points, local = np.ones((50, 3)), random_transforms(9, JOINTS)

    def results():
        matrices = sk.skinning_matrices(skeleton, sk.forward_kinematics(skeleton, local))
        return [matrices, *(sk.skin_points(points, skin, matrices) for skin in skins)]

    before = results()
    for array in (indices, weights, parents, rest, bind, dense, offsets, flat_indices, flat_weights):
        array[...] = 77
    for a, b in zip(results(), before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_they_show_cannot_be_written():
    skeleton = sk.Skeleton(random_parents(10, 5), random_transforms(11, 5))
    skin = sk.SkinWeights(*random_weights(12, 9, 3, 5), 5)
    shown = [skeleton.parents, skeleton.rest_local, skeleton.rest_global, skeleton.inverse_bind]
    for array in (*shown, skin.indices, skin.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
