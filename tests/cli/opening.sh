#!/bin/sh
# opening.sh SUPPROF SOURCE_DIRECTORY
#
# --open: which log is taken, where the report goes, and that it is opened. The browser is a
# script that writes down what it is given.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2/fixtures
cd "$work" || exit 1

mkdir browser home
printf '#!/bin/sh\necho "$1" >>"%s/opened"\n' "$work" >browser/xdg-open
chmod +x browser/xdg-open
HOME=$work/home
PATH=$work/browser:$PATH
export HOME PATH
unset XDG_DATA_HOME APPDATA LOCALAPPDATA

# Waits until the browser has written down what it was given, or for a minute.
wait_for_browser() {
    waits=0
    while [ ! -s opened ] && [ $((waits += 1)) -le 600 ]; do
        sleep 0.1
    done
}

# open STATUS ARGUMENTS...
open() {
    wanted=$1
    shift
    checked=$((checked + 1))
    : >opened
    status=0
    "$supprof" --open "$@" >stdout 2>stderr </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status: $*: $(cat stderr)"
    [ "$wanted" -ne 0 ] || wait_for_browser
}
# What is relative is opened as "./NAME", so that no name is an option or an address.
opened() {
    case $1 in /*) path=$1 ;; *) path=./$1 ;; esac
    [ "$(cat opened)" = "$path" ] && [ -s "$1" ] || fail "not opened: $1, but '$(cat opened)': $(cat stderr)"
}

cp "$fixtures/recorded-spikes.log.gz" a.log.gz
open 0 a.log.gz
opened a.html
grep -q 'opened a.html' stderr || fail "nothing was said"
"$supprof" -q -f html a.log.gz | cmp - a.html || fail "another report than -f html writes"
[ ! -s stdout ] || fail "a table as well"

for name in -a https:a; do
    cp a.log.gz "./$name.log.gz"
    open 0 -- "$name.log.gz"
    opened "$name.html"
done

# What a file manager runs for a file that is opened with supprof.
ln -s "$supprof" browser/supprof
rm a.html
: >opened
checked=$((checked + 1))
sh -c "$(sed -n 's/^Exec=\(.*\) %F$/\1/p' "$fixtures/../packaging/linux/supprof.desktop") a.log.gz" 2>stderr
wait_for_browser
opened a.html

# Files that are named, the first is opened.
open 0 a.log.gz -o b.csv -o b.svg
opened b.csv

# A folder stands for the newest log in it.
mkdir -p game/bin game/LOUD/bin
cp "$fixtures/two-runs.log" game/LOUD/bin/loud.log
cp "$fixtures/recursion.log" game/bin/old.log
touch -d 2020-01-01 game/bin/old.log
open 0 game
opened game/LOUD/bin/loud.html
mkdir empty
open 2 empty
grep -q "'empty' contains no log" stderr || fail "an empty folder"

# Without a log: FAF's, then a newer one in a Steam library that is listed.
open 2
grep -q 'no game log was found' stderr || fail "no log at all"
mkdir -p home/.faforever/logs
cp "$fixtures/two-runs.log" home/.faforever/logs/game_17.log
cp "$fixtures/no-profile.log" home/.faforever/logs/client.log
touch -d 2021-01-01 home/.faforever/logs/game_17.log
open 0
opened "$HOME/.faforever/logs/game_17.html"
mkdir -p home/.local/share/Steam/steamapps library
printf '"libraryfolders"\n{\n\t"0"\n\t{\n\t\t"path"\t\t"%s"\n\t}\n}\n' "$work/library" \
    >home/.local/share/Steam/steamapps/libraryfolders.vdf
bin="library/steamapps/common/Supreme Commander Forged Alliance/bin"
mkdir -p "$bin"
cp "$fixtures/two-runs.log" "$bin/game.log"
open 0
opened "$work/$bin/game.html"
cp "$fixtures/two-runs.log" "$bin/fa.sclog"
open 0
opened "$work/$bin/fa.sclog.html"

# Of the example that is packed with the program it says so.
mkdir -p program no-games
cp "$supprof" program/supprof
cp "$fixtures/recorded-spikes.log.gz" program/example.log.gz
all=$supprof home=$HOME
supprof=$work/program/supprof HOME=$work/no-games
open 0
opened "$work/program/example.html"
grep -q 'no log of a game was found; this is the report of the example' stderr || fail "the example: $(cat stderr)"
open 0 program/example.log.gz
! grep -q 'no log of a game' stderr || fail "the example was named"
supprof=$all HOME=$home

# Where nothing can be written beside the log (not even by root), the report goes to the user's
# own data. On Linux, files cannot be created in /proc.
mkdir -p home/.local/share
open 3 /proc/self/status
[ -d home/.local/share/supprof ] || fail "no folder for what cannot be written beside the log"
(
    exec 3<a.log.gz
    "$supprof" --open /proc/self/fd/3 2>stderr
) || fail "a log in a folder that is not writable"
checked=$((checked + 1))
[ -s home/.local/share/supprof/3.html ] || fail "no report of a log in a folder that is not writable"

# Without a browser it says so, and the report is there.
rm browser/xdg-open a.html
PATH=/nonexistent "$supprof" --open a.log.gz 2>stderr || fail "without a browser"
grep -q "no browser found; open a.html yourself" stderr || fail "without a browser"
[ -s a.html ] || fail "no report without a browser"
checked=$((checked + 1))
open 2 -
grep -q 'name one with --output' stderr || fail "standard input"

finish checks
