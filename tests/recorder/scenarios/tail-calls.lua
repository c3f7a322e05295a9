-- Tail calls, in chains, in roots, above errors and waits.
local function leaf(x)
    return x
end
local function chain(n)
    if n == 0 then
        return leaf(n)
    end
    return chain(n - 1)
end
local function guarded(n)
    return pcall(chain, n)
end
local function failing(n)
    if n == 0 then
        error('failure')
    end
    return failing(n - 1)
end
local function wait(n)
    return WaitTicks(n)
end
local function waitDeeper(n)
    return wait(n)
end
local function all()
    chain(3)
    leaf(1)
    guarded(2)
    pcall(failing, 3)
    leaf(2)
    pcall(guarded, 1)
    pcall(function()
        return failing(1)
    end)
    leaf(3)
    Callback(chain, 2)
    Callback(failing, 2)
    leaf(4)
    table.sort({ 3, 1, 2 }, function(a, b)
        chain(1)
        return a < b
    end)
    local steps = coroutine.wrap(function()
        coroutine.yield(chain(1))
        return chain(2)
    end)
    steps()
    steps()
end
local function rest()
    all()
    waitDeeper(1)
    return all()
end
local function root()
    all()
    waitDeeper(1)
    return rest()
end
ForkThread(function()
    while true do
        ForkThread(root)
        waitDeeper(2)
        all()
    end
end)
local function last()
    leaf(5)
    return all()
end
function SimBeat()
    if math.mod(GetGameTick(), 4) == 0 then
        return failing(2)
    end
    return last()
end
