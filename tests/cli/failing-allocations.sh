#!/bin/sh
# failing-allocations.sh SUPPROF_WITH_FAIL_ALLOC FIXTURES [STEP]
#
# Fails each allocation in turn, or each STEPth: the program must say so, exit with status 1 and
# leave no file, until it gets through.
. "$(dirname "$0")/../lib.sh"
supprof=$1
log=$2/chunk-source.log
outputs=
for suffix in csv folded svg html json md speedscope.json pb.gz callgrind; do
    outputs="$outputs -o $work/out.$suffix"
done
echo old >"$work/out.csv"

number=0
while :; do
    number=$((number + ${3:-1}))
    status=0
    # shellcheck disable=SC2086 # a list of words
    FAIL_ALLOCATION=$number "$supprof" $outputs --top 5 --lua-root "$2/lua-root" "$log" "$2/lua-root.log" \
        >"$work/stdout" 2>"$work/stderr" || status=$?
    [ "$status" -eq 0 ] && break
    [ "$status" -eq 1 ] && grep -q 'out of memory' "$work/stderr" ||
        stop "allocation $number: exit status $status: $(cat "$work/stderr")"
    [ -z "$(find "$work" -name 'out.*.supprof-*')" ] || stop "allocation $number: a temporary file was left"
    [ "$number" -le 100000 ] || stop "does not get through"
    checked=$((checked + 1))
done
finish "allocations that failed in turn" 50
