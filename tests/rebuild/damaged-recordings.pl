#!/usr/bin/perl
# damaged-recordings.pl SUPPROF LOG|SEED [FLIPS]: damages a small log of profiler.lua, or the one
# that random-programs.pl makes of a seed, in every way that is small, runs SUPPROF on each
# variant, and checks what must hold all the same:
#
# - it ends with status 0, or 3 when there is nothing to report, and no sanitizer says a word;
# - the self times add up to the totals of the roots;
# - a log that is cut after a line has no more calls of any stack than the whole;
# - a line that comes twice, or a lost line that is none of the profiler's, changes nothing.
#
# Prints a line of summary, and for the first failures what was done to the log.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(read_csv read_file write_file);

die "usage: $0 SUPPROF LOG|SEED [FLIPS]\n" if @ARGV < 2 || @ARGV > 3;
my ($supprof, $log, $flips) = (@ARGV, 500);
my $directory = tempdir('damage-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($variants, $failures) = (0, 0);

sub fail {
    my ($what, $why) = @_;
    print "$what: $why\n" if ++$failures <= 20;
}

# Returns the CSV for a log, or undef when something is wrong with the run itself.
sub run {
    my ($what, $text) = @_;
    $variants++;
    write_file("$directory/log", $text);
    my $csv = qx('$supprof' -f csv --by=stack --overhead=off '$directory/log' 2>'$directory/errors');
    my ($signal, $status) = ($? & 127, $? >> 8);
    my @bad = grep { /ERROR: AddressSanitizer|LeakSanitizer|runtime error/ } split /^/, read_file("$directory/errors");
    if ($signal || $status != 0 && $status != 3 || @bad) {
        return fail($what, "signal $signal, status $status" . (@bad ? ", $bad[0]" : ''));
    }
    return $csv;
}

# The rows by stack: calls, self and total. Names are left out, since the lines that bring them
# may be lost; a place is enough to tell a Lua function by.
sub rows {
    my ($csv) = @_;
    my %rows;
    for my $row (read_csv($csv)) {
        my ($stack, @numbers) = @$row{qw(stack calls self_us total_us)};
        $stack =~ s/(^|;)[^; ]* (?=[^;]*:\d+(?:;|$))/$1/g;
        $rows{$stack} //= [ 0, 0, 0 ];
        $rows{$stack}[$_] += $numbers[$_] for 0 .. 2;
    }
    return \%rows;
}

# A root that has neither calls nor time of its own has no row; those it called stand for it then.
sub check_sums {
    my ($what, $rows) = @_;
    my ($self, $total) = (0, 0);
    for my $stack (keys %$rows) {
        $self += $rows->{$stack}[1];
        my ($above, $is_outermost) = ($stack, 1);
        while ($above =~ s/;[^;]*$//) { $is_outermost = 0 if $rows->{$above} }
        $total += $rows->{$stack}[2] if $is_outermost;
    }
    fail($what, "the self times are $self us, the roots $total")
        if abs($self - $total) > 0.01 + 0.002 * keys %$rows;
}

sub check {
    my ($what, $text) = @_;
    my $csv = run($what, $text);
    check_sums($what, rows($csv)) if defined $csv;
    return $csv;
}

# The stack of a function that was called by a tail call of a root is known when that returns;
# before, it stands alone. So a stack may be the end of one that the whole log has.
sub check_calls {
    my ($what, $rows, $whole) = @_;
    for my $stack (keys %$rows) {
        my $most = 0;
        for my $longer (keys %$whole) {
            $most += $whole->{$longer}[0] if substr(";$longer", -length($stack) - 1) eq ";$stack";
        }
        my $calls = $rows->{$stack}[0];
        fail($what, "$calls calls, the whole log has $most, of $stack") if $calls > $most;
    }
}

my @read = $log =~ /^\d+$/ ? ('-|:raw', $^X, "$FindBin::Bin/random-programs.pl", '--print', $log) : ('<:raw', $log);
open my $file, shift @read, @read or die "$log: $!\n";
my @lines = <$file>;
my $is_ours = qr/^info: prof: \$/;
my $undamaged = check('undamaged', join '', @lines) // exit 1;
my $whole = rows($undamaged);
fail('undamaged', 'no rows') if !%$whole;

for my $i (0 .. $#lines) {
    my $line = $i + 1;
    my ($before, $after) = map { join '', @lines[@$_] } [ 0 .. $i - 1 ], [ $i + 1 .. $#lines ];
    my $cut = check("cut after line $line", $before . $lines[$i]);
    check_calls("cut after line $line", rows($cut), $whole) if defined $cut;
    my $dropped = check("line $line dropped", $before . $after);
    fail("line $line dropped", 'it was none of ours') if $lines[$i] !~ $is_ours && ($dropped // '') ne $undamaged;
    my $twice = check("line $line twice", $before . $lines[$i] x 2 . $after);
    fail("line $line twice", 'makes a difference') if defined $twice && $twice ne $undamaged;
    next if $i == $#lines;
    check("line $line swapped with the next", join '', @lines[ 0 .. $i - 1, $i + 1, $i, $i + 2 .. $#lines ]);
}

# A crash cuts the last line anywhere; where that is, is worth trying in lines of events alone.
my @events = grep { $lines[$_] =~ / events / } 0 .. $#lines;
for my $i (@events > 3 ? @events[ -3 .. -1 ] : @events) {
    for my $length (1 .. length($lines[$i]) - 1) {
        my $what = 'cut in line ' . ($i + 1) . ", byte $length";
        my $cut = check($what, join('', @lines[ 0 .. $i - 1 ]) . substr $lines[$i], 0, $length);
        check_calls($what, rows($cut), $whole) if defined $cut;
    }
}

# Bits, and bytes that mean something to a reader.
my $text = join '', @lines;
srand 1;
for (1 .. $flips) {
    my $at = int rand length $text;
    my $damaged = $text;
    my $byte = substr "0 9.,!~^()@#+:AZaz-\$\n\\;\0", rand 25, 1;
    $byte = substr($text, $at, 1) ^ chr(1 << int rand 8) if rand() < 0.5;
    substr($damaged, $at, 1) = $byte;
    check("byte $at is " . ord $byte, $damaged);
}
print "$variants variants, $failures failed\n";
exit($failures ? 1 : 0);
