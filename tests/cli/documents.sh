#!/bin/bash
# documents.sh SUPPROF DOCUMENTS
#
# The man pages, and the completions that the build makes from the tables of options: do they
# have them all, and does bash complete what a user would type?
. "$(dirname "$0")/../lib.sh"
supprof=$1
documents=$2

# complete_words WORD...: prints what bash offers for the last word, in one line.
complete_words() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _supprof; echo "${COMPREPLY[*]}"' \
        - "$documents/supprof.bash" supprof "$@"
}

# expect REPLIES WORD...
expect() {
    replies=$1
    shift
    same "bash offers after supprof $*" "$(complete_words "$@")" "$replies"
}

# words OPTION BEFORE START: the words that --help names for an option, those that begin so; BEFORE
# stands before each.
words() {
    "$supprof" --help | awk -v option=" --$1=" '
        index($0, option) { on = 1; text = ""; sub(/^.*=[A-Z]+/, "") }
        on && /^ +-/ { on = 0 }
        on { text = text " " $0 }
        END { sub(/^.*: /, "", text); gsub(/ \(default\)|,/, "", text); print text }' |
        tr -s ' ' '\n' | grep "^$3" | sed "s/^/$2/" | paste -sd ' '
}

# The same as expect, with the words that words() finds as the replies.
expect_words() {
    found=$(words "$1" "$2" "$3")
    [ -n "$found" ] || fail "--help has no words of --$1 with $3"
    shift 3
    expect "$found" "$@"
}

expect "--sort=" --so
expect "--ticks --ticks-over=" --ticks
expect_words sort "" t --sort t
expect_words sort "" t --sort = t
expect_words sort --sort= t --sort=t
expect "callgrind" -f cal
expect "-fcsv" -fcs
expect "-qfcsv" -qfcs
expect_words columns "" su --columns su
expect_words columns self, su --columns self,su
expect_words columns calls, total --columns calls,total
expect_words columns self,total, total. --columns self,total,tot
expect "--columns=self,calls" --columns=self,ca
expect "auto off" --overhead ""
expect "" --top ""
expect "" --by x
# Functions are those of the log on the line. The program is the one in PATH.
mkdir "$work/bin"
ln -s "$supprof" "$work/bin/supprof"
cp "$(dirname "$0")/../../fixtures/recorded-spikes.log.gz" "$work/spikes.log.gz"
PATH=$work/bin:$PATH
expect "GetThreatAtPosition GetDistance" "$work/spikes.log.gz" --peek Get
expect "" "$work/spikes.log.gz" --focus No
expect "--peek=BuildThreatMap" "$work/spikes.log.gz" --peek=Build
expect "--tree=BuildThreatMap" "$work/spikes.log.gz" --tree=Build
mkdir "$work/a-directory"
: >"$work/a-file"
expect "$work/a-directory" --lua-root "$work/a-"
expect "$work/a-file" -o "$work/a-f"
expect "$work/a-file" -- "$work/a-f"

# The table of options, in its order: a line for each in supprof.bash.
options=$(sed -nE "s/^(-.|\.) (--[a-z-]+)(=|\$| ).*/\2/p" "$documents/supprof.bash")
[ "$(echo "$options" | wc -l)" -gt 50 ] || fail "supprof.bash has no options"
for option in $options; do
    checked=$((checked + 1))
    [[ " $(complete_words "$option") " == *" $option"[\ =]* ]] || fail "bash does not offer $option"
    grep -qe "${option}[]=}[]" "$documents/_supprof" || fail "_supprof lacks $option"
done
same "the options of supprof(1)" "$(sed -nE 's/^\.It (Fl [^-].*, )?Fl -([a-z-]+).*/--\2/p' "$documents/supprof.1")" "$options"
same "what --help leaves out" "$(echo "$options" | grep -vxFe "$("$supprof" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' |
    grep -oE -- '--[a-z-]+')" | paste -sd ' ')" "--rows --c-functions --call-sites --overhead --hide-file --fold-recursion \
--max-depth --min-pct --no-source --metric --orientation --max-size --paths --codes"
same "the formats of supprof-formats(5)" \
    "$(grep '^\.It Cm .* Pq' "$(dirname "$0")/../../man/supprof-formats.5")" "$(grep '^\.It Cm .* Pq' "$documents/supprof.1")"
kinds=$(sed -nE 's/.*"enum": \[("computer"[^]]*)\].*/\1/p' "$documents/supprof.schema.json" | tr ',"' ' ')
[ "$(echo "$kinds" | wc -w)" -ge 18 ] || fail "the schema has no kinds of findings"
same "the kinds of findings in supprof-sentences(7)" \
    "$(sed -n 's/.*Dc Pq Ic //p; s/^Pq Ic //p' "$(dirname "$0")/../../man/supprof-sentences.7" | sort)" \
    "$(echo "$kinds" | xargs -n 1 | sort)"
# Whoever pastes a line loses nothing by it.
sources=$(dirname "$0")/../..
same "advice that changes files in place" \
    "$(grep -nE '\b(sed|perl) +-[a-zA-Z]*i|\brm +-|Remove-Item' "$sources"/man/* "$sources/README.md")" ""
! grep -n '@[a-z -]*@' "$documents"/* || fail "a part of a template has not been made"
if command -v zsh >/dev/null; then
    zsh -n "$documents/_supprof" || fail "_supprof is not what zsh understands"
    same "what zsh completes" "$(zsh -f "$(dirname "$0")/complete.zsh" "$work" "$documents" "$work/bin" \
        'supprof spikes.log.gz --peek=Build' 'supprof "spikes.log.gz" --tree=GetTh' 'supprof --focus Recl' 'supprof x --sort=tot' \
        'supprof x --columns=self,cal')" \
        "supprof spikes.log.gz --peek=BuildThreatMap
supprof \"spikes.log.gz\" --tree=GetThreatAtPosition
supprof --focus Recl
supprof x --sort=total
supprof x --columns=self,calls,"
fi
finish checks
