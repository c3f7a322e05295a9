#!/bin/sh
# How fast supprof reads a large log, and how much memory it takes.
#
#     tests/bench/run.sh SUPPROF GENERATE_LOG MEASURE [MEGABYTES]
#
# The first three are programs: supprof itself, built for release, and the two of
# generate_log.c and measure.c beside this script. MEGABYTES is 1000 unless given.
#
# The log is made in a temporary directory below TMPDIR, which needs room for it
# and half as much again for reports, and goes away at the end. All its stacks are
# distinct, so it asks for as large a call tree as a log of its size can.
#
# Speed: `grep -c` for the mark of a record is how fast the file can be looked at
# at all. It takes turns with supprof, so that whatever else the machine does
# meets both, and the medians are compared. The file is in the page cache.
#
# Memory: the largest resident set of any round. The limit is 64 MB and 120 bytes
# for each distinct stack; "bytes a stack" is what is left over 8 MB, shared among
# the stacks. MB are 1e6 bytes.
#
# The figures are for reading: one over the limit is marked, and is no failure.
# Beyond POSIX, this wants mktemp -d.
set -eu

# A decimal point in every locale, and grep at its fastest.
LC_ALL=C
export LC_ALL

rounds=5

die() {
    printf 'run.sh: %s\n' "$1" >&2
    exit 1
}

# Two columns, the second right-aligned with its unit after it.
row() {
    printf '%-34s %10s %s\n' "$1" "$2" "$3"
}

# Evaluates an expression and prints it in a printf format.
calculate() {
    awk "BEGIN { printf \"$1\", $2 }"
}

# Runs a command and appends its "seconds peak_kb" to a file. Standard output is a
# file because GNU grep stops at the first match where it is /dev/null.
measure_into() {
    into=$1
    shift
    if ! "$measure" "$@" >"$dir/stdout" 2>"$dir/stderr"; then
        cat "$dir/stderr" >&2
        die "this failed: $*"
    fi
    tail -n 1 "$dir/stderr" >>"$into"
}

median_seconds() {
    sort -n "$1" | awk '{ seconds[NR] = $1 } END { print seconds[int((NR + 1) / 2)] }'
}

peak_bytes() {
    awk '$2 > peak { peak = $2 } END { printf "%.0f", peak * 1024 }' "$1"
}

# One report's memory, in three rows: the peak, its limit, and the share of a stack.
memory_rows() {
    bytes=$(peak_bytes "$2")
    mark=MB
    if [ "$bytes" -gt "$limit" ]; then
        mark='MB, ABOVE THE LIMIT'
    fi
    row "peak memory, $1" "$(calculate %.1f "$bytes / 1e6")" "$mark"
    row '  limit' "$(calculate %.1f "$limit / 1e6")" MB
    row '  over 8 MB' "$(calculate %.1f "($bytes - 8e6) / $stacks")" 'bytes a stack'
}

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo 'Usage: tests/bench/run.sh SUPPROF GENERATE_LOG MEASURE [MEGABYTES]' >&2
    exit 2
fi
supprof=$1
generate_log=$2
measure=$3
megabytes=${4:-1000}

dir=$(mktemp -d "${TMPDIR:-/tmp}/supprof-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
# A signal ends the script by way of exit, or the trap above would not run in every shell.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
log=$dir/bench.log

"$generate_log" "$megabytes" >"$log" 2>"$dir/generated" || {
    cat "$dir/generated" >&2
    die 'no log was made'
}
# "records R stacks S bytes B"
read -r _ records _ stacks _ size <"$dir/generated"
[ "$records" -gt 0 ] || die "a log of $megabytes MB has no records"

# Written back now, and not while something is measured.
sync
cat "$log" >/dev/null

# All of the log must count: a damaged record fails, and the line that -v prints to
# standard error has the records and call paths to compare with those below.
"$supprof" --strict --verbose --top 1 --progress=never "$log" >/dev/null ||
    die 'supprof does not read the log'

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    measure_into "$dir/grep" grep -c 'prof: ' "$log"
    measure_into "$dir/top" "$supprof" --top 20 --progress=never "$log"
done
measure_into "$dir/folded" "$supprof" --progress=never -o "$dir/x.folded" "$log"
measure_into "$dir/csv" "$supprof" --progress=never -o "$dir/x.csv" --by stack "$log"

grep_seconds=$(median_seconds "$dir/grep")
supprof_seconds=$(median_seconds "$dir/top")
limit=$((64 * 1000 * 1000 + 120 * stacks))

row 'log' "$(calculate %.1f "$size / 1e6")" MB
row '  records' "$records" ''
row '  distinct stacks' "$stacks" ''
row 'grep -c' "$(calculate %.0f "$size / 1e6 / $grep_seconds")" MB/s
row 'supprof --top 20' "$(calculate %.0f "$size / 1e6 / $supprof_seconds")" MB/s
row '  time, supprof / grep' "$(calculate %.2f "$supprof_seconds / $grep_seconds")" ''
memory_rows '--top 20' "$dir/top"
memory_rows '-o x.folded' "$dir/folded"
memory_rows '-o x.csv --by stack' "$dir/csv"
