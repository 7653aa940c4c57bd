#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: build_wheel.sh VENV
# Builds the sdist, the wheel from that sdist, checks both and leaves them in dist/. The same commit gives the same bytes.
set -eu
umask 022
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
bin=$(cd "$1/bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# From a copy of what git knows: what else lies in the tree, builds of others above all, would be looked through too.
mkdir "$work/source"
git ls-files -z --cached --others --exclude-standard |
    tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -xf - -C "$work/source"
# With no sources named, `build` makes the wheel from the sdist it has just made.
"$bin/python" -m build --no-isolation --outdir "$work/built" "$work/source" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
wheel=$(ls "$work"/built/*.whl)
case $wheel in
*-cp310-abi3-linux_*)
    PATH="$bin:$PATH" "$bin/auditwheel" repair -w "$work/repaired" "$wheel" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    wheel=$(ls "$work"/repaired/*.whl)
    "$bin/abi3audit" --strict "$wheel" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    ;;
esac
"$bin/python" tools/release/same_bytes.py "$work"/built/*.tar.gz
mkdir -p dist
rm -f dist/skelkin_py-*.whl dist/skelkin_py-*.tar.gz
cp "$wheel" "$work"/built/*.tar.gz dist/
echo "dist/$(basename "$wheel")"
