#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: arm_python.sh PYTHON VENVS TREE [PATHS...]    (as root; needs debootstrap and qemu-user-static)
# The wheel for 64-bit ARM, made by our setup.py with Debian's compiler for it and audited; and its quick Python tests in a
# Debian of that CPU, which is made in TREE and kept, where qemu runs every program. PATHS: tests of these alone, not recorded.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
audit=$2/release/bin/abi3audit tree=$3
shift 3
compiler=aarch64-linux-gnu-gcc version=3.11 # Debian 12's Python
binfmt=/proc/sys/fs/binfmt_misc interpreter=/usr/lib/binfmt.d/qemu-aarch64.conf
what="Python tests on Linux aarch64"
[ "$(id -u)" = 0 ] && command -v debootstrap $compiler >/dev/null && [ -e $interpreter ] ||
    missing "$what" "debootstrap gcc-aarch64-linux-gnu qemu-user-static, as root"
[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt || missing "$what" "a kernel with binfmt_misc"
registered=
[ -e $binfmt/qemu-aarch64 ] || { cat $interpreter >$binfmt/register && registered=1; }
built=$PWD/build/arm
rm -rf "$built" && mkdir -p "$built/source"
git ls-files -z --cached --others --exclude-standard |
    tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -xf - -C "$built/source"

for_arm() { # for_arm COMMAND ARGUMENTS...: pip with wheels for the CPU alone
    "$python" -m pip --disable-pip-version-check -q "$@" --only-binary=:all: --python-version $version \
        --platform linux_aarch64 --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 \
        --platform manylinux2014_aarch64
}
numpy=$("$python" -c 'import numpy; print("numpy==" + numpy.__version__)')
for_arm download --no-deps -d "$built" "$numpy"
unzip -q "$built"/numpy-*.whl 'numpy/_core/include/*' -d "$built"
cc="$(case ${CC:-} in ccache\ *) echo ccache ;; esac) $compiler -I$built/numpy/_core/include"
(cd "$built/source" && _PYTHON_HOST_PLATFORM=linux-aarch64 CC="$cc" LDSHARED="$compiler -shared" \
    "$python" -W ignore setup.py -q bdist_wheel -d "$built" >"$built/log" 2>&1) || { cat "$built/log" && exit 1; }
wheel=$(ls "$built"/skelkin_py-*-cp310-abi3-linux_aarch64.whl)
"$audit" --strict "$wheel" >"$built/log" 2>&1 || { cat "$built/log" && exit 1; }

[ -x "$tree/usr/bin/python3" ] ||
    debootstrap --arch=arm64 --variant=minbase --include=python3 bookworm "$tree" >/dev/null
install -d -m 1777 "$tree/dev/shm"
# Copies, so that nothing done in there reaches the tree.
packages=$tree/usr/local/lib/python$version/dist-packages
rm -rf "$packages" "$tree/srv/skelkin" && mkdir -p "$packages" "$tree/srv/shared"
mv "$built/source" "$tree/srv/skelkin"
rm -rf "$tree/srv/skelkin/build"
rm -rf "$tree/srv/shared/data" && cp -r "${SKELKIN_DATA:-../shared/data}" "$tree/srv/shared/data"
for_arm install --target "$packages" "$numpy" "$wheel" -r requirements/test.txt
for extra in view film ground; do # as far as there are wheels: tests of the others are skipped
    for_arm install --target "$packages" -r "requirements/$extra.txt" >/dev/null 2>&1 || echo "no wheels: $extra"
done
mountpoint -q "$tree/proc" || mount -t proc proc "$tree/proc"
trap 'umount "$tree/proc"; [ -z "$registered" ] || echo -1 >$binfmt/qemu-aarch64' EXIT
inside() {
    chroot "$tree" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 SKELKIN_INSTALLED=1 "$@"
}
paths=${*:-tests/python}
# numpy's own products of matrices raise flags in qemu that mean nothing.
inside sh -c "cd /tmp && python3 -m pytest -q -n $(nproc) -c /srv/skelkin/pyproject.toml --rootdir /srv/skelkin \
    -p no:cacheprovider -W 'ignore:divide by zero encountered in matmul' -W 'ignore:invalid value encountered in matmul' \
    -W 'ignore:overflow encountered in matmul' \
    -m 'not slow' $(printf '/srv/skelkin/%s ' $paths) --junitxml=/srv/junit.xml"
[ $# = 0 ] || exit 0
said=$(inside python3 -c 'import numpy, sys; print("%d.%d.%d," % sys.version_info[:3], "numpy", numpy.__version__)')
counts=$(python3 tools/junit_total.py "$tree/srv" | sed -n 's/^total: //p')
record "Linux aarch64" python "CPython $said in qemu-aarch64: $counts of the quick tests"
record "Linux aarch64" audited "abi3audit"
