# shellcheck shell=sh
# lib.sh: what the shell tests share. A test reads it first, and ends with `finish`:
#
#     . "$(dirname "$0")/../lib.sh"
#
# It sets
#
#     work                       a new folder, in which a test writes; it is removed at the end
#     checked, failed, skipped   counts
#
# A test that has more to end or to remove redefines clean_up.
set -u
# The same on each machine: nobody's own options, a terminal with colours, UTF-8. A test of one of these sets it anew.
export SUPPROF_NO_CONFIG=1 TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR POSIXLY_CORRECT
checked=0
failed=0
skipped=0
work=$(mktemp -d) || exit 1
clean_up() { :; }
trap 'clean_up; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# fail WHAT...: says what is wrong, and counts it.
fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# stop WHAT...: fails, and there is nothing more to check.
stop() {
    fail "$@"
    exit 1
}

# skip WHAT...: says what is not checked, because something is not installed.
skip() {
    echo "SKIPPED: $*"
    skipped=$((skipped + 1))
}

# same WHAT FOUND WANTED: checks that two texts are the same.
same() {
    checked=$((checked + 1))
    [ "$2" = "$3" ] || fail "$1: $2, not $3"
}

# succeed WHAT COMMAND...: checks that a command succeeds. What it prints is in $work/stdout and
# $work/stderr.
succeed() {
    checked=$((checked + 1))
    what=$1
    shift
    "$@" >"$work/stdout" 2>"$work/stderr" || fail "$what: $(cat "$work/stdout" "$work/stderr")"
}

# golden EXPECTED FOUND: whether a golden file has the bytes of the file FOUND. BLESS=1 gives them to it.
golden() {
    if [ "${BLESS:-}" = 1 ]; then cp "$2" "$1"; else diff -u "$1" "$2"; fi
}

# unpack LOG: prints a log, compressed or not.
unpack() { gzip -dcf "$1"; }

# finish THINGS [LEAST]: says how many THINGS were checked and failed, and returns whether the test
# has passed: nothing failed, at least LEAST (1) were checked, and nothing was skipped that
# SUPPROF_NEEDS_CONSUMERS=1 asks for.
finish() {
    [ "$checked" -ge "${2:-1}" ] || fail "only $checked $1"
    echo "$checked $1, $failed failed, $skipped skipped" | sed 's/, 0 skipped$//'
    [ "$failed" -eq 0 ] && [ $((skipped * ${SUPPROF_NEEDS_CONSUMERS:-0})) -eq 0 ]
}
