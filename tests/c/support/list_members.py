# SPDX-License-Identifier: MIT
"""Members of the jobs of csrc/include/skelkin, for tests/c/test_left_out.c: ``python tests/c/support/list_members.py``.

Writes members.inl beside it, or prints it (``--print``): for each verb the members that its job has, those of structs
inside of it and behind its pointers too, where they are, and whether the header says that they may be left out: what
``0:`` or ``NULL:`` means.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
OUT = Path(__file__).with_name("members.inl")
STRUCT = re.compile(r"typedef struct (skl_\w+) \{\n(.*?)\n\} \1;", re.DOTALL)
RUN = re.compile(r"^skl_code (skl_\w+_run)\((skl_\w+_job) \*job\);", re.MULTILINE)
MEMBER = re.compile(
    r"(?P<type>(?:const )?\w+)\s+(?P<names>[^;()]+|\(\*\w+\)\([^;]*\));[ \t]*(?:/\*(?P<words>.*?)\*/)?", re.DOTALL
)
MAY_MISS = re.compile(r"(?:^|[\s(,;])(?:0|NULL):\s")
# What is handed in beside jobs, as the test calls it.
PLANTING = {"learn": "skl_plant_motion", "options": "skl_plant_options", "ground": "skl_ground"}
# Made by functions of their own, and whole.
MADE = {"skl_skeleton", "skl_weights"}
# Rows of arrays: all of their numbers are values.
ROWS = {
    "skl_joint_limit",
    "skl_plant_leg",
    "skl_plant_pin",
    "skl_bend",
    "skl_envelope",
    "skl_fcurve_key",
    "skl_ik_bone",
}
ROWS |= {"skl_fcurve_cycles", "skl_ik_goal", "skl_span"}


class Member(NamedTuple):
    """A member of a struct as it is declared."""

    type: str
    name: str
    pointer: bool
    words: str


class Found(NamedTuple):
    """A member of a job: how to say it, the structs and pointers on the way, what kind it is."""

    name: str
    way: list[tuple[str, str]]
    last: tuple[str, str]
    kind: str


def structs() -> tuple[dict[str, list[Member]], dict[str, str]]:
    """Return the members of every public struct, and the job of every verb."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "csrc/include/skelkin").glob("*.h"))]
    made = {name: members(body) for text in texts for name, body in STRUCT.findall(text)}
    return made, {run: job for text in texts for run, job in RUN.findall(text)}


def members(body: str) -> list[Member]:
    """Return the members of a struct."""
    body = re.sub(r"^    /\*.*?\*/\n", "", body, flags=re.DOTALL | re.MULTILINE)
    found = []
    for line in MEMBER.finditer(body):
        words = " ".join(re.sub(r"\n\s*\*", " ", line["words"] or "").split())
        if line["names"].startswith("(*"):
            found.append(
                Member("function", re.sub(r"\(\*(\w+)\).*", r"\1", line["names"], flags=re.DOTALL), True, words)
            )
            continue
        for name in line["names"].split(","):
            found.append(
                Member(line["type"].removeprefix("const "), re.sub(r"[*\s]|\[.*", "", name), "*" in name, words)
            )
    return found


def kind_of(member: Member) -> str:
    """Return whether it may be left out."""
    if member.words.startswith("out"):
        return "RESULT"
    return "OPTIONAL" if MAY_MISS.search(f" {member.words}") else "NEEDED"


def walk(known: dict[str, list[Member]], struct: str, name: str, way: list[tuple[str, str]]) -> list[Found]:
    """Return all members of a struct that is reached on this way: (struct, member of it that is a pointer)."""
    found = []
    for member in known[struct]:
        label = f"{name}{member.name}"
        if member.type == "skl_status":
            continue
        kind = "VALUE" if struct in ROWS else kind_of(member)
        inside = (
            member.type in known
            and member.type not in MADE | {"skl_array"}
            and (member.pointer or member.type not in ROWS)
        )
        if member.pointer or not inside:
            found.append(
                Found(label, way, (struct, member.name), "ARRAY_" + kind if member.type == "skl_array" else kind)
            )
        if inside:
            step = [("*" if member.pointer else ".") + struct, member.name]
            below = walk(known, member.type, f"{label}.", [*way, tuple(step)])
            if "must have data" in member.words:
                below = [each._replace(kind="NEEDED") if each.name.endswith(".data") else each for each in below]
            found += below
    return found


def line_of(each: Found) -> str:
    """Return a member as a row of the table."""
    way = [f"{'THROUGH' if step[0] == '*' else 'INSIDE'}({step[1:]}, {member})" for step, member in each.way]
    struct, member = each.last
    return f'    {{"{each.name}", {each.kind}, AT({struct}, {member}), {len(way)}, {{{", ".join(way) or "{0, 0}"}}}}},'


def table() -> str:
    """Return the file."""
    known, runs = structs()
    jobs = {run.removeprefix("skl_").removesuffix("_run"): job for run, job in runs.items()}
    lines = [
        "/* SPDX-License-Identifier: MIT */",
        "/* Made from the public headers by list_members.py. */",
        "// clang-format off",
        "",
    ]
    for job in dict.fromkeys([*jobs.values(), *PLANTING.values()]):
        rows = [line_of(each) for each in walk(known, job, "", [])]
        lines += [f"static const member {job}_members[] = {{", *rows, "};", ""]
    lines += [f"RUN({name}, {job})" for name, job in jobs.items()]
    lines += ["", "static const verb VERBS[] = {"]
    lines += [f"    VERB({name}, {job})," for name, job in {**jobs, **PLANTING}.items()]
    return "\n".join([*lines, "};"]) + "\n"


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(table(), end="")
    else:
        OUT.write_text(table(), encoding="utf-8")
