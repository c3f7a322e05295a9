# shellcheck shell=sh disable=SC2034
# lib.sh: what the tests of pages share. One reads it first, with its arguments SUPPROF SOURCE_DIRECTORY:
#
#     . "$(dirname "$0")/lib.sh"
#
# It sets supprof, sources, fixtures, page (supprof.html), and chromium (empty: not installed), and
# what ../lib.sh sets. Without Node.js the test ends here.
#
# What is not installed is skipped, with a message; with SUPPROF_NEEDS_CONSUMERS=1, as
# tests/run-all.sh sets it, that is a failure. What npm installs is in CONSUMERS_NPM and WEB_NPM
# (SOURCE_DIRECTORY/build/consumers and build/web-tests); run-all.sh puts it there.
. "$(dirname "$0")/../lib.sh"
supprof=$1
sources=$2
fixtures=$2/fixtures
page=${SUPPROF_PAGE:-$2/build/web/supprof.html}
export CONSUMERS_NPM="${CONSUMERS_NPM:-$2/build/consumers}" WEB_NPM="${WEB_NPM:-$2/build/web-tests}"
chromium="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"
# Browsers keep settings there, too.
export HOME="$work"
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
# Scripts find there what npm has installed.
export NODE_PATH="$WEB_NPM/node_modules"

if ! node --version >/dev/null 2>&1; then
    skip "all: there is no Node.js"
    finish checks 0
    exit
fi
