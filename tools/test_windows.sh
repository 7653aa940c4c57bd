#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test_windows.sh PYTHON JUNIT [quick|whole]
# The package, the C core and the add-on on Windows, as wine shows it: made by tools/windows/home.py in $SKELKIN_WINDOWS
# (build/windows), which is kept. quick: what breaks most easily; whole: every file of Blender's tests, where else it is what hangs
# on the Blender itself. Fails on any failure and on anything skipped.
set -eu -o pipefail
cd "$(dirname "$0")/.."
python=$1
junit=$(mkdir -p "$2" && cd "$2" && pwd)
how=${3:-}
tree=$(pwd)
home=${SKELKIN_WINDOWS:-$tree/build/windows}
wine=/usr/lib/wine/wine64
# Not in the tree: its drive Z: is a link to the root, and whoever looks for sources in the tree would go along.
WINEPREFIX=$(mktemp -d)
export WINEPREFIX WINEDEBUG=-all DISPLAY='' SKELKIN_STRICT=1
trap 'rm -rf "$WINEPREFIX"' EXIT
export SKELKIN_DATA="${SKELKIN_DATA:-$tree/../shared/data}"
failed=

part() { # part NAME COMMAND...: runs it and says how long it took
    local name=$1 start=$SECONDS
    shift
    if "$@"; then echo "--- $name: ok, $((SECONDS - start)) s"; else
        echo "--- $name: FAILED, $((SECONDS - start)) s"
        failed=1
    fi
}

# Wine does not take files for standard streams.
windows() { PYTHONPYCACHEPREFIX='C:\pycache' "$wine" "$home/python/python.exe" "$@" </dev/null 2>&1 | cat; }

start_wine() { # its server in this shell, so that what it costs is counted, and nothing is left when all is done
    /usr/lib/wine/wineserver64 -f -p &
    server=$!
    trap 'kill $server; wait $server || true; rm -rf "$WINEPREFIX"' EXIT
    "$wine" "$home/python/python.exe" -c '' </dev/null >/dev/null 2>&1 # Windows' services, which stay, write there too
    windows -P -c 'import numpy, skelkin_py as sk; print("Windows as wine shows it:", sk.build_info())'
}

c_programs() {
    local objects kernels
    objects=$(dirname "$(find "$home"/source/build/temp* -name made_by)")
    kernels=$(find "$objects" -name 'kernels_[!s]*.o' -o -name kernels_sse2.o | sed 's/.*kernels_\(.*\)\.o/\1/' | tr '\n' ' ')
    # mingw-w64's isnan and its kin narrow what they are given: no -Wconversion.
    make -s -C tests/c test MACHINE=x86_64 KERNELS="$kernels" BUILT="$objects" OUT=../../build/c-windows RUN="$wine" \
        CC="x86_64-w64-mingw32-gcc -static" LDFLAGS="$objects/libsystem_maths.a" WARNINGS='-Wall -Wextra -Wshadow -Werror' \
        </dev/null 2>&1 | cat
}

python_tests() { # in a folder outside of the tree, so that only the installed package can be imported
    local outside code=0
    outside=$(mktemp -d)
    (cd "$outside" && SKELKIN_INSTALLED=1 windows -m pytest -q -n 2 -c "Z:$tree/pyproject.toml" --rootdir "Z:$tree" \
        -p no:cacheprovider -m "not slow and not posix" --junitxml="Z:$junit/windows.xml" "$@") || code=$?
    rm -rf "$outside"
    return "$code"
}

tests=Z:$tree/tests
part "Windows is made" "$python" tools/windows/home.py "$home" $([ "$how" != quick ] || echo quick)
start_wine
if [ "$how" = quick ]; then
    part "Python tests" python_tests "$tests/windows" "$tests/python/contracts/test_import.py" "$tests/python/contracts/test_golden.py" \
        "$tests/python/contracts/test_threads.py" "$tests/python/io" "$tests/python/motion/test_atomic_writes.py" \
        "$tests/python/transforms/test_contract.py"
    set -- test_install.py
else
    part "C programs" c_programs
    part "Python tests" python_tests "$tests/windows" "$tests/python"
    set --
    [ "$how" != whole ] || set -- $(cd tests/blender && ls test_*.py)
fi
audit=${VENVS:-.venvs}/release/bin/abi3audit # made with the wheel for Linux
[ "$how" = quick ] || [ ! -x "$audit" ] || part "audit" "$audit" --strict "$home"/dist/skelkin_py-*.whl
part "Blender" "$python" tests/blender/run.py --windows "$home" --junit "$junit" "${@/#/tests/blender/}"
[ -z "$failed" ] || exit 1
[ "$how" != quick ] || exit 0
record() { python3 tools/platform_page.py --record "Windows x86-64, in wine" "$@"; }
record built "mingw-w64 gcc $(x86_64-w64-mingw32-gcc -dumpversion)"
record c "but for what only POSIX has"
record python "quick tests, CPython 3.11"
[ ! -x "$audit" ] || record audited abi3audit
record blender "Windows' Blender 4.5${how:+, all tests}"
