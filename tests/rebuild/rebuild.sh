#!/bin/sh
# rebuild.sh SUPPROF SOURCE_DIRECTORY
#
# The call stacks that supprof rebuilds, against those in fixtures/rebuild/, which were computed by
# hand, and for longer recordings against those of rebuild.pl, another reader.
set -u
supprof=$1
tests=$2/tests/rebuild
cd "$2/fixtures" || exit 1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cases=0
recordings=0
failed=0

# compare WANTED FOUND NAME
compare() {
    perl "$tests/compare-rebuilt.pl" "$1" "$2" >"$directory/differences" 2>&1 && return
    echo "FAILED: $3"
    sed 's/^/    /' "$directory/differences"
    failed=$((failed + 1))
}

# read_with_supprof function|stack LOG
read_with_supprof() {
    "$supprof" -q --overhead=off --paths=full -f csv --by="$1" "$2" >"$directory/supprof.csv" ||
        echo "FAILED: supprof, exit status $?, of $2"
}

for log in rebuild/*.log; do
    [ -f "$log" ] || continue
    cases=$((cases + 1))
    read_with_supprof stack "$log"
    compare "${log%.log}.tsv" "$directory/supprof.csv" "supprof, $log"
    # It complains about the damaged ones.
    perl "$tests/rebuild.pl" --by stack "$log" >"$directory/rebuilt.tsv" 2>/dev/null
    compare "${log%.log}.tsv" "$directory/rebuilt.tsv" "rebuild.pl, $log"
done
for log in recorded-*.log.gz; do
    [ -f "$log" ] || continue
    recordings=$((recordings + 1))
    gzip -dc "$log" >"$directory/log"
    for by in function stack; do
        read_with_supprof $by "$directory/log"
        perl "$tests/rebuild.pl" --by $by "$directory/log" >"$directory/rebuilt.tsv" ||
            failed=$((failed + 1))
        compare "$directory/rebuilt.tsv" "$directory/supprof.csv" "supprof, $log by $by"
    done
done
echo "$cases cases, $recordings recordings, $failed failed"
[ "$failed" -eq 0 ] && [ "$cases" -gt 0 ] && [ "$recordings" -gt 0 ]
