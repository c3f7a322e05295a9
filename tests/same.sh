#!/bin/sh
# same.sh OLD NEW [SOURCE_DIRECTORY]
#
# Two builds of supprof print the same bytes: standard output, standard error, exit status and all files
# of each line of tests/cli/golden.txt, and of every format of every log in fixtures/ (and of some pairs).
# Exit status 1 on one changed byte; what differs is kept in the folder that the last line names.
set -u
export SUPPROF_NO_CONFIG=1
[ $# -ge 2 ] || { echo "usage: same.sh OLD NEW [SOURCE_DIRECTORY]" >&2; exit 2; }
old=$(realpath "$1") || exit 2
new=$(realpath "$2") || exit 2
root=$(realpath "${3:-.}")
[ -f "$root/tests/cli/golden.txt" ] || { echo "same.sh: no tests/cli/golden.txt in $root" >&2; exit 2; }
work=$(mktemp -d) || exit 2
cd "$root/fixtures" || exit 2
formats=$("$old" -f none recursion.log 2>&1 | sed -n 's/.*give one of: //p' | tr -d ,)
[ "$(echo "$formats" | wc -w)" -ge 10 ] || { echo "same.sh: no list of formats" >&2; exit 2; }
# Those of functions; others need an option.
columns=$("$old" --columns none recursion.log 2>&1 | sed -n 's/.*(a list of: \(.*\), runs, .*/\1/p' | tr -d ' ')
"$old" -q --columns "$columns" recursion.log >"$work/wide" || { echo "same.sh: no list of columns" >&2; exit 2; }

# Each line: a name, and arguments as the shell reads them.
sed -E '/^(#|$)/d; s/^([^ ]+) +[^ ]+ */golden-\1 /' "$root/tests/cli/golden.txt" >"$work/list"
logs=$(find . -name '*.log' -o -name '*.log.gz' | sort)
for log in $logs; do
    name=$(echo "${log#./}" | tr / _)
    for format in $formats; do
        case $format in
        peek | list) echo "$format-$name -f $format --$format . $log" ;;
        *) echo "$format-$name -f $format $log" ;;
        esac
    done
    echo "wide-$name -f top --top 0 --columns $columns $log"
done >>"$work/list"
for format in $formats; do
    echo "diff-$format -f $format --diff edited-old.log edited-new.log"
    echo "diff-compared-$format -f $format --diff compared-old.log compared-new.log"
done >>"$work/list"
echo "help --help
usage -h
codes-help --codes" >>"$work/list"

cat >"$work/one" <<'END'
work=$1 old=$2 new=$3
shift 3
for line in "$@"; do
    name=${line%% *}
    arguments=${line#* }
    for side in old new; do
        eval "program=\$$side"
        mkdir -p "$work/$side/$name/bin" "$work/$side/$name/out"
        ln -s "$program" "$work/$side/$name/bin/supprof"
        (PATH=$work/$side/$name/bin:$PATH OUT=$work/$side/$name/out
        export PATH OUT
        sh -c "supprof $arguments" <two-runs.log >"$work/$side/$name/stdout" 2>"$work/$side/$name/stderr"
        echo $? >"$work/$side/$name/status")
        rm -r "$work/$side/$name/bin"
        # The commit that a page was made by.
        find "$work/$side/$name" -type f -exec sed -i '/^<meta name="generator"/d' {} +
        sed -i "s|$work/$side/|WORK/|g" "$work/$side/$name/stderr"
    done
    if diff -r "$work/old/$name" "$work/new/$name" >/dev/null; then
        rm -r "$work/old/$name" "$work/new/$name"
    else
        echo "DIFFERS: $name: supprof $arguments"
    fi
done
END
tr '\n' '\0' <"$work/list" | xargs -0 -P 4 -n 20 sh "$work/one" "$work" "$old" "$new" >"$work/differ"
count=$(wc -l <"$work/list")
cat "$work/differ"
[ "$count" -ge 1500 ] || { echo "same.sh: only $count commands"; exit 1; }
if [ -s "$work/differ" ]; then
    echo "$(wc -l <"$work/differ") of $count commands differ: $work/old, $work/new"
    exit 1
fi
rm -rf "$work"
echo "$count commands print the same"
