#!/bin/sh
# failing-allocations.sh SUPPROF_WITH_FAIL_ALLOC FIXTURES [STEP]
#
# Fails the first allocation from each call stack in turn, or from each STEPth: the program must say so,
# exit with status 1 and leave no file.
. "$(dirname "$0")/../lib.sh"
supprof=$1
fixtures=$2
step=${3:-1}
outputs=
for suffix in csv folded svg html json md speedscope.json pb.gz callgrind; do
    outputs="$outputs -o $work/out.$suffix"
done

# run NUMBER: with that allocation failing.
run() {
    # shellcheck disable=SC2086 # a list of words
    FAIL_ALLOCATION=$1 "$supprof" $outputs --top 5 --lua-root "$fixtures/lua-root" "$fixtures/chunk-source.log" \
        "$fixtures/lua-root.log" >"$work/stdout" 2>"$work/stderr"
}

echo old >"$work/out.csv"
run 0 3>"$work/numbers" || stop "without a failure: $(cat "$work/stderr")"
mkdir "$work/good"
mv "$work"/out.* "$work/good"
echo old >"$work/out.csv"
stacks=0
# The loop starts no program but supprof.
while read -r number; do
    stacks=$((stacks + 1))
    [ $((stacks % step)) -eq 0 ] || continue
    status=0
    run "$number" || status=$?
    # A message that nothing can lay out is printed as it is, and no output lacks anything.
    if [ "$status" -eq 0 ]; then
        for output in "$work"/good/*; do
            cmp "$output" "$work/${output##*/}" || stop "allocation $number: half of ${output##*/}"
        done
        break
    fi
    said=
    while read -r line; do said="$said $line"; done <"$work/stderr"
    case "$status$said" in
    1*"out of memory"*) ;;
    *) stop "allocation $number: exit status $status:$said" ;;
    esac
    for left in "$work"/out.*.supprof-*; do
        [ ! -e "$left" ] || stop "allocation $number: a temporary file was left"
    done
    checked=$((checked + 1))
done <"$work/numbers"
finish "allocations that failed in turn" 150
