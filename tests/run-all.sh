#!/bin/sh
# run-all.sh: installs what the tests need (Debian 12, as root or through sudo) and runs them
# all: with the sanitizers, optimised, and under the fuzzer. Run it from anywhere.
set -eu
cd "$(dirname "$0")/.."

packages="gcc libc6-dev clang libclang-rt-14-dev cmake ninja-build pkg-config libpcre2-dev
libxxhash-dev zlib1g-dev libcriterion-dev lua5.1 liblua5.1-0-dev clang-format shellcheck mandoc perl-base bsdutils
chromium golang-go valgrind libxml2-utils sqlite3 python3 ca-certificates"
# Who has Node.js from elsewhere has npm with it, and cannot install Debian's.
command -v npm >/dev/null || packages="$packages nodejs npm"

missing=
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
if [ -n "$missing" ]; then
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update
    # shellcheck disable=SC2086 # a list of words
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

# What tests/consumers/consumers.sh needs from npm; the last file is written when all is there.
mkdir -p build/consumers
if ! cmp -s tests/consumers/package-lock.json build/consumers/package-lock.json ||
    ! [ -s build/consumers/node_modules/.package-lock.json ]; then
    cp tests/consumers/package.json tests/consumers/package-lock.json build/consumers
    (cd build/consumers && npm ci --ignore-scripts --no-audit --no-fund)
fi
export SUPPROF_NEEDS_CONSUMERS=1

for preset in dev check fuzz; do
    cmake --workflow --preset $preset
done

# The README's first command, as it stands there.
awk '/^```sh$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md >build/first-command
grep -q 'cmake --workflow --preset release' build/first-command
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    sed -i 's/.*no-install-recommends.*&& cmake/cmake/' build/first-command
fi
sh build/first-command | tee build/first-output | tail -n 5
grep -q '^Profile: recorded-spikes.log.gz ' build/first-output

# What a packager gets.
rm -rf build/installed
cmake --install build/release --prefix "$PWD/build/installed" >/dev/null
for file in bin/supprof share/man/man1/supprof.1 share/man/man5/supprof-log.5 \
    share/supprof/profiler.lua share/bash-completion/completions/supprof share/zsh/site-functions/_supprof; do
    [ -s "build/installed/$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done
build/installed/bin/supprof --version
echo "All tests passed: dev, check, fuzz, the README's first command, the installation."
