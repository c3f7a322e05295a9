#!/bin/sh
# itself.sh SUPPROF FIXTURES
#
# Compared with itself, a log has no differences: none of its functions is gone or new, and all
# columns of differences are 0; its findings are all still there, with equal numbers. For all fixtures, by functions, lines and stacks.
. "$(dirname "$0")/../lib.sh"
supprof=$1
cd "$2" || exit 1

# The numbers come last in a line, so commas in names do not matter.
differences() {
    perl -lne '
        $record .= $_;
        next if ($record =~ tr/"//) % 2; # a cell of several lines
        my @cells = reverse split /,/, $record, -1;
        $record = "";
        @names = @cells if $. == 1;
        for my $i (0 .. $#names) {
            print "$names[$i] is $cells[$i] in $_"
                if $. > 1 && $names[$i] =~ /^diff_/ && $cells[$i] !~ /^(0(\.0+)?)?$/;
        }'
}

for log in *.log *.log.gz rebuild/*.log; do
    "$supprof" "$log" >/dev/null 2>&1 || continue
    checked=$((checked + 1))
    "$supprof" --diff "$log" "$log" 2>/dev/null | grep -E '; ([1-9].* gone|0 gone, [1-9])' &&
        fail "--diff $log $log has functions in one of them only"
    found=$("$supprof" -f json --diff "$log" "$log" 2>/dev/null | sed -n '/"judged_findings"/,/^"recordings"/p' |
        grep '"fate"' | grep -vE '"fate":"still-there".*"new":([0-9]+),"old":\1,')
    [ -z "$found" ] || fail "--diff $log $log: $found"
    for by in function line stack; do
        found=$("$supprof" -f csv --by "$by" --diff "$log" "$log" 2>/dev/null | differences)
        [ -z "$found" ] || fail "--by $by --diff $log $log: $found"
    done
done
finish logs 31
