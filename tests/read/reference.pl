#!/usr/bin/perl
# reference.pl - a second, independent reading of the existing profiler's logs, used as a test oracle.
#
#     perl tests/read/reference.pl [LOG]...        plain-text logs, standard input when none
#
# Prints one CSV row per function, sorted bytewise:  function,source,line,calls,self_ns,total_ns
# and on standard error:  records N skipped M calls C total_ns T
#
# It shares nothing with src/, on purpose: another language, whole files in memory, records cut up with regexes from
# the right. Where the two disagree, at least one is wrong. Keep it slow and plain; do not port code either way.

use strict;
use warnings;

# A name holds no quotes: "{'a',1,'b',2; 3}" in the text of a string chunk is not the end of a frame.
my $NAME      = qr/[^,;"'\n]*/;
my $FRAME_END = qr/,-?\d+,$NAME,-?\d+/;                        # ,linedefined,name,currentline
my $NUMBER    = qr/(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/;

my ($records, $skipped, $all_calls) = (0, 0, 0);
my (%function, @function);    # key -> index; index -> { source, line, calls, names => { name => calls } }
my (%node, @node);            # key -> index; index -> { parent, function, own, children }; parents come first

# ---------------------------------------------------------------------------------------------------- numbers

# Decimal text times 10**$shift as an integer, halves rounded up, exact; nothing if it has more than 18 digits.
sub scaled {
    my ($text, $shift) = @_;
    my ($minus, $int, $frac, $exp) = $text =~ /\A(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?\z/ or return;
    my $digits = $int . $frac;
    return 0 if $digits !~ /[1-9]/;
    my $point = length($int) + ($exp // 0) + $shift;           # that many digits stand before the point
    $digits =~ s/\A(0*)//;                                     # without leading zeros
    $point -= length $1;
    return 0 if $point < 0;
    return   if $point > 18;
    $digits .= '0' x ($point - length $digits) if $point > length $digits;
    my ($whole, $rest) = (substr($digits, 0, $point), substr($digits, $point));
    my $n = $whole eq '' ? 0 : 0 + $whole;
    if ($minus) {                                              # up is towards zero
        $n++ if $rest =~ /\A[5-9]/ && $rest !~ /\A50*\z/;
        return -$n;
    }
    $n++ if $rest =~ /\A[5-9]/;
    return $n;
}

# ---------------------------------------------------------------------------------------------------- the log

sub read_log {
    my ($text) = @_;
    $text =~ s/\r$//mg;
    my (undef, @pieces) = split /^[ \t]*info: prof: /mi, $text, -1;
    for my $piece (@pieces) {
        # What follows the first line belongs to it only when indented by six blanks or prefixed "info: ".
        my $more = qr/ {6}|[ \t]*info: /i;
        $piece =~ s/\n(?!$more).*//s;
        $piece =~ s/\n$more/\n/g;
        # The record ends with the first line that ends like one.
        my $ok = $piece =~ /\A(.+?$FRAME_END);($NUMBER),(-?$NUMBER),[tf],[tf][ \t]*$/ms
            && add_record($1, scaled($2, 0), scaled($3, 9));
        $ok ? $records++ : $skipped++;
    }
}

# "frame;frame;...;frame", root first -> list of [source, linedefined, name, currentline], root first.
sub split_stack {
    my ($rest) = @_;
    my @frames;
    while (defined $rest) {
        # The last ';' that has the end of a frame before it starts the last frame: greedy .* finds it.
        my ($before, $last) = $rest =~ /\A(.*$FRAME_END);(.*)\z/s ? ($1, $2) : (undef, $rest);
        my @fields = $last =~ /\A(.+),(-?\d+),($NAME),(-?\d+)\z/s or return;
        unshift @frames, [$fields[0], 0 + $fields[1], $fields[2], 0 + $fields[3]];
        $rest = $before;
    }
    return @frames;
}

# ---------------------------------------------------------------------------------------------------- the tree

sub is_nameless_source { return $_[0] eq '=[C]' || $_[0] eq '=(tail call)' }

sub function_of {
    my ($source, $line, $name) = @_;
    my $by_name = is_nameless_source($source);
    $line = -1 if $by_name;
    my $id = $function{ join "\0", $source, $by_name ? "name $name" : "line $line" } //= do {
        push @function, { source => $source, line => $line, calls => 0, names => {} };
        $#function;
    };
    $function[$id]{names}{$name} += 0;
    return $id;
}

# The line a frame calls the next one from; negative: a tail call.
sub calling_line {
    my (undef, $defined, undef, $current) = @{ $_[0] };
    return 0  if $defined < 0;                                 # C
    return -1 if $current == 1 && $defined > 1;                # tail call from an unknown line
    return $current;
}

sub add_record {
    my ($stack, $calls, $ns) = @_;
    return 0 if !defined $calls || !defined $ns;
    my @frames = split_stack($stack) or return 0;

    my ($at, $line, $id) = (-1, 0);                            # -1: above the roots
    for my $frame (@frames) {
        $id = function_of(@$frame[0 .. 2]);
        my $parent = $at;
        $at = $node{"$parent $line $id"} //= do {
            push @node, { parent => $parent, function => $id, own => undef, children => 0 };
            $#node;
        };
        $line = calling_line($frame);
    }
    $node[$at]{own} = ($node[$at]{own} // 0) + $ns;
    $function[$id]{calls} += $calls;
    $function[$id]{names}{ $frames[-1][2] } += $calls;
    $all_calls += $calls;
    return 1;
}

# ---------------------------------------------------------------------------------------------------- the sums

# Adds self and total to every function, returns the total of the roots.
sub add_up {
    my $roots = 0;
    for my $n (reverse @node) {                                # children before parents
        my $total = $n->{own} // $n->{children};
        my $f = $function[ $n->{function} ];
        $f->{self} += $total - $n->{children};

        my $up = $n->{parent};
        $up = $node[$up]{parent} while $up >= 0 && $node[$up]{function} != $n->{function};
        $f->{total} += $up < 0 ? $total : 0;                   # the outermost on its stack

        if ($n->{parent} < 0) { $roots += $total }
        else                  { $node[ $n->{parent} ]{children} += $total }
    }
    return $roots;
}

# The name with the most calls; '?' and the empty one only when there is no other; ties: the bytewise smallest.
sub best_name {
    my ($f) = @_;
    my $names = $f->{names};
    my @real  = grep { $_ ne '' && $_ ne '?' } keys %$names;
    my ($best) = sort { $names->{$b} <=> $names->{$a} || $a cmp $b } @real ? @real : keys %$names;
    return $best eq '' && $f->{source} eq '=(tail call)' ? '(tail call)' : $best;
}

sub csv_cell {
    my ($cell) = @_;
    return $cell if $cell !~ /[",\r\n]/;
    $cell =~ s/"/""/g;
    return qq("$cell");
}

# ---------------------------------------------------------------------------------------------------- main

local $/;
binmode STDIN;
binmode STDOUT;
read_log(scalar(<STDIN>) // '') if !@ARGV;
for my $path (@ARGV) {
    open my $in, '<:raw', $path or die "reference.pl: $path: $!\n";
    read_log(scalar(<$in>) // '');
}

my $total = add_up();
my @rows;
for my $f (@function) {
    my $source = $f->{source} =~ s/\A[\@=]//r;
    push @rows, join ',', map { csv_cell($_) } best_name($f), $source, @$f{qw(line calls self total)};
}
print "function,source,line,calls,self_ns,total_ns\n", map { "$_\n" } sort @rows;
close STDOUT or die "reference.pl: standard output: $!\n";
print STDERR "records $records skipped $skipped calls $all_calls total_ns $total\n";
