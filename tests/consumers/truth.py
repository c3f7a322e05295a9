"""truth.py WHAT STACKS.csv [--call-sites] [--outermost] [--root NAME] [--depth N] [--signed] [--lines]

What every reader must find, computed from `supprof -f csv --by stack` alone: a row of
that is a node of the call tree with what it has of its own. As in all readers here, a
line of the answer is KEY, self ns, total ns, calls, with TABs between; '-' is unknown.

    functions   a line a label. Total: the rows in whose stack the label is.
    edges       a line a "caller > callee". Total: the rows whose cost goes to that edge.
    stacks      a line a stack, "root;child;leaf".

--signed keeps self times below 0; without it they are 0, as viewers take them. Then
stacks have at most N (2000) frames, and what is deeper is in "(truncated)" below them.
--call-sites: the file has a frame CALLER->LINE before each called function.
--lines: two more columns, how many rows end in a function, and how many different calls
have it for the first time on their stack: what compare.py needs for rounded times.
--root NAME puts a function above all stacks, as callgrind files have one.
--outermost: of a function that is several times on a stack, only the first gets cost on
an edge (callgrind); else each different edge of a stack does, but none from a function
to itself (pprof).
"""
import argparse
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


def without_call_sites(frames):
    labels = frames[:1]
    for frame in frames[1:]:
        site = re.fullmatch(r"(.*)->-?\d+", frame, re.DOTALL)
        if not (site and site[1] == labels[-1]):
            labels.append(frame)
    return labels


def read_rows(path, options):
    """Yields the labels of a stack, its own time and its own calls."""
    with open(path, encoding="utf-8", newline="") as file:
        csv.field_size_limit(1 << 30)
        for row in csv.DictReader(file):
            stack = re.sub(r"^'(?=[-=+@])", "", row["stack"]).split(";")
            if options.call_sites:
                stack = without_call_sites(stack)
            self_ns = nanoseconds(row["self_us"])
            if not options.signed:
                self_ns = max(self_ns, 0)
                if len(stack) > options.depth:
                    stack = stack[: options.depth] + ["(truncated)"]
            if options.root:
                stack.insert(0, options.root)
            yield stack, self_ns, int(row["calls"])


def edges_of(stack, outermost):
    if not outermost:
        return {edge for edge in zip(stack, stack[1:]) if edge[0] != edge[1]}
    return {(stack[at - 1], label) for label in set(stack[1:])
            if (at := stack.index(label)) > 0}


def add_up(rows, what, outermost):
    sums, subtrees = defaultdict(lambda: [0, 0, 0, 0]), defaultdict(set)
    for stack, self_ns, calls in rows:
        if what == "functions":
            for label in set(stack):
                sums[label][1] += self_ns
                subtrees[label].add(tuple(stack[: stack.index(label) + 1]))
            key = stack[-1]
        elif what == "stacks":
            key = ";".join(stack)
            sums[key][1] += self_ns
        else:
            for edge in edges_of(stack, outermost):
                sums[" > ".join(edge)][1] += self_ns
            if len(stack) < 2:
                continue
            key = " > ".join(stack[-2:])
        sums[key][0] += self_ns
        sums[key][2] += calls
        sums[key][3] += 1
    return {key: [*values, len(subtrees[key])] for key, values in sums.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["functions", "edges", "stacks"])
    parser.add_argument("path")
    parser.add_argument("--call-sites", action="store_true")
    parser.add_argument("--depth", type=int, default=VIEWER_DEPTH_MAX)
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--outermost", action="store_true")
    parser.add_argument("--root")
    parser.add_argument("--signed", action="store_true")
    options = parser.parse_args()
    sums = add_up(read_rows(options.path, options), options.what, options.outermost)
    for key, (self_ns, *others) in sorted(sums.items()):
        shown = ["-" if options.what == "edges" else self_ns, *others]
        print(key, *shown[: 5 if options.lines else 3], sep="\t")


sys.stdout.reconfigure(encoding="utf-8")
main()
