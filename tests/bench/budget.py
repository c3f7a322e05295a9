"""budget.py SIM_HOST SUPPROF SOURCE_DIRECTORY

Whether mode = 'sample' keeps its budget, and how often its +- has the truth, for the four games of
budget.lua: SEEDS (20) games each, of TICKS (3000) ticks, at each of four times on the clock and
with each of three waits between ticks. What recording adds is the CPU time of chosen ticks and of
those before and after them, where it has its hook and collects, beside that of the same ticks
where they were not chosen, in other games of this seed. How fast the machine was in a run, all
other ticks tell. Truth of shares are exact recordings. Prints, for each game, clock and wait, the
time that was added with its standard error, what the recorder said of it, the recorded ticks,
their events, and how many of 100 intervals had the share, of functions with 2 % or more.
"""
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile

host, supprof, source = (os.path.abspath(path) for path in sys.argv[1:4])
SEEDS, TICKS = int(os.environ.get("SEEDS", 20)), int(os.environ.get("TICKS", 3000))
GAMES = {1: "ticks alike", 2: "alternating", 3: "a long C call", 4: "tail calls"}
CLOCKS, WAITS = (0, 60, 900, 3600), (0, 95, 190)
EXACT_TICKS = 400


def play(folder, mode, ticks, *options):
    """Plays a game, and records it if there is a mode. Returns the log and [tick] = CPU time."""
    with open(os.path.join(source, "profiler.lua"), encoding="utf-8") as file:
        text = re.sub(r"(?m)^    from = 60,", "    from = false,", file.read())
    profiler, log = os.path.join(folder, "profiler.lua"), os.path.join(folder, "game.log")
    with open(profiler, "w", encoding="utf-8") as file:
        file.write(text)
    command = [host, "--workload", os.path.join(source, "tests/bench/budget.lua"), "--own-time"]
    command += [
        "--log",
        log,
        "--ticks",
        str(ticks),
        "--tick-times",
        "--profiler",
        profiler,
        *options,
    ]
    if mode:
        command += ["--command", f"10=StartProfiler('{mode}')"]
        command += ["--command", f"{ticks - 1}=StopProfiler()"]
    done = subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
    times = re.findall(r"(?m)^tick (\d+) cpu (\S+)$", done.stderr)
    return log, {int(tick): float(seconds) for tick, seconds in times}


def shares(log):
    """[function] = its percentage of the self time, and what the interval has on each side."""
    text = subprocess.run([supprof, "-q", "-f", "csv", log], check=True, stdout=subprocess.PIPE)
    rows = list(csv.DictReader(text.stdout.decode().splitlines()))
    whole = sum(float(row["self_us"]) for row in rows)
    return {
        (row["function"], row["source"], row["line"]): (
            100 * float(row["self_us"]) / whole,
            float(row.get("self_error_percent") or 0),
        )
        for row in rows
    }


def record(folder, game, seed, clock, wait, truth):
    """Plays and records one game. Returns its sums, and the CPU time of each tick."""
    options = ["--set", f"KIND={game}", "--set", f"SEED={seed}", "--set", f"WAIT_MS={wait}"]
    log, times = play(folder, "sample", TICKS, *options, "--clock-start", str(clock))
    with open(log, encoding="latin-1") as file:
        text = file.read()
    chosen = [int(tick) for tick in re.findall(r" hook chosen (\d+)", text)]
    end = re.search(r" end .* events=(\d+) .* share=(\S+)", text)
    errors = [
        abs(share - truth[function][0]) <= error
        for function, (share, error) in shares(log).items()
        if truth.get(function, (0, 0))[0] >= 2
    ]
    return {
        "title": f"{clock} s, {wait} ms",
        "times": times,
        "near": {tick + at for tick in chosen for at in (-1, 0, 1)} & set(times),
        "chosen": len(chosen),
        "events": float(end.group(1)),
        "said": 100 * float(end.group(2)),
        "right": sum(errors),
        "intervals": len(errors),
    }


def compare(runs):
    """Sets what recording has added to each of these runs of a game, in %, by the others."""
    for run in runs:
        others = [other for other in runs if other is not run]
        usual = {}
        for tick in run["times"]:
            times = [other["times"][tick] for other in others if tick not in other["near"]]
            if times:
                usual[tick] = statistics.median(times)
        speed = statistics.median(
            run["times"][tick] / usual[tick] for tick in usual if tick not in run["near"]
        )
        near = run["near"] & set(usual)
        added = sum(run["times"][tick] / speed - usual[tick] for tick in near)
        run["added"] = 100 * added / sum(usual.values())


def show(name, title, runs):
    def mean(key):
        return statistics.mean(run[key] for run in runs)

    error = statistics.stdev(run["added"] for run in runs) / len(runs) ** 0.5
    right = 100 * sum(run["right"] for run in runs) / sum(run["intervals"] for run in runs)
    print(
        f"{name:14} {title:>14} {mean('added'):5.1f} +- {error:3.1f} % {mean('said'):4.1f} %"
        f" {mean('chosen'):5.1f} {mean('events'):8.0f} {right:4.0f} %",
        flush=True,
    )


print("game                              added    said  ticks  events    +-")
with tempfile.TemporaryDirectory() as folder:
    for game, name in GAMES.items():
        exact = play(folder, "exact", EXACT_TICKS, "--set", f"KIND={game}", "--set", "SEED=77")
        truth, runs = shares(exact[0]), []
        for seed in range(1, SEEDS + 1):
            same = [
                record(folder, game, seed, clock, wait, truth) for clock in CLOCKS for wait in WAITS
            ]
            compare(same)
            for run in same:
                del run["times"], run["near"]
            runs += same
        for title in dict.fromkeys(run["title"] for run in runs):
            show(name, title, [run for run in runs if run["title"] == title])
