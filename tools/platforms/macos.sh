#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: macos.sh PYTHON VENVS
# The wheels for macOS, made by our setup.py with zig's compiler and its list of what the system has: compiled, linked,
# audited, and what they import and export looked at. Nothing here can run them.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
venv=$(mkdir -p "$2" && cd "$2" && pwd)/zig
audit=$2/release/bin/abi3audit
command -v llvm-nm >/dev/null || missing "the wheels for macOS" llvm
if [ ! -e "$venv/.made" ] || [ requirements/zig.txt -nt "$venv/.made" ]; then
    tools/make_venv.sh "$python" "$venv" -r requirements/zig.txt
    touch "$venv/.made"
fi
numpy=$("$python" -c 'import numpy, sys; print("%d.%d" % sys.version_info[:2], "numpy==" + numpy.__version__)')
zig=$(echo "$venv"/lib/python3*/site-packages/ziglang)
built=$PWD/build/macos
rm -rf "$built/source" && mkdir -p "$built/source"
git ls-files -z --cached --others --exclude-standard |
    tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -xf - -C "$built/source"

one() { # one CPU MACHINE OLDEST
    lacks=
    target=$2-macos.$3.0 out=$built/$1
    rm -rf "$out" "$built/source/build"
    "$python" -m pip --disable-pip-version-check -q download --no-deps --platform "macosx_14_0_$1" --only-binary=:all: \
        --python-version $numpy -d "$out"
    unzip -q "$out"/numpy-*.whl 'numpy/_core/include/*' -d "$out"
    # What is not found while linking is Python's, or missing: the symbols tell.
    cc="$zig/zig cc -target $target -I$out/numpy/_core/include"
    (cd "$built/source" && _PYTHON_HOST_PLATFORM=macosx-$3.0-$1 MACOSX_DEPLOYMENT_TARGET=$3.0 CC="$cc" \
        LDSHARED="$cc -shared -undefined dynamic_lookup" "$python" -W ignore setup.py -q bdist_wheel -d "$out") >"$built/log" 2>&1 ||
        { cat "$built/log" && exit 1; }
    wheel=$(ls "$out"/skelkin_py-*-cp310-abi3-macosx_"$3"_0_"$1".whl)
    "$audit" --strict "$wheel" >"$built/log" 2>&1 || { cat "$built/log" && exit 1; }
    unzip -q -o "$wheel" 'skelkin_py/_core*' -d "$out"
    core=$(ls "$out"/skelkin_py/_core*.so)
    # zig's linker adds two of its own.
    exported=$(llvm-nm --defined-only --extern-only --format=just-symbols "$core" | grep -vE '^(___dso_handle|__mh_dylib_header)$')
    [ "$exported" = _PyInit__core ] || { echo "$1 exports: $exported" && exit 1; }
    for symbol in $(llvm-nm --undefined-only --format=just-symbols "$core"); do
        case $symbol in
        _Py* | __Py*) ;; # the audit knows them
        ___cpu_indicator_init | ___cpu_model) lacks=", but for what Apple's clang has of its own to know a CPU" ;;
        *) grep -qE "(^|[ ,'])$symbol([ ,']|$)" "$zig/lib/libc/darwin/libSystem.tbd" || { echo "$1 needs $symbol, which macOS has not" && exit 1; } ;;
        esac
    done
    libraries=$(llvm-objdump --macho --dylibs-used "$core" | sed -n 's/^\t\(.*\) (.*/\1/p' | grep -v _core || true)
    [ "$libraries" = /usr/lib/libSystem.B.dylib ] || { echo "$1 needs the libraries: $libraries" && exit 1; }
    echo "$(basename "$wheel"): built and linked$lacks; it needs libSystem alone and exports PyInit__core alone"
    record "macOS $(echo "$1" | tr _ -)" built "zig $("$zig/zig" version), linked$lacks; for macOS $3 on"
    record "macOS $(echo "$1" | tr _ -)" audited "abi3audit, symbols"
}
one arm64 aarch64 11
one x86_64 x86_64 11
