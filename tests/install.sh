#!/bin/sh
# install.sh: the README's first command, as it stands there, and what a packager gets.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
awk '/^```sh$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md >build/first-command
grep -q 'cmake --workflow --preset release' build/first-command
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    sed -i '1,/&&$/d' build/first-command
fi
sh build/first-command >build/first-output || {
    tail -n 40 build/first-output
    exit 1
}
grep -q '^recorded-spikes.log.gz: ' build/first-output

rm -rf build/installed
cmake --install build/release --prefix "$PWD/build/installed" >/dev/null
for file in bin/supprof share/man/man1/supprof.1 share/man/man5/supprof-formats.5 share/man/man5/supprof-log.5 \
    share/man/man7/supprof-accuracy.7 share/man/man7/supprof-cases.7 share/man/man7/supprof-modding.7 share/man/man7/supprof-recorder.7 \
    share/supprof/profiler.lua share/supprof/supprof.schema.json share/applications/supprof.desktop \
    share/bash-completion/completions/supprof share/zsh/site-functions/_supprof; do
    [ -s "build/installed/$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done
build/installed/bin/supprof --version
