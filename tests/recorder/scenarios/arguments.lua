-- Functions with all kinds of arguments and results, called again and again: globals, members of
-- modules and classes, C functions, those that wait, fail, end in tail calls or begin threads.
local seed = 1
local function random(n)
    seed = math.mod(seed * 171 + 11213, 53125)
    return math.mod(math.floor(seed / 7), n) + 1
end

-- What the game sees of results: its digest is in the log, and has to be as without the recorder.
local digest = 0
local function digestNumber(number)
    digest = math.mod(digest * 31 + number, 524287)
end
local function see(...)
    digestNumber(arg.n)
    for i = 1, arg.n do
        local value = arg[i]
        digestNumber(
            type(value) == 'number' and value == value and value or string.len(type(value))
        )
    end
end

local trap = setmetatable({}, {
    __index = function(t, key)
        error('a field is asked for: ' .. tostring(key))
    end,
    __eq = function(a, b)
        error('compared')
    end,
})
local vector = {}
local objects = {}
for i = 1, 5 do
    objects[i] = setmetatable({ health = i, child = { i } }, { __index = {} })
end
local cycle = {}
cycle.itself = cycle

function Nothing() end
function Nil()
    return nil
end
function Several(n)
    return n, nil, n > 1, nil
end
function Values(...)
    return unpack(arg, 1, arg.n)
end
function Counter()
    seed = seed + 1
    return seed
end
function Fresh(n)
    return { n, { n, { n, { n } } }, name = 'fresh' }
end
function Shallow(n)
    return { n, { n, { n } }, name = 'fresh' }
end
function Large(n)
    local t = {}
    for i = 1, n do
        t[i] = i
    end
    return t
end
function Same(n)
    return objects[n]
end
function List()
    return { objects[1], objects[2], cycle, trap }
end
function Cycle()
    local t = { 1 }
    t.itself = t
    return t
end
function Vector(x)
    return setmetatable({ x, x, x }, vector)
end
function NotANumber(x)
    return x / x
end
function Fails(n)
    if n > 2 then
        error({ n })
    end
    return n
end
function Waits(n)
    WaitTicks(n)
    return n
end
function Recursive(n)
    return n <= 0 and 0 or 1 + Recursive(n - 1) + Recursive(n - 2)
end
function Tail(n)
    return Several(n)
end
function Root(n)
    Waits(n)
    see(Shallow(n))
end
function Compare(a, b)
    return a < b
end
function Dies(n)
    return n.health
end

Class = {
    Method = function(self, n)
        return self.health + n
    end,
}
Derived = {
    Method = Class.Method,
    Own = function(self)
        return self.child
    end,
}
__modules = {
    ['/lua/tools.lua'] = {
        FromModule = function(x)
            return x
        end,
        Thing = {
            Member = function(x, y)
                return y, x
            end,
        },
    },
}
local tools = __modules['/lua/tools.lua']

-- Calls by variables of old are seen at their first lines, and have no results.
local oldSeveral = Several
function Direct(n)
    see(oldSeveral(n))
end

local acts = {
    function(n)
        see(Nothing())
        see(Nil(), (Nil()))
    end,
    function(n)
        see(Several(n))
        see(Tail(n))
        see((Several(n)))
    end,
    function(n)
        see(Values())
        see(Values(nil))
        see(Values(n, nil, 'text', true, false, objects[n], see, trap, cycle))
        see(Values('a', nil, nil))
        see(Counter())
        see(NotANumber(0), NotANumber(1), Values(0 / 0))
    end,
    function(n)
        see(Fresh(n), Shallow(n), Cycle(), Vector(n), List())
        see(Same(n), Same(1))
    end,
    function(n)
        see(pcall(Fails, n))
        see(pcall(function()
            return Fails(n) + 1
        end))
    end,
    function(n)
        see(Recursive(n))
        local t = { 5, 3, n, 1 }
        table.sort(t, Compare)
        see(unpack(t))
    end,
    function(n)
        see(Class.Method(objects[n], n), Derived.Method(objects[n], n), Derived.Own(objects[n]))
        see(tools.FromModule(n), tools.Thing.Member(n, 'y'))
    end,
    function(n)
        see(math.floor(n / 2), string.len('text'), moho.unit_methods.GetTarget(objects[n]))
        table.insert({}, n, n)
        see(pcall(math.floor, 'no number'))
        see(rawequal(trap, trap), rawequal(trap, cycle))
    end,
    function(n)
        ForkThread(Waits, n)
        ForkThread(Root, n)
        ForkThread(Dies, math.mod(n, 2) == 0 and objects[n] or nil)
        Callback(Several, n)
        pcall(Callback, Fails, n)
    end,
    function(n)
        local resume = coroutine.wrap(function()
            see(Values(coroutine.yield(Several(n))))
        end)
        see(resume())
        resume(n)
    end,
    Direct,
}
-- More different arguments than are kept, in few calls a tick; and results of all sizes.
local many = 0
function SimBeat()
    for i = 1, 40 do
        acts[random(table.getn(acts))](random(5))
    end
    for i = 1, 1200 do
        many = math.mod(many + 1, 5000)
        tools.FromModule(many)
    end
    see(Large(1999), Large(2000), Large(2001), Large(random(2) * 1500))
    LOG('digest ' .. digest)
end

-- Everything that can be replaced, as it was.
local saved = {}
for _, members in
    next,
    { _G, Class, Derived, tools, tools.Thing, math, string, table, coroutine, moho.unit_methods }
do
    for key, value in next, members do
        table.insert(saved, { members, key, value })
    end
end
function CountReplaced()
    local count = 0
    for i = 1, table.getn(saved) do
        local members, key, value = unpack(saved[i])
        if type(value) ~= 'number' and rawget(members, key) ~= value then
            count = count + 1
        end
    end
    LOG('replaced ' .. count)
end
