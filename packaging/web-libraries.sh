#!/bin/sh
# web-libraries.sh DIRECTORY: makes PCRE2 and zlib as WebAssembly, from Debian's sources.
#
# apt-get checks the sources against the archive's signature. Static libraries and headers go
# below DIRECTORY. Does nothing where that is done already.
set -eu
mkdir -p "$1"
cd "$1"
[ ! -e complete ] || exit 0
toolchain=$(dirname "$0")
case $toolchain in /*) ;; *) toolchain=$OLDPWD/$toolchain ;; esac

# A source list and package lists of its own: the system's stay as they are.
mkdir -p apt/lists/partial
echo 'deb-src http://deb.debian.org/debian bookworm main' >apt/sources.list
set -- -q -o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$PWD/apt/lists" -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" source --tar-only pcre2 zlib
for library in pcre2 zlib; do
    rm -rf "$library" "$library-build"
    mkdir "$library"
    tar xf "$library"_*.orig.tar.* -C "$library" --strip-components=1
done

cmake -S pcre2 -B pcre2-build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain/wasi.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$PWD" -DBUILD_SHARED_LIBS=OFF -DCMAKE_C_FLAGS="-ffile-prefix-map=\"$PWD\"=." \
    -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
cmake --build pcre2-build
cmake --install pcre2-build
# Debian's source of zlib lacks what its CMakeLists.txt wants.
mkdir zlib-build
for source in adler32 compress crc32 deflate inffast inflate inftrees trees zutil; do
    clang --target=wasm32-wasi -O3 -DNDEBUG -c "zlib/$source.c" -o "zlib-build/$source.o"
done
llvm-ar rcsD lib/libz.a zlib-build/*.o
cp zlib/zlib.h zlib/zconf.h include/
cat >lib/pkgconfig/zlib.pc <<END
prefix=$PWD
Name: zlib
Description: zlib
Version: 1.2.13
Libs: -L\${prefix}/lib -lz
Cflags: -I\${prefix}/include
END
# In a folder whose name has a blank.
sed -i '/^prefix=/s/ /\\ /g' lib/pkgconfig/*.pc
cp /usr/include/xxhash.h include/
touch complete
