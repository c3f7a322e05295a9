#!/bin/sh
# fuzz.sh SIM_HOST SUPPROF SOURCE_DIRECTORY [FROM TO]
#
# Random programs (fuzz.lua) recorded: all calls, edges and, where the VM shows them, whole stacks
# against those that the host counts in the same run. Each program with C functions as the
# game may have them. Without FROM and TO: 36 programs, a third of each kind.
. "$(dirname "$0")/../lib.sh"
host=$1
supprof=$2
tests=$3/tests/recorder
from=${4:-1}
to=${5:-36}
kinds_each=$([ $# -gt 3 ] && echo 3 || echo 1)
cd "$work" || exit 1

sed 's/^    from = 60,/    from = false,/' "$3/profiler.lua" >profiler.lua

# On 5.1 a frame is there until it has made its tail call, and none from then on. So whole stacks are compared in
# the same programs without tail calls.
cp "$tests/fuzz.lua" tails.lua
sed 's/return \([A-Za-z][A-Za-z.]*[[(].*)\)\( end,\)*$/local result = \1 return result\2/' tails.lua >no-tails.lua
! grep 'return [^ ]*[[(].*)\( end,\)*$' no-tails.lua || exit 1
lua51=$("$host" --ticks 1 --command '1=LOG(_VERSION)' | grep -c 'info: Lua 5.1$')

# compare COUNTS: whether they equal the host's.
compare() {
    perl "$tests/compare-counts.pl" truth "$1" 1 >result || fail "seed $seed, $how, $program.lua, $1: $(cat result)"
}

check() {
    checked=$((checked + 1))
    stacks=--truth-stacks
    [ "$lua51" = 0 ] || [ "$program" = no-tails ] || stacks=
    # shellcheck disable=SC2086 # no option, or one
    "$host" --set SEED="$seed" --set DEPTH=$depth --set BUDGET=$budget --workload $program.lua --c-functions $how \
        --profiler profiler.lua --ticks 24 --log log --truth hooked --truth-out truth $stacks \
        --command '6=StartProfiler()' --command '20=StopProfiler()' || exit 1
    perl "$tests/events.pl" log >counts 2>summary || cat summary
    compare counts
    "$supprof" -q --overhead off --paths full -o functions.csv log &&
        "$supprof" -q --overhead off --paths full --by stack --call-sites --max-depth 0 -o stacks.csv log ||
        fail "seed $seed: supprof"
    perl "$tests/supprof-counts.pl" functions.csv stacks.csv >rebuilt
    compare rebuilt
}

seed=$from
while [ "$seed" -le "$to" ]; do
    case $((seed % 2)) in
    0) depth=9 budget=400 ;;
    *) depth=6 budget=150 ;;
    esac
    kind=0
    while [ $kind -lt "$kinds_each" ]; do
        case $(((seed + kind) % 3)) in
        0) how=game ;;
        1) how=plain ;;
        *) how=refused ;;
        esac
        program=tails
        [ "$lua51" = 0 ] || [ $(((seed / 2 + kind) % 2)) = 0 ] || program=no-tails
        check
        kind=$((kind + 1))
    done
    seed=$((seed + 1))
done
finish recordings
