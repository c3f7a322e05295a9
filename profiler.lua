------------------------------------------------------------------------------------------
-- supprof's recorder for Supreme Commander: Forged Alliance (LOUD, FAF, Steam).
--
-- Writes down every call and return of the sim's Lua, compactly, as "prof: $4 ..." lines
-- in the game log. Rebuilding the call stacks from them is left to the program supprof.
--
-- To install it, append this file to lua/simInit.lua, or ship it in a mod as hook/lua/simInit.lua;
-- as hook/lua/userInit.lua it records the Lua of the user interface, only by command (there, a
-- frame is in place of a tick). It records for 60 seconds from minute 1 on (see SETTINGS).
-- CTRL-O starts and CTRL-P stops it as well, where cheats are on; without, type in the console
-- UI_Lua SimCallback({Func = 'SupprofStart', Args = {}})   or SupprofStop; the mod has keys for it.
-- Keep the Lua debugger window (ALT-F9) closed meanwhile: it takes the hook away.
--
-- The format of the lines is documented in supprof-log(5). This file stays within what
-- Lua 5.0, as in the game, and Lua 5.1, where the tests run, have in common.
-- All of it is in a function of its own, since hooks of mods are appended to one chunk, and Lua
-- allows a chunk 200 local variables.
------------------------------------------------------------------------------------------
do local function install()

-- SETTINGS --------------------------------------------------------------------------------
-- Seconds are of game time. false: not at all. As a mod, keep yours in a file settings.lua in its
-- folder, which an update leaves alone: a line for each that differs, such as   from = 1200
local settings = {
    -- Seconds from the start of the game until it records (false: by command, until a stop), and
    -- for how long (false: until a stop).
    from = 60,
    duration = 60,

    -- 'exact' records every call, and makes the game's Lua take several times as long. 'sample'
    -- does so in whole ticks that are chosen by chance, for this share of Lua's time: for whole
    -- games, with duration = false. It leaves a tick that takes longer than so many milliseconds.
    -- 'watch' measures by the clock what threads take in the whole game, whatever `from` and
    -- `duration` say, and records some of what runs after slow ticks, for a share of Lua's time
    -- that is `suspects`.
    mode = 'exact',
    budget = 0.03,
    longest = 500,
    suspects = 0.01,

    -- Also records when the game gets slow (only then, with from = false): with
    -- {slow = 20, of = 50, ms = 150, duration = 30, pause = 300} for 30 seconds when threads took
    -- 150 milliseconds in 20 of the last 50 ticks, and then not for 300 seconds. Functions of the
    -- recorder stand for those that suspend a thread, for that.
    trigger = false,

    -- Keys to start and stop by hand, where cheats are on; and what the user interface may call,
    -- with or without: SimCallback({Func = 'SupprofStart', Args = {}}).
    startKey = 'CTRL-O',
    stopKey = 'CTRL-P',
    startCallback = 'SupprofStart',
    stopCallback = 'SupprofStop',

    -- Who may start it by that callback: everybody in games with cheats, replays, games with an AI,
    -- and games of one person alone; in others, the players of these names. false: everybody.
    who = { cheats = true, replays = true, ai = true, alone = true, players = {} },

    -- The message at the end counts the ticks in which Lua took more milliseconds than this; a
    -- watch calls them slow.
    slowTick = 100,

    -- In the Lua of the user interface, a watch begins by itself only if this is a number: frames
    -- in which Lua takes more milliseconds than it are slow.
    slowFrame = false,

    -- Functions of which every line is recorded, as 'lua/sim/unit.lua:120', the file and line of
    -- their definitions, or by their names, as 'Unit.OnCreate'. Only these become more expensive.
    lines = {},

    -- Functions, given in the same way, of which it is counted how often they get the same
    -- arguments again, and whether the results are equal. Meanwhile others stand in their places.
    arguments = {},

    -- Also write by how much the memory in use grew between events (costs a call each).
    memory = false,

    -- While recording and timing, the limit from where Lua collects unused memory is up to 48 MB
    -- higher, and the recorder collects in its own time, so that no function gets that time.
    collector = true,

    -- Also time what threads take, by the clock alone: from that supprof knows what recording adds.
    -- For 20 seconds before and after an exact recording that `from` starts, or in a tenth of the
    -- ticks that 'sample' leaves out (not with `trigger`). Functions of the recorder stand for
    -- those that suspend a thread, for that, as in a watch.
    reference = true,

    -- Measures the real time between two times of the game, without recording:
    -- {{600, 1200}, {1200, 1800}} does so for minutes 10 to 20 and 20 to 30.
    benchmarks = {},
}

------------------------------------------------------------------------------------------
-- ENGINE: what is taken from the game, once. The only part that a test fakes. Reading a global that
-- is not there is an error in the game, hence rawget.
local globals = _G
local rawget, pcall, type, pairs = rawget, pcall, type, pairs
local function global(name) return rawget(globals, name) end

local debug = global('debug') or {}
local getinfo, sethook, gethook = debug.getinfo, debug.sethook, debug.gethook
local log, warn, print = global('LOG'), global('WARN'), global('print')
local currentThread, gameTime = global('CurrentThread'), global('GetGameTimeSeconds')
local gameTick = global('GetGameTick')
local forkThread, waitTicks = global('ForkThread'), global('WaitTicks')
local memoryInUse, collect = global('gcinfo'), global('collectgarbage')

-- What stands in its place may fail or tell nonsense; then nothing is known of the memory.
do
    local function isAmount(value) return type(value) == 'number' and value >= 0 end
    local isTold, used, limit = pcall(memoryInUse or error)
    if not (isTold and isAmount(used) and isAmount(limit or 0)) then memoryInUse = nil end
end

-- In the Lua of the user interface, which has no game tick, a frame stands for it: the recorder's
-- own thread counts them, so a frame begins where that thread runs.
local frame = 0
local isOfInterface = not gameTick and global('WaitFrames') and true
if isOfInterface then
    waitTicks = global('WaitFrames')
    function gameTick() return frame end
end

-- The number of the game's Lua is a 32-bit float; that of 5.1 a 64-bit one. Adding and taking away
-- 1.5 times the first that has no fraction rounds to a whole number, without a function call, also
-- where it is negative. EXACT is what a number can differ from the next, at most, divided by it.
local ROUND, EXACT = 12582912, 1 / 8388608
if 16777216 + 1 ~= 16777216 then
    ROUND, EXACT = 6755399441055744, 1 / 4503599627370496
end

-- The mark that the game's Lua sends when a thread goes on after a yield: a call event of a
-- function that is at a line already. 5.1 sends none, and has a line at every call.
local SENDS_RESUME_MARK = global('_VERSION') ~= 'Lua 5.1'

-- The game's Lua shows local variables of Lua functions only, 5.1 temporaries of C functions too.
local getlocal = SENDS_RESUME_MARK and debug.getlocal or function() end

local function weak() return setmetatable({}, { __mode = 'k' }) end

-- Of C functions type() says 'cfunction' in the game, and 'function' elsewhere.
local function isFunction(value) return type(value) == 'function' or type(value) == 'cfunction' end

-- After a call of one of these another thread may run. Of others it is learned.
local coroutine = global('coroutine') or {}
local switching, suspending = {}, {}
local waitFor, suspend = global('WaitFor'), global('SuspendCurrentThread')
for _, f in pairs({ coroutine.yield, waitTicks, waitFor, suspend }) do
    switching[f], suspending[f] = true, true
end
for _, f in pairs({ coroutine.resume, global('KillThread') }) do
    switching[f] = true
end

-- C functions that catch errors, and call one function once.
local catchesOne = { [pcall] = true, [global('xpcall') or pcall] = true }

-- C functions that call back, but catch no errors. Of others that call back we cannot know.
local catchesNothing = {}
for library in pairs({ string = 1, table = 1, math = 1, debug = 1 }) do
    for _, f in pairs(global(library) or {}) do
        if isFunction(f) then catchesNothing[f] = true end
    end
end

-- WRAPPERS: functions of the recorder that stand in the places of the game's, for ARGUMENTS and
-- WAKES below. A wrapper leaves in `target` what it calls, and calls pack() then, or proceed()
-- where a thread has ended. These are told apart in the hook, so that all that is the recorder's
-- own between two events of the game is passed over. After a function that suspends, it knows that.
local wrapped = weak() -- [wrapper] = the function for which it stands; of all recordings
local replaces = weak() -- the same of those that stay
local target, given, returned -- what a wrapper calls, with its arguments, and the results
local function pack(...) return arg end
local function proceed() end

-- STATE of a recording --------------------------------------------------------------------
local SOURCE_NUMBER = -2 -- the key of a source's own id in prototypes[source]
local NO_CALLER = -2 -- the line of a call without a caller
local UNKNOWN_LINE = -1 -- that of a call by a C function, or by one lost to a tail call
-- In a table, since a function may have 200 local variables.
local LIMITS = {
    PIECES = 900, -- events a line: about 2 KB
    RETRY = 50, -- events until a line that could not be written is tried again
    GIVE_UP = 2000, -- events that may wait for that
    WAITING = 20, -- events that a mark may be waited for
    KEPT_UNITS = 100, -- texts of times below this are kept
    FORGET_DEPTH = 1000, -- leftovers of failed callbacks that the main thread may pile up
    TRIALS = 50, -- calls until a C function that seemed to switch threads is trusted
    NAMELESS = 250, -- C functions without a name that are told apart
    SOURCE = 2000, -- bytes; the name of a longer one is cut to half of that
}

local isRecording = false
local run = 0 -- recordings so far
local lineNumber -- of the last line written in this run

-- A function is a table: {id =, isC =, hasName =, looks =, kinds =, [line] = the text of a call
-- from this line of a Lua function, others = {[line] = that of other calls}}, and of C functions:
--   catches     it has called back, so an error may have ended what it called
--   catchesOne  it does, and calls once: what it calls is its first event
--   catchesNothing  it is known that it never does
--   switches    after its call another thread may run
--   suspends    it suspends the thread that calls it
--   callsMain   after its call from a coroutine the main thread may run
--   trials      calls left until that is not believed any longer; nil: it is sure
local functions -- [function] = table; weak, so that no closure is kept alive
-- Those of functions that need no second look, and [table of a Lua function] = true; weak.
local trusted
local prototypes -- [source][line defined, or name of a C function] = table
local cutSources -- [text as written] = true
local globalNames -- [function] = its name in the globals or a library; weak
local digits -- [dt] = text of dt seconds, in units
local definitions -- lines to write before the events that use them
local definitionCount, idCount, siteCount, threadCount, namelessCount

-- A thread is {id =, switch = its event, isMain =, depth =, base =, bases =, baseCount =,
-- [1..depth] = functions}.
-- What is above `base` belongs to the Lua stack that runs: callbacks and plain coroutines
-- have one of their own above frames that wait. `bases` are those of the frames below.
local threads -- [thread] = table; weak
local mainThread -- stands for the main thread as a key
local current -- of threads: the one that runs
local stack, depth, base -- current, current.depth, current.base
local believed -- trusted; or `none`, when another thread may run by now
local none = {}

local buffer, bufferCount -- [1..bufferCount]: texts of events not written yet
local flushAt -- bufferCount at which it is written; with lines, from where the hook looks
local isFlushing
local lineThread, lineTime, lineLost -- thread, last and lost where the buffer begins
local eventCount, eventMillions -- a float cannot count beyond 2^24
local slowCount -- events that needed a second look
local clock, origin -- clock() or, where an origin is set, clock(origin) are seconds
local function readClock() return origin and clock(origin) or clock() end
local unit -- seconds a unit of time
local round -- added and taken away, rounds seconds to whole units
local sinceLine -- seconds from lineTime to the last event
local zero = 0 -- what the clock showed then, and how long the hook has run since
local clockFaults = 0 -- times that cannot be
local tick -- at the last event
local memory, memoryBefore -- kilobytes in use when the clock was read last, and before; or false
local tickTime, idleTime -- the time when it began; seconds of it in which nothing of Lua ran
local slowTicks -- those in which Lua took too long
local ourHook -- the one of several that is set
local arguments = { isUsed = false, isAside = false } -- see ARGUMENTS below
-- See WAKES below; `own` are functions that the hook never takes for the game's.
local wakes = { isInstalled = false, isOn = false, isHooked = false, own = weak() }
-- isTimed: runs of threads are timed around an exact recording, too; isExact: this is one.
wakes.own[pack], wakes.own[proceed] = true, true

------------------------------------------------------------------------------------------
-- WRITER: the lines. All start with "prof: $4 <run> <number> <kind> ", those of a watch with $5;
-- see supprof-log(5).
local format, concat = string.format, table.concat
local find, sub, char, byte = string.find, string.sub, string.char, string.byte
local mod = math.mod

local stateName = isOfInterface and 'u' or 's'
local prefix -- of all lines of a recording: a watch has a format of its own

-- What goes wrong here must not reach the game. Returns whether the line was written.
local function write(kind, text)
    local isWritten = pcall(log, format(prefix, stateName, run, lineNumber + 1, kind, text))
    if isWritten then lineNumber = lineNumber + 1 end
    return isWritten
end

-- As '1 tick' and '2 ticks'.
local function numbered(number, what)
    local text = format('%.0f', number)
    return text .. ' ' .. what .. (text == '1' and '' or 's')
end

-- A loop and no string.gsub(), whose function would need room on a stack that may be full.
local function escape(text)
    if not find(text, '[%c\\%%\127-\255]') then return text end
    local parts, length = {}, string.len(text)
    for i = 1, length do
        local code = byte(text, i)
        local isPlain = code >= 32 and code <= 126 and code ~= 37 and code ~= 92
        parts[i] = isPlain and sub(text, i, i) or format('\\%03d', code)
    end
    return concat(parts, '', 1, length)
end

-- A chunk may be its own name, and megabytes long. Such a one is cut, and told from others by a
-- number for some thousand bytes, all over it; exact in a 32-bit float.
local function shorten(source)
    local length, value, number = string.len(source), 7, 1
    if length <= LIMITS.SOURCE then return source end
    for i = 1, length, math.floor(length / 2000) + 1 do
        value = mod(value * 31 + byte(source, i), 524287)
    end
    for i = length - 50, length do
        value = mod(value * 31 + byte(source, i), 524287)
    end
    local start = sub(source, 1, LIMITS.SOURCE / 2)
    local short = format('%s... (%d bytes, %06d)', start, length, value)
    while cutSources[short] do
        number = number + 1
        short = format('%s... (%d bytes, %06d, %d)', start, length, value, number)
    end
    cutSources[short] = true
    return short
end

local function define(kind, text)
    definitionCount = definitionCount + 1
    definitions[definitionCount] = { kind, text }
end

-- The time that has passed, and the part of it that was the hook's own.
local function findTimes()
    local now = lineTime + sinceLine
    return now, zero - now
end

-- What a setting chooses: returns a function that returns the text that a function fits, by the
-- source and line of one of Lua or by a name; and [text] = how many calls, 0 so far.
local function makeChoice(wanted)
    local function plain(path) return '/' .. string.lower(string.gsub(path, '\\', '/')) end
    local places, found = {}, {} -- [line defined] = {[text] = path}
    for _, text in pairs(wanted or {}) do
        local _, _, path, line = find(text, '^(.*):(%d+)$')
        if path then
            line = line + 0
            places[line] = places[line] or {}
            places[line][text] = plain(path)
        end
        found[text] = 0
    end
    local function match(source, line, name)
        local text = name and found[name] and name
        for wanted, path in pairs(source and places[line] or {}) do
            text = sub(plain(sub(source, 2)), -string.len(path)) == path and wanted or text
        end
        return text
    end
    return match, found
end

-- The functions whose lines are recorded have a table of texts, `lines`. While one of them runs,
-- the mask of the hook has lines, too, and lines.texts are its texts. What comes between two lines
-- are other events: so the function at a line is the one on top of the stack.
local lines = {} -- and match, found: see makeChoice()

-- After each event, in a recording that has any.
function lines.switch()
    local top = stack[depth]
    local wanted = top and top.lines
    if not wanted ~= not lines.texts then sethook(ourHook, wanted and 'crl' or 'cr') end
    lines.texts = wanted
end

-- The text of an event of a line: its site in small letters.
function lines.define(known, line)
    local text = ':' .. string.lower(lines.findSite(known, line))
    if known.lines then known.lines[line] = text end
    return text
end

function lines.listMissing()
    local missing = {}
    for text, calls in pairs(lines.found) do
        if calls == 0 then table.insert(missing, text) end
    end
    table.sort(missing)
    return missing[1] and ', and no function is ' .. concat(missing, ', ') or ''
end

-- With lines or the memory, the hook does more after each event.
function lines.setFlush(count)
    lines.flushDue, flushAt = count, (lines.isUsed or memory) and 0 or count
end

-- LOG fails where the stack is nearly full, which does not last: so a line is tried again some
-- events later, and given up if that goes on; its number is left out, so that a reader notices.
local function flush()
    if isFlushing then return end
    isFlushing = true
    local written, next = 0, definitions[1]
    while next and write(next[1], next[2]) do
        written, next = written + 1, definitions[written + 2]
    end
    for i = 1, definitionCount do
        definitions[i] = definitions[i + written]
    end
    definitionCount = definitionCount - written
    local isWritten = definitionCount == 0
    if isWritten and bufferCount > 0 then
        local start = format('%d %.9g %.9g ', lineThread, lineTime, lineLost)
        isWritten = write('events', start .. concat(buffer, '', 1, bufferCount))
    end
    if not isWritten and bufferCount < LIMITS.GIVE_UP then
        lines.setFlush(bufferCount + LIMITS.RETRY)
    else
        if not isWritten then lineNumber = lineNumber + 1 end
        eventCount = eventCount + bufferCount
        if eventCount >= 1000000 then
            eventCount, eventMillions = eventCount - 1000000, eventMillions + 1
        end
        bufferCount = 0
        lines.setFlush(LIMITS.PIECES)
        lineThread = current and current.id or 0
        lineTime, lineLost = findTimes()
        sinceLine = 0
    end
    isFlushing = false
end

-- Lua collects garbage once so much memory is in use, in any function of the game, or on the way
-- into the hook. So that no function gets that time, this limit is raised while recording and while
-- runs of threads are timed, and the recorder collects in its own time; later, since the hook makes
-- most of the garbage, but not much later in a game of little memory: that is in the processor's
-- cache, and more would not be.
local collector = { -- and limit = that of the game, raised = ours, later = that much above `limit`
    -- the recorder collects: half of it, at least and at most so much; all in kilobytes
    least = 1024,
    most = 32768,
    reserve = 16384, -- what may be taken between two lines until Lua collects all the same
    touched = 16384, -- what is used once before a recording
}

-- An allocator may join the many small pieces that a collection has freed only when a large one is
-- asked for: with glibc, the next table.insert took 20 ms. So large ones are asked for here.
function collector.settle()
    for i = 1, 10 do
        local large = {}
        for j = 1, 600 do
            large[j] = j
        end
    end
end

-- Also raises the limit again, after Lua itself has collected. A new limit tells of a collection:
-- what was in use is returned, and the limit that Lua has set. Without a hook there is no garbage
-- of ours, so the recorder `isPunctual`: it collects when Lua would.
function collector.makeRoom(isPunctual)
    local used, limit = (memoryInUse or type)(0)
    -- 5.1 does not tell it.
    if type(limit) ~= 'number' then return end
    local later = isPunctual and 0 or collector.later
    if limit == collector.raised and used >= collector.limit + later then
        pcall(collect or type)
        pcall(collector.settle)
        used, limit = memoryInUse()
    end
    if limit == collector.raised then return end
    collector.limit = limit
    collector.later = math.min(math.max(limit / 2, collector.least), collector.most)
    if settings.collector then
        local _
        pcall(collect or type, limit + collector.later + collector.reserve)
        _, collector.raised = memoryInUse()
    end
    return used, limit
end

function collector.work()
    local used, limit = collector.makeRoom()
    if limit and limit ~= collector.written then
        collector.written = limit
        write('heap', format('%d %d', used, limit))
    end
end

-- The system gives memory page by page, at the first use, which takes a microsecond and would be in
-- the time of what allocates. So some is used and left before a recording.
function collector.touch()
    local used, limit = (memoryInUse or type)(0)
    if type(limit) ~= 'number' or not settings.collector then return end
    local wanted, tables = used + collector.touched, {}
    pcall(collect or type, limit + collector.touched + collector.reserve)
    for i = 1, 400 do
        for j = 1, 1000 do
            tables[j] = { i, j }
        end
        if memoryInUse() >= wanted then break end
    end
    tables = nil
    pcall(collect or type)
    collector.settle()
    pcall(collect or type, limit)
end

function collector.giveBack()
    if not collector.raised then return end
    local _, limit = memoryInUse()
    if limit == collector.raised then pcall(collect or type, collector.limit) end
    collector.raised = nil
end

-- What is known of a recording of chosen ticks: see SAMPLE below.
local sampler = {}

-- No event comes while the hook runs; isFlushing can only be left over from a full stack. The mark
-- that a return may have is in the same line.
local function flushFromHook(event)
    if sampler.isLeaving then return sampler.remove() end
    if wakes.isLeaving then return wakes.remove() end
    if lines.isUsed then lines.switch() end
    if memory and memory > memoryBefore and buffer[bufferCount] ~= '' then
        buffer[bufferCount] = buffer[bufferCount] .. format('+%d', memory - memoryBefore)
    end
    local isMarkDue = event == 'return' and believed == none
    if bufferCount < lines.flushDue + (isMarkDue and LIMITS.WAITING or 0) then return end
    isFlushing = false
    if arguments.isUsed and lineNumber >= arguments.due then pcall(arguments.write) end
    flush()
    collector.work()
    if sampler.kind == 'chosen' then sampler.cutLongTick() end
    if wakes.isHooked then wakes.cutLongWake() end
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
        text = char(97 + rest) .. text
        number = (number - rest) / 26 - 1
    end
    return char(65 + number) .. text
end

------------------------------------------------------------------------------------------
-- HOOK. What its cost is made of, and the rules that follow:
--
-- - getinfo costs 0.15 to 0.27 us with 'f', 'l' or both, and far more with 'n' and 'S': names and
--   sources are asked for once a function. Functions are asked for by their level, since getinfo
--   may refuse a C function as its argument.
-- - Each text of a call and of a time is made once and looked up after that. They are put together
--   at once: that costs less than another piece of the line, and Lua knows most pairs.
-- - What costs most is the number of instructions of Lua's virtual machine, some 40 of the
--   processor's each: do with few.
-- - The clock is read twice, at the start and at the end: what the hook itself takes, with writing
--   lines and the garbage it makes, is taken out of the profile exactly.
-- - Times are whole multiples of the clock's step, so that sums of differences stay exact in 32-bit
--   floats.
-- - Where the collector's limit cannot be raised, what the hook's garbage makes due is its own time
--   all the same: Lua looks for that when it makes a string, which the hook does after all garbage.
-- - Nothing here may raise an error, since it would be thrown into the game's code.
--
-- An error that is caught sends no event. So what comes next has to show it: it is a return of the
-- C function that caught the error, or of one that suspends a thread, or a call by that C function,
-- or one without a caller. All other events fit what was before. So a Lua function that returns is
-- the one called last, where no other thread can run. Only Lua functions have local variables, and
-- to ask for one costs a quarter of getinfo. What hook() leaves to slow() needs a second look.

-- The level of the function of the event, as getinfo counts from where it is asked: 1 is the
-- function that asks, and 2 that of the event in hook(). Whoever is given a `level` is given the
-- one that its caller has.
local IN_SLOW = 3 -- what hook() calls: slow() and callWithoutLine()
local IN_KIND = 4 -- what slow() calls: slowCall(), describeReturn()
local IN_STEP = 5 -- what these call

-- The functions of a source. A table is filled last: near the end of the stack anything may fail.
local function findSource(source)
    local known = prototypes[source]
    if not known then
        known = { [SOURCE_NUMBER] = idCount }
        define('source', format('%d %s', idCount, escape(shorten(source))))
        prototypes[source] = known
    end
    return known
end

local function addFunction(known, key, line, name, isC)
    local added = { id = idCount, isC = isC, hasName = name and true or line < 0, others = {} }
    local source = known[SOURCE_NUMBER]
    define('function', format('%d %d %d %s', idCount, source, line, escape(name or '?')))
    idCount = idCount + 1
    known[key] = added
    return added
end

------------------------------------------------------------------------------------------
-- ARGUMENTS of chosen functions, and whether equal ones give equal results.
--
-- No hook of Lua 5.0 sees the arguments of a call when it begins, nor any results. So a chosen
-- function is replaced while recording, by a wrapper that leaves both where the hook finds them:
-- all else is done in the hook, where no events come. The wrapper's own events are passed over
-- (arguments.pass), with its time, and to frameInfo() its frames are none: so nothing else notices
-- it. A Lua function that is called by a variable of old is awaited at its first line, where its
-- local variables are its parameters; its results are not known.
local frameInfo -- getinfo, or the same without the frames of wrappers
local choose
do
    local getmetatable, next = getmetatable, next
    local rawset, unpack, readLocal = rawset, unpack, debug.getlocal
    local insert, sort, getn = table.insert, table.sort, table.getn

    -- What wrappers call for themselves.
    local passed = { [pack] = true, [proceed] = true, [unpack] = true, [type] = true }
    local COUNTS = {}
    local names = 'calls distinct other repeats equal tick_repeats tick_equal tick_contents'
        .. ' tick_other results large failed changed'
    string.gsub(names, '[%a_]+', function(name) insert(COUNTS, name) end)
    local MOST_TUPLES = 4096 -- different arguments of a function
    local MOST_ARGUMENTS = 32
    local LEVELS, FIELDS = 3, 2000 -- of results that are compared by their contents
    local MOST_FIELDS = 200000 -- that are kept of all results
    local MOST_COPIES = 200 -- calls of a function of which it is seen whether they change arguments
    local KEPT_TICKS = { 1, 3, 10, 30, 100 } -- for which results could be kept
    local MOST_TICKS = 1000 -- between calls with the same arguments that are told apart
    local MOST_MEMBERS = 200000 -- of tables that are looked through
    local WRITE_LINES = 200 -- lines from one count that is written to the next

    local match, found -- see makeChoice()
    local replaced -- {table, key, wrapper, function} of each place
    local watches -- {text =, known =, tuples =, counts ...}: what is counted of a function
    local tokens -- [object] = an own table that stands for it; weak
    local kept -- fields of results
    local list -- the arguments of the call that slow() looks at, if a wrapper has made it
    local awaited -- what is counted of the function whose first line comes next
    local before, owed -- what `believed` was before a wrapper, and the time left for its caller

    -- Does next to nothing, since the game may keep it for good. Its `arg` is a table of its own.
    local function wrap(f)
        local function wrapper(...)
            local count, results = arg.n, nil
            given, target = arg, f
            if count == 1 then
                results = pack(f(arg[1]))
            elseif count == 2 then
                results = pack(f(arg[1], arg[2]))
            else
                results = pack(f(unpack(arg, 1, count)))
            end
            given, returned = isRecording and arg, isRecording and results
            if results.n == 1 then return results[1] end
            return unpack(results, 1, results.n)
        end
        wrapped[wrapper] = f
        return wrapper
    end

    -- The first levels are this function, who asks, slow() or what it calls, and a hook.
    local function skipWrappers(level, what)
        local at = IN_KIND
        level = level - IN_SLOW
        while level > 0 do
            at = at + 1
            local info = getinfo(at, 'f')
            if not info then return nil end
            if not wrapped[info.func or at] then level = level - 1 end
        end
        local info = getinfo(at, what)
        return info
    end

    -- Numbers, strings and truth values stand for themselves; NOTHING for all that is not known.
    local NIL, NO_NUMBER, LEAF, NOTHING = {}, {}, {}, {}
    local function standFor(value, isNew)
        local kind = type(value)
        if kind == 'nil' or value ~= value then
            return kind == 'nil' and NIL or NO_NUMBER
        elseif kind == 'number' or kind == 'string' or kind == 'boolean' then
            return value
        elseif isNew and not tokens[value] then
            tokens[value] = {}
        end
        return tokens[value] or NOTHING
    end

    -- Objects of classes are no contents. Vectors have a metatable, too.
    local function isContents(value, levels)
        return levels > 0
            and type(value) == 'table'
            and not (getmetatable(value) and type(rawget(value, 1)) ~= 'number')
    end

    local left -- fields that may still be looked at
    local function keep(value, levels)
        if not isContents(value, levels) then return standFor(value, true) end
        local copy = { token = standFor(value, true), fields = {}, count = 0 }
        for key, field in next, value do
            left, kept, copy.count = left - 1, kept + 1, copy.count + 1
            if left < 0 or kept > MOST_FIELDS then
                left = -1
                break
            end
            copy.fields[standFor(key, true)] = keep(field, levels - 1)
        end
        return copy
    end

    -- Whether a result is what was kept of an earlier one; second, whether in another table. With
    -- looksInside, the same table may have other fields now.
    local function isAlike(old, new, levels, looksInside)
        local fields = type(old) == 'table' and old.fields
        if standFor(new) == (fields and old.token or old) and not (fields and looksInside) then
            return true, false
        elseif not fields or not isContents(new, levels) then
            return false, false
        end
        local count = 0
        for key, field in next, new do
            local known = fields[standFor(key)]
            left, count = left - 1, count + 1
            if left < 0 or known == nil or not isAlike(known, field, levels - 1, looksInside) then
                return false, false
            end
        end
        return count == old.count, true
    end

    -- Copies of arguments or results.
    local function copyAll(list)
        local copies = { n = list.n }
        left = FIELDS
        for i = 1, list.n do
            copies[i] = keep(list[i], LEVELS)
        end
        copies.isLarge = left < 0
        return copies
    end

    -- Whether a function has changed its arguments, which were copied before.
    local function hasChanged(copies, list)
        left = FIELDS
        for i = 1, list.n do
            if not isAlike(copies[i], list[i], LEVELS, true) and left >= 0 then return true end
        end
        return false
    end

    local function count(watch, name, isSo)
        if isSo then watch[name] = watch[name] + 1 end
    end

    -- Calls with the same arguments: how many ticks lie between two, and which need not have been
    -- made, had the results of an earlier one been kept for some ticks.
    local function countTicks(watch, node)
        local between = math.min(tick - node.tick, MOST_TICKS)
        watch.between[between] = (watch.between[between] or 0) + 1
        node.made = node.made or {}
        for i = 1, getn(KEPT_TICKS) do
            if tick - (node.made[i] or node.tick) <= KEPT_TICKS[i] then
                node.made[i] = node.made[i] or node.tick
                watch.kept[i] = watch.kept[i] + 1
            else
                node.made[i] = tick
            end
        end
    end

    -- The arguments are known: finds what was kept of equal ones.
    local function enter(watch, list)
        local node, length = watch.tuples, list.n
        while length > 0 and list[length] == nil do
            length = length - 1
        end
        count(watch, 'calls', true)
        for i = 1, length + 1 do
            local key = i > length and LEAF or standFor(list[i], true)
            if not node[key] then
                if watch.distinct >= MOST_TUPLES or length > MOST_ARGUMENTS then
                    count(watch, 'other', true)
                    return
                end
                node[key] = {}
            end
            node = node[key]
        end
        list.watch, list.tuple, list.tick = watch, node, tick
        list.isRepeat = node.isKnown
        list.isOfTick = node.isKnown and tick and node.tick == tick
        count(watch, 'distinct', not node.isKnown)
        count(watch, 'repeats', node.isKnown)
        count(watch, 'tick_repeats', list.isOfTick)
        if node.isKnown and tick and node.tick then countTicks(watch, node) end
        if node.isKnown and watch.repeats <= MOST_COPIES then
            local before = kept
            list.before = copyAll(list)
            kept = before
        end
        node.isKnown, node.tick = true, tick
    end

    -- The results are known: compares them with those of the call before with equal arguments.
    local function leave(list, results)
        local watch, tuple = list.watch, list.tuple
        local took = tick == list.tick and lineTime + sinceLine - list.began or 0
        local old = list.isRepeat and tuple.results
        local isSame, isOther, hasAny = old and old.n == results.n, false, false
        left = FIELDS
        for i = 1, results.n do
            hasAny = hasAny or results[i] ~= nil
            local isAnother = false
            if isSame then
                isSame, isAnother = isAlike(old[i], results[i], LEVELS)
            end
            isOther = isOther or isAnother
        end
        if not isSame then tuple.results = copyAll(results) end
        if list.before and not list.before.isLarge and hasChanged(list.before, list) then
            watch.changed = watch.changed + 1
        end
        local isLarge = old and not isSame and (old.isLarge or tuple.results.isLarge)
        local isOfTick = old and list.isOfTick and tuple.returned == list.tick
        watch.seconds = watch.seconds + took
        if isSame and isOfTick then watch.tickSeconds = watch.tickSeconds + took end
        if isSame then watch.equalSeconds = watch.equalSeconds + took end
        count(watch, 'results', hasAny)
        count(watch, 'equal', isSame)
        count(watch, 'large', isLarge)
        count(watch, 'tick_equal', isSame and isOfTick)
        count(watch, 'tick_contents', isSame and isOther and isOfTick)
        count(watch, 'tick_other', isOfTick and not isSame and not isLarge)
        tuple.returned = list.tick
    end

    -- Whatever goes wrong gives up this call alone.
    local function attempt(watch, step, first, second)
        count(watch, 'failed', not pcall(step, first, second))
    end

    -- At the first line of a function that no wrapper has called. Those without names are in `arg`.
    local function readParameters(watch)
        local list = { n = 0 }
        local name, value = readLocal(IN_STEP, 1)
        while name and name ~= 'arg' do
            list.n = list.n + 1
            list[list.n] = value
            name, value = readLocal(IN_STEP, list.n + 1)
        end
        if not name then attempt(watch, enter, watch, list) end
    end

    -- Asked by slow() first: returns the text of an event that is passed over, and no time; or nil,
    -- and the time of another one. The time from the call of a wrapper to that of its function is
    -- counted for no function, and so is that between their returns.
    function arguments.pass(event, dt, f)
        local watch, isCall = awaited, event == 'call'
        awaited, list = nil, nil
        if watch then sethook(ourHook, 'cr') end
        f = f or isCall and getinfo(IN_KIND, 'f').func or NOTHING
        -- A call of a wrapper that is at a line already is the mark of a thread that goes on.
        local isMark = wrapped[f] and believed == none and getinfo(IN_KIND, 'l').currentline >= 0
        local isPacked = f == pack or f == proceed
        if isCall and (isPacked or wrapped[f]) and not isMark then
            if wakes.isHooked then
                local text, passed = wakes.leaveHook(f, dt)
                if text then return text, passed end
            end
            owed, before = isPacked and 0 or dt, believed
            arguments.isAside, believed = isPacked and pack or f, none
        elseif watch and event == 'line' then
            zero = zero + dt
            readParameters(watch)
        elseif not arguments.isAside then
            -- Of a wrapper that had begun before the recording.
            if
                isCall
                or event ~= 'return'
                or not wrapped[getinfo(IN_KIND, 'f').func or NOTHING]
            then
                return nil, dt
            end
            zero = zero + dt
        elseif isCall and f == target then
            arguments.isAside, believed = false, before
            zero, list, target = zero + (dt - owed), given, nil
            return nil, owed
        elseif event ~= 'return' or arguments.isAside ~= pack then
            f = isCall and f or getinfo(IN_KIND, 'f').func or NOTHING
            if not (wrapped[f] or passed[f]) then
                -- An error has ended the wrapper.
                arguments.isAside = false
                return nil, dt
            elseif wrapped[f] and event == 'return' then
                arguments.isAside, believed = false, before
                zero = zero + dt
                if given and given.tuple then attempt(given.watch, leave, given, returned) end
                given, returned = nil, nil
            end
        else
            arguments.isAside = true
        end
        eventCount = eventCount - 1
        return '', 0
    end

    -- A function is called of which the arguments are counted, after dt seconds of its caller.
    function arguments.enter(called, dt)
        if list then
            list.began = lineTime + sinceLine + dt
            attempt(called.watch, enter, called.watch, list)
        elseif not called.isC and not lines.isUsed then
            awaited = called.watch
            sethook(ourHook, 'crl')
        end
    end

    -- What the settings choose, by the source and line of one of Lua, or by a name alone.
    function choose(called, source, line, name)
        local text = not called.isC and lines.match(source, line, name)
        if text then
            lines.found[text] = 1
            called.lines = called.lines or {}
        end
        text = match(source, line, name)
        if text and not called.watch then
            called.watch =
                { text = text, id = called.id, tuples = {}, seconds = 0, tickSeconds = 0 }
            called.watch.between, called.watch.kept = {}, { 0, 0, 0, 0, 0 }
            called.watch.equalSeconds = 0
            for i = 1, getn(COUNTS) do
                called.watch[COUNTS[i]] = 0
            end
            insert(watches, called.watch)
        end
    end

    -- The number of ticks from a call to the next one with the same arguments: the median.
    local function findMedian(between)
        local sum, seen, ticks = 0, 0, 0
        for _, calls in pairs(between) do
            sum = sum + calls
        end
        while ticks < MOST_TICKS and 2 * (seen + (between[ticks] or 0)) < sum do
            seen, ticks = seen + (between[ticks] or 0), ticks + 1
        end
        return ticks
    end

    -- What was counted from the beginning on.
    function arguments.write()
        arguments.due = lineNumber + WRITE_LINES
        for _, watch in pairs(watches) do
            local text = format('%d', watch.id)
            for i = 1, watch.calls > 0 and getn(COUNTS) or 0 do
                text = text .. format(' %s=%d', COUNTS[i], watch[COUNTS[i]])
            end
            if watch.calls > 0 then
                local ns, tickNs = watch.seconds * 1e9, watch.tickSeconds * 1e9
                text = text .. format(' ns=%.0f tick_ns=%.0f', ns, tickNs)
                local equalNs, between = watch.equalSeconds * 1e9, findMedian(watch.between)
                text = text .. format(' equal_ns=%.0f between_ticks=%d', equalNs, between)
                for i = 1, getn(KEPT_TICKS) do
                    text = text .. format(' kept_%d=%d', KEPT_TICKS[i], watch.kept[i])
                end
                define('arguments', text)
            end
        end
    end

    -- Replaces functions in a table, and in those that are in it.
    local function replace(members, levels, wrappers, seen)
        seen[members] = true
        for key, value in next, members do
            local f = wrapped[value] or value
            seen.count = seen.count + 1
            if wrappers[f] then
                insert(replaced, { members, key, wrappers[f], replaces[value] and value or f })
                rawset(members, key, wrappers[f])
            elseif type(value) == 'table' and levels > 0 and not seen[value] then
                replace(value, levels - 1, wrappers, seen)
            end
            if seen.count > MOST_MEMBERS then return end
        end
    end

    local function replaceAll()
        local wrappers, seen = {}, { count = 0 }
        for f, name in pairs(globalNames) do
            local info = type(f) == 'function' and getinfo(f, 'S') or {}
            local original = wrapped[f] or f
            if original ~= unpack and match(info.source, info.linedefined, name) then
                wrappers[original] = wrap(original)
                functions[wrappers[original]] = {}
            end
        end
        for name, levels in pairs({ moho = 1, __modules = 2 }) do
            if type(global(name)) == 'table' then replace(global(name), levels, wrappers, seen) end
        end
        replace(globals, 1, wrappers, seen)
    end

    -- Before the hook is set, and when the names of functions are known.
    function arguments.begin(mode)
        match, found = makeChoice(mode ~= 'watch' and settings.arguments)
        arguments.isUsed = arguments.isUsed or next(found) ~= nil or wakes.isInstalled
        frameInfo = arguments.isUsed and skipWrappers or getinfo
        replaced, watches, kept = {}, {}, 0
        tokens = weak()
        for f in pairs(wakes.own) do
            functions[f] = {}
        end
        arguments.isAside, arguments.due = false, WRITE_LINES
        pcall(next(found) and replaceAll or type)
    end

    -- When the hook is gone: puts everything back. Returns what the player reads.
    function arguments.finish()
        for _, place in pairs(replaced) do
            if rawget(place[1], place[2]) == place[3] then rawset(place[1], place[2], place[4]) end
        end
        arguments.write()
        local texts = {}
        for _, watch in pairs(watches) do
            found[watch.text] = found[watch.text] + watch.calls
        end
        for text, calls in pairs(found) do
            insert(texts, numbered(calls, 'call') .. ' of ' .. text)
        end
        sort(texts)
        replaced, watches, tokens, given, target, returned, list = {}, {}, nil, nil, nil, nil, nil
        return texts[1] and ', arguments of ' .. concat(texts, ', ') or ''
    end
end

-- Lua says at which line a function begins, and no more: those that begin at one line are one
-- function to a recording. Of the first few of a line it is looked whether they are the same, so
-- that the recording can say how many they are. They are not told apart: the name of a call depends
-- on its caller, so that one function would be several, and costs 6,700 instructions to ask for,
-- three times what the function does; upvalues of the same names look alike. Of the 13,505
-- functions of FAF's Lua, 28 share 14 lines, all of dialogs.
local sharing = { LOOKS = 8, first = {} } -- first: [table of a Lua function] = a function; weak
do
    local getupvalue, dump = debug.getupvalue, string.dump

    local function describe(f)
        local count = getinfo(f, 'u').nups
        local isDumped, code = pcall(count == 0 and dump or type, f)
        local text = count == 0 and isDumped and code or count .. ''
        for i = 1, getupvalue and count or 0 do
            text = text .. ' ' .. (getupvalue(f, i) or '')
        end
        return text
    end

    function sharing.look(found, f)
        local first = sharing.first[found]
        found.looks = found.looks > 1 and found.looks - 1 or nil
        if not first then sharing.first[found] = f end
        if not first or first == f then return end
        found.kinds = found.kinds or { [describe(first)] = true, count = 1 }
        local kind = describe(f)
        if found.kinds[kind] then return end
        found.kinds[kind], found.kinds.count = true, found.kinds.count + 1
        define('shares', format('%d %d', found.id, found.kinds.count))
    end
end

-- Returns the table of a function that is at a level.
local function defineFunction(f, level)
    local info = f and frameInfo(level + 1, 'S') or { source = '=(tail call)', linedefined = -1 }
    local source, line = info.source, info.linedefined
    local known = findSource(source)
    local isC = f and line < 0 or false
    local name = isC and globalNames[f] or nil
    -- C functions have the names of the tables in which they are. Others are told apart as objects,
    -- as long as they are few: string.gfind and coroutine.wrap make one at each call.
    if isC and not name then
        namelessCount = namelessCount + 1
        name = namelessCount <= LIMITS.NAMELESS and format('C function %d', namelessCount)
            or 'other C functions'
    end
    local key = line >= 0 and line or name or '?'
    local found = known[key]
    if not found then
        if f and not isC then name = globalNames[f] or frameInfo(level + 1, 'n').name end
        found = addFunction(known, key, line, name, isC)
        found.looks = line > 0 and sharing.LOOKS or nil
        choose(found, source, line, name)
        if isC then
            found.switches, found.suspends = switching[f], suspending[f]
            found.catches, found.catchesOne = catchesOne[f], catchesOne[f]
            found.catchesNothing = catchesNothing[f]
        end
    end
    if f then
        if found.looks then sharing.look(found, f) end
        if not found.switches and not found.catches and (isC or not found.watch) then
            trusted[f] = found
        end
        if not isC then trusted[found] = true end
        functions[f] = found
    end
    return found
end

-- The text of a call. `level` is that of the function, whose name is asked for; nil: it is not.
local function findSite(called, line, level)
    local sites = line > 0 and called or called.others
    if sites[line] then return sites[line] end
    local name = level and not called.hasName and getinfo(level + 1, 'n').name
    if name then
        called.hasName = true
        define('name', format('%d %s', called.id, escape(name)))
        choose(called, nil, nil, name)
    end
    define('site', format('%d %d,%d', siteCount, called.id, line))
    siteCount = siteCount + 1
    sites[line] = letters(siteCount - 1)
    return sites[line]
end
lines.findSite = findSite

-- A time that cannot have passed. Where the clock has only become coarser, as a float does at
-- powers of two, `zero` may be ahead of it by a step or two, and waits for it. Else `zero` becomes
-- what the clock shows now, whatever that is; but where that is no number, it is asked again.
local function repairClock(dt)
    if dt < 0 and -dt <= 2 * (unit + zero * EXACT) then return end
    clockFaults = clockFaults + 1
    if dt > -1e9 and dt < 1e9 then
        zero = zero + dt
        return
    end
    local now = readClock()
    zero = now > -1e9 and now < 1e9 and now or lineTime + lineLost
end

-- The text of dt seconds that have passed, and how many have. Long times are rare, and not kept.
local function describeTime(dt)
    if digits[dt] then return digits[dt], dt end
    local count = dt / unit
    if not (count >= 0 and count < 1e12) then
        repairClock(dt)
        return '', 0
    end
    local text = format('%.0f', count)
    if count < LIMITS.KEPT_UNITS then digits[dt] = text end
    return text, dt
end

-- The C function has called back; an error that it catches leaves frames above it.
local function distrust(f, called)
    if not called.catches and not called.catchesNothing then
        called.catches = true
        trusted[f] = nil
    end
end

-- Writes the whole stack of a thread that is met in the middle of its life, or that is not what it
-- seemed; `level` is that of the innermost frame.
local function adoptStack(level)
    local frames, count = {}, 0
    while true do
        local info = frameInfo(level + 1 + count, 'fl')
        if not info then break end
        count = count + 1
        frames[count] = info
    end
    local text = '('
    depth, base, current.baseCount = 0, 0, 0
    for i = count, 1, -1 do
        local f = frames[i].func
        local known = f and functions[f] or defineFunction(f, level + i)
        if f and known.isC and i > 1 then distrust(f, known) end
        local line = i < count and frames[i + 1].currentline or NO_CALLER
        text = text .. findSite(known, line)
        line = frames[i].currentline
        if line > 0 and known.lines then
            text = text .. (known.lines[line] or lines.define(known, line))
        end
        depth = depth + 1
        stack[depth] = known
    end
    put(text .. ')')
end

-- Frames below the base run again: the bases above them are gone.
local function popBases()
    while depth < base do
        local count = current.baseCount
        base = count > 0 and current.bases[count] or 0
        current.baseCount = count > 0 and count - 1 or 0
    end
end

-- Another thread runs: what the one before called last has led to it, or an error has ended that.
local function leaveThread(isMainNext)
    local top = depth > 0 and stack[depth]
    if top and top.isC and not top.switches and not top.callsMain then
        local learned = isMainNext and not current.isMain and 'callsMain' or 'switches'
        top[learned], top.trials = true, LIMITS.TRIALS
        for f, known in pairs(trusted) do
            if known == top then trusted[f] = nil end
        end
    end
    current.depth, current.base = depth, base
end

-- The seconds that Lua has taken in the tick, up to the last event.
local function timeTick() return lineTime + sinceLine - tickTime - idleTime end

-- Finds out which thread runs. Of one that is new, the stack from `level` on is written.
local function identify(level)
    -- It raises an error on the main thread.
    local isCoroutine, thread = pcall(currentThread or error)
    if not isCoroutine and type(thread) == 'string' and find(thread, 'stack overflow', 1, true) then
        -- No room to ask: later.
        believed = none
        return
    end
    if not isCoroutine or not thread then thread = mainThread end
    believed = trusted
    local now = gameTick and gameTick()
    if gameTick and now ~= tick then
        local seconds = tick and timeTick() or 0
        if seconds > settings.slowTick / 1000 then slowTicks = slowTicks + 1 end
        if tick and sampler.kind then sampler.change(now, seconds) end
        if tick and wakes.isHooked then wakes.leaveTick() end
        tick, tickTime, idleTime = now, lineTime + sinceLine, 0
        put(format('#%d', now))
    end
    local state = threads[thread]
    if state == current and state then return end
    if current then leaveThread(thread == mainThread) end
    local isNew = not state
    if isNew then
        state = { id = threadCount, depth = 0, base = 0, bases = {}, baseCount = 0 }
        state.switch, state.isMain = format('@%d', threadCount), thread == mainThread
        define('thread', format('%d %s', threadCount, state.isMain and 'main' or 'coroutine'))
        threadCount = threadCount + 1
        threads[thread] = state
    end
    current, stack, depth, base = state, state, state.depth, state.base
    put(state.switch)
    if isNew and frameInfo(level + 1, 'l') then adoptStack(level + 1) end
end

-- Whether as many frames from `level` outwards, and the same (all, or the first two), are on the
-- stack from `at` down to `bottom`. One that a tail call took away can be of any Lua function.
local function areFrames(at, bottom, level, areAll)
    local count = at - bottom
    level = level + 1
    if not frameInfo(level + count - 1, '') or frameInfo(level + count, '') then return false end
    for i = 1, areAll and count - 1 or 1 do
        local info = i < count and frameInfo(level + i, 'f')
        local f, wanted = info and info.func, stack[at - i]
        if f and functions[f] ~= wanted or info and not f and wanted.isC then return false end
    end
    return true
end

-- Returns where on the stack the frame of a function is that is at `level`, or nil. Stacks of
-- callbacks and plain coroutines begin at bases. What is not on top has to be the same all over,
-- since stacks of several coroutines may look alike.
local function findFrame(known, level, areAll)
    popBases()
    local bottom, count = base, current.baseCount
    for at = depth, 1, -1 do
        while at <= bottom do
            bottom = count > 0 and current.bases[count] or 0
            count = count - 1
        end
        if stack[at] == known and areFrames(at, bottom, level + 1, areAll or at < depth) then
            return at
        end
    end
end

-- Takes the frames above `at` away, of the same Lua stack; the last of them has run until now.
local function unwind(at, dt)
    local took, passed = describeTime(dt)
    put(format('/%d:%s', depth - at, took))
    zero = zero + passed
    sinceLine, depth = sinceLine + passed, at
end

-- Finds out which thread runs, and returns where on its stack the frame of a function at `level`
-- is, or nil. The top of the stack is believed, unless another thread may run during its function:
-- a coroutine that the game knows has but one stack. Where the frame is not on top, an error has
-- ended those above it, and may have left a coroutine, so that it is one of another thread.
local function findRunning(known, level, isIdentified)
    local isOfThread = known.switches or known.callsMain
    local mayBeOther = known.catches or isOfThread and (current.isMain or base > 0)
    if depth > 0 and stack[depth] == known and not mayBeOther then return depth end
    local at = findFrame(known, level + 1, isOfThread)
    if at ~= depth and not isIdentified then
        identify(level + 1)
        at = findFrame(known, level + 1, isOfThread)
    end
    -- A plain coroutine that goes on is on no stack: what looks like it is left of another one.
    if not known.suspends or at == depth and not current.isMain then return at end
end

-- The text of a return of the frame `at`, and the time left for it; those above are gone. Of other
-- Lua stacks, a reader may have seen that some had ended; so it is told the function.
local function describeReturn(known, at, dt)
    if at == depth then return '.', dt end
    believed = none
    if at > base then
        unwind(at, dt)
        return '.', 0
    end
    local text = format('^%d.', known.id)
    for i = at + 1, depth do
        if stack[i] == known then
            put('~')
            adoptStack(IN_KIND)
            return '.', dt
        end
    end
    depth = at
    popBases()
    return text, dt
end

local function slowCall(dt, isIdentified, f, called, caller)
    if not called then
        if isIdentified and SENDS_RESUME_MARK and getinfo(IN_KIND, 'l').currentline >= 0 then
            -- What a wrapper does now is not the game's.
            if wrapped[getinfo(IN_KIND, 'f').func] then believed = none end
            return '!', dt
        end
        f = f or getinfo(IN_KIND, 'f').func
        called = functions[f] or defineFunction(f, IN_KIND)
        caller = frameInfo(IN_KIND + 1, 'l')
    end
    local line = caller and caller.currentline or NO_CALLER
    if not caller then
        -- A thread or a callback begins. A stack that is there already is what an error left, or
        -- the function that began it has made a tail call, or it waits.
        if not isIdentified then identify(IN_KIND + 1) end
        if depth > LIMITS.FORGET_DEPTH then
            put('~')
            depth, base, current.baseCount = 0, 0, 0
        end
        popBases()
        if depth > base then
            current.baseCount = current.baseCount + 1
            current.bases[current.baseCount] = base
            base = depth
        end
    elseif line == UNKNOWN_LINE then
        -- Something called back: a C function, or one that a tail call took away.
        local f = frameInfo(IN_KIND + 1, 'f').func
        local known = f and (functions[f] or defineFunction(f, IN_KIND + 1))
        if f and known.isC then distrust(f, known) end
        local at = f and findRunning(known, IN_KIND + 1, isIdentified)
        if at and at < depth and at > base then
            unwind(at, dt)
            dt = 0
        elseif f and at ~= depth then
            put('~')
            adoptStack(IN_KIND + 1)
            believed = none
        end
    end
    local text = findSite(called, line, IN_KIND)
    depth = depth + 1
    stack[depth] = called
    if called.switches or called.callsMain and not current.isMain then believed = none end
    if called.watch then arguments.enter(called, dt) end
    return text, dt
end

-- Whatever needs a second look. Returns the text of the event and its time. Of a call the function
-- may be known, and the line that it is called from.
local function slow(event, dt, f, called, caller)
    local text
    if arguments.isUsed then
        text, dt = arguments.pass(event, dt, f)
        if text then return text, dt end
    end
    slowCount = slowCount + 1
    local before, isIdentified, tickBefore = current, believed == none, tick
    if isIdentified then
        identify(event == 'call' and IN_SLOW + 1 or IN_SLOW)
        if current ~= before or tick ~= tickBefore or depth == 0 then idleTime = idleTime + dt end
    end
    if depth < base then popBases() end
    if event == 'call' then
        text, dt = slowCall(dt, isIdentified, f, called, caller)
        return text, dt
    end
    local known
    if event == 'return' then
        local f = getinfo(IN_SLOW, 'f').func
        known = functions[f] or defineFunction(f, IN_SLOW)
        local at = findRunning(known, IN_SLOW, isIdentified)
        if not at then
            put('~')
            adoptStack(IN_SLOW)
            at = depth
            believed = none
        end
        if before ~= current then believed = none end
        text, dt = describeReturn(known, at, dt)
        if known.trials and before and before ~= current then
            known.trials = nil
        elseif known.trials then
            known.trials = known.trials > 1 and known.trials - 1 or nil
            if not known.trials then
                known.switches, known.callsMain = nil, nil
                if not known.catches then trusted[f] = known end
            end
        end
    end
    -- A root that made its tail call before its thread was met is on no stack. After the return of
    -- a yield the resume mark may come.
    depth = depth > 0 and depth - 1 or 0
    if depth <= base or known and known.switches then believed = none end
    return text or ',', dt
end

-- A call by the C function that was called last, or by a function that a tail call took away.
-- Returns its text, or nil where that needs a second look.
local function callWithoutLine(called)
    local text, f = called.others[UNKNOWN_LINE], getinfo(IN_SLOW + 1, 'f').func
    local known = f and functions[f]
    local isTop = known and known == stack[depth]
    if not text or f and not (isTop and (known.catchesNothing or known.catchesOne)) then
        return nil
    end
    depth = depth + 1
    stack[depth] = called
    return text
end

-- Programs make closures all the time. Returns the table of the function that is called, where only
-- this closure of it is new; or nil.
local function recognize(f)
    if functions[f] then return nil end
    local info = getinfo(IN_SLOW, 'S')
    local known = prototypes[info.source]
    local called = known and known[info.linedefined]
    if not called or called.watch or called.looks then return nil end
    functions[f], trusted[f] = called, called
    return called
end

local function hook(event, line)
    local start = origin and clock(origin) or clock()
    local round = round
    local dt = start - zero + round - round
    local took = digits[dt]
    if not took then
        took, dt = describeTime(dt)
    end
    local text
    if event == 'call' then
        local f = getinfo(2, 'f').func
        local called = believed[f] or believed ~= none and recognize(f)
        local caller = called and getinfo(3, 'l')
        text = caller and called[caller.currentline]
        if text then
            local top = depth + 1
            depth = top
            stack[top] = called
        else
            text = caller and caller.currentline == UNKNOWN_LINE and callWithoutLine(called)
            if not text then
                text, dt = slow(event, dt, f, called, caller)
            end
        end
    elseif event == 'return' then
        local top = depth
        local known = stack[top]
        if
            believed[known] and getlocal(2, 1)
            or known and known == believed[getinfo(2, 'f').func]
        then
            text = '.'
            top = top - 1
            depth = top
            if top <= base then believed = none end
        else
            text, dt = slow(event, dt)
        end
    elseif event == 'tail return' and believed ~= none and depth > base then
        text = ','
        depth = depth - 1
        if depth <= base then believed = none end
    elseif event == 'line' and lines.texts and not arguments.isAside then
        text = lines.texts[line] or lines.define(stack[depth], line)
    else
        text, dt = slow(event, dt)
    end
    if dt ~= 0 then
        sinceLine = sinceLine + dt
    else
        took = ''
    end
    -- This also collects garbage, if that is due; see above.
    local count = bufferCount + 1
    buffer[count] = text .. took
    bufferCount = count
    if count >= flushAt then
        zero, dt = zero + dt, 0
        flushFromHook(event)
    end
    zero = zero + (dt + ((origin and clock(origin) or clock()) - start))
end

-- COMMANDS: the only globals --------------------------------------------------------------
local commonName = 'GetSystemTimeSeconds' .. (isOfInterface and '' or 'OnlyForProfileUse')
local commonClock, preciseClock = global(commonName), global('GetTimeForProfile')
local chooseClock
do
    local READINGS = 20000 -- 2 ms at most, where they show a step
    local MOST_READINGS = 600000
    local CHANGES = 100

    -- The smallest step that a clock makes in some time, which may be much longer than promised.
    -- nil: it stands still, goes back, or does not exist.
    local function measureStep(read, origin)
        local least, changes = nil, 0
        local before = read(origin)
        for i = 1, MOST_READINGS do
            local now = read(origin)
            local step = type(now) == 'number' and now - before or -1
            if not (step >= 0 and step < 1e6) then return nil end
            if step > 0 then
                changes = changes + 1
                least = least and least < step and least or step
            end
            if changes >= CHANGES or least and i >= READINGS then break end
            before = now
        end
        return least
    end

    -- Takes the clock with the finer step now: one becomes coarser since the game was started, one
    -- since the computer was. FAF's shows the time since an origin, that it gives where it is 0.
    -- Returns its name and its step, or nil.
    function chooseClock()
        local isMeasured, step = pcall(measureStep, commonClock)
        local name = commonClock and commonName
        clock, origin, step = commonClock, nil, isMeasured and step or nil
        local works, shown = pcall(preciseClock or error, 0)
        if works and type(shown) == 'number' then
            -- The origin is rounded: a second less, so that the clock never shows less than 0.
            local isPrecise, preciseStep = pcall(measureStep, preciseClock, shown - 1)
            preciseStep = isPrecise and preciseStep or nil
            if not name or preciseStep and not (step and step <= preciseStep) then
                name, step, clock, origin =
                    'GetTimeForProfile', preciseStep, preciseClock, shown - 1
            end
        end
        local isKnown, info = pcall(getinfo, clock, 'S')
        if name and type(clock) ~= 'cfunction' and not (isKnown and info.what == 'C') then
            -- What it shows may be anything but a number, since it is none of the engine's.
            local read, from = clock, origin
            origin = nil
            function clock()
                local isRead, now = pcall(read, from)
                if isRead and type(now) == 'number' and now > -1e9 and now < 1e9 then return now end
                clockFaults = clockFaults + 1
                return zero
            end
        end
        return name, step
    end
end

-- A known number of calls that do next to nothing, made in each tick: what they cost in the profile
-- is the cost of recording a call, some tenths of a microsecond, of which a clock shows a step now
-- and then: the coarser, the more calls it takes. The many are 0.15 ms in a tick.
local calibrations -- how often in a tick
local RECURSION, OF_C, OF_ITERATORS = 6, 0, 1
local calibrate, describeCalibration
do
    local FEW, MANY = 1, 4
    local COARSE_STEP = 1e-5
    local CALLS = 20 -- of C functions and of iterators; RECURSION_CALLS of Lua functions
    -- What a call costs depends on how well the processor foresees what comes next. So Lua
    -- functions are not called in a loop, the easiest case: this function calls itself. It is the
    -- only caller of what is timed, so that is what is recorded.
    local RECURSION_CALLS = 25
    -- One field: many cost more when they are not in the processor's cache.
    local fields = { field = 1 }
    local rawequal, next = rawequal, next
    function calibrate(depth, rounds)
        if depth > 1 then
            calibrate(depth - 1)
            calibrate(depth - 2)
        elseif not rounds then
            return
        elseif depth == OF_C then
            local isSame = rawequal
            for i = 1, rounds * CALLS do
                isSame(i, i)
            end
        else
            local next = next
            for i = 1, rounds * CALLS / 2 do
                next(fields, next(fields))
            end
        end
    end

    -- Each kind is timed by itself, before recording: in rounds of so many calls, until one of
    -- the limits is reached. All together take about 3 ms, and must not take much more.
    local ROUND_CALLS = 400
    local MOST_ROUNDS = 160
    local LONG_ENOUGH = 0.0008
    local LONGEST_TURN = 1e-5 -- what is above is no measurement

    -- Seconds of a round, or nil. Where the clock stands still for several rounds, only what is
    -- between two of its steps has a known length; what took longer than the shortest by more
    -- than a step and what is usual was interrupted.
    local function timeRound(times, depth, rounds, step)
        local taken, count, shortest = {}, 0, 1
        local start = readClock()
        local now = start
        while count < MOST_ROUNDS and now - start < LONG_ENOUGH do
            for i = 1, times do
                calibrate(depth, rounds)
            end
            local before = now
            now = readClock()
            count = count + 1
            taken[count] = now - before
            shortest = taken[count] < shortest and taken[count] or shortest
        end
        local limit = shortest * 1.1 + step
        local sum, number, mean = 0, nil, nil
        for i = 1, count do
            local seconds = taken[i]
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
    local function describeTurn(name, times, depth, rounds, step)
        local isTimed, seconds = pcall(timeRound, times, depth, rounds, step)
        local turn = isTimed and seconds and seconds / ROUND_CALLS or 0
        local isKnown = turn > 0 and turn <= LONGEST_TURN and not (gethook and gethook())
        return name .. (isKnown and format('%.9g', turn) or '?')
    end

    function describeCalibration(step)
        if not (forkThread and waitTicks) then
            return 'calibration=0 calibrator=? lua_call=? c_call=? next_call=?'
        end
        calibrations = step > COARSE_STEP and MANY or FEW
        -- What is running is asked for by its level: here it is a function of this file.
        local isKnown, info = pcall(getinfo, calibrate, 'S')
        local id = '?'
        if isKnown then
            local known, line = findSource(info.source), info.linedefined
            id = format('%d', addFunction(known, line, line, 'calibrate', false).id)
        end
        local text = format('calibration=%d calibrator=%s', calibrations * CALLS, id)
        local rounds, times = ROUND_CALLS / CALLS, ROUND_CALLS / RECURSION_CALLS
        text = text .. describeTurn(' lua_call=', times, RECURSION, nil, step)
        text = text .. describeTurn(' c_call=', 1, OF_C, rounds, step)
        return text .. describeTurn(' next_call=', 1, OF_ITERATORS, rounds, step)
    end
end

local findGlobalNames
do
    local LARGEST_CLASS = 2000
    local MOST_MEMBERS = 100000
    local names, stages, stage -- [function] = its name, and the stage that found it

    -- A C function is called by a variable, which may be a local one; so those that everybody can
    -- reach are looked up. Of several names, the first stage's that sorts first is taken.
    local function addName(f, name)
        f = f ~= nil and replaces[f] or f
        if isFunction(f) and (not names[f] or stages[f] == stage and name < names[f]) then
            names[f], stages[f] = name, stage
        end
    end

    local function addNames(members, prefix)
        for name, f in pairs(members) do
            if type(name) == 'string' then addName(f, prefix .. name) end
        end
    end

    -- Adds the tables that are members of this one to `classes`: [table] = {name =, size =}.
    -- Returns how many members the tables have. A large one is no class, and all units' are called
    -- TypeClass, too.
    local function addClasses(classes, members)
        local total = 0
        for name, class in pairs(members) do
            local isClass = type(name) == 'string' and type(class) == 'table' and class ~= globals
            local known = classes[class]
            if isClass and name ~= 'TypeClass' and not (known and known.name < name) then
                local size = 0
                for _ in pairs(class) do
                    size = size + 1
                    if size > LARGEST_CLASS then break end
                end
                total = total + size
                classes[class] = size <= LARGEST_CLASS and { name = name, size = size } or nil
            end
        end
        return total
    end

    -- Methods of classes, to which the game's Lua copies what they inherit: a method is named after
    -- the class that has it and the fewest others, which is the one that all others have it from.
    -- Where classes are alike, it is the one that sorts first.
    local function addMethods(classes, prefix)
        local order, owners = {}, {} -- classes; [function] = number of its class
        stage = stage + 1
        for class in pairs(classes) do
            table.insert(order, class)
        end
        table.sort(order, function(class, other)
            local a, b = classes[class], classes[other]
            return a.size < b.size or a.size == b.size and a.name < b.name
        end)
        for i = 1, table.getn(order) do
            for name, f in pairs(order[i]) do
                if isFunction(f) and type(name) == 'string' and (owners[f] or i) == i then
                    owners[f] = i
                    addName(f, prefix .. classes[order[i]].name .. '.' .. name)
                end
            end
        end
    end

    function findGlobalNames()
        local classes, modules = {}, global('__modules')
        names, stages, stage = weak(), weak(), 1
        for library in pairs({ string = 1, table = 1, math = 1, coroutine = 1, debug = 1 }) do
            addNames(global(library) or {}, library .. '.')
        end
        addNames(globals, '')
        if type(global('moho')) == 'table' then
            addClasses(classes, global('moho'))
            addMethods(classes, 'moho.')
        end
        -- What import() has loaded: functions of modules, and methods of their classes; 0.3 us a
        -- member of a class: 30 ms at most, since modules after so many members are left out.
        local order, count = {}, 0
        classes, stage = {}, stage + 1
        for name, module in pairs(type(modules) == 'table' and modules or {}) do
            if type(name) == 'string' and type(module) == 'table' then table.insert(order, name) end
        end
        table.sort(order)
        for i = 1, table.getn(order) do
            if count < MOST_MEMBERS then
                addNames(modules[order[i]], '')
                count = count + addClasses(classes, modules[order[i]])
            end
        end
        addMethods(classes, '')
        -- What is in no other table: functions in tables that are globals.
        stage = stage + 1
        for table, members in pairs(globals) do
            if type(table) == 'string' and type(members) == 'table' and members ~= globals then
                addNames(members, table .. '.')
            end
        end
        local found = names
        names, stages = nil, nil
        return found
    end
end

local resetThreads, begin
do
    -- In several functions, since none may have more than 32 upvalues.
    local function resetSymbols()
        functions, trusted, prototypes, cutSources = weak(), weak(), {}, {}
        sharing.first = setmetatable({}, { __mode = 'v' })
        digits = { [0] = '' }
        globalNames = findGlobalNames()
        lines.match, lines.found = makeChoice(not wakes.isOn and settings.lines)
        lines.isUsed = next(lines.found) ~= nil
        idCount, siteCount, namelessCount, threadCount = 1, 0, 0, 0
        definitions, definitionCount = {}, 0
    end

    function resetThreads()
        threads, mainThread = weak(), {}
        current, stack, depth, base, believed = nil, {}, 0, 0, none
    end

    local function resetEvents()
        buffer, bufferCount, isFlushing = {}, 0, false
        lines.setFlush(LIMITS.PIECES)
        for i = 1, LIMITS.GIVE_UP + LIMITS.WAITING do
            buffer[i] = ''
        end
        eventCount, eventMillions, slowCount, clockFaults = 0, 0, 0, 0
        memory = settings.memory and memoryInUse and not wakes.isOn and memoryInUse() or false
        if memory then
            local read, from = clock, origin
            origin = nil
            function clock()
                local now = read(from)
                memory, memoryBefore = memoryInUse(), memory
                return now
            end
        end
        tick, tickTime, idleTime, slowTicks = nil, 0, 0, 0
        zero, sinceLine = readClock(), 0
        lineThread, lineTime, lineLost = 0, zero, 0
    end

    function begin(mode, clockName, step)
        run = run + 1
        lineNumber, collector.written = 0, nil
        prefix = mode == 'watch' and 'prof: $5 %s%d %d %s %s' or 'prof: $4 %s%d %d %s %s'
        resetSymbols()
        resetThreads()
        resetEvents()
        -- The smallest power of two that is no less than the step, if that is known.
        unit = 1 / 1048576
        while unit < (step or 1) and unit < 1 / 64 do
            unit = unit * 2
        end
        round = ROUND * unit
        local isTold, time = pcall(function() return format('time=%.9g', gameTime()) end)
        local values = {
            (mode == 'watch' and 'version=5 mode=' or 'version=4 mode=')
                .. (
                    mode == 'watch' and wakes.prepare()
                    or mode == 'sample' and sampler.prepare()
                    or 'exact'
                ),
            'state=' .. (isOfInterface and 'ui' or 'sim'),
            format('clock=%s at=%.9g', clockName, zero),
            step and format('step=%.9g', step) or 'step=?',
            format('unit=%.9g tick=%s', unit, gameTick and gameTick() or '?'),
            isTold and time or 'time=?',
            SENDS_RESUME_MARK and 'marks=yes' or 'marks=no',
            memory and 'memory=yes' or 'memory=no',
            forkThread and waitTicks and 'hook=watched' or 'hook=unwatched',
            describeCalibration(mode == 'exact' and step or 1),
        }
        write('begin', concat(values, ' '))
    end
end

-- For the player, on the screen where the game can do that.
local function say(text)
    text = 'supprof: ' .. text
    if not pcall(print or error, text) then pcall(warn or log or error, text) end
end

local check = {} -- fault = what is wrong with the settings, as a sentence, or nil
check.needs = "mode = '%s' needs GetGameTick, ForkThread and WaitTicks"
-- With two recorders in one state, the schedules of both call the commands of this one.
check.twice = global('StartProfiler') and ', and profiler.lua is installed twice' or ''

function check.refuse(obstacle)
    say('not started: ' .. obstacle)
    pcall(log, 'supprof: not started: ' .. obstacle)
end

-- A hook of somebody else that was there is put back when the recording ends. One that comes
-- meanwhile takes ours away: the recording goes on when it is gone.
local isHookLost
local earlier = {} -- what gethook() returned

local function isHookOurs() return not gethook or gethook() == ourHook end

local function setHook()
    if gethook then earlier = { gethook() } end
    collector.work()
    isHookLost = false
    lines.texts = nil
    zero = readClock()
    sethook(ourHook, 'cr')
end

local function removeHook()
    if isHookLost or not isHookOurs() then return end
    sethook()
    -- One of C, as the debugger's, is told as a text, and cannot be put back.
    if isFunction(earlier[1]) and type(earlier[2]) == 'string' then sethook(unpack(earlier)) end
end

-- For how many ticks the hook was lost, check.lostTicks, up to now.
function check.countLost()
    if check.lostSince then check.lostTicks = check.lostTicks + gameTick() - check.lostSince end
    check.lostSince = nil
end

local function loseHook()
    isHookLost = true
    check.lostSince = gameTick and gameTick()
    flush()
    write('hook', format('lost %s', gameTick and gameTick() or '?'))
end

------------------------------------------------------------------------------------------
-- SAMPLE: one tick out of each block of ticks, chosen by chance, is recorded as all are in an exact
-- recording; between such ticks there is no hook. What the recorder took in the last of them gives
-- the length of blocks. Its own thread sets a hook in the tick before, which does nothing until the
-- tick begins; the hook itself sees that it has ended, and is removed.
-- Of sampler: isOn, in such a recording; kind, 'chosen' or 'slow' while a tick is recorded;
-- slowEnd, the last of the ticks that are recorded because they are slow.
do
    local COSTS = {
        FIRST = 8, -- what a tick takes more, in times of itself, until that is known
        USUAL = 11, -- and what it took in whole games
        STEPS = 16, -- for so many of the clock's it is known then
        SLOWED = 1.8, -- what an event adds, in times of what the way into a hook and out takes
        LEAST_TIME = 0.05, -- of what a tick takes, that which is Lua's own
        SHORTER = 0.7, -- what a block may be, of what the last ticks say
        LONGER = 2,
        GROWTH = 1.5, -- and of the block before, since the first ticks define all functions
        FORGETTING = 0.9, -- what a tick counts for when the next one is recorded
    }
    local LONGEST_BLOCK = 10000

    local seed
    local first -- the tick in which the recording began
    local block, pick, blockEnd -- ticks in the block, the chosen one, the last one
    local waitsIn -- the tick in which the hook waits for the next one
    local eventCost -- seconds of the way into a hook and out, with one look at a clock
    local start, startLost, startEvents -- of the tick that is recorded
    local around -- seconds that this tick has taken outside of the times of its events
    local recent, all -- of the last ticks, and of all: {took = seconds, own = those of Lua alone}
    local chosenCount, cutCount

    -- What the recorder adds to ticks, in times of Lua's own. A tick may be a few steps of a coarse
    -- clock, or none, so only sums are worth something.
    local function findAdded(sums)
        return sums.took / math.max(sums.own, sums.took * COSTS.LEAST_TIME) - 1
    end

    -- And to the game, in which so many ticks have passed.
    local function findShare(passed) return findAdded(all) * chosenCount / math.max(passed, 1) end

    -- Some work of the recorder that is in no event's time.
    local function work(step)
        local from = readClock()
        step()
        around = around + (readClock() - from)
    end

    -- What the recording has of the tick is written; no stack goes on. The code between two events
    -- is slower than without a hook, too, about as much as the way into it.
    local function leave(how, now, seconds)
        work(function()
            flush()
            if bufferCount > 0 then
                bufferCount, lineNumber = 0, lineNumber + 1
            end
            write('hook', format('%s %d', how, now))
        end)
        local _, lost = findTimes()
        if sampler.kind == 'chosen' then
            local events = mod(eventCount - startEvents + 1000000, 1000000)
            for sums, kept in pairs({ [recent] = COSTS.FORGETTING, [all] = 1 }) do
                sums.took = sums.took * kept + seconds + (lost - startLost) + around
                sums.own = sums.own * kept + seconds - eventCost * COSTS.SLOWED * events
            end
            chosenCount = chosenCount + 1
            cutCount = cutCount + (how == 'cut' and 1 or 0)
        end
        sampler.kind, startLost, around = nil, lost, 0
    end

    -- Begins with a tick, if that is to be recorded.
    local function enter(now)
        sampler.kind = now == pick and 'chosen' or now <= sampler.slowEnd and 'slow' or nil
        if sampler.kind then
            local blockText = sampler.kind == 'chosen' and format(' %d', block) or ''
            write('hook', format('%s %d%s', sampler.kind, now, blockText))
        end
        resetThreads()
        lineThread = 0
        start, startEvents = readClock(), eventCount
        memoryBefore = memory
        return sampler.kind
    end

    -- A tick has begun, and `seconds` are what Lua took in the one before.
    function sampler.change(now, seconds)
        if sampler.kind == 'slow' and now <= sampler.slowEnd and now ~= pick then return end
        leave('left', now, seconds)
        if not enter(now) then
            -- This event is in no tick that is recorded, so it is dropped.
            sampler.isLeaving, flushAt = true, 0
        end
    end

    function sampler.remove()
        sampler.isLeaving, sampler.kind, waitsIn, sampler.isHooked = false, nil, nil, false
        bufferCount = 0
        lines.setFlush(LIMITS.PIECES)
        work(removeHook)
        work(collector.giveBack)
    end

    function sampler.cutLongTick()
        if readClock() - start > settings.longest / 1000 then
            leave('cut', tick, timeTick())
            sampler.remove()
        end
    end

    -- The hook until the tick begins, whose first event is recorded from here: no stack is known.
    local function waitingHook(event)
        local now = gameTick()
        if now == waitsIn then
            around = around + eventCost
            return
        end
        if not enter(now) then return sampler.remove() end
        ourHook, waitsIn = hook, nil
        sethook(ourHook, 'cr')
        tick, believed = nil, none
        -- Nothing has passed since the last tick that is recorded.
        zero = readClock()
        lineTime, sinceLine, lineLost = zero - startLost, 0, startLost
        put((slow(event, 0)))
        lines.switch()
        zero = readClock()
    end

    -- The recorder's own calls, made with and without a hook that does nothing.
    local function timeEvent()
        local CALLS, MOST = 20000, 1e-6
        local before = readClock()
        calibrate(OF_C, CALLS / 20)
        local between = readClock()
        sethook(readClock, 'cr')
        calibrate(OF_C, CALLS / 20)
        sethook()
        local seconds = (readClock() - between - (between - before)) / CALLS / 2
        return seconds > 0 and seconds < MOST and seconds or 0
    end

    -- Seconds of the way into a hook and out.
    function sampler.measureEvent()
        local isTimed, seconds = false, nil
        if not (gethook and gethook()) then
            isTimed, seconds = pcall(timeEvent)
        end
        return isTimed and seconds or 1e-7
    end

    -- What was taken too much or too little so far is made good by the next blocks.
    local function chooseBlock()
        local needed, most = findAdded(recent) / settings.budget, LONGEST_BLOCK
        if chosenCount > 0 then
            local reached = findShare(blockEnd - first) / settings.budget
            needed = needed * math.max(COSTS.SHORTER, math.min(COSTS.LONGER, reached))
            most = math.min(most, block * COSTS.GROWTH)
        end
        needed = needed < most and needed or most
        block = needed > 1 and math.floor(needed + 0.5) or 1
        -- Of the game's random numbers none may be taken. Exact in a 32-bit float.
        seed = mod(seed * 171 + 11213, 53125)
        pick = blockEnd + 1 + math.floor(seed / 53125 * block)
        blockEnd = blockEnd + block
    end

    -- Before a recording. Returns the mode and what it depends on.
    function sampler.prepare()
        seed = mod(math.floor(zero / unit), 53125)
        local text = format('ticks budget=%.9g longest=%.9g', settings.budget, settings.longest)
        text = text .. format(' seed=%d', seed)
        first = gameTick()
        waitsIn, sampler.isOn, sampler.kind, sampler.isLeaving = first, true, nil, false
        sampler.isHooked = false
        local own = COSTS.STEPS * unit
        recent = { own = own, took = own * (1 + COSTS.FIRST) }
        all = { own = recent.own, took = recent.took }
        chosenCount, cutCount = 0, 0
        sampler.slowEnd, blockEnd = first, first + 1
        startLost, around, eventCost = 0, 0, sampler.measureEvent()
        chooseBlock()
        return text
    end

    -- Once in a tick, by the recorder's own thread. `isSeen` is whether the hook was called.
    function sampler.work(isSeen)
        local now = gameTick()
        if sampler.kind and not (isSeen and isHookOurs()) then
            isHookLost = true
            check.lostTicks = check.lostTicks + 1
            leave('lost', now, timeTick())
            sampler.isHooked = false
        end
        if now >= blockEnd then chooseBlock() end
        local isNext = now + 1 == pick or now < sampler.slowEnd
        wakes.timeTick(not (sampler.kind or isNext))
        if not sampler.kind and isNext then
            wakes.endCounting()
            waitsIn, ourHook, sampler.isHooked = now, waitingHook, true
            work(setHook)
        end
    end

    -- For the player, at the start: a report is sure of little with fewer ticks.
    function sampler.describe()
        local TICKS, TICKS_A_MINUTE = 60, 600
        local minutes = TICKS * math.max(COSTS.USUAL / settings.budget, 1) / TICKS_A_MINUTE
        return format(': %d ticks take about %s', TICKS, numbered(minutes, 'minute'))
    end

    -- Ends the recording; returns what its last line says of it, and what the player reads.
    function sampler.finish()
        if not sampler.isOn then return '', '' end
        if sampler.kind then leave('cut', tick, timeTick()) end
        sampler.isOn = false
        local passed = gameTick() - first
        local share = findShare(passed)
        local counts = format(' mode=ticks chosen=%d passed=%d', chosenCount, passed)
        local said = ', ' .. numbered(chosenCount, 'tick') .. format(' of %d, for', passed)
        said = said .. format(" %.1f %% of Lua's time", 100 * share)
        return format('%s share=%.4g cut=%d', counts, share, cutCount), said
    end
end

------------------------------------------------------------------------------------------
-- WAKES: how long each thread runs from where it goes on to its next wait, by the clock alone.
--
-- In mode = 'watch', wrappers stand in the places of the functions that suspend a thread, and of
-- ForkThread, from the time on when this file is loaded, so that files that are loaded later have
-- them. What they cost is paid at each wake, so they do little: two looks at the clock, the tick,
-- and some sums. A thread is known by the function that it began with, which its wrapper keeps
-- while it waits.
--
-- Arguments, results and their numbers are passed on as they are. Nothing that the game computes
-- may depend on the clock: players have different ones.
--
-- Of wakes: isInstalled, for good; isOn, in a watch; isHooked, while a wake is recorded exactly,
-- as chosen ticks are; goesOn, when the recording that has interrupted it ends; isQuiet, then;
-- isCounting, while nothing is written but how many ticks are long is counted: see COUNTING.
do
    local BOUNDS = {
        SUMMARY = 600, -- ticks from one to the next
        OTHERS = 500, -- what took less than this part of all is put together
        TENTH = 10, -- what takes such a part of a slow tick is written
        LEAST_GAP = 1e-3,
        NEVER = -1e9,
        SLOW = 100, -- slow ticks of a summary that are written
        LONG = 20, -- wakes of a tick
        FRAMES = 100, -- of a stack
        REFERENCE = 200, -- ticks that are timed after a recording, and at most before it
        LATE = 10, -- and until a killed thread is noticed
        TIMED = 200, -- functions of these that are written
        BETWEEN = 10, -- of so many ticks, one is timed while ticks are chosen
    }
    local SUSPECT = {
        LEAST_PART = 4, -- of a slow tick, that its function has to have taken
        SLOW = 3, -- ticks in which it was slow, until it is no suspect any longer
        QUICK = 20, -- and in which it was not, in a row
        TICKS = 600, -- and that have passed
        REST = 6000, -- ticks until one that was slow so often may be a suspect again
        WAKES = 20, -- that are recorded of a tick
        HITCH = 0.1, -- seconds that this adds to a tick; what is left of a wake is not recorded
        SAVED = 0.2, -- of the budget, that are kept for it
        ADDED = 6, -- what it adds, in times of what a wake takes, until that is known
        EVENTS = 2e8, -- in all, times the budget; so are these, of each summary:
        MORE_EVENTS = 5e6,
        -- What an event adds at least, in times of the way into a hook and out: with many calls of
        -- small functions 3, so that such a wake seems longer, but no slow one is missed.
        SLOWED = 1.9,
    }

    -- A function that threads begin with is a table: {source =, line =, name =, run =, id = in that
    -- run, and of its wakes in the tick [1] = their seconds, [2] = how many, [3] = the longest, or
    -- -1: none yet, and [1], [2] are old; [4] = one that takes no longer is only added up;
    -- [5] = how many, [6] = seconds, [7] = the longest in the ticks since the last summary}.
    local known = weak() -- [function] = table
    wakes.places = {} -- [source][line, or name] = table
    wakes.unknown = { id = 0 } -- stands for the function of a thread that is not known
    -- And of one that has not waited since the watch began.
    wakes.unseen = { [3] = 1e9, [4] = -1 }

    local isOn = false
    local start = 0 -- what the clock showed when the wake began
    local running -- the table of the thread whose wake that is; nil: its begin was not seen
    local watchTick, inTick -- the tick; what wakes took in the one that has ended
    local seen, seenCount -- the tables of the tick
    -- Of the wake before in the tick; BOUNDS.NEVER: there was none, or it was endBefore, and the
    -- tick has to be asked for.
    local lastEnd, endBefore
    local usual -- seconds: a wake that takes less is not written; 0 while one is recorded
    local gaps -- {count =, seconds =, longest =, after = the table of the wake after the longest}
    local long -- texts of the long wakes of the tick, and count =
    local first, lengths, all -- since the last summary: its tick, lengths of ticks, tables; count =
    local isWritten -- whether a line was written since the wake ended
    local slowFrom -- seconds
    local counts -- of the watch
    local suspect, suspicion -- a table, and {slow =, quick =, last =}: ticks
    -- Of the wake that is recorded: where it began by the clock, hookedAt, without the hook, ownAt,
    -- and in events, eventsAt; what it took before it was cut, ownBefore, and when that was, cutAt;
    -- waitingFor, what the thread had called to wait; nil: it begins. How many there are in a tick,
    -- count and tick, and the seconds that they have added, added; what this one may add, most.
    -- saved, what the budget has left; eventCost, the way into a hook and out.
    local exact = {}
    local unpack, rawset = unpack, rawset
    -- Of the reference: when, 'before' or 'after' a recording, while runs are timed; the tables of
    -- the functions that were seen then, which have sums by these words, and count =; of the run
    -- that is timed, running, its function, start, tick, thread, and the memory that was in use;
    -- the seconds that a wrapper takes of it; and last, the tick after which the thread that ends
    -- the timing has to have been killed.
    local timed = { when = nil, count = 0, tick = nil, memory = 0, empty = 0, fork = 0 }

    function wakes.addSums(of)
        for i = 1, 7 do
            of[i] = 0
        end
        of[3], of[4] = -1, -1
        return of
    end
    wakes.addSums(wakes.unknown)

    -- The table of a function, by the place of its definition, since programs make closures all
    -- the time.
    function wakes.know(f)
        local found = known[f]
        if found then return found end
        local isRead, info = pcall(getinfo, f, 'S')
        local source, line = '=[C]', -1
        if isRead and info then
            source, line = info.source, info.linedefined
        end
        local name = globalNames and globalNames[f]
        local key = line >= 0 and line or name or '?'
        wakes.places[source] = wakes.places[source] or {}
        found = wakes.places[source][key]
        if not found then
            found = wakes.addSums({ source = source, line = line, name = name })
            wakes.places[source][key] = found
        end
        known[f] = found
        return found
    end

    -- The number of a function in this recording.
    function wakes.idOf(of)
        if of ~= wakes.unknown and of.run ~= run then
            local source, key = findSource(of.source), of.line >= 0 and of.line or of.name or '?'
            local added = source[key] or addFunction(source, key, of.line, of.name, of.line < 0)
            of.run, of.id = run, added.id
        end
        return of.id
    end

    function wakes.describeSums(of, wakeCount, seconds, longest)
        return format('%d:%d:%.0f:%.0f', wakes.idOf(of), wakeCount, seconds * 1e6, longest * 1e6)
    end

    -- With the functions that it names before it.
    function wakes.writeLine(kind, text)
        flush()
        write(kind, text)
        isWritten = true
    end

    -- Of a thread that has begun before it could be seen: the outermost function on its stack.
    function wakes.findFirst(level)
        local found = nil
        local info = getinfo(level, 'f')
        while info do
            if info.func and not wrapped[info.func] then found = info.func end
            level = level + 1
            info = getinfo(level, 'f')
        end
        return found and wakes.know(found) or wakes.unknown
    end

    -- The text of the stack with which a thread waits, as adoptStack() has it, up to what suspends.
    function wakes.describeStack(waiting, level)
        local text, count, frames = '', 0, {}
        while count < BOUNDS.FRAMES do
            local info = frameInfo(level + count, 'fl')
            if not info then break end
            count = count + 1
            frames[count] = info
        end
        for i = count, 1, -1 do
            local f = frames[i].func
            local called = f and functions[f] or defineFunction(f, level + i - 1)
            local line = i < count and frames[i + 1].currentline or NO_CALLER
            text = text
                .. findSite(called, count == BOUNDS.FRAMES and i == count and UNKNOWN_LINE or line)
        end
        local called = functions[waiting] or wakes.define(waiting)
        return text .. findSite(called, count > 0 and frames[1].currentline or NO_CALLER)
    end

    -- Level 7 of wakes.describeStack() is the function that waits.
    function wakes.noteLongWake(waiting, seconds, of)
        if long.count >= BOUNDS.LONG then return end
        local isDescribed, text = false, nil
        if waiting then
            isDescribed, text = pcall(wakes.describeStack, waiting, 7)
        end
        long.count = long.count + 1
        long[long.count] = format('%d %.0f %d ', watchTick, seconds * 1e6, wakes.idOf(of))
            .. (isDescribed and '(' .. text .. ')' or '-')
    end

    -- What a C function that suspends is in this recording.
    function wakes.define(f)
        local source, name = findSource('=[C]'), globalNames[f] or '?'
        local called = source[name]
        if not called then
            called = addFunction(source, name, -1, name, true)
            called.switches, called.suspends = switching[f], suspending[f]
        end
        functions[f] = called
        return called
    end

    function wakes.writeSummary(last)
        local seconds, parts, count = 0, {}, 0
        local others = wakes.addSums({ id = 0, run = run, line = 0 })
        for i = 1, all.count do
            seconds = seconds + all[i][6]
        end
        for i = 1, all.count do
            local of = all[i]
            if of ~= wakes.unknown and of[6] * BOUNDS.OTHERS >= seconds then
                count = count + 1
                parts[count] = wakes.describeSums(of, of[5], of[6], of[7])
            else
                others[5], others[6] = others[5] + of[5], others[6] + of[6]
                others[7] = math.max(others[7], of[7])
            end
            counts.wakes = counts.wakes + of[5]
            of[5], of[6], of[7] = 0, 0, 0
            all[i] = nil
        end
        if others[5] > 0 then
            count = count + 1
            parts[count] = wakes.describeSums(others, others[5], others[6], others[7])
        end
        if lengths.count > 0 then
            for i = 1, lengths.count do
                lengths[i] = format('%.0f', lengths[i] * 10000)
            end
            wakes.writeLine('ticks', format('%d ', first) .. concat(lengths, ' ', 1, lengths.count))
            local text = concat(parts, ' ', 1, count)
            write('threads', format('%d %d', first, last) .. (count > 0 and ' ' or '') .. text)
        end
        counts.summaries = counts.summaries + 1
        first, lengths.count, all.count, counts.written = last + 1, 0, 0, 0
    end

    function wakes.forgetSums()
        for i = 1, all.count do
            local of = all[i]
            of[5], of[6], of[7] = 0, 0, 0
            all[i] = nil
        end
        lengths.count, all.count = 0, 0
    end

    -- The functions of a slow tick, and its long wakes.
    function wakes.writeSlowTick()
        local parts, count, top = { format('%d %.0f', watchTick, inTick * 1e6) }, 1, seen[1]
        for i = 1, seenCount do
            local of = seen[i]
            if of[1] > top[1] then top = of end
            if of[1] * BOUNDS.TENTH >= inTick then
                count = count + 1
                parts[count] = wakes.describeSums(of, of[2], of[1], of[3])
            end
        end
        if gaps.count > 0 then
            local text = '-:%d:%.0f:%.0f:%d'
            text = format(
                text,
                gaps.count,
                gaps.seconds * 1e6,
                gaps.longest * 1e6,
                wakes.idOf(gaps.after)
            )
            count = count + 1
            parts[count] = text
        end
        if counts.written < BOUNDS.SLOW then
            counts.written = counts.written + 1
            wakes.writeLine('slow', concat(parts, ' ', 1, count))
            for i = 1, long.count do
                write('wake', long[i])
            end
        end
        return top
    end

    -- A function that has made a tick slow is recorded when it runs again.
    function wakes.accuse(of)
        local isOne = settings.suspects > 0 and not suspect and of and of ~= wakes.unknown
        isOne = isOne and not (of.rests and watchTick < of.rests)
        if isOne and of[1] * SUSPECT.LEAST_PART >= inTick then
            suspect, suspicion = of, { slow = 0, quick = 0, last = watchTick + SUSPECT.TICKS }
            suspicion.seconds = of[1]
            of.added, of.recorded = of.added or 0, of.recorded or 0
        end
    end

    function wakes.judge()
        -- Only a run that was recorded is slow; others are quick, so that a suspect that cannot be
        -- recorded is one no more after some time. The next tick may have begun with its wake.
        local isRecorded = exact.recorded == watchTick or exact.recordedBefore == watchTick
        if isRecorded and suspect[3] >= 0 and suspect[1] > slowFrom then
            suspicion.slow, suspicion.quick = suspicion.slow + 1, 0
        elseif suspect[3] >= 0 then
            suspicion.quick = suspicion.quick + 1
        end
        local isOver = suspicion.slow >= SUSPECT.SLOW or suspicion.quick >= SUSPECT.QUICK
        if suspicion.slow >= SUSPECT.SLOW then suspect.rests = watchTick + SUSPECT.REST end
        if isOver or watchTick >= suspicion.last then suspect = nil end
    end

    function wakes.endUnusualTick()
        local isSlow = inTick > slowFrom
        if suspect then wakes.judge() end
        if isSlow or gaps.seconds > slowFrom then
            local top = wakes.writeSlowTick()
            if isSlow then
                counts.slow = counts.slow + 1
                top.slowTicks = (top.slowTicks or 0) + 1
                counts.top[top] = top.slowTicks
                wakes.accuse(top)
            else
                counts.gaps = counts.gaps + 1
            end
        end
        long.count, gaps.count, gaps.seconds, gaps.longest = 0, 0, 0, 0
    end

    -- A tick has begun: ends the one before.
    function wakes.beginTick(now)
        local seconds, count = 0, lengths.count + 1
        for i = 1, seenCount do
            seconds = seconds + seen[i][1]
        end
        inTick = seconds
        if suspect or seconds > slowFrom or gaps.count > 0 or long.count > 0 then
            wakes.endUnusualTick()
        end
        for i = 1, seenCount do
            local of = seen[i]
            if of[5] == 0 then
                all.count = all.count + 1
                all[all.count] = of
            end
            of[5] = of[5] + of[2]
            of[6] = of[6] + of[1]
            if of[3] > of[7] then of[7] = of[3] end
            of[3] = -1
            of[4] = -1
        end
        seenCount, lastEnd, endBefore = 0, BOUNDS.NEVER, BOUNDS.NEVER
        lengths[count] = seconds
        lengths.count = count
        counts.seconds = counts.seconds + seconds
        exact.saved = math.min(exact.saved + settings.suspects * seconds, SUSPECT.SAVED)
        if seconds >= wakes.limit then wakes.longTicks = wakes.longTicks + 1 end
        -- A saved game may have been loaded.
        local isNext = now > watchTick and now < watchTick + BOUNDS.SUMMARY
        while isNext and watchTick + 1 < now do
            lengths.count, watchTick = lengths.count + 1, watchTick + 1
            lengths[lengths.count] = 0
        end
        if lengths.count >= BOUNDS.SUMMARY or not isNext then
            if wakes.isCounting then
                wakes.forgetSums()
            else
                wakes.writeSummary(watchTick)
            end
            first = now
        end
        watchTick = now
    end

    -- The first wake in a tick, or the longest so far.
    function wakes.lengthen(of, seconds)
        if of[3] < 0 then
            seenCount = seenCount + 1
            seen[seenCount] = of
            of[1] = seconds
            of[2] = 1
        else
            of[1] = of[1] + seconds
            of[2] = of[2] + 1
        end
        of[3] = seconds
        of[4] = seconds < usual and seconds or usual
    end

    function wakes.take(of, seconds, waiting)
        if not (seconds >= 0) then
            clockFaults, seconds = clockFaults + 1, 0
        end
        if seconds > of[3] then
            wakes.lengthen(of, seconds)
        else
            of[1], of[2] = of[1] + seconds, of[2] + 1
        end
        local gap = start - lastEnd
        if gap >= BOUNDS.LEAST_GAP and lastEnd ~= BOUNDS.NEVER then
            gaps.count, gaps.seconds = gaps.count + 1, gaps.seconds + gap
            if gap > gaps.longest then
                gaps.longest, gaps.after = gap, of
            end
        end
        if seconds >= usual then wakes.noteLongWake(waiting, seconds, of) end
    end

    -- The wake of a thread ends, by a function that suspends it, or nil. Returns its table.
    function wakes.endUnusual(now, waiting)
        local of, current = running, gameTick()
        local seconds = now - start
        isWritten = false
        if wakes.isHooked then
            seconds = wakes.finish('left', current)
        elseif exact.cutAt then
            seconds = exact.ownBefore + (now - exact.cutAt)
        end
        exact.cutAt, usual = nil, slowFrom / BOUNDS.TENTH
        if lastEnd == BOUNDS.NEVER then lastEnd = endBefore end
        if current ~= watchTick then wakes.beginTick(current) end
        local isSeen = of
        if not of or of == wakes.unseen then of = wakes.findFirst(5) end
        if isSeen then
            wakes.take(of, seconds, waiting)
        else
            counts.unknown = counts.unknown + 1
        end
        running = nil
        lastEnd = isWritten and readClock() or now
        return of
    end

    -- The same for nearly all wakes that wait() does not end by itself: the first of their tick.
    local function endWake(now, waiting)
        local of, began = running, start
        local seconds = now - began
        local isUsual = of and seconds < usual and seconds >= 0 and began - lastEnd < 2e-5
        if isUsual and of[3] < 0 then
            local count = seenCount + 1
            seenCount = count
            seen[count] = of
            of[1] = seconds
            of[2] = 1
            of[3] = seconds
            of[4] = seconds
            running = nil
            lastEnd = now
            return of
        elseif isUsual and seconds > of[3] then
            wakes.lengthen(of, seconds)
            running = nil
            lastEnd = now
            return of
        end
        of = wakes.endUnusual(now, waiting)
        return of
    end

    -- Another wake begins, and nothing has ended the one before: an error has, or KillThread. Or
    -- it goes on, and this is a coroutine within, which the game does not know. Returns false then.
    function wakes.endOpenWake()
        local isThread, thread = pcall(currentThread or error)
        if isThread and not thread then return false end
        counts.ended = counts.ended + 1
        local now, current = readClock(), gameTick()
        local seconds = now - start
        if wakes.isHooked then
            seconds = wakes.finish('cut', current)
        elseif exact.cutAt then
            seconds = exact.ownBefore + (now - exact.cutAt)
        end
        exact.cutAt, usual = nil, slowFrom / BOUNDS.TENTH
        -- In which tick it began is known only if that is the one of the last wait.
        local of = running == wakes.unseen and wakes.unknown or running
        if current == watchTick then wakes.take(of, seconds, nil) end
        running = nil
        return true
    end

    -- A thread goes on after a wait, or begins.
    local function beginWake(of, waiting)
        if running and not wakes.endOpenWake() then return end
        running = of
        if of == suspect then wakes.record(of, waiting) end
        start = readClock()
    end

    -- EXACT RECORDINGS of wakes. The hook waits until the wrapper returns, or calls the function
    -- of a new thread; from there on it is hook(), until the next wrapper is called.
    -- The thread goes on, and nothing of its stack is known. Written as it was: it is on its stack
    -- what it had called, which returns.
    function wakes.adopt()
        identify(IN_SLOW)
        local info = frameInfo(IN_KIND, 'l')
        if not current or not info or sub(buffer[bufferCount], 1, 1) ~= '(' then return end
        local called = functions[exact.waitingFor] or wakes.define(exact.waitingFor)
        local text = sub(buffer[bufferCount], 1, -2)
        buffer[bufferCount] = text .. findSite(called, info.currentline) .. ')'
        put('.')
        if SENDS_RESUME_MARK then put('!') end
    end

    function wakes.waitingHook(event)
        local f = getinfo(2, 'f').func
        local isBegin = not exact.waitingFor and event == 'call' and f == target
        if not isBegin and not (exact.waitingFor and event == 'return' and wrapped[f]) then
            return
        end
        ourHook = hook
        sethook(ourHook, 'cr')
        tick = nil
        zero = readClock()
        lineTime, sinceLine = zero - lineLost, 0
        exact.ownAt, exact.eventsAt = lineTime, eventCount
        if isBegin then
            put((slow(event, 0)))
        else
            wakes.adopt()
        end
        zero = readClock()
    end

    -- What recording a suspect in a slow tick will add, by what it has added to its other wakes, of
    -- which short ones tell little.
    function wakes.foresee(of)
        local seconds = suspicion.seconds
        local added, recorded = SUSPECT.ADDED * seconds + of.added, seconds + of.recorded
        return math.min(SUSPECT.HITCH, seconds * added / recorded)
    end

    function wakes.record(of, waiting)
        local now, events = gameTick(), SUSPECT.EVENTS + SUSPECT.MORE_EVENTS * counts.summaries
        if now ~= exact.tick then
            exact.count, exact.tick, exact.added = 0, now, 0
        end
        exact.most = math.min(exact.saved, SUSPECT.HITCH - exact.added)
        local isTooMuch = exact.count >= SUSPECT.WAKES
            or exact.most <= 0
            or exact.count == 0 and exact.most < wakes.foresee(of)
            or counts.events > settings.suspects * events
        if isTooMuch or gethook and gethook() then return end
        if exact.count == 0 then
            exact.recordedBefore, exact.recorded = exact.recorded, now
        end
        exact.hookedAt, exact.ownAt, exact.eventsAt = readClock(), nil, nil
        exact.of, exact.count, of[4] = of, exact.count + 1, -1
        wakes.writeLine('hook', format('watched %d %d', now, wakes.idOf(of)))
        resetThreads()
        lineThread, exact.waitingFor = 0, waiting
        collector.work()
        wakes.isHooked, usual, ourHook = true, 0, wakes.waitingHook
        sethook(ourHook, 'cr')
    end

    -- In the hook, where a wrapper is called, or proceed(): what is the game's of that, as text and
    -- time, or nil.
    function wakes.leaveHook(f, dt)
        local waiting = replaces[f]
        if f == proceed then
            sethook()
            eventCount = eventCount - 1
            return '', 0
        elseif not suspending[waiting or f] then
            return nil, dt
        end
        local caller = frameInfo(IN_STEP, 'l')
        local called = functions[waiting] or wakes.define(waiting)
        sethook()
        return findSite(called, caller and caller.currentline or NO_CALLER), dt
    end

    -- What recording the wake has added, how long the wake would have taken, which can only be
    -- estimated, since the code between two events is slower, too, and how many events it has.
    function wakes.measure()
        local events = mod(eventCount - (exact.eventsAt or eventCount) + 1000000, 1000000)
        local passed = readClock() - exact.hookedAt
        local own = passed
        if exact.ownAt then
            own = findTimes() - exact.ownAt - exact.eventCost * SUSPECT.SLOWED * events
        end
        own = own > 0 and own or 0
        return passed - own, own, events
    end

    -- What was recorded of a wake is written. Returns how long the wake would have taken.
    function wakes.finish(how, now)
        if isHookOurs() then sethook() end
        wakes.isHooked, isWritten = false, true
        flush()
        if bufferCount > 0 then
            bufferCount, lineNumber = 0, lineNumber + 1
        end
        write('hook', format('%s %d', how, now))
        collector.giveBack()
        local added, own, events = wakes.measure()
        local of = exact.of
        of.added, of.recorded = of.added + added, of.recorded + own
        exact.added, exact.saved = exact.added + added, exact.saved - added
        counts.watched, counts.events = counts.watched + 1, counts.events + events
        counts.spent = counts.spent + added
        return own
    end

    -- A tick has begun, so an error has ended the wake, or KillThread: what comes now is dropped.
    function wakes.leaveTick()
        wakes.isLeaving, exact.kept, flushAt = true, bufferCount, 0
    end

    function wakes.remove()
        bufferCount, wakes.isLeaving = exact.kept, false
        lines.setFlush(LIMITS.PIECES)
        sethook()
    end

    function wakes.cutLongWake()
        local isLong = readClock() - exact.hookedAt > settings.longest / 1000
        if isLong or wakes.measure() > exact.most then
            exact.ownBefore = wakes.finish('cut', gameTick())
            exact.cutAt = readClock()
        end
    end

    -- Once in a tick, by the recorder's own thread.
    function wakes.work()
        local now = gameTick()
        if running then wakes.endOpenWake() end
        if now ~= watchTick then
            wakes.beginTick(now)
        elseif lastEnd ~= BOUNDS.NEVER then
            lastEnd, endBefore = BOUNDS.NEVER, lastEnd
        end
    end

    -- COUNTING, for the trigger: how many ticks took `limit` or more, also in a watch.
    wakes.limit, wakes.longTicks = 1e9, 0

    function wakes.beginCounting()
        if not isRecording and not chooseClock() then return end
        wakes.reset(1e9)
        wakes.isCounting, isOn = true, true
    end

    function wakes.endCounting()
        if wakes.isCounting then
            wakes.isCounting, isOn = false, false
        end
    end

    -- Once in a tick: where nothing else has the hook or times runs.
    function wakes.countTick()
        local isFree = not isRecording or sampler.isOn and not sampler.isHooked
        if timed.when or not isFree then
            wakes.endCounting()
        elseif wakes.isCounting then
            wakes.work()
        else
            wakes.beginCounting()
        end
    end

    -- Nothing is known of any tick; those with more seconds than `from` are slow.
    function wakes.reset(from)
        slowFrom = from
        running, lastEnd, endBefore, suspect = nil, BOUNDS.NEVER, BOUNDS.NEVER, nil
        exact.tick, exact.cutAt, usual = nil, nil, slowFrom / BOUNDS.TENTH
        exact.recorded, exact.recordedBefore, exact.saved = nil, nil, 0
        seen, seenCount, long = {}, 0, { count = 0 }
        lengths, all = { count = 0 }, { count = 0 }
        inTick, gaps = 0, { count = 0, seconds = 0, longest = 0 }
        for _, members in pairs(wakes.places) do
            for _, of in pairs(members) do
                wakes.addSums(of)
                of.slowTicks, of.rests = nil, nil
            end
        end
        wakes.addSums(wakes.unknown)
        counts = { wakes = 0, unknown = 0, ended = 0, slow = 0, gaps = 0, top = {}, written = 0 }
        counts.seconds, counts.summaries = 0, 0
        counts.watched, counts.events, counts.spent = 0, 0, 0
        first = gameTick()
        watchTick = first
    end

    -- Before a watch. Returns the mode and what it depends on.
    function wakes.prepare()
        wakes.reset((isOfInterface and settings.slowFrame or settings.slowTick) / 1000)
        exact.eventCost = sampler.measureEvent()
        local text = 'watch slow=%.9g budget=%.9g longest=%.9g event=%.9g'
        local cost = exact.eventCost
        return format(text, slowFrom * 1000, settings.suspects, settings.longest, cost)
    end

    function wakes.begin() isOn = true end

    -- Ends a watch; returns what its last line says of it, and what the player reads.
    function wakes.stop()
        if not wakes.isOn then return '', nil end
        isOn = false
        if wakes.isHooked then wakes.finish('cut', gameTick()) end
        local passed = watchTick
        wakes.beginTick(watchTick + 1)
        if lengths.count > 0 then wakes.writeSummary(passed) end
        wakes.isOn = false
        local text = ' mode=watch wakes=%.0f unknown=%d ended=%d slow_ticks=%d gaps=%d watched=%d'
        text = format(
            text,
            counts.wakes,
            counts.unknown,
            counts.ended,
            counts.slow,
            counts.gaps,
            counts.watched
        )
        local top, most = nil, 0
        for of, ticks in pairs(counts.top) do
            if ticks > most or ticks == most and top and wakes.idOf(of) < wakes.idOf(top) then
                top, most = of, ticks
            end
        end
        local said = numbered(counts.slow, 'tick') .. format(' over %g ms', slowFrom * 1000)
        if top and top ~= wakes.unknown then
            local place = string.gsub(top.source, '^.*[/\\]', '')
            place = format('%s:%d', sub(place, 1, 60), top.line)
            said = said .. format(', %d of them by threads of %s', most, top.name or place)
            if top.name then said = said .. ' (' .. place .. ')' end
        end
        return text .. format(' share=%.4g', counts.spent / math.max(counts.seconds, 1e-3)), said
    end

    -- THE REFERENCE of an exact recording: how long runs of threads take while nothing is recorded.
    -- A run does not count if its beginning is not known, if it is in two ticks, or if Lua has
    -- collected garbage in it, which is in the time of no function of a recording either.
    -- At its end, `of` is what the thread began with: it may have waited in a tick without timing.
    function wakes.endRun(of)
        local now = readClock()
        local isKnown, thread = pcall(currentThread or error)
        local isSame = not isKnown or thread == timed.thread
        of = of or isSame and timed.running or wakes.findFirst(4)
        local seconds = now - (timed.start or now)
        local isWhole = timed.start and seconds >= 0 and gameTick() == timed.tick
        if isSame and isWhole and (memoryInUse or type)(0) >= timed.memory then
            local sums = of[timed.when]
            if not sums then
                sums = { runs = 0, seconds = 0, squares = 0 }
                of[timed.when], timed.count = sums, timed.count + 1
                timed[timed.count] = of
            end
            sums.runs, sums.seconds = sums.runs + 1, sums.seconds + seconds
            sums.squares = sums.squares + seconds * seconds
        end
        timed.start, timed.running = nil, nil
        return of
    end

    function wakes.beginRun(of)
        timed.running = of ~= wakes.unseen and of or nil
        timed.tick, timed.memory = gameTick(), (memoryInUse or type)(0)
        if timed.tick > timed.last then return wakes.endTimes() end
        local isKnown, thread = pcall(currentThread or error)
        timed.thread = isKnown and thread
        timed.start = readClock()
    end

    -- What wrappers take of a run: once from the last look at the clock of one to the first of the
    -- next, and for each thread that is forked.
    function wakes.timeWrappers()
        local TIMES, MOST = 1000, 5e-6
        local wait, of, nothing = wakes.wrapWaitTicks(type), {}, function() end
        timed.fork, timed.empty = 0, 0
        for i = 1, TIMES do
            wait(i)
            timed.running = of
        end
        local seconds = of[timed.when].seconds / TIMES
        local engines, from = wakes.ForkThread, readClock()
        wakes.ForkThread = type
        for i = 1, TIMES do
            wakes.fork(nothing)
        end
        wakes.ForkThread = engines
        local forkSeconds = (readClock() - from) / TIMES
        timed.empty = seconds < MOST and seconds or 0
        timed.fork = forkSeconds > 0 and forkSeconds < MOST and forkSeconds or 0
    end

    -- Ends it; what was timed after a recording is written, that before one waits for its lines.
    function wakes.endTimes()
        local when = timed.when
        timed.when = nil
        if when then collector.giveBack() end
        if when == 'after' then pcall(wakes.writeTimes, when) end
    end

    function wakes.time(when)
        wakes.endTimes()
        wakes.endCounting()
        for i = 1, timed.count do
            timed[i].before, timed[i].after, timed[i] = nil, nil, nil
        end
        timed.count, timed.start, timed.running = 0, nil, nil
        if not (when == 'after' or chooseClock()) then return end
        timed.when, timed.last = when, gameTick() + BOUNDS.REFERENCE + BOUNDS.LATE
        pcall(wakes.timeWrappers)
        timed.count, timed.start, timed.running = 0, nil, nil
    end

    function wakes.writeTimes(when)
        for i = 1, math.min(timed.count, BOUNDS.TIMED) do
            local of, sums = timed[i], timed[i][when]
            if sums and of.line >= 0 and string.len(of.source) <= LIMITS.SOURCE then
                local runs, mean = sums.runs, sums.seconds / sums.runs
                local variance = math.max(sums.squares / runs - mean * mean, 0)
                local text = format('%s %d %d', when, of.line, runs)
                local own = math.max(mean - timed.empty, 0) * runs
                text = text .. format(' %.0f %.0f ', own * 1e9, math.sqrt(variance) * 1e9)
                write('reference', text .. escape(of.source))
            end
            of[when] = nil
        end
    end

    -- Of a recording of chosen ticks: one of so many others, until the recording ends. Most threads
    -- wait for whole seconds, each ten ticks: so it is another one in each block, and in each of
    -- the blocks of ten and a hundred of these.
    function wakes.timeTick(isFree)
        if wakes.isBetween then
            local tick, wasFree = gameTick(), timed.when
            local block = math.floor(tick / BOUNDS.BETWEEN)
            local turn = block * 7 + math.floor(block / 10) * 3 + math.floor(block / 100)
            isFree = isFree and mod(tick + turn, BOUNDS.BETWEEN) == 0
            timed.when, timed.start = isFree and 'before' or nil, nil
            timed.last = tick + 1
            if isFree then
                collector.makeRoom()
            elseif wasFree then
                collector.giveBack()
            end
        end
    end

    function wakes.timeBetween(isWanted)
        wakes.isBetween = isWanted
        if isWanted then wakes.time('before') end
        timed.when = nil
    end

    -- Waits so many ticks, with no collection in a run that is timed. Once no more are timed, the
    -- thread wakes only at the end: each wake would be in the recording that has begun.
    function wakes.pass(ticks)
        while timed.when and ticks >= 1 do
            pcall(collector.makeRoom, true)
            waitTicks(1)
            ticks = ticks - 1
        end
        if ticks >= 1 then waitTicks(ticks) end
    end

    -- Until another recording begins, or enough was timed.
    function wakes.timeAfter()
        local mine = run
        wakes.time('after')
        forkThread(function()
            wakes.pass(BOUNDS.REFERENCE)
            if run == mine then wakes.endTimes() end
        end)
    end

    -- WRAPPERS. Nearly all threads wait by this one. As in the hook, what costs is the number of
    -- instructions, and most of all a table, which Lua 5.0 makes for `...`. So it passes on one
    -- number, and what the engine gives back, which is nothing. And it does itself what endWake()
    -- does of nearly all wakes: these are short, not the first of their function in the tick, and
    -- begin where another has ended. One that begins less than 20 us after that is in its tick.
    function wakes.wrapWaitTicks(original)
        local function wait(ticks)
            local of, result
            if isOn then
                local now, began = origin and clock(origin) or clock(), start
                local seconds = now - began
                of = running
                if of and seconds <= of[4] and began - lastEnd < 2e-5 and seconds >= 0 then
                    of[1] = of[1] + seconds
                    of[2] = of[2] + 1
                    running = nil
                    lastEnd = now
                else
                    of = endWake(now, original)
                end
            elseif timed.when then
                of = wakes.endRun()
            else
                of = wakes.unseen
                if isRecording then
                    given, target = { ticks, n = 1 }, original
                end
            end
            if ticks == nil then
                result = original()
            else
                result = original(ticks)
            end
            if isOn then
                if not running and of ~= suspect then
                    running = of
                    start = origin and clock(origin) or clock()
                else
                    beginWake(of, original)
                end
            elseif timed.when then
                wakes.beginRun(of)
            end
            if result ~= nil then return result end
        end
        return wait
    end

    -- Others pass on any number of arguments and results. To a thread of the game, the engine gives
    -- nothing back where it yields: so that makes but one table, and to ask for the thread costs
    -- less than another. A coroutine within may get any number of values.
    -- The first lines are those of wrapWaitTicks(): a function for both would cost a call.
    function wakes.wrapWait(original)
        local isYield = original == coroutine.yield
        local function wait(...)
            local count, of, results = arg.n, nil, nil
            if isOn then
                local now, began = origin and clock(origin) or clock(), start
                local seconds = now - began
                of = running
                if of and seconds <= of[4] and began - lastEnd < 2e-5 and seconds >= 0 then
                    of[1] = of[1] + seconds
                    of[2] = of[2] + 1
                    running = nil
                    lastEnd = now
                else
                    of = endWake(now, original)
                end
                local isThread, thread = isYield and count == 1, nil
                if isThread then
                    isThread, thread = pcall(currentThread)
                end
                if isThread and thread then
                    local result = original(arg[1])
                    if isOn and not running and of ~= suspect then
                        running = of
                        start = origin and clock(origin) or clock()
                    elseif isOn then
                        beginWake(of, original)
                    elseif timed.when then
                        wakes.beginRun(of)
                    end
                    if result ~= nil then return result end
                    return
                end
            elseif timed.when then
                of = wakes.endRun()
            elseif isRecording then
                given, target, of = arg, original, wakes.unseen
            else
                if count == 1 then return original(arg[1]) end
                return original(unpack(arg, 1, count))
            end
            if count == 1 then
                results = pack(original(arg[1]))
            else
                results = pack(original(unpack(arg, 1, count)))
            end
            if isOn then
                beginWake(of, original)
            elseif timed.when then
                wakes.beginRun(of)
            end
            if results.n == 0 then return end
            if results.n == 1 then return results[1] end
            return unpack(results, 1, results.n)
        end
        return wait
    end

    -- The first function of all threads.
    local function starter(f, ...)
        local count = arg.n
        if isOn then
            local of = known[f] or wakes.know(f)
            if not running and of ~= suspect then
                running = of
                start = origin and clock(origin) or clock()
            else
                beginWake(of, nil)
            end
        elseif timed.when then
            wakes.beginRun(wakes.know(f))
        end
        given, target = arg, f
        -- So that the function has no name from here.
        if count == 1 then
            local _ = (f or nil)(arg[1])
        else
            local _ = (f or nil)(unpack(arg, 1, count))
        end
        if isRecording then proceed() end
        if isOn then
            endWake(readClock(), nil)
        elseif timed.when and timed.start then
            wakes.endRun(known[f] or wakes.know(f))
        end
    end

    wakes.ForkThread = forkThread -- a name that errors have
    function wakes.fork(...)
        local count, thread = arg.n, nil
        given, target = arg, forkThread
        if timed.start then timed.start = timed.start + timed.fork end
        -- The engine refuses what is no function.
        if type(arg[1]) ~= 'function' then
            thread = wakes.ForkThread(unpack(arg, 1, count))
        elseif count == 2 then
            thread = wakes.ForkThread(starter, arg[1], arg[2])
        else
            thread = wakes.ForkThread(starter, unpack(arg, 1, count))
        end
        if isRecording and not (isOn and not wakes.isHooked) then pack() end
        return thread
    end

    function wakes.stand(wrapper, original)
        wrapped[wrapper], replaces[wrapper], wakes.own[wrapper] = original, original, true
        return wrapper
    end

    -- Once, while the game loads, where there is what they need.
    local places = {} -- {table, key, wrapper, function}
    function wakes.install()
        if not (gameTick and getinfo) then return end
        local function replace(members, name, wrap)
            local original = members and rawget(members, name)
            if not suspending[original or name] then return end
            local wrapper = wakes.stand(wrap(original), original)
            rawset(members, name, wrapper)
            table.insert(places, { members, name, wrapper, original })
        end
        for name in pairs({ WaitTicks = 1, WaitFrames = 1 }) do
            replace(globals, name, wakes.wrapWaitTicks)
        end
        for name in pairs({ WaitFor = 1, SuspendCurrentThread = 1 }) do
            replace(globals, name, wakes.wrapWait)
        end
        replace(coroutine, 'yield', wakes.wrapWait)
        wrapped[starter], wakes.own[starter] = starter, true
        rawset(globals, 'ForkThread', wakes.stand(wakes.fork, forkThread))
        table.insert(places, { globals, 'ForkThread', wakes.fork, forkThread })
        wakes.isInstalled = true
    end

    -- Puts back what wrappers stand for, or the wrappers, where nothing else is by now. Who has
    -- kept a wrapper calls it all the same.
    function wakes.stepAside(isAside)
        for _, place in pairs(places) do
            local is, other = place[3], place[4]
            if not isAside then
                is, other = other, is
            end
            if rawget(place[1], place[2]) == is then rawset(place[1], place[2], other) end
        end
    end
end

-- How many units all armies have, each 100 ticks.
local function countUnits()
    local brains, categories = global('ArmyBrains'), global('categories')
    if isOfInterface or not (brains and categories) then return end
    local units = 0
    for _, brain in pairs(brains) do
        units = units + brain:GetCurrentUnits(categories.ALLUNITS)
    end
    -- Not by write(): the hook, which is on, may write a line between its number and it.
    define('units', format('%d %d', gameTick(), units))
end

local function workEachTick()
    local mine = run
    while isRecording and run == mine do
        if gameTick and mod(gameTick(), 100) == 0 then pcall(countUnits) end
        local count, events = bufferCount, eventCount
        local isHooked = not wakes.isOn and (sampler.kind or not sampler.isOn)
        if isHooked then
            for i = 1, calibrations do
                calibrate(RECURSION)
            end
            calibrate(OF_C, calibrations)
            calibrate(OF_ITERATORS, calibrations)
        end
        local isSeen = bufferCount ~= count or eventCount ~= events
        if wakes.isOn then
            wakes.work()
        elseif sampler.isOn then
            sampler.work(isSeen or not isHooked)
        elseif not isHookLost and not (isSeen and isHookOurs()) then
            loseHook()
        elseif isHookLost and gethook and not gethook() then
            write('hook', format('back %s', gameTick and gameTick() or '?'))
            check.countLost()
            resetThreads()
            setHook()
        end
        waitTicks(1)
        frame = frame + 1
    end
end

do
    -- Those with members may also be false. `each`: any number of such members.
    local MODES, FLAG = "'exact', 'sample' or 'watch'", 'true or false'
    local NUMBER, POSITIVE = 'a number from 0 on', 'a number above 0'
    local TEXT_OR_FALSE = 'a string or false'
    local TEXTS = { each = 'a string' }
    local KINDS = {
        from = 'false or ' .. NUMBER,
        duration = 'false or ' .. NUMBER,
        mode = MODES,
        budget = 'a number above 0, up to 1',
        longest = POSITIVE,
        suspects = NUMBER,
        trigger = {
            slow = POSITIVE,
            of = POSITIVE,
            ms = POSITIVE,
            duration = POSITIVE,
            pause = NUMBER,
        },
        startKey = TEXT_OR_FALSE,
        stopKey = TEXT_OR_FALSE,
        startCallback = TEXT_OR_FALSE,
        stopCallback = TEXT_OR_FALSE,
        who = { cheats = FLAG, replays = FLAG, ai = FLAG, alone = FLAG, players = TEXTS },
        slowTick = POSITIVE,
        slowFrame = 'false or ' .. POSITIVE,
        lines = TEXTS,
        arguments = TEXTS,
        memory = FLAG,
        collector = FLAG,
        reference = FLAG,
        benchmarks = { each = { NUMBER, NUMBER } },
    }

    -- How many letters are alike from one end on.
    local function countAlike(one, other, step)
        local at = step
        while byte(one, at) and byte(one, at) == byte(other, at) do
            at = at + step
        end
        return math.abs(at) - 1
    end

    -- The one of which most is alike, from the start and from the end.
    local function findNearest(name, kinds)
        local nearest, most = nil, -1
        for known in pairs(kinds) do
            local one, other = string.lower(name), string.lower(known)
            local longer = math.max(string.len(one), string.len(other))
            local score = (countAlike(one, other, 1) + countAlike(one, other, -1)) / longer
            if score > most or score == most and known < nearest then
                nearest, most = known, score
            end
        end
        return nearest
    end

    -- The words of a kind are those of the values that it has, or of their types, and of numbers
    -- their bounds. What is not a number, as 0 / 0, is in none, and neither is what has no end.
    local function fits(value, kind)
        local word = type(value) == 'boolean' and tostring(value) or type(value)
        if kind == MODES then word = "'" .. tostring(value) .. "'" end
        if not find(kind, word, 1, true) then return false end
        if type(value) ~= 'number' then return true end
        local isAbove = value > 0 or value == 0 and not find(kind, 'above 0', 1, true)
        return isAbove and value < 1 / 0 and (value <= 1 or not find(kind, 'up to 1', 1, true))
    end

    local findFault
    function check.member(name, value, kind)
        local is, hasMembers = type(value), type(kind) == 'table'
        if hasMembers and is == 'table' then
            return findFault(name .. '.', value, kind)
        elseif hasMembers or not fits(value, kind) then
            local shown = is == 'string' and "'" .. value .. "'" or tostring(value)
            shown = value == nil and 'missing' or is == 'table' and 'a table' or shown
            kind = hasMembers and 'a table' or kind
            return format("the setting '%s' has to be %s, and is %s", name, kind, shown)
        end
    end

    -- The last in the order of the sentences, where one about a name that is not known is after
    -- all others; nil: there is none.
    function findFault(prefix, values, kinds)
        local isTop, names, fault = kinds == KINDS, {}, nil
        for _, members in pairs({ values, kinds }) do
            for name in pairs(members) do
                names[name] = name ~= 'each' or nil
            end
        end
        for name in pairs(names) do
            local kind, value, found = kinds.each or kinds[name], values[name], nil
            local hasMembers = type(kind) == 'table'
            -- What `who` does not name is not allowed.
            local mayLack = hasMembers or not isTop and kind == FLAG
            if not kind then
                found = "there is no setting '%s%s'; '%s%s' is the nearest name"
                found = format(found, prefix, tostring(name), prefix, findNearest(name, kinds))
            elseif not (mayLack and not value and (isTop or value == nil)) then
                found = check.member(prefix .. name, value, kind)
            end
            if found and not (fault and fault > found) then fault = found end
        end
        return fault
    end

    -- What fits by itself, and not together.
    local function findContradiction()
        local text, trigger =
            "the setting '%s' has to be at most %s, %g, and is %g", settings.trigger
        if trigger and trigger.slow > trigger.of then
            return format(text, 'trigger.slow', 'trigger.of', trigger.of, trigger.slow)
        end
        for i = 1, table.getn(settings.benchmarks or {}) do
            local from, to = settings.benchmarks[i][1], settings.benchmarks[i][2]
            local name = 'benchmarks.' .. i
            if from > to then return format(text, name .. '.1', name .. '.2', to, from) end
        end
    end

    -- Takes what the player's own file sets. What is wrong with the file, or nil.
    local function readOwn(path)
        local isKnown, isThere = pcall(global('DiskGetFileInfo') or error, path)
        if not (isKnown and isThere) then return end
        local own = {}
        local isRead, fault = pcall(global('doscript'), path, own)
        if not isRead then return 'the file ' .. path .. ' cannot be read: ' .. tostring(fault) end
        for name, value in pairs(own) do
            settings[name] = value
        end
        pcall(log, 'supprof: settings from ' .. path)
    end

    -- Whatever the settings are, the game goes on.
    local isChecked, fault = pcall(
        function()
            return readOwn('/mods/supprof/settings.lua')
                or readOwn('/usermods/supprof/settings.lua')
                or findFault('', settings, KINDS)
                or findContradiction()
        end
    )
    if not isChecked then fault = 'the settings cannot be read: ' .. tostring(fault) end
    check.fault = fault
    check.modes = MODES
end

-- `mode` is that of the settings, or another. A watch begins by itself, so who starts a recording
-- by hand wants to see calls.
function StartProfiler(mode)
    mode = mode or settings.mode == 'watch' and 'exact' or settings.mode
    -- A watch makes room for any other recording.
    local isBusy = isRecording and (sampler.isOn or isHookOurs())
    if wakes.isOn then isBusy = mode == 'watch' end
    local hasTicks = gameTick and forkThread and waitTicks
    local obstacle = check.fault
        or check.member('mode', mode, check.modes)
        or not log and 'there is no LOG to write to'
        or not (sethook and getinfo) and 'there is no debug.sethook or debug.getinfo'
        or isBusy and 'a recording is going on already' .. check.twice
        or mode ~= 'exact' and not hasTicks and format(check.needs, mode)
        or mode == 'watch'
            and (wakes.isTimed or wakes.isSampled or not wakes.isInstalled)
            and "mode = 'watch' has to be in the settings when the game loads"
    local clockName, step
    if not obstacle then
        -- Its hook is gone for good: another has it, or a saved game was loaded.
        local goesOn = wakes.isOn or wakes.goesOn
        wakes.isQuiet, wakes.goesOn = wakes.isOn, false
        if isRecording then StopProfiler() end
        wakes.endCounting()
        wakes.isQuiet, wakes.goesOn = false, goesOn and mode ~= 'watch'
        wakes.endTimes()
        pcall(wakes.timeBetween, wakes.isSampled and mode == 'sample')
        clockFaults, zero = 0, 0
        clockName, step = chooseClock()
        if not clockName then
            obstacle = 'there is no clock'
        elseif mode ~= 'exact' and not (step and step <= 0.001) then
            obstacle = "the clock is too coarse for mode = '"
                .. mode
                .. "': its step is "
                .. (step and format('%.4f s', step) or 'not known')
        end
    end
    if obstacle then return check.refuse(obstacle) end
    local start = readClock()
    wakes.isOn = mode == 'watch'
    begin(mode, clockName, step)
    wakes.isExact = mode == 'exact' and wakes.isTimed
    wakes.isAside = wakes.isExact or mode == 'exact' and (wakes.counts or wakes.isSampled)
    if wakes.isExact then pcall(wakes.writeTimes, 'before') end
    if wakes.isAside then wakes.stepAside(true) end
    collector.touch()
    arguments.begin(mode)
    local hitch = readClock() - start
    isRecording = true
    check.lostTicks, check.lostSince = 0, nil
    -- 2 ms, as a float may show it.
    check.isTimeless = not step or step >= 0.00199
    local fault = not step and ', but the clock stands still'
        or check.isTimeless and ', but the clock is too coarse for times: %.4f s'
        or step > 0.001 and ', but the clock is coarse: %.4f s'
        or ''
    if hitch >= 0.001 then fault = format(', after a hitch of %.0f ms', hitch * 1000) .. fault end
    local what = wakes.isOn and 'watching' or 'recording'
    say(what .. (sampler.isOn and sampler.describe() or '') .. format(fault, step or 0))
    if forkThread and waitTicks then forkThread(workEachTick) end
    ourHook = hook
    if wakes.isOn then
        wakes.begin()
    elseif not sampler.isOn then
        setHook()
    end
end

local function writeEnd(reached)
    local sampled, said = sampler.finish()
    local watched, told = wakes.stop()
    flush()
    if wakes.isBetween then
        pcall(wakes.writeTimes, 'before')
        wakes.timeBetween(false)
    end
    local at, lost = findTimes()
    local events = format('%d', eventCount)
    if eventMillions > 0 then events = format('%d%06d', eventMillions, eventCount) end
    local counts = 'lines=%d events=%s slow=%d functions=%d sites=%d threads=%d'
    counts = format(counts, lineNumber + 1, events, slowCount, idCount - 1, siteCount, threadCount)
    local times = format(' at=%.9g lost=%.9g clock_faults=%d', at, lost, clockFaults)
    write(
        'end',
        counts
            .. times
            .. format(' tick=%s', gameTick and gameTick() or '?')
            .. sampled
            .. watched
            .. (wakes.isExact and ' reference=yes' or '')
    )
    if told then return wakes.isQuiet or say(told) end
    said = events .. " events in the game's log" .. said
    local slow = ', ' .. numbered(slowTicks, 'tick') .. format(' over %g ms', settings.slowTick)
    said = said .. (check.isTimeless and '' or slow) .. lines.listMissing() .. reached
    check.countLost()
    if isHookLost or check.lostTicks > 0 then said = said .. ', and the hook was lost' end
    if check.lostTicks > 0 then said = said .. ' for ' .. numbered(check.lostTicks, 'tick') end
    say(said .. (clockFaults > 0 and ', and the clock cannot be trusted' or ''))
end

function StopProfiler()
    if not isRecording or isFlushing then return end
    if not (isHookLost or isHookOurs() or sampler.isOn or wakes.isOn) then pcall(loseHook) end
    if not wakes.isOn then removeHook() end
    local isPutBack, reached = pcall(arguments.finish)
    collector.giveBack()
    isRecording = false
    -- What can go wrong is what a saved game may have kept of a recording.
    pcall(writeEnd, isPutBack and reached or '')
    -- Nothing of the game may be kept alive from here.
    functions, trusted, prototypes, cutSources, digits = nil, nil, nil, nil, nil
    globalNames, definitions, sharing.first = nil, nil, nil
    threads, mainThread, current, stack, buffer, believed = nil, nil, nil, nil, nil, nil
    sampler.isOn, sampler.kind, sampler.isLeaving = false, nil, false
    wakes.isOn = false
    if wakes.isAside then wakes.stepAside(false) end
    if wakes.isExact then pcall(wakes.timeAfter) end
    if wakes.goesOn then
        wakes.goesOn = false
        StartProfiler('watch')
    end
end

-- INSTALLATION: the only statements with effects while the game loads ---------------------
-- The schedule. (In blocks like this one, local variables do not count for the limit of 200.)
do
    local function waitSeconds(seconds)
        local ticks = seconds * 10
        if ticks >= 1 then waitTicks(ticks) end
    end

    local TIMED_SECONDS = 20 -- before a recording

    -- For so many seconds, from so many from now on; false: until it is stopped.
    local function recordFor(seconds, from, mode)
        local ahead = wakes.isTimed and math.min(from, TIMED_SECONDS) or 0
        waitSeconds(from - ahead)
        if ahead > 0 and not isRecording then pcall(wakes.time, 'before') end
        wakes.pass(ahead * 10)
        StartProfiler(mode)
        local mine = run
        if not seconds then return end
        waitSeconds(seconds)
        -- Not one that was started by hand meanwhile.
        if run == mine then StopProfiler() end
    end

    local benchmarkCount = 0

    -- Of a clock whose origin stays, as that of recordings does not.
    local steadyOrigin
    local function steadySeconds()
        if commonClock then return commonClock() end
        steadyOrigin = steadyOrigin or preciseClock(0)
        return preciseClock(steadyOrigin)
    end

    local function benchmark(from, to)
        waitSeconds(from)
        local start = steadySeconds()
        waitSeconds(to - from)
        local seconds = steadySeconds() - start
        -- Run 0 is that of the benchmarks, since a recording may be going on.
        benchmarkCount = benchmarkCount + 1
        local line = 'prof: $4 %s0 %d benchmark %.9g %.9g %.9g'
        pcall(log, format(line, stateName, benchmarkCount, from, to, seconds))
    end

    -- What the game waits for, as a slow player or a pause, is no thread's time.
    local function recordWhenSlow(trigger)
        wakes.limit = trigger.ms / 1000
        while true do
            wakes.longTicks = 0
            waitTicks(trigger.of)
            local isFree = wakes.isOn or not isRecording or sampler.isOn
            local ticks = isFree and wakes.longTicks or 0
            if ticks >= trigger.slow then
                local slow = numbered(ticks, 'tick')
                say(format('threads took %g ms in %s of %d', trigger.ms, slow, trigger.of))
                if sampler.isOn then
                    sampler.slowEnd = gameTick() + trigger.duration * 10
                    waitSeconds(trigger.duration)
                else
                    recordFor(trigger.duration, 0, 'exact')
                end
                waitSeconds(trigger.pause)
            end
        end
    end

    local function countTicks()
        while true do
            pcall(wakes.countTick)
            waitTicks(1)
        end
    end

    local canWait = forkThread and waitTicks and not isOfInterface
    if isOfInterface and settings.slowFrame and not check.fault and forkThread and waitTicks then
        wakes.install()
        forkThread(StartProfiler, 'watch')
    end
    if check.fault and canWait then
        forkThread(function()
            waitTicks(1)
            check.refuse(check.fault)
        end)
    elseif canWait and log and (commonClock or preciseClock) then
        if settings.mode == 'watch' then
            wakes.install()
            forkThread(StartProfiler, 'watch')
        elseif settings.from then
            wakes.isTimed = settings.mode == 'exact' and settings.reference
            wakes.isSampled = settings.mode == 'sample' and settings.reference
            if settings.trigger then wakes.isSampled = false end
            if wakes.isTimed or wakes.isSampled then wakes.install() end
            forkThread(recordFor, settings.duration, settings.from)
        end
        if settings.trigger and gameTick then
            wakes.counts = settings.mode ~= 'watch'
            if wakes.counts and not wakes.isInstalled then wakes.install() end
            if wakes.counts then forkThread(countTicks) end
            forkThread(recordWhenSlow, settings.trigger)
        end
        for i = 1, table.getn(settings.benchmarks or {}) do
            forkThread(benchmark, settings.benchmarks[i][1], settings.benchmarks[i][2])
        end
    end
end

-- What a callback of the user interface asks for reaches the sims of all players. It is granted
-- where FAF grants the start of its own profiler, and done where the player sits who asks, as far
-- as GetFocusArmy() tells: another one on each machine, so only the recording may depend on it.
local isGranted, isAskedHere
do
    local function call(name)
        local f = global(name)
        return f and f()
    end

    -- The engine is asked for cheats last: it tells all players that somebody has tried.
    local function check(who)
        local people, machines = 0, 0
        for _, army in pairs((global('ScenarioInfo') or {}).ArmySetup or {}) do
            if army.Human then
                people = people + 1
            elseif not army.Civilian and army.AIPersonality ~= '' then
                machines = machines + 1
            end
        end
        local brains, source = global('ArmyBrains'), call('GetCurrentCommandSource')
        local brain, isNamed = brains and source and brains[source], false
        for _, name in pairs(who.players or {}) do
            isNamed = isNamed or brain and brain.Nickname == name
        end
        return who.replays and call('SessionIsReplay')
            or who.ai and machines > 0
            or who.alone and people < 2
            or isNamed
            or who.cheats and call('CheatsEnabled')
    end

    function isGranted()
        local isKnown, isYes = pcall(check, settings.who)
        return not settings.who or isKnown and isYes
    end

    function isAskedHere()
        local isKnown, isHere = pcall(function()
            local source, focus = call('GetCurrentCommandSource'), call('GetFocusArmy')
            return not source or not focus or source == focus or call('SessionIsReplay')
        end)
        return isHere or not isKnown
    end
end

local function answer(isStart, mode)
    local mayStart = isStart and isGranted()
    if not isAskedHere() then return end
    if mayStart then
        StartProfiler(mode)
    elseif not isStart then
        StopProfiler()
    else
        say('not started: this is a game of several people, without cheats; see the setting `who`')
    end
end

-- What SimCallback leads to: DoCallback of a module. Without this file's names it does what it did.
local function addCallbacks()
    local module = global('import')('/lua/SimCallbacks.lua')
    local base = module.DoCallback
    module.DoCallback = function(name, data, units)
        if name and (name == settings.startCallback or name == settings.stopCallback) then
            answer(name == settings.startCallback, type(data) == 'table' and data.mode)
        else
            return base(name, data, units)
        end
    end
end

local baseSetupSession, execute = global('SetupSession'), global('SimConExecute')
if baseSetupSession then
    function SetupSession()
        baseSetupSession()
        for command, key in pairs({ Start = settings.startKey, Stop = settings.stopKey }) do
            local bind = 'IN_BindKey %s SimLua %sProfiler()'
            if type(key) == 'string' then pcall(execute or error, format(bind, key, command)) end
        end
        if settings.startCallback or settings.stopCallback then pcall(addCallbacks) end
    end
end

-- A saved game may hold the state of a recording, but never its hook.
local basePostLoad = global('OnPostLoad')
if basePostLoad then
    function OnPostLoad()
        basePostLoad()
        if wakes.isOn or isRecording and not isHookOurs() then
            wakes.goesOn = wakes.goesOn or wakes.isOn
            StopProfiler()
        end
    end
end

end install() end
