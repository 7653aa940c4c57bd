#!/bin/sh
# SPDX-License-Identifier: MIT
# blender_venv.sh BLENDER_VERSION PYTHON FOLDER: makes FOLDER a venv of PYTHON with Blender as a module and pytest,
# as pinned in requirements/bpy-BLENDER_VERSION.txt. Does nothing where the folder has these pins already.
set -eu
version=$1
python=$2
folder=$3
pins=$(dirname "$0")/../requirements/bpy-$version.txt
if cmp -s "$pins" "$folder/.pins"; then exit 0; fi
echo "bpy $version: about 400 MB to download, 1 GB unpacked, into $folder"
"$python" -m venv --clear "$folder"
"$folder/bin/python" -m pip --disable-pip-version-check -q install --only-binary=:all: -r "$pins"
"$folder/bin/python" -c 'import bpy, numpy; print("bpy", bpy.app.version_string, "numpy", numpy.__version__)'
cp "$pins" "$folder/.pins"
