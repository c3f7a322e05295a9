#!/bin/sh
# check-tag.sh TAG: whether a tag can be released: it is `v` and CMake's VERSION, and CHANGELOG.md has a
# section of that version with a text. What is wrong first is said in one sentence.
set -eu
tag=$1
cd "$(dirname "$0")/.."

refuse() {
    echo "check-tag.sh: no release of the tag '$tag': $*" >&2
    exit 1
}
printf '%s\n' "$tag" | grep -qE '^v[0-9]+\.[0-9]+\.[0-9]+$' ||
    refuse "a release's tag is v and three numbers, such as v1.2.3; delete this one and push such a one"
version=$(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$tag" = "v$version" ] ||
    refuse "CMakeLists.txt says VERSION $version; change it, commit, and tag that commit"
awk -v heading="## $version" '
    /^## / { inside = $0 == heading || index($0, heading " ") == 1; next }
    inside && /[^ ]/ { found = 1 }
    END { exit !found }' CHANGELOG.md ||
    refuse "CHANGELOG.md has no text below a heading '## $version'; write it, commit, and tag that commit"
