#!/bin/sh
# settings.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# What starts a recording, who may, what settings say, and what is timed around it.
# shellcheck source=tests/recorder/host.sh
. "$(dirname "$0")/host.sh"

# The player's own file in the mod's folder sets what it names, and is checked as the table is.
cat >files.lua <<'END'
function DiskGetFileInfo(path) return path == FOLDER .. '/supprof/settings.lua' and {} end
function doscript(path, environment)
    local run, fault = loadfile('settings.lua')
    setfenv(run or error(fault), environment)
    run()
end
END
# own FOLDER TEXT PATTERN [TICKS]: with a file of the text, the log has a line that fits.
own() {
    checked=$((checked + 1))
    echo "FOLDER = '$1'" | cat - files.lua >folder.lua
    echo "$2" >settings.lua
    "$host" --workload folder.lua --profiler profiler.lua --ticks "${4:-40}" --log own.log || fail "sim_host with '$2'"
    grep -q "$3" own.log || fail "settings.lua with '$2': $(cat own.log)"
}
own /mods 'from = 1 duration = 2' ' prof: .* begin '
own /usermods 'from = 1 duration = 2' ' prof: .* begin '
# A whole game is sampled, as README says.
own /mods "from = 1 mode = 'sample' duration = false" ' begin .* mode=ticks ' 640
! grep -q ' end ' own.log || fail "a sampled game: $(grep ' end ' own.log)"
own /mods 'from = 1' "info: supprof: settings from /mods/supprof/settings.lua"
own /mods 'form = 1' "not started: there is no setting 'form'; 'from' is the nearest name"
own /mods 'from = "x"' "not started: the setting 'from' has to be "
own /mods 'from = ' 'not started: the file /mods/supprof/settings.lua cannot be read: .*settings.lua:'
# Also what cannot be looked at: the game starts all the same.
for text in 'trigger = {[true] = 1}' 'lines = {[{}] = "text"}'; do
    own /mods "$text" '^info: supprof: not started: the settings cannot be read: '
    ! grep -q '^warning: ' own.log || fail "settings.lua with '$text': $(cat own.log)"
done
own /elsewhere 'form = 1 from = 1' '.'
! grep -q 'supprof: ' own.log || fail "a file of another folder was read: $(grep supprof: own.log)"

# Two recorders in one state: a start that is refused says so. With one, it does not.
for times in 1 2; do
    checked=$((checked + 1))
    sed 's/^    from = 60,/    from = 1,/' "$3/profiler.lua" >once.lua
    for _ in $(seq $times); do cat once.lua; done >installed.lua
    "$host" --profiler installed.lua --ticks 40 --log twice.log --command '30=StartProfiler()' || fail "sim_host twice"
    found=$(sed -n 's/^info: supprof: not started: //p' twice.log | sort -u)
    said='a recording is going on already'
    [ $times = 1 ] || said="$said, and profiler.lua is installed twice"
    [ "$found" = "$said" ] || fail "installed $times times: $found"
done

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
# The thread that sees to the memory meanwhile is no part of a recording that begins then: once it waits, to the end.
"$host" --workload timed.lua --profiler scheduled.lua --ticks 80 --log timed.log --command '60=StartProfiler()' \
    --command '70=StopProfiler()' || fail "sim_host timed, by hand"
waits=$(perl "$tests/events.pl" timed.log 2>timed.summary | sed -n 's/^call\tC:First\t//p' | tail -n 1)
[ "$waits" = 41 ] || fail "waits of three threads and two of ours in ten ticks: $waits"
sed 's/^    reference = true,/    reference = false,/' scheduled.lua >untimed.lua
"$host" --workload timed.lua --profiler untimed.lua --ticks 80 --log timed.log --command '20=Look("before")' || fail "sim_host untimed"
grep -q ' reference ' timed.log && fail "reference = false: $(grep ' reference ' timed.log)"
grep -q '^info: place before true$' timed.log || fail "reference = false, and something stands for WaitTicks"
# While ticks are chosen, in a tenth of the others, and not with a trigger, which counts them itself.
checked=$((checked + 1))
sed "s/^    mode = 'exact',/    mode = 'sample',/; s/^    budget = 0.03,/    budget = 0.5,/
    s/^    duration = 2,/    duration = 50,/" scheduled.lua >between.lua
"$host" --workload timed.lua --profiler between.lua --ticks 560 --log timed.log --command '20=Look("before")' ||
    fail "sim_host between"
perl "$tests/events.pl" timed.log >/dev/null 2>timed.summary || fail "between chosen ticks: $(cat timed.summary)"
runs=$(sed -n 's/^info: prof: .4 s1 [0-9]* reference before 1 \([0-9]*\) [0-9]* [0-9]* @timed.lua$/\1/p' timed.log)
chosen=$(grep -c ' hook chosen ' timed.log)
[ "$runs" -gt 60 ] && [ "$runs" -le $(((500 - chosen) * 3 / 10 + 6)) ] || fail "runs between $chosen chosen ticks: $runs"
grep -A1 ' reference before ' timed.log | tail -1 | grep -q ' end ' || fail "between chosen ticks: $(tail -3 timed.log)"
# Most threads wait for whole seconds, and so for ten ticks or twenty: those of each phase are timed equally often.
# Of threads that wait once, what comes before that is timed as often as what comes after, to their end.
cat >phases.lua <<'END'
local text = 'local function wait%d() WaitTicks(%d) while true do WaitTicks(%d) end end ForkThread(wait%d)\n'
for i = 1, 20 do
    assert(loadstring(string.rep('\n', i)..string.format(text, i, i, math.mod(i, 2) * 10 + 10, i), '@phases.lua'))()
end
text = 'local function once() WaitTicks(7) end\nForkThread(function() while true do ForkThread(once) WaitTicks(1) end end)'
assert(loadstring(string.rep('\n', 30)..text, '@phases.lua'))()
END
sed 's/^    duration = 50,/    duration = 200,/' between.lua >long.lua
"$host" --workload phases.lua --profiler long.lua --ticks 2060 --log phases.log || fail "sim_host phases"
sed -n 's/^info: prof: .4 s1 [0-9]* reference before \([0-9]*\) \([0-9]*\) [0-9]* [0-9]* @phases.lua$/\1 \2/p' phases.log >phases
[ "$(grep -c . phases)" = 22 ] || fail "phases that were timed: $(paste -sd ';' phases)"
awk '{ runs[$1] = $2 } END { exit !(runs[31] > 1.8 * runs[32] && runs[31] <= 2 * runs[32] + 8) }' phases ||
    fail "first and last runs: $(paste -sd ';' phases)"
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
startKey = 'CTRL-O'/startKey = true|the setting 'startKey' has to be a string or false, and is true
stopKey = 'CTRL-P'/stopKey = {1}|the setting 'stopKey' has to be a string or false, and is a table
duration = 60/duration = 1 \/ 0|the setting 'duration' has to be false or a number from 0 on, and is inf
trigger = false/trigger = {slow = 1, of = 1 \/ 0, ms = 150, duration = 3, pause = 3}|the setting 'trigger.of' has to be a number above 0, and is inf
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

finish checks 40
