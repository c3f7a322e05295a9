#!/usr/bin/perl
# rebuild.pl [--state sim|ui] --by function|stack|thread|line [LOG]: rebuilds the call stacks of what
# profiler.lua wrote and prints, as TSV,
#
#   key calls errors self_us total_us min_us mean_us max_us alloc_kb nodes      by function or stack
#   wake key calls nanoseconds                                                  by thread, for each wake
#   life key ticks ended|failed|open wakes                                      and for each thread that woke
#   key line runs nanoseconds                                                   by line, where lines were recorded
#
# A second reader, made from supprof-log(5) alone, for the tests to compare supprof with: it shares no code with it and
# need not be fast. Keys are frames without their names. Durations are of calls that were seen to begin and to return.
# `nodes` is how many stacks, each rounded to nanoseconds, the total was added up from. Complaints go to standard error.
#
# Times of two Lua states are not added up: without --state it takes the recordings of one, that of the first line of
# a recording, as supprof does.
use strict;
use warnings;
no warnings 'recursion';
use List::Util qw(max min sum0);

my %SUSPENDS = map { $_ => 1 } qw(WaitTicks WaitFor WaitSeconds SuspendCurrentThread yield coroutine.yield);
my $state = @ARGV && $ARGV[0] eq '--state' ? (splice @ARGV, 0, 2)[1] // '' : undef;
my $by = @ARGV && $ARGV[0] eq '--by' ? (splice @ARGV, 0, 2)[1] // '' : '';
die "usage: rebuild.pl [--state sim|ui] --by function|stack|thread|line [LOG]\n"
    if @ARGV > 1 || $by !~ /^(?:function|stack|thread|line)$/ || ($state // 'sim') !~ /^(?:sim|ui)$/;
my (%runs, %rows, $problems);
sub problem { print STDERR "line $.: $_[0]\n" if ++$problems <= 20 }

# Trees of calls. Times are whole units while a run is read.
my @SUMS = qw(calls errors self kb finished sum total nodes);
sub new_node { return { children => {}, min => 1e300, max => 0, map { $_ => 0 } @SUMS } }

sub add {
    my ($from, $to) = @_;
    $to->{$_} += $from->{$_} // 0 for @SUMS;
    $to->{min} = min($to->{min}, $from->{min});
    $to->{max} = max($to->{max}, $from->{max});
}

sub merge {
    my ($from, $to, $key) = @_;
    add($from, $to);
    merge($from->{children}{$_}, $to->{children}{ $key ? $key->($_) : $_ } //= new_node(), $key)
        for keys %{ $from->{children} };
}

# A function that is not defined may suspend its thread, so it waits as a C function does.
sub is_c {
    my ($run, $id) = @_;
    return $run->{known}{is_c}{$id} //= do {
        my $function = $run->{function}{$id};
        !$function || $function->{line} < 0 && $run->{source}{ $function->{source} } ne '=(tail call)' ? 1 : 0;
    };
}

sub suspends {
    my ($run, $id) = @_;
    return is_c($run, $id) && ($run->{suspends}{$id} || $SUSPENDS{ $run->{name}{$id} // '' });
}

# As supprof shows it, but for the name.
sub key {
    my ($run, $id) = @_;
    my $function = $run->{function}{$id} or return '(lost)';
    my $source = $run->{source}{ $function->{source} };
    return '(tail call)' if $source eq '=(tail call)';
    return "$run->{name}{$id} [C]" if $function->{line} < 0;
    $source =~ s/^@// or $source =~ s/^([^\n]*)(\n?).*/'[string "' . $1 . ($2 && '...') . '"]'/es;
    return $source =~ tr/;/:/r . ":$function->{line}";
}

sub site {
    my ($run, $letters) = @_;
    my $known = $run->{known}{site}{ lc $letters } //= do {
        my $number = -1;
        $number = ($number + 1) * 26 + ord($_) - ord 'a' for split //, lc $letters;
        my $site = $run->{site}{$number};
        my $function = $site && $run->{function}{ $site->[0] };
        $function && defined $run->{source}{ $function->{source} } ? $site : [ 'lost', 0 ];
    };
    return @$known;
}

# Threads. A life is of a coroutine; its wakes are measured by the clock and the calls of its root's segment.
sub end_wake {
    my ($life) = @_;
    my $open = delete $life->{open} or return;
    my $segment = $life->{segment};
    push @{ $life->{wakes} }, [ $segment->{calls} - $open->[0], $segment->{clock} - $open->[1] ];
}

sub begin_wake {
    my ($run) = @_;
    my $life = $run->{is_coroutine}{ $run->{thread} } && $run->{life}{ $run->{thread} };
    return if !$life || !@{ $run->{stack} } || $life->{how};
    end_wake($life);
    $life->{open} = [ @{ $life->{segment} }{qw(calls clock)} ];
}

# The root of a thread was pushed: it begins, or was met in the middle of its life.
sub meet_life {
    my ($run, $is_begin) = @_;
    my $root = $run->{stack}[0];
    return if !$run->{is_coroutine}{ $run->{thread} };
    my $life = $run->{life}{ $run->{thread} };
    if ($is_begin || !$life) {
        push @{ $run->{old_lives} }, $life if $life;
        $life = $run->{life}{ $run->{thread} } = { id => $root->{id}, $is_begin ? (begin => $run->{ticks} // 0) : () };
    }
    $life->{segment} = $root->{segment};
    $life->{open} = [ 0, 0 ] if $is_begin;
    $root->{life} = $life;
}

# Stacks. A frame is of a segment: a root with what it called. Its clock counts the time of its frames. While a root
# may be the callee of the one below it, its segment has a tree of its own.
sub charge {
    my ($frame, $units, $kb) = @_;
    $frame->{node}{self} += $units;
    $frame->{node}{kb} += $kb;
    $frame->{segment}{clock} += $units;
    $frame->{lines}{ $frame->{at} }[1] += $units if defined $frame->{at};
}

# A frame has come to a line, or begins it.
sub put_at_line {
    my ($run, $frame, $text) = @_;
    my ($id, $line) = site($run, $text);
    return problem("$text is no line of the function that runs") if !$frame || $frame->{id} ne $id;
    $frame->{lines} = $run->{runs_of}{$id} //= {};
    $frame->{at} = $line;
    return $frame;
}

sub push_frame {
    my ($run, $id, $line, %how) = @_; # is_root, is_call, and may_be_callee of a root
    my ($stack, $below) = ($run->{stack}, $run->{stack}[-1]);
    my $segment = $how{is_root} ? { clock => 0, calls => 0, depth => scalar @$stack } : $below->{segment};
    $segment->{calls}++ if $how{is_call};
    $segment->{tree} = new_node() if $how{may_be_callee};
    $run->{is_coroutine_root}{$id} = 1 if $how{is_root} && $run->{is_coroutine}{ $run->{thread} };
    my $node = ($how{is_root} ? $segment->{tree} // $run->{tree} : $below->{node})->{children}{$id} //= new_node();
    $node->{calls}++ if $how{is_call};
    push @$stack, { %how, id => $id, line => $line, is_c => is_c($run, $id), node => $node,
        segment => $segment, start => $segment->{clock} };
}

# Pops all but `depth` frames, which have returned, failed, gone, or were left: failed or of a suspended coroutine.
sub pop_frames {
    my ($run, $stack, $depth, $how) = @_;
    return if @$stack <= $depth;
    $how = suspends($run, $stack->[-1]{id}) ? 'gone' : 'failed' if $how eq 'left';
    while (@$stack > $depth) {
        my $frame = pop @$stack;
        my ($segment, $node) = @$frame{qw(segment node)};
        $node->{errors}++ if $how eq 'failed';
        if (my $life = $frame->{life}) {
            end_wake($life);
            @$life{qw(how end)} = ($how, $run->{ticks} // 0) if $how =~ /failed|returned/;
        }
        my $units = $segment->{clock} - $frame->{start};
        if ($how eq 'returned' && $frame->{is_call}) {
            $node->{finished}++;
            $node->{sum} += $units;
            $node->{min} = $units if $units < $node->{min};
            $node->{max} = $units if $units > $node->{max};
        }
        $segment->{root} = $frame;
        next if !$frame->{may_be_callee};
        if ($how eq 'returned') { $run->{returned_root} = $segment }
        else { merge($segment->{tree}, $run->{tree}) }
    }
}

# A root was not called by the Lua function on top: an error had ended that one, with the other frames of its root.
# Nor was it called by a Lua function below these, although that may have seemed so.
sub fail_lua {
    my ($run) = @_;
    my $stack = $run->{stack};
    pop_frames($run, $stack, $stack->[-1]{segment}{depth}, 'failed') while @$stack && !$stack->[-1]{is_c};
}

# A waiting frame remembers where the list of nobody's time ended. If it goes on first, it takes what came after that.
sub stop_waiting {
    my ($run, $frame, $was_running) = @_;
    my $from = delete $frame->{wait};
    delete $frame->{is_below_root};
    return if !defined $from || !$was_running || !$frame->{is_c};
    $from = max($from, $run->{of_tick} // 0);
    charge($frame, splice @$_, 0, 2, 0, 0) for @{ $run->{nobody} }[ $from .. $#{ $run->{nobody} } ];
}

# Decides what depends on the event that has come now: what has become of frames that were forgotten, and whether a root
# that has returned to a Lua function was its callee.
sub decide_forgotten {
    my ($run, $kind) = @_;
    my $forgotten = delete $run->{forgotten};
    pop_frames($run, $forgotten, 0, $kind eq '(' ? 'gone' : 'left') if $forgotten;
}

sub decide_pending {
    my ($run, $kind) = @_;
    decide_forgotten($run, $kind);
    my $segment = delete $run->{returned_root} or return;
    my $below = $run->{stack}[-1];
    merge($segment->{tree}, $kind eq ',' ? $below->{node} : $run->{tree});
    return fail_lua($run) if $kind ne ',';
    charge($below, splice @{ $segment->{before} }, 0, 2, 0, 0)
        if $segment->{before} && $segment->{tick} == ($run->{ticks} // 0);
    $below->{segment}{clock} += $segment->{clock};
    $below->{segment}{calls} += $segment->{calls};
    stop_waiting($run, $below, 0);
    $run->{running} = $below;
}

# Only C functions suspend a thread, and none of Lua, nor a question to an object of the engine.
my $NEVER = qr/^(?:(?:string|table|math)[.].*|moho[.](?:.*[.])?(?:Get|Is|Can|Has)[^.]*|error|assert|next|i?pairs|unpack|setmetatable)$/s;

sub is_left {
    my ($run, $stack) = @_;
    my $top = $stack->[-1] or return;
    return !$top->{is_c} || !suspends($run, $top->{id}) && ($run->{name}{ $top->{id} } // '') =~ $NEVER;
}

sub leave {
    my ($run) = @_;
    $run->{left}{ $run->{thread} } = 1 if is_left($run, $run->{stack}) && $run->{is_coroutine}{ $run->{thread} };
}

# When a tick or the recording ends: a coroutine that was left in such a function was ended by an error.
sub fail_left {
    my ($run) = @_;
    for my $thread (keys %{ delete $run->{left} // {} }) {
        my $stack = $run->{stacks}{$thread};
        next if !is_left($run, $stack);
        pop_frames($run, $stack, $stack->[-1]{segment}{depth}, 'failed') while @$stack;
        $run->{running} = undef if $thread eq $run->{thread};
    }
}

# Frames end without an event. When the recording does, those that wait below a root were ended by errors.
sub empty_stacks {
    my ($run, $is_end) = @_;
    decide_pending($run, 'end') if $is_end || $run->{forgotten};
    merge($_->{tree}, $run->{tree}) for grep { $_ } delete $run->{returned_root};
    fail_left($run) if $is_end;
    for my $stack (values %{ $run->{stacks} }) {
        while (my $top = $stack->[-1]) {
            pop_frames($run, $stack, $top->{segment}{depth}, $is_end && $top->{is_below_root} ? 'left' : 'gone');
        }
    }
    delete @$run{qw(running returned thread left)};
}

# Of a sampled recording: what follows stands for so many times as much.
sub take_weighted {
    my ($node, $weight) = @_;
    $node->{$_} *= $weight for @SUMS;
    take_weighted($_, $weight) for values %{ $node->{children} };
}

sub begin_weight {
    my ($run, $weight, $tick) = @_;
    my $tree = $run->{tree};
    take_weighted($tree, $run->{weight} // 1);
    merge($tree, $run->{sampled} //= new_node()) if ($run->{weight} // 1) > 0;
    @$run{qw(weight tree tick ticks)} = ($weight, new_node(), $tick, ($run->{ticks} // 0) + 1);
    $run->{of_tick} = @{ $run->{nobody} };
}

# With a call from line -2.
sub may_tail_call {
    my ($run) = @_;
    my $top = $run->{stack}[-1];
    return $top && $run->{running} && $run->{running} == $top && !$top->{is_c} && $top->{line} == -2;
}

sub call {
    my ($run, $id, $line, $is_root, $from) = @_;
    my $below = $run->{stack}[-1];
    my $may_be_callee = $is_root && may_tail_call($run);
    if (!$is_root) { stop_waiting($run, $below, 1) }
    elsif ($below && !$below->{is_c} && !$may_be_callee) { fail_lua($run) }
    elsif ($below) { $below->{wait} //= $from; $below->{is_below_root} = 1 }
    push_frame($run, $id, $line, is_root => $is_root, is_call => 1, may_be_callee => $may_be_callee);
    my $frame = $run->{stack}[-1];
    meet_life($run, 1) if @{ $run->{stack} } == 1 && $is_root;
    # What passed before the call is the caller's, if it turns out to be one and was running.
    @{ $frame->{segment} }{qw(before tick)} = ($run->{nobody}[$from], $run->{ticks} // 0) if $may_be_callee;
    $frame->{wait} = @{ $run->{nobody} } if suspends($run, $id);
}

# `next` is the event that follows in the line, if any.
sub event {
    my ($run, $text, $units, $kb, $next) = @_;
    my $kind = substr $text, 0, 1;
    return if $kind eq '#';
    decide_pending($run, $kind) if $run->{returned_root} || $run->{forgotten};
    my $stack = $run->{stack};
    my ($id, $line) = $kind =~ /[A-Z]/ ? site($run, $text) : ();
    my $is_tail_call = may_tail_call($run) && $run->{is_coroutine}{ $run->{thread} };
    my $is_root = defined $id && (!@$stack || $line == -2 && !$is_tail_call);
    my $at = $kind =~ /[.^]/ ? $#$stack : -1; # what returns
    $at = $#$stack - $1 if $text =~ m{^/(\d+):};   # or goes on
    $at-- while $kind eq '^' && $at >= 0 && "^$stack->[$at]{id}." ne $text;
    my $frame = $at >= 0 ? $stack->[$at] : undef;
    my $is_seen = defined $next && ($next eq '!' || ($run->{marks} // '') eq 'yes');
    my $may_be_hidden = $frame && !$is_seen && defined $frame->{wait} && suspends($run, $frame->{id});
    my $has_suspended = $frame && $frame->{is_c} && ($is_seen ? $next eq '!' : $may_be_hidden);
    my ($running, $from) = ($run->{running}, scalar @{ $run->{nobody} });
    # What passes before the first line of a call is that line's.
    put_at_line($run, $running, substr $text, 1) if $kind eq ':' && $running && !defined $running->{at};
    if ($running && !$is_root && !($has_suspended && $frame == $running)) { charge($running, $units, $kb) }
    elsif ($units || $kb) { push @{ $run->{nobody} }, [ $units, $kb ] }
    my $returned = delete $run->{returned};
    if ($kind eq ':' && put_at_line($run, $running, substr $text, 1)) { $running->{lines}{ $running->{at} }[0]++ }
    if (defined $id) { call($run, $id, $line, $is_root, $from) }
    elsif ($frame) {
        pop_frames($run, $stack, $at + 1, 'left');
        stop_waiting($run, $frame, !$has_suspended);
        if ($kind ne '/') {
            pop_frames($run, $stack, $at, 'returned');
            $run->{returned} = $frame->{id};
            begin_wake($run) if ($run->{marks} // '') eq 'no' && suspends($run, $frame->{id});
        }
    }
    elsif ($kind =~ m{[/^]}) { problem("$text of what is not on the stack"); pop_frames($run, $stack, 0, 'gone') }
    elsif ($kind eq ',' && @$stack) { pop_frames($run, $stack, $#$stack, 'returned') }
    elsif ($kind eq '!') {
        $run->{suspends}{$returned} = 1 if defined $returned;
        stop_waiting($run, $stack->[-1], 0) if @$stack;
        begin_wake($run);
    }
    elsif ($kind eq '@') {
        $stack->[-1]{wait} //= $from if @$stack;
        leave($run);
        $stack = $run->{stack} = $run->{stacks}{ $run->{thread} = substr $text, 1 } //= [];
    }
    elsif ($kind eq '~') { $run->{forgotten} = [ splice @$stack ] }
    elsif ($kind eq '(') {
        pop_frames($run, $stack, 0, 'gone');
        for ($text =~ /:?[A-Za-z][a-z]*/g) {
            /^:(.*)/ ? put_at_line($run, $stack->[-1], $1) : push_frame($run, site($run, $_), is_root => !@$stack);
        }
        $stack->[-1]{wait} = $from if @$stack && !$run->{is_switched} && suspends($run, $stack->[-1]{id});
        meet_life($run) if @$stack;
    }
    # The time up to a thread's first event is nobody's, also when its whole stack comes in between.
    $run->{is_switched} = $kind eq '@' || $run->{is_switched} && $kind =~ /[(~]/;
    $run->{running} = @$stack && !defined $stack->[-1]{wait} && !$run->{is_switched} ? $stack->[-1] : undef;
}

sub events {
    my ($run, $thread, $text, $is_cut) = @_;
    # Another thread is an event of its own, unless that is lost.
    event($run, "\@$thread", 0, 0) if !defined $run->{thread};
    my @events;
    pos($text) = 0;
    push @events, [ $1 // $4, $2 || 0, $3 || 0 ] while $text =~
        m{\G(?:([A-Z][a-z]*|[.,!]|\^\d+\.|/\d+:|:[a-z]+)(\d*)(?:\+(\d+))?|([@#]\d+|\((?:[A-Z][a-z]*(?::[a-z]+)?)*\)|~))}gc;
    my $rest = substr $text, pos $text;
    pop @events if $is_cut && $rest eq '';
    # A tick changes no stack, but what was nobody's before it stays so.
    my @next = grep { $_->[0] !~ /#/ } @events;
    for my $event (@events) {
        if ($event->[0] =~ /#(\d+)/) {
            if ($run->{weight} && $1 > $run->{tick} + 1) { empty_stacks($run); begin_weight($run, 0); last }
            decide_forgotten($run, $event->[0]);
            leave($run) if @next && $next[0][0] =~ /\@/;
            fail_left($run);
            $run->{ticks}++;
            $run->{of_tick} = @{ $run->{nobody} };
            next;
        }
        shift @next;
        event($run, @$event, @next ? $next[0][0] : undef);
    }
    problem("no event: $rest") if $rest ne '';
    empty_stacks($run) if $rest ne '' && !$is_cut;
}

# Lines. One `is_cut` that has no end.
sub unescape { return $_[0] =~ s/\\([01]\d\d|2[0-4]\d|25[0-5])/chr $1/ger }

sub read_line {
    my ($text, $is_cut) = @_;
    my ($name, $number, $kind, $rest) = $text =~ /^\$[234] ([su]\d+) (\d+) ([a-z]+) ?(.*)$/
        or return problem('damaged, or another version');
    my $state_of_line = $name =~ /^u/ ? 'ui' : 'sim';
    $state //= $state_of_line;
    return if $state ne $state_of_line;
    my $run = $runs{$name} //= { number => scalar keys %runs, lines => 0, tree => new_node(), nobody => [], stack => [] };
    # An older recorder has sampled it by bursts, and they are not used.
    return if ($run->{mode} // '') eq 'sample';
    my $is_late = $number <= $run->{lines};
    problem("line $number of run $name follows $run->{lines}") if $number != $run->{lines} + 1;
    empty_stacks($run) if $number > $run->{lines} + 1;
    $run->{lines} = $number if !$is_late;
    delete $run->{known} if $kind ne 'events';
    if ($kind eq 'begin') {
        $run->{$1} //= $2
            while $rest =~ /\b(unit|marks|mode|calibrator)=(\d[\d.]*(?:e-?\d+)?|yes|no|sample|ticks)\b/g;
        begin_weight($run, 0) if ($run->{mode} // '') eq 'ticks';
    }
    elsif ($kind eq 'source' && $rest =~ /^(\d+) (.*)$/) { $run->{source}{$1} //= unescape("$2") }
    elsif ($kind eq 'function' && $rest =~ /^(\d+) (\d+) (-?\d+) (.*)$/) {
        $run->{function}{$1} //= { source => $2, line => $3 };
        $run->{name}{$1} //= unescape("$4");
    }
    elsif ($kind eq 'name' && $rest =~ /^(\d+) (.*)$/) { $run->{name}{$1} = unescape("$2") }
    elsif ($kind eq 'shares' && $rest =~ /^\d+ \d+$/) { }
    elsif ($kind eq 'site' && $rest =~ /^(\d+) (\d+),(-?\d+)$/) { $run->{site}{$1} //= [ $2, $3 ] }
    elsif ($kind eq 'thread' && $rest =~ /^(\d+) coroutine$/) { $run->{is_coroutine}{$1} = 1 }
    elsif ($kind eq 'events' && $rest =~ /^(\d+) \S+ \S+ (.*)$/) { events($run, $1, $2, $is_cut) if !$is_late }
    elsif ($kind eq 'hook' && $rest =~ /^(chosen|left|cut|slow) (\d+)(?: (\d+))?$/) {
        return if $is_late;
        decide_forgotten($run, '#');
        leave($run) if $1 eq 'left' && defined $run->{thread};
        fail_left($run);
        empty_stacks($run);
        begin_weight($run, $1 eq 'chosen' ? $3 : 0, $2);
    }
    elsif ($kind !~ /^(?:thread|benchmark|heap|units|hook|end)$/) {
        problem("damaged, or of no known kind: $kind");
        empty_stacks($run) if $kind eq 'events' && !$is_late;
    }
}

# A unit in nanoseconds. The log rounds it if it is a power of two.
sub unit_ns {
    my $unit = $_[0] || return 0;
    my $power = 2**sprintf '%.0f', log($unit) / log 2;
    return 1e9 * (abs($unit / $power - 1) <= 1e-8 ? $power : $unit);
}

sub us { return sprintf '%.3f', int($_[0] + 0.5) / 1000 }

# The recorder is in no sum, with all that it calls: the calibrator, the two functions beside it in its file that people
# call, and a thread that begins by calling the calibrator, or begins in that file and calls one of the three; in old
# recorders another function of the file is between. The keys of the three, of all in the file, and of those that threads
# but the main one begin with.
sub recorder_keys {
    my ($run) = @_;
    my ($calibrator, %keys) = $run->{calibrator};
    my $source = defined $calibrator && $run->{function}{$calibrator} && $run->{function}{$calibrator}{source};
    for my $id (defined $source ? keys %{ $run->{function} } : ()) {
        next if $run->{function}{$id}{source} ne $source;
        my $key = key($run, $id);
        $keys{beside}{$key} = 1;
        $keys{own}{$key} = $id eq $calibrator if $id eq $calibrator || $run->{name}{$id} =~ /^(?:Start|Stop)Profiler$/;
    }
    $keys{thread}{ key($run, $_) } = 1 for keys %{ $run->{is_coroutine_root} // {} };
    return \%keys;
}

sub is_recorder_root {
    my ($keys, $key, $node) = @_;
    my @below = grep { $keys->{own}{$_} } keys %{ $node->{children} };
    return 1 if @below;
    return 0 if !$keys->{thread}{$key} || !$keys->{beside}{$key};
    for my $called (keys %{ $node->{children} }) {
        return 1 if exists $keys->{own}{$called};
        next if !$keys->{beside}{$called};
        return 1 if grep { exists $keys->{own}{$_} } keys %{ $node->{children}{$called}{children} };
    }
    return 0;
}

# Adds the node and those below it to the rows, in nanoseconds, and returns its inclusive time and its nodes.
sub add_rows {
    my ($node, $ns, $key, $stack, $is_above, $keys) = @_;
    return (0, 0) if exists $keys->{own}{$key} || $stack eq $key && is_recorder_root($keys, $key, $node);
    my $name = $by eq 'stack' ? $stack : $key;
    my $is_inner = $is_above->{$name}++;
    my %row = (%$node, nodes => 1, map { $_ => $node->{$_} * $ns } qw(self sum min max));
    $row{self} = $row{total} = int($row{self} + 0.5);
    for (keys %{ $node->{children} }) {
        my ($total, $nodes) = add_rows($node->{children}{$_}, $ns, $_, "$stack;$_", $is_above, $keys);
        $row{total} += $total;
        $row{nodes} += $nodes;
    }
    $is_above->{$name}--;
    add({ %row, $is_inner ? (total => 0, nodes => 0) : () }, $rows{$name} //= new_node());
    return @row{qw(total nodes)};
}

while (my $line = <>) {
    my $is_cut = $line !~ s/\r?\n\z//;
    read_line($1, $is_cut) if $line =~ /(?:^|(?i:info|debug|warning): )prof: (\$.*)/;
}
for my $run (map { $runs{$_} } sort keys %runs) {
    empty_stacks($run, 1);
    if (defined $run->{weight}) { begin_weight($run, 0); $run->{tree} = $run->{sampled} }
    merge($run->{tree}, my $tree = new_node(), sub { key($run, $_[0]) });
    my $keys = recorder_keys($run);
    my $ns = unit_ns($run->{unit});
    for my $life ($by eq 'thread' ? (@{ $run->{old_lives} // [] }, values %{ $run->{life} // {} }) : ()) {
        my $key = key($run, $life->{id});
        next if !$life->{wakes} || is_recorder_root($keys, $key, $tree->{children}{$key} // new_node());
        printf "wake\t$key\t%d\t%.0f\n", $_->[0], $_->[1] * $ns for @{ $life->{wakes} };
        my $ticks = defined $life->{begin} && defined $life->{end} ? $life->{end} - $life->{begin} : '';
        my %hows = (returned => 'ended', failed => 'failed');
        print join("\t", 'life', $key, $ticks, $hows{ $life->{how} // '' } // 'open', scalar @{ $life->{wakes} }), "\n";
    }
    for my $id ($by eq 'line' ? sort keys %{ $run->{runs_of} // {} } : ()) {
        my $lines = $run->{runs_of}{$id};
        print join("\t", key($run, $id), $_, $lines->{$_}[0] // 0, int(($lines->{$_}[1] // 0) * $ns + 0.5)), "\n"
            for sort { $a <=> $b } keys %$lines;
    }
    add_rows($tree->{children}{$_}, unit_ns($run->{unit}), $_, $_, {}, $keys) for keys %{ $tree->{children} };
}
for ($by =~ /^(?:thread|line)$/ ? () : sort keys %rows) {
    my $row = $rows{$_};
    my @durations = $row->{finished} ? ($row->{min}, $row->{sum} / $row->{finished}, $row->{max}) : ();
    my @times = map { us($_) } @$row{qw(self total)}, @durations;
    print join("\t", $_, @$row{qw(calls errors)}, @times, ('') x (5 - @times), @$row{qw(kb nodes)}), "\n";
}
print STDERR "$problems problems\n" if $problems;
