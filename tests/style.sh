#!/bin/sh
# style.sh SUPPROF SOURCE_DIRECTORY
#
# What a reviewer should not have to look for: formatting, lint, the direction of
# includes, and that --help, the man page and the completions name the same options.
set -u
supprof=$1
cd "$2" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

clang-format --dry-run -Werror src/*/*.[ch] tests/*/*.[ch] || fail "clang-format"
shellcheck -S warning tests/*.sh tests/*/*.sh .ci/run || fail "shellcheck"
luac5.1 -p profiler.lua src/mod/mod_info.lua tests/recorder/*.lua || fail "luac"
# Who has no Node.js has no other test of the pages either; CI has it.
if command -v node >/dev/null; then
    for script in src/web/*.js; do
        node --check "$script" || fail "node --check $script"
    done
fi
for page in man/*.[0-9]; do
    [ -z "$(mandoc -Tlint -Wwarning "$page" | tee /dev/stderr)" ] || fail "mandoc $page"
done

perl tests/includes.pl || fail "includes"

help_options=$("$supprof" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort)
[ "$(echo "$help_options" | wc -l)" -gt 10 ] || fail "--help names no options"
page_options=$(sed -n 's/^\.It .*Fl -\([a-z-]*\).*/--\1/p' man/supprof.1 | sort)
[ "$help_options" = "$page_options" ] || fail "--help and supprof(1) name different options:
$help_options
and
$page_options"
for option in $help_options; do
    for completion in src/completion/supprof.bash src/completion/_supprof; do
        grep -qe "$option" "$completion" || fail "$completion lacks $option"
    done
done
formats=$("$supprof" --help | sed -n '/^Formats:/,/^$/s/^  \([a-z-]*\)  .*/\1/p')
[ "$(echo "$formats" | wc -l)" -gt 8 ] || fail "--help names no formats"
for format in $formats; do
    grep -q "\"[^\"]*\b$format\b.*;;" src/completion/supprof.bash || fail "supprof.bash lacks the format $format"
    grep -q "^    '$format:" src/completion/_supprof || fail "_supprof lacks the format $format"
    grep -q "^\.It Cm.* *$(echo "$format" | sed 's/-/\\\\-/')\b" man/supprof.1 || fail "supprof(1) lacks the format $format"
done
"$supprof" --help | awk 'length($0) > 80 { exit 1 }' || fail "--help is wider than 80 columns"
[ "$("$supprof" --version)" = "supprof $(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" ] ||
    fail "--version"
grep -q "^## $("$supprof" --version | cut -d' ' -f2)" CHANGELOG.md || fail "CHANGELOG.md lacks this version"
# The README's picture is what the program prints.
mkdir -p build
"$supprof" --top 8 fixtures/recorded-spikes.log.gz >build/style-picture
awk '/^\$ supprof --top 8/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    cmp - build/style-picture || fail "README.md shows what supprof no longer prints"
"$supprof" --diff fixtures/compared-old.log fixtures/compared-new.log >build/style-picture
awk '/^\$ supprof --diff/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    cmp - build/style-picture || fail "README.md shows a comparison that supprof no longer prints"
echo "$failed failed"
[ "$failed" -eq 0 ]
