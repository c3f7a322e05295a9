"""truth.py WHAT READER STACKS.csv

What a reader must find, computed from `supprof -f csv --by stack` alone: a row of that is
a node of the call tree with what it has of its own. As for all readers here, a line of
the answer is KEY, self ns, total ns, calls, with TABs between; '-' is unknown.

    functions   a line a label. Total: the rows in whose stack the label is.
    edges       a line a "caller > callee". Total: the rows whose time goes to that edge.
    stacks      a line a stack, "root;child;leaf".

What the formats agree on: a self time below 0 counts as 0, after the times of a path of
functions have been added up. How they differ, by READER:

    csv         keeps what is below 0. Its functions have names and places, but not the
                " #2" that labels end in where those are alike
    folded      two more columns for compare.py, since its times are rounded: how many
                rows end in the function, and how many different calls have it for the
                first time on their stack
    cpuprofile  the same two columns, from STACKS.csv with --call-sites; a
                chunk begins in line 1. No " #2" at Lua functions
                Of functions that share no name and file the labels have no line, as for pprof
    pprof       each different edge of a stack gets its time, but none from a
                function to itself
    callgrind   STACKS.csv with --call-sites; any depth. "(all)" calls the roots. Of a
                function that is several times on a stack only the first gives an edge its
                time, and each line that makes calls of a cost makes one at least. No " #2"
                either, and no blanks before names
"""
import csv
import os
import re
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib import nanoseconds, plain as plain_cell


def split_stack(cell):
    """The frames of a stack as (label, line it is called in; 0 if it is not known).

    A;A->12;B is [(A, 0), (B, 12)]. The "'" keeps a spreadsheet from running the cell."""
    frames, line = [], 0
    for text in plain_cell(cell).split(";"):
        site = re.fullmatch(r"(.*)->-?(\d+)", text, re.DOTALL)
        if site and frames and site[1] == frames[-1][0]:
            line = int(site[2])
        else:
            frames.append((text, line))
            line = 0
    return frames


def read_rows(path):
    """Yields the frames of a stack, and its own time and calls."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            yield split_stack(row["stack"]), nanoseconds(row["self_us"]), int(row["calls"])


def clamp(rows):
    """Nothing below 0: rows of one path of functions lend each other, then it is 0."""
    left = defaultdict(int)
    for frames, self_ns, _ in rows:
        left[tuple(label for label, _ in frames)] += self_ns
    for frames, self_ns, calls in rows:
        path = tuple(label for label, _ in frames)
        self_ns = max(0, min(self_ns, left[path]))
        left[path] -= self_ns
        yield frames, self_ns, calls


def plain(label):
    return re.sub(r" #\d+$", "", label)


def in_editor(label):
    """Editors have no line 0; and only C functions are called by labels."""
    return re.sub(r":0$", ":1", label if label.find("[C]") >= 0 else plain(label))


def lasting(rows):
    """The label without its line, of each label that no other one has."""
    labels = {label for frames, _, _ in rows for label, _ in frames}
    without = {label: re.sub(r":\d+$", "", label) for label in labels}
    count = Counter(without.values())
    return {label: short if count[short] == 1 else label for label, short in without.items()}


def fit(rows, reader):
    """Yields the rows as a reader takes them."""
    rows = list(rows)
    names = lasting(rows) if reader in ("folded", "pprof") else {}
    for frames, self_ns, calls in rows if reader == "csv" else clamp(rows):
        if names:
            frames = [(names[label], line) for label, line in frames]
        if reader == "cpuprofile":
            frames = [(in_editor(label), line) for label, line in frames]
        if reader == "csv":
            frames = [(plain(label), line) for label, line in frames]
        if reader == "callgrind":
            frames = [("(all)", 0)] + [(plain(label).lstrip(" "), line) for label, line in frames]
        yield frames, self_ns, calls


def edges_of(stack, reader):
    if reader == "pprof":
        return {edge for edge in zip(stack, stack[1:]) if edge[0] != edge[1]}
    return {(stack[at - 1], label) for label in set(stack[1:]) if (at := stack.index(label)) > 0}


def key_of(stack, what):
    if what == "edges":
        return " > ".join(stack[-2:]) if len(stack) > 1 else None
    return stack[-1] if what == "functions" else ";".join(stack)


def add_up(rows, what, reader):
    """key: self, total, calls, rows, calls for the first time"""
    sums, firsts, sites = (
        defaultdict(lambda: [0, 0, 0, 0]),
        defaultdict(set),
        defaultdict(lambda: [0, 0]),
    )
    for frames, self_ns, calls in rows:
        stack = [label for label, _ in frames]
        path = frames if reader == "cpuprofile" else stack
        if what == "functions":
            for label in set(stack):
                sums[label][1] += self_ns
                firsts[label].add(tuple(path[: stack.index(label) + 1]))
        elif what == "stacks":
            sums[";".join(stack)][1] += self_ns
        else:
            for edge in edges_of(stack, reader):
                sums[" > ".join(edge)][1] += self_ns
        key = key_of(stack, what)
        if key:
            sums[key][0] += self_ns
            sums[key][2] += calls
            sums[key][3] += 1
        if reader == "callgrind":
            for at in {stack.index(label) for label in stack} - {0}:
                sites[tuple(stack[: at + 1][-2:]), frames[at][1]][0] += self_ns
            sites[tuple(stack[-2:]), frames[-1][1]][1] += calls
    for (edge, _), (cost_ns, calls) in sites.items():
        sums[key_of(edge, what)][2] += cost_ns > 0 and calls == 0
    return {key: [*values, len(firsts[key])] for key, values in sums.items()}


def main():
    what, reader, path = sys.argv[1:]
    for key, (self_ns, *others) in sorted(
        add_up(fit(read_rows(path), reader), what, reader).items()
    ):
        shown = ["-" if what == "edges" else self_ns, *others]
        print(key, *shown[: 5 if reader in ("folded", "cpuprofile") else 3], sep="\t")


sys.stdout.reconfigure(encoding="utf-8")
main()
