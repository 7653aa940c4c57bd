#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts the files of dist/release up as the release of the tag that HEAD has, on the project's own site (needs `gh` and its token).
set -eu
cd "$(dirname "$0")/../.."
tag=v$(python3 -c 'import sys; sys.path.insert(0, "tools/release"); import project; print(project.version())')
cd dist/release
exec gh release create "$tag" --verify-tag --title "skelkin ${tag#v}" --notes-file NOTES.md packages/* blender/* ./*.zip SHA256SUMS
