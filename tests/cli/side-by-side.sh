#!/bin/sh
# side-by-side.sh SUPPROF SOURCE_DIRECTORY
#
# Several logs, or a large one, on one processor and on all: output, messages, exit status and files are the
# same, for each line of golden.txt with several logs, and for the lines below. Needs two processors. Also for a
# program with ThreadSanitizer, whose reports are failures (tests/README.md).
. "$(dirname "$0")/../lib.sh"
ln -s "$1" "$work/supprof"
PATH=$work:$PATH
export PATH
golden=$2/tests/cli/golden.txt
cd "$2/fixtures" || exit 1
[ "$(nproc)" -ge 2 ] || stop "this test needs two processors"
first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

# A log that fails in the middle, others that are damaged, and one path in two spellings.
gzip -c recorded-spikes.log.gz >"$work/twice.gz"
head -c 20000 recorded-spikes.log.gz >"$work/cut.gz"
for _ in 1 2 3 4 5 6 7 8; do cat damaged.log; done >"$work/damaged.log"
sed 's/lua/LUA/g; s/siminit/SimInit/g' recursion.log >"$work/spelled.log"
# Times of which a sum has room for one log, not for two.
for _ in $(seq 50); do sed "s/,[0-9.]*,f,t$/,9000000,f,t/" recursion.log; done >"$work/long.log"
unpack recorded-midgame.log.gz | sed 's/^\(.*prof: \$[0-9]* \)s1 /\1u1 /' >"$work/ui.log"
# Deep stacks below a function whose lines cannot move with it: which nodes are outermost is found at the end.
for log in old-1 old-2 new-1 new-2; do
    awk -v side="$log" 'BEGIN {
        print "info: Starting profiler\ninfo: Stopping profiler\ninfo: Printing profiler data"
        printf "info: prof: @root.lua,%d,Root,5000", side ~ /old/ ? 1 : 2147483647
        for (i = 1; i <= 4000; i++)
            printf ";@%s.lua,%d,f%d,%d", side, i, i, i
        print ";1,0.01,t,f"
    }' >"$work/deep-$log.log"
done
# Recordings with so many entries that two threads read their ticks.
for name in recorded-spikes game/navigation; do
    unpack "$name.log.gz" | awk '/ s1 [0-9]+ end / { next } / s1 [0-9]+ events / { events[++count] = $0 }
        / s1 [0-9]+ / { number = $5 } { print }
        END {
            for (k = 0; k < 7; k++)
                for (i = 1; i <= count; i++) {
                    sub(/s1 [0-9]+/, "s1 " ++number, events[i])
                    print events[i]
                }
        }' >"$work/many-$(basename "$name").log"
done
# Sources that links lead to, out of the folder.
mkdir "$work/linked"
for file in lua-root/*; do ln -s "$PWD/$file" "$work/linked"; done
export LOGS="$work"

# Some of golden.txt write into this folder.
sed -E '/^#|[.]tmp/d; s/^([^ ]+) +[^ ]+ +/\1 /' "$golden" | grep -E '\*|\.log.*\.log' >"$work/lines"
[ "$(wc -l <"$work/lines")" -ge 120 ] || fail "golden.txt has few lines with several logs"
recordings="recorded-callbacks.log.gz recorded-errors.log.gz recorded-lines.log.gz recorded-memory.log.gz"
others="recorded-lua51-midgame.log.gz sampled.log.gz arguments.log.gz cut-lines.log lost-beginning.log"
records="small-float.log.gz weirdprefix-float.log.gz tail-calls.log wide-names.log chunk-source.log"
for options in "-f json" "-f csv --by line" "-f html" "-f folded" "-f markdown -v" "--ticks 5" "-f ticks-csv" \
    "--list ." "-f callgrind" "--thread coroutine" "--from 4 --to 8" "--ticks-over 1"; do
    name=$(echo "$options" | tr ' ' _)
    echo "sum$name $options $recordings $others $records
back$name $options $others two-states.log.gz $records $recordings
diff$name $options --diff recorded-midgame.log.gz --diff recorded-errors.log.gz $recordings"
done >>"$work/lines"
cat >>"$work/lines" <<'END'
files $LOGS/damaged.log recursion.log names.log -o $OUT/a.json -o $OUT/b.svg -o $OUT/c.pb.gz -o $OUT/d.html
cut recorded-midgame.log.gz $LOGS/cut.gz recorded-errors.log.gz
cut-first $LOGS/cut.gz recorded-midgame.log.gz
cut-repeated --repeated recorded-midgame.log.gz $LOGS/cut.gz recorded-errors.log.gz
cut-old --diff $LOGS/cut.gz recorded-midgame.log.gz
cut-codes --codes --strict recorded-midgame.log.gz $LOGS/cut.gz recorded-errors.log.gz
twice recursion.log $LOGS/twice.gz recursion.log
missing recursion.log no-such.log names.log
missing-repeated --repeated recursion.log names.log no-such.log names.log
missing-both --diff no-such.log no-log.log
folder recursion.log . names.log
damaged $LOGS/damaged.log recursion.log $LOGS/damaged.log
damaged-verbose -v --repeated $LOGS/damaged.log $LOGS/damaged.log recursion.log
damaged-diff --diff $LOGS/damaged.log --diff damaged.log $LOGS/damaged.log
quiet -q --diff $LOGS/damaged.log $LOGS/damaged.log
spelled -f json $LOGS/spelled.log recursion.log $LOGS/spelled.log
spelled-back --paths full recursion.log $LOGS/spelled.log
long $LOGS/long.log $LOGS/long.log recursion.log
long-repeated --repeated $LOGS/long.log $LOGS/long.log
empties empty.log recursion.log no-profile.log empty-run.log
all-empty empty.log empty.log
only-empty-old --diff empty.log --diff empty.log recursion.log
deep-repeated --max-depth 0 --repeated --diff "$LOGS/deep-old-*.log" $LOGS/deep-new-1.log $LOGS/deep-new-2.log
states -v recorded-midgame.log.gz two-states.log.gz
states-ui --state ui two-states.log.gz two-states.log.gz
states-repeated --repeated two-states.log.gz recorded-midgame.log.gz
states-sim-first --repeated recorded-midgame.log.gz two-states.log.gz $LOGS/ui.log
states-ui-first --repeated $LOGS/ui.log two-states.log.gz two-states.log.gz
states-of-sums --diff $LOGS/ui.log --diff two-states.log.gz two-states.log.gz $LOGS/ui.log
states-of-old --ticks 3 --diff two-states.log.gz $LOGS/ui.log
states-records recursion.log $LOGS/ui.log recorded-midgame.log.gz
pipe recursion.log - names.log
pipe-repeated --repeated names.log - names.log names.log
pipe-old --diff - names.log
runs --run 2 recursion.log two-runs.log two-runs.log
runs-diff --run 1 --diff two-runs.log --diff recursion.log two-runs.log names.log
timeline -f trace recorded-midgame.log.gz recorded-errors.log.gz
many -v $LOGS/many-navigation.log
many-slow -f json --slow-over 2 $LOGS/many-recorded-spikes.log
many-dear -f json --slow-over 2 $LOGS/many-navigation.log
many-threads --threads $LOGS/many-recorded-spikes.log
many-from -f json --from 4 $LOGS/many-navigation.log
filters --focus Deep --hide next --repeated --diff recorded-midgame.log.gz recorded-midgame.log.gz recorded-errors.log.gz
filters-none --focus Nowhere recursion.log names.log two-runs.log
filters-hard --repeated --focus '(.?){200}x(.*y)*$' names.log wide-names.log small-float.log.gz
sources --lua-root lua-root -v lua-root.log chunk-source.log hooked.log
sources-passed --lua-root $LOGS/linked --repeated -v lua-root.log lua-root.log
sources-repeated --lua-root lua-root --repeated -v lua-root.log lua-root.log lua-root.log
hooks -v --by mod --lua-root hooked recursion.log hooked.log hooked-recording.log hooked-other-version.log
mounts -f csv --by file recursion.log paths.log usermods-mounted.log midgame.log
limits --fail-if "total>+1%" --repeated --diff "repeated/old-*.log" repeated/new-*.log
END

# run NAME COMMAND...: what the command prints, returns and writes goes into that folder.
run() {
    folder=$work/$1
    shift
    rm -rf "$folder"
    mkdir -p "$folder/out"
    OUT=$folder/out "$@" <two-runs.log >"$folder/stdout" 2>"$folder/stderr"
    echo $? >"$folder/status"
    sed -i "s|$folder|WORK|g" "$folder/stdout" "$folder/stderr"
}

while read -r name arguments; do
    command="supprof $arguments"
    # A word of the line may be a command of its own.
    run one taskset -c "$first" sh -c "$command"
    run all sh -c "$command"
    checked=$((checked + 1))
    ! grep -q ThreadSanitizer "$work/all/stderr" || fail "$name: $command: $(cat "$work/all/stderr")"
    [ "$(cat "$work/all/status")" -le 4 ] || fail "$name: $command: status $(cat "$work/all/status")"
    diff -r "$work/one" "$work/all" >"$work/differ" || fail "$name: $command: $(head -20 "$work/differ")"
done <"$work/lines"

# All of this would be the same if logs were never read side by side.
supprof -q --progress always recursion.log names.log 2>&1 >/dev/null | grep -q "" && fail "-q shows progress"
supprof --progress always recursion.log names.log 2>"$work/stderr" >/dev/null
grep -q "2 logs: " "$work/stderr" || fail "two logs are not read side by side: $(cat "$work/stderr")"
taskset -c "$first" supprof --progress always recursion.log names.log 2>"$work/stderr" >/dev/null
! grep -q "2 logs: " "$work/stderr" || fail "one processor reads two logs at once"
finish "commands with one processor and with all" 190
