-- Errors that pcall catches, at frames that look the same as others on the stack.
local depth = 0
local function leaf()
    return 1
end
local function fail(k)
    if k == 0 then
        error('failure')
    elseif k == 1 then
        error({})
    elseif k == 2 then
        error()
    elseif k == 3 then
        local x = nil + 1
    elseif k == 4 then
        pcall()
    else
        string.rep()
    end
end
-- The frame of pcall that fails, and that which catches the error, have the same caller.
local function again(n, k)
    leaf()
    if n == 0 then
        pcall()
    end
    local ok = pcall(again, n - 1, k)
    leaf()
    if n == 2 then
        fail(k)
    end
    return ok
end
local function rethrow(k)
    local ok, message = pcall(fail, k)
    leaf()
    error(message, 0)
end
local function handler(message)
    pcall(fail, 0)
    leaf()
    return message
end
local function compare(a, b)
    if a == 5 then
        error('no order')
    end
    leaf()
    return a < b
end
local function substitute(c)
    if c == 'c' then
        fail(1)
    end
    leaf()
    return c
end
local object = setmetatable({}, {
    __index = function(t, k)
        fail(3)
    end,
    __add = function(a, b)
        leaf()
        pcall(fail, 0)
        return 1
    end,
})
local function read()
    local x = object.field
    return x
end
local function all()
    for k = 0, 5 do
        again(3, k)
        leaf()
        pcall(rethrow, k)
        leaf()
        pcall(pcall, rethrow, k)
        pcall(pcall, pcall, rethrow, k)
        leaf()
        xpcall(function()
            rethrow(k)
        end, handler)
        leaf()
        xpcall(function()
            pcall(error, k)
            leaf()
        end, error)
        leaf()
        pcall(error)
        pcall(error, leaf)
        pcall(nil)
        pcall(pcall)
        leaf()
        pcall(table.sort, { 3, 2, 1, 5, 6 }, compare)
        leaf()
        pcall(string.gsub, 'abcabc', '%a', substitute)
        pcall(read)
        leaf()
        local x = object + object
        pcall(table.foreach, { 1, 2 }, rethrow)
        pcall(assert, false)
        pcall(loadstring('error("in a chunk")'))
        leaf()
    end
end
ForkThread(function()
    while true do
        all()
        WaitTicks(1)
        all()
        WaitTicks(2)
    end
end)
-- Threads that die below pcall, and main callbacks that do.
local function dying(k)
    pcall(rethrow, k)
    WaitTicks(1)
    pcall(function()
        leaf()
        rethrow(k)
    end)
    again(1, k)
    fail(k)
end
ForkThread(function()
    local k = 0
    while true do
        k = math.mod(k + 1, 6)
        ForkThread(dying, k)
        WaitTicks(1)
        leaf()
    end
end)
function SimBeat()
    all()
    local tick = GetGameTick()
    if math.mod(tick, 3) == 0 then
        pcall(rethrow, 4)
        fail(math.mod(tick, 6))
    end
    leaf()
end
