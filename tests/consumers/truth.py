"""truth.py WHAT READER STACKS.csv

What a reader must find, computed from `supprof -f csv --by stack` alone: a row of that is
a node of the call tree with what it has of its own. As for all readers here, a line of
the answer is KEY, self ns, total ns, calls, with TABs between; '-' is unknown.

    functions   a line a label. Total: the rows in whose stack the label is.
    edges       a line a "caller > callee". Total: the rows whose time goes to that edge.
    stacks      a line a stack, "root;child;leaf".

What the formats agree on: a self time below 0 counts as 0. How they differ, by READER:

    csv         keeps what is below 0
    folded      two more columns for compare.py, since its times are rounded: how many
                rows end in the function, and how many different calls have it for the
                first time on their stack
    speedscope  no more than 2000 frames; what is deeper is "(truncated)" below those
    pprof       so here; STACKS.csv with --call-sites. Each different edge of a stack gets
                its time, but none from a function to itself
    callgrind   --call-sites; any depth. "(all)" calls the roots. Of a function that is
                several times on a stack only the first gives an edge its time, and each
                line that makes a call makes one at least. No blanks before names
"""
import csv
import re
import sys
from collections import defaultdict

VIEWER_DEPTH_MAX = 2000


def nanoseconds(text):
    """'-12.345' microseconds are -12345."""
    whole, decimals = text.split(".")
    assert len(decimals) == 3, text
    return int(whole + decimals)


def split_stack(cell):
    """The frames of a stack as (label, line it is called in; 0 when nobody knows).

    A;A->12;B is [(A, 0), (B, 12)]. The "'" keeps a spreadsheet from running the cell."""
    frames, line = [], 0
    for text in re.sub(r"^'(?=[-=+@])", "", cell).split(";"):
        site = re.fullmatch(r"(.*)->-?(\d+)", text, re.DOTALL)
        if site and frames and site[1] == frames[-1][0]:
            line = int(site[2])
        else:
            frames.append((text, line))
            line = 0
    return frames


def read_rows(path):
    """Yields the frames of a stack, and its own time and calls."""
    csv.field_size_limit(1 << 30)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            yield split_stack(row["stack"]), nanoseconds(row["self_us"]), int(row["calls"])


def fit(rows, reader):
    """Yields the rows as a reader takes them."""
    for frames, self_ns, calls in rows:
        if reader != "csv":
            self_ns = max(self_ns, 0)
        if reader in ("speedscope", "pprof") and len(frames) > VIEWER_DEPTH_MAX:
            frames = frames[:VIEWER_DEPTH_MAX] + [("(truncated)", 0)]
        if reader == "callgrind":
            frames = [("(all)", 0)] + [(label.lstrip(" "), line) for label, line in frames]
        yield frames, self_ns, calls


def with_callers(rows):
    """Adds the callers that have no row of their own, for lack of time and calls."""
    known, rows = {}, list(rows)
    for frames, _, _ in rows:
        node = 0
        for depth, frame in enumerate(frames):
            if (node, frame) not in known:
                known[node, frame] = len(known) + 1
                yield frames[: depth + 1], 0, 0
            node = known[node, frame]
    yield from rows


def edges_of(stack, reader):
    if reader == "pprof":
        return {edge for edge in zip(stack, stack[1:]) if edge[0] != edge[1]}
    return {(stack[at - 1], label) for label in set(stack[1:]) if (at := stack.index(label)) > 0}


def add_up(rows, what, reader):
    sums, subtrees, sites = defaultdict(lambda: [0, 0, 0, 0]), defaultdict(set), defaultdict(int)
    for frames, self_ns, calls in rows:
        stack = [label for label, _ in frames]
        key = stack[-1]
        if what == "functions":
            for label in set(stack):
                sums[label][1] += self_ns
                subtrees[label].add(tuple(stack[: stack.index(label) + 1]))
        elif what == "stacks":
            key = ";".join(stack)
            sums[key][1] += self_ns
        else:
            for edge in edges_of(stack, reader):
                sums[" > ".join(edge)][1] += self_ns
            if len(stack) == 1:
                continue
            key = " > ".join(stack[-2:])
        sums[key][0] += self_ns
        sums[key][3] += 1
        sites[key, len(stack) > 1 and stack[-2], frames[-1][1]] += calls
    for (key, caller, _), calls in sites.items():
        sums[key][2] += max(calls, 1) if reader == "callgrind" and caller else calls
    return {key: [*values, len(subtrees[key])] for key, values in sums.items()}


def main():
    what, reader, path = sys.argv[1:]
    rows = fit(read_rows(path), reader)
    if reader == "callgrind":
        rows = with_callers(rows)
    for key, (self_ns, *others) in sorted(add_up(rows, what, reader).items()):
        shown = ["-" if what == "edges" else self_ns, *others]
        print(key, *shown[: 5 if reader == "folded" else 3], sep="\t")


sys.stdout.reconfigure(encoding="utf-8")
main()
