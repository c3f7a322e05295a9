#!/bin/sh
# no_harm.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# Nothing new fails in the game, whatever it lacks, whatever its clock does, and whoever has a hook.
# shellcheck source=tests/recorder/host.sh
. "$(dirname "$0")/host.sh"

# What fails in the game without the recorder.
play --ticks 30 --log plain.log
errors=$(grep -c '^warning: ' plain.log)

# Start, stop, start again; starting twice and stopping twice do nothing.
checked=$((checked + 1))
record --ticks 60 --log twice.log --command '5=StopProfiler()' --command '10=StartProfiler()' \
    --command '12=StartProfiler()' --command '20=StopProfiler()' --command '30=StartProfiler()' \
    --command '40=StopProfiler()' --command '41=StopProfiler()'
perl "$tests/events.pl" twice.log >/dev/null 2>twice.summary || fail "twice: $(cat twice.summary)"
[ "$(grep -c ' begin ' twice.log)" = 2 ] && [ "$(grep -c ' end ' twice.log)" = 2 ] ||
    fail "two recordings: $(grep -cE ' begin | end ' twice.log)"

# By itself, as it comes, a recording has runs of threads timed around it.
sed 's/^    from = 60,/    from = 1,/; s/^    duration = 60,/    duration = 0.8,/' "$3/profiler.lua" >scheduled.lua
grep -q '^    from = 1,' scheduled.lua || fail "no setting 'from' in profiler.lua"

# Whatever the engine lacks, and whatever LOG does, nothing new fails in the game.
for missing in LOG GetSystemTimeSecondsOnlyForProfileUse GetGameTick GetGameTimeSeconds CurrentThread \
    ForkThread WaitFor SuspendCurrentThread KillThread SimConExecute gcinfo debug.getinfo; do
    checked=$((checked + 1))
    for file in profiler scheduled; do
        play --profiler $file.lua --ticks 30 --log "without.log" --without $missing --command '10=StartProfiler()' \
            --command '25=StopProfiler()'
        [ "$(grep -c '^warning: ' without.log)" = "$errors" ] ||
            fail "without $missing, $file: $(grep '^warning: ' without.log | sort | uniq -c | sort -rn | head -3)"
    done
done

# A mod may have put anything in the place of what only tells the time.
for code in 'error("none")' 'return "text"' ''; do
    checked=$((checked + 1))
    echo "function GetGameTimeSeconds() $code end" >time.lua
    record --ticks 30 --log time.log --workload time.lua --command '10=StartProfiler()' --command '15=StopProfiler()'
    [ "$(grep -c '^warning: ' time.log)" = "$errors" ] && grep -q ' begin .* time=? ' time.log && grep -q ' end .*tick=15$' time.log ||
        fail "GetGameTimeSeconds() with $code: $(grep "^warning: " time.log | sort | uniq -c | tail -n 2)"
done

# And of what tells the memory in use.
for code in 'error("none")' 'return "text", 1' 'return nil, 1' 'return {}, {}' 'return 0/0, 0/0' 'return -1, -2' ''; do
    checked=$((checked + 1))
    echo "function gcinfo() $code end" >used.lua
    for file in profiler scheduled; do
        play --profiler $file.lua --ticks 30 --log used.log --workload used.lua --command '24=StartProfiler()' \
            --command '28=StopProfiler()'
        [ "$(grep -c '^warning: ' used.log)" = "$errors" ] && grep -q ' end .*tick=28' used.log ||
            fail "gcinfo() with $code, $file: $(grep "^warning: " used.log | sort | uniq -c | tail -n 2)"
    done
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
    play --profiler scheduled.lua --ticks 30 --log scheduled.log --workload clock.lua
    [ "$(grep -c '^warning: ' clock.log)" = "$errors" ] && [ "$(grep -c '^warning: ' scheduled.log)" = "$errors" ] ||
        fail "clock $now: $(cat clock.log scheduled.log | grep '^warning: ' | sort | uniq -c | sort -rn | head -3)"
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
# One of C, as that of the game's debugger, is shown as a text, which no Lua can set.
checked=$((checked + 1))
cat >external.lua <<'END'
local get, set, isExternal = debug.gethook, debug.sethook, true
function debug.gethook()
    if isExternal then return 'external hook', 'crl', 0 end
    return get()
end
function debug.sethook(...)
    isExternal = false
    set(unpack(arg))
end
END
record --ticks 30 --log external.log --workload external.lua --command '10=StartProfiler()' --command '20=StopProfiler()'
[ "$(grep -c '^warning: ' external.log)" = "$errors" ] && grep -q ' end .* tick=20$' external.log ||
    fail "a hook of C: $(grep -E '^warning: .*hook| hook | end ' external.log)"
for missing in debug.sethook GetSystemTimeSecondsOnlyForProfileUse; do
    record --ticks 20 --log why.log --without $missing --command '10=StartProfiler()'
    grep -q '^debug: supprof: not started: there is no ' why.log || fail "without $missing there is no message"
done

# All that a start takes is in the hitch that it says, also where functions are looked for.
checked=$((checked + 1))
cat >names.lua <<'END'
__modules = setmetatable({}, {__index = {}})
local all = pairs
function pairs(members)
    if members == __modules then TakeTime(70000) end
    return all(members)
end
END
record --own-time --ticks 20 --log hitch.log --workload names.lua --command '10=StartProfiler()'
grep -qE '^debug: supprof: recording, after a hitch of ([7-9]|[1-9][0-9])[0-9] ms$' hitch.log ||
    fail "the hitch of a start: $(grep supprof: hitch.log)"

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

checked=$((checked + 1))
record --ticks 30 --log raises.log --log-raises --command '10=StartProfiler()' \
    --command '25=StopProfiler()'
[ "$(grep -c '^warning: ' raises.log)" = "$errors" ] || fail "a LOG that raises errors"

finish checks 30
