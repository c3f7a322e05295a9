#!/bin/sh
# real-game.sh PLAY SUPPROF SOURCE_DIRECTORY [KIND]...
#
# Real Lua of the game, recorded and counted at the same time, by hand: HACKING.md says what is needed. PLAY is a
# program of whoever has that. `PLAY KIND RECORDER OUT` plays a part of a game with RECORDER, which is profiler.lua,
# appended to simInit.lua, and writes the game's log to OUT.log and what the virtual machine counted to OUT.truth.
# The kinds are its own; without one, they are those of HACKING.md.
. "$(dirname "$0")/../lib.sh"
play=$1
supprof=$2
source=$3
shift 3
[ $# -gt 0 ] || set -- zoo session-start navigation four-ais ai-with-hooks
for kind; do
    checked=$((checked + 1))
    "$play" "$kind" "$source/profiler.lua" "$work/$kind" || fail "$kind: it could not be played"
    python3 "$source/tests/recorder/real_game.py" "$supprof" "$work/$kind.log" "$work/$kind.truth" || fail "$kind"
done
finish "parts of a game"
