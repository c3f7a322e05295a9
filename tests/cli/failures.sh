#!/bin/sh
# failures.sh SUPPROF FIXTURES
#
# What cannot be read or written: the exit status and the message, and no half file.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2
cd "$work" || exit 1

# expect STATUS PATTERN COMMAND...: runs it and looks for the pattern on standard error.
expect() {
    wanted=$1
    pattern=$2
    shift 2
    checked=$((checked + 1))
    status=0
    "$@" 2>stderr || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status, not $wanted: $*: $(cat stderr)"
    grep -q -e "$pattern" stderr || fail "no '$pattern' on standard error: $*: $(cat stderr)"
}

log=$fixtures/small-float.log.gz
for format in top folded csv svg speedscope callgrind pprof; do
    expect 1 "cannot write standard output: No space left" \
        sh -c "'$supprof' -f $format '$log' >/dev/full"
    expect 1 "cannot write '/dev/full': No space left" "$supprof" -f $format -o /dev/full "$log"
    expect 1 "cannot write standard output" sh -c "'$supprof' -f $format '$log' >&-"
done
ping='{"jsonrpc":"2.0","id":1,"method":"ping"}'
expect 1 "cannot write standard output: No space left" sh -c "echo '$ping' | '$supprof' --mcp >/dev/full"
expect 1 "cannot write standard output" sh -c "echo '$ping' | '$supprof' --mcp >&-"
expect 1 "cannot read standard input" sh -c "'$supprof' --mcp <&-"
expect 1 "cannot read standard input" sh -c "'$supprof' --mcp </"
expect 1 "cannot write standard output: No space left" sh -c "'$supprof' --help >/dev/full"
expect 1 "cannot write 'none/x.csv': its folder does not exist" "$supprof" -o none/x.csv "$log"
mkdir there.csv
expect 1 "it is a directory" "$supprof" -o there.csv "$log"

# A closed pipe ends the program at once, as it ends any other.
"$supprof" -f folded "$log" 2>stderr | head -n 1 >line
[ -s line ] && [ ! -s stderr ] || fail "a closed pipe: $(cat stderr)"
checked=$((checked + 1))

# Old times scaled to numbers of calls that no game can make are limited, not out of range.
for i in 1 2 3; do
    echo "info: prof: @a.lua,$i,f,2;1,900000,t,f" >>few.log
    echo "info: prof: @a.lua,$i,f,2;1000000000000000,9,t,f" >>many.log
done
"$supprof" -q -f csv --normalize=call --diff few.log many.log >csv 2>stderr || fail "scaled: $(cat stderr)"
grep -q "10000000000000\.000" csv || fail "scaled times: $(cat csv)"
checked=$((checked + 1))

# Compressed data that is cut or damaged: what comes before it is reported, with status 1.
gzip -dc "$log" >plain.log
head -c 50000 "$log" >cut.gz
expect 1 "\[damaged-file\] cannot read all of 'cut.gz': the compressed data ends too early" "$supprof" --codes -f csv cut.gz >csv
[ "$(wc -l <csv)" -gt 10 ] || fail "nothing was reported of a cut file"
"$supprof" -q -o cut.html -o cut.json -o cut.md cut.gz 2>/dev/null
grep -q "nothing of it is missing" cut.html && fail "cut.html says that nothing is missing"
for report in cut.html cut.json cut.md; do
    grep -q "the reading ended before the end of the log" $report || fail "$report does not say that it is of a part"
done
head -c 12 "$log" >start.gz
expect 1 "cannot read all of 'start.gz': the compressed data ends too early, before its first byte" "$supprof" start.gz
{ head -c 50000 "$log"; echo damage; tail -c 50000 "$log"; } >damaged.gz
expect 1 "damaged.gz': the compressed data is damaged" "$supprof" damaged.gz >/dev/null

# Files of several gzip members, as `cat a.gz b.gz` makes, are one log.
cat "$log" "$log" >twice.gz
cp plain.log again.log
[ "$("$supprof" -q -f csv --by mod twice.gz)" = "$("$supprof" -q -f csv --by mod plain.log again.log)" ] ||
    fail "two gzip members"
checked=$((checked + 1))

# Text after compressed data is not passed over in silence.
{ cat "$log"; cat plain.log; } >tail.gz
expect 1 "tail.gz': after the compressed data come bytes that are not compressed" "$supprof" -q -f csv tail.gz >csv
[ "$(wc -l <csv)" -gt 10 ] || fail "nothing was reported of a file with a tail"

# UTF-16, as PowerShell's > writes it, is the same log.
for order in LE BE; do
    {
        [ $order = LE ] && printf '\377\376' || printf '\376\377'
        iconv -f UTF-8 -t UTF-16$order "$fixtures/upper-case.log"
    } >wide.log
    [ "$("$supprof" -q -f csv wide.log)" = "$("$supprof" -q -f csv "$fixtures/upper-case.log")" ] || fail "UTF-16$order"
    gzip -c wide.log >wide.log.gz
    [ "$("$supprof" -q -f csv - <wide.log.gz)" = "$("$supprof" -q -f csv "$fixtures/upper-case.log")" ] ||
        fail "UTF-16$order in gzip"
    iconv -f UTF-8 -t UTF-16$order "$fixtures/upper-case.log" >unmarked.log
    [ "$("$supprof" -q -f csv unmarked.log)" = "$("$supprof" -q -f csv "$fixtures/upper-case.log")" ] ||
        fail "UTF-16$order without a mark"
    {
        [ $order = LE ] && printf '\377\376\000\000' || printf '\000\000\376\377'
        iconv -f UTF-8 -t UTF-32$order "$fixtures/upper-case.log"
    } >wide.log
    expect 1 "'wide.log' is text in UTF-32; save it as UTF-8" "$supprof" wide.log
done
checked=$((checked + 6))

# Lines in quote marks, as a table of CSV has them, are the same log.
for name in recorded-coroutines.log.gz names.log chunk-source-prefixed.log upper-case.log crlf.log benchmarks-new.log \
    game.log hooked.log; do
    unpack "$fixtures/$name" >"$name"
    mkdir -p quoted
    tr -d '\r' <"$name" | LC_ALL=C sed 's/"/""/g; s/.*/"&"/' >"quoted/$name"
    same "$name in quote marks" "$(cd quoted && "$supprof" --verbose "$name" 2>&1 | sed 's/[0-9,]* bytes$//')" \
        "$("$supprof" --verbose "$name" 2>&1 | sed 's/[0-9,]* bytes$//')"
done
same "a quote mark before the keyword" "$(sed 's/^info: //; s/.*/"&"/' names.log | "$supprof" -q -f csv)" \
    "$("$supprof" -q -f csv names.log)"

# What cannot be a log gets its own words.
echo x >old.folded
expect 3 "its name is that of a report (folded): give the log" "$supprof" old.folded
mkdir -p folder
expect 2 "'folder' is a directory; name a file in it, such as loud.html" "$supprof" -o folder "$log"
expect 2 "hide-file: 'folder' is a directory; name a file in it" "$supprof" --hide-file folder "$log"
expect 1 "'no-such\*.log': .*: no file has a name that fits it" "$supprof" 'no-such*.log'
printf 'PK\003\004rest' >log.zip
expect 1 "'log.zip' is a zip archive; unpack it and choose the log, if one is in it (.scd, .nx2 and mods have none)" "$supprof" log.zip
expect 1 "^supprof: standard input is a zip archive" sh -c "'$supprof' <log.zip"
tar -cf log.tar "$log"
expect 1 "'log.tar' is a tar archive; unpack it and choose the log" "$supprof" log.tar
expect 1 "^supprof: standard input is a tar archive" sh -c "gzip -c log.tar | '$supprof'"
printf '7z\274\257\047\034' >log.7z
expect 1 "'log.7z' is a 7-Zip archive" "$supprof" log.7z
printf '\3757zXZ\000' >log.xz
expect 1 "'log.xz' is compressed with xz.*xz -dc FILE | supprof" "$supprof" log.xz
printf 'BZh91AY&SY' >log.bz2
expect 1 "'log.bz2' is compressed with bzip2" "$supprof" log.bz2
printf '\211PNG\r\n\032\n' >log.png
expect 1 "'log.png' is a picture (PNG); choose a game log" "$supprof" log.png
expect 1 "is a program; choose a game log" "$supprof" "$supprof"
gzip -c log.png >log.png.gz
expect 1 "'log.png.gz' is a picture (PNG)" "$supprof" log.png.gz
gzip -c "$log" >twice.gz
expect 1 "'twice.gz' is compressed twice.*gzip -dc FILE | supprof" "$supprof" twice.gz
same "a log that was compressed twice" "$(gzip -dc twice.gz | "$supprof" -q -f csv)" "$("$supprof" -q -f csv "$log")"
printf '{"uid": 1, "title": "a", "featured_mod": "faf", "version": 2, "compression": "zstd"}\n\050\265\057\375' >game.fafreplay
printf 'Supreme Commander v1.50.3599\000\r\n\000Replay v1.9\r\n/maps/x/x.scmap\000' >game.SCFAReplay
for replay in game.fafreplay game.SCFAReplay; do
    expect 1 "'$replay' is a replay of a game: give the log of that game, or " "$supprof" $replay
done

# Reports of supprof itself, also those that PowerShell's > has written.
for suffix in html json pb.gz speedscope.json trace.json cpuprofile csv callgrind svg md ticks.csv; do
    "$supprof" -q --from '#40' --to '#41' -o report.$suffix "$fixtures/recorded-spikes.log.gz" 2>/dev/null ||
        fail "no report.$suffix"
    expect 1 "'report.$suffix' is a report .*not a log; choose a game log" "$supprof" report.$suffix
done
for by in file mod line stack thread; do
    "$supprof" -q -o by.csv --by $by "$log"
    expect 1 "'by.csv' is a report " "$supprof" by.csv
done
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE report.csv; } >wide.csv
expect 1 "'wide.csv' is a report " "$supprof" wide.csv

# A line without end takes no more memory than a line may have.
{ printf 'info: prof: '; head -c 100000000 /dev/zero | tr '\0' x; echo; cat "$fixtures/one-record.log"; } | gzip -1 >long.gz
limit="ulimit -v 200000;"
# The address sanitizer reserves terabytes, which is no use of memory.
sh -c "$limit '$supprof' --version" >/dev/null 2>&1 || limit=
expect 0 "the line has more than 16 MB" sh -c "$limit '$supprof' -f csv long.gz >csv"
"$supprof" -q -f csv "$fixtures/one-record.log" | cmp - csv || fail "what follows a long line is lost"
# Nor is it read where more has fitted into memory.
{ printf 'info: prof: @'; head -c 17000000 /dev/zero | tr '\0' x; echo '.lua,1,f,2;1,1,t,f'; cat "$fixtures/one-record.log"; } >long.log
expect 0 "long.log:1: damaged: the line has more than 16 MB" sh -c "'$supprof' -f csv long.log >csv"
"$supprof" -q -f csv "$fixtures/one-record.log" | cmp - csv || fail "a line of 17 MB was read"

# Not logs at all.
head -c 200000 /dev/urandom >random.log
expect 3 "neither profiler lines" "$supprof" random.log
head -c 3000000 /dev/zero >zero.log
expect 3 "neither profiler lines" "$supprof" zero.log
expect 3 "the log is empty" "$supprof" /dev/null
expect 3 "standard input: the log is empty; name a log" "$supprof" --top 3 </dev/null
expect 1 "is a directory" "$supprof" /
expect 1 "cannot open" "$supprof" nothing.log
expect 1 "cannot open" "$supprof" -o missing.csv plain.log nothing.log
[ ! -e missing.csv ] || fail "a report without one of the logs"

# A path that the shell has cut at its spaces.
mkdir "my games"
cp plain.log "my games/a b.log"
echo "^next" >"my games/hide me.txt"
quotes='; put a path with spaces in quotes: "my games/a b.log"$'
expect 1 "cannot open 'my': No such file or directory$quotes" "$supprof" --by mod my games/a b.log plain.log
expect 1 "$quotes" "$supprof" plain.log my games/a b.log
expect 1 "$quotes" "$supprof" --diff my games/a b.log plain.log
expect 1 "$quotes" "$supprof" --diff=my games/a b.log plain.log
expect 2 '; put a path with spaces in quotes: "my games/hide me.txt"$' "$supprof" --hide-file my games/hide me.txt plain.log
expect 1 "^supprof: cannot open 'my': No such file or directory$" "$supprof" my game/a b.log

# A log on standard input is not replaced either; a link is followed, and stdout kept.
cp plain.log input.csv
expect 2 "is the log itself" sh -c "'$supprof' -o input.csv <input.csv"
ln -s target.csv dangling.csv
"$supprof" -q -o dangling.csv plain.log && [ -s target.csv ] || fail "a dangling link"
echo keep >appended
"$supprof" -q -f csv --by mod -o /dev/stdout plain.log >>appended
[ "$(head -n 1 appended)" = keep ] && [ "$(wc -l <appended)" -gt 2 ] || fail "/dev/stdout"
checked=$((checked + 2))

# One file under two names would be the last of two reports.
ln -s other.csv one-link.csv
ln -s missing/../other.csv no-link.csv
expect 2 "'a.csv' and './a.csv' are the same file" "$supprof" -o a.csv -o ./a.csv plain.log
expect 2 "'other.csv' and 'one-link.csv' are the same file" "$supprof" -o other.csv -o one-link.csv plain.log
echo old >other.csv
expect 2 "'$work/other.csv' and 'one-link.csv' are the same file" \
    "$supprof" -o "$work/other.csv" -o one-link.csv plain.log
[ "$(cat other.csv)" = old ] && [ ! -e a.csv ] || fail "something was written"
"$supprof" -q -f folded -o /dev/null -o folded plain.log || fail "a device beside a file"

# The longest name that a file can have.
name=$(printf '%0251d' 0).csv
"$supprof" -q -o "$name" plain.log
[ -s "$name" ] || fail "no file with a long name"
rm -f "$name"

# The program does not wait for a pipe without a writer; one with a list in it is read.
mkfifo pipe
head -c 1100000 /dev/zero | tr '\0' a >large
expect 2 "large: too large; the limit is 1 MB" "$supprof" --hide-file large plain.log
printf '^next\n^A\000B\n' >nul
expect 2 "nul:2: a NUL byte: this is not text in UTF-8" "$supprof" --hide-file nul plain.log
expect 2 "pipe: this pipe is empty" timeout 300 "$supprof" --hide-file pipe plain.log
succeed "a file of the system that has no end" timeout 300 "$supprof" -q -f csv --hide-file /proc/kmsg plain.log
printf '^next \n' >list
[ "$(cat list | "$supprof" -q -f csv --hide-file /dev/stdin plain.log)" = \
    "$("$supprof" -q -f csv --hide-file list plain.log)" ] || fail "--hide-file of a pipe"
checked=$((checked + 1))

expect 2 "'pipe' would be read twice" timeout 300 "$supprof" --ticks-over 1 --diff-rest pipe
expect 2 "'/dev/stdin' would be read twice" sh -c "cat plain.log | '$supprof' --diff /dev/stdin -"

# Standard input has one name in all messages.
"$supprof" - <"$fixtures/damaged.log" >stdout 2>stderr
grep -q "^supprof: standard input:[0-9]*: damaged" stderr && grep -q "^standard input: " stdout || fail "-: $(cat stderr)"
! grep -qe "-:[0-9]" stderr || fail "another name of standard input: $(cat stderr)"
checked=$((checked + 1))

# The message names what was written, also of repeated logs.
"$supprof" --repeated plain.log plain.log -o repeated.csv 2>stderr
grep -q "wrote repeated.csv ([0-9]* rows*)" stderr || fail "repeated.csv: $(cat stderr)"
checked=$((checked + 1))

# Standard output has two names, and sources that are read are not replaced.
expect 1 "'-' and '/dev/stdout' are the same file" \
    sh -c "'$supprof' -q plain.log -f csv -o - -o /dev/stdout | cat; exit 1"
mkdir -p sources/lua
echo 'function f() end' >sources/lua/a.LUA
expect 2 "may be a source of --lua-root" \
    "$supprof" -q -f csv --lua-root sources -o sources/lua/a.LUA plain.log
grep -q function sources/lua/a.LUA || fail "a source was replaced"

# A log that can need more than half of any computer's memory: that is said before it is read.
{ cat "$log" && echo no gzip; } >huge.gz
truncate -s 4T huge.gz
expect 1 "^supprof: the log has 40960.0 GB (if .*) *: for recordings of that size" "$supprof" -f csv huge.gz >csv
head -n 1 stderr | grep -q "this report can take 20480.0 GB of memory" || fail "memory: $(cat stderr)"
expect 1 "cannot read all of 'huge.gz'" "$supprof" -q -f csv huge.gz >csv
! grep -q "of memory" stderr || fail "memory is said with -q"
rm huge.gz

# A closed stream is not the next file that is opened.
expect 1 "cannot read all of standard input: Bad file descriptor" \
    timeout 300 sh -c "'$supprof' -f csv - <&-"
expect 1 "cannot write standard output: Bad file descriptor" sh -c "'$supprof' plain.log >&-"

# Other outputs are written beside a time line that the log does not have.
expect 1 "^supprof: 'none.trace.json' is not written: .*no time stamps" "$supprof" -o records.csv -o none.trace.json -o records.json plain.log
[ -s records.csv ] && [ -s records.json ] && [ ! -e none.trace.json ] || fail "outputs beside a time line"
expect 3 "^supprof: --format=trace shows recordings of profiler.lua" "$supprof" -o none.trace.json plain.log

# So is a page, for which the log is read once more: of which nothing is said twice.
spikes=$fixtures/recorded-spikes.log.gz
head -c 15000 "$spikes" >cut.gz
expect 1 "wrote page.html" "$supprof" -o page.trace.json -o page.html plain.log
grep -q "'page.trace.json' is not written: .*no time stamps" stderr || fail "no reason: $(cat stderr)"
[ -s page.html ] && [ ! -e page.trace.json ] || fail "a page beside a time line that is not there"
rm page.html
expect 1 "wrote page.html" "$supprof" -o page.trace.json -o page.html cut.gz
[ -s page.html ] && [ -s page.trace.json ] || fail "a page beside a time line, of a cut log"
same "messages of two readings" "$(sort stderr | uniq -d; wc -l <stderr)" 6
rm page.html
expect 1 "wrote page.html" "$supprof" -o none/page.trace.json -o page.html "$spikes"
[ -s page.html ] || fail "a page beside a time line that cannot be written"
rm page.* && mkdir limited && cd limited || exit 1
expect 3 "^supprof: --fail-if 'total(nothing)>1s': no function matches" \
    "$supprof" --fail-if "total(nothing)>1s" -o page.trace.json -o page.html "$spikes"
same "outputs with status 3" "$(ls)" stderr
expect 4 "^supprof: limit broken: total>1us" \
    "$supprof" --fail-if "total>1us" -o page.trace.json -o page.html "$spikes"
same "a broken limit of two readings" "$(grep -c "limit broken" stderr) $(echo page.*)" "1 page.html page.trace.json"
cd .. || exit 1

# The old file stays when the new one fails.
echo old >out.csv
(
    ulimit -f 1
    expect 1 "cannot write 'out.csv': File too large" "$supprof" -q --by stack -o out.csv plain.log
    [ "$failed" -eq 0 ]
) || failed=$((failed + 1))
[ "$(cat out.csv)" = old ] || fail "the old file is gone"
[ -z "$(find . -name 'out.csv.*')" ] || fail "a temporary file was left"
checked=$((checked + 1))

finish checks
