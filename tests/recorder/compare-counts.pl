#!/usr/bin/perl
# compare-counts.pl TRUTH COUNTS [FEWEST [REMOVED]]: compares the counts of sim_host --truth-out with those of
# events.pl or supprof-counts.pl, without what the profiler itself has called. Prints what differs; exit status 1
# then, and when there are fewer than FEWEST (15) of a kind to compare. REMOVED is a function that the recorder
# did not find under its name.
use strict;
use warnings;

# The profiler is the end of simInit.lua, and is started and stopped by chunks of their own. The game's
# own simInit.lua has less than 1,000 lines.
my $place = qr/(?:siminit\.lua:\d+|simInit\.lua:\d{4})/;
my $own = qr/$place$|^(?:Start|Stop)Profiler\(\):0$/;
my $has_own = qr/(?:$place|\t(?:(?:Start|Stop)Profiler\(\):0|C:debug\.sethook))(?:\t|$)/;

# A stack without the frames that were lost at its root: nothing can tell how many.
sub read_stack {
    my ($frames) = @_;
    return $frames =~ s/^(?:-1\t\?\t)+//r;
}

sub read_counts {
    my ($path, $wants_stacks) = @_;
    my (%calls, %edges, %stacks);
    open my $file, '<', $path or die "$path: $!\n";
    while (<$file>) {
        chomp;
        if (/^stack\t(\d+)\t(.*)$/) {
            $stacks{ read_stack($2) } += $1 if $wants_stacks && !/$has_own/;
            next;
        }
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
    return (\%calls, \%edges, \%stacks);
}

# A C function that is in no global table has a name on one side only.
sub forget_names {
    my ($counts, $known) = @_;
    my %result;
    for my $key (keys %$counts) {
        (my $plain = $key) =~ s/(^|\t)(C:[^\t]*)/$1 . ($known->{$2} ? $2 : 'C:?')/ge;
        $result{$plain} += $counts->{$key};
    }
    return \%result;
}

my ($truth_calls, $truth_edges, $truth_stacks) = read_counts($ARGV[0], 1);
my ($calls, $edges, $stacks) = read_counts($ARGV[1], scalar %$truth_stacks);
my @names = grep { /^C:(?!\?)/ && $truth_calls->{$_} > 0 } keys %$truth_calls;
my %known = map { $_ => 1 } grep { exists $calls->{$_} } @names;
my $fewest = $ARGV[2] // 15;
my $differ = 0;
my $unknown = join ' ', sort grep { !$known{$_} } @names;
if ($unknown ne (defined $ARGV[3] ? "C:$ARGV[3]" : '')) {
    print "names that are not known: $unknown\n";
    $differ++;
}
for ([ 'call', $truth_calls, $calls ], [ 'edge', $truth_edges, $edges ], [ 'stack', $truth_stacks, $stacks ]) {
    my ($kind, $true, $ours) = @$_;
    next if $kind eq 'stack' && (!%$true || !%$ours);
    $true = forget_names($true, \%known);
    $ours = forget_names($ours, \%known);
    my %all = (%$true, %$ours);
    for (sort keys %all) {
        my ($t, $o) = ($true->{$_} // 0, $ours->{$_} // 0);
        next if $t == $o;
        print "$kind $_: $o, truth $t\n" if ++$differ <= 20;
    }
    printf "%d %ss compared\n", scalar(keys %all), $kind;
    $differ++ if keys %all < $fewest;
}
print "$differ differ\n";
exit($differ ? 1 : 0);
