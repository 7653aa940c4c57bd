#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a CPython of the version asked for (find_cpython.sh 3.11) that really runs and has venv; nothing where there is none.
# Looks at PYTHON311 (or PYTHON313, ...), then at pyenv, then at PATH. Interpreters are never downloaded.
version=$1
variable=PYTHON$(echo "$version" | tr -d .)
works() {
    test -n "$1" && "$1" - "$version" 2>/dev/null <<'PY'
import ensurepip, platform, sys, venv
same = "%d.%d" % sys.version_info[:2] == sys.argv[1] and platform.python_implementation() == "CPython"
sys.exit(0 if same else 1)
PY
}
eval "chosen=\${$variable:-}"
if test -n "$chosen"; then
    works "$chosen" && echo "$chosen" && exit 0
    echo "$variable is set to $chosen, which is not a working CPython $version" >&2
    exit 1
fi
if command -v pyenv >/dev/null 2>&1; then
    newest=$(pyenv versions --bare 2>/dev/null | grep -E "^$version\.[0-9]+$" | sort -t. -k3 -n | tail -n 1)
    for candidate in ${newest:+"$(pyenv prefix "$newest" 2>/dev/null)/bin/python$version"}; do
        works "$candidate" && echo "$candidate" && exit 0
    done
fi
found=$(command -v "python$version" 2>/dev/null) && works "$found" && echo "$found"
exit 0
