#!/bin/sh
# timeline.sh SUPPROF SOURCE_DIRECTORY
#
# Time lines of all recordings in fixtures/, of windows of them, and of random programs,
# against supprof's own sums (timeline.py).
set -u
supprof=$1
tests=$2/tests
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$2/fixtures" || exit 1
command -v python3 >/dev/null || {
    echo "SKIPPED: python3 is not installed"
    exit 77
}
failed=0
count=0

check() {
    count=$((count + 1))
    python3 "$tests/timeline.py" "$supprof" "$@" >"$directory/said" 2>&1 || {
        cat "$directory/said"
        failed=$((failed + 1))
    }
}

for log in rebuild/*.log recorded-*.log.gz; do
    # That one has several units.
    [ "$log" = rebuild/two-runs.log ] || check "$log"
done
for name in an-hour-later coroutines midgame; do
    log=recorded-$name.log.gz
    check "$log" --from '#34' --to '#36'
    check "$log" --from '#41' --thread main
    check "$log" --thread coroutine
done
seed=1
while [ $seed -le 12 ]; do
    perl "$tests/random-programs.pl" --print $seed >"$directory/$seed.log" || failed=$((failed + 1))
    check "$directory/$seed.log"
    check "$directory/$seed.log" --from '#3'
    seed=$((seed + 1))
done
echo "$count time lines, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 100 ]
