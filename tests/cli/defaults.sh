#!/bin/sh
# defaults.sh SUPPROF SOURCE_DIRECTORY
#
# Options of one's own: which files are read, what wins, what a downloaded file cannot do, and that
# --verbose says where each option is from.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2/fixtures
unset SUPPROF_NO_CONFIG SUPPROF_LUA_ROOT APPDATA
HOME=$work/home
XDG_CONFIG_HOME=$work/home/settings
export HOME XDG_CONFIG_HOME
own=$XDG_CONFIG_HOME/supprof/config
mkdir -p "$XDG_CONFIG_HOME/supprof" "$work/mod/logs"
cp "$fixtures/recursion.log" "$work/mod/logs/"
cd "$work/mod/logs" || exit 1
# None is looked for above it.
: >"$work/.supprof"

# sources ARGUMENT...: what --verbose says of defaults, in one line.
sources() {
    "$supprof" -v "$@" recursion.log 2>&1 >/dev/null | sed -n 's/^supprof: default from //p' | paste -sd ' '
}

# refused LINE MESSAGE: a line of a .supprof that ends the program with this message.
refused() {
    printf '%s\n' "$1" >.supprof
    checked=$((checked + 1))
    "$supprof" recursion.log >"$work/stdout" 2>"$work/stderr"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$work/stdout" ] && grep -qF "$2" "$work/stderr" ||
        fail "$1: status $status, $(cat "$work/stderr")"
    succeed "$1, with --no-config" "$supprof" --no-config recursion.log
    rm .supprof
}

same "without files" "$(sources)" ""
printf '# mine\n\n  --unit=us  \nby=file\nhide ^C \n' >"$own"
same "one's own" "$(sources)" "$own:3: --unit=us $own:4: --by=file $own:5: --hide=^C"
same "--no-config" "$(sources --no-config)" ""
same "the command line wins" "$(sources --unit=ns --by=function)" "$own:5: --hide=^C"
same "the table" "$("$supprof" -q --unit ms recursion.log | sed -n 's/^self%.*  self \(..\) .*\(Shown\|file\)$/\1 \2/p')" "ms file"
"$supprof" -q -f csv recursion.log >"$work/found"
"$supprof" --no-config -q -f csv --by file --hide '^C' recursion.log >"$work/wanted"
succeed "the same as on the command line" cmp "$work/found" "$work/wanted"

# The nearest .supprof counts, after one's own file; its paths are relative to its folder.
printf 'unit=ns\n' >"$work/.supprof"
printf 'unit=s\nlua-root=../mod\nhide-file = names\n' >../.supprof
echo '^B' >../names
same "the nearest .supprof" "$(sources)" \
    "$own:3: --unit=us $own:4: --by=file $own:5: --hide=^C ./../.supprof:1: --unit=s \
./../.supprof:2: --lua-root=./../../mod ./../.supprof:3: --hide-file=./../names"
same "it wins" "$("$supprof" -q recursion.log | grep -c 'self%.*  self s ')" 1
printf 'lua-root=~/lua\nlua-root=%s\n' "$work/mod" >"$own"
mkdir "$HOME/lua"
same "paths of one's own" "$(SUPPROF_LUA_ROOT=.. sources | sed 's, \./\.\./\.supprof:.*,,')" \
    "SUPPROF_LUA_ROOT: --lua-root=.. $own:1: --lua-root=$HOME/lua $own:2: --lua-root=$work/mod"
same "SUPPROF_NO_CONFIG" "$(SUPPROF_LUA_ROOT=.. SUPPROF_NO_CONFIG=1 sources)" ""
rm "$own" ../.supprof
: >"$work/.supprof"
mkdir -p "$HOME/.config/supprof"
echo unit=ns >"$HOME/.config/supprof/config"
same "without XDG_CONFIG_HOME" "$(unset XDG_CONFIG_HOME; sources)" "$HOME/.config/supprof/config:1: --unit=ns"
same "APPDATA" "$(APPDATA=$HOME/.config sources)" "$HOME/.config/supprof/config:1: --unit=ns"

rm "$HOME/.config/supprof/config"
for option in output=x format=csv open follow diff=recursion.log diff-rest fail-if=total\>1 top=3 ticks peek=A \
    quiet verbose strict run=1 focus=A no-config help; do
    refused "$option" "./.supprof:1: --${option%%=*} can only be given on the command line"
done
for path in /etc //server/share '\\server\share' C:x \~/lua; do
    refused "lua-root=$path" "./.supprof:1: a path in this file must be relative to its folder"
done
refused hide-file=- "./.supprof:1: cannot open './-'"
refused 'hide=(' "./.supprof:1: --hide: "
refused no-such=3 "./.supprof:1: unknown option 'no-such'"
refused unit "./.supprof:1: --unit needs a value"
refused unit=h "./.supprof:1: invalid value 'h' for --unit"

# The rest of the line was lost.
printf 'unit=us\nhide=^A\000C\n' >.supprof
"$supprof" recursion.log >"$work/stdout" 2>"$work/stderr"
same "the status of a NUL byte" $? 2
same "a NUL byte" "$(head -n 1 "$work/stderr")" "supprof: ./.supprof:2: a NUL byte: this is not text in UTF-8; --no-config ignores this file"
truncate -s 64M .supprof
refused_file=$("$supprof" recursion.log 2>&1 | head -n 1)
same "a huge file" "${refused_file##*; }" "--no-config ignores this file"

# No report replaces it.
echo 'unit=us' >.supprof
ln -s .supprof linked
for name in .supprof linked; do
    same "a report in $name" "$("$supprof" -f csv -o $name recursion.log 2>&1 | head -n 1)" \
        "supprof: '$name' is a file of options; name another file"
done
same "the file of options" "$(cat .supprof)" "unit=us"

# An option that the user does not see is named where it does not fit.
echo 'hide=^C' >.supprof
succeed "a default that has no effect" "$supprof" -q -o ticks.ticks.csv "$fixtures/recorded-spikes.log.gz"
"$supprof" -o x.trace.json "$fixtures/recorded-spikes.log.gz" 2>"$work/stderr" && fail "filters of a time line"
grep -q 'defaults count, too, unless --no-config is given: ./.supprof:1: --hide=^C)' "$work/stderr" ||
    fail "the message does not name the default: $(cat "$work/stderr")"
finish checks 60
