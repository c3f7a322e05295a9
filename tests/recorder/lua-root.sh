#!/bin/sh
# lua-root.sh SIM_HOST SUPPROF SOURCE_DIRECTORY
#
# --lua-root on recordings of the sim host: of the functions that the log left nameless at
# least 95 % get a name, and none a wrong one, also from sources of another version.
. "$(dirname "$0")/../lib.sh"
host=$1
supprof=$2
tests=$3/tests/recorder
cd "$work" || exit 1

# A source is called as it was named to the host.
mkdir tests
cp "$tests"/*.lua tests
sed 's/^    from = 60,/    from = false,/' "$3/profiler.lua" >profiler.lua

# record NAME [OPTION]...: a recording, and the sources of it in NAME.lua-root.
record() {
    name=$1
    shift
    "$host" --profiler profiler.lua --ticks 70 --log "$name.log" "$@" \
        --workload tests/lua-root.lua --workload tests/workload.lua \
        --command '20=StartProfiler()' --command '30=RunStyles()' --command '60=StopProfiler()' || fail "sim_host $name"
    mkdir -p "$name.lua-root/tests"
    perl -e '
        use File::Basename; use File::Path;
        while (<>) {
            /^info: source @.*?\\gamedata\\lua\\([^|]*)\|(.*)\n/ or next;
            my ($path, $line) = ("$ENV{ROOT}/$1", $2);
            $path =~ tr/\\/\//;
            mkpath dirname $path;
            open my $out, ">>", $path or die "$path: $!\n";
            print $out "$line\n";
        }' "$name.log"
    cp tests/*.lua "$ROOT/tests"
}

# report NAME [OPTION]...: functions of a recording, to standard output.
report() {
    log=$1
    shift
    "$supprof" -q --overhead off -f csv "$@" "$log.log" || fail "supprof $*"
}

# check NAME DIRECTORY [MINIMUM]: names from a directory are those of the sources recorded.
check() {
    checked=$((checked + 1))
    report "$1" >before.csv
    report "$1" --lua-root "$2" >after.csv
    perl "$tests/check-names.pl" "$1.lua-root" before.csv after.csv "${3:-0}" >result ||
        fail "$1: names from $2"
    echo "$1, $2: $(tail -n 20 result)"
}

for seed in 1 2 3; do
    ROOT=seed$seed.lua-root
    export ROOT
    record seed$seed --set SEED=$seed
    check seed$seed "$ROOT" 95
done

# No file is of the log's version: lines are moved, at the start or further down, or lost.
for edit in '1s/^/--\n/' 1d '20s/^/--\n/' '10,12d' '30s/$/ function Other() end/'; do
    rm -rf moved
    cp -R seed1.lua-root moved
    find moved -name '*.lua' -exec sed -i "$edit" {} +
    check seed1 moved
done

# Some of the sources are there.
rm -rf some
cp -R seed1.lua-root some
rm -rf some/lua/sim some/mods
check seed1 some

finish checks
