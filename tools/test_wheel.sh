#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_wheel.sh VENVS JUNIT WHEEL [whole]
# Installs the one wheel on every CPython 3.10–3.13 at hand and runs the Python tests on it, outside the tree, so that only
# the installed package can be imported. The quick tests on the oldest and the newest Python, each with the numpy of its
# time; on those between a look at each verb. whole: all tests on every Python, with its oldest numpy and with its newest.
set -eu
venvs=$1
junit=$(mkdir -p "$2" && cd "$2" && pwd)
wheel=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
whole=${4:-}
tree=$(pwd)
missing=0
failed=0 # what fails does not hide what comes after it
# The older interpreters meet the oldest of each extra that is promised too.
oldest="-r requirements/oldest.txt"
newest="-r requirements/view.txt -r requirements/film.txt -r requirements/ground.txt"
smoke="contracts/test_import.py contracts/test_golden.py contracts/test_contract_out.py cli/test_cli.py
    ik/test_contract.py planting/test_planting.py planting/report/test_plot.py skinning/test_skinning.py view/test_films.py"

run() { # run VERSION NUMPY PINS TESTS...
    version=$1
    numpy=$2
    pins="numpy==$2 $3"
    shift 3
    python=$(tools/find_cpython.sh "$version")
    if [ -z "$python" ]; then
        echo "not run: wheel on CPython $version (no such interpreter; set PYTHON$(echo "$version" | tr -d .)=…)"
        missing=1
        return
    fi
    venv=$venvs/wheel-$version-$numpy
    if [ ! -e "$venv/.made" ] || [ -n "$(find requirements -newer "$venv/.made")" ]; then
        tools/make_venv.sh "$python" "$venv" $pins -r requirements/test.txt
        touch "$venv/.made"
    fi
    "$venv/bin/python" -m pip --disable-pip-version-check -q install --force-reinstall --no-deps "$wheel"
    echo "wheel on CPython $version: $pins"
    bin=$(cd "$venv/bin" && pwd)
    outside=$(mktemp -d)
    (cd "$outside" && SKELKIN_INSTALLED=1 SKELKIN_DATA="${SKELKIN_DATA:-$tree/../shared/data}" "$bin/python" -m pytest -q \
        -n "$(nproc 2>/dev/null || echo 2)" -c "$tree/pyproject.toml" --rootdir "$tree" -p no:cacheprovider "$@" \
        --junitxml="$junit/wheel-$version-$numpy.xml") || failed=1
    rm -rf "$outside"
}

all=$tree/tests/python
if [ "$whole" = whole ]; then
    run 3.10 1.22.4 "$oldest" "$all"
    run 3.10 2.2.6 "$newest" "$all"
    run 3.11 1.23.5 "$oldest" "$all"
    run 3.11 2.4.6 "$newest" "$all"
    run 3.12 1.26.4 "$newest" "$all"
    run 3.12 2.4.6 "$newest" "$all"
    run 3.13 2.1.3 "$newest" "$all"
    run 3.13 2.4.6 "$newest" "$all"
else
    run 3.10 1.22.4 "$oldest" -m "not slow" "$all"
    run 3.13 2.4.6 "$newest" -m "not slow" "$all"
    set --
    for name in $smoke; do set -- "$@" "$all/$name"; done
    run 3.11 1.23.5 "$oldest" "$@"
    run 3.12 1.26.4 "$newest" "$@"
fi
if [ "$missing" = 1 ] && [ "${SKELKIN_STRICT:-0}" = 1 ]; then
    exit 1
fi
exit "$failed"
