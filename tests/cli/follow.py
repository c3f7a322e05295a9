#!/usr/bin/env python3
"""follow.py SUPPROF FIXTURES

--follow on a pseudo-terminal: a file that grows and a pipe, keys, sizes, the end of the recording,
a log that is cut short or replaced, Ctrl-C, signals and Ctrl-Z, the state of the terminal after
each way out, and the time of the processor while nothing comes. What the screen shows last is
compared with the report of the same bytes.
"""
import fcntl
import gzip
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib
from lib import check

SUPPROF, FIXTURES = sys.argv[1:]
LINES = gzip.open(os.path.join(FIXTURES, "recorded-spikes.log.gz")).read().splitlines(True)
PATIENCE = 180  # long: a deadline is for what never comes
BEGIN, END = b"\x1b[?1049h", b"\x1b[?1049l"


class Terminal:
    """A run of supprof on a terminal of its own."""

    def __init__(self, arguments, rows=24, columns=110, stdin=None, term="xterm"):
        self.shown = self.seen = b""  # what came last, and what came before that
        self.status = None
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            # Waits until the size is known.
            sys.stdin.buffer.raw.readline()
            if stdin is not None:
                os.dup2(stdin, 0)
            os.environ["TERM"] = term
            os.environ.pop("NO_COLOR", None)
            os.execv(SUPPROF, ["supprof"] + arguments)
        self.resize(rows, columns)
        self.mode = termios.tcgetattr(self.file)
        os.write(self.file, b"\n")

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Reads what is shown; returns whether the program still has the terminal."""
        if select.select([self.file], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.file, 65536)
            except OSError:
                return False
        return True

    def frame(self):
        """The lines of the last whole screen."""
        frames = [f for f in self.shown.split(b"\x1b[H")[1:] if b"\x1b[J" in f]
        if not frames:
            return [""]
        text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", frames[-1].split(b"\x1b[J")[0])
        return re.split("\r+\n", text.decode())

    def wait_until(self, is_so, what):
        """Waits until something is so, while what is shown is read."""
        end = time.time() + PATIENCE
        while time.time() < end:
            if is_so():
                return
            if not self.read(0.1):
                break
        check(is_so(), "%s: %r" % (what, self.shown[-3000:]))

    def wait_for(self, what):
        """Waits until the screen has a line that matches."""
        self.wait_until(
            lambda: any(re.search(what, line) for line in self.frame()), what + ": not shown"
        )

    def wait_for_report(self, path, options=()):
        """Waits until the screen shows all of a log: what is written at once may be read in
        parts."""
        end = time.time() + PATIENCE
        while differences(self, path, options) and time.time() < end and self.read(0.5):
            pass
        for difference in differences(self, path, options):
            check(False, difference)

    def press(self, key):
        os.write(self.file, key)

    def end(self):
        """Waits for the end of the program; returns what it printed after the screen."""
        end = time.time() + PATIENCE
        while time.time() < end and self.read(0.5):
            pass
        if time.time() >= end:
            os.kill(self.pid, signal.SIGKILL)
            check(False, "it does not end: %r" % self.shown[-2000:])
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        text = self.shown.rpartition(END)[2].decode()
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")

    def check_restored(self, what):
        """The last words: cursor, lines, screen. The keys are those of the terminal before."""
        check(BEGIN in self.seen + self.shown, what + ": no screen")
        check(self.shown.rfind(END) > self.shown.rfind(BEGIN), what + ": the screen stays")
        check(self.shown.rfind(b"\x1b[?25h") > self.shown.rfind(b"\x1b[?25l"), what + ": cursor")
        check(self.shown.rfind(b"\x1b[?7h") > self.shown.rfind(b"\x1b[?7l"), what + ": lines")


class Log:
    """A log that grows."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "wb", buffering=0)
        self.line = 0

    def write(self, part):
        """Writes on, up to this part of all lines."""
        end = int(len(LINES) * part)
        self.file.write(b"".join(LINES[self.line : end]))
        self.line = end


def differences(run, path, options=()):
    """Where a screen does not have the lines of the report of the log on such a terminal; one line
    is for what the program does, and one for the keys."""
    frame = run.frame()
    report = Terminal(["-q", *options, path], rows=run.rows - 1, columns=run.columns).end()
    wanted = report[1:].splitlines()  # the terminal shows the key that began it
    found = []
    if len(wanted) < 8:
        found.append("no report: %s" % report)
    for shown, line in zip(frame[1:-1], wanted):
        if shown != line:
            found.append("shown %r, the report has %r" % (shown, line))
    if len(frame) - 2 != min(len(wanted), run.rows - 2):
        found.append("%d lines, the report has %d" % (len(frame) - 2, len(wanted)))
    return found


def last_tick(path):
    csv = subprocess.run([SUPPROF, "-q", "-f", "ticks-csv", path], capture_output=True).stdout
    titles = csv.decode().splitlines()[0].split(",")
    return int(csv.decode().splitlines()[-1].split(",")[titles.index("tick")])


def calls_of(log, part):
    """The calls that the screen shows of the first part of all lines."""
    path = log.path + ".part"
    Log(path).write(part)
    done = subprocess.run([SUPPROF, "-q", "--top=1", path], capture_output=True)
    os.unlink(path)
    return int(re.search(r"([\d,]+) calls of", done.stdout.decode())[1].replace(",", ""))


def processor_seconds(pid):
    fields = open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wakeups(pid):
    """How often the threads of a process waited for something."""
    directory = "/proc/%d/task" % pid
    text = "".join(
        open(os.path.join(directory, task, "status")).read() for task in os.listdir(directory)
    )
    return sum(map(int, re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", text, re.MULTILINE)))


def test_growing_file(directory):
    log = Log(os.path.join(directory, "grow.log"))
    run = Terminal(["--follow", log.path])
    # Before the first event, it says how to begin.
    run.wait_for("^Ctrl-Shift-O .the mod., or SimLua StartProfiler\\(\\) in the console")
    check(run.frame()[1] == "grow.log: no call yet", "an empty log: %s" % run.frame())
    log.write(0.5)
    run.wait_for(": [0-9]+ ticks")
    check(
        not any("StartProfiler" in line for line in run.frame()), "it has begun: %s" % run.frame()
    )
    run.wait_for("^Waiting for more")
    run.wait_for("BuildThreatMap +tests/spikes.lua:77")
    # The cost while nothing comes: it looks 4 times a second, and does next to nothing.
    run.wait_for_report(log.path)
    before, woken, start = processor_seconds(run.pid), wakeups(run.pid), time.time()
    while time.time() < start + 3:
        run.read(0.2)
    used, woken, passed = (
        processor_seconds(run.pid) - before,
        wakeups(run.pid) - woken,
        time.time() - start,
    )
    check(used <= 0.1 * passed, "%.2f s of the processor in %.1f s of nothing" % (used, passed))
    check(0 < woken <= 8 * passed, "woken %d times in %.1f s of nothing" % (woken, passed))
    log.write(0.8)
    run.wait_for_report(log.path)
    # Each size, at once.
    for rows, columns in ((12, 60), (5, 20), (2, 9), (1, 4), (50, 200), (24, 80)):
        run.seen += run.shown
        run.shown = b""
        run.resize(rows, columns)
        run.wait_for("w")
        run.wait_until(
            lambda: len(run.frame()) <= rows and max(map(len, run.frame())) <= columns,
            "larger than %d x %d" % (rows, columns),
        )
    # On a small one, titles and the first rows are there all the same.
    run.resize(20, 40)
    run.wait_for("^ *self%")
    run.wait_for("BuildThreatMap")
    # The last 10 seconds are a window of the same log, and then all again.
    run.resize(40, 100)
    run.press(b"w")
    run.wait_for("; the last 10 seconds")
    run.wait_for_report(log.path, ["--from=#%d" % (last_tick(log.path) - 99)])
    run.wait_for("grow.log: 100 ticks")
    run.press(b"w")
    run.wait_for("^w: last 10 seconds")
    run.wait_for_report(log.path)
    # The recording ends, and so does the program; the report stays.
    log.write(1)
    printed = run.end()
    check(run.status == 0, "status %s" % run.status)
    check("grow.log: the recording has ended" in printed, "end: %s" % printed)
    check(
        "grow.log: 201 ticks" in printed and "Lua took 767.036 ms" in printed,
        "no report: %s" % printed,
    )
    run.check_restored("end of the recording")


def test_window_of_ten_seconds(directory):
    """The window forgets what is older than 10 seconds of game time."""
    log = Log(os.path.join(directory, "window.log"))
    log.write(0.3)
    run = Terminal(["--follow", "--top", "3", log.path])
    run.wait_for("^Waiting for more")
    for part in (0.5, 0.75, 0.98):
        ticks = re.search(r": (\d+) ticks", run.frame()[1])[1]
        log.write(part)
        run.wait_for(": (?!%s )[0-9]+ ticks" % ticks)
    run.press(b"w")
    run.wait_for(": 100 ticks")
    check(len([line for line in run.frame() if ".lua" in line]) <= 3, "--top: %s" % run.frame())
    run.press(b"q")
    printed = run.end()
    check(run.status == 0 and "has ended" not in printed, "q: %s %s" % (run.status, printed))
    check("... and" in printed, "no report: %s" % printed)
    run.check_restored("q")


def test_pipe(directory):
    """Each line of a slow pipe is seen as it comes; keys come from the terminal all the same."""
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    out = os.path.join(directory, "out.csv")
    run = Terminal(["--follow", "-o", out, "--top", "5"], stdin=reading)
    os.close(reading)
    end = next(i for i, line in enumerate(LINES) if b" events " in line) + 1
    os.write(writing, b"".join(LINES[:end]))
    run.wait_for("[1-9]\\d* calls? of ")
    calls = 0
    for i in range(end, end + 600):
        os.write(writing, LINES[i])
        if b" events " in LINES[i]:
            calls += 1
        if calls == 2:
            break
    seen = re.search(r"([\d,]+) calls? of", run.frame()[1])[1]
    run.wait_for(": .* (?!%s )[0-9,]+ calls? of" % seen)
    run.press(b"w")
    run.wait_for("; (the last 10 seconds|all: it has no ticks)")
    run.press(b"q")
    printed = run.end()
    os.close(writing)
    check(run.status == 0 and "wrote " + out in re.sub(r"\n *", " ", printed), "pipe: %s" % printed)
    check(os.path.getsize(out) > 100, "no csv")
    run.check_restored("pipe")


def test_end_of_pipe(directory):
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    run = Terminal(["--follow", "-"], stdin=reading)
    os.close(reading)
    with os.fdopen(writing, "wb") as file:
        file.write(b"".join(LINES[: len(LINES) // 2]))
    printed = run.end()
    check(run.status == 0 and "standard input: " in printed, "end of a pipe: %s" % printed)
    run.check_restored("end of a pipe")


def test_other_file(directory):
    """A log that is cut short, and then one that takes its name: the new one is followed."""
    log = Log(os.path.join(directory, "other.log"))
    log.write(0.5)
    run = Terminal(["--follow", log.path])
    run.wait_for("^Waiting for more")
    calls, more, least = (calls_of(log, part) for part in (0.5, 0.25, 0.4))
    run.wait_for(": .* %s calls of" % format(calls, ","))
    log.file.truncate(0)
    log.file.seek(0)
    log.line = 0
    log.write(0.25)
    run.wait_for(": .* %s calls of" % format(more, ","))
    other = Log(log.path + ".new")
    other.write(0.4)
    os.rename(other.path, log.path)
    run.wait_for(": .* %s calls of" % format(least, ","))
    run.press(b"q")
    printed = re.sub(r"\n +", " ", run.end())
    check(
        "other.log: has become shorter; reading it from its start" in printed,
        "shorter: %s" % printed,
    )
    check("other.log: is another file now; reading that one" in printed, "replaced: %s" % printed)
    check(
        run.status == 0 and "%s calls of" % format(least, ",") in printed, "the last: %s" % printed
    )


def test_pipe_takes_the_name(directory):
    """A pipe with the log's name is not opened, which would wait for its writer: keys work."""
    log = Log(os.path.join(directory, "pipe.log"))
    log.write(0.5)
    run = Terminal(["--follow", log.path])
    run.wait_for("^Waiting for more")
    os.unlink(log.path)
    os.mkfifo(log.path)
    run.press(b"q")
    run.end()
    check(run.status == 1, "a pipe with the log's name: status %d" % run.status)


def test_records(directory):
    """Records of delins' profiler have no ticks: their last seconds are not known."""
    path = os.path.join(FIXTURES, "recursion.log")
    run = Terminal(["--follow", path], rows=30)
    run.wait_for_report(path)
    run.press(b"w")
    run.wait_for("; all: it has no ticks")
    run.wait_for_report(path)
    run.press(b"q")
    run.end()
    check(run.status == 0, "records: %s" % run.status)


def test_watch(directory):
    """A watched game that goes on: the slow ticks until now, as they come."""
    lines = gzip.open(os.path.join(FIXTURES, "watched-causes.log.gz")).read().splitlines(True)
    first = [i for i, line in enumerate(lines) if b" slow 40 " in line][0]
    path = os.path.join(directory, "watched.log")
    log = open(path, "wb", buffering=0)
    log.write(b"".join(lines[: first - 1]))
    run = Terminal(["--follow", path])
    run.wait_for("Watched: 2 of 30 ticks over 60 ms. #30 .*99% PlatoonThread")
    log.write(b"".join(line for line in lines[first - 1 :] if b" $5 s1 " in line))
    run.wait_for("Watched: 6 of 3,00. ticks over 60 ms")
    run.wait_for("Units: the median tick took")
    run.press(b"q")
    printed = run.end()
    check(run.status == 0 and "#700 (1:10.0)" in printed, "a watch: %s" % printed)


def test_cut_ends(directory):
    """A line that is being written is not damaged, and of a compressed log what can be read is
    shown."""
    path = os.path.join(directory, "half.log")
    open(path, "wb").write(b"".join(LINES[: len(LINES) // 2]) + b"info: prof: @x.lua,1,f,2")
    run = Terminal(["--follow", path])
    run.wait_for("^Waiting for more.*MB read\\)$")
    open(path, "ab").write(b"\n")
    run.wait_for("MB read, 1 damaged")
    run.press(b"q")
    run.end()
    path = os.path.join(directory, "half.log.gz")
    text = gzip.compress(b"".join(LINES))
    open(path, "wb").write(text[: len(text) // 2])
    run = Terminal(["--follow", path])
    run.wait_for("BuildThreatMap")
    run.press(b"q")
    run.end()


def test_ended_recording(directory):
    """If the recording had ended before, the next one is waited for, and its end is the end."""
    log = Log(os.path.join(directory, "ended.log"))
    log.write(1)
    run = Terminal(["--follow", log.path])
    run.wait_for("The recording has ended; waiting for another")
    log.line = 0
    again = [line.replace(b"$s1 ", b"$s2 ") for line in LINES]
    log.file.write(b"".join(again))
    printed = run.end()
    check(
        run.status == 0 and "of 2 recordings" in printed.replace("\n  ", " "),
        "two recordings: %s" % printed,
    )


def test_page_and_time_line(directory):
    """Both need a reading of their own; only the first one follows the log."""
    log = Log(os.path.join(directory, "twice.log"))
    log.write(0.5)
    outputs = [os.path.join(directory, "twice." + suffix) for suffix in ("html", "trace.json")]
    run = Terminal(["--follow", log.path, "-o", outputs[0], "-o", outputs[1]])
    run.wait_for("^Waiting for more")
    run.press(b"q")
    printed = run.end()
    check(run.status == 0 and run.shown.count(BEGIN) == 1, "two readings: %s" % run.status)
    for name in outputs:
        check(os.path.exists(name), "%s is not written: %s" % (name, printed))


def test_signals(directory):
    log = Log(os.path.join(directory, "signals.log"))
    log.write(0.5)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        run = Terminal(["--follow", log.path])
        run.wait_for("^Waiting for more")
        run.press(b"\x03") if number == signal.SIGINT else os.kill(run.pid, number)
        printed = run.end()
        name = signal.Signals(number).name
        check(
            run.status == (0 if number == signal.SIGINT else -number), "%s: %s" % (name, run.status)
        )
        check(("Lua took" in printed) == (number == signal.SIGINT), "%s: %s" % (name, printed))
        run.check_restored(name)
    # Ctrl-Z leaves the screen, and fg brings it back.
    run = Terminal(["--follow", log.path])
    run.wait_for("^Waiting for more")
    flags = termios.tcgetattr(run.file)[3]
    check(flags & termios.ICANON == 0 and flags & termios.ECHO == 0, "the mode of keys")
    # Nothing but the handler stops it: the system ignores SIGTSTP without a shell.
    os.kill(run.pid, signal.SIGTSTP)
    end = time.time() + PATIENCE
    while os.waitpid(run.pid, os.WUNTRACED | os.WNOHANG)[0] == 0 and time.time() < end:
        run.read(0.05)
    run.wait_until(lambda: run.shown.rfind(END) > run.shown.rfind(BEGIN), "the screen stays")
    run.check_restored("Ctrl-Z")
    flags = termios.tcgetattr(run.file)[3]
    check(flags & termios.ICANON and flags & termios.ECHO, "the mode of the shell")
    os.kill(run.pid, signal.SIGCONT)
    run.wait_until(lambda: run.shown.rfind(BEGIN) > run.shown.rfind(END), "no screen after fg")
    run.wait_until(lambda: b"Waiting" in run.shown.rpartition(BEGIN)[2], "it is empty after fg")
    run.press(b"q")
    run.end()
    run.check_restored("q after Ctrl-Z")


def test_refusals(directory):
    """Where there is no screen, and options that are about a whole log."""
    log = os.path.join(directory, "refused.log")
    open(log, "wb").write(b"".join(LINES))
    done = subprocess.run([SUPPROF, "--follow", log], capture_output=True)
    check(
        done.returncode == 2 and b"needs a terminal" in done.stderr, "no terminal: %s" % done.stderr
    )
    for arguments, term, what in (
        (["--follow", log], "dumb", "needs a terminal"),
        (["--follow", "-"], "xterm", "keys from the terminal"),
        (["--follow", log, log], "xterm", "shows one log"),
        (["--follow", "--focus", "x", log], "xterm", "use --focus when"),
        (["--follow", "--by=mod", log], "xterm", "use --by when"),
    ):
        run = Terminal(arguments, term=term)
        run.end()
        shown = re.sub(r"\s+", " ", run.shown.decode())
        check(run.status == 2 and what in shown, "%s: %s" % (arguments, shown))
        check(BEGIN not in run.shown, "%s: a screen" % arguments)
    run = Terminal(["--follow", os.path.join(directory, "nothing.log")])
    run.end()
    check(run.status == 1 and BEGIN not in run.shown, "no log: %s" % run.shown)


def test_hostile_names(directory):
    """Names reach the screen without escape sequences."""
    path = os.path.join(directory, "hostile\x1b[31m.log")
    names = open(os.path.join(FIXTURES, "hostile-names.log"), "rb").read()
    open(path, "wb").write(names)
    run = Terminal(["--follow", path], rows=40, columns=150)
    run.wait_for("^Waiting for more")
    allowed = rb"\x1b\[(H|K|J|0m|1m|2m|31m|35m|\?1049h|\?25l|\?7l)"
    rest = re.sub(allowed, b"", run.shown)
    check(b"\x1b" not in rest and b"\x07" not in rest, "escape sequences: %r" % rest)
    check(b" [31mred" in rest and b"hostile [31m.log" in rest, "no hostile name: %r" % rest)
    run.press(b"q")
    run.end()


with tempfile.TemporaryDirectory() as temporary:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            before = time.time()
            try:
                test(temporary)
            except Exception:
                check(False, "%s: %s" % (name, traceback.format_exc()))
            print("%-28s %4.1f s" % (name, time.time() - before))
lib.finish("checks")
