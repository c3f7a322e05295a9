# inline.pl PAGE: prints a page with its pictures in it, because a page that is opened inside a
# zip has no files beside it.
use strict;
use warnings;
use File::Basename qw(dirname);
use MIME::Base64 qw(encode_base64);

sub slurp {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "inline.pl: $path: $!\n";
    local $/;
    return <$file>;
}

my %types = (png => 'image/png', svg => 'image/svg+xml');
my ($page) = @ARGV;
my $folder = dirname($page);
my $text = slurp($page);
$text =~ s{src="([^"]+\.(png|svg))"}
    {'src="data:' . $types{$2} . ';base64,' . encode_base64(slurp("$folder/$1"), '') . '"'}ge;
print $text;
