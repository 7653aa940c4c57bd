#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_asan_python.sh PYTHON JUNIT
# Planting's quick tests on an extension that checks every address and every index of an array, built by gcc beside the
# usual one. Python itself loses memory on purpose at its end, so that leaks are left to `make test-asan`.
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
junit=$(cd "$2" && pwd)
root=$PWD
built=build/asan-python
library=$(${CC:-gcc} -print-file-name=libasan.so)
if ! test -f "$library"; then
    if test "${SKELKIN_STRICT:-}" = 1; then
        echo 'required here, and missing: libasan of gcc'
        exit 1
    fi
    echo 'not run: planting under AddressSanitizer (needs gcc with libasan)'
    exit 0
fi
CC=${CC:-gcc} SKELKIN_SANITIZE=address,bounds "$python" -W ignore setup.py -q build --build-lib $built/lib --build-temp $built/temp

# Python looks into the current folder first: from there it takes the package that was built for this.
cd $built/lib
# What is written in C++ throws by a function that has to be there when the sanitizer begins.
# Threads of numpy's linear algebra wait for each other in circles, which takes a third of the time.
export LD_PRELOAD="$library $(${CC:-gcc} -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 OPENBLAS_NUM_THREADS=1
"$python" -c 'import skelkin_py as sk; assert sk.build_info().sanitizers'
set --
for room in ground planting/contacts planting/editing planting/paths planting/report/test_cost.py; do
    set -- "$@" "$root/tests/python/$room"
done
set -- "$@" "$root"/tests/python/planting/test_*.py
# Real clips take longer than all others.
"$python" -m pytest -q -m "not slow and not data" "$@" --junitxml="$junit/asan-python.xml"
