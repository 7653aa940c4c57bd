# SPDX-License-Identifier: MIT
# Sourced by the others here, in the root of the tree.
set -eu

missing() { # missing WHAT PACKAGES: ends the target, where everything is required with a failure
    if [ "${SKELKIN_STRICT:-0}" = 1 ]; then
        echo "required here, and missing: $1 (needs $2)"
        exit 1
    fi
    echo "not run: $1 (needs $2)"
    exit 0
}

# How the compiler names itself, and its version: "x86_64-linux-gnu-gcc 12.2.0".
compiler_name() { echo "$(basename "$1") $("$@" -dumpfullversion 2>/dev/null || "$@" -dumpversion)"; }

record() { # record PLATFORM WHAT WORDS: for docs/platforms.md
    python3 tools/platform_page.py --record "$@"
}
