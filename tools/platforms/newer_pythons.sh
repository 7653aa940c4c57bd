#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: newer_pythons.sh TREE WHEEL      (as root; needs debootstrap)
# The wheel on the Pythons of Debian sid, which is made in TREE and kept: the quick tests, with the newest numpy there is.
cd "$(dirname "$0")/../.."
. tools/platforms/common.sh
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || missing "newer Pythons" "debootstrap, as root"
tree=$(mkdir -p "$1" && cd "$1" && pwd)
wheel=$2
versions="3.14 3.15"
inside() { # inside COMMAND...: packages are reached as they are here
    chroot "$tree" /usr/bin/env -u PYTHONDONTWRITEBYTECODE -u PIP_FIND_LINKS PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 "$@"
}
if [ ! -e "$tree/.made" ]; then
    [ -x "$tree/usr/bin/apt-get" ] || debootstrap --variant=minbase --include=ca-certificates sid "$tree" >/dev/null
    cp /etc/resolv.conf "$tree/etc/"
    # Mirrors may be older than sid's lists allow.
    inside apt-get update -q -o Acquire::Check-Valid-Until=false >/dev/null
    inside apt-get install -y -q --no-install-recommends git $(for v in $versions; do echo "python$v-venv"; done) >/dev/null
    install -d -m 1777 "$tree/dev/shm"
    touch "$tree/.made"
fi
cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
# Copies, so that nothing done in there reaches the tree.
rm -rf "$tree/srv" && mkdir -p "$tree/srv/skelkin" "$tree/srv/shared"
git ls-files -z --cached --others --exclude-standard |
    tar --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -xf - -C "$tree/srv/skelkin"
cp -r "${SKELKIN_DATA:-../shared/data}" "$tree/srv/shared/data"
cp "$wheel" "$tree/srv/"
mountpoint -q "$tree/proc" || mount -t proc proc "$tree/proc"
trap 'umount "$tree/proc"' EXIT
for version in $versions; do
    venv=/root/wheel-$version python=/root/wheel-$version/bin/python
    inside "python$version" -m venv --clear $venv
    inside $python -m pip -q install --only-binary=numpy numpy "/srv/$(basename "$wheel")" -r /srv/skelkin/requirements/test.txt
    for extra in view film ground; do # as far as there are wheels: tests of the others are skipped
        inside $python -m pip -q install --only-binary=:all: -r "/srv/skelkin/requirements/$extra.txt" || echo "no wheels: $extra"
    done
    inside env -u SKELKIN_STRICT SKELKIN_INSTALLED=1 sh -c "cd /tmp && $python -m pytest -q -n $(nproc) -c /srv/skelkin/pyproject.toml \
        --rootdir /srv/skelkin -p no:cacheprovider -m 'not slow' /srv/skelkin/tests/python --junitxml=/srv/junit.xml"
    said=$(inside $python -c 'import numpy, sys; print("%d.%d.%d" % sys.version_info[:3], "numpy", numpy.__version__)')
    counts=$(python3 tools/junit_total.py "$tree/srv" | sed -n 's/^total: //p')
    record "CPython $version" built "the wheel for 3.10 and later"
    record "CPython $version" python "$said: $counts of the quick tests"
done
