#!/bin/sh
# How fast supprof rebuilds call stacks from a recording.
#
#     tests/bench/events.sh SUPPROF MEASURE LOG [MEGABYTES]
#
# SUPPROF is built for release, MEASURE is measure.c beside this script, LOG a log with one
# recording of profiler.lua, the longer the better. It is repeated to MEGABYTES (1000) of runs.
# In the same rounds, where uftrace is installed: `uftrace report` on a trace of calls.c with
# a tenth of the events, as a peer. Medians of 5 rounds; files are in the page cache.
set -eu
LC_ALL=C
export LC_ALL
supprof=$1
measure=$2
log=$3
megabytes=${4:-1000}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rounds=5

case $log in
*.gz) gzip -dc "$log" ;;
*) cat "$log" ;;
esac | grep 'prof: ' >"$dir/one"
events=$(sed -n 's/.* end .*events=\([0-9]*\).*/\1/p' "$dir/one")
copies=$((megabytes * 1000000 / $(wc -c <"$dir/one") + 1))
copy=0
while [ $copy -lt $copies ]; do
    cat "$dir/one"
    copy=$((copy + 1))
done >"$dir/log"
bytes=$(wc -c <"$dir/log")
events=$((events * copies))

# take NAME COMMAND...: appends "seconds peak_kb" to NAME.
take() {
    name=$1
    shift
    "$measure" "$@" >"$dir/stdout" 2>"$dir/stderr"
    tail -n 1 "$dir/stderr" >>"$dir/$name"
}

median() {
    sort -n "$dir/$1" | awk '{ seconds[NR] = $1 } END { print seconds[int((NR + 1) / 2)] }'
}

peak() {
    awk '$2 > peak { peak = $2 } END { printf "%d", peak / 1000 }' "$dir/$1"
}

calls=$((events / 20))
has_uftrace=$(command -v uftrace || true)
if [ -n "$has_uftrace" ]; then
    ${CC:-cc} -O1 -pg -fno-inline -o "$dir/calls" "$here/calls.c"
    uftrace record --no-libcall -d "$dir/trace" "$dir/calls" "$calls" >/dev/null
fi
round=0
while [ $round -lt $rounds ]; do
    take grep grep -c 'prof: ' "$dir/log"
    take top "$supprof" --top 20 "$dir/log"
    take folded "$supprof" -f folded "$dir/log"
    [ -z "$has_uftrace" ] || take uftrace uftrace report -d "$dir/trace"
    round=$((round + 1))
done
echo "$copies runs, $events events, $((bytes / 1000000)) MB"
for name in top folded; do
    awk -v name="supprof -f $name" -v seconds="$(median $name)" -v events="$events" -v bytes="$bytes" \
        -v peak="$(peak $name)" -v grep="$(median grep)" 'BEGIN {
        printf "%-20s %7.3f s  %6.1f million events/s  %6.0f MB/s  %4d MB peak  %5.1f times grep -c\n", name,
            seconds, events / seconds / 1e6, bytes / seconds / 1e6, peak, seconds / grep }'
done
if [ -n "$has_uftrace" ]; then
    awk -v seconds="$(median uftrace)" -v events=$((2 * calls)) -v ours="$(median top)" -v all="$events" \
        'BEGIN { printf "%-20s %7.3f s  %6.1f million events/s (%d events): supprof is %.1f times as fast\n",
            "uftrace report", seconds, events / seconds / 1e6, events, (all / ours) / (events / seconds) }'
else
    echo "uftrace is not installed: no peer to compare with"
fi
