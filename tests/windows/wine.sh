#!/bin/sh
# wine.sh SUPPROF_EXE SUPPROF SOURCE_DIRECTORY
#
# The Windows program under Wine: all golden lines, and every format of every fixture with the
# same bytes as the Linux program writes; then what only Windows has (paths with \, wildcards,
# long paths, other scripts, a log that is still written, existing outputs replaced, Ctrl-C).
. "$(dirname "$0")/../lib.sh"
exe=$1
supprof=$2
source=$3
tests=$source/tests
WINEPREFIX=$work/wine
WINEDEBUG=-all,err+virtual
export WINEPREFIX WINEDEBUG
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
clean_up() {
    "$(dirname "$wine")/wineserver" -k 2>/dev/null
    sleep 1
}

# A Linux program that is the Windows one, for scripts that run supprof. One start of Wine in some
# thousand fails before the program has begun: Linux places the heap of its loader at random, and
# at times where Windows has an address of its own. Such a start is repeated, and counted.
failed_start='^wine client error:0:\|failed to map the shared user data'
cat >"$work/supprof" <<END
#!/bin/sh
[ ! -t 2 ] || exec "$wine" "$exe" "\$@"
errors="$work/errors.\$\$"
for try in 1 2 3; do
    "$wine" "$exe" "\$@" 2>"\$errors"
    status=\$?
    [ \$status -eq 1 ] && grep '$failed_start' "\$errors" >>"$work/repeated" || break
done
cat "\$errors" >&2
rm "\$errors"
exit \$status
END
chmod +x "$work/supprof"
: >"$work/repeated"
windows=$work/supprof
# Wine's services start once, and print what they print where it is not seen.
"$(dirname "$wine")/wineserver" -p >/dev/null 2>&1
"$windows" --version >/dev/null 2>&1
echo "imports: $(x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p' | tr '\n' ' '), $(wc -c <"$exe") bytes"
for library in $(x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p'); do
    case $library in
    KERNEL32.dll | msvcrt.dll | SHELL32.dll | USER32.dll) ;;
    *) fail "$library is not there on every Windows" ;;
    esac
done
[ "$("$windows" --version | sed 's/PCRE2.*Windows/Linux/')" = "$("$supprof" --version | sed 's/PCRE2.*Linux/Linux/')" ] || fail "--version"

sh "$tests/cli/golden.sh" "$windows" "$source" || fail "golden lines"

# Every format that one reading can write, and those that want standard output.
mkdir "$work/linux" "$work/windows"
formats=$("$supprof" --help | sed -n '/^Formats:/,/^$/s/^  \([a-z-]*\)  .*/\1/p')
[ "$(echo "$formats" | wc -l)" -gt 8 ] || fail "--help names no formats"
compare() {
    log=$1
    shift
    name=$(basename "$log")
    for where in linux windows; do
        program=$supprof
        [ $where = linux ] || program=$windows
        rm -f "$work/$where"/*
        (
            cd "$work/$where" || exit 1
            "$program" "$@" "$log" >stdout 2>stderr
            echo $? >status
        )
    done
    checked=$((checked + 1))
    diff -rq "$work/linux" "$work/windows" && return
    fail "$name: $*: status $(cat "$work/windows/status"), $(head -c 500 "$work/windows/stderr")"
}
for log in "$source"/fixtures/*.log "$source"/fixtures/*.log.gz; do
    compare "$log" -o a.folded -o a.csv -o a.svg -o a.speedscope.json -o a.pb.gz -o a.callgrind -o a.top -o a.html -o a.cpuprofile -o a.json -o a.md
    files=$((${files:-0} + $(find "$work/windows" -type f | wc -l)))
done
for log in "$source"/fixtures/recorded-*.log.gz; do
    compare "$log" --from 0:02 --to 0:03 -o a.trace.json -o a.speedscope.json
    compare "$log" -f ticks-csv
    compare "$log" --ticks
done
for format in $formats; do
    compare "$source/fixtures/two-runs.log" -f "$format"
    compare "$source/fixtures/recorded-spikes.log.gz" -f "$format" --peek Build
done
[ "${files:-0}" -gt 300 ] || fail "only ${files:-0} files were compared"

# 200 MB take at most 1.5 times the CPU time of the Linux program, without Wine's own start. The programs take
# turns, and the least of 9 rounds counts, since other programs only add time.
"$(dirname "$supprof")/tests/bench/generate_log" 200 >"$work/large.log" 2>/dev/null
cat >"$work/time.pl" <<'END'
my ($windows, $supprof, $log) = @ARGV;
my @seconds;
for (1 .. 9) {
    my @commands = ("'$supprof' '$log'", "'$windows' '$log'", "'$windows' --version");
    for my $i (0 .. 2) {
        my @before = times;
        system("$commands[$i] >/dev/null 2>&1") == 0 or die "$commands[$i] failed\n";
        my @after = times;
        push @{$seconds[$i]}, $after[2] + $after[3] - $before[2] - $before[3];
    }
}
my ($linux, $wine, $start) = map { (sort { $a <=> $b } @$_)[0] } @seconds;
my $ratio = ($wine - $start) / $linux;
printf "200 MB: %.2f times the Linux program's CPU time\n", $ratio;
exit($ratio > 1.5);
END
checked=$((checked + 1))
perl "$work/time.pl" "$windows" "$supprof" "$work/large.log" || fail "200 MB take too long"
rm "$work/large.log"

# What only Windows has.
cd "$work" || exit 1
log=$source/fixtures/two-runs.log
mkdir -p 'Игра' logs LOGS-2
cp "$log" 'Игра/лог — ü.log'
succeed "a path in another script" "$windows" 'Игра\лог — ü.log' -o 'Игра\отчёт.csv'
"$supprof" -f csv "$log" | cmp - 'Игра/отчёт.csv' || fail "a path in another script"
succeed "its name in a title" "$windows" 'Игра\лог — ü.log'
grep -q '^лог — ü.log: ' stdout || fail "a title: $(head -n 1 stdout)"
cp "$log" logs/b.log
cp "$source/fixtures/recursion.log" logs/a.log
succeed "wildcards" "$windows" -f csv 'logs\*.log'
"$supprof" -f csv logs/a.log logs/b.log | cmp - stdout || fail "wildcards"
"$windows" --focus 'no*such?' logs/a.log 2>stderr >stdout
grep -q "'no\*such?' matches no function" stderr || fail "wildcards that fit no file are a pattern: $(cat stderr)"
long=$work/$(printf '%0100d' 1)/$(printf '%0100d' 2)/$(printf '%0100d' 3)
mkdir -p "$long"
cp "$log" "$long/long.log"
succeed "a long path" "$windows" "$long/long.log" -o "$long/out.csv"
"$supprof" -f csv "$log" | cmp - "$long/out.csv" || fail "a long path"
echo old >out.csv
succeed "an output that exists" "$windows" "$log" -o out.csv
"$supprof" -f csv "$log" | cmp - out.csv || fail "an output that exists"
succeed "a name in capitals" "$windows" "$log" -o 'LOGS-2\CALLGRIND.OUT'
grep -q '^# callgrind format' LOGS-2/CALLGRIND.OUT || fail "a prefix after a backslash"
[ "$(find . -name 'out.csv.*' | wc -l)" -eq 0 ] || fail "a temporary file was left"

# A double click, and files dragged on the program: alone in a console, without options. Wine
# hands a page to xdg-open, which is a script here that writes down what it is given.
mkdir browser
printf '#!/bin/sh\necho "$1" >>"%s/opened"\n' "$work" >browser/xdg-open
chmod +x browser/xdg-open
PATH=$work/browser:$PATH
# alone COMMAND: in a console of its own; a key is pressed at the end.
alone() {
    checked=$((checked + 1))
    rm -f opened
    : >console
    (wait_until waits_for_a_key; echo x) | timeout 600 script -qfec "$*" /dev/null >console 2>&1
    wait_until test -s opened
    shown >console.text
}
# shown: the text of the console, without spaces.
shown() { tr -d '\033' <console | sed 's/\[[?0-9;]*[a-zA-Z]//g' | tr -d '\r\n '; }
waits_for_a_key() { shown | grep -q 'Pressanykey'; }
# wait_until COMMAND...: waits until it succeeds, or for some minutes.
wait_until() {
    waits=0
    until "$@" || [ $((waits += 1)) -gt 1200 ]; do
        sleep 0.2
    done
}
cp "$source/fixtures/recorded-spikes.log.gz" 'Игра/game_1.log.gz'
alone "'$windows' 'Игра\\game_1.log.gz'"
"$supprof" -q 'Игра/game_1.log.gz' -o expected.html
cmp expected.html 'Игра/game_1.html' || fail "a log dragged on the program: $(cat console.text)"
grep -q 'game_1.html' opened || fail "no page was opened: $(cat console.text)"
grep -q 'Pressanykey' console.text || fail "the console does not wait: $(cat console.text)"
rm -f 'Игра/game_1.html'
alone "'$windows' 'Игра'"
[ -s 'Игра/game_1.html' ] && grep -q 'game_1.html' opened || fail "a folder dragged on the program: $(cat console.text)"
mkdir -p game/bin game/LOUD/bin
cp "$exe" game/supprof.exe
touch -d '2020-01-01' game/bin/old.log
cp "$log" game/LOUD/bin/loud.log
alone "'$wine' game/supprof.exe"
[ -s game/LOUD/bin/loud.html ] && grep -q 'loud.html' opened || fail "a double click: $(cat console.text)"

# Ctrl-C, once, while a pipe is read that goes on.
x86_64-w64-mingw32-gcc -O1 -o ctrl_c.exe "$tests/windows/ctrl_c.c" || fail "ctrl_c.c"
checked=$((checked + 1))
timeout 600 script -qec "'$wine' ctrl_c.exe '$log' '$exe' -f csv - >stdout 2>stderr; echo \$? >status" /dev/null </dev/null >/dev/null 2>&1
[ "$(cat status)" = 0 ] || fail "Ctrl-C while a pipe is read: status $(cat status): $(cat stderr)"
"$supprof" -q -f csv "$log" | cmp - stdout || fail "Ctrl-C: not what was read"
grep -q 'Ctrl-C ended the reading' stderr || fail "Ctrl-C: $(cat stderr)"

# A .supprof reads nothing outside of its folder; \ and letter case make no difference.
mkdir -p found/Lua home
printf 'secret = "hunter2"\n' >home/x.lua
printf 'open = "mine"\n' >found/Lua/a.lua
printf 'info: prof: @c:\\x\\lua\\a.lua,0,?,-1;3,6.1e-005,t,f\ninfo: prof: @c:\\x\\home\\x.lua,0,?,-1;3,6.1e-005,t,f\n' >found/game.log
# of_config LINE STATUS TEXT: what is shown with this line in a .supprof.
of_config() {
    checked=$((checked + 1))
    echo "$1" >found/.supprof
    (cd found && unset SUPPROF_NO_CONFIG && "$windows" --list . game.log >../stdout 2>&1)
    status=$?
    [ $status -eq "$2" ] && grep -qF "$3" stdout && ! grep -q hunter2 stdout ||
        fail "$1 in a .supprof: status $status, $(cat stdout)"
}
for folder in lua 'LUA\' './Lua/../lua' '..\Found\LUA'; do
    of_config "lua-root=$folder" 0 'open = "mine"'
done
for folder in .. '..\home' 'Lua\..\..\home' '../HOME'; do
    of_config "lua-root=$folder" 2 'a path in this file must stay in its folder'
done
for folder in 'C:\' 'C:home' '\\server\share' //server/share; do
    of_config "lua-root=$folder" 2 'a path in this file must be relative to its folder'
done
of_config 'hide-file=..\home\x.lua' 2 'a path in this file must stay in its folder'

echo "$(wc -l <"$work/repeated") failed starts of Wine were repeated"
finish "checks besides the golden lines" 100
