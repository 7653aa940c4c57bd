#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: coverage.sh VENV VENVS JOBS
# Counts which lines of C and Python the tests run, and writes docs/coverage.md: the suite on the best instruction set,
# the quick tests of kernels on the lower ones, the C tests (on AVX-512 by SIMDe, where the CPU lacks it), and the add-on's
# in one Blender. All of it runs in a copy of the tree, so that the build of the working tree stays as it is.
set -eu
python=$(cd "$1" && pwd)/bin/python
venvs=$(cd "$2" && pwd)
jobs=$3
root=$(pwd)
folder=$root/build/coverage
blender=5.2
kernels="blender chains ik kinematics planting/paths skinning transforms"
export COVERAGE_TREE="$folder/tree" SKELKIN_DATA="${SKELKIN_DATA:-$root/../shared/data}"
pip="-m pip --disable-pip-version-check --no-input -q"
interrupts=tests/python/contracts/test_interrupts.py::test_ctrl_c_ends_a_long_call_and_leaves_nothing_behind
missing=
emulated=
failed=0 # what fails ends the run with a failure, but not before all is counted
not_run() {
    echo "not run: $1"
    missing=1
}
have_simde() {
    echo '#include <simde/x86/avx512.h>' | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null
}

rm -rf "$folder"
mkdir -p "$COVERAGE_TREE" "$folder/python"
git ls-files -z --cached --others --exclude-standard |
    tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -xf - -C "$COVERAGE_TREE"
cd "$COVERAGE_TREE"
git init -q && git add -A # some tests look at what changes
SKELKIN_COVERAGE=1 "$python" $pip install --no-build-isolation --no-deps -e .

counted() { # counted REPORT [pytest arguments]
    report=$folder/junit/$1.xml
    shift
    # Left out is what forbids that anything is counted: other modules, other symbols, an os._exit that is not Python's,
    # and what has to end in ten seconds of processor time.
    PYTHONPATH=tools "$python" -m coverage run --rcfile=tools/coverage.toml -m pytest -p patient_xdist -q -n "$jobs" \
        --deselect tests/python/contracts/test_import.py::test_import_brings_numpy_alone \
        --deselect tests/python/contracts/test_import.py::test_the_extension_exports_one_symbol \
        --deselect tests/python/cli/test_workers.py::test_a_process_that_dies_is_replaced \
        $(printf -- "--deselect $interrupts[quaternion_to_euler-%s] " 1 2) --junitxml="$report" "$@" || failed=1
}
counted python tests/python tests/source
for isa in avx512 avx2 sse2 scalar; do
    chosen=$(SKELKIN_ISA=$isa "$python" -W ignore -c 'import skelkin_py as sk; print(sk.isa())')
    best=$("$python" -c 'import skelkin_py as sk; print(sk.isa())')
    if [ "$chosen" != "$isa" ] && [ "$isa" = avx512 ] && have_simde; then
        emulated=1
    elif [ "$chosen" != "$isa" ]; then
        not_run "coverage of $isa (needs a CPU that has it)"
    elif [ "$chosen" != "$best" ]; then
        echo "$isa:"
        SKELKIN_ISA=$isa counted "python-$isa" -m "not slow" $(printf 'tests/python/%s ' $kernels)
    fi
done
echo "C:"
make -s -C tests/c coverage || failed=1
if [ -n "$emulated" ]; then
    echo "C on emulated AVX-512:"
    make -s -C tests/c coverage EMULATED=1 SHARED=../../build/c/coverage OUT=../../build/c-emulated || failed=1
fi

echo "Blender:"
# What the file with the pins says is installed there; coverage itself sleeps until it is asked for.
found=$(tools/find_cpython.sh 3.13)
if [ -n "$found" ] && tools/blender_venv.sh "$blender" "$found" "$venvs/bpy-$blender"; then
    "$venvs/bpy-$blender/bin/python" $pip install "$(grep '^coverage==' requirements/coverage.txt)"
    cp -r "$root/dist" dist
    COVERAGE_PROCESS_START=$COVERAGE_TREE/tools/coverage.toml "$python" tests/blender/run.py --only "$blender" \
        --venvs "$venvs" --junit "$folder/junit" || failed=1
else
    not_run "coverage of the add-on in Blender $blender"
fi

"$python" -m coverage combine -q --rcfile=tools/coverage.toml
# Objects, and the folder they were compiled from.
for made in build/editable=. build/c/coverage=tests/c ${emulated:+build/c-emulated/coverage=tests/c}; do
    # Some lines run more often than gcovr believes; branches are not looked at.
    "$python" -m gcovr --root . --filter csrc/ -j "$jobs" --merge-mode-functions=separate \
        --gcov-suspicious-hits-threshold 0 --gcov-ignore-parse-errors negative_hits.warn_once_per_file \
        --object-directory "${made#*=}" --json "$folder/c-$(echo "${made%=*}" | tr / -).json" "${made%=*}"
done
if [ -n "$missing" ]; then
    echo "docs/coverage.md stays as it was: not everything has run"
    [ "${SKELKIN_STRICT:-0}" != 1 ] || failed=1
else
    "$python" tools/coverage_page.py --python "$folder/python/data" --c "$folder"/c-*.json \
        --reasons "$root/tests/coverage_reasons.toml" --page "$root/docs/coverage.md" || failed=1
fi
exit $failed
