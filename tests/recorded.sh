#!/bin/sh
# recorded.sh SOURCE_DIRECTORY
#
# The recordings in fixtures/, most of them made on the game's VM, against what the host counted then.
set -u
tests=$1/tests
cd "$1/fixtures" || exit 1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
count=0
for log in recorded-*.log.gz; do
    count=$((count + 1))
    gzip -dc "$log" >"$directory/log"
    gzip -dc "${log%.log.gz}.truth.gz" >"$directory/truth"
    perl "$tests/events.pl" "$directory/log" >"$directory/counts" &&
        perl "$tests/compare-counts.pl" "$directory/truth" "$directory/counts" ||
        failed=$((failed + 1))
done
echo "$count recordings, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
