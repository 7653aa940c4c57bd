#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: check_objects.sh FOLDER
# What is compiled for one instruction set stays there: an object of x86 other than kernels_avx*.o has no instruction
# that is AVX's, those of AVX2 have none of AVX-512's, and no object of kernels shares a symbol but its table, so that
# the linker cannot take the function of one set for that of another; but what compilers for 32 bits put into each.
set -eu
folder=$1
for object in "$folder"/*.o; do
    [ -f "$object" ] || exit 1
    name=$(basename "$object" .o)
    case $name in
    kernels_*)
        shared=$(nm --defined-only --extern-only "$object" | awk '$3 !~ /^__x86\.get_pc_thunk/ {print $3}')
        [ "$shared" = "skl_$name" ] || {
            echo "$name.o shares: $shared" >&2
            exit 1
        }
        ;;
    esac
    case $name in
    kernels_avx512) forbidden='no such instruction' ;;
    kernels_avx2) forbidden='%zmm|%k[0-7]' ;;
    *) forbidden='%[yz]mm|%k[0-7]|[[:space:]]v[a-z0-9]+ ' ;;
    esac
    if objdump -d --no-show-raw-insn "$object" | grep -E -m1 "$forbidden"; then
        echo "$name.o has an instruction of a higher instruction set" >&2
        exit 1
    fi
done
echo "$folder: instructions stay where they belong"
