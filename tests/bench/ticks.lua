-- ticks.lua - ticks of known length, for ticks.py: run as sim_host --workload.
--
-- What a tick does depends on its number alone: some of all kinds of work with long loops between
-- them, and in SPIKES much of one. While nothing is recorded, the whole tick is timed;
-- TicksReport() logs "truth <tick> <seconds>" for each. In the overlap of Lua 5.0 and 5.1; see
-- workload.lua.
do
    local floor, format = math.floor, string.format

    local function add(a, b)
        return a + b
    end

    local function count(turns)
        local sum = 0
        for i = 1, turns do
            sum = sum + i * i
        end
        return sum
    end

    local function tree(depth)
        if depth == 0 then
            return 1
        end
        return tree(depth - 1) + tree(depth - 1)
    end

    local function isLess(a, b)
        return a < b
    end

    local shared = {}
    for i = 1, 40 do
        shared['key' .. i] = i
    end

    -- Kinds of work, each of about the same time for an amount of 1 while nothing is recorded.
    local kinds = {
        function(amount) -- many short calls
            local sum = 0
            for i = 1, amount * 60 do
                sum = add(sum, i)
            end
        end,
        function(amount) -- C functions
            local sum = 0
            for i = 1, amount * 50 do
                sum = sum + floor(i / 3)
            end
        end,
        function(amount) -- few calls
            for i = 1, amount do
                count(300)
            end
        end,
        function(amount) -- recursion
            for i = 1, amount do
                tree(5)
            end
        end,
        function(amount) -- iterators
            local sum = 0
            for i = 1, amount do
                for key, value in pairs(shared) do
                    sum = sum + value
                end
            end
        end,
        function(amount) -- callbacks
            for i = 1, amount / 2 do
                local list = {}
                for k = 1, 12 do
                    list[k] = math.mod(k * 7, 13)
                end
                table.sort(list, isLess)
            end
        end,
        function(amount) -- text
            for i = 1, amount do
                for k = 1, 8 do
                    local text = string.sub(format('%d-%s', k, 'unit'), 1, 4)
                end
            end
        end,
    }
    -- These ticks have much more of a kind of work, or a long loop in one function.
    local SPIKES = { [100] = { 1, 4000, 0 }, [130] = { 3, 4000, 0 }, [160] = { 4, 0, 2000000 } }

    local function work(tick)
        local state = tick
        for i = 1, table.getn(kinds) do
            state = math.mod(state * 171 + 11213, 53125)
            kinds[i](math.mod(state, 60))
            count(math.mod(state, 40) * 1000)
        end
        if SPIKES[tick] then
            kinds[SPIKES[tick][1]](SPIKES[tick][2])
            count(SPIKES[tick][3])
        end
    end

    -- Kept, so that --without can take it from the profiler.
    local preciseClock, gethook = GetTimeForProfile, debug.gethook
    local truth = {}

    function SimBeat()
        local tick = GetGameTick()
        -- Chance would choose the tick that pays for a collection. The host makes some itself.
        if _VERSION == 'Lua 5.1' then
            collectgarbage('stop')
        else
            collectgarbage(1000000)
        end
        if gethook() then
            work(tick)
            return
        end
        local origin = preciseClock(0)
        local start = preciseClock(origin)
        work(tick)
        truth[tick] = preciseClock(origin) - start
    end

    function TicksReport()
        for tick, seconds in pairs(truth) do
            LOG(format('truth %d %.9g', tick, seconds))
        end
    end
end
