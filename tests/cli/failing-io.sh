#!/bin/sh
# failing-io.sh SUPPROF_WITH_FAIL_IO FIXTURES
#
# Makes each system call for a file fail in turn (read, write, open, close, rename, ...). Either the
# program names the error, exits with status 1 and leaves the old files, or the call did not matter and
# all files are as without the failure. No write follows one that failed on the same file. Neither a
# failure nor a signal leaves a temporary file.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2
mkdir "$work/good" "$work/out"
outputs="stacks.folded functions.csv graph.svg profile.speedscope.json profile.pb.gz lines.callgrind"

# give_up WHAT...
give_up() { stop "$*: $(cat "$work/stderr")"; }

# run DIRECTORY: writes every output into it.
run() {
    (
        cd "$1" || exit
        set --
        for output in $outputs; do
            set -- "$@" -o "$output"
        done
        "$supprof" --top 5 "$@" --lua-root "$fixtures/lua-root" --hide-file "$work/list" \
            "$fixtures/weirdprefix-float.log.gz" "$fixtures/lua-root.log" 2>"$work/stderr" >stdout
    )
}

echo '^next ' >"$work/list"
run "$work/good" || give_up "exit status $?"
outputs_count=$(echo "$outputs" | wc -w)
number=0
harmless=0
while :; do
    number=$((number + 1))
    for output in $outputs; do
        echo old >"$work/out/$output"
    done
    status=0
    FAIL_IO=$number run "$work/out" || status=$?
    grep -q '^failing: ' "$work/stderr" || break
    checked=$((checked + 1))
    [ "$(find "$work/out" -type f | wc -l)" -eq $((outputs_count + 1)) ] ||
        give_up "call $number: $(ls "$work/out")"
    if [ "$status" -eq 0 ]; then
        harmless=$((harmless + 1))
        # A source that could not be read leaves functions without names, and a message says so.
        grep -q 'lua-root: .*not readable' "$work/stderr" || diff -rq "$work/good" "$work/out" ||
            give_up "call $number: a report differs, and nothing was said"
        continue
    fi
    [ "$status" -eq 1 ] || { [ "$status" -eq 2 ] && grep -q "/list" "$work/stderr"; } ||
        give_up "call $number: exit status $status"
    grep -q '^supprof: .*Input/output error' "$work/stderr" || give_up "call $number: the error is not named"
    for output in $outputs; do
        [ "$(cat "$work/out/$output")" = old ] || cmp -s "$work/good/$output" "$work/out/$output" ||
            grep -q 'cannot read all of' "$work/stderr" || give_up "call $number: half of $output"
    done
    [ "$number" -lt 100000 ] || give_up "does not get through"
done
[ "$status" -eq 0 ] || give_up "exit status $status without a failure"
[ $((number - harmless)) -gt 40 ] || give_up "only $((number - harmless)) of $number calls mattered"

# By number, as on Linux: HUP INT QUIT USR1 USR2 PIPE ALRM TERM XCPU VTALRM PROF IO. A temporary
# file is there from fchmod to rename.
signals=0
for at in fchmod:15 rename:1 write:1 write:2 write:3 write:10 write:12 write:13 write:14 write:15 write:24 write:26 \
    write:27 write:29; do
    signals=$((signals + 1))
    signal=${at#*:}
    status=0
    (
        cd "$work" || exit
        echo old >out/functions.csv
        RAISE_AT=${at%:*} RAISE=$signal "$supprof" -q -o out/functions.csv "$fixtures/one-record.log" 2>stderr
    ) 2>/dev/null || status=$?
    [ "$status" -eq $((128 + signal)) ] || give_up "signal $at: exit status $status"
    [ "$(find "$work/out" -type f | wc -l)" -eq $((outputs_count + 1)) ] ||
        give_up "signal $at: $(ls "$work/out")"
    [ "$(cat "$work/out/functions.csv")" = old ] || give_up "signal $at: the old file is gone"
done
# One that the caller ignores is ignored, also while an output is written.
(
    cd "$work" || exit
    trap "" TERM
    RAISE_AT=write RAISE=15 "$supprof" -q -o out/functions.csv "$fixtures/one-record.log" 2>stderr
) || give_up "an ignored signal: exit status $?"
"$supprof" -q -f csv "$fixtures/one-record.log" | cmp -s - "$work/out/functions.csv" || give_up "an ignored signal"
echo "$harmless calls are without effect; $signals signals"
finish "calls that failed in turn"
