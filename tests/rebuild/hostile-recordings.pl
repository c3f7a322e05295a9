#!/usr/bin/perl
# hostile-recordings.pl SUPPROF: recordings that were made to take much time or memory, at N and
# 2N. The user time of twice as much must be at most three times as long, and each fits into
# little memory. Prints what does not.
use strict;
use warnings;
use File::Temp qw(tempdir);
use List::Util qw(min);
use POSIX ();

my $supprof = shift or die "usage: $0 SUPPROF\n";
my $directory = tempdir('hostile-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $failures = 0;

sub fail { print "FAILED: $_[0]\n"; $failures++; }

my $begin = "begin version=1 state=sim unit=9.53674316e-07 marks=yes";

# The lines of one run.
sub run_of {
    my ($name, @lines) = @_;
    my $number = 0;
    return join '', map { "prof: \$2 $name " . ++$number . " $_\n" } @lines;
}

sub letters {
    my ($number) = @_;
    my $text = '';
    for ($number++; $number > 0; $number = int(($number - 1) / 26)) {
        $text = chr(ord('a') + ($number - 1) % 26) . $text;
    }
    return ucfirst $text;
}

my @FUNCTIONS = ('source 1 @a.lua', 'function 0 1 1 f', 'source 2 =[C]', 'function 1 2 -1 g', 'site 0 0,-2', 'site 1 0,1',
    'site 2 1,2', 'thread 1 main');

# The last line is cut, and uses what is not defined.
sub cut_with_threads {
    return substr run_of('s1', $begin, 'events 0 0 0 ' . join '', map { "\@$_" } 0 .. $_[0]), 0, -1;
}

sub cut_with_sites {
    return substr run_of('s1', $begin, 'events 0 0 0 ' . join '', map { letters($_) } 0 .. $_[0]), 0, -1;
}

# Every second line is missing, and there are many threads.
sub threads_and_losses {
    my ($count) = @_;
    my $text = run_of('s1', $begin, @FUNCTIONS, 'events 1 0 0 ' . join '', map { "\@${_}A" } 1 .. $count);
    my $number = @FUNCTIONS + 2;
    $text .= 'prof: $2 s1 ' . ($number += 2) . " events 1 0 0 A\n" for 1 .. $count;
    return $text;
}

sub runs { return join '', map { run_of("s$_", $_ % 2 ? 'events 1 0 0 A' : 'x') } 1 .. $_[0] }

# A function is called from everywhere before it shows that it suspends its thread.
sub late_suspension {
    my ($count) = @_;
    my @sites = map { 'site ' . ($_ + 2) . " 1,$_" } 1 .. $count;
    my $calls = join '', map { letters($_ + 2) . '.' } 1 .. $count;
    return run_of('s1', $begin, @FUNCTIONS, @sites, "events 1 0 0 A$calls", ('events 1 0 0 C1.1!') x $count);
}

# Callbacks inside of callbacks, and tail calls of roots above them.
sub roots_on_roots {
    my ($count) = @_;
    return run_of('s1', $begin, @FUNCTIONS, 'events 1 0 0 ' . 'AC' x $count . 'A.,' x $count);
}

# Numbers that are far apart, in few runs.
sub ids {
    my ($count) = @_;
    return join '', map {
        my $id = 16777215 - $_ % 1000;
        run_of('s' . int($_ / 50), "source $id a", "function $id $id 1 f", "site $id $id,1", "thread $id main")
    } 1 .. $count;
}

# Returns the seconds of user time.
sub seconds {
    my ($name, $text) = @_;
    my $log = "$directory/log";
    open my $file, '>:raw', $log or die "$log: $!\n";
    print $file $text;
    close $file or die "$log: $!\n";
    my $kilobytes = 256 * 1024 + int(length($text) / 1024) * 200;
    my $before = (times)[2];
    my $status = system "ulimit -v $kilobytes; ulimit -t 600; exec '$supprof' -q -f csv '$log' >'$directory/out' 2>'$directory/errors'";
    fail("$name: status " . ($status >> 8) . ', signal ' . ($status & 127)) if $status != 0 && $status != 3 << 8;
    return (times)[2] - $before;
}

my %makers = (
    'a cut line with threads that are not defined' => [ \&cut_with_threads, 160000 ],
    'a cut line with sites that are not defined' => [ \&cut_with_sites, 160000 ],
    'threads and lost lines' => [ \&threads_and_losses, 80000 ],
    'many runs' => [ \&runs, 80000 ],
    'a function that suspends late' => [ \&late_suspension, 80000 ],
    'roots on roots' => [ \&roots_on_roots, 400000 ],
    'large numbers' => [ \&ids, 40000 ],
);
for my $name (sort keys %makers) {
    my ($make, $count) = @{ $makers{$name} };
    my @texts = map { $make->($_) } $count, 2 * $count;
    # The least of some rounds: other programs run on this machine.
    my ($once, $twice);
    for (1 .. 10) {
        my @seconds = map { seconds($name, $_) } @texts;
        $once = min(grep { defined } $once, $seconds[0]);
        $twice = min(grep { defined } $twice, $seconds[1]);
        last if $twice <= 3 * $once + 0.05;
    }
    printf "%-45s %6d: %.2f s, twice that: %.2f s\n", $name, $count, $once, $twice;
    fail("$name: $once s, and $twice s for twice as much") if $twice > 3 * $once + 0.05;
}

# A run that has not ended is given up when reading fails, with a long stack on its thread.
open my $file, '>:raw', "$directory/log" or die "$directory/log: $!\n";
print $file run_of('s1', $begin, @FUNCTIONS, 'thread 2 coroutine', 'events 1 0 0 A@2A@1' . 'B' x 40000), "prof: x\n";
close $file or die "$directory/log: $!\n";
for my $arguments ("'$directory/log' '$directory/missing'", "--strict '$directory/log'") {
    my $status = system "'$supprof' -q $arguments >/dev/null 2>&1";
    fail("$arguments: status " . ($status >> 8) . ', signal ' . ($status & 127)) if $status != 1 << 8 && $status != 3 << 8;
}
print "$failures failed\n";
exit($failures ? 1 : 0);
