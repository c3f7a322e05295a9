-- What handlers of xpcall() do, and callbacks of the libraries that raise errors or yield where
-- they must not.
local create, resume, wrap, yield =
    coroutine.create, coroutine.resume, coroutine.wrap, coroutine.yield
local function leaf(x)
    return x
end
local function fail(x)
    leaf(x)
    error(x or 'failure')
end
local function isLess(a, b)
    return leaf(a) < leaf(b)
end
local handlers = {
    function(message)
        debug.traceback(message)
        return message
    end,
    function(message)
        local thread = create(function()
            leaf(1)
            yield(1)
            fail()
        end)
        resume(thread)
        resume(thread)
        leaf(2)
        return message
    end,
    function(message)
        pcall(fail, 'other')
        xpcall(fail, leaf)
        leaf(3)
        return message
    end,
    function(message)
        Callback(fail, 1)
        Callback(leaf, 2)
        moho.entity_methods.Destroy(fail)
        leaf(4)
        return message
    end,
    function(message)
        table.sort({ 3, 1, 2 }, isLess)
        pcall(table.sort, { 3, 2, 1 }, fail)
        leaf(5)
        return message
    end,
    tostring,
}
handlers[7] = function(message)
    return handlers[3](message)
end
local function body()
    leaf(6)
    pcall(fail)
    fail('body')
end
local function tailBody()
    return body()
end
local function handle()
    for i = 1, 7 do
        xpcall(body, handlers[i])
        leaf(7)
        xpcall(tailBody, handlers[i])
        leaf(8)
        xpcall(error, handlers[i])
        pcall(xpcall, error, handlers[i])
        leaf(9)
    end
    xpcall(function()
        Callback(body)
        leaf(10)
        pcall(Callback)
        xpcall(body, handlers[3])
        leaf(11)
        body()
    end, handlers[7])
    xpcall(body, nil)
    leaf(12)
end
local function compareAndYield(a, b)
    leaf(a)
    yield(1)
    return a < b
end
local function compareWithErrors(a, b)
    if a == 2 then
        fail()
    end
    pcall(fail)
    local resumed = wrap(function()
        leaf(a)
        yield(1)
        fail()
    end)
    resumed()
    pcall(resumed)
    return leaf(a) < leaf(b)
end
local function visit(key, value)
    if value == 2 then
        fail()
    end
    pcall(yield, value)
    leaf(value)
end
local function call()
    pcall(table.sort, { 3, 2, 1 }, compareAndYield)
    leaf(13)
    pcall(table.sort, { 3, 2, 1, 4 }, compareWithErrors)
    leaf(14)
    pcall(string.gsub, 'abc', '%a', yield)
    leaf(15)
    pcall(table.foreach, { 1, 2, 3 }, visit)
    leaf(16)
    table.foreach({ 1, 3 }, function()
        table.foreach({ 3 }, function()
            pcall(table.foreach, { 1, 2 }, visit)
            leaf(17)
        end)
        leaf(18)
    end)
    local thread = create(function()
        pcall(table.sort, { 3, 2, 1 }, compareWithErrors)
        yield(1)
        pcall(string.gsub, 'abc', '%a', fail)
        leaf(19)
        table.sort({ 3, 2, 1 }, compareAndYield)
    end)
    resume(thread)
    leaf(20)
    resume(thread)
    leaf(21)
end
function SimBeat()
    handle()
    call()
    Callback(handle)
    leaf(22)
    fail('main')
end
ForkThread(function()
    while true do
        handle()
        call()
        WaitTicks(1)
        xpcall(handle, fail)
        pcall(call)
    end
end)
ForkThread(function()
    while true do
        ForkThread(function()
            call()
            xpcall(body, yield)
            table.sort({ 3, 2, 1 }, compareAndYield)
        end)
        WaitTicks(2)
    end
end)
