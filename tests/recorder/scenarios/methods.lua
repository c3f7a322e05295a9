-- As LOUD and FAF write it: engine methods and library functions in locals of a file, which
-- have no names where they are called.
local WaitTicks, ForkThread, mathfloor, tableinsert =
    coroutine.yield, ForkThread, math.floor, table.insert
local GetPosition, GetHealth = moho.entity_methods.GetPosition, moho.unit_methods.GetHealth
local GetTarget, GetThreat = moho.unit_methods.GetTarget, moho.aibrain_methods.GetThreatAtPosition
local Destroy, next, getn = moho.prop_methods.Destroy, next, table.getn
-- Those that are in no table; each call makes another one.
local GetFuelRatio, GetRange = MakeMethod(), MakeMethod()

local function find(x)
    local t = {}
    for i = 1, 3 do
        tableinsert(t, mathfloor(GetPosition(i) + GetHealth(i)))
    end
    for k, v in pairs(t) do
        GetTarget(v)
    end
    for k, v in next, t do
        GetThreat(v)
    end
    CallbackEach(GetThreat)
    GetFuelRatio(x)
    GetRange(GetRange(x))
    return getn(t)
end
local function deeper(n)
    if n == 0 then
        WaitTicks(1)
        find(1)
    else
        deeper(n - 1)
        GetHealth(n)
    end
end
local function run()
    while true do
        find(2)
        WaitTicks(1)
        deeper(2)
        Destroy(find)
    end
end
for i = 1, 5 do
    ForkThread(run)
end
function SimBeat()
    find(3)
    GetTarget(GetFuelRatio(1))
end
