#!/bin/sh
# reference.sh SUPPROF SOURCE_DIRECTORY [LOG]...
#
# Compares calls, self and inclusive time of every function with those that
# reference.pl, which shares no code with supprof, counts in the same log. Without
# LOG: the real logs and all fixtures that both read alike.
set -u
supprof=$1
tests=$2/tests/read
cd "$2/fixtures" || exit 1
shift 2
[ $# -gt 0 ] || set -- small-float.log.gz weirdprefix-float.log.gz recursion.log crlf.log \
    comma-in-path.log chunk-source.log chunk-source-prefixed.log tail-calls.log two-runs.log \
    midgame.log return-lines.log negative-self.log decoys.log names.log
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
for log; do
    case $log in
    *.gz) gzip -dc "$log" ;;
    *) cat "$log" ;;
    esac >"$directory/log"
    # Decimal microseconds without their point are nanoseconds; supprof has no errors here.
    LC_ALL=C "$supprof" -q -f csv --paths full "$directory/log" |
        sed -E '1d; s/,,,,,$//; s/,0,(-?)([0-9]+)\.([0-9]{3}),(-?)([0-9]+)\.([0-9]{3})$/,\1\2\3,\4\5\6/' |
        sed -E 's/,(-?)0+([0-9])/,\1\2/g; s/,-0($|,)/,0\1/g' | LC_ALL=C sort >"$directory/ours"
    perl "$tests/reference.pl" "$directory/log" 2>"$directory/summary" | sed 1d |
        LC_ALL=C sort >"$directory/theirs"
    if [ ! -s "$directory/theirs" ]; then
        echo "FAILED $log: the reference read nothing"
        failed=$((failed + 1))
    elif ! diff "$directory/theirs" "$directory/ours" >"$directory/diff"; then
        echo "FAILED $log: < reference, > supprof"
        head -n 20 "$directory/diff"
        failed=$((failed + 1))
    else
        echo "$log: $(wc -l <"$directory/ours") lines alike; $(cat "$directory/summary")"
    fi
done
[ "$failed" -eq 0 ]
