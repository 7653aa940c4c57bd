# SPDX-License-Identifier: MIT
"""Run pytest inside a Blender binary: blender -b --factory-startup --python inside.py -- PYTEST_FOLDER [arguments]."""

import os
import sys

sys.dont_write_bytecode = True
pytest_folder, *arguments = sys.argv[sys.argv.index("--") + 1 :]
sys.path.insert(0, pytest_folder)
if site := os.environ.get("SKELKIN_TEST_PATH"):
    sys.path.insert(0, site)

import pytest  # noqa: E402

code = int(pytest.main(arguments))
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
