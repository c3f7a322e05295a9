-- lua-root.lua - sources whose functions have known names: run as sim_host --workload, before
-- workload.lua. Says every source that is loaded, line by line, in the log, so that it can be
-- written to a file, and runs FILES of its own now and then, also by the command RunStyles().
--
-- Their functions are defined in every style there is, at random, and called so that Lua knows
-- no name for them. After an arrow in a function's line stands what it is to be called. SEED
-- chooses other files.
--
-- In the overlap of Lua 5.0 and 5.1.
do
    local FILES, FUNCTIONS = 30, 12
    local INSTALLED = '@c:\\program files\\LOUD\\gamedata\\lua\\'
    local state = 1000 * (rawget(_G, 'SEED') or 1) + 17
    local function pick(n) -- 1 to n
        state = math.mod(state * 171 + 11213, 53125)
        return math.floor(state / 53125 * n) + 1
    end

    -- What the sources use; slot[1]() gives no name.
    local slot = {}
    function Run(f)
        slot[1] = f
        return slot[1]()
    end
    function Fork(first, second)
        return Run(second or first)
    end
    function Class(base)
        return function(body)
            return body or base
        end
    end
    Clocks = {
        Timers = {
            Fork = function(self, f)
                return Run(f)
            end,
        },
    }

    local lines, number
    local function put(depth, text)
        table.insert(lines, string.rep('    ', depth) .. text)
    end
    local function unique(prefix)
        number = number + 1
        return prefix .. number
    end
    local function named(name, context)
        return ' --> ' .. name .. (context and ' in ' .. context or '')
    end

    local decoys = {
        '-- function Decoy() end',
        '--[[ function Decoy()',
        'local s = "function Decoy() end" .. \'function(\'',
        'local s = [[ function Decoy()',
        'local t = {["function"] = 1, ["end"] = {"end"}}',
        'local t if t == nil then elseif t then while false do end else repeat until true end',
    }
    local function put_decoy(depth)
        local i = pick(table.getn(decoys))
        put(depth, decoys[i])
        if i == 2 or i == 4 then
            put(depth, 'x = function() end ]]')
        end
    end

    -- Puts the rest of a function whose first line is there.
    local put_function
    local function put_body(depth, context, level)
        if pick(3) == 1 then
            put_decoy(depth)
        end
        if level < 3 then
            for i = 1, pick(3) - 1 do
                put_function(depth, context, level + 1)
            end
        end
        put(depth, 'return 1')
    end

    local function put_plain(depth, head, name, context, level, after)
        put(depth, head .. named(name, context))
        put_body(depth + 1, name, level)
        put(depth, 'end' .. (after or ''))
    end
    local function put_nameless(depth, head, name, context, level, after)
        put(depth, head .. named(name, context))
        put_body(depth + 1, context, level)
        put(depth, 'end' .. (after or ''))
    end

    local styles = {}
    local function assigned(head, ref)
        table.insert(styles, function(depth, context, level)
            local n = unique('F')
            put(depth, 'local A, x = {b = {}}')
            put_plain(depth, string.gsub(head, '@', n), string.gsub(ref, '@', n), context, level)
            put(depth, 'Run(' .. string.gsub(ref, '@', n) .. ')')
        end)
    end
    assigned('function @()', '@')
    assigned('local function @()', '@')
    assigned('@ = function()', '@')
    assigned('local @ = function()', '@')
    assigned('local y, @ = {{}}, function()', '@')
    assigned('function A.@()', 'A.@')
    assigned('function A.b:@()', 'A.b.@')
    assigned('A.b.@ = function(...)', 'A.b.@')
    assigned("A.b['@'] = function()", 'A.b.@')
    assigned('A["x-@"] = function()', 'A["x-@"]')
    assigned('A[7] = function()', 'A[7]')
    assigned('@ = x or function()', '@')

    table.insert(styles, function(depth, context, level)
        local n = unique('Line')
        put(depth, n .. ' =')
        put(depth + 1, 'function')
        put_plain(depth + 1, '()', n, context, level)
        put(depth, 'Run(' .. n .. ')')
    end)
    table.insert(styles, function(depth, context, level)
        local n = unique('Class')
        local open = { 'Class(Fork) {', 'Class(Fork)({', '{', 'setmetatable({' }
        local close = { '}', '})', '}', '}, {})' }
        local i = pick(4)
        put(depth, n .. ' = ' .. open[i])
        put_plain(depth + 1, 'OnCreate = function(self)', n .. '.OnCreate', context, level, ',')
        put(depth + 1, 'Size = 3,')
        put_plain(depth + 1, "['OnKilled'] = function(self)", n .. '.OnKilled', context, level, ';')
        put(depth + 1, 'State = Class {} {')
        put_plain(depth + 2, 'Main = function(self)', n .. '.State.Main', context, level)
        put(depth + 1, '},')
        put_plain(depth + 1, 'function(self)', n .. '[1]', context, level, ',')
        put(depth, close[i])
        put(depth, 'Run(' .. n .. '.OnCreate) Run(' .. n .. '.OnKilled)')
        put(depth, 'Run(' .. n .. '.State.Main) Run(' .. n .. '[1])')
    end)
    table.insert(styles, function(depth, context, level)
        put_nameless(depth, 'Fork(function()', 'Fork(function)', context, level, ')')
    end)
    table.insert(styles, function(depth, context, level)
        put_nameless(
            depth,
            'local y = Clocks.Timers:Fork(function()',
            'Clocks.Timers:Fork(function)',
            context,
            level,
            ')'
        )
    end)
    table.insert(styles, function(depth, context, level)
        put(depth, 'Fork(7, -- (')
        put_nameless(depth + 1, 'function()', 'Fork(function)', context, level)
        put(depth, ')')
    end)
    table.insert(styles, function(depth, context, level)
        local n = unique('Make')
        put(depth, 'local function ' .. n .. '()' .. named(n, context))
        put_nameless(depth + 1, 'return function()', 'anonymous', n, level)
        put(depth, 'end')
        put(depth, 'Run(Run(' .. n .. '))')
    end)
    table.insert(styles, function(depth, context, level)
        local n = unique('Fields')
        put(depth, 'local function ' .. n .. '()' .. named(n, context))
        put_plain(depth + 1, 'return {Init = function()', 'Init', n, level, '}')
        put(depth, 'end')
        put(depth, 'Run(Run(' .. n .. ').Init)')
    end)

    put_function = function(depth, context, level)
        styles[pick(table.getn(styles))](depth, context, level)
    end

    -- Says a source in the log.
    local load = loadstring
    local log = LOG
    function loadstring(source, name)
        if name and string.sub(name, 1, 1) == '@' then
            for line in string.gfind(source, '([^\n]*)\n') do
                log('source ' .. name .. '|' .. line)
            end
        end
        return load(source, name)
    end

    local chunks = {}
    number = 0
    for file = 1, FILES do
        lines = { '-- ' .. file }
        for i = 1, FUNCTIONS do
            put(0, 'do')
            put_function(1, nil, 1)
            put(0, 'end')
        end
        local source = table.concat(lines, '\n') .. '\n'
        local chunk, message = loadstring(source, INSTALLED .. 'lua\\styles' .. file .. '.lua')
        if not chunk then
            error(message .. '\n' .. source)
        end
        chunks[file] = setfenv(chunk, setmetatable({}, { __index = _G })) or chunk
    end
    function RunStyles()
        for file = 1, FILES do
            Run(chunks[file])
        end
    end
    function StylesThread()
        while true do
            RunStyles()
            WaitTicks(3)
        end
    end
    ForkThread(StylesThread)
end
