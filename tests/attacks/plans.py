"""Attacks that need more than a log: other files, other options.

Each function writes the files of an attack of size N into a directory, and returns the arguments
for supprof and the bytes of its input unpacked. Its first line says what it attacks.
"""
import gzip
import inspect
import os

import foreign_lines
import names_and_ids
import recording
import stacks_and_threads
import ticks_and_counts

MOUNTED = "info: DISK: AddSearchPath: 'c:\\', mounted as '/'\n"


class Plan:
    """Files, and the command line that reads them."""

    def __init__(self, directory):
        self.directory = directory  # or one above the directory in which the command runs
        self.input_bytes = 0  # unpacked
        self.output_max = None  # of each output, where less is promised than for all logs

    def write(self, name, text):
        """Returns the path of a new file; what ends in .gz is compressed."""
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = text.encode("latin-1")
        self.input_bytes += len(data)
        with open(path, "wb") as file:
            file.write(gzip.compress(data, 6, mtime=0) if name.endswith(".gz") else data)
        return path


def _functions(lines, source="@c:\\092lua\\092a.lua", name="?"):
    """A recording with a function of one file at each of the lines."""
    log = recording.Recording()
    log.add("source 1 " + source)
    for i, line in enumerate(lines):
        log.function(i, 1, line, name)
        log.site(i, i, -2)
    log.events("".join(recording.site_letters(i) + "3.3" for i in range(len(lines))))
    return MOUNTED + log.text()


def diff_nameless(plan, n):
    """Two logs of one file with nameless functions, which moved by a line each."""
    old = plan.write("old.log", _functions(range(1, n, 2)))
    return ["--diff", old, plan.write("new.log", _functions(range(2, n, 2)))]


def diff_one_name(plan, n):
    """Two logs of one file with functions of one name, half as many in one of them."""
    old = plan.write("old.log", _functions(range(1, n), name="f"))
    return ["--diff", old, plan.write("new.log", _functions(range(1, n, 2), name="f"))]


def diff_alike_chunks(plan, n):
    """Two logs with chunks of one label."""
    old = plan.write("old.log", names_and_ids.sources_alike(n))
    return [
        "--diff",
        old,
        plan.write("new.log", names_and_ids.sources_alike(n).replace("a ", "b ")),
    ]


def diff_stacks(plan, n):
    """Two logs of other stacks, compared stack by stack."""
    old = plan.write("old.log", stacks_and_threads.random_walk(n))
    return ["--by=stack", "--diff", old, plan.write("new.log", stacks_and_threads.comb(n))]


def repeated_stacks(plan, n):
    """Two logs of a deep recursion, every stack of them."""
    logs = [plan.write(name, stacks_and_threads.recursion(n)) for name in ("a.log", "b.log")]
    return ["--repeated", "--by=stack", "--top=0", "-o", "o.csv", "-o", "o.top"] + logs


def repeated_many_logs(plan, n):
    """The same log many times on both sides, compared stack by stack."""
    path = plan.write("a.log", stacks_and_threads.random_walk(2000))
    plan.input_bytes *= 2 * (n // 200)
    return (
        ["--repeated", "--by=stack", "-f", "csv"]
        + ["--diff=" + path] * (n // 200)
        + [path] * (n // 200)
    )


def repeated_disjoint(plan, n):
    """n / 200 logs, each with 100 functions that no other has."""
    names = ["%d.log" % i for i in range(n // 200)]
    return ["--repeated"] + [
        plan.write(name, _functions(range(1, 101), "@c:\\092lua\\092%s.lua" % name))
        for name in names
    ]


def _logs_of_functions(plan, n):
    """n / 400 logs, each with 50 functions in 50 ticks, of which no other has any."""
    names = []
    for i in range(n // 400):
        log = ticks_and_counts.ticks_of_large_functions(50).replace("\\092m", "\\092m%d_" % i)
        names.append(plan.write("%d.log" % i, log))
    return names


def logs_of_functions(plan, n):
    """Many logs added up, each with functions of its own, in a page and files."""
    return ["-o", "o.html", "-o", "o.csv", "-o", "o.svg", *_logs_of_functions(plan, n)]


def diff_logs_of_functions(plan, n):
    """The same, half of them compared with the other half."""
    names = _logs_of_functions(plan, n)
    old = ["--diff=" + name for name in names[::2]]
    return ["-o", "o.html", "-o", "o.csv", *old, *names[1::2]]


def repeated_logs_of_functions(plan, n):
    """The same as repetitions, in a page."""
    names = _logs_of_functions(plan, n)
    old = ["--diff=" + name for name in names[::2]]
    return ["--repeated", "-o", "o.html", "-o", "o.csv", *old, *names[1::2]]


def diff_ended_threads(plan, n):
    """Two logs with n / 2 threads that errors ended, each of a function of its own."""
    log = recording.simple(n // 2)
    for i in range(n // 2):
        log.add("thread %d coroutine" % (i + 1))
        log.events("#%d@%d%sB" % (i % 9 + 2, i + 1, recording.site_letters(2 * i)))
    path = plan.write("a.log", log.text())
    return ["--diff", path, path, "-f", "markdown"]


def fold_chain(plan, n):
    """n functions that call each other, and the last one calls the first from n lines."""
    log = recording.simple(n)
    for i in range(n):
        log.site(2 * n + i, 0, i + 1)
    log.events(
        "A1"
        + "".join(recording.site_letters(2 * i + 1) + "1" for i in range(1, n))
        + "".join(recording.site_letters(2 * n + i) + "1.1" for i in range(n))
    )
    return ["--fold-recursion", plan.write("a.log", log.text())]


def list_spellings(plan, n):
    """A file of 4 n lines, which the log spells in n / 100 ways."""
    log = recording.Recording()
    for i in range(n // 100):
        name = "".join(c.upper() if i >> k & 1 else c for k, c in enumerate("abcdefghijkl"))
        slash = ("\\092", "\\092.\\092", "\\092\\092")[i % 3]
        log.add("source %d @c:%slua\\092%s%sa.lua" % (i, slash, name, slash))
        log.function(i, i, 0, "?")
        log.site(i, i, -2)
    log.events("".join(recording.site_letters(i) + "3.3" for i in range(n // 100)))
    plan.write("root/lua/abcdefghijkl/a.lua", "\n" * (4 * n))
    return [
        "--list=.",
        "--rows=0",
        "--lua-root",
        plan.directory + "/root",
        plan.write("a.log", MOUNTED + log.text()),
    ]


def _nested(plan, root, depth, lines):
    """Writes a file whose functions are inside one another, around the lines."""
    plan.write(
        root + "/lua/a.lua",
        "".join("function f%d()\n" % i for i in range(depth)) + lines + "end\n" * depth,
    )
    return ["--lua-root", plan.directory + "/" + root]


def list_nested(plan, n):
    """190 functions inside one another, around n lines: not all of them show these lines."""
    plan.output_max = 16 << 20
    log = plan.write("a.log", _functions(range(1, 191), name="f"))
    return ["--list=.", "--rows=0", *_nested(plan, "root", 190, "\n" * n), log]


def list_diff_nested(plan, n):
    """The same in two versions: the n / 10 lines differ, and their places."""
    log = plan.write("a.log", _functions(range(1, 191), name="f"))
    roots = _nested(plan, "new", 190, "x=1\n" * (n // 10)) + _nested(
        plan, "old", 190, "x=2\n" * (n // 10)
    )
    return ["--list=.", "--rows=0", *roots, "--diff", log, log]


def list_diff_indented(plan, n):
    """A function of n / 40 lines in two versions, with 1,000 blanks before each line."""
    log = plan.write("a.log", _functions([1], name="f"))
    roots = [
        _nested(plan, "root%d" % k, 1, (" " * 1000 + "x=%d\n" % k) * (n // 40)) for k in (1, 2)
    ]
    return ["--list=.", "--rows=0", *roots[0], *roots[1], "--diff", log, log]


def games(plan, n):
    """A game of n clocks and n crashes, and n others, in each of which a player was lost."""
    clock = "debug: Session time: %s\tGame time: %s\tHeap: 1K / 2K\n"
    times = ["%02d:%02d:%02d" % (i // 3600, i // 60 % 60, i % 60) for i in range(2 * n + 1)]
    lost = "info: LOBBY: lost connection to P%d, waiting for them to reconnect.\n"
    text = "".join(clock % (time, time) for time in times[:n])
    text += "".join("info: Sim crashed hard in F%d(): x\n" % i for i in range(n))
    for i in range(n):
        text += clock % (times[n + i], times[0]) + lost % i + clock % (times[n + i + 1], times[1])
    return ["-v", plan.write("a.log", text)]


def mods(plan, n):
    """A game that was not recorded, with 20 n mods; they are not all named."""
    plan.output_max = 2000
    return [
        plan.write(
            "a.log",
            "info: Active mods in sim: \\000{\n"
            + "".join('info:     name="mod %d"\n' % i for i in range(20 * n)),
        )
    ]


def config_lines(plan, n):
    """A file of 3 n options, all the same, which no function fits."""
    plan.output_max = 2000
    plan.write(".supprof", "hide=x\n" * (3 * n))
    return ["-f", "csv", plan.write("a.log", names_and_ids.functions(10))]


def lua_open_functions(plan, n):
    """A source with n functions that are inside one another, and none is closed."""
    return _lua(plan, n, "function f() ")


def lua_open_tables(plan, n):
    """A source with n tables inside one another."""
    return _lua(plan, n, "x = {{")


def lua_open_parentheses(plan, n):
    """A source with n calls inside one another."""
    return _lua(plan, n, "f((")


def lua_open_blocks(plan, n):
    """A source with n blocks inside one another."""
    return _lua(plan, n, "if x then do while y do repeat ")


def lua_open_brackets(plan, n):
    """A source with n long brackets of which none is closed."""
    return _lua(plan, n, "[==[ [=[")


def lua_operators(plan, n):
    """A source with n operators in a row."""
    return _lua(plan, n, "not - # ^ .. ")


def lua_one_line(plan, n):
    """A source with n functions in one line."""
    return _lua(plan, n, "local function f() end ")


def lua_line_of_n(plan, n):
    """A source with a function in each of n lines, all of which ran."""
    plan.write("root/lua/a.lua", "".join("t[%d] = function() end\n" % i for i in range(n)))
    log = plan.write("a.log", _functions(range(1, n)))
    return ["--lua-root", plan.directory + "/root", log]


def lua_deep(plan, n):
    """A source with functions in tables 100 deep, again and again."""
    tables = "".join("x%d = {" % i for i in range(100)) + "f = function() end" + "}" * 100 + "\n"
    plan.write("root/lua/a.lua", tables * (n // 100))
    log = plan.write("a.log", _functions(range(1, n // 100)))
    return ["--lua-root", plan.directory + "/root", log]


def lua_long_name(plan, n):
    """A source with one name of many parts."""
    return _lua(plan, 1, "function a" + ".a" * n + "() end\n")


def lua_long_string(plan, n):
    """A source with a string of n lines."""
    return _lua(plan, 1, "a = '" + "\\\n" * n + "' function f() end")


def _lua(plan, n, text):
    plan.write("root/lua/a.lua", text * n + "\n")
    log = plan.write("a.log", _functions([1, 2]))
    return ["--lua-root", plan.directory + "/root", log]


def lua_files(plan, n):
    """n files of which each has a function that ran."""
    log = recording.Recording()
    for i in range(n // 20):
        plan.write("root/lua/a%d.lua" % i, "local function f()\nend\n")
        log.add("source %d @c:\\092lua\\092a%d.lua" % (i, i))
        log.function(i, i, 1, "?")
        log.site(i, i, -2)
    log.events("".join(recording.site_letters(i) + "3.3" for i in range(n // 20)))
    path = plan.write("a.log", MOUNTED + log.text())
    return ["--lua-root", plan.directory + "/root", path]


def hide_patterns(plan, n):
    """A list of n patterns for 100 functions."""
    patterns = plan.write("hide.txt", "".join("^x%d\n" % i for i in range(n)))
    return ["--hide-file", patterns, plan.write("a.log", names_and_ids.functions(100))]


def hard_pattern(plan, n):
    """A pattern that needs many steps for each of n names."""
    log = recording.Recording()
    log.add("source 1 @a.lua")
    for i in range(n):
        log.function(i, 1, i + 1, "a" * 14 + "%d" % i)
        log.site(i, i, -2)
    log.events("".join(recording.site_letters(i) + "3.3" for i in range(n)))
    return ["--focus", "(a+)+$", plan.write("a.log", log.text())]


def peek_callers(plan, n):
    """A function that is called by n functions, from n lines each once."""
    return ["--peek", "f0", plan.write("a.log", names_and_ids.callers(n))]


def gzip_line(plan, n):
    """A line of n * 1,000 bytes, compressed."""
    return [
        plan.write(
            "a.log.gz",
            "info: prof: " + "x" * (1000 * n) + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n",
        )
    ]


def gzip_members(plan, n):
    """n compressed files one after the other, all empty but the last."""
    path = plan.write("a.log.gz", "info: prof: @a.lua,1,f,2;1,0.001,t,f\n")
    with open(path, "rb") as file:
        last = file.read()
    with open(path, "wb") as file:
        file.write(gzip.compress(b"", mtime=0) * n + last)
    plan.input_bytes += 20 * n
    return [path]


def many_logs(plan, n):
    """The same log many times."""
    path = plan.write("a.log", stacks_and_threads.recursion(50) + foreign_lines.records_wide(20))
    plan.input_bytes *= n // 100
    return [path] * (n // 100)


def many_old_logs(plan, n):
    """The same, as old logs."""
    path = plan.write("a.log", stacks_and_threads.recursion(50) + foreign_lines.records_wide(20))
    plan.input_bytes *= n // 100
    return ["--diff=" + path] * (n // 100) + [path]


PLANS = {
    name.replace("_", "-"): function
    for name, function in list(globals().items())
    if inspect.isfunction(function) and function.__module__ == __name__ and name[0] != "_"
}
