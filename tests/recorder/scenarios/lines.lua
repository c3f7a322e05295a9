-- Functions whose lines are recorded, and others: loops, recursion, calls of each other, tail
-- calls, errors, threads that wait, are killed or die, coroutines, callbacks of C functions,
-- statements of several lines. What is in one line here, and what in several, is tested.
-- stylua: ignore start
local insert, sort, pcall = table.insert, table.sort, pcall

local function plain(n)
    local sum = 0
    for i = 1, n do
        sum = sum + i
    end
    return sum
end

local function leaf(n) return n + 1 end

function Loop(n)
    local sum = 0
    for i = 1, n do
        if math.mod(i, 3) == 0 then
            sum = sum + leaf(i)
        else
            sum = sum - plain(2)
        end
    end
    local i = 0
    while i < n do i = i + 1 end
    repeat
        i = i - 1
    until i <= 0
    return sum
end

function Fibonacci(n)
    if n < 2 then
        return n
    end
    return Fibonacci(n - 1) +
        Fibonacci(n - 2)
end

function Even(n)
    if n == 0 then
        return true
    end
    return Odd(n - 1)
end

function Odd(n)
    if n == 0 then return false end
    local result = Even(n - 1)
    return result
end

function Outer(n)
    local list = {}
    for i = 1, n do
        insert(list,
            Inner(i, function(x)
                return x * 2
            end))
    end
    sort(list, function(a, b) return a > b end)
    sort(list, Compare)
    return list
end

function Inner(i, f)
    if i > 3 then
        return f(
            i)
    end

    return f(i) + Loop(i)
end

function Compare(a, b)
    return a < b
end

function Fail(n)
    if n == 0 then
        error('planted')
    end
    Fail(n - 1)
    return n
end

function Catch(n)
    local ok = pcall(Fail, n)
    local again = pcall(function()
        Fail(1)
    end)
    pcall(Fail,
        2)
    xpcall(function() Fail(1) end, function(text)
        Loop(1)
        return text
    end)
    return not ok and not again
end

local object = setmetatable({}, {
    __index = function(t, key)
        return Loop(1)
    end,
    __add = function(a, b)
        local sum = 1
        return sum
    end,
})

function Meta()
    local x = object.something
    x = object + object
    return x
end

function Wait(n)
    local before = Loop(1)
    WaitTicks(1)
    for i = 1, n do
        WaitTicks(1)
        leaf(i)
    end
    return before
end

function Thread(n)
    Wait(n)
    Catch(1)
    WaitTicks(
        1)
    return Tail(n)
end

function Tail(n)
    Loop(n)
    WaitTicks(1)
    return leaf(n)
end

function Die(n)
    WaitTicks(1)
    Fail(n)
end

function Generate(n)
    for i = 1, n do
        Loop(1)
        coroutine.yield(i)
    end
    return nil
end

function Use(n)
    -- No tail call: nobody would know its time, since Generate() yields on the main thread.
    local co = coroutine.create(function(n) local last = Generate(n) return last end)
    local sum = 0
    while true do
        local ok, value = coroutine.resume(co, n)
        if not value or not ok then break end
        sum = sum + value
    end
    return sum
end

function Forever()
    while true do
        Loop(2)
        WaitTicks(1)
    end
end

local killed
function SimBeat()
    local tick = GetGameTick()
    Loop(5)
    Fibonacci(6)
    Even(7)
    Outer(6)
    Catch(3)
    Meta()
    ForkThread(Thread, 2)
    if math.mod(tick, 3) == 0 then
        ForkThread(Die, 2)
        if killed then KillThread(killed) end
        killed = ForkThread(Forever)
    end
    if rawget(_G, "COROUTINES") then Use(3) end
end
