"""shares.py HOST SUPPROF PROFILER [PROGRAM...]

How far the times that supprof shows are from true ones, in 16 programs. HOST is the tests' sim
host on a virtual machine that reads the processor's counter at each call and return, which is no
part of the project: with LT_ON it counts from TruthOn() to TruthOff(), and TruthDump() writes to
the file LT_OUT. Each of ROUNDS (3) rounds counts once without a recorder, and records once, so that
both meet the same load; medians are printed, in a minute or two:

  noise     points of self time at the wrong functions, between rounds of the truth itself: no
            figure to the right of it can be smaller
  off       the same of a recording with --overhead=off
  shown     the same of what is shown
  total     the time of all functions, shown and raw, divided by the true one
  first     the true place of the function that is shown first
  inside    functions of 2 % and more whose interval of self time has the truth, in all rounds
  width     the median width of these intervals, in times of the median error
  of total  both of the intervals of total time, if HOST writes that of each function, too: lines
            lua+ and c+, like its lines lua and c of self time
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

host, supprof, profiler = (os.path.abspath(path) for path in sys.argv[1:4])
TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ROUNDS = int(os.environ.get("ROUNDS", 3))
DETAILS = int(os.environ.get("DETAILS", 0))  # functions to list
MODE = os.environ.get("MODE", "exact")  # or sample: errors of chance are in it, too
# Ticks, the same for both: the recorder, which is to begin at second FROM // 10, has these. Its
# clock of unrecorded runs has its time before and after.
FROM, END, LAST = 212, 332, 552
CLOCK_START = os.environ.get("CLOCK_START", "0")  # seconds; later, its steps are larger
BIG = 0.02
LEAST_PART = 0.3  # of a time, that is not the counter's cost
# What the counter shows of one function at once, if the machine did something else: some 0.4 ms. A
# loop of influence takes 0.1 ms by itself, more on a loaded machine.
LONGEST_PIECE = "1000000"
# Nanoseconds that looking at the counter adds to each piece of a time: the median of the programs,
# by the least processor time of 9 games with the counter and of 9 without, on an idle computer.
COUNTER_NS = float(os.environ.get("COUNTER_NS", 3.6))


PROGRAMS = {
    "workload-1": (["recorder/workload.lua"], ["SEED=1"]),
    "workload-2": (["recorder/workload.lua"], ["SEED=2"]),
    "budget-1": (["bench/budget.lua"], ["KIND=1", "SEED=1"]),
    "budget-2": (["bench/budget.lua"], ["KIND=2", "SEED=1"]),
    "budget-4": (["bench/budget.lua"], ["KIND=4", "SEED=1"]),
    "rungs": (["bench/rungs.lua"], []),
}
for name in ("markers", "threat", "queue", "shells"):
    PROGRAMS[name] = (["advice/background.lua", f"advice/{name}-before.lua"], [])
# Further kinds of code.
for name in ("platoons", "paths", "brains", "notices", "influence", "weapons"):
    PROGRAMS[name] = (["advice/background.lua", f"bench/{name}.lua"], [])


def play(program, log, options, environment):
    files, settings = PROGRAMS[program]
    command = [host, "--own-time", "--clock-start", CLOCK_START, "--log", log, *options]
    for setting in settings:
        command += ["--set", setting]
    for file in files:
        command += ["--workload", os.path.join(TESTS, file)]
    environment = {**os.environ, "LT_CUT": LONGEST_PIECE, **environment}
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)


def c_function(name):
    """The key of a C function. Those without a name are one: iterators of gfind, for example."""
    is_nameless = re.fullmatch(r"\?|C function \d+|other C functions", name)
    return "[C]", "?" if is_nameless else name.replace("string.gfind", "gfind")


def source_key(source):
    return source.lower().replace("\\", "/").lstrip("@=").replace("\n", " ")[-90:]


def piece_time(ticks, pieces, rate):
    """Without what the counter has added."""
    time = int(ticks) / rate * 1e9
    return max(time - int(pieces) * COUNTER_NS, time * LEAST_PART)


def true_times(program, folder):
    """Nanoseconds of self and of total time of each function: a source with its line, or the name
    of a C function."""
    path = os.path.join(folder, "truth")
    commands = [f"{FROM}=TruthOn()", f"{END}=TruthOff()", f"{END + 1}=TruthDump()"]
    options = [word for code in commands for word in ("--command", code)]
    play(
        program,
        os.devnull,
        ["--ticks", str(END + 3), *options],
        {"LT_ON": "1", "LT_OUT": path},
    )
    self_times, total_times = collections.Counter(), collections.Counter()
    names, rate = {}, 1
    for line in open(path, encoding="latin-1"):
        kind, _, rest = line.rstrip("\n").partition(" ")
        times = total_times if kind.endswith("+") else self_times
        if kind == "hz":
            rate = float(rest)
        elif kind == "name":
            address, name = rest.split(" ")
            names[address] = min(names.get(address, name), name, key=len)
        elif kind in ("lua", "lua+"):
            ticks, pieces, place = rest.split(" ", 2)
            source, line_defined = re.fullmatch(r"(.*):(-?\d+)", place).groups()
            times[source_key(source), int(line_defined)] += piece_time(ticks, pieces, rate)
        elif kind in ("c", "c+"):
            ticks, pieces, address = rest.split(" ")
            name = names.get(address, "?")
            if not name.startswith("Truth"):
                times[c_function(name)] += piece_time(ticks, pieces, rate)
    return self_times, total_times


def shown_times(log, *options):
    """The same of supprof, and half the width of each interval."""
    command = [supprof, "-q", "-f", "csv", "--paths", "full", *options, log]
    command += ["--columns", "self,total,self+-,total+-"]
    text = subprocess.run(command, check=True, capture_output=True).stdout.decode("latin-1")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["function"] != "(profiler)"]
    percent_ns = sum(float(row["self_us"]) for row in rows) * 10
    shown = []
    for kind in ("self", "total"):
        times, widths = collections.Counter(), collections.Counter()
        for row in rows:
            place = source_key(row["source"]), int(row["line"] or 0)
            if row["source"] == "[C]":
                place = c_function(row["function"])
            times[place] += float(row[f"{kind}_us"]) * 1e3
            widths[place] += float(row[f"{kind}_error_percent"] or 0) * percent_ns
        shown.append((times, widths))
    return shown


def recorded_log(program, folder, number):
    log = os.path.join(folder, f"{program}.{number}.log")
    changed = os.path.join(folder, "profiler.lua")
    text = open(profiler, encoding="utf-8").read()
    text = re.sub(r"^    from = 60,", f"    from = {FROM // 10},", text, flags=re.M)
    text = re.sub(r"^    duration = 60,", f"    duration = {(END - FROM) // 10},", text, flags=re.M)
    text = re.sub("^    mode = 'exact',", f"    mode = '{MODE}',", text, flags=re.M)
    text = re.sub("^    budget = 0.03,", "    budget = 0.3,", text, flags=re.M)
    open(changed, "w", encoding="utf-8").write(text)
    play(program, log, ["--profiler", changed, "--ticks", str(LAST)], {})
    return log


def shares(times):
    total = sum(times.values()) or 1
    return {place: time / total for place, time in times.items()}


def misplaced(one, other):
    one, other = shares(one), shares(other)
    return 50 * sum(abs(one.get(k, 0) - other.get(k, 0)) for k in {*one, *other})


def medians(counters):
    places = set().union(*counters)
    return {place: statistics.median(one[place] for one in counters) for place in places}


def judged_times(shown, all_ns):
    """In sampled games, intervals are of shares: these of the true time."""
    factor = all_ns / sum(shown[0][0].values()) if MODE == "sample" else 1
    return [
        [{place: value * factor for place, value in values.items()} for values in kind]
        for kind in shown
    ]


def judge_intervals(truth, all_ns, rounds):
    """Of the functions of 2 % and more: how many intervals have the truth, of how many; their
    median width in times of the median error."""
    inside, widths, errors = 0, [], []
    for times, found in rounds:
        for place, time in truth.items():
            if time < BIG * all_ns or place not in found:
                continue
            error = abs(times[place] - time)
            inside += error <= found[place]
            widths.append(found[place])
            errors.append(error)
    if not widths:
        return "-", "-"
    ratio = statistics.median(widths) / max(statistics.median(errors), 1)
    return f"{inside}/{len(widths)}", f"{ratio:.1f}"


def measure(program, folder):
    truths, shown, raw = [], [], []
    for number in range(ROUNDS):
        truths.append(true_times(program, folder))
        log = recorded_log(program, folder, number)
        shown.append(shown_times(log))
        raw.append(shown_times(log, "--overhead", "off")[0][0])
    truth, total_truth = (medians(times) for times in zip(*truths))
    total = lambda times: sum(times.values())
    best = statistics.median(misplaced(one, truth) for one, _ in truths)
    figures = [statistics.median(misplaced(times, truth) for times in raw)]
    figures.append(statistics.median(misplaced(times, truth) for (times, _), _ in shown))
    ratios = [statistics.median(total(times) / total(truth) for (times, _), _ in shown)]
    ratios.append(statistics.median(total(times) / total(truth) for times in raw))
    middle = medians([times for (times, _), _ in shown])
    order = sorted(truth, key=truth.get, reverse=True)
    top = max(middle, key=middle.get)
    place = order.index(top) + 1 if top in order else 0
    rounds = [judged_times(one, total(truth)) for one in shown]
    judged = judge_intervals(truth, total(truth), [one for one, _ in rounds])
    judged += judge_intervals(total_truth, total(truth), [one for _, one in rounds])
    print(
        f"{program:12} {best:6.1f} {figures[0]:6.1f} {figures[1]:6.1f}"
        f" {ratios[0]:7.2f} {ratios[1]:6.2f} {place:6}"
        + "".join(f" {inside:>8} {width:>6}" for inside, width in zip(judged[::2], judged[1::2])),
        flush=True,
    )
    for name in order[:DETAILS]:
        one, other = 100 * shares(truth)[name], 100 * shares(middle).get(name, 0)
        print(
            f"    {one:5.1f} % {truth[name] / 1e6:8.3f} ms, shown {other:5.1f} %"
            f" {middle.get(name, 0) / 1e6:8.3f} ms  {name[0][-40:]}:{name[1]}"
        )


print("program       noise    off  shown   total    raw  first   inside  width   of total")
with tempfile.TemporaryDirectory() as temporary:
    for program in sys.argv[4:] or PROGRAMS:
        measure(program, temporary)
