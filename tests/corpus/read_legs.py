# SPDX-License-Identifier: MIT
"""Write the skeletons of tests/corpus/legs that come from real files, with the legs that people see in them.

python tests/corpus/read_legs.py SKELKIN_DATA
python tests/corpus/read_legs.py --rigify bones.json   (by dump_rigify.py)
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
from make_legs import FORWARD as MADE_FORWARD, HERE, as_text, file_name

import skelkin_py as sk

Bones = list[tuple[str, str | None, list[float]]]
# source: world, forward, swap, pelvis, then one leg per line: hip … ankle / toe / heel; "upper+lower" are segments.
REAL: dict[str, tuple[str, str, str, list[tuple[str, str]]]] = {
    "bvh/cmu_01_01.bvh": ("y", "Left>Right", "Hips", [("LeftUpLeg LeftLeg LeftFoot / LeftToeBase", "")]),
    "bvh/fair1_jumping.bvh": ("z", "Left>Right", "Hips", [("LeftUpLeg LeftLeg LeftFoot / LeftToeBase", "")]),
    "bvh/rokoko_jesse_dance.bvh": ("y", "Left>Right", "Hips", [("LeftUpLeg LeftLeg LeftFoot / LeftToeBase", "")]),
    "bvh/makehuman_walk1.bvh": ("z", "_L>_R", "Hips", [("UpLeg_L LoLeg_L Foot_L / Toe_L", "")]),
    "bvh/optitrack_louise.bvh": ("y", "Left>Right", "Hips", [("LeftHip LeftKnee LeftAnkle", "")]),
    "npz/cmu_12_01_walk_amass_layout": ("y", "left>right", "pelvis",
                                        [("left_hip left_knee left_ankle / left_foot", "")]),
    "npz/kimodo_soma30_slow_walk": ("y", "Left>Right", "Hips", [("LeftLeg LeftShin LeftFoot / LeftToeBase", "")]),
    "makehuman/rig.default.json": ("z", ".L>.R", "root",
                                   [("upperleg01.L+upperleg02.L lowerleg01.L+lowerleg02.L foot.L / toe1-1.L", "")]),
    "makehuman/rig.mixamo.json": ("z", "Left>Right", "mixamorig:Hips",
                                  [("mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot / "
                                    "mixamorig:LeftToeBase", "")]),
    "makehuman/rig.game_engine.json": ("z", "_l>_r", "pelvis", [("thigh_l calf_l foot_l / ball_l", "")]),
    "gltf/kaykit_Knight.glb": ("y", ".l>.r", "hips", [("upperleg.l lowerleg.l foot.l / toes.l", "")]),
    "gltf/Fox.glb": ("y", "Left>Right b_LeftLeg01_015>b_RightLeg01_019 b_LeftLeg02_016>b_RightLeg02_020 "
                     "b_LeftFoot01_017>b_RightFoot01_021 b_LeftFoot02_018>b_RightFoot02_022 "
                     "b_LeftUpperArm_09>b_RightUpperArm_06 b_LeftForeArm_010>b_RightForeArm_07 "
                     "b_LeftHand_011>b_RightHand_08", "b_Hip_01",
                     [("b_LeftLeg01_015 b_LeftLeg02_016 b_LeftFoot01_017 / b_LeftFoot02_018", ""),
                      ("b_LeftUpperArm_09 b_LeftForeArm_010 b_LeftHand_011", "b_Spine02_03")]),
    "gltf/cesium_man.gltf": ("x", "node~7>node~3 node~8>node~4 node~9>node~5 node~10>node~6", "node 2",
                             [("node~7 node~8 node~9 / node~10", "")]),
}  # fmt: skip
RIGIFY: dict[str, tuple[str, str, str, list[tuple[str, str]]]] = {
    "armature_basic_human_metarig_add": ("z", ".L>.R", "spine", [("thigh.L shin.L foot.L / toe.L / heel.02.L", "")]),
    "armature_human_metarig_add": ("z", ".L>.R", "spine", [("thigh.L shin.L foot.L / toe.L / heel.02.L", "")]),
    "gen_armature_human_metarig_add": ("z", ".L>.R", "torso", [("thigh_fk.L shin_fk.L foot_fk.L / toe_fk.L", "")]),
    "armature_cat_metarig_add": ("z", ".L>.R", "spine.005", [
        ("thigh.L shin.L foot.L / r_toe.L", "spine"), ("upper_arm.L forearm.L hand.L / f_toe.L", "spine.003")]),
    "armature_wolf_metarig_add": ("z", ".L>.R", "spine.005", [
        ("thigh.L shin.L foot.L / toe.L", ""), ("front_thigh.L front_shin.L front_foot.L / front_toe.L", "spine.008")]),
    "armature_horse_metarig_add": ("z", ".L>.R", "spine.002", [
        ("thigh.L lower_leg.L hind_foot.L / r_toe.L", ""),
        ("upper_arm.L forearm.L forefoot.L / f_toe.L", "spine.005")]),
    "armature_bird_metarig_add": ("z", ".L>.R", "spine.004", [("thigh.L shin.L foot.L / toe.L", "")]),
    "armature_basic_quadruped_metarig_add": ("z", ".L>.R", "spine.005", [
        ("thigh.L shin.L foot.L / toe.L", ""), ("front_thigh.L front_shin.L front_foot.L / front_toe.L", "spine.008")]),
}  # fmt: skip
# Knees that the rest pose shows bent the other way, or not at all: both legs lie along one line there.
BENDS = {"Rigify bird_metarig": "backwards", "real bvh/rokoko_jesse_dance.bvh": None}
FORWARD = {**MADE_FORWARD, "x": (1, 0, 0)}


def bvh_bones(path: Path) -> Bones:
    clip = sk.load(path)
    rest = clip.skeleton.rest_global[:, :3, 3]
    return rows(list(clip.names), list(clip.skeleton.parents), rest)


def rows(names: list[str], parents: list[int], rest: np.ndarray) -> Bones:
    return [(n, names[p] if p >= 0 else None, [float(c) for c in x])
            for n, p, x in zip(names, parents, rest, strict=True)]  # fmt: skip


def npz_bones(path: Path) -> Bones:
    about = json.loads(path.with_name(path.name + ".skeleton.json").read_text(encoding="utf-8"))
    arrays = np.load(path.with_name(path.name + ".npz"))
    if "posed_joints" in arrays:  # no rest pose in the file: its first frame
        return rows(about["joint_names"], about["parents"], arrays["posed_joints"][0])
    offsets = np.array(about.get("rest_offsets", about.get("offsets")), float)
    rest = np.zeros_like(offsets)
    for j, p in enumerate(about["parents"]):
        rest[j] = offsets[j] + (rest[p] if p >= 0 else 0)
    return rows(about.get("joint_names", about.get("names")), about["parents"], rest)


def makehuman_bones(path: Path) -> Bones:
    bones = json.loads(path.read_text(encoding="utf-8"))
    bones = bones.get("bones", bones)
    return [(n, b["parent"] or None, b["head"]["default_position"]) for n, b in bones.items()]


def gltf_bones(path: Path) -> Bones:
    data = path.read_bytes()
    if data[:4] == b"glTF":
        data = data[20 : 20 + struct.unpack("<I", data[12:16])[0]]
    gltf = json.loads(data)
    nodes = gltf["nodes"]
    above = {c: k for k, node in enumerate(nodes) for c in node.get("children", [])}

    def world(k: int) -> np.ndarray:
        node = nodes[k]
        local = np.eye(4)
        if "matrix" in node:
            local = np.array(node["matrix"], float).reshape(4, 4).T
        else:
            x, y, z, w = node.get("rotation", [0, 0, 0, 1])
            turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                             [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                             [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])  # fmt: skip
            local[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
            local[:3, 3] = node.get("translation", [0, 0, 0])
        return world(above[k]) @ local if k in above else local

    joints = gltf["skins"][0]["joints"]
    names = {k: nodes[k].get("name") or f"node {k}" for k in joints}
    return [(names[k], names.get(above.get(k, -1)), list(world(k)[:3, 3])) for k in joints]


READERS = {"bvh": bvh_bones, "npz": npz_bones, "makehuman": makehuman_bones, "gltf": gltf_bones}


def skeleton_of(world: str, source: str, bones: Bones, about: tuple[str, str, str, Any]) -> dict[str, Any]:
    """Return the contents of a file: joints sorted, legs of both sides by name."""
    up, swap, pelvis, lines = about
    given = [name for name, _, _ in bones]
    order = sk.sort_joints([-1 if p is None else given.index(p) for _, p, _ in bones])
    bones = [bones[k] for k in order]
    names = [name for name, _, _ in bones]
    # The last of a list of pairs is the most particular; ~ is a space inside a name.
    swaps = [pair.replace("~", " ").split(">") for pair in swap.split()][::-1]

    def mirrored(name: str) -> str:
        for left, right in swaps:
            if left in name:
                return name.replace(left, right, 1)
        return name

    legs = []
    for k, (line, meets) in enumerate(lines):
        chain, toe, heel = [*line.split(" / "), "", ""][:3]
        hip, knee, ankle = (part.replace("~", " ").split("+") for part in chain.split())
        for side, turn in (("left", str), ("right", mirrored)):
            one = {"hip": hip[0], "knee": knee[0], "ankle": ankle[0], "toe": toe.replace("~", " "), "heel": heel}
            legs.append({
                "side": side, **{role: turn(name) if name else None for role, name in one.items()},
                "pelvis": meets or pelvis, "segments": [turn(name) for name in (*hip, *knee, *ankle)],
                "bends": "backwards" if k else BENDS.get(world, "forwards"),
            })  # fmt: skip
    return {
        "world": world, "source": source, "forward": FORWARD[up], "names": names,
        "parents": [-1 if p is None else names.index(p) for _, p, _ in bones],
        "rest": [[round(float(c), 5) for c in x] for _, _, x in bones], "legs": legs,
    }  # fmt: skip


def write(skeleton: dict[str, Any]) -> None:
    (HERE / "legs" / file_name(skeleton["world"])).write_text(as_text(skeleton), encoding="utf-8")
    print(skeleton["world"], len(skeleton["names"]))


if __name__ == "__main__":
    if sys.argv[1] == "--rigify":
        dumped = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
        for operator, about in RIGIFY.items():
            world = operator.replace("armature_", "").replace("_add", "").replace("gen_", "generated ")
            source = "the bones that Blender 3.4.1 makes, to the millimetre"
            write(skeleton_of(f"Rigify {world}", source, dumped[operator], about))
    else:
        for name, about in REAL.items():
            bones = READERS[name.split("/")[0]](Path(sys.argv[1]) / name)
            write(skeleton_of(f"real {name}", f"the file {name} of the test data; SOURCES.md there", bones, about))
