#!/bin/sh
# work.sh WORK_TEXT SOURCE_DIRECTORY [FIRST LAST [LOG]...]
#
# What single calls did (work.h), by supprof and by rebuild.pl: in the recordings of fixtures/, in
# random programs of the seeds FIRST to LAST, and in other logs.
. "$(dirname "$0")/../lib.sh"
work_text=$1
tests=$2/tests/rebuild
cd "$2/fixtures" || exit 1
first=${3:-1}
last=${4:-12}
[ $# -gt 4 ] && shift 4 || set --
rows=0

# compare LOG NAME
compare() {
    checked=$((checked + 1))
    # work_text.c has the runs of both states apart.
    perl "$tests/rebuild.pl" --state all --by work "$1" 2>"$work/problems" | sort >"$work/wanted"
    "$work_text" "$1" | grep -v "^[0-9]*	function	" | sort >"$work/found"
    rows=$((rows + $(wc -l <"$work/found")))
    diff "$work/wanted" "$work/found" >"$work/differences" && return
    fail "$2"
    sed 5q "$work/differences"
}

for log in recorded-*.log.gz "$@"; do
    unpack "$log" >"$work/log"
    compare "$work/log" "$log"
done
seed=$first
while [ "$seed" -le "$last" ]; do
    perl "$tests/random-programs.pl" --print "$seed" >"$work/log"
    compare "$work/log" "seed $seed"
    seed=$((seed + 1))
done
[ "$rows" -gt 1000 ] || fail "only $rows rows"
finish "recordings with $rows rows"
