#!/bin/sh
# invariants.sh SUPPROF FIXTURES
#
# What must hold for any log: in every output the self times sum to the time of the
# roots, and the calls to all calls; the order of logs does not matter; the same
# input gives the same bytes. Sums are made by awk, from the outputs alone.
. "$(dirname "$0")/../lib.sh"
supprof=$1
cd "$2" || exit 1

# All but what depends on the kind of log.
of_stacks=calls,self,total,main,coroutine,errors,min,mean,max,alloc,noise
of_groups=calls,errors,self,total,min,mean,max,alloc,noise

# Sum of a column counted from the right. A cell of a row before may hold line breaks.
column_sum() {
    awk -F, -v at="$1" 'NF > at && $(NF - at) ~ /^-?[0-9]+(\.[0-9]+)?$/ { gsub(/\./, "", $(NF - at)); sum += $(NF - at) }
        END { printf "%.0f\n", sum }'
}

# Sum of the last column of folded stacks.
weight_sum() { awk '{ s += $NF } END { printf "%.0f\n", s }'; }

for log in *.log *.log.gz; do
    "$supprof" -q -f csv --by stack --columns $of_stacks "$log" >"$work/stack.csv" 2>/dev/null || continue
    # Of ticks that were chosen by chance, the last columns are errors.
    case $log in sampled*) continue ;; esac
    # The roots' total, from the stacks that have no ';' in them: times are in ns then.
    self=$(column_sum 9 <"$work/stack.csv")
    calls=$(column_sum 10 <"$work/stack.csv")
    errors=$("$supprof" -q -f csv --by thread --columns errors "$log" | column_sum 0)
    for by in line thread; do
        same "$log: self time by $by" \
            "$("$supprof" -q -f csv --by $by --columns self "$log" | column_sum 0)" "$self"
    done
    for by in file mod; do
        for whose in caller own; do
            "$supprof" -q -f csv --by $by --columns $of_groups --c-functions $whose "$log" >"$work/by.csv"
            same "$log: self time by $by, C functions of $whose" "$(column_sum 6 <"$work/by.csv")" "$self"
            same "$log: calls by $by, C functions of $whose" "$(column_sum 8 <"$work/by.csv")" "$calls"
        done
    done
    for by in function file stack; do
        same "$log: errors by $by" \
            "$("$supprof" -q -f csv --by $by --columns errors "$log" | column_sum 0)" "$errors"
    done
    folded_ns=$("$supprof" -q -f folded --unit ns "$log" | weight_sum)
    same "$log: folded and clamped time" "$folded_ns" \
        "$(awk -F, 'NR > 1 && NF > 9 { gsub(/\./, "", $(NF - 9));
            if ($(NF - 9) > 0) s += $(NF - 9) } END { printf "%.0f\n", s }' "$work/stack.csv")"
    same "$log: self times in svg" "$("$supprof" -q -f svg "$log" | grep -o ' data-self="[0-9]*"' |
        awk -F'"' '{ s += $2 } END { printf "%.0f\n", s }')" "$folded_ns"
    # A wrapped log has no table.
    [ "$log" = wrapped.log ] || same "$log: the root's total" \
        "$("$supprof" -q -f top --unit ns --by thread --top 0 "$log" |
            awk '/self%/ { is_row = 1 } is_row && /^ *[-0-9]/ { gsub(/,/, "", $3); s += $3 }
                END { printf "%.0f\n", s }')" "$self"
    for unit in us ms; do
        folded=$("$supprof" -q -f folded --unit $unit "$log" | weight_sum)
        size=1000
        [ $unit = ms ] && size=1000000
        off=$((folded * size - folded_ns))
        checked=$((checked + 1))
        [ $off -le $size ] && [ $off -ge -$size ] || fail "$log: folded in $unit is off by $off ns"
    done
done

# C functions count for the file that calls them: the same from the stacks, by their last frame of Lua.
for log in small-float.log.gz recorded-midgame.log.gz recorded-errors.log.gz recorded-spikes.log.gz tail-calls.log; do
    same "$log: C functions by file" "$("$supprof" -q -f csv --by file --columns calls,self "$log" |
            grep -v ",0,0.000$" | tail -n +2 | tr ";" ":" | sort)" \
        "$("$supprof" -q -f csv --by stack --max-depth 0 --columns calls,self "$log" | perl -ne '
            chomp;
            s/,(\d+),(-?[\d.]+)$// && $. > 1 or next;
            my ($calls, $self) = ($1, $2 =~ tr/.//dr);
            s/""/"/g if s/^"(.*)"$/$1/;
            my @frames = split /;/;
            pop @frames while @frames > 1 && $frames[-1] =~ / \[C\]$/;
            (my $file = $frames[-1]) =~ s/^\S+ (?=.)//;
            $file =~ s/:(\d+|\?)$//;
            $calls{$file} += $calls; $self{$file} += $self;
            END { for (sort keys %calls) {
                my $name = /[",]/ ? q(") . s/"/""/gr . q(") : $_;
                printf "%s,%d,%s\n", $name, $calls{$_}, sprintf("%04d", $self{$_}) =~ s/(?=\d{3}$)/./r; } }' | sort)"
done

# Filters split a profile without losing anything, and folds lose no time. sums prints "calls self" over
# the stacks of a log.
sums() {
    "$supprof" -q -f csv --by stack --columns $of_stacks "$@" 2>/dev/null | awk -F, '$(NF - 9) ~ /^-?[0-9]+\.[0-9]+$/ {
        gsub(/\./, "", $(NF - 9)); self += $(NF - 9); calls += $(NF - 10) } END { printf "%.0f %.0f\n", calls, self }'
}
for log in small-float.log.gz weirdprefix-float.log.gz recorded-midgame.log.gz recorded-coroutines.log.gz recursion.log; do
    all=$(sums "$log")
    for pattern in 'a' '\[C\]' '[Uu]nit' '^(?!.*main)' 'nowhere'; do
        same "$log: focus and ignore of $pattern" \
            "$({ sums --focus "$pattern" "$log"; sums --ignore "$pattern" "$log"; } |
                awk '{ calls += $1; self += $2 } END { printf "%.0f %.0f\n", calls, self }')" "$all"
        same "$log: time with --hide $pattern" "$(sums --hide "$pattern" "$log" | cut -d' ' -f2)" "${all#* }"
        same "$log: --show-from $pattern leaves what focus leaves" \
            "$(sums --show-from "$pattern" "$log")" "$(sums --focus "$pattern" "$log")"
        same "$log: $pattern before and after another focus" \
            "$("$supprof" -q -f folded --focus "$pattern" --focus 'e' "$log" 2>/dev/null | cksum)" \
            "$("$supprof" -q -f folded --focus 'e' --focus "$pattern" "$log" 2>/dev/null | cksum)"
        same "$log: $pattern before and after an ignore" \
            "$("$supprof" -q -f folded --focus "$pattern" --ignore 'o' "$log" 2>/dev/null | cksum)" \
            "$("$supprof" -q -f folded --ignore 'o' --focus "$pattern" "$log" 2>/dev/null | cksum)"
    done
    for same in '--focus .' '--show-from .' '--ignore nowhere' '--hide nowhere' '--max-depth 4000000000'; do
        # shellcheck disable=SC2086 # two words
        same "$log: $same changes nothing" "$("$supprof" -q -f csv --by stack $same "$log" | cksum)" \
            "$("$supprof" -q -f csv --by stack "$log" | cksum)"
    done
    same "$log: --fold-recursion" "$(sums --fold-recursion "$log")" "$all"
    folded="-q -f csv --by stack --call-sites --fold-recursion --max-depth=0"
    # shellcheck disable=SC2086 # words
    same "$log: folded before filters, as after them" "$("$supprof" $folded "$log")" "$("$supprof" $folded --focus . "$log")"
    same "$log: no step twice in a stack" "$("$supprof" -q -f csv --by stack --fold-recursion "$log" |
        perl -ne '$bad += (() = /(?:^"?|;)([^;,]*;[^;,]*)(?=[;,])(?=.*;\1[;,])/g) if $. > 1; END { print $bad + 0 }')" 0
    for fold in '--max-depth 1' '--max-depth 3' '--min-pct 1' '--min-pct 100'; do
        # shellcheck disable=SC2086 # two words
        same "$log: time with $fold" "$(sums $fold "$log" | cut -d' ' -f2)" "${all#* }"
    done
done

# Parts of a recording, with the cost subtracted, add up to it: kinds of threads, and windows.
# Lines of "stacks calls self".
counted() {
    "$supprof" -q -f csv --by stack --columns $of_stacks "$@" 2>/dev/null | awk -F, 'NF > 9 && $(NF - 9) ~ /^-?[0-9]+\.[0-9]+$/ {
        gsub(/\./, "", $(NF - 9)); self += $(NF - 9); calls += $(NF - 10); stacks++ }
        END { printf "%d %.0f %.0f\n", stacks, calls, self }'
}
parts() {
    awk '{ stacks += $1; calls += $2; self += $3 } END { printf "%d %.0f %.0f\n", stacks, calls, self }'
}
expect_whole() {
    checked=$((checked + 1))
    # In each part a stack is rounded to ns twice: its units, and its share of what is left.
    echo "$2 $3" | awk '{ off = $3 - $6; if (off < 0) off = -off; exit !($5 > 0 && $2 == $5 && off <= 2 * ($1 - $4)) }' ||
        fail "$1: stacks, calls, ns of the parts $2, of the whole $3"
}
for log in recorded-*.log.gz; do
    all=$(counted "$log")
    expect_whole "$log: main and coroutine" \
        "$({ counted --thread main "$log"; counted --thread coroutine "$log"; } | parts)" "$all"
    # Ticks are 30 to 50; the first window has what is before them, and the last what is after.
    expect_whole "$log: five windows" "$({
        counted --to '#34' "$log"
        counted --from '#34' --to '#38' "$log"
        counted --from '#38' --to '#39' "$log"
        counted --from '#39' --to '#43' "$log"
        counted --from '#43' "$log"
    } | parts)" "$all"
    expect_whole "$log: threads of windows" "$(for thread in main coroutine; do
        counted --thread $thread --to '#40' "$log"
        counted --thread $thread --from '#40' "$log"
    done | parts)" "$all"
done

# A comparison holds what each log says alone; sums over rows, since functions may have moved.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = NF - i; next }
        NF > at && $(NF - at) ~ /^-?[0-9.]+$/ { gsub(/\./, "", $(NF - at)); sum += $(NF - at) } END { printf "%.0f\n", sum }'
}
for pair in small-float.log.gz:weirdprefix-float.log.gz recorded-midgame.log.gz:recorded-from-start.log.gz \
    recursion.log:two-runs.log small-float.log.gz:recorded-midgame.log.gz; do
    old=${pair%:*} new=${pair#*:}
    for by in function file line stack; do
        for name in calls self_us; do
            same "$pair: new $name by $by" \
                "$("$supprof" -q -f csv --by $by --diff "$old" "$new" | column new_$name)" \
                "$("$supprof" -q -f csv --by $by "$new" | column $name)"
            same "$pair: old $name by $by" \
                "$("$supprof" -q -f csv --by $by --diff "$old" "$new" | column old_$name)" \
                "$("$supprof" -q -f csv --by $by "$old" | column $name)"
        done
        same "$pair: itself by $by" \
            "$("$supprof" -q -f csv --by $by --diff "$new" "$new" | column diff_self_us)" 0
    done
    # difffolded.pl's rule: the stacks of either file with the weights of both, 0 where there is none.
    same "$pair: folded with two weights" \
        "$("$supprof" -q -f folded --unit ns --diff "$old" "$old" | sed 's/ \([0-9]*\) \1$/ \1/' | cksum)" \
        "$("$supprof" -q -f folded --unit ns "$old" | cksum)"
done

for format in top csv folded svg; do
    one=$("$supprof" -q -f $format --by stack recursion.log tail-calls.log 2>/dev/null | tail -n +3 | grep -v ' and 1 more' | sort)
    two=$("$supprof" -q -f $format --by stack tail-calls.log recursion.log 2>/dev/null | tail -n +3 | grep -v ' and 1 more' | sort)
    same "$format of two logs in either order" "$one" "$two"
    same "$format written twice" "$("$supprof" -q -f $format small-float.log.gz | cksum)" \
        "$(gzip -dc small-float.log.gz | "$supprof" -q -f $format | sed 's/standard input/small-float.log.gz/' | cksum)"
done
finish checks 1000
