#!/bin/sh
# replays.sh SUPPROF SOURCE_DIRECTORY
#
# src/mod/play-replay.sh against a program that stands in for the game: it writes down its command
# line and the version of the mod that is in place, logs a recording, and does not end by itself.
# play-replay.ps1, which cannot run here, must have the same switches.
. "$(dirname "$0")/../lib.sh"
supprof=$1
script=$2/src/mod/play-replay.sh

mkdir "$work/bin" "$work/old mod" "$work/new mod"
ln -s "$supprof" "$work/bin/supprof"
echo 1 >"$work/old mod/version"
echo 2 >"$work/new mod/version"
: >"$work/a replay.scfareplay"
: >"$work/init_new.lua"
cat >"$work/game" <<'GAME'
#!/bin/sh
for argument; do printf '[%s]' "$argument"; done >>"$WORK/lines"
printf ' version %s\n' "$(cat "$WORK/mods/MyMod/version" 2>/dev/null)" >>"$WORK/lines"
while [ "$1" != /log ]; do shift; done
sleep 0.2
gunzip -c "$WORK/recording" >"$2"
exec sleep 600
GAME
chmod +x "$work/game"
cp "$2/fixtures/recorded-midgame.log.gz" "$work/recording"
mkdir "$work/mods"
export WORK="$work"

play() {
    PATH="$work/bin:$PATH" sh "$script" "$@" -l "$work/logs" -- "$work/game" /first
}

play -r "$work/a replay.scfareplay" -o "$work/old mod" -n "$work/new mod" -p "$work/mods/MyMod" -t 2 \
    >"$work/said" 2>&1 || fail "status $?: $(cat "$work/said")"
for run in 'old-1 1' 'new-1 2' 'old-2 1' 'new-2 2'; do
    echo "[/first][/replay][$work/a replay.scfareplay][/log][$work/logs/${run% *}.log][/nobugreport][/nosound][/exitongameover][/init][init.lua] version ${run#* }"
done >"$work/wanted"
same 'command lines' "$(cat "$work/lines")" "$(cat "$work/wanted")"
same 'what is left of the mod' "$(ls "$work/mods")" ''
same 'the answer' "$(grep -c 'Same game: all 1.. functions were called equally often' "$work/said")" 1

# A later run with fewer games compares its own only.
: >"$work/lines"
play -r "$work/a replay.scfareplay" -o "$work/old mod" -n "$work/new mod" -p "$work/mods/MyMod" -t 1 >"$work/said" 2>&1
same 'logs of a second run' "$(ls "$work/logs-2" | tr '\n' ' ')" 'new-1.log old-1.log '
same 'logs compared by it' "$(grep -o '1 old and 1 new logs' "$work/said")" '1 old and 1 new logs'
same 'logs of the first run' "$(ls "$work/logs" | tr '\n' ' ')" 'new-1.log new-2.log old-1.log old-2.log '

# An init file for each version, and none; a game with another folder finds files all the same.
: >"$work/lines"
cd "$work" || exit 1
play -r "a replay.scfareplay" -o init_new.lua -n init_new.lua -t 1 >/dev/null 2>&1
same 'init files' "$(grep -cF "[/replay][$work/a replay.scfareplay]" "$work/lines"
    grep -c "\\[/init\\]\\[$work/init_new.lua\\] version \$" "$work/lines")" "2
2"

# What it refuses, before it has started anything.
: >"$work/lines"
mkdir "$work/mods/MyMod"
play -r "$work/a replay.scfareplay" -o "$work/old mod" -n "$work/new mod" -p "$work/mods/MyMod" 2>/dev/null && fail 'a mod in its place'
[ -d "$work/mods/MyMod" ] || fail 'the mod that was there is gone'
play -r "$work/none" -o "$work/old mod" -n "$work/new mod" -p "$work/mods/Other" 2>/dev/null && fail 'no replay'

# refused WHAT SWITCH...: nothing is played, and one line of the script's own says why.
refused() {
    what=$1
    shift
    checked=$((checked + 1))
    play -r "$work/a replay.scfareplay" -o "$work/old mod" -n "$work/new mod" -p "$work/mods/Other" "$@" >"$work/said" 2>&1 &&
        fail "$what is not refused"
    grep -q '^play-replay.sh: ' "$work/said" && [ "$(wc -l <"$work/said")" -eq 1 ] || fail "$what: $(cat "$work/said")"
}
ln -s nowhere "$work/mods/link"
refused 'a link that leads nowhere' -p "$work/mods/link"
refused 'such a link with a /' -p "$work/mods/link/"
[ -L "$work/mods/link" ] || fail 'the link is gone'
for number in 08x 0 '' 123456 -1 1.5; do
    refused "-t $number" -t "$number"
    refused "-s $number" -s "$number"
done
refused 'an unknown switch' -x
same 'a switch without its value' "$(sh "$script" -t 2>&1)" 'play-replay.sh: -t: its value is missing'
same 'games started' "$(cat "$work/lines")" ''

switches() {
    grep -v '^ *#' "$1" | tr ' "(,' '\n' | grep '^/[a-z]\{3,\}$' | sort -u | tr '\n' ' '
}
same 'switches of both scripts' "$(switches "$2/src/mod/play-replay.ps1")" "$(switches "$script")"
finish 'things' 25
