#!/bin/sh
# run-all.sh [GROUP]...: runs the tests of some groups, installing what they need (Debian 12, as
# root or through sudo); without a group, of those that every change needs; with `all`, of all. Run it
# from anywhere. A group that fails, or cannot be built, does not end it: a list at the end says which passed. The exit status is 1 if one has not.
# tests/README.md says what is in each group, how long it takes, and what it downloads.
set -eu
usual_groups="quick style slow attacks recorder web sanitizers"
all_groups="$usual_groups consumers firefox sanitizers-slow fuzz windows packages wasm install"
groups=${*:-$usual_groups}
[ "$groups" != all ] || groups=$all_groups
for group in $groups; do
    case " $all_groups " in
    *" $group "*) ;;
    *)
        echo "run-all.sh: no group '$group' (one of: all $all_groups)" >&2
        exit 2
        ;;
    esac
done

status=0
together=
list=
for group in $groups; do
    case $group in
    slow | attacks | recorder)
        # All at once: a long test of one group runs beside those of another.
        [ -z "$together" ] || continue
        for other in slow attacks recorder; do
            case " $groups " in *" $other "*) together="$together${together:+ }$other" ;; esac
        done
        group=$together
        ;;
    esac
    start=$(date +%s)
    result=passed
    # A program of its own: what a shell calls in a condition goes on after errors, whatever `set -e` says.
    # shellcheck disable=SC2086 # a list of words
    sh "$(dirname "$0")/run-group.sh" $group || result=FAILED status=1
    list="$list$(printf '%-22s %s %5d s' "$group" $result $(($(date +%s) - start)))
"
done
printf '\n%s' "$list"
exit $status
