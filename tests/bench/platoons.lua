-- platoons.lua - a game for shares.py: platoons that are formed by a sort with a comparison, with
-- classes, and orders as texts. In the overlap of Lua 5.0 and 5.1.
do
    local Unit = {}
    Unit.__index = Unit
    function Unit:GetPosition()
        return self.x, self.z
    end
    function Unit:GetHealth()
        return self.health
    end
    function Unit:IsIdle()
        return self.order == nil
    end
    function Unit:GiveOrder(order)
        self.order = order
    end
    local units = {}
    for i = 1, 120 do
        units[i] = setmetatable(
            { id = i, x = math.mod(i * 37, 101), z = math.mod(i * 53, 97), health = 100 },
            Unit
        )
    end
    local target = { x = 50, z = 50 }
    local function Distance(unit)
        local x, z = unit:GetPosition()
        local dx, dz = x - target.x, z - target.z
        return dx * dx + dz * dz
    end
    local function Nearer(a, b)
        return Distance(a) < Distance(b)
    end
    local function Describe(unit, kind)
        return string.format('%s %d to %d/%d', kind, unit.id, target.x, target.z)
    end
    local function IdleUnits()
        local idle = {}
        for _, unit in ipairs(units) do
            if unit:IsIdle() and unit:GetHealth() > 10 then
                table.insert(idle, unit)
            end
        end
        return idle
    end
    local function FormPlatoon(size)
        local idle = IdleUnits()
        table.sort(idle, Nearer)
        local platoon = {}
        for i = 1, math.min(size, table.getn(idle)) do
            platoon[i] = idle[i]
            idle[i]:GiveOrder(Describe(idle[i], 'move'))
        end
        return platoon
    end
    local function Disband()
        for i = 1, 120 do
            units[i].order = nil
        end
    end
    local function Checksum()
        local s = 0
        for i = 1, 120 do
            for k = 1, 25 do
                s = math.mod(s * 31 + i * k, 65521)
            end
        end
        return s
    end
    function PlatoonThread()
        while true do
            target.x, target.z = Random(100), Random(100)
            Disband()
            FormPlatoon(30)
            FormPlatoon(30)
            Checksum()
            WaitTicks(1 + Random(2))
        end
    end
    for i = 1, 2 do
        ForkThread(PlatoonThread)
    end
end
