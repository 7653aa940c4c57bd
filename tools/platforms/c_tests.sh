#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: c_tests.sh i686|armhf|arm|s390x|musl
# The C tests of another CPU, or of another C library, by Debian's compilers for it; what this CPU cannot run, qemu does.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
name=$1
machine=$name forks="-DNO_FORKS=1" emulator='' static='' # qemu-user 7.2 aborts when the child of a fork starts a thread
case $name in
i686) triple=i686-linux-gnu packages=libc6-dev-i386-cross row="Linux i686" forks='' ;; # x86-64 runs it by itself
armhf) triple=arm-linux-gnueabihf packages=libc6-dev-armhf-cross row="Linux armhf" machine=armv7l emulator=qemu-arm ;;
arm) triple=aarch64-linux-gnu packages=libc6-dev-arm64-cross row="Linux aarch64" machine=aarch64 emulator=qemu-aarch64 ;;
s390x) triple=s390x-linux-gnu packages=libc6-dev-s390x-cross row="Linux s390x" emulator=qemu-s390x ;;
musl) triple=x86_64-linux-musl packages=musl-tools row="Linux x86-64, musl" machine=x86_64 forks='' static=-static ;;
*) echo "usage: c_tests.sh i686|armhf|arm|s390x|musl" >&2 && exit 2 ;;
esac
root=/usr/$triple compiler=$triple-gcc
case $name in
i686) run="$root/lib/ld-linux.so.2 --library-path $root/lib" ;;
musl) run='' ;;
*) packages="$packages qemu-user" run="$emulator -L $root" ;;
esac
[ "$name" = musl ] || packages="gcc-$triple $packages"
command -v "$compiler" >/dev/null && command -v ${emulator:-true} >/dev/null || missing "C tests on $row" "$packages"
case $name in i686 | musl) [ "$(uname -m)" = x86_64 ] || missing "C tests on $row" "an x86-64 machine" ;; esac
ccache=$(case ${CC:-} in ccache\ *) echo ccache ;; esac)
[ -z "$forks" ] || echo "not run: forks on $row (qemu-user cannot)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
make -s -C tests/c test MACHINE="$machine" CC="$ccache $compiler $static $forks" OPTIMISE=-O2 OUT="../../build/c-$name" \
    RUN="$run" >"$log" 2>&1 || { cat "$log" && exit 1; }
cat "$log"
programs=$(find "build/c-$name/plain" -type f \( -name 'test_*' -o -name 'wide_*' \) ! -name '*.o' | wc -l)
record "$row" built "$(compiler_name "$compiler")"
record "$row" c "$programs programs${emulator:+ in $($emulator --version | sed -n 's/^\(qemu-[a-z0-9]*\) version \([0-9.]*\).*/\1 \2/p')}"
