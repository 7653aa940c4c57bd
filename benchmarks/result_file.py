# SPDX-License-Identifier: MIT
"""The results of one CPU: benchmarks/results/<cpu>.json, theme by theme, each from its last run; and questions to it.

A figure is [first quartile, median, third quartile] of a candidate in the case's unit; a ratio the same of how many
times as fast as another the candidate was, round by round.
"""

from __future__ import annotations

import json
import math
import platform
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

REFERENCE = "amd-epyc-family-25-model-17"  # the CPU whose figures README, status and performance pages show
RESULTS = Path(__file__).resolve().parent / "results"
OWN = "skelkin, out="
COPIES = ("memset", "memcpy")
NO_PEER = (*COPIES, "C", "float32", "float64", "read", "plant", "write", "read, plant, write")
NO_PEER += ("switch", "switch, stepped", "switch, stepped, without its check", "switch, without frame_set", "bake legs")
NO_PEER += ("sparse keys", "ground of 100 352 triangles", "update of 1 000 frames")
NO_PEER += ("ozz-animation inside C++",)  # which no Python calls
TIMES = ("s", "ms", "µs/call", "µs/frame", "MB")  # units of which less is better
Quartiles = tuple[float, float, float]


def slug(cpu: str) -> str:
    """Return a file name for a CPU: "AMD EPYC family 25 model 1" becomes amd-epyc-family-25-model-1."""
    plain = re.sub(r"\((r|tm|c)\)", "", cpu.lower())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def cpu_name() -> str:
    """Return the model of the CPU as the system calls it, with family and model where the name says little."""
    fields: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines():
            key, _, value = line.partition(":")
            fields[key.strip()] = value.strip()
    except OSError:
        return platform.processor() or platform.machine()
    name = fields.get("model name", platform.machine())
    if "cpu family" in fields:
        name += f" family {fields['cpu family']} model {fields['model']}"
    return name


def is_own(candidate: str) -> bool:
    """Whether a candidate's ratios to the others of its case are kept."""
    return candidate.startswith("skelkin") or candidate == "float64"


def is_peer(candidate: str) -> bool:
    return not candidate.startswith("skelkin") and candidate not in NO_PEER


def path_of(name: str) -> Path:
    return RESULTS / f"{name}.json"


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(value: Any, indent: str = "") -> str:
    """Return JSON with one line for whatever holds no further dict."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(part, dict) for part in inside):
        return json.dumps(value, ensure_ascii=False)
    deeper = indent + " "
    if isinstance(value, list):
        lines = [f"{deeper}{text_of(part, deeper)}" for part in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    lines = [f"{deeper}{json.dumps(key, ensure_ascii=False)}: {text_of(part, deeper)}" for key, part in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def merge(path: Path, cpu: str, theme: str, found: dict[str, Any], order: tuple[str, ...] = ()) -> None:
    """Put one theme's results in place of its former ones; the other themes stay as they are."""
    themes = {**(read(path)["themes"] if path.exists() else {}), theme: found}
    places = {name: place for place, name in enumerate(order)}
    ordered = sorted(themes, key=lambda name: places.get(name, len(places)))
    beside = path.with_suffix(".tmp")
    whole = {"cpu": cpu, "themes": {name: themes[name] for name in ordered}}
    beside.write_text(text_of(whole) + "\n", encoding="utf-8")
    beside.replace(path)


class Results:
    """The cases of a file by their names."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.cpu: str = data["cpu"]
        self.themes: dict[str, Any] = data["themes"]
        self.cases: dict[str, Any] = {case["name"]: case for theme in self.themes.values() for case in theme["cases"]}

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the cases that fit a pattern of the shell's kind."""
        return [name for name in self.cases if fnmatchcase(name, pattern)]

    def has(self, case: str, candidate: str) -> bool:
        return case in self.cases and candidate in self.cases[case]["candidates"]

    def unit(self, case: str) -> str:
        return self.cases[case]["unit"]

    def candidates(self, case: str) -> list[str]:
        return list(self.cases[case]["candidates"])

    def figure(self, case: str, candidate: str) -> Quartiles:
        return tuple(self.cases[case]["candidates"][candidate]["figure"])

    def median(self, case: str, candidate: str) -> float:
        return self.figure(case, candidate)[1]

    def error(self, case: str, candidate: str) -> float:
        return self.cases[case]["candidates"][candidate]["error"]

    def speed(self, case: str, candidate: str) -> float:
        """Return a number that is larger for the faster."""
        value = self.median(case, candidate)
        if self.unit(case) in TIMES:
            return 1 / value if value else math.inf
        return value

    def of_medians(self, case: str, candidate: str, against: str, against_case: str = "") -> float:
        """Return how many times as fast as another a candidate is at the medians."""
        return self.speed(case, candidate) / self.speed(against_case or case, against)

    def ratio(self, case: str, candidate: str, against: str, against_case: str = "") -> Quartiles:
        """Return the same in pairs of one round, or at the medians where the two did not take turns."""
        found = None if against_case else self.cases[case].get("ratios", {}).get(candidate, {}).get(against)
        return tuple(found) if found else (self.of_medians(case, candidate, against, against_case),) * 3

    def own(self, case: str) -> str | None:
        """Return the candidate that stands for skelkin in a case."""
        names = self.candidates(case)
        return OWN if OWN in names else next((name for name in names if is_own(name)), None)

    def best_peer(self, case: str) -> str | None:
        """Return the strongest of the others."""
        peers = [name for name in self.candidates(case) if is_peer(name)]
        return max(peers, key=lambda name: self.speed(case, name), default=None)

    def not_run(self) -> dict[str, str]:
        """Return what could not be measured in the last runs, with the reasons."""
        return {name: reason for theme in self.themes.values() for name, reason in theme["not run"].items()}
