#!/bin/sh
# release.sh SUPPROF SOURCE_DIRECTORY
#
# packaging/release.sh, as the workflow runs it for a tag: the release's text is the section of
# CHANGELOG.md, and the manifests are what scoop and winget take. gh is a script.
. "$(dirname "$0")/../lib.sh"
tests=$2/tests
version=$("$1" --version | cut -d' ' -f2)
mkdir "$work/bin"
cp -r "$2/packaging" "$work/packaging"
cd "$work" || exit 1
cat >bin/gh <<'END'
#!/bin/sh
# Keeps the arguments, the text, and the names of the files.
cd "$(dirname "$0")/.." || exit
echo "$1 $2 $3 $4 $5 $6 $7 $8 $9" >called
shift 9
cp "$1" text.md
shift
for file; do basename "$file"; done >files
END
chmod +x bin/gh
PATH=$work/bin:$PATH

# release STATUS VERSION
release() {
    checked=$((checked + 1))
    rm -rf called text.md files packages
    mkdir packages
    echo "the zip of $2" >"packages/supprof-$2-windows.zip"
    echo >packages/SHA256SUMS
    status=0
    sh packaging/release.sh "v$2" owner/supprof packages >stdout 2>stderr || status=$?
    [ "$status" -eq "$1" ] || fail "status $status, not $1, for $2: $(cat stderr)"
    [ "$status" -eq 0 ] || [ ! -e called ] || fail "a release of $2 was made"
}

cat >CHANGELOG.md <<'END'
# Changelog

## 1.0.10

Ten.

## 1.0.1 (2026-11-27)

One sentence that goes on
in the next line.

### Kind
- A bullet that
  goes on, and `code`
  - an inner one
- Another - with a dash
```
as
  it is
```

| a | b |
|---|---|

## 1.0.0
END
release 0 1.0.1
same "the command" "$(cat called)" "release create v1.0.1 --repo owner/supprof --verify-tag --title supprof v1.0.1 --notes-file"
cat >wanted <<'END'
One sentence that goes on in the next line.

### Kind
- A bullet that goes on, and `code`
  - an inner one
- Another - with a dash
```
as
  it is
```

| a | b |
|---|---|

END
succeed "the text" diff wanted text.md
printf '%s\n' SHA256SUMS supprof-1.0.1-windows.zip supprof.json supprof.supprof.installer.yaml \
    supprof.supprof.locale.en-US.yaml supprof.supprof.yaml >wanted
succeed "the files" diff wanted files
succeed "the manifests" python3 "$tests/packaging/manifests.py" packages 1.0.1 owner/supprof
release 0 1.0.10
same "the text of 1.0.10" "$(cat text.md)" "Ten."
# Nothing is released without a text.
release 1 1.0.0
release 1 1.0
release 1 2.0.0

cp "$2/CHANGELOG.md" .
release 0 "$version"
[ -s text.md ] || fail "the text of $version is empty"
! grep -n '^  *[^ -]' text.md || fail "the text of $version has lines that go on"
finish checks
