"""lines.py SIM_HOST SUPPROF SOURCE_DIRECTORY

The setting `lines` of profiler.lua: how often each line of the chosen functions ran, and its self
time, against what the host counts, read by events.pl, rebuild.pl and supprof. Runs with Lua 5.1,
and with the game's VM where CMake knows it.

Counts are those of a run of the host alone. Times are of the host's clock of lines (see sim_host.h
--truth-lines), so that they are the same to the unit; a run with that clock is also the truth of
its counts.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402

host, supprof, source = (os.path.abspath(path) for path in sys.argv[1:4])
tests = os.path.join(source, "tests")
UNIT_NS = 10**9 // 64
FROM, TO = 10, 20


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", **options)
    lib.check(
        done.returncode == 0,
        f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[-500:]}",
    )
    return done.stdout


def own(key):
    """The recorder itself, and chunks that the host runs."""
    return "siminit.lua:" in key or not re.search(r"\.lua:\d+$", key)


def read_counts(text):
    """{(key, line): (runs, units)} of the lines `line KEY LINE RUNS UNITS`."""
    found = collections.defaultdict(lambda: (0, 0))
    for row in text.split("\n"):
        fields = row.split("\t")
        if fields[0] == "line" and not own(fields[1]):
            key = fields[1], int(fields[2])
            runs, units = found[key]
            found[key] = runs + int(fields[3]), units + int(fields[4])
    return dict(found)


def play(name, workload, *options):
    return run(host, "--workload", workload, "--ticks", "40", "--log", name, *options)


def profiler(name, chosen, settings=""):
    """profiler.lua with this setting and others."""
    with open(os.path.join(source, "profiler.lua")) as file:
        text = file.read()
    wanted = {"from": "false", "lines": "{" + ", ".join(f"'{one}'" for one in chosen) + "}"}
    wanted.update(pair.split("=") for pair in settings.split())
    for key, value in wanted.items():
        text, count = re.subn(
            rf"^    {key} = .*,$", lambda _: f"    {key} = {value},", text, flags=re.M
        )
        lib.check(count == 1, f"profiler.lua has no setting {key}")
    with open(name, "w") as file:
        file.write(text)


def record(name, workload, *options):
    play(
        f"{name}.log",
        workload,
        "--profiler",
        f"{name}.lua",
        "--command",
        f"{FROM}=StartProfiler()",
        "--command",
        f"{TO}=StopProfiler()",
        *options,
    )


def read_rebuilt(log):
    rows = run("perl", os.path.join(tests, "rebuild", "rebuild.pl"), "--by", "line", log)
    return {
        ("@" + key, int(line)): (int(runs), int(ns))
        for key, line, runs, ns in (row.split("\t") for row in rows.splitlines())
        if not own(key)
    }


def read_supprof(log, *options):
    """Its lines, and checks that they add up to each function's self time."""
    report = json.loads(run(supprof, "-q", "-f", "json", "--list=.", "--paths=full", *options, log))
    found = {}
    for function in report["functions"]:
        lines = [line for line in function.get("lines", []) if "runs" in line]
        key = f"@{function['source']}:{function['line']}"
        if not lines or own(key):
            continue
        self_ns = sum(line["self_ns"] for line in lines)
        lib.check(
            self_ns == function["self_ns"],
            f"{log} {options}: lines of {key}: {self_ns} ns, not {function['self_ns']}",
        )
        found.update(
            {
                (key, line["line"]): (line["runs"], line["self_ns"])
                for line in lines
                if line["runs"] or line["self_ns"] and line["line"]
            }
        )
    return found


def differing(name, truth, found, parts, of_unit=1):
    """How many lines of the functions in `found` are not as in the truth."""
    chosen = {key for key, _ in found}
    wanted = {
        key: (runs, units * of_unit) for key, (runs, units) in truth.items() if key[0] in chosen
    }
    wrong = [
        key
        for key in sorted(set(wanted) | set(found))
        if wanted.get(key, (0, 0))[:parts] != found.get(key, (0, 0))[:parts]
    ]
    for key in wrong[:5]:
        lib.check(False, f"{name}: {key}: {found.get(key)}, truth {wanted.get(key)}")
    lib.check(bool(found), f"{name}: no lines")
    return len(wrong)


def compare(name, truth, parts, count):
    """The readers against the truth: its counts, and with two parts its times."""
    log = f"{name}.log"
    found = read_counts(run("perl", os.path.join(tests, "recorder", "events.pl"), log))
    lib.check(
        len({key for key, _ in found}) >= count,
        f"{name}: lines of {len({key for key, _ in found})} functions, not {count}",
    )
    wrong = differing(f"{name}, events.pl", truth, found, parts)
    wrong += differing(
        f"{name}, supprof", truth, read_supprof(log, "--overhead=off"), parts, UNIT_NS
    )
    if parts == 2:
        wrong += differing(f"{name}, rebuild.pl", truth, read_rebuilt(log), parts, UNIT_NS)
        wrong += differing(
            f"{name}, folded",
            truth,
            read_supprof(log, "--overhead=off", "--fold-recursion"),
            parts,
            UNIT_NS,
        )
        for more in [], ["--from=#12", "--to=#17"], ["--thread=coroutine"]:
            read_supprof(log, *more)
    print(
        f"{name}: {len(found)} lines of {len({key for key, _ in found})} functions, {wrong} differ"
    )


def check(name, file, every, has_times, *options):
    """One of `every` functions of the file is chosen."""
    workload = os.path.join(tests, "recorder", file)
    play(
        "truth.log",
        workload,
        "--truth",
        f"{FROM},{TO}",
        "--truth-lines",
        "--truth-out",
        "truth",
        *options,
    )
    with open("truth", errors="replace") as text:
        truth = read_counts(text.read())
    functions = sorted({key[1:].replace("\\", "/") for key, _ in truth})[::every]
    profiler(f"{name}.lua", functions)
    record(name, workload, *options)
    compare(name, truth, 1, len(functions))
    record(name, workload, "--truth", "hooked", "--truth-lines", "--truth-out", "truth", *options)
    with open("truth", errors="replace") as text:
        compare(f"{name}", read_counts(text.read()), 2 if has_times else 1, len(functions))


def main():
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)
    check("lines", "scenarios/lines.lua", 1, True)
    check("some", "scenarios/lines.lua", 3, True)
    check("generators", "scenarios/lines.lua", 2, True, "--set", "COROUTINES=1")
    for name in "callbacks", "coroutines":
        check(name, f"scenarios/{name}.lua", 1, True)
    # Nobody has the time of a line that an error has ended with its thread, or with a tail call by
    # a root.
    for name in "metamethods", "tail-calls", "errors", "handlers":
        check(name, f"scenarios/{name}.lua", 1, False)
    check("workload", "workload.lua", 2, False)
    lib.finish("comparisons of lines", 50)


main()
