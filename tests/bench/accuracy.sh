#!/bin/sh
# accuracy.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# How exact the times of a recording are. For each function of accuracy.lua: the true time of a
# call, the time that supprof says, with and without the cost of recording, and the errors. First
# with a precise clock (it starts at 0), then after 10 minutes, where its step is 61 us. All figures
# are us a call, medians of 5 rounds; an error is against the truth of the same round.
#
#   true         a loop of many calls, timed while nothing is recorded: includes its turn
#   raw          total_us / calls with --overhead=off
#   compensated  the same with --overhead=auto
#   calls        how many calls are recorded for one: itself and those that it makes
#   per call     the error of `compensated` for each of these, in ns
#   its loop     compensated self time of the loop that makes the calls. In an exact profile it is
#                the time of one turn, which is a part of `true`
#
# total_us / calls rather than mean_us: total_us is a sum of self times, which are what all
# reports show; mean_us leaves out calls that did not return.
#
# The goal is an error of 5 % for calls of 10 us and more, and of 0.1 us for others. A row that misses it
# is marked.
. "$(dirname "$0")/../lib.sh"
set -e
LC_ALL=C
export LC_ALL
host=$1
supprof=$2
source=$3
rounds=${ROUNDS:-5}
# The recording has 60 s of game time, as in the game; the truth is timed before and after it.
from=300 to=900 end=1200

cp "$source/tests/bench/accuracy.lua" "$work"
cd "$work"
sed 's/^    from = 60,/    from = false,/' "$source/profiler.lua" >profiler.lua

# calls_and_times OVERHEAD: a line "<source> <line> <function> <self> <total> <calls>" for each
# function, in us a call, and its calls.
calls_and_times() {
    "$supprof" -q -f csv --paths full "--overhead=$1" game.log |
        awk -F, 'NR > 1 && $4 > 0 { print $2, $3, $1, $6 / $4, $7 / $4, $4 }'
}

# recorded_calls: a line "<case> <calls>" for each case: those that its loop leads to.
recorded_calls() {
    "$supprof" -q -f csv --by stack game.log |
        sed -n 's|^[^,]*;loop loop/\([^:]*\):1;[^,]*,\([0-9]*\),.*|\1 \2|p' |
        awk '{ calls[$1] += $2 } END { for (name in calls) print name, calls[name] }'
}

# Appends to "figures" a line for each case:
# "<number> <name> <calls> <true> <raw> <compensated> <loop>".
record() {
    "$host" --workload accuracy.lua --own-time --with-precise-clock --without GetTimeForProfile \
        --clock-start "$1" --ticks $end --log game.log --profiler profiler.lua \
        --command "$from=StartProfiler()" --command "$to=StopProfiler()" \
        --command "$end=AccuracyReport()"
    calls_and_times off >raw
    calls_and_times auto >compensated
    recorded_calls >calls
    sed -n 's/.*: accuracy //p' game.log | awk '
        FILENAME == "calls" { calls[$1] = $2; next }
        FILENAME == "raw" { raw[$1 == "[C]" ? $3 : $1 ":" $2] = $5; next }
        FILENAME == "compensated" {
            key = $1 == "[C]" ? $3 : $1 ":" $2
            total[key] = $5
            count[key] = $6
            if ($1 ~ "^loop/")
                loop[substr($1, 6)] = $4
            next
        }
        {
            key = $2 == "[C]" ? $1 : $2 ":" $3
            if (!(key in total)) {
                print "no calls of " $1 " in the recording" >"/dev/stderr"
                exit 1
            }
            print FNR, $1, calls[$1] / count[key], $6 / $5 * 1e6, raw[key], total[key], loop[$1] / $4
        }' calls raw compensated - >>figures
}

print_table() {
    sort -n figures | awk '
        function median(values, count,    i, j, value) {
            for (i = 2; i <= count; i++) {
                value = values[i]
                for (j = i - 1; j > 0 && values[j] > value; j--)
                    values[j + 1] = values[j]
                values[j + 1] = value
            }
            return values[int((count + 1) / 2)]
        }
        function print_case(    took, error) {
            took = median(true_us, count)
            error = median(errors, count)
            is_missed = took >= 10 ? error > took * 0.05 || -error > took * 0.05 : error > 0.1 || -error > 0.1
            missed += is_missed
            cases++
            printf "  %-13s %6.1f %8.3f  %8.3f %+8.3f %+7.1f%%  %8.3f %+7.3f %+6.1f%% %s %+6.0f  %7.3f\n", name,
                calls, took, median(raw, count), median(raw_errors, count), median(raw_errors, count) / took * 100,
                median(compensated, count), error, error / took * 100, is_missed ? "!" : " ", error / calls * 1000,
                median(loops, count)
        }
        BEGIN {
            printf "  %-13s %6s %8s  %8s %8s %8s  %8s %7s %7s   %6s  %7s\n", "us a call", "calls", "true", "raw",
                "error", "", "compens.", "error", "", "p. call", "loop"
        }
        $1 != number {
            if (number != "")
                print_case()
            number = $1
            name = $2
            count = 0
        }
        {
            count++
            calls = $3
            true_us[count] = $4
            raw[count] = $5
            raw_errors[count] = $5 - $4
            compensated[count] = $6
            errors[count] = $6 - $4
            loops[count] = $7
        }
        END {
            print_case()
            printf "  %d of %d cases miss the goal\n", missed, cases
        }'
}

for start in ${STARTS:-0 600}; do
    : >figures
    round=0
    while [ $round -lt "$rounds" ]; do
        record $start
        round=$((round + 1))
    done
    step=$(sed -n 's/.* begin .* step=\([^ ]*\).*/\1/p' game.log)
    echo "the clock starts at $start s: step $step s, $rounds rounds"
    print_table
done
