#!/bin/sh
# run-group.sh GROUP...: installs what the tests of a group need, builds them, and runs them; ends at the
# first error. run-all.sh calls it for each group, or for slow, attacks and recorder at once.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
groups=$*
# Tests set what they depend on; what they forget is seen here.
export TERM=dumb NO_COLOR=1 COLUMNS=40 LC_ALL=C TZ=Asia/Kathmandu

# wants GROUP...: whether one of them is to be run.
wants() {
    for wanted; do
        case " $groups " in *" $wanted "*) return 0 ;; esac
    done
    return 1
}

packages="gcc libc6-dev cmake ninja-build pkg-config libpcre2-dev libxxhash-dev zlib1g-dev libcriterion-dev perl python3"
! wants style || packages="$packages clang-format shellcheck mandoc lua5.1 desktop-file-utils black git"
! wants slow || packages="$packages valgrind"
! wants recorder || packages="$packages lua5.1 liblua5.1-0-dev"
! wants fuzz || packages="$packages clang libclang-rt-14-dev"
! wants web || packages="$packages chromium"
! wants firefox || packages="$packages firefox-esr"
! wants windows || packages="$packages gcc-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64"
if wants packages; then
    packages="$packages gcc-mingw-w64-x86-64-posix libz-mingw-w64-dev dpkg-dev git zip unzip lintian debootstrap mandoc"
fi
! wants web firefox wasm packages || packages="$packages clang lld llvm wasi-libc libclang-rt-14-dev-wasm32 bzip2"
if wants consumers; then
    packages="$packages chromium golang-go valgrind libxml2-utils sqlite3 ca-certificates"
fi
# Who has Node.js from elsewhere cannot install Debian's.
! wants style consumers web firefox wasm || command -v node >/dev/null || packages="$packages nodejs"

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

# test_groups GROUP...: runs the optimised program's tests with those labels, of which each must have some.
test_groups() {
    for labelled; do
        ! ctest --preset check -N -L "^$labelled\$" | grep -qx 'Total Tests: 0' || {
            echo "run-group.sh: the group '$labelled' has no tests in build/check" >&2
            return 1
        }
    done
    ctest --preset check -L "^($(echo "$*" | tr ' ' '|'))\$"
}

if wants quick style slow attacks recorder consumers web firefox windows packages wasm; then
    cmake --preset check
    cmake --build --preset check
fi
case $groups in
style)
    node tests/consumers/fetch.mjs build/style tests/style/packages.txt
    SUPPROF_NEEDS_CONSUMERS=1 test_groups style
    ;;
consumers)
    mkdir -p build/consumers
    node tests/consumers/fetch.mjs build/consumers
    SUPPROF_NEEDS_CONSUMERS=1 test_groups consumers
    ;;
web | firefox)
    mkdir -p build/consumers build/web-tests
    node tests/consumers/fetch.mjs build/consumers
    node tests/consumers/fetch.mjs build/web-tests tests/web/packages.txt
    sh packaging/web-libraries.sh build/web-libraries
    cmake --workflow --preset web
    SUPPROF_NEEDS_CONSUMERS=1 test_groups "$groups"
    ;;
sanitizers | sanitizers-slow)
    cmake --preset dev
    cmake --build --preset dev
    # These run more of what the others have run already.
    long='^(invariants|timeline|itself|pairs|lines-and-trees|widths|side-by-side|fuzz-end-to-end|unit-statistics)$'
    # The recorder is Lua: what it wrote is read with the sanitizers by `recorded`.
    if [ "$groups" = sanitizers ]; then
        ctest --preset dev -LE 'style|recorder' -E "$long"
    else
        ctest --preset dev -R "$long"
    fi
    ;;
fuzz) cmake --workflow --preset fuzz ;;
windows)
    sh packaging/windows-libraries.sh build/windows-libraries
    cmake --workflow --preset windows
    sh tests/windows/wine.sh "$PWD/build/windows/supprof.exe" "$PWD/build/check/supprof" "$PWD"
    ;;
packages) sh tests/packages.sh "$PWD/build/check/supprof" "$PWD" ;;
wasm)
    sh packaging/web-libraries.sh build/web-libraries
    cmake --workflow --preset web
    node tests/wasm/golden.mjs build/web/supprof.wasm "$PWD"
    node tests/wasm/compare.mjs build/web/supprof.wasm build/check/supprof "$PWD"
    ;;
install) sh tests/install.sh ;;
*)
    # shellcheck disable=SC2086 # a list of words
    test_groups $groups
    ;;
esac
