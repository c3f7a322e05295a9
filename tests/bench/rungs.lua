-- rungs.lua - a game for shares.py: 33 functions of 0 to 512 turns of a loop, in an order that no
-- processor foresees, all called as often as each other. In the overlap of Lua 5.0 and 5.1.
do
    local BEATS_CALLS = 400
    local state, rungs = 7, {}
    for _, turns in ipairs({ 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 }) do
        for copy = 1, 3 do
            local text =
                'return function(x) local s = x for i = 1, %d do s = s + i * x end return s end'
            -- Each has a line of its own, by which it is known.
            text = string.rep('\n', turns + 1000 * copy) .. string.format(text, turns)
            table.insert(rungs, loadstring(text, '@rung.lua')())
        end
    end
    local count = table.getn(rungs)
    function SimBeat()
        for i = 1, BEATS_CALLS do
            state = math.mod(state * 171 + 11213, 53125)
            local rung = rungs[1 + math.mod(state, count)]
            rung(i)
        end
    end
end
