#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_isas.sh PYTHON JUNIT
# The Python tests on every instruction set but the best one, which `make test` has tested: all but those of files,
# names, pages and pictures, which hold nothing against numbers that a kernel could change. Planting meets the lowest
# one alone: test_isa.py holds kernels that round alike to the same bits, and the best one rounds as those with FMA do.
set -eu
python=$1
junit=$2
for isa in $("$python" -c 'import skelkin_py as sk; print(*(isa for isa in sk.build_info().isas if isa != sk.isa()))'); do
    chosen=$(SKELKIN_ISA=$isa "$python" -W ignore -c 'import skelkin_py as sk; print(sk.isa())')
    if [ "$chosen" = "$isa" ]; then
        echo "$isa:"
        set --
        if [ "$isa" != scalar ]; then
            for room in blocks contacts ground planting; do set -- "$@" "--ignore=tests/python/$room"; done
        fi
        SKELKIN_ISA=$isa "$python" -m pytest -q tests/python --junitxml="$junit/python-$isa.xml" "$@" \
            --ignore=tests/python/addon --ignore=tests/python/cli --ignore=tests/python/legs --ignore=tests/python/motion \
            --ignore=tests/python/report --ignore=tests/python/ground/test_files.py
    else
        echo "not run: the Python tests on $isa (needs a CPU that has it; make test-avx512 emulates AVX-512)"
    fi
done
