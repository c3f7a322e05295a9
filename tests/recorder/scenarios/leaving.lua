-- An error leaves a coroutine, for a handler or a pcall() of the thread that resumed it, which
-- looks like one that the coroutine has; and functions run on the main thread while a coroutine of
-- it waits.
local create, resume, yield, wrap =
    coroutine.create, coroutine.resume, coroutine.yield, coroutine.wrap
local CallbackOnMain, Callback = CallbackOnMain, Callback
local function leaf(x)
    return x
end
local function other(x)
    leaf(x)
    return x
end
local function fail()
    leaf(1)
    error('failure')
end
local function handled(f)
    xpcall(function()
        for v in wrap(f) do
            leaf(v)
        end
    end, function(message)
        leaf(2)
        other(3)
        return message
    end)
    leaf(4)
end
local function caught(f)
    pcall(function()
        for v in wrap(f) do
            leaf(v)
        end
    end)
    other(5)
end

local function onMain()
    leaf(6)
    CallbackOnMain(other, 7)
    leaf(8)
    Callback(fail)
    other(9)
end
local function inCoroutine()
    resume(create(function()
        onMain()
        resume(create(onMain))
        leaf(10)
        yield(1)
        fail()
    end))
    leaf(11)
    caught(onMain)
    handled(onMain)
end
local function all()
    handled(fail)
    caught(fail)
    caught(function()
        caught(fail)
        handled(fail)
        yield(1)
        fail()
    end)
    inCoroutine()
    leaf(12)
end
ForkThread(function()
    while true do
        handled(fail)
        WaitTicks(1)
        leaf(13)
    end
end)
ForkThread(function()
    while true do
        all()
        WaitTicks(1)
        other(14)
    end
end)
function SimBeat()
    leaf(15)
    all()
end
