#!/bin/sh
# contents.sh SUPPROF SOURCE_DIRECTORY
#
# What pages are made of: functions and types of their modules, the source of functions, what is
# embedded, html-validate, and axe-core in Chromium.
. "$(dirname "$0")/lib.sh"

succeed "the functions of the modules" node --test "$sources/tests/web/"

set --
for log in recorded-coroutines recorded-spikes recorded-midgame recorded-callbacks recorded-from-start game/zoo; do
    set -- "$@" "$fixtures/$log.log.gz"
done
succeed "the order of wakes" node "$sources/tests/web/order.mjs" "$supprof" "$work" "$@"

if [ -n "$chromium" ]; then
    succeed "the source of functions" python3 "$sources/tests/web/source.py" "$supprof" "$fixtures" "$chromium"
else
    skip "the source of functions: there is no Chromium"
fi

if [ -s "$WEB_NPM/node_modules/typescript/package.json" ]; then
    for config in jsconfig.json jsconfig_worker.json; do
        succeed "types of $config" node "$WEB_NPM/node_modules/typescript/bin/tsc" -p "$sources/src/web/$config"
    done
    "$supprof" -q "$fixtures/recursion.log" -o "$work/small.html" -o "$work/small.svg"
    set -- "$sources" "$work/small.html" "$work/small.svg"
    [ ! -s "$page" ] || set -- "$@" "$page"
    succeed "embedded scripts" node "$sources/tests/web/embedded.mjs" "$@"
else
    skip "types and embedded scripts: there is no TypeScript in $WEB_NPM"
fi

if [ -s "$WEB_NPM/node_modules/html-validate/package.json" ]; then
    for log in recursion.log hostile-names.log recorded-spikes.log.gz; do
        "$supprof" -q "$fixtures/$log" -o "$work/$log.html"
        succeed "html-validate $log" node "$sources/tests/web/validate.mjs" "$work/$log.html"
    done
    [ ! -s "$page" ] || succeed "html-validate supprof.html" node "$sources/tests/web/validate.mjs" "$page"
else
    skip "html-validate: it is not in $WEB_NPM"
fi

if [ -n "$chromium" ] && [ -s "$WEB_NPM/node_modules/axe-core/package.json" ]; then
    "$supprof" -q "$fixtures/recorded-spikes.log.gz" -o "$work/recording.html"
    "$supprof" -q --diff "$fixtures/compared-old.log" "$fixtures/compared-new.log" -o "$work/difference.html"
    "$supprof" -q "$fixtures/game-logs/loud-sim.log" -o "$work/plain.html"
    "$supprof" -q "$fixtures/watched-alone/grows.log.gz" -o "$work/watched.html"
    succeed axe node "$sources/tests/web/axe.mjs" "$chromium" "$work/recording.html" "$work/difference.html" \
        "$work/plain.html" "$work/watched.html"
else
    skip "axe: there is no Chromium, or no axe-core in $WEB_NPM"
fi
finish checks
