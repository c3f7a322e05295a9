#!/bin/sh
# chosen_ticks.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# Recordings of ticks that are chosen by chance.
# shellcheck source=tests/recorder/host.sh
. "$(dirname "$0")/host.sh"

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
# of somebody else stays; a tick in which it came is no chosen one. Seeds differ from game to game: in one of 65, the
# tick in which the recording ends is chosen, and cut.
checked=$((checked + 1))
look='LOG("hook "..tostring(debug.gethook() ~= nil))'
sampled 0.3 500 budget --ticks 600 --command '10=StartProfiler()' --command '590=StopProfiler()' --command "592=$look" \
    --command '200=Other = function() end debug.sethook(Other, "c")' --command '400=debug.sethook() Other = false'
perl "$tests/events.pl" budget.log >/dev/null 2>budget.summary || fail "sampled: $(cat budget.summary)"
grep -q '^debug: supprof: recording: 60 ticks take about 4 minutes\(, after a hitch of [0-9]* ms\)\{0,1\}$' budget.log || fail "the start: $(grep supprof: budget.log)"
awk '/ hook chosen / { count++; ticks += $NF; last = $(NF - 1) } / hook (left|lost) / { left++ } / end / { end = $0 } END {
    sub(/.* mode=ticks /, "", end); split(end, keys, /[ =]/)
    exit !(count > 2 && keys[2] >= count - 1 && keys[2] <= count && left >= count - 1 && left <= count && keys[4] == 580 && ticks > 300 && ticks < 800 &&
        keys[6] > 0.15 && keys[6] < 0.6 && keys[8] == (last == 590)) }' budget.log ||
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

finish checks 9
