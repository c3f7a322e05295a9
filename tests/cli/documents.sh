#!/bin/bash
# documents.sh SUPPROF DOCUMENTS
#
# The man page and the completions, which the build makes from the tables of options: do they
# have them all, and does bash complete what a user would type?
set -u
supprof=$1
documents=$2
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# complete_words WORD...: prints what bash offers for the last word, in one line.
complete_words() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _supprof; echo "${COMPREPLY[*]}"' \
        - "$documents/supprof.bash" supprof "$@"
}

# expect REPLIES WORD...
expect() {
    expected=$1
    shift
    got=$(complete_words "$@")
    [ "$got" = "$expected" ] || fail "supprof $*: bash offers '$got', not '$expected'"
}

expect "--sort=" --so
expect "--ticks --ticks-over=" --ticks
expect "total" --sort t
expect "total" --sort = t
expect "--sort=total" --sort=t
expect "callgrind" -f cal
expect "-fcsv" -fcs
expect "-qfcsv" -qfcs
expect "sum%" --columns su
expect "self,sum%" --columns self,su
expect "calls,total calls,total%" --columns calls,total
expect "self,total,total%" --columns self,total,tot
expect "--columns=self,calls" --columns=self,ca
expect "auto off" --overhead ""
expect "" --top ""
expect "" --by x
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/a-directory"
: >"$directory/a-file"
expect "$directory/a-directory" --lua-root "$directory/a-"
[ "$(complete_words -o "$directory/a-f")" = "$directory/a-file" ] || fail "-o offers no files"
[ "$(complete_words -- "$directory/a-f")" = "$directory/a-file" ] || fail "no files after --"

options=$("$supprof" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
[ "$(echo "$options" | wc -l)" -gt 30 ] || fail "--help names no options"
for option in $options; do
    [[ " $(complete_words "$option") " == *" $option"[\ =]* ]] || fail "bash does not offer $option"
    grep -qe "^\.It .*Fl ${option#-}\b" "$documents/supprof.1" || fail "supprof(1) lacks $option"
    grep -qe "${option}[]=}[]" "$documents/_supprof" || fail "_supprof lacks $option"
done
! grep -n '@[a-z-]*@' "$documents"/* || fail "a part of a template has not been made"
if command -v zsh >/dev/null; then
    zsh -n "$documents/_supprof" || fail "_supprof is not what zsh understands"
fi
echo "$failed failed"
[ "$failed" -eq 0 ]
