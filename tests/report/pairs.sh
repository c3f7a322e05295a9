#!/bin/sh
# pairs.sh SUPPROF FIXTURES
#
# An output file and the messages about it depend on the options and the log alone, not on other
# outputs: each pair of formats, in both orders, must give the files and the messages that each
# format gives alone.
. "$(dirname "$0")/../lib.sh"
supprof=$1
cd "$2" || exit 1
all="top peek folded csv speedscope.json pb.gz pb callgrind svg cpuprofile html json md"
of_ticks="ticks ticks.csv"

# write DIRECTORY SUFFIX... : writes a file for each suffix into $work/DIRECTORY, and sorts
# what was said.
write() {
    into=$work/$1
    shift
    rm -rf "$into"
    mkdir "$into"
    outputs=
    for suffix in "$@"; do outputs="$outputs -o $into/x.$suffix"; done
    # Both are lists of words.
    # shellcheck disable=SC2086
    "$supprof" $arguments $outputs 2>"$work/said" ||
        fail "supprof $arguments -o x.$*: $(cat "$work/said")"
    sed "s|$into/||" "$work/said" | sort -u >"$into/said"
}

check_pair() {
    checked=$((checked + 1))
    write pair "$1" "$2"
    for suffix in "$1" "$2"; do
        cmp -s "$work/alone.$suffix/x.$suffix" "$work/pair/x.$suffix" ||
            fail "supprof $arguments: x.$suffix is another with -o x.$1 -o x.$2"
    done
    sort -u "$work/alone.$1/said" "$work/alone.$2/said" |
        diff - "$work/pair/said" ||
        fail "supprof $arguments -o x.$1 -o x.$2 says something else than each alone"
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
check "$all $of_ticks trace.json"
arguments="recorded-errors.log.gz"
check "html trace.json"
arguments="--by stack recursion.log"
check "top csv"
arguments="--diff compared-old.log compared-new.log"
check "top csv folded svg html json md"
arguments="--diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz"
check "top csv $of_ticks"
finish pairs 201
