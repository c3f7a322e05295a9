-- influence.lua - a game for shares.py: maps of influence, long loops over arrays with few calls,
-- lists that are made anew. In the overlap of Lua 5.0 and 5.1.
do
    local SIZE = 32
    local function Grid(value)
        local grid = {}
        for x = 1, SIZE do
            local row = {}
            for z = 1, SIZE do
                row[z] = value
            end
            grid[x] = row
        end
        return grid
    end
    local threat, next = Grid(0), Grid(0)
    local function Stamp(grid, x, z, strength)
        for dx = -2, 2 do
            local row = grid[math.min(math.max(x + dx, 1), SIZE)]
            for dz = -2, 2 do
                local at = z + dz
                if at >= 1 and at <= SIZE then
                    row[at] = row[at] + strength / (1 + dx * dx + dz * dz)
                end
            end
        end
    end
    local function Blur(from, to)
        for x = 2, SIZE - 1 do
            local above, row, below, out = from[x - 1], from[x], from[x + 1], to[x]
            for z = 2, SIZE - 1 do
                out[z] = (row[z] * 4 + above[z] + below[z] + row[z - 1] + row[z + 1]) * 0.12
            end
        end
    end
    local function IsPeak(grid, x, z)
        local here = grid[x][z]
        return here > grid[x - 1][z] and here > grid[x + 1][z]
    end
    local function Peaks(grid)
        local list = {}
        for x = 2, SIZE - 1, 2 do
            for z = 2, SIZE - 1, 2 do
                if IsPeak(grid, x, z) then
                    table.insert(list, { x, z, math.floor(grid[x][z]) })
                end
            end
        end
        return list
    end
    local function Cost(a, b)
        return math.sqrt((a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]))
    end
    local function Tour(list)
        local length = 0
        for i = 1, table.getn(list) - 1 do
            length = length + Cost(list[i], list[i + 1])
        end
        return length
    end
    function InfluenceThread()
        while true do
            for i = 1, 12 do
                Stamp(threat, Random(SIZE), Random(SIZE), Random(9))
            end
            Blur(threat, next)
            threat, next = next, threat
            Tour(Peaks(threat))
            WaitTicks(1 + Random(2))
        end
    end
    for i = 1, 3 do
        ForkThread(InfluenceThread)
    end
end
