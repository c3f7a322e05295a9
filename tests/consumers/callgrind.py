"""callgrind.py WHAT FILE

What callgrind_annotate reads in FILE. A line a KEY, as truth.py has them:

    functions   self time with --inclusive=no, total with --inclusive=yes, calls from
                the callers in --tree=both
    edges       "caller > callee" from --tree=both, which has each twice, and alike; but
                for callees that have nothing of their own, and so no place of their own

callgrind_annotate writes "file:function"; the file is one of those in FILE. A Lua
function is there called by its name and line, so that labels come together like this:

    lua/a.lua:Run:5    Run lua/a.lua:5
    [C]:next           next [C]
    (all):(all)        (all)

Where two are alike, one has a number: "next #37". Here both are "next [C]".
"""
import re
import subprocess
import sys
from collections import defaultdict


def annotate(path, *options):
    command = ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no"]
    done = subprocess.run(command + [*options, path], capture_output=True, encoding="utf-8")
    if done.returncode != 0 or done.stderr:
        sys.exit(f"callgrind_annotate {' '.join(options)} {path}: {done.stderr}")
    lines = done.stdout.split("\n")
    header = next(i for i, line in enumerate(lines) if re.fullmatch(r" *ns *file:function", line))
    end = next(
        (i for i in range(header + 2, len(lines)) if lines[i].startswith("-----")), len(lines)
    )
    return [line for line in lines[header + 2 : end] if line.strip()]


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


def read_files(path):
    """The names after fl= and cfl=, the longest first."""
    with open(path, encoding="utf-8", newline="\n") as file:
        names = {
            m[1]
            for m in (re.fullmatch(r"c?f[il]=(?:\(\d+\))? ?(.+)\n", line) for line in file)
            if m
        }
    return sorted(names, key=len, reverse=True)


class Reader:
    def __init__(self, path):
        self.path, self.files = path, read_files(path)

    def label(self, text):
        file = next((file for file in self.files if text.startswith(file + ":")), None)
        if file is None:
            sys.exit(f"callgrind_annotate {self.path}: no such file: {text}")
        function = re.sub(r" #\d+$", "", text[len(file) + 1 :])
        lua = re.fullmatch(r"(.*):(\d+)", function)
        if function == file:
            label = function
        elif lua and file != "[C]":
            label = f"{lua[1]} {file}:{lua[2]}"
        else:
            label = f"{function} {file}"
        # Labels have no ';', and callgrind_annotate drops the blanks before a name.
        return label.replace(";", ":").lstrip(" ")

    def costs(self, option):
        """Yields label and cost."""
        for line in annotate(self.path, option):
            cost, text = re.fullmatch(r" *([\d,.]+)  (.+?)(?: \[\])?", line).groups()
            yield self.label(text), number(cost)

    def edges(self):
        """Yields caller, callee, cost and calls."""
        called, callers, calls_of, listed = set(), set(), [], set()
        for line in annotate(self.path, "--tree=both"):
            cost, kind, text = re.fullmatch(r" *([\d,.]+)  (< |\*  |>   )(.+)", line).groups()
            if kind == "*  ":
                function = re.sub(r" \[\]$", "", text)
                listed.add(function)
                callers |= {(caller, function, *rest) for caller, *rest in calls_of}
                calls_of = []
                continue
            text, calls = re.fullmatch(r"(.+) \(([\d,]+)x\)(?: \[\])?", text).groups()
            row = text, number(cost), number(calls)
            if kind == "< ":
                calls_of.append(row)
            else:
                called.add((function, *row))
        differing = {edge for edge in called ^ callers if edge[0] in listed and edge[1] in listed}
        if differing:
            sys.exit(
                f"callgrind_annotate {self.path}: callers and callees differ: {differing.pop()}"
            )
        for caller, callee, *rest in called | callers:
            yield self.label(caller), self.label(callee), *rest


def functions(reader):
    sums = defaultdict(lambda: [0, 0, 0])
    for label, cost in reader.costs("--inclusive=no"):
        sums[label][0] += cost
    for label, cost in reader.costs("--inclusive=yes"):
        sums[label][1] += cost
    for _, callee, _, calls in reader.edges():
        sums[callee][2] += calls
    return sums


def edges(reader):
    sums = defaultdict(lambda: ["-", 0, 0])
    for caller, callee, cost, calls in reader.edges():
        sums[f"{caller} > {callee}"][1] += cost
        sums[f"{caller} > {callee}"][2] += calls
    return sums


sys.stdout.reconfigure(encoding="utf-8")
what = {"functions": functions, "edges": edges}[sys.argv[1]]
for key, values in sorted(what(Reader(sys.argv[2])).items()):
    print(key, *values, sep="\t")
