#!/bin/sh
# terminal.sh SUPPROF FIXTURES
#
# What depends on a terminal: width, colour, progress. script(1) provides one.
set -u
supprof=$1
log=$2/small-float.log.gz
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# on_terminal COLUMNS ARGUMENTS: runs supprof on a terminal; what it shows goes to $directory/seen.
on_terminal() {
    script -qec "stty cols $1 rows 50; '$supprof' $2" /dev/null </dev/null |
        tr -d '\r' >"$directory/seen"
}

escape=$(printf '\033')
for columns in 60 80 100 120 200; do
    on_terminal $columns "--color=never --progress=never --top 0 '$log'"
    # The lines of the table: a character a column.
    widest=$(grep -E '^ *[0-9-]+\.[0-9]+ ' "$directory/seen" | LC_ALL=C.UTF-8 awk '
        { gsub(/[\200-\277]/, ""); if (length($0) > max) max = length($0) } END { print max + 0 }')
    [ "$widest" -gt 0 ] && [ "$widest" -le $columns ] ||
        fail "rows of $widest characters on a terminal of $columns"
done
grep -q "total%" "$directory/seen" || fail "no total% on a wide terminal"
on_terminal 80 "--progress=never '$log'"
grep -q 'self/call' "$directory/seen" || fail "no self/call at 80 columns"
grep -q "$escape" "$directory/seen" || fail "no colour on a terminal"
NO_COLOR=1 on_terminal 80 "--progress=never '$log'"
! grep -q "$escape" "$directory/seen" || fail "NO_COLOR is not honoured"
TERM=dumb on_terminal 80 "--progress=never '$log'"
! grep -q "$escape" "$directory/seen" || fail "TERM=dumb is not honoured"
on_terminal 80 "--progress=always '$log' 2>'$directory/progress'"
grep -q '%' "$directory/progress" || fail "no progress"
"$supprof" --top 3 "$log" 2>"$directory/progress" | grep -q "$escape" && fail "colour on a pipe"
[ ! -s "$directory/progress" ] || fail "progress that is not seen"
script -qec "'$supprof'" /dev/null </dev/null >"$directory/seen"
grep -q 'no log is named' "$directory/seen" || fail "reads a log from the keyboard"
echo "$failed failed"
[ "$failed" -eq 0 ]
