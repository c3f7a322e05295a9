-- spikes.lua: a workload for the sim host whose ticks take milliseconds, and some too many. It
-- made fixtures/recorded-spikes.log.gz, the picture in README.md.
local seed = 1

local function Random(n)
    seed = math.mod(seed * 137 + 11, 10007)
    return 1 + math.mod(seed, n)
end

local units = {}
for i = 1, 60 do
    units[i] = {x = Random(100), y = Random(100), mass = Random(50)}
end

function GetDistance(a, b)
    local dx, dy = a.x - b.x, a.y - b.y
    return math.sqrt(dx * dx + dy * dy)
end

function GetThreatAtPosition(unit)
    local threat = unit.mass
    for i = 1, 9000 do
        threat = threat + i * 0.5
    end
    return threat
end

function ReclaimablesInArea(center, radius)
    local mass = 0
    for _, unit in pairs(units) do
        if GetDistance(center, unit) < radius then
            mass = mass + unit.mass
        end
    end
    for i = 1, 60000 do
        mass = mass + i * 0.5
    end
    return mass
end

function SortByThreat(list)
    table.sort(list, function(a, b)
        return a.mass < b.mass
    end)
    return list
end

function PlatoonThread(platoon)
    while true do
        local target = units[Random(60)]
        GetThreatAtPosition(target)
        if Random(6) == 1 then
            ReclaimablesInArea(target, 40)
        end
        WaitTicks(1 + Random(3))
    end
end

function FindBase()
    if Random(4) == 1 then
        error('no base')
    end
end

function EngineerManagerThread()
    while true do
        local list = {}
        for i = 1, 60 do
            list[i] = {mass = Random(500)}
        end
        SortByThreat(list)
        pcall(FindBase)
        WaitTicks(5)
    end
end

function BuildThreatMap()
    for i = 1, 60 do
        GetThreatAtPosition(units[i])
    end
    local decay = 0
    for i = 1, 12000000 do
        decay = decay + i * 0.5
    end
end

function ThreatMapThread()
    while true do
        WaitTicks(37)
        BuildThreatMap()
    end
end

for i = 1, 12 do
    ForkThread(PlatoonThread, i)
end
ForkThread(EngineerManagerThread)
ForkThread(ThreatMapThread)
