#!/bin/sh
# web.sh SUPPROF SOURCE_DIRECTORY
#
# The HTML report: types and functions of its modules, and its pages in Chromium and in Firefox,
# compared with what supprof itself says (pages.mjs), looked at by axe-core and html-validate. And
# supprof.html, which the preset `web` makes: logs in, reports and files out (drop_page.mjs).
#
# What is not installed is skipped, with a message; with SUPPROF_NEEDS_CONSUMERS=1, as
# tests/run-all.sh sets it, that is a failure. What npm installs is in CONSUMERS_NPM and WEB_NPM
# (SOURCE_DIRECTORY/build/consumers and build/web-tests); run-all.sh puts it there.
set -u
export LC_ALL=C.UTF-8
supprof=$1
sources=$2
fixtures=$2/fixtures
page=${SUPPROF_PAGE:-$2/build/web/supprof.html}
export CONSUMERS_NPM="${CONSUMERS_NPM:-$2/build/consumers}" WEB_NPM="${WEB_NPM:-$2/build/web-tests}"
chromium="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"
firefox="${FIREFOX:-$(command -v firefox-esr || command -v firefox)}"
# Puppeteer finds there what it needs for Firefox.
export NODE_PATH="$WEB_NPM/node_modules"
work=$(mktemp -d)
running=
trap 'for browser in $running; do kill "${browser#*=}" 2>/dev/null; done; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
skipped=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

skip() {
    echo "SKIPPED: $*"
    skipped=$((skipped + 1))
}

if ! node --version >/dev/null 2>&1; then
    skip "all: there is no Node.js"
    [ "${SUPPROF_NEEDS_CONSUMERS:-0}" != 1 ]
    exit
fi
node --test "$sources/tests/web/" >"$work/node-test" 2>&1 || {
    cat "$work/node-test"
    fail "the functions of the modules"
}

if [ -s "$WEB_NPM/node_modules/typescript/package.json" ]; then
    for config in jsconfig.json jsconfig_worker.json; do
        node "$WEB_NPM/node_modules/typescript/bin/tsc" -p "$sources/src/web/$config" || fail "types of $config"
    done
else
    skip "types: there is no TypeScript in $WEB_NPM"
fi

if [ -s "$WEB_NPM/node_modules/html-validate/package.json" ]; then
    for log in recursion.log hostile-names.log recorded-spikes.log.gz; do
        "$supprof" -q "$fixtures/$log" -o "$work/$log.html"
        node "$sources/tests/web/validate.mjs" "$work/$log.html" || fail "html-validate $log"
    done
    [ ! -s "$page" ] || node "$sources/tests/web/validate.mjs" "$page" || fail "html-validate supprof.html"
else
    skip "html-validate: it is not in $WEB_NPM"
fi

# browse BROWSER EXECUTABLE: returns how many of its tests failed. Its test ends with it.
browse() {
    wrong=0
    trap 'kill "$test" 2>/dev/null; exit 1' TERM
    for script in pages drop_page; do
        [ "$script" = pages ] || [ -s "$page" ] || continue
        node "$sources/tests/web/$script.mjs" "$supprof" "$fixtures" "$work/$1" "$1" "$2" "$page" &
        test=$!
        wait "$test" || wrong=$((wrong + 1))
    done
    return $wrong
}
[ -s "$page" ] || skip "supprof.html: there is no $page (cmake --workflow --preset web)"
# Side by side: a browser waits half of the time.
for browser in "chromium $chromium" "firefox $firefox"; do
    name=${browser%% *} executable=${browser#* }
    if [ -n "$executable" ] && [ -s "$CONSUMERS_NPM/node_modules/puppeteer-core/package.json" ]; then
        mkdir "$work/$name"
        browse "$name" "$executable" >"$work/$name-said" 2>&1 &
        running="$running $name=$!"
    else
        skip "$name: there is no such browser, or no puppeteer-core in $CONSUMERS_NPM"
    fi
done
for browser in $running; do
    wait "${browser#*=}" || fail "$? of the page's tests in ${browser%=*}"
    cat "$work/${browser%=*}-said"
done
running=

if [ -n "$chromium" ] && [ -s "$WEB_NPM/node_modules/axe-core/package.json" ]; then
    "$supprof" -q "$fixtures/recorded-spikes.log.gz" -o "$work/recording.html"
    "$supprof" -q --diff "$fixtures/compared-old.log" "$fixtures/compared-new.log" -o "$work/difference.html"
    node "$sources/tests/web/axe.mjs" "$chromium" "$work/recording.html" "$work/difference.html" || fail "axe"
else
    skip "axe: there is no Chromium, or no axe-core in $WEB_NPM"
fi
echo "$failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((skipped * ${SUPPROF_NEEDS_CONSUMERS:-0})) -eq 0 ]
