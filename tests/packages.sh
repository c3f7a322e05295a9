#!/bin/sh
# packages.sh SUPPROF SOURCE_DIRECTORY: makes what is handed out, in build/packages, and checks
# that it holds what it must, that its programs run, that the Debian package can be installed
# and removed in Debian 12 and 13, and that sources in another place make the same bytes.
. "$(dirname "$0")/lib.sh"
supprof=$1
cd "$2" || exit 1
source=$PWD
packages=$source/build/packages
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
elsewhere=
clean_up() {
    [ -z "$elsewhere" ] || kill "$elsewhere" 2>/dev/null
    $sudo rm -rf "$work"
}

sh packaging/package.sh "$packages" >"$work/log" 2>&1 || {
    tail -n 40 "$work/log"
    stop packaging/package.sh
}
version=$("$supprof" --version | cut -d' ' -f2)
windows=supprof-$version-windows
linux=supprof-$version-linux
deb=supprof_$version-1_$(dpkg --print-architecture).deb
ls "$packages" >"$work/names"
printf '%s\n' SHA256SUMS "$linux.tar.gz" "$windows.zip" supprof.html supprof-mod.zip "$deb" | sort >"$work/wanted"
succeed "the files" diff "$work/wanted" "$work/names"
succeed "the checksums" sh -c "cd '$packages' && sha256sum -c SHA256SUMS"

# lists WHAT FILE...: compares the names in $work/names with those that are named here.
lists() {
    what=$1
    shift
    printf '%s\n' "$@" | sort >"$work/wanted"
    sort -o "$work/names" "$work/names"
    succeed "the files of $what" diff "$work/wanted" "$work/names"
}
cd "$work" || exit 1
mod="supprof/mod_info.lua supprof/checks.lua supprof/play-replay.ps1 supprof/play-replay.sh supprof/hook/lua/simInit.lua supprof/hook/lua/userInit.lua supprof/hook/lua/ui/game/gamemain.lua"
unzip -Z1 "$packages/supprof-mod.zip" | grep -v '/$' >names
# shellcheck disable=SC2086 # a list of words
lists supprof-mod.zip $mod
unzip -q "$packages/supprof-mod.zip" -d mod
succeed "the recorder of the mod" cmp mod/supprof/hook/lua/simInit.lua "$source/profiler.lua"

unzip -q "$packages/$windows.zip"
(cd "$windows" && find . -type f | sed 's,^\./,,') >names
# shellcheck disable=SC2046,SC2086
lists "$windows.zip" README.html supprof.exe profiler.lua example.log.gz $(printf 'mod/%s\n' $mod) \
    $(printf 'manual/%s\n' supprof.1.html supprof-formats.5.html supprof-log.5.html \
        supprof-accuracy.7.html supprof-cases.7.html supprof-modding.7.html supprof-recorder.7.html \
        supprof-sentences.7.html manual.css) \
    $(printf 'licences/%s.txt\n' supprof pcre2 xxhash zlib mingw-w64 gcc)
grep -q 'href="supprof-log.5.html"' "$windows/manual/supprof.1.html" || fail "the manual's pages are not linked"
succeed "the mod in $windows.zip" diff -r mod/supprof "$windows/mod/supprof"
succeed "the program in $windows.zip" cmp "$windows/supprof.exe" "$source/build/windows/supprof.exe"
[ -z "$(find "$windows/example.log.gz" -newermt 1981-01-01)" ] || fail "the example is newer than logs of games"
succeed "the example" "$supprof" "$windows/example.log.gz"
[ "$(wc -c <"$packages/$windows.zip")" -lt 2000000 ] || fail "$windows.zip is larger than 2 MB"
pictures=$(grep -c 'src="data:image/' "$windows/README.html")
[ "$pictures" -ge 2 ] && [ "$pictures" -eq "$(grep -c '<img ' "$windows/README.html")" ] ||
    fail "README.html: $pictures pictures are in it"
for name in supprof.exe profiler.lua example.log.gz mod manual licences; do
    grep -q "<code>$name</code>" "$windows/README.html" || fail "README.html does not name $name"
done

tar xf "$packages/$linux.tar.gz"
installed="bin/supprof share/applications/supprof.desktop share/supprof/profiler.lua
    share/supprof/supprof.schema.json share/bash-completion/completions/supprof share/man/man1/supprof.1
    share/man/man5/supprof-formats.5 share/man/man5/supprof-log.5 share/man/man7/supprof-accuracy.7 share/man/man7/supprof-cases.7 share/man/man7/supprof-modding.7 share/man/man7/supprof-recorder.7
    share/man/man7/supprof-sentences.7"
(cd "$linux" && find . -type f | sed 's,^\./,,') >names
# shellcheck disable=SC2046,SC2086
lists "$linux.tar.gz" README.txt $installed share/zsh/site-functions/_supprof \
    $(printf 'licences/%s.txt\n' supprof pcre2 xxhash zlib glibc gcc)
"$linux/bin/supprof" --version | grep -q '(commit [0-9a-f]' || fail "--version names no commit"
# A program that would need a library could not run without a root file system.
succeed "the program of $linux.tar.gz" "$linux/bin/supprof" -o static.html "$windows/example.log.gz"
"$supprof" -q -o expected.html "$windows/example.log.gz"
succeed "its report" cmp static.html expected.html
LC_ALL=C readelf -l "$linux/bin/supprof" | grep -q INTERP && fail "$linux.tar.gz: the program is not static"
LC_ALL=C tar tvf "$packages/$linux.tar.gz" | grep -v ' 0/0 ' && fail "$linux.tar.gz: owners"

# Tests of the group web use it in browsers.
succeed "the page" cmp "$packages/supprof.html" "$source/build/web/supprof.html"
[ "$(wc -c <"$packages/supprof.html")" -lt 1000000 ] || fail "supprof.html is larger than 1 MB"
grep -q "<h1 id=\"about-title\">supprof $version</h1>" "$packages/supprof.html" || fail "supprof.html has another version"
grep -q "Redistribution and use in source and binary forms" "$packages/supprof.html" ||
    fail "supprof.html lacks the licences of what is in it"

succeed lintian lintian --no-cfg --fail-on error "$packages/$deb"
dpkg-deb --fsys-tarfile "$packages/$deb" | tar t | sed -n 's,^\./\(.*[^/]\)$,\1,p' >names
# shellcheck disable=SC2046,SC2086
lists "$deb" $(printf 'usr/%s\n' $installed | sed 's,/man/.*,&.gz,') usr/share/zsh/vendor-completions/_supprof \
    $(printf 'usr/share/doc/supprof/%s\n' copyright changelog.gz changelog.Debian.gz)

# The same sources elsewhere, as another user would have them; meanwhile the package is tried.
mkdir -p "$work/other place/build"
(cd "$source" && git ls-files -z | tar cf - --null -T -) | tar xf - -C "$work/other place"
ln -s "$source/build/windows-libraries" "$work/other place/build/windows-libraries"
ln -s "$source/build/web-libraries" "$work/other place/build/web-libraries"
(
    cd "$work/other place" || exit 1
    SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
    SUPPROF_COMMIT=$("$source/build/package/supprof" --version | sed -n 's/.*(commit \([^,]*\),.*/\1/p')
    export SOURCE_DATE_EPOCH SUPPROF_COMMIT
    umask 077
    TZ=Asia/Tokyo sh packaging/package.sh again >again.log 2>&1 || tail -n 20 again.log
) &
elsewhere=$!

# inside COMMAND...: runs it in $root.
inside() {
    $sudo chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
found() {
    $sudo find "$root" -xdev \( -path "$root/var/lib/dpkg" -o -path "$root/var/lib/apt" -o -path "$root/var/cache" \
        -o -path "$root/var/log" -o -path "$root/tmp" -o -path "$root/proc" -o -path "$root/sys" \
        -o -path "$root/dev" \) -prune -o -print | sort
}
# In an empty Debian 12 and 13: installed, run, removed, and nothing is left of it.
for debian in bookworm trixie; do
    root=$work/$debian
    $sudo debootstrap --variant=minbase "$debian" "$root" >debootstrap.log 2>&1 || {
        tail debootstrap.log
        fail "debootstrap $debian"
        continue
    }
    $sudo cp "$packages/$deb" "$windows/example.log.gz" "$root/tmp/"
    inside apt-get -q update >/dev/null 2>&1
    found >before
    succeed "$debian: installing $deb" inside apt-get -q install -y "/tmp/$deb"
    succeed "$debian: running it" inside supprof -o /tmp/deb.html /tmp/example.log.gz
    succeed "$debian: its report" cmp "$root/tmp/deb.html" expected.html
    found >with
    [ "$(comm -13 before with | grep -c supprof)" -gt 10 ] ||
        fail "$debian: $deb installs too little: $(comm -13 before with)"
    succeed "$debian: removing it" inside apt-get -q purge -y --autoremove supprof
    found >after
    succeed "$debian: what is left of it" diff before after
done

# Ubuntu 24.04 was not tried: that it has what the package wants is known from its public lists.
dpkg-deb -f "$packages/$deb" Depends | tr ',' '\n' | sed 's/[(>=)]//g' >wants
while read -r package least; do
    case $package in
    libc6) has=2.39-0ubuntu8 ;;
    libpcre2-8-0) has=10.42-4ubuntu2 ;;
    libxxhash0) has=0.8.2-2build1 ;;
    zlib1g) has=1:1.3.dfsg-3.1ubuntu2 ;;
    *) has=0 ;;
    esac
    succeed "Ubuntu 24.04: $package ${least:-0}" dpkg --compare-versions "$has" ge "${least:-0.1}"
done <wants

wait "$elsewhere"
succeed "the same bytes again" diff "$packages/SHA256SUMS" "$work/other place/again/SHA256SUMS"

finish checks
