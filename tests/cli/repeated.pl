#!/usr/bin/perl
# repeated.pl SUPPROF DIRECTORY_OF_LOGS [DRAWS]
#
# 1. A log named twice with --repeated has the medians that it has alone, for every log of the
#    fixtures and every kind of row.
# 2. In logs that have other functions, a row has the values of the logs alone, and 0 where it is not; medians, spreads,
#    ends and changes are those that this script computes.
# 3. Two groups of 8 logs of the same program, 5 % noise a log: the total is wrongly marked as changed
#    in at most 6.5 % of the draws. With 2 % noise and 10 % more in one function: that function is found in
#    at least 95 %. The seed is fixed.
use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(csv_rows);

my ($supprof, $fixtures, $draws) = (@ARGV, 1000);
my $directory = tempdir(CLEANUP => 1);
my ($checked, $failed) = (0, 0);
# Logs without a profile are many, and each says so.
open STDERR, '>', '/dev/null' or die;
$SIG{__DIE__} = sub { print @_ };

sub fail {
    print "FAILED: @_\n";
    $failed++;
}

# The rows of CSV: {key => {column => value}}; the key is what stands before the numbers.
sub rows {
    my ($numbers, @command) = @_;
    open my $pipe, '-|', $supprof, '-q', '-f', 'csv', @command or die "$supprof: $!\n";
    my ($names, @rows) = csv_rows(do { local $/; <$pipe> } // '');
    close $pipe;
    my ($first) = grep { $names->[$_] =~ /$numbers/ } 0 .. $#$names;
    my %rows;
    @{ $rows{ join ',', @$_[ 0 .. $first - 1 ] } }{@$names} = @$_ for @rows;
    return \%rows;
}

for my $log (glob "$fixtures/*.log $fixtures/*.log.gz") {
    # Functions that no reader can tell apart are not found in another log.
    next if $log =~ /alike-names/;
    for my $by (qw(function file mod line stack thread)) {
        my $alone = rows(qr/^calls$/, '--by', $by, $log);
        next if !%$alone;
        # Lines that only ran have nothing that is repeated.
        delete @$alone{ grep { my $row = $alone->{$_}; $row->{line_self_us} && !$row->{calls} && $row->{total_us} == 0 } keys %$alone };
        my $twice = rows(qr/^self_us$/, '--by', $by, '--repeated', $log, $log);
        $checked++;
        fail("$log by $by: " . keys(%$twice) . ' rows, not ' . keys %$alone) if keys %$twice != keys %$alone;
        for my $key (keys %$alone) {
            for my $column (qw(self_us total_us calls)) {
                my ($is, $wanted) = ($twice->{$key}{$column} // 'nothing', $alone->{$key}{$column});
                fail("$log by $by, $key: $column $is, not $wanted") if $is ne $wanted;
            }
        }
        last if $failed > 10;
    }
}

sub median {
    my @values = sort { $a <=> $b } @_;
    return ($values[@values / 2] + $values[(@values - 1) / 2]) / 2;
}

# Median, spread and ends, as CSV writes them.
sub summary {
    my $median = median(@_);
    my @values = sort { $a <=> $b } @_;
    return map { sprintf '%.3f', $_ } $median, median(map { abs($_ - $median) } @_), @values[0, -1];
}

# Logs that have other functions: each row has its values in the logs alone, and 0 where it is not. The change is
# the median of all differences.
my @different = map { "$fixtures/$_.log" } qw(recursion edited-new repeated/new-1 repeated/new-2 repeated/new-2);
for my $by (qw(function file mod line stack thread)) {
    my @alone = map { rows(qr/^calls$/, '--by', $by, $_) } @different;
    my $all = rows(qr/^self_us$/, '--by', $by, '--repeated', @different);
    my $compared = rows(qr/^old_self_us$/, '--by', $by, '--repeated', (map { "--diff=$_" } @different[0, 1]),
        @different[2, 3, 4]);
    my %keys = map { $_ => 1 } map { keys %$_ } @alone;
    fail("by $by: " . keys(%$all) . ' rows of different logs, not ' . keys %keys) if keys %$all != keys %keys;
    for my $key (keys %keys) {
        for my $column (qw(self total)) {
            my @values = map { $_->{$key}{"${column}_us"} // 0 } @alone;
            my $is = join ' ', map { $all->{$key}{"${column}_${_}us"} // 'nothing' } '', 'spread_', 'min_', 'max_';
            my $wanted = join ' ', summary(@values);
            $checked++;
            fail("different logs by $by, $key: $column $is, not $wanted") if $is ne $wanted;
            my @old = @values[0, 1];
            my @new = @values[2, 3, 4];
            my @names = map { my $side = $_; map { "${side}_${column}_$_" } qw(us spread_us min_us max_us) } qw(old new);
            $is = join ' ', map { $compared->{$key}{$_} // 'nothing' } @names, "diff_${column}_us";
            my @differences = map { my $new = $_; map { $new - $_ } @old } @new;
            $wanted = join ' ', summary(@old), summary(@new), sprintf '%.3f', median(@differences);
            $checked++;
            fail("compared by $by, $key: $column $is, not $wanted") if $is ne $wanted;
        }
    }
}

sub normal {
    my $sum = -6;
    $sum += rand() for 1 .. 12;
    return $sum;
}

my %seconds = (A => 0.5, B => 0.3, C => 0.15, D => 0.05);
# So many programs are in one log, each a mod with noise of its own: as many draws at once.
my $programs = 200;

# Writes a log; all functions of a program are off by the same, as on a computer that is slow today.
sub write_log {
    my ($path, $noise, $factor_of_b) = @_;
    open my $log, '>', $path or die "$path: $!\n";
    for my $program (1 .. $programs) {
        my $factor = 1 + $noise * normal();
        for my $name (sort keys %seconds) {
            my $time = $seconds{$name} * $factor * ($name eq 'B' ? $factor_of_b : 1);
            printf $log "info: prof: \@c:\\game\\mods\\p%d\\x.lua,%d,%s,9;100,%.9f,t,f\n",
                $program, ord($name), $name, $time;
        }
    }
    close $log or die "$path: $!\n";
}

# How often something is told apart, of so many draws; `keys` match the rows to look at.
sub told_apart {
    my ($count, $noise, $factor_of_b, $by, $keys) = @_;
    my ($found, $all) = (0, 0);
    while ($all < $count) {
        write_log("$directory/old-$_.log", $noise, 1) for 1 .. 8;
        write_log("$directory/new-$_.log", $noise, $factor_of_b) for 1 .. 8;
        my $rows = rows(qr/^old_self_us$/, '--by', $by, '--repeated', '--diff', "$directory/old-*.log",
            map { "$directory/new-$_.log" } 1 .. 8);
        my @wanted = grep { /$keys/ } keys %$rows;
        die scalar(@wanted) . " rows, not $programs\n" if @wanted != $programs;
        $all += @wanted;
        $found += $rows->{$_}{self_told_apart} for @wanted;
    }
    return $found / $all;
}

srand 14;
my $false = told_apart($draws, 0.05, 1, 'mod', qr/^mods/);
printf "no change, 5 %% noise: marked as changed in %.1f %% of %d draws\n", 100 * $false, $draws;
fail('more than 6.5 %') if $false > 0.065;
fail('never, so nothing was tested') if $false == 0;
my $true = told_apart($draws, 0.02, 1.1, 'function', qr/^B,/);
printf "10 %% more in one function, 2 %% noise: found in %.1f %% of %d draws\n", 100 * $true, $draws;
fail('less than 95 %') if $true < 0.95;
# How often the interval of a function that is only in new logs, or only in old ones, holds its time.
for my $side (qw(new old)) {
    write_log("$directory/with-$_.log", 0.05, 1) for 1 .. 6;
    for my $i (1 .. 6) {
        open my $log, '>', "$directory/without-$i.log" or die;
        print $log "info: prof: \@c:\\game\\x.lua,1,Rest,9;100,0.5,t,f\n";
        close $log or die;
    }
    my ($old, $new) = $side eq 'new' ? qw(without with) : qw(with without);
    my $rows = rows(qr/^old_self_us$/, '--repeated', '--diff', "$directory/$old-*.log",
        map { "$directory/$new-$_.log" } 1 .. 6);
    my @wanted = map { $rows->{$_} } grep { /^B,/ } keys %$rows;
    die scalar(@wanted) . " rows, not $programs\n" if @wanted != $programs;
    my $truth = ($side eq 'new' ? 1 : -1) * $seconds{B} * 1e6;
    my $held = grep { $_->{diff_self_low_us} <= $truth && $truth <= $_->{diff_self_high_us} } @wanted;
    printf "only in %s logs: %d of %d intervals hold the time\n", $side, $held, $programs;
    fail("only $held of $programs intervals of functions of $side logs") if $held < 0.93 * $programs;
    fail('intervals are too wide') if grep { $_->{diff_self_high_us} - $_->{diff_self_low_us} > 0.5 * abs $truth } @wanted;
}
print "$checked comparisons, $failed failed\n";
exit($failed > 0 || $checked == 0);
