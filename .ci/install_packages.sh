#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: install_packages.sh [PACKAGE...]
# Installs the packages of .ci/packages.txt, and others; as root, or by sudo.
set -eu
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q -o Acquire::Retries=5 >/dev/null
$sudo apt-get install -y -q -o Acquire::Retries=5 --no-install-recommends "$@" \
    $(grep -v '^#' "$(dirname "$0")/packages.txt") >/dev/null
