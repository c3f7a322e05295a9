-- brains.lua - a game for shares.py: 300 different functions, each called now and then, in 60
-- threads. In the overlap of Lua 5.0 and 5.1.
do
    local seed = 5
    local function pick(n)
        seed = math.mod(seed * 171 + 11213, 53125)
        return math.mod(seed, n)
    end
    local bodies = {
        'local t, s = {}, 0 for i = 1, %d do t[i] = i * a end '
            .. 'for k, v in ipairs(t) do s = s + v end',
        "local s = string.len(string.format('%%d of %%d', a, %d)) + string.len(tostring(a))",
        'local s = a for i = 1, %d do s = math.mod(s * 31 + i, 9973) end',
        "local s = 0 for w in string.gfind('build %d land', '%%a+') do s = s + string.len(w) end",
        'local s = math.max(a, %d) + math.min(a, 3) if s > 50 then s = s - 50 end',
        'local o = { health = a, kind = %d, x = 1 } local s = o.health * o.kind + o.x',
    }
    local brain = {}
    for i = 1, 300 do
        local calls = ''
        for c = 1, 3 do
            local callee = i - 1 - pick(40)
            if callee > 0 and pick(3) == 0 then
                calls = calls
                    .. ' s = s + brain['
                    .. callee
                    .. '](math.mod(a + '
                    .. c
                    .. ', 17), d)'
            end
        end
        local file = '/lua/ai/brain' .. math.floor(i / 50) .. '.lua'
        local text = string.rep('\n', math.mod(i, 50) * 7)
            .. 'return function(a, d) local brain = Brain '
            .. string.format(bodies[1 + pick(6)], 2 + pick(30))
            .. calls
            .. ' return math.mod(s, 1009) end'
        brain[i] = assert(loadstring(text, '@' .. file))()
    end
    Brain = brain
    function BrainThread(first)
        local at = first
        while true do
            for i = 1, 4 do
                at = math.mod(at * 171 + 11213, 53125)
                brain[1 + math.mod(at, 300)](i + math.mod(at, 13), 1)
            end
            WaitTicks(1 + Random(3))
        end
    end
    for i = 1, 60 do
        ForkThread(BrainThread, i * 97)
    end
end
