# SPDX-License-Identifier: MIT
"""The peak memory of a script, in a process of its own: an earlier run leaves what malloc has not given back."""

from __future__ import annotations

import subprocess
import sys

# Not getrusage: its figure begins with that of the process which started this one.
_SAY_PEAK = """
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak_memory(script: str, *arguments: object) -> float:
    """Run `script` with `arguments` in a new interpreter and return the most memory it ever held, in MB."""
    command = [sys.executable, "-c", script + _SAY_PEAK, *map(str, arguments)]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return int(out.split()[-1]) / 1024
