"""compare.py TITLE EXPECTED FOUND [--unit NS] [--without-calls]

Compares two tables as truth.py describes them, and ends with 1 if they disagree. A key
that one of them lacks stands for zeros, since viewers list nothing that has neither
time nor calls; '-' is unknown and equals all.

--unit NS: FOUND has times rounded to a unit, with the rest of each line of the file
carried to the next. So a line, and any run of lines, is off by less than one unit. How
many lines went into a self time and how many runs of them into a total, EXPECTED says in two
more columns (truth.py has them for folded files).
--without-calls: FOUND knows of no calls, and lists nothing that only has calls.
"""
import argparse
import sys


def read(path):
    table = {}
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            key, *values = line.rstrip("\n").split("\t")
            if table.setdefault(key, values) != values:
                sys.exit(f"{path}: twice, and not alike: {key}")
    return table


def disagreements(expected, found, unit):
    """Yields the columns that differ. The last two of `expected` are the lines and runs."""
    allowed = (unit * int(expected[3]), unit * int(expected[4]), 0) if unit else (0, 0, 0)
    for column, a, b, most in zip(("self", "total", "calls"), expected, found, allowed):
        if a != "-" and b != "-" and abs(int(a) - int(b)) > most:
            yield f"{column} {b}, not {a}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("title")
    parser.add_argument("expected")
    parser.add_argument("found")
    parser.add_argument("--unit", type=int)
    parser.add_argument("--without-calls", action="store_true")
    options = parser.parse_args()
    expected, found = read(options.expected), read(options.found)
    lacking = ["0", "0", "-" if options.without_calls else "0"]
    count = 0
    for key in sorted(expected.keys() | found.keys()):
        wrong = list(disagreements(expected.get(key, ["0"] * 5), found.get(key, lacking), options.unit))
        count += bool(wrong)
        if wrong and count <= 5:
            print(f"    {key[:200]}: {'; '.join(wrong)}")
    print(f"{options.title}: {len(expected)} of them, {count} disagreements")
    sys.exit(bool(count or not found))


sys.stdout.reconfigure(encoding="utf-8")
main()
