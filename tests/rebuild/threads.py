"""threads.py SUPPROF FIXTURES [FIRST LAST]

Every number of --threads against the wakes and lives that rebuild.pl finds in the events, which
shares no code with supprof: for all fixtures, and for recordings that are made here from the seeds
FIRST to LAST, whole, in windows, and with each kind of cost. The formats have the same numbers, the
note about forks has those of other reports, the note about wakes that are alike says what was
counted, and options that cannot go with --threads are refused with a sentence that says why.
"""
import collections
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
rebuild = os.path.join(os.path.dirname(__file__), "rebuild.pl")
NAMES = [
    "threads",
    "wakes",
    "wake_us",
    "wake_99_us",
    "polls",
    "polls_us",
    "ended",
    "died",
    "once",
    "life_ticks",
]


def read_log(path):
    data = open(path, "rb").read()
    return gzip.decompress(data) if path.endswith(".gz") else data


class Root:
    def __init__(self):
        self.wakes, self.lives = [], []


def find_roots(data):
    """By the key of the root."""
    roots = collections.defaultdict(Root)
    done = subprocess.run(["perl", rebuild, "--by", "thread"], input=data, capture_output=True)
    for line in done.stdout.decode("latin-1").splitlines():
        cells = line.split("\t")
        if cells[0] == "wake":
            roots[cells[1]].wakes.append((int(cells[2]), int(cells[3])))
        else:
            roots[cells[1]].lives.append(
                (int(cells[2]) if cells[2] else None, cells[3], int(cells[4]))
            )
    return roots


def key_of(row):
    source, line = lib.plain(row["source"]), row["line"]
    name = row["function"]
    if source == "[C]":
        return f"{name} [C]"
    if name.startswith("("):
        return name
    first, newline, _ = source.partition("\n")
    return source + ":" + line, f'[string "{first}{"..." if newline else ""}"]:{line}'.replace(
        ";", ":"
    )


def rank(values, percent):
    values = sorted(values)
    return values[max(0, (len(values) * percent + 99) // 100 - 1)]


def expect(root):
    """The cells of a row, from the wakes of its root."""
    wakes = root.wakes
    times = [ns for _, ns in wakes]
    short = collections.Counter(calls for calls, _ in wakes if calls <= 12)
    usual = min(short, key=lambda calls: (-short[calls], calls)) if short else 0
    polls = [ns for calls, ns in wakes if calls == usual]
    has_polls = len(wakes) >= 200 and 2 * len(polls) >= len(wakes)
    lives = [ticks for ticks, how, _ in root.lives if ticks is not None]
    return {
        "threads": len(root.lives),
        "wakes": len(wakes),
        "wake_us": rank(times, 50),
        "wake_99_us": rank(times, 99),
        "polls": len(polls) if has_polls else None,
        "polls_us": sum(polls) if has_polls else None,
        "poll_calls": usual if has_polls else None,
        "ended": sum(how != "open" for _, how, _ in root.lives),
        "died": sum(how == "failed" for _, how, _ in root.lives),
        "once": sum(
            how != "open" and ticks is not None and count == 1 for ticks, how, count in root.lives
        ),
        "life_ticks": rank(lives, 50) if lives else None,
    }


def check_rows(what, rows, roots, unit_ns):
    """
    The wakes of a tick share what their roots have in it, and each is read to a unit. With `None`,
    the cost of recording was subtracted: then no time exceeds that of all wakes.
    """
    found = {}
    for row in rows:
        key = key_of(row)
        found[key if isinstance(key, str) else next((k for k in key if k in roots), key[0])] = row
    lib.check(set(found) == set(roots), f"{what}: roots {sorted(set(found) ^ set(roots))[:5]}")
    for key in set(found) & set(roots):
        for name in NAMES:
            value = expect(roots[key])[name]
            cell = found[key][name]
            if value is None or cell == "":
                lib.check(
                    value is None and cell == "", f"{what}: {key}: {name} {cell}, not {value}"
                )
            elif name.endswith("_us") and unit_ns is None:
                all_us = float(found[key]["total_us"])
                lib.check(0 <= float(cell) <= all_us, f"{what}: {key}: {name} {cell} of {all_us}")
            elif name.endswith("_us"):
                near = 2 * unit_ns + 2 + 1e-7 * value
                near *= len(roots[key].wakes) if name == "polls_us" else 1
                lib.check(
                    abs(lib.nanoseconds(cell) - value) <= near,
                    f"{what}: {key}: {name} {cell}, not {value} ns",
                )
            else:
                lib.check(int(cell) == value, f"{what}: {key}: {name} {cell}, not {value}")


def check_formats(what, rows, document, *arguments):
    """json and markdown have the numbers of csv."""
    lib.check(
        document["by"] == "thread" and len(document["rows"]) == len(rows), f"{what}: rows of json"
    )
    for found, row in zip(document["rows"], rows):
        for name in NAMES:
            value = found["threads"][name[:-2] + "ns" if name.endswith("_us") else name]
            cell = row[name]
            same = (
                value is None
                if cell == ""
                else value == (lib.nanoseconds(cell) if name.endswith("_us") else int(cell))
            )
            lib.check(same, f"{what}: json {name} {value}, not {cell}")
    shown = program.text("-f", "markdown", "--threads", *arguments)
    cells = [f"{int(row['threads']):,} | {int(row['wakes']):,} |" for row in rows[:15]]
    # There the recorder's own thread is not among them.
    lib.check(sum(text not in shown for text in cells) <= 1, f"{what}: markdown lacks {cells}")


FORKS_RE = (
    r"Note: ([\d,]+) of ([\d,]+) threads? ended in the first wake; ([\d,]+) calls? of ForkThread "
    r"took ([\d.,]+ [mun]?s), [\d.]+% of the time; "
    r"([\d,]+) threads? (?:was|were) forked by (.*?)(?:, line (\d+))?$"
)


def check_forks(what, roots, document):
    """The note about forks: threads by the events, calls and their lines by the functions of
    json."""
    forks = [
        function
        for function in document["functions"]
        if function["name"].split(".")[-1] == "ForkThread"
    ]
    games = [function for function in forks if function["kind"] == "c"]
    lines = [
        (line["calls"], document["functions"][caller["function"]], line["line"])
        for fork in forks
        for caller in fork["callers"]
        if caller["function"] is not None
        for line in caller["lines"]
        if document["functions"][caller["function"]] not in forks
    ]
    lives = [life for root in roots.values() for life in root.lives]
    once = sum(how != "open" and ticks is not None and count == 1 for ticks, how, count in lives)
    found = [match for match in (re.match(FORKS_RE, note) for note in document["notes"]) if match]
    lib.check(
        len(found) == (once > 0 and games != [] and lines != []),
        f"{what}: notes {document['notes']}",
    )
    if not found:
        return 0
    values = [int(text.replace(",", "")) for text in found[0].group(1, 2, 3, 5)]
    most = max(calls for calls, _, _ in lines)
    lib.check(
        values == [once, len(lives), games[0]["calls"], most],
        f"{what}: {found[0].group()}, not {once}, {len(lives)}, {most}",
    )
    amount, unit = found[0].group(4).replace(",", "").split()
    step_ns = {"ns": 1, "us": 1e2, "ms": 1e5, "s": 1e6}[unit]
    unit_ns = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]
    lib.check(
        abs(float(amount) * unit_ns - sum(fork["self_ns"] for fork in forks)) <= step_ns / 2 + 1,
        f"{what}: {found[0].group()}: {[fork['self_ns'] for fork in forks]} ns",
    )
    lib.check(
        any(
            calls == most
            and line == int(found[0].group(7) or 0)
            and found[0]
            .group(6)
            .endswith(caller["name"] if caller["name"] != "?" else str(caller["line"]))
            for calls, caller, line in lines
        ),
        f"{what}: {found[0].group()}: {lines[:9]}",
    )
    return 1


POLLS_RE = r"Note: (.*) makes (no call|exactly ([\d,]+) calls?) in ([\d,]+) of its ([\d,]+) wakes$"


def check_polls(what, roots, document):
    """The note about wakes that are alike says what was counted, of the function with the most: of
    those that have others, too."""
    values = [value for value in map(expect, roots.values()) if value["polls"]]
    expected = [value for value in values if value["polls"] < value["wakes"]]
    notes = [note for note in document["notes"] if "wakes" in note and " makes " in note]
    found = [match for match in (re.match(POLLS_RE, note) for note in notes) if match]
    lib.check(len(found) == len(notes) == (expected != []), f"{what}: notes {document['notes']}")
    lib.check("nothing to do" not in str(document), f"{what}: a note knows what wakes did")
    if not found:
        return 0
    name, most = found[0].group(1), max(value["polls"] for value in expected)
    values = [int((text or "0").replace(",", "")) for text in found[0].group(4, 5, 3)]
    functions = [
        document["functions"][row["function"]]
        for row in document["rows"]
        if row["threads"]["polls"] == most
    ]
    lib.check(
        any(
            values == [most, value["wakes"], value["poll_calls"]]
            for value in expected
            if value["polls"] == most
        ),
        f"{what}: {found[0].group()}, not {expected}",
    )
    lib.check(
        any(
            name.endswith(function["name"] if function["name"] != "?" else str(function["line"]))
            for function in functions
        ),
        f"{what}: {found[0].group()}, not one of {functions}",
    )
    return 1


def check_log(what, path, data):
    roots = find_roots(data)
    arguments = ["--paths", "full", path]
    off = ["--overhead", "off", *arguments]
    rows = program.csv("csv", "--threads", *off)
    if rows is None:
        lib.check(not roots, f"{what}: --threads shows nothing of {len(roots)} roots")
        return
    if "threads" not in rows[0]:
        # Of a game with only a watch, these are what its threads took, and no calls have roots.
        lib.check(b" mode=watch " in data, f"{what}: no column of threads")
        return
    unit_ns = 1e9 * max(float(unit) for unit in re.findall(rb" unit=([-+.e\d]+)", data))
    check_rows(what, rows, roots, unit_ns)
    global fork_notes, poll_notes
    document = json.loads(program.text("-f", "json", "--threads", *off))
    fork_notes += check_forks(what, roots, document)
    poll_notes += check_polls(what, roots, document)
    check_formats(what, rows, document, *off)
    if data.count(b" begin version") != 1:
        return
    for cost in [[], ["--overhead", "0.2,0.3"]]:
        rows = program.csv("csv", "--threads", *cost, *arguments)
        check_rows(f"{what} {cost}", rows, roots, None)


class Recording:
    """Threads of four roots that wake at distances of their own, poll, die of errors, and end. With
    odd seeds those of the first make two calls in each wake, which is not worth a note."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.put(
            "begin version=3 state=sim clock=x at=0 step=1e-06 unit=1e-06 tick=0 time=0 "
            "marks=yes memory=no "
            "calibration=0 calibrator=99 lua_call=? c_call=? next_call=?"
        )
        for text in (
            "thread 0 main",
            "source 1 @lua/a.lua",
            "source 2 =[C]",
            "function 9 2 -1 WaitTicks",
            "function 8 1 80 Work",
            "site 8 8,3",
            "site 9 9,4",
        ):
            self.put(text)
        for root in range(4):
            self.put(f"function {root + 1} 1 {10 * root + 1} Root{root}")
            self.put(f"site {root} {root + 1},-2")
        self.is_steady = seed % 2 == 1
        self.gaps = [self.random.choice([1, 2, 5, 10]) for _ in range(4)]
        self.work = [self.random.choice([1, 3, 40]) for _ in range(4)]
        self.thread_count, self.asleep, self.is_killed = 0, {}, set()
        self.text = ""
        for tick in range(self.random.choice([30, 150])):
            self.text += f"#{tick}"
            for root in range(4):
                if self.random.random() < (0.3 if len(self.asleep) < 60 else 0.02):
                    self.begin(root, tick)
            for thread, (root, wakes) in list(self.asleep.items()):
                if wakes == tick:
                    self.wake(thread, root, tick)
            self.put(f"events 0 {tick / 10} 0 {self.text or '.'}")
            self.text = ""
        self.put(
            f"end lines={len(self.lines) + 1} events=0 functions=0 sites=0 threads=1 at=9 "
            "lost=0 tick=0"
        )

    def put(self, text):
        self.lines.append(f"info: prof: $3 s1 {len(self.lines) + 1} {text}\n")

    def begin(self, root, tick):
        self.thread_count += 1
        self.put(f"thread {self.thread_count} coroutine")
        self.text += f"@{self.thread_count}{'ABCD'[root]}{self.random.randint(0, 9)}"
        self.go_on(self.thread_count, root, tick)

    def wake(self, thread, root, tick):
        self.text += f"@{thread}.{self.random.randint(0, 99)}!"
        if self.is_steady and root == 0:
            self.text += "I1.2"
        self.go_on(thread, root, tick)

    def go_on(self, thread, root, tick):
        if self.is_steady and root == 0:
            self.text += "J3"
            self.asleep[thread] = (root, tick + 1)
            return
        if self.random.random() < 0.4:
            for _ in range(self.random.randint(0, self.work[root])):
                self.text += f"I{self.random.randint(0, 9)}.{self.random.randint(1, 400)}"
        self.asleep.pop(thread, None)
        chance = self.random.random()
        if chance < 0.03:
            self.text += f"I{self.random.randint(1, 9)}@0"  # an error ends it there
        elif chance < 0.1:
            self.text += f".{self.random.randint(0, 9)}"
        elif chance < 0.12:
            self.text += f"J{self.random.randint(0, 9)}"  # nobody resumes it: it was killed
        else:
            self.text += f"J{self.random.randint(0, 9)}"
            self.asleep[thread] = (root, tick + self.gaps[root])


def check_window(what, path, recording):
    """The wakes of windows add up, and those of ticks that are chosen by their time."""

    def wakes(*arguments):
        return sum(
            int(row["wakes"]) for row in program.csv("csv", "--threads", *arguments, path) or []
        )

    whole, border = wakes(), f"#{recording.random.randint(1, 29)}"
    lib.check(
        wakes("--to", border) + wakes("--from", border) == whole, f"{what}: windows at {border}"
    )
    lib.check(
        wakes("--ticks-over", "1") + wakes("--ticks-over", "..1") == whole, f"{what}: chosen ticks"
    )


def check_both_threads():
    """A root of both kinds of threads in one recording, and only of coroutines in the other."""
    lines = []
    for name, events in (
        ("s1", "#1A5I1.7.2@1A1J4@0#2A3.2@1.5!.2"),
        ("s2", "#1@1A1I2.3J4#2@1.5!.2"),
    ):
        texts = [
            "begin version=3 state=sim clock=x at=0 step=1e-06 unit=1e-06 tick=0 time=0 marks=yes "
            "memory=no calibration=0 calibrator=99 lua_call=? c_call=? next_call=?",
            "thread 0 main",
            "source 1 @lua/a.lua",
            "source 2 =[C]",
            "function 9 2 -1 WaitTicks",
            "function 8 1 80 Work",
            "function 1 1 10 Root",
            "site 0 1,-2",
            "site 8 8,3",
            "site 9 9,4",
            "thread 1 coroutine",
            f"events 0 0 0 {events}",
            "end lines=13 events=0 functions=0 sites=0 threads=2 at=9 lost=0 tick=2",
        ]
        lines += [f"info: prof: $3 {name} {i + 1} {text}\n" for i, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.log")
        with open(path, "w") as log:
            log.writelines(lines)
        rows = program.csv("csv", "--threads", path)
    found = [(row["function"], row["wakes"]) for row in rows]
    lib.check(found == [("Root", "4")], f"roots of both kinds of threads: {found}")


def check_refusals():
    log = os.path.join(fixtures, "recorded-midgame.log.gz")
    for wanted, arguments in {
        "leave out --by": ["--threads", "--by", "mod"],
        "--thread=main": ["--threads", "--thread", "main"],
        "leave out the filter": ["--threads", "--focus", "x"],
        "add --threads": ["--sort", "wakes"],
        "--threads lists the threads": ["--thread", "sim"],
        "--thread=coroutine": ["--threads=all"],
        "no effect on": ["--threads", "-f", "folded"],
        "--follow": ["--threads", "--follow"],
    }.items():
        done = subprocess.run([sys.argv[1], *arguments, log], capture_output=True, text=True)
        lib.check(done.returncode == 2 and wanted in done.stderr, f"{arguments}: {done.stderr}")
    # Whether a log is of a watched game is known when it has been read.
    done = subprocess.run(
        [sys.argv[1], "--threads", "--diff", log, log], capture_output=True, text=True
    )
    wanted = "--threads compares watched games"
    lib.check(done.returncode == 3 and wanted in done.stderr, f"--diff: {done.stderr}")


fork_notes = poll_notes = 0
for path in sorted(glob.glob(os.path.join(fixtures, "**", "*.log*"), recursive=True)):
    # Without its beginning a log does not say which threads are coroutines, without lines that are
    # lost which threads woke; of ticks that were chosen by chance, sums are estimates.
    is_lost = os.path.basename(path) == "wrapped.log"
    if b" begin version" in read_log(path) and not is_lost and not lib.is_sampled(path):
        check_log(os.path.relpath(path, fixtures), path, read_log(path))
first, last = (int(argument) for argument in sys.argv[3:5]) if len(sys.argv) > 4 else (1, 10)
for seed in range(first, last + 1):
    recording = Recording(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.log")
        with open(path, "w") as log:
            log.writelines(recording.lines)
        check_log(f"seed {seed}", path, read_log(path))
        check_window(f"seed {seed}", path, recording)
check_both_threads()
check_refusals()
lib.check(fork_notes > 1, f"{fork_notes} notes about forks")
lib.check(poll_notes > 1, f"{poll_notes} notes about wakes that are alike")
lib.finish("numbers of threads", least=1000)
