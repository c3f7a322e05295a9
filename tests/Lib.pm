# Lib.pm: what the Perl tests share: whole files, and tables in CSV. Read it with
#
#     use FindBin;
#     use lib "$FindBin::Bin/..";
#     use Lib qw(read_csv);
package Lib;
use strict;
use warnings;
use Exporter 'import';
# The same on each machine, as in lib.sh.
@ENV{qw(SUPPROF_NO_CONFIG TERM LC_ALL)} = qw(1 xterm C.UTF-8);
delete @ENV{qw(NO_COLOR POSIXLY_CORRECT)};

our @EXPORT_OK = qw(read_file write_file csv_rows read_csv);

sub read_file {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/;
    return <$file> // '';
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

# The rows of a text in CSV (RFC 4180), each a list of cells.
sub csv_rows {
    my ($text) = @_;
    my @rows = ([]);
    # The rest of a row where there are no quotes, a cell with quotes, or one without.
    while ($text =~ /\G(?:([^"\n]+)\n|"([^"]*(?:""[^"]*)*)"(,|\n)|([^,\n]*)(,|\n))/gc) {
        my $is_end = defined $1 || ($3 // $5) eq "\n";
        push @{ $rows[-1] }, defined $1 ? split /,/, $1, -1 : ($2 // $4) =~ s/""/"/gr;
        push @rows, [] if $is_end;
    }
    pop @rows;
    return @rows;
}

# The rows of a text in CSV, each a hash of cells by the names in its first row.
sub read_csv {
    my ($names, @rows) = csv_rows(@_);
    return map { my %row; @row{@$names} = @$_; \%row } @rows;
}

1;
