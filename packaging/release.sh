#!/bin/sh
# release.sh TAG REPOSITORY PACKAGES: makes the release of a tag such as v1.0.0, with the files in the
# folder PACKAGES, the manifests for scoop and winget, and the version's section of CHANGELOG.md as its
# text.
set -eu
version=${1#v}
repository=$2
packages=$(cd "$3" && pwd)
cd "$(dirname "$0")"
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
    END { put() }' ../CHANGELOG.md | sed '/./,$!d' >"$work/text.md"
[ -s "$work/text.md" ] || {
    echo "release.sh: CHANGELOG.md has no section '## $version'" >&2
    exit 1
}

sum=$(sha256sum "$packages/supprof-$version-windows.zip")
for template in scoop/*.json winget/*.yaml; do
    sed "s|@VERSION@|$version|g; s|@REPOSITORY@|$repository|g; s|@SHA256@|${sum%% *}|g" "$template" \
        >"$packages/${template#*/}"
done
gh release create "$1" --repo "$repository" --verify-tag --title "supprof $1" --notes-file "$work/text.md" "$packages"/*
