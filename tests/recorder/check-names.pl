#!/usr/bin/perl
# check-names.pl DIRECTORY BEFORE.csv AFTER.csv [MINIMUM]
#
# Compares the names of functions in two reports on one log; the second was made with --lua-root.
# Names that the log knows must stay. The others must be those in the sources below DIRECTORY: what
# stands after an arrow in the function's line, or else what the text of the line says. Prints how
# many were named, and fails when one is wrong, or when fewer than MINIMUM percent are named.
# Shares no code with supprof.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(read_csv read_file);

my ($directory, $before, $after, $minimum) = @ARGV;
my $wrong = 0;
my %lines;

# The line of a source that a function is defined in.
sub line_of {
    my ($file, $number) = @_;
    if (!$lines{$file}) {
        $lines{$file} = [];
        if (open my $in, '<', "$directory/$file") {
            chomp(@{$lines{$file}} = <$in>);
        }
    }
    return $lines{$file}[$number - 1];
}

# Returns a pattern that the name of a function must match, or nothing for a line unknown.
sub wanted {
    my ($line) = @_;
    return qr/^\Q$1\E$/ if $line =~ /--> (.*)$/;
    if ($line =~ /^\s*(?:local )?function ([\w.:]+)\(/) {
        my $name = $1;
        $name =~ tr/:/./;
        return qr/^\Q$name\E( in [\w.]+)?$/;
    }
    return qr/^\Q$1\E( in [\w.]+)?$/ if $line =~ /^\s*(?:local )?([\w.]+) = function\(/;
    return qr/^\Q$1\E\(function\)( in [\w.]+)?$/
        if $line =~ /([\w.:]+)\((?:[^()]*, )?function\(/;
    return qr/^\w+\.\Q$1\E( in [\w.]+)?$/ if $line =~ /\{(\w+) = function\(/;
    return qr/^anonymous( in [\w.]+)?$/ if $line =~ /^\s*return function\(/;
    return;
}

# The names of functions by source and line.
sub read_report {
    my ($path) = @_;
    return { map { ("$_->{source}:$_->{line}" => $_->{function}) } grep { $_->{line} >= 0 } read_csv(read_file($path)) };
}

my ($old, $new) = (read_report($before), read_report($after));
my ($nameless, $named) = (0, 0);
for my $place (sort keys %$old) {
    my $name = $new->{$place} // 'nothing';
    if ($old->{$place} ne '?') {
        next if $name eq $old->{$place};
        print "$place: $old->{$place} became $name\n";
        $wrong++;
        next;
    }
    $nameless++;
    next if $name eq '?';
    $named++;
    my ($file, $number) = $place =~ /^(.*):(\d+)$/s;
    my $line = $number > 0 ? line_of($file, $number) : undef;
    my $wanted = $number == 0 ? qr/^main chunk$/ : defined $line ? wanted($line) : undef;
    next if defined $wanted && $name =~ $wanted;
    print "$place: named $name, which ", $wanted // 'no pattern', " does not fit\n";
    $wrong++;
}
printf "%d nameless, %d named (%.1f%%), %d wrong\n", $nameless, $named,
    $nameless > 0 ? 100 * $named / $nameless : 0, $wrong;
exit($wrong > 0 || $nameless == 0 || $named < $nameless * ($minimum // 0) / 100);
