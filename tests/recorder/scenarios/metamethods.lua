-- Metamethods that raise errors, are called by others, or are called when Lua collects.
local function leaf(x)
    return x
end
local fails = false
local members = {
    __index = function(t, key)
        leaf(1)
        error('no member ' .. key)
    end,
    __newindex = function(t, key, value)
        leaf(2)
        if value == 2 then
            error({})
        end
    end,
    __add = function(a, b)
        return leaf(b)
    end,
    __call = function(self, n)
        if n == 0 then
            error('called')
        end
        return self(n - 1)
    end,
    __tostring = function(object)
        leaf(3)
        if fails then
            error('no text')
        end
        return 'text'
    end,
    __eq = function(a, b)
        leaf(4)
        return true
    end,
    __lt = function(a, b)
        leaf(5)
        return false
    end,
    __concat = function(a, b)
        leaf(6)
        return 'both'
    end,
}
local object, other = setmetatable({}, members), setmetatable({}, members)
local function get(key)
    return object[key]
end
local function getLater(key)
    local value = object[key]
    return value
end
local function set(value)
    object.member = value
    leaf(0)
end
local chain = setmetatable({}, {
    __index = setmetatable({}, {
        __index = function(t, key)
            return getLater(key)
        end,
    }),
})
local function collect()
    for i = 1, 3 do
        getmetatable(newproxy(true)).__gc = function()
            leaf(7)
        end
    end
    local tables = {}
    for i = 1, 200 do
        tables[i] = {}
    end
    return tables
end
local function all()
    pcall(get, 'a')
    pcall(getLater, 'b')
    leaf(8)
    pcall(set, 1)
    pcall(set, 2)
    leaf(9)
    pcall(function()
        local x = object + 1
        leaf(x)
        return object.member
    end)
    leaf(10)
    pcall(object, 5)
    pcall(function()
        object(2)
    end)
    leaf(11)
    pcall(tostring, object)
    fails = true
    pcall(tostring, object)
    pcall(function()
        local text = tostring(object)
    end)
    fails = false
    leaf(12)
    local result = object == other
    result = object < other
    result = object .. 'x'
    collect()
    leaf(13)
    pcall(function()
        return chain.member
    end)
    leaf(14)
    pcall(string.gsub, 'abc', '%a', function(letter)
        return object[letter]
    end)
    leaf(15)
end
function SimBeat()
    all()
    pcall(all)
    leaf(16)
end
ForkThread(function()
    while true do
        all()
        WaitTicks(1)
        pcall(get, 'y')
        Callback(all)
        leaf(17)
    end
end)
ForkThread(function()
    while true do
        ForkThread(function()
            leaf(18)
            WaitTicks(1)
            get('z')
        end)
        ForkThread(function()
            set(2)
        end)
        WaitTicks(2)
    end
end)
