#!/bin/sh
# timeline.sh SUPPROF SOURCE_DIRECTORY
#
# Time lines of all recordings in fixtures/, of windows of them, and of random programs,
# against supprof's own sums (timeline.py).
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$2/tests/rebuild
cd "$2/fixtures" || exit 1
command -v python3 >/dev/null || {
    skip "python3 is not installed"
    exit 77
}

check() {
    checked=$((checked + 1))
    echo "$*" >>"$work/list"
}

for log in rebuild/*.log recorded-*.log.gz; do
    # That one has several units.
    [ "$log" = rebuild/two-runs.log ] || [ "$log" = rebuild/whole-ticks.log ] || check "$log"
done
# Ticks from the middle of each.
for window in an-hour-later:34 coroutines:24 midgame:44; do
    log=recorded-${window%:*}.log.gz
    first=${window#*:}
    check "$log" --from "#$first" --to "#$((first + 2))"
    check "$log" --from "#$((first + 7))" --thread main
    check "$log" --thread coroutine
done
seed=1
while [ $seed -le 12 ]; do
    perl "$tests/random-programs.pl" --print $seed >"$work/$seed.log" || fail "random program $seed"
    check "$work/$seed.log"
    # Some have no such tick.
    ! "$supprof" -q -f ticks-csv "$work/$seed.log" | grep -q '^[0-9]*,3,' || check "$work/$seed.log" --from '#3'
    seed=$((seed + 1))
done
python3 "$tests/timeline.py" "$supprof" <"$work/list" >"$work/stdout" 2>&1 &&
    grep -qx "$checked time lines" "$work/stdout" || fail "$(grep -v ' slices, ' "$work/stdout")"

# One that is too long is refused, alone and beside other outputs, or left out of what is more than a time line.
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
}' >"$work/long.log"
# refused STATUS START OUTPUT...: whether the message begins so, and no time line is written.
refused() {
    wanted=$1
    expected="supprof: $2the time line has 1,001,001 calls, more than 1,000,000, the limit for viewers;"
    shift 2
    status=0
    "$supprof" "$@" "$work/long.log" >"$work/said" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] && [ ! -e "$work/long.trace.json" ] &&
        grep -qF "$expected choose a shorter window with --from and --to" "$work/said" ||
        fail "a time line that is too long: status $status, $(cat "$work/said")"
}
refused 2 "" -o "$work/long.trace.json"
refused 1 "'$work/long.trace.json' is not written: " -o "$work/long.csv" -o "$work/long.trace.json" -o "$work/long.json"
[ "$(wc -l <"$work/long.csv")" -eq 2 ] && [ -s "$work/long.json" ] || fail "nothing is written beside a time line that is too long"
"$supprof" --from '#1' -o "$work/long.speedscope.json" "$work/long.log" >"$work/said" 2>&1 &&
    grep -q 'written without a time line: ' "$work/said" &&
    ! grep -q evented "$work/long.speedscope.json" ||
    fail "a time line that is too long for speedscope: $(cat "$work/said")"
finish "time lines" 110
