#!/bin/sh
# timeline.sh SUPPROF SOURCE_DIRECTORY
#
# Time lines of all recordings in fixtures/, of windows of them, and of random programs,
# against supprof's own sums (timeline.py).
set -u
supprof=$1
tests=$2/tests/rebuild
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

# One that is too long is refused, or left out of what is more than a time line.
awk 'BEGIN {
    line = "info: prof: $2 s1 "
    print line "1 begin version=1 state=sim at=10 step=1e-06 unit=1e-06 tick=1 time=0.1 marks=yes"
    print line "2 thread 1 main\n" line "3 source 1 @a.lua\n" line "4 function 1 1 10 Run"
    print line "5 site 0 1,-2\n" line "6 site 1 1,11\n" line "7 events 1 10 0 #1A1"
    for (i = 0; i < 1001; i++) {
        printf "%s%d events 1 10 0 ", line, i + 8
        for (k = 0; k < 1000; k++)
            printf "B1.1"
        print ""
    }
}' >"$directory/long.log"
status=0
"$supprof" -o "$directory/long.trace.json" -o "$directory/long.csv" "$directory/long.log" \
    >"$directory/said" 2>&1 || status=$?
expected="supprof: the time line has 1,001,001 calls, more than the limit for viewers of 1,000,000;"
if [ "$status" -ne 2 ] || ! grep -qF "$expected choose a shorter window with --from and --to" "$directory/said" ||
    [ -f "$directory/long.trace.json" ] || [ -f "$directory/long.csv" ]; then
    echo "FAILED: a time line that is too long: status $status, $(cat "$directory/said")"
    failed=$((failed + 1))
fi
"$supprof" --from '#1' -o "$directory/long.speedscope.json" "$directory/long.log" >"$directory/said" 2>&1 &&
    grep -q 'written without a time line: ' "$directory/said" &&
    ! grep -q evented "$directory/long.speedscope.json" || {
    echo "FAILED: a time line that is too long for speedscope: $(cat "$directory/said")"
    failed=$((failed + 1))
}
echo "$count time lines, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 100 ]
