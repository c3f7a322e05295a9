"""findings.py SUPPROF FIXTURES [FIRST LAST]

Every number in every finding is computed again, from csv and ticks-csv of the same log with the
same options, over all fixtures, and over recordings that are made here from the seeds FIRST to
LAST, with 1 to 2,000 slow ticks. Where call stacks are changed there is no finding, and with
--thread none about slow ticks, which are of all threads. The table, markdown, the page and JSON
begin with the same sentences.
"""
import collections
import glob
import gzip
import html
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
kinds = collections.Counter()
shares = []
FUNCTION_RE = (
    r"(?P<function>.+?)"
    r"( called by ((?P<many>[\d,]+) functions|(?P<for>.+?)(?P<others> and others)?))?"
)


def number(text):
    return float(text.replace(",", ""))


# How sentences write a time.
TIME = r"[\d,.]+ (?:ns|us|ms|s)"


def us_of(text):
    """Of such a time."""
    amount, unit = text.split()
    return number(amount) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def is_said(us, text):
    """Whether a text is that time: with one decimal, of seconds with three, of ns with none."""
    half_us = {"ns": 0.0005, "us": 0.05, "ms": 50, "s": 500}[text.split()[1]]
    return abs(us - us_of(text)) <= half_us + 0.001


def rounded(percent, text):
    """Whether a text of whole percent is a number; a tie in the last decimals of the csv is
    both."""
    return abs(percent - number(text)) <= 0.5 + 1e-3


class Sums:
    """Sums over the functions of a report, without the rows of the recorder."""

    def __init__(self, *arguments):
        self.rows = program.csv("csv", *arguments) or []
        self.self_us = sum(float(row["self_us"]) for row in self.rows)

    def of(self, name):
        """Of functions of that name, or of that place where they have no name."""
        name = re.sub(r" called by .*$", "", name)
        return [
            row
            for row in self.rows
            if lib.plain(row["function"]) == name
            or "? " + lib.plain(row["source"]) + ":" + row["line"] == name
        ]

    def percents(self, name):
        return [
            100 * float(row["self_us"]) / self.self_us for row in self.of(name) if self.self_us > 0
        ]


def check_share(what, found, arguments):
    """Of a C function: its self time by the last frame before it that is not a C function. One of
    them is named if it has a quarter."""
    times, all_us = collections.Counter(), 0
    for row in program.csv("csv", "--by", "stack", *arguments):
        frames = lib.plain(row["stack"]).split(";")
        if frames[-1] != found["function"] + " [C]":
            continue
        callers = [frame for frame in frames if not frame.endswith(" [C]")]
        all_us += float(row["self_us"])
        if callers:
            times[callers[-1]] += float(row["self_us"])
    most_us = max(times.values())
    if found["many"]:
        lib.check(
            sum(us > 0 for us in times.values()) == number(found["many"])
            and most_us <= 0.25 * all_us + 0.02,
            f"{what}: {times} of {all_us} us",
        )
        return
    lib.check(most_us >= 0.25 * all_us - 0.02, f"{what}: {most_us} of {all_us} us")
    # A function without a name has its place there.
    best = [caller for caller in times if times[caller] >= max(times.values()) - 0.01]
    lib.check(
        any(caller == found["for"] or caller.startswith(found["for"] + " ") for caller in best)
        and any(
            abs(times[caller] - 0.95 * all_us) < 0.02
            or (times[caller] < 0.95 * all_us) == bool(found["others"])
            for caller in best
        ),
        f"{what}: {times.most_common(3)} of {all_us} us",
    )


def check_slow_ticks(what, found, arguments, ticks):
    slow = Sums(*arguments, "--ticks-over", "100")
    rest = Sums(*arguments, "--ticks-over", "..100")
    count = sum(us > 100000 for _, _, us in ticks)
    lib.check(
        found["count"] == ("only" if count == 1 else str(count)), f"{what}: {count} slow ticks"
    )
    percents = slow.percents(found["function"])
    lib.check(
        any(rounded(percent, found["percent"]) for percent in percents), f"{what}: {percents}"
    )
    most = max((float(row["self_us"]) for row in slow.rows), default=0)
    lib.check(
        any(float(row["self_us"]) >= most - 0.01 for row in slow.of(found["function"])),
        f"{what}: it is not the most expensive",
    )
    if found["rest"] is not None:
        percents = rest.percents(found["function"]) or [0]
        lib.check(
            any(rounded(percent, found["rest"]) for percent in percents),
            f"{what}: the rest {percents}",
        )


def check_computers_ticks(what, document):
    """The list, the verdict and the finding have one count of the computer's ticks."""
    slow = [tick for tick in document["ticks"]["list"] if tick["over_ns"] > 0]
    count = sum(tick["disturbed"] for tick in slow)
    verdict = " ".join(document["verdict"])
    some = re.search(r", ([\d,]+) of them probably the computer's doing", verdict)
    is_all = ": probably the computer's doing" in verdict
    said = int(number(some[1])) if some else len(slow) if is_all else 0
    lib.check(count == said or len(document["ticks"]["list"]) == 1, f"{what}: {count}: {verdict}")
    is_found = any(finding["kind"] == "computer" for finding in document["findings"])
    lib.check(not is_found or count == len(slow), f"{what}: {count} of {len(slow)}")


def check_is_there(what, document, marked, arguments):
    """Whether a function with much of the time of slow ticks is found, unless its times or these
    ticks are doubtful."""
    slow_ticks = [tick for tick in document["ticks"]["list"] if tick["over_ns"] > 0]
    disturbed_ns = sum(tick["time_ns"] for tick in slow_ticks if tick["disturbed"])
    if disturbed_ns > sum(tick["time_ns"] for tick in slow_ticks) // 10:
        return
    findings = document["findings"]
    slow = Sums(*arguments, "--ticks-over", "100")
    most = max(
        (
            float(row["self_us"])
            for row in slow.rows
            if row["function"] != "(lost)" and row["function"] not in marked
        ),
        default=0,
    )
    rest = Sums(*arguments, "--ticks-over", "..100")
    best = max(slow.rows, key=lambda row: float(row["self_us"]), default=None)
    other_us = sum(
        float(row["self_us"])
        for row in rest.rows
        if best and all(row[key] == best[key] for key in ("function", "source", "line"))
    )
    is_more = most * rest.self_us > 1.11 * other_us * slow.self_us
    lib.check(
        most <= 0.31 * slow.self_us
        or not is_more
        or any(finding["kind"] == "slow-ticks" for finding in findings),
        f"{what}: {most} of {slow.self_us} us of slow ticks are in one function",
    )


def check_computer(what, found, arguments, ticks):
    # The usual times are checked by prices.py.
    lib.check(any(us > 100000 for _, _, us in ticks), what)


def check_what_if(what, found, arguments, ticks):
    # Its numbers are checked by what_if.py.
    slow = sum(us > 100000 for _, _, us in ticks)
    lib.check(found["slow"] is None or int(found["slow"]) <= slow, f"{what}: {slow} slow ticks")


def check_distance(what, found, arguments, ticks):
    distances, before = [], None
    for run, tick, us in ticks:
        if us <= 100000:
            continue
        if before is not None and before[0] == run:
            distances.append(tick - before[1])
        before = (run, tick)
    distance = sorted(distances)[len(distances) // 2]
    lib.check(
        int(found["ticks"]) == distance
        and found["seconds"] == f"{distance / 10:.1f}"
        and 4 * distances.count(distance) >= 3 * len(distances),
        f"{what}: {distances[:20]}",
    )
    slow_us = sum(us for _, _, us in ticks if us > 100000)
    rows = program.csv("csv", "--threads", "--ticks-over", "100", *arguments)
    shares = [
        100 * float(row["total_us"]) / slow_us
        for row in rows
        if lib.plain(row["function"]) in found["thread"]
    ]
    lib.check(any(abs(share - int(found["percent"])) <= 1 for share in shares), f"{what}: {shares}")


def calls_from(arguments, caller, line, function, through=None, column="calls"):
    """By the last frames of the stacks, which have the lines of the calls between them. With the
    last of C functions, which call each other."""
    count = 0
    for row in program.csv("csv", "--by", "stack", "--call-sites", *arguments):
        frames = lib.plain(row["stack"]).split(";")
        if through is not None:
            if len(frames) < 3 or not frames[-2].startswith(through + " [C]"):
                continue
            while len(frames) > 2 and " [C]" in frames[-2]:
                del frames[-2]
        above = frames[-2] if len(frames) > 1 else ""
        is_line = line is None or above.endswith("->" + line)
        if function in frames[-1] and is_line and caller in above:
            count += float(row[column])
    return count


def calls_below(arguments, caller, line, function):
    """Those of stacks in which the caller calls from that line, and the function is the last."""
    count = 0
    for row in program.csv("csv", "--by", "stack", "--call-sites", *arguments):
        *above, last = lib.plain(row["stack"]).split(";")
        end = "" if line is None else "->" + line
        if function in last and any(caller in one and one.endswith(end) for one in above):
            count += int(row["calls"])
    return count


def check_forks(what, found, arguments, ticks):
    """So many threads of the function there were, and most of them were forked there."""
    rows = [
        int(row["threads"])
        for row in program.csv("csv", "--threads", *arguments)
        if row["function"] == found["thread"]
    ]
    forked = int(number(found["count"]))
    lib.check(any(forked <= threads <= 2 * forked for threads in rows), f"{what}: {rows}")


def is_said_of_errors(found, calls, errors):
    """Whether a sentence says how many calls an error ended, if they are a tenth."""
    if found["wakes"] or errors == 0 or errors < calls // 10 or calls == errors == 1:
        return found["errors"] is None
    return found["errors"] == ("all" if errors == calls else f"{errors:,}")


def check_few_calls(what, found, place, made, rows):
    """The calls of one place have most of the time, by more than one long call."""
    us = calls_from(*place, found["through"], column="self_us")
    lib.check(
        made == number(found["few"])
        and found["average"] is not None
        and any(
            rounded(100 * us / float(row["self_us"]), found["time"])
            and us / float(row["self_us"]) > 2 * made / int(row["calls"])
            and us > float(row["max_us"])
            for row in rows
        ),
        f"{what}: {made} calls, {us} us of {rows}",
    )


def check_many_calls(what, found, arguments, ticks):
    sums = Sums(*arguments)
    calls = int(number(found["calls"]))
    rows = [
        row for row in sums.of(found["function"]) if found["wakes"] or int(row["calls"]) == calls
    ]
    lib.check(
        any(
            rounded(100 * float(row["self_us"]) / sums.self_us, found["percent"])
            and (
                is_said(float(row["self_us"]) / calls, found["each"])
                if found["each"]
                else float(row["max_us"]) > 10 * float(row["self_us"]) / calls
            )
            and is_said_of_errors(found, calls, int(row["errors"]))
            and (
                found["total"] is None
                or rounded(100 * float(row["total_us"]) / sums.self_us, found["total"])
            )
            for row in rows
        ),
        f"{what}: {rows}",
    )
    if found["caller"] is None:
        return
    place = (arguments, found["caller"], found["line"], found["function"])
    made = calls_below(*place) if found["below"] else calls_from(*place, found["through"])
    if found["time"]:
        check_few_calls(what, found, place, made, rows)
        return
    said = found["made"] or "100"  # of one call, or of all
    lib.check(
        made == calls if found["all"] else rounded(min(100 * made / calls, 99), said) or calls == 1,
        f"{what}: {made} of {calls} calls",
    )


def check_ended_threads(what, found, arguments, ticks):
    threads = sum(
        int(row["errors"])
        for row in program.csv("csv", "--by", "stack", "--thread", "coroutine", *arguments)
        if lib.plain(row["stack"]).startswith(found["function"])
        and ";" not in lib.plain(row["stack"])
    )
    lib.check(int(number(found["threads"])) == threads, f"{what}: {threads}")


def check_heap(what, found, arguments, ticks):
    sums = Sums(*arguments)
    all_kb = sum(int(row["alloc_kb"]) for row in sums.rows)
    kb = int(number(found["kb"]))
    lib.check(
        kb in [int(row["alloc_kb"]) for row in sums.of(found["function"])]
        and rounded(100 * kb / all_kb, found["percent"]),
        f"{what}: {all_kb} KB in all",
    )


def check_heap_trend(what, found, arguments, ticks):
    with open(arguments[-1], encoding="latin-1") as file:
        sizes = re.findall(r" heap (\d+) (\d+)\n", file.read())
    left = [min(int(used), int(limit) / 2) / 1024 for used, limit in sizes]
    count = min(len(left), 12)
    least = [
        min(left[k] for k in range(len(left)) if k * count // len(left) == i) for i in range(count)
    ]
    # The line of Theil and Sen: the median slope, and the median of what it leaves.
    slope = statistics.median(
        (least[k] - least[i]) / (k - i) for k in range(count) for i in range(k)
    )
    start = statistics.median(size - slope * i for i, size in enumerate(least))
    lib.check(
        rounded(start, found["first"])
        and rounded(start + slope * (count - 1), found["last"])
        and len(left) >= 8,
        f"{what}: {least}, {start}, {slope}",
    )


def check_no_names(what, found, arguments, ticks):
    sums = Sums(*arguments)
    nameless_us = sum(
        float(row["self_us"])
        for row in sums.rows
        if row["function"] == "?" and row["source"] != "[C]"
    )
    lib.check(
        rounded(100 * nameless_us / sums.self_us, found["percent"]), f"{what}: {nameless_us} us"
    )


def check_clock(what, found, arguments, ticks):
    # Its share needs the standard errors of the clock alone, which no report has.
    lib.check(0 < number(found["percent"]) <= 100, what)


TIME_RE = rf"(?P<time>{TIME})( itself)?, (?P<percent>\d+)% of the time"
LINE_RE = r"(?P<caller>.+?)(, called by .+?,)?(, line (?P<line>\d+),)? makes "


def check_loop(what, found, arguments, ticks):
    calls = calls_from(arguments, found["caller"], found["line"], found["function"])
    said = found["calls"] or found["each"]  # of a function that ran once
    lib.check(calls == int(number(said)), f"{what}: {calls} calls")
    if found["time"]:
        place = (arguments, found["caller"], found["line"], found["function"])
        us = calls_from(*place, column="self_us")
        share = 100 * us / Sums(*arguments).self_us
        lib.check(is_said(us, found["time"]), f"{what}: {us} us")
        lib.check(rounded(share, found["percent"]), f"{what}: {share}%")
    each = [calls / max(1, int(row["calls"])) for row in Sums(*arguments).of(found["caller"])]
    if found["by"] == "wakes":
        each = [
            calls / int(row["wakes"])
            for row in program.csv("csv", "--threads", *arguments)
            if lib.plain(row["function"]) in found["caller"]
        ]
    lib.check(any(rounded(one, found["each"].replace(",", "")) for one in each), f"{what}: {each}")


def check_numbers(what, finding):
    """The numbers beside a sentence are those in it, exactly."""
    shown = {number(text) for text in re.findall(r"\d[\d,]*(?:\.\d+)?", finding["text"])}
    for name, value in finding["numbers"].items():
        if name.startswith("is_"):
            continue
        if finding["kind"] in ("two-kinds", "interrupted", "same-arguments", "kept-results"):
            continue
        if finding["kind"] == "candidates":
            value = finding["text"].count("'") / 2 - value
        if name in ("first_heap_kb", "last_heap_kb"):
            value /= 1024
        if name in ("call_ns", "invocations") or (name, finding["kind"]) == ("wakes", "forks"):
            continue
        if name == "errors" and ", all ended by an error" in finding["text"]:
            continue
        if name == "caller_percent" and (
            ": 1 call of " in finding["text"] or " all are made " in finding["text"]
        ):
            continue
        if name == "caller_percent" and "caller_calls" in finding["numbers"]:
            part = finding["numbers"]["caller_calls"] / finding["numbers"]["calls"]
            lib.check(abs(value - 100 * part) < 1e-6, f"{what}: caller_percent {value}, not {part}")
            continue
        if name == "errors" and " ended by an error" not in finding["text"]:
            continue
        if name == "total_percent" and " with what it calls" not in finding["text"]:
            continue
        value /= 1000 if name == "clock_step_ns" else 1
        value /= 1e6 if name in ("most_usual_ns", "tick_ns") else 1
        value = 99 if name == "caller_percent" and 99 < value < 100 else value
        is_shown = any(abs(value - text) <= max(0.5, 0.005 * value) + 1e-3 for text in shown)
        lib.check(
            is_shown or name in ("slow_ticks", "left_without", "computer_ticks") or value <= 0,
            f"{what}: {name} {value} is not in it",
        )


def check_wakes(what, found, arguments, ticks):
    rows = [
        row
        for row in program.csv("csv", "--threads", *arguments)
        if int(row["wakes"]) == number(found["wakes"])
    ]
    all_us = Sums(*arguments).self_us
    time = "polls_us" if found["polls"] else "total_us"
    lib.check(
        any(
            rounded(100 * float(row[time]) / all_us, found["percent"])
            and (not found["polls"] or int(row["polls"]) == number(found["polls"]))
            and int(row["threads"]) >= number(found["threads"])
            for row in rows
        ),
        f"{what}: {rows}",
    )


def check_two_kinds(what, found, arguments, ticks):
    name = found["regular"] or found["function"]
    longest_us = max(float(row["max_us"]) for row in Sums(*arguments).of(name))
    lib.check(1000 * number(found["long"] or found["each"]) <= longest_us + 50, what)
    if found["calls"]:
        calls, long_calls = number(found["calls"]), number(found["count"])
        all_calls = [int(row["calls"]) for row in Sums(*arguments).of(name)]
        lib.check(calls in all_calls and 2 <= long_calls < calls, f"{what}: {all_calls}")


def check_interrupted(what, found, arguments, ticks):
    name = found["one"] or found["all"] or found["worst"]
    longest_us = [float(row["max_us"]) for row in Sums(*arguments).of(name)]
    # A longer call may have a long one inside.
    worst_us = us_of(found["over"] if found["one"] else found["once"])
    lib.check(any(us >= 0.999 * worst_us - 51 for us in longest_us), f"{what}: {longest_us}")
    tick = found["tick"]
    lib.check(tick is None or int(tick) in {number for _, number, _ in ticks}, what)


def check_same_arguments(what, found, arguments, ticks):
    document = json.loads(program.text("-f", "json", *arguments))
    counts = [
        function["arguments"]
        for function in document["functions"]
        if function["name"] == found["function"] and "arguments" in function
    ]
    lib.check(
        any(
            100 <= one["tick_equal"] <= one["tick_repeats"] <= 1.01 * one["tick_equal"]
            and one["tick_other"] == 0 < one["results"]
            and abs(100 * one["tick_repeats"] / one["calls"] - int(found["percent"])) <= 0.5
            and (one["tick_contents"] > 0) == ("equal table" in what)
            for one in counts
        ),
        f"{what}: {counts}",
    )


def check_candidates(what, found, arguments, ticks):
    sums = Sums(*arguments)
    names = re.findall(r"'([^']+)'", found["list"])
    lib.check(1 <= len(names) <= 2, what)
    for name in names:
        lib.check(
            any(
                int(row["calls"]) >= 1000
                and name in (row["function"], f"{row['source']}:{row['line']}")
                for row in sums.rows
            ),
            f"{what}: {name}",
        )


def check_kept_results(what, found, arguments, ticks):
    document = json.loads(program.text("-f", "json", *arguments))
    counts = [
        function["arguments"]
        for function in document["functions"]
        if function["name"] == found["function"] and "arguments" in function
    ]
    lib.check(
        any(
            one["distinct"] == number(found["distinct"])
            and one["calls"] == number(found["calls"])
            and one["equal"] >= 0.99 * one["repeats"]
            and any(
                rounded(100 * one[key] / one["calls"], found["percent"])
                for key in ("repeats", "kept_1", "kept_3", "kept_10", "kept_30", "kept_100")
            )
            for one in counts
        ),
        f"{what}: {counts}",
    )


KINDS = {
    "candidates": (
        r"Do the arguments repeat\? Record with arguments = " r"{(?P<list>'[^']+'(, '[^']+')*)}",
        check_candidates,
    ),
    "same-arguments": (
        r"(?P<function>.+): (?P<percent>\d+)% of its calls repeat the arguments of an earlier call "
        rf"of the same (tick|frame), (always with equal results: {TIME} of {TIME}; keep "
        rf"them, if|and it builds an equal table again: {TIME} of {TIME}; keep the table, if "
        rf"no code changes it and) the function does nothing else",
        check_same_arguments,
    ),
    "kept-results": (
        rf"(?P<function>.+): (at least )?(?P<distinct>[\d,]+) different arguments in "
        rf"(?P<calls>[\d,]+) calls?, equal ones always give equal results(, the last one \d+ "
        rf"ticks? before \(median\))?: kept( for \d+ ticks?)?, they save (?P<percent>\d+)%, {TIME} "
        rf"of {TIME}, if the function does nothing else",
        check_kept_results,
    ),
    "two-kinds": (
        r"((?P<regular>.+) takes (?P<long>[\d.]+) ms( with what it calls)? every \d+ ticks, "
        r"(less than )?[\d.]+ ms in the others|(?P<count>[\d,]+) of (?P<calls>[\d,]+) calls of "
        r"(?P<function>.+) take (?P<each>[\d.]+) ms( with what it calls)?, (every \d+ ticks, )?"
        r"most others (less than )?[\d.]+)"
        r"(: the long ones make more calls)?",
        check_two_kinds,
    ),
    "interrupted": (
        r"(A call of (?P<one>.+)|[\d,]+ calls (in [\d,]+ functions|of (?P<all>.+))) took "
        rf"(?P<over>{TIME}) more than usual"
        rf"( \((worst: (?P<once>{TIME}))?(, (?P<worst>[^#]+?))?((, )?#(?P<tick>\d+))?\))?"
        r": (probably the computer, or a garbage collection|the computer, a garbage collection, or "
        r"own work)",
        check_interrupted,
    ),
    "computer": (
        r"With usual call times, (all \d+ slow ticks would take \d+ ms or less|the only slow tick "
        r"would take \d+ ms): record again",
        check_computer,
    ),
    "slow-ticks": (
        FUNCTION_RE
        + r" itself is (?P<percent>\d+)% of the time of the (?P<count>\d+|only) slow ticks? "
        r"\(over 100 ms\)(, and (?P<rest>\d+)% of all other ticks)?"
        r"(: (?P<slow_calls>[\d.e+]+) calls in a slow tick, (?P<tick_calls>[\d.e+-]+) in another)?",
        check_slow_ticks,
    ),
    "what-if": (
        r"Half the self time of (?P<function>.+?) would leave (no slow tick|(none|\d+) of "
        r"(?P<slow>\d+) slow ticks)"
        r"( that are not the computer's)?(; \d+% of it, none|; without it \d+)?",
        check_what_if,
    ),
    "distance": (
        r"Slow ticks come every (?P<ticks>\d+) ticks \((?P<seconds>[\d.]+) s\)"
        r"(, and so does the collection of garbage)?: (?P<percent>\d+)% of their time is in "
        r"threads of (?P<thread>.+)",
        check_distance,
    ),
    "forks": (
        LINE_RE.replace("makes ", "forks ")
        + r"(?P<count>[\d,]+) threads(, and as many begin with | of )"
        r"(?P<thread>.+?)(( and with .+?)*, which forks? as many in turn"
        r"| that (wait once and end|run once))"
        r": [\d.]+ ms a (tick|frame)",
        check_forks,
    ),
    "many-calls": (
        FUNCTION_RE + r" is (?P<percent>\d+)% of the time"
        r"( itself, (?P<total>\d+)% with what it calls)?: (?P<calls>[\d,]+) "
        rf"(calls?|(?P<wakes>wakes?))(, most of it in a few|( of|,( each)?) (?P<each>{TIME})"
        r"( each)?( itself)?(?P<average> on average)?)"
        r"(, (?P<errors>all|[\d,]+) ended by an error)?"
        r"(; (it calls itself, and )?(((?P<made>\d+)% of them|(?P<all>all)) are |"
        r"(?P<time>\d+)% of its time is in (?P<few>[\d,]+) calls? )?made "
        r"(by|(?P<below>below)) ((?P<through>[^;]+), called by )?(?P<caller>.*?)"
        r"(, line (?P<line>\d+))?)?",
        check_many_calls,
    ),
    "loop": (
        LINE_RE + r"(?P<each>[\d,]+) calls of (?P<function>.+?)"
        r"( each time it (?P<by>runs|wakes)(, on average)?: (?P<calls>[\d,]+) in all)?"
        r"(, " + TIME_RE + r")?",
        check_loop,
    ),
    "wakes": (
        r"(?P<threads>[\d,]+) threads of (?P<function>.+) wake in each (tick|frame): "
        r"(?P<wakes>[\d,]+) wakes, "
        r"(with what they call|the (?P<polls>[\d,]+) with exactly \d+ calls? are) "
        r"(?P<percent>\d+)% of the time",
        check_wakes,
    ),
    "ended-threads": (
        r"(?P<threads>[\d,]+) threads that began in (?P<function>.*?) ended with an error that "
        r"nothing caught((, most often)?: .+)?",
        check_ended_threads,
    ),
    "heap": (
        FUNCTION_RE
        + r" makes (?P<percent>\d+)% of the growth of the memory in use \((?P<kb>[\d,]+) KB\)",
        check_heap,
    ),
    "heap-trend": (
        r"The heap grows: after collections of garbage \(\d+\), it was (?P<first>\d+) MB at first, "
        r"(?P<last>\d+) MB at the end",
        check_heap_trend,
    ),
    "no-names": (
        r"(?P<percent>\d+)% of the time is in Lua functions without a name.*",
        check_no_names,
    ),
    "clock": (
        r"(?P<percent>\d+)% of the time is in functions too short for the clock.*",
        check_clock,
    ),
}


def marked_places(text, places):
    """Tables show the function without a name of a place as "? lua/a.lua:12"."""
    return re.sub(
        r"(?<![^\s(])(\S+\.lua:\d+)(?![\d:])",
        lambda found: "? " + found[1] if found[1] in places else found[1],
        text,
    )


def squeezed(text):
    return re.sub(r"[\s\\]+", "", html.unescape(text))


def check_same_sentences(what, document, arguments):
    """The first sentences and the findings stand in all formats, in the same order."""
    # The verdict says that the computer was slow, and a list names what has no name.
    found = [
        finding["text"]
        for finding in document["findings"]
        if finding["kind"] not in ("computer", "no-names")
    ]
    sentences = document["headline"] + found[:2]
    verdict = document["verdict"]
    lib.check(
        [line for line in document["headline"] if line in verdict] == verdict,
        f"{what}: the headline has not the verdict: {verdict}",
    )
    for name in ("top", "md", "html"):
        text = program.text("-f", name, *arguments)
        if text is None and not sentences:
            continue
        text = squeezed(re.sub(r" +add --.*", "", text.partition('id="data"')[0]))
        at = 0
        for sentence in sentences:
            # A narrow text, as markdown is, leaves out the calls of the log.
            sentence = re.sub(r", [\d,]+ calls? of [\d,]+ functions?$", "", sentence)
            found = text.find(squeezed(sentence), at)
            lib.check(found >= 0, f"{what}: {name} does not have, or not in this order: {sentence}")
            at = max(found, at)


def check(log, *options):
    what = os.path.basename(log) + " " + " ".join(options)
    text = program.text("-f", "json", *options, log)
    if text is None:
        return
    document = json.loads(text)
    findings = document["findings"]
    marked = [
        row["name"] for row in document["functions"] if row["mark"] in ("ended-frames", "long-call")
    ]
    lib.check(
        all(
            finding["function"] is None
            or finding["kind"] == "interrupted"
            or document["functions"][finding["function"]]["name"] not in marked
            for finding in findings
        ),
        f"{what}: a finding about a marked function",
    )
    arguments = [*options, log]
    ticks = [
        (row["run"], int(row["tick"]), float(row["time_us"]))
        for row in program.csv("ticks-csv", *arguments) or []
    ]
    places = {
        function["label"].removeprefix("? ")
        for function in document["functions"]
        if function["name"] == "?"
    }
    for finding in findings:
        pattern, check_kind = KINDS[finding["kind"]]
        check_numbers(f"{what}: {finding['text']}", finding)
        found = re.fullmatch(pattern, marked_places(finding["text"], places))
        kinds[finding["kind"]] += 1
        # Of a call it is not known whether garbage was collected: that is never the only reason.
        lib.check(
            finding["kind"] == "heap-trend"
            or not re.search("collect", finding["text"])
            or re.search("the computer, (or )?a garbage|and so does the", finding["text"]),
            f"{what}: {finding['text']}",
        )
        lib.check(found, f"{what}: not the known sentence: {finding['text']}")
        if found and (found.groupdict().get("for") or found.groupdict().get("many")):
            shares.append(found["for"])
            check_share(f"{what}: {finding['text']}", found, arguments)
        if found:
            check_kind(f"{what}: {finding['text']}", found.groupdict(), arguments, ticks)
    is_part = "--thread" in options
    has_ticks = len(ticks) > 1 and document["ticks"] is not None  # a watch has them elsewhere
    if has_ticks and not options:
        check_computers_ticks(what, document)
    if has_ticks and not is_part and not any(option in CHANGES for option in options):
        check_is_there(what, document, marked, arguments)
    lib.check(
        not is_part
        or all(finding["kind"] not in ("slow-ticks", "what-if") for finding in findings),
        f"{what}: a finding about ticks, which are of all threads",
    )
    lib.check(
        not findings or not any(option in CHANGES for option in options), f"{what}: {findings}"
    )
    check_same_sentences(what, document, arguments)


# Options that change call stacks: there is no finding then.
CHANGES = ("--fold-recursion", "--hide=(?i)a", "--focus=(?i)e", "--max-depth=3", "--min-pct=5")


def check_with_options(log):
    check(log)
    ticks = program.csv("ticks-csv", log)
    if not ticks:
        return
    middle = ticks[len(ticks) // 2]["tick"]
    check(log, "--from", "#" + middle)
    check(log, "--to", "#" + middle)
    check(log, "--ticks-over", "100")
    check(log, "--thread", "main")
    check(log, "--thread", "coroutine")
    check(log, "--overhead", "0.4,0.3")
    for option in CHANGES:
        check(log, option)


# Recordings -------------------------------------------------------------------------------------


def letters(number):
    """Bijective base 26 with one capital letter, as sites stand among events."""
    text = ""
    number += 1
    while number > 0:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text.capitalize()


class Recording:
    """Random calls of random functions in ticks of which some are slow."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.now_us, self.count = [], 60000000, self.random.randint(3, 20)
        self.put(
            "begin version=3 state=sim clock=x at=60 step=9.5e-07 unit=1e-06 tick=100 "
            "time=10.0 marks=yes "
            "memory=no calibration=0 calibrator=999 lua_call=? c_call=? next_call=?"
        )
        self.often = self.random.randint(1, self.count)
        self.put("thread 0 main")
        self.put("source 1 @lua/a.lua")
        self.put("source 2 =[C]")
        for function in range(1, self.count + 1):
            is_lua = function == 1 or self.random.random() < 0.7
            name = (
                self.random.choice(["?", "?", f"F{function}", f"F{function}"])
                if is_lua
                else f"c{function}"
            )
            self.put(
                f"function {function} {1 if is_lua else 2} {10 * function if is_lua else -1} {name}"
            )
            self.put(f"site {2 * function - 2} {function},-2")
            self.put(f"site {2 * function - 1} {function},{15 + function}")
        self.hot = self.random.choice([None, None, 2 * self.random.randint(1, self.count) - 1])

    def put(self, text):
        self.lines.append(f"info: prof: $3 s1 {len(self.lines) + 1} {text}\n")

    def call(self, site, units, depth):
        """A call, with calls below it, that takes about so many units."""
        events = letters(site) + (
            str(self.random.randint(1, 9)) if self.random.random() < 0.8 else ""
        )
        while depth > 0 and self.random.random() < 0.6:
            inner = 2 * self.random.randint(1, self.count) - 1
            events += self.call(inner, units * self.random.random() ** 3, depth - 1)
        own = 1 + int(units * self.random.random())
        # In some recordings, one function has most of what the first ones would have.
        if depth == 4 and self.hot is not None:
            caller = 2 * self.random.randint(1, self.count) - 1
            return f"{events}{letters(caller)}{letters(self.hot)}.{own}.{own // 9}.1"
        return f"{events}.{own}"

    def tick(self, number, units, more_units=0):
        """A slow tick has one call more than others: the computer is not slow."""
        events = f"#{number}" + "".join(
            self.call(0, units, 4) for _ in range(self.random.randint(1, 4))
        )
        if more_units > 0:
            site = (
                2 * self.random.choice([self.often, self.often, self.random.randint(1, self.count)])
                - 1
            )
            events += f"A{letters(site)}.{int(more_units * self.random.uniform(0.9, 1.1))}.1"
        self.put(f"events 0 {self.now_us / 1e6:.6f} 0 {events}")
        self.now_us += (
            sum(int(digits) for digits in re.findall(r"\d+", events.split("#", 1)[1])) - number
        )

    def write(self, path):
        slow_count = int(2000 ** self.random.random())
        usual_us = self.random.choice([100, 5000, 60000])
        distance = self.random.choice([1, 2, 7, self.random.randint(1, 40)])
        number = 100
        # Time before the first tick is in no tick.
        before_us = self.random.choice([0, 1000, 300000])
        self.put(f"events 0 {self.now_us / 1e6:.6f} 0 A{letters(2 * self.often - 1)}.{before_us}.1")
        self.now_us += before_us + 1
        for _ in range(slow_count):
            for _ in range(
                self.random.choice([distance, distance, distance, 3]) - 1 if slow_count < 500 else 1
            ):
                self.tick(number, self.random.random() * usual_us)
                number += 1
            # Many are near the limit, so that the cost of recording decides.
            self.tick(
                number,
                self.random.random() * usual_us,
                self.random.choice([98000, 102000, 150000, 800000]),
            )
            number += 1
        self.put(
            f"end lines={len(self.lines) + 1} events=0 functions=0 sites=0 threads=1 "
            f"at={self.now_us / 1e6} lost=0 "
            f"tick={number}"
        )
        with open(path, "w") as file:
            file.writelines(self.lines)


class EndedThreads(Recording):
    """Twelve threads that begin in one function and do not return from it: another thread runs, so
    an error has ended them."""

    def write(self, path):
        for thread in range(1, 13):
            self.put(f"thread {thread} coroutine")
            self.put(f"events 0 {self.now_us / 1e6:.6f} 0 #{100 + thread}A2.1@{thread}A3B4@0A1.1")
            self.now_us += 12
        with open(path, "w") as file:
            file.writelines(self.lines)


def check_comparison(old, new):
    text = program.text("-f", "json", "--diff", old, new)
    findings = json.loads(text)["findings"]
    lib.check(not findings, f"--diff {old} {new}: {findings}")


def check_moved(folder):
    """What became of the findings of a function without a name that stands at another line now, and
    of a mod with another version in its name: all are still there."""
    log = gzip.open(os.path.join(fixtures, "recorded-spikes.log.gz"), "rt").read()
    # The old log defines a function more, so that the others have other numbers in it.
    begin, rest = re.fullmatch(r"(.*?s1 1 begin [^\n]*\n)(.*)", log, re.S).groups()
    rest = re.sub(
        r"(?m)^(info: prof: \$2 s1 )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 2}", rest
    )
    rest = re.sub(r"end lines=(\d+)", lambda found: f"end lines={int(found[1]) + 2}", rest)
    more = "info: prof: $2 s1 2 source 900 @x.lua\ninfo: prof: $2 s1 3 function 900 900 5 First\n"
    logs = begin + more + rest, log
    sides = {
        "line": (" 77 BuildThreatMap", " 77 ?", " 80 ?"),
        "version": ("@tests/spikes.lua", "@/mods/a v1/lua/a.lua", "@/mods/a v2/lua/a.lua"),
    }
    for what, (text, *others) in sides.items():
        paths = [os.path.join(folder, f"{what}-{i}.log") for i in range(2)]
        for path, side, other in zip(paths, logs, others):
            with open(path, "w") as file:
                file.write(side.replace(text, other))
        document = json.loads(program.text("-f", "json", "--diff", *paths))
        fates = [judged["fate"] for judged in document["judged_findings"]]
        lib.check(len(fates) > 3 and set(fates) == {"still-there"}, f"moved {what}: {fates}")


def check_watches():
    """Of a watch alone, and of one of its ticks, all formats have the same verdict, too."""
    for name, *options in (
        ("watched-alone/grows.log.gz",),
        ("watched-causes.log.gz", "--run", "1"),
        ("watched-causes.log.gz", "--tick", "1000"),
    ):
        arguments = [*options, os.path.join(fixtures, name)]
        document = json.loads(program.text("-f", "json", *arguments))
        lib.check(
            document["verdict"] and document["verdict"][0].startswith("Watched: "),
            f"{name} {options}: the verdict is {document['verdict']}",
        )
        check_same_sentences(name, document, arguments)


def main():
    first, last = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 4 else (1, 12)
    for log in sorted(glob.glob(os.path.join(fixtures, "*.log*"))):
        if not lib.is_sampled(log):
            check_with_options(log)
    check_watches()
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "ended-threads.log")
        EndedThreads(1).write(path)
        check(path)
        check_moved(directory)
        before = None
        for seed in range(first, last + 1):
            path = os.path.join(directory, f"seed-{seed}.log")
            Recording(seed).write(path)
            check_with_options(path)
            if before is not None:
                check_comparison(before, path)
                os.unlink(before)
            before = path
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    lib.check(kinds["slow-ticks"] >= 15, "too few slow ticks were found")
    lib.check(kinds["ended-threads"] > 0, "no threads that errors ended were found")
    lib.check(len(shares) >= 3, f"only {len(shares)} C functions were found")
    lib.finish("numbers and sentences", 300)


main()
