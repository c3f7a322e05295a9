#!/bin/sh
# consumers.sh SUPPROF SOURCE_DIRECTORY [LOG]...
#
# Are supprof's files read right by the programs that people use? For each log all formats
# are written, loaded by their readers (speedscope and pictures in Chromium, go tool pprof,
# callgrind_annotate, xmllint, Python's csv, sqlite3), and what those say of every function
# is compared with what `-f csv --by stack` adds up to: self, total and calls. And a client of
# the Model Context Protocol calls the tools of --mcp.
#
# A reader that is not installed is skipped, with a message. With SUPPROF_NEEDS_CONSUMERS=1,
# as tests/run-all.sh sets it, that is a failure. The npm packages are in CONSUMERS_NPM
# (SOURCE_DIRECTORY/build/consumers); fetch.mjs puts them there.
. "$(dirname "$0")/../lib.sh"
supprof=$1
readers=$2/tests/consumers
schema=$(dirname "$1")/documents/supprof.schema.json
fixtures=$2/fixtures
export CONSUMERS_NPM="${CONSUMERS_NPM:-$2/build/consumers}"
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"
shift 2
browser=
clean_up() { [ -z "$browser" ] || kill "$browser"; }
# pprof keeps settings and copies; not here.
export XDG_CONFIG_HOME="$work/config" PPROF_TMPDIR="$work"

# has READER WHAT COMMAND...: runs the command, which tells whether the reader is there.
has() {
    reader=$1 lacks=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    skip "$reader: $lacks"
    return 1
}

python=$(python3 -c 'import sys; print(sys.executable)') || python=
[ -n "$python" ] || {
    skip "all readers: there is no python3"
    finish tables 0
    exit
}
use_pprof=no use_callgrind=no use_sqlite=no use_xmllint=no use_browser=no use_mcp=no
has pprof "there is no go tool pprof" go tool pprof -h && use_pprof=yes
has callgrind "there is no callgrind_annotate (Debian: valgrind)" command -v callgrind_annotate && use_callgrind=yes
has sqlite "there is no sqlite3" sqlite3 --version && use_sqlite=yes
has xmllint "there is no xmllint (Debian: libxml2-utils)" xmllint --version && use_xmllint=yes
has "speedscope, its schema, and pictures" "there is no Chromium, or no Node.js with the packages (node tests/consumers/fetch.mjs build/consumers)" \
    sh -c 'node --version && [ -n "$CHROMIUM" ] && [ -s "$CONSUMERS_NPM/node_modules/speedscope/package.json" ]' &&
    use_browser=yes

has "the Model Context Protocol" "there is no Node.js with the packages (node tests/consumers/fetch.mjs build/consumers)" \
    sh -c 'node --version && [ -s "$CONSUMERS_NPM/node_modules/@modelcontextprotocol/client/package.json" ]' && use_mcp=yes

read_by() {
    program=$readers/$1.py
    shift
    "$python" "$program" "$@"
}

# check TITLE EXPECTED FOUND [OPTION]...
check() {
    checked=$((checked + 1))
    "$python" "$readers/compare.py" "$@" || fail "$1"
}

# write_all LOG DIRECTORY: all formats, and what must be in them.
write_all() {
    mkdir "$2"
    # The guard of deep stacks is off, so that the limits of the viewers show.
    "$supprof" -q --max-depth 0 "$1" -o "$2/functions.csv" -o "$2/us.folded" -o "$2/x.speedscope.json" -o "$2/x.pb" \
        -o "$2/x.pb.gz" -o "$2/callgrind.x" -o "$2/x.svg" -o "$2/x.cpuprofile" || fail "$1: cannot be written"
    "$supprof" -q --max-depth 0 --unit ns "$1" -o "$2/ns.folded" || fail "$1: cannot be written in ns"
    "$supprof" -q --max-depth 0 -f csv --by stack "$1" -o "$2/stacks.csv"
    "$supprof" -q --max-depth 0 -f csv --by stack --call-sites "$1" -o "$2/lines.csv"
    for format in csv folded speedscope pprof; do
        read_by truth functions $format "$2/stacks.csv" >"$2/functions-$format"
    done
    read_by truth edges pprof "$2/stacks.csv" >"$2/edges-pprof"
    read_by truth stacks pprof "$2/stacks.csv" >"$2/stacks-pprof"
    read_by truth functions callgrind "$2/lines.csv" >"$2/functions-callgrind"
    read_by truth edges callgrind "$2/lines.csv" >"$2/edges-callgrind"
    read_by truth functions cpuprofile "$2/lines.csv" >"$2/functions-cpuprofile"
}

check_csv() {
    read_by functions_csv "$2/functions.csv" >"$2/found"
    check "$1: csv" "$2/functions-csv" "$2/found"
    [ $use_sqlite = yes ] || return
    # The import into a new table names its columns by the first line.
    sqlite3 -csv -header "$2/sqlite" ".import '$2/functions.csv' imported" \
        "SELECT function, source, line, calls, self_us, total_us FROM imported WHERE CAST(calls AS INTEGER) >= 0" \
        >"$2/sqlite.csv"
    read_by functions_csv "$2/sqlite.csv" >"$2/found"
    check "$1: csv in sqlite3" "$2/functions-csv" "$2/found"
}

check_pprof() {
    read_by pprof functions "$2/x.pb.gz" >"$2/found"
    check "$1: pprof -top" "$2/functions-pprof" "$2/found"
    read_by pprof edges "$2/x.pb.gz" >"$2/found"
    check "$1: pprof -peek" "$2/edges-pprof" "$2/found" --without-calls
    read_by pprof stacks "$2/x.pb.gz" >"$2/found"
    check "$1: pprof -traces" "$2/stacks-pprof" "$2/found"
    cmp "$2/x.pb.gz" "$2/x.pb" || fail "$1: x.pb is not x.pb.gz"
}

check_callgrind() {
    read_by callgrind functions "$2/callgrind.x" >"$2/found"
    check "$1: callgrind_annotate" "$2/functions-callgrind" "$2/found"
    read_by callgrind edges "$2/callgrind.x" >"$2/found"
    check "$1: callgrind_annotate --tree" "$2/edges-callgrind" "$2/found"
}

check_speedscope() {
    check "$1: speedscope, its JSON" "$2/functions-speedscope" "$2/x.speedscope.json.speedscope"
    check "$1: speedscope, pprof" "$2/functions-pprof" "$2/x.pb.gz.speedscope" --without-calls
    check "$1: speedscope, folded" "$2/functions-folded" "$2/ns.folded.speedscope" --without-calls
    [ ! -e "$2/us.folded.speedscope" ] || check "$1: speedscope, folded in microseconds" \
        "$2/functions-folded" "$2/us.folded.speedscope" --without-calls --unit 1000
}

check_cpuprofile() {
    for reading in after before own speedscope; do
        check "$1: cpuprofile, $reading" "$2/functions-cpuprofile" "$2/x.cpuprofile.$reading" --without-calls --unit 1000
    done
}

# Calls in pictures are known where no frame is left out; and without a table, too much is.
check_svg() {
    [ ! -e "$2/x.svg.table" ] ||
        check "$1: svg in Chromium" "$2/functions-speedscope" "$2/x.svg.table" --without-calls
}

# The difference of two files, as pprof sees it.
check_pprof_difference() {
    read_by pprof functions "$2/x.pb.gz" "$3/x.pb.gz" >"$2/found"
    check "$1: pprof -diff_base" "$2/functions-pprof" "$2/found" --less "$3/functions-pprof"
}

# Only time lines have the recorder's own calls.
without_recorder() { awk -F '\t' '$1 != "(profiler)"' "$1" >"$1.game"; }

# write_window DIRECTORY LOG [OPTION]...: time lines, which have times before the cost of
# recording is taken out.
write_window() {
    window=$1
    shift
    mkdir "$window"
    "$supprof" -q --overhead off "$@" -o "$window/x.trace.json" -o "$window/x.speedscope.json" || fail "$*: no time line"
    "$supprof" -q --overhead off "$@" -f csv --by stack >"$window/stacks.csv"
    read_by truth functions speedscope "$window/stacks.csv" >"$window/expected"
    read_by trace "$window/x.trace.json" >"$window/found"
    without_recorder "$window/found"
    check "$*: trace" "$window/expected" "$window/found.game" --unit 1
}

# To the nanosecond what is in the trace: both have the same slices.
check_window() {
    without_recorder "$2/x.speedscope.json.speedscope"
    check "$1: speedscope, window" "$2/expected" "$2/x.speedscope.json.speedscope.game"
    check "$1: speedscope, threads" "$2/found" "$2/x.speedscope.json.threads" --without-calls
    check "$1: speedscope, trace" "$2/found" "$2/x.trace.json.threads" --without-calls --unit 1
}

# A call stack deeper than viewers take.
deep_log() {
    "$python" -c '
print("info: Starting profiler")
frames = ["@c:\\gamedata\\lua\\lua\\deep.lua,%d,f,%d" % (1 + i % 3, 1 + i % 3) for i in range(2100)]
for depth, seconds in ((2100, "0.001"), (2050, "0.0021"), (2001, "0.003"), (2000, "0.0041"), (3, "0.5"), (1, "0.6")):
    print("info: prof: " + ";".join(frames[:depth]) + ";%d,%s,t,f" % (depth, seconds))'
}

# write_json: the documents of all fixtures, and of what other options add to them; a log without a
# profile has none.
write_json() {
    mkdir "$work/json"
    for log in *.log *.log.gz rebuild/*.log; do
        "$supprof" -q "$log" -o "$work/json/$(basename "$log").json" 2>"$work/said"
        status=$?
        [ $status -eq 0 ] || { [ $status -eq 3 ] && [ ! -e "$work/json/$(basename "$log").json" ]; } ||
            fail "$log: no json: $(cat "$work/said")"
    done
    for options in "--list=Threat --lua-root=sources recorded-spikes.log.gz" \
        "--list=. --diff compared-old.log compared-new.log" \
        "--by=line --diff compared-old.log compared-new.log" \
        "--by=thread --diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz" \
        "--diff watched-causes-worse.log.gz watched-causes.log.gz" \
        "--by=stack --ticks-over 100 --diff-rest recorded-spikes.log.gz" \
        "--by=file --repeated recorded-coroutines.log.gz recorded-midgame.log.gz" \
        "--repeated --fail-if calls>+1% --diff repeated/old-*.log repeated/new-1.log repeated/new-2.log repeated/new-3.log repeated/new-4.log" \
        "--by=mod --diff benchmarks-old.log --fail-if self(B)>1s --focus B recursion.log"; do
        number=$((number + 1))
        # A list of words; the program finds the files of the pattern itself.
        # shellcheck disable=SC2086
        (set -f; exec "$supprof" -q $options -o "$work/json/options-$number.json") || [ $? -eq 4 ] || fail "$options: no json"
    done
}

# write_markdown: summaries, each with the document of the same profile.
write_markdown() {
    mkdir "$work/markdown"
    for log in *.log *.log.gz; do
        "$supprof" -q "$log" -o "$work/markdown/$log.md" -o "$work/markdown/$log.md.json" 2>/dev/null
    done
    "$supprof" -q --ignore 'lua/m([0-9]|1[0-4])[.]lua' hostile-markdown.log -o "$work/markdown/others.md" -o "$work/markdown/others.md.json"
    "$supprof" -q --sort calls hostile-markdown.log -o "$work/markdown/calls.md" -o "$work/markdown/calls.md.json"
    "$supprof" -q --diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz -o "$work/markdown/diff.md" -o "$work/markdown/diff.md.json"
    "$supprof" -q --sort total --ticks-over 100 --diff-rest --fail-if 'calls>1' recorded-spikes.log.gz -o "$work/markdown/rest.md" \
        -o "$work/markdown/rest.md.json" 2>/dev/null
}

# The lines of sources that readers open.
check_sources() {
    mkdir "$work/sources"
    "$python" "$readers/sources.py" "$supprof" recorded-spikes.log.gz sources "$work/sources" || fail "sources"
    checked=$((checked + 1))
}

# A line added above a function is no other function.
check_shifted() {
    for side in old new; do
        "$supprof" -q "shifted-$side.log" -o "$work/$side.pb.gz" || fail "pprof of the $side side"
    done
    go tool pprof -top -unit=ms -diff_base "$work/old.pb.gz" "$work/new.pb.gz" 2>/dev/null |
        grep -q '^ *-20ms .* Think lua/brain.lua$' || fail "go tool pprof -diff_base"
    checked=$((checked + 1))
}

own_logs=$*
[ $# -gt 0 ] || {
    deep_log >"$work/deep.log"
    cd "$fixtures" || exit 1
    set -- recursion.log two-runs.log tail-calls.log negative-self.log equal-names.log chunk-source.log \
        hostile-names.log viewer-names.log bad-utf8.log recorded-midgame.log.gz small-float.log.gz "$work/deep.log"
}
number=0
for log; do
    number=$((number + 1))
    write_all "$log" "$work/$number"
    for name in x.speedscope.json x.pb.gz ns.folded x.cpuprofile; do
        echo "$work/$number/$name"
    done >>"$work/pages"
    # Rounding shows in what is large.
    [ "$(wc -l <"$work/$number/us.folded")" -le 100 ] || echo "$work/$number/us.folded=1000" >>"$work/pages"
done

[ -n "$own_logs" ] || {
    write_window "$work/whole" recorded-midgame.log.gz
    write_window "$work/midgame" recorded-midgame.log.gz '--from=#45' '--to=#48'
    write_window "$work/lua51" recorded-lua51-midgame.log.gz '--from=#50' '--to=#52'
    write_json
    write_markdown
    write_window "$work/spike" recorded-spikes.log.gz '--from=#38' '--to=#39'
    for window in midgame lua51 spike; do
        printf '%s\n' "$work/$window/x.speedscope.json" "$work/$window/x.trace.json" >>"$work/pages"
    done
}

# All that a browser is needed for, while the others are at work.
browse() {
    wrong=0
    node "$readers/cpuprofile.mjs" "$work"/*/x.cpuprofile || wrong=1
    xargs -d '\n' node "$readers/speedscope.mjs" <"$work/pages" || wrong=1
    node "$readers/svg.mjs" "$work"/*/x.svg || wrong=1
    node "$readers/schema.mjs" speedscope "$work"/*/x.speedscope.json || wrong=1
    [ -z "$own_logs" ] || return $wrong
    node "$readers/schema.mjs" "$schema" "$work"/json/*.json || wrong=1
    node "$readers/markdown.mjs" "$work"/markdown/*.md || wrong=1
    return $wrong
}
[ $use_browser = no ] || {
    browse &
    browser=$!
}
number=0
for log; do
    number=$((number + 1))
    name=$(basename "$log")
    check_csv "$name" "$work/$number"
    [ $use_pprof = no ] || check_pprof "$name" "$work/$number"
    [ $use_callgrind = no ] || check_callgrind "$name" "$work/$number"
    [ $use_xmllint = no ] || xmllint --noout "$work/$number/x.svg" || fail "$name: xmllint"
done
if [ -z "$own_logs" ]; then
    # Two logs of the same functions are not alike.
    "$python" "$readers/compare.py" "two logs" "$work/1/functions-csv" "$work/2/functions-csv" >/dev/null &&
        fail "compare.py finds different logs alike"
    [ $use_pprof = no ] || [ $use_callgrind = no ] || check_sources
    [ $use_mcp = no ] || node "$readers/mcp.mjs" "$supprof" "$fixtures" || fail "supprof --mcp"
    [ $use_pprof = no ] || check_shifted
    [ $use_pprof = no ] || check_pprof_difference "recursion.log less two-runs.log" "$work/1" "$work/2"
fi
if [ -n "$browser" ]; then
    wait "$browser" || fail "not all can be opened in Chromium"
    browser=
    number=0
    for log; do
        number=$((number + 1))
        check_speedscope "$(basename "$log")" "$work/$number"
        check_svg "$(basename "$log")" "$work/$number"
        check_cpuprofile "$(basename "$log")" "$work/$number"
    done
    [ -n "$own_logs" ] || for window in midgame lua51 spike; do
        check_window "$window" "$work/$window"
    done
fi
finish tables
