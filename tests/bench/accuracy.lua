-- accuracy.lua - functions of known cost, for accuracy.sh: run as sim_host --workload.
--
-- A case is a function and how often a tick calls it, in a loop of its own. While nothing
-- is recorded the loops are timed, which is what a call truly takes: with its turn of the
-- loop, since that cannot be taken out without guessing. AccuracyReport() logs, for each case,
-- "accuracy <name> <source> <line> <calls a tick> <calls timed> <their seconds>".
--
-- In the overlap of Lua 5.0 and 5.1; see workload.lua.
do
    local sub = string.sub
    local cases = {}

    -- Each loop is a chunk with a name, so that its own time can be looked up.
    local function add(name, calls, f)
        local loop =
            loadstring('return function(f, n) for i = 1, n do f(i) end end', '@loop/' .. name)()
        local info = debug.getinfo(f, 'S')
        table.insert(cases, {
            name = name,
            calls = calls,
            f = f,
            loop = loop,
            timed = 0,
            seconds = 0,
            source = sub(info.source, 2),
            line = info.linedefined,
        })
    end

    -- Leaves ---------------------------------------------------------------------------------

    add('empty', 200, function() end)
    add('sum', 200, function(a)
        return a + a * 2
    end)
    local function work(turns)
        local sum = 0
        for i = 1, turns do
            sum = sum + i
            if sum > 1000 then
                sum = sum - 997
            end
        end
        return sum
    end
    add('varargs', 100, function(...) end)
    add('results', 200, function(a)
        return a, a, a, a, a, a, a, a
    end)
    add('loop-1us', 100, function()
        return work(60)
    end)
    add('loop-10us', 40, function()
        local sum = 0
        for i = 1, 1000 do
            sum = sum + i
            if sum > 1000 then
                sum = sum - 997
            end
        end
    end)
    add('loop-100us', 5, function()
        local sum = 0
        for i = 1, 10000 do
            sum = sum + i
            if sum > 1000 then
                sum = sum - 997
            end
        end
    end)
    add('loop-1ms', 1, function()
        local sum = 0
        for i = 1, 100000 do
            sum = sum + i
            if sum > 1000 then
                sum = sum - 997
            end
        end
    end)

    -- C functions ------------------------------------------------------------------------------

    -- A name that nothing else here calls: C functions are told apart by it.
    local function addC(name, calls, f)
        add(name, calls, f)
        cases[table.getn(cases)].source = '[C]'
    end
    addC('math.abs', 200, math.abs)
    addC('string.char', 200, string.char)

    -- Sorting and iteration --------------------------------------------------------------------

    -- Many lists, since a processor learns a short one by heart, but not with a hook between.
    local LISTS = 61
    local lists, sorted, state = {}, {}, 1
    for i = 1, LISTS do
        lists[i] = {}
        for k = 1, 50 do
            state = math.mod(state * 171 + 11213, 53125)
            lists[i][k] = state
        end
    end
    local nextList = 1
    local function isLess(a, b)
        return a < b
    end
    add('sort-lua', 5, function()
        local values = lists[nextList]
        nextList = nextList < LISTS and nextList + 1 or 1
        for i = 1, 50 do
            sorted[i] = values[i]
        end
        table.sort(sorted, isLess)
    end)
    add('sort', 10, function()
        local values = lists[nextList]
        nextList = nextList < LISTS and nextList + 1 or 1
        for i = 1, 50 do
            sorted[i] = values[i]
        end
        table.sort(sorted)
    end)
    local fields = {}
    for i = 1, 50 do
        fields['field' .. i] = i
    end
    add('pairs', 20, function()
        local sum = 0
        for key, value in pairs(fields) do
            sum = sum + value
        end
    end)
    add('ipairs', 20, function()
        local sum = 0
        for i, value in ipairs(lists[1]) do
            sum = sum + value
        end
    end)
    add('next', 20, function()
        local sum = 0
        local key, value = next(fields)
        while key do
            sum = sum + value
            key, value = next(fields, key)
        end
    end)

    -- Text -------------------------------------------------------------------------------------

    -- A text that is there already costs less than one that is not, so each is a new one.
    local format, gsub, serial = string.format, string.gsub, 0
    local paths, parts = {}, {}
    for i = 1, 50 do
        paths[i] = 'units/uel' .. i .. '/uel' .. i * 7 .. '_unit.bp'
        parts[i] = 'part' .. i
    end
    add('format', 50, function(i)
        serial = serial + 1
        return format('%d %s', serial, 'unit')
    end)
    add('concat', 50, function(i)
        serial = serial + 1
        return 'unit ' .. serial .. ' of ' .. i
    end)
    add('table.concat', 20, function(i)
        serial = serial + 1
        parts[50] = serial
        return table.concat(parts, ',')
    end)
    add('gsub', 50, function(i)
        return gsub(paths[i], 'uel', 'url')
    end)
    add('gsub-lua', 20, function(i)
        return gsub(paths[i], '%a+', function(word)
            return word
        end)
    end)

    -- Calls ------------------------------------------------------------------------------------

    local function fibonacci(n)
        if n < 2 then
            return n
        end
        return fibonacci(n - 1) + fibonacci(n - 2)
    end
    add('fibonacci-10', 5, function()
        local n = fibonacci(10)
    end) -- 177 calls
    local function descend(n)
        if n == 0 then
            return 0
        end
        return 1 + descend(n - 1)
    end
    add('descend-50', 10, function()
        local n = descend(50)
    end)
    local function last(n)
        return n
    end
    local function second(n)
        return last(n)
    end
    local function first(n)
        return second(n)
    end
    add('tail-calls', 100, function(n)
        local x = first(n)
    end)
    local function countDown(n)
        if n > 0 then
            return countDown(n - 1)
        end
    end
    add('tail-loop-50', 10, function()
        countDown(50)
    end)
    add('arguments', 50, function()
        local function take(a, b, c, d, e, f, g, h)
            return a, b, c, d, e, f, g, h
        end
        for i = 1, 10 do
            local a, b, c, d, e, f, g, h = take(i, i, i, i, i, i, i, i)
        end
    end)
    add('mixed', 20, function() -- 10 calls of about 1 us, and 10 us of its own
        local sum = 0
        for i = 1, 10 do
            work(60)
            for j = 1, 60 do
                sum = sum + j
                if sum > 1000 then
                    sum = sum - 997
                end
            end
        end
    end)

    -- Memory -----------------------------------------------------------------------------------

    add('tables', 20, function()
        for i = 1, 50 do
            local t = { i, x = i }
        end
    end)
    add('table', 100, function(i)
        return { i, x = i }
    end)
    add('closures', 20, function()
        for i = 1, 50 do
            local f = function()
                return i
            end
        end
    end)
    add('closure-calls', 10, function()
        local sum = 0
        for i = 1, 20 do
            local f = function(x)
                sum = sum + x + i
            end
            f(i)
        end
    end)
    local tableInsert = table.insert
    add('insert', 20, function()
        local t = {}
        for i = 1, 20 do
            tableInsert(t, i)
        end
    end)

    -- Objects ----------------------------------------------------------------------------------

    local Entity, Unit, Tank = {}, {}, {}
    Entity.__index, Unit.__index, Tank.__index = Entity, Unit, Tank
    setmetatable(Unit, Entity)
    setmetatable(Tank, Unit)
    function Entity:GetHealth()
        return self.health
    end
    function Entity:SetHealth(health)
        self.health = health
    end
    function Entity:OnDamage(amount)
        self:SetHealth(self:GetHealth() - amount)
    end
    function Unit:OnDamage(amount)
        Entity.OnDamage(self, amount)
        self:Adjust()
    end
    function Unit:Adjust()
        if self:GetHealth() < 100 then
            self:SetHealth(1000)
        end
    end
    function Tank:OnDamage(amount)
        Unit.OnDamage(self, amount * 2)
    end
    local tank = setmetatable({ health = 1000 }, Tank)
    add('methods', 50, function()
        tank:OnDamage(1)
    end)
    local proxy = setmetatable({}, {
        __index = function(t, key)
            return key
        end,
    })
    add('index-lua', 50, function(i)
        local sum = 0
        for j = 1, 10 do
            sum = sum + proxy[j]
        end
    end)

    -- Errors -----------------------------------------------------------------------------------

    local function fail()
        error('caught')
    end
    add('error', 20, function()
        pcall(fail)
    end)
    add('pcall', 50, function(i)
        pcall(last, i)
    end)

    -- ------------------------------------------------------------------------------------------

    -- Kept, so that --without can take it from the profiler.
    local preciseClock = GetTimeForProfile
    local gethook = debug.gethook

    -- What is timed is short, so that a float is precise.
    local function runCase(case)
        local loop, f, calls = case.loop, case.f, case.calls
        local origin = preciseClock(0)
        local start = preciseClock(origin)
        loop(f, calls)
        return preciseClock(origin) - start
    end

    -- Collections are not to come while a case runs: chance chooses which function pays for one.
    local function collect()
        collectgarbage()
        if _VERSION == 'Lua 5.1' then
            collectgarbage('stop')
        else
            collectgarbage(1000000)
        end
    end

    function SimBeat()
        local isRecorded = gethook()
        collect()
        for i = 1, table.getn(cases) do
            local case = cases[i]
            local seconds = runCase(case)
            if not isRecorded then
                case.timed = case.timed + case.calls
                case.seconds = case.seconds + seconds
            end
        end
    end

    function AccuracyReport()
        for i = 1, table.getn(cases) do
            local case = cases[i]
            LOG(
                string.format(
                    'accuracy %s %s %d %d %d %.9g',
                    case.name,
                    case.source,
                    case.line,
                    case.calls,
                    case.timed,
                    case.seconds
                )
            )
        end
    end
end
