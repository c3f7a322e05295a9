#!/bin/sh
# recorder.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# profiler.lua in the sim host: exact counts, and no harm to the game whatever it lacks.
# Runs with Lua 5.1 everywhere, and with the game's 5.0 where CMake was told of it.
set -u
host=$1
supprof=$2
tests=$3/tests/recorder
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory" || exit 1
failed=0
checked=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# The recorder without its schedule: the tests start and stop it by command.
sed 's/^    from = 60,/    from = false,/' "$3/profiler.lua" >profiler.lua
grep -q '^    from = false,' profiler.lua || fail "no setting 'from' in profiler.lua"

play() {
    "$host" --workload "$tests/workload.lua" "$@" || fail "sim_host $*"
}

record() {
    play --profiler profiler.lua "$@"
}

# compare NAME COUNTS: whether counts equal the host's.
compare() {
    if perl "$tests/compare-counts.pl" "$1.truth" "$2" >"$1.result"; then
        echo "$1: $(tr '\n' ' ' <"$1.result")"
    else
        fail "$1: $2: $(cat "$1.result")"
    fi
}

# exact NAME FROM TO [OPTION]...: what is recorded equals what the host counts, read by
# events.pl and rebuilt by supprof.
exact() {
    name=$1
    from=$2
    to=$3
    shift 3
    checked=$((checked + 1))
    play --ticks 130 --log "$name.truth.log" --truth "$from,$to" --truth-out "$name.truth" "$@"
    record --ticks 130 --log "$name.log" --command "$from=StartProfiler()" \
        --command "$to=StopProfiler()" "$@"
    perl "$tests/events.pl" "$name.log" >"$name.counts" 2>"$name.summary" ||
        fail "$name: $(cat "$name.summary")"
    compare "$name" "$name.counts"
    "$supprof" -q --overhead off --paths full -o "$name.functions.csv" "$name.log" &&
        "$supprof" -q --overhead off --paths full --by stack --call-sites -o "$name.stacks.csv" \
            "$name.log" || fail "$name: supprof"
    perl "$tests/supprof-counts.pl" "$name.functions.csv" "$name.stacks.csv" >"$name.rebuilt"
    compare "$name" "$name.rebuilt"
}

exact from-the-start 1 100
exact midgame 40 120
exact other-program 30 110 --set SEED=7 --set FILES=20 --set FUNCTIONS=14
exact no-errors 20 80 --set ERRORS=0 --set KILLS=0
exact coroutines 20 100 --set COROUTINES=1
exact an-hour-later 20 100 --clock-start 3600
exact precise-clock 20 100 --with-precise-clock
exact no-current-thread 20 100 --set KILLS=0 --set ERRORS=0 --without GetGameTick

# The step of a 32-bit clock between 2,048 and 4,096 s.
checked=$((checked + 1))
grep -q ' begin .* step=0.000244140625 unit=0.000244140625 ' an-hour-later.log ||
    fail "the clock's step: $(grep ' begin ' an-hour-later.log)"

# FAF's clock begins anew with each recording, so that it is fine in any hour.
checked=$((checked + 1))
record --ticks 30 --log precise-later.log --with-precise-clock --clock-start 3600 \
    --command '10=StartProfiler()' --command '20=StopProfiler()'
grep -q ' begin .* clock=GetTimeForProfile at=[01][.0-9]* step=[1-9][.0-9]*e-0[78] unit=9.53674316e-07 ' \
    precise-later.log || fail "the precise clock's step: $(grep ' begin ' precise-later.log)"

# A coarse clock has more calls to be calibrated with.
checked=$((checked + 1))
grep -q ' begin .* calibration=80 ' an-hour-later.log ||
    fail "the calibration of a coarse clock: $(grep ' begin ' an-hour-later.log)"

# The calibrating function is named, and makes the calls that it says and no others.
for name in midgame coroutines; do
    checked=$((checked + 1))
    id=$(sed -n 's/.* begin .* calibration=20 calibrator=\([0-9]*\) .*/\1/p' $name.log)
    line=$(sed -n "s/.* function $id [0-9]* \([0-9]*\) calibrate\$/\1/p" $name.log)
    awk -F '\t' -v caller="siminit.lua:$line\$" '
        $1 == "edge" && $2 ~ caller { edges++; if ($5 != 20 * 80) wrong++ }
        END { exit edges != 2 || wrong > 0 }' $name.counts ||
        fail "$name: the calibration, function $id at line $line"
done

# A turn of its loops takes some nanoseconds by itself; an interruption may hide how many.
checked=$((checked + 1))
turn='\([?]\|[1-9][.0-9]*e-0[789]\)'
known=0
for name in from-the-start midgame an-hour-later precise-clock; do
    grep -q " begin .* lua_call=$turn c_call=$turn\$" $name.log ||
        fail "$name: turns of the calibration: $(grep ' begin ' $name.log)"
    known=$((known + $(grep -c ' begin .* lua_call=[1-9].* c_call=[1-9]' $name.log)))
done
[ $known -gt 1 ] || fail "turns of the calibration are known in $known recordings only"

# Lines: printable, at most 4 KB of events each, and as few bytes an event as promised.
checked=$((checked + 1))
grep 'prof: ' midgame.log >lines
LC_ALL=C grep -qv '^[ -~]*$' lines && fail "lines are not printable"
longest=$(awk '/ events / { if (length($0) > max) max = length($0) } END { print max }' lines)
[ "$longest" -le 4096 ] || fail "a line of $longest bytes"
events=$(sed -n 's/.* end .*events=\([0-9]*\).*/\1/p' lines)
bytes=$(wc -c <lines)
[ $((bytes)) -le $((events * 3)) ] || fail "$bytes bytes for $events events"
echo "$events events, $bytes bytes"

# A log that is cut behind any line reads up to there.
count=$(wc -l <lines)
for cut in 1 2 10 100 500 $((count / 2)) $((count - 1)); do
    checked=$((checked + 1))
    head -n "$cut" lines >cut.log
    perl "$tests/events.pl" cut.log >/dev/null 2>cut.summary || fail "cut at $cut: $(cat cut.summary)"
done

# Start, stop, start again; starting twice and stopping twice do nothing.
checked=$((checked + 1))
record --ticks 60 --log twice.log --command '5=StopProfiler()' --command '10=StartProfiler()' \
    --command '12=StartProfiler()' --command '20=StopProfiler()' --command '30=StartProfiler()' \
    --command '40=StopProfiler()' --command '41=StopProfiler()'
perl "$tests/events.pl" twice.log >/dev/null 2>twice.summary || fail "twice: $(cat twice.summary)"
[ "$(grep -c ' begin ' twice.log)" = 2 ] && [ "$(grep -c ' end ' twice.log)" = 2 ] ||
    fail "two recordings: $(grep -cE ' begin | end ' twice.log)"

# Whatever the engine lacks, and whatever LOG does, nothing new fails in the game.
play --ticks 60 --log plain.log
errors=$(grep -c '^warning: ' plain.log)
for missing in LOG GetSystemTimeSecondsOnlyForProfileUse GetGameTick GetGameTimeSeconds CurrentThread \
    ForkThread WaitFor SuspendCurrentThread KillThread SimConExecute gcinfo; do
    checked=$((checked + 1))
    record --ticks 60 --log "without.log" --without $missing --command '10=StartProfiler()' \
        --command '40=StopProfiler()'
    [ "$(grep -c '^warning: ' without.log)" = "$errors" ] ||
        fail "without $missing: $(grep '^warning: ' without.log | sort | uniq -c | sort -rn | head -3)"
done

# Without threads nothing is calibrated.
checked=$((checked + 1))
record --ticks 20 --log no-threads.log --without ForkThread --command '10=StartProfiler()' \
    --command '15=StopProfiler()'
grep -q ' begin .* calibration=0 calibrator=? lua_call=? c_call=?$' no-threads.log ||
    fail "without threads: $(grep ' begin ' no-threads.log)"

# Clocks out of their minds: what the calibration takes is not known, and nothing new fails.
for now in 1000 -n n*n 0/0 1/0 'n == 9 and -1e30 or n' 'mod(n, 2)'; do
    checked=$((checked + 1))
    echo "local n, mod = 0, math.mod
        function GetSystemTimeSecondsOnlyForProfileUse() n = n + 1 return $now end" >clock.lua
    record --ticks 60 --log clock.log --workload clock.lua --command '10=StartProfiler()' \
        --command '40=StopProfiler()'
    grep -q ' begin .* lua_call=? c_call=?$' clock.log ||
        fail "clock $now: $(grep ' begin ' clock.log)"
    [ "$(grep -c '^warning: ' clock.log)" = "$errors" ] ||
        fail "clock $now: $(grep '^warning: ' clock.log | sort | uniq -c | sort -rn | head -3)"
done

# A clock that is finer than a unit: a sixteenth of one passes between two events.
checked=$((checked + 1))
echo 'local n = 0
    function GetSystemTimeSecondsOnlyForProfileUse() n = n + 1 return n / 16777216 end' >clock.lua
record --ticks 60 --log fine.log --workload clock.lua --command '10=StartProfiler()' \
    --command '40=StopProfiler()'
sixteenths=$(perl -ne 'next if !/ events \S+ \S+ \S+ (.*)/; $_ = $1; s/\(.*?\)|[@#^]\d+//g;
    $events += () = /[A-Z.,!]/g; $units += $_ for /\d+/g;
    END { printf "%.3f", $units * 16 / $events }' fine.log)
[ "$sixteenths" = 1.000 ] || fail "$sixteenths sixteenths of a unit between events, and not 1"

# Nor with a hook of somebody else, whose time it would be.
checked=$((checked + 1))
record --ticks 20 --log hooked.log --command '9=debug.sethook(function() end, "c")' \
    --command '10=StartProfiler()' --command '15=StopProfiler()'
grep -q ' begin .* calibration=20 .* lua_call=? c_call=?$' hooked.log ||
    fail "with another hook: $(grep ' begin ' hooked.log)"

checked=$((checked + 1))
record --ticks 60 --log raises.log --log-raises --command '10=StartProfiler()' \
    --command '40=StopProfiler()'
[ "$(grep -c '^warning: ' raises.log)" = "$errors" ] || fail "a LOG that raises errors"

# No globals but the commands.
checked=$((checked + 1))
list='local n = {} for k in pairs(_G) do table.insert(n, tostring(k)) end table.sort(n)
for i = 1, table.getn(n) do LOG("global "..n[i]) end'
play --ticks 3 --log before.log --command "2=$list"
record --ticks 3 --log after.log --command "2=$list"
new=$(diff before.log after.log | sed -n 's/^> info: global //p' | tr '\n' ' ')
[ "$new" = "StartProfiler StopProfiler " ] || fail "new globals: $new"

# Memory: the same after 100 and after 1,000 ticks of recording, functions and threads aside.
checked=$((checked + 1))
memory='collectgarbage() collectgarbage() LOG("memory "..string.format("%d", gcinfo()))'
play --ticks 1100 --log memory-plain.log --command "150=$memory" --command "1050=$memory" \
    --set KILLS=0 --set ERRORS=0 --set FILES=10
record --ticks 1300 --log memory.log --command '50=StartProfiler()' --command "150=$memory" \
    --command "1050=$memory" --command '1290=StopProfiler()' --set KILLS=0 --set ERRORS=0 \
    --set FILES=10
growth() {
    sed -n 's/^info: memory //p' "$1" | awk 'NR == 1 { first = $1 } END { print $1 - first }'
}
grown=$(($(growth memory.log) - $(growth memory-plain.log)))
echo "memory after 1,000 ticks: $grown KB more than after 100"
[ $grown -le 300 ] || fail "memory grew by $grown KB in 900 ticks"

# What the game drops while it is recorded is collected.
checked=$((checked + 1))
drop='Weak = {} setmetatable(Weak, {__mode = "k"}) local f = function() end f() Weak[f] = true'
look='collectgarbage() collectgarbage() LOG("kept "..tostring(next(Weak)))'
record --ticks 40 --log dropped.log --command '10=StartProfiler()' --command "15=$drop" \
    --command "25=$look" --command '30=StopProfiler()'
grep -q '^info: kept nil' dropped.log || fail "a closure is kept alive: $(grep '^info: kept' dropped.log)"

# Stacks that overflow under pcall, with functions that are met for the first time there: the
# recorder fails with them, and must go on as if nothing had been.
checked=$((checked + 1))
overflow='local function deep(n) if n > 150 then loadstring("local function inner"..n.."() end inner"..n.."()")() end return 1 + pcall(deep, n + 1) and 1 end
pcall(deep, 1) local function runaway(n) return 1 + runaway(n + 1) end pcall(runaway, 1)
LOG("over")'
# One function for each depth near the limit of calls; each is called from a shallow stack later.
text='Near = {} local text = "" for i = 4000, 4120 do text = text.."Near["..i.."] = function() end\n" end
loadstring(text)()'
near='local function deep(n) local f = rawget(Near, n) if f then f() end return 1 + deep(n + 1) end
for i = 1, 60 do pcall(deep, i) end'
later='for i = 4000, 4120 do Near[i]() end LOG("later")'
record --ticks 60 --log near.log --command "5=$text" --command '10=StartProfiler()' \
    --command "12=$near" --command "20=$later" --command "21=$later" --command '40=StopProfiler()'
perl "$tests/events.pl" near.log >/dev/null 2>near.summary || fail "$(cat near.summary)"
[ "$(grep -c '^info: later$' near.log)" = 2 ] ||
    fail "functions fail that were met near an overflow: $(grep '^warning: ' near.log | tail -1)"
record --ticks 60 --log overflow.log --command '10=StartProfiler()' --command "12=$overflow" \
    --command "13=$overflow" --command "20=$overflow" --command '40=StopProfiler()'
perl "$tests/events.pl" overflow.log >/dev/null 2>overflow.summary || fail "$(cat overflow.summary)"
[ "$(grep -c '^info: over$' overflow.log)" = 3 ] || fail "the overflow was not survived"
[ "$(grep -c '^warning: ' overflow.log)" = "$errors" ] ||
    fail "an overflow: $(grep '^warning: ' overflow.log | sort | uniq -c | sort -rn | head -3)"

# What the hook leaves behind is collected in the hook, and not in functions that allocate
# nothing, whose time it would be. A finalizer sees where it is called.
checked=$((checked + 1))
cat >collections.lua <<'END'
local getinfo, newproxy = debug.getinfo, newproxy
local inHook, elsewhere = 0, 0
local function watch()
    getmetatable(newproxy(true)).__gc = function()
        local level, info = 2, getinfo(2, 'S')
        while info and not string.find(info.source, 'siminit', 1, true) do
            level = level + 1
            info = getinfo(level, 'S')
        end
        if info then inHook = inHook + 1 else elsewhere = elsewhere + 1 end
        watch()
    end
end
local function nothing() end
local function work()
    for i = 1, 1000 do nothing() end
end
function Begin() watch() SimBeat = work end
function Say() LOG('collections '..inHook..' '..elsewhere) end
END
"$host" --workload collections.lua --profiler profiler.lua --ticks 60 --log collections.log \
    --command '5=StartProfiler()' --command '6=Begin()' --command '55=Say()' ||
    fail "sim_host collections"
sed -n 's/^info: collections //p' collections.log >collections
read -r in_hook elsewhere <collections
[ "$in_hook" -gt 9 ] && [ $((elsewhere * 20)) -le "$in_hook" ] ||
    fail "$in_hook collections in the hook, $elsewhere elsewhere"

# The optional things: memory, and no lines.
checked=$((checked + 2))
sed -i 's/^    memory = false,/    memory = true,/; s/^    lines = true,/    lines = false,/' profiler.lua
record --ticks 40 --log options.log --command '10=StartProfiler()' --command '30=StopProfiler()'
perl "$tests/events.pl" options.log >/dev/null 2>options.summary || fail "$(cat options.summary)"
grep -q ' events .*[.A-Za-z][0-9]*+[0-9]' options.log || fail "no memory in events"
grep -qE ' site [0-9]+ [0-9]+,[1-9]' options.log && fail "lines that were not wanted"

# Memory belongs to those who took it: not to the recorder, nor to what takes none.
checked=$((checked + 1))
cat >memory.lua <<'END'
local function takesNothing(a) return a end
local function takesTables() return {1, 2, 3, 4, 5, 6, 7, 8} end
ForkThread(function()
    while true do
        for i = 1, 2000 do takesNothing(i) takesTables() end
        WaitTicks(1)
    end
end)
END
"$host" --workload memory.lua --profiler profiler.lua --ticks 30 --log taken.log \
    --command '10=StartProfiler()' --command '25=StopProfiler()' || fail "sim_host with memory.lua"
"$supprof" -q --overhead off -f csv taken.log | awk -F, '/memory.lua,1,/ { none = $11 }
    /memory.lua,2,/ { tables = $11 } END { exit !(tables > 2000 && none < tables / 50) }' ||
    fail "memory: $("$supprof" -q -f csv taken.log | grep memory.lua)"

# More events than a 32-bit float counts in ones are counted right (events.pl checks the end).
checked=$((checked + 1))
[ "$(sed -n 's/.* end .*events=\([0-9]*\).*/\1/p' memory.log)" -gt 16777216 ] ||
    fail "too few events for a float to miss any"
perl "$tests/events.pl" memory.log >/dev/null 2>memory.summary || fail "$(cat memory.summary)"

# The schedule, and a benchmark of wall-clock time.
checked=$((checked + 1))
sed 's/^    from = 60,/    from = 2,/; s/^    duration = 60,/    duration = 3,/;
s/^    benchmarks = {},/    benchmarks = {{1, 2}},/' "$3/profiler.lua" >profiler.lua
record --ticks 100 --log schedule.log
grep -q ' begin .*tick=2[0-9] ' schedule.log && grep -q ' end .*tick=5[0-9]' schedule.log ||
    fail "the schedule: $(grep -E ' begin | end ' schedule.log)"
grep -q ' benchmark 1 2 [0-9.]' schedule.log || fail "no benchmark"

echo "$checked checks, $failed failed"
[ "$failed" -eq 0 ]
