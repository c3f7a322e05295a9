#!/bin/sh
# compare.sh: what action.yml runs. Compares the logs $OLD and $NEW as a table in the job's summary, and
# has the exit status of supprof: 4 if one of the limits $LIMITS is broken. These are lists, one a line.
# Without a $PROGRAM, supprof is of the version that this file is of.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=$(cd "$(dirname "$0")/../.." && pwd)

# download VERSION: the release of a version; fails if there is none, and ends all if it is not what its
# checksums say.
download() {
    gh release download "v$1" --repo "$REPOSITORY" --dir "$folder" \
        --pattern 'supprof-*-linux.tar.gz' --pattern SHA256SUMS >&2 || return 1
    (cd "$folder" && sha256sum --ignore-missing --strict -c SHA256SUMS >&2 &&
        tar xzf supprof-*-linux.tar.gz --strip-components 1) || exit 1
    PROGRAM=$folder/bin/supprof
}

# fits: whether the release has the sources that the action was taken from: what follows its @ is a tag of
# releases, or the commit that the release names.
fits() {
    printf '%s\n' "$REFERENCE" | grep -qE '^v[0-9]+(\.[0-9]+){0,2}$' && return 0
    commit=$("$PROGRAM" --version | sed -n 's/.*(commit \([0-9a-f]*\),.*/\1/p')
    [ -n "$commit" ] && [ "${REFERENCE#"$commit"}" != "$REFERENCE" ]
}

# build: as the README does it, with what it installs.
build() {
    echo "supprof: no release is of '$REFERENCE': building it" >&2
    awk '/^```sh$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$source/README.md" >"$folder/build.sh"
    (cd "$source" && sh "$folder/build.sh" >&2)
    PROGRAM=$source/build/release/supprof
}

if [ -z "$PROGRAM" ]; then
    version=$(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
    if ! { download "$version" && fits; }; then build; fi
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
