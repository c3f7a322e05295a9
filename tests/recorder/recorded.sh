#!/bin/sh
# recorded.sh SUPPROF SOURCE_DIRECTORY
#
# The recordings in fixtures/, most made on the game's VM, against what the host counted then, and those of real
# Lua in fixtures/game: as events.pl reads them, and as supprof rebuilds them.
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$2/tests/recorder
cd "$2/fixtures" || exit 1
for log in recorded-*.log.gz game/*.log.gz; do
    checked=$((checked + 1))
    unpack "$log" >"$work/log"
    unpack "${log%.log.gz}.truth.gz" >"$work/truth"
    "$supprof" -q --overhead off --paths full -o "$work/functions.csv" "$work/log" &&
        "$supprof" -q --overhead off --paths full --by stack --call-sites --max-depth 0 \
            -o "$work/stacks.csv" "$work/log" || fail "$log: supprof"
    perl "$tests/supprof-counts.pl" "$work/functions.csv" "$work/stacks.csv" \
        >"$work/rebuilt"
    perl "$tests/events.pl" "$work/log" >"$work/counts" &&
        perl "$tests/compare-counts.pl" "$work/truth" "$work/counts" &&
        perl "$tests/compare-counts.pl" "$work/truth" "$work/rebuilt" || fail "$log"
done
finish recordings
