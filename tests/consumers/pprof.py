"""pprof.py WHAT FILE [BASE]

What `go tool pprof` reads in FILE (-top, -peek, -traces), less what is in BASE
(-diff_base). A line a KEY, as truth.py has them:

    functions   from -top, for time and again for calls (whose "flat" is the calls)
    edges       from -peek, callers and callees: "caller > callee". No function calls
                itself there. The two must agree: compare.py takes no key twice
    stacks      from -traces; the samples of a stack are added up

-unit keeps times exact. -trim=false shows all: -top is otherwise free to leave out.
"""
import re
import subprocess
import sys
from collections import defaultdict


def pprof(option, metric, path, base=None):
    command = [
        "go",
        "tool",
        "pprof",
        "-symbolize=none",
        "-trim=false",
        "-compact_labels=false",
        "-sample_index=" + metric,
        option,
    ]
    if metric == "time":
        command.append("-unit=nanoseconds")
    if base:
        command.append("-diff_base=" + base)
    done = subprocess.run(command + [path], capture_output=True, encoding="utf-8")
    if done.returncode != 0 or done.stderr:
        sys.exit(f"pprof {option} {path}: {done.stderr}")
    # Not splitlines(), which would end lines at characters that labels may have.
    return done.stdout.rstrip("\n").split("\n")


def number(text):
    match = re.fullmatch(r"(-?\d+)(ns)?", text)
    if not match:
        sys.exit(f"pprof: no exact number: {text}")
    return int(match[1])


def top(metric, path, base):
    """label: flat, cum"""
    table = {}
    lines = pprof("-top", metric, path, base)
    start = next(i for i, line in enumerate(lines) if re.match(r"\s+flat\s+flat%", line))
    for line in lines[start + 1 :]:
        match = re.fullmatch(r"\s*(\S+)\s+\S+%? +\S+%? +(\S+)\s+\S+%?  (.+)", line)
        if not match or match[3] in table:
            sys.exit(f"pprof -top: {line}")
        table[match[3]] = number(match[1]), number(match[2])
    return table


def functions(path, base):
    times, calls = top("time", path, base), top("calls", path, base)
    for label in times.keys() | calls.keys():
        yield label, *times.get(label, (0, 0)), calls.get(label, (0, 0))[0]


def edges(path, base):
    lines = pprof("-peek=.", "time", path, base)
    rules = [i for i, line in enumerate(lines) if re.fullmatch(r"-+\+-+", line)]
    for begin, end in zip(rules[1:], rules[2:]):
        # Five numbers and a blank before the function, two and three before the others.
        rows = [line.split(" | ", 1) for line in lines[begin + 1 : end]]
        at = next(i for i, (numbers, _) in enumerate(rows) if len(numbers.split()) == 5)
        function = rows[at][1]
        for numbers, callee in rows[at + 1 :]:
            yield f"{function} > {callee[2:]}", "-", number(numbers.split()[0]), "-"
        for numbers, caller in rows[:at]:
            yield f"{caller[2:]} > {function}", "-", number(numbers.split()[0]), "-"


def traces(metric, path, base):
    sums, value, stack = defaultdict(int), None, []

    def finish():
        if stack:
            sums[";".join(reversed(stack))] += value

    for line in pprof("-traces", metric, path, base):
        first = re.fullmatch(r" *(-?\d\S*)   (.+)", line)
        if re.fullmatch(r"-+\+-+", line):
            finish()
            value, stack = None, []
        elif value is not None:
            stack.append(line[13:])
        elif first:
            value, stack = number(first[1]), [first[2]]
    finish()
    return sums


def stacks(path, base):
    times, calls = traces("time", path, base), traces("calls", path, base)
    for stack in times.keys() | calls.keys():
        yield stack, times.get(stack, 0), times.get(stack, 0), calls.get(stack, 0)


sys.stdout.reconfigure(encoding="utf-8")
what = {"functions": functions, "edges": edges, "stacks": stacks}[sys.argv[1]]
for row in sorted(set(what(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))):
    print(*row, sep="\t")
