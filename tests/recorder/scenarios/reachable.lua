-- reachable.lua - calls every function that can be reached from the globals, the libraries and
-- moho, each through pcall(), which gives it no name. LOGs "reachable <name> ..." for each: all of
-- its names.
do
    local pcall, type, getinfo = pcall, type, debug.getinfo
    local names, order = {}, {}

    function Global() end
    Library = {}
    function Library.Member() end

    local function add(f, name)
        if not names[f] then
            names[f] = {}
            table.insert(order, f)
        end
        table.insert(names[f], name)
    end

    local function walk(t, prefix, depth)
        for name, value in pairs(t) do
            local kind = type(value)
            if type(name) ~= 'string' then
            elseif kind == 'function' or kind == 'cfunction' then
                add(value, prefix .. name)
            elseif kind == 'table' and value ~= _G and depth > 0 then
                walk(value, prefix .. name .. '.', depth - 1)
            end
        end
    end

    -- They stop the program, the recording or this walk, or are this scenario.
    local function leaveOut()
        for _, f in pairs({
            debug.debug,
            debug.sethook,
            StartProfiler,
            StopProfiler,
            SetupSession,
            SimBeat,
        }) do
            names[f] = nil
        end
    end

    local hasCalled
    function SimBeat()
        if not debug.gethook() or hasCalled then
            return
        end
        hasCalled = true
        walk(_G, '', 2)
        leaveOut()
        for _, f in pairs(order) do
            if names[f] then
                LOG('reachable ' .. table.concat(names[f], ' '))
                pcall(f)
            end
        end
    end
end
