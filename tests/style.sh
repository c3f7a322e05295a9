#!/bin/sh
# style.sh SUPPROF SOURCE_DIRECTORY
#
# What a reviewer should not have to look for: formatting, lint, the direction of includes,
# and that documents show what the program prints.
set -u
supprof=$1
cd "$2" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

clang-format --dry-run -Werror src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch] || fail "clang-format"
shellcheck -S warning tests/*.sh tests/*/*.sh packaging/*.sh .ci/run || fail "shellcheck"
desktop-file-validate packaging/linux/*.desktop || fail "desktop-file-validate"
luac5.1 -p profiler.lua src/mod/mod_info.lua tests/recorder/*.lua || fail "luac"
# Who has no Node.js has no other test of the pages either; CI has it.
if command -v node >/dev/null; then
    for script in src/web/*.js; do
        node --check "$script" || fail "node --check $script"
    done
fi
documents=$(dirname "$supprof")/documents
for page in man/*.[0-9] "$documents/supprof.1"; do
    [ -z "$(mandoc -Tlint -Wwarning "$page" | tee /dev/stderr)" ] || fail "mandoc $page"
done

shellcheck -S warning "$documents/supprof.bash" || fail "shellcheck supprof.bash"
perl tests/includes.pl || fail "includes"

"$supprof" --help | awk 'length($0) > 80 { exit 1 }' || fail "--help is wider than 80 columns"
[ "$("$supprof" --version)" = "supprof $(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" ] ||
    fail "--version"
grep -q "^## $("$supprof" --version | cut -d' ' -f2)" CHANGELOG.md || fail "CHANGELOG.md lacks this version"
# The README's pictures are the screens that tests/cli/screens.sh compares with the program's.
awk '/^\$ supprof fixtures/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    cmp - fixtures/screens/first-80x24 || fail "README.md shows what supprof no longer prints"
awk '/^\$ supprof --diff/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    cmp - fixtures/screens/diff-80x24 ||
    fail "README.md shows a comparison that supprof no longer prints"
echo "$failed failed"
[ "$failed" -eq 0 ]
