#!/bin/sh
# limits.sh SUPPROF SOURCE_DIRECTORY
#
# --fail-if as a CI job would use it: the job goes on where all limits hold, and stops with status 4
# where one is broken. Failures of other kinds are told from that.
. "$(dirname "$0")/../lib.sh"
supprof=$1
cd "$2/fixtures" || exit 1

# job STATUS LINES [ARGUMENT]...: the exit status, and so many lines about broken limits.
job() {
    wanted=$1 lines=$2
    shift 2
    checked=$((checked + 1))
    status=0
    "$supprof" -q -f csv "$@" >/dev/null 2>"$work/stderr" || status=$?
    [ "$status" -eq "$wanted" ] && [ "$(grep -c '^supprof: limit broken: ' "$work/stderr")" -eq "$lines" ] ||
        fail "status $status, not $wanted, or not $lines lines: $*: $(cat "$work/stderr")"
}

# The two jobs of the manual.
succeed "logs that have not become slower" "$supprof" -q --top 1 --fail-if "total>+5%" --fail-if "self(^B)>+30%" \
    --repeated --diff "repeated/old-*.log" repeated/old-*.log
! "$supprof" -q --top 1 --fail-if "total>+5%" --repeated \
    --diff "repeated/old-*.log" repeated/new-*.log >/dev/null 2>&1 || fail "slower logs pass"

job 0 0 --fail-if "total>4ms" recursion.log
job 4 1 --fail-if "total>3.999ms" recursion.log
job 4 1 --fail-if "total<4.001ms" recursion.log
job 0 0 --fail-if "total<4ms" recursion.log
job 0 0 --fail-if "self(^B)>1ms/call" --fail-if "total(^B)>3ms" --fail-if "calls(^B)>2" recursion.log
job 4 3 --fail-if "self(^B)>999us/call" --fail-if "total(^B)>2ms" --fail-if "calls(^B)>1" recursion.log
job 4 1 --fail-if "self((^A|^C))>1.9ms" recursion.log
job 0 0 --fail-if "self((^A|^C))>2ms" recursion.log
job 4 2 --fail-if "errors>84" --fail-if "errors(^error)>0" --fail-if "errors>85" recorded-midgame.log.gz
job 3 0 --fail-if "self(NoSuch)>2ms" recursion.log
job 3 0 --fail-if "calls(NoSuch)<1" recursion.log
job 0 0 --fail-if "self(?NoSuch)>2ms" recursion.log
job 4 1 --fail-if "calls(?NoSuch)<1" recursion.log
job 0 0 --fail-if "ticks-over(1000)>0" recorded-spikes.log.gz
job 4 1 --fail-if "ticks-over(100)>0" recorded-spikes.log.gz
job 4 1 --fail-if "alloc>1KB/tick" recorded-memory.log.gz
# A change needs to be more than noise: of one pair the clocks', of several logs that of logs.
job 0 0 --fail-if "total>+0%" --diff recursion.log recursion.log
job 4 1 --fail-if "calls(^B)>+0" --diff recursion.log two-runs.log
job 4 2 --fail-if "total>+5%" --fail-if "self(^B)>+10%" --fail-if "self(^C)>+0%" --fail-if "self(New)>+0%" \
    --repeated --diff "repeated/old-*.log" repeated/new-*.log
job 4 1 --fail-if "total>1050ms" --fail-if "total>1080ms" --repeated repeated/new-*.log
# Nothing of what makes a result unreliable looks like a broken limit, or like none.
job 1 0 --fail-if "total>1ms" no-such.log
job 2 0 --fail-if "total>1" recursion.log
job 2 0 --fail-if "total>+1%" recursion.log
job 2 0 --fail-if "total>+1%" --repeated --diff recursion.log two-runs.log
job 3 0 --fail-if "total>1ms" empty.log
job 3 0 --fail-if "errors>0" recursion.log
job 3 0 --fail-if "ticks-over(1)>0" recursion.log
job 3 0 --fail-if "self(^B)>1ms/tick" recursion.log
job 3 0 --fail-if "alloc>1KB" recorded-midgame.log.gz
finish jobs
