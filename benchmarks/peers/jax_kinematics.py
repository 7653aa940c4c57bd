# SPDX-License-Identifier: MIT
"""Forward kinematics with jax.jit: a scan over the joints, all poses at once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np


def _multiply(p, q):
    (a, b, c, d), (e, f, g, h) = jnp.moveaxis(p, -1, 0), jnp.moveaxis(q, -1, 0)
    return jnp.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        -1,
    )


@jax.jit
def _from_rotations(parents, offsets, rotations):
    """Rotations (F, J, 4) to positions (F, J, 3) and quaternions; slot 0 of the carry is the world."""
    frames, joints = rotations.shape[:2]
    turns = jnp.zeros((joints + 1, frames, 4), rotations.dtype).at[0, :, 0].set(1)
    places = jnp.zeros((joints + 1, frames, 3), rotations.dtype)

    def step(carry, joint):
        turns, places = carry
        slot, parent, turn, offset = joint
        q, p = turns[parent], places[parent]
        moved = offset + 2 * jnp.cross(q[:, 1:], jnp.cross(q[:, 1:], offset) + q[:, :1] * offset)
        return (turns.at[slot].set(_multiply(q, turn)), places.at[slot].set(p + moved)), None

    each = jnp.arange(1, joints + 1), parents + 1, rotations.transpose(1, 0, 2), offsets
    (turns, places), _ = jax.lax.scan(step, (turns, places), each)
    return places[1:].transpose(1, 0, 2), turns[1:].transpose(1, 0, 2)


def from_rotations(parents, offsets, rotations):
    arrays = [jnp.asarray(array) for array in (parents, offsets, rotations)]

    def call():
        return jax.block_until_ready(_from_rotations(*arrays))

    return call, lambda: np.asarray(call()[0])
