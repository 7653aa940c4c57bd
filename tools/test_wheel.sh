#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_wheel.sh VENVS JUNIT WHEEL
# Installs the one wheel on every CPython 3.10–3.13 at hand and runs the Python suite on it, outside the tree, so that
# only the installed package can be imported. The oldest runs all of it, with the oldest numpy (`make test` runs all with
# the newest). The others run what hangs on the interpreter rather than on the kernels: contracts, errors, ownership,
# threads, a look at each verb; the newest also files and processes.
set -eu
venvs=$1
junit=$(mkdir -p "$2" && cd "$2" && pwd)
wheel=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
tree=$(pwd)
missing=0
# The older interpreters meet the oldest numpy and matplotlib that are promised (the latter with a parser of its time).
oldest="matplotlib==3.8.4 pyparsing==3.0.9"
newest="matplotlib==3.10.7 numpy==2.4.6"
later="contracts/bad_input cli/cli contracts/contract contracts/contract_out chains/fabrik contracts/golden
    contracts/hostile_input contracts/import kinematics/kinematics contracts/messages contracts/ownership
    planting/planting report/plot skinning/skinning contracts/threads transforms/contract two_bone/contract"
newest_only="motion/atomic_writes blocks/loops blocks/plant blocks/skin motion/bvh_reader motion/bvh_writer
    cli/arrays cli/closed_folders cli/contacts cli/forks cli/interrupted cli/journal cli/json cli/links cli/many
    cli/names cli/pipes cli/startup cli/view_convert cli/workers ground/files report/report report/view"
for version in 3.10 3.11 3.12 3.13; do
    case $version in
    3.10) pins="numpy==1.22.4 $oldest" ;;
    3.11) pins="numpy==1.23.5 $oldest" ;;
    *) pins=$newest ;;
    esac
    python=$(tools/find_cpython.sh "$version")
    if [ -z "$python" ]; then
        echo "not run: wheel on CPython $version (no such interpreter; set PYTHON$(echo "$version" | tr -d .)=…)"
        missing=1
        continue
    fi
    venv=$venvs/wheel-$version
    if [ ! -e "$venv/.made" ] || [ -n "$(find requirements/test.txt requirements/film.txt requirements/ground.txt -newer "$venv/.made")" ]; then
        "$python" -m venv "$venv"
        "$venv/bin/python" -m pip --disable-pip-version-check -q install $pins -r requirements/test.txt -r requirements/film.txt \
            -r requirements/ground.txt
        touch "$venv/.made"
    fi
    "$venv/bin/python" -m pip --disable-pip-version-check -q install --force-reinstall --no-deps "$wheel"
    echo "wheel on CPython $version: $pins"
    bin=$(cd "$venv/bin" && pwd)
    set -- "$tree/tests/python"
    case $version in
    3.10) names= ;;
    3.13) names="$later $newest_only" ;;
    *) names=$later ;;
    esac
    [ -z "$names" ] || set --
    for name in $names; do set -- "$@" "$tree/tests/python/${name%/*}/test_${name#*/}.py"; done
    outside=$(mktemp -d)
    (cd "$outside" && SKELKIN_INSTALLED=1 SKELKIN_DATA="${SKELKIN_DATA:-$tree/../shared/data}" "$bin/python" -m pytest -q \
        -c "$tree/pyproject.toml" --rootdir "$tree" -p no:cacheprovider "$@" \
        --junitxml="$junit/wheel-$version.xml")
    rm -rf "$outside"
done
if [ "$missing" = 1 ] && [ "${SKELKIN_STRICT:-0}" = 1 ]; then
    exit 1
fi
