-- Random programs, from SEED: calls, tail calls, caught errors, comparators, metamethods, waits,
-- forks, kills, functions of the engine that call back, on the same or on the main thread, and
-- coroutines that are kept and resumed from anywhere. DEPTH and BUDGET say how deep and how long
-- they are.
local create, resume = coroutine.create, coroutine.resume
local yield, wrap = coroutine.yield, coroutine.wrap
local WaitTicks, Callback, CallbackOnMain = WaitTicks, Callback, CallbackOnMain
local KillThread, ForkThread = KillThread, ForkThread

-- 1 to n. All of its numbers are exact in a 32-bit float.
local seed = math.mod(SEED * 977 + 13, 53125)
local function random(n)
    seed = math.mod(seed * 171 + 11213, 53125)
    return math.mod(math.floor(seed / 7), n) + 1
end

local budget = 0
local coroutines, threads = {}, {}
local actions = {}
local function leaf(x)
    return x
end
local function act(d)
    budget = budget - 1
    if d <= 0 or budget < 0 then
        return leaf(d)
    end
    return actions[random(table.getn(actions))](d - 1)
end
local function first(d)
    leaf(d)
    act(d)
    leaf(d)
end
local function second(d)
    leaf(d)
    return act(d)
end
local function third(d)
    act(d)
    act(d)
    return leaf(d)
end
local function choose()
    return ({ first, second, third })[random(3)]
end
Chunk, Argument = first, 1

local meta = setmetatable({}, {
    __index = function(t, key)
        act(key)
        return key
    end,
    __call = function(t, d)
        return act(d)
    end,
    __add = function(t, d)
        act(d)
        return d
    end,
    __tostring = function()
        act(1)
        return 'text'
    end,
})

actions = {
    function(d)
        choose()(d)
    end,
    function(d)
        return choose()(d)
    end,
    function(d)
        leaf(d)
    end,
    function(d)
        first(d)
        leaf(2)
        first(d)
    end,
    function(d)
        loadstring('local f, d = Chunk, Argument f(d)')()
    end,
    -- Errors.
    function(d)
        pcall(choose(), d)
        leaf(d)
    end,
    function(d)
        return pcall(act, d)
    end,
    function(d)
        pcall(pcall)
        leaf(d)
    end,
    function(d)
        error({ d })
    end,
    function(d)
        error('text')
    end,
    function(d)
        local x = nil + d
    end,
    function(d)
        xpcall(function()
            act(d)
        end, function(message)
            leaf(message)
            if random(3) == 1 then
                act(1)
            end
            return message
        end)
        leaf(d)
    end,
    -- C functions that call back, and metamethods.
    function(d)
        table.sort({ 3, 1, 2 }, function(a, b)
            if random(3) == 1 then
                act(d)
            end
            return a < b
        end)
        leaf(d)
    end,
    function(d)
        string.gsub('ab', '%a', function(letter)
            act(d)
            return letter
        end)
    end,
    function(d)
        table.foreach({ 1, 2 }, function(key)
            act(d)
            if random(4) == 1 then
                return key
            end
        end)
    end,
    function(d)
        leaf(meta[d])
    end,
    function(d)
        return meta(d)
    end,
    function(d)
        leaf(meta + d)
        tostring(meta)
    end,
    -- The engine: its functions log the errors of what they call.
    function(d)
        CallbackOnMain(choose(), d)
        leaf(d)
    end,
    function(d)
        return CallbackOnMain(act, d)
    end,
    function(d)
        Callback(choose(), d)
        leaf(d)
    end,
    function(d)
        Callback()
    end,
    -- Threads.
    function(d)
        yield(1)
        leaf(d)
    end,
    function(d)
        WaitTicks(1)
        leaf(d)
    end,
    function(d)
        WaitTicks(random(3))
        return leaf(d)
    end,
    function(d)
        table.insert(threads, ForkThread(choose(), d))
        if table.getn(threads) > 8 then
            KillThread(table.remove(threads, 1))
        end
    end,
    function(d)
        local thread = threads[random(8)]
        if thread then
            KillThread(thread)
            leaf(d)
        end
    end,
    -- Coroutines that the engine does not know.
    function(d)
        local new = create(function(x)
            first(x)
            yield(1)
            second(x)
            yield(2)
            third(x)
        end)
        table.insert(coroutines, new)
        resume(new, d)
        leaf(d)
    end,
    function(d)
        local old = coroutines[random(5)]
        if old then
            resume(old, d)
        end
        leaf(d)
    end,
    function(d)
        local old = table.remove(coroutines, 1)
        if old then
            for i = 1, 3 do
                resume(old, d)
            end
        end
    end,
    function(d)
        for value in
            wrap(function()
                for i = 1, random(3) do
                    act(d)
                    yield(i)
                end
            end)
        do
            leaf(value)
        end
    end,
}

function SimBeat()
    budget = BUDGET
    for i = 1, 4 do
        pcall(first, DEPTH)
        leaf(i)
    end
    budget = 60
    third(4)
    leaf(9)
end
for i = 1, 4 do
    ForkThread(function()
        while true do
            budget = 80
            pcall(first, 5)
            leaf(1)
            WaitTicks(1)
            leaf(2)
            third(2)
            WaitTicks(1)
            ForkThread(second, 4)
        end
    end)
end
