#!/bin/sh
# peek.sh SUPPROF FIXTURES
#
# Compares what --peek says of all functions with what peek.pl adds up from the call
# stacks of the same logs.
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$(cd "$(dirname "$0")" && pwd)
cd "$2" || exit 1
for log in small-float.log.gz weirdprefix-float.log.gz recorded-midgame.log.gz \
    recorded-coroutines.log.gz recorded-errors.log.gz recorded-spikes.log.gz recursion.log deep-recursion.log \
    tail-calls.log negative-self.log two-runs.log; do
    "$supprof" -q -f csv --by stack --call-sites --columns calls,self,errors "$log" >"$work/stacks"
    "$supprof" -q --unit ns --peek . "$log" >"$work/peeked"
    checked=$((checked + 1))
    perl "$tests/peek.pl" "$work/stacks" "$work/peeked" >"$work/differences" || fail "$log"
    echo "$log: $(tail -n 1 "$work/differences")"
    sed '$d' "$work/differences" | head -n 20
done
finish logs
