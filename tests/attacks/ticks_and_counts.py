"""Attacks by ticks, watches, and what a recording counts beside its calls."""

from recording import COUNT_MAX, site_letters, Recording, simple, counts_of_arguments


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


def arguments_of_functions(n):
    """n functions that were called once, with counts of arguments as large as can be."""
    log = simple(n)
    for i in range(n):
        log.events("%s1." % site_letters(2 * i))
        log.add(counts_of_arguments(i, [COUNT_MAX]))
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
        log.add("heap %d %d" % (COUNT_MAX - i, COUNT_MAX * (i % 2)))
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


def _waiting_in_ticks(log, n):
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
    _waiting_in_ticks(log, n)
    for i in range(n):
        log.events("#%d@%d.1!1%s1" % (i + 2, n - i, site_letters(5000)))
    return log.text()


def ticks_of_all_threads(n):
    """k threads that wait, and k ticks in each of which all of them go on, k * k = n."""
    count = int(n**0.5)
    log = simple()
    _waiting_in_ticks(log, count)
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
