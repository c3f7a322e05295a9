-- workload.lua - something for a profiler to look at: run as sim_host --workload.
--
-- Writes the Lua source of FILES files with FUNCTIONS functions each, loads them under names
-- like the game's, and forks threads that call them. SEED chooses another program. With
-- ERRORS=0 no error is raised, with KILLS=0 no thread is killed, with COROUTINES=1 there are
-- plain coroutines, and CurrentThread() is nil in them. THREADS is the number of threads.
--
-- In the overlap of Lua 5.0 and 5.1, as everything here has to be. Numbers are integers below
-- 2^24, exact in the game's float32, so that all Luas play the same. Nothing depends on the
-- clock, on addresses, or on the order of a table's keys, except sums.
do
    local function setting(name, default)
        local value = rawget(_G, name)
        if value == nil then
            return default
        end
        return value
    end
    local FILES, FUNCTIONS = setting('FILES', 40), setting('FUNCTIONS', 9)
    local SEED, THREADS = setting('SEED', 1), setting('THREADS', 40)
    local ERRORS, KILLS = setting('ERRORS', 1) ~= 0, setting('KILLS', 1) ~= 0
    local COROUTINES = setting('COROUTINES', 0) ~= 0

    local LEVELS = 10 -- a function calls only functions of lower levels
    local FILLERS = 2000
    local INSTALLED = 'c:\\program files (x86)\\steam\\steamapps\\common\\'
        .. 'supreme commander forged alliance\\LOUD\\gamedata\\lua\\'

    -- Engine functions, kept so that --without can take them from the profiler alone.
    local engine = {
        WaitTicks = WaitTicks,
        WaitSeconds = WaitSeconds,
        WaitFor = WaitFor,
        LOG = LOG,
        WARN = WARN,
        SPEW = SPEW,
        ForkThread = ForkThread,
        KillThread = KillThread,
        CurrentThread = CurrentThread,
        Suspend = SuspendCurrentThread,
        Resume = ResumeThread,
        GetGameTick = GetGameTick,
    }

    -- Random numbers ---------------------------------------------------------------------------

    -- r[t] = (r[t - 17] + r[t - 5]) mod 2^16, which needs no call. The high part is used: the low
    -- digits repeat sooner. Calls for random numbers would else be half of all calls.
    local RANGE = 65536
    local function generator(seed)
        local mod = math.mod
        local ring, i, j, widths = {}, 1, 13, {}
        local state = mod(seed * 7919 + 42, 53125)
        for k = 1, 17 do
            state = mod(state * 171 + 11213, 53125)
            ring[k] = state
        end
        return function(n) -- 0 to n - 1
            local r = ring[i] + ring[j]
            if r >= RANGE then
                r = r - RANGE
            end
            ring[i] = r
            i, j = i + 1, j + 1
            if i > 17 then
                i = 1
            elseif j > 17 then
                j = 1
            end
            local width = widths[n]
            if not width then
                width = (RANGE - mod(RANGE, n)) / n + 1
                widths[n] = width
            end
            return (r - mod(r, width)) / width
        end
    end
    local pick = generator(SEED) -- while the program is written
    Rnd = generator(SEED + 1) -- while it runs

    local function choose(list)
        return list[pick(table.getn(list)) + 1]
    end

    -- What all files use -----------------------------------------------------------------------

    Engine = engine
    Scratch = {}
    F = {} -- all functions by number, for calls to other files

    function Fail(n)
        if not ERRORS then
            return n
        end
        if n <= 0 then
            error('synthetic failure')
        end
        Fail(n - 1)
        return n
    end
    function FailWithTable(n)
        if ERRORS then
            error({ code = n })
        end
        return n
    end
    function FailInComparator(n)
        local t = { 3, 1, 2, n }
        table.sort(t, function(a, b)
            if ERRORS and a == 2 then
                error('not comparable')
            end
            return a < b
        end)
        return t[1]
    end
    function FailInMetamethod(n)
        if not ERRORS then
            return n
        end
        -- check-names.pl looks for a member in the line of its table.
        -- stylua: ignore
        local t = setmetatable({}, {__index = function(self, key) return Fail(1) end})
        return t[n] + 1
    end
    function FailByItself(n)
        if not ERRORS then
            return n
        end
        local nothing
        return nothing.field
    end
    function FailAgain(n)
        local ok, message = pcall(Fail, n)
        if not ok then
            error(message, 0)
        end
        return n
    end
    Failures = { Fail, FailWithTable, FailInComparator, FailInMetamethod, FailByItself, FailAgain }
    function OnError(message)
        return 'handled'
    end

    local vector = {}
    vector.__index = function(self, key)
        if key == 'alpha' then
            return 1
        end
        return 2
    end
    vector.__add = function(a, b)
        return Vector(rawget(a, 'x') + rawget(b, 'x'))
    end
    vector.__eq = function(a, b)
        return rawget(a, 'x') == rawget(b, 'x')
    end
    vector.__lt = function(a, b)
        return rawget(a, 'x') < rawget(b, 'x')
    end
    vector.__concat = function(a, b)
        return 'vector'
    end
    vector.__call = function(self, n)
        return rawget(self, 'x') + n
    end
    vector.__newindex = function(self, key, value)
        rawset(self, key, value)
    end
    function Vector(x)
        return setmetatable({ x = x }, vector)
    end

    for i = 1, FILLERS do
        rawset(_G, 'GameGlobal' .. i, i)
    end

    -- Bodies of functions that call no other of ours ------------------------------------------

    -- A body is a list of lines. Every function takes and returns a small integer.
    local leaves = {}
    function leaves.arithmetic()
        return {
            'local s = 0',
            'for i = 1, ' .. choose({ 3, 5, 10, 20, 40, 80, 150 }) .. ' do',
            '    s = s + i * 3 - x',
            '    if s > 1000 then s = s - 997 end',
            'end',
            'return s',
        }
    end
    function leaves.text()
        return {
            "local s = string.format('%s %d', 'unit', x)",
            'local u = string.upper(s) .. string.sub(s, 1, 3)',
            'local n = 0',
            "string.gsub(u, '%d', function(digit) n = n + 1 return digit end)",
            "for word in string.gfind(u, '%a+') do n = n + string.len(word) end",
            'return n',
        }
    end
    function leaves.pairs_loop()
        return {
            'local t = {a = 1, b = 2, c = x' .. string.rep(', 4', pick(5)) .. '}',
            'local s = 0',
            'for k, v in pairs(t) do s = s + v end',
            'return s',
        }
    end
    function leaves.ipairs_loop()
        return {
            'local t = {1, 2, x' .. string.rep(', 4', pick(5)) .. '}',
            'local s = 0',
            'for i, v in ipairs(t) do s = s + v end',
            'return s + table.getn(t)',
        }
    end
    function leaves.next_loop()
        return {
            'local t = {x, 2, k = 3}',
            'local s = 0',
            'local k, v = next(t)',
            'while k do',
            '    s = s + v',
            '    k, v = next(t, k)',
            'end',
            'for key, value in next, t do s = s + value end',
            'return s',
        }
    end
    function leaves.sort()
        return {
            'local t = {}',
            'for i = 1, ' .. pick(8) + 3 .. ' do t[i] = Rnd(100) end',
            'table.sort(t, function(a, b) return a < b end)',
            'table.sort(t)',
            'return t[1]',
        }
    end
    function leaves.library()
        return {
            'local s = math.floor(math.sqrt(math.abs(x) + 1))',
            'table.insert(Scratch, s)',
            'table.remove(Scratch)',
            'return math.max(s, math.min(x, 5))',
        }
    end
    function leaves.recursion(name)
        return {
            'if x <= 1 then return 1 end',
            'local r = ' .. name .. '(math.min(x, ' .. pick(5) + 3 .. ') - 1)',
            'return r + 1',
        }
    end
    function leaves.tail_recursion(name)
        return {
            'if x <= 1 then return 1 end',
            'return ' .. name .. '(math.min(x, ' .. pick(4) + 3 .. ') - 1)',
        }
    end
    function leaves.varargs()
        return {
            'local function count(...) return arg.n end',
            'local function pass(...) return count(unpack(arg)) end',
            'return count(x, x, 1) + pass(1, x)',
        }
    end
    function leaves.metamethods()
        return {
            'local a, b = Vector(x), Vector(1)',
            'local c = a + b',
            'c.beta = string.len(a .. b)',
            'if a == b or a < b then c = b end',
            'return c(1) + a.alpha + a.gamma',
        }
    end
    function leaves.tail_to_c()
        return { 'return math.max(x, ' .. pick(9) .. ')' }
    end
    local leaf_kinds = {
        'arithmetic',
        'text',
        'pairs_loop',
        'ipairs_loop',
        'next_loop',
        'sort',
        'library',
        'recursion',
        'tail_recursion',
        'varargs',
        'metamethods',
        'tail_to_c',
        'arithmetic',
    }

    -- Bodies that call others ------------------------------------------------------------------

    -- `calls` is a list of expressions for functions.
    local branches = {}
    function branches.one_of(calls)
        local n = table.getn(calls)
        local lines = { 'local r, p = 0, Rnd(' .. n .. ')' }
        for i = 1, n do
            table.insert(lines, (i > 1 and 'else' or '') .. 'if p == ' .. i - 1 .. ' then')
            table.insert(lines, '    r = r + ' .. calls[i] .. '(x)')
        end
        table.insert(lines, 'end')
        table.insert(lines, 'return r')
        return lines
    end
    function branches.tail(calls)
        return {
            'if Rnd(2) == 0 then return ' .. calls[1] .. '(x) end',
            'return ' .. calls[2] .. '(x)',
        }
    end
    function branches.tail_chain(calls)
        return {
            'local function last(y) return ' .. calls[1] .. '(y) end',
            'local function middle(y)',
            '    return last(y)',
            'end',
            'local r = middle(x)',
            'return middle(r)',
        }
    end
    function branches.method(calls)
        return {
            'local o = {id = x}',
            'function o:Run(y)',
            '    return ' .. calls[1] .. '(y) + self.id',
            'end',
            'o.Other = ' .. calls[2],
            'return o:Run(1) + (Rnd(3) == 0 and o.Other(x) or 0)',
        }
    end
    function branches.protected(calls)
        return {
            'local ok, r = pcall(' .. calls[1] .. ', x)',
            'if not ok then r = 0 end',
            'if Rnd(12) == 0 then pcall(Failures[Rnd(6) + 1], Rnd(4)) end',
            'return r + ' .. calls[2] .. '(x)',
        }
    end
    function branches.handled(calls)
        return {
            'local ok, r = xpcall(function()',
            '    if Rnd(16) == 0 then Failures[Rnd(6) + 1](Rnd(4)) end',
            '    return ' .. calls[1] .. '(x)',
            'end, OnError)',
            'if not ok then r = 1 end',
            'return r',
        }
    end
    function branches.loop(calls)
        return {
            'local r = 0',
            'for i = 1, ' .. pick(3) + 2 .. ' do',
            '    r = r + ' .. calls[1] .. '(i)',
            'end',
            'if Rnd(2) == 0 then r = r + ' .. calls[2] .. '(x) end',
            'return r',
        }
    end
    function branches.closure(calls)
        return {
            'local function add(y)',
            '    return x + ' .. calls[1] .. '(y)',
            'end',
            'return add(2) + add(1)',
        }
    end
    function branches.sort_calls(calls)
        return {
            'local t = {Rnd(9), Rnd(9), Rnd(9)}',
            'table.sort(t, function(a, b)',
            '    if Rnd(4) == 0 then ' .. calls[1] .. '(1) end',
            '    return a > b',
            'end)',
            'return t[1] + ' .. calls[2] .. '(x)',
        }
    end
    function branches.coroutine(calls)
        return {
            'local step = coroutine.wrap(function()',
            '    coroutine.yield(' .. calls[1] .. '(x))',
            '    return 2',
            'end)',
            'return step() + step()',
        }
    end
    local branch_kinds = {
        'one_of',
        'tail',
        'method',
        'protected',
        'one_of',
        'loop',
        'closure',
        'tail_chain',
        'one_of',
        'sort_calls',
        'handled',
    }
    if COROUTINES then
        table.insert(branch_kinds, 'coroutine')
    end

    -- Files ------------------------------------------------------------------------------------

    local names = {
        'sim\\unit',
        'sim\\weapon',
        'sim\\projectile',
        'sim\\shield',
        'sim\\buff',
        'sim\\prop',
        'sim\\defaultunits',
        'sim\\scenarioutilities',
        'ai\\aibrain',
        'ai\\aiutilities',
        'platoon',
        'ai\\aibehaviors',
        'loudutils\\threatmap',
        'effectutilities',
        'utilities',
    }
    local verbs = { 'Get', 'Set', 'Update', 'Create', 'Find', 'Check', 'Apply', 'On', 'Sum' }
    local nouns = { 'Threat', 'Damage', 'Target', 'Platoon', 'Shield', 'Effect', 'Path', 'Buff' }

    local function file_name(number)
        if number <= table.getn(names) then
            return 'lua\\' .. names[number] .. '.lua'
        end
        return 'mods\\mod' .. number .. '\\hook\\lua\\sim\\extra' .. number .. '.lua'
    end

    local all, by_level = {}, {}
    for level = 0, LEVELS - 1 do
        by_level[level] = {}
    end

    -- A function is {number, file, name, level, style}.
    local function plan_function(file, place)
        local f = { number = table.getn(all) + 1, file = file }
        f.level = math.min(LEVELS - 1, math.floor((place - 1) * LEVELS / FUNCTIONS) + pick(2))
        f.name = choose(verbs) .. choose(nouns) .. place
        f.style = choose({ 'global', 'global', 'local', 'method' })
        if place > 100 and f.style == 'local' then
            f.style = 'global'
        end -- 200 locals at most
        table.insert(all, f)
        table.insert(by_level[f.level], f)
        return f
    end

    -- How the source of `from` names f. A local function of its file is an upvalue.
    local function reference(f, from)
        if f.file ~= from.file then
            return 'F[' .. f.number .. ']'
        end
        return (f.style == 'method' and 'Class.' or '') .. f.name
    end

    local function callees(f)
        local lower = {}
        for level = math.max(0, f.level - 3), f.level - 1 do
            for i, g in ipairs(by_level[level]) do
                -- In its own file, only what is already defined.
                if g.file ~= f.file or g.number < f.number then
                    table.insert(lower, g)
                end
            end
        end
        local calls = {}
        for i = 1, 2 + pick(4) do
            if table.getn(lower) > 0 then
                table.insert(calls, reference(choose(lower), f))
            end
        end
        return calls
    end

    -- One after the other, so that a small program has all kinds too.
    local leaf_count, branch_count = 0, 0
    local function body(f)
        local calls = f.level > 0 and pick(4) > 0 and callees(f) or {}
        if table.getn(calls) == 0 then
            leaf_count = leaf_count + 1
            local kind = leaf_kinds[math.mod(leaf_count, table.getn(leaf_kinds)) + 1]
            return leaves[kind](reference(f, f))
        end
        branch_count = branch_count + 1
        return branches[branch_kinds[math.mod(branch_count, table.getn(branch_kinds)) + 1]](calls)
    end

    local function add_function(lines, f)
        for i = 1, pick(4) do
            table.insert(lines, '')
        end
        local head = f.style == 'local' and 'local function ' or 'function '
        table.insert(lines, head .. reference(f, f) .. '(x)')
        for i, line in ipairs(body(f)) do
            table.insert(lines, '    ' .. line)
        end
        table.insert(lines, 'end')
        table.insert(lines, 'F[' .. f.number .. '] = ' .. reference(f, f))
    end

    -- As the game's import(): each file has its own globals, and sees all others'.
    local function load_source(name, source)
        local chunk, message = loadstring(source, '@' .. INSTALLED .. name)
        if not chunk then
            error(message)
        end
        local module = setmetatable({}, { __index = _G })
        setfenv(chunk, module)
        chunk()
        return module
    end

    local function load_files()
        local plans = {}
        for file = 1, FILES do
            plans[file] = {}
            for place = 1, FUNCTIONS do
                plans[file][place] = plan_function(file, place)
            end
        end
        for file = 1, FILES do
            local lines = { '-- ' .. file_name(file), 'Class = {}' }
            for place, f in ipairs(plans[file]) do
                add_function(lines, f)
            end
            load_source(file_name(file), table.concat(lines, '\n') .. '\n')
        end
    end
    load_files()

    -- Threads ----------------------------------------------------------------------------------

    Tops, Middles = {}, {}
    for i, f in ipairs(all) do
        if f.level >= LEVELS - 2 then
            table.insert(Tops, F[i])
        end
        if f.level >= 2 and f.level <= 4 then
            table.insert(Middles, F[i])
        end
    end
    if table.getn(Tops) == 0 then
        Tops = F
    end -- a program of a few functions
    if table.getn(Middles) == 0 then
        Middles = F
    end
    TopCount, MiddleCount = table.getn(Tops), table.getn(Middles)
    DoesFail, DoesKill = ERRORS, KILLS

    local threads = load_source(
        'lua\\simthreads.lua',
        [[
local WaitTicks, WaitSeconds, WaitFor = Engine.WaitTicks, Engine.WaitSeconds, Engine.WaitFor
local ForkThread, KillThread = Engine.ForkThread, Engine.KillThread
local CurrentThread, Suspend = Engine.CurrentThread, Engine.Suspend

function RunTop(x)
    return Tops[Rnd(TopCount) + 1](x)
end

-- Waiting at some depth, directly, through a wrapper, and as a tail call.
local function TailWait(n)
    return WaitTicks(n)
end
function Deep3(n)
    local how = Rnd(4)
    if how == 0 then
        WaitTicks(n)
    elseif how == 1 then
        WaitSeconds(0.1)
    elseif how == 2 then
        TailWait(n)
    else
        return WaitSeconds(0.1)
    end
    return n
end
function Deep2(n)
    Deep3(n)
    Middles[Rnd(MiddleCount) + 1](Rnd(7))
    return n
end
local function Deep1(n)
    Deep2(n)
    Middles[Rnd(MiddleCount) + 1](Rnd(7))
    return Deep3(1)
end

function UnitThread(id)
    while true do
        RunTop(Rnd(9))
        Deep1(Rnd(3) + 1)
    end
end
function TailRoot(id)
    return UnitThread(id)
end
function ShortThread(id)
    RunTop(3)
    WaitTicks(1)
    return RunTop(2)
end
function AIThread(id)
    while true do
        for i = 1, 3 do RunTop(Rnd(9)) end
        WaitTicks(Rnd(4) + 1)
        if Rnd(3) == 0 then ForkThread(ShortThread, id) end
    end
end
function Suspender(id)
    while true do
        Suspend()
        RunTop(1)
    end
end
function Waiter(id)
    while true do
        WaitFor(Rnd(3) + 1)
        RunTop(1)
    end
end
function ErrorThread()
    WaitTicks(1)
    RunTop(1)
    Fail(3)
end
-- Ends inside a call, by its own hand.
local function EndIt()
    KillThread(CurrentThread())
    return 1
end
function Suicide()
    WaitTicks(1)
    RunTop(1)
    EndIt()
    RunTop(1)
end
function Killer(id)
    while true do
        local victim = ForkThread(UnitThread, id)
        WaitTicks(Rnd(6) + 1)
        if DoesKill then
            KillThread(victim)
            KillThread(ForkThread(UnitThread, id)) -- never runs
            if Rnd(4) == 0 then ForkThread(Suicide) end
        end
        if DoesFail and Rnd(4) == 0 then ForkThread(ErrorThread) end
        if not DoesKill then WaitTicks(1000) end -- or there are ever more threads
    end
end
function Console(n)
    local f = loadstring("local a, b = " .. n .. ", 2;\nfor i = 1, 2 do\n    a = a + i;\nend;\n"
        .. "return Middles[1](a), 'x,y;z'")
    return f()
end
]]
    )

    local suspended = {}
    local roots = {
        threads.UnitThread,
        threads.UnitThread,
        threads.UnitThread,
        threads.UnitThread,
        threads.TailRoot,
        threads.AIThread,
        threads.Suspender,
        threads.Killer,
        threads.Waiter,
        threads.UnitThread,
    }
    for i = 1, THREADS do
        local root = roots[math.mod(i - 1, 10) + 1]
        local thread = engine.ForkThread(root, i)
        if root == threads.Suspender then
            table.insert(suspended, thread)
        end
    end

    -- Callbacks --------------------------------------------------------------------------------

    local function Beat()
        for i = 1, 6 do
            threads.RunTop(i)
        end
        for i, thread in ipairs(suspended) do
            engine.Resume(thread)
        end
        local tick = engine.GetGameTick()
        if math.mod(tick, 7) == 0 then
            threads.Console(math.mod(tick, 3))
        end
        if math.mod(tick, 5) == 0 then
            pcall(Fail, 3)
        end
        if math.mod(tick, 13) == 0 then
            engine.SPEW("Loading module '/units/uel0001/uel0001_script.lua'")
        elseif math.mod(tick, 17) == 0 then
            engine.LOG('playable area: {4, 56;252}\n{ x0=-96, y1=300 },\n}', 1, nil, '\tend')
        elseif math.mod(tick, 19) == 0 then
            engine.WARN('prof is not a profiler line; 1,2,t,f')
        end
    end
    local function FailingBeat()
        if math.mod(engine.GetGameTick(), 23) == 0 then
            Fail(2)
        end
    end
    local function TailBeat()
        return threads.RunTop(2)
    end
    SimBeat = { Beat, FailingBeat, TailBeat }
end
