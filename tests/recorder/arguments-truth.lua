-- What profiler.lua's setting `arguments` has to count, counted in another way: a workload for a
-- run without the recorder. CHOSEN has names with commas between; TruthOn() and TruthOff() begin
-- and end it.
local counted, isOn = {}, false
local type, next, LOG, GetGameTick, unpack = type, next, LOG, GetGameTick, unpack
local getmetatable, rawget, tostring = getmetatable, rawget, tostring
local insert, format, length = table.insert, string.format, string.len

local numbers, count = {}, 0
local function textOf(value)
    if type(value) == 'number' or type(value) == 'boolean' or value == nil then
        return type(value)
            .. ' '
            .. format(
                type(value) == 'number' and '%.9g' or '%s',
                type(value) == 'number' and value or tostring(value)
            )
    elseif type(value) == 'string' then
        return 'string ' .. length(value) .. ' ' .. value
    end
    if not numbers[value] then
        count = count + 1
        numbers[value] = count
    end
    return 'object ' .. numbers[value]
end

-- A copy of the contents; `size` counts fields.
local size
local function photograph(value, levels)
    local photo = { text = textOf(value) }
    local isObject = type(value) == 'table'
        and getmetatable(value)
        and type(rawget(value, 1)) ~= 'number'
    if type(value) == 'table' and levels > 0 and not isObject then
        photo.fields = {}
        for key, field in next, value do
            size = size + 1
            if size > 2000 then
                return photo
            end
            photo.fields[textOf(key)] = photograph(field, levels - 1)
        end
    end
    return photo
end

local function isAlike(a, b)
    if a.text == b.text then
        return true
    elseif not a.fields or not b.fields then
        return false
    end
    for key, field in next, a.fields do
        if not b.fields[key] or not isAlike(field, b.fields[key]) then
            return false
        end
    end
    for key in next, b.fields do
        if not a.fields[key] then
            return false
        end
    end
    return true
end

local function begin(counts, list)
    local texts, last = '', list.n
    while last > 0 and list[last] == nil do
        last = last - 1
    end
    for i = 1, last do
        local text = textOf(list[i])
        texts = texts .. length(text) .. text
    end
    counts.calls = counts.calls + 1
    local known = counts.tuples[texts]
    if not known and counts.distinct >= 4096 then
        counts.other = counts.other + 1
        return nil
    end
    local call = { known = known or {}, tick = GetGameTick() }
    if known then
        counts.repeats = counts.repeats + 1
        call.isRepeat = true
        if known.tick == call.tick then
            counts.tick_repeats = counts.tick_repeats + 1
            call.isOfTick = true
        end
    else
        counts.distinct = counts.distinct + 1
        counts.tuples[texts] = call.known
    end
    call.known.tick = call.tick
    call.known.ticks = call.known.ticks or {}
    insert(call.known.ticks, call.tick)
    return call
end

-- How many calls are not needed if a result is kept for so many ticks.
local function countKept(tuples, most)
    local kept = 0
    for _, known in next, tuples do
        local made = known.ticks[1]
        for i = 2, table.getn(known.ticks) do
            local isKept = known.ticks[i] - made <= most
            kept = kept + (isKept and 1 or 0)
            made = isKept and made or known.ticks[i]
        end
    end
    return kept
end

-- From a call to the next one with its arguments: the middle one of all, the lower of two.
local function findBetween(tuples)
    local all = {}
    for _, known in next, tuples do
        for i = 2, table.getn(known.ticks) do
            insert(all, known.ticks[i] - known.ticks[i - 1])
        end
    end
    table.sort(all)
    return all[math.floor((table.getn(all) + 1) / 2)] or 0
end

local function finish(counts, call, list)
    local photos, hasAny = {}, false
    size = 0
    for i = 1, list.n do
        hasAny = hasAny or list[i] ~= nil
        photos[i] = photograph(list[i], 3)
    end
    photos.n, photos.isLarge = list.n, size > 2000
    if hasAny then
        counts.results = counts.results + 1
    end
    local old = call.isRepeat and call.known.photos
    local isSame, isNew = old and old.n == list.n, false
    for i = 1, isSame and list.n or 0 do
        local isText = old[i].text == photos[i].text
        -- Of what is too large nothing is known but which table it is.
        isSame = isSame
            and (isText or not old.isLarge and not photos.isLarge and isAlike(old[i], photos[i]))
        isNew = isNew or not isText
    end
    local isLarge = old and not isSame and (old.isLarge or photos.isLarge)
    local isOfTick = call.isOfTick and call.known.ended == call.tick
    local function add(name, isSo)
        counts[name] = counts[name] + (old and isSo and 1 or 0)
    end
    add('equal', isSame)
    add('large', isLarge)
    add('tick_equal', isOfTick and isSame)
    add('tick_contents', isOfTick and isSame and isNew)
    add('tick_other', isOfTick and not isSame and not isLarge)
    call.known.ended = call.tick
    -- What is equal stays as it was, so that it is known by the same table.
    call.known.photos = isSame and old or photos
end

local names = {
    'calls',
    'distinct',
    'other',
    'repeats',
    'equal',
    'tick_repeats',
    'tick_equal',
    'tick_contents',
    'tick_other',
    'results',
    'large',
}

local function replace(members, key, f, name)
    local counts = { tuples = {}, name = name }
    for i = 1, table.getn(names) do
        counts[names[i]] = 0
    end
    insert(counted, counts)
    local function ended(call, ...)
        if isOn and call then
            finish(counts, call, arg)
        end
        return unpack(arg, 1, arg.n)
    end
    return function(...)
        return ended(isOn and begin(counts, arg), f(unpack(arg, 1, arg.n)))
    end
end

local function visit(members, name, f, wrapper, levels)
    for key, value in next, members do
        if value == f then
            members[key] = wrapper
        elseif type(value) == 'table' and levels > 0 and value ~= members then
            visit(value, name, f, wrapper, levels - 1)
        end
    end
end

local function find(name)
    local value = _G
    for part in string.gfind(name, '[^.]+') do
        value = rawget(value, part) or value == _G and __modules['/lua/tools.lua'][part]
    end
    return value
end

for name in string.gfind(CHOSEN, '[^,]+') do
    local f = find(name)
    local wrapper = replace(nil, nil, f, name)
    local places = { _G, string, table, math, coroutine, moho, Class, Derived, __modules }
    for _, members in next, places do
        visit(members, name, f, wrapper, members == __modules and 2 or members == moho and 1 or 0)
    end
end

function TruthOn()
    isOn = true
end

function TruthOff()
    isOn = false
    for i = 1, table.getn(counted) do
        local text = counted[i].name
        for k = 1, table.getn(names) do
            text = text .. ' ' .. names[k] .. '=' .. counted[i][names[k]]
        end
        text = text .. ' between_ticks=' .. findBetween(counted[i].tuples)
        for _, most in next, { 1, 3, 10, 30, 100 } do
            text = text .. format(' kept_%d=%d', most, countKept(counted[i].tuples, most))
        end
        LOG('truth ' .. text)
    end
end
