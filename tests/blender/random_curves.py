# SPDX-License-Identifier: MIT
"""F-curves of every kind, from a seed."""

from __future__ import annotations

import keys
import numpy as np

INTERPOLATIONS = ("CONSTANT", "LINEAR", "BEZIER", "SINE", "QUAD", "CUBIC", "QUART", "QUINT", "EXPO", "CIRC", "BACK")
INTERPOLATIONS += ("BOUNCE", "ELASTIC")
EASINGS = ("AUTO", "EASE_IN", "EASE_OUT", "EASE_IN_OUT")
MODES = ("NONE", "REPEAT", "REPEAT_OFFSET", "MIRROR")


def random_curves(rng, target, path, count):
    """Give the object an action with curves 0 to `count` of a property; return them with frames worth a look."""
    keys.new_action(target, "Curves")
    curves = keys.fcurves(target)
    made = [_random_curve(rng, curves.new(path, index=index)) for index in range(count)]
    return [curve for curve, _ in made], [frames for _, frames in made]


def _random_curve(rng, curve):
    offset = float(rng.choice([0, 0, 0, 3000, 1e5, -1e5]))
    size = float(rng.choice([1, 1, 100, 1e-3, 1e-7, 1e4]))
    count = int(rng.choice([1, 2, 3, 5, 9]))
    times = np.sort(rng.uniform(-20, 30, count))
    if rng.random() < 0.6:
        times = np.round(times)
    if rng.random() < 0.2 and count > 2:
        times[1] = times[2]
    times += offset
    curve.extrapolation = str(rng.choice(["CONSTANT", "LINEAR"]))
    curve.keyframe_points.add(count)
    kinds = [INTERPOLATIONS, ["BEZIER"], ["LINEAR"], ["BEZIER", "LINEAR", "CONSTANT"]][rng.integers(4)]
    backwards = -3.0 if rng.random() < 0.3 else 0.0
    for key, time in zip(curve.keyframe_points, times):
        key.handle_left_type = key.handle_right_type = "FREE"
        key.co = (time, size * rng.normal())
        key.interpolation = str(rng.choice(kinds))
        key.easing = str(rng.choice(EASINGS))
        key.back = rng.uniform(-1, 3)
        key.amplitude = size * rng.choice([0.0, 1.0, 3.0, 8.0])
        key.period = rng.choice([0.0, 4.0, 9.0, -3.0, 1.3])
        reach = rng.choice([1.0, 3.0, 10.0, 25.0])
        key.handle_left = (key.co[0] - rng.uniform(backwards, reach), key.co[1] + size * rng.normal())
        key.handle_right = (key.co[0] + rng.uniform(backwards, reach), key.co[1] + size * rng.normal())
    if rng.random() < 0.6:
        _add_cycles(rng, curve.modifiers.new("CYCLES"), offset)
    return curve, _frames(rng, times)


def _add_cycles(rng, cycles, offset):
    cycles.mode_before, cycles.mode_after = (str(mode) for mode in rng.choice(MODES, 2))
    cycles.cycles_before, cycles.cycles_after = (int(number) for number in rng.choice([0, 0, 1, 3], 2))
    if rng.random() < 0.4:
        cycles.use_restricted_range = True
        cycles.frame_end = offset + rng.uniform(0, 60)
        cycles.frame_start = offset + rng.uniform(-50, 10)
        cycles.blend_in, cycles.blend_out = rng.choice([0.0, 5.0, 20.0, 40.0], 2)
    if rng.random() < 0.3:
        cycles.use_influence = True
        cycles.influence = rng.choice([0.0, 0.3, 1.0, 0.77])


def _frames(rng, times):
    """Return frames around the keys, on them, whole ones, far ones, and on the seams of cycles."""
    low, high = times[0], times[-1]
    seams = low + (high - low) * rng.integers(-4000, 4000, 10)
    whole = np.round(rng.uniform(low - 60, high + 60, 20))
    near = [rng.uniform(low - 60, high + 60, 30), rng.uniform(low, high, 50), whole]
    far = float(rng.choice([1e5, 5e3])) * rng.uniform(-1, 1, 10)
    return np.concatenate([*near, times, far, seams, seams + 1e-3]).astype(np.float32)
