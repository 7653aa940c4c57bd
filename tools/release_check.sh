#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything on everything, before a release and whenever what it covers has changed, on a clean clone: all Pythons and numpys,
# instruction sets and Blenders whole, other CPUs emulated, threads, long fuzzing, the window, the kept results. Like .ci/run,
# which is not repeated here.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/steps.sh
run_step "system packages" 1800 "system_packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user libsimde-dev xvfb xauth \
    gcc-i686-linux-gnu libc6-dev-i386-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
    gcc-s390x-linux-gnu libc6-dev-s390x-cross musl-tools llvm unzip debootstrap"
step "make build wheel addon" 1800 "" "make build wheel addon"
step "make test-blender" 7200 "make build wheel addon" "make test-blender WHOLE=1"
step "make test-wheel" 7200 "make build wheel addon" "make test-wheel WHOLE=1"
step "make test-isa" 7200 "make build wheel addon" "make test-isa WHOLE=1"
step "make test-tsan" 2400 "" "make test-tsan"
step "make test-asan" 2400 "" "make test-asan WHOLE=1"
step "make fuzz" 2400 "" "make fuzz FUZZ_SECONDS=300"
step "make sweep" 1200 "make build wheel addon" "make sweep SEED=1"
for cpu in arm i686 armhf s390x musl; do step "make test-$cpu" 2400 "" "make test-$cpu"; done
step "make test-newer-pythons" 3600 "make build wheel addon" "make test-newer-pythons"
step "make test-reproducible" 1800 "make build wheel addon" "make test-reproducible"
step "make try-wheel" 1800 "make build wheel addon" "make try-wheel"
step "make try-addon" 1800 "make build wheel addon" "make try-addon"
step "make build-macos" 1800 "make build wheel addon" "make build-macos"
step "make check-msvc" 600 "" "make check-msvc"
step "make test-avx512" 1200 "" "make test-avx512"
step "make test-windows" 3600 "make build wheel addon" "make test-windows WHOLE=1"
step "make test-gui" 1200 "make test-blender" "make test-gui" # it makes the zips again that the other reads
step "kept results" 60 "" "make kept-results"
run_all
