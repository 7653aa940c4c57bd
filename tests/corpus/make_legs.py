# SPDX-License-Identifier: MIT
"""Make the skeletons of tests/corpus/legs whose positions come from no file, from the table leg_worlds.json.

Each world of the table lists its bones as ``name < parent @ place``; the place says where the joint lies in a body
(BODIES, metres, x to the left, y up, z forwards) and what it is: hip, knee, ankle, toe, heel (with f: of a front leg)
are what must be found, ``-`` marks a copy that must not be. Spine, arms, fingers, hair, skirts and tails are added, and
every world gets proportions of its own, its own axes and its own unit.

    python tests/corpus/make_legs.py
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

Point = tuple[float, float, float]
HERE = Path(__file__).parent

HUMAN: dict[str, Point] = {
    "pelvis": (0, 0.97, 0), "hipjoint": (0, 0.97, 0), "hip": (0.09, 0.92, 0.005), "thigh2": (0.093, 0.71, 0.014),
    "knee": (0.096, 0.5, 0.022), "shin2": (0.098, 0.29, 0), "ankle": (0.1, 0.085, -0.025),
    "midfoot": (0.103, 0.055, 0.04), "toe": (0.108, 0.022, 0.105), "toe_end": (0.112, 0.018, 0.17),
    "heel": (0.1, 0, -0.075), "chest": (0, 1.4, -0.02), "neck": (0, 1.5, -0.01), "head": (0, 1.6, 0.01),
    "clavicle": (0.03, 1.42, 0), "arm": (0.18, 1.41, -0.02), "pole": (0.1, 0.5, 0.5),
}  # fmt: skip
WOLF: dict[str, Point] = {
    "pelvis": (0, 0.72, -0.32), "hip": (0.09, 0.68, -0.36), "knee": (0.1, 0.45, -0.24), "ankle": (0.09, 0.23, -0.45),
    "toe": (0.09, 0.045, -0.39), "toe_end": (0.09, 0.01, -0.31), "chest": (0, 0.76, 0.28), "neck": (0, 0.85, 0.42),
    "head": (0, 0.95, 0.52), "clavicle": (0.05, 0.8, 0.27), "fhip": (0.1, 0.58, 0.36), "fknee": (0.1, 0.4, 0.22),
    "fankle": (0.1, 0.17, 0.24), "ftoe": (0.1, 0.045, 0.28), "ftoe_end": (0.1, 0.01, 0.35), "pole": (0.1, 0.4, -0.8),
}  # fmt: skip
HORSE: dict[str, Point] = {
    "pelvis": (0, 1.4, -0.55), "hip": (0.18, 1.3, -0.62), "knee": (0.19, 1, -0.5), "ankle": (0.18, 0.6, -0.74),
    "toe": (0.18, 0.24, -0.68), "toe_end": (0.18, 0.1, -0.62), "chest": (0, 1.42, 0.45), "neck": (0, 1.6, 0.7),
    "head": (0, 1.95, 1), "clavicle": (0.1, 1.45, 0.5), "fhip": (0.16, 1.1, 0.66), "fknee": (0.16, 0.86, 0.5),
    "fankle": (0.16, 0.5, 0.52), "ftoe": (0.16, 0.23, 0.5), "ftoe_end": (0.16, 0.1, 0.56), "pole": (0.2, 0.8, -1),
}  # fmt: skip
BIRD: dict[str, Point] = {
    "pelvis": (0, 0.24, -0.02), "hip": (0.04, 0.22, -0.01), "knee": (0.05, 0.155, 0.05), "ankle": (0.045, 0.08, -0.03),
    "toe": (0.045, 0.012, -0.01), "toe_end": (0.045, 0.005, 0.04), "chest": (0, 0.27, 0.08), "neck": (0, 0.3, 0.11),
    "head": (0, 0.36, 0.14), "clavicle": (0.02, 0.27, 0.08), "pole": (0.05, 0.1, 0.2),
}  # fmt: skip
BODIES = {"T": HUMAN, "A": HUMAN, "wolf": WOLF, "horse": HORSE, "bird": BIRD}
ROLES = ("hip", "knee", "ankle", "toe", "heel")
SEGMENTS = ("hip", "thigh2", "knee", "shin2", "ankle")
# x to the left, y up, z forwards, as each world has them.
AXES = {
    "y": lambda x, y, z: (x, y, z),
    "z": lambda x, y, z: (x, -z, y),
    "zx": lambda x, y, z: (-x, z, y),
}
FORWARD = {"y": (0, 0, 1), "z": (0, -1, 0), "zx": (0, 1, 0)}


class Body:
    """Where places are in one world: a body of its own proportions."""

    def __init__(self, entry: dict[str, Any]) -> None:
        chance = random.Random(entry["world"])
        self.kind: str = entry["body"]
        self.places = BODIES[self.kind]
        self.legs, self.wide, self.deep = (chance.uniform(*span) for span in ((0.9, 1.1), (0.85, 1.25), (0.95, 1.05)))
        self.apart = chance.uniform(0, 0.12)  # how far the feet stand out, in leg lengths
        self.arm = {"T": (1.0, 0.0, 0.0), "A": (0.72, -0.69, 0.05)}.get(self.kind, (0.0, -1.0, 0.0))

    def at(self, place: str) -> Point:
        x, y, z = self.places[place]
        top = self.places["hip"][1]
        height = y * self.legs if y <= top else top * self.legs + (y - top)
        return (x + self.apart * max(0.0, top - y) * (x > 0)) * self.wide, height, z * self.deep

    def between(self, a: Point, b: Point, part: float) -> Point:
        return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])

    def along_arm(self, length: float) -> Point:
        start = self.at("arm") if "arm" in self.places else self.at("fhip")
        along = self.arm
        return start[0] + length * along[0], start[1] + length * along[1], start[2] + length * along[2]


def words(text: str) -> list[str]:
    """Split names at |, else at spaces: some have spaces inside."""
    return [name.strip() for name in text.split("|")] if "|" in text else text.split()


class World:
    """The bones of one world, left and right, and its legs."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.entry, self.body = entry, Body(entry)
        self.bones: dict[str, tuple[str | None, Point]] = {}
        self.legs: dict[tuple[str, str], dict[str, Any]] = {}
        self.swaps = [pair.split(" > ") for pair in entry["swap"]]
        self.swaps = [(left.replace("~", " "), right.replace("~", " ")) for left, right in self.swaps]

    def mirrored(self, name: str) -> str:
        for left, right in self.swaps:
            if left in name:
                name = name.replace(left, right, 1)
                break
        return self.entry.get("rename", {}).get(name, name)

    def add(self, name: str, parent: str | None, where: Point) -> None:
        """Add a bone, and its mirror image where it has one."""
        if name in self.bones:
            return
        self.bones[name] = (parent, where)
        other = self.mirrored(name)
        if other != name and where[0] != 0.0:
            above = None if parent is None else self.mirrored(parent)
            above = above if above in self.bones else parent
            self.bones[other] = (above, (-where[0], where[1], where[2]))

    def add_listed(self) -> None:
        """Add the bones of the table."""
        lines = [re.fullmatch(r"(.+?) < ?(.*?) ?@ (\S+)", line.strip()) for line in self.entry["bones"].split(" | ")]
        todo = [(m[1], m[2] or None, m[3]) for m in lines if m]
        assert len(todo) == len(lines), self.entry["world"]
        self.pelvis = next((name for name, _, word in todo if word == "pelvis"), None)
        for name, parent, word in todo:
            place = word.lstrip("-")
            if place == "other":
                where = self.beside(name, parent)
            else:
                where = self.body.at(place)
                if place == "hipjoint":
                    where = (1e-3, where[1], where[2])  # on its side of the middle, hardly
            self.add(name, parent, where)
            if not word.startswith("-"):
                self.note(name, place)

    def beside(self, name: str, parent: str | None) -> Point:
        """Return a place for a bone that is no part of a leg."""
        if self.mirrored(name) == name:
            return (0.0, 0.0, 0.0) if parent is None else self.body.at("pelvis")
        x, y, z = (0.0, 0.0, 0.0) if parent is None else self.bones[parent][1]
        return self.body.at("pole") if x == 0.0 else (x * 1.05, y - 0.12 * self.body.at("hip")[1], z)

    def note(self, name: str, place: str) -> None:
        limb, role = ("front", place[1:]) if place.startswith("f") else ("hind", place)
        for side, turn in (("left", str), ("right", self.mirrored)):
            leg = self.legs.setdefault((limb, side), {"segments": []}) if role in (*ROLES, *SEGMENTS) else {}
            if role in ROLES:
                leg[role] = turn(name)
            if role in SEGMENTS:
                leg["segments"].append(turn(name))

    def add_upper(self) -> None:
        """Add spine, neck, head, arms and fingers."""
        parts = [words(part) for part in (self.entry["upper"] + ";;;").split(";")[:4]]
        spine, head, arm, fingers = parts
        low, high = self.body.at("pelvis"), self.body.at("chest")
        top = self.entry.get("spine") or self.spine_start()
        for k, name in enumerate(spine):
            self.add(name, top, self.body.between(low, high, (k + 1) / len(spine)))
            top = name
        end = top
        for name, place in zip(head, ("neck", "head"), strict=False):
            if name != "-":
                self.add(name, end, self.body.at(place))
                end = name
        lengths = (0.28, 0.53, 0.62, 0.66)
        places = [self.body.at("clavicle"), *(self.body.along_arm(n) for n in (0, *lengths))] if arm else []
        for name, where in zip([*arm, *fingers], places, strict=False):
            if name != "-":
                self.add(name, top, where)
                top = name
        self.head = end

    def spine_start(self) -> str:
        """Return what the spine hangs from: the parent of the pelvis where the legs have a pelvis of their own."""
        lca = self.entry.get("legs_only_pelvis")
        start = self.pelvis or next(iter(self.bones))
        return (self.bones[start][0] or start) if lca else start

    def add_extras(self) -> None:
        """Add hair, skirts, tails and ears: chains that are no legs."""
        waist = self.pelvis or next(iter(self.bones))
        size = self.body.at("hip")[1]
        for stem in self.entry["extras"].split():
            tail = "ail" in stem
            hair = not tail and re.search("(?i)hair|髪|ear", stem) is not None
            parent, count = (self.head if hair else waist), 5 if tail else 4
            _, y, z = self.bones[parent][1]
            for k in range(count):
                drop = (0.04 + 0.11 * k) * size
                where = (0.0 if tail else (0.06 if hair else 0.13) * size + 0.02 * k * size,
                         y - drop, z - (0.12 + 0.07 * k) * size * tail)  # fmt: skip
                name = f"{stem}_{k + 1}"
                self.add(name, parent, where)
                parent = name

    def result(self) -> dict[str, Any]:
        """Return the file's contents."""
        self.add_listed()
        self.add_upper()
        self.add_extras()
        names: list[str] = []

        def visit(parent: str | None) -> None:
            for name, (above, _) in self.bones.items():
                if above == parent:
                    names.append(name)
                    visit(name)

        visit(None)
        assert len(names) == len(self.bones), set(self.bones) - set(names)
        turn, unit = AXES[self.entry["up"]], self.entry["unit"]
        legs = []
        for (limb, side), leg in sorted(self.legs.items(), key=lambda item: (item[0][0] == "front", item[0][1])):
            pelvis = self.entry.get("front_pelvis") if limb == "front" else self.entry.get("pelvis")
            roles = {role: leg.get(role) for role in ROLES}
            legs.append({"side": side, **roles, "pelvis": pelvis or self.pelvis, "segments": leg["segments"],
                         "bends": "backwards" if limb == "front" else "forwards"})  # fmt: skip
        return {
            "world": self.entry["world"],
            "source": self.entry.get("source", "bone names from the rig's public bone list; positions made by "
                                               "make_legs.py"),
            "forward": FORWARD[self.entry["up"]],
            "names": names,
            "parents": [names.index(p) if (p := self.bones[name][0]) is not None else -1 for name in names],
            "rest": [[round(c * unit, 4) for c in turn(*self.bones[name][1])] for name in names],
            "legs": legs,
        }  # fmt: skip


def file_name(world: str) -> str:
    """Return the name of a world's file."""
    return re.sub(r"[^a-z0-9]+", "_", world.lower()).strip("_") + ".json"


def as_text(skeleton: dict[str, Any]) -> str:
    """Return JSON with one line per joint list, so that changes read well."""
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in skeleton.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def made_worlds() -> dict[str, str]:
    """Return file name → text of every world of the table."""
    table = json.loads((HERE / "leg_worlds.json").read_text(encoding="utf-8"))["worlds"]
    return {file_name(entry["world"]): as_text(World(entry).result()) for entry in table}


if __name__ == "__main__":
    for name, text in made_worlds().items():
        (HERE / "legs" / name).write_text(text, encoding="utf-8")
        print(name)
