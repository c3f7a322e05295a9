#!/bin/sh
# filters.sh SUPPROF LOG [ROUNDS]
#
# What a filter, a fold or a comparison costs: the time of the whole program with it, as
# a ratio to the plain report in the same round. Prints the median of all rounds.
. "$(dirname "$0")/../lib.sh"
set -e
supprof=$1
log=$2
rounds=${3:-21}

# Appends to FILE the milliseconds that five runs of supprof with the other arguments take.
run() {
    file=$1
    shift
    perl -MTime::HiRes=time -e '
        my $start = time;
        system(@ARGV) for 1 .. 5;
        printf "%.3f\n", 1000 * (time - $start)' "$supprof" -q "$@" "$log" >"$work/one" 2>/dev/null
    tail -n 1 "$work/one" >>"$file"
}

for _ in $(seq "$rounds"); do
    run "$work/plain" -o "$work/out.csv"
    i=0
    while read -r option; do
        i=$((i + 1))
        # shellcheck disable=SC2086 # the options are words
        run "$work/with-$i" -o "$work/out.csv" $option
    done <"${0%.sh}.txt"
done

i=0
printf '%8s  %s\n' ratio 'with (median; 1.00 is the plain report)'
while read -r option; do
    i=$((i + 1))
    paste "$work/with-$i" "$work/plain" | awk '{ print $1 / $2 }' | sort -n |
        awk -v option="$option" '{ all[NR] = $1 } END { printf "%8.2f  %s\n", all[int((NR + 1) / 2)], option }'
done <"${0%.sh}.txt"
