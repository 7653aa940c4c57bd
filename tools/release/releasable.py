# SPDX-License-Identifier: MIT
"""Whether this tree may be released: says what keeps it from that, each with what to do, and fails.

usage: releasable.py [--tag vX.Y.Z]    (the tag that is being released, in workflows)
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator

import changelog
from project import PLACEHOLDER, ROOT, VERSION_FILE, is_placeholder, stated_addresses, version

#: where else the version stands, and the words before it
VERSIONS = {
    "blender_addon/_version.py": r'^__version__ = "([^"]+)"',
    "blender_addon/__init__.py": r'^    "version": \(([\d, ]+)\)',
    "CITATION.cff": r"^version: (\S+)",
    "csrc/include/skelkin/skelkin.h": r"VERSION_MAJOR (\d+)\n.*VERSION_MINOR (\d+)\n.*VERSION_PATCH (\d+)$",
}
#: what states the project's addresses because it cannot read them
COPIES = (".github/ISSUE_TEMPLATE/config.yml", "CITATION.cff")


def csrc_hash() -> str:
    """Return the hash of the C sources of this tree."""
    hashing = runpy.run_path(str(VERSION_FILE.with_name("source_hash.py")))
    return str(hashing["source_hash"](ROOT / "csrc"))


def unclean() -> Iterator[str]:
    """Yield what git sees changed."""
    git = ["git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=all"]
    changed = subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    if changed:
        shown = ", ".join(line[3:] for line in changed[:3])
        yield f"the tree has {len(changed)} changed files ({shown} …): commit them"


def other_versions(tag: str | None) -> Iterator[str]:
    """Yield where another version stands than that of the package."""
    number = version()
    if tag and tag != f"v{number}":
        yield f"the tag {tag} is not v{number}, which {VERSION_FILE.relative_to(ROOT)} states"
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        stated = ".".join(found.groups()).replace(", ", ".") if found else "none"
        if stated != number:
            yield f"{name} states version {stated}, the package {number}"


def other_trees() -> Iterator[str]:
    """Yield which kept results are of another tree than this one."""
    now = csrc_hash()
    records = json.loads((ROOT / "docs" / "platforms.json").read_text(encoding="utf-8"))
    old = sorted({name for name, row in records.items() for _, of in row.values() if of != now})
    if old:
        yield f"docs/platforms.json: {', '.join(old)} ran on another csrc: run `make release-check`"
    for path in sorted((ROOT / "benchmarks" / "results").glob("*.json")):
        themes = json.loads(path.read_text(encoding="utf-8")).get("themes", {})
        old = sorted(name for name, theme in themes.items() if theme.get("versions", {}).get("csrc") != now)
        if old:
            yield f"{path.relative_to(ROOT)}: {', '.join(old)} were measured on another csrc: run `make bench figures`"


def kept_results() -> Iterator[str]:
    """Yield what `make coverage` and `make mutate` have left of another tree."""
    for script in ("tools/coverage_page.py", "tests/mutation/mutate.py"):
        check = [sys.executable, str(ROOT / script), "--check"]
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        if done.returncode:
            yield (done.stdout + done.stderr).strip().splitlines()[-1]


def placeholders() -> Iterator[str]:
    """Yield the addresses that are none, and where others stand than in pyproject.toml."""
    lacking = [name for name, address in stated_addresses().items() if is_placeholder(address)]
    if lacking:
        yield (
            f"pyproject.toml: {', '.join(lacking)} under [project.urls] end with {PLACEHOLDER}: "
            "run `make address REPOSITORY=… DOCUMENTATION=…`"
        )
    known = set(stated_addresses().values())
    for name in COPIES:
        stated = set(re.findall(r'https://[^\s"\']+', (ROOT / name).read_text(encoding="utf-8")))
        if other := sorted(stated - known):
            yield f"{name}: {', '.join(other)} is not in pyproject.toml: run `make address`"


def complaints(tag: str | None = None) -> list[str]:
    """Return all that keeps the tree from being released."""
    dated = changelog.complaint(version())
    return [
        *unclean(),
        *other_versions(tag),
        *([dated] if dated else []),
        *other_trees(),
        *kept_results(),
        *placeholders(),
    ]


def main() -> int:
    """Print the complaints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tag", default=os.environ.get("RELEASE_TAG") or None)
    found = complaints(parser.parse_args().tag)
    for each in found:
        print(f"not yet: {each}", file=sys.stderr)
    print(f"{version()}: {'may be released' if not found else f'{len(found)} things to do'}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
