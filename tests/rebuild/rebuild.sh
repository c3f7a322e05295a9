#!/bin/sh
# rebuild.sh SUPPROF SOURCE_DIRECTORY
#
# The call stacks that supprof rebuilds, against those in fixtures/rebuild/, which were computed by
# hand, and for longer recordings against those of rebuild.pl, another reader.
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$2/tests/rebuild
cd "$2/fixtures" || exit 1
cases=0
recordings=0

# compare WANTED FOUND NAME
compare() {
    checked=$((checked + 1))
    perl "$tests/compare-rebuilt.pl" "$1" "$2" >"$work/differences" 2>&1 && return
    fail "$3"
    sed 's/^/    /' "$work/differences"
}

# read_with_supprof function|stack LOG
read_with_supprof() {
    "$supprof" -q --overhead=off --paths=full -f csv --by="$1" "$2" >"$work/supprof.csv" ||
        fail "supprof, exit status $?, of $2"
}

for log in rebuild/*.log; do
    [ -f "$log" ] || continue
    cases=$((cases + 1))
    read_with_supprof stack "$log"
    compare "${log%.log}.tsv" "$work/supprof.csv" "supprof, $log"
    # It complains about the damaged ones.
    perl "$tests/rebuild.pl" --by stack "$log" >"$work/rebuilt.tsv" 2>/dev/null
    compare "${log%.log}.tsv" "$work/rebuilt.tsv" "rebuild.pl, $log"
done
for log in recorded-*.log.gz; do
    [ -f "$log" ] || continue
    recordings=$((recordings + 1))
    unpack "$log" >"$work/log"
    for by in function stack; do
        read_with_supprof $by "$work/log"
        perl "$tests/rebuild.pl" --by $by "$work/log" >"$work/rebuilt.tsv" ||
            fail "rebuild.pl, $log by $by"
        compare "$work/rebuilt.tsv" "$work/supprof.csv" "supprof, $log by $by"
    done
done
[ "$cases" -gt 0 ] && [ "$recordings" -gt 0 ] || fail "$cases cases, $recordings recordings"
finish tables
