#!/bin/sh
# install.sh: the README's first command, as it stands there, and what a packager gets, in a folder whose
# name has what shells and make read as more than a name; and what CMake cannot build in is said.
set -eu
cd "$(dirname "$0")/.."
folder="$PWD/build/a (1) & b's \$x"
rm -rf "$folder"
mkdir -p "$folder"
tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$folder"
cd "$folder"
mkdir build
awk '/^```sh$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md >build/first-command
grep -q 'cmake --workflow --preset release' build/first-command
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    sed -i '1,/&&$/d' build/first-command
fi
sh build/first-command >build/first-output 2>&1 || {
    tail -n 40 build/first-output
    exit 1
}
grep -q '^recorded-spikes.log.gz: ' build/first-output

cmake --install build/release --prefix "$folder/build/installed" >/dev/null
for file in bin/supprof share/man/man1/supprof.1 share/man/man5/supprof-formats.5 share/man/man5/supprof-log.5 \
    share/man/man7/supprof-accuracy.7 share/man/man7/supprof-cases.7 share/man/man7/supprof-modding.7 share/man/man7/supprof-recorder.7 \
    share/man/man7/supprof-sentences.7 \
    share/supprof/profiler.lua share/supprof/supprof.schema.json share/applications/supprof.desktop \
    share/bash-completion/completions/supprof share/zsh/site-functions/_supprof; do
    [ -s "build/installed/$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done
build/installed/bin/supprof --version

# The README's words for an older CMake, with what its first command has installed.
older=$(sed -n 's/.*`\(cmake -S \. -B build[^`&]*\).*/\1/p' README.md)
sh -c "$older" >build/older-output 2>&1 || {
    cat build/older-output
    exit 1
}
[ -s build/build.ninja ] || {
    echo "not for Ninja, which the first command installs: $older"
    exit 1
}

# Each character that CMake cannot have in a path is named, before its own errors.
for character in ';' '#' '<' '>' '[' ']' '|' '"' '${'; do
    ! cmake -G Ninja -S . -B "build/a${character}b" >build/refused 2>&1 || {
        echo "a folder with $character is not refused"
        exit 1
    }
    grep -qF "CMake cannot build where a path has '$character': rename or move" build/refused || {
        cat build/refused
        exit 1
    }
done
# What comes in pairs is no harm: a browser names second downloads so.
cmake -G Ninja -S . -B 'build/a [1]' >build/accepted 2>&1 || {
    cat build/accepted
    exit 1
}
