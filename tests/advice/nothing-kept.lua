-- Equal arguments in a tick, but the function keeps its results itself: nothing to keep.
local kept, lists = {}, {}
for i = 1, 20 do lists[i] = {i} end
function Sum(list)
  local t = GetGameTick()
  if kept[list] and kept[list].tick == t then return kept[list].sum end
  local sum = 0
  for i = 1, 300 do sum = sum + (list[i] or i) end
  kept[list] = {tick = t, sum = sum}
  return sum
end
function SumThread()
  while true do
    for k = 1, 5 do for i = 1, 20 do Sum(lists[i]) end end
    WaitTicks(1)
  end
end
ForkThread(SumThread)
