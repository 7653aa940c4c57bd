#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: bare_run.sh FOLDER COMMAND...
# Runs COMMAND in FOLDER, where that is missing a fresh clone of HEAD, as on a machine of which nothing is known: with a new
# home, the system's own path and no variable of the caller's but those below, so that none of them hides what fails elsewhere.
set -eu
folder=$1
shift
[ -e "$folder" ] || git clone -q "$(dirname "$0")/.." "$folder"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
kept=(HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin)
# How packages are reached here, where the clips are, and where what one run has compiled is found by the next.
for name in $(compgen -e); do
    case $name in
    CI | SKELKIN_DATA | CC | CCACHE_DIR | CCACHE_NOHASHDIR | CCACHE_SLOPPINESS | PIP_* | http_proxy | https_proxy | ftp_proxy | all_proxy | no_proxy | HTTP_PROXY | HTTPS_PROXY | \
        FTP_PROXY | ALL_PROXY | NO_PROXY | SSL_CERT_FILE | SSL_CERT_DIR | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE)
        kept+=("$name=${!name}")
        ;;
    esac
done
# pip would look for it in the home that is no longer there.
for file in "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    if [ -z "${PIP_CONFIG_FILE:-}" ] && [ -f "$file" ]; then
        kept+=(PIP_CONFIG_FILE="$file")
        break
    fi
done
cd "$folder"
[ -z "${CCACHE_DIR:-}" ] || kept+=(CCACHE_BASEDIR="$PWD")
env -i "${kept[@]}" "$@"
