"""planted.py SUPPROF [FIRST COUNT]

Recordings in which something was planted, and their twins without it: each finding is found with
its numbers, and not in the twin. One recording is clean, and so are COUNT games in which much
changes, but nothing for good: they have no finding.
"""
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program = lib.Program(sys.argv[1])


C_FUNCTIONS = ("next", "WaitTicks", "ForkThread", "pcall", "mod")


class Recording:
    """Calls are (function, line, self time in us, calls below); a root has line -2. An error ends
    that of a function whose name ends with "!"."""

    def __init__(self):
        self.lines, self.sites, self.functions, self.now_us, self.tick = [], {}, {}, 0, 0
        self.threads = set()
        self.put(
            "begin version=3 state=sim clock=x at=0 step=9.5e-07 unit=1e-06 tick=0 time=0.0 "
            "marks=no memory=no "
            "calibration=0 calibrator=99 lua_call=? c_call=? next_call=?"
        )
        self.put("thread 0 main")
        self.put("source 1 @lua/a.lua")
        self.put("source 2 =[C]")

    def put(self, text):
        self.lines.append(f"info: prof: $3 s1 {len(self.lines) + 1} {text}\n")

    def site(self, name, line):
        if name not in self.functions:
            self.functions[name] = len(self.functions) + 1
            place = "2 -1" if name in C_FUNCTIONS else f"1 {10 * self.functions[name]}"
            self.put(f"function {self.functions[name]} {place} {name}")
        if (name, line) not in self.sites:
            self.sites[name, line] = len(self.sites)
            self.put(f"site {self.sites[name, line]} {self.functions[name]},{line}")
        number, text = self.sites[name, line] + 1, ""
        while number > 0:
            number, digit = divmod(number - 1, 26)
            text = chr(ord("a") + digit) + text
        return text.capitalize()

    def call(self, name, line, us, *below):
        has_failed = name.endswith("!")
        events = self.site(name.rstrip("!"), line)
        events += "".join(self.call(*inner) for inner in below)
        self.now_us += us
        return f"{events}/1:{us}" if has_failed else f"{events}.{us}"

    def wake(self, thread, name, us, *calls):
        """A thread that began with a function wakes, works, and waits again."""
        if thread not in self.threads:
            self.put(f"thread {thread} coroutine")
        events = "." if thread in self.threads else self.site(name, -2)
        events += "".join(self.call(*call) for call in calls)
        self.threads.add(thread)
        self.now_us += us
        return f"@{thread}{events}{self.site('WaitTicks', 9)}{us}"

    def fork(self, thread, name, us, begins):
        """A thread begins, or comes from its wait; forks another one, and ends."""
        if begins:
            self.put(f"thread {thread} coroutine")
        events = self.site(name, -2) if begins else "."
        self.now_us += us
        return f"@{thread}{events}{self.site('ForkThread', 8)}.{us}."

    def run(self, thread, name, us):
        """A thread begins, and ends without a wait."""
        self.put(f"thread {thread} coroutine")
        self.now_us += us
        return f"@{thread}{self.site(name, -2)}.{us}"

    def add(self, *roots, wakes=(), forks=(), runs=()):
        """A tick. Wakes are (thread, function, self time in us, calls), runs and forks are the
        first three, and of forks whether the thread begins."""
        start_us = self.now_us
        events = f"#{self.tick}" + "".join(self.wake(*wake) for wake in wakes)
        events += "".join(self.fork(*fork) for fork in forks)
        events += "".join(self.run(*run) for run in runs)
        events += "@0" if wakes or forks or runs else ""
        events += "".join(self.call(root[0], -2, *root[1:]) for root in roots)
        self.put(f"events 0 {start_us / 1e6:.6f} 0 {events}")
        self.tick += 1

    def save(self, path):
        self.put(
            f"end lines={len(self.lines) + 1} events=0 functions=0 sites=0 threads=1 "
            f"at={self.now_us / 1e6} lost=0 "
            f"tick={self.tick}"
        )
        with open(path, "w") as file:
            file.writelines(self.lines)

    def report(self, directory):
        path = os.path.join(directory, "planted.log")
        self.save(path)
        return json.loads(program.text("-f", "json", "--overhead=off", path))

    def findings(self, directory):
        return self.report(directory)["findings"]


def steady(number):
    """What every tick has: twelve functions of about equal time, of which each does something else
    each time."""
    chance = random.Random(number)
    return [
        (
            f"Steady{i}",
            500 + chance.randint(0, 99),
            *[(f"Part{i}", 100 + k, 40) for k in range(2 + (number + i) % 4)],
        )
        for i in range(12)
    ]


def clean(planted):
    recording = Recording()
    for tick in range(200):
        recording.add(*steady(tick))
    return recording


def stationary(number):
    """A game in which what a function calls, and how long that takes, wanders about a mean; some
    ticks are busy, and some calls take longer."""
    chance = random.Random(number)
    recording = Recording()
    roots = [
        (chance.uniform(2, 8), chance.uniform(100, 900)) for _ in range(chance.randint(12, 24))
    ]
    moods, heap = [0.0] * len(roots), 0.0
    for _ in range(chance.randint(150, 500)):
        busy = 1 + (chance.random() < 0.1)
        if chance.random() < 0.1:
            heap = 0.8 * heap + chance.gauss(0, 0.05)
            mb = 200 * 2**heap
            recording.put(f"heap {1024 * mb * chance.uniform(1, 1.5):.0f} {2048 * mb:.0f}")
        moods = [0.8 * mood + chance.gauss(0, 0.2) for mood in moods]
        recording.add(
            *[
                (
                    f"Root{i}",
                    round(us * chance.lognormvariate(0, 0.2)),
                    *[
                        (f"Part{i}", 100 + k, round(40 * chance.lognormvariate(0, 0.3)))
                        for k in range(min(9, round(busy * calls * 2 ** moods[i])))
                    ],
                )
                for i, (calls, us) in enumerate(roots)
            ]
        )
    return recording


def more_calls(planted):
    """In ten ticks, Busy is called more often; in the twin, the computer is slow then."""
    recording = Recording()
    for tick in range(200):
        is_slow = tick % 20 == 7
        factor = 20 if is_slow and not planted else 1
        count = 200 if is_slow and planted else 2
        recording.add(
            *[(name, us * factor, *below) for name, us, *below in steady(tick)],
            *[("Busy", 1000 * factor)] * count,
        )
    return recording


def growing_list(planted):
    recording = Recording()
    for tick in range(192):
        count = 24 + (tick // 2 if planted else tick % 7)
        recording.add(*steady(tick), ("Find", 30, *[("IsSame", 55, 20)] * count))
    return recording


def growing_heap(planted):
    """A collection every tenth tick, which left less than is in use when it is written down."""
    recording = Recording()
    for tick in range(200):
        if tick % 10 == 0:
            mb = 100 + (tick // 2 if planted else tick % 40)
            recording.put(f"heap {1024 * (mb + tick % 3 * 30)} {2048 * mb}")
        recording.add(*steady(tick))
    return recording


def more_threads(planted):
    """Threads that never end become more, in ticks that others make as long as before; in the twin,
    they are as many."""
    recording = Recording()
    for tick in range(192):
        wakes = [(1 + i, "Watch", 60) for i in range(20 + tick // 4 if planted else 40)]
        recording.add(*steady(tick), ("Rest", 6400 - 60 * len(wakes)), wakes=wakes)
    return recording


def loop(planted):
    recording = Recording()
    for tick in range(200):
        recording.add(
            *steady(tick),
            ("Update", 30 + tick % 3, *[("Step", 66, 100)] * (20 + tick % 2 if planted else 5)),
        )
    return recording


def uneven_loop(planted, few=8, every=25):
    """A loop that is much longer in each 25th tick; in the twin, in each tick."""
    recording = Recording()
    for tick in range(200):
        count = few if planted and tick % every != every // 8 else 200
        recording.add(*steady(tick), ("Fill", 30, *[("Add", 66, 100)] * count))
    return recording


def searches(planted):
    """A loop that ends where it finds something: at another turn in each run, as many in the mean
    of a stretch. The twin never finds it."""
    recording = Recording()
    seed = 1
    for tick in range(200):
        runs = []
        for _ in range(80):
            seed = seed * 16807 % 2147483647
            count = 1 + seed % 24 if planted else 24
            runs.append(("Find", 5, *[("IsNamed", 66, 5)] * count))
        recording.add(*steady(tick), *runs)
    return recording


def short_turns(planted):
    """A loop of calls that are shorter than its turns; the twin does other work, too."""
    recording = Recording()
    for tick in range(200):
        own_us = 1600 if planted else 6000
        recording.add(*steady(tick), ("AllDead", own_us, *[("IsDead", 44, 8)] * 100))
    return recording


def own_of_c(planted):
    """A function of which a third is in the C functions that it calls, beside one that takes more
    itself; in the twin, it does not call them."""
    recording = Recording()
    for tick in range(200):
        below = [("next", 33, 20)] if planted else []
        recording.add(*steady(tick), *[("Think", 15)] * 200, *[("Gather", 20, *below)] * 100)
    return recording


def expensive(planted):
    """A function that is most of the time, by few calls."""
    recording = Recording()
    for tick in range(200):
        recording.add(
            *steady(tick),
            ("Update", 30, *[("Build", 77, 20000 + tick if planted else 1500)] * (tick % 2)),
        )
    return recording


def few_slow(planted):
    """A function whose few calls by one caller take most of its time; in the twin, they take what
    all take."""
    recording = Recording()
    for tick in range(200):
        unit = ("Unit", 30, *[("Work", 44, 20)] * 9)
        scan = ("Scan", 30, *[("Work", 55, 1900 if planted else 20)] * 2)
        recording.add(*steady(tick), unit, scan)
    return recording


def turns(planted):
    """A function takes most; in the twin, what a loop over a table calls at each turn."""
    recording = Recording()
    for tick in range(200):
        recording.add(*steady(tick), ("Scan", 30, *[("Step" if planted else "next", 44, 300)] * 9))
    return recording


def failing(planted):
    """Calls that pcall() makes, all of which an error ends; in the twin, they cost little."""
    recording = Recording()
    for tick in range(200):
        read = ("pcall", 44, 10, ("Read!", -1, 200 if planted else 20))
        recording.add(*steady(tick), *[("Check", 30, *[read] * (4 + i)) for i in range(4)])
    return recording


def spread(planted):
    """A C function that twelve functions call; in the twin, it costs little."""
    recording = Recording()
    us = 20 if planted else 2
    for tick in range(200):
        recording.add(
            *[(*root, *[("mod", 9, us)] * (5 + 5 * (i % 3))) for i, root in enumerate(steady(tick))]
        )
    return recording


def rare_work(planted, ticks=(11, 50, 77, 120, 190), rare_us=30000):
    """A function that is long in some ticks, by a loop without calls; in the twin, as many calls of
    functions that chance takes are."""
    recording = Recording()
    for tick in range(200):
        is_rare = tick in ticks
        choose = [("Choose", 44, rare_us if is_rare and planted else 2)] + [("Choose", 44, 2)] * 14
        hit = ticks.index(tick) if is_rare and not planted else None
        others = [(f"Other{i % 7}", rare_us if i == hit else 50) for i in range(14)]
        recording.add(("Decide", 30, *choose, *[("Luck", 45, 1)] * 12), *others)
    return recording


def eight_loops(planted):
    """Eight loops of a function that takes most; in the twin, one of them makes most calls."""
    recording = Recording()
    for tick in range(200):
        counts = [12] * 8 if planted else [54] + [6] * 7
        loops = [(f"Loop{i}", 30, *[("Work", 66, 150)] * count) for i, count in enumerate(counts)]
        recording.add(*steady(tick), *loops)
    return recording


def polling(planted):
    """Threads that wake in each tick; in the twin, in each sixth, for six times as long."""
    recording = Recording()
    for tick in range(200):
        wakes = [
            (1 + i, "Poll", 40 if planted else 240)
            for i in range(60)
            if planted or (tick + i) % 6 == 0
        ]
        recording.add(*steady(tick), wakes=wakes)
    return recording


def rare_misses(planted):
    """Threads that wake in each tick, and seldom work; in the twin, that is nearly all of their
    time, so that fewer wakes save nothing."""
    recording = Recording()
    for tick in range(200):
        wakes = [
            (1 + i, "Poll", 40 if planted else 2, *[("Fill", 88, 4000)] * ((tick + i) % 60 == 0))
            for i in range(60)
        ]
        recording.add(*steady(tick), wakes=wakes)
    return recording


def hits(planted, callers=0):
    """Each hit forks a thread that runs once; in the twin, it calls the function. So do others."""
    recording = Recording()
    for tick in range(200):
        below = ("ForkThread", 8, 10) if planted else ("Record", 8, 18)
        runs = [(1 + 60 * tick + i, "Record", 18) for i in range(60 if planted else 0)]
        others = [(f"Log{i}", 20, *[("Record", 40, 60)] * 9) for i in range(callers)]
        recording.add(*steady(tick), *[("OnHit", 20, below)] * 60, *others, runs=runs)
    return recording


def waves(planted, polled=0):
    """A thread makes a map in each twentieth tick; in the twin, at no distance. Or it calls the
    function less often for it, and another thread in each tick."""
    recording = Recording()
    for tick in range(200):
        is_slow = tick % 20 == 10 if planted else tick * tick % 23 == 2
        sums = [("Sum", 66, 12000)] * 9 if polled else [("Sum", 66, 150)] * 900
        wakes = [(1, "Plan", 20, *([("MakeMap", 30, 300, *sums)] if is_slow else []))]
        wakes += [(2, "Poll", 20, ("Look", 31, 50, *[("Sum", 77, 200)] * polled))] * (polled > 0)
        recording.add(*steady(tick), wakes=wakes)
    return recording


def ring(planted):
    """Threads of two functions fork each other, one of which waits for a tick first; in the twin,
    threads go on."""
    recording, thread, waiting = Recording(), 0, []
    for tick in range(200):
        wakes = [(1 + i, "Plan", 36) for i in range(0 if planted else 40)]
        forks = []
        for _ in range(40 if planted else 0):
            forks += [(waiting.pop(0), "Delay", 18, False)] if len(waiting) >= 40 else []
            forks.append((thread + 1, "Assign", 18, True))
            wakes.append((thread + 2, "Delay", 1))
            waiting.append(thread + 2)
            thread += 2
        recording.add(*steady(tick), wakes=wakes, forks=forks)
    return recording


def ring_of_three(planted):
    """Threads of three functions wait for a tick, and fork the next one's; in the twin, they go
    on."""
    names = ("Search", "Approach", "Attack")
    recording, thread, waiting = Recording(), 0, []
    for tick in range(200):
        forks = [(*one, 36, False) for one in waiting] if planted else []
        begins = [names[i % 3] for i in range(42)] if planted or tick == 0 else []
        waiting = [(thread + 1 + i, name) for i, name in enumerate(begins)] or waiting
        thread += len(begins)
        wakes = [(number, name, 1 if planted else 36) for number, name in waiting]
        recording.add(*steady(tick), wakes=wakes, forks=forks)
    return recording


def one_place(planted):
    """What is much of the time stands in one place, before what is more in many threads; in the
    twin, in many threads, too, and after it."""
    recording = Recording()
    for tick in range(200):
        wakes = [(1 + i, "Poll", 100) for i in range(60)]
        wakes += [] if planted else [(61 + i, "Build", 450) for i in range(12)]
        recording.add(*steady(tick), *[("Build", 4200)] * planted, wakes=wakes)
    return recording


def slower(factor, only=None, more_calls=0):
    """The steady ticks, in which all functions or `only` one take `factor` times as long."""

    def slow(name, us):
        return round(us * (factor if only in (None, name) else 1))

    recording = Recording()
    for tick in range(200):
        recording.add(
            *[
                (
                    root,
                    slow(root, us),
                    *[(name, line, slow(name, us_below)) for name, line, us_below in below],
                    *[("More", 9, 1)] * more_calls,
                )
                for root, us, *below in steady(tick)
            ]
        )
    return recording


def check_hint(directory):
    """A function without a name is shown by its place, also in a folder whose name has a dash."""
    recording, path = expensive(True), os.path.join(directory, "hint.log")
    recording.lines = [
        line.replace("@lua/a.lua", "@mods/m-1/a.lua").replace(" Build\n", " ?\n")
        for line in recording.lines
    ]
    recording.save(path)
    text = program.text("--overhead=off", path)
    found = re.search(r"\[\d\] (mods/m-1/a\.lua:\d+) is .* add --peek (\S+)", text)
    lib.check(found and found[1] == found[2], f"no hint: {text}")


def check_comparisons(directory):
    """Only a change of nearly all functions, each called as often, may be the computer's."""
    old, new = [os.path.join(directory, name) for name in ("old.log", "new.log")]
    slower(1).save(old)
    for recording, is_said in (
        (slower(2), True),
        (slower(0.5), True),
        (slower(1), False),
        (slower(1.05), False),
        (slower(50, "Steady3"), False),
        (slower(2, None, 9), True),
    ):
        recording.save(new)
        text = program.text("--overhead=off", "--diff", old, new)
        said = (
            "Same calls in 24 of 2" in text
            and " functions, 100% of the time: if the code is the same, the computer" in text
        )
        lib.check(said == is_said, f"{is_said}: {text[:400]}")
        judged = json.loads(program.text("-f", "json", "--overhead=off", "--diff", old, new))
        lib.check(not is_said or not judged["judged_findings"], f"{is_said}: {judged}")
    calls = Recording()
    for tick in range(200):
        calls.add(*steady(tick), *steady(tick))
    calls.save(new)
    lib.check(
        "Same calls" not in program.text("--overhead=off", "--diff", old, new), "twice the calls"
    )


def check_promise(directory):
    """What a repair was to bring is said of a change, not of what a coarse clock may have made."""
    paths = [os.path.join(directory, name) for name in ("old.log", "new.log")]
    for unit_us, is_said in ((1, True), (1000, False)):
        for path, ms in zip(paths, (3, 2)):
            recording = Recording()
            recording.lines[0] = recording.lines[0].replace("unit=1e-06", f"unit={unit_us}e-06")
            for _ in range(15):
                recording.add(("Update", 0, ("Build", 77, 1000 // unit_us * ms)))
            recording.save(path)
        text = program.text("--overhead=off", "--diff", *paths)
        found = re.search(r"Still there \(2\.0, old 3\.0 ms a tick(.*?)\): Build is", text)
        lib.check(found and ("without it" in found[1]) == is_said, f"{is_said}: {text}")
    for path, count in zip(paths, (100, 30)):
        recording = Recording()
        for _ in range(20):
            recording.add(("Rest", 5000), *[("Get", 100, ("Read", 44, 100))] * count)
        recording.save(path)
    text = program.text("--overhead=off", "--diff", *paths)
    lib.check("99% of ticks: 5.0 ms without it, 11.0 now): Get is" in text, f"not called: {text}")


# The texts end where times begin.
PLANTED = [
    (
        "slow-ticks",
        more_calls,
        "Busy itself is 96% of the time of the 10 slow ticks (over 100 ms), and 19% of all other "
        "ticks: 200 calls in a slow tick, 2.0 in another",
        {"slow_ticks": 10, "slow_calls": 200, "other_calls": 2},
    ),
    (
        "trend",
        growing_list,
        "Ticks get longer: 8.8 ms at first, 10.6 ms at the end. Find, line 55, makes 28, "
        "then 116 calls of IsSame each time it runs",
        {"line": 55, "first_calls": 27.5, "last_calls": 115.5},
    ),
    (
        "trend",
        more_threads,
        "23 threads of Watch at first, 67 at the end; none has ended",
        {"first_threads": 23, "last_threads": 67, "threads": 67, "ended_threads": 0},
    ),
    (
        "heap-trend",
        growing_heap,
        "The heap grows: after collections of garbage (20), it was 102 MB at first, 193 MB at the "
        "end",
        {"first_heap_kb": 104107, "last_heap_kb": 197973, "collections": 20},
    ),
    (
        "loop",
        loop,
        "Update, line 66, makes 21 calls of Step each time it runs: 4,100 in all, 410.0 ms",
        {"line": 66, "calls": 4100, "invocations": 200},
    ),
    (
        "loop",
        short_turns,
        "AllDead, line 44, makes 100 calls of IsDead each time it runs: 20,000 in all, 160.0 ms",
        {"line": 44, "calls": 20000, "invocations": 200},
    ),
    (
        "many-calls",
        expensive,
        "Build is 55% of the time: 100 calls of 20.1 ms each; all are made by Update, " "line 77",
        {"calls": 100, "caller_percent": 100, "caller_line": 77},
    ),
    (
        "many-calls",
        few_slow,
        "Work is 32% of the time: 2,200 calls, 361.8 us each on average; 95% of its time is in 400 "
        "calls made by Scan, line 55",
        {"calls": 2200, "caller_percent": 18.1818181818, "caller_time_percent": 95.4773869347},
    ),
    (
        "many-calls",
        turns,
        "Step is 25% of the time: 1,800 calls of 300.0 us each; all are made by Scan, " "line 44",
        {"calls": 1800, "caller_percent": 100, "caller_line": 44},
    ),
    (
        "many-calls",
        failing,
        "Read is 34% of the time: 4,400 calls of 200.0 us each, all ended by an error; all are "
        "made by pcall, called by Check, line 44",
        {"calls": 4400, "errors": 4400, "caller_line": 44},
    ),
    (
        "many-calls",
        spread,
        "mod called by 12 functions is 22% of the time: 24,000 calls of 20.0 us each",
        {"calls": 24000},
    ),
    (
        "many-calls",
        eight_loops,
        "Work is 63% of the time: 19,200 calls of 150.0 us each",
        {"calls": 19200},
    ),
    (
        "two-kinds",
        rare_work,
        "5 of 3,000 calls of Choose take 30.0 ms, most others less",
        {"long_calls": 5, "calls": 3000},
    ),
    (
        "forks",
        ring,
        "Assign, line 8, forks 8,000 threads, and as many begin with Delay, which forks as many in "
        "turn: 1.5 ms a tick",
        {"line": 8, "threads": 8000, "is_ring": 1},
    ),
    (
        "forks",
        ring_of_three,
        "Approach, line 8, forks 2,786 threads, and as many begin with Search and with Attack, "
        "which fork as many in turn: 1.5 ms a tick",
        {"line": 8, "threads": 2786, "is_ring": 1},
    ),
    (
        "wakes",
        polling,
        "60 threads of Poll wake in each tick: 12,000 wakes, with what they call 22% of the time",
        {"threads": 60, "wakes": 12000},
    ),
    (
        "wakes",
        rare_misses,
        "60 threads of Poll wake in each tick: 12,000 wakes, the 11,741 with exactly 1 call are "
        "16% of the time",
        {"threads": 60, "wakes": 12000, "polls": 11741, "poll_calls": 1},
    ),
]

# Where the other kinds have a case, and what is written there.
ELSEWHERE = {
    "computer": ("cli/golden.txt", "\nslow-computer "),
    "distance": ("report/findings.py", '"distance"'),
    "what-if": ("report/findings.py", '"what-if"'),
    "interrupted": ("report/findings.py", '"interrupted"'),
    "same-arguments": ("report/advice.py", '"same-arguments"'),
    "kept-results": ("report/advice.py", '"kept-results"'),
    "ended-threads": ("report/findings.py", '"ended-threads"'),
    "heap": ("report/test_findings.c", "FINDING_HEAP,"),
    "no-names": ("report/findings.py", '"no-names"'),
    "clock": ("report/findings.py", '"clock"'),
    "candidates": ("report/findings.py", '"candidates"'),
}


def check_kinds():
    """Each kind of finding has a case."""
    tests = os.path.join(os.path.dirname(__file__), "..")
    header = os.path.join(tests, "..", "src", "report", "sentences", "finding.h")
    with open(header, encoding="utf-8") as file:
        kinds = re.findall(r"^ +KIND\(([A-Z_]+),", file.read(), re.M)
    lib.check(len(kinds) >= 18, f"kinds of finding.h: {kinds}")
    for kind in kinds:
        name = kind.lower().replace("_", "-")
        if any(name == row[0] for row in PLANTED):
            continue
        place, case = ELSEWHERE.get(name, ("lib.py", None))
        with open(os.path.join(tests, place), encoding="utf-8") as file:
            lib.check(case is not None and case in file.read(), f"no game has {name}: {place}")


def check_order(directory):
    """What one place does comes before what many threads share."""
    for planted, first in ((True, "Build is "), (False, "60 threads of Poll")):
        texts = [one["text"] for one in one_place(planted).findings(directory)]
        lib.check(len(texts) >= 2 and texts[0].startswith(first), f"order {planted}: {texts}")
    for planted, second in ((True, "distance"), (False, "slow-ticks")):
        kinds = [one["kind"] for one in waves(planted).findings(directory)]
        lib.check(set(kinds[:2]) == {"loop", second}, f"waves {planted}: {kinds}")
    kinds = [one["kind"] for one in waves(True, polled=60).findings(directory)]
    lib.check(kinds[0] == "slow-ticks", f"a loop in all ticks: {kinds}")


def check_own(directory):
    """What a function's C functions take is its own; a loop of pcall is no finding."""
    for planted, first in ((True, "Gather is "), (False, "Think is ")):
        found = own_of_c(planted).findings(directory)
        texts = [one["text"] for one in found if one["kind"] == "many-calls"]
        lib.check(texts and texts[0].startswith(first), f"own {planted}: {texts}")
    recording = Recording()
    for tick in range(200):
        read = ("pcall", 44, 10, ("Read!", -1, 200))
        recording.add(*steady(tick), ("Check", 30, *[read] * 22))
    texts = [one["text"] for one in recording.findings(directory)]
    lib.check(texts and not any("calls of pcall" in text for text in texts), f"pcall: {texts}")


def check_average(directory):
    """Calls of each run are said of all runs only if they are as many."""
    for recording, caller, said in (
        (uneven_loop(True), "Fill", "16 calls of Add each time it runs, on average: 3,136"),
        (uneven_loop(True, 0, 2), "Fill", "100 calls of Add each time it runs, on average: 20,000"),
        (uneven_loop(False), "Fill", "200 calls of Add each time it runs: 40,000"),
        (searches(True), "Find", "12 calls of IsNamed each time it runs, on average: "),
        (searches(False), "Find", "24 calls of IsNamed each time it runs: 384,000"),
    ):
        texts = texts_of(recording, directory)
        said = f"{caller}, line 66, makes {said}"
        lib.check(any(one.startswith(said) for one in texts), f"average {said}: {texts}")


def check_question(directory):
    """Whether its arguments repeat is not asked of what threads began with."""
    recording = Recording()
    for tick in range(200):
        wakes = [(1 + 6 * tick + i, "Live", 400) for i in range(-6 if tick > 0 else 0, 6)]
        load = [("Load", 150000)] if tick == 50 else []
        recording.add(*steady(tick), *[("Seek", 400)] * 6, *load, wakes=wakes)
    texts = [text for text in texts_of(recording, directory) if "arguments = " in text]
    lib.check(len(texts) == 1 and texts[0].endswith(" {'Seek'}"), f"question: {texts}")


def check_long_calls(directory):
    """The computer is named only if it hit several functions; else few calls are no loop's."""
    chance = [text for text in texts_of(rare_work(False), directory) if "than usual" in text]
    lib.check(
        len(chance) == 1 and chance[0].endswith(": probably the computer, or a garbage collection"),
        f"several functions: {chance}",
    )
    for ticks in ((50,), (50, 190)):
        texts = texts_of(rare_work(True, ticks), directory)
        lib.check(
            not any("probably" in text or "Decide, line" in text for text in texts)
            and any(" of Choose " in text for text in texts),
            f"one function: {texts}",
        )
    texts = texts_of(rare_work(True, rare_us=110000), directory)
    lib.check(texts and "Luck" not in " ".join(texts), f"a small loop in slow ticks: {texts}")


def check_forks(directory):
    """Who forks is said once: neither ForkThread, which takes most, nor what the threads do has a
    finding of its own."""
    for plant in (hits, ring, ring_of_three):
        found = plant(True).findings(directory)
        kinds = [one["kind"] for one in found if one["kind"] in ("forks", "many-calls")]
        lib.check(kinds == ["forks"], f"{plant.__name__}: {[one['text'] for one in found]}")
    texts = texts_of(hits(True, callers=6), directory)
    lib.check("Record is 30%" in " ".join(texts), f"others call what threads begin with: {texts}")


def texts_of(recording, directory):
    return [finding["text"] for finding in recording.findings(directory)]


def find(recording, directory, kind, text):
    """The texts of all findings, and those of a kind that begin with a text."""
    found = recording.findings(directory)
    return (
        [finding["text"] for finding in found],
        [
            finding
            for finding in found
            if finding["kind"] == kind and finding["text"].startswith(text)
        ],
    )


def main():
    with tempfile.TemporaryDirectory() as directory:
        report = clean(False).report(directory)
        lib.check(not report["findings"], f"clean: {report['findings']}")
        lib.check(
            "No tick was slow (over 100 ms): nothing here makes the game slow" in report["verdict"],
            f"clean: {report['verdict']}",
        )
        first, count = map(int, sys.argv[2:4] or (1, 3))
        for number in range(first, first + count):
            findings = stationary(number).findings(directory)
            lib.check(not findings, f"stationary {number}: {[one['text'] for one in findings]}")
        for kind, plant, text, numbers in PLANTED:
            texts, found = find(plant(True), directory, kind, text)
            lib.check(found, f"{kind}: {texts}")
            for name, value in numbers.items():
                shown = found[0]["numbers"].get(name) if found else None
                lib.check(
                    shown is not None and abs(shown - value) < 1e-6 * max(1, value),
                    f"{kind}: {name} is {shown}, not {value}",
                )
            texts, found = find(plant(False), directory, kind, "")
            lib.check(not found, f"without {kind}: {texts}")
        check_kinds()
        check_order(directory)
        check_own(directory)
        check_forks(directory)
        check_average(directory)
        check_question(directory)
        check_long_calls(directory)
        check_comparisons(directory)
        check_promise(directory)
        check_hint(directory)
    lib.finish("findings and numbers", 44)


main()
