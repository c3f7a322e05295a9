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

# read_with_supprof function|stack LOG [OPTION...]
read_with_supprof() {
    rows_are=$1
    read_log=$2
    shift 2
    "$supprof" -q --overhead=off --paths=full -f csv --by="$rows_are" "$@" "$read_log" >"$work/supprof.csv" ||
        fail "supprof, exit status $?, of $read_log $*"
}

# A report is of one Lua state, so both have their own; together they have the rows of the table.
compare_states() {
    for state in sim ui; do
        read_with_supprof stack "$1" --state "$state"
        perl "$tests/rebuild.pl" --state "$state" --by stack "$1" >"$work/$state.tsv" ||
            fail "rebuild.pl, $1 of $state"
        compare "$work/$state.tsv" "$work/supprof.csv" "supprof against rebuild.pl, $1 of $state"
        mv "$work/supprof.csv" "$work/$state.csv"
    done
    cat "$work/sim.tsv" "$work/ui.tsv" >"$work/both.tsv"
    compare "${1%.log}.tsv" "$work/both.tsv" "rebuild.pl, $1"
    { cat "$work/sim.csv" && sed 1d "$work/ui.csv"; } >"$work/both.csv"
    compare "${1%.log}.tsv" "$work/both.csv" "supprof, $1"
    # Without --state it is that of the first recording.
    read_with_supprof stack "$1"
    same "the first state of $1" "$(cat "$work/supprof.csv")" "$(cat "$work/sim.csv")"
    perl "$tests/rebuild.pl" --by stack "$1" >"$work/rebuilt.tsv"
    same "rebuild.pl, the first state of $1" "$(cat "$work/rebuilt.tsv")" "$(cat "$work/sim.tsv")"
}

for log in rebuild/*.log; do
    [ -f "$log" ] || continue
    cases=$((cases + 1))
    if [ "$log" = rebuild/sim-and-ui.log ]; then
        compare_states "$log"
        continue
    fi
    read_with_supprof stack "$log"
    compare "${log%.log}.tsv" "$work/supprof.csv" "supprof, $log"
    # It complains about the damaged ones.
    perl "$tests/rebuild.pl" --by stack "$log" >"$work/rebuilt.tsv" 2>/dev/null
    compare "${log%.log}.tsv" "$work/rebuilt.tsv" "rebuild.pl, $log"
done
for runs in rebuild/*.runs; do
    log=${runs%.runs}.log
    same "lines by rebuild.pl, $log" "$(perl "$tests/rebuild.pl" --by line "$log")" "$(cat "$runs")"
    same "lines by supprof, $log" "$("$supprof" -q --overhead=off -f json --list=. "$log" | python3 -c 'import json, sys
for function in sorted(json.load(sys.stdin)["functions"], key=lambda function: function["line"]):
    for line in function.get("lines", []):
        if line.get("self_ns") and line["line"]:
            print(function["source"] + ":" + str(function["line"]), line["line"], line.get("runs", 0), line["self_ns"], sep="\t")')" \
        "$(cat "$runs")"
    same "csv by line, $log" "$("$supprof" -q --overhead=off -f csv --by line "$log" | python3 -c 'import csv, sys
for row in sorted(csv.DictReader(sys.stdin), key=lambda row: (int(row["caller_line"]), int(row["line"]))):
    if int(row["line"]) > 0 and row["line_self_us"]:
        print(row["source"] + ":" + row["caller_line"], row["line"], row.get("runs", 0), row["line_self_us"].replace(".", ""), sep="\t")')" \
        "$(cat "$runs")"
done
for log in recorded-*.log.gz; do
    [ -f "$log" ] || continue
    recordings=$((recordings + 1))
    unpack "$log" >"$work/log"
    for by in function stack; do
        read_with_supprof $by "$work/log"
        perl "$tests/rebuild.pl" --by $by "$work/log" >"$work/rebuilt.tsv" 2>"$work/problems" ||
            fail "rebuild.pl, $log by $by"
        same "problems of rebuild.pl, $log by $by" "$(cat "$work/problems")" ''
        compare "$work/rebuilt.tsv" "$work/supprof.csv" "supprof, $log by $by"
    done
done
[ "$cases" -gt 0 ] && [ "$recordings" -gt 0 ] || fail "$cases cases, $recordings recordings"
finish tables
