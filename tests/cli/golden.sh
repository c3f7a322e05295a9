#!/bin/sh
# golden.sh SUPPROF SOURCE_DIRECTORY
#
# Runs each line of golden.txt in fixtures/ and compares what it prints with
# fixtures/expected/NAME. BLESS=1 rewrites those files; review them like code. STOP=1 ends at the first
# line that fails.
#
# A line is: name, expected exit status, arguments (as the shell reads them).
# Standard error follows standard output in the same file, after a line "stderr:". The version is not
# compared: a release changes no golden file.
. "$(dirname "$0")/../lib.sh"
supprof=$1
tests=$2/tests
expected=$2/fixtures/expected
cd "$2/fixtures" || exit 1
ln -s "$supprof" "$work/supprof"
PATH=$work:$PATH
export PATH OUT="$work/out"
version=$(supprof --version | cut -d' ' -f2)
while read -r name status arguments; do
    case $name in '' | '#'*) continue ;; esac
    checked=$((checked + 1))
    rm -rf "$OUT"
    mkdir "$OUT"
    sh -c "supprof $arguments" <two-runs.log >"$work/stdout" 2>"$work/stderr"
    got=$?
    {
        cat "$work/stdout"
        for file in "$OUT"/*; do
            [ -f "$file" ] && echo "file $(basename "$file"):" && cat "$file"
        done
        [ -s "$work/stderr" ] && echo "stderr:" && sed "s|$OUT|OUT|g" "$work/stderr"
        :
    } | sed "s|supprof $version|supprof VERSION|g; s|\(\"supprof\",\"version\":\"\)$version|\1VERSION|" >"$work/all"
    [ "$got" -eq "$status" ] || fail "$name: exit status $got, not $status"
    golden "$expected/$name" "$work/all" || fail "$name: supprof $arguments"
    [ "$failed" -eq 0 ] || [ "${STOP:-}" != 1 ] || exit 1
done <"$tests/cli/golden.txt"
twice=$(sed '/^#/d; s/ .*//' "$tests/cli/golden.txt" | sort | uniq -d)
[ -z "$twice" ] || fail "golden.txt has two lines of a name: $twice"
for file in "$expected"/*; do
    grep -q "^$(basename "$file") " "$tests/cli/golden.txt" || fail "$file belongs to no line of golden.txt"
done
# Amounts look alike: no 2,000.0 ms, "1 calls", 264.2% more, or 4.0 to 4.0; but --unit and --fail-if name a unit.
sed -E "/^(#|\$)|--unit/d; s| .*||; s|^|$expected/|" "$tests/cli/golden.txt" | tr '\n' '\0' | xargs -0 perl -ne '
    next if /limit broken/;
    my $many = "times|functions|ticks|calls|threads|recordings|logs|others|frames|stacks|runs|wakes|events|lines|places";
    print "$ARGV: $&\n" while /(?<![\d.,:])\d(?:,?\d){3,}(?:\.\d+)?[ ][mu]s\b|(?<![\d.,#:-])1[ ](?:$many)\b|
        \d{3}\.\d%[ ]more|(?<![\d.:])(\d+\.\d+)[ ]to[ ]\1(?![\d.])/gx' >"$work/amounts"
[ ! -s "$work/amounts" ] || fail "amounts: $(head -3 "$work/amounts")"
finish commands 300
