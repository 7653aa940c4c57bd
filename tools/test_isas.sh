#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_isas.sh PYTHON JUNIT
# The Python tests on every instruction set but the best one, which `make check` has tested.
set -eu
python=$1
junit=$2
for isa in $("$python" -c 'import skelkin_py as sk; print(*(isa for isa in sk.build_info().isas if isa != sk.isa()))'); do
    chosen=$(SKELKIN_ISA=$isa "$python" -W ignore -c 'import skelkin_py as sk; print(sk.isa())')
    if [ "$chosen" = "$isa" ]; then
        echo "$isa:"
        SKELKIN_ISA=$isa "$python" -m pytest -q tests/python --junitxml="$junit/python-$isa.xml"
    else
        echo "not run: the Python tests on $isa (needs a CPU that has it; make test-avx512 emulates AVX-512)"
    fi
done
