# SPDX-License-Identifier: MIT
"""What cibuildwheel runs on each wheel it has made: every kernel of the CPU is in it, and a clip is planted."""

from __future__ import annotations

import platform

import skelkin_py as sk

KERNELS = {"x86_64": {"scalar", "sse2", "avx2", "avx512"}, "arm64": {"scalar", "neon"}}
SAME = {"amd64": "x86_64", "aarch64": "arm64"}


def main() -> int:
    """Return 0 if the wheel is whole; the reason otherwise."""
    machine = platform.machine().lower()
    build = sk.build_info()
    print(build)
    if lacking := KERNELS[SAME.get(machine, machine)] - set(build.isas):
        raise SystemExit(f"the wheel has no kernels of {', '.join(sorted(lacking))}")
    walk = sk.example("biped")
    report = walk.clip.plant_feet(ground=walk.ground, metres_per_unit=1.0).report
    print(report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
