-- Functions of the engine that call back into Lua, whose callbacks fail, also in a call of the
-- same function, so that the next return fits a frame that an error has ended.
local Destroy, Damage = moho.entity_methods.Destroy, moho.unit_methods.Damage
local GetTarget, GetHealth = moho.unit_methods.GetTarget, moho.unit_methods.GetHealth
local Callback, CallbackOnMain, CallbackEach = Callback, CallbackOnMain, CallbackEach
local WaitTicks = WaitTicks

local function leaf(x)
    return x
end
local function fails(x)
    leaf(x)
    GetTarget()
end
local function failsInLua(x)
    leaf(x)
    local nothing
    return nothing.field
end

-- What was destroyed already is destroyed again.
local function OnDestroy()
    leaf(1)
    Destroy()
    leaf(2)
end
local function reenter()
    Destroy(OnDestroy)
    leaf(3)
    leaf(4)
end

-- The same one level deeper each time, and an error at the end.
local function deeper(n)
    leaf(n)
    if n == 0 then
        Damage()
    end
    Damage(deeper, n - 1)
    leaf(n)
end

-- One after the other: the second is called after an error in the first.
local function nestedEach()
    CallbackEach(leaf, fails, 1)
    leaf(5)
end
local function each()
    CallbackEach(fails, leaf, failsInLua, leaf)
    leaf(6)
    CallbackEach(nestedEach, nestedEach, leaf)
    leaf(7)
    CallbackEach(nestedEach, CallbackEach, leaf, failsInLua)
    leaf(8)
end

-- From a thread to the main one, where the same function fails.
local function onMain()
    leaf(1)
    CallbackOnMain()
    leaf(2)
end
local function onMainAgain()
    CallbackOnMain(onMain)
    leaf(9)
    CallbackOnMain(leaf)
    leaf(10)
    CallbackOnMain(failsInLua)
    leaf(11)
end

local function compare(a, b)
    Damage(fails, a)
    return a < b
end
local function sorted()
    local t = { 3, 1, 2 }
    table.sort(t, compare)
    leaf(table.getn(t))
    CallbackEach(
        function()
            table.sort(t, failsInLua)
        end,
        leaf,
        function()
            string.gsub('ab', '%a', fails)
        end,
        leaf
    )
    leaf(12)
end

local function all()
    reenter()
    deeper(3)
    each()
    sorted()
    GetHealth(leaf(13))
    pcall(reenter)
    pcall(deeper, 2)
end
local function thread()
    while true do
        all()
        onMainAgain()
        WaitTicks(1)
    end
end
ForkThread(thread)
ForkThread(thread)
-- A thread that dies inside such a function each time.
ForkThread(function()
    while true do
        ForkThread(function()
            onMainAgain()
            Damage(OnDestroy)
            GetTarget()
        end)
        WaitTicks(2)
        leaf(14)
    end
end)
function SimBeat()
    all()
    onMainAgain()
    leaf(15)
end
