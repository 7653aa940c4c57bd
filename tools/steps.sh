# SPDX-License-Identifier: MIT
# Sourced by .ci/run and tools/release_check.sh, in the root of the tree: steps that run side by side, what each cost, and
# one line of totals. Everything is required: what cannot run is a failure.
export SKELKIN_STRICT=1 CI=true LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1
# Most of what is installed is never imported. (0, since pip takes the variable for the switch's own value.)
export PIP_NO_COMPILE=0
export SKELKIN_DATA="${SKELKIN_DATA:-$(cd .. && pwd)/shared/data}"
notes=$(mktemp -d)
export notes
mkdir -p "$notes/taken" "$notes/ended" "$notes/logs"
trap 'rm -rf "$notes"' EXIT
rm -rf artefacts

# Environments by the dozen are made by uv, whose memory ends with this run. The bare run has pip alone.
mkdir "$notes/bin"
export PATH="$notes/bin:$PATH" UV_CACHE_DIR="$notes/uv"

system_packages() {
    .ci/install_packages.sh "$@" && { command -v uv >/dev/null || get_uv; }
}

get_uv() {
    python3 -m venv "$notes/ci" && "$notes/ci/bin/python" -m pip -q install -r requirements/ci.txt &&
        ln -s "$notes/ci/bin/uv" "$notes/bin/uv"
}
export -f system_packages get_uv

# The limits end what hangs: they are several times what a step takes on two cores with nothing beside them.
run_step() { # run_step NAME LIMIT COMMAND
    local start=$SECONDS end cost TIMEFORMAT='%U %S'
    echo "=== $1: begins"
    { time timeout --kill-after=30 "$2" bash -c "$3" >"$notes/logs/$1" 2>&1; } 2>"$notes/logs/$1.times"
    end=$?
    cost=$(tail -n 1 "$notes/logs/$1.times" | awk '{printf "%.0f", $1 + $2}')
    (
        flock 9
        echo "=== $1"
        cat "$notes/logs/$1"
        if [ "$end" = 0 ]; then
            echo "=== $1: ok, $((SECONDS - start)) s, $cost s of processor time"
        else
            echo "=== $1: FAILED (exit $end), $((SECONDS - start)) s, $cost s of processor time"
            echo "$1" >>"$notes/failed"
        fi
    ) 9>"$notes/lock"
    echo "$cost $1" >>"$notes/costs"
    touch "$notes/ended/$1"
}

# Two rows, one for each core, take each the next step whose need has ended.
names=() needs=() limits=() commands=()
step() { # step NAME LIMIT NEED COMMAND
    names+=("$1") limits+=("$2") needs+=("$3") commands+=("$4")
}
row() {
    local k left
    while :; do
        left=0
        for k in "${!names[@]}"; do
            [ -e "$notes/taken/$k" ] && continue
            left=1
            [ -z "${needs[k]}" ] || [ -e "$notes/ended/${needs[k]}" ] || continue
            mkdir "$notes/taken/$k" 2>/dev/null || continue # the other row was quicker
            run_step "${names[k]}" "${limits[k]}" "${commands[k]}"
            continue 2
        done
        [ "$left" = 1 ] || return 0
        sleep 1
    done
}

run_all() { # runs the steps, prints what each cost and the totals; fails where anything failed or was skipped
    row &
    row & # a row in this shell would be charged with all of the other when that ends
    wait
    echo "=== processor time, in seconds"
    sort -rn "$notes/costs"
    awk '{sum += $1} END {print sum, "in sum"}' "$notes/costs"
    python3 tools/junit_total.py artefacts/junit || echo "totals" >>"$notes/failed"
    echo "seconds: $SECONDS"
    [ ! -s "$notes/failed" ] || sed 's/^/failed: /' "$notes/failed"
    [ ! -s "$notes/failed" ]
}
