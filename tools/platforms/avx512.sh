#!/bin/sh
# SPDX-License-Identifier: MIT
# The C tests on AVX-512, which this machine may lack: the compiler's real flags must do; where the CPU lacks them, the same
# source runs on SIMDe.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
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
