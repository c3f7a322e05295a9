#!/usr/bin/perl
# peek.pl STACKS PEEKED
#
# Compares the edges that supprof --peek prints with those that stand in its call stacks,
# and shares no code with it. STACKS is the output of
#
#     supprof -f csv --by stack --call-sites --columns calls,self,errors
#
# and PEEKED that of supprof --unit ns --peek RE, of the same log. For each function,
# edge and calling line of an edge, the time is that of all stacks in which it is, each
# counted once. A line that is not known is 0 here, of a tail call or not.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(read_csv read_file);

my (%wanted, %found);

sub add_stack {
    my ($calls, $ns, $errors, @frames) = @_;
    my (@path, %seen, $last);
    my $line = 0;
    for my $frame (@frames) {
        if (@path && index($frame, "$path[-1]->") == 0 && substr($frame, length($path[-1]) + 2) =~ /^-?\d+$/) {
            $line = substr($frame, length($path[-1]) + 2);
            next;
        }
        my $caller = @path ? $path[-1] : '(engine)';
        $last = [$frame, "$caller;$frame", "$caller;$frame;$line"];
        $seen{$_} = 1 for @$last;
        push @path, $frame;
        $line = 0;
    }
    $wanted{$_}{total} += $ns for keys %seen;
    $wanted{$_}{calls} += 0 for keys %seen;
    $wanted{$_}{self} += 0 for @path;
    $wanted{$_}{calls} += $calls for @$last;
    $wanted{$path[-1]}{self} += $ns;
    $wanted{$_}{errors} += 0 for @path;
    $wanted{$path[-1]}{errors} += $errors || 0;
}

for my $row (read_csv(read_file($ARGV[0]))) {
    (my $ns = $row->{self_us}) =~ s/\.//;
    add_stack($row->{calls}, $ns, $row->{errors}, split /;/, $row->{stack} =~ s/(?:^|;\K)'(?=[-=+@])//gr);
}

sub label {
    my ($text) = @_;
    $text =~ s/  / /;
    return $text =~ tr/;/:/r;
}

# A key may come twice: an edge stands below its caller and below its callee.
sub note {
    my ($key, %values) = @_;
    for my $what (keys %values) {
        my $known = $found{$key}{$what};
        if (defined $known && $known != $values{$what}) {
            print "$key: $what is $known and $values{$what}\n";
            exit 1;
        }
        $found{$key}{$what} = $values{$what};
    }
}

my %known_functions = map { $_ => 1 } grep { !/;/ } keys %wanted;
my ($function, $list, $edge);
my $line_text = qr/(by a tail call )?(?:from an unknown line|(?:from|near) line (\d+))/;

sub line_number {
    my ($tail, $number) = @_;
    return !defined $number ? 0 : $tail ? -$number : $number;
}

open my $peeked, '<', $ARGV[1] or die "$ARGV[1]: $!";
while (<$peeked>) {
    chomp;
    # Only those without a call have a dash, or these words.
    s/^( +-?[\d,]+  +\S+  +)-( +)/${1}0$2/;
    s/, no calls(?: of its own|: [^,]+)/, 0 calls/;
    if (/^\S/ && exists $known_functions{label($_)}) {
        $function = label($_);
    } elsif (/^  self (-?\d+) ns(?: \(\S+\))?, total (-?\d+) ns(?: \(\S+\))?, ([\d,]+) calls?(?:, ([\d,]+) ended by an error)?(, recursive)?(, [!^])?$/) {
        my ($self, $total, $calls, $errors) = ($1, $2, $3, $4 // 0);
        note($function, self => $self, total => $total =~ tr/,//dr, calls => $calls =~ tr/,//dr, errors => $errors =~ tr/,//dr);
    } elsif (/^  one call: / || /^ +\d+ - +\d+ +[\d,]+(?:  #+)?$/) {
        next;    # durations are no edges
    } elsif (/^ +total ns  +total%  +calls  (callers|callees)$/) {
        $list = $1;
    } elsif (/^ +(-?[\d,]+)  +\S+  +([\d,]+)    $line_text$/) {
        my ($total, $calls, $line) = ($1, $2, line_number($3, $4));
        note("$edge;$line", total => $total =~ tr/,//dr, calls => $calls =~ tr/,//dr);
    } elsif (/^ +(-?[\d,]+)  +\S+  +([\d,]+)  (\S.*)$/) {
        my ($total, $calls, $rest) = ($1, $2 =~ tr/,//dr, $3);
        $rest =~ s/(?:,|  ) ?recursive$//;
        my $line = $rest =~ s/  $line_text$// ? line_number($1, $2) : undef;
        my $other = label($rest);
        $edge = $list eq 'callers' ? "$other;$function" : "$function;$other";
        $total =~ tr/,//d;
        note($edge, total => $total, calls => $calls);
        note("$edge;$line", total => $total, calls => $calls) if defined $line;
    }
}

# Callers that have no lines have no rows for them.
my $differ = 0;
for my $key (sort keys %wanted) {
    next if $key =~ /^(?:.* \[C\]|\(.*\));.*;0$/ && !exists $found{$key};
    for my $what (keys %{$wanted{$key}}) {
        my $is = exists $found{$key} ? $found{$key}{$what} // 0 : 'missing';
        next if $is eq $wanted{$key}{$what};
        print "$key: $what is $is, not $wanted{$key}{$what}\n";
        $differ++;
    }
}
for my $key (sort grep { !exists $wanted{$_} } keys %found) {
    print "$key: is in no stack\n";
    $differ++;
}
printf "%d functions, %d edges, %d lines, %d differ\n", (map { my $n = $_; scalar grep { tr/;// == $n } keys %found } 0 .. 2), $differ;
exit($differ > 0 || !%found);
