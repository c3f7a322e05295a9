-- budget.lua - games for budget.py: run as sim_host --workload, with KIND and SEED set.
--
-- KIND 1: ticks that are alike; 2: in every other tick five times as much; 3: a C function takes
-- long in one tick of 50; 4: tail calls. In the overlap of Lua 5.0 and 5.1; see workload.lua.
do
    local floor, mod, insert, sort = math.floor, math.mod, table.insert, table.sort
    local LONG, CALLS = 50, 20
    local state = SEED

    -- Exact in a 32-bit float.
    local function random(below)
        state = mod(state * 171 + 11213, 53125)
        return floor(state / 53125 * below)
    end

    local function count(turns)
        local sum = 0
        for i = 1, turns do
            sum = sum + i * i
        end
        return sum
    end

    local function inner(turns)
        return count(turns) + floor(turns / 2)
    end

    local function outer(turns)
        local list = {}
        for i = 1, 5 do
            insert(list, inner(turns))
        end
        return list
    end

    local function last(turns)
        local sum = count(turns)
        return sum
    end

    local function pass(turns, depth)
        if depth == 0 then
            return last(turns)
        end
        return pass(turns, depth - 1)
    end

    local numbers = {}
    local function sortMany()
        for i = 1, 6000 do
            numbers[i] = mod(i * 7919, 6007)
        end
        sort(numbers)
    end

    local function work(times)
        for i = 1, times do
            outer(60 + random(80))
            if KIND == 4 then
                pass(60 + random(80), 5)
            end
        end
    end

    -- As in a game, most of Lua runs in threads, before and after that of the recorder.
    local function run(times)
        while true do
            work(times)
            WaitTicks(1)
        end
    end
    local function fork()
        for i = 1, 20 do
            ForkThread(run, CALLS / 10)
        end
    end
    fork()

    local longTick = random(LONG)
    function SimBeat()
        local tick = GetGameTick()
        if tick == 20 then
            fork()
        end
        local isLong = mod(tick, LONG) == longTick
        if isLong then
            longTick = random(LONG)
        end
        work(KIND == 2 and mod(tick, 2) == 0 and 5 * CALLS or CALLS)
        if KIND == 3 and isLong then
            sortMany()
        end
    end
end
