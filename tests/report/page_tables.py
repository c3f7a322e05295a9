"""page_tables.py SUPPROF FIXTURES

The tables in the data of an HTML report against the same in other formats, for all fixtures and
some comparisons: each figure of a tick, a thread, also a watched one, a recorded line, an interval
and of repeated logs; and the table that a reader without JavaScript sees against that of markdown.
What the page makes of them, tests/web checks in a browser.
"""
import base64
import glob
import html
import json
import os
import re
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib
from lib import check, plain

supprof, fixtures = sys.argv[1:]
program = lib.Program(supprof)


def read_page(*arguments):
    """The page, and its data; None where there is nothing to report."""
    text = program.text("-f", "html", *arguments)
    packed = re.search(r'id="data">([^<]*)<', text).group(1) if text is not None else None
    return (text, json.loads(zlib.decompress(base64.b64decode(packed)))) if packed else (None, None)


def rows_of(table, count):
    """Columns of zeros are left out, and null stands for a column of which nothing is known."""
    lists = ("columns", "functions", "old", "counts", "notes", "benchmarks")
    names = [name for name in table if name not in lists]
    for name, *_ in table.get("columns", []):
        if name not in names:
            names.append(name)

    def cell(name, i):
        if name not in table:
            return 0
        return table[name][i] if table[name] is not None else None

    return [
        {
            name: cell(name, i)
            for name in names
            if isinstance(table.get(name, []), (list, type(None)))
        }
        for i in range(count)
    ]


def same(what, found, wanted):
    check(
        found == wanted,
        lambda: next(
            (f"{what}: {a}, not {b}" for a, b in zip(found, wanted) if a != b),
            f"{what}: {len(found)} rows, not {len(wanted)}",
        ),
    )


def check_ticks(what, ticks, rows):
    names = ("run", "tick", "time_ns", "calls", "usual_ns", "disturbed")
    names = [name for name in names if rows and name in rows[0]]
    if "run" not in ticks:
        names = ["tick", "time_ns"]
    found = rows_of({name: ticks[name] for name in names if name in ticks}, len(rows))
    for row, wanted in zip(found, rows):
        # JSON alone has it only of ticks of which it has functions, too.
        if wanted.get("usual_ns", 0) is None:
            row["usual_ns"] = None
    same(
        what,
        [[row.get(name, 0) for name in names] for row in found],
        [[row[name] for name in names] for row in rows],
    )


def in_us(number):
    return "" if number is None else "%d.%03d" % (number // 1000, number % 1000)


def check_csv(what, data, table, rows, keys):
    """Rows of functions against csv; `keys` are the columns there that say what a row is."""
    if not rows:
        check(not table["function"], f"{what}: csv has none")
        return
    names = [name for name in rows[0] if name.replace("_us", "_ns") in table or name in keys]
    names += [n for n, *_ in table["columns"] if n.replace("_ns", "_us") in rows[0]]
    names = sorted({name.replace("_ns", "_us") for name in names})
    found = []
    for row in rows_of(table, len(table["function"])):
        cells = {name.replace("_ns", "_us"): value for name, value in row.items()}
        cells = {
            name: in_us(value) if name.endswith("_us") else "" if value is None else str(value)
            for name, value in cells.items()
        }
        cells[keys[0]] = data["functions"]["name"][row["function"]]
        found.append([cells[name] for name in names])
    wanted = [[plain(row[name]) for name in names] for row in rows]
    check(len(names) > len(keys), f"{what}: no columns of {table['columns']} are in csv")
    same(what, sorted(found), sorted(wanted))


def check_intervals(what, data, document, by):
    table = data["rows"][by]
    rows = document["functions" if by == "function" else "rows"]
    all_ns = document["profile"]["total_ns"]
    wanted = {}
    for i, row in enumerate(rows):
        key = row["label"] if by == "function" else row[by]
        # Functions that only ticks have are in no sum.
        if row["self_error_percent"] is not None:
            wanted[key] = [row["self_error_percent"], row["total_error_percent"]]
    found = {}
    for row in rows_of(table, len(table[by])):
        key = data["functions"]["label"][row[by]] if by == "function" else row[by]
        percents = [
            100 * row[name] / all_ns for name in ("self_error_percent", "total_error_percent")
        ]
        known = wanted.get(key, [-1, -1])
        close = all(abs(a - b) <= 0.0051 for a, b in zip(percents, known))
        found[key] = known if close else percents
    same(f"{what}, intervals by {by}", sorted(found.items()), sorted(wanted.items()))


def check_repeated(what, data, document):
    table = data["repeated"]
    rows = document["repeated"]["rows"]
    is_compared = table["old"] > 0
    places = {"self_ns": ("new", "median")}
    if is_compared:
        places = {
            "new_self_ns": ("new", "median"),
            "old_self_ns": ("old", "median"),
            "diff_self_ns": ("change", "estimate"),
            "diff_self_low_ns": ("change", "low"),
            "diff_self_high_ns": ("change", "high"),
            "self_p": ("change", "p"),
            "self_told_apart": ("change", "told_apart"),
        }
    labels = data["functions"]["label"]
    found = [
        [labels[row["function"]]] + [row.get(name, 0) for name in places]
        for row in rows_of(table, len(table["function"]))
    ]
    wanted = [
        [document["functions"][row["function"]]["label"]]
        + [row["self_ns" if "self_ns" in row else "self"][a][b] for a, b in places.values()]
        for row in rows
    ]
    same(what, found, wanted)
    logs = [sum(map(len, table[name])) for name in ("values", "old_values")]
    check(logs[0] > 0 and (logs[1] > 0) == is_compared, f"{what}: logs have {logs} values")


def check_sums(what, data, document):
    """Sums of whole logs, and what threads of watched games took, as json has them."""
    table, repeated = data["repeated"], document["repeated"]
    watch = repeated["watch"]
    new = "new_" if table["old"] > 0 else ""
    places = {f"{new}{{}}": ("new", "median"), f"{new}{{}}_spread": ("new", "spread")}
    if new:
        places |= {"old_{}": ("old", "median"), "diff_{}": ("change", "estimate")}
        places |= {"diff_{}_low": ("change", "low"), "diff_{}_high": ("change", "high")}
        places |= {"{}_told_apart": ("change", "told_apart")}
    parts = []
    if watch is not None:
        parts.append(("watched", "label", [row["tick"] for row in watch["threads"]]))
        parts.append(("watched_totals", "name", list(watch["totals"].values())))
        labels = [document["functions"][row["function"]]["label"] for row in watch["threads"]]
        found = [" ".join(filter(None, label)) for label in table["watched"]["label"]]
        same(f"{what}, watched labels", found, labels)
    else:
        check("label" not in table["watched"], f"{what}: watched {table['watched']}")
    if document["profile"]["calls"] > 0:
        parts.append(("totals", "name", list(repeated["totals"].values())))
    else:
        check("totals" not in table, f"{what}: {table.get('totals')}")
    for part, key, wanted in parts:
        unit = "_ns" if key == "label" else ""
        names = [
            name.format("tick" if unit else "value") + unit * (not name.endswith("apart"))
            for name in places
        ]
        same(
            f"{what}, {part}",
            [[row.get(n, 0) for n in names] for row in rows_of(table[part], len(table[part][key]))],
            [[row[side][value] for side, value in places.values()] for row in wanted],
        )


def cells_of(line):
    return [html.unescape(cell) for cell in re.findall(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", line)]


def check_static(what, page, markdown):
    """Titles and figures, but not names, which markdown quotes; of its last table."""
    tables = re.findall(r"(?:^\|.*\n)+", markdown, re.M)
    lines = tables[-1].rstrip().split("\n") if tables else []
    wanted = [re.split(r" ?\| ?", line)[1:-1] for line in lines if not line.startswith("|-")]
    table = re.search(r'<table class="rows">(.*?)</table>', page, re.S)
    if table is None:
        check(not wanted, f"{what}: there is no table")
        return
    found = [cells_of(line) for line in table.group(1).strip().split("\n") if "<tr>" in line]
    count = len(found[0])
    same(f"{what}, titles", found[:1], wanted[:1])
    same(
        f"{what}, without a script",
        [row[: count - 1] for row in found[1 : len(wanted)]],
        [row[: count - 1] for row in wanted[1:]],
    )


def check_watched(what, threads, document):
    rows = rows_of(threads, len(threads["label"]))
    functions = document["functions"]
    for row, wanted in zip(rows, document["watch"]["threads"]):
        name, place = row.pop("label")
        function = wanted.pop("function")
        if function is None:
            check(name == "(others)", f"{what}: {name}, not the others")
            check(row.pop("slow_ticks") is None and wanted.pop("slow_ticks") == 0, what)
        else:
            label = functions[function]["label"]
            check(" ".join(filter(None, (name, place))) == label, f"{what}: {name}, not {label}")
    same(what, rows, document["watch"]["threads"])


def check_watched_changes(what, threads, rows, functions):
    """Of two watched games: those of json, and the change."""
    wanted = []
    for row in rows:
        label = functions[row["function"]]["label"] if row["function"] is not None else "(others)"
        old = row["old"]
        wanted.append([label, row["tick_ns"], old["tick_ns"], row["slow_ticks"], old["slow_ticks"]])
    found = [
        [" ".join(filter(None, row["label"]))]
        + [row[side + name] for name in ("tick_ns", "slow_ticks") for side in ("new_", "old_")]
        for row in rows_of(threads, len(threads["label"]))
    ]
    same(what, found, wanted)
    for row in rows_of(threads, len(threads["label"])):
        change = row["new_tick_ns"] - row["old_tick_ns"]
        check(abs(row["diff_tick_ns"] - change) <= 1, f"{what}: change of {row}")


def check_all(what, *arguments):
    page, data = read_page(*arguments)
    if page is None:
        return
    document = json.loads(program.text("-f", "json", *arguments))
    is_repeated = "--repeated" in arguments
    ticks = data["ticks"]
    if ticks is not None:
        check_ticks(f"{what}, ticks", ticks, document["ticks"]["list"])
        if ticks["old"] is not None:
            check_ticks(f"{what}, old ticks", ticks["old"], document["ticks"]["old_list"])
    if data["threads"] is not None and not is_repeated:
        # A page has those of the new log, which csv does not compare.
        rows = program.csv("csv", "--threads", arguments[-1]) or []
        keys = ("function",)
        check_csv(f"{what}, threads", data, data["threads"], rows, keys)
    if data.get("lines", {}).get("function"):
        rows = program.csv("csv", "--by=line", *arguments)
        rows = [row for row in rows if row["runs"] != ""]
        check_csv(f"{what}, lines", data, data["lines"], rows, ("caller", "line"))
    if data["rows"] is not None and "--diff" not in arguments:
        for by in ("function", "file", "mod"):
            rows = document
            if by != "function":
                rows = json.loads(program.text("-f", "json", f"--by={by}", *arguments))
            check_intervals(what, data, rows, by)
    if data["watched"] is not None and "threads" in document["watch"]:
        check_watched(f"{what}, watched threads", data["watched"]["threads"], document)
    if "watched_threads" in data["tables"]:
        check_watched_changes(
            f"{what}, watched threads",
            data["tables"]["watched_threads"],
            document["watched_threads"],
            document["functions"],
        )
    if data["repeated"] is not None:
        check_sums(f"{what}, repeated", data, document)
        if data["repeated"]["function"]:
            check_repeated(f"{what}, repeated", data, document)
    if not is_repeated or data["repeated"]["function"]:
        check_static(what, page, program.text("-f", "markdown", *arguments))


logs = sorted(glob.glob(fixtures + "/*.log") + glob.glob(fixtures + "/*.log.gz"))
for log in logs:
    check_all(os.path.basename(log), log)
path = lambda name: os.path.join(fixtures, name)
for old, new in (
    ("compared-old.log", "compared-new.log"),
    ("recorded-callbacks.log.gz", "recorded-errors.log.gz"),
    ("recorded-spikes.log.gz", "recorded-midgame.log.gz"),
    ("watched-causes-worse.log.gz", "watched-causes.log.gz"),
    ("watched-alone/old-1.log.gz", "watched-alone/new-1.log.gz"),
):
    check_all(f"{old} and {new}", "--diff", path(old), path(new))
spikes = [path(f"recorded-{name}.log.gz") for name in ("spikes", "midgame", "an-hour-later")]
check_all("repeated", "--repeated", *spikes)
check_all("repeated, compared", "--repeated", *spikes, "--diff", *spikes[1:])
watched = [
    sorted(glob.glob(fixtures + f"/watched-alone/{side}-*.log.gz")) for side in ("new", "old")
]
check_all("watched, repeated", "--repeated", *watched[0])
old = [part for log in watched[1] for part in ("--diff", log)]
check_all("watched, repeated, compared", "--repeated", *old, *watched[0])
causes = [path(f"watched-causes{name}.log.gz") for name in ("", "-worse")]
check_all("watched, with calls", "--repeated", *causes)
# In a page, C functions count for their callers, whatever another format is asked for.
log = path("sampled-slow.log.gz")
with tempfile.TemporaryDirectory() as work:
    outputs = [os.path.join(work, f"x.{suffix}") for suffix in ("html", "csv")]
    program.run(log, "--by=file", "--c-functions=own", *(f"-o{output}" for output in outputs))
    with open(outputs[0]) as page:
        same("beside --c-functions=own", page.read(), program.text("-f", "html", log))
lib.finish("tables of pages compared", 100)
