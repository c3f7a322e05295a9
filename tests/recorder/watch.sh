#!/bin/sh
# watch.sh SIM_HOST SUPPROF SOURCE_DIRECTORY [FROM TO]
#
# mode = 'watch': the functions that stand in the places of those that suspend threads change nothing of the game and
# are on no stack; slow ticks of known causes are named, with their lengths; what cannot be seen is counted; wakes of
# suspects are recorded exactly. Times are those of TakeTime(), which do not depend on the machine. FROM and TO are
# random programs (fuzz.lua), each with C functions as the game may have them; without: 1 to 4.
. "$(dirname "$0")/../lib.sh"
host=$1
supprof=$2
tests=$3/tests/recorder
from=${4:-1}
to=${5:-4}
cd "$work" || exit 1

# watched NAME SLOW SUSPECTS: the recorder with these settings.
watched() {
    sed "s/^    mode = 'exact',/    mode = 'watch',/; s/^    slowTick = 100,/    slowTick = $2,/
        s/^    suspects = 0.01,/    suspects = $3,/; s/^    slowFrame = false,/    slowFrame = $2,/" "$tests/../../profiler.lua" >"$1"
    ! cmp -s "$tests/../../profiler.lua" "$1" || fail "no settings in profiler.lua"
}

# A program is loaded after the recorder, as files of the game are, and is at the same lines without it.
# both PROGRAM: makes with.lua, from profiler.lua, and without.lua.
both() {
    cat profiler.lua "$1" >with.lua
    { sed 's/.*//' profiler.lua && cat "$1"; } >without.lua
}

# What the game has logged. The traces of errors have the recorder's functions, and errors that these raise their place.
game() {
    grep -v 'prof: \|supprof: \|^ *	' "$1" | sed 's/0x[0-9a-f]*/0x/g; s/: [^ ]*siminit[.]lua:[0-9]*: bad/: bad/'
}

# same WHAT: whether with.log and without.log are of the same game.
same() {
    checked=$((checked + 1))
    game without.log >without.game
    game with.log >with.game
    cmp -s without.game with.game || fail "$1: the game differs: $(diff without.game with.game | head -n 4)"
}

read_events() {
    checked=$((checked + 1))
    perl "$tests/events.pl" "$1" >"$1.counts" 2>"$1.summary" || fail "$2: $(head -n 5 "$1.summary")"
}

run() {
    "$host" "$@" || fail "sim_host $*"
}

# end_of LOG KEY: a value of its last line.
end_of() {
    sed -n "s/.* end .* $2=\([^ ]*\).*/\1/p" "$1" | tail -n 1
}

# What is passed on.
cat >passes.lua <<'END'
local function show(...)
    local text = arg.n..':'
    for i = 1, arg.n do text = text..' '..(type(arg[i]) == 'thread' and 'thread' or tostring(arg[i])) end
    return text
end
local function say(...) LOG('got '..show(unpack(arg, 1, arg.n))) end
local function try(name, f, ...)
    local _, message = pcall(f, unpack(arg, 1, arg.n))
    LOG(name..': '..string.gsub(tostring(message), '^.*siminit.lua:%d+: ', ''))
end
function SimBeat()
    local tick = GetGameTick()
    if tick ~= 3 then return end
    local old = coroutine.create(function(...)
        say(unpack(arg, 1, arg.n))
        say(coroutine.yield())
        say(coroutine.yield(nil))
        say(coroutine.yield(1, nil, 3, nil))
        try('in a coroutine', WaitFor)
        try('in a coroutine', SuspendCurrentThread)
        return 5, nil
    end)
    say(coroutine.resume(old, 1, nil))
    say(coroutine.resume(old))
    say(coroutine.resume(old, nil))
    say(coroutine.resume(old, nil, 2, nil))
    say(coroutine.resume(old))
    local waiting = coroutine.create(function() say(WaitTicks(1)) say(WaitTicks()) say(WaitTicks(nil)) end)
    say(coroutine.resume(waiting))
    say(coroutine.resume(waiting))
    LOG(tostring(coroutine.resume(waiting, 2)))
    say(coroutine.resume(waiting))
    try('on the main thread', WaitTicks, 1)
    try('on the main thread', coroutine.yield, 1)
    try('no function', function() ForkThread() end)
    try('a number', function() ForkThread(5) end)
    say(ForkThread(function() end))
    ForkThread(say)
    local suspended = ForkThread(function(...)
        say(unpack(arg, 1, arg.n))
        say(WaitTicks(1))
        say(WaitTicks())
        say(WaitFor(2))
        say(coroutine.yield(1))
        say(WaitSeconds(0.1))
        SuspendCurrentThread()
        LOG('resumed')
        error('an error of a thread')
    end, nil, 1, nil)
    ForkThread(function()
        WaitTicks(9)
        ResumeThread(suspended)
        WaitTicks(1)
        KillThread(CurrentThread())
        LOG('it goes on')
    end)
end
END
for how in game plain refused; do
    watched profiler.lua 0.001 1000
    both passes.lua
    run --ticks 30 --c-functions $how --profiler without.lua --log without.log
    run --ticks 30 --c-functions $how --profiler with.lua --log with.log --command '29=StopProfiler()'
    same "what is passed on, $how"
    [ "$(grep -c '^info: got ' with.log)" -ge 20 ] && grep -q '^info: resumed$' with.log || fail "passes.lua: $(cat with.log)"
    read_events with.log "what is passed on, $how"
done

# The same while ticks are counted for the trigger: MODE, its limit in ms, and whether it begins recordings and slow
# ticks of one.
trigger_passes() {
    sed "s/^    mode = 'exact',/    mode = '$1',/; s/^    from = 60,/    from = false,/
        s/^    trigger = false,/    trigger = {slow = 2, of = 3, ms = $2, duration = 0.5, pause = 0.2},/" \
        "$tests/../../profiler.lua" >profiler.lua
    both passes.lua
    for how in game plain refused; do
        start=nothing=1
        [ "$1" = exact ] || start='StartProfiler()'
        run --ticks 30 --c-functions $how --profiler without.lua --log without.log
        run --ticks 30 --c-functions $how --profiler with.lua --log with.log --command "4=$start" \
            --command '29=StopProfiler()'
        same "what is passed on with a trigger, $1, $2 ms, $how"
        begins=no slow=no
        ! grep -q ' begin ' with.log || begins=yes
        ! grep -q ' hook slow ' with.log || slow=yes
        [ "$begins $slow" = "$3 $4" ] || fail "the trigger, $1, $2 ms, $how: $(grep -E ' begin | hook ' with.log)"
        [ $begins = no ] || read_events with.log "the trigger, $1, $2 ms, $how"
    done
}
trigger_passes exact 1000000 no no
trigger_passes exact 0.001 yes no
trigger_passes sample 1000000 yes no
trigger_passes sample 0.001 yes yes

# Random programs: with two choices of what is slow and recorded the game is the same; an exact recording has the
# counts and stacks of a game without a recorder; what was recorded of wakes are the calls that the hook is told of.
both_fuzz() {
    watched profiler.lua "$1" "$2"
    both "$tests/fuzz.lua"
}
# What an exact recording has of functions, but for their numbers, and how often a stack was not as expected.
described() {
    sed -n 's/.*prof: [$]4 s[0-9]* [0-9]* function [0-9]* [0-9]* //p' "$1" | sort
    sed -n 's/.*prof: [$]4 .* events [0-9]* [^ ]* [^ ]* //p' "$1" | grep -o '[~^]' | sort | uniq -c
}
# game_counts FILE: the program of with.lua is no part of the recorder, though it is in the same chunk.
game_counts() {
    perl -pe 's/siminit[.]lua:(\d+)/$1 > '"$(wc -l <profiler.lua)"' + 5 ? "game.lua:$1" : $&/ge' "$1" >"$1.game"
}
watched_count=0
seed=$from
while [ "$seed" -le "$to" ]; do
    [ $((seed % 2)) = 0 ] && depth=9 budget=400 || depth=6 budget=150
    for how in game plain refused; do
        set -- --set SEED="$seed" --set DEPTH=$depth --set BUDGET=$budget --c-functions $how --ticks 44
        both_fuzz 1 0.01
        run "$@" --profiler without.lua --log without.log --truth 6,20 --truth-out truth
        # In some, the watch has ended: threads wait in functions that only pass on.
        [ $how = plain ] && stop='3=StopProfiler()' || stop='21=StopProfiler()'
        run "$@" --profiler with.lua --log with.log --command "$stop" --command "6=StartProfiler('exact')" \
            --command '20=StopProfiler()'
        same "seed $seed, $how, exact"
        read_events with.log "seed $seed, $how, exact"
        cat "$tests/../../profiler.lua" "$tests/fuzz.lua" >alone.lua
        run "$@" --profiler alone.lua --log alone.log --command "6=StartProfiler('exact')" --command '20=StopProfiler()'
        for name in alone with; do
            described $name.log >$name.events
        done
        checked=$((checked + 1))
        cmp -s alone.events with.events ||
            fail "seed $seed, $how: not as without the watch: $(diff alone.events with.events | head -n 4)"
        grep -v 'prof: [$]5' with.log >exact.log
        read_events exact.log "seed $seed, $how, exact alone"
        game_counts truth
        game_counts exact.log.counts
        perl "$tests/compare-counts.pl" truth.game exact.log.counts.game 30 >result || fail "seed $seed, $how: $(cat result)"
        "$supprof" -q --overhead off --paths full -o functions.csv exact.log &&
            "$supprof" -q --overhead off --paths full --by stack --call-sites --max-depth 0 -o stacks.csv exact.log ||
            fail "seed $seed: supprof"
        perl "$tests/supprof-counts.pl" functions.csv stacks.csv truth >rebuilt
        game_counts rebuilt
        perl "$tests/compare-counts.pl" truth.game rebuilt.game 30 >result || fail "seed $seed, $how, rebuilt: $(cat result)"
        both_fuzz 0.01 1000
        run "$@" --profiler with.lua --log with.log --command '41=StopProfiler()' --truth hooked --truth-out truth
        same "seed $seed, $how, watched"
        read_events with.log "seed $seed, $how, watched"
        watched_count=$((watched_count + $(grep -c ' hook watched ' with.log)))
        # The recorder's own lines come first. What runs on the main thread after an error is left out.
        own=$(($(wc -l <profiler.lua) + 5))
        beat=$(($(grep -n '^function SimBeat' with.lua | cut -d: -f 1) + 5))
        for counts in truth with.log.counts; do
            awk -F '\t' -v own=$own -v beat=$beat '$1 == "call" && $2 !~ /^C:|:0$/ {
                line = $2
                sub(/.*:/, "", line)
                if ($2 !~ /siminit[.]lua:/ || line + 0 > own && line != beat) print
            }' $counts | sort >$counts.game
        done
        checked=$((checked + 1))
        cmp -s truth.game with.log.counts.game ||
            fail "seed $seed, $how: calls in wakes: $(diff truth.game with.log.counts.game | head -n 4)"
    done
    seed=$((seed + 1))
done
echo "$watched_count wakes of random programs recorded"
[ $watched_count -gt $((10 * (to - from + 1))) ] || fail "only $watched_count wakes of random programs were recorded"

# Slow ticks of known causes, one each tenth tick from 20 on: in a wake, in many of one function, in a thread that ends,
# in one that an error ends, and in none.
cat >causes.lua <<'END'
local function leaf(us) TakeTime(us) end
local function inside(us) for i = 1, 100 do leaf(us / 100) end end
local function deep(n, us) if n == 0 then TakeTime(us) return 1 end local r = deep(n - 1, us) return r + 1 end
local causes = {
    function() TakeTime(120000) end,
    function() inside(100000) end,
    function() deep(30, 90000) end,
    function() table.sort({2, 1}, function(a, b) TakeTime(80000) return a < b end) end,
}
function CauseThread()
    while true do
        local tick = GetGameTick()
        local cause = causes[tick / 10 - 1]
        if cause then cause() end
        WaitTicks(1)
    end
end
function OnceThread() TakeTime(70000) end
function FailingThread()
    while GetGameTick() < 70 do WaitTicks(1) end
    TakeTime(75000)
    error('failed')
end
function CrowdThread()
    while true do
        if GetGameTick() == 80 then TakeTime(2000) end
        WaitTicks(1)
    end
end
function LateThread()
    while true do WaitTicks(1) end
end
function ForkingThread()
    while true do
        if GetGameTick() == 15 then ForkThread(LateThread) end
        if GetGameTick() == 60 then ForkThread(OnceThread) end
        WaitTicks(1)
    end
end
ForkThread(CauseThread)
ForkThread(FailingThread)
for i = 1, 40 do ForkThread(CrowdThread) end
ForkThread(ForkingThread)
END
# This thread waits by a function of old, between two others.
cat >early.lua <<'END'
ForkThread(function() while true do WaitTicks(1) end end)
END
cat >old.lua <<'END'
local wait = WaitTicks
ForkThread(function()
    while true do
        if GetGameTick() == 90 then TakeTime(90000) end
        wait(1)
    end
end)
END
# Between ticks the game waits, as the recorder expects: a thread that wakes 20 us after another is in the same tick.
watched profiler.lua 50 0
both causes.lua
run --ticks 110 --own-time --set WAIT_MS=1 --workload early.lua --workload old.lua --profiler with.lua --log causes.log \
    --command '105=StopProfiler()'
read_events causes.log causes
# slow_is TICK FUNCTION WAKES FROM TO: the tick was slow, by so many wakes of the function, in so many us.
slow_is() {
    checked=$((checked + 1))
    line=$(($(grep -n "^function $2" with.lua | cut -d: -f 1) + 5))
    id=$(sed -n "s/.* function \([0-9]*\) [0-9]* $line .*/\1/p" causes.log)
    found=$(sed -n "s/.* slow $1 [0-9]* \(.* \)\{0,1\}$id:$3:\([0-9]*\):.*/\2/p" causes.log)
    [ "${found:-0}" -ge "$4" ] && [ "${found:-0}" -le "$5" ] || fail "tick $1, $2: $(grep " slow $1 " causes.log)"
}
slow_is 20 CauseThread 1 119000 140000
slow_is 30 CauseThread 1 99000 120000
slow_is 40 CauseThread 1 89000 110000
slow_is 50 CauseThread 1 79000 100000
slow_is 60 OnceThread 1 69000 90000
slow_is 80 CrowdThread 40 79000 100000
checked=$((checked + 2))
[ "$(grep -c '[$]5 .* slow [0-9]* [0-9]* ' causes.log)" = 8 ] && [ "$(end_of causes.log slow_ticks)" = 7 ] ||
    fail "slow ticks: $(grep ' slow ' causes.log)"
grep -q ' slow 90 [0-9]* .*-:1:9[0-9]*:9[0-9]*:[0-9]*$' causes.log && [ "$(end_of causes.log gaps)" = 1 ] ||
    fail "between wakes: $(grep -E ' slow 90 | end ' causes.log)"
[ "$(end_of causes.log ended)" = 1 ] && grep -q ' slow 70 [789][0-9]* ' causes.log ||
    fail "an error: $(grep -E ' slow 70 | end ' causes.log)"
# Where a long wake ended: in CauseThread, at its wait; and a thread that has ended nowhere.
checked=$((checked + 1))
grep -q ' wake 20 1[0-9]* [0-9]* ([A-Z][a-z]*[A-Z][a-z]*)$' causes.log && grep -q ' wake 60 [0-9]* [0-9]* -$' causes.log ||
    fail "long wakes: $(grep ' wake ' causes.log)"
grep -q '^debug: supprof: 7 ticks over 50 ms, 4 of them by threads of CauseThread (siminit.lua:[0-9]*)$' causes.log ||
    fail "the message: $(grep supprof: causes.log)"

# A suspect is recorded, with what makes it slow, in its next slow tick.
watched profiler.lua 50 1000
both causes.lua
run --ticks 58 --own-time --set WAIT_MS=1 --profiler with.lua --log causes.log --command '55=StopProfiler()'
read_events causes.log suspects
for called in 'inside 1' 'leaf 100' 'deep 31'; do
    checked=$((checked + 1))
    line=$(($(grep -n "^local function ${called% *}" with.lua | cut -d: -f 1) + 5))
    grep -q "^call	.*siminit.lua:$line	${called#* }$" causes.log.counts ||
        fail "calls of ${called% *}: $(cat causes.log.counts)"
done
[ "$(grep -c ' hook watched ' causes.log)" -ge 30 ] &&
    [ "$(end_of causes.log watched)" = "$(grep -c ' hook watched ' causes.log)" ] ||
    fail "suspects: $(grep ' end ' causes.log)"

# A suspect is one until it was slow in three ticks, or quick in 20 in a row, or 600 have passed; there is one at a
# time; and recording it keeps to its share. That a tick is over is seen when the first wake of the next one ends.
cat >suspects.lua <<'END'
local function leaf() end
local function at(tick, us) if GetGameTick() == tick then TakeTime(us) end end
function QuickThread()
    while true do
        at(20, 60000)
        for i = 1, 200 do leaf() end
        WaitTicks(1)
    end
end
function OtherThread()
    while true do
        at(20, 55000)
        at(22, 70000)
        at(60, 70000)
        WaitTicks(1)
    end
end
function SlowThread()
    while true do
        if GetGameTick() >= 100 then TakeTime(60000) end
        WaitTicks(1)
    end
end
function LateThread()
    while true do
        at(130, 90000)
        WaitTicks(GetGameTick() < 130 and 1 or 700)
    end
end
for _, f in ipairs({QuickThread, OtherThread, SlowThread, LateThread}) do ForkThread(f) end
END
# watched_ticks FUNCTION: in which its wakes were recorded.
watched_ticks() {
    line=$(($(grep -n "^function $1" with.lua | cut -d: -f 1) + 5))
    id=$(sed -n "s/.* function \([0-9]*\) [0-9]* $line .*/\1/p" suspects.log)
    sed -n "s/.* hook watched \([0-9]*\) ${id:-none}$/\1/p" suspects.log | tr '\n' ' '
}
# suspects_are QUICK OTHER SLOW LATE: what these threads have of that.
suspects_are() {
    read_events suspects.log suspects
    for thread in Quick Other Slow Late; do
        checked=$((checked + 1))
        found=$(watched_ticks ${thread}Thread)
        [ "$found" = "$1" ] || fail "wakes of ${thread}Thread were recorded in '$found', not '$1'"
        shift
    done
}
for share in 1000 0.0000001; do
    watched profiler.lua 50 $share
    both suspects.lua
    run --ticks 840 --own-time --set WAIT_MS=1 --profiler with.lua --log suspects.log --command '835=StopProfiler()'
    if [ $share = 1000 ]; then
        suspects_are "$(seq -s ' ' 22 41) " "$(seq -s ' ' 61 80) " '101 102 103 ' ''
    else
        suspects_are '' '' '' ''
    fi
done

# A run that takes half of the limit is quick, however slow the tick was that made it a suspect.
checked=$((checked + 1))
cat >half.lua <<'END'
function HalfThread()
    while true do
        local tick = GetGameTick()
        if tick >= 20 then TakeTime(tick == 20 and 60000 or 30000) end
        WaitTicks(1)
    end
end
ForkThread(HalfThread)
END
watched profiler.lua 50 1000
both half.lua
run --ticks 60 --own-time --set WAIT_MS=1 --profiler with.lua --log half.log --command '55=StopProfiler()'
found=$(sed -n 's/.* hook watched \([0-9]*\) .*/\1/p' half.log | tr '\n' ' ')
[ "$found" = "$(seq -s ' ' 22 41) " ] || fail "a suspect that is quick is in '$found'"

# So is one that seems to take longer only by what its recording has added, also to supprof.
checked=$((checked + 1))
cat >seems.lua <<'END'
local function leaf() end
function SeemingThread()
    while true do
        if GetGameTick() == 20 then TakeTime(20000) end
        for i = 1, 40000 do leaf() end
        WaitTicks(1)
    end
end
ForkThread(SeemingThread)
END
watched profiler.lua 6 1000
both seems.lua
run --ticks 60 --own-time --set WAIT_MS=1 --profiler with.lua --log seems.log --command '55=StopProfiler()'
read_events seems.log 'a run that seems slow'
"$supprof" --ticks seems.log >seems.txt || fail 'supprof --ticks'
found=$(sed -n 's/.* hook watched \([0-9]*\) .*/\1/p' seems.log | tr '\n' ' ')
[ "$(echo "$found" | wc -w)" -ge 10 ] && grep -q '#20 .* took .*% SeemingThread;' seems.txt &&
    ! grep -q 'slow run' seems.txt || fail "a run that seems slow, in '$found': $(cat seems.txt)"

# What recording takes stays within the budget, though a run would take far more, and is cut at a tenth of a second.
checked=$((checked + 2))
cat >costly.lua <<'END'
local function leaf() end
function CostlyThread()
    while true do
        if GetGameTick() >= 20 then
            TakeTime(200000)
            for i = 1, 300000 do leaf() end
        end
        WaitTicks(1)
    end
end
ForkThread(CostlyThread)
END
watched profiler.lua 50 0.01
both costly.lua
run --ticks 120 --own-time --set WAIT_MS=1 --profiler with.lua --log costly.log --command '115=StopProfiler()'
read_events costly.log 'a costly suspect'
share=$(end_of costly.log share)
echo "a costly suspect: $share of Lua's time for $(end_of costly.log watched) wakes"
awk "BEGIN { exit !($share <= 0.0105) }" || fail "a budget of 0.01: $(grep ' end ' costly.log)"
cut=$(grep -c ' hook cut ' costly.log)
[ "$cut" -ge 1 ] && [ "$cut" = "$(end_of costly.log watched)" ] || fail "cut: $(grep ' hook ' costly.log)"

# Slow ticks in which a suspect could not be recorded, here because of another hook, are none of the three.
checked=$((checked + 1))
cat >refused.lua <<'END'
function BusyThread()
    while true do
        local tick = GetGameTick()
        if tick > 18 and math.mod(tick, 2) == 0 then TakeTime(60000) end
        WaitTicks(1)
    end
end
ForkThread(BusyThread)
END
watched profiler.lua 50 1000
both refused.lua
run --ticks 60 --own-time --set WAIT_MS=1 --profiler with.lua --log refused.log \
    --command '21=debug.sethook(function() end, "c")' --command '29=debug.sethook()' --command '55=StopProfiler()'
found=$(sed -n 's/.* hook watched \([0-9]*\) .*/\1/p' refused.log | tr '\n' ' ')
[ "$found" = '29 30 31 32 33 34 35 ' ] || fail "a suspect that could not be recorded is in '$found'"

# In a watch, the trigger counts ticks by what Lua took, whatever the game waits for.
checked=$((checked + 1))
watched profiler.lua 50 0
sed -i 's/^    trigger = false,/    trigger = {slow = 3, of = 10, ms = 50, duration = 1, pause = 60},/' profiler.lua
both suspects.lua
run --ticks 200 --own-time --set WAIT_MS=300 --profiler with.lua --log trigger.log --command '195=StopProfiler()'
[ "$(sed -n 's/.* begin .* mode=\([a-z]*\) .*/\1/p' trigger.log | tr '\n' ' ')" = 'watch exact watch ' ] &&
    grep -q ' begin .* mode=exact .* tick=1[01][0-9] ' trigger.log &&
    grep -q '^debug: supprof: threads took 50 ms in [0-9]* ticks of 10$' trigger.log ||
    fail "the trigger: $(grep -E ' begin |supprof:' trigger.log)"

# Another recording interrupts a watch, which goes on after it; by hand it ends.
checked=$((checked + 1))
watched profiler.lua 50 1000
both causes.lua
run --ticks 60 --profiler with.lua --log stops.log --command "10=StartProfiler('exact')" --command '20=StopProfiler()' \
    --command '30=StopProfiler()' --command "40=StartProfiler()" --command "41=StartProfiler('watch')" \
    --command '50=StopProfiler()'
[ "$(sed -n 's/.* begin .* mode=\([a-z]*\) .*/\1/p' stops.log | tr '\n' ' ')" = 'watch exact watch exact ' ] &&
    [ "$(grep -c ' end ' stops.log)" = 4 ] && [ "$(grep -c 'supprof: watching' stops.log)" = 2 ] &&
    grep -q 'supprof: not started: a recording is going on already' stops.log ||
    fail "stops: $(grep -E ' begin | end |supprof:' stops.log)"
# Threads that went to sleep meanwhile are known by their own functions.
run --ticks 60 --own-time --set WAIT_MS=1 --profiler with.lua --log again.log --command "10=StartProfiler('exact')" \
    --command '20=StopProfiler()' --command '55=StopProfiler()'
grep ' s3 ' again.log >causes.log
slow_is 30 CauseThread 1 99000 130000
slow_is 50 CauseThread 1 79000 110000
# It has to be in the settings; else nothing stands in any place, but for what times the reference.
look='LOG("stands "..type(ForkThread)..type(WaitTicks))'
sed 's/^    reference = true,/    reference = false,/' "$tests/../../profiler.lua" >unreferenced.lua
for file in profiler.lua unreferenced.lua; do
    checked=$((checked + 1))
    run --ticks 9 --profiler "$file" --log stands.log --command "5=$look" --command "6=StartProfiler('watch')"
    [ "$file" = profiler.lua ] && wanted=functionfunction || wanted=cfunctioncfunction
    grep -q "^info: stands $wanted$" stands.log || fail "$file: $(cat stands.log)"
done
grep -q "supprof: not started: mode = 'watch' has to be in the settings when the game loads$" stands.log ||
    fail "not in the settings: $(grep supprof: stands.log)"
run --ticks 9 --profiler "$tests/../../profiler.lua" --log stands.log --command "6=StartProfiler('watch')"
grep -q "supprof: not started: mode = 'watch' has to be in the settings when the game loads$" stands.log ||
    fail "not in the settings, with a reference: $(grep supprof: stands.log)"

# Whatever the engine lacks, nothing new fails; and what it needs is said.
play() {
    run --workload "$tests/workload.lua" --ticks 30 "$@"
}
errors_of() {
    grep -c '^warning: ' "$1"
}
play --log plain.log
for missing in LOG GetSystemTimeSecondsOnlyForProfileUse GetGameTick GetGameTimeSeconds CurrentThread WaitFor ForkThread \
    SuspendCurrentThread KillThread SimConExecute gcinfo debug.sethook debug.gethook; do
    checked=$((checked + 1))
    play --profiler profiler.lua --log lacking.log --without $missing --command '25=StopProfiler()'
    [ "$(errors_of lacking.log)" = "$(errors_of plain.log)" ] ||
        fail "without $missing: $(grep '^warning: ' lacking.log | sort | uniq -c | sort -rn | head -n 3)"
done
checked=$((checked + 1))
play --profiler profiler.lua --log raises.log --log-raises --command '25=StopProfiler()'
[ "$(errors_of raises.log)" = "$(errors_of plain.log)" ] || fail "a LOG that raises errors"

# An hour with 30 threads: summaries alone, some KB a minute; memory stays. Units, in every mode.
checked=$((checked + 3))
cat >hour.lua <<'END'
local function leaf(a) return a end
for i = 1, 30 do
    ForkThread(function() while true do for k = 1, 20 do leaf(k) end WaitTicks(1) end end)
end
ArmyBrains = {{GetCurrentUnits = function(_, what) return what == 'all' and 40 or 0 end}, {GetCurrentUnits = function() return 2 end}}
categories = {ALLUNITS = 'all'}
END
watched profiler.lua 150 0.01
both hour.lua
memory='collectgarbage() collectgarbage() LOG("memory "..string.format("%d", gcinfo()))'
run --ticks 36010 --own-time --profiler with.lua --log hour.log --command "2000=$memory" --command "35000=$memory" \
    --command '36005=StopProfiler()'
read_events hour.log 'an hour'
bytes=$(grep 'prof: ' hour.log | wc -c)
grown=$(sed -n 's/^info: memory //p' hour.log | awk 'NR == 1 { first = $1 } END { printf "%d", $1 - first }')
echo "an hour: $bytes bytes, $(grep -c 'prof: ' hour.log) lines, $grown KB more memory"
[ "$bytes" -le 400000 ] && [ "$(grep -c "s1 [0-9]* \(ticks\|threads\) " hour.log)" = 122 ] &&
    [ "$(end_of hour.log slow_ticks)" = 0 ] || fail "an hour: $bytes bytes, $(grep ' end ' hour.log)"
[ "$grown" -le 50 ] || fail "an hour: memory grew by $grown KB"
[ "$(grep -c ' units [0-9]*00 42$' hour.log)" = 360 ] || fail "units: $(grep ' units ' hour.log | head -n 3)"
for mode in exact sample; do
    checked=$((checked + 1))
    run --ticks 320 --profiler with.lua --log units.log --command "10=StartProfiler('$mode')" \
        --command '310=StopProfiler()'
    [ "$(grep -c '[$]4 .* units [123]00 42$' units.log)" = 3 ] || fail "units, $mode: $(grep ' units ' units.log)"
done
# The hook sees the recorder's own thread count them: no line of events may come in between.
checked=$((checked + 1))
cat >calls.lua <<'END'
local engines = LOG
function LOG(text)
    for i = 1, string.find(text, ' units ') and 3000 or 0 do math.abs(i) end
    engines(text)
end
END
cat calls.lua with.lua >calling.lua
run --ticks 320 --profiler calling.lua --log calling.log --command '10=StartProfiler("exact")' \
    --command '310=StopProfiler()'
read_events calling.log 'units while events are written'
[ "$(grep -c ' units ' calling.log)" = 3 ] || fail "units while events are written: $(grep ' units ' calling.log)"

# The user interface, and a saved game that is loaded.
checked=$((checked + 2))
cat >user.lua <<'END'
GetSystemTimeSeconds, WaitFrames = GetSystemTimeSecondsOnlyForProfileUse, WaitTicks
rawset(_G, 'GetSystemTimeSecondsOnlyForProfileUse', nil)
rawset(_G, 'GetGameTick', nil)
END
cat >frames.lua <<'END'
local number = 0
ForkThread(function()
    while true do
        number = number + 1
        if number == 30 then TakeTime(60000) end
        WaitFrames(1)
    end
end)
END
watched profiler.lua 40 0
both frames.lua
run --ticks 60 --own-time --workload user.lua --profiler with.lua --log frames.log --command '50=StopProfiler()'
read_events frames.log frames
grep -q ' u1 .* slow [23][0-9] 6[0-9]* ' frames.log && grep -q 'supprof: 1 tick over 40 ms,' frames.log ||
    fail "frames: $(grep -E ' slow |supprof' frames.log)"
echo 'function OnPostLoad() LOG("loaded") end' >load.lua
run --ticks 60 --workload load.lua --profiler with.lua --log load.log --command '20=OnPostLoad()' \
    --command '50=StopProfiler()'
read_events load.log 'a saved game'
[ "$(grep -c ' begin ' load.log)" = 2 ] && [ "$(grep -c ' end ' load.log)" = 2 ] ||
    fail "a saved game: $(grep -E ' begin | end ' load.log)"

finish checks 60
