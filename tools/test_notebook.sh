#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_notebook.sh PYTHON VENVS JUNIT PICTURES
# Notebooks in a JupyterLab of its own and in a real Chromium, with this tree; pictures of what was seen go to PICTURES.
# What cannot run is said in one line, and is a failure where SKELKIN_STRICT=1.
set -eu
venv=$2/jupyter
pictures=$(mkdir -p "$4" && cd "$4" && pwd)
pins=$(cat requirements/jupyter.txt requirements/browser.txt requirements/view.txt requirements/test.txt)
if [ "$pins" != "$(cat "$venv/.pins" 2>/dev/null)" ]; then
    echo "JupyterLab: about 130 MB to download, 580 MB unpacked, into $venv"
    tools/make_venv.sh "$1" "$venv" -r requirements/jupyter.txt || {
        echo "not run: notebooks (no JupyterLab to be had here)"
        exit "${SKELKIN_STRICT:-0}"
    }
    echo "$pins" >"$venv/.pins"
fi
SKELKIN_PICTURES=$pictures "$venv/bin/python" -m pytest -q tests/notebook --junitxml="$3/notebook.xml"
