# shellcheck shell=sh
# host.sh - what the tests of profiler.lua in the sim host share: sourced with the arguments SIM_HOST SUPPROF
# SOURCE_DIRECTORY, which become $host, $supprof and $tests. It goes to a folder of its own.
. "$(dirname "$0")/../lib.sh"
host=$1
supprof=$2
tests=$3/tests/recorder
cd "$work" || exit 1
removed=

# The recorder without its schedule: the tests start and stop it by command.
sed 's/^    from = 60,/    from = false,/' "$3/profiler.lua" >profiler.lua
grep -q '^    from = false,' profiler.lua || fail "no setting 'from' in profiler.lua"

play() {
    "$host" --workload "$tests/workload.lua" "$@" || fail "sim_host $*"
}

record() {
    play --profiler profiler.lua "$@"
}

# compare NAME COUNTS FEWEST: whether counts equal the host's.
compare() {
    if perl "$tests/compare-counts.pl" "$1.truth" "$2" "$3" ${removed:+"$removed"} >"$1.result"; then
        echo "$1: $(tr '\n' ' ' <"$1.result")"
    else
        fail "$1: $2: $(cat "$1.result")"
    fi
}

# check_counts NAME [FEWEST]: what is recorded in NAME.log equals what the host counts, in
# NAME.truth, read by events.pl and rebuilt by supprof.
check_counts() {
    checked=$((checked + 1))
    perl "$tests/events.pl" "$1.log" >"$1.counts" 2>"$1.summary" || fail "$1: $(cat "$1.summary")"
    # A reader looks for the mark of a yield after its return.
    ! grep -q ' events [0-9]* [^ ]* [^ ]* !' "$1.log" || fail "$1: a line ends between a return and its mark"
    compare "$1" "$1.counts" "${2:-15}"
    "$supprof" -q --overhead off --paths full -o "$1.functions.csv" "$1.log" &&
        "$supprof" -q --overhead off --paths full --by stack --call-sites --max-depth 0 -o "$1.stacks.csv" \
            "$1.log" || fail "$1: supprof"
    perl "$tests/supprof-counts.pl" "$1.functions.csv" "$1.stacks.csv" "$1.truth" >"$1.rebuilt"
    compare "$1" "$1.rebuilt" "${2:-15}"
}

# exact NAME FROM TO [OPTION]...: compares a recording of the workload from one tick to another.
exact() {
    name=$1
    from=$2
    to=$3
    shift 3
    play --ticks $((to + 10)) --log "$name.truth.log" --truth "$from,$to" --truth-out "$name.truth" ${stacks:+"$stacks"} "$@"
    record --ticks $((to + 10)) --log "$name.log" --command "$from=StartProfiler()" \
        --command "$to=StopProfiler()" "$@"
    check_counts "$name"
}

# The user interface has no game tick, and another clock.
cat >user.lua <<'END'
GetSystemTimeSeconds, WaitFrames = GetSystemTimeSecondsOnlyForProfileUse, WaitTicks
rawset(_G, 'GetSystemTimeSecondsOnlyForProfileUse', nil)
rawset(_G, 'GetGameTick', nil)
END

# Whole stacks are compared on the game's VM, and on 5.1 where no function makes a tail call: there
# the VM shows the caller when the call is made, and none from then on.
lua51=$("$host" --ticks 1 --command '1=LOG(_VERSION)' | grep -c 'info: Lua 5.1$')
stacks=$([ "$lua51" = 1 ] || echo --truth-stacks)
