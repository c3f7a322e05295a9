#!/bin/sh
# recorder.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# profiler.lua in the sim host: exact counts, and no harm to the game whatever it lacks.
# Runs with Lua 5.1 everywhere, and with the game's 5.0 where CMake was told of it.
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

# Whole stacks are compared on the game's VM, and on 5.1 where no function makes a tail call: there
# the VM shows the caller when the call is made, and none from then on.
lua51=$("$host" --ticks 1 --command '1=LOG(_VERSION)' | grep -c 'info: Lua 5.1$')
stacks=$([ "$lua51" = 1 ] || echo --truth-stacks)

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
cat >user.lua <<'END'
GetSystemTimeSeconds, WaitFrames = GetSystemTimeSecondsOnlyForProfileUse, WaitTicks
rawset(_G, 'GetSystemTimeSecondsOnlyForProfileUse', nil)
rawset(_G, 'GetGameTick', nil)
END
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

# The player's own file in the mod's folder sets what it names, and is checked as the table is.
cat >files.lua <<'END'
function DiskGetFileInfo(path) return path == FOLDER .. '/supprof/settings.lua' and {} end
function doscript(path, environment)
    local run, fault = loadfile('settings.lua')
    setfenv(run or error(fault), environment)
    run()
end
END
# own FOLDER TEXT PATTERN: with a file of the text, the log has a line that fits.
own() {
    checked=$((checked + 1))
    echo "FOLDER = '$1'" | cat - files.lua >folder.lua
    echo "$2" >settings.lua
    "$host" --workload folder.lua --profiler profiler.lua --ticks 40 --log own.log || fail "sim_host with '$2'"
    grep -q "$3" own.log || fail "settings.lua with '$2': $(cat own.log)"
}
own /mods 'from = 1 duration = 2' ' prof: .* begin '
own /usermods 'from = 1 duration = 2' ' prof: .* begin '
own /mods 'from = 1' "info: supprof: settings from /mods/supprof/settings.lua"
own /mods 'form = 1' "not started: there is no setting 'form'; 'from' is the nearest name"
own /mods 'from = "x"' "not started: the setting 'from' has to be "
own /mods 'from = ' 'not started: the file /mods/supprof/settings.lua cannot be read: .*settings.lua:'
own /elsewhere 'form = 1 from = 1' '.'
! grep -q 'supprof: ' own.log || fail "a file of another folder was read: $(grep supprof: own.log)"

# Start, stop, start again; starting twice and stopping twice do nothing.
checked=$((checked + 1))
record --ticks 60 --log twice.log --command '5=StopProfiler()' --command '10=StartProfiler()' \
    --command '12=StartProfiler()' --command '20=StopProfiler()' --command '30=StartProfiler()' \
    --command '40=StopProfiler()' --command '41=StopProfiler()'
perl "$tests/events.pl" twice.log >/dev/null 2>twice.summary || fail "twice: $(cat twice.summary)"
[ "$(grep -c ' begin ' twice.log)" = 2 ] && [ "$(grep -c ' end ' twice.log)" = 2 ] ||
    fail "two recordings: $(grep -cE ' begin | end ' twice.log)"

# Whatever the engine lacks, and whatever LOG does, nothing new fails in the game.
play --ticks 30 --log plain.log
errors=$(grep -c '^warning: ' plain.log)
for missing in LOG GetSystemTimeSecondsOnlyForProfileUse GetGameTick GetGameTimeSeconds CurrentThread \
    ForkThread WaitFor SuspendCurrentThread KillThread SimConExecute gcinfo; do
    checked=$((checked + 1))
    record --ticks 30 --log "without.log" --without $missing --command '10=StartProfiler()' \
        --command '25=StopProfiler()'
    [ "$(grep -c '^warning: ' without.log)" = "$errors" ] ||
        fail "without $missing: $(grep '^warning: ' without.log | sort | uniq -c | sort -rn | head -3)"
done

# Without threads nothing is calibrated.
checked=$((checked + 1))
record --ticks 20 --log no-threads.log --without ForkThread --command '10=StartProfiler()' \
    --command '15=StopProfiler()'
grep -q ' begin .* calibration=0 calibrator=? lua_call=? c_call=? next_call=?$' no-threads.log ||
    fail "without threads: $(grep ' begin ' no-threads.log)"

# Clocks that stand still, go back or are no numbers: the calibration finds nothing, and nothing new fails.
for now in 1000 -n n*n 0/0 1/0 'n == 9 and -1e30 or n' 'mod(n, 2)'; do
    checked=$((checked + 1))
    echo "local n, mod = 0, math.mod
        function GetSystemTimeSecondsOnlyForProfileUse() n = n + 1 return $now end" >clock.lua
    record --ticks 30 --log clock.log --workload clock.lua --command '10=StartProfiler()' \
        --command '25=StopProfiler()'
    grep -q ' begin .* lua_call=? c_call=? next_call=?$' clock.log ||
        fail "clock $now: $(grep ' begin ' clock.log)"
    [ "$(grep -c '^warning: ' clock.log)" = "$errors" ] ||
        fail "clock $now: $(grep '^warning: ' clock.log | sort | uniq -c | sort -rn | head -3)"
done

# The steps of a 32-bit clock get longer when it passes a power of two, and then a sum of times may be a
# step ahead of it. That is no fault. Recordings begin at START seconds, and pass each one above that. 5.1 has
# 64-bit floats, so sums are rounded there.
cat >clock.lua <<'END'
local seed, last, ahead = START * 16, START, 3e-5
local floor, mod = math.floor, math.mod
-- What a 32-bit float shows; those just below `last` have steps of half the length.
function Round(seconds)
    local step = last / (seconds < last and 16777216 or 8388608)
    return floor(seconds / step + 0.5) * step
end
function GetSystemTimeSecondsOnlyForProfileUse()
    seed = mod(seed * 171 + 11213, 53125)
    ahead = ahead + seed / 53125 * (last < 1 and 9e-7 or last * 4e-8 + 9e-7)
    return _VERSION == 'Lua 5.1' and Round(last + ahead) or last + ahead
end
local function leaf() end
function SimBeat()
    if last < 262144 then
        local before = -mod(seed, 17) * 1e-6 - last * 4e-7
        last, ahead = last * 2, before
        for i = 1, 60 do leaf() end
    end
end
END
cp profiler.lua floats.lua
[ "$lua51" = 0 ] || sed -i 's/\<\(zero\|from\) = \(\(zero\|from\) + .*\)$/\1 = Round(\2)/' floats.lua
[ "$lua51" = 0 ] || [ "$(grep -c "Round(\(zero\|from\) + " floats.lua)" -ge 4 ] || fail "no sums of times in profiler.lua"
for start in 0.125 1 8 60 600 3600; do
    checked=$((checked + 1))
    for seed in 1 2 3 4 5 6 7 8 9 10; do
        "$host" --workload clock.lua --set START="$start" --profiler floats.lua --ticks 30 --log crossing.log \
            --command "$seed=StartProfiler()" --command '28=StopProfiler()' || fail "sim_host clock"
        faults=$(sed -n 's/.* end .* clock_faults=\([0-9]*\) .*/\1/p' crossing.log)
        [ "$faults" = 0 ] || fail "a clock that is right, from $start s, tick $seed: $faults faults"
    done
done
# One that goes back is wrong once.
checked=$((checked + 1))
cat >clock.lua <<'END'
local n = 0
function GetSystemTimeSecondsOnlyForProfileUse()
    n = n + 1
    return (n + Back) / 1048576
end
local function leaf() end
function SimBeat()
    if GetGameTick() == 20 then Back = -5000 end
    for i = 1, 60 do leaf() end
end
END
"$host" --workload clock.lua --set Back=0 --profiler profiler.lua --ticks 40 --log back.log \
    --command '10=StartProfiler()' --command '30=StopProfiler()' || fail "sim_host back"
grep -q ' end .* clock_faults=1 ' back.log && grep -q '^debug: supprof: .*, and the clock cannot be trusted$' back.log ||
    fail "a clock that goes back once: $(grep -E ' end |supprof: ' back.log)"

# A clock that is finer than a unit: a sixteenth of one passes between two events.
checked=$((checked + 1))
echo 'local n = 0
    function GetSystemTimeSecondsOnlyForProfileUse() n = n + 1 return n / 16777216 end' >clock.lua
record --ticks 60 --log fine.log --workload clock.lua --command '10=StartProfiler()' \
    --command '40=StopProfiler()'
sixteenths=$(perl -ne 'next if !/^info: prof: .* events \S+ \S+ \S+ (.*)/; $_ = $1; s{\(.*?\)|[@#^]\d+|/\d+:}{}g;
    $events += () = /[A-Z.,!]/g; $units += $_ for /\d+/g;
    END { printf "%.3f", $units * 16 / $events }' fine.log)
[ "$sixteenths" = 1.000 ] || fail "$sixteenths sixteenths of a unit between events, and not 1"

# With a hook of somebody else nothing is calibrated either: the time would be that hook's.
checked=$((checked + 1))
record --ticks 20 --log hooked.log --command '9=debug.sethook(function() end, "c")' \
    --command '10=StartProfiler()' --command '15=StopProfiler()'
grep -q ' begin .* calibration=20 .* lua_call=? c_call=? next_call=?$' hooked.log ||
    fail "with another hook: $(grep ' begin ' hooked.log)"

# That hook is put back at the end, and whoever starts twice is told why nothing happens.
checked=$((checked + 1))
record --ticks 20 --log hooked.log --command '9=Other = function() end debug.sethook(Other, "c")' \
    --command '10=StartProfiler()' --command '12=StartProfiler()' --command '15=StopProfiler()' \
    --command '16=local f, mask = debug.gethook() LOG("back "..tostring(f == Other)..mask)'
grep -q '^info: back truec$' hooked.log || fail "another hook is not put back: $(grep back hooked.log)"
grep -q '^debug: supprof: not started: a recording is going on already$' hooked.log &&
    grep -q '^debug: supprof: recording\(, after a hitch of [0-9]* ms\)\{0,1\}$' hooked.log &&
    grep -q "^debug: supprof: [1-9][0-9]* events in the game's log, [0-9]* ticks over 100 ms\$" hooked.log ||
    fail "messages: $(grep supprof: hooked.log)"
for missing in debug.sethook GetSystemTimeSecondsOnlyForProfileUse; do
    record --ticks 20 --log why.log --without $missing --command '10=StartProfiler()'
    grep -q '^debug: supprof: not started: there is no ' why.log || fail "without $missing there is no message"
done

# A game of which some ticks are recorded. sampled BUDGET LONGEST NAME OPTION...
sampled() {
    sed "s/^    mode = 'exact',/    mode = 'sample',/; s/^    budget = 0.03,/    budget = $1,/
        s/^    longest = 500,/    longest = $2,/" profiler.lua >sample.lua
    name=$3
    shift 3
    play --profiler sample.lua --own-time --log "$name.log" "$@"
}
# A tick that was chosen has all of its calls, and nothing else has any.
for set in KILLS=1 COROUTINES=1 SEED=3 'ERRORS=0'; do
    sampled 0.3 500 chosen --ticks 41 --set "$set" --command '10=StartProfiler()' --command '40=StopProfiler()'
    # The next block may choose one, too, before the end.
    tick=$(sed -n '/ hook chosen [0-9]* 27$/{s/.* chosen \([0-9]*\) .*/\1/p;q;}' chosen.log)
    [ "${tick:-0}" -gt 10 ] && grep -q " hook left $((tick + 1))\$" chosen.log ||
        fail "the first tick: $(grep ' hook ' chosen.log)"
    play --ticks 41 --set "$set" --log truth.log --truth "$tick,$((tick + 1))" --truth-out chosen.truth \
        ${stacks:+"$stacks"}
    # As if it stood for itself alone; the next block may begin with its chosen tick.
    sed "s/\( hook chosen $tick\) 27\$/\1 1/; / hook left /q" chosen.log >one.log && mv one.log chosen.log
    check_counts chosen
done
# Blocks follow the cost, so that the budget is kept. Between its ticks there is no hook of the recorder, and that
# of somebody else stays; a tick in which it came is no chosen one. Seeds differ from game to game.
checked=$((checked + 1))
look='LOG("hook "..tostring(debug.gethook() ~= nil))'
sampled 0.3 500 budget --ticks 600 --command '10=StartProfiler()' --command '590=StopProfiler()' --command "592=$look" \
    --command '200=Other = function() end debug.sethook(Other, "c")' --command '400=debug.sethook() Other = false'
perl "$tests/events.pl" budget.log >/dev/null 2>budget.summary || fail "sampled: $(cat budget.summary)"
grep -q '^debug: supprof: recording: 60 ticks take about 4 minutes\(, after a hitch of [0-9]* ms\)\{0,1\}$' budget.log || fail "the start: $(grep supprof: budget.log)"
awk '/ hook chosen / { count++; ticks += $NF } / hook (left|lost) / { left++ } / end / { end = $0 } END {
    sub(/.* mode=ticks /, "", end); split(end, keys, /[ =]/)
    exit !(count > 2 && keys[2] >= count - 1 && keys[2] <= count && left >= count - 1 && left <= count && keys[4] == 580 && ticks > 300 && ticks < 800 &&
        keys[6] > 0.15 && keys[6] < 0.6 && keys[8] == 0) }' budget.log ||
    fail "sampled: $(grep -E ' hook (chosen|left) | end ' budget.log)"
grep -q '^info: hook false$' budget.log || fail "sampled: a hook is left after the recording"
grep -q "^debug: supprof: [0-9]* events in the game's log, [0-9]* ticks of 580, for [0-9.]* % of Lua's time, 0 ticks" \
    budget.log || fail "sampled: $(grep supprof: budget.log)"
sampled 0.3 500 seed --ticks 12 --command '10=StartProfiler()' --command '11=StopProfiler()'
[ "$(grep -ho ' seed=[0-9]*' budget.log seed.log | sort -u | wc -l)" = 2 ] || fail "two games have the same seed"
# A long tick is left, and counts as cut.
checked=$((checked + 1))
sampled 0.3 1 cut --ticks 500 --command '10=StartProfiler()' --command '490=StopProfiler()'
perl "$tests/events.pl" cut.log >/dev/null 2>cut.summary || fail "cut: $(cat cut.summary)"
cuts=$(grep -c ' hook cut ' cut.log)
[ "$cuts" -gt 0 ] && grep -q " end .* cut=$cuts\$" cut.log || fail "cut: $(grep -E ' hook | end ' cut.log)"
# The first tick defines all functions, and is hardly the game's own where it is left early, or its hook is taken away.
# It makes no long block, also on a clock of which it is a few steps, and what it took counts.
checked=$((checked + 1))
cat >taken.lua <<'END'
local isTaken
local function leaf() return 1 end
function SimBeat()
    for i = 1, 300 do leaf() end
    if isTaken == 1 then debug.sethook() isTaken = 2 end
    if not isTaken and debug.gethook() then debug.sethook(function() end, 'c') isTaken = 1 end
end
END
for start in 0 3600; do
    sampled 0.3 500 taken$start --workload taken.lua --clock-start $start --ticks 500 --command '10=StartProfiler()' \
        --command '490=StopProfiler()'
    perl "$tests/events.pl" taken$start.log >/dev/null 2>taken.summary || fail "taken: $(cat taken.summary)"
done
for log in cut.log taken0.log taken3600.log; do
    awk '/ hook chosen / { count++; if (before && $NF > 1.6 * before) exit 1; before = $NF } / hook lost / { lost++ }
        / end / { end = $0 } END { sub(/.* mode=ticks /, "", end); split(end, keys, /[ =]/)
            exit !(count > 3 && keys[2] == count && keys[6] > 0.1 && keys[6] < 0.6 && lost == (FILENAME != "cut.log")) }' \
        $log || fail "$log: $(grep -E ' hook (chosen|lost)| end ' $log)"
done
# What it needs.
checked=$((checked + 1))
echo 'local read = GetSystemTimeSecondsOnlyForProfileUse
    function GetSystemTimeSecondsOnlyForProfileUse() return math.floor(read() * 500) / 500 end' >clock.lua
sampled 0.3 500 coarse --ticks 20 --workload clock.lua --command '10=StartProfiler()'
sampled 0.3 500 without --ticks 20 --without GetGameTick --command '10=StartProfiler()'
for why in "coarse the clock is too coarse for mode = 'sample': its step is 0.0020 s" \
    "without mode = 'sample' needs GetGameTick, ForkThread and WaitTicks"; do
    grep -qxF "debug: supprof: not started: ${why#* }" "${why%% *}.log" && ! grep -q ' begin ' "${why%% *}.log" ||
        fail "$why: $(grep supprof: "${why%% *}.log")"
done
# Lines and memory, in a game where the user interface is recorded.
sed "s/^    memory = false,/    memory = true,/; s/^    lines = {},/    lines = {'Deep3'},/" profiler.lua >both.lua
cp profiler.lua kept.lua
for how in both.lua kept.lua; do
    checked=$((checked + 1))
    cp $how profiler.lua
    sampled 0.3 500 user --ticks 300 --workload user.lua --command '10=StartProfiler()' --command '290=StopProfiler()'
    cp kept.lua profiler.lua
    perl "$tests/events.pl" user.log >/dev/null 2>user.summary || fail "sampled, user interface: $(cat user.summary)"
    [ "$(grep -c ' u1 .* hook chosen ' user.log)" -gt 1 ] || fail "sampled, user interface: $(grep ' hook ' user.log)"
done
play --profiler sample.lua --ticks 20 --log sample.log --command "10=StartProfiler('exact')" --command '15=StopProfiler()'
grep -q ' begin .* mode=exact ' sample.log || fail "mode = 'sample', and 'exact' is asked for: $(grep supprof: sample.log)"

# A hook that is taken away for some ticks: the recording says so, and goes on.
checked=$((checked + 1))
record --ticks 60 --log lost.log --command '10=StartProfiler()' \
    --command '20=debug.sethook(function() end, "c")' --command '30=debug.sethook()' \
    --command '50=StopProfiler()'
grep -q ' hook lost 20$' lost.log && grep -q ' hook back 30$' lost.log &&
    grep -q ', and the hook was lost for 10 ticks$' lost.log ||
    fail "the hook: $(grep 'hook ' lost.log)"
perl "$tests/events.pl" lost.log >/dev/null 2>lost.summary || fail "lost: $(cat lost.summary)"
grep -q ' #4[0-9]' lost.log || grep -q '#4[0-9]' lost.log || fail "nothing is recorded after that"
"$supprof" -q lost.log | grep -q '^Note: hook lost at tick 20: ' ||
    fail "supprof says nothing of a hook that was lost"
record --ticks 60 --log lost.log --command '10=StartProfiler()' \
    --command '20=debug.sethook(function() end, "c")' --command '40=StopProfiler()' \
    --command '41=StartProfiler()' --command '50=StopProfiler()'
grep -q ' end .* tick=40$' lost.log && [ "$(grep -c ' end ' lost.log)" = 2 ] ||
    fail "a hook that is never back: $(grep ' end ' lost.log)"

# Without debug.gethook it is noticed, too, by what is not recorded of the calls that each tick makes. Whose hook
# it is then, and whether it is gone, cannot be known: it stays.
checked=$((checked + 1))
record --ticks 60 --log unseen.log --without debug.gethook --command '10=StartProfiler()' \
    --command '20=debug.sethook(function() Calls = rawget(_G, "Calls") or 0 Calls = Calls + 1 end, "c")' \
    --command '40=StopProfiler()' --command '41=Calls = 0' --command '50=LOG("calls "..Calls)'
grep -q ' begin .* hook=watched ' unseen.log && grep -q ' hook lost 20$' unseen.log &&
    grep -q ', and the hook was lost for 20 ticks$' unseen.log && grep -q '^info: calls [1-9]' unseen.log ||
    fail "without debug.gethook: $(grep -E ' hook |hook=|calls ' unseen.log)"
record --ticks 60 --log kept.log --without debug.gethook --command '10=StartProfiler()' --command '40=StopProfiler()'
! grep -q ' hook lost ' kept.log || fail "without debug.gethook a hook is lost that is there"
perl "$tests/events.pl" kept.log >/dev/null 2>kept.summary || fail "without debug.gethook: $(cat kept.summary)"
record --ticks 20 --log unseen.log --without ForkThread --command '10=StartProfiler()' --command '15=StopProfiler()'
grep -q ' begin .* hook=unwatched ' unseen.log || fail "nobody watches the hook: $(grep ' begin ' unseen.log)"

# From the user interface: without cheats, what leads to the sim is a callback.
checked=$((checked + 1))
cat >callbacks.lua <<'END'
local module = {DoCallback = function(name, data) LOG('callback '..name..data) end}
function import(path) LOG('import '..path) if path == '/lua/SimCallbacks.lua' then return module end end
function Call(name) module.DoCallback(name, 'data', {}) end
END
"$host" --workload callbacks.lua --profiler profiler.lua --ticks 30 --log callbacks.log \
    --command '10=Call("SupprofStart")' --command '12=Call("Other")' --command '20=Call("SupprofStop")' ||
    fail "sim_host callbacks"
grep -q ' begin .*tick=10 ' callbacks.log && grep -q ' end .* tick=20$' callbacks.log &&
    grep -q '^info: callback Otherdata$' callbacks.log || fail "callbacks: $(cat callbacks.log)"
sed 's/^    \(start\|stop\)Callback = .*,/    \1Callback = false,/' profiler.lua >no-callbacks.lua
"$host" --workload callbacks.lua --profiler no-callbacks.lua --ticks 2 --log callbacks.log || fail "sim_host no-callbacks"
! grep -q import callbacks.log || fail "without callbacks: $(cat callbacks.log)"

# In a game of several people it is granted as FAF's own profiler is, and to those who are named.
# granted WANTED CODE [SETTING]: whether a callback starts a recording in such a game.
cat callbacks.lua - >players.lua <<'END'
local function player(human, civilian, personality)
    return {Human = human, Civilian = civilian, AIPersonality = personality}
end
ScenarioInfo = {ArmySetup = {ARMY_1 = player(true, false, ''), ARMY_2 = player(true, false, ''),
    NEUTRAL = player(false, true, 'adaptive'), EMPTY = player(false, false, '')}}
ArmyBrains = {{Nickname = 'first'}, {Nickname = 'second'}}
Source, Focus, Cheats, Replay = 2, 2, false, false
function GetCurrentCommandSource() return Source end
function GetFocusArmy() return Focus end
function CheatsEnabled() LOG('cheats are asked for') return Cheats end
function SessionIsReplay() return Replay end
END
granted() {
    checked=$((checked + 1))
    echo "$2" | cat players.lua - >game.lua
    sed "s/^    who = .*/    who = ${3:-&}/; s/who =     who/    who/" profiler.lua >who.lua
    "$host" --workload game.lua --profiler who.lua --ticks 30 --log who.log --command '10=Call("SupprofStart")' \
        --command '20=Call("SupprofStop")' || fail "sim_host who"
    [ "$(grep -c ' begin .*tick=10 ' who.log)" = "$1" ] && [ "$(grep -c ' end .* tick=20$' who.log)" = "$1" ] ||
        fail "who: $2 ${3:-}: $(cat who.log)"
}
granted 0 ''
grep -q '^info: cheats are asked for$' who.log && grep -q '^debug: supprof: not started: .* several people' who.log ||
    fail "who asks is told nothing: $(cat who.log)"
granted 1 'Cheats = true'
granted 1 'Replay = true'
granted 1 'Replay, Focus = true, -1'
granted 1 'ScenarioInfo.ArmySetup.ARMY_2.Human = false ScenarioInfo.ArmySetup.ARMY_2.AIPersonality = "easy"'
! grep -q 'cheats are asked for' who.log || fail "the engine takes that for an attempt to cheat"
granted 1 'ScenarioInfo.ArmySetup.ARMY_3 = {Human = false, AIPersonality = "easy"}'
granted 1 'ScenarioInfo.ArmySetup.ARMY_2 = nil'
granted 0 'function CheatsEnabled() error("none") end'
granted 0 'ScenarioInfo.ArmySetup.ARMY_3 = {Human = false, AIPersonality = "easy"}' '{cheats = true, players = {"first"}},'
granted 1 '' '{cheats = true, players = {"first", "second"}},'
granted 1 '' 'false,'
# It is done where the player sits who asks, as far as the engine tells.
granted 0 'Cheats, Focus = true, 1'
! grep -q 'supprof:' who.log || fail "somebody else is told: $(grep supprof: who.log)"
granted 1 'Cheats, Focus, GetFocusArmy = true, 1, nil'
granted 1 'Cheats, Focus, GetCurrentCommandSource = true, 1, nil'

checked=$((checked + 1))
record --ticks 30 --log raises.log --log-raises --command '10=StartProfiler()' \
    --command '25=StopProfiler()'
[ "$(grep -c '^warning: ' raises.log)" = "$errors" ] || fail "a LOG that raises errors"

# What it takes to write a line is no time of the game: a millisecond each makes no tick slow.
checked=$((checked + 1))
record --ticks 30 --own-time --log takes.log --log-takes 1 --command '10=StartProfiler()' --command '25=StopProfiler()'
lines=$(sed '1,/ prof: .* begin /d' takes.log | grep -c ' prof: ')
"$supprof" -q -f csv -o takes.csv takes.log || fail "supprof takes.log"
awk -F, -v lines="$lines" '{ self += $6 / 1000 }
    END { printf "%d lines of 1 ms, %.1f ms in the recording\n", lines, self
        exit lines < 1000 || self > lines / 10 }' takes.csv ||
    fail "the time that LOG takes is in the recording"

# No globals but the commands.
checked=$((checked + 1))
list='local n = {} for k in pairs(_G) do table.insert(n, tostring(k)) end table.sort(n)
for i = 1, table.getn(n) do LOG("global "..n[i]) end'
play --ticks 3 --log before.log --command "2=$list"
record --ticks 3 --log after.log --command "2=$list"
new=$(diff before.log after.log | sed -n 's/^> info: global //p' | tr '\n' ' ')
[ "$new" = "StartProfiler StopProfiler " ] || fail "new globals: $new"

# Memory: the same after 100 ticks of recording and after many, functions and threads aside. On the game's VM these
# have more events than a 32-bit float counts in ones.
checked=$((checked + 1))
[ "$lua51" = 1 ] && last=220 || last=1290
memory='collectgarbage() collectgarbage() LOG("memory "..string.format("%d", gcinfo()))'
play --ticks $last --log memory-plain.log --command "150=$memory" --command "$((last - 10))=$memory" \
    --set KILLS=0 --set ERRORS=0 --set FILES=10
record --ticks $((last + 10)) --log memory.log --command '50=StartProfiler()' --command "150=$memory" \
    --command "$((last - 10))=$memory" --command "$last=StopProfiler()" --set KILLS=0 --set ERRORS=0 \
    --set FILES=10
growth() {
    sed -n 's/^info: memory //p' "$1" | awk 'NR == 1 { first = $1 } END { print $1 - first }'
}
grown=$(($(growth memory.log) - $(growth memory-plain.log)))
echo "memory after $last ticks: $grown KB more than after 150"
[ $grown -le $((last / 4)) ] || fail "memory grew by $grown KB"

# What a recording took is free after it.
checked=$((checked + 1))
play --ticks 110 --log memory-plain.log --command "49=$memory" --command "102=$memory" --set KILLS=0 \
    --set ERRORS=0 --set FILES=10
record --ticks 110 --log memory-after.log --command "49=$memory" --command '50=StartProfiler()' \
    --command '100=StopProfiler()' --command "102=$memory" --set KILLS=0 --set ERRORS=0 --set FILES=10
kept=$(($(growth memory-after.log) - $(growth memory-plain.log)))
echo "memory after a recording: $kept KB more than before"
[ $kept -le 50 ] || fail "a recording leaves $kept KB"

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

# What the hook leaves is collected in the hook, and not in functions that allocate
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
    for i = 1, 10000 do nothing() end
end
-- 5.1 collects in steps, and when it is behind it makes one whenever anything looks, the way into the
-- hook too. So each step is a whole collection, as in the game.
function Begin()
    if _VERSION == 'Lua 5.1' then collectgarbage('setstepmul', 1000000) end
    watch()
    SimBeat = work
end
function Say() LOG('collections '..inHook..' '..elsewhere) end
END
"$host" --workload collections.lua --profiler profiler.lua --ticks 60 --log collections.log \
    --command '5=StartProfiler()' --command '6=Begin()' --command '55=Say()' ||
    fail "sim_host collections"
sed -n 's/^info: collections //p' collections.log >collections
read -r in_hook elsewhere <collections
[ "$in_hook" -gt 3 ] && [ $((elsewhere * 10)) -le "$in_hook" ] ||
    fail "$in_hook collections in the hook, $elsewhere elsewhere"

# So is what the game leaves, also where a table grows at once to twice its size. 5.1 does not tell when it
# collects. (The host collects at tick 70, outside all functions.)
checked=$((checked + 1))
cat >leaving.lua <<'END'
Live = {}
local live, list = Live, {}
for i = 1, 20000 do live[i] = {i, i + 1, i + 2} end
local function leave(i) return {i, {i}, {i, i, 'text'..i}} end
local function grow(i) table.insert(list, i) return i end
local function allocate()
    for i = 1, 2000 do leave(i) end
    for i = 1, 5000 do grow(i) end
    if table.getn(list) > 140000 then list = {} end
end
local begin = Begin
function Begin() begin() SimBeat = allocate end
END
if [ "$lua51" = 0 ]; then
    "$host" --workload collections.lua --workload leaving.lua --profiler profiler.lua --ticks 69 --log leaving.log \
        --command '5=StartProfiler()' --command '6=Begin()' --command '69=Say()' || fail "sim_host leaving"
    sed -n 's/^info: collections //p' leaving.log >collections
    read -r in_hook elsewhere <collections
    [ "$in_hook" -gt 3 ] && [ "$elsewhere" = 0 ] ||
        fail "what the game leaves: $in_hook collections in the hook, $elsewhere elsewhere"
fi

# For that the limit of the collector is raised by 48 MB while recording, and the recorder collects 32 MB
# above the limit that was; here both are played. It sees to it once in a line, and a tick has more than one.
checked=$((checked + 1))
cat >limit.lua <<'END'
Used, Limit = 1000, 2000
local tells, heeds = not rawget(_G, 'SILENT'), not rawget(_G, 'DEAF')
function gcinfo() return Used, tells and Limit or nil end
function collectgarbage(limit)
    LOG('collect '..(limit or 0))
    if Used >= (limit or 0) or not heeds then Used, Limit = 500, 1000 else Limit = limit end
end
local function nothing() end
function SimBeat()
    for i = 1, 1000 do nothing() end
end
END
# limits WANTED [OPTION]...: plays it, and checks which limits the recorder asks for; 0: collect now. It writes down
# what is in use after each collection, and the limit.
limits() {
    wanted=$1
    shift
    "$host" --workload limit.lua --profiler profiler.lua --ticks 40 --log limit.log \
        --command '10=StartProfiler()' --command '30=StopProfiler()' "$@" || fail "sim_host limit"
    found=$(sed -n 's/^info: collect //p' limit.log | paste -sd ' ' -)
    [ "$found" = "$wanted" ] || fail "limits of the collector: $found, not $wanted"
    found=$(sed -n 's/^info: prof: .* heap //p' limit.log | paste -sd ' ' -)
    [ "$found" = "$heaps" ] || fail "what collections left: $found, not $heaps"
}
# First it uses 16 MB, of a limit of 32 MB more, which it leaves, and gives the limit back.
heaps='500 2000'
limits '34768 0 2000 51152 2000' --command '15=Used = 34767'
heaps='500 2000 500 1000'
limits '34768 0 2000 51152 0 50152 1000' --command '15=Used = 34768'
heaps='500 2000 500 1200'
limits '34768 0 2000 51152 50352 1200' --command '15=Limit = 1200'
heaps='500 1000'
limits '34768 0 2000 50152 1000' --set DEAF=1
heaps=
limits '' --set SILENT=1
limits '' --without gcinfo
cp profiler.lua kept.lua
sed -i 's/^    collector = true,/    collector = false,/' profiler.lua
heaps='1000 2000 1000 1200'
limits '' --command '15=Limit = 1200'
cp kept.lua profiler.lua

# Runs of threads are timed before and after a recording that `from` starts, here of a thread that waits a tick each
# time, from the wait on by which it is met: not of those that the engine refuses to know, and not with reference = false.
# Meanwhile nothing stands in the place of WaitTicks, and a recording by hand has those after it.
checked=$((checked + 1))
cat >timed.lua <<'END'
local function wait() while true do WaitTicks(1) end end
for i = 1, 3 do ForkThread(wait) end
First = WaitTicks
function Look(when) LOG('place '..when..' '..tostring(WaitTicks == First)) end
END
sed 's/^    from = 60,/    from = 3,/; s/^    duration = 60,/    duration = 2,/' "$3/profiler.lua" >scheduled.lua
sed 's/^    trigger = false,/    trigger = {slow = 3, of = 10, ms = 100000, duration = 1, pause = 2},/' scheduled.lua >counted.lua
for file in scheduled.lua counted.lua; do
    "$host" --workload timed.lua --profiler $file --ticks 600 --log timed.log --command '20=Look("before")' \
        --command '40=Look("in it")' --command '60=Look("after")' --command '300=StartProfiler()' \
        --command '310=StopProfiler()' --command '350=StartProfiler()' || fail "sim_host timed"
    found=$(sed -n 's/^info: place //p' timed.log | paste -sd ';' -)
    [ "$found" = 'before false;in it true;after false' ] || fail "what stands for WaitTicks: $found"
    found=$(sed -n 's/^info: prof: .4 \(s[0-9]*\) [0-9]* reference \([a-z]*\) \([0-9]*\) \([0-9]*\) [0-9]* [0-9]* @timed.lua$/\1 \2 \3 \4/p' \
        timed.log | paste -sd ';' -)
    echo "$found" | grep -qE '^s1 before 1 (8[0-9]|90);s1 after 1 5[0-9][0-9];s2 after 1 1[01][0-9]$' || fail "runs that were timed: $found"
done
sed 's/^    reference = true,/    reference = false,/' scheduled.lua >untimed.lua
"$host" --workload timed.lua --profiler untimed.lua --ticks 80 --log timed.log --command '20=Look("before")' || fail "sim_host untimed"
grep -q ' reference ' timed.log && fail "reference = false: $(grep ' reference ' timed.log)"
grep -q '^info: place before true$' timed.log || fail "reference = false, and something stands for WaitTicks"
# While ticks are chosen, in a fifth of the others, and not with a trigger, which counts them itself.
checked=$((checked + 1))
sed "s/^    mode = 'exact',/    mode = 'sample',/; s/^    budget = 0.03,/    budget = 0.5,/
    s/^    duration = 2,/    duration = 50,/" scheduled.lua >between.lua
"$host" --workload timed.lua --profiler between.lua --ticks 560 --log timed.log --command '20=Look("before")' ||
    fail "sim_host between"
perl "$tests/events.pl" timed.log >/dev/null 2>timed.summary || fail "between chosen ticks: $(cat timed.summary)"
runs=$(sed -n 's/^info: prof: .4 s1 [0-9]* reference before 1 \([0-9]*\) [0-9]* [0-9]* @timed.lua$/\1/p' timed.log)
chosen=$(grep -c ' hook chosen ' timed.log)
[ "$runs" -gt 60 ] && [ "$runs" -le $(((500 - chosen) * 3 / 5)) ] || fail "runs between $chosen chosen ticks: $runs"
grep -A1 ' reference before ' timed.log | tail -1 | grep -q ' end ' || fail "between chosen ticks: $(tail -3 timed.log)"
sed 's/^    trigger = false,/    trigger = {slow = 3, of = 10, ms = 100000, duration = 1, pause = 2},/' between.lua >counted.lua
"$host" --workload timed.lua --profiler counted.lua --ticks 560 --log timed.log || fail "sim_host between, trigger"
grep -q ' reference ' timed.log && fail "runs between chosen ticks, with a trigger: $(grep ' reference ' timed.log)"

# Hooks of mods are appended to one chunk, which may have 200 local variables, and the host's has one. So
# the recorder takes no more than one.
locals=$(awk 'BEGIN { for (i = 1; i <= 198; i++) print "local variable" i " = " i }')
for place in before after; do
    checked=$((checked + 1))
    { [ $place = after ] || echo "$locals"; cat profiler.lua; [ $place = before ] || echo "$locals"; } >crowded.lua
    "$host" --workload "$tests/workload.lua" --profiler crowded.lua --ticks 20 --log crowded.log \
        --command '10=StartProfiler()' --command '15=StopProfiler()' && grep -q ' end .* tick=15$' crowded.log ||
        fail "198 local variables $place: $(grep '^warning: ' crowded.log)"
    checked=$((checked + 1))
    {
        echo 'function IN_AddKeyMapTable(keys) LOG("keys "..keys["Ctrl-Shift-O"].action) end
            function CreateUI(isReplay, parent) LOG("ui "..parent) end'
        [ $place = after ] || echo "$locals"
        cat "$3/src/mod/gamemain.lua"
        [ $place = before ] || echo "$locals"
    } >gamemain.lua
    "$host" --workload gamemain.lua --ticks 1 --log gamemain.log --command '1=CreateUI(false, "parent")' &&
        grep -q '^info: ui parent$' gamemain.log && grep -q '^info: keys UI_Lua SimCallback(.*SupprofStart' gamemain.log ||
        fail "198 local variables $place gamemain.lua: $(cat gamemain.log)"
done
# A function of the game's Lua may have 32 upvalues; 5.1 allows 60.
checked=$((checked + 1))
upvalues=$(luac5.1 -l -p "$3/profiler.lua" | sed -n 's/.*, \([0-9]*\) upvalues\{0,1\},.*/\1/p' | sort -n | tail -n 1)
[ "$upvalues" -gt 9 ] && [ "$upvalues" -le 32 ] || fail "a function with $upvalues upvalues"

# The settings memory = true and lines, together; a function that was not there is named.
checked=$((checked + 3))
generator=$(sed -n '/return function(n) -- 0 to n - 1/=' "$tests/workload.lua")
sed -i "s/^    memory = false,/    memory = true,/; s/^    lines = {},/    lines = {'Beat', 'NOWHERE.LUA:1', 'WORKLOAD.lua:$generator'},/" profiler.lua
record --ticks 40 --log options.log --command '10=StartProfiler()' --command '30=StopProfiler()'
perl "$tests/events.pl" options.log >/dev/null 2>options.summary || fail "$(cat options.summary)"
grep -q ' events .*[.A-Za-z][0-9]*+[0-9]' options.log || fail "no memory in events"
grep -q ' events .*:[a-z]' options.log || fail "no lines with memory"
grep -q ', and no function is Beat, NOWHERE.LUA:1$' options.log || fail "what was not found: $(grep supprof: options.log)"

# Memory counts for the function that took it, and neither for the recorder nor for others.
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

# There the events of memory.log are counted right (events.pl checks the end). Floats of 5.1 miss none.
checked=$((checked + 1))
[ "$lua51" = 1 ] || [ "$(sed -n 's/.* end .*events=\([0-9]*\).*/\1/p' memory.log)" -gt 16777216 ] ||
    fail "too few events for a float to miss any"
[ "$lua51" = 1 ] || perl "$tests/events.pl" memory.log >/dev/null 2>memory.summary || fail "$(cat memory.summary)"

# Settings that are wrong: one sentence on the screen and in the log, at the start and whoever starts it, and nothing
# is recorded. Others are none of this.
checked=$((checked + 1))
while IFS='|' read -r edit why; do
    sed "s/^    $edit/" "$3/profiler.lua" >settings.lua
    ! cmp -s "$3/profiler.lua" settings.lua || fail "no setting for $edit"
    "$host" --profiler settings.lua --ticks 12 --log settings.log --command '5=StartProfiler()' || fail "sim_host settings"
    for start in debug info; do
        [ -z "$why" ] || [ "$(grep -cxF "$start: supprof: not started: $why" settings.log)" = 2 ] ||
            fail "settings, $edit: $(cat settings.log)"
    done
    [ "$(grep -c ' begin ' settings.log)" = "$([ -n "$why" ] && echo 0 || echo 1)" ] && ! grep -q '^warning' settings.log ||
        fail "settings, $edit: $(cat settings.log)"
done <<'END'
duration = 60/durration = 60|there is no setting 'durration'; 'duration' is the nearest name
mode = 'exact'/mode = 'sampel'|the setting 'mode' has to be 'exact', 'sample' or 'watch', and is 'sampel'
trigger = false/trigger = {slow = 20}|the setting 'trigger.pause' has to be a number from 0 on, and is missing
trigger = false/trigger = {slow = 2, of = 5, mss = 150, duration = 3, pause = 3}|there is no setting 'trigger.mss'; 'trigger.ms' is the nearest name
trigger = false/trigger = {slow = 2, of = 5, ms = 150, duration = 3, pause = 3}|
trigger = false/trigger = true|the setting 'trigger' has to be a table, and is true
from = 60/from = '60'|the setting 'from' has to be false or a number from 0 on, and is '60'
benchmarks = {}/benchmarks = {{1}}|the setting 'benchmarks.1.2' has to be a number from 0 on, and is missing
benchmarks = {}/benchmarks = {{1, 2}}|
benchmarks = {}/benchmarks = false|
lines = {}/lines = 'Unit'|the setting 'lines' has to be a table, and is 'Unit'
lines = {}/lines = {7}|the setting 'lines.1' has to be a string, and is 7
lines = {}/lines = false|
who = { cheats/who = { cheat|there is no setting 'who.cheat'; 'who.cheats' is the nearest name
who = .*/who = false,|
slowTick = 100,/slowTick = nil,|the setting 'slowTick' has to be a number above 0, and is missing
budget = 0.03/budget = -1|the setting 'budget' has to be a number above 0, up to 1, and is -1
budget = 0.03/budget = 3|the setting 'budget' has to be a number above 0, up to 1, and is 3
budget = 0.03/budget = 0|the setting 'budget' has to be a number above 0, up to 1, and is 0
suspects = 0.01/suspects = -1|the setting 'suspects' has to be a number from 0 on, and is -1
duration = 60/duration = -1|the setting 'duration' has to be false or a number from 0 on, and is -1
longest = 500/longest = 0|the setting 'longest' has to be a number above 0, and is 0
trigger = false/trigger = {slow = 6, of = 5, ms = 150, duration = 3, pause = 3}|the setting 'trigger.slow' has to be at most trigger.of, 5, and is 6
trigger = false/trigger = {slow = 2, of = 5, ms = 0, duration = 3, pause = 3}|the setting 'trigger.ms' has to be a number above 0, and is 0
benchmarks = {}/benchmarks = {{1, 2}, {3, 2}}|the setting 'benchmarks.2.1' has to be at most benchmarks.2.2, 2, and is 3
memory = false/memory = 0|the setting 'memory' has to be true or false, and is 0
startKey = 'CTRL-O'/startKey = false|
startKey = 'CTRL-O'/startkey = false|there is no setting 'startkey'; 'startKey' is the nearest name
END
play --profiler "$3/profiler.lua" --ticks 12 --log settings.log --command '5=StartProfiler("ticks")'
grep -qxF "info: supprof: not started: the setting 'mode' has to be 'exact', 'sample' or 'watch', and is 'ticks'" settings.log ||
    fail "a mode that is not known: $(grep supprof: settings.log)"

# The schedule, and a benchmark of wall-clock time.
checked=$((checked + 1))
sed 's/^    from = 60,/    from = 2,/; s/^    duration = 60,/    duration = 3,/;
s/^    benchmarks = {},/    benchmarks = {{1, 2}},/' "$3/profiler.lua" >profiler.lua
record --ticks 100 --log schedule.log
grep -q ' begin .*tick=2[0-9] ' schedule.log && grep -q ' end .*tick=5[0-9]' schedule.log ||
    fail "the schedule: $(grep -E ' begin | end ' schedule.log)"
grep -q ' benchmark 1 2 [0-9.]' schedule.log || fail "no benchmark"

# What the mod has for players to check the game with writes the lines that it says.
checked=$((checked + 1))
"$host" --ticks 8 --log checks.log --command "2=$(cat "$3/src/mod/checks.lua")" || fail "sim_host checks"
sed -n 's/^--     info: /info: /p' "$3/src/mod/checks.lua" >wanted
[ "$lua51" = 0 ] || sed -i 's/float=true/float=false/; s/marks=1/marks=0/' wanted
grep ' check ' checks.log | sed 's/clock=.*/clock=6.1e-05 after 200/' | diff wanted - >differ ||
    fail "the checks: $(cat differ)"

# The game waits from tick to tick: 95 ms at normal speed, more where it is slow for other reasons than Lua, and it is
# paused for minutes. None of that is a slow tick, starts a recording, or is recorded.
sed 's/^    from = 60,/    from = false,/; s/^    slowTick = 100,/    slowTick = 40,/
s/^    trigger = false,/    trigger = {slow = 3, of = 10, ms = 30, duration = 1, pause = 2},/' "$3/profiler.lua" >profiler.lua
cat >waits.lua <<'END'
local read = GetSystemTimeSecondsOnlyForProfileUse
local function leaf(n) return n end
local function burn(seconds)
    local start = read()
    while read() - start < seconds do
        for i = 1, 5000 do local x = i * i end
        leaf(1)
    end
end
function SimBeat()
    WAIT_MS = GetGameTick() == 47 and PAUSE_MS or USUAL_MS
end
ForkThread(function() while true do burn(GetGameTick() > SLOW_FROM and 0.05 or 0.002) WaitTicks(1) end end)
END
# waits NAME MODE USUAL_MS PAUSE_MS SLOW_FROM [OPTION]...
waits() {
    checked=$((checked + 1))
    sed "s/^    mode = 'exact',/    mode = '$2',/; s/^    budget = 0.03,/    budget = $budget,/" profiler.lua >mode.lua
    name=$1
    usual=$3
    pause=$4
    slow_from=$5
    shift 5
    "$host" --workload waits.lua --profiler mode.lua --own-time --set USUAL_MS="$usual" --set PAUSE_MS="$pause" \
        --set SLOW_FROM="$slow_from" --log "$name.log" "$@" || fail "sim_host waits"
    perl "$tests/events.pl" "$name.log" >/dev/null 2>waits.summary || fail "$name: $(cat waits.summary)"
}
budget=0.3
for mode in exact sample; do
    for usual in 0 95 190; do
        waits waits $mode $usual 300000 9999 --ticks 120 --command '20=StartProfiler()' --command '110=StopProfiler()'
        grep -q '^debug: supprof: .*, 0 ticks over 40 ms$' waits.log && [ "$(grep -c ' begin ' waits.log)" = 1 ] ||
            fail "$mode, waits of $usual ms: $(grep supprof: waits.log)"
        "$supprof" -q --slow-over 40 waits.log | grep -Eq 'No tick was slow|None of [0-9]+ ticks' || [ $mode = sample ] ||
            fail "$mode, waits of $usual ms: $("$supprof" -q --slow-over 40 waits.log | head -n 3)"
        share=$(sed -n 's/.* end .* share=\([^ ]*\) .*/\1/p' waits.log)
        awk -v mode=$mode -v share="$share" 'BEGIN { exit mode == "sample" && !(share > 0.1 && share < 0.9) }' ||
            fail "$mode, waits of $usual ms: a share of $share"
        waits idle $mode $usual 300000 9999 --ticks 120
        ! grep -q 'supprof:' idle.log || fail "waits of $usual ms start a recording: $(grep supprof: idle.log)"
    done
done
# Where Lua is what takes long, it does, also with waits, and whole where the rest of the game is sampled.
waits slow exact 95 95 50 --ticks 95
grep -q '^debug: supprof: threads took 30 ms in \([3-9]\|10\) ticks of 10$' slow.log &&
    grep ' begin ' slow.log | grep -q ' mode=exact .* tick=[5-9][0-9] ' && grep -q ' [1-9][0-9]* ticks over 40 ms$' slow.log ||
    fail "the trigger: $(grep -E 'supprof:| begin ' slow.log)"
budget=0.02
waits slow sample 95 95 50 --ticks 95 --command '20=StartProfiler()' --command '90=StopProfiler()'
[ "$(grep -c ' begin ' slow.log)" = 1 ] && grep -q ' hook slow [5-9][0-9]$' slow.log ||
    fail "the trigger, sampled: $(grep -E 'supprof:| hook ' slow.log)"
whole=$(sed -n '/ hook slow /,/ end /p' slow.log | grep -o '#[0-9]*' | sort -u | wc -l)
[ "$whole" -ge 8 ] || fail "the trigger, sampled: $whole ticks"
# Clocks that are too coarse for the length of a tick say no slow ticks.
checked=$((checked + 1))
for hertz in 500 64; do
    echo "local read = GetSystemTimeSecondsOnlyForProfileUse
        function GetSystemTimeSecondsOnlyForProfileUse() return math.floor(read() * $hertz) / $hertz end" >clock.lua
    record --own-time --ticks 30 --log coarse.log --workload clock.lua --command '10=StartProfiler()' --command '20=StopProfiler()'
    grep -q '^debug: supprof: recording\(, after a hitch of [0-9]* ms\)\{0,1\}, but the clock is too coarse for times: 0.0[01][0-9]* s$' coarse.log &&
        grep -q "^debug: supprof: [0-9]* events in the game's log$" coarse.log || fail "coarse: $(grep supprof: coarse.log)"
    grep -q " begin .* step=0.0[01][0-9]* " coarse.log || fail "coarse: $(grep ' begin ' coarse.log)"
done

# After a saved game was loaded nothing is left that keeps it from starting again.
checked=$((checked + 1))
echo 'function OnPostLoad() LOG("loaded") end' >load.lua
"$host" --workload load.lua --profiler profiler.lua --ticks 40 --log load.log \
    --command '10=StartProfiler()' --command '15=debug.sethook() OnPostLoad()' \
    --command '20=StartProfiler()' --command '30=StopProfiler()' || fail "sim_host load"
[ "$(grep -c ' begin ' load.log)" = 2 ] && grep -q '^info: loaded' load.log ||
    fail "after loading: $(grep -E ' begin | end ' load.log)"

finish checks 80
