#!/usr/bin/perl
# events.pl [LOG]: counts calls and caller@line -> callee edges in a log that profiler.lua
# wrote, and lines, in the format of sim_host's --truth-out. A reader of its own, made from
# supprof-log(5): the tests compare what it finds with what the host counted.
#
# Exit status 1 when the log contradicts itself: a line is missing, a site or function is
# not defined, a return names a function that is not on the stack, the totals differ, events are
# outside of the ticks that were chosen, or lines of a watch do not agree.
use strict;
use warnings;

my (%runs, $problems, $has_lines);

sub problem {
    my ($text) = @_;
    print STDERR "line $.: $text\n" if ++$problems <= 20;
}

sub unescape {
    my ($text) = @_;
    $text =~ s/\\(\d{3})/chr $1/ge;
    return $text;
}

sub key {
    my ($run, $id) = @_;
    my $function = $run->{function}{$id} or do { problem("function $id is not defined"); return '?' };
    my $source = $run->{source}{ $function->{source} };
    if (!defined $source) { problem("source $function->{source} is not defined"); return '?' }
    return "C:$function->{name}" if $source eq '=[C]';
    $source =~ s/\n/\\n/g;
    $source =~ s/\t/\\t/g;
    return "$source:$function->{line}";
}

sub is_lua {
    my ($run, $id) = @_;
    return $run->{function}{$id}{line} >= 0;
}

sub call {
    my ($run, $stack, $code) = @_;
    my $site = $run->{site}{$code} or return problem("site $code is not defined");
    my ($id, $line) = @$site;
    $run->{calls}{$id}++;
    # Line -2: it has no caller. Line -1 below a Lua function: that one made a tail call.
    if (@$stack && $line != -2 && !($line == -1 && is_lua($run, $stack->[-1]))) {
        $run->{edges}{"$stack->[-1] $line $id"}++;
    }
    push @$stack, $id;
    frames($run, $stack)->[-1] = { is_root => $line == -2 } if $has_lines;
}

sub return_of {
    my ($run, $stack, $id) = @_;
    my $at = $#$stack;
    $at-- while $at >= 0 && $stack->[$at] != $id;
    problem("function $id returns, but is not on the stack") if $at < 0;
    splice @$stack, $at < 0 ? 0 : $at;
}

# What the frames of a thread know besides: the line that each is at, and whether it is a root.
sub frames {
    my ($run, $stack) = @_;
    my $frames = $run->{frames}{$stack} //= [];
    $#$frames = $#$stack if @$frames > @$stack;
    push @$frames, {} while @$frames < @$stack;
    return $frames;
}

# The units of an event are those of the line that the running function is at.
sub pass {
    my ($run, $stack, $event, $units) = @_;
    my $frame = frames($run, $stack)->[-1];
    $frame->{line} //= $run->{site}{ ucfirst $1 }[1] if $frame && $event =~ /^:(.*)/;
    my $is_nobody = $run->{is_nobody};
    $run->{is_nobody} = $event =~ /^\@/ || $is_nobody && $event =~ /^[~(#]/;
    return if !$units || $is_nobody || !$frame || !defined $frame->{line};
    $run->{runs_of}{"$stack->[-1] $frame->{line}"}[1] += $units;
}

sub line {
    my ($run, $stack, $code) = @_;
    my $site = $run->{site}{ ucfirst $code } or return problem("site $code is not defined");
    return problem("line $site->[1] of function $site->[0] is not of the one that runs")
        if !@$stack || $site->[0] != $stack->[-1];
    frames($run, $stack)->[-1]{line} = $site->[1];
    $run->{runs_of}{"$site->[0] $site->[1]"}[0]++;
}

sub events {
    my ($run, $thread, $text) = @_;
    my $stack = $run->{stack}{$thread} //= [];
    pos($text) = 0;
    while ($text =~ m{\G(?:([.,!]|[A-Z][a-z]*|:[a-z]+|\^\d+\.|/\d+:)(\d*)(?:\+\d+)?|(\@\d+|\([A-Za-z:]*\)|~|#\d+))}gc) {
        my ($event, $units) = ($1 // $3, $2);
        my $kind = substr $event, 0, 1;
        my $depth = @$stack;
        my $is_root = $has_lines && $depth && frames($run, $stack)->[-1]{is_root};
        pass($run, $stack, $event, $units) if $has_lines;
        if ($kind eq '.') { $depth ? pop @$stack : problem('a return from nowhere') }
        elsif ($kind =~ /[A-Z]/) { call($run, $stack, $event) }
        elsif ($kind eq ':') { line($run, $stack, substr $event, 1) }
        elsif ($kind eq ',') { pop @$stack }
        elsif ($kind eq '!') { $run->{marks}++ }
        elsif ($kind eq '^') { return_of($run, $stack, $event =~ /(\d+)/) }
        elsif ($kind eq '/') {
            my ($gone) = $event =~ /(\d+)/;
            problem("$gone frames of $depth are gone") if $gone >= $depth;
            splice @$stack, $gone < $depth ? -$gone : 0;
        }
        elsif ($kind eq '@') { $stack = $run->{stack}{ substr $event, 1 } //= [] }
        elsif ($kind eq '(') {
            my @frames = $event =~ /[A-Z][a-z]*(?::[a-z]+)?/g;
            @$stack = map { $run->{site}{ /^(\w+)/ ? $1 : '' }[0] } @frames;
            @{ frames($run, $stack) } = map { { line => /:(.*)/ ? $run->{site}{ ucfirst $1 }[1] : undef } } @frames;
        }
        elsif ($kind eq '~') { @$stack = () }
        elsif ($event =~ /^#(\d+)/ && $run->{chosen} && $1 != $run->{chosen}) { problem("tick $1 in $run->{chosen}") }
        $run->{events}++;
        # What is below a root does not go on when that returns, but with an event of its own.
        $run->{is_nobody} = 1 if $is_root && @$stack < $depth;
    }
    problem('no event: ' . substr $text, pos $text, 20) if pos $text < length $text;
}

# Counts of arguments agree with each other.
sub arguments {
    my ($run, $id, $text) = @_;
    my %counts = $text =~ /([a-z_]+)=(\d+)/g;
    problem("function $id of arguments is not defined") if !$run->{function}{$id};
    problem("arguments of function $id: $text")
        if $counts{calls} < $counts{distinct} + $counts{other} + $counts{repeats}
        || $counts{repeats} < $counts{equal} + $counts{large}
        || $counts{repeats} < $counts{tick_repeats}
        || $counts{tick_repeats} < $counts{tick_equal} + $counts{tick_other}
        || $counts{tick_equal} < $counts{tick_contents}
        || ($counts{ns} // 0) < ($counts{tick_ns} // 0)
        || $counts{repeats} < ($counts{changed} // 0)
        || ($counts{ns} // 0) < ($counts{equal_ns} // 0)
        || $counts{repeats} < ($counts{kept_100} // 0)
        || ($counts{kept_100} // 0) < ($counts{kept_1} // 0);
}

# The words "function:wakes:time:longest" at the end of a line. Returns their sums.
sub shares {
    my ($run, $text, $kind) = @_;
    my %sum = (wakes => 0, time => 0);
    for (split / /, $text) {
        my ($id, $wakes, $time, $longest, $after) = /^(-|\d+):(\d+):(\d+):(\d+)(?::(\d+))?$/
            or return problem("$kind $text");
        problem("function $_ of a line $kind is not defined")
            for grep { $_ && $_ ne '-' && !$run->{function}{$_} } $id, $after;
        problem("$kind: the longest of $_") if $longest > $time || $longest * $wakes < $time - $wakes;
        problem("$kind: $_") if ($id eq '-') != defined $after || $wakes == 0;
        if ($id eq '-') { $sum{gaps} = $time }
        else { $sum{$_->[0]} += $_->[1] for [wakes => $wakes], [time => $time] }
        $sum{longest}{$id} = $longest if $id ne '-';
    }
    return %sum;
}

# A slow tick is one by its length, which comes later, and has its wakes.
sub slow_tick {
    my ($run, $tick, $length, $text) = @_;
    my %sum = shares($run, $text, 'slow');
    my $limit = 1000 * $run->{slow_ms};
    problem("tick $tick is not slow") if $length < $limit - 1 && ($sum{gaps} // 0) < $limit - 1;
    problem("tick $tick took $length, and its wakes $sum{time}") if $sum{time} > $length + 10 * $sum{wakes};
    $run->{slow_ticks}{$tick} = $length;
    $run->{slow_count}++;
    $run->{last_slow} = [$tick, $sum{longest}];
}

sub wake {
    my ($run, $tick, $time, $id, $where) = @_;
    my ($slow, $longest) = @{ $run->{last_slow} // [-1, {}] };
    problem("a wake of tick $tick, which is not the last slow one") if $tick != $slow;
    problem("a wake of function $id, which is not defined") if $id && !$run->{function}{$id};
    problem("the wake $time $id is longer than the longest") if ($longest->{$id} // $time) < $time;
    problem("a short wake, $time") if $time * 10 < 1000 * $run->{slow_ms} - 10;
    problem("where a wake ended: $where") if $where !~ /^(?:-|\((?:[A-Z][a-z]*)+\))$/;
    problem("site $_ is not defined") for grep { !$run->{site}{$_} } $where =~ /[A-Z][a-z]*/g;
    my ($last) = $where =~ /([A-Z][a-z]*)\)/ or return;
    problem("$where ends in a Lua function") if is_lua($run, $run->{site}{$last}[0]);
}

# They follow one another, and threads have the same time.
sub ticks {
    my ($run, $first, @lengths) = @_;
    problem("ticks from $first on, after those up to $run->{last_tick}")
        if defined $run->{last_tick} && $first <= $run->{last_tick};
    $run->{lengths} = [$first, $first + $#lengths, 0];
    $run->{last_tick} = $first + $#lengths;
    for (0 .. $#lengths) {
        my $slow = delete $run->{slow_ticks}{ $first + $_ };
        $run->{lengths}[2] += 100 * $lengths[$_];
        problem("tick ${\($first + $_)} has $lengths[$_], and was slow with $slow")
            if defined $slow && abs($slow / 100 - $lengths[$_]) > 1;
    }
}

sub threads {
    my ($run, $first, $last, $text) = @_;
    my %sum = shares($run, $text, 'threads');
    my ($from, $to, $time) = @{ $run->{lengths} // [0, 0, 0] };
    problem("threads of ticks $first to $last, and lengths of $from to $to") if $first != $from || $last != $to;
    problem("threads took $sum{time}, and their ticks $time")
        if abs($sum{time} - $time) > 60 * ($last - $first + 1) + 0.001 * $time;
    $run->{wakes} += $sum{wakes};
}

sub end_of_watch {
    my ($run, %end) = @_;
    my %found = (wakes => $run->{wakes} // 0, watched => $run->{watched} // 0);
    $end{slow} = $end{slow_ticks} + $end{gaps};
    $found{slow} = $run->{slow_count} // 0 if $end{slow} <= 100;
    for (sort keys %found) {
        problem("$found{$_} $_, and the end says $end{$_}") if abs($found{$_} - $end{$_}) > 1e-6 * $end{$_};
    }
    problem('slow ticks without a length: ' . join ' ', sort keys %{ $run->{slow_ticks} })
        if %{ $run->{slow_ticks} // {} };
}

sub letters {
    my ($number) = @_;
    my $text = '';
    while ($number >= 26) {
        $text = chr(97 + $number % 26) . $text;
        $number = int($number / 26) - 1;
    }
    return chr(65 + $number) . $text;
}

my @log = <>;
$has_lines = grep { / events .*:[a-z]/ } @log;
for my $at (1 .. @log) {
    $. = $at;
    $log[ $at - 1 ] =~ /^info: prof: \$([2-5]) (\w+) (\d+) (\w+) (.*)$/ or next;
    my ($format, $name, $number, $kind, $text) = ($1, $2, $3, $4, $5);
    my $run = $runs{$name} //= { lines => 0 };
    problem("line $number of run $name follows $run->{lines}") if $number != $run->{lines} + 1;
    $run->{lines} = $number;
    if ($kind eq 'source' && $text =~ /^(\d+) (.*)$/) { $run->{source}{$1} = unescape($2) }
    elsif ($kind eq 'function' && $text =~ /^(\d+) (\d+) (-?\d+) (.*)$/) {
        $run->{function}{$1} = { source => $2, line => $3, name => unescape($4) };
    }
    elsif ($kind eq 'shares' && $text =~ /^\d+ \d+$/) { }
    elsif ($kind eq 'name' && $text =~ /^(\d+) (.*)$/) { $run->{function}{$1}{name} = unescape($2) }
    elsif ($kind eq 'site' && $text =~ /^(\d+) (\d+),(-?\d+)$/) { $run->{site}{ letters($1) } = [$2, $3] }
    elsif ($kind eq 'heap') { problem("heap $text") if $text !~ /^\d+ \d+$/ }
    elsif ($kind eq 'arguments' && $text =~ /^(\d+) (.*)$/) { arguments($run, $1, $2) }
    elsif ($kind eq 'events' && $text =~ /^(\d+) (\S+) (\S+) (.*)$/) {
        problem('events, and no tick was chosen') if $run->{is_left};
        events($run, $1, $4);
    }
    elsif ($kind eq 'reference') {
        problem("reference $text") if $text !~ /^(?:before|after) \d+ [1-9]\d* \d+ \d+ \S/;
    }
    elsif ($kind eq 'units') { problem("units $text") if $text !~ /^\d+00 \d+$/ }
    elsif ($kind eq 'slow' && $text =~ /^(\d+) (\d+)(?: (.*))?$/) { slow_tick($run, $1, $2, $3 // '') }
    elsif ($kind eq 'wake' && $text =~ /^(\d+) (\d+) (\d+) (\S+)$/) { wake($run, $1, $2, $3, $4) }
    elsif ($kind eq 'ticks' && $text =~ /^\d+(?: \d+)+$/) { ticks($run, split / /, $text) }
    elsif ($kind eq 'threads' && $text =~ /^(\d+) (\d+)(?: (.*))?$/) { threads($run, $1, $2, $3 // '') }
    elsif ($kind eq 'begin') {
        $run->{is_left} = $run->{has_chosen} = $text =~ /\bmode=(?:ticks|watch)\b/;
        ($run->{slow_ms}) = $text =~ /\bmode=watch slow=(\S+)/;
        problem("format $format: $text") if ($format == 5) != defined $run->{slow_ms};
    }
    elsif ($kind eq 'hook' && $text =~ /^watched (\d+) (\d+)$/) {
        problem("hook $text") if !$run->{is_left} || !$run->{function}{$2};
        @$run{qw(is_left chosen stack frames)} = (0, $1, {}, {});
        $run->{watched}++;
    }
    elsif ($kind eq 'hook' && $text =~ /^lost / && $run->{has_chosen}) { $run->{is_left} = 1 }
    elsif ($kind eq 'hook' && $text =~ /^(chosen|slow|left|cut) (\d+)(?: (\d+))?$/) {
        my $begins = $1 eq 'chosen' || $1 eq 'slow';
        problem("hook $text") if $begins != !!$run->{is_left} || $1 eq 'chosen' && !$3;
        @$run{qw(is_left chosen stack frames)} = (!$begins, $1 eq 'chosen' ? $2 : 0, {}, {});
    }
    elsif ($kind eq 'end') {
        my ($wanted) = $text =~ /\bevents=(\d+)/;
        problem("$run->{events} events, and the end says $wanted") if ($run->{events} // 0) != $wanted;
        end_of_watch($run, $text =~ /(\w+)=(\S+)/g) if $format == 5;
    }
    elsif ($kind !~ /^(?:thread|hook|benchmark|check)$/) {
        problem("line $kind $text");
    }
}
for my $name (sort keys %runs) {
    my $run = $runs{$name};
    my %calls;
    $calls{ key($run, $_) } += $run->{calls}{$_} for keys %{ $run->{calls} };
    print "call\t$_\t$calls{$_}\n" for sort keys %calls;
    my %edges;
    for (keys %{ $run->{edges} }) {
        my ($from, $line, $to) = split / /;
        $edges{ key($run, $from) . "\t$line\t" . key($run, $to) } += $run->{edges}{$_};
    }
    print "edge\t$_\t$edges{$_}\n" for sort keys %edges;
    for (sort keys %{ $run->{runs_of} }) {
        my ($id, $line) = split / /;
        print join("\t", 'line', key($run, $id), $line, map { $_ // 0 } @{ $run->{runs_of}{$_} }[ 0, 1 ]), "\n";
    }
    printf STDERR "%s: %d lines, %d events, %d functions, %d edges, %d problems\n", $name,
        $run->{lines}, $run->{events} // 0, scalar keys %calls, scalar keys %edges, $problems // 0;
}
exit($problems ? 1 : 0);
