# SPDX-License-Identifier: MIT
"""Clips from file to file, up to a million frames: time per frame, and the most that a process has in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from long_clips import LENGTHS, WORK, measured

from cases import Case

ENDS = (30_000, LENGTHS[-1])


def cases() -> Iterator[Case]:
    with tempfile.TemporaryDirectory(prefix="skelkin-bench-") as folder:
        for what in WORK:
            for frames in LENGTHS if what == "plant" else ENDS:
                found = measured(what, frames, Path(folder))
                name = f"{what}_file, {frames:,} frames".replace(",", " ").replace("  ", ", ", 1)
                each = Case(name, "µs/frame")
                each.facts["skelkin"] = found["processor_seconds"] * 1e6 / frames
                yield each
                memory = Case(f"peak of {name}", "MB")
                memory.facts["skelkin"] = found["peak_mb"]
                yield memory
