#!/bin/sh
# memory.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# The memory and the time of the recorder itself: they are not those of the game.
# shellcheck source=tests/recorder/host.sh
. "$(dirname "$0")/host.sh"

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

# For that the limit of the collector is raised while recording, and the recorder collects at half as much again,
# 1 to 32 MB above the limit that was; here both are played. It sees to it once in a line, and a tick has more than one.
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
limits '34768 0 2000 19408 2000' --command '15=Used = 3023'
heaps='500 2000 500 1000'
limits '34768 0 2000 19408 0 18408 1000' --command '15=Used = 3024'
heaps='500 2000 500 1200'
limits '34768 0 2000 19408 18608 1200' --command '15=Limit = 1200'
heaps='500 1000'
limits '34768 0 2000 18408 1000' --set DEAF=1
heaps='500 20000'
limits '52768 0 20000 46384 20000' --command '9=Limit = 20000'
heaps='500 100000 500 1000'
limits '132768 0 100000 149152 0 18408 1000' --command '9=Limit = 100000' --command '15=Used = 132768'
heaps=
limits '' --set SILENT=1
limits '' --without gcinfo
cp profiler.lua kept.lua
sed -i 's/^    collector = true,/    collector = false,/' profiler.lua
heaps='1000 2000 1000 1200'
limits '' --command '15=Limit = 1200'
# It is raised while runs of threads are timed, too, so that none has a collection: before a recording, here to tick 10,
# and after it, to the next at tick 38. There nothing is written down.
sed 's/^    from = false,/    from = 3.8,/' kept.lua >profiler.lua
heaps='500 1000 500 1000'
limits '19408 0 18408 1000 33768 0 1000 18408 1000 18408 1000 33768 0 1000 18408' --command '5=Used = 2000'
# Where the thread that sees to it is killed, the runs of others end that, before a recording and after it.
cat >kill.lua <<'END'
local fork, ours = ForkThread, {}
fork(function() while true do WaitTicks(1) end end)
function ForkThread(f, ...)
    table.insert(ours, fork(f, unpack(arg, 1, arg.n)))
    return ours[table.getn(ours)]
end
function Kill()
    for i = 1, table.getn(ours) do KillThread(ours[i]) end
end
END
for code in '5=Kill()' '6=StartProfiler() StopProfiler() ForkThread(Kill)'; do
    "$host" --workload limit.lua --workload kill.lua --profiler profiler.lua --ticks 300 --log kill.log \
        --command "$code" --command '7=LOG("limit "..Limit)' --command '299=LOG("limit "..Limit)' || fail "sim_host kill"
    found=$(sed -n 's/^info: limit //p' kill.log | paste -sd ' ' -)
    case $found in '19408 2000' | '18408 1000') ;; *) fail "a thread killed by $code, and limits: $found" ;; esac
done
# Where ticks are chosen, it is raised for those between them whose runs are timed.
sed -i "s/^    mode = 'exact',/    mode = 'sample',/" profiler.lua
"$host" --workload limit.lua --profiler profiler.lua --ticks 100 --log limit.log --command '10=StartProfiler()' ||
    fail "sim_host limit, with chosen ticks"
found=$(sed -n 's/^info: collect //p' limit.log | paste -sd ' ' -)
case $found in
'34768 0 2000 19408 2000 19408 2000 19408 2000 19408 2000 19408 '*) ;;
*) fail "limits of the collector beside chosen ticks: $found" ;;
esac
cp kept.lua profiler.lua

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

finish checks 12
