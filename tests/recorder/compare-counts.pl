#!/usr/bin/perl
# compare-counts.pl TRUTH COUNTS: compares the counts of sim_host --truth-out with those of
# events.pl, without what the profiler itself has called. Prints what differs; exit status 1
# then, and when there is too little to compare.
use strict;
use warnings;

# The profiler is the end of simInit.lua, and is started and stopped by chunks of their own.
my $own = qr/siminit\.lua:\d+$|^(?:Start|Stop)Profiler\(\):0$/;

sub read_counts {
    my ($path) = @_;
    my (%calls, %edges);
    open my $file, '<', $path or die "$path: $!\n";
    while (<$file>) {
        chomp;
        my ($kind, @fields) = split /\t/;
        if ($kind eq 'call') { $calls{ $fields[0] } += $fields[1] if $fields[0] !~ $own }
        elsif ($kind eq 'edge') { $edges{"$fields[0]\t$fields[1]\t$fields[2]"} += $fields[3] }
    }
    for my $edge (keys %edges) {
        my ($from, $line, $to) = split /\t/, $edge;
        next if $from !~ $own && $to !~ $own;
        $calls{$to} -= $edges{$edge} if exists $calls{$to};
        delete $edges{$edge};
    }
    # The host's own calls of debug.sethook count on no side.
    delete $calls{'C:debug.sethook'};
    return (\%calls, \%edges);
}

# A C function that is in no global table has whatever name it was called by, or none.
sub forget_names {
    my ($counts, $known) = @_;
    my %result;
    for my $key (keys %$counts) {
        (my $plain = $key) =~ s/(^|\t)(C:[^\t]*)/$1 . ($known->{$2} ? $2 : 'C:?')/ge;
        $result{$plain} += $counts->{$key};
    }
    return \%result;
}

my ($truth_calls, $truth_edges) = read_counts($ARGV[0]);
my ($calls, $edges) = read_counts($ARGV[1]);
my %known = map { $_ => 1 } grep { /^C:(?!\?)/ } keys %$truth_calls;
my $differ = 0;
for ([ 'call', $truth_calls, $calls ], [ 'edge', $truth_edges, $edges ]) {
    my ($kind, $true, $ours) = @$_;
    $true = forget_names($true, \%known);
    $ours = forget_names($ours, \%known);
    my %all = (%$true, %$ours);
    for (sort keys %all) {
        my ($t, $o) = ($true->{$_} // 0, $ours->{$_} // 0);
        next if $t == $o;
        print "$kind $_: $o, truth $t\n" if ++$differ <= 20;
    }
    printf "%d %ss compared\n", scalar(keys %all), $kind;
    $differ++ if keys %all < 15;
}
print "$differ differ\n";
exit($differ ? 1 : 0);
