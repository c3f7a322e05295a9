#!/bin/sh
# states.sh SUPPROF SOURCE_DIRECTORY
#
# A log with recordings of the sim and of the user interface: the report of each is, in every format
# that has no run numbers and does not number functions as the log does, that of a log with this recording alone.
. "$(dirname "$0")/../lib.sh"
supprof=$1
log=$2/fixtures/two-states.log.gz

unpack "$log" | grep ' s1 ' >"$work/sim"
unpack "$log" | grep ' u1 ' >"$work/ui"
cat "$work/sim" "$work/ui" >"$work/first-sim"
cat "$work/ui" "$work/sim" >"$work/first-ui"
for format in csv 'csv --by stack --call-sites' 'csv --by thread' 'csv --by line' 'csv --by file' folded speedscope cpuprofile svg; do
    for state in sim ui; do
        # shellcheck disable=SC2086 # words
        "$supprof" -q -f $format - <"$work/$state" >"$work/wanted" || fail "$format of $state: status $?"
        [ -s "$work/wanted" ] || fail "$format of $state is empty"
        for first in sim ui; do
            # shellcheck disable=SC2086
            "$supprof" -q -f $format --state $state - <"$work/first-$first" >"$work/found"
            succeed "$format --state $state, after $first" cmp "$work/found" "$work/wanted"
            # shellcheck disable=SC2086
            "$supprof" -q -f $format - <"$work/first-$state" >"$work/found"
            succeed "$format, $state first" cmp "$work/found" "$work/wanted"
        done
    done
done
finish 'reports' 72
