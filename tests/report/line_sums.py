"""line_sums.py SUPPROF FIXTURES

In recordings of lines, the rows of a function's lines add up to its self time, to the nanosecond:
in whole recordings, windows, threads, after each filter, on both sides of a comparison, and where a
recording without lines is in the same log.
"""
import collections
import gzip
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
OPTIONS = [
    [],
    ["--from", "#11"],
    ["--to", "#11"],
    ["--ticks-over", "0.01"],
    ["--thread", "main"],
    ["--thread", "coroutine"],
    ["--overhead", "off"],
    ["--overhead", "0.2,0.3"],
    ["--focus", "Inner"],
    ["--ignore", "Inner"],
    ["--hide", "Loop"],
    ["--hide", "b"],
    ["--fold-recursion"],
    ["--max-depth", "3"],
    ["--min-pct", "3"],
]


def has_lines(path):
    data = open(path, "rb").read()
    data = gzip.decompress(data) if path.endswith(".gz") else data
    return re.search(rb"prof: \$\d [su]\d+ \d+ events \S+ \S+ \S+ \S*:[a-z]", data)


def check_sums(what, *arguments, sides=("",)):
    lines = program.csv("csv", "--by", "line", *arguments) or []
    functions = program.csv("csv", *arguments) or []
    for side in sides:
        found, wanted = collections.Counter(), collections.Counter()
        for row in lines:
            if row[f"{side}line_self_us"]:
                key = (row["caller"], row["source"], row["caller_line"])
                found[key] += lib.nanoseconds(row[f"{side}line_self_us"])
        for row in functions:
            key = (row["function"], row["source"], row["line"])
            wanted[key] += lib.nanoseconds(row[f"{side}self_us"])
        for key, ns in found.items():
            lib.check(ns == wanted[key], f"{what} {side}: {key}: lines {ns}, self {wanted[key]}")


paths = [os.path.join(fixtures, name) for name in sorted(os.listdir(fixtures))]
for path in [path for path in paths if re.search(r"\.log(\.gz)?$", path) and has_lines(path)]:
    name = os.path.basename(path)
    for options in OPTIONS:
        check_sums(f"{name} {options}", *options, path)
    sides = ("old_", "new_")
    check_sums(f"{name} --diff", "--diff", path, path, sides=sides)
    check_sums(f"{name} --diff --hide", "--hide", "b", "--diff", path, path, sides=sides)
# The same calls again, without lines.
path = os.path.join(fixtures, "recorded-lines.log.gz")
text = gzip.decompress(open(path, "rb").read())
plain = re.sub(
    rb"( events \S+ \S+ \S+ )(\S+)", lambda it: it[1] + re.sub(rb":([a-z]+)(\d*)", b"", it[2]), text
)
with tempfile.TemporaryDirectory() as folder:
    both = os.path.join(folder, "plain.log")
    with open(both, "wb") as log:
        log.write(plain)
    lib.check(text != plain, "no line was removed")
    check_sums("with a recording without lines", path, both)
lib.finish("sums of lines", least=150)
