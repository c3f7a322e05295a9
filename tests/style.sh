#!/bin/sh
# style.sh SUPPROF SOURCE_DIRECTORY
# style.sh --format
#
# What a reviewer should not have to look for: formatting, lint, the direction of includes,
# and that documents show what the program prints and which tests there are. With --format, formats
# C, Python, JavaScript and Lua, for which it downloads two npm packages once.
. "$(dirname "$0")/lib.sh"

c="src/*/*.[ch] src/*/*/*.[ch] src/*/*/*/*.[ch] tests/*/*.[ch]"
python="tests/*.py tests/*/*.py"
scripts="src/web/*.js src/report/pages/*.js src/report/pages/*/*.js tests/*/*.mjs"
lua="profiler.lua src/mod/*.lua tests/bench/*.lua tests/recorder/*.lua tests/recorder/scenarios/*.lua"

if [ "$1" = --format ]; then
    cd "$(dirname "$0")/.." || exit 1
    clang-format -i $c && black -q -l 100 $python &&
        node tests/consumers/fetch.mjs build/style tests/style/packages.txt &&
        node tests/style/format.mjs build/style --write $scripts $lua
    exit
fi
supprof=$1
cd "$2" || exit 1

repair="repaired by: sh tests/style.sh --format"
succeed "format of C, $repair" clang-format --dry-run -Werror $c
succeed "format of Python, $repair" black --check -l 100 $python
if [ -d build/style ]; then
    succeed "format of JavaScript and Lua, $repair" node tests/style/format.mjs build/style $scripts $lua
else
    skip "format of JavaScript and Lua: no build/style, which sh tests/style.sh --format makes with Node.js"
fi
# Comments and texts, which no tool breaks.
same "lines of more than 100 columns" "$(LC_ALL=C.UTF-8 grep -nE '^.{101}' $python $scripts $lua)" ""
# Of documents, rows of tables, macros and displays cannot be broken.
for document in *.md tests/*.md fixtures/*.md fixtures/*/*.md man/*.[0-9] man/*.[0-9].in; do
    same "lines of more than 120 columns in $document" \
        "$(sed '/^\.Bd -literal/,/^\.Ed/d; /^[.|]/d' "$document" | LC_ALL=C.UTF-8 grep -E '^.{121}')" ""
done
succeed shellcheck shellcheck -x -P SCRIPTDIR -S warning tests/*.sh tests/*/*.sh packaging/*.sh packaging/*/*.sh src/mod/*.sh .ci/run
succeed desktop-file-validate desktop-file-validate packaging/linux/*.desktop
succeed luac luac5.1 -p "$(dirname "$supprof")/mod_info.lua" $lua
# Who has no Node.js has no other test of the pages either; CI has it.
if command -v node >/dev/null; then
    for script in src/web/*.js src/report/pages/*/*.js; do
        succeed "node --check $script" node --check "$script"
    done
fi
documents=$(dirname "$supprof")/documents
for page in man/*.[0-9] "$documents"/*.[0-9]; do
    same "mandoc $page" "$(mandoc -Tlint -Wwarning "$page")" ""
done

# An example that is too wide wraps. supprof-log(5) and supprof-recorder(7) have lines that must be one.
for page in "$documents"/*.[0-9] man/supprof-accuracy.7 man/supprof-cases.7 man/supprof-modding.7 \
    man/supprof-sentences.7; do
    same "lines of more than 80 columns in $page" \
        "$(mandoc -Tascii "$page" | sed 's/.\x08//g' | awk 'length($0) > 80')" ""
done

succeed "shellcheck supprof.bash" shellcheck -S warning "$documents/supprof.bash"
succeed includes perl tests/includes.pl
# Without it, no command of CMake runs in a folder whose path has a '(' or a "'".
same "commands without VERBATIM" "$(find CMakeLists.txt packaging src tests -name CMakeLists.txt -o -name '*.cmake' |
    xargs perl -0ne 'while (/^\s*add_custom_(?:command|target)\s*(\((?:[^()]++|(?1))*\))/mg) {
        my $command = $1;
        print "$ARGV: $command\n" if $command =~ /\bCOMMAND\b/ && $command !~ /\bVERBATIM\b/;
    }')" ""

"$supprof" --help | awk 'length($0) > 80 { exit 1 }' || fail "--help is wider than 80 columns"
"$supprof" -h | awk 'length($0) > 80 { exit 1 } END { if (NR > 23) exit 1 }' || fail "-h does not fit 80x24"
version=$(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
"$supprof" --version | grep -Eqx "supprof $version \((commit [0-9a-f]+(\+changes)?, )?PCRE2 [0-9.]+, zlib [0-9.]+, [A-Za-z]+ [a-z0-9_]+\)" ||
    fail "--version: $("$supprof" --version)"
grep -q "^## $version" CHANGELOG.md || fail "CHANGELOG.md lacks this version"
release=$(sed -n 's/^set(CPACK_DEBIAN_PACKAGE_RELEASE \(.*\))/\1/p' packaging/debian/package.cmake)
grep -q "\`supprof_VERSION-${release}_amd64.deb\`" README.md || fail "README.md names another Debian package"
# What is longer is not read to its end.
[ "$(wc -w <README.md)" -le 1500 ] || fail "README.md has more than 1500 words"
# The README's picture is a screen that tests/cli/screens.sh compares with the program's.
awk '/^\$ supprof fixtures/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    cmp - fixtures/screens/first-80x24 || fail "README.md shows what supprof no longer prints"
listed=0
for test in $(ctest --test-dir "$(dirname "$supprof")" -N | sed -n 's/^ *Test *#[0-9]*: //p'); do
    listed=$((listed + 1))
    case $test in unit-* | *-game) continue ;; esac
    grep -q "^- .*\`$test\`[,:]" tests/README.md || fail "tests/README.md lacks $test"
done
[ "$listed" -gt 0 ] || fail "ctest lists no tests"
finish checks
