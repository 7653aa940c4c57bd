#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_oracles.sh VENVS JUNIT
# Compares the built package with UsdSkel, libigl, pygltflib and trimesh, in a venv of the first CPython that all have
# wheels for. What cannot run is said in one line, and is a failure where SKELKIN_STRICT=1.
set -eu
venv=$1/oracles
junit=$(mkdir -p "$2" && cd "$2" && pwd)
tree=$(pwd)
not_run() {
    echo "not run: UsdSkel and libigl ($1)"
    exit "${SKELKIN_STRICT:-0}"
}
for version in 3.12 3.11 3.13; do
    python=$(tools/find_cpython.sh "$version")
    [ -z "$python" ] || break
done
[ -n "$python" ] || not_run "need CPython 3.11, 3.12 or 3.13; set PYTHON312=…"
pins=$(cat requirements/oracles.txt requirements/test.txt)
if [ "$pins" != "$(cat "$venv/.pins" 2>/dev/null)" ]; then
    echo "UsdSkel, libigl, pygltflib and trimesh: about 100 MB to download, 500 MB unpacked, into $venv"
    tools/make_venv.sh "$python" "$venv" --only-binary=:all: -r requirements/oracles.txt -r requirements/test.txt ||
        not_run "no wheels of them to be had here"
    echo "$pins" >"$venv/.pins"
fi
SKELKIN_DATA="${SKELKIN_DATA:-$tree/../shared/data}" PYTHONPATH=$tree "$venv/bin/python" -P -m pytest -q tests/oracles \
    --junitxml="$junit/oracles.xml"
