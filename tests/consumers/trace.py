"""trace.py FILE

What is in a file of Chrome's trace events, a line a function as truth.py has them. A
function's calls are its slices that do not go on with a call of before; what a slice has
of its own is what those directly in it leave.

Slices begin and end at whole nanoseconds, and three more decimals tell events of one nanosecond
apart, while in the CSV each call stack is rounded
once. So there are two more columns for compare.py: how many slices went into a self
time, and how many into a total.

What the recorder did is in no total of its callers.

Checked on the way: times are not negative, slices of a thread are nested, parents first;
no thread of a process is busy while another is, and none outside the ticks.
"""
import json
import sys
from collections import defaultdict
from decimal import Decimal

TICKS_THREAD = 1


def nanoseconds(microseconds):
    scaled = microseconds * 1000
    if scaled * 1000 != int(scaled * 1000):
        sys.exit(f"trace: not in nanoseconds: {microseconds}")
    return int(scaled)


def read_threads(path):
    """(process, thread): its slices as (begin, end, name, goes on), in the file's order."""
    threads, names, open_slices = defaultdict(list), {}, defaultdict(list)
    with open(path, encoding="utf-8") as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    latest = {}
    for event in events:
        thread = event["pid"], event.get("tid", 0)
        if event["ph"] == "B":
            goes_on = event.get("args", {}).get("continued", False)
            open_slices[thread].append(len(threads[thread]))
            threads[thread].append((nanoseconds(event["ts"]), None, event["name"], goes_on))
        elif event["ph"] == "E":
            if event["ts"] <= latest[thread]:
                sys.exit(f"trace: not after the event before it: {event}")
            if not open_slices[thread]:
                sys.exit(f"trace: ends what did not begin: {event}")
            at = open_slices[thread].pop()
            begin, _, name, goes_on = threads[thread][at]
            end = nanoseconds(event["ts"])
            if begin < 0 or end < begin:
                sys.exit(f"trace: negative time: {name} at {begin}")
            threads[thread][at] = begin, end, name, goes_on
        elif event["ph"] == "M":
            names[thread] = event["args"]
        else:
            sys.exit(f"trace: what is {event}?")
        if event["ph"] != "M":
            latest[thread] = event["ts"]
    if any(open_slices.values()):
        sys.exit("trace: a slice does not end")
    if not threads.keys() <= names.keys():
        sys.exit("trace: a thread has no name")
    return threads


def add_up(slices, sums):
    """Returns when the thread is busy, as (begin, end)."""
    busy, stack, latest = [], [], 0
    for begin, end, name, goes_on in slices:
        if begin < latest:
            sys.exit(f"trace: not in order: {name} at {begin}")
        latest = begin
        sums[name][2] += not goes_on
        # Where a slice without length lies does not matter for times.
        if begin == end:
            continue
        while stack and stack[-1][0] <= begin:
            stack.pop()
        if stack and end > stack[-1][0]:
            sys.exit(f"trace: {name} ends at {end}, after its caller {stack[-1][1]}")
        sums[name][0] += end - begin
        sums[name][3] += 1
        if stack:
            sums[stack[-1][1]][0] -= end - begin
            sums[stack[-1][1]][3] += 1
        else:
            busy.append((begin, end))
        callers = {caller for _, caller in stack}
        if name not in callers:
            sums[name][1] += end - begin
        if name == "(profiler)":
            for caller in callers:
                sums[caller][1] -= end - begin
        for caller in callers | {name}:
            sums[caller][4] += 1
        stack.append((end, name))
    return busy


def check_processes(ticks, busy):
    for process, times in busy.items():
        times.sort()
        for (_, end), (begin, _) in zip(times, times[1:]):
            if begin < end:
                sys.exit(f"trace: two threads of process {process} are busy at {begin}")
        if times and not (
            ticks[process][0][0] <= times[0][0] and times[-1][1] <= ticks[process][-1][1]
        ):
            sys.exit(f"trace: process {process} is busy outside its ticks")


def main():
    threads = read_threads(sys.argv[1])
    sums, busy, ticks = defaultdict(lambda: [0, 0, 0, 0, 0]), defaultdict(list), {}
    for (process, thread), slices in threads.items():
        if thread == TICKS_THREAD:
            ticks[process] = add_up(slices, defaultdict(lambda: [0, 0, 0, 0, 0]))
        else:
            busy[process] += add_up(slices, sums)
    check_processes(ticks, busy)
    for key, values in sorted(sums.items()):
        print(key, *values, sep="\t")


sys.stdout.reconfigure(encoding="utf-8")
main()
