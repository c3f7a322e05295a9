#!/usr/bin/perl
# mutated-recordings.pl SUPPROF [FIRST_SEED [COUNT]]
# mutated-recordings.pl --print SEED
#
# Changes a few events of a random program's recording (random-programs.pl), so that calls and
# returns no longer fit together, and compares what SUPPROF makes of it with what rebuild.pl does:
# both have the rules of supprof-log(5) for what a recorder would not write.
#
# Prints a line of summary, and for each seed that fails what differs; exit status 1 then.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(write_file);

my $EVENT = qr/[A-Z][a-z]*\d*(?:\+\d+)?|[.,!]\d*(?:\+\d+)?|\^\d+\.\d*(?:\+\d+)?|[@#]\d+|\((?:[A-Z][a-z]*)*\)|~/;

sub pick { return $_[ rand @_ ] }

# Changes one event, or two that follow one another.
sub mutate {
    my ($events, $sites, $functions, $threads) = @_;
    my $at = int rand @$events;
    my $way = int rand 8;
    if ($way == 0) { splice @$events, $at, 1 }
    elsif ($way == 1) { splice @$events, $at, 0, $events->[$at] }
    elsif ($way == 2 && $at > 0) { @$events[ $at - 1, $at ] = @$events[ $at, $at - 1 ] }
    elsif ($way == 3) { splice @$events, $at, 0, pick(@$sites) . int rand 5 }
    elsif ($way == 4) { splice @$events, $at, 0, pick('.', ',', '!') . int rand 5 }
    elsif ($way == 5) { splice @$events, $at, 0, '^' . pick(@$functions) . '.' . int rand 5 }
    elsif ($way == 6) { splice @$events, $at, 0, '@' . pick(@$threads) }
    else { splice @$events, $at, 0, '~' }
}

sub make {
    my ($seed) = @_;
    my @lines = qx('$^X' '$FindBin::Bin/random-programs.pl' --print $seed);
    srand $seed;
    my ($run) = map { / (s\d+|u\d+) \d+ events / ? $1 : () } @lines;
    my @indexes = grep { $lines[$_] =~ / $run \d+ events / } 0 .. $#lines;
    my (%sites, %functions, %threads);
    for (1 .. 1 + int rand 4) {
        my $line = \$lines[ pick(@indexes) ];
        my ($start, $text) = $$line =~ /^(.* events \S+ \S+ \S+ )(.*)\n/s or next;
        my @events = $text =~ /$EVENT/g;
        # Only what the line has itself is sure to be defined.
        my @line_sites = map { /^([A-Z][a-z]*)/ ? $1 : () } @events;
        my @line_functions = map { /^\^(\d+)/ ? $1 : () } @events;
        my @line_threads = map { /^@(\d+)/ ? $1 : () } @events;
        next if !@line_sites;
        mutate(\@events, \@line_sites, @line_functions ? \@line_functions : [1],
            @line_threads ? \@line_threads : [ $start =~ / events (\d+) / ]);
        $$line = $start . join('', @events) . "\n" if @events;
    }
    return join '', @lines;
}

my ($supprof, $first, $count) = @ARGV;
die "usage: $0 SUPPROF [FIRST_SEED [COUNT]] | --print SEED\n" if !defined $supprof;
if ($supprof eq '--print') { print make($first); exit }
($first, $count) = ($first // 1, $count // 60);
my $directory = tempdir('mutated-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $failures = 0;
for my $seed ($first .. $first + $count - 1) {
    write_file("$directory/log", make($seed));
    my $status = system "'$supprof' -q --overhead=off --paths=full -f csv --by=stack '$directory/log' >'$directory/supprof.csv' 2>'$directory/errors'";
    system "'$^X' '$FindBin::Bin/rebuild.pl' --by stack '$directory/log' >'$directory/wanted.tsv' 2>/dev/null";
    my $differences = qx('$^X' '$FindBin::Bin/compare-rebuilt.pl' '$directory/wanted.tsv' '$directory/supprof.csv' 2>&1);
    next if $status == 0 && $? == 0;
    $failures++;
    print "seed $seed: supprof's status is $status, and\n", $differences;
}
print "$count recordings, $failures failed\n";
exit($failures ? 1 : 0);
