# SPDX-License-Identifier: MIT
"""``python -m skelkin_py`` is the command ``skelkin``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
