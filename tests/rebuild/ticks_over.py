"""ticks_over.py SUPPROF FIXTURES

Ticks chosen by how long they took (--ticks-over), of all recordings in the fixtures:

1. What the ticks up to T have and what those over T have is together what all ticks have: calls
   and errors exactly; times to the rounding of each node to nanoseconds, once in the whole and once
   in each part, so that a call stack with its calling lines is off by 1 ns at most, and a sum of
   them by 1 ns for each. For several T, with the overhead subtracted and with --overhead=off, and
   in all formats that carry figures: csv by each --by, folded, json with callers and lines,
   callgrind, speedscope, pprof, cpuprofile, svg and html.
2. A window of one tick is the same, byte by byte and in several formats, as that tick chosen.
"""
import base64
import csv
import glob
import gzip
import io
import json
import os
import re
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
run = program.run


# Formats: each gives {what: [ns, calls, errors]}, and 0 for what it does not know ------------


def add(sums, key, *values):
    values += (0,) * (3 - len(values))
    sums[key] = [before + value for before, value in zip(sums.get(key, [0] * 3), values)]


def read_csv(text):
    sums = {}
    keys = {
        "calls",
        "errors",
        "self_us",
        "total_us",
        "min_us",
        "mean_us",
        "max_us",
        "alloc_kb",
        "noise_us",
        "self_error_percent",
        "total_error_percent",
        "main",
        "coroutine",
        "runs",
        "line_self_us",
    }
    for row in csv.DictReader(io.StringIO(text.decode())):
        key = tuple(value for name, value in row.items() if name not in keys)
        add(sums, key, lib.nanoseconds(row["self_us"]), int(row["calls"]), int(row["errors"]))
    return sums


def read_folded(text):
    sums = {}
    for line in text.decode().splitlines():
        stack, _, weight = line.rpartition(" ")
        add(sums, stack, int(weight))
    return sums


def read_json(text):
    sums = {}
    document = json.loads(text)
    names = [function["label"] for function in document["functions"]]
    for function in document["functions"]:
        add(sums, function["label"], function["self_ns"], function["calls"], function["errors"])
        for edge in function["callers"]:
            caller = None if edge["function"] is None else names[edge["function"]]
            add(sums, (caller, function["label"]), 0, edge["calls"])
            for line in edge["lines"]:
                add(sums, (caller, function["label"], line["line"]), 0, line["calls"])
    return sums


def read_callgrind(text):
    """Self costs of functions: the lines of costs that do not follow calls=."""
    sums, is_inclusive, function, names = {}, False, None, {}
    for line in text.decode().splitlines():
        name = re.match(r"(c?)fn=\((\d+)\)(.*)", line)
        if name:
            names.setdefault(name[2], name[3])
            function = function if name[1] else names[name[2]]
        elif line.startswith("calls="):
            is_inclusive = True
        elif re.match(r"[+*-]?\d", line):
            if not is_inclusive and function is not None:
                add(sums, function, int(line.split()[1]))
            is_inclusive = False
    return sums


def read_speedscope(text):
    document = json.loads(text)
    sums, frames = {}, document["shared"]["frames"]
    profile = document["profiles"][0]
    for stack, weight in zip(profile["samples"], profile["weights"]):
        add(sums, ";".join(frames[frame]["name"] for frame in stack), weight)
    return sums


def read_html(text):
    data = re.search(rb'<script type="text/plain" id="data">([^<]*)<', text)[1]
    document = json.loads(zlib.decompress(base64.b64decode(data)))
    sums, path, nodes = {}, [], document["nodes"]
    at = 0
    for i, step in enumerate(nodes["depth"]):
        at += step
        label = document["functions"]["label"][nodes["function"][i] if "function" in nodes else 0]
        path[at - 1 :] = [label]
        add(
            sums,
            ";".join(path),
            *(nodes[name][i] if name in nodes else 0 for name in ("self", "calls", "errors")),
        )
    return sums


def read_svg(text):
    """Self times of frames, which are written depth first."""
    sums, path = {}, []
    frame = rb'<g data-label="([^"]*)" [^>]*data-depth="(\d+)" [^>]*data-self="(\d+)"'
    for label, depth, self_ns in re.findall(frame, text):
        path[int(depth) :] = [label.decode()]
        add(sums, ";".join(path), int(self_ns))
    return sums


def read_cpuprofile(text):
    """Of all nodes: each is rounded to microseconds, and the rest carried to the next."""
    sums = {}
    for node in json.loads(text)["nodes"]:
        add(sums, None, 1000 * node["hitCount"])
    return sums


def fields(data):
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            at, byte = at + 1, data[at]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        value = number()
        if key & 7 == 2:
            value, at = data[at : at + value], at + value
        yield key >> 3, value


def numbers(data):
    return [
        value
        for _, value in fields(
            b"".join(
                b"\x08" + bytes(part) for part in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", data)
            )
        )
    ]


def read_pprof(text):
    """Sums of each kind of value over all samples, which are calls and time."""
    sums = {}
    for field, value in fields(gzip.decompress(text)):
        for inner, packed in fields(value) if field == 2 else ():
            if inner == 2:
                values = numbers(packed)
                add(sums, None, values[1] if len(values) > 1 else 0, values[0])
    return sums


STACKS = ("csv", "--by", "stack")
# Others are sums of the same stacks, so that one T is enough.
OTHER_TABLES = [("csv", "--by", by) for by in ("file", "mod", "line", "thread")]
FILES = {
    "csv": read_csv,
    "folded": read_folded,
    "json": read_json,
    "callgrind": read_callgrind,
    "speedscope.json": read_speedscope,
    "html": read_html,
    "cpuprofile": read_cpuprofile,
    "pb": read_pprof,
    "svg": read_svg,
}


def read(how, *arguments):
    """Nothing was chosen: {}"""
    status, text = run("-f", *how, *arguments)
    assert status in (0, 3), (how, arguments)
    return read_csv(text) if status == 0 else {}


def read_files(*arguments):
    """By suffix, all written by one run."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {suffix: f"{folder}/x.{suffix}" for suffix in FILES}
        status, _ = run(
            "--unit", "ns", *(word for path in paths.values() for word in ("-o", path)), *arguments
        )
        assert status in (0, 3), arguments
        return {
            suffix: reader(open(paths[suffix], "rb").read()) if status == 0 else {}
            for suffix, reader in FILES.items()
        }


def read_ticks(*arguments):
    """[(run, number, ns)]"""
    status, text = run("-f", "ticks-csv", *arguments)
    lines = text.decode().splitlines()[1:] if status == 0 else []
    return [
        (row[0], row[1], round(float(row[3]) * 1000)) for row in (line.split(",") for line in lines)
    ]


def check_parts(what, whole, over, up_to, bound_ns):
    wrong = []
    for key in whole.keys() | over.keys() | up_to.keys():
        parts = [sum(pair) for pair in zip(over.get(key, [0] * 3), up_to.get(key, [0] * 3))]
        wanted = whole.get(key, [0] * 3)
        if parts[1:] != wanted[1:] or abs(parts[0] - wanted[0]) > bound_ns:
            wrong.append(f"{key}: {parts}, not {wanted}")
    lib.check(not wrong, f"{what}: {'; '.join(wrong[:3])}")


def check_sums(log, *overhead):
    arguments = (log, *overhead)
    times = sorted(ns for _, _, ns in read_ticks(*arguments))
    if not times:
        return
    limits = dict.fromkeys([times[len(times) // 2], times[0], times[-1] - 1])
    sites = (*STACKS, "--call-sites")
    all_ticks = ("--ticks-over", "..1000000", *arguments)
    exact = read(sites, *all_ticks)
    parts = [
        [("--ticks-over", way + "%.6f" % (max(ns, 0) / 1e6), *arguments) for way in ("", "..")]
        for ns in limits
    ]
    for over, up_to in parts:
        check_parts(f"{sites} {over}", exact, read(sites, *over), read(sites, *up_to), 2)
    over, up_to = parts[0]
    for how in [STACKS] if overhead else [STACKS, *OTHER_TABLES]:
        whole = read(how, *all_ticks)
        check_parts(f"{how} {over}", whole, read(how, *over), read(how, *up_to), len(exact))
    whole, over_files, up_to_files = (read_files(*chosen) for chosen in (all_ticks, over, up_to))
    for suffix in FILES:
        bound_ns = len(exact) + (3000 if suffix == "cpuprofile" else 0)
        check_parts(
            f"{suffix} {over}", whole[suffix], over_files[suffix], up_to_files[suffix], bound_ns
        )


def write_window(by, *arguments):
    """What one run writes, or None where it has written nothing."""
    suffixes = ("csv", "folded", "callgrind", "cpuprofile") if by == "stack" else ("csv",)
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/x.{suffix}" for suffix in suffixes]
        words = [word for path in paths for word in ("-o", path)]
        words += ["--unit", "ns"] if len(paths) > 1 else []
        status, _ = run("--by", by, *words, *arguments)
        return [open(path, "rb").read() for path in paths] if status == 0 else None


def check_windows(log):
    ticks = read_ticks(log)
    times = [ns for _, _, ns in ticks]
    if len({number for number, _, _ in ticks}) > 1:
        return
    for _, number, ns in ticks[:: max(1, len(ticks) // 6)]:
        if ns <= 0 or times.count(ns) > 1:
            continue
        window = ("--from", f"#{number}", "--to", f"#{int(number) + 1}", log)
        chosen = ("--ticks-over", "%.6f..%.6f" % ((ns - 1) / 1e6, ns / 1e6), log)
        for by in ("stack", "thread"):
            alone = write_window(by, *window)
            lib.check(
                alone is not None and alone == write_window(by, *chosen),
                f"{log}: tick {number} alone and chosen are not alike by {by}",
            )


for path in sorted(
    glob.glob(fixtures + "/recorded-*.log.gz") + glob.glob(fixtures + "/rebuild/*.log")
):
    # The other ticks of a sample stand for many, a tick alone for itself.
    if lib.is_sampled(path):
        continue
    check_sums(path)
    # Where nothing is subtracted, that is the same.
    if run("-f", "csv", "--by", "stack", path) != run(
        "-f", "csv", "--by", "stack", path, "--overhead", "off"
    ):
        check_sums(path, "--overhead", "off")
    check_windows(path)
lib.finish("comparisons", 1000)
