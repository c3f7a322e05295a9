-- paths.lua - a game for shares.py: paths on a grid with a heap, closures as callbacks, recursion,
-- tables that are filled and dropped. In the overlap of Lua 5.0 and 5.1.
do
    local SIZE = 24
    local cost = {}
    for i = 1, SIZE * SIZE do
        cost[i] = 1 + math.mod(i * 7919, 9)
    end
    local function Push(heap, key, value)
        local n = heap.n + 1
        heap.n = n
        while n > 1 do
            local up = math.floor(n / 2)
            if heap[up].key <= key then
                break
            end
            heap[n] = heap[up]
            n = up
        end
        heap[n] = { key = key, value = value }
    end
    local function Pop(heap)
        local top, last, n = heap[1], heap[heap.n], heap.n - 1
        heap.n = n
        local at = 1
        while true do
            local child = at * 2
            if child > n then
                break
            end
            if child < n and heap[child + 1].key < heap[child].key then
                child = child + 1
            end
            if heap[child].key >= last.key then
                break
            end
            heap[at] = heap[child]
            at = child
        end
        heap[at] = last
        return top
    end
    local function EachNeighbour(cell, visit)
        local x = math.mod(cell - 1, SIZE)
        if x > 0 then
            visit(cell - 1)
        end
        if x < SIZE - 1 then
            visit(cell + 1)
        end
        if cell > SIZE then
            visit(cell - SIZE)
        end
        if cell <= SIZE * (SIZE - 1) then
            visit(cell + SIZE)
        end
    end
    local function FindPath(from, to)
        local best, heap = { [from] = 0 }, { n = 0 }
        Push(heap, 0, from)
        local count = 0
        while heap.n > 0 and count < 90 do
            local item = Pop(heap)
            count = count + 1
            if item.value == to then
                break
            end
            EachNeighbour(item.value, function(next)
                local length = item.key + cost[next]
                if not best[next] or length < best[next] then
                    best[next] = length
                    Push(heap, length, next)
                end
            end)
        end
        return best
    end
    local function Depth(node)
        if node.left then
            return 1 + math.max(Depth(node.left), Depth(node.right))
        end
        return 1
    end
    local function Grow(depth)
        if depth == 0 then
            return {}
        end
        return { left = Grow(depth - 1), right = Grow(depth - 1) }
    end
    local function CopyMap(map)
        local copy = {}
        for key, value in pairs(map) do
            copy[key] = value
        end
        return copy
    end
    function PathThread()
        while true do
            local map = FindPath(Random(SIZE * SIZE), Random(SIZE * SIZE))
            CopyMap(map)
            WaitTicks(1)
        end
    end
    function TreeThread()
        while true do
            Depth(Grow(6))
            WaitTicks(2)
        end
    end
    for i = 1, 3 do
        ForkThread(PathThread)
    end
    for i = 1, 3 do
        ForkThread(TreeThread)
    end
end
