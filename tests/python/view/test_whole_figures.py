# SPDX-License-Identifier: MIT
"""Figures are shown whole, with the mesh of their file, and without bones that belong to no body."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.view.arguments import checked
from skelkin_py.view.film.bodies import body_of
from skelkin_py.view.film.camera import CAMERAS, Camera, focus_of
from skelkin_py.view.scene_page import scene_of
from skelkin_py.view.stage import set_stage

CHARACTERS = [
    ("kaykit_Knight.glb", "Walking_A"), ("Fox.glb", "Walk"), ("Fox.glb", "Survey"), ("RobotExpressive.glb", "Walking"),
    ("cesium_man.gltf", None), ("SimpleSkin.gltf", None),
]  # fmt: skip


def character(data_dir: Path, name: str, animation: str | None) -> sk.Clip:
    return sk.load(data_dir / "gltf" / name, animation=animation)


@pytest.mark.parametrize("mesh", [None, False], ids=["mesh", "bones"])
@pytest.mark.parametrize(("name", "animation"), CHARACTERS)
def test_a_character_is_whole_in_every_frame(data_dir: Path, name: str, animation: str | None, mesh: object) -> None:
    stage = set_stage(character(data_dir, name, animation), mesh=mesh)
    assert (stage.mesh is None) == (mesh is False)
    body, high = body_of(stage), 400.0
    for wide in (280.0, 480.0):
        for view in (CAMERAS["corner"], CAMERAS["front"], CAMERAS["side"]):
            for frame, focus in enumerate(focus_of(stage, view)):
                camera = Camera.looking_at(stage, focus, view, wide / high)
                used = np.unique(body.faces)
                at = camera.project(body.points(0, frame)[used], wide, high)[0] / [wide, high]
                assert at.min() > -0.02, (view, frame)
                assert at.max() < 1.02, (view, frame)


def test_the_body_of_a_capture_is_whole_whatever_its_first_joint_is(data_dir: Path) -> None:
    walk = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")[:120]
    parents, rest = walk.skeleton.parents, walk.skeleton.rest_local
    under = sk.Skeleton([-1, *(parents + 1)], np.concatenate([np.eye(4)[None], rest]), ["scene", *walk.names])
    rotations = np.concatenate([np.tile([1.0, 0, 0, 0], (120, 1, 1)), walk.rotations], axis=1)
    translations = np.concatenate([np.zeros((120, 1, 3)), walk.translations], axis=1)
    bare = sk.Clip(sk.Skeleton(parents, rest, walk.names), walk.rotations, walk.translations, fps=walk.fps)
    plain, hung = set_stage(bare), set_stage(sk.Clip(under, rotations, translations, fps=walk.fps))
    assert hung.framing.size == pytest.approx(plain.framing.size)
    np.testing.assert_allclose(hung.framing.path, plain.framing.path)
    assert len(hung.bones) == len(plain.bones)


def test_controls_that_no_mesh_follows_are_no_bones(data_dir: Path) -> None:
    clip = character(data_dir, "kaykit_Knight.glb", "Walking_A")
    scene = scene_of(checked(clip, None, None, None, None, "side_by_side", None, None, None), None, None,
                     "side_by_side", None, None)  # fmt: skip
    (figure,) = scene["figures"]
    drawn = {clip.names[joint] for joint in figure["drawn"]}
    assert {"hips", "upperleg.l", "foot.r", "toes.l", "head", "hand.l"} <= drawn
    assert not {name for name in drawn if "IK" in name or "control" in name or name in ("Rig", "root")}
    assert {clip.names[joint] for bone in figure["bones"] for joint in bone} <= drawn
    assert figure["mesh"] == 0
