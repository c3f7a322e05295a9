"""sources.py SUPPROF LOG ROOT FOLDER

With --lua-root=ROOT, the readers of pprof, callgrind and cpuprofile open the sources: what `go tool
pprof -list` prints of each line of each function, and what callgrind_annotate adds up below each
line, are the times of `csv --by line`; each url of cpuprofile is a file.
"""
import collections
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402


def read_pprof(path):
    """By function: by line the time with callees."""
    printed = subprocess.run(
        ["go", "tool", "pprof", "-unit=ns", "-sample_index=time", "-list=spikes[.]lua", path],
        capture_output=True,
        text=True,
    ).stdout
    times, lines = {}, None
    for row in printed.split("\n"):
        routine = re.match(r"ROUTINE =+ (.*[.]lua(?::\d+)?) in (.*)$", row)
        found = re.match(r" *(?:[\d.]+(?:ns)?) +(?:([\d.]+)(?:ns)?) +(\d+):", row)
        if routine:
            lines = times[routine[1]] = collections.Counter()
            lib.check(
                os.path.isabs(routine[2]) and os.path.isfile(routine[2]), f"pprof: {routine[2]}"
            )
        elif found and lines is not None and found[1] != ".":
            lines[int(found[2])] += int(found[1])
    return times


def read_callgrind(path):
    """By line of the annotated sources, the time of the calls that are listed below it."""
    printed = subprocess.run(
        ["callgrind_annotate", "--auto=yes", "--threshold=100", "--context=10000", path],
        capture_output=True,
        text=True,
    ).stdout
    times, line = collections.Counter(), None
    for row in printed.split("\n"):
        call = re.match(r" *([\d,]+) \( *[\d.]+%\)  => ", row)
        if row.startswith("-- Auto-annotated source: "):
            line = 0
        elif call:
            times[line] += int(call[1].replace(",", ""))
        elif (
            line is not None
            and re.match(r" *([\d,]+|[.])( \( *[\d.]+%\))? ", row)
            and " => " not in row[:30]
        ):
            line += 1
    return times


def main():
    program, log, root, folder = lib.Program(os.path.abspath(sys.argv[1])), *sys.argv[2:]
    outputs = [
        os.path.join(folder, "sources." + suffix) for suffix in ("pb.gz", "callgrind", "cpuprofile")
    ]
    lib.check(
        program.run("--lua-root", root, log, *("-o" + path for path in outputs))[0] == 0, "written"
    )
    wanted = collections.defaultdict(dict)
    for row in program.csv("csv", "--by=line", "--lua-root", root, log):
        if row["source"] == "tests/spikes.lua":
            name = f"{row['caller']} {row['source']}"
            wanted[name, row["caller_line"]][int(row["line"])] = lib.nanoseconds(row["total_us"])
    pprof, callgrind = read_pprof(outputs[0]), read_callgrind(outputs[1])
    for (name, defined), lines in wanted.items():
        # Those that share their name have lines.
        printed = pprof.get(name, pprof.get(f"{name}:{defined}", {}))
        for line, ns in lines.items():
            lib.check(
                printed.get(line, 0) == ns,
                f"pprof -list, function at {defined}, line {line}: {printed}, not {ns}",
            )
            lib.check(
                callgrind[line] == ns or ns == 0,
                f"callgrind_annotate, line {line}: {callgrind[line]}, not {ns}",
            )
    with open(outputs[2], encoding="utf-8") as file:
        frames = [node["callFrame"] for node in json.load(file)["nodes"]]
    urls = {frame["url"] for frame in frames if frame["url"].endswith("spikes.lua")}
    lib.check(len(urls) == 1 and all(os.path.isfile(url) for url in urls), f"cpuprofile: {urls}")
    lib.finish("lines and paths", 40)


main()
