#!/usr/bin/perl
# supprof-counts.pl FUNCTIONS.csv STACKS.csv [TRUTH]: the calls of functions, the caller@line -> callee
# edges and the whole stacks that supprof found, in the format of sim_host's --truth-out. The files are what supprof
# wrote with --paths=full, the second one with --by=stack --call-sites. There are no stacks if TRUTH has none.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(csv_rows read_file);

sub key {
    my ($name, $source, $line) = @_;
    return "C:$name" if $source eq '[C]';
    $source = "\@$source" if $source =~ /\.(?:lua|bp)$/;
    $source = '=string' if $source eq 'string'; # what the engine calls some of its chunks
    $source =~ s/\n/\\n/g;
    $source =~ s/\t/\\t/g;
    return "$source:$line";
}

my %chunks; # first line as labels show it => source
my (undef, @functions) = csv_rows(read_file($ARGV[0]));
for my $row (@functions) {
    my ($name, $source, $line, $calls) = @$row;
    print "call\t", key($name, $source, $line), "\t$calls\n" if $calls > 0;
    my ($first) = $source =~ /^([^\n]*)/;
    $first =~ s/;/:/g;
    $chunks{$first} = $source;
}

# The key of a frame, which is a function's name and place.
my %keys;
sub key_of_frame { return $keys{ $_[0] } //= find_key(@_) }

sub find_key {
    my ($frame) = @_;
    return "C:$1" if $frame =~ /^(.*) \[C\]$/;
    if ($frame =~ /^\S+ \[string "(.*?)(?:\.\.\.)?"\]:(\d+)$/) {
        my ($start, $line) = ($1, $2);
        my ($first) = grep { index($_, $start) == 0 } sort keys %chunks;
        return key('', $chunks{ $first // '' } // $frame, $line);
    }
    return key('', $1, $2) if $frame =~ /^\S+ (.*):(-?\d+)$/;
    return $frame;
}

# The frames of a stack as the VM shows them: a frame and its call are one here, and a Lua
# function that made a tail call is gone.
sub stack_of {
    my @frames = @_;
    my @keys;
    while (@frames) {
        my $frame = shift @frames;
        if (@frames && $frames[0] =~ /^(.*)->(\d+)$/s && $1 eq $frame) {
            shift @frames;
            push @keys, $2, key_of_frame($frame);
        }
        elsif (@frames && $frame !~ /\[C\]$/) { push @keys, -1, '?' }
        else { push @keys, -1, key_of_frame($frame) }
    }
    return join "\t", @keys;
}

my $has_stacks = !defined $ARGV[2] || read_file($ARGV[2]) =~ /^stack\t/m;
my (%edges, %stacks);
my (undef, @rows) = csv_rows(read_file($ARGV[1]));
for my $row (@rows) {
    my @frames = split /;/, $row->[0];
    my $calls = $row->[1];
    next if $calls == 0;
    $stacks{ stack_of(@frames) } += $calls if $has_stacks;
    next if @frames < 2;
    my ($site, $callee) = @frames[-2, -1];
    # C functions call from no line. A Lua function that calls from no line made a tail call.
    my ($from, $line) = $site =~ /^(.*)->(\d+)$/ ? ($1, $2) : ($site, -1);
    next if $line == -1 && $from !~ /\[C\]$/;
    $edges{ key_of_frame($from) . "\t$line\t" . key_of_frame($callee) } += $calls;
}
print "edge\t$_\t$edges{$_}\n" for sort keys %edges;
print "stack\t$stacks{$_}\t$_\n" for sort keys %stacks;
