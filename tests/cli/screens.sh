#!/bin/sh
# screens.sh SUPPROF SOURCE_DIRECTORY
#
# What people see on terminals of three sizes, through script(1), against the golden files of
# fixtures/screens: NAME-COLUMNSxLINES. BLESS=1 rewrites them; review them like code. Besides,
#
# - no line is longer than the terminal is wide, so that nothing wraps inside a word;
# - what fits the height leaves a line for the next command;
# - the first five lines have the answer to the first question;
# - no line number is cut.
. "$(dirname "$0")/../lib.sh"
supprof=$1
screens=$2/fixtures/screens
cd "$2/fixtures" || exit 1

# show NAME fits|scrolls ANSWER ARGUMENTS: ANSWER is a pattern for the first five lines.
show() {
    arguments=$4
    for size in 80x24 100x30 120x40; do
        name=$1-$size
        columns=${size%x*}
        lines=${size#*x}
        checked=$((checked + 1))
        NO_COLOR=1 script -qec "stty cols $columns rows $lines; '$supprof' --progress=never $arguments" \
            /dev/null </dev/null | tr -d '\r' >"$work/$name"
        widest=$(LC_ALL=C awk '
            { gsub(/[\200-\277]/, ""); if (length($0) > max) max = length($0) }
            END { print max + 0 }' "$work/$name")
        [ "$widest" -gt 0 ] && [ "$widest" -le "$columns" ] || fail "$name: a line of $widest characters"
        [ "$2" = scrolls ] || [ "$(wc -l <"$work/$name")" -lt "$lines" ] ||
            fail "$name: $(wc -l <"$work/$name") lines"
        head -n 5 "$work/$name" | tr '\n' ' ' | tr -s ' ' | grep -Eq "$3" ||
            fail "$name: the first five lines do not say '$3'"
        grep -Eq '\.lua(:[0-9]*…|…|:$)|…:?[0-9]+( |$)' "$work/$name" &&
            fail "$name: a line number is cut"
        golden "$screens/$name" "$work/$name" || fail "$name: supprof $arguments"
    done
}

ticks='4 of 201 ticks were slow \(over 100 ms\).*#38.*149\.2 ms: 94% BuildThreatMap.*(add|use) --tick 38'
show first fits "$ticks" recorded-spikes.log.gz
show first-of-delins fits '55% of the time has wrong callers' small-float.log.gz
show first-of-two-logs fits '4 of 222 ticks were slow .*#38.*of recorded-spikes.log.gz.*add --run 1 --tick 38' \
    'recorded-spikes.log.gz recorded-midgame.log.gz'
show first-by-stack fits "$ticks" '--by stack recorded-spikes.log.gz'
show first-by-thread fits "$ticks" '--by thread recorded-spikes.log.gz'
show what-if fits '4 of 201 ticks were slow' "--what-if BuildThreatMap/2 recorded-spikes.log.gz"
show threads fits "$ticks" '--threads recorded-spikes.log.gz'
show first-verbose scrolls "$ticks" '-v recorded-spikes.log.gz 2>/dev/null'
show ticks fits "$ticks" '--ticks recorded-spikes.log.gz'
show ticks-while-loading fits 'Tick #0 .* took 383\.2 ms' '--ticks game/session.log.gz'
show ticks-of-two-logs fits '4 of 222 ticks were slow' \
    '--ticks recorded-spikes.log.gz recorded-midgame.log.gz'
show ticks-diff scrolls '^10\.1% less time \(may be equal\): .*0 of 21 ticks took over 100 ms, old 0 of 21 ticks' \
    '--ticks --diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz'
show arguments fits 'No tick was slow' arguments.log.gz
show game-log fits 'sim speed 0\.71' game.log
show diff fits '^10\.0% less time: 90\.000 ms .*OnDamage' '--diff compared-old.log compared-new.log'
show diff-of-recordings fits '^10\.1% less time \(may be equal\): .*0 of 21 ticks took over 100 ms, old 0 of 21 ticks' \
    '--diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz'
show repeated fits '3 logs; medians.*total time s' \
    '--repeated repeated/new-1.log repeated/new-2.log repeated/new-3.log'
show repeated-diff fits '5 logs; medians.*Old: old-1.log' \
    "--repeated --diff 'repeated/old-*.log' repeated/new-*.log"
show columns fits "$ticks" '--columns self,self%,sum%,total,total%,calls,avg recorded-spikes.log.gz'
show repeated-of-recordings scrolls '3 logs; medians' \
    '--repeated recorded-spikes.log.gz recorded-spikes.log.gz recorded-midgame.log.gz'
show peek scrolls "'Threat' matches 4 functions" '--peek Threat recorded-spikes.log.gz'
show peek-of-paths scrolls "'F203 ' matches 1 function F203" "--peek 'F203 ' small-float.log.gz"
show list fits 'BuildThreatMap' '--list BuildThreatMap --lua-root sources recorded-spikes.log.gz'
show list-of-several fits 'matches 5 functions' '--list Threat --lua-root sources recorded-spikes.log.gz'
show list-edited fits "'Update' matches 1" \
    '--list Update --lua-root edited/new --lua-root edited/old --diff edited-old.log edited-new.log'
show list-without-sources fits 'matches 1 function' "--list 'F203 ' small-float.log.gz"
show tree fits '592.251 .*BuildThreatMap' '--tree recorded-spikes.log.gz'
show tree-of-delins fits 'SimBeat' '--tree small-float.log.gz'
show tree-inverted fits 'BuildThreatMap' '--tree --inverted recorded-spikes.log.gz'
show one-tick fits 'Tick #38.*took 149\.2 ms, more than its 100 ms: 94% BuildThreatMap.*add --peek BuildThreatMap' \
    '--tick 38 recorded-spikes.log.gz'
show wrong-pattern fits 'letter case counts' '--peek Nothing recursion.log'
for file in "$screens"/*; do
    name=$(basename "$file")
    [ -f "$work/$name" ] || fail "$file belongs to no command of screens.sh"
done
finish screens 50
