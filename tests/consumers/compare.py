"""compare.py TITLE EXPECTED FOUND [--unit NS] [--without-calls] [--less OLD]

Compares two tables as truth.py describes them, and ends with 1 if they disagree. A key
that one of them lacks stands for zeros, since viewers list nothing that has neither
time nor calls; '-' is unknown and equals all.

--unit NS: times are rounded to a unit, so that each line of a folded file and each slice
of a time line is off by no more than one. How many of them went into a self time and a
total is in two more columns, of EXPECTED or FOUND: see truth.py and trace.py.
--less OLD: FOUND has the differences of EXPECTED and OLD.
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
    """Yields the columns that differ."""
    allowed = [unit * int(count) for count in (expected[3:] or found[3:] or [0, 0])] + [0]
    for column, a, b, most in zip(("self", "total", "calls"), expected, found, allowed):
        if a != "-" and b != "-" and abs(int(a) - int(b)) > most:
            yield f"{column} {b}, not {a}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("title")
    parser.add_argument("expected")
    parser.add_argument("found")
    parser.add_argument("--unit", type=int, default=0)
    parser.add_argument("--less")
    parser.add_argument("--without-calls", action="store_true")
    options = parser.parse_args()
    try:
        expected, found = read(options.expected), read(options.found)
    except FileNotFoundError as error:
        sys.exit(f"{options.title}: nothing was read: {error.filename}")
    for key, values in (read(options.less) if options.less else {}).items():
        expected[key] = [str(int(a) - int(b)) for a, b in zip(expected.get(key, ["0"] * 3), values)]
    lacking = ["0", "0", "-" if options.without_calls else "0"]
    count = 0
    for key in sorted(expected.keys() | found.keys()):
        wrong = list(
            disagreements(expected.get(key, ["0"] * 3), found.get(key, lacking), options.unit)
        )
        count += bool(wrong)
        if wrong and count <= 5:
            print(f"    {key[:200]}: {'; '.join(wrong)}")
    print(f"{options.title}: {len(expected)} of them, {count} disagreements")
    sys.exit(bool(count or not found))


sys.stdout.reconfigure(encoding="utf-8")
main()
