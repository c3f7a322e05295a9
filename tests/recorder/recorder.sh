#!/bin/sh
# recorder.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# profiler.lua in the sim host: exact counts, and logs as they are described. Runs with Lua 5.1 everywhere,
# and with the game's 5.0 where CMake was told of it.
# shellcheck source=tests/recorder/host.sh
. "$(dirname "$0")/host.sh"

exact from-the-start 1 100
exact midgame 40 120
exact other-program 30 70 --set SEED=7 --set FILES=20 --set FUNCTIONS=14
exact no-errors 20 60 --set ERRORS=0 --set KILLS=0
exact coroutines 20 60 --set COROUTINES=1
exact an-hour-later 20 60 --clock-start 3600
exact precise-clock 20 60 --with-precise-clock
exact plain-c-functions 20 50 --c-functions plain
exact refused-c-functions 20 50 --c-functions refused
removed=GetGameTick
exact no-game-tick 20 60 --set KILLS=0 --set ERRORS=0 --without GetGameTick

# The user interface: no game tick, another clock, and frames that the recorder counts itself.
removed='GetGameTick C:WaitTicks'
exact user-interface 20 60 --set KILLS=0 --set ERRORS=0 --workload user.lua
grep -q 'prof: \$[0-9]* u1 1 begin .* state=ui clock=GetSystemTimeSeconds ' user-interface.log ||
    fail "user interface: $(grep ' begin ' user-interface.log)"
frames=$(grep ' events ' user-interface.log | grep -o '#[0-9]*' | sort -u | wc -l)
[ "$frames" -ge 39 ] && [ "$frames" -le 41 ] || fail "user interface: $frames frames in 40 ticks"
removed=

# scenario NAME [OPTION]...: the same for a file of scenarios.
scenario() {
    file=$1
    name=$2
    shift 2
    "$host" --workload "$tests/scenarios/$file.lua" --ticks 40 --log "$name.truth.log" --truth "10,$last" \
        --truth-out "$name.truth" ${stacks:+"$stacks"} ${hook:+--empty-hook "$hook"} "$@" || fail "sim_host $file"
    "$host" --workload "$tests/scenarios/$file.lua" --ticks 40 --log "$name.log" \
        --profiler profiler.lua --command '10=StartProfiler()' --command "$last=StopProfiler()" "$@" ||
        fail "sim_host $file"
    check_counts "$name" 5
}

tail_stacks=$stacks
hook=
last=30
for how in game plain refused; do
    for file in callbacks errors coroutines leaving methods; do
        stacks=--truth-stacks
        scenario $file "$file-$how" --c-functions $how
    done
    for file in metamethods tail-calls; do
        stacks=$tail_stacks
        scenario $file "$file-$how" --c-functions $how
    done
done

# At Lua's limit of C calls no hook is called: the last call before the error is lost, and two dozen
# calls of its handler. So the truth here is what an empty hook is told of.
hook=10,12
last=12
stacks=--truth-stacks
scenario limits limits
hook=10,30
last=30
stacks=$tail_stacks
for how in game plain refused; do
    scenario handlers "handlers-$how" --c-functions $how
done
hook=

# C functions have the names of where they are defined, whoever calls them; others are told apart.
checked=$((checked + 1))
for how in game plain refused; do
    awk -F, '$2 == "[C]" { print $1, $4 }' "methods-$how.functions.csv" | sort >names
    for wanted in moho.entity_methods.GetPosition moho.entity_methods.GetHealth \
        moho.entity_methods.Destroy moho.unit_methods.GetTarget \
        moho.aibrain_methods.GetThreatAtPosition table.insert math.floor CallbackEach; do
        grep -q "^$wanted [1-9]" names || fail "no $wanted with $how C functions: $(cat names)"
    done
    [ "$(grep -c '^C function [12] [1-9]' names)" = 2 ] && ! grep -q '^[?] ' names ||
        fail "C functions without a name, $how: $(cat names)"
done

# Functions that begin at one line are one row, which is said, and of which line. Two are told apart
# by their code, two by their upvalues; make() and its closures are two.
checked=$((checked + 1))
"$host" --workload "$3/fixtures/sources/tests/one-line.lua" --ticks 40 --log one-line.log --profiler profiler.lua \
    --command '10=StartProfiler()' --command '30=StopProfiler()' || fail "sim_host one-line"
[ "$(sed -n 's/.* shares [0-9]* //p' one-line.log | sort | tr '\n' ' ')" = '2 2 3 4 ' ] ||
    fail "functions of one line: $(grep ' shares ' one-line.log)"
"$supprof" -q -f json one-line.log >one-line.txt
grep -q 'Brain[.][A-Z][a-z]* .*is 4 functions on line 4: .*; so with 1 more line' one-line.txt ||
    fail "functions of one line: $(cat one-line.txt)"

# No function that can be reached from the globals, the libraries or moho is without its name, or
# told apart only: what calls it here is pcall(), from where no VM knows one.
for how in game plain refused; do
    checked=$((checked + 1))
    "$host" --workload "$tests/scenarios/reachable.lua" --ticks 20 --log reachable.log --c-functions $how \
        --profiler profiler.lua --command '5=StartProfiler()' --command '15=StopProfiler()' </dev/null ||
        fail "sim_host reachable"
    awk '/ prof: .* (function|name) / { recorded[$NF] = 1 }
        / reachable / { reachable[++count] = $0 }
        END {
            for (i = 1; i <= count; i++) {
                found = 0
                names = split(reachable[i], name, " ")
                for (k = 3; k <= names; k++)
                    found += name[k] in recorded
                if (found != 1) {
                    print reachable[i]
                    wrong++
                }
            }
            print count " functions"
            exit wrong > 0 || count < 100
        }' reachable.log >reachable || fail "names of what can be reached, $how: $(cat reachable)"
    echo "reachable, $how: $(tail -n 1 reachable)"
done

# Functions of modules, and methods of classes, are named after the table that they are from.
checked=$((checked + 1))
cat >classes.lua <<'END'
-- As the game's Lua: classes copy what they inherit, and units have them under two names.
local function inherit(class, base)
    for name, f in pairs(base) do
        class[name] = class[name] or f
    end
    class.__index = class
    return class
end
local unit = {OnCreate = function(self) end,
    OnKilled = function(self) end}
unit.__index = unit
local tank = inherit({OnKilled = function(self) end, [1] = function() end}, unit)
local other = {Find = function(self) end, Nothing = 0 / 0}
__unit_class = inherit({}, unit)
__modules = {
    ['/lua/sim/unit.lua'] = {Unit = unit},
    ['/units/uel0201.lua'] = {UEL0201 = tank, TypeClass = tank, Unit = unit},
    ['/lua/tools.lua'] = {FindLeaf = function() end, AllOfIt = other, Of = other, Deep = {Table = {}}, Data = 1},
    ['/lua/lazy.lua'] = setmetatable({}, {__index = function(t, key) error(key) end}),
    broken = false,
}
local functions = {unit.OnCreate, unit.OnKilled, tank.OnKilled, other.Find,
    __modules['/lua/tools.lua'].FindLeaf}
function SimBeat()
    for i = 1, 5 do pcall(functions[i]) end
end
END
"$host" --workload classes.lua --profiler profiler.lua --ticks 20 --log classes.log --command '5=StartProfiler()' \
    --command '15=StopProfiler()' || fail "sim_host classes"
id=$(sed -n 's/.* source \([0-9]*\) @classes.lua$/\1/p' classes.log)
found=$(sed -n "s/.* function [0-9]* $id \([0-9]* .*\)/\1/p" classes.log | sort -n | tr '\n' ' ')
[ "$found" = '9 Unit.OnCreate 10 Unit.OnKilled 12 UEL0201.OnKilled 13 AllOfIt.Find 18 FindLeaf 24 SimBeat ' ] ||
    fail "names of modules and classes: $found"

# A thread may begin in a C function that waits. To resume it crashes Lua 5.1, so that host refuses it.
checked=$((checked + 1))
play --ticks 5 --log c-thread.log --command '1=ForkThread(WaitTicks, 1)'

# An error counts for each frame that it ends.
checked=$((checked + 1))
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "errors") column = i }
    $1 == "moho.entity_methods.Destroy" { destroy = $column } $3 == 22 { on_destroy = $column }
    END { exit !(destroy > 0 && on_destroy >= destroy) }' callbacks-game.functions.csv ||
    fail "errors: $(cut -d, -f 1-5 callbacks-game.functions.csv | head -40)"

# Also one that nothing catches, which ends its thread: the host says so.
checked=$((checked + 1))
cat >dying.lua <<'END'
local function inner(x)
    local y = x + nil
    return y
end
local function outer()
    inner(1)
    WaitTicks(1)
end
function SimBeat()
    ForkThread(outer)
    if math.mod(GetGameTick(), 2) == 0 then ForkThread(function() pcall(outer) WaitTicks(3) inner(2) end) end
end
END
"$host" --workload dying.lua --profiler profiler.lua --ticks 40 --log dying.log --command '10=StartProfiler()' \
    --command '30=StopProfiler()' || fail "sim_host dying"
deaths=$(sed -n '/ begin /,/ end /p' dying.log | grep -c '^warning: .*dying.lua')
"$supprof" -q -f csv --paths full dying.log >dying.csv
awk -F, -v deaths="$deaths" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "errors") column = i }
    { errors[$3] += $column } END { exit !(deaths > 20 && errors[1] == deaths + 10 && errors[5] == 20 + 10) }' dying.csv ||
    fail "$deaths threads died: $(cut -d, -f 1-5 dying.csv)"

# The step of a 32-bit clock between 2,048 and 4,096 s.
checked=$((checked + 1))
grep -q ' begin .* step=0.000244140625 unit=0.000244140625 ' an-hour-later.log ||
    fail "the clock's step: $(grep ' begin ' an-hour-later.log)"

# FAF's clock starts again with each recording, so that it is fine in any hour.
checked=$((checked + 1))
record --ticks 30 --log precise-later.log --with-precise-clock --clock-start 3600 \
    --command '10=StartProfiler()' --command '20=StopProfiler()'
grep -q ' begin .* clock=GetTimeForProfile at=[0-9]\{1,3\}\(\.[0-9]*\)\{0,1\} step=[1-9][.0-9]*e-0[78] unit=9.53674316e-07 ' \
    precise-later.log || fail "the precise clock's step: $(grep ' begin ' precise-later.log)"

# A coarse clock has more calls to be calibrated with.
checked=$((checked + 1))
grep -q ' begin .* calibration=80 ' an-hour-later.log ||
    fail "the calibration of a coarse clock: $(grep ' begin ' an-hour-later.log)"

# The calibrating function has a name, and makes exactly the calls that the recording says.
for name in midgame coroutines; do
    checked=$((checked + 1))
    ticks=$([ $name = midgame ] && echo 80 || echo 40)
    id=$(sed -n 's/.* begin .* calibration=20 calibrator=\([0-9]*\) .*/\1/p' $name.log)
    line=$(sed -n "s/.* function $id [0-9]* \([0-9]*\) calibrate\$/\1/p" $name.log)
    awk -F '\t' -v caller="siminit.lua:$line\$" -v ticks="$ticks" '
        $1 == "edge" && $2 ~ caller { calls[$4 ~ caller ? "itself" : $4] += $5; count += $5 }
        END {
            exit calls["itself"] != 24 * ticks || calls["C:rawequal"] != 20 * ticks ||
                calls["C:next"] != 20 * ticks || count != 64 * ticks
        }' $name.counts ||
        fail "$name: the calibration, function $id at line $line"
done

# One turn of its loops takes some nanoseconds; an interruption may hide how many.
checked=$((checked + 1))
turn='\([?]\|[1-9][.0-9]*e-0[789]\)'
known=0
for name in from-the-start midgame an-hour-later precise-clock; do
    grep -q " begin .* lua_call=$turn c_call=$turn next_call=$turn\$" $name.log ||
        fail "$name: turns of the calibration: $(grep ' begin ' $name.log)"
    known=$((known + $(grep -c ' begin .* lua_call=[1-9].* c_call=[1-9].* next_call=[1-9]' $name.log)))
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

# How it was recorded.
checked=$((checked + 1))
"$supprof" -q --verbose midgame.log | grep -q '^Recorded: [0-9,]* events, [0-9.]* us each in the recorder, [0-9.]*% of them by its slower path' ||
    fail "how it was recorded: $("$supprof" -q --verbose midgame.log | grep Recorded)"

# A log that is cut after any line reads up to there.
count=$(wc -l <lines)
for cut in 1 2 10 100 500 $((count / 2)) $((count - 1)); do
    checked=$((checked + 1))
    head -n "$cut" lines >cut.log
    perl "$tests/events.pl" cut.log >/dev/null 2>cut.summary || fail "cut at $cut: $(cat cut.summary)"
done

# What fails in the game without the recorder.
play --ticks 30 --log plain.log
errors=$(grep -c '^warning: ' plain.log)

# Stacks that overflow under pcall, with functions that are met for the first time there: the
# recorder fails with them, and must go on as if nothing had been.
checked=$((checked + 1))
overflow='local function deep(n) if n > 150 then loadstring("local function inner"..n.."() end inner"..n.."()")() end return 1 + pcall(deep, n + 1) and 1 end
pcall(deep, 1) local function runaway(n) return 1 + runaway(n + 1) end pcall(runaway, 1)
LOG("over")'
# One function for each depth near the limit of calls; each is called from a shallow stack later.
# 5.1 allows more calls than the game.
[ "$lua51" = 1 ] && from=19900 turns=8 || from=4000 turns=60
text='Near = {} local text = "" for i = FROM, FROM + 120 do text = text.."Near["..i.."] = function() end\n" end
loadstring(text)()'
near='local function deep(n) local f = rawget(Near, n) if f then f() end return 1 + deep(n + 1) end
for i = 1, TURNS do pcall(deep, i) end'
later='for i = FROM, FROM + 120 do Near[i]() end LOG("later")'
overflows() {
    record --ticks 30 --log near.log --set FROM=$from --set TURNS=$turns --command "5=$text" \
        --command '10=StartProfiler()' --command "12=$near" --command "20=$later" --command "21=$later" \
        --command '25=StopProfiler()'
    perl "$tests/events.pl" near.log >/dev/null 2>near.summary || fail "$(cat near.summary)"
    [ "$(grep -c '^info: later$' near.log)" = 2 ] ||
        fail "functions fail that were met near an overflow: $(grep '^warning: ' near.log | tail -1)"
    record --ticks 30 --log overflow.log --command '10=StartProfiler()' --command "12=$overflow" \
        --command "13=$overflow" --command "20=$overflow" --command '25=StopProfiler()'
    perl "$tests/events.pl" overflow.log >/dev/null 2>overflow.summary || fail "$(cat overflow.summary)"
    [ "$(grep -c '^info: over$' overflow.log)" = 3 ] || fail "the overflow was not survived"
    [ "$(grep -c '^warning: ' overflow.log)" = "$errors" ] ||
        fail "an overflow: $(grep '^warning: ' overflow.log | sort | uniq -c | sort -rn | head -3)"
}
overflows
# The text of a long time is made in the hook, which needs more of the stack: here, some of all times are long.
sed 's/took = digits\[dt\]$/took = mod(bufferCount, 11) > 0 and digits[dt]/' profiler.lua >forgetful.lua
! cmp -s profiler.lua forgetful.lua || fail "no times that the hook describes"
mv profiler.lua remembering.lua
mv forgetful.lua profiler.lua
overflows
mv remembering.lua profiler.lua

finish checks 55
