"""ticks.py SIM_HOST SUPPROF SOURCE_DIRECTORY

How exact the length of a tick is. The ticks of ticks.lua time themselves while nothing is
recorded, and supprof says how long they took where all of them were recorded: medians of ROUNDS (5)
rounds, which take turns. For the ticks with much of one kind of work, for windows of 20 ticks, and
for all ticks the error, which is to be 6 % at most. Functions that take less than the recorder adds
to them have no exact time: their tick is marked, too.
"""
import collections
import csv
import io
import os
import re
import statistics
import subprocess
import sys
import tempfile

host, supprof, source = (os.path.abspath(path) for path in sys.argv[1:4])
ROUNDS = int(os.environ.get("ROUNDS", 5))
FIRST, END, WINDOW = 60, 200, 20
SPIKES = {100: "short calls", 130: "few calls", 160: "a loop"}
GOAL = 6


def play(log, *options):
    workload = os.path.join(source, "tests/bench/ticks.lua")
    clock = ["--own-time", "--with-precise-clock", "--without", "GetTimeForProfile"]
    command = [host, "--workload", workload, *clock, "--ticks", str(END), "--log", log, *options]
    subprocess.run(command, check=True)


def truth(log):
    play(log, "--command", f"{END}=TicksReport()")
    found = re.findall(r"truth (\d+) (\S+)", open(log, encoding="latin-1").read())
    return {int(tick): float(seconds) * 1e3 for tick, seconds in found}


def recorded(log, profiler):
    commands = [f"{FIRST - 20}=StartProfiler()", f"{END}=StopProfiler()"]
    play(log, "--profiler", profiler, *(word for code in commands for word in ("--command", code)))
    text = subprocess.run(
        [supprof, "-q", "-f", "ticks-csv", log], capture_output=True, check=True, text=True
    ).stdout
    return {
        int(row["tick"]): float(row["time_us"]) / 1e3 for row in csv.DictReader(io.StringIO(text))
    }


def show(name, found, true):
    error = 100 * (found / true - 1)
    print(f"  {name:22} {true:9.2f} {found:9.2f} {error:+7.1f}% {'!' if abs(error) > GOAL else ''}")


rounds = collections.defaultdict(lambda: collections.defaultdict(list))
with tempfile.TemporaryDirectory() as folder:
    profiler, log = os.path.join(folder, "profiler.lua"), os.path.join(folder, "game.log")
    text = open(os.path.join(source, "profiler.lua"), encoding="utf-8").read()
    text = re.sub(r"^    from = 60,", "    from = false,", text, flags=re.M)
    open(profiler, "w", encoding="utf-8").write(text)
    for _ in range(ROUNDS):
        for kind, ticks in (("true", truth(log)), ("found", recorded(log, profiler))):
            for tick in range(FIRST, END):
                rounds[kind][tick].append(ticks[tick])
true, found = (
    {tick: statistics.median(times) for tick, times in rounds[kind].items()}
    for kind in ("true", "found")
)
print(f"  {'ms':22} {'true':>9} {'supprof':>9}   error")
for tick, name in SPIKES.items():
    show(f"#{tick}, {name}", found[tick], true[tick])
for tick in range(FIRST, END, WINDOW):
    window = range(tick, tick + WINDOW)
    show(
        f"#{tick} to #{tick + WINDOW - 1}",
        sum(found[i] for i in window),
        sum(true[i] for i in window),
    )
errors = [100 * abs(found[tick] / true[tick] - 1) for tick in true]
missed = sum(error > GOAL for error in errors)
print(f"  error of a tick: mean {statistics.mean(errors):.1f}%, largest {max(errors):.1f}%")
print(f"  {missed} of {len(errors)} ticks miss the goal of {GOAL}%")
