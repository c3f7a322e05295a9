#!/bin/sh
# terminal.sh SUPPROF FIXTURES
#
# What depends on a terminal: width, colour, progress. script(1) provides one.
. "$(dirname "$0")/../lib.sh"
supprof=$1
log=$2/small-float.log.gz

# on_terminal COLUMNS ARGUMENTS: runs supprof on a terminal; what it shows goes to $work/seen.
on_terminal() {
    checked=$((checked + 1))
    script -qec "stty cols $1 rows 50; '$supprof' $2" /dev/null </dev/null |
        tr -d '\r' >"$work/seen"
}

escape=$(printf '\033')
for columns in 60 80 100 120 200; do
    on_terminal $columns "--color=never --progress=never --top 0 '$log'"
    # The lines of the table: a character a column.
    widest=$(grep -E '^ *[0-9-]+\.[0-9]+ ' "$work/seen" | LC_ALL=C awk '
        { gsub(/[\200-\277]/, ""); if (length($0) > max) max = length($0) } END { print max + 0 }')
    [ "$widest" -gt 0 ] && [ "$widest" -le $columns ] ||
        fail "rows of $widest characters on a terminal of $columns"
done
grep -q "total%" "$work/seen" || fail "no total% on a wide terminal"

# Columns of numbers give way before the name of a file is cut.
"$supprof" --top 0 "$log" >"$work/whole" 2>/dev/null
on_terminal 80 "--color=never --progress=never --top 0 '$log'"
grep -Eo '…[^/ ]*\.lua:[0-9]+$' "$work/seen" | sort -u >"$work/cut"
[ -s "$work/cut" ] || fail "no place is cut at 80 columns"
while read -r place; do
    grep -qF "/${place#…}" "$work/whole" || fail "the file of '$place' is cut"
done <"$work/cut"
grep -q 'total m*s' "$work/seen" && fail "a column stays where names need its place"

on_terminal 100 "--progress=never '$log'"
grep -q 'total m*s' "$work/seen" || fail "no total time at 100 columns"
grep -q "$escape" "$work/seen" || fail "no colour on a terminal"
NO_COLOR=1 on_terminal 80 "--progress=never '$log'"
! grep -q "$escape" "$work/seen" || fail "NO_COLOR is not honoured"
TERM=dumb on_terminal 80 "--progress=never '$log'"
! grep -q "$escape" "$work/seen" || fail "TERM=dumb is not honoured"
on_terminal 80 "--progress=always '$log' 2>'$work/progress'"
grep -q '%' "$work/progress" || fail "no progress"
"$supprof" --top 3 "$log" 2>"$work/progress" | grep -q "$escape" && fail "colour on a pipe"
[ ! -s "$work/progress" ] || fail "progress that is not seen"
script -qec "'$supprof'" /dev/null </dev/null >"$work/seen"
grep -q 'no log is named' "$work/seen" || fail "reads a log from the keyboard"
finish runs
