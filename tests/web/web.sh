#!/bin/sh
# web.sh SUPPROF SOURCE_DIRECTORY BROWSER
#
# The HTML report in chromium or firefox: compared with what supprof itself says (pages.mjs), each tab
# with each other one (walk.mjs), and how many clicks lead to answers (tasks.mjs). supprof.html, which
# the preset `web` makes: logs in, reports and files out (drop_page.mjs). With chromium also README's
# picture.
. "$(dirname "$0")/lib.sh"
browser=$3
firefox="${FIREFOX:-$(command -v firefox-esr || command -v firefox)}"
running=
clean_up() {
    for script in $running; do kill "${script#*=}" 2>/dev/null; done
}
executable=$chromium
if [ "$browser" = firefox ]; then
    executable=$firefox
    # Puppeteer sends commands that older ones do not know: its revisions.js names the version it is made for.
    least=150
    found=$([ -z "$firefox" ] || "$firefox" --version)
    version=$(echo "$found" | sed -n 's/.*Firefox \([0-9]*\).*/\1/p')
    [ -z "$firefox" ] || [ "${version:-0}" -ge $least ] || {
        skip "firefox: these tests need Firefox $least or newer, and $firefox is '$found' (Debian 12 has newer ones in bookworm-security)"
        finish checks 0
        exit
    }
fi
[ -s "$page" ] || skip "supprof.html: there is no $page (cmake --workflow --preset web)"
if [ -n "$executable" ] && [ -s "$CONSUMERS_NPM/node_modules/puppeteer-core/package.json" ]; then
    # Side by side: a browser waits half of the time.
    for script in pages use tasks walk drop_page picture; do
        [ "$script" != drop_page ] || [ -s "$page" ] || continue
        # The README's picture is one of Chromium, and what walks through a page needs its commands.
        case $script in picture | walk) [ "$browser" = chromium ] || continue ;; esac
        mkdir "$work/$script"
        node "$sources/tests/web/$script.mjs" "$supprof" "$fixtures" "$work/$script" "$browser" "$executable" "$page" \
            >"$work/$script-said" 2>&1 &
        running="$running $script=$!"
    done
    for script in $running; do
        checked=$((checked + 1))
        wait "${script#*=}" || fail "${script%=*}.mjs in $browser"
        cat "$work/${script%=*}-said"
    done
    running=
else
    skip "$browser: there is no such browser, or no puppeteer-core in $CONSUMERS_NPM"
fi
finish checks 0
