#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_wheel.sh VENVS JUNIT WHEEL
# Installs the one wheel on every CPython 3.10–3.13 at hand and runs the Python suite on it, outside the tree, so that
# only the installed package can be imported. Each interpreter meets the oldest numpy that it can have, or the newest.
set -eu
venvs=$1
junit=$(mkdir -p "$2" && cd "$2" && pwd)
wheel=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
tree=$(pwd)
missing=0
for pair in 3.10=1.22.4 3.11=1.23.5 3.12=2.4.6 3.13=2.4.6; do
    version=${pair%=*}
    numpy=${pair#*=}
    python=$(tools/find_cpython.sh "$version")
    if [ -z "$python" ]; then
        echo "not run: wheel on CPython $version (no such interpreter; set PYTHON$(echo "$version" | tr -d .)=…)"
        missing=1
        continue
    fi
    venv=$venvs/wheel-$version
    if [ ! -e "$venv/.made" ] || [ requirements/test.txt -nt "$venv/.made" ]; then
        "$python" -m venv "$venv"
        "$venv/bin/python" -m pip --disable-pip-version-check -q install "numpy==$numpy" -r requirements/test.txt
        touch "$venv/.made"
    fi
    "$venv/bin/python" -m pip --disable-pip-version-check -q install --force-reinstall --no-deps "$wheel"
    echo "wheel on CPython $version with numpy $numpy"
    bin=$(cd "$venv/bin" && pwd)
    outside=$(mktemp -d)
    (cd "$outside" && SKELKIN_INSTALLED=1 SKELKIN_DATA="${SKELKIN_DATA:-$tree/../shared/data}" "$bin/python" -m pytest -q \
        -c "$tree/pyproject.toml" --rootdir "$tree" -p no:cacheprovider "$tree/tests/python" \
        --junitxml="$junit/wheel-$version.xml")
    rm -rf "$outside"
done
if [ "$missing" = 1 ] && [ "${SKELKIN_STRICT:-0}" = 1 ]; then
    exit 1
fi
