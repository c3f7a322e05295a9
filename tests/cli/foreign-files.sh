#!/bin/sh
# foreign-files.sh SUPPROF SOURCE_DIRECTORY
#
# A folder from somebody else, with a log and a .supprof, cannot make supprof show a file that is not in it: by
# `..`, by links, by the name of a source, by --hide-file, or by what an error quotes. Of each way the same file in
# its place is shown, so that a test that looks at nothing fails. Who may own a .supprof, and that a report says
# which file hides functions.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2/fixtures
unset SUPPROF_NO_CONFIG SUPPROF_LUA_ROOT APPDATA XDG_CONFIG_HOME container
HOME=$work/user
export HOME
mkdir -p "$HOME" "$work/home/lua" "$work/game/lua/lua/deep" "$work/game/lua2" "$work/game2"
for secret in home/.env home/x.lua home/lua/x.lua game/lua2/x.lua game2/x.lua; do
    printf 'secret = "hunter2"\n' >"$work/$secret"
done
cd "$work/game" || exit 1
printf 'open = "mine"\n' >lua/lua/a.lua
cp lua/lua/a.lua lua/lua/A2.LUA
cp lua/lua/a.lua lua/unit.bp

# log SOURCE...: makes game.log, in which the whole file of each source was called.
log() {
    for source; do printf 'info: prof: @%s,0,?,-1;3,6.1e-005,t,f\n' "$source"; done >game.log
}

# shown ARGUMENT...: everything that the reports of game.log have, in $work/all: on the terminal, of the
# assistant, in json, and unpacked from the HTML page. $status is that of the first.
shown() {
    "$supprof" -v --list . "$@" game.log >"$work/all" 2>"$work/messages"
    status=$?
    "$supprof" -f json --list . "$@" game.log >>"$work/all" 2>&1
    if "$supprof" -v -o "$work/page.html" "$@" game.log >>"$work/all" 2>&1; then
        perl -MMIME::Base64 -MCompress::Zlib -0777 -ne 'while (/id="(?:data|texts)[^>]*>([^<]+)</g) {
            print uncompress(decode_base64($1)) // $1, "\n" }' "$work/page.html" >>"$work/all"
    fi
    rm -f "$work/page.html"
    root=$(printf '%s\n' "$@" | sed -n 's/^--lua-root=\(.*\)/,"lua-root":"\1"/p')
    printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"source","arguments":{"log":"game.log","list":"."%s}}}\n' \
        "$root" | "$supprof" --mcp >>"$work/all" 2>&1
    cat "$work/messages" >>"$work/all"
}

# kept WHAT ARGUMENT...: nothing shows the secret.
kept() {
    checked=$((checked + 1))
    what=$1
    shift
    shown "$@"
    if grep -q hunter2 "$work/all"; then fail "$what: $(cat "$work/all")"; fi
}

# refused WHAT LINE MESSAGE: a .supprof of this line ends the program with this message.
refused() {
    printf '%s\n' "$2" >.supprof
    kept "$1"
    [ $status -eq 2 ] && grep -qF "./.supprof:1: $3" "$work/messages" ||
        fail "$1: status $status, $(cat "$work/messages")"
    rm .supprof
}

# Files that are where they should be are shown, in each of the four forms.
for source in 'c:\x\lua\a.lua' 'c:\x\lua\A2.LUA' 'c:\x\unit.bp'; do
    log "$source"
    echo lua-root=lua >.supprof
    kept "$source"
    same "$source, its text" "$(grep -o 'open = .*mine' "$work/all" | grep -c .)" 4
    [ $status -eq 0 ] || fail "$source: status $status"
    rm .supprof
done

# `..`, to a file without and with the name of a source.
leads='leads out of it; to use it, give --'
for source in 'c:\x\home\.env' 'c:\x\home\x.lua'; do
    log "$source"
    for root in .. ../.. ../home lua/../../home ./lua/../.. ../game2; do
        refused "lua-root=$root and $source" "lua-root=$root" \
            "a path in this file must stay in its folder, and './$root' ${leads}lua-root on the command line"
    done
done
echo lua-root=lua/../lua >.supprof
log 'c:\x\lua\a.lua'
kept "a way back"
grep -q mine "$work/all" || fail "lua-root=lua/../lua: $(cat "$work/all")"
rm .supprof
echo lua-root=../home >.supprof
mkdir sub
log 'c:\x\x.lua'
mv game.log sub/
cd sub || exit 1
kept "a .supprof in the folder above"
[ $status -eq 2 ] && grep -qF "./../.supprof:1: a path in this file must stay in its folder, and './../../home' leads" "$work/messages" ||
    fail "a .supprof in the folder above: status $status, $(cat "$work/messages")"
cd ..
rm .supprof
log 'c:\x\lua\a.lua'
refused "a folder that is not there" lua-root=nowhere "cannot open './nowhere': No such file or directory"

# What is no source has no text, wherever the folder comes from.
log 'c:\x\home\.env' 'c:\x\.env' 'c:\x\lua\a.lua'
cp ../home/.env lua/.env
kept "a file of another kind" --lua-root="$work"
kept "a file of another kind in the folder" --lua-root=lua
grep -q 'only names that end in .lua or .bp are sources' "$work/all" || fail "nothing says why: $(cat "$work/all")"
grep -q mine "$work/all" || fail "the source is not shown: $(cat "$work/all")"
rm lua/.env

# Links: of a file, of a folder, and to another kind of file in the folder itself.
log 'c:\x\lua\b.lua' 'c:\x\lua\c.lua' 'c:\x\lua\far\x.lua' 'c:\x\lua\d.lua' 'c:\x\lua\deep\near.lua' 'c:\x\lua\broken.lua' 'c:\x\lua\beside.lua'
cp ../home/.env lua/.hidden
ln -s ../../../home/.env lua/lua/b.lua
ln -s "$work/home/x.lua" lua/lua/c.lua
ln -s ../../../home/lua lua/lua/far
ln -s ../.hidden lua/lua/d.lua
ln -s ../a.lua lua/lua/deep/near.lua
ln -s nowhere lua/lua/broken.lua
ln -s ../../lua2/x.lua lua/lua/beside.lua
once='--lua-root: 5 files are not read, because links lead out of that folder, or to what is no .lua or .bp file'
example="/lua/b.lua' is '$work/home/.env'); to read them, give --lua-root also for the folder that they are in"
# linked WHAT ARGUMENT...: the links are not followed, and one message says so.
linked() {
    kept "$@"
    same "$1, messages" "$(grep -cF -- "$once" "$work/messages")" 1
    grep -qF "$example" "$work/messages" || fail "$1: no example, $(cat "$work/messages")"
    grep -q mine "$work/all" || fail "$1: a link in the folder is not followed, $(cat "$work/all")"
}
linked "the command line" --lua-root=lua
ln -s lua linked
linked "a link to the folder" --lua-root=linked
linked "both sides" --lua-root=lua --diff=game.log
# A function without a name, for which each log looks for the source.
sed 's/,0,?/,1,?/' game.log >lines.log
same "two logs" "$("$supprof" --lua-root lua --repeated lines.log lines.log 2>&1 >/dev/null | grep -cF -- "$once")" 1
echo lua-root=lua >.supprof
linked .supprof
rm .supprof
SUPPROF_LUA_ROOT=$work/game/lua
export SUPPROF_LUA_ROOT
linked SUPPROF_LUA_ROOT
unset SUPPROF_LUA_ROOT
mkdir -p "$HOME/.config/supprof"
echo "lua-root=$work/game/lua" >"$HOME/.config/supprof/config"
linked "one's own file"
rm -r "$HOME/.config"
"$supprof" -q --lua-root lua --list . game.log 2>&1 >/dev/null | grep . && fail "--quiet says something"
"$supprof" --codes --lua-root lua lines.log 2>&1 >/dev/null | grep -q '^supprof: \[sources-outside\] ' || fail "no code"
for path in linked-out linked-up/lua; do
    log 'c:\x\x.lua'
    ln -sfn ../home linked-out
    ln -sfn ../home linked-up
    refused "lua-root=$path" "lua-root=$path" "a path in this file must stay in its folder, and './$path' $leads"
done
# Whoever names the folder reads what is in it.
shown --lua-root=lua --lua-root=linked-out
grep -q hunter2 "$work/all" || fail "a folder of the command line is not read: $(cat "$work/all")"

# Patterns: those of another file are not printed.
log 'c:\x\lua\a.lua'
for file in ../home/.env ../../../../../../../../../../etc/passwd linked-out/.env; do
    refused "hide-file=$file" "hide-file=$file" \
        "a path in this file must stay in its folder, and './$file' ${leads}hide-file on the command line"
    if grep -q root:x "$work/all"; then fail "hide-file=$file: $(cat "$work/all")"; fi
done
refused "hide-file of a link" hide-file=lua/lua/b.lua "a path in this file must stay in its folder"

# A .supprof that is a link: what is no option is not quoted.
log 'c:\x\lua\a.lua'
printf 'root:$y$hunter2:1:::\n' >../home/shadow
printf 'HUNTER2hunter2\n' >../home/token
printf 'averylongpasswordwithhunter2\n' >../home/word
# linked_as FILE MESSAGE
linked_as() {
    ln -sf "../home/$1" .supprof
    kept "a .supprof that is a link to $1"
    [ $status -eq 2 ] && grep -q "^supprof: ./.supprof:1: $2; --no-config" "$work/messages" ||
        fail "$1: status $status, $(cat "$work/messages")"
    rm .supprof
}
linked_as shadow "unknown option 'root...'"
linked_as token "this line is not an option"
linked_as word "unknown option 'averylongpasswordwit...'"
linked_as .env "unknown option 'secret'"

# Who hides functions is said, in the table, and in a message if the report is in a file.
cp "$fixtures/recursion.log" game.log
printf 'hide=^C\nhide-file=names\nhide-file=names2\n' >.supprof
printf '^B\n^D\n' >names
printf '^E\n' >names2
mkdir -p "$HOME/.config/supprof"
echo 'hide=^F' >"$HOME/.config/supprof/config"
wanted="Shown: 100.0% of the time, --hide '^Q' (0 functions), --hide '^F' (0 functions, from supprof/config:1), \
--hide '^C' (1 function, from ./.supprof:1), --hide-file with 3 patterns (from ./.supprof:2, ./.supprof:3)"
same "the table" "$("$supprof" --hide '^Q' game.log 2>/dev/null | grep ^Shown)" "$wanted"
same "messages with the table" "$("$supprof" --hide '^Q' game.log 2>&1 >/dev/null | grep -c Shown)" 0
for output in '-o x.csv -o x.folded' '-f csv' '-o x.csv -f csv' '-o x.top'; do
    # shellcheck disable=SC2086
    same "messages with $output" "$("$supprof" --hide '^Q' $output game.log 2>&1 >/dev/null | grep ' Shown')" "supprof: $wanted"
done
same "messages with -q" "$("$supprof" -q -o x.csv game.log 2>&1)" ""
rm .supprof
rm -r "$HOME/.config"
same "messages of the command line" "$("$supprof" --hide '^C' -o x.csv game.log 2>&1 | grep -c Shown)" 0

# Owners, in a folder that is the root of a file system of its own: there is nothing that shows a container.
if [ "$(id -u)" -ne 0 ] || ! mkdir "$work/system" || ! cp "$supprof" game.log "$work/system/" ||
    ! ldd "$supprof" | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$work/system$(dirname "$library")" && cp "$library" "$work/system$library" || exit
    done || ! chroot "$work/system" /supprof --no-config -q /game.log >/dev/null 2>&1; then
    skip "owners: this test is not root, or cannot change the root of the file system"
    finish checks 50
    exit
fi
stranger=54321
ignored='./.supprof is ignored, because it belongs to another user; if you trust it, make it yours (chown), or put its lines into your own file (supprof(1), DEFAULTS)'

# owned USER FILE FOLDER WANTED [LINK]: whether a .supprof of that owner, in a folder of that owner, is read.
owned() {
    checked=$((checked + 1))
    echo unit=ns >"$work/system/settings"
    chown "$2" "$work/system/settings"
    ln -sf settings "$work/system/.supprof"
    [ -n "${5:-}" ] || mv "$work/system/settings" "$work/system/.supprof"
    chown -h "${5:-$2}" "$work/system/.supprof"
    chown "$3" "$work/system"
    chroot --userspec="$1:$1" "$work/system" /supprof game.log >"$work/stdout" 2>"$work/stderr" ||
        fail "user $1, file $2, folder $3: $(cat "$work/stderr")"
    is_read=$(grep -c '^ *self%.*self ns' "$work/stdout")
    is_ignored=$(grep -cF "supprof: $ignored" "$work/stderr")
    [ "$is_read" -eq "$4" ] && [ "$is_ignored" -eq $((1 - $4)) ] ||
        fail "user $1, file $2, folder $3, link ${5:-none}: read $is_read, ignored $is_ignored, $(cat "$work/stderr")"
}
chmod 755 "$work" "$work/system"
owned 12345 12345 12345 1
owned 12345 12345 0 1
owned 12345 0 $stranger 1
owned 12345 $stranger 0 0
owned 12345 $stranger 12345 0
owned 12345 $stranger $stranger 0
owned 0 $stranger $stranger 1
owned 0 $stranger 0 0
owned 0 12345 $stranger 0
owned 12345 0 12345 0 $stranger
owned 12345 $stranger 12345 0 12345
owned 12345 12345 12345 1 12345
container=podman
export container
owned 12345 $stranger $stranger 1
owned 12345 $stranger 12345 0
unset container
for mark in .dockerenv run/.containerenv; do
    mkdir -p "$work/system/run"
    : >"$work/system/$mark"
    owned 12345 $stranger $stranger 1
    owned 12345 $stranger 0 0
    rm "$work/system/$mark"
done
owned 12345 $stranger $stranger 0
same "with --no-config" "$(chroot --userspec=12345:12345 "$work/system" /supprof --no-config game.log 2>&1 >/dev/null)" ""
finish checks 70
