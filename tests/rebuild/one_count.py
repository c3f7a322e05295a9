"""one_count.py SUPPROF FIXTURES [FIRST COUNT]

Whether the reports of a recording are sums of one count: a tick has one length in all of them, the
ticks are no more than the whole, a window is its ticks, two windows are the whole for each
function, no call is longer than all calls, no wake than all wakes, no mean outside of the shortest
and the longest, and the headline, the list of ticks, --fail-if and a what-if that changes nothing
have the same slow ticks. For all fixtures, and COUNT recordings of random programs from the seed
FIRST on.
"""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program = lib.Program(sys.argv[1])
RANDOM = os.path.join(os.path.dirname(__file__), "random-programs.pl")
ns = lib.nanoseconds


def key(row):
    return row["function"], row["source"], row["line"]


def self_times(rows):
    times = collections.Counter()
    for row in rows or []:
        times[key(row)] += ns(row["self_us"])
    return times


def check_ticks(log, ticks):
    """The longest ticks, and some from the middle, alone."""
    for tick in (
        sorted(ticks, key=lambda tick: -ns(tick["time_us"]))[:4] + ticks[len(ticks) // 2 :][:2]
    ):
        one_ns = sum(self_times(program.csv("csv", "--tick", tick["tick"], log)).values())
        lib.check(
            one_ns == ns(tick["time_us"]),
            f"{log}: #{tick['tick']} has {tick['time_us']} us in the list, and alone {one_ns} ns",
        )
        if not tick["game_seconds"]:
            continue
        minutes, seconds = divmod(float(tick["game_seconds"]), 60)
        for time in (f"{minutes:.0f}:{seconds:04.1f}", f"{minutes:.0f}:{seconds + 0.05:05.2f}"):
            at_time = program.csv("csv", "--tick", time, log)
            lib.check(
                sum(self_times(at_time).values()) == one_ns,
                f"{log}: {time} is not #{tick['tick']}",
            )


def check_windows(log, whole, ticks):
    middle = "#" + ticks[len(ticks) // 2]["tick"]
    late = self_times(program.csv("csv", "--from", middle, log))
    parts = self_times(program.csv("csv", "--to", middle, log)) + late
    for row, all_ns in whole.items():
        lib.check(parts[row] == all_ns, f"{log}: {row} at {middle}: {parts[row]} of {all_ns} ns")
    late_ns = sum(ns(tick["time_us"]) for tick in ticks[len(ticks) // 2 :])
    lib.check(
        sum(late.values()) == late_ns,
        f"{log}: from {middle} {sum(late.values())} ns, by ticks {late_ns} ns",
    )


def check_slow_ticks(log, ticks):
    """At a limit that some ticks exceed; of those, the computer made some slow."""
    limit_ns = max(1000, sorted(ns(tick["time_us"]) for tick in ticks)[len(ticks) * 3 // 4])
    limit_ns -= limit_ns % 1000
    over = ["--slow-over", f"{limit_ns / 1e6:.3f}"]
    slow = [tick for tick in ticks if ns(tick["time_us"]) > limit_ns]
    statistics = json.loads(program.text("-f", "json", *over, log))["ticks"]["statistics"]
    lib.check(
        statistics["over_count"] == len(slow), f"{log}: {statistics['over_count']} and {len(slow)}"
    )
    # Each function of a recording; of one that nothing calls there is no what-if.
    document = json.loads(program.text("-f", "json", "--what-if", ".*/1", *over, log) or "{}")
    if document.get("what_if"):
        now = document["what_if"]["now"]["slow_ticks"] + document["what_if"]["of_computer"]
        lib.check(now == len(slow), f"{log}: {now} slow ticks of what-if and {len(slow)}")


def check_limit(log):
    """--fail-if counts slow ticks as the statistics do, also where they were chosen by chance."""
    limit = "ticks-over(%s)>999999999"
    for ms in (100, 0.01):
        found = json.loads(
            program.text("-f", "json", "--slow-over", str(ms), "--fail-if", limit % ms, log) or "{}"
        )
        if not found.get("ticks") or found["ticks"]["statistics"]["count"] == 0:
            return
        count, value = found["ticks"]["statistics"]["over_count"], found["limits"][0]["value"]
        lib.check(count == value, f"{log}: {count} ticks over {ms} ms, but {value} by --fail-if")


def check_means(log):
    for row in program.csv("csv", log) or []:
        if row.get("mean_us"):
            lib.check(
                ns(row["min_us"]) <= ns(row["mean_us"]) <= ns(row["max_us"]),
                f"{log}: {key(row)}: {row['min_us']}, mean {row['mean_us']}, {row['max_us']}",
            )


def check_log(log):
    rows = program.csv("csv", log)
    ticks = program.csv("ticks-csv", log)
    if not rows or not ticks:
        return
    whole = self_times(rows)
    tick_ns = sum(ns(tick["time_us"]) for tick in ticks)
    lib.check(tick_ns <= sum(whole.values()), f"{log}: ticks have {tick_ns} ns, more than all")
    if len({tick["run"] for tick in ticks}) == 1:
        check_ticks(log, ticks)
        check_windows(log, whole, ticks)
    for row in rows:
        lib.check(
            not row["max_us"] or ns(row["max_us"]) <= ns(row["total_us"]),
            f"{log}: a call of {key(row)} takes {row['max_us']} of {row['total_us']} us",
        )
    threads = program.csv("csv", "--threads", log) or []
    totals = collections.Counter()
    for row in threads:
        totals[key(row)] += ns(row["total_us"])
    for row in threads:
        lib.check(
            not row["wake_99_us"] or ns(row["wake_99_us"]) <= totals[key(row)],
            f"{log}: a wake of {key(row)} takes {row['wake_99_us']} us of {totals[key(row)]} ns",
        )
    check_slow_ticks(log, ticks)


logs = []
for pattern in ("recorded-*", "game/*.log*", "rebuild/*.log*"):
    logs += sorted(glob.glob(os.path.join(sys.argv[2], pattern)))
for log in logs:
    if not lib.is_sampled(log):
        check_log(log)
for log in sorted(glob.glob(os.path.join(sys.argv[2], "**", "*.log*"), recursive=True)):
    check_limit(log)
    check_means(log)
first, count = [int(word) for word in sys.argv[3:5]] or [1, 0]
with tempfile.TemporaryDirectory() as folder:
    for seed in range(first, first + count):
        path = os.path.join(folder, f"{seed}.log")
        made = subprocess.run(
            ["perl", RANDOM, "--print", str(seed)], capture_output=True, check=True
        )
        open(path, "wb").write(made.stdout)
        check_log(path)
lib.finish("sums", 5900)
