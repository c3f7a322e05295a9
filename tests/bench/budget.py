"""budget.py SIM_HOST SUPPROF SOURCE_DIRECTORY

Whether mode = 'sample' keeps its budget, and how often its +- has the truth, for the four games of
budget.lua, four times on the clock and three waits between ticks: SEEDS (20) games each, of TICKS
(3000) ticks. Each is played twice without the recorder, and once with it; what it adds is the CPU
time of chosen ticks and of those before and after them, where it has its hook and collects. How
fast the machine was in a run, all other ticks tell. Truth of shares are exact recordings. Prints,
for each game and clock, the time that was added, what the recorder said of it, the recorded ticks,
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
    rows = [row for row in rows if row["function"] != "(profiler)"]
    whole = sum(float(row["self_us"]) for row in rows)
    return {
        (row["function"], row["source"], row["line"]): (
            100 * float(row["self_us"]) / whole,
            float(row.get("self_error_percent") or 0),
        )
        for row in rows
    }


def measure(folder, game, clock, truth, sums):
    for seed in range(SEEDS):
        options = [
            "--set",
            f"KIND={game}",
            "--set",
            f"SEED={seed + 1}",
            "--clock-start",
            str(clock),
        ]
        options += ["--set", f"WAIT_MS={WAITS[seed % len(WAITS)]}"]
        plain = [play(folder, None, TICKS, *options)[1] for _ in range(2)]
        log, recorded = play(folder, "sample", TICKS, *options)
        with open(log, encoding="latin-1") as file:
            text = file.read()
        chosen = [int(tick) for tick in re.findall(r" hook chosen (\d+)", text)]
        usual = {tick: sum(times[tick] for times in plain) / 2 for tick in recorded}
        near = {tick + at for tick in chosen for at in (-1, 0, 1)} & set(usual)
        speed = statistics.median(
            recorded[tick] / usual[tick] for tick in recorded if tick not in near
        )
        sums["added"] += sum(recorded[tick] / speed - usual[tick] for tick in near)
        sums["usual"] += sum(usual.values())
        end = re.search(r" end .* events=(\d+) .* share=(\S+)", text)
        sums["chosen"] += len(chosen)
        sums["events"] += float(end.group(1))
        sums["share"] += float(end.group(2))
        for function, (share, error) in shares(log).items():
            true = truth.get(function, (0, 0))[0]
            if true >= 2:
                sums["intervals"] += 1
                sums["right"] += abs(share - true) <= error


print("game            clock  added   said  ticks  events    +-")
with tempfile.TemporaryDirectory() as folder:
    for game, name in GAMES.items():
        exact = play(folder, "exact", EXACT_TICKS, "--set", f"KIND={game}", "--set", "SEED=77")
        truth = shares(exact[0])
        for clock in CLOCKS:
            sums = dict.fromkeys("added usual events chosen share intervals right".split(), 0.0)
            measure(folder, game, clock, truth, sums)
            print(
                f"{name:14} {clock:5} s {100 * sums['added'] / sums['usual']:5.1f} %"
                f" {100 * sums['share'] / SEEDS:4.1f} % {sums['chosen'] / SEEDS:5.1f}"
                f" {sums['events'] / SEEDS:8.0f} {100 * sums['right'] / sums['intervals']:4.0f} %",
                flush=True,
            )
