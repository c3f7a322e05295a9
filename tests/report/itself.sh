#!/bin/sh
# itself.sh SUPPROF FIXTURES
#
# Compared with itself, a log has no differences: none of its functions is gone or new, and all
# columns of differences are 0; its findings are all still there, with equal numbers. For all fixtures, by functions, lines and stacks.
. "$(dirname "$0")/../lib.sh"
supprof=$1
cd "$2" || exit 1

# compare BY OUTPUT...: of $log.
compare() {
    by=$1
    shift
    "$supprof" -q --by "$by" "$@" --diff "$log" "$log" >/dev/null 2>&1
}

# The numbers come last in a line of csv, so commas in names do not matter.
differences() {
    perl -lne '
        if ($ARGV =~ /top$/) {
            print "functions in one of them only: $_" if /^ +[-+\d., ]+ (?:new|gone) /;
        } elsif ($ARGV =~ /json$/) {
            $inside = !/^"recordings"/ if $inside || /"judged_findings"/;
            print if $inside && /"fate"/ && !/"fate":"still-there".*"new":(\d+),"old":\1,/;
        } else {
            $record .= $_;
            next if ($record =~ tr/"//) % 2; # a cell of several lines
            my @cells = reverse split /,/, $record, -1;
            $record = "";
            @names = @cells if $. == 1;
            for my $i (0 .. $#names) {
                print "$ARGV: $names[$i] is $cells[$i] in $_"
                    if $. > 1 && $names[$i] =~ /^diff_/ && $cells[$i] !~ /^(0(\.0+)?)?$/;
            }
        }
        close ARGV if eof;' "$@"
}

for log in *.log *.log.gz rebuild/*.log; do
    compare function -o "$work/x.top" -o "$work/x.json" -o "$work/function.csv" || {
        ! "$supprof" -f csv "$log" >/dev/null 2>&1 || fail "--diff $log $log fails"
        continue
    }
    compare line -o "$work/line.csv" && compare stack -o "$work/stack.csv" || fail "--by --diff $log $log fails"
    checked=$((checked + 1))
    found=$(differences "$work"/x.top "$work"/x.json "$work"/*.csv)
    [ -z "$found" ] || fail "--diff $log $log: $found"
done
finish logs 150
