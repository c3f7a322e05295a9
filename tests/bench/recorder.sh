#!/bin/sh
# recorder.sh SIM_HOST SOURCE_DIRECTORY [EXISTING_PROFILER]
#
# What profiler.lua costs in the game: the CPU time that it adds to ticks 20 to 120 of the sim host and
# the bytes that it writes, for each event, beside no hook and an empty hook, with errors off and on. With
# EXISTING_PROFILER, a copy of delins' profiler, that one, too (Lua 5.0 only: SIM_HOST must be that of the
# game's VM). The programs take turns, and the least of ROUNDS (9) rounds is printed, since whatever else the machine does only
# adds time. With errors delins' profiler has one round: it takes long.
. "$(dirname "$0")/../lib.sh"
set -e
host=$1
source=$2
existing=${3:-}
cd "$work"
sed 's/^    from = 60,/    from = false,/' "$source/profiler.lua" >profiler.lua
[ -z "$existing" ] || sed 's/^ForkThread(Schedule/-- &/' "$existing" >existing.lua
rounds=${ROUNDS:-9}

# seconds NAME OPTION...: appends the CPU seconds of all ticks to NAME.seconds.
seconds() {
    name=$1
    shift
    "$host" --workload "$source/tests/recorder/workload.lua" --ticks 130 --log "$name.log" --times "$@" \
        2>"$name.times"
    sed -n 's/^wall .* cpu \([0-9.]*\)$/\1/p' "$name.times" >>"$name.seconds"
}

least() {
    sort -n "$1.seconds" | head -n 1
}

for errors in 0 1; do
    rm -f ./*.seconds
    round=0
    while [ $round -lt "$rounds" ]; do
        seconds plain --set ERRORS=$errors --set KILLS=$errors
        seconds empty --set ERRORS=$errors --set KILLS=$errors --empty-hook 20,120
        seconds ours --set ERRORS=$errors --set KILLS=$errors --profiler profiler.lua \
            --command '20=StartProfiler()' --command '120=StopProfiler()'
        # With errors its stacks and its log grow without end.
        if [ -n "$existing" ] && { [ $errors = 0 ] && [ $round -lt 5 ] || [ $round = 0 ]; }; then
            seconds existing --set ERRORS=$errors --set KILLS=$errors --profiler existing.lua \
                --command '20=TurnOnProfiler()' --command '120=TurnOffProfiler()'
        fi
        round=$((round + 1))
    done
    events=$(sed -n 's/.* end .*events=\([0-9]*\).*/\1/p' ours.log)
    bytes=$(grep -c '' ours.log >/dev/null && grep 'prof: ' ours.log | wc -c)
    [ $errors = 0 ] && echo "without errors" || echo "with errors and killed threads"
    awk -v plain="$(least plain)" -v empty="$(least empty)" -v ours="$(least ours)" \
        -v existing="$([ -e existing.seconds ] && least existing || echo 0)" \
        -v events="$events" -v bytes="$bytes" 'BEGIN {
            printf "  %-22s %8.3f s\n", "no hook", plain
            printf "  %-22s %8.3f s  %6.2f us an event\n", "empty hook", empty, (empty - plain) / events * 1e6
            printf "  %-22s %8.3f s  %6.2f us an event, %.2f bytes of log (%d events)\n", "profiler.lua", ours,
                (ours - plain) / events * 1e6, bytes / events, events
            if (existing > 0)
                printf "  %-22s %8.3f s  %6.2f us an event: %.1f times what profiler.lua adds\n", "profiler of delins",
                    existing, (existing - plain) / events * 1e6, (existing - plain) / (ours - plain)
        }'
done
