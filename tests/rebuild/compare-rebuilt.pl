#!/usr/bin/perl
# compare-rebuilt.pl WANTED.tsv FOUND: compares tables of functions or stacks. FOUND is what supprof wrote with
# --format=csv --overhead=off --paths=full, or a table of rebuild.pl's, as WANTED is. Prints what differs, and fails
# then.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Lib qw(read_csv read_file);

my @COLUMNS = qw(calls errors self_us total_us min_us mean_us max_us alloc_kb nodes);

sub chunk { return '[string "' . $_[0] =~ s/\n.*/.../sr =~ tr/;/:/r . '"]' }

# A frame without its name, under which two readers may know a function differently.
sub frame {
    my ($frame) = @_;
    return $frame if $frame =~ m{ \[C\]$|^\((?:tail call|lost)\)$};
    return $frame =~ s{^(?:\([^)]*\)|\S+) }{}r;
}

sub key {
    my ($row) = @_;
    return join ';', map { frame($_) } split /;/, $row->{stack} if defined $row->{stack};
    my ($name, $source, $line) = @$row{qw(function source line)};
    return "$name [C]" if $source eq '[C]';
    return $name if $line < 0;
    return ($source =~ /\.(?:lua|bp)$/ ? $source =~ tr/;/:/r : chunk($source)) . ":$line";
}

sub read_tsv {
    my ($text) = @_;
    my @rows;
    for (split /\n/, $text) {
        my %row;
        @row{ 'key', @COLUMNS } = split /\t/, $_, -1;
        push @rows, \%row;
    }
    return @rows;
}

sub read_table {
    my ($path) = @_;
    my $text = read_file($path);
    my %rows;
    for my $row ($path =~ /csv$/ ? map({ { %$_, key => key($_) } } read_csv($text)) : read_tsv($text)) {
        die "$path: two rows of $row->{key}\n" if $rows{ $row->{key} };
        # Without memory in the log, supprof has none.
        $row->{alloc_kb} ||= 0;
        # supprof has none for what was not called and took no time.
        $rows{ $row->{key} } = $row if $row->{calls} || $row->{self_us} != 0;
    }
    return \%rows;
}

die "usage: compare-rebuilt.pl WANTED.tsv FOUND\n" if @ARGV != 2;
my ($wanted, $found) = map { read_table($_) } @ARGV;
my @differences = %$wanted ? () : "$ARGV[0]: no rows";
for my $key (sort keys %{ { %$wanted, %$found } }) {
    my ($want, $have) = ($wanted->{$key}, $found->{$key});
    if (!$want || !$have) { push @differences, ($want ? 'no ' : 'not wanted: ') . $key; next }
    # Each stack is rounded to nanoseconds.
    my $tolerance = 0.0001 + ($want->{nodes} ? 0.002 * $want->{nodes} : 0);
    for (@COLUMNS[ 0 .. 7 ]) {
        my ($a, $b) = ($want->{$_}, $have->{$_});
        next if $a eq $b || $a ne '' && $b ne '' && abs($a - $b) <= (/_us$/ ? $tolerance : 0);
        push @differences, sprintf '%s %s instead of %s, of %s', $_, map({ $_ eq '' ? 'nothing' : $_ } $b, $a), $key;
    }
}
print "$_\n" for @differences > 10 ? (@differences[ 0 .. 9 ], @differences - 10 . ' more') : @differences;
exit(@differences ? 1 : 0);
