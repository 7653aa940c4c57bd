# SPDX-License-Identifier: MIT
"""The judge's own modules, which are in no package."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
