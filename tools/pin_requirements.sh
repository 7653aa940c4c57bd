#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pin_requirements.sh UV
# Writes requirements/hashed: for each environment that workflows install, all packages with their hashes, on every system and
# Python at once, from the pins of requirements/.
set -eu
uv=$1
cd "$(dirname "$0")/../requirements"

pin() { # pin NAME OLDEST-PYTHON FILE...
    name=$1 python=$2
    shift 2
    # uv keeps to the versions of a file that is there: what nothing asks to change stays.
    "$uv" pip compile -q --universal --python-version "$python" --generate-hashes --no-header --no-annotate \
        -o "hashed/$name.txt" "$@"
    printf '# Made by `make pins` from: %s\n' "$*" | cat - "hashed/$name.txt" >hashed/new
    mv hashed/new "hashed/$name.txt"
}
mkdir -p hashed
pin develop 3.10 build.txt test.txt view.txt film.txt ground.txt
pin build 3.10 build.txt
pin test 3.10 build.txt test.txt
pin lint 3.11 lint.txt
pin docs 3.11 docs.txt
pin release 3.10 release.txt
pin wheels 3.11 wheels.txt
