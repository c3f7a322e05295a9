#!/usr/bin/env python3
"""generate.py KIND N: prints a log that is made to hurt, of a size in proportion to N.

Without arguments, prints the kinds. Each kind is a function below; its first line says what
it attacks. attacks.py runs supprof on each at N and 2 N.
"""
import inspect
import sys

BEGIN = "begin version=2 state=sim unit=9.53674316e-07 tick=1 time=0.1 marks=yes memory=no"
BEGIN_CHOSEN = (
    "begin version=4 mode=ticks budget=0.03 longest=500 seed=1 state=sim clock=x at=0 step=1e-9"
    " unit=9.53674316e-07 tick=1 time=0.1 marks=yes memory=no hook=watched calibration=20"
    " calibrator=0 lua_call=1e-8 c_call=1e-8 next_call=1e-8"
)
BEGIN_WATCH = BEGIN_CHOSEN.replace(
    "version=4 mode=ticks budget=0.03 longest=500 seed=1",
    "version=5 mode=watch slow=1 budget=0.03 longest=500",
)
BEGINS = {2: BEGIN, 4: BEGIN_CHOSEN, 5: BEGIN_WATCH}
ID_MAX = (1 << 24) - 1


def site_letters(number):
    """The number of a site as events write it."""
    letters = ""
    number += 1
    while number > 0:
        number -= 1
        letters = chr(number % 26 + ord("a")) + letters
        number //= 26
    return letters[0].upper() + letters[1:]


class Recording:
    """Numbers the lines of one run."""

    def __init__(self, name="s1", begin=True, version=2):
        self.name = name
        self.version = version
        self.number = 0
        self.lines = []
        if begin:
            self.add(BEGINS[version])

    def add(self, text):
        self.number += 1
        self.lines.append(
            "info: prof: $%d %s %d %s\n" % (self.version, self.name, self.number, text)
        )

    def lose(self):
        self.number += 1

    def function(self, number, source, line, name):
        self.add("function %d %d %d %s" % (number, source, line, name))

    def site(self, number, function, line):
        self.add("site %d %d,%d" % (number, function, line))

    def events(self, text, thread=0):
        self.add("events %d 0 0 %s" % (thread, text))

    def text(self):
        return "".join(self.lines)


def simple(functions=1, source="@c:\\092lua\\092a.lua"):
    """A recording with functions f0, f1, ... and, for each, the sites 2 I (from the engine) and
    2 I + 1 (from line 5)."""
    log = Recording()
    log.add("source 1 " + source)
    log.add("thread 0 main")
    for i in range(functions):
        log.function(i, 1, i + 1, "f%d" % i)
        log.site(2 * i, i, -2)
        log.site(2 * i + 1, i, 5)
    return log


# Depth


def recursion(n):
    """One function calls itself n deep."""
    log = simple()
    log.events("A1" + "B7" * n)
    return log.text()


def one_byte_calls(n):
    """The same, and each call takes one byte."""
    log = simple()
    log.events("A1" + "B" * n)
    return log.text()


def recorded_lines_deep(n):
    """One function calls itself n deep, and each call is at two recorded lines."""
    log = simple()
    log.site(2, 0, 6)
    log.events("A1" + "B:b:c" * n)
    return log.text()


def recorded_lines(n):
    """A recording of n lines of one function, each run twice."""
    log = simple()
    for i in range(n):
        log.site(2 + i, 0, 6 + i)
    letters = [":" + site_letters(2 + i).lower() for i in range(n)]
    log.events("A1" + "".join(letters + letters))
    return log.text()


def one_byte_stacks(n):
    """Stacks of 16 calls that take one byte each, most of them in no other stack."""
    log, text, state = simple(12), [], 12345
    for i in range(n):
        state = (state * 1103515245 + 12345) % (1 << 31)
        choice = (state >> 16) % 12
        text.append(
            "~" * (i > 0) + "ACEGIKMOQSUW"[choice] if i % 16 == 0 else "BDFHJLNPRTVX"[choice]
        )
    log.events("".join(text))
    return log.text()


def recursion_returns(n):
    """The same, and each call returns."""
    log = simple()
    log.events("A1" + "B7" * n + ".1" * n)
    return log.text()


def recursion_in_ticks(n):
    """The same, with a tick at every step."""
    log = simple()
    log.events("A1" + "".join("B7#%d" % i for i in range(n)))
    return log.text()


def tail_calls(n):
    """A chain of n tail calls that has not returned."""
    log = simple()
    log.site(2, 0, -1)
    log.events("A1" + "C1" * n)
    return log.text()


def tail_returns(n):
    """The same, with all tail returns."""
    log = simple()
    log.site(2, 0, -1)
    log.events("A1" + "C1" * n + ".1" + ",1" * n)
    return log.text()


def comb(n):
    """A stack n deep with another function called at each depth."""
    log = simple(2)
    log.events("A1" + "B1D1.1" * n)
    return log.text()


def leaves(n):
    """n functions called from a stack 1,990 deep."""
    log = simple()
    for i in range(n):
        log.function(i + 1, 1, i + 10, "leaf%d" % i)
        log.site(i + 2, i + 1, 7)
    log.events("A1" + "B" * 1990 + "".join(site_letters(i + 2) + "1.1" for i in range(n)))
    return log.text()


def leaves_at_250(n):
    """n functions called from a stack 250 deep."""
    log = simple()
    for i in range(n):
        log.function(i + 1, 1, i + 10, "leaf%d" % i)
        log.site(i + 2, i + 1, 7)
    log.events("A1" + "B" * 250 + "".join(site_letters(i + 2) + "1.1" for i in range(n)))
    return log.text()


def leaves_of_sites(n):
    """One function called from n lines at the end of a stack 250 deep."""
    log = simple()
    for i in range(n):
        log.site(i + 2, 0, i + 7)
    log.events("A1" + "B" * 250 + "".join(site_letters(i + 2) + "1.1" for i in range(n)))
    return log.text()


def long_name_deep(n):
    """A function with a name of 4,000 bytes calls itself n deep."""
    log = Recording()
    log.add("source 1 @a.lua")
    log.add("thread 0 main")
    log.function(0, 1, 1, "f" * 4000)
    log.site(0, 0, -2)
    log.site(1, 0, 5)
    log.events("A1" + "B1" * n)
    return log.text()


def pairs(n):
    """A deep stack in which each of k functions calls each once, k * k = n."""
    count = int(n**0.5)
    log = simple(count)
    calls = []
    for step in range(1, count):
        at = 0
        seen = [False] * count
        for first in range(count):
            at = first
            while not seen[at]:
                seen[at] = True
                calls.append(at)
                at = (at + step) % count
    log.events("A" + "".join(site_letters(2 * i + 1) + "1" for i in calls))
    return log.text()


def pairs_as_tree(n):
    """The same as a tree: each pair is called and returns on a stack that grows slowly."""
    count = int(n**0.5)
    log = simple(count)
    text = ["A"]
    for i in range(count):
        text.append(site_letters(2 * i + 1) + "1")
        text.extend(site_letters(2 * k + 1) + "1.1" for k in range(count))
    log.events("".join(text))
    return log.text()


def branches(n):
    """k functions without callers, each above a stack of the same k calls, k * k = n."""
    count = int(n**0.5)
    log = simple(2 * count)
    path = "".join(site_letters(2 * i + 1) + "1" for i in range(count))
    log.events(
        "".join(
            site_letters(2 * (count + i)) + "1" + path + ".1" * (count + 1) for i in range(count)
        )
    )
    return log.text()


def random_walk(n):
    """A walk over 300 functions, up and down."""
    log = simple(300)
    text, state, depth = ["A"], 12345, 1
    for _ in range(n):
        state = (state * 1103515245 + 12345) % (1 << 31)
        if state >> 16 & 1 or depth < 2:
            text.append(site_letters(2 * (state >> 8) % 600 | 1) + "1")
            depth += 1
        else:
            text.append(".1")
            depth -= 1
    log.events("".join(text))
    return log.text()


def sawtooth(n):
    """Stacks 500 deep, each ended by the return of their first function."""
    log = simple(3)
    log.events("A" + ("D1" + "F1" * 500 + "^1.1") * (n // 500))
    return log.text()


def full_binary(n):
    """A full binary tree of two functions."""
    log = simple(2)
    text, depth = ["A"], 1
    while 4 << depth < n:
        depth += 1
    stack = [0]
    while stack:
        state = stack[-1]
        if state == 2 or len(stack) > depth:
            stack.pop()
            text.append(".1")
            if stack:
                stack[-1] += 1
        else:
            text.append("BD"[state] + "1")
            stack.append(0)
    log.events("".join(text))
    return log.text()


# Threads and what waits


def cut_threads(n):
    """A last line without end that names n threads that no line defines."""
    log = Recording()
    log.events("".join("@%d" % i for i in range(n)))
    return log.text()[:-1]


def cut_sites(n):
    """A last line without end that names n sites that no line defines."""
    log = Recording()
    log.events("".join(site_letters(i) for i in range(n)))
    return log.text()[:-1]


def lost_sites(n):
    """n sites that no line defines, in lines of 20."""
    log = Recording()
    for i in range(0, n, 20):
        log.events("".join(site_letters(k) for k in range(i, i + 20)))
    return log.text()


def threads_lost(n):
    """n threads, then n gaps."""
    log = Recording()
    log.events("".join("@%d" % i for i in range(n)))
    for _ in range(n // 4):
        log.lose()
        log.events("@0")
    return log.text()


def threads_lost_with_stacks(n):
    """n threads with a stack each, then n gaps with a call each."""
    log = simple()
    log.events("".join("@%dAB" % i for i in range(n)))
    for i in range(n // 4):
        log.lose()
        log.events("@%dAB" % i)
    return log.text()


def threads_damaged(n):
    """n threads, then n lines with an event that cannot be read."""
    log = simple()
    log.events("".join("@%dAB" % i for i in range(n)))
    for _ in range(n // 4):
        log.events("B1?")
    return log.text()


def threads_switching(n):
    """n threads that take turns."""
    log = simple()
    log.events("".join("@%dA1" % i for i in range(n)))
    log.events("".join("@%dB1" % i for i in range(n)))
    return log.text()


def threads_defined(n):
    """n threads that lines define, and n forgotten stacks."""
    log = simple()
    for i in range(n):
        log.add("thread %d coroutine" % (i + 1))
    log.events("".join("@%dA1B1~" % (i + 1) for i in range(n)))
    return log.text()


def whole_stacks(n):
    """Whole stacks of 100 frames, again and again."""
    log = simple()
    log.events("".join("@%d(A%s)" % (i % 7, "B" * 99) for i in range(n // 100)))
    return log.text()


def roots_above_waiting(n):
    """n callbacks of the engine, each above a C function that waits."""
    log = Recording()
    log.add("source 1 =[C]")
    log.add("source 2 @a.lua")
    log.add("thread 0 main")
    log.function(0, 1, -1, "c")
    log.function(1, 2, 5, "f")
    log.site(0, 0, 5)
    log.site(1, 1, -2)
    log.events("B1" + "A1B1" * n)
    return log.text()


def waiting_threads(n):
    """n threads that wait in a C function and go on in the other order."""
    log = Recording()
    log.add("source 1 =[C]")
    log.add("source 2 @a.lua")
    log.function(0, 1, -1, "c")
    log.function(1, 2, 5, "f")
    log.site(0, 0, 5)
    log.site(1, 1, -2)
    log.events("".join("@%dB1A1" % i for i in range(n)))
    log.events("".join("@%d^0.1!1" % i for i in reversed(range(n))))
    return log.text()


def late_suspends(n):
    """n C functions, each of which is found to suspend its thread after it was called."""
    log = Recording()
    log.add("source 1 =[C]")
    log.add("source 2 @a.lua")
    log.function(0, 2, 5, "f")
    log.site(0, 0, -2)
    for i in range(n):
        log.function(i + 1, 1, -1, "c%d" % i)
        log.site(i + 1, i + 1, 5)
    log.events("".join("@1A1%s1@0A1.1@1.1!1" % site_letters(i + 1) for i in range(n)))
    return log.text()


def late_suspension(n):
    """A C function is called from n lines before it is found to suspend its thread, n times."""
    log = Recording()
    log.add("source 1 @a.lua")
    log.add("source 2 =[C]")
    log.function(0, 1, 1, "f")
    log.function(1, 2, -1, "c")
    log.site(0, 0, -2)
    for i in range(n):
        log.site(i + 1, 1, i + 1)
    log.events("A" + "".join(site_letters(i + 1) + "." for i in range(n)))
    for _ in range(n):
        log.events("B1.1!")
    return log.text()


def roots_on_roots(n):
    """n callbacks inside one another, each above a C function, and then n that made tail calls."""
    log = Recording()
    log.add("source 1 @a.lua")
    log.add("source 2 =[C]")
    log.function(0, 1, 1, "f")
    log.function(1, 2, -1, "c")
    log.site(0, 0, -2)
    log.site(1, 1, 2)
    log.events("AB" * n + "A.," * n)
    return log.text()


def errors(n):
    """n errors, each of which ends 20 frames."""
    log = simple(2)
    log.events("A1" + ("D1" + "B1" * 20 + "^1.1") * (n // 20))
    return log.text()


# Runs, ids, numbers


def runs(n):
    """n runs with a line that cannot be read."""
    return "".join("prof: $2 s%d 1 x\n" % i for i in range(n))


def runs_of_two_kinds(n):
    """n runs: every second one has only a call of what is not defined, the others a damaged
    line."""
    return "".join(
        "prof: $2 s%d 1 %s\n" % (i, "events 1 0 0 A" if i % 2 else "x") for i in range(n)
    )


def runs_whole(n):
    """n runs with one call each."""
    logs = []
    for i in range(n // 5):
        log = Recording("s%d" % i)
        log.function(0, 1, 1, "f%d" % i)
        log.site(0, 0, -2)
        log.events("A1.1")
        logs.append(log.text())
    return "".join(logs)


def runs_alternating(n):
    """Runs of two states whose lines alternate."""
    logs = [Recording("s%d" % i) for i in range(n // 100)]
    for _ in range(100):
        for log in logs:
            log.events("A1")
    return "".join("".join(lines) for lines in zip(*(log.lines for log in logs)))


def runs_of_records(n):
    """n runs of records."""
    return "".join(
        "info: Starting profiler\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n" for _ in range(n)
    )


def ids(n):
    """The largest ids in n runs."""
    logs = []
    for i in range(n // 4):
        log = Recording("s%d" % i, begin=False)
        log.add("source %d a" % ID_MAX)
        log.function(ID_MAX, ID_MAX, 1, "f")
        log.site(ID_MAX, ID_MAX, 1)
        log.add("thread %d main" % ID_MAX)
        logs.append(log.text())
    return "".join(logs)


def ids_near(n):
    """The 1,000 largest ids, 50 in each run."""
    logs = []
    for i in range(n // 4):
        if i % 50 == 0:
            logs.append(Recording("s%d" % (i // 50), begin=False))
        number = ID_MAX - i % 1000
        logs[-1].add("source %d a" % number)
        logs[-1].function(number, number, 1, "f")
        logs[-1].site(number, number, 1)
        logs[-1].add("thread %d main" % number)
    return "".join(log.text() for log in logs)


def ids_spread(n):
    """n ids with equal distances up to the largest, in one run."""
    log = Recording()
    for i in range(n):
        log.function((ID_MAX // n) * (n - i), 1, i, "f%d" % i)
        log.site((ID_MAX // n) * (n - i), (ID_MAX // n) * (n - i), 4)
    return log.text()


def ids_again(n):
    """One id that is defined n times with other texts."""
    log = Recording()
    for i in range(n):
        log.add("source 1 @%d.lua" % i)
        log.function(1, 1, i, "f%d" % i)
        log.site(1, 1, i)
        log.events("B1")
    return log.text()


def threads_huge(n):
    """n threads with ids spread up to 2^32."""
    log = simple()
    log.events("".join("@%dA1" % (((1 << 32) - 1) // n * i) for i in range(n)))
    return log.text()


def numbers_down(n):
    """Lines whose numbers fall."""
    log = simple()
    lines = log.lines
    lines.extend("info: prof: $2 s1 %d events 0 0 0 B1\n" % (n + 20 - i) for i in range(n))
    return "".join(lines)


def numbers_again(n):
    """One number n times."""
    log = simple()
    return log.text() + "info: prof: $2 s1 9 events 0 0 0 A1B1\n" * n


def units_huge(n):
    """n events whose times are near the limit of 32 bits."""
    log = simple()
    log.events("A4294967295" + "B4294967295.4294967295" * n)
    return log.text()


# Names


def functions(n):
    """n functions, each called once."""
    log = simple(n)
    log.events("A" + "".join(site_letters(2 * i + 1) + "1.1" for i in range(n)))
    return log.text()


def functions_nameless(n):
    """n functions without names in one line of a file."""
    log = Recording()
    for i in range(n):
        log.add("source %d @dir%d\\092a.lua" % (i, i))
        log.function(i, i, 1, "?")
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n)))
    return log.text()


def functions_of_one_name(n):
    """n functions of one name in one file."""
    log = Recording()
    log.add("source 1 @a.lua")
    for i in range(n):
        log.function(i, 1, i * 7 + 1, "f")
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n)))
    return log.text()


def names_long(n):
    """Names of 2,000 bytes that differ in the last ones."""
    log = Recording()
    log.add("source 1 @a.lua")
    for i in range(n // 100):
        log.function(i, 1, i + 1, "x" * 2000 + str(i))
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n // 100)))
    return log.text()


def name_long_often(n):
    """A name of n / 2 bytes, in many ticks and slices and below many callers."""
    log = Recording()
    log.add("source 1 @a.lua")
    log.function(0, 1, 1, "x" * (n // 2))
    log.site(0, 0, -2)
    log.events("".join("#%dA1.1" % i for i in range(n // 40)))
    for i in range(n // 100):
        log.function(i + 1, 1, i + 2, "f%d" % i)
        log.site(2 * i + 1, i + 1, -2)
        log.site(2 * i + 2, 0, 5)
    log.events(
        "".join(
            "%s1%s1.1.1" % (site_letters(2 * i + 1), site_letters(2 * i + 2))
            for i in range(n // 100)
        )
    )
    return log.text()


def sources_alike(n):
    """Chunks whose labels are equal, since they differ after the part that is shown."""
    log = Recording()
    for i in range(n // 5):
        log.add("source %d return 1 + 1 -- %s%d" % (i, "a" * 120, i))
        log.function(i, i, 0, "?")
        log.site(i, i, -2)
    log.events("".join(site_letters(i) + "1.1" for i in range(n // 5)))
    return log.text()


def names_alike(n):
    """C functions whose names differ in bytes that cannot be shown."""
    log = Recording()
    log.add("source 1 =[C]")
    for i in range(n):
        bits = "".join("\\00%d" % (1 + (i >> k & 7)) for k in range(0, 18, 3))
        log.function(i, 1, -1, "next" + bits)
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n)))
    return log.text()


def names_changing(n):
    """One function that gets n names."""
    log = simple()
    for i in range(n):
        log.add("name 0 other%d" % i)
    log.events("A1")
    return log.text()


def sources_deep(n):
    """Paths of many folders that share them all."""
    log = Recording()
    folder = "d\\092" * 200
    for i in range(n // 50):
        log.add("source %d @c:\\092%s%d.lua" % (i, folder, i))
        log.function(i, i, 1, "f")
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n // 50)))
    return log.text()


def search_paths(n):
    """n mounted directories, and n files below them."""
    text = "".join(
        "info: DISK: AddSearchPath: 'c:\\games\\dir%d', mounted as '/m%d/'\n" % (i, i)
        for i in range(n)
    )
    log = Recording()
    for i in range(n):
        log.add("source %d @c:\\092games\\092dir%d\\092a.lua" % (i, i))
        log.function(i, i, 1, "f")
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(n)))
    return text + log.text()


def search_paths_nested(n):
    """Mounted directories, each below the one before, and a file in each."""
    path, text, count = "c:", [], int((n * 20) ** 0.5)
    log = Recording()
    for i in range(count):
        path += "\\d"
        text.append("info: DISK: AddSearchPath: '%s', mounted as '/m%d/'\n" % (path, i))
        log.add("source %d @%s\\092a.lua" % (i, path.replace("\\", "\\092")))
        log.function(i, i, 1, "f")
        log.site(i, i, 5)
    log.events("".join(site_letters(i) + "1.1" for i in range(count)))
    return "".join(text) + log.text()


def sites(n):
    """One function called from n lines."""
    log = simple()
    for i in range(n):
        log.site(i + 2, 0, i + 1)
    log.events("A1" + "".join(site_letters(i + 2) + "1.1" for i in range(n)))
    return log.text()


def callers(n):
    """One function called by n functions."""
    log = simple(n)
    log.site(2 * n, 0, 9)
    last = site_letters(2 * n)
    log.events("A" + "".join(site_letters(2 * i + 1) + "1" + last + "1.1.1" for i in range(n)))
    return log.text()


def complete_graph(n):
    """k functions that all call each other, k * k = n."""
    count = int(n**0.5)
    log = simple(count)
    text = ["A"]
    for i in range(count):
        text.append(site_letters(2 * i + 1) + "1")
        text.extend(site_letters(2 * k + 1) + "1.1" for k in range(count))
        text.append(".1")
    log.events("".join(text))
    return log.text()


# Ticks


def ticks(n):
    """n ticks with a call each."""
    log = simple(5)
    log.events("A" + "".join("#%dB1.1" % i for i in range(n)))
    return log.text()


def ticks_jumping(n):
    """Ticks that jump between the first and the last number."""
    log = simple(5)
    log.events("A" + "".join("#%dB1.1" % (4294967295 if i % 2 else i) for i in range(n)))
    return log.text()


def ticks_falling(n):
    """Ticks whose numbers fall."""
    log = simple(5)
    log.events("A" + "".join("#%dB1.1" % (n - i) for i in range(n)))
    return log.text()


def ticks_with_functions(n):
    """Ticks in which 200 functions run."""
    log = simple(200)
    body = "".join(site_letters(2 * i + 1) + "9999.9999" for i in range(200))
    log.events("A" + "".join("#%d%s" % (i, body) for i in range(n // 200)))
    return log.text()


def ticks_above_frames(n):
    """Long and short ticks, above a stack of n frames that stays open."""
    log = simple()
    log.events("A1" + "B" * n + "".join("#%d.%dB1" % (i, 50 if i % 2 else 9000) for i in range(n)))
    return log.text()


def ticks_of_threads(n):
    """Long and short ticks, each with a new thread whose stack stays open."""
    log = simple()
    log.events(
        "A1" + "".join("#%d.%dB1@%dABB1" % (i, 50 if i % 2 else 9000, i + 1) for i in range(n))
    )
    return log.text()


def ticks_of_polls(n):
    """A million threads and more: each begins, and wakes in every tick that is left, without a
    call."""
    log = simple()
    log.add("thread 1 coroutine")
    for i in range(n // 64):
        log.add("thread %d coroutine" % (i + 2))
        log.events("#%d" % i + "@%dA" % (i + 2) + "@1A!" + "!" * 60)
    return log.text()


def threads_of_roots(n):
    """n threads, each with a root of its own that wakes once and returns."""
    log = simple()
    for i in range(n // 40):
        log.function(100 + i, 1, 1000 + i, "?")
        log.site(1000 + i, 100 + i, -2)
        log.add("thread %d coroutine" % (i + 1))
        log.events("@%d%s1!.1" % (i + 1, site_letters(1000 + i)))
    return log.text()


ARGUMENT_COUNTS = (
    "calls distinct other repeats equal tick_repeats tick_equal tick_contents tick_other results"
    " large failed ns tick_ns changed"
).split()


def counts_of_arguments(number, counts):
    """What was counted of a function's arguments; the last count is that of the rest."""
    counts = [*counts, *[counts[-1]] * (len(ARGUMENT_COUNTS) - len(counts))]
    pairs = ["%s=%d" % pair for pair in zip(ARGUMENT_COUNTS, counts)]
    return "arguments %d %s" % (number, " ".join(pairs))


def arguments_of_functions(n):
    """n functions that were called once, with counts of arguments as large as can be."""
    log = simple(n)
    for i in range(n):
        log.events("%s1." % site_letters(2 * i))
        log.add(counts_of_arguments(i, [(1 << 64) - 1]))
    return log.text()


def arguments_again(n):
    """n counts of the arguments of one function, each with fewer calls than the one before."""
    log = simple()
    log.events("A1.")
    for i in range(n):
        log.add(counts_of_arguments(0, [n - i, 1, 0, n + i]))
    return log.text()


def heaps(n):
    """n sizes of the heap, as large as can be, and of limits, in turns."""
    log = simple()
    for i in range(n):
        log.add("heap %d %d" % ((1 << 64) - 1 - i, ((1 << 64) - 1) * (i % 2)))
    log.events("A1.")
    return log.text()


def benchmarks(n):
    """n lines of the benchmark."""
    log = simple()
    log.events("".join("#%dA1.1" % i for i in range(n)))
    return log.text() + "".join(
        "info: prof: $2 s0 %d benchmark %d %d 0.5\n" % (i + 1, i, i + 1) for i in range(n)
    )


# Two axes at once


def waiting_in_ticks(log, n):
    """n threads that wait in a C function, and a site of the thread's root."""
    log.add("source 2 =[C]")
    log.function(1000, 2, -1, "WaitTicks")
    log.site(5000, 1000, 5)
    for i in range(n):
        log.add("thread %d coroutine" % (i + 1))
        log.events("@%dA1%s1" % (i + 1, site_letters(5000)))


def ticks_of_waiting_threads(n):
    """n threads wait; then n ticks in each of which one of them goes on."""
    log = simple()
    waiting_in_ticks(log, n)
    for i in range(n):
        log.events("#%d@%d.1!1%s1" % (i + 2, n - i, site_letters(5000)))
    return log.text()


def ticks_of_all_threads(n):
    """k threads that wait, and k ticks in each of which all of them go on, k * k = n."""
    count = int(n**0.5)
    log = simple()
    waiting_in_ticks(log, count)
    wake = ".1!1%s1" % site_letters(5000)
    for i in range(count):
        log.events("#%d" % (i + 2) + "".join("@%d%s" % (k + 1, wake) for k in range(count)))
    return log.text()


def ticks_rising_of_threads(n):
    """Ticks of which each is longer than those before it, and has a thread of its own."""
    log = simple()
    for i in range(n):
        log.add("thread %d coroutine" % (i + 1))
        log.events("#%d@%dA1B%d" % (i + 2, i + 1, i + 1))
    return log.text()


def ticks_rising_above_frames(n):
    """The same, above a stack of n frames that stays open."""
    log = simple()
    log.events("A1" + "B" * n + "".join("#%d.%dB1" % (i, i + 1) for i in range(n)))
    return log.text()


def ticks_rising_of_functions(n):
    """The same, and each calls a function of its own."""
    log = simple(n)
    log.events("A1" + "".join("#%d%s%d." % (i, site_letters(2 * i + 1), i) for i in range(n)))
    return log.text()


def ticks_of_large_functions(n):
    """n ticks that each call a function of a mod of its own, which takes a part of the limit."""
    log = Recording()
    for i in range(n):
        log.add("source %d @c:\\092mods\\092m%d\\092a.lua" % (i, i))
        log.function(i, i, 1, "f")
        log.site(i, i, -2)
    log.events("".join("#%d%s1.%d" % (i, site_letters(i), 6000 + i) for i in range(n)))
    return log.text()


def ticks_that_stand_for_many(n):
    """Ticks that were chosen by chance, each of which stands for up to a million."""
    log = Recording(version=4)
    log.add("source 1 @a.lua")
    log.function(1, 1, 1, "f")
    log.site(0, 1, -2)
    for i in range(n):
        log.add("hook chosen %d %d" % (i * 100 + 5, 1 + i * 7919 % 1000000))
        log.events("#%dA1.%d" % (i * 100 + 5, i))
        log.add("hook left %d" % (i * 100 + 5))
    return log.text()


def watched_ticks(n):
    """Slow ticks of a watch, each with a wake that waits on a deep stack, a gap, a recorded wake
    that was slow, units, and threads of all ticks."""
    log = Recording(version=5)
    log.add("source 1 @a.lua")
    log.function(1, 1, 1, "f")
    log.function(2, 1, 9, "g")
    log.site(0, 1, -2)
    log.site(1, 2, 3)
    log.add("thread 1 coroutine")
    for i in range(n):
        tick = 100 * (i * 7919 % n)
        log.add("slow %d %d 1:1:%d:%d -:1:%d:9:1" % (tick, 2000 + i, 2000 + i, 2000 + i, 3000 + i))
        log.add("wake %d %d 1 (A%s)" % (tick, 2000 + i, "B" * 50))
        log.add("hook watched %d 1" % tick)
        log.events("#%d@1A1B%d.1.1" % (tick, 9000 + i))
        log.add("hook left %d" % tick)
        log.add("units %d %d" % (tick, i))
        log.add("threads 0 %d 1:1:%d:%d 2:1:9:9" % (100 * n, i, i))
        log.add("ticks %d %s" % (tick, "20 " * 50))
    return log.text()


def watched_functions(n):
    """A watch of n functions: each has made a tick slow, was recorded, and is in one minute."""
    log = Recording(version=5)
    log.add("source 1 @a.lua")
    log.add("thread 1 coroutine")
    for i in range(n):
        log.function(i + 1, 1, i + 1, "f")
        log.site(i, i + 1, -2)
        log.add("slow %d 9000 %d:1:9000:9000" % (i, i + 1))
        log.add("hook watched %d %d" % (i + 1, i + 1))
        log.events("#%d@1%s1.9000" % (i + 1, site_letters(i)))
        log.add("hook left %d" % (i + 1))
    log.add("threads 0 %d %s" % (n, " ".join("%d:1:9000:9000" % (i + 1) for i in range(n))))
    return log.text()


def watched_wakes(n):
    """Wakes of one tick of a watch, all recorded, and each with as many slow ticks before it."""
    log = Recording(version=5)
    log.add("source 1 @a.lua")
    log.function(1, 1, 1, "f")
    log.site(0, 1, -2)
    log.add("thread 1 coroutine")
    for i in range(n):
        log.add("slow 7 %d 1:1:%d:%d" % (2000 + i, 2000 + i, 2000 + i))
        log.add("wake 7 %d 1 -" % (2000 + i))
        log.add("hook watched 7 1")
        log.events("#7@1A1.%d" % (i % 99))
        log.add("hook cut 7")
    return log.text()


def ticks_of_functions(n):
    """k ticks that each call k functions, in which no two ticks are alike, k * k = n."""
    count = int(n**0.5)
    log = simple(2 * count)
    for i in range(count):
        calls = "".join(
            "%s%d.%d" % (site_letters(2 * (i + k) + 1), (i * k) % 99, 9000 * (k % 2))
            for k in range(count)
        )
        log.events("#%dA%s." % (i, calls))
    return log.text()


def ticks_of_recorder(n):
    """Ticks of which each is longer than those before it, above a stack of n frames in which the
    recorder measures itself."""
    log = simple(1, "@c:\\092lua\\092profiler.lua")
    log.function(1, 1, 7, "calibrate")
    log.site(2, 1, 9)
    log.site(3, 0, 11)
    log.events("A1" + "B" * n + "".join("#%dC1D%d.1.1" % (i, i + 1) for i in range(n)))
    return log.text()


def threads_of_errors(n):
    """n threads, of which an error ends each, in a tick and a function of its own, with the game's
    message."""
    log = simple(n)
    lines = log.lines
    for i in range(n):
        log.add("thread %d coroutine" % (i + 1))
        log.events("#%d@%d%s1B1~" % (i + 2, i + 1, site_letters(2 * i)))
        lines.append(
            "warning: Error running lua script: c:\\lua\\a.lua(%d): attempt to call field `f%d' "
            "(a nil value)\n         stack traceback:\n         \tc:\\lua\\a.lua(%d): in function "
            "`f%d'\n" % (i, i, i + 1, i)
        )
    return log.text()


def threads_of_functions(n):
    """k threads that each begin with k functions, one after the other, k * k = n."""
    count = int(n**0.5)
    log = simple(count)
    for i in range(count):
        log.add("thread %d coroutine" % (i + 1))
    for k in range(count):
        log.events("".join("@%d%s1!.1" % (i + 1, site_letters(2 * k)) for i in range(count)))
    return log.text()


# Lines


def line_foreign(n):
    """One line of n * 10 bytes that is not the profiler's."""
    return "x" * (10 * n) + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_damaged(n):
    """One line of n * 10 bytes with the mark."""
    return "info: prof: " + "x" * (10 * n) + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_of_marks(n):
    """One line of n marks."""
    return "info: prof: " * n + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_of_commas(n):
    """A frame whose fields could end at n places."""
    return "info: prof: @a" + ",1,f,1" * n + ";x;1,0.001,t,f\ninfo: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def chunk_of_commas(n):
    """A chunk whose frame could end at n places."""
    return "info: prof: a" + ",1,f,1" * n + ";x,0,?,1;1,0.1,t,f\n"


def chunk_of_semicolons(n):
    """A chunk that could be n frames."""
    return "info: prof: a" + ",1,f,1;b" * n + ",2,f,1;1,0.1,t,f\n"


def chunk_of_names(n):
    """A record of n frames of files whose names hold semicolons."""
    return "info: prof: " + "@a.lua,1,f;g,1;" * n + "@a.lua,1,f,1;1,0.1,t,f\n"


def chunks_of_names(n):
    """The same of chunks, each with a place after it that could end it, and a file at the end."""
    return (
        "info: prof: "
        + "".join("a%d.lua,1,f;g,1;b,1,g,1;" % i for i in range(n))
        + "a.lua,1,f;g,1;@c:\\a.lua,1,f,1;1,0.1,t,f\n"
    )


def continuation(n):
    """A record that goes on for n lines and does not end."""
    return "info: prof: @a.lua,1,f,2;local a\n" + "      b = 1\n" * n


def continuation_ends(n):
    """Records over several lines, one after the other."""
    return "".join(
        "info: prof: local a%d\n      b = 1\ninfo: c,0,?,2;1,0.001,t,f\n" % i for i in range(n)
    )


def damaged_lines(n):
    """n damaged lines."""
    return "info: prof: x\n" * n + "info: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def blank_lines(n):
    """n empty lines."""
    return "\n" * n + "info: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def unknown_kinds(n):
    """n lines of the recorder of kinds that do not exist."""
    log = Recording()
    for i in range(n):
        log.add("k" + "abcdefghij"[i % 10] + "x" * (i // 1000 % 10))
    return log.text()


# Records


def record_deep(n):
    """One record of n frames."""
    return "info: prof: " + "@a.lua,1,f,2;" * n + "1,0.001,t,f\n"


def records_deep(n):
    """Records of 100 frames that differ in the last one."""
    stack = "@a.lua,1,f,2;" * 100
    return "".join(
        "info: prof: %s@a.lua,%d,g,2;1,0.001,t,f\n" % (stack, i) for i in range(n // 100)
    )


def records_wide(n):
    """n records of one frame each."""
    return "".join("info: prof: @a.lua,%d,f%d,2;1,0.001,t,f\n" % (i, i) for i in range(n))


def records_of_names(n):
    """One function with n names."""
    return "".join("info: prof: @a.lua,1,f%d,2;1,0.001,t,f\n" % i for i in range(n))


def records_of_chunks(n):
    """n chunks with one label."""
    return "".join(
        "info: prof: return '%s%d',0,?,2;1,0.001,t,f\n" % ("a" * 100, i) for i in range(n // 3)
    )


def records_of_lines(n):
    """One stack called from n lines."""
    return "".join("info: prof: @a.lua,1,f,%d;@a.lua,9,g,2;1,0.001,t,f\n" % i for i in range(n))


def records_growing(n):
    """Records of one recursion, each a frame longer."""
    count = int(n**0.5)
    return "".join(
        "info: prof: %s1,0.001,t,f\n" % ("@a.lua,1,f,2;" * (i + 1)) for i in range(count)
    )


def records_pairs(n):
    """Records in whose stacks k functions call each other, k * k = n."""
    count = int(n**0.5)
    return "".join(
        "info: prof: %s1,0.001,t,f\n"
        % "".join("@a.lua,%d,f,2;" % ((k * step) % count) for k in range(count))
        for step in range(count)
    )


def records_of_calls(n):
    """n records of as many calls as one may have."""
    return "".join(
        "info: prof: @a.lua,1,f,1;@b.lua,%d,g,1;1000000000000000,9999999,t,f\n" % i
        for i in range(n)
    )


KINDS = {
    name.replace("_", "-"): function
    for name, function in list(globals().items())
    if inspect.isfunction(function)
    and function.__module__ == __name__
    and name not in ("site_letters", "simple", "counts_of_arguments", "waiting_in_ticks", "main")
}


def main():
    if len(sys.argv) != 3:
        for name, function in KINDS.items():
            print("%-26s %s" % (name, " ".join(inspect.getdoc(function).split())))
        return
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
