#!/bin/sh
# play-replay.sh: plays a replay with two versions of a mod in turns, to compare them with supprof.
#
#     sh play-replay.sh -r game.scfareplay -o old/MyMod -n new/MyMod -p "$mods/MyMod" -- wine ForgedAlliance.exe
#
#   -r FILE     the replay, as the game plays it (.scfareplay)
#   -o, -n      the old and the new version: a folder that is copied to -p, or an init file (.lua) for /init
#   -p FOLDER   where the mod belongs; nothing may be there now, and nothing is left there
#   -i FILE     the init file for both versions (default: init.lua; "" for none)
#   -t TIMES    of each version (default: 4)
#   -s SECONDS  after which a game is ended (default: 1800)
#   -l FOLDER   where the logs go (default: logs); while it has those of an earlier run, logs-2 and so on
#
# The recorder must be installed. A game is ended when its log has the end of a recording.
# supprof-modding(7) says more.
set -eu

stop() {
    echo "play-replay.sh: $*" >&2
    exit 2
}
replay='' old='' new='' place='' init=init.lua times=4 seconds=1800 logs=logs
while getopts :r:o:n:p:i:t:s:l: letter; do
    case $letter in
    r) replay=$OPTARG ;; o) old=$OPTARG ;; n) new=$OPTARG ;; p) place=${OPTARG%/} ;;
    i) init=$OPTARG ;; t) times=$OPTARG ;; s) seconds=$OPTARG ;; l) logs=$OPTARG ;;
    :) stop "-$OPTARG: its value is missing" ;;
    *) stop "-$OPTARG is none of -r, -o, -n, -p, -i, -t, -s and -l" ;;
    esac
done
shift $((OPTIND - 1))

# check_number SWITCH VALUE: stops unless it is a whole number, of at most five digits.
check_number() {
    case $2 in
    '' | *[!0-9]* | ??????*) ;;
    *[1-9]*) return ;;
    esac
    stop "$1: '$2' is no whole number from 1 to 99999"
}
check_number -t "$times"
check_number -s "$seconds"
[ -f "$replay" ] || stop "-r: there is no replay '$replay'"
[ $# -gt 0 ] || stop "name the game's program after --"
command -v "$1" >/dev/null || stop "there is no program '$1'"
for version in "$old" "$new"; do
    [ -e "$version" ] || stop "-o and -n: there is no '$version'"
    if [ -d "$version" ]; then
        [ -n "$place" ] || stop "-p: where does the mod '$version' belong?"
        # A link that leads nowhere is there, too.
        if [ -e "$place" ] || [ -L "$place" ]; then stop "-p: '$place' is there; move it away first"; fi
    fi
done

# has_logs FOLDER: whether an earlier run has left logs, which would be compared with those of this one.
has_logs() {
    for log in "$1"/old-*.log "$1"/new-*.log; do
        [ ! -e "$log" ] || return 0
    done
    return 1
}
# absolute FILE: its path from the root; the game may have another folder.
absolute() { (cd "$(dirname "$1")" && echo "$(pwd)/$(basename "$1")"); }
replay=$(absolute "$replay")
base=${logs%/} run=2
while has_logs "$logs"; do
    logs=$base-$run
    run=$((run + 1))
done
mkdir -p "$logs"
logs=$(cd "$logs" && pwd)
game='' copy=''
tidy() {
    [ -z "$game" ] || kill "$game" 2>/dev/null || true
    [ -z "$copy" ] || rm -rf "$copy"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

# play NAME VERSION PROGRAM...: one game, with its log in NAME.log.
play() {
    log=$logs/$1.log used=$init version=$2
    shift 2
    if [ -d "$version" ]; then
        copy=$place
        cp -R "$version" "$copy"
    else
        used=$(absolute "$version")
    fi
    set -- "$@" /replay "$replay" /log "$log" /nobugreport /nosound /exitongameover
    [ -z "$used" ] || set -- "$@" /init "$used"
    echo "$*"
    "$@" &
    game=$! waited=0
    while kill -0 "$game" 2>/dev/null && [ "$waited" -lt "$seconds" ] &&
        ! grep -q 'prof: \$[0-9]* [a-z]*[0-9]* [0-9]* end ' "$log" 2>/dev/null; do
        sleep 1
        waited=$((waited + 1))
    done
    kill "$game" 2>/dev/null || true
    wait "$game" 2>/dev/null || true
    game=''
    [ -z "$copy" ] || rm -rf "$copy"
    copy=''
    [ -s "$log" ] || stop "the game has written no log '$log'"
}

number=1
while [ "$number" -le "$times" ]; do
    play "old-$number" "$old" "$@"
    play "new-$number" "$new" "$@"
    number=$((number + 1))
done
echo "supprof --repeated --diff '$logs/old-*.log' '$logs/new-*.log'"
if command -v supprof >/dev/null; then
    supprof --repeated --diff "$logs/old-*.log" "$logs/new-*.log"
fi
