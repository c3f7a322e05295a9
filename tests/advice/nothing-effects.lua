-- Equal arguments and results in a tick, but each call changes the unit: nothing to keep.
local units = {}
for i = 1, 40 do units[i] = {id = i, orders = 0, fuel = 100, heat = 0} end
function Consume(u)
  u.fuel = u.fuel - 0.1
  for k = 1, 40 do u.orders = u.orders + k * 0.01 end
  return true
end
function Burn(u)
  for k = 1, 40 do u.heat = u.heat * 0.9 + k end
  Consume(u) Consume(u)
end
function FuelThread() while true do for i = 1, 40 do Burn(units[i]) end WaitTicks(1) end end
ForkThread(FuelThread)
