#!/bin/sh
# release.sh TAG REPOSITORY PACKAGES: makes the release of a tag such as v1.2.3, with the files in the
# folder PACKAGES and the version's section of CHANGELOG.md as its text. Then the tag of all releases with
# that first number, v1, which the action is used by, is moved to it.
set -eu
version=${1#v}
repository=$2
packages=$(cd "$3" && pwd)
cd "$(dirname "$0")/.."
sh packaging/check-tag.sh "$1"
for file in "supprof-$version-windows.zip" "supprof-$version-linux.tar.gz" SHA256SUMS; do
    [ -s "$packages/$file" ] || {
        echo "release.sh: $packages has no $file: make the packages of this commit with packaging/package.sh" >&2
        exit 1
    }
done
(cd "$packages" && sha256sum --quiet --strict -c SHA256SUMS)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# GitHub ends a line where the text does: each paragraph becomes one line.
awk -v heading="## $version" '
    function put() { if (text != "") print text; text = "" }
    /^## / { put(); inside = $0 == heading || index($0, heading " ") == 1; next }
    !inside { next }
    /^```/ { is_code = !is_code; put(); print; next }
    is_code { print; next }
    /^ *$/ || /^#/ || /^ *[-*|] ?/ { put(); if ($0 ~ /^ *$/) print ""; else text = $0; next }
    { sub(/^ +/, ""); text = text == "" ? $0 : text " " $0 }
    END { put() }' CHANGELOG.md | sed '/./,$!d' >"$work/text.md"

gh release create "$1" --repo "$repository" --verify-tag --title "supprof $1" --notes-file "$work/text.md" "$packages"/*
major=${1%%.*}
commit=$(git rev-parse HEAD)
gh api --silent -X PATCH "repos/$repository/git/refs/tags/$major" -f sha="$commit" -F force=true 2>/dev/null ||
    gh api --silent "repos/$repository/git/refs" -f ref="refs/tags/$major" -f sha="$commit"
