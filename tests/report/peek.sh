#!/bin/sh
# peek.sh SUPPROF FIXTURES
#
# Compares what --peek says of all functions with what peek.pl adds up from the call
# stacks of the same logs.
set -u
supprof=$1
tests=$(cd "$(dirname "$0")" && pwd)
cd "$2" || exit 1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
for log in small-float.log.gz weirdprefix-float.log.gz recorded-midgame.log.gz \
    recorded-coroutines.log.gz recorded-spikes.log.gz recursion.log deep-recursion.log \
    tail-calls.log negative-self.log two-runs.log; do
    "$supprof" -q -f csv --by stack --call-sites --columns calls,self "$log" >"$directory/stacks"
    "$supprof" -q --unit ns --peek . "$log" >"$directory/peeked"
    perl "$tests/peek.pl" "$directory/stacks" "$directory/peeked" >"$directory/differences" ||
        failed=$((failed + 1))
    echo "$log: $(tail -n 1 "$directory/differences")"
    sed '$d' "$directory/differences" | head -n 20
done
[ "$failed" -eq 0 ]
