#!/bin/sh
# golden.sh SUPPROF SOURCE_DIRECTORY
#
# Runs each line of golden.txt in fixtures/ and compares what it prints with
# fixtures/expected/NAME. BLESS=1 rewrites those files; review them like code.
#
# A line is: name, expected exit status, arguments (as the shell reads them).
# Standard error follows standard output in the same file, after a line "stderr:".
set -u
supprof=$1
tests=$2/tests
expected=$2/fixtures/expected
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$2/fixtures" || exit 1
ln -s "$supprof" "$directory/supprof"
PATH=$directory:$PATH
export PATH OUT="$directory/out"
failed=0
count=0
while read -r name status arguments; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    rm -rf "$OUT"
    mkdir "$OUT"
    sh -c "supprof $arguments" <two-runs.log >"$directory/stdout" 2>"$directory/stderr"
    got=$?
    {
        cat "$directory/stdout"
        for file in "$OUT"/*; do
            [ -f "$file" ] && echo "file $(basename "$file"):" && cat "$file"
        done
        [ -s "$directory/stderr" ] && echo "stderr:" && sed "s|$OUT|OUT|g" "$directory/stderr"
        :
    } >"$directory/all"
    if [ "$got" -ne "$status" ]; then
        echo "FAILED $name: exit status $got, not $status"
        failed=$((failed + 1))
    fi
    if [ "${BLESS:-}" = 1 ]; then
        cp "$directory/all" "$expected/$name"
    elif ! diff -u "$expected/$name" "$directory/all"; then
        echo "FAILED $name: supprof $arguments"
        failed=$((failed + 1))
    fi
done <"$tests/cli/golden.txt"
for file in "$expected"/*; do
    grep -q "^$(basename "$file") " "$tests/cli/golden.txt" || {
        echo "FAILED: $file belongs to no line of golden.txt"
        failed=$((failed + 1))
    }
done
echo "$count commands, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
