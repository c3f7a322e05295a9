#!/usr/bin/perl
# includes.pl [--graph]: checks the direction of the includes in src/, run from the top.
#
# The folders stand in CMakeLists.txt in the order of their includes: a file uses its own
# folder and those before it, and inside a folder no files include each other in a circle.
# A folder in a folder is a folder of its own, so there is no circle between the two either.
# A .c file does not include again what its own header includes.
# A header exists if two files use it besides its own .c file, and a .c file has 60 lines or more; what is
# named below is left as it is.
# What is not standard C, and differs between systems, is included in src/platform alone.
# Prints what breaks that; exit status 1 then. --graph prints a line for each folder at the top
# with those that it uses, as HACKING.md shows it, and how many arrows there are with and without
# the folders in folders.
use strict;
use warnings;

my $ARROWS_MAX = 35;
my $LINES_MIN = 60;
# Headers with one user: the way into a module, and what is used by one other file for its speed.
my %one_user = map { $_ => 1 } qw(
    cli/logs/memory_need cli/logs/sides cli/manual/help cli/mcp/mcp cli/mcp/tools names/definitions names/tokens
    profile/queue
    read/log read/recording read/watch rebuild/ending/call_durations rebuild/rebuild rebuild/recording_costs
    rebuild/stacks/common_events rebuild/stacks/event_loop rebuild/ticks/prices
    rebuild/ending/work_sums report/sentences/game_comparison report/tables/peek_table);
# Headers that only tests use besides their own .c files.
my %for_tests = map { $_ => 1 } qw(report/pages/svg/svg);
# Short files: one for each system, and what has no other place.
my %short = map { $_ => 1 } qw(
    base/error base/pcre2_memory platform/bytes platform/file platform/plain platform/posix_clock
    platform/posix_random
    report/figures/flags report/pages/embedded);
my @DEPTHS = ('/*', '/*/*', '/*/*/*');
# Standard C, what all compilers have besides, and the libraries.
my %everywhere = map { $_ => 1 } qw(assert ctype errno float inttypes limits math stdalign stdarg
    stdbool stddef stdint stdio stdlib stdnoreturn string strings pcre2 xxhash zlib);

open my $cmake, '<', 'CMakeLists.txt' or die "includes.pl: CMakeLists.txt: $!\n";
my $list = do { local $/; <$cmake> };
# The files of src/platform, of which each system has its own, stand before the others.
$list =~ /^set\(platform_sources(.*?)^target_include_directories\(supprof-core/ms
    or die "includes.pl: no list of files in CMakeLists.txt\n";
# The program itself is not in the library, and comes after it.
my @listed = ($1 =~ m{src/([a-z][a-z/]*/[a-z0-9_]+)\.c}g, 'cli/main');
my (@rooms, %place);
for my $file (@listed) {
    my ($room) = $file =~ m{^(.*)/};
    next if exists $place{$room};
    $place{$room} = @rooms;
    push @rooms, $room;
}
my @faults;
my (%uses, %files, %lines, %line_count);
for my $path (map { glob("src$_/*.[ch]") } @DEPTHS) {
    my ($file, $room) = $path =~ m{^src/(([a-z/]+)/[a-z0-9_]+)\.[ch]$} or next;
    push @faults, "$path stands in no folder of CMakeLists.txt" if !exists $place{$room};
    open my $in, '<', $path or die "includes.pl: $path: $!\n";
    while (<$in>) {
        push @faults, "$path includes $1.h, which only src/platform may"
            if m{^\s*#\s*include\s*<(.*)\.h>} && $room ne 'platform' && !$everywhere{$1};
        $line_count{$path} = $.;
        push @faults, "$path: FORMATS_LIKE_PRINTF() says so on every system"
            if m{format\(printf} && $room ne 'platform';
        $lines{$path}{$1} = 1 if m{^#include ["<]([^">]+)};
        my ($used) = m{^#include "([^"]+)\.h"} or next;
        my ($used_room) = $used =~ m{^(.*)/} or push @faults, "$path includes $used.h without its folder";
        next if !defined $used_room || $used eq $file;
        $files{$file}{$used} = 1;
        $uses{$room}{$used_room} = 1 if $used_room ne $room;
        push @faults, "$path includes $used.h, whose folder stands after its own"
            if ($place{$used_room} // 1e9) > ($place{$room} // -1);
    }
}
for my $path (grep { m{\.c$} } keys %lines) {
    my $header = $lines{$path =~ s{c$}{h}r} or next;
    push @faults, map { "$path includes $_, as its header does" } grep { $header->{$_} } keys %{$lines{$path}};
}
my %users;
for my $path (keys %lines) {
    my ($file) = $path =~ m{^src/(.*)\.[ch]$};
    for my $used (map { m{^(.*)\.h$} } keys %{$lines{$path}}) {
        $users{$used}{$path} = 1 if $used ne $file;
    }
}
for my $path (sort keys %lines) {
    my ($file, $end) = $path =~ m{^src/(.*)\.([ch])$};
    if ($end eq 'h') {
        my $count = keys %{$users{$file} // {}};
        push @faults, "$path has $count users besides its own .c file: put it into that file"
            if $count < 2 && !$one_user{$file} && !$for_tests{$file};
        push @faults, "$path has $count users: tests/includes.pl need not name it"
            if $count >= 2 && ($one_user{$file} || $for_tests{$file});
    } else {
        my $length = $line_count{$path};
        push @faults, "$path has only $length lines: join it with the file it belongs to"
            if $length < $LINES_MIN && !$short{$file} && $file !~ m{^cli/(main|manual/documents)$};
        push @faults, "$path has $length lines: tests/includes.pl need not name it"
            if $length >= $LINES_MIN && $short{$file};
    }
}
push @faults, map { "tests/includes.pl names $_, which is not there" }
    grep { !-e "src/$_.c" && !-e "src/$_.h" } sort keys %one_user, keys %for_tests, keys %short;
my %in_cmake = map { $_ => 1 } @listed;
for my $path (glob('src/*.c'), map { glob("src$_/*.c") } @DEPTHS) {
    my ($file) = $path =~ m{^src/(.*)\.c$};
    push @faults, "$path is not in CMakeLists.txt" if !$in_cmake{$file} && $file ne 'cli/manual/documents';
}

# What a file reaches, step by step; a file that reaches itself is in a circle.
for my $file (sort keys %files) {
    my %reached;
    my @next = keys %{$files{$file}};
    while (defined(my $used = pop @next)) {
        push @next, keys %{$files{$used} // {}} if !$reached{$used}++;
    }
    push @faults, "src/$file includes itself by way of others" if $reached{$file};
}

my (@top, %of_top, %top_place);
my $all_arrows = 0;
for my $room (@rooms) {
    my ($top) = $room =~ m{^([a-z]+)};
    push @top, $top if !exists $of_top{$top};
    $top_place{$top} //= @top;
    $of_top{$top} //= {};
    $all_arrows += keys %{$uses{$room} // {}};
    for my $used (keys %{$uses{$room} // {}}) {
        my ($used_top) = $used =~ m{^([a-z]+)};
        $of_top{$top}{$used_top} = 1 if $used_top ne $top;
    }
}
my $arrows = 0;
my $graph = '';
for my $top (@top) {
    my @used = sort { $top_place{$a} <=> $top_place{$b} } keys %{$of_top{$top}};
    $arrows += @used;
    $graph .= sprintf "    %-9s %s\n", $top, @used ? "-> @used" : '';
}
$graph =~ s/ +$//mg;
print "${graph}$arrows arrows between folders, $all_arrows with the folders in them\n"
    if @ARGV && $ARGV[0] eq '--graph';
push @faults, "$arrows arrows between folders, more than $ARROWS_MAX" if $arrows > $ARROWS_MAX;
push @faults, 'only ' . scalar(@rooms) . ' folders found' if @rooms < 5;

open my $hacking, '<', 'HACKING.md' or die "includes.pl: HACKING.md: $!\n";
my $text = do { local $/; <$hacking> };
push @faults, "HACKING.md does not show what 'perl tests/includes.pl --graph' prints:\n$graph"
    if index($text, $graph) < 0;
print "FAILED: $_\n" for @faults;
exit @faults ? 1 : 0;
