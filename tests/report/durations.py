"""durations.py SUPPROF FIXTURES

How long the calls of each function took, as JSON's `durations` say, against the slices of the time
line, one for each call: with the recorder's cost in both. A step of durations is a quarter of an
octave. Calls were counted by the clock's units, so a call may be in the next step. Without that
cost, the first and the last step have the shortest and the longest call.
"""
import collections
import json
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

LOGS = (
    "recorded-midgame.log.gz",
    "recorded-spikes.log.gz",
    "recorded-coroutines.log.gz",
    "recorded-callbacks.log.gz",
    "recorded-errors.log.gz",
    "recorded-an-hour-later.log.gz",
    "recorded-lua51-midgame.log.gz",
)
program = lib.Program(sys.argv[1])


def nanoseconds(microseconds):
    """Three more decimals count events of one nanosecond."""
    return math.floor(microseconds * 1000 + 1e-4)


def read_slices(path):
    """By name: how long each slice took, in nanoseconds; None if one goes on with another."""
    slices, stacks = collections.defaultdict(list), collections.defaultdict(list)
    for event in json.load(open(path, encoding="utf-8"))["traceEvents"]:
        if event["ph"] not in "BE":
            continue
        stack, name = stacks[event["pid"], event.get("tid", 0)], event.get("name")
        if event["ph"] == "E":
            name, begin, goes_on = stack.pop()
            length = nanoseconds(event["ts"]) - nanoseconds(begin)
        else:
            goes_on = event.get("args", {}).get("continued", False)
            stack.append((name, event["ts"], goes_on))
            continue
        if goes_on:
            slices[name] = None
        elif slices[name] is not None:
            slices[name].append(length)
    return slices


def check_function(log, function, lengths, unit):
    """Compares the steps with the slices, both in order of their length."""
    steps = function["durations"]["steps"]
    if lengths is None or sum(calls for _, calls in steps) != len(lengths):
        return False
    lengths, at = sorted(lengths), 0
    for begin, calls in steps:
        few, most = begin / 1.3 - unit, max(begin, 1) * 1.25 * 1.3 + unit
        wrong = [ns for ns in lengths[at : at + calls] if not few <= ns <= most]
        at += calls
        lib.check(not wrong, lambda: f"{log}: {function['label']}: {wrong[:3]} in step {begin}")
    return True


def check_ends(log):
    """The shortest and the longest call are in the first and the last step that have calls."""
    for function in json.loads(program.text("-f", "json", log))["functions"]:
        durations, ends = function["durations"], (function["min_ns"], function["max_ns"])
        if durations is None or sum(calls for _, calls in durations["steps"]) < 2:
            continue
        for (begin, _), ns in zip((durations["steps"][0], durations["steps"][-1]), ends):
            lib.check(
                (begin < 2 or begin <= ns + 1) and ns <= max(begin, 2) * 1.3,
                lambda: f"{log}: {function['label']}: a call of {ns} ns, but step {begin}",
            )


os.chdir(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "x.trace.json")
    for log in LOGS + (os.path.join("game", "zoo.log.gz"),):
        check_ends(log)
    for log in LOGS:
        document = json.loads(program.text("--overhead=off", "-f", "json", log))
        lib.check(program.run("-o", trace, log)[0] == 0, f"{log}: no time line")
        slices = read_slices(trace)
        unit = document["recordings"][0]["clock_unit_ns"] + 1
        counted = [f for f in document["functions"] if f["durations"] is not None]
        compared = [f for f in counted if check_function(log, f, slices[f["label"]], unit)]
        # What waits is in several slices, and what an error ended has no duration.
        lib.check(
            len(compared) >= 0.6 * len(counted) > 5,
            f"{log}: {len(compared)} of {len(counted)} functions",
        )
lib.finish("steps of durations", 300)
