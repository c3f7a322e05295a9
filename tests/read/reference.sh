#!/bin/sh
# reference.sh SUPPROF SOURCE_DIRECTORY [LOG]...
#
# Compares calls, self and inclusive time of every function with those that
# reference.pl, which shares no code with supprof, counts in the same log. Without
# LOG: the real logs and all fixtures that both read alike.
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$2/tests/read
cd "$2/fixtures" || exit 1
shift 2
[ $# -gt 0 ] || set -- small-float.log.gz weirdprefix-float.log.gz recursion.log crlf.log \
    comma-in-path.log chunk-source.log chunk-source-prefixed.log tail-calls.log two-runs.log \
    midgame.log return-lines.log negative-self.log decoys.log names.log
for log; do
    checked=$((checked + 1))
    unpack "$log" >"$work/log"
    # Decimal microseconds without their point are nanoseconds; supprof has no errors here.
    LC_ALL=C "$supprof" -q -f csv --paths full "$work/log" |
        sed -E '1d; s/,,,,,$//; s/,0,(-?)([0-9]+)\.([0-9]{3}),(-?)([0-9]+)\.([0-9]{3})$/,\1\2\3,\4\5\6/' |
        sed -E 's/,(-?)0+([0-9])/,\1\2/g; s/,-0($|,)/,0\1/g' | LC_ALL=C sort >"$work/ours"
    perl "$tests/reference.pl" "$work/log" 2>"$work/summary" | sed 1d |
        LC_ALL=C sort >"$work/theirs"
    if [ ! -s "$work/theirs" ]; then
        fail "$log: the reference read nothing"
    elif ! diff "$work/theirs" "$work/ours" >"$work/diff"; then
        fail "$log: < reference, > supprof"
        head -n 20 "$work/diff"
    else
        echo "$log: $(wc -l <"$work/ours") lines alike; $(cat "$work/summary")"
    fi
done
finish logs
