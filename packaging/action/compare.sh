#!/bin/sh
# compare.sh: what action.yml runs. Compares the logs $OLD and $NEW as a table in the job's summary, and
# has the exit status of supprof: 4 if one of the limits $LIMITS is broken. These are lists, one a line.
# Without a $PROGRAM, supprof is that of the release $VERSION of $REPOSITORY.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -z "$PROGRAM" ]; then
    gh release download "$VERSION" --repo "$REPOSITORY" --dir "$folder" \
        --pattern 'supprof-*-linux.tar.gz' --pattern SHA256SUMS
    (cd "$folder" && sha256sum --ignore-missing --strict -c SHA256SUMS >&2)
    tar xzf "$folder"/supprof-*-linux.tar.gz -C "$folder" --strip-components 1
    PROGRAM=$folder/bin/supprof
fi

# Each line is one word: neither spaces nor the shell's patterns count; supprof has its own.
set -f
IFS='
'
# The checkout is somebody else's: a .supprof in it does not choose what counts.
set -- --no-config --repeated -f markdown
for limit in $LIMITS; do set -- "$@" "--fail-if=$limit"; done
for log in $OLD; do set -- "$@" "--diff=$log"; done
set -- "$@" --
for log in $NEW; do set -- "$@" "$log"; done
status=0
"$PROGRAM" "$@" >"$folder/summary.md" || status=$?
cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit $status
