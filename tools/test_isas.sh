#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_isas.sh PYTHON JUNIT [whole]
# The quick Python tests on every instruction set but the best one, which `make test` has tested: those that compare numbers
# of a kernel with others, and planting on AVX2 alone, which most users have. whole: all tests of the package on each.
set -eu
python=$1
junit=$2
whole=${3:-}
kernels="chains ik kinematics skinning transforms contracts/test_bits.py contracts/test_bits_layouts.py
    contracts/test_contract_out.py contracts/test_golden.py contracts/test_memory_edges.py 
    ground/test_ray_hits.py"
planting="ground planting/contacts planting/paths $(cd tests/python && echo planting/test_*.py)"
failed=0
jobs=$(nproc 2>/dev/null || echo 2)
for isa in $("$python" -c 'import skelkin_py as sk; print(*(isa for isa in sk.build_info().isas if isa != sk.isa()))'); do
    chosen=$(SKELKIN_ISA=$isa "$python" -W ignore -c 'import skelkin_py as sk; print(sk.isa())')
    if [ "$chosen" != "$isa" ]; then
        echo "not run: the Python tests on $isa (needs a CPU that has it; make test-avx512 emulates AVX-512)"
        continue
    fi
    echo "$isa:"
    set -- -m "not slow"
    case ${whole:-$isa} in
    whole) set -- tests/python ;;
    avx2) for room in $kernels $planting; do set -- "$@" "tests/python/$room"; done ;;
    *) for room in $kernels; do set -- "$@" "tests/python/$room"; done ;;
    esac
    SKELKIN_ISA=$isa "$python" -m pytest -q -n "$jobs" "$@" --junitxml="$junit/python-$isa.xml" || failed=1
done
exit "$failed"
