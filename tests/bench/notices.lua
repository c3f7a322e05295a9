-- notices.lua - a game for shares.py: texts that are made, replaced by a callback, cut into words
-- and put together. In the overlap of Lua 5.0 and 5.1.
do
    local words = { unit = 'Tech 1 Engineer', place = 'Northern Ridge', count = '17', army = 'UEF' }
    local templates = {
        'Built $count of $unit at $place.',
        '$army has lost $unit near $place; $count left.',
        'Objective: hold $place for $count minutes, $army!',
    }
    local log, cache = {}, {}
    local function Lookup(name)
        return words[name] or '?'
    end
    local function Expand(template)
        return (string.gsub(template, '%$(%a+)', Lookup))
    end
    local function Words(text)
        local list = {}
        for word in string.gfind(text, '[^%s]+') do
            table.insert(list, string.lower(word))
        end
        return list
    end
    local function Key(list)
        table.sort(list)
        return table.concat(list, ' ')
    end
    local function Crc(text)
        local sum = 7
        for i = 1, string.len(text) do
            sum = math.mod(sum * 33 + string.byte(text, i), 65521)
        end
        return sum
    end
    local function Notice(template, time)
        local text = Expand(template) .. ' ' .. string.format('%d:%02d', time, math.mod(time, 60))
        local key = Key(Words(text))
        cache[math.mod(Crc(key), 64)] = text
        return text
    end
    function NoticeThread()
        local time = 0
        while true do
            for i = 1, 3 do
                time = time + 1
                log[math.mod(time, 200)] = Notice(templates[i], time)
            end
            WaitTicks(1 + Random(2))
        end
    end
    for i = 1, 3 do
        ForkThread(NoticeThread)
    end
end
