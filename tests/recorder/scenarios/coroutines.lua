-- Plain coroutines: in loops, given up, that fail, that resume one another, and one that
-- several threads resume in turn.
local create, resume, yield, wrap =
    coroutine.create, coroutine.resume, coroutine.yield, coroutine.wrap
local function leaf(x)
    return x
end
local function fail()
    error('failure')
end
local function generate(n)
    return wrap(function()
        for i = 1, n do
            leaf(i)
            yield(i)
            leaf(i)
        end
    end)
end
local function generateDeep(n)
    return wrap(function()
        local function deeper(k)
            if k == 0 then
                for i = 1, n do
                    yield(i)
                    leaf(i)
                end
            else
                deeper(k - 1)
            end
            leaf(k)
        end
        deeper(4)
    end)
end
local function generateFailing(n)
    return wrap(function()
        for i = 1, n do
            yield(i)
        end
        fail()
    end)
end
-- Each resumes the next with the same functions, so that their stacks look alike.
local function walk(n)
    leaf(n)
    yield(n)
    if n > 0 then
        local inner = create(walk)
        resume(inner, n - 1)
        leaf(n)
        resume(inner)
        pcall(resume)
    end
    if n == 2 then
        resume()
    end
    yield(n)
end
local givenUp = {}
local function all()
    for v in generate(3) do
        leaf(v)
    end
    for v in generateDeep(3) do
        leaf(v)
    end
    pcall(function()
        for v in generateFailing(2) do
            leaf(v)
        end
    end)
    leaf(0)
    local co = create(function(a)
        leaf(a)
        local b = yield(1)
        leaf(b)
        pcall(fail)
        yield(2)
        fail()
    end)
    for i = 1, 5 do
        resume(co, i)
        leaf(i)
    end
    local walker = create(walk)
    for i = 1, 4 do
        resume(walker, 4)
        leaf(i)
    end
    local refused = create(function()
        pcall(function()
            leaf(7)
            yield(1)
            leaf(8)
        end)
        leaf(9)
    end)
    resume(refused)
    leaf(10)
    resume(refused)
    string.gsub('ab', '%a', function(c)
        local inner = create(function()
            leaf(c)
            yield(c)
            leaf(c)
        end)
        resume(inner)
        if c == 'b' then
            resume(inner)
        end
        leaf(c)
    end)
    table.insert(givenUp, generate(3))
    leaf(givenUp[table.getn(givenUp)]())
    if table.getn(givenUp) > 20 then
        givenUp = {}
    end
    local numbers = generate(9)
    local object = setmetatable({}, {
        __index = function()
            local v = numbers()
            return v
        end,
    })
    leaf(object.x)
    leaf(object.y)
    local produced = generate(4)
    local filtered = wrap(function()
        for v in produced do
            leaf(v)
            yield(v * 2)
        end
    end)
    for v in filtered do
        leaf(v)
    end
end
ForkThread(function()
    while true do
        all()
        WaitTicks(1)
    end
end)
ForkThread(function()
    while true do
        WaitTicks(1)
        pcall(all)
        leaf(1)
    end
end)
local function share()
    return wrap(function()
        while true do
            leaf(1)
            yield(1)
            leaf(2)
            pcall(fail)
            yield(2)
        end
    end)
end
local shared, sharedToo = share(), share()
local function useBoth()
    shared()
    leaf(3)
    sharedToo()
    leaf(4)
    shared()
end
ForkThread(function()
    while true do
        useBoth()
        WaitTicks(1)
        shared()
    end
end)
function SimBeat()
    all()
    useBoth()
    leaf(5)
end
