#!/bin/sh
# recorded.sh SUPPROF SOURCE_DIRECTORY
#
# The recordings in fixtures/, most made on the game's VM, against what the host counted then:
# as events.pl reads them, and as supprof rebuilds them.
set -u
supprof=$1
tests=$2/tests/recorder
cd "$2/fixtures" || exit 1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
count=0
for log in recorded-*.log.gz; do
    count=$((count + 1))
    gzip -dc "$log" >"$directory/log"
    gzip -dc "${log%.log.gz}.truth.gz" >"$directory/truth"
    "$supprof" -q --overhead off --paths full -o "$directory/functions.csv" "$directory/log" &&
        "$supprof" -q --overhead off --paths full --by stack --call-sites \
            -o "$directory/stacks.csv" "$directory/log" || failed=$((failed + 1))
    perl "$tests/supprof-counts.pl" "$directory/functions.csv" "$directory/stacks.csv" \
        >"$directory/rebuilt"
    perl "$tests/events.pl" "$directory/log" >"$directory/counts" &&
        perl "$tests/compare-counts.pl" "$directory/truth" "$directory/counts" &&
        perl "$tests/compare-counts.pl" "$directory/truth" "$directory/rebuilt" ||
        failed=$((failed + 1))
done
echo "$count recordings, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
