#!/bin/sh
# pairs.sh SUPPROF FIXTURES
#
# An output file and the messages about it depend on the options and the log alone, not on other
# outputs: each pair of formats, in both orders, must give the files and the messages that each
# format gives alone.
set -u
supprof=$1
cd "$2" || exit 1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
all="top ticks peek folded csv ticks.csv speedscope.json pb.gz pb callgrind svg cpuprofile html json md"
failed=0
count=0

# write DIRECTORY SUFFIX... : writes a file for each suffix into $directory/DIRECTORY, and sorts
# what was said.
write() {
    into=$directory/$1
    shift
    rm -rf "$into"
    mkdir "$into"
    outputs=
    for suffix in "$@"; do outputs="$outputs -o $into/x.$suffix"; done
    # Both are lists of words.
    # shellcheck disable=SC2086
    "$supprof" $arguments $outputs 2>"$directory/said" || {
        echo "FAILED: supprof $arguments -o x.$*: $(cat "$directory/said")"
        failed=$((failed + 1))
    }
    sed "s|$into/||" "$directory/said" | sort -u >"$into/said"
}

check_pair() {
    count=$((count + 1))
    write pair "$1" "$2"
    for suffix in "$1" "$2"; do
        cmp -s "$directory/alone.$suffix/x.$suffix" "$directory/pair/x.$suffix" || {
            echo "FAILED: supprof $arguments: x.$suffix is another with -o x.$1 -o x.$2"
            failed=$((failed + 1))
        }
    done
    sort -u "$directory/alone.$1/said" "$directory/alone.$2/said" |
        diff - "$directory/pair/said" || {
        echo "FAILED: supprof $arguments -o x.$1 -o x.$2 says something else than each alone"
        failed=$((failed + 1))
    }
}

# check SUFFIXES: in all pairs, with $arguments.
check() {
    for suffix in $1; do write "alone.$suffix" "$suffix"; done
    for first in $1; do
        for second in $1; do
            [ "$first" = "$second" ] || check_pair "$first" "$second"
        done
    done
}

arguments="--peek . negative-self.log"
check "$all"
arguments="--metric calls negative-self.log"
check "folded speedscope.json pb.gz svg"
arguments="--peek . --from #20 --to #30 recorded-spikes.log.gz"
check "$all trace.json"
arguments="--by stack recursion.log"
check "top csv"
arguments="--diff compared-old.log compared-new.log"
check "top csv folded svg html json ticks ticks.csv md"
echo "$count pairs, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 200 ]
