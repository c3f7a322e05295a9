"""ticks_over.py SUPPROF FIXTURES

Ticks chosen by how long they took (--ticks-over), of all recordings in the fixtures:

1. What the ticks up to T have and what those over T have is together what all ticks have: calls
   and errors exactly, times but for the rounding of each row to nanoseconds. For functions and for
   stacks, and several T. Without subtracting the cost of recording: that never takes a time below
   0, and so is not the same for parts.
2. A window of one tick is the same, byte by byte and in several formats, as that tick chosen.
"""
import csv
import glob
import io
import os
import subprocess
import sys

supprof, fixtures = sys.argv[1:]
# Time in which nothing is known to run, and which a tail call in a later tick then claims, is only
# counted where both ticks are taken.
CLAIMS_TIME_OF_EARLIER_TICKS = {"tail-call-behind-tick.log"}
failures = []
checked = 0


def run(*arguments):
    done = subprocess.run([supprof, "-q", *arguments], capture_output=True)
    return done.returncode, done.stdout


def rows(*arguments):
    """{what a row stands for: [self ns, calls, errors]}; nothing was chosen: {}"""
    status, text = run("-f", "csv", "--overhead", "off", *arguments)
    if status == 3:
        return {}
    assert status == 0, arguments
    sums = {}
    for row in csv.DictReader(io.StringIO(text.decode())):
        key = row["stack"] if "stack" in row else (row["function"], row["source"], row["line"])
        sum_ = sums.setdefault(key, [0, 0, 0])
        sum_[0] += round(float(row["self_us"]) * 1000)
        sum_[1] += int(row["calls"])
        sum_[2] += int(row["errors"])
    return sums


def read_ticks(log, *arguments):
    """[(run, number, ns)]"""
    status, text = run("-f", "ticks-csv", *arguments, log)
    lines = text.decode().splitlines()[1:] if status == 0 else []
    return [(row[0], row[1], round(float(row[3]) * 1000)) for row in (line.split(",") for line in lines)]


def check_sums(log):
    global checked
    times = sorted(ns for _, _, ns in read_ticks(log, "--overhead", "off"))
    if not times:
        return
    for by in ("function", "stack"):
        whole = rows("--by", by, "--ticks-over", "..1000000", log)
        for ns in {times[0], times[len(times) // 2], times[len(times) * 9 // 10], times[-1] - 1}:
            limit = "%.6f" % (max(ns, 0) / 1e6)
            over = rows("--by", by, "--ticks-over", limit, log)
            up_to = rows("--by", by, "--ticks-over", ".." + limit, log)
            checked += 1
            for key in whole.keys() | over.keys() | up_to.keys():
                parts = [sum(pair) for pair in zip(over.get(key, [0] * 3), up_to.get(key, [0] * 3))]
                wanted = whole.get(key, [0] * 3)
                # A row is a sum of nodes, each rounded once in the whole and once in each part.
                is_near = abs(parts[0] - wanted[0]) <= 200
                if parts[1:] != wanted[1:] or not is_near:
                    if os.path.basename(log) not in CLAIMS_TIME_OF_EARLIER_TICKS:
                        failures.append(f"{log} by {by}, {limit} ms: {key}: {parts}, not {wanted}")


def check_windows(log):
    global checked
    ticks = read_ticks(log)
    times = [ns for _, _, ns in ticks]
    if len({number for number, _, _ in ticks}) > 1:
        return
    for (_, number, ns) in ticks[:: max(1, len(ticks) // 6)]:
        if ns <= 0 or times.count(ns) > 1:
            continue
        window = ("--from", f"#{number}", "--to", f"#{int(number) + 1}", log)
        chosen = ("--ticks-over", "%.6f..%.6f" % ((ns - 1) / 1e6, ns / 1e6), log)
        for what in (("csv", "--by", "stack"), ("csv", "--by", "thread"), ("folded", "--unit", "ns"),
                     ("callgrind",), ("pprof-raw",), ("cpuprofile",)):
            checked += 1
            if run("-f", *what, *window) != run("-f", *what, *chosen):
                failures.append(f"{log}: tick {number} alone and chosen are not alike in {what}")


for path in sorted(glob.glob(fixtures + "/recorded-*.log.gz") + glob.glob(fixtures + "/rebuild/*.log")):
    check_sums(path)
    check_windows(path)
for failure in failures[:10]:
    print("FAILED:", failure)
print(f"{checked} comparisons, {len(failures)} failed")
sys.exit(bool(failures) or checked < 100)
