-- supprof's recorder as a mod: the game appends hook/lua/simInit.lua to its own file.
name = "supprof recorder"
uid = "5b0f1c1e-6c2d-4f0a-9a57-7375707072f1"
version = 1
author = "The supprof developers"
copyright = "MIT License"
description = "Records where the time goes in the sim's Lua, from minute 1 on, for 60 seconds; also from Ctrl-Shift-O to Ctrl-Shift-P. Read the game log with supprof."
icon = ""
selectable = true
enabled = true
exclusive = false
ui_only = false
requires = {}
requiresNames = {}
conflicts = {}
before = {}
after = {}
