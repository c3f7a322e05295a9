-- Checks what Lua can see of the recorder's assumptions about the game, and writes it into the log:
-- supprof-recorder(7) has the lines that should come, and how to run this in the game.
do
    local log, info, hook, count = LOG, debug.getinfo, debug.sethook, 0

    local function say(key, value)
        count = count + 1
        log('prof: $3 s0 ' .. count .. ' check ' .. key .. '=' .. tostring(value))
    end

    -- By how much a clock goes on at once, and after how many readings.
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

    -- Two characters for each event: the first letter of its name, and what the function is.
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
