#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pin_requirements.sh UV
# Writes requirements/hashed: for each environment that workflows install, all packages with their hashes, on every system and
# Python at once, from the pins of requirements/.
set -eu
uv=$(realpath "$1")
cd "$(dirname "$0")/../../requirements"

# Blender as a module is for one Python alone; where it is Windows, pytest needs one package more.
pin_blender() { # pin_blender VERSION PYTHON
    "$uv" pip compile -q --python-version "$2" --python-platform windows --generate-hashes --no-header --no-annotate \
        -o "hashed/bpy-$1.txt" "bpy-$1.txt"
    said "bpy-$1" "bpy-$1.txt"
}

said() { # said NAME FILE...: in the first line
    name=$1
    shift
    printf '# Made by `make pins` from: %s\n' "$*" | cat - "hashed/$name.txt" >hashed/new
    mv hashed/new "hashed/$name.txt"
}

pin() { # pin NAME OLDEST-PYTHON FILE...
    name=$1 python=$2
    shift 2
    # uv keeps to the versions of a file that is there: what nothing asks to change stays.
    "$uv" pip compile -q --universal --python-version "$python" --generate-hashes --no-header --no-annotate \
        -o "hashed/$name.txt" "$@"
    said "$name" "$@"
}
mkdir -p hashed
pin develop 3.10 build.txt test.txt view.txt film.txt ground.txt
pin build 3.10 build.txt
pin lint 3.11 lint.txt
pin typecheck 3.10 typecheck.txt
pin docs 3.11 docs.txt
pin release 3.10 release.txt
pin wheels 3.11 wheels.txt
pin_blender 4.5 3.11
pin_blender 5.2 3.13
