"""json_tables.py SUPPROF FIXTURES

The format json against the tables that other formats have of the same log, for all fixtures:
every value of every row against csv by each --by, with and without --diff, against ticks-csv and
against the csv of --repeated; and callers, callees and lines against the sums of csv. The keys of
all rows of a document come in the same order. tests/consumers has the schema.
"""
import functools
import glob
import json
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib
from lib import check, plain

supprof, fixtures = sys.argv[1:]
program = lib.Program(supprof)


@functools.lru_cache(8)
def read_json(*arguments):
    text = program.text("-f", "json", *arguments)
    return None if text is None else json.loads(text)


def as_csv(name, value):
    """A value as csv writes it in the column of this name."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if name.endswith("_percent"):
        return "%.2f" % value
    if name.endswith("_us"):
        return "%s%d.%03d" % ("-" if value < 0 else "", abs(value) // 1000, abs(value) % 1000)
    return str(value)


def key_of(document, by, row):
    if by in ("file", "mod", "stack"):
        return (row[by],)
    if by == "function" and "label" in row:
        return row["name"], row["source"], str(row["line"])
    if row["function"] is None:
        name, source, line = "(engine)", "", 0
    else:
        function = document["functions"][row["function"]]
        name, source, line = function["name"], function["source"], function["line"]
    if by == "line":
        return name, source, str(row["line"]), str(line)
    return (name, source, str(line)) + ((row["thread"],) if by == "thread" else ())


COLUMNS = [
    "calls",
    "errors",
    "self_us",
    "total_us",
    "min_us",
    "mean_us",
    "max_us",
    "alloc_kb",
    "noise_us",
    "main",
    "coroutine",
    "avg_us",
    "self_error_percent",
    "total_error_percent",
]
WORDS = "calls,errors,self,total,min,mean,max,heap,noise"
KEYS = {"function": 3, "file": 1, "mod": 1, "line": 4, "stack": 1, "thread": 4}


def ns(name):
    return name[:-2] + "ns" if name.endswith("_us") else name


def check_rows(what, document, by, found, wanted, is_compared):
    check(len(found) == len(wanted), f"{what}: {len(found)} rows, not {len(wanted)}")
    for row, line in zip(found, wanted):
        cells = list(line.values())
        check(
            key_of(document, by, row) == tuple(plain(cell) for cell in cells[: KEYS[by]]),
            lambda: f"{what}: {row}: {cells}",
        )
        for name in COLUMNS:
            for prefix, values in (
                (("new_", row), ("old_", row.get("old"))) if is_compared else (("", row),)
            ):
                if prefix + name in line:
                    check(
                        as_csv(name, values[ns(name)]) == line[prefix + name],
                        lambda: f"{what}: {prefix}{name}: {values[ns(name)]}, not "
                        f"{line[prefix + name]}: {row}",
                    )
        if is_compared:
            check(
                as_csv("", row["within_noise"]) == line["within_noise"],
                lambda: f"{what}: within_noise: {row}",
            )
    check(
        by == "function" or len({tuple(row) for row in found}) <= 1,
        f"{what}: keys in another order",
    )


def check_tables(arguments):
    is_compared = "--diff" in arguments
    for by in KEYS:
        document = read_json("--by", by, *arguments)
        wanted = program.csv("csv", "--by", by, *arguments)
        if document is None or wanted is None:
            # A log with only benchmarks is nothing for csv.
            check(
                wanted is None and (document is None or not document["functions"]),
                f"{arguments} by {by}: no output",
            )
            continue
        rows = document["rows"] if by != "function" else document["functions"][: len(wanted)]
        if by in ("function", "thread"):
            check_errors(f"{' '.join(arguments)} by {by}", document)
        check_rows(f"{' '.join(arguments)} by {by}", document, by, rows, wanted, is_compared)
    document = read_json(*arguments)
    if document is not None:
        check_edges(" ".join(arguments), document, arguments)


def check_errors(what, document):
    """What calls nothing has one error for both of its times, and so has each thread."""
    rows = [row for row in document["functions"] if not row["callees"]]
    for row in rows + (document["rows"] if document["by"] == "thread" else []):
        check(
            row.get("self_error_percent") == row.get("total_error_percent")
            or row["self_ns"] != row["total_ns"],
            lambda: f"{what}: errors of {row}",
        )


def check_same_error(what, one, other):
    """All stacks with one have the other, too."""
    check(
        one.get("total_error_percent") == other.get("total_error_percent")
        or one["total_ns"] != other["total_ns"],
        lambda: f"{what}: errors of {one} and {other}",
    )


def check_edges(what, document, arguments):
    """Calls of edges add up; and so do those of lines to the rows of --by=line."""
    functions = document["functions"]
    lines = {}
    for number, function in enumerate(functions):
        for edge in function["callers"]:
            check(
                sum(line["calls"] for line in edge["lines"]) == edge["calls"],
                lambda: f"{what}: lines of {edge}",
            )
            for line in edge["lines"]:
                key = edge["function"], line["line"]
                lines[key] = lines.get(key, 0) + line["calls"]
            if len(edge["lines"]) == 1:
                check_same_error(what, edge, edge["lines"][0])
        if len(function["callers"]) == 1:
            check_same_error(what, function, function["callers"][0])
        check(
            sum(edge["calls"] for edge in function["callers"]) == function["calls"],
            lambda: f"{what}: callers of {function}",
        )
        for edge in function["callees"]:
            other = [
                back
                for back in functions[edge["function"]]["callers"]
                if back["function"] == number
            ]
            check(
                len(other) == 1 and dict(other[0], function=0) == dict(edge, function=0),
                lambda: f"{what}: {edge} of {function}",
            )
    by_line = read_json("--by", "line", *arguments)["rows"]
    found = {(row["function"], row["line"]): row["calls"] for row in by_line}
    # Lines that call nothing have rows because they ran.
    only_ran = {
        (row["function"], row["line"]) for row in by_line if row.get("line_self_ns") is not None
    } - set(lines)
    check(not any(found.pop(key) for key in only_ran), f"{what}: calls of lines that call nothing")
    check(
        {key: calls for key, calls in found.items()} == lines,
        f"{what}: lines of callers, and rows by line",
    )


def check_ticks(what, arguments):
    document = read_json(*arguments)
    wanted = program.csv("ticks-csv", *arguments)
    if document is None or wanted is None:
        return
    ticks = document["ticks"]
    found = ticks["list"] if ticks is not None else []
    check(len(found) == len(wanted), f"{what}: {len(found)} ticks, not {len(wanted)}")
    for tick, line in zip(found, wanted):
        for name in ("run", "tick", "time_us", "measured_us", "calls", "over_us", "collection"):
            check(
                as_csv(name, tick[ns(name)]) == line[name], lambda: f"{what}: tick {tick}: {line}"
            )
        check("%.1f" % tick["game_seconds"] == line["game_seconds"], f"{what}: tick {tick}: {line}")
    times = sorted(tick["time_ns"] for tick in found)
    if ticks is None:
        return
    statistics = ticks["statistics"]
    check(
        statistics["total_ns"] == sum(times) and statistics["count"] == len(times),
        f"{what}: {statistics}",
    )
    check(
        statistics["over_ns"] == sum(max(0, time - 10**8) for time in times),
        f"{what}: {statistics}",
    )
    for percent, name in (
        (50, "median_ns"),
        (95, "percentile_95_ns"),
        (99, "percentile_99_ns"),
        (100, "longest_ns"),
    ):
        if times:
            check(statistics[name] == times[-(-len(times) * percent // 100) - 1], f"{what}: {name}")


def check_compared_ticks(*arguments):
    """Each tick of either side, against the lists of json, and the sums over ticks of both."""
    ticks = read_json(*arguments)["ticks"]
    lines = program.csv("ticks-csv", *arguments)
    same = []
    for key, prefix in (("list", "new_"), ("old_list", "old_")):
        found = sorted(
            (tick["tick"], tick["run"], tick["time_ns"], tick["calls"], tick["measured_ns"])
            for tick in ticks[key]
        )
        wanted = sorted(
            (
                int(line["tick"]),
                int(line[prefix + "run"]),
                round(1000 * float(line[prefix + "time_us"])),
                int(line[prefix + "calls"]),
                round(1000 * float(line[prefix + "measured_us"])),
            )
            for line in lines
            if line[prefix + "run"]
        )
        check(found == wanted, f"{arguments}: ticks of {key}")
    for line in lines:
        has_both = line["old_run"] and line["new_run"]
        check((line["diff_time_us"] != "") == bool(has_both), f"{arguments}: {line}")
        if has_both:
            same.append(
                [
                    round(1000 * float(line[name]))
                    for name in ("new_time_us", "old_time_us", "diff_time_us")
                ]
            )
    check(all(now - old == change for now, old, change in same), f"{arguments}: differences")
    both = ticks["in_both"]
    check(
        [both["count"], both["total_ns"], both["old_total_ns"]]
        == [len(same), sum(now for now, _, _ in same), sum(old for _, old, _ in same)],
        f"{arguments}: {both}",
    )
    check(both["longer_count"] == sum(change > 0 for _, _, change in same), f"{arguments}: {both}")


def check_repeated(*arguments):
    for by in ("function", "stack"):
        document = read_json("--repeated", "--by", by, *arguments)
        wanted = program.csv("csv", "--repeated", "--by", by, *arguments)
        rows = document["repeated"]["rows"]
        is_compared = "--diff" in arguments
        check(len(rows) == len(wanted), f"{arguments}: rows")
        for row, line in zip(rows, wanted):
            check(
                key_of(document, by, row)
                == tuple(plain(cell) for cell in list(line.values())[: KEYS[by]]),
                f"{arguments}: {row}",
            )
            for kind in ("self", "total", "calls", "avg"):
                unit = "" if kind == "calls" else "_us"
                pairs = [(("new_" if is_compared else "") + kind, row[kind]["new"])]
                if is_compared:
                    pairs.append(("old_" + kind, row[kind]["old"]))
                for name, values in pairs:
                    for part, suffix in (
                        ("median", ""),
                        ("spread", "_spread"),
                        ("min", "_min"),
                        ("max", "_max"),
                    ):
                        check(
                            float(as_csv(unit, values[part])) == float(line[name + suffix + unit]),
                            f"{arguments}: {name} {part}: {row}: {line}",
                        )
                if is_compared:
                    change = row[kind]["change"]
                    for part, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
                        cell = line[f"diff_{kind}{suffix}{unit}"]
                        is_same = (
                            cell == ""
                            if change[part] is None
                            else float(as_csv(unit, change[part])) == float(cell)
                        )
                        check(is_same, f"{arguments}: {kind} {part}")
                    check("%.6g" % change["p"] == line[kind + "_p"], f"{arguments}: {kind} p")
                    check(
                        str(int(change["told_apart"])) == line[kind + "_told_apart"],
                        f"{arguments}: {kind}",
                    )


def values_of_watch(log):
    """What a game alone says: its totals, and what threads took in a tick, by place."""
    document = read_json(log)
    watch, functions = document["watch"], document["functions"]
    lengths = sorted(float(row["time_us"]) * 1000 for row in program.csv("csv", "--ticks", log))
    ticks, threads = watch["ticks"], watch["threads"]
    totals = {
        "ticks": ticks,
        "slow_ticks": watch["slow_ticks"],
        "threads_tick": sum(thread["total_ns"] for thread in threads) / ticks,
        "tick_longest": lengths[-1],
    }
    for key, percent in (("tick_median", 50), ("tick_95", 95), ("tick_99", 99)):
        totals[key] = lengths[-(-percent * len(lengths) // 100) - 1]
    return totals, {
        functions[thread["function"]]["label"]: thread["total_ns"] / ticks
        for thread in threads
        if thread["function"] is not None
    }


def check_sides(what, found, now, old):
    """The medians and spreads of the values of logs; of the change, what it is of the same ones."""
    sides = {"new": now, "old": old} if old else {"new": now}
    check(set(found) == {*sides, *(["change"] if old else [])}, f"{what}: {found}")
    for side, values in sides.items():
        median = statistics.median(values)
        wanted = (
            median,
            statistics.median(abs(value - median) for value in values),
            min(values),
            max(values),
        )
        check(
            all(
                abs(found[side][part] - value) <= 1
                for part, value in zip(("median", "spread", "min", "max"), wanted)
            ),
            f"{what}: {side} {found[side]}, not {wanted}",
        )
    if old:
        shift = statistics.median(one - other for one in now for other in old)
        check(abs(found["change"]["estimate"] - shift) <= 1, f"{what}: {shift}, {found}")


def check_watched_games(new_logs, old_logs):
    arguments = [part for log in old_logs for part in ("--diff", log)] + new_logs
    document = read_json("--repeated", *arguments)
    watch = document["repeated"]["watch"]
    new, old = ([values_of_watch(log) for log in logs] for logs in (new_logs, old_logs))
    for key, total in watch["totals"].items():
        check_sides(key, total, *([one[0][key] for one in side] for side in (new, old)))
    rows = {
        document["functions"][row["function"]]["label"]: row["tick"] for row in watch["threads"]
    }
    check(set(rows) == {label for one in new + old for label in one[1]}, f"watched: {set(rows)}")
    for label, tick in rows.items():
        check_sides(label, tick, *([one[1].get(label, 0) for one in side] for side in (new, old)))


def check_limits(log, *expressions):
    """The same limits are broken as standard error says."""
    arguments = [part for expression in expressions for part in ("--fail-if", expression)]
    done = subprocess.run(
        [supprof, "-q", "-f", "json", *arguments, log], capture_output=True, text=True
    )
    limits = json.loads(done.stdout)["limits"]
    said = [line.removeprefix("supprof: ") for line in done.stderr.splitlines()]
    check([limit["limit"] for limit in limits] == list(expressions), f"{log}: limits {limits}")
    check(
        [limit["message"] for limit in limits if limit["broken"]] == said,
        f"{log}: {said}, not {limits}",
    )
    check(
        (done.returncode == 4) == any(limit["broken"] for limit in limits),
        f"{log}: status {done.returncode}",
    )


def check_watched(old, new):
    """Threads of two watched games, in the order of csv."""
    document = read_json("--diff", old, new)
    rows = program.csv("csv", "--threads", "--diff", old, new)
    check(len(rows) == len(document["watched_threads"]), f"{new}: {len(rows)} watched threads")
    for row, wanted in zip(document["watched_threads"], rows):
        function = document["functions"][row["function"]] if row["function"] is not None else {}
        check(function.get("name", "(others)") == wanted["function"], f"{new}: {wanted}")
        for name in ("tick_us", "runs", "longest_us", "slow_ticks"):
            for side, cells in (("new_", row), ("old_", row["old"])):
                found = as_csv(name, cells[ns(name)])
                check(found == wanted[side + name], f"{new}: {side}{name} {found}, not {wanted}")


logs = sorted(
    glob.glob(fixtures + "/*.log")
    + glob.glob(fixtures + "/*.log.gz")
    + glob.glob(fixtures + "/rebuild/*.log")
)
for log in logs:
    check_tables([log])
    if not lib.is_sampled(log):
        check_ticks(os.path.basename(log), [log])
midgame, lua51 = fixtures + "/recorded-midgame.log.gz", fixtures + "/recorded-lua51-midgame.log.gz"
for arguments in (
    ["--diff", fixtures + "/compared-old.log", fixtures + "/compared-new.log"],
    ["--diff", lua51, midgame],
    ["--diff", midgame, midgame],
    ["--normalize", "call", "--diff", lua51, midgame],
    ["--diff", fixtures + "/hostile-names.log", fixtures + "/recursion.log"],
):
    check_tables(arguments)
for arguments in (
    ["--from", "#45", "--to", "#47", midgame],
    ["--focus", "sort", midgame],
    ["--thread", "main", midgame],
    ["--ticks-over", "100", fixtures + "/recorded-spikes.log.gz"],
    ["--sort", "calls", midgame, lua51],
):
    check_tables(arguments)
    check_ticks(" ".join(arguments), arguments)
spikes = fixtures + "/recorded-spikes.log.gz"
check_compared_ticks("--diff", lua51, midgame)
check_compared_ticks("--diff", midgame, spikes)
check_compared_ticks("--diff", spikes, midgame, spikes)
check_compared_ticks("--ticks-over", "100", "--diff-rest", spikes)
old, new = sorted(glob.glob(fixtures + "/repeated/old-*.log")), sorted(
    glob.glob(fixtures + "/repeated/new-*.log")
)
check_repeated(*old)
check_repeated("--diff", fixtures + "/repeated/old-*.log", *new)
check_repeated("--diff", lua51, midgame)
check_watched(fixtures + "/watched-alone/old-1.log.gz", fixtures + "/watched-alone/new-1.log.gz")
check_watched(fixtures + "/watched-causes-worse.log.gz", fixtures + "/watched-causes.log.gz")
old, new = (
    sorted(glob.glob(fixtures + f"/watched-alone/{side}-*.log.gz")) for side in ("old", "new")
)
check_watched_games(old, [])
check_watched_games(new, old)
check_watched_games([new[0], old[0]], [new[1]])
check(read_json("--repeated", midgame, lua51)["repeated"]["watch"] is None, "no watch")
check_limits(
    fixtures + "/recursion.log", "self(^B)>1us", "calls>4", "total(C)>1ms/call", "calls>100"
)
lib.finish("comparisons", 800000)
