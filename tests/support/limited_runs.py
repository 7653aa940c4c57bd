# SPDX-License-Identifier: MIT
"""Programs that may not run on for ever."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path


def run_limited(command: list[str], folder: str | Path, env: dict[str, str], seconds: float) -> tuple[int | None, str]:
    """Run a command to its end or its limit; return its exit code (None: stopped) and all that it printed."""
    with subprocess.Popen(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            log, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            log, _ = process.communicate()
            return None, log
        return process.returncode, log
