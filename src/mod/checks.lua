-- Checks what Lua can see of the recorder's assumptions about the game, which supprof-recorder(7)
-- lists, and writes it into the log. These lines should come, but for their times:
--
--     info: prof: $3 s0 1 check type=cfunction
--     info: prof: $3 s0 2 check getinfo=true
--     info: prof: $3 s0 3 check float=true
--     info: prof: $3 s0 4 check main=false
--     info: prof: $3 s0 5 check moho=table
--     info: prof: $3 s0 6 check gethook=nil
--     info: prof: $3 s0 7 check clock=6.1e-05 after 200
--     info: prof: $3 s0 8 check events=r-c-c-c-c-r-r+r+t+cpcerpc-
--     info: prof: $3 s0 9 check thread=1
--     info: prof: $3 s0 10 check marks=1
--
-- clock: by how much it goes on at once, after how many readings; events: each is the first letter
-- of its name, and e for error, p for pcall, + for a Lua function that is at a line, - for one that
-- is not yet, and for C functions; thread: the calls that the hook saw when a thread made one;
-- marks: the resume marks in a tick. Where something else is said, the assumption does not hold:
-- other events mean that call stacks may be wrong, and a gethook that recordings replace another
-- hook until they end.
do
    local log, info, hook, count = LOG, debug.getinfo, debug.sethook, 0

    local function say(key, value)
        count = count + 1
        log('prof: $3 s0 ' .. count .. ' check ' .. key .. '=' .. tostring(value))
    end

    local function step(read, argument)
        local first, now, readings = read(argument), nil, 0
        repeat
            now = read(argument)
            readings = readings + 1
        until now ~= first or readings == 300000
        return string.format('%.3g after %d', now - first, readings)
    end

    say('type', type(print))
    say('getinfo', pcall(info, print, 'S'))
    say('float', 16777216 + 1 == 16777216)
    say('main', pcall(CurrentThread))
    say('moho', type(moho) == 'table' and type(moho.unit_methods))
    say('gethook', tostring(debug.gethook()))
    say('clock', step(GetSystemTimeSecondsOnlyForProfileUse))
    local precise = rawget(_G, 'GetTimeForProfile')
    if precise then
        say('precise', step(precise, precise(0) - 1))
    end

    local events = ''
    local function note(event)
        local at = info(2, 'fl')
        local what = at.func == error and 'e'
            or at.func == pcall and 'p'
            or at.currentline < 0 and '-'
            or '+'
        events = events .. string.sub(event, 1, 1) .. what
    end
    local function tail()
        return tostring(1)
    end
    local function lua()
        local text = tail()
        return text
    end
    local function chain()
        return lua()
    end
    hook(note, 'cr')
    chain()
    pcall(error)
    hook()
    say('events', events)

    local calls, marks = 0, 0
    local function add(event)
        if event == 'call' then
            calls = calls + 1
            if info(2, 'l').currentline >= 0 then
                marks = marks + 1
            end
        end
    end
    hook(add, 'cr')
    ForkThread(function()
        local before = calls
        tostring(1)
        before = calls - before
        WaitTicks(1)
        hook()
        say('thread', before)
        say('marks', marks)
    end)
end
