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
# The wheel links to these; a machine without them would learn it only after the download.
for pair in X11.so.6=libx11-6 Xrender.so.1=libxrender1 Xfixes.so.3=libxfixes3 Xi.so.6=libxi6 xkbcommon.so.0=libxkbcommon0 \
    SM.so.6=libsm6 ICE.so.6=libice6 GL.so.1=libgl1; do
    "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "lib${pair%=*}" 2>/dev/null || missing="${missing:-} ${pair#*=}"
done
if [ -n "${missing:-}" ]; then
    echo "needs system libraries: sudo apt install$missing" >&2
    exit 1
fi
echo "bpy $version: about 400 MB to download, 1 GB unpacked, into $folder"
"$(dirname "$0")/make_venv.sh" "$python" "$folder" --only-binary=:all: -r "$pins"
"$folder/bin/python" -c 'import bpy, numpy; print("bpy", bpy.app.version_string, "numpy", numpy.__version__)'
cp "$pins" "$folder/.pins"
