#!/bin/sh
# SPDX-License-Identifier: MIT
# The core as MSVC would read it, by clang's idea of that, with mingw-w64's headers in the place of Microsoft's: no error, no
# warning, no extension of GNU's.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
headers=/usr/share/mingw-w64/include
command -v clang >/dev/null && [ -d $headers ] || missing "the core as MSVC reads it" "clang mingw-w64-common"
first=$(mktemp --suffix=.h)
trap 'rm -f "$first"' EXIT
# These headers take attributes away, also from the vectors of clang's own, and put some where MSVC's grammar has none.
cat >"$first" <<'C'
#include <_mingw.h>
#undef __attribute__
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
C
files=$(find csrc -name '*.c' ! -path '*/python/*' ! -name '*neon*' | sort)
for file in $files; do
    flags=
    case $file in
    *avx2*) flags="-mavx2 -mfma" ;;
    *avx512*) flags="-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma" ;;
    esac
    clang --target=x86_64-pc-windows-msvc -fsyntax-only -std=c11 -Wall -Wextra -Wvla -Wgnu -Werror -ffp-contract=off \
        -isystem $headers -include "$first" -Icsrc -Icsrc/include -Icsrc/kernels $flags "$file"
done
echo "the core as MSVC reads it: $(echo "$files" | wc -l) files"
record "Windows x86-64, MSVC" built "never compiled; the core is read without an error by clang $(clang -dumpversion) for MSVC"
