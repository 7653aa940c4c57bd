#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bare_container.sh FOLDER [COMMAND...]      (as root; needs debootstrap)
# Proves the README on a bare Debian 12: makes the tree in FOLDER where it is missing, with exactly the README's packages,
# clones HEAD into it and runs `make demo` and `make test` (or COMMAND) there with an empty home.
set -eu
tree=$1
shift
if [ ! -x "$tree/usr/bin/git" ]; then
    debootstrap --variant=minbase --include=ca-certificates,git,make,gcc,python3-dev,python3-venv bookworm "$tree"
fi
cp /etc/resolv.conf "$tree/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
rm -rf "$tree/home/new"
mkdir -p "$tree/home/new"
git clone -q . "$tree/home/new/skelkin"
for folder in proc dev; do
    mountpoint -q "$tree/$folder" || mount --bind "/$folder" "$tree/$folder"
done
trap 'umount "$tree/proc" "$tree/dev"' EXIT
[ $# -gt 0 ] || set -- sh -c 'make demo && make test'
chroot "$tree" /usr/bin/env -i HOME=/home/new PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    sh -c 'cd /home/new/skelkin && exec "$@"' sh "$@"
