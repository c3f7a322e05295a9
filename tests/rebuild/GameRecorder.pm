# GameRecorder.pm: a model of profiler.lua, without what it costs and what cannot fail here. It gets
# the events that the VM's hook would get, and makes the lines of one recording. It looks at the true
# stack only where profiler.lua asks getinfo() or CurrentThread(). See supprof-log(5).
#
# It dies when it takes one thread for another. That can happen in the game, but the log is wrong then;
# so GameModel.pm avoids what leads there.
package GameRecorder;
use strict;
use warnings;

# The names by which a reader knows without a mark that a function suspends its thread.
my %LISTED = map { $_ => 1 } qw(WaitTicks WaitFor SuspendCurrentThread coroutine.yield);
# What profiler.lua expects another thread after; WaitForUnit, because it has learned that.
my %SWITCHES = (%LISTED, map { $_ => 1 } qw(WaitForUnit coroutine.resume KillThread));

sub new {
    my ($class, %options) = @_;
    my $r = bless { %options, lines => [], ids => {}, id_count => 1, sites => {}, site_count => 0,
        known => {}, thread_count => 0, stack => [], base => 0, must_identify => 1, buffer => [],
        definitions => [], events => 0, learned => {}, switches => {}, tick => -1,
        lost => 0, time => $options{at}, line_thread => 0, line_time => $options{at}, line_lost => 0 }, $class;
    $r->{flush_at} = 1 + int rand $r->{longest};
    $r->{names_returns} = $r->{run} =~ /[13579]$/; # as in format 2
    $r->write('begin', sprintf 'version=1 state=%s clock=GetTimeForProfile at=%.9g step=%.9g unit=%.9g '
        . 'tick=1 time=0.1 marks=%s memory=%s calibration=20 calibrator=%d lua_call=1.5e-07 c_call=?',
        $r->{run} =~ /s/ ? 'sim' : 'ui', $r->{at}, $r->{unit} / 2, $r->{unit},
        $r->{marks} ? 'yes' : 'no', $r->{memory} ? 'yes' : 'no',
        $r->function_id({ kind => 'lua', source => '@lua/siminit.lua', line => 600, name => 'calibrate' }));
    return $r;
}

sub write {
    my ($r, $kind, $text) = @_;
    push @{ $r->{lines} }, sprintf 'prof: $3 %s %d %s %s', $r->{run}, @{ $r->{lines} } + 1, $kind, $text;
}

sub define { my ($r, @line) = @_; push @{ $r->{definitions} }, \@line }

sub flush {
    my ($r) = @_;
    $r->write(@$_) for splice @{ $r->{definitions} };
    my @pieces = splice @{ $r->{buffer} };
    $r->write('events', sprintf '%d %.9g %.9g %s', @$r{qw(line_thread line_time line_lost)}, join '', @pieces) if @pieces;
    $r->{events} += @pieces;
    @$r{qw(line_thread line_time line_lost)} = ($r->{current} ? $r->{current}{id} : 0, $r->{time}, $r->{lost});
    $r->{flush_at} = 1 + int rand $r->{longest};
}

sub end {
    my ($r) = @_;
    $r->flush;
    $r->write('end', sprintf 'lines=%d events=%d functions=%d sites=%d threads=%d at=%.9g lost=%.9g tick=%s',
        @{ $r->{lines} } + 1, $r->{events}, $r->{id_count} - 1, $r->{site_count}, $r->{thread_count},
        $r->{time}, $r->{lost}, $r->{tick} < 0 ? '?' : $r->{tick}) if $r->{has_end};
}

sub escape {
    my ($text) = @_;
    $text =~ s/([\\%]|[^ -~])/sprintf '\\%03d', ord $1/ge;
    return $text;
}

sub put { my ($r, $text) = @_; push @{ $r->{buffer} }, $text }

# The end of an event: its units and memory. A line may end behind it.
sub put_event {
    my ($r, $text, $dt, $kb, $may_end) = @_;
    $r->put($text . ($dt || '') . ($kb ? "+$kb" : ''));
    $r->{time} += $dt * $r->{unit};
    $r->{lost} += 1e-6;
    $r->flush if @{ $r->{buffer} } >= $r->{flush_at} && $may_end;
}

# The id of a function. Its name may come later, with its next site.
sub function_id {
    my ($r, $f) = @_;
    return $r->{ids}{$f} if $r->{ids}{$f};
    my $id = $r->{ids}{$f} = $r->{id_count};
    if (!$r->{sources}{ $f->{source} }) {
        $r->{sources}{ $f->{source} } = $id;
        $r->define('source', "$id " . escape($f->{source}));
    }
    my $is_named = $f->{kind} ne 'lua' || rand() < 0.7;
    $r->{has_name}{$id} = $is_named;
    $f->{is_named} = 1 if $is_named;
    $r->define('function', "$id $r->{sources}{ $f->{source} } $f->{line} " . ($is_named ? escape($f->{name}) : '?'));
    $r->{switches}{$id} = $SWITCHES{ $f->{name} } ? 1 : 0 if $f->{kind} ne 'lua';
    $r->define('shares', "$id 2") if $f->{kind} eq 'lua' && $id % 7 == 3;
    $r->{id_count}++;
    return $id;
}

sub letters {
    my ($number) = @_;
    my $text = '';
    for (; $number >= 26; $number = int($number / 26) - 1) { $text = chr(97 + $number % 26) . $text }
    return chr(65 + $number) . $text;
}

sub site {
    my ($r, $f, $line, $is_call) = @_;
    my $id = $r->function_id($f);
    $line = 0 if $line > 0 && !$r->{call_lines};
    return $r->{sites}{$id}{$line} //= do {
        if ($is_call && !$r->{has_name}{$id}) {
            $r->{has_name}{$id} = $f->{is_named} = 1;
            $r->define('name', "$id " . escape($f->{name}));
        }
        $r->define('site', "$r->{site_count} $id,$line");
        letters($r->{site_count}++);
    };
}

# Finds out which thread runs. A new one that has frames already is met midway.
sub identify {
    my ($r, $context) = @_;
    $r->{must_identify} = 0;
    if ($r->{run} =~ /s/ && $r->{tick} != ${ $r->{game_tick} }) {
        $r->{tick} = ${ $r->{game_tick} };
        $r->put("#$r->{tick}");
    }
    my $thread = $context->{thread};
    my $state = $r->{known}{$thread};
    return if $state && $state == $r->{current};
    my $is_new = !$state;
    if ($is_new) {
        $state = $r->{known}{$thread} = { id => $r->{thread_count}++, stack => [], base => 0, thread => $thread };
        $r->define('thread', "$state->{id} " . ($thread->{is_main} ? 'main' : 'coroutine'));
    }
    $r->{current} = $state;
    $r->put("\@$state->{id}");
    $r->adopt($context) if $is_new && @{ $context->{frames} };
}

sub adopt {
    my ($r, $context) = @_;
    my @frames = @{ $context->{frames} };
    $r->put('(' . join('', map { $r->site($_->{f}, $_->{line}) } @frames) . ')');
    $r->{current}{stack} = [ map { $r->function_id($_->{f}) } @frames ];
}

sub check { my ($r, $context) = @_; die "the recorder took one thread for another\n" if $r->{current}{thread} != $context->{thread} }

# Whether failed callbacks have left so much that it is forgotten with the next root.
sub would_forget {
    my ($r, $thread) = @_;
    return $r->{known}{$thread} && @{ $r->{known}{$thread}{stack} } > $r->{forget_depth};
}

sub pop_bases {
    my ($r) = @_;
    my $state = $r->{current};
    $state->{base} = pop @{ $state->{bases} } // 0 while @{ $state->{stack} } < $state->{base};
}

sub call {
    my ($r, $context, $f, $line, $dt, $kb, $forgets) = @_;
    $r->identify($context) if $r->{must_identify} || $line == -2;
    $r->check($context);
    my $stack = $r->{current}{stack};
    if ($line == -2) {
        $r->pop_bases;
        if ($forgets) {
            $r->put('~');
            @$stack = ();
            @{ $r->{current} }{qw(base bases)} = (0, []);
        }
        push @{ $r->{current}{bases} }, $r->{current}{base} if @$stack > $r->{current}{base};
        $r->{current}{base} = @$stack;
    }
    my $code = $r->site($f, $line, 1);
    my $id = $r->function_id($f);
    push @$stack, $id;
    $r->{must_identify} = 1 if $r->{switches}{$id};
    $r->put_event($code, $dt, $kb, 1);
}

sub return_of {
    my ($r, $context, $f, $dt, $kb, $has_mark) = @_;
    $r->identify($context) if $r->{must_identify};
    my $id = $r->function_id($f);
    my ($before, $text) = ($r->{current}, '.');
    my $stack = $before ? $before->{stack} : [];
    if (!@$stack || $stack->[-1] != $id) {
        my $top = $stack->[-1];
        $r->identify($context);
        $r->{switches}{$top} = 1 if $r->{current} != $before && $top && defined $r->{switches}{$top};
        $stack = $r->{current}{stack};
        my $depth = @$stack;
        $r->pop_bases;
        pop @$stack while @$stack && $stack->[-1] != $id;
        die "a return of a function that is not on the stack\n" if !@$stack;
        $r->{must_identify} = 1;
        my $gone = $depth - @$stack;
        my $names = $r->{names_returns} || @$stack <= $r->{current}{base};
        $text = $names && $gone > 0 ? "^$id." : '.';
        if (!$names && $gone > 0) {
            $r->put_event("/$gone:", $dt, $kb, 0);
            ($dt, $kb) = (0, 0);
        }
    }
    $r->check($context);
    pop @$stack;
    $r->{must_identify} = 1 if @$stack <= $r->{current}{base} || $r->{switches}{$id};
    # A reader knows only the listed functions, and those it has seen a mark behind.
    $r->put_event($text, $dt, $kb, !$has_mark || $LISTED{ $f->{name} } || $r->{learned}{$id});
    $r->{learned}{$id} = 1 if $has_mark;
}

sub tail_return {
    my ($r, $context, $dt, $kb) = @_;
    $r->identify($context) if $r->{must_identify};
    $r->check($context);
    my $stack = $r->{current}{stack};
    pop @$stack;
    $r->{must_identify} = 1 if @$stack <= $r->{current}{base};
    $r->put_event(',', $dt, $kb, 1);
}

sub mark {
    my ($r, $context, $dt, $kb) = @_;
    die "the recorder expects no mark\n" if !$r->{must_identify};
    $r->identify($context);
    $r->put_event('!', $dt, $kb, 1);
}

1;
