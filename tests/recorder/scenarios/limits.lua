-- Errors at the limit of C calls, which every hook reaches one call earlier than the program alone.
-- So this is compared with what an empty hook is told of.
local function leaf(x)
    return x
end
local function fail(x)
    leaf(x)
    error('failure')
end
-- Each error calls it again, until there are too many C calls.
local function failingHandler(message)
    error('in the handler')
end
local function substitute(text)
    leaf(1)
    return (string.gsub(text, '.', substitute))
end
local function protected(n)
    local ok = pcall(protected, n + 1)
    leaf(2)
    if not ok then
        error('one level up')
    end
end
local indexed = setmetatable({}, {})
getmetatable(indexed).__index = function(t, key)
    leaf(3)
    return indexed[key + 1]
end
local function compare(a, b)
    table.sort({ 3, 1, 2 }, compare)
    return a < b
end
local function all()
    xpcall(fail, failingHandler)
    leaf(4)
    xpcall(fail, error)
    leaf(5)
    pcall(xpcall, fail, failingHandler)
    leaf(6)
    xpcall(function()
        xpcall(fail, failingHandler)
        leaf(7)
        fail()
    end, failingHandler)
    leaf(8)
    pcall(substitute, 'a')
    leaf(9)
    pcall(function()
        local x = indexed[1]
    end)
    leaf(10)
    pcall(compare, 1, 2)
    leaf(11)
end
function SimBeat()
    all()
    leaf(12)
end
ForkThread(function()
    while true do
        pcall(all)
        WaitTicks(1)
        pcall(protected, 1)
        leaf(13)
        WaitTicks(1)
    end
end)
