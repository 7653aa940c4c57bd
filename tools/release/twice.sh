#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: twice.sh VENV
# Builds sdist, wheel and the add-on's zips twice, in clones of two names, and compares them byte by byte.
set -eu
venv=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/one"
git clone -q "$work/one" "$work/another"
for name in one another; do
    (cd "$work/$name" && tools/build_wheel.sh "$venv" >/dev/null &&
        "$venv/bin/python" tools/build_addon.py >/dev/null && cd dist && sha256sum skelkin*) >"$work/$name.sums"
done
cat "$work/one.sums"
diff "$work/one.sums" "$work/another.sums" || { echo "two builds differ"; exit 1; }
