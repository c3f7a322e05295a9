-- Twelve platoons ask for the same way every three ticks, although neither end of it has moved.
-- After the repair a way is kept with its ends.

function Distance(x, z, toX, toZ)
    return math.abs(x - toX) + math.abs(z - toZ)
end

function FindPath(x, z, toX, toZ)
    local steps = {}
    while Distance(x, z, toX, toZ) > 0 and table.getn(steps) < 60 do
        local best, bestX, bestZ = 1e9, x, z
        for dx = -1, 1 do
            for dz = -1, 1 do
                local far = Distance(x + dx, z + dz, toX, toZ)
                if far < best then best, bestX, bestZ = far, x + dx, z + dz end
            end
        end
        x, z = bestX, bestZ
        table.insert(steps, x * 100 + z)
    end
    return table.getn(steps)
end

function PlatoonThread(number)
    while true do
        FindPath(number, 1, number + 30, 20)
        WaitTicks(3)
    end
end

for number = 1, 12 do
    ForkThread(PlatoonThread, number)
end
