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
            for name in blocks_ contacts ground_ loops_ planting; do set -- "$@" "--ignore-glob=*/test_$name*"; done
        fi
        SKELKIN_ISA=$isa "$python" -m pytest -q tests/python --junitxml="$junit/python-$isa.xml" "$@" \
            --ignore-glob='*/test_bvh_*' --ignore-glob='*/test_cli*' --ignore-glob='*/test_ground_files*' \
            --ignore-glob='*/test_leg_corpus*' --ignore-glob='*/test_find_legs*' --ignore-glob='*/test_plot*' \
            --ignore-glob='*/test_view*'
    else
        echo "not run: the Python tests on $isa (needs a CPU that has it; make test-avx512 emulates AVX-512)"
    fi
done
