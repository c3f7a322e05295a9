"""sentences.py SUPPROF FIXTURES [LOG...]

Reads every sentence of all fixtures, alone and compared with the next one: no sentence says that
something changes from a number to the same number, no range ends where it begins, no share is
above 100 % of what it is a share of, and no number is none. With LOGs, only theirs, by hand.
"""
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
NUMBER = r"(?<![\w.,:#])(-?\d[\d.,:]*(?: [mun]?s| KB| MB| GB|%)?)"
# What no sentence may say.
FALSE = {
    "a change that is none": [
        rf"{NUMBER}(?: ms)? at first, \1(?: \w+)? at the end",
        rf"makes {NUMBER}, then \1 ",
        rf"from \d[\d:.]* (?:on|to [\d:.]+) {NUMBER} -> \1(?![\d.,])",
        rf"takes? more time \({NUMBER}, old \1(?![\d.,])",
        rf"took more time \({NUMBER}, old \1(?![\d.,])",
    ],
    "a range that is none": [rf"{NUMBER} to \1(?![\d.,:])"],
    "a share above the whole": [
        r"(?<![\d.,+-])(?:1[1-9]\d|10[1-9]|[2-9]\d\d|\d[\d,]{3,})(?:\.\d+)?% of "
    ],
    "a number that is none": [r"(?i)(?<![\w./])-?(?:nan|inf|infinity)(?![\w./:])"],
}


def sentences_of(*arguments):
    """What the formats say: json in full, the screen with the lines above and below the table."""
    text = program.text("-f", "json", *arguments)
    if text is None:
        return []
    document = json.loads(text)
    found = document.get("headline", []) + document.get("notes", [])
    for name in ("findings", "judged_findings"):
        found += [finding["text"] for finding in document.get(name, [])]
    screen = program.text("--verbose", "--top", "1", *arguments) or ""
    found += re.sub(r"\n +", " ", screen).splitlines()
    return found


def check(*arguments):
    for sentence in sentences_of(*arguments):
        for what, patterns in FALSE.items():
            wrong = next((p for p in patterns if re.search(p, sentence)), None)
            lib.check(wrong is None, f"{what}: {arguments}: {sentence}")


def check_shares(log):
    """No part of a table's time is larger than the whole."""
    for row in program.csv("csv", "--columns", "self%,total%", log) or []:
        for name in ("self_percent", "total_percent"):
            lib.check(
                row[name] == "" or -100 <= float(row[name]) <= 100, f"{log}: {name}: {dict(row)}"
            )


def check_patterns():
    """Each pattern finds what it is for."""
    for what, sentence in [
        ("a change that is none", "Ticks get longer: 0.04 ms at first, 0.04 ms at the end. x"),
        ("a change that is none", "x makes 12, then 12 calls of y"),
        ("a change that is none", "from 5:00 on 0.67 -> 0.67"),
        ("a change that is none", "but x takes more time (0.05, old 0.05 ms a tick)"),
        ("a range that is none", "0:00.1 to 0:00.1"),
        ("a share above the whole", "115% of the time has wrong callers"),
        ("a number that is none", "-nan% of the time"),
    ]:
        lib.check(any(re.search(p, sentence) for p in FALSE[what]), f"not found: {sentence}")
    for sentence in ["0.04 ms at first, 0.042 ms at the end", "0:00.1 to 0:00.15", "100% of it"]:
        wrong = [p for patterns in FALSE.values() for p in patterns if re.search(p, sentence)]
        lib.check(not wrong, f"found: {sentence}: {wrong}")


check_patterns()
logs = sys.argv[3:] or sorted(glob.glob(os.path.join(fixtures, "**", "*.log*"), recursive=True))
for i, log in enumerate(logs):
    check(log)
    check_shares(log)
    check("--diff", logs[i - 1], log)
lib.finish("sentences", least=20)
