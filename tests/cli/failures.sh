#!/bin/sh
# failures.sh SUPPROF FIXTURES
#
# What cannot be read or written: the exit status and the message, and no half file.
set -u
supprof=$1
fixtures=$2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory" || exit 1
failed=0
checked=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

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
expect 1 "cannot write standard output: No space left" sh -c "'$supprof' --help >/dev/full"
expect 1 "cannot create a file beside 'none/x.csv'" "$supprof" -o none/x.csv "$log"
mkdir there.csv
expect 1 "it is a directory" "$supprof" -o there.csv "$log"

# A closed pipe ends the program at once, as it ends any other.
"$supprof" -f folded "$log" 2>stderr | head -n 1 >line
[ -s line ] && [ ! -s stderr ] || fail "a closed pipe: $(cat stderr)"
checked=$((checked + 1))

# Compressed data that is cut or damaged: what comes before it is reported, with status 1.
gzip -dc "$log" >plain.log
head -c 50000 "$log" >cut.gz
expect 1 "cut.gz': the compressed data ends too early" "$supprof" -f csv cut.gz >csv
[ "$(wc -l <csv)" -gt 10 ] || fail "nothing was reported of a cut file"
{ head -c 50000 "$log"; echo damage; tail -c 50000 "$log"; } >damaged.gz
expect 1 "damaged.gz': the compressed data is damaged" "$supprof" damaged.gz >/dev/null

# Files of several gzip members, as `cat a.gz b.gz` makes, are one log.
cat "$log" "$log" >twice.gz
[ "$("$supprof" -q -f csv --by mod twice.gz)" = "$("$supprof" -q -f csv --by mod plain.log plain.log)" ] ||
    fail "two gzip members"
checked=$((checked + 1))

# Not logs at all.
head -c 200000 /dev/urandom >random.log
expect 3 "no profiler lines" "$supprof" random.log
head -c 3000000 /dev/zero >zero.log
expect 3 "no profiler lines" "$supprof" zero.log
expect 3 "no profiler lines" "$supprof" /dev/null
expect 1 "is a directory" "$supprof" /
expect 1 "cannot open" "$supprof" nothing.log
expect 1 "cannot open" "$supprof" -o missing.csv plain.log nothing.log
[ ! -e missing.csv ] || fail "a report without one of the logs"

# A log on standard input is not replaced either; a link is followed, and stdout kept.
cp plain.log input.csv
expect 2 "is the log itself" sh -c "'$supprof' -o input.csv <input.csv"
ln -s target.csv dangling.csv
"$supprof" -q -o dangling.csv plain.log && [ -s target.csv ] || fail "a dangling link"
echo keep >appended
"$supprof" -q -f csv --by mod -o /dev/stdout plain.log >>appended
[ "$(head -n 1 appended)" = keep ] && [ "$(wc -l <appended)" -gt 2 ] || fail "/dev/stdout"
checked=$((checked + 2))

# The old file stays when the new one fails.
echo old >out.csv
(
    ulimit -f 1
    trap '' XFSZ
    expect 1 "cannot write 'out.csv': File too large" "$supprof" -q --by stack -o out.csv plain.log
    [ "$failed" -eq 0 ]
) || failed=$((failed + 1))
(
    ulimit -f 1
    "$supprof" -q --by stack -o out.csv plain.log 2>/dev/null
)
[ "$(cat out.csv)" = old ] || fail "the old file is gone"
[ -z "$(find . -name 'out.csv.*')" ] || fail "a temporary file was left"
checked=$((checked + 1))

echo "$checked checks, $failed failed"
[ "$failed" -eq 0 ]
