------------------------------------------------------------------------------------------
-- supprof's recorder for Supreme Commander: Forged Alliance (LOUD, FAF, Steam).
--
-- Writes down every call and return of the sim's Lua, compactly, as "prof: $2 ..." lines
-- in the game log. Rebuilding the call stacks from them is left to the program supprof.
--
-- To install it, append this file to lua/simInit.lua, or ship it in a mod as
-- hook/lua/simInit.lua. It records for 60 seconds from minute 1 on (see SETTINGS).
-- CTRL-O starts and CTRL-P stops it as well, where cheats are on. Keep the Lua debugger
-- window (ALT-F9) closed meanwhile: it takes the hook away.
--
-- The format of the lines is documented in supprof-log(5). This file stays within what
-- Lua 5.0, as in the game, and Lua 5.1, where the tests run, have in common.
------------------------------------------------------------------------------------------
do

------------------------------------------------------------------------------------------
-- SETTINGS
------------------------------------------------------------------------------------------
local settings = {
    -- Records from this many seconds of game time on, for this many; false: only by command.
    from = 60,
    duration = 60,

    -- Keys to start and stop by hand; false: none.
    startKey = 'CTRL-O',
    stopKey = 'CTRL-P',

    -- Write the line that each call is made from; without, the log is a little smaller.
    lines = true,

    -- Also write by how much the memory in use grew between events (costs a call each).
    memory = false,

    -- Measure wall-clock seconds between two game times, in seconds, without recording:
    -- {{600, 1200}, {1200, 1800}} measures minutes 10 to 20 and 20 to 30.
    benchmarks = {},
}

------------------------------------------------------------------------------------------
-- ENGINE: what is taken from the game, once. The only part that a test fakes. Reading a
-- global that is not there is an error in the game, hence rawget.
------------------------------------------------------------------------------------------
local globals = _G
local rawget, pcall, type, pairs = rawget, pcall, type, pairs
local function global(name)
    return rawget(globals, name)
end

local getinfo, sethook, gethook = debug.getinfo, debug.sethook, debug.gethook
local log = global('LOG')
local currentThread = global('CurrentThread')
local gameTick = global('GetGameTick')
local gameTime = global('GetGameTimeSeconds')
local forkThread, waitTicks = global('ForkThread'), global('WaitTicks')
local memoryInUse = global('gcinfo')

-- The number of the game's Lua is a 32-bit float; that of 5.1 a 64-bit one. Adding and
-- taking away this one rounds to a whole number, without the cost of a function call. It is
-- 1.5 times the first number that has no fraction, so that this goes for negative ones too.
local ROUND = 12582912
if 16777216 + 1 ~= 16777216 then
    ROUND = 6755399441055744
end

-- The mark that the game's Lua sends when a thread goes on after a yield: a call event of
-- a function that is at a line already. 5.1 sends none, and has a line at every call.
local SENDS_RESUME_MARK = global('_VERSION') ~= 'Lua 5.1'

-- FAF's executable has one that shows the time since an origin. That of steadyClock stays;
-- that of clock is moved when a recording begins, so that its step is small in any hour.
local clock, clockName = global('GetSystemTimeSecondsOnlyForProfileUse'),
    'GetSystemTimeSecondsOnlyForProfileUse'
local steadyClock = clock
local function restartClock()
end
local preciseClock = global('GetTimeForProfile')
if preciseClock then
    local works, origin = pcall(preciseClock, 0)
    local value = nil
    if works and type(origin) == 'number' then
        works, value = pcall(preciseClock, origin)
    end
    if works and type(value) == 'number' then
        local firstOrigin = origin
        steadyClock = function()
            return preciseClock(firstOrigin)
        end
        clock = function()
            return preciseClock(origin)
        end
        -- The origin is rounded: a second less, so that the clock never shows less than 0.
        restartClock = function()
            origin = preciseClock(0) - 1
        end
        clockName = 'GetTimeForProfile'
    end
end

-- After a call of one of these another thread may run. Others that switch threads are
-- noticed by a return that does not fit.
local switching = {}
local function addSwitching(f)
    if f then
        switching[f] = true
    end
end
addSwitching(coroutine.yield)
addSwitching(coroutine.resume)
addSwitching(waitTicks)
addSwitching(global('WaitFor'))
addSwitching(global('SuspendCurrentThread'))
addSwitching(global('KillThread'))

------------------------------------------------------------------------------------------
-- STATE of a recording
------------------------------------------------------------------------------------------
local SOURCE_NUMBER = -2    -- the key of a source's own id in prototypes[source]
local NO_CALLER = -2      -- the line of a call without a caller
local PIECES = 900        -- events a line: 2 to 3 KB
local RETRY = 50           -- events until a line that could not be written is tried again
local GIVE_UP = 2000       -- events that may wait for that
local KEPT_UNITS = 16     -- texts of events are kept for times below this
local FORGET_DEPTH = 1000 -- leftovers of failed callbacks that the main thread may pile up

local isRecording = false
local run = 0             -- recordings so far
local lineNumber          -- of the last line written in this run

local ids                 -- [function] = id; weak, so that no closure is kept alive
local prototypes          -- [source][line defined, or name of a C function] = id
local idCount
local isSwitching         -- [id] = true or false, of C functions
local hasName             -- [id] = the name that was written for it
local globalNames         -- [function] = its name in the globals or a library; weak

local sites               -- [id][line] = {code =, [dt] = text of a call after dt units}
local siteCount
local returns             -- [dt] = text of a return after dt units; .tail, .mark: likewise

local definitions         -- lines to write before the events that use them
local definitionCount

local threads             -- [thread] = {id =, depth =, base =, [1..depth] = ids}; weak
local mainThread          -- stands for the main thread as a key
local threadCount
local current             -- of threads: the one that runs
local stack, depth, base  -- current, current.depth, current.base
local mustIdentify        -- whether another thread may run by now

local buffer              -- [1..bufferCount]: texts of events not written yet
local bufferCount
local flushAt             -- bufferCount at which it is written
local isFlushing
local lineThread, lineTime, lineLost -- thread, last and lost where the buffer begins
local eventCount, eventMillions      -- a float cannot count beyond 2^24

local unit, perUnit       -- seconds a unit of time, and the reverse
local last                -- time of the last event, rounded to units, without the hook's own
local lost                -- time spent in the hook so far
local tick, memory        -- at the last event
local withoutLines        -- not settings.lines

------------------------------------------------------------------------------------------
-- WRITER: the lines. All start with "prof: $2 <run> <number> <kind> "; see supprof-log(5).
--
--   begin       <key>=<value> ...
--   source      <id> <text>
--   function    <id> <source id> <line defined> <name>
--   name        <function id> <name>
--   site        <first number> <function id>,<line>[;...]
--   thread      <id> main|coroutine
--   events      <thread> <time> <lost> <events>
--   benchmark   <from> <to> <seconds>
--   end         <key>=<value> ...
------------------------------------------------------------------------------------------
local format, concat = string.format, table.concat
local find, sub, char, byte = string.find, string.sub, string.char, string.byte
local mod = math.mod

local stateName = global('GetFocusArmy') and not gameTick and 'u' or 's'

-- What goes wrong here must not reach the game. Returns whether the line was written.
local function write(kind, text)
    local isWritten = pcall(log, format('prof: $2 %s%d %d %s %s', stateName, run, lineNumber + 1,
        kind, text))
    if isWritten then
        lineNumber = lineNumber + 1
    end
    return isWritten
end

-- A loop and no string.gsub(), whose function would need room on a stack that may be full.
local function escape(text)
    if not find(text, '[%c\\%%\127-\255]') then
        return text
    end
    local parts, length = {}, string.len(text)
    for i = 1, length do
        local code = byte(text, i)
        local isPlain = code >= 32 and code <= 126 and code ~= 37 and code ~= 92
        parts[i] = isPlain and sub(text, i, i) or format('\\%03d', code)
    end
    return concat(parts, '', 1, length)
end

local function define(kind, text)
    definitionCount = definitionCount + 1
    definitions[definitionCount] = {kind, text}
end

-- Writes the definitions; false when some are left.
local function flushDefinitions()
    local written = 0
    while written < definitionCount and
        write(definitions[written + 1][1], definitions[written + 1][2]) do
        written = written + 1
    end
    for i = 1, definitionCount do
        definitions[i] = definitions[i + written]
    end
    definitionCount = definitionCount - written
    return definitionCount == 0
end

local function countEvents()
    eventCount = eventCount + bufferCount
    if eventCount >= 1000000 then
        eventCount = eventCount - 1000000
        eventMillions = eventMillions + 1
    end
end

-- LOG fails where the stack is nearly full, which does not last: so what could not be written
-- is tried again some events later. When it goes on, the events are given up; the number of
-- their line is left out, so that a reader notices.
local function flush()
    if isFlushing then
        return
    end
    isFlushing = true
    local isWritten = flushDefinitions() and (bufferCount == 0 or write('events',
        format('%d %.9g %.9g ', lineThread, lineTime, lineLost)..
        concat(buffer, '', 1, bufferCount)))
    if not isWritten and bufferCount < GIVE_UP then
        flushAt = bufferCount + RETRY
    else
        if not isWritten then
            lineNumber = lineNumber + 1
        end
        countEvents()
        bufferCount, flushAt = 0, PIECES
        lineThread, lineTime, lineLost = current and current.id or 0, last, lost
    end
    isFlushing = false
end

local function put(text)
    bufferCount = bufferCount + 1
    buffer[bufferCount] = text
end

-- The number of a site in letters, the first of them a capital: A to Z, Aa, Ab ...
local function letters(number)
    local text = ''
    while number >= 26 do
        local rest = mod(number, 26)
        text = char(97 + rest)..text
        number = (number - rest) / 26 - 1
    end
    return char(65 + number)..text
end

------------------------------------------------------------------------------------------
-- HOOK. What its cost is made of, and the rules that follow:
--
-- - getinfo costs 0.15 to 0.27 us with 'f', 'l' or both, and far more with 'n' and 'S':
--   names and sources are asked for once a function.
-- - Each text of an event is made once and looked up after that: concatenation and
--   string.format cost more than the lookups, and make garbage.
-- - The clock is read twice, at the start and at the end: what the hook itself takes,
--   with writing lines and the garbage it makes, is taken out of the profile exactly.
-- - Times are whole multiples of the clock's step, so that sums of differences stay exact
--   in 32-bit floats.
-- - The collections that its garbage makes due are its own time too. Lua looks whether one
--   is due when it makes a string or a table, and the next to do so would be the way into
--   the next hook, before the clock is read: any function of the game could get the pause,
--   and did for two collections in five. So the hook ends with a concatenation, which
--   looks; of nothing, which makes nothing.
-- - A return names its function only when it is not the one expected. It has to be
--   looked at each time, though: after an error that pcall caught, no other event tells.
-- - Nothing here may raise an error, since it would be thrown into the game's code.
------------------------------------------------------------------------------------------
-- `name` is what the caller knows, false for nothing; hook() leaves it to this function. Each
-- table is filled last, since near the end of the stack anything here may fail.
local function defineFunction(f, name)
    local info = f and getinfo(f, 'S') or {source = '=(tail call)', linedefined = -1}
    local source, line = info.source, info.linedefined
    local known = prototypes[source]
    if not known then
        known = {[SOURCE_NUMBER] = idCount}
        define('source', format('%d %s', idCount, escape(source)))
        prototypes[source] = known
    end
    if name == nil then
        name = globalNames[f] or getinfo(3, 'n').name
    end
    -- C functions are told apart by name, not as objects: string.gfind and coroutine.wrap
    -- make a new one at each call.
    local key = line >= 0 and line or name or '?'
    local id = known[key]
    if not id then
        id = idCount
        define('function', format('%d %d %d %s', id, known[SOURCE_NUMBER], line,
            escape(name or '?')))
        idCount = idCount + 1
        hasName[id] = name or line < 0
        if line < 0 then
            isSwitching[id] = f and switching[f] or false
        end
        sites[id] = {}
        known[key] = id
    end
    if f then
        ids[f] = id
    end
    return id
end

-- Asks for the name of a function that has none yet, when `isCall`: it is called from hook().
local function defineSite(id, line, isCall)
    if isCall and not hasName[id] then
        local name = getinfo(3, 'n').name
        if name then
            hasName[id] = name
            define('name', format('%d %s', id, escape(name)))
        end
    end
    local site = {code = letters(siteCount)}
    define('site', format('%d %d,%d', siteCount, id, line))
    siteCount = siteCount + 1
    sites[id][line] = site
    return site
end

-- A clock that gave no number, or one out of all bounds, must not spoil what follows.
local function repairClock()
    local now = clock()
    if not (lost > -1e9 and lost < 1e9) then
        lost = lineLost
    end
    last = now > -1e9 and now < 1e9 and now - lost or lineTime
end

-- The text of a call or return after dt units. Long times are rare, and not kept.
local function describe(texts, code, dt)
    if not (dt > -1e12 and dt < 1e12) then
        repairClock()
        dt = 0
    elseif dt < 0 then
        dt = 0
    end
    local text = dt == 0 and code or code..format('%.0f', dt)
    if dt < KEPT_UNITS then
        texts[dt] = text
    end
    return text
end

-- Writes the whole stack of a thread that is met in the middle of its life; `level` is that
-- of the innermost frame, seen from the caller.
local function adoptStack(level)
    local frames, count = {}, 0
    level = level + 1
    while true do
        local info = getinfo(level, 'nfl')
        if not info then
            break
        end
        count = count + 1
        frames[count] = info
        level = level + 1
    end
    local text = '('
    depth = 0
    for i = count, 1, -1 do
        local f = frames[i].func
        local id = f and ids[f] or defineFunction(f, f and (globalNames[f] or frames[i].name) or false)
        local line = i < count and frames[i + 1].currentline or NO_CALLER
        if withoutLines and line > 0 then
            line = 0
        end
        local site = sites[id][line] or defineSite(id, line)
        text = text..site.code
        depth = depth + 1
        stack[depth] = id
    end
    put(text..')')
end

-- Finds out which thread runs. `level` is that of the function of the event, seen from here.
local function identify(event, level)
    local isCoroutine, thread = false, nil
    if currentThread then
        -- It raises an error on the main thread.
        isCoroutine, thread = pcall(currentThread)
    end
    if not isCoroutine and type(thread) == 'string' and find(thread, 'stack overflow', 1, true) then
        -- No room to ask: later.
        mustIdentify = true
        return
    end
    if not isCoroutine or not thread then
        thread = mainThread
    end
    mustIdentify = false
    if gameTick then
        local now = gameTick()
        if now ~= tick then
            tick = now
            put(format('#%d', now))
        end
    end
    local state = threads[thread]
    if state == current and state then
        return
    end
    if current then
        current.depth, current.base = depth, base
    end
    if state then
        current, stack, depth, base = state, state, state.depth, state.base
        put(format('@%d', state.id))
        return
    end
    state = {id = threadCount, depth = 0, base = 0}
    define('thread', format('%d %s', state.id, thread == mainThread and 'main' or 'coroutine'))
    put(format('@%d', state.id))
    threadCount = threadCount + 1
    threads[thread] = state
    current, stack, depth, base = state, state, 0, 0
    if event == 'call' then
        level = level + 1
    end
    if getinfo(level, 'l') then
        adoptStack(level)
    end
end

-- A return of another function than the one that was called last: an error ended what was
-- between, or another thread runs than it seemed.
local function findReturn(id, dt)
    local before, top = current, stack[depth]
    identify('return', 4)
    if current ~= before and top and isSwitching[top] == false then
        -- Other threads may run after this C function, then.
        isSwitching[top] = true
    end
    local found = depth
    while found > 0 and stack[found] ~= id do
        found = found - 1
    end
    if found == 0 then
        put('~')
        adoptStack(3)
        found = depth
    end
    depth = found
    mustIdentify = true
    return describe({}, format('^%d.', id), dt)
end

-- A call without a caller: a thread or a callback begins. A stack that is there already is
-- what an error left, or the function that began it has made a tail call.
local function beginStack()
    identify('call', 4)
    if depth > FORGET_DEPTH then
        put('~')
        depth = 0
    end
    base = depth
    return NO_CALLER
end

local function hook(event)
    local start = clock()
    -- What the hook itself allocates is not to be counted.
    local grown = memory and memoryInUse() - memory
    local isResuming = mustIdentify
    if isResuming then
        identify(event, 3)
    end
    local now = start - lost
    local dt = ((now - last) * perUnit + ROUND) - ROUND
    last = last + dt * unit
    local text
    if event == 'call' then
        local info = getinfo(2, isResuming and 'fl' or 'f')
        local f = info.func
        if isResuming and SENDS_RESUME_MARK and info.currentline >= 0 then
            text = returns.mark[dt] or describe(returns.mark, '!', dt)
        else
            local id = ids[f] or defineFunction(f)
            local caller = getinfo(3, 'l')
            local line = caller and caller.currentline or beginStack()
            if withoutLines and line > 0 then
                line = 0
            end
            local site = sites[id][line] or defineSite(id, line, true)
            text = site[dt] or describe(site, site.code, dt)
            depth = depth + 1
            stack[depth] = id
            if isSwitching[id] then
                mustIdentify = true
            end
        end
    elseif event == 'return' then
        local f = getinfo(2, 'f').func
        local id = ids[f] or defineFunction(f)
        if stack[depth] == id and depth > 0 then
            text = returns[dt] or describe(returns, '.', dt)
        else
            text = findReturn(id, dt)
        end
        depth = depth - 1
        -- After the return of a yield the resume mark may come.
        if depth <= base or isSwitching[id] then
            mustIdentify = true
        end
    else
        text = returns.tail[dt] or describe(returns.tail, ',', dt)
        -- A root that made its tail call before its thread was met is on no stack.
        if depth > 0 then
            depth = depth - 1
        end
        if depth <= base then
            mustIdentify = true
        end
    end
    if grown and grown > 0 then
        text = text..format('+%d', grown)
    end
    bufferCount = bufferCount + 1
    buffer[bufferCount] = text
    if bufferCount >= flushAt then
        -- No event comes while this hook runs; it can only be left over from a full stack.
        isFlushing = false
        flush()
    end
    -- Collects, if that is due; see above.
    local _ = ''..''
    if grown then
        memory = memoryInUse()
    end
    lost = lost + (clock() - start)
end

------------------------------------------------------------------------------------------
-- COMMANDS: the only globals
------------------------------------------------------------------------------------------

-- The step of the clock at its present value: that of a 32-bit float, whose values from 2^23
-- to 2^24 are the whole numbers.
local function clockStep(value)
    local step = 1
    while step * 8388608 > value and step > 1e-9 do
        step = step / 2
    end
    return step
end

-- A known number of calls that do nothing, made in each tick: what they cost in the
-- profile is the cost of recording a call, and of the loop that makes them. It is some tenths
-- of a microsecond, of which a clock shows a step now and then: the coarser, the more calls
-- it takes. The many are 0.2 ms in a tick.
local FEW_CALLS, MANY_CALLS = 20, 80
local COARSE_STEP = 1e-5
local calibrationCalls

-- The loop is timed by itself, before recording: in rounds of so many turns, until one of
-- the limits is reached. Both loops together take about 2 ms, and must not take much more.
local ROUND_TURNS = 400
local MOST_ROUNDS = 160
local LONG_ENOUGH = 0.0008
local LONGEST_TURN = 1e-5   -- what is above is no measurement

local function nothing()
end

-- The only caller of nothing(), so that what is timed is what is recorded.
local function calibrate(luaCalls, cCalls)
    local nothingC = rawequal
    for i = 1, luaCalls do
        nothing()
    end
    for i = 1, cCalls do
        nothingC(i, i)
    end
end

local function calibrateEachTick()
    local mine = run
    while isRecording and run == mine do
        calibrate(calibrationCalls, calibrationCalls)
        waitTicks(1)
    end
end

-- Returns how long each of some rounds took, how many there were, and the shortest.
local function timeRounds(luaCalls, cCalls)
    local rounds, count, shortest = {}, 0, 1
    local start = clock()
    local now = start
    while count < MOST_ROUNDS and now - start < LONG_ENOUGH do
        calibrate(luaCalls, cCalls)
        local before = now
        now = clock()
        count = count + 1
        rounds[count] = now - before
        if rounds[count] < shortest then
            shortest = rounds[count]
        end
    end
    return rounds, count, shortest
end

-- Seconds of a round, or nil. Where the clock stands still for several rounds, only what is
-- between two of its steps has a known length; what took longer than the shortest by more
-- than a step and what is usual was interrupted.
local function timeRound(luaCalls, cCalls, step)
    local rounds, count, shortest = timeRounds(luaCalls, cCalls)
    local limit = shortest * 1.1 + step
    local sum, number, mean = 0, nil, nil
    for i = 1, count do
        local seconds = rounds[i]
        if number and seconds <= limit then
            sum, number = sum + seconds, number + 1
        end
        if seconds > 0 and seconds <= limit then
            mean, number = number and sum / number, number or 0
        end
    end
    return mean
end

-- As text. It is for the reader alone: nothing depends on it, and whatever the clock does,
-- the worst is that it is not known. A hook of somebody else would be timed as well.
local function describeTurn(luaTurns, cTurns, step)
    if gethook and gethook() then
        return '?'
    end
    local isTimed, seconds = pcall(timeRound, luaTurns, cTurns, step)
    local turn = isTimed and seconds and seconds / ROUND_TURNS
    return turn and turn > 0 and turn <= LONGEST_TURN and format('%.9g', turn) or '?'
end

-- A C function has no other name than that of the variable it was called by, which may be
-- a local one; so those that everybody knows are looked up. Of several names it is the
-- one that sorts first, whatever the order of the table.
local function findGlobalNames()
    local names = {}
    setmetatable(names, {__mode = 'k'})
    local libraries = {string = 1, table = 1, math = 1, coroutine = 1, debug = 1}
    for library in pairs(libraries) do
        for name, f in pairs(global(library) or {}) do
            local full = type(name) == 'string' and library..'.'..name
            if type(f) == 'function' and full and not (names[f] and names[f] < full) then
                names[f] = full
            end
        end
    end
    for name, f in pairs(globals) do
        if type(f) == 'function' and type(name) == 'string' and
            not (names[f] and names[f] < name) then
            names[f] = name
        end
    end
    return names
end

-- In several functions, since none may have more than 32 upvalues.
local function resetSymbols()
    ids, prototypes, isSwitching, hasName, sites = {}, {}, {}, {}, {}
    setmetatable(ids, {__mode = 'k'})
    returns = {tail = {}, mark = {}}
    globalNames = findGlobalNames()
    idCount, siteCount = 1, 0
    definitions, definitionCount = {}, 0
end

local function resetThreads()
    threads, mainThread, threadCount = {}, {}, 0
    setmetatable(threads, {__mode = 'k'})
    current, stack, depth, base, mustIdentify = nil, {}, 0, 0, true
end

local function resetEvents()
    buffer, bufferCount, flushAt, isFlushing = {}, 0, PIECES, false
    for i = 1, GIVE_UP + 8 do
        buffer[i] = ''
    end
    eventCount, eventMillions = 0, 0
    memory = settings.memory and memoryInUse and memoryInUse() or false
    withoutLines = not settings.lines
    tick = nil
    lost = 0
    restartClock()
    last = clock()
    lineThread, lineTime, lineLost = 0, last, 0
end

-- Returns the clock's step.
local function chooseUnit()
    local step = clockStep(last)
    unit = 1 / 1048576
    while unit < step do
        unit = unit * 2
    end
    perUnit = 1 / unit
    return step
end

local function describeCalibration(step)
    if not (forkThread and waitTicks) then
        return 'calibration=0 calibrator=? lua_call=? c_call=?'
    end
    calibrationCalls = step > COARSE_STEP and MANY_CALLS or FEW_CALLS
    return format('calibration=%d calibrator=%d lua_call=%s c_call=%s', calibrationCalls,
        defineFunction(calibrate, 'calibrate'), describeTurn(ROUND_TURNS, 0, step),
        describeTurn(0, ROUND_TURNS, step))
end

local function begin()
    run = run + 1
    lineNumber = 0
    resetSymbols()
    resetThreads()
    resetEvents()
    local step = chooseUnit()
    write('begin', format('version=1 state=%s clock=%s at=%.9g step=%.9g unit=%.9g tick=%s time=%s'..
        ' marks=%s memory=%s %s', stateName == 's' and 'sim' or 'ui', clockName, last, step, unit,
        gameTick and gameTick() or '?', gameTime and format('%.9g', gameTime()) or '?',
        SENDS_RESUME_MARK and 'yes' or 'no', memory and 'yes' or 'no', describeCalibration(step)))
end

-- Nothing of the game may be kept alive from here.
local function forget()
    ids, prototypes, isSwitching, hasName, sites = nil, nil, nil, nil, nil
    returns, globalNames, definitions = nil, nil, nil
    threads, mainThread, current, stack, buffer = nil, nil, nil, nil, nil
end

function StartProfiler()
    if isRecording or not log or not clock then
        return
    end
    begin()
    isRecording = true
    if forkThread and waitTicks then
        forkThread(calibrateEachTick)
    end
    last = clock()
    lineTime = last
    sethook(hook, 'cr')
end

function StopProfiler()
    if not isRecording or isFlushing then
        return
    end
    -- Unless somebody else has put a hook in our place.
    if not gethook or gethook() == hook then
        sethook()
    end
    isRecording = false
    flush()
    local events = format('%d', eventCount)
    if eventMillions > 0 then
        events = format('%d%06d', eventMillions, eventCount)
    end
    write('end', format('lines=%d events=%s functions=%d sites=%d threads=%d at=%.9g lost=%.9g'..
        ' tick=%s', lineNumber + 1, events, idCount - 1, siteCount, threadCount, last, lost,
        gameTick and gameTick() or '?'))
    forget()
end

------------------------------------------------------------------------------------------
-- INSTALLATION: the only statements with effects while the game loads
------------------------------------------------------------------------------------------
local function waitSeconds(seconds)
    local ticks = seconds * 10
    if ticks >= 1 then
        waitTicks(ticks)
    end
end

local function recordOnSchedule()
    waitSeconds(settings.from)
    StartProfiler()
    local mine = run
    waitSeconds(settings.duration)
    -- Not one that was started by hand meanwhile.
    if run == mine then
        StopProfiler()
    end
end

local benchmarkCount = 0

local function benchmark(from, to)
    waitSeconds(from)
    local start = steadyClock()
    waitSeconds(to - from)
    local seconds = steadyClock() - start
    -- Run 0 is that of the benchmarks, since a recording may be going on.
    benchmarkCount = benchmarkCount + 1
    pcall(log, format('prof: $2 %s0 %d benchmark %.9g %.9g %.9g', stateName, benchmarkCount, from,
        to, seconds))
end

if forkThread and waitTicks and log and clock then
    if settings.from then
        forkThread(recordOnSchedule)
    end
    for i = 1, table.getn(settings.benchmarks) do
        forkThread(benchmark, settings.benchmarks[i][1], settings.benchmarks[i][2])
    end
end

local baseSetupSession, execute = global('SetupSession'), global('SimConExecute')
if baseSetupSession and execute then
    function SetupSession()
        baseSetupSession()
        if settings.startKey then
            pcall(execute, 'IN_BindKey '..settings.startKey..' SimLua StartProfiler()')
        end
        if settings.stopKey then
            pcall(execute, 'IN_BindKey '..settings.stopKey..' SimLua StopProfiler()')
        end
    end
end

end
