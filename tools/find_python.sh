#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the newest Python from 3.10 on that has venv and the C headers; nothing where there is none.
for name in python3.13 python3.12 python3.11 python3.10 python3; do
    "$name" - 2>/dev/null <<'PY' && exit 0
import os, sys, sysconfig, ensurepip, venv
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
if sys.version_info < (3, 10) or not os.path.exists(header):
    raise SystemExit(1)
print(sys.executable)
PY
done
exit 0
