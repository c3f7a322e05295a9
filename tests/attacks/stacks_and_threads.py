"""Attacks by what happens in a recording: deep and wide call stacks, threads, errors, runs."""

from recording import site_letters, Recording, simple


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


def runs_of_functions(n):
    """n runs that do not end, each with a call of a function of its own."""
    logs = []
    for i in range(n // 3):
        log = Recording("s%d" % i, begin=False)
        log.function(0, 1, i, "f")
        log.site(0, 0, -2)
        log.events("#1A9.9")
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
