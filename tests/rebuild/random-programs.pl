#!/usr/bin/perl
# random-programs.pl SUPPROF [FIRST_SEED [COUNT]]
# random-programs.pl --print SEED | --truth SEED
#
# Makes random runs of programs (GameModel.pm), writes them as profiler.lua would
# (GameRecorder.pm), and compares what SUPPROF makes of the log with what was executed. The truth
# comes from the execution and never from the log, so it shares nothing with a reader but the
# definitions in supprof-log(5), "How call stacks are rebuilt".
#
# Prints a line of summary, and for each seed that fails the first rows that differ and the
# name of its log, which is kept; exit status 1 then.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/..";
use GameModel qw(chance pick make_functions);
use GameRecorder;
use Lib qw(read_csv write_file);

# Joins the lines of runs that go on side by side, with other lines between.
sub interleave {
    my (@runs) = @_;
    my @lines;
    while (grep { @$_ } @runs) {
        my $run = pick(grep { @$_ } @runs);
        push @lines, pick('info: something', 'warning: a warning', 'debug: profile', 'info: prof is slow',
            "      indented\t\$2", 'info: Hooked /lua/a.lua with /mods/b/c.lua') if chance(0.1);
        push @lines, map { "info: $_" } splice @$run, 0, 1 + int rand 4;
    }
    return @lines;
}

# The rows of all runs of a state: supprof never adds up those of two states.
sub sum_up {
    my ($models) = @_;
    my %rows;
    $_->add_to(\%rows) for @$models;
    # The total of a stack is the self time of all that begins with it.
    for my $stack (keys %rows) {
        for (my $above = $stack; ; $above =~ s/;[^;]*$// or last) {
            $rows{$above}{total} += $rows{$stack}{self};
            $rows{$above}{below}++;
        }
    }
    delete @rows{ grep { !$rows{$_}{calls} && !$rows{$_}{self} && !$rows{$_}{errors} && !$rows{$_}{kb} } keys %rows };
    for my $row (values %rows) {
        $row->{mean} = $row->{sum} / $row->{count} if $row->{count};
    }
    return \%rows;
}

sub make {
    my ($seed) = @_;
    srand $seed;
    my $functions = make_functions();
    my %options = (marks => chance(0.75), memory => chance(0.3), call_lines => chance(0.85),
        unit => pick(1 / 1048576, 1 / 1048576, 1 / 65536, 1 / 4096), longest => pick(5, 60, 900));
    my (%models, %lines);
    for my $run (chance(0.3) ? qw(s1 s2) : 's1', chance(0.25) ? 'u1' : ()) {
        my $recorder = GameRecorder->new(%options, run => $run, at => 60 + rand 100,
            forget_depth => pick(5, 30, 1000), has_end => chance(0.9));
        my $model = GameModel->new($functions, $recorder, %options, deepest => pick(3, 8, 40));
        $model->run(pick(40, 300, 3000));
        push @{ $lines{ substr $run, 0, 1 } }, @{ $recorder->{lines} };
        push @{ $models{ $run =~ /^s/ ? 'sim' : 'ui' } }, $model;
    }
    my $end = pick("\n", "\r\n");
    my $log = join '', map { "$_$end" } interleave(map { $lines{$_} } sort keys %lines);
    return ($log, { map { $_ => sum_up($models{$_}) } keys %models });
}

my @COLUMNS = qw(calls errors self_us total_us min_us mean_us max_us alloc_kb);
my %KEYS = (alloc_kb => 'kb', map { $_ => /^(\w+)_us$/ ? $1 : $_ } @COLUMNS[ 0 .. 6 ]);

sub read_rows {
    my ($text) = @_;
    my %rows;
    for my $row (read_csv($text)) {
        die "two rows of $row->{stack}\n" if $rows{ $row->{stack} };
        $rows{ $row->{stack} } = $row;
    }
    return \%rows;
}

sub compare {
    my ($truth, $rows) = @_;
    my @differences;
    for my $stack (sort keys %{ { %$truth, %$rows } }) {
        my ($true, $row) = ($truth->{$stack}, $rows->{$stack});
        if (!$true || !$row) {
            push @differences, ($true ? 'lacks' : 'has no business with') . " $stack";
            next;
        }
        for my $column (@COLUMNS) {
            my ($wanted, $got) = ($true->{ $KEYS{$column} }, $row->{$column});
            $got = undef if defined $got && $got eq '';
            $got //= 0 if $column eq 'alloc_kb';
            next if !defined $wanted && !defined $got;
            # Rounding of each stack, and of the unit, which the log has with 9 digits.
            my $tolerance = $column =~ /_us$/ ? 0.0021 + 0.001 * $true->{below} + 3e-9 * ($wanted // 0) : 0;
            next if defined $wanted && defined $got && abs($wanted - $got) <= $tolerance;
            push @differences, sprintf '%s %s, truth %s, of %s', $column, $got // 'none', $wanted // 'none', $stack;
        }
    }
    return @differences;
}

if (@ARGV == 2 && $ARGV[0] eq '--print') { print +(make($ARGV[1]))[0]; exit }
if (@ARGV == 2 && $ARGV[0] eq '--truth') {
    my $truth = (make($ARGV[1]))[1];
    print join("\t", 'state', 'stack', @COLUMNS), "\n";
    for my $state (sort keys %$truth) {
        my $rows = $truth->{$state};
        print join("\t", $state, $_, map { $_ // '' } @{ $rows->{$_} }{ @KEYS{@COLUMNS} }), "\n" for sort @{ [ keys %$rows ] };
    }
    exit;
}
die "usage: $0 SUPPROF [FIRST_SEED [COUNT]] | --print SEED | --truth SEED\n" if !@ARGV || @ARGV > 3;
my ($supprof, $first, $count) = (@ARGV, (1, 200)[ @ARGV - 1 .. 1 ]);
my $directory = tempdir('random-programs-XXXXXX', TMPDIR => 1);
my ($failed, $compared) = (0, 0);
for my $seed ($first .. $first + $count - 1) {
    my ($log, $truth) = make($seed);
    my $path = "$directory/$seed.log";
    write_file($path, $log);
    my @differences;
    for my $state (sort keys %$truth) {
        my $csv = qx('$supprof' --state=$state --overhead=off -f csv --by=stack '$path' 2>'$path.errors');
        push @differences, $? ? sprintf 'exit status %d', $? >> 8 : compare($truth->{$state}, read_rows($csv));
        push @differences, "said: $_" for -s "$path.errors" ? do { open my $said, '<', "$path.errors"; <$said> } : ();
        $compared += keys %{ $truth->{$state} };
    }
    unlink "$path.errors";
    unlink $path if !@differences;
    next if !@differences;
    $failed++;
    print "seed $seed: ", scalar @differences, " differences, log $path\n";
    print '    ', $_, "\n" for map { s/\s+$//r } splice @differences, 0, 5;
}
print "$count seeds, $compared stacks compared, $failed failed\n";
rmdir $directory;
exit($failed ? 1 : 0);
