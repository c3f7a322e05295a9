#!/bin/sh
# windows-libraries.sh DIRECTORY: makes PCRE2, with its JIT, for the Windows program.
#
# Debian has zlib for mingw-w64 but not PCRE2, so this fetches Debian's source of it, which
# apt-get checks against the archive's signature, and builds a static library below DIRECTORY,
# with the licences of all that is linked in. Does nothing where that is done already.
set -eu
mkdir -p "$1"
cd "$1"
[ ! -e complete ] || exit 0

# A source list and package lists of its own: the system's stay as they are.
mkdir -p apt/lists/partial
echo 'deb-src http://deb.debian.org/debian bookworm main' >apt/sources.list
set -- -q -o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$PWD/apt/lists" -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" source --tar-only pcre2
rm -rf source
mkdir source
tar xf pcre2_*.orig.tar.gz -C source --strip-components=1

# Wherever it is built, the same bytes.
toolchain=$(dirname "$0")
case $toolchain in /*) ;; *) toolchain=$OLDPWD/$toolchain ;; esac
cmake -S source -B pcre2 -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain/mingw-w64.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PWD" -DBUILD_SHARED_LIBS=OFF -DPCRE2_SUPPORT_JIT=ON \
    -DCMAKE_C_FLAGS="-ffile-prefix-map=\"$PWD\"=." \
    -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
cmake --build pcre2
cmake --install pcre2
# In a folder whose name has a blank.
sed -i '/^prefix=/s/ /\\ /g' lib/pkgconfig/*.pc
cp /usr/include/xxhash.h include
mkdir -p licences
cp source/LICENCE licences/pcre2.txt
touch complete
