"""functions_csv.py FILE

What Python's csv reads in a file of `supprof -f csv`, a line a function as truth.py has
them. The label is put together from name, source and line. Where a source is the text
of a chunk, labels have only its beginning: such a function is called by its whole text,
and truth.py does not know it, so the two are brought together here:

    f,"local a = 1;<LF>return a",0    is    f [string "local a = 1:..."]:0
"""
import csv
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib import nanoseconds, plain


def place(source, line):
    if line == "-1":
        return source if source[:1] in "[(" else source + ":?"
    if not re.fullmatch(r"[^\n]+\.lua", source):
        source = f'[string "{source.splitlines()[0]}{"..." if chr(10) in source else ""}"]'
    return f"{source}:{line}"


def label(row):
    name, where = plain(row["function"]), place(plain(row["source"]), row["line"])
    return (name if name == where else f"{name} {where}").replace(";", ":")


sys.stdout.reconfigure(encoding="utf-8")
sums = {}
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file, strict=True):
        before = sums.get(label(row), (0, 0, 0))
        values = nanoseconds(row["self_us"]), nanoseconds(row["total_us"]), int(row["calls"])
        sums[label(row)] = tuple(a + b for a, b in zip(before, values))
for key, values in sorted(sums.items()):
    print(key, *values, sep="\t")
