#!/bin/sh
# failing-io.sh SUPPROF_WITH_FAIL_IO FIXTURES
#
# Fails each call for a file in turn (read, write, open, close, rename, ...). Either the program
# names the error, exits with status 1 and leaves the old files, or the call did not matter and
# all files are what they are without it. No file is left, no write follows one that
# failed on the same file, and no signal leaves a temporary file.
set -eu
supprof=$1
fixtures=$2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/good" "$directory/out"
outputs="stacks.folded functions.csv graph.svg profile.speedscope.json profile.pb.gz lines.callgrind"

fail() {
    echo "$*"
    cat "$directory/stderr"
    exit 1
}

# run DIRECTORY: writes every output into it.
run() {
    (
        cd "$1"
        set --
        for output in $outputs; do
            set -- "$@" -o "$output"
        done
        "$supprof" --top 5 "$@" --lua-root "$fixtures/lua-root" --hide-file "$directory/list" \
            "$fixtures/weirdprefix-float.log.gz" "$fixtures/lua-root.log" 2>"$directory/stderr" >stdout
    )
}

echo '^next ' >"$directory/list"
run "$directory/good"
outputs_count=$(echo "$outputs" | wc -w)
number=0
harmless=0
while :; do
    number=$((number + 1))
    for output in $outputs; do
        echo old >"$directory/out/$output"
    done
    status=0
    FAIL_IO=$number run "$directory/out" || status=$?
    grep -q '^failing: ' "$directory/stderr" || break
    [ "$(find "$directory/out" -type f | wc -l)" -eq $((outputs_count + 1)) ] ||
        fail "call $number: $(ls "$directory/out")"
    if [ "$status" -eq 0 ]; then
        harmless=$((harmless + 1))
        # A source that could not be read leaves functions without names, and a message says so.
        grep -q 'lua-root: .*not readable' "$directory/stderr" || diff -rq "$directory/good" "$directory/out" ||
            fail "call $number: a report differs, and nothing was said"
        continue
    fi
    [ "$status" -eq 1 ] || { [ "$status" -eq 2 ] && grep -q "/list" "$directory/stderr"; } ||
        fail "call $number: exit status $status"
    grep -q '^supprof: .*Input/output error' "$directory/stderr" || fail "call $number: the error is not named"
    for output in $outputs; do
        [ "$(cat "$directory/out/$output")" = old ] || cmp -s "$directory/good/$output" "$directory/out/$output" ||
            grep -q 'cannot read all of' "$directory/stderr" || fail "call $number: half of $output"
    done
    [ "$number" -lt 100000 ] || fail "does not get through"
done
[ "$status" -eq 0 ] || fail "exit status $status without a failure"
[ $((number - harmless)) -gt 40 ] || fail "only $((number - harmless)) of $number calls mattered"

# By number, as on Linux: HUP INT QUIT USR1 USR2 PIPE ALRM TERM XCPU XFSZ VTALRM PROF IO.
signals=0
for signal in 1 2 3 10 12 13 14 15 24 25 26 27 29; do
    signals=$((signals + 1))
    status=0
    (
        cd "$directory"
        echo old >out/functions.csv
        RAISE_AT_WRITE=$signal "$supprof" -q -o out/functions.csv "$fixtures/one-record.log" 2>stderr
    ) 2>/dev/null || status=$?
    [ "$status" -eq $((128 + signal)) ] || fail "signal $signal: exit status $status"
    [ "$(find "$directory/out" -type f | wc -l)" -eq $((outputs_count + 1)) ] ||
        fail "signal $signal: $(ls "$directory/out")"
    [ "$(cat "$directory/out/functions.csv")" = old ] || fail "signal $signal: the old file is gone"
done
echo "$((number - 1)) calls failed in turn, $harmless of them without effect; $signals signals"
