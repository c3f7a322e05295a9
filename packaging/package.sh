#!/bin/sh
# package.sh DIRECTORY: makes all files that are handed out, and their checksums.
#
# The same commit makes the same bytes, wherever and whenever: files have sorted names, one
# owner, and the time of the commit. Needs what `run-all.sh packages` installs.
set -eu
# The programs' messages and zip's clock.
export LC_ALL=C TZ=UTC
umask 022
mkdir -p "$1"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(supprof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
SUPPROF_COMMIT=${SUPPROF_COMMIT:-$(git describe --always --exclude="*" --abbrev=10 --dirty=+changes)}
export SOURCE_DATE_EPOCH SUPPROF_COMMIT

sh packaging/windows-libraries.sh build/windows-libraries
sh packaging/web-libraries.sh build/web-libraries
cmake --workflow --preset windows
cmake --workflow --preset web
cmake --workflow --preset package

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
rm -f "$output"/supprof* "$output/SHA256SUMS"

# make_plain FOLDER: gives its files plain permissions and the commit's time.
make_plain() {
    find "$staging/$1" -type d -exec chmod 755 {} +
    find "$staging/$1" -type f -exec chmod 644 {} +
    find "$staging/$1" -path '*/bin/*' -type f -exec chmod 755 {} +
    find "$staging/$1" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    # By a double click the newest log is read: any log of a game is newer than the example.
    find "$staging/$1" -name 'example.*' -exec touch -d 1980-01-02 {} +
}

# make_zip FILE FOLDER
make_zip() {
    make_plain "$2"
    (cd "$staging" && find "$2" | sort | zip -X -9 -q -@ "$output/$1")
}

# make_tar FILE FOLDER
make_tar() {
    make_plain "$2"
    tar -C "$staging" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$2" |
        gzip -9n >"$output/$1"
}

# copy_licences FOLDER: our own, and those of what is linked in on every system.
copy_licences() {
    mkdir -p "$1/licences"
    cp LICENSE "$1/licences/supprof.txt"
    cp build/windows-libraries/licences/pcre2.txt "$1/licences/"
    cp /usr/share/doc/libxxhash-dev/copyright "$1/licences/xxhash.txt"
    cp /usr/share/doc/zlib1g-dev/copyright "$1/licences/zlib.txt"
}

# make_manual FOLDER: the man pages for web browsers. Those of other programs are Debian's.
make_manual() {
    mkdir -p "$1"
    cp packaging/windows/manual.css "$1/"
    for page in build/package/documents/supprof*.[0-9] man/*.[0-9]; do
        mandoc -T html -O style=manual.css,man=%N.%S.html,toc "$page" |
            perl -pe 's{"((?!supprof)[\w.-]+\.\d)\.html"}{"https://manpages.debian.org/$1"}g' \
                >"$1/${page##*/}.html"
    done
}

# The mod's folder, as it is copied into the game's folder for mods.
cp -r build/package/mod/supprof "$staging/supprof"
make_zip supprof-mod.zip supprof

windows=supprof-$version-windows
mkdir -p "$staging/$windows/mod"
cp build/windows/supprof.exe profiler.lua "$staging/$windows/"
cp -r "$staging/supprof" "$staging/$windows/mod/"
cp fixtures/recorded-spikes.log.gz "$staging/$windows/example.log.gz"
make_manual "$staging/$windows/manual"
perl packaging/windows/inline.pl packaging/windows/README.html >"$staging/$windows/README.html"
copy_licences "$staging/$windows"
cp /usr/share/doc/mingw-w64-x86-64-dev/copyright "$staging/$windows/licences/mingw-w64.txt"
cp /usr/share/doc/gcc-mingw-w64-base/copyright "$staging/$windows/licences/gcc.txt"
make_zip "$windows.zip" "$windows"

linux=supprof-$version-linux
DESTDIR=$staging cmake --install build/package --prefix "/$linux" >/dev/null
cp build/package/supprof-static "$staging/$linux/bin/supprof"
cp packaging/linux/README.txt "$staging/$linux/"
copy_licences "$staging/$linux"
cp /usr/share/doc/libc6-dev/copyright "$staging/$linux/licences/glibc.txt"
cp /usr/share/doc/gcc-12-base/copyright "$staging/$linux/licences/gcc.txt"
make_tar "$linux.tar.gz" "$linux"

cp build/package/supprof_"$version"*.deb "$output/"
cp build/web/supprof.html "$output/"
(cd "$output" && sha256sum supprof* >SHA256SUMS && cat SHA256SUMS)
