#!/usr/bin/env python3
"""timeline.py SUPPROF <LIST

Each line of LIST is a recording and options. Checks its time line against supprof's own sums of the
same window: per function, calls and self times, the latter in the recording's own units, since
nanoseconds are rounded differently; errors in all; and the time of each tick. Also what a viewer
relies on: slices of a track are nested, no two tracks of a run are busy at once, ticks follow one
another. Of a window the evented profiles for speedscope must have the same slices.
"""
import collections
import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib
from lib import nanoseconds

NAME_MAX = 200
TICKS_THREAD = 1
# Whose some time was shows only in the next tick here. The tick report counts it there, a
# time line where it was.
LATE_LOG = "rebuild/tail-call-behind-tick.log"


class NoReport(Exception):
    """It has been counted as a failure."""


def fail(text):
    lib.check(False, " ".join([log, *options, text]))


def supprof(*arguments, nothing=0):
    """What it prints; with the status `nothing`, there is nothing of it in the log."""
    done = subprocess.run(
        [program, "-q", *arguments, log, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if done.returncode not in (0, nothing):
        fail(done.stderr.decode())
        raise NoReport
    return done.stdout.decode()


def unit_ns():
    opened = gzip.open(log) if log.endswith(".gz") else open(log, "rb")
    units = set(re.findall(rb"\$\d+ [su]\d+ 1 begin .*\bunit=(\S+)", opened.read()))
    if len(units) > 1:
        sys.exit(log + ": runs with several units")
    return float(units.pop()) * 1e9 if units else 1e9 / 1048576


def cut(name):
    data = name.encode()
    if len(data) <= NAME_MAX:
        return name
    return data[:NAME_MAX].decode(errors="ignore") + "..."


def rows(by):
    for row in csv.DictReader(io.StringIO(supprof("-f", "csv", "--by", by, "--overhead=off"))):
        yield {key: lib.plain(cell) for key, cell in row.items()}


def sums():
    """Per function: calls, units of self time; and errors in all."""
    result = collections.defaultdict(lambda: [0, 0])
    # Of single stacks, so that roundings do not add up.
    for row in rows("stack"):
        sum_ = result[cut(row["stack"].split(";")[-1])]
        sum_[0] += int(row["calls"])
        sum_[1] += units(float(row["self_us"]) * 1000)
    return result, sum(int(row["errors"]) for row in rows("function"))


def play(slices):
    """Per function: calls, units of self time; when the track was busy for the game; errors."""
    result = collections.defaultdict(lambda: [0, 0])
    error_count = 0
    busy = []
    stack = []
    for begin, end, name, arguments, *_ in slices:
        if not name:
            fail("a slice at %d has no name" % begin)
        # Which of two slices without length called the other makes no difference to sums.
        while stack and stack[-1][1] <= begin:
            stack.pop()
        if stack and end > stack[-1][1]:
            fail("%s at %d ends after %s" % (name, begin, stack[-1][2]))
        if end < begin:
            fail("%s at %d ends before it begins" % (name, begin))
        length = units(end) - units(begin)
        result[name][0] += "continued" not in arguments
        error_count += "error" in arguments
        result[name][1] += length
        if stack:
            result[stack[-1][2]][1] -= length
        else:
            busy.append((begin, end))
        if name == "(profiler)":
            whole = busy.pop()
            busy += [(whole[0], begin), (end, whole[1])] if stack else []
        stack.append((begin, end, name))
    return result, busy, error_count


def units(time_ns):
    return round(time_ns / unit)


def read_trace(text):
    tracks = collections.defaultdict(list)
    ticks = collections.defaultdict(list)
    stacks = collections.defaultdict(list)
    names = {}
    for event in json.loads(text, parse_float=str)["traceEvents"]:
        key = event["pid"], event.get("tid")
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                names[key] = event["args"]["name"]
            continue
        # Three more decimals count events of one nanosecond.
        time = nanoseconds(re.sub(r"([.]\d{3})\d{3}$", r"\1", event["ts"]))
        if event["tid"] == TICKS_THREAD and event["ph"] == "B":
            begun = time
        elif event["tid"] == TICKS_THREAD:
            ticks[key].append((begun, time, event["name"], {}))
        elif event["ph"] == "B":
            slice_ = [time, None, event["name"], event.get("args", {}), len(stacks[key])]
            tracks[key].append(slice_)
            stacks[key].append(slice_)
        elif stacks[key]:
            stacks[key].pop()[1] = time
        else:
            fail("%s: ends what did not begin, at %d" % (names[key], time))
    for key, stack in stacks.items():
        if stack:
            fail("%s: %d slices do not end" % (names[key], len(stack)))
    return tracks, ticks


def play_events(profile, frames):
    """The slices of an evented profile, which are nested and never go back."""
    slices = []
    stack = []
    now = profile["startValue"]
    for event in profile["events"]:
        if event["at"] < now:
            fail("%s: goes back to %d" % (profile["name"], event["at"]))
        now = event["at"]
        if event["type"] == "O":
            slices.append([now, None, cut(frames[event["frame"]]["name"]), len(stack)])
            stack.append((event["frame"], slices[-1]))
        else:
            frame, slice_ = stack.pop()
            slice_[1] = now
            if frame != event["frame"]:
                fail("%s: another frame is closed at %d" % (profile["name"], now))
    if stack or now > profile["endValue"]:
        fail("%s: does not end" % profile["name"])
    return slices


def check_evented(tracks):
    file = json.loads(supprof("-f", "speedscope"))
    evented = [p for p in file["profiles"] if p["type"] == "evented"]
    got = [play_events(profile, file["shared"]["frames"]) for profile in evented]
    # A trace begins at 0, evented profiles at the time of the clock.
    first = min((slice_[0] for slices in got for slice_ in slices), default=0)
    shift = first - min((slice_[0] for slices in tracks.values() for slice_ in slices), default=0)
    expected = [
        [[slice_[0] + shift, slice_[1] + shift, slice_[2], *slice_[4:]] for slice_ in slices]
        for slices in tracks.values()
    ]
    if got != expected:
        fail("the evented profiles have other slices")


def check_ticks(ticks, busy):
    """How long each tick's threads were busy is its time before costs are taken out."""
    expected = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(supprof("-f", "ticks-csv", nothing=3))):
        expected[int(row["run"])].append(
            ("#" + row["tick"], units(float(row["measured_us"]) * 1000))
        )
    for (run, _), of_run in ticks.items():
        times = busy[run]
        got = []
        first = 0
        for begin, end, name, _ in of_run:
            sum_ = 0
            while first < len(times) and times[first][1] <= begin:
                first += 1
            for busy_begin, busy_end in times[first:]:
                if busy_begin >= end:
                    break
                sum_ += units(min(end, busy_end)) - units(max(begin, busy_begin))
            got.append((name.split(" ")[0], sum_))
        if log.endswith(LATE_LOG):
            got = [sum(sum_ for _, sum_ in got)]
            expected[run] = [sum(sum_ for _, sum_ in expected[run])]
        if got != expected[run]:
            fail("run %d: ticks are %s, not %s" % (run, got, expected[run]))


def check_trace():
    tracks, ticks = read_trace(supprof("-f", "trace"))
    if "--from" in options or "--to" in options:
        check_evented(tracks)
    got = collections.defaultdict(lambda: [0, 0])
    got_errors = 0
    busy = collections.defaultdict(list)
    for key, slices in sorted(tracks.items()):
        of_track, busy_track, error_count = play(slices)
        busy[key[0]] += busy_track
        got_errors += error_count
        for name, sum_ in of_track.items():
            got[name] = [a + b for a, b in zip(got[name], sum_)]
    for run, times in busy.items():
        times.sort()
        for (begin, end), (next_begin, _) in zip(times, times[1:]):
            if next_begin < end:
                fail("run %d: two threads run at %d" % (run, next_begin))
    for run, of_run in ticks.items():
        for a, b in zip(of_run, of_run[1:]):
            if a[1] != b[0]:
                fail("run %d: a gap between ticks %s and %s" % (run[0], a[2], b[2]))
    if "--thread" not in options:
        check_ticks(ticks, busy)
    expected, errors = sums()
    for name in sorted(set(got) | set(expected)):
        # Only the time line has the recorder's own calls.
        if name != "(profiler)" and got[name] != expected[name]:
            fail("%s: calls, units are %s, not %s" % (name, got[name], expected[name]))
    # An error may have ended what had not run since before the window.
    if got_errors > errors or (got_errors < errors and "--from" not in options):
        fail("%d errors, not %d" % (got_errors, errors))
    return sum(len(slices) for slices in tracks.values()), len(expected)


program, line_count = sys.argv[1], 0
for line in sys.stdin:
    log, *options = line.split()
    unit = unit_ns()
    line_count += 1
    try:
        slice_count, function_count = check_trace()
        print("%s: %d slices, %d functions" % (line.strip(), slice_count, function_count))
    except NoReport:
        pass
print("%d time lines" % line_count)
sys.exit(lib.failed > 0)
