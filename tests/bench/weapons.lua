-- weapons.lua - a game for shares.py: objects of three levels of classes with callbacks, which call
-- what is above them, in many short threads of one kind. In the overlap of Lua 5.0 and 5.1.
do
    local function Class(base)
        local class = {}
        class.__index = class
        return setmetatable(class, { __index = base })
    end
    local Entity, Unit, Turret = Class(), nil, nil
    function Entity:GetHealth()
        return self.health
    end
    function Entity:SetHealth(health)
        self.health = math.max(health, 0)
        self:DoCallbacks('OnHealth', health)
    end
    function Entity:AddCallback(name, callback)
        self.callbacks[name] = self.callbacks[name] or {}
        table.insert(self.callbacks[name], callback)
    end
    function Entity:DoCallbacks(name, value)
        for _, callback in ipairs(self.callbacks[name] or {}) do
            callback(self, value)
        end
    end
    Unit = Class(Entity)
    function Unit:OnDamage(amount, kind)
        local armor = self:GetArmor(kind)
        self:SetHealth(self:GetHealth() - amount * armor)
        if self:GetHealth() <= 0 then
            self:OnKilled()
        end
    end
    function Unit:GetArmor(kind)
        return self.blueprint.armor[kind] or 1
    end
    function Unit:OnKilled()
        self.health = self.blueprint.health
        self.kills = (self.kills or 0) + 1
    end
    Turret = Class(Unit)
    function Turret:OnDamage(amount, kind)
        if kind ~= 'Overcharge' then
            Unit.OnDamage(self, amount * 0.5, kind)
        else
            Unit.OnDamage(self, amount, kind)
        end
    end
    function Turret:FindTarget(units)
        local best, least = nil, 1e9
        for i = 1, table.getn(units), 3 do
            local health = units[i]:GetHealth()
            if health < least then
                best, least = units[i], health
            end
        end
        return best
    end
    local blueprint = { health = 300, armor = { Normal = 0.8, Overcharge = 1.5 } }
    local units, hurt = {}, 0
    for i = 1, 60 do
        local class = math.mod(i, 4) == 0 and Turret or Unit
        units[i] = setmetatable({ health = 300, blueprint = blueprint, callbacks = {} }, class)
        units[i]:AddCallback('OnHealth', function(self, health)
            hurt = hurt + (health < 100 and 1 or 0)
        end)
    end
    function WeaponThread(turret)
        while true do
            for shot = 1, 4 do
                local target = turret:FindTarget(units)
                target:OnDamage(10 + shot, math.mod(shot, 4) == 0 and 'Overcharge' or 'Normal')
            end
            WaitTicks(2 + Random(5))
        end
    end
    for i = 4, 60, 4 do
        ForkThread(WeaponThread, units[i])
    end
end
