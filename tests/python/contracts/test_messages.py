# SPDX-License-Identifier: MIT
"""A wrong call is answered by its argument's name, the index, the value and the rule."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import skelkin_py as sk

REST = np.tile(np.eye(4), (3, 1, 1))
SKELETON = sk.Skeleton([-1, 0, 1], REST, ["hip", "knee", "foot"])
WEIGHTS = sk.SkinWeights([[0, 1], [1, 2]], [[0.5, 0.5], [1, 0]], 3)
POINTS = np.zeros((2, 3))
HUGE = np.array([2**64 - 1], np.uint64)


def globals_of(joints: object) -> object:
    return sk.forward_kinematics(SKELETON, REST, joints=joints)


def corners_of(corners: object) -> object:
    return sk.skin_mesh(POINTS, WEIGHTS, REST, corners=corners)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: globals_of([True, False]), TypeError, "joints[0] is True: a joint is given by its number or name"),
        (lambda: globals_of(np.array(1.0)), ValueError, "joints has shape (): expected (N,)"),
        (lambda: globals_of(HUGE), ValueError, "joints[0] is 9.22337204e+18: there is no joint of this number"),
        (lambda: corners_of(HUGE), ValueError, "corners[0] is 9.22337204e+18: a vertex index must be"),
        (lambda: sk.relative_transform(4, REST, "hip", "knee"), TypeError, "skeleton is a int: a Skeleton"),
        (lambda: sk.relative_transform(SKELETON, REST, 0, 5), ValueError, "to_joint is 5: there is no joint"),
        (lambda: SKELETON.chain(0.5, 2), TypeError, "root is 0.5: a joint is given by its number or name"),
        (lambda: SKELETON.chain("hip", "toe"), ValueError, "tip: no joint is called 'toe'"),
        (lambda: SKELETON.chain(0, 3), ValueError, "tip is 3: there is no joint of this number"),
        (lambda: sk.SkinWeights.from_dense([[0, np.nan]]), ValueError, "dense[0, 1] is nan: a weight must be finite"),
        (lambda: sk.SkinWeights.from_csr([], [], [], 2), ValueError, "indptr is empty: expected V + 1 offsets"),
        (
            lambda: sk.SkinWeights.from_csr([0, 1, 5], [0, 1], [1, 1], 2),
            ValueError,
            "indptr[2] is 5: the last offset must be the number of indices, 2",
        ),
        (
            lambda: sk.SkinWeights.from_csr([0, 2, 1], [0, 1], [1, 1], 2),
            ValueError,
            "indptr[2] is 1: offsets must not fall",
        ),
        (
            lambda: sk.SkinWeights.from_csr([0, 1, 2], [0, 1], [1], 2),
            ValueError,
            "indices has shape (2,) and data (1,): both must be (N,)",
        ),
        (
            lambda: sk.skin_mesh(POINTS, WEIGHTS, REST, tangents=np.zeros((2, 5))),
            ValueError,
            "tangents has shape (2, 5): expected (..., 2, 3 or 4)",
        ),
        (
            lambda: sk.quaternion_from_matrix(np.eye(2)),
            ValueError,
            "m has shape (2, 2): expected (..., 3, 3), (..., 3, 4) or (..., 4, 4)",
        ),
        (
            lambda: sk.skin_poses(POINTS, WEIGHTS, SKELETON, np.ones((3, 4)), out=(POINTS, None, None)),
            TypeError,
            "out is a tuple: without normals it must be one array",
        ),
        (lambda: sk.quaternion_from_matrix(np.zeros((4, 3))), ValueError, "m has shape (4, 3): expected (..., 3, 3)"),
        (lambda: sk.set_num_threads(2.0), TypeError, "num_threads is 2.0: an integer is needed"),
    ],
)
def test_wrong_call_is_told_what_is_wrong(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: corners_of([0, [1]]), "corners"),
        (lambda: sk.Skeleton([-1, [0]], REST), "parents"),
        (lambda: sk.Skeleton([-1, 0], [REST[0], REST[0, :3]]), "rest_local"),
        (lambda: sk.SkinWeights([[0], [0, 1]], [[1], [1]], 2), "indices"),
        (lambda: sk.SkinWeights.from_dense([[1], [0, 1]]), "dense"),
        (lambda: WEIGHTS.subset([0, [1]]), "vertices"),
    ],
)
@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # numpy before 1.24 makes an array of objects
def test_lists_of_unequal_lengths_are_named(call: Callable[[], object], name: str) -> None:
    with pytest.raises((ValueError, TypeError), match=rf"^{name} (is not an array of numbers|has dtype object): "):
        call()


def test_offsets_of_an_empty_mesh_are_one_zero() -> None:
    assert sk.SkinWeights.from_csr([0], [], [], 2).num_vertices == 0


def test_quaternions_are_read_from_every_size_of_matrix() -> None:
    for rows, columns in ((3, 3), (3, 4), (4, 4)):
        np.testing.assert_array_equal(sk.quaternion_from_matrix(np.eye(4)[:rows, :columns]), [1, 0, 0, 0])


CLIP = sk.Clip(SKELETON, np.tile([1.0, 0, 0, 0], (2, 3, 1)), fps=30)
LEG = sk.Leg(hip=0, knee=1, ankle=2)


@pytest.fixture(scope="module")
def editor() -> sk.PlantEditor:
    return sk.PlantEditor(sk.example("biped").clip[:30])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sk.load(None), TypeError, "path is None: the path of a file is needed, a str or a Path"),
        (lambda: CLIP.save(3), TypeError, "path is 3: the path of a file is needed"),
        (lambda: sk.forward_kinematics(SKELETON, CLIP), TypeError, "local is a Clip, not an array of numbers: "),
        (lambda: sk.forward_kinematics(CLIP, REST), TypeError, "skeleton is a Clip: a Skeleton is needed"),
        (lambda: sk.skin_points(POINTS, [[1.0]], REST), TypeError, "weights is a list: SkinWeights are needed"),
        (lambda: sk.hinge(CLIP, 0, 1), TypeError, "axis is a Clip, not an array of numbers: "),
        (lambda: sk.apply_two_bone(SKELETON, REST, LEG, [0, 0, 0]), TypeError, "chain is a Leg: expected three joints"),
        (
            lambda: sk.solve_fabrik([[0, 0, 0]], [0, 0, 0]),
            ValueError,
            "positions has shape (1, 3): expected (..., N, 3)",
        ),
        (lambda: sk.points_at(SKELETON, REST, 0), ValueError, "neither target nor target_joint is given: give either"),
        (lambda: CLIP.plant_feet(legs="left"), TypeError, "legs is 'left': a sequence of Leg is needed"),
        (lambda: CLIP.plant_feet(legs=[LEG], ground="floor.obj"), TypeError, "ground is 'floor.obj': None (estimated)"),
    ],
)
def test_a_thing_of_another_kind_is_named_with_what_is_needed(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda e: e.set_target("left", 30, [0, 0, 0]), ValueError, "frame is 30: there are 30 frames, from 0 on"),
        (lambda e: e.set_pole("left", -1, [0, 0, 0]), ValueError, "frame is -1: it must be at least 0"),
        (lambda e: e.set_contacts([[(0, 3)]]), TypeError, "contacts is a list: a mapping from names of legs"),
        (lambda e: e.set_contacts({"left": (0, 3)}), ValueError, "contacts['left'][0] is 0: a span is (first, last)"),
        (lambda e: e.set_contacts({"left": 3}), TypeError, "contacts['left'] is 3: a list of spans (first, last)"),
        (lambda e: e.place_contact("left", 0, height="x"), TypeError, "height is 'x': a number is needed"),
    ],
)
def test_a_wrong_edit_is_told_and_changes_nothing(
    editor: sk.PlantEditor, call: Callable[[sk.PlantEditor], None], error: type[Exception], message: str
) -> None:
    before = editor.contacts
    with pytest.raises(error) as raised:
        call(editor)
    assert str(raised.value).startswith(message)
    assert (editor.contacts, editor.can_undo) == (before, False)
