# SPDX-License-Identifier: MIT
"""usage: sign_macos.py WHEEL FOLDER. Give what a macOS wheel has compiled an ad-hoc signature, and put the wheel there.

Without one macOS ends the process that loads it on Apple's CPUs. The system's libraries are all it needs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main(wheel: Path, folder: Path) -> int:
    """Sign all of the wheel's libraries and check them; `wheel pack` writes their hashes anew."""
    with tempfile.TemporaryDirectory() as temporary:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "-d", temporary, str(wheel)], check=True)
        (unpacked,) = Path(temporary).iterdir()
        libraries = sorted(unpacked.rglob("*.so"))
        if not libraries:
            raise SystemExit(f"{wheel.name}: nothing to sign")
        for library in libraries:
            subprocess.run(["codesign", "--force", "--sign", "-", str(library)], check=True)
            subprocess.run(["codesign", "--verify", "--strict", str(library)], check=True)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", str(folder), str(unpacked)], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), Path(sys.argv[2])))
