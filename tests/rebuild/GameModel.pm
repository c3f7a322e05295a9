# GameModel.pm: runs of random programs, executed by a model of the game's Lua. It charges each
# unit of time to the stack that spends it, and tells a recorder of the events alone. Where a
# log cannot tell what happened, it counts what supprof-log(5) says; comments say where.
package GameModel;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(chance pick make_functions);

sub chance { return rand() < $_[0] }
sub pick { return $_[ int rand @_ ] }

# The C functions by what they do. `calls` call Lua on the same stack, `protects` catch errors,
# and `starts` run another stack while they wait.
my %KINDS = (
    plain    => [qw(next math.floor error ?)],
    calls    => [qw(table.sort string.gsub)],
    protects => [qw(pcall xpcall)],
    starts   => [qw(ResumeThread coroutine.resume CreateUnit)],
    suspends => [qw(WaitTicks WaitFor SuspendCurrentThread coroutine.yield WaitForUnit)],
    kills    => ['KillThread'],
    begins   => ['debug.sethook'],
);

# Returns all functions of a game by kind, to be shared by its runs. A Lua function is its source
# and line, a C function its name.
sub make_functions {
    my %functions = (lua => []);
    for my $source ('@lua/a.lua', '@lua/100%.lua', '@lua/b,c.lua') {
        my $line = 1;
        for (1 .. 1 + int rand 4) {
            push @{ $functions{lua} }, { kind => 'lua', source => $source, line => $line,
                name => pick('?', qw(Run Sum Find)) };
            $line += 1 + int rand 30;
        }
    }
    for my $kind (keys %KINDS) {
        $functions{$kind} = [ map { { kind => $kind, source => '=[C]', line => -1, name => $_ } }
            @{ $KINDS{$kind} } ];
    }
    $functions{lost} = [ { kind => 'lost', source => '=(tail call)', line => -1, name => '?' } ];
    return \%functions;
}

# As supprof shows it. A name is known when one of the runs has written it.
sub label {
    my ($f) = @_;
    return '(tail call)' if $f->{kind} eq 'lost';
    return "$f->{name} [C]" if $f->{kind} ne 'lua';
    return ($f->{is_named} ? $f->{name} : '?') . ' ' . substr($f->{source}, 1) . ":$f->{line}";
}

# A model. Contexts are stacks of frames with a root each, of a thread or of a callback on main;
# `active` are those that run, each inside the C function on top of the one before, `pile` those
# that a reader finds on the stack of main, live or dead.
sub new {
    my ($class, $functions, $recorder, %options) = @_;
    return bless { functions => $functions, recorder => $recorder, main => { is_main => 1 },
        active => [], dying => [], suspended => [], pile => [], pools => [], frames => [], tick => 1, %options }, $class;
}

sub any { my ($m, @kinds) = @_; return pick(@{ $m->{functions}{ pick(@kinds) } }) }

# Without a mark a reader knows by name alone that a function suspends; the last is not known.
sub suspender {
    my ($m, $has_mark) = @_;
    my @functions = @{ $m->{functions}{suspends} };
    return pick(@functions[ 0 .. $#functions - !$has_mark ]);
}

sub push_frame {
    my ($m, $context, $f, $line, %more) = @_;
    my $frame = { f => $f, line => $line, parent => $context->{frames}[-1], context => $context,
        start => $context->{clock}, self => 0, kb => 0, errors => 0, %more };
    push @{ $m->{frames} }, $frame;
    push @{ $context->{frames} }, $frame;
    return $frame;
}

sub new_context {
    my ($m, $thread) = @_;
    my $context = { thread => $thread, frames => [], clock => 0 };
    push @{ $m->{pile} }, $context if $thread->{is_main};
    return $context;
}

sub add_up { my ($to, $units, $kb) = @_; $to->{self} += $units; $to->{kb} += $kb }

sub give {
    my ($frame, $units, $kb) = @_;
    add_up($frame, $units, $kb);
    $frame->{context}{clock} += $units;
}

sub draw {
    my ($m) = @_;
    my $x = rand;
    my $units = $x < 0.4 ? 0 : $x < 0.85 ? 1 + int rand 2 : $x < 0.99 ? int rand 51 : int 10**rand 7;
    return ($units, $m->{memory} && chance(0.1) ? 1 + int rand 40 : 0);
}

# Time passes until the next event, which is of this thread. It is the time of the frame on top, even
# if an error has ended that frame: a log shows such an end only when another thread runs next.
sub pass {
    my ($m, $thread) = @_;
    my @time = $m->draw;
    my $is_same = $m->{last_thread} && $m->{last_thread} == $thread;
    $m->{last_thread} = $thread;
    fail(splice @{ $m->{dying} });
    if ($is_same && $m->{top}) { give($m->{top}, @time) }
    elsif (@{ $m->{pools} }) { add_up($m->{pools}[-1], @time) }
    return @time;
}

# A C function runs something else from here on. Time that is nobody's meanwhile may turn out to be that of the
# C function, unless the recorder has not met its thread yet.
sub open_pool {
    my ($m, $frame, %more) = @_;
    push @{ $m->{pools} }, { frame => $frame, self => 0, kb => 0, %more }
        if !@{ $m->{pools} } || $m->{pools}[-1]{frame} != $frame;
}

sub close_pool {
    my ($m, $frame, $is_its_own) = @_;
    return if !@{ $m->{pools} } || $m->{pools}[-1]{frame} != $frame;
    my $pool = pop @{ $m->{pools} };
    my @time = @$pool{qw(self kb)};
    if ($is_its_own && !$pool->{is_unknown}) { give($frame, @time) }
    elsif (@{ $m->{pools} }) { add_up($m->{pools}[-1], @time) }
}

sub fail { $_->{errors} = 1 for map { @{ $_->{frames} } } @_ }

sub call {
    my ($m, $f, $line) = @_;
    my $context = $m->{active}[-1];
    my @time = $m->pass($context->{thread});
    $m->close_pool($context->{frames}[-1], 1);
    delete @$context{qw(is_unmet has_root_above)};
    $m->{recorder}->call($context, $f, $line, @time);
    $m->{top} = $m->push_frame($context, $f, $line, calls => 1);
}

sub begin {
    my ($m, $thread, $f) = @_;
    my $is_alive = grep { !$_->{is_dead} } @{ $m->{pile} };
    my $forgets = $thread->{is_main} && !$is_alive && $m->{recorder}->would_forget($thread);
    my $context = $m->new_context($thread);
    push @{ $m->{active} }, $context;
    $m->{top} = undef;
    $m->{recorder}->call($context, $f, -2, $m->pass($thread), $forgets);
    if ($thread->{is_main}) {
        # The log shows an error where a Lua function was on top of a dead callback, or where all is forgotten.
        my $shows = sub { $_[0]{is_dead} && ($forgets || $_[0]{frames}[-1]{f}{kind} eq 'lua') };
        fail(grep { $shows->($_) } @{ $m->{pile} });
        $m->{pile} = [ grep { !$shows->($_) } @{ $m->{pile} } ];
        $m->{pile}[-2]{has_root_above} = 1 if @{ $m->{pile} } > 1;
    }
    $m->{top} = $m->push_frame($context, $f, -2, calls => 1);
}

sub finish {
    my ($context) = @_;
    my $frame = pop @{ $context->{frames} };
    $frame->{duration} = $frame->{context}{clock} - $frame->{start} if $frame->{calls};
    return $frame;
}

# The function of a frame returns. What is above it was ended by an error that it has caught,
# or is a coroutine that has yielded.
sub return_from {
    my ($m, $index, $has_mark) = @_;
    my $context = $m->{active}[-1];
    my $frames = $context->{frames};
    my @time = $m->pass($context->{thread});
    my $is_unmet = delete @$context{qw(has_root_above is_unmet)};
    my @above = { frames => [ splice @$frames, $index + 1 ] };
    $m->close_pool($_, 0) for reverse @{ $above[0]{frames} };
    if ($context->{thread}{is_main}) {
        push @above, pop @{ $m->{pile} } while $m->{pile}[-1] != $context;
    }
    my ($top) = grep { $_ } map { $_->{frames}[-1] } @above[ 1 .. $#above ], $above[0];
    if ($top && $top->{f}{kind} eq 'suspends') { delete $_->{waits} for map { @{ $_->{frames} } } @above }
    elsif (!$is_unmet) { fail(@above) }
    $m->close_pool($frames->[-1], 1);
    $m->{recorder}->return_of($context, $frames->[-1]{f}, @time, $has_mark);
    my $callee = finish($context);
    while (@$frames && $frames->[-1]{is_tail}) {
        $m->{top} = $frames->[-1];
        if (delete $frames->[-1]{waits}) {
            # Now it shows that this frame ran until the call, and not nothing.
            $callee->{parent} = $frames->[-1];
            give($frames->[-1], @{ $callee->{before} });
        }
        $m->{recorder}->tail_return($context, $m->pass($context->{thread}));
        $callee = finish($context);
    }
    $m->{top} = $frames->[-1];
    return if @$frames;
    $m->{recorder}->tail_return($context, $m->pass($context->{thread})) for 1 .. $context->{lost_tails} // 0;
    @{ $m->{pile} } = grep { $_ != $context } @{ $m->{pile} };
    pop @{ $m->{active} };
}

sub return_top { my ($m, @more) = @_; $m->return_from($#{ $m->{active}[-1]{frames} }, @more) }

# A tail call. In a root the game's Lua shows no caller; on main only a tail return then tells a
# callee from a new root above one that died.
sub tail_call {
    my ($m, $f) = @_;
    my $context = $m->{active}[-1];
    my ($caller, @below) = reverse @{ $context->{frames} };
    my $is_base = $m->{marks} && !grep { !$_->{is_tail} } @below;
    $caller->{is_tail} = 1;
    return $m->call($f, $is_base ? -2 : -1) if !$is_base || !$context->{thread}{is_main};
    my @before = $m->draw;
    $caller->{waits} = 1;
    $m->{recorder}->call($context, $f, -2, @before);
    $m->{top} = $m->push_frame($context, $f, -2, calls => 1, parent => undef, before => \@before);
}

sub raise {
    my ($m) = @_;
    my $context = $m->{active}[-1];
    my $frames = $context->{frames};
    my ($catcher) = grep { $frames->[$_]{f}{kind} eq 'protects' } reverse 0 .. $#$frames;
    if (defined $catcher) {
        if ($frames->[$catcher]{f}{name} eq 'xpcall' && chance(0.7)) {
            $m->call($m->any('lua', 'plain'), $frames->[-1]{f}{kind} eq 'lua' ? 7 : -1);
            $m->return_top;
        }
        return $m->return_from($catcher);
    }
    return $m->return_top if $m->hides_a_waiting_frame($context);
    $m->die_here;
}

# Whether the stack of main would hold, above a function that is to return, one of the same that
# never will: then not even the recorder knows which it is.
sub hides_a_waiting_frame {
    my ($m, $context) = @_;
    return 0 if !$context->{thread}{is_main};
    my %dying = map { $_->{f} => 1 } @{ $context->{frames} };
    return grep { $_ != $context && $_->{thread}{is_main} && $dying{ $_->{frames}[-1]{f} } } @{ $m->{active} };
}

# The context ends without an event.
sub die_here {
    my ($m) = @_;
    my $context = $m->{active}[-1];
    $context->{is_dead} = 1;
    @{ $m->{pile} } = grep { $_ != $context } @{ $m->{pile} } if $context->{is_unmet};
    $m->close_pool($_, 0) for reverse @{ $context->{frames} };
    # To a reader, a tail call that does not return was none, and the time before it nobody's.
    for my $frame (grep { $_->{before} } @{ $context->{frames} }) {
        add_up($m->{pools}[-1], @{ $frame->{before} }) if @{ $m->{pools} };
    }
    # Only C functions suspend a thread, and none with a name of Lua's, which shows when another one runs.
    my $top = $context->{frames}[-1]{f};
    my $never_suspends = $top->{kind} =~ /^(?:lua|lost)$/ || $top->{kind} =~ /^(?:plain|calls)$/ && $top->{name} ne '?';
    push @{ $m->{dying} }, $context if !$context->{thread}{is_main} && $never_suspends;
    pop @{ $m->{active} };
    $m->{must_return} = @{ $m->{active} };
}

sub suspend {
    my ($m) = @_;
    my $context = $m->{active}[-1];
    $m->call($m->suspender($m->{marks} && !$context->{thread}{is_main}), 5);
    $m->{top} = undef;
    return $m->die_here if $context->{thread}{is_main};
    push @{ $m->{suspended} }, pop @{ $m->{active} };
}

sub resume {
    my ($m) = @_;
    return 0 if !@{ $m->{suspended} };
    my $context = pick(@{ $m->{suspended} });
    $m->{suspended} = [ grep { $_ != $context } @{ $m->{suspended} } ];
    push @{ $m->{active} }, $context;
    $m->return_top($m->{marks});
    $m->{recorder}->mark($context, $m->pass($context->{thread})) if $m->{marks};
    return 1;
}

# A C function resumes a thread or a coroutine, or makes the engine call back.
sub start {
    my ($m, $frame) = @_;
    my $name = $frame->{f}{name};
    my $is_on_main = grep { $_->{thread}{is_main} } @{ $m->{active} };
    if (@{ $m->{active} } > 3 || $name eq 'CreateUnit' && $is_on_main) {
        return $name eq 'coroutine.resume' ? $m->return_top : $m->call($m->any('lua'), -1);
    }
    $m->open_pool($frame);
    return $m->begin($m->{main}, $m->any('lua')) if $name ne 'ResumeThread';
    return if chance(0.6) && $m->resume;
    $m->begin({}, $m->any('lua'));
}

sub step_lua {
    my ($m, $context) = @_;
    my $frames = $context->{frames};
    my $x = rand;
    my $is_met = !grep { $_->{is_unmet} } @{ $m->{active} };
    # Lua cannot yield across a C function. A coroutine that the game does not know is on main,
    # and yields to the function right below it.
    my $is_plain = @{ $m->{active} } > 1 && $m->{active}[-2]{thread}{is_main};
    my $can_yield = (!$context->{thread}{is_main} || $is_plain) && !grep { $_->{f}{kind} !~ /^lua|^lost/ } @$frames;
    return $m->return_top if $x < 0.25 || @$frames > $m->{deepest};
    return $m->call($m->any('lua'), pick(3, 4, 9)) if $x < 0.5;
    return $m->call($m->any('plain', 'plain', 'calls', 'protects'), pick(3, 4)) if $x < 0.75;
    return $m->tail_call($m->any('lua')) if $x < 0.82;
    return $m->raise if $x < 0.84;
    return $m->call($m->any('starts'), 6) if $x < 0.92 && $is_met;
    return $m->suspend if $x < 0.98 && $can_yield;
    return if $x < 0.99 || $context->{thread}{is_main};
    $m->call($m->any('kills'), 8);
    $m->die_here;
}

sub step {
    my ($m) = @_;
    my $context = $m->{active}[-1] or return $m->engine;
    my $frame = $context->{frames}[-1];
    my $kind = $frame->{f}{kind};
    my $x = rand;
    # Only a return shows that what died above runs no more.
    my $is_covered = $context->{thread}{is_main} && $m->{pile}[-1] != $context;
    return $m->return_top if delete $m->{must_return} || $is_covered;
    return $m->step_lua($context) if $kind eq 'lua';
    if ($kind eq 'starts') {
        return $m->start($frame) if $x < 0.3 || !$frame->{has_started}++;
        return $m->return_top if $x > 0.5 || $frame->{f}{name} eq 'coroutine.resume';
        return $m->call($m->any('lua'), -1) if $x < 0.4 || !$m->{recorder}{must_identify};
        return $m->raise;
    }
    return $m->raise if $frame->{f}{name} eq 'error' || $kind =~ /plain|calls/ && $x < 0.03;
    return $m->call($m->any('lua', 'lua', 'plain'), -1)
        if $kind eq 'calls' && $x < 0.6 || $kind eq 'protects' && !$frame->{has_called}++;
    $m->return_top;
}

# Nothing runs: the engine does.
sub engine {
    my ($m) = @_;
    my $x = rand;
    if ($x < 0.1) { $m->{tick} += 1 + int rand 2 }
    elsif ($x < 0.45) { $m->begin($m->{main}, $m->any('lua', 'lua', 'lua', 'calls')) }
    elsif ($x < 0.6) { $m->begin({}, $m->any('lua')) }
    elsif ($x < 0.65) { shift @{ $m->{suspended} } }
    else { $m->resume }
}

# A stack that is there when the recording begins, with some callers lost to tail calls.
sub meet {
    my ($m, $thread, $top, @between) = @_;
    my $context = $m->new_context($thread);
    my @kinds = map { chance(0.2) ? ('lua', 'lost') : $_ } map { pick('lua', @between) } 1 .. int rand 4;
    unshift @kinds, $m->{marks} ? 'lua' : pick('lua', 'lost') if !@kinds || $kinds[0] ne 'lua';
    for my $f ((map { $m->any($_) } @kinds, 'lua'), $top) {
        my $caller = $context->{frames}[-1];
        $m->push_frame($context, $f, !$caller ? -2 : $caller->{f}{kind} eq 'lua' ? pick(3, 4, 9) : -1,
            is_tail => $f->{kind} eq 'lost');
    }
    $context->{lost_tails} = int rand 3 if $m->{marks} && chance(0.3);
    return $context;
}

sub run {
    my ($m, $events) = @_;
    $m->{recorder}{game_tick} = \$m->{tick};
    push @{ $m->{suspended} }, $m->meet({}, $m->suspender($m->{marks})) for 1 .. int rand 4;
    # Recording is started from main, or from a thread, which main may have resumed.
    my ($is_on_main, $begins) = (chance(0.5), $m->any('begins'));
    if ($is_on_main || chance(0.5)) {
        my $top = $is_on_main ? $begins : $m->{functions}{starts}[0];
        my $context = $m->meet($m->{main}, $top, 'calls', 'protects');
        push @{ $m->{active} }, $context;
        $context->{is_unmet} = !$is_on_main;
        $m->open_pool($context->{frames}[-1], is_unknown => 1) if !$is_on_main;
    }
    push @{ $m->{active} }, $m->meet({}, $begins, 'calls', 'protects') if !$is_on_main;
    $m->step while $m->{recorder}{events} + @{ $m->{recorder}{buffer} } < $events;
    # As far as a log tells, an error has ended what a root was pushed above, unless it went on.
    $_->{errors} = 1 for grep { $_->{waits} } @{ $m->{frames} };
    fail(grep { $_->{has_root_above} } @{ $m->{pile} });
    $m->{recorder}->end;
}

# Adds what happened to the rows of a table.
sub add_to {
    my ($m, $rows) = @_;
    my (%stack, %units);
    for my $frame (@{ $m->{frames} }) {
        my $above = $frame->{parent} ? "$stack{ $frame->{parent} };" : '';
        my $stack = $stack{$frame} = $above . label($frame->{f});
        my $row = $rows->{$stack} //= { map { $_ => 0 } qw(calls errors self kb count sum) };
        $units{$stack} += $frame->{self};
        $row->{calls} += $frame->{calls} // 0;
        $row->{errors} += $frame->{errors};
        $row->{kb} += $frame->{kb};
        next if !defined $frame->{duration};
        my $us = $frame->{duration} * $m->{recorder}{unit} * 1e6;
        $row->{count}++;
        $row->{sum} += $us;
        $row->{min} = $us if !defined $row->{min} || $us < $row->{min};
        $row->{max} = $us if !defined $row->{max} || $us > $row->{max};
    }
    $rows->{$_}{self} += sprintf('%.0f', $units{$_} * $m->{recorder}{unit} * 1e9) / 1000 for keys %units;
}

1;
