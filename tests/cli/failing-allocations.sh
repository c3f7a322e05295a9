#!/bin/sh
# failing-allocations.sh SUPPROF_WITH_FAIL_ALLOC FIXTURES
#
# Fails each allocation in turn: the program must say so, exit with status 1 and
# leave no file, until it gets through.
set -eu
supprof=$1
log=$2/chunk-source.log
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
echo old >"$directory/out.csv"

number=0
while :; do
    number=$((number + 1))
    status=0
    FAIL_ALLOCATION=$number "$supprof" -o "$directory/out.csv" -o "$directory/out.folded" -o "$directory/out.svg" -o "$directory/out.html" -o "$directory/out.json" -o "$directory/out.md" \
        -o "$directory/out.speedscope.json" -o "$directory/out.pb.gz" -o "$directory/out.callgrind" --top 5 \
        --lua-root "$2/lua-root" "$log" "$2/lua-root.log" >"$directory/stdout" 2>"$directory/stderr" || status=$?
    [ "$status" -eq 0 ] && break
    if [ "$status" -ne 1 ] || ! grep -q 'out of memory' "$directory/stderr"; then
        echo "allocation $number: exit status $status"
        cat "$directory/stderr"
        exit 1
    fi
    if [ -n "$(find "$directory" -name 'out.*.??????')" ]; then
        echo "allocation $number: a temporary file was left"
        exit 1
    fi
    if [ "$number" -gt 100000 ]; then
        echo "does not get through"
        exit 1
    fi
done
if [ "$number" -lt 50 ]; then
    echo "only $number allocations: nothing was failed"
    exit 1
fi
echo "$((number - 1)) allocations failed in turn"
