------------------------------------------------------------------------------------------
-- The user interface's part of the mod: keys that start and stop the recorder in the sim, with or
-- without cheats, and that of the user interface. The game appends this file to
-- lua/ui/game/gamemain.lua. It takes no local variable of that chunk, which may have 200 with all
-- that is appended to it.
------------------------------------------------------------------------------------------
do local function install()

local keys = {
    ['Ctrl-Shift-O'] = 'SupprofStart',
    ['Ctrl-Shift-P'] = 'SupprofStop',
}

local function bindKeys()
    local actions = {}
    for key, callback in pairs(keys) do
        actions[key] = { action = "UI_Lua SimCallback({Func = '" .. callback .. "', Args = {}})" }
    end
    -- The recorder of hook/lua/userInit.lua, in this state of Lua.
    actions['Alt-Shift-O'] = { action = 'UI_Lua StartProfiler()' }
    actions['Alt-Shift-P'] = { action = 'UI_Lua StopProfiler()' }
    IN_AddKeyMapTable(actions)
end

local baseCreateUI = CreateUI
function CreateUI(isReplay, parent)
    baseCreateUI(isReplay, parent)
    local isBound, message = pcall(bindKeys)
    if not isBound then WARN('supprof: no keys: ' .. tostring(message)) end
end

end install() end
