# SPDX-License-Identifier: MIT
"""Add up the JUnit files below a folder into one line; exit 1 on a failure, on a skip, or where there are none."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def main(folder: str) -> int:
    passed = failed = skipped = 0
    for path in sorted(Path(folder).glob("**/*.xml")):
        for case in ET.parse(path).iter("testcase"):
            kinds = {child.tag for child in case}
            if kinds & {"failure", "error"}:
                failed += 1
                print(f"failed: {path.stem}: {case.get('classname')}.{case.get('name')}")
            elif "skipped" in kinds:
                skipped += 1
                print(f"skipped: {path.stem}: {case.get('classname')}.{case.get('name')}")
            else:
                passed += 1
    print(f"total: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed and not skipped else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
