#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: lint_c.sh PYTHON   or   lint_c.sh --files
# Every C file with the warnings of gcc and clang as errors, then cppcheck; each public header must compile on its own.
# --files: which files that are, and no more.
set -eu
core=$(find csrc -name '*.c' ! -path '*/python/*' | sort)
bindings=$(find csrc/python -name '*.c' | sort)
public=$(find csrc/include -name '*.h' | sort)
if [ "$1" = --files ]; then
    printf '%s\n' $core $bindings $public
    exit
fi
python=$1
python_headers=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
numpy_headers=$("$python" -c 'import numpy; print(numpy.get_include())')
warnings="-std=c11 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror -ffp-contract=off -Icsrc -Icsrc/include -Icsrc/kernels"
for cc in gcc clang; do
    command -v "$cc" >/dev/null || { echo "lint needs $cc" >&2; exit 1; }
    for file in $core; do
        flags=
        case $file in
        *avx2*) flags="-mavx2 -mfma" ;;
        *avx512*) flags="-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma" ;;
        *neon*)
            # Only compilers for ARM read it: make test-arm builds it with the same warnings.
            continue
            ;;
        esac
        $cc $warnings $flags "$file"
    done
    for file in $bindings; do
        # The headers of Python and numpy are not ours to mend: -isystem keeps their warnings out. numpy's come first, since
        # Debian puts an older numpy beside Python's own headers.
        $cc $warnings -DPy_LIMITED_API=0x030A0000 '-DSKELKIN_VERSION="lint"' '-DSKELKIN_SOURCE_HASH="lint"' \
            -isystem "$numpy_headers" -isystem "$python_headers" "$file"
    done
    for file in $public; do
        echo "#include \"${file#csrc/include/}\"" | $cc $warnings -x c -
    done
done
command -v cppcheck >/dev/null || { echo "lint needs cppcheck" >&2; exit 1; }
# The ctu checks take numbers of the wide types, which macros define, for arrays and pointers, and buffers to be filled
# for numbers; in the gathers the check
# for conditions does not see that a loop up to 4 ends at 4.
check() {
    cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
        --suppress=missingIncludeSystem --suppress=toomanyconfigs --suppress=ctuArrayIndex --suppress=ctunullpointer \
        --suppress=ctuPointerArith --suppress=ctuuninitvar \
        '--suppress=arrayIndexOutOfBoundsCond:csrc/kernels/simd/gather_*' \
        -Icsrc -Icsrc/include -Icsrc/kernels "$@"
}
check $(find csrc -mindepth 1 -maxdepth 1 -type d ! -name python ! -name include ! -name kernels)
# Each file of kernels is one configuration of the same sources, which are not to be taken apart again.
check --max-configs=1 csrc/kernels
