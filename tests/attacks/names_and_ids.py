"""Attacks by what a recording defines: ids, functions, names, sources, call sites."""

from recording import ID_MAX, site_letters, Recording, simple


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
    """n threads with ids spread up to the largest."""
    log = simple()
    log.events("".join("@%dA1" % (ID_MAX // n * i) for i in range(n)))
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
