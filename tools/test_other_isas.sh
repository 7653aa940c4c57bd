#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_other_isas.sh arm|avx512
# The C tests for instruction sets that this machine may lack. arm: a cross compiler and qemu-user run the real
# instructions. avx512: the compiler's real flags must do; where the CPU lacks them, the same source runs on SIMDe.
set -eu
cd "$(dirname "$0")/.."

missing() { # missing WHAT PACKAGES
    if [ "${SKELKIN_STRICT:-0}" = 1 ]; then
        echo "required here, and missing: $1 (needs $2)"
        exit 1
    fi
    echo "not run: $1 (needs $2)"
    exit 0
}

case $1 in
arm)
    compiler=${ARM_CC:-aarch64-linux-gnu-gcc}
    emulator=${ARM_RUN:-qemu-aarch64}
    libraries=${ARM_LIBRARIES:-/usr/aarch64-linux-gnu}
    command -v "$compiler" >/dev/null && command -v "$emulator" >/dev/null ||
        missing "C tests on 64-bit ARM" "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
    # qemu-user 7.2 aborts when the child of a fork starts a thread, whatever the program.
    echo "not run: forks on 64-bit ARM (qemu-user cannot)"
    make -s -C tests/c test MACHINE=aarch64 CC="$compiler -DNO_FORKS=1" OUT=../../build/c-arm OPTIMISE=-O2 RUN="$emulator -L $libraries"
    ;;
avx512)
    case $(uname -m) in x86_64 | amd64) ;; *) missing "C tests on AVX-512" "an x86-64 machine" ;; esac
    if grep -qw avx512vl /proc/cpuinfo 2>/dev/null; then
        echo "AVX-512: this CPU has it, make test-c runs it"
        exit 0
    fi
    echo '#include <simde/x86/avx512.h>' | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null ||
        missing "C tests on emulated AVX-512" "libsimde-dev, or a CPU with AVX-512"
    # All but the AVX-512 kernels and what chooses them is what make test-c tests.
    make -s -C tests/c objects
    make -s -C tests/c test EMULATED=1 SHARED=../../build/c/plain OUT=../../build/c-emulated OPTIMISE=-O1
    ;;
*)
    echo "usage: test_other_isas.sh arm|avx512" >&2
    exit 2
    ;;
esac
