#!/usr/bin/env python3
"""table.py BUILD: how fast supprof is, in one table.

BUILD is a folder of the preset check, with supprof, the programs of this folder, and
tests/sim_host. What is compared takes turns, and medians are compared, so that whatever else the
machine does meets both. Files are in the page cache; they are made in a folder below TMPDIR, which
needs room for 6 GB. The third column is the goal on two idle cores; to miss it is no failure. With
--size=3 logs have 3 % of their size: that takes a minute, and such figures are only a trial of this
script.

With --before=BINARY, or a commit, which is built, an older supprof takes its turns, too. A line
then ends with what the older program takes for the whole run, divided by what this one takes: wall
time, or CPU time or memory where the line is about those. So the table shows what changed, also on
a machine that is slower than the one that the goals are for.
"""
import argparse
import contextlib
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests", "attacks"))
from recording import Recording, site_letters  # noqa: E402

ROUNDS = 5
WRITERS = [
    "speedscope",
    "svg",
    "callgrind",
    "csv --by=stack",
    "pprof",
    "cpuprofile",
    "top --by=stack",
    "json",
    "folded",
    "html",
    "markdown",
]


class Failure(Exception):
    """A command failed; the text says which and how."""


def compared(run, measure):
    """What the older program took for a run, divided by what this one took."""
    if run is None or "older" not in run:
        return ""
    older = run["older"]
    if isinstance(older, str):
        return "before: " + older
    return "before: %.2f times" % (older[measure] / run[measure])


def row(what, figure, unit, goal=None, run=None, measure="seconds"):
    """A line of the table; `goal` is the most that the figure may be, or the least if negative.
    The older program is compared by its `run`."""
    wanted = ""
    if goal is not None:
        is_met = figure <= goal if goal > 0 else figure >= -goal
        wanted = "%s %g%s" % (
            "at most" if goal > 0 else "at least",
            abs(goal),
            "" if is_met else ", MISSED",
        )
    line = "%-44s %10.2f %-18s %-21s %s" % (what, figure, unit, wanted, compared(run, measure))
    print(line.rstrip(), flush=True)


def not_given(what, how):
    print("%-44s %10s %s" % (what, "not given", how), flush=True)


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.supprof = os.path.join(options.build, "supprof")
        self.measure = os.path.join(options.build, "tests/bench/measure")
        self.share = options.size / 100

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, feed=None, **more):
        """Runs a command and reads what it prints. Returns its seconds, CPU seconds and largest
        resident set in MB; with a file to `feed`, the seconds from the end of the file on."""
        start = time.monotonic()
        child = subprocess.Popen(
            [self.measure, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
            **more
        )
        if feed is not None:
            # A program that ends early tells why by its status.
            with open(feed, "rb") as file, contextlib.suppress(BrokenPipeError), child.stdin:
                shutil.copyfileobj(file, child.stdin, 1 << 20)
            start = time.monotonic()
        while child.stdout.read(1 << 20):
            pass
        after = time.monotonic() - start
        messages = child.stderr.read().decode("utf-8", "replace")
        if child.wait() != 0:
            raise Failure("this failed: %s\n%s" % (" ".join(command), messages))
        seconds, peak_kb, cpu = messages.splitlines()[-1].split()
        return {
            "seconds": float(seconds) if feed is None else after,
            "cpu": float(cpu),
            "MB": int(peak_kb) * 1024 / 1e6,
        }

    def turns(self, commands, rounds=ROUNDS, feed=None):
        """Runs commands in turn, and the older program at the turn of each of ours; returns the
        medians of each. The member "older" has the medians of the older program, or a text if it
        failed: it may not know an option."""
        runs = [[] for _ in commands]
        older = [[] for _ in commands]
        for _ in range(rounds):
            for command, done, older_done in zip(commands, runs, older):
                done.append(self.run(command, feed))
                if command[0] == self.supprof and self.options.before:
                    older_done.append(self.run_older(command, feed))
        medians = [self.medians(done) for done in runs]
        for one, older_done in zip(medians, older):
            if older_done:
                failed = [run for run in older_done if isinstance(run, str)]
                one["older"] = failed[0] if failed else self.medians(older_done)
        return medians

    @staticmethod
    def medians(runs):
        return {key: statistics.median(run[key] for run in runs) for key in runs[0]}

    def run_older(self, command, feed):
        try:
            return self.run([self.options.before, *command[1:]], feed)
        except Failure as failure:
            return "fails, " + str(failure).splitlines()[1].split(" (")[0]

    def report(self, log, *arguments):
        return [self.supprof, "-q", "--progress=never", *arguments, log]

    def grep(self, log):
        return ["env", "LC_ALL=C", "grep", "-c", "prof: ", log]

    # Logs

    def make_records(self, name, megabytes):
        with open(self.path(name), "wb") as log:
            made = subprocess.run(
                [
                    os.path.join(self.options.build, "tests/bench/generate_log"),
                    str(max(1, round(megabytes))),
                ],
                stdout=log,
                stderr=subprocess.PIPE,
                check=True,
            )
        return self.path(name), int(re.search(rb"stacks (\d+)", made.stderr).group(1))

    def make_short_stacks(self, count):
        """Records of three functions each, all different."""
        width = round(count ** (1 / 3))
        last = ["@a.lua,%d,h,4;1,0.001,t,f\n" % (i + 1) for i in range(width)]
        with open(self.path("short-stacks.log"), "w", encoding="ascii") as log:
            for first in range(width):
                for second in range(width):
                    start = "info: prof: @b.lua,%d,f,2;@c.lua,%d,g,3;" % (first + 1, second + 1)
                    log.write(start + start.join(last))
        return log.name, width**3

    def make_run(self, name, ticks, *settings):
        """Records a number of ticks in the sim host. Returns the log and its number of events."""
        profiler = self.path("profiler.lua")
        with open(os.path.join(SOURCE, "profiler.lua"), encoding="utf-8") as file:
            text = file.read().replace("\n    from = 60,", "\n    from = false,")
        with open(profiler, "w", encoding="utf-8") as file:
            file.write(text)
        command = [
            os.path.join(self.options.build, "tests/sim_host"),
            "--workload",
            os.path.join(SOURCE, "tests/recorder/workload.lua"),
        ]
        for setting in settings:
            command += ["--set", setting]
        command += [
            "--ticks",
            str(ticks + 20),
            "--log",
            self.path(name),
            "--profiler",
            profiler,
            "--command",
            "10=StartProfiler()",
            "--command",
            "%d=StopProfiler()" % (10 + ticks),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return self.path(name), self.count_events(self.path(name))

    @staticmethod
    def count_events(log):
        with open(log, encoding="latin-1") as file:
            return sum(int(count) for count in re.findall(r" end .*events=(\d+)", file.read()))

    def make_many(self, name, log, copies):
        with open(log, "rb") as file:
            text = file.read()
        with open(self.path(name), "wb") as file:
            for _ in range(copies):
                file.write(text)
        return self.path(name)

    def make_deep(self, depth):
        """One function that calls itself."""
        log = Recording()
        log.add("source 1 @a.lua")
        log.add("thread 0 main")
        log.function(0, 1, 1, "f")
        log.site(0, 0, -2)
        log.site(1, 0, 5)
        log.events("A1")
        for _ in range(depth // 1000):
            log.events("B1" * 1000)
        with open(self.path("deep.log"), "w", encoding="ascii") as file:
            file.write(log.text())
        return file.name

    def make_wide(self, count):
        """A recording of calls that have a stack each: of two functions out of many."""
        width = int(count**0.5)
        log = Recording()
        log.add("source 1 @a.lua")
        log.add("thread 0 main")
        for i in range(width):
            log.function(i, 1, i + 1, "f%d" % i)
            log.site(2 * i, i, -2)
            log.site(2 * i + 1, i, 5)
        calls = [site_letters(2 * i + 1) + "1.1" for i in range(width)]
        for i in range(width):
            log.events(site_letters(2 * i) + "1")
            for from_call in range(0, width, 500):
                log.events("".join(calls[from_call : from_call + 500]))
            log.events(".1")
        with open(self.path("wide.log"), "w", encoding="ascii") as file:
            file.write(log.text())
        return file.name, width * width

    # The parts of the table

    def records(self):
        log, stacks = self.make_records("records.log", 1000 * self.share)
        size = os.path.getsize(log)
        subprocess.run(["gzip", "-1", "-k", log], check=True)
        print("\nRecords: %.0f MB, %d stacks" % (size / 1e6, stacks))
        grep, top, packed = self.turns(
            [self.grep(log), self.report(log, "--top=50"), self.report(log + ".gz", "--top=50")]
        )
        row("supprof --top=50", size / 1e9 / top["seconds"], "GB/s")
        row("  against grep -c", top["seconds"] / grep["seconds"], "times", 2.5, top)
        tail = self.turns([[self.supprof, "-q", "--top=50", "-"]], feed=log)[0]
        row(
            "  after the last byte was read",
            100 * tail["seconds"] / top["seconds"],
            "% of the time",
            5,
            tail,
        )
        row("  gzip against plain", packed["seconds"] / top["seconds"], "times", 2.5, packed)
        row("  memory", (top["MB"] - 8) * 1e6 / stacks, "bytes a stack", None, top, "MB")
        self.writers(log)
        self.records_peers(log)
        os.remove(log)
        os.remove(log + ".gz")

    def writers(self, log):
        commands = [self.report(log, "--top=3")]
        for writer in WRITERS:
            name, *more = writer.split()
            commands.append(self.report(log, "-f", name, *more))
        reading, *written = self.turns(commands, 3)
        print("Writers: CPU time beyond that of --top=3")
        row("  --top=3", reading["cpu"], "s", None, reading, "cpu")
        for writer, one in zip(WRITERS, written):
            row(
                "  " + writer,
                max(0, one["cpu"] / reading["cpu"] - 1),
                "times reading",
                1,
                one,
                "cpu",
            )

    def short_stacks(self):
        log, stacks = self.make_short_stacks(10e6 * self.share)
        print("\nShort records: %.0f MB, %d stacks" % (os.path.getsize(log) / 1e6, stacks))
        grep, top = self.turns([self.grep(log), self.report(log, "--top=50")], 3)
        row("supprof --top=50 against grep -c", top["seconds"] / grep["seconds"], "times", 5, top)
        row("  time", top["seconds"], "s")
        row("  memory", (top["MB"] - 8) * 1e6 / stacks, "bytes a stack", 60, top, "MB")
        os.remove(log)

    def recordings(self):
        long_run, events = self.make_run(
            "long.log", max(100, round(20000 * self.share)), "THREADS=5", "ERRORS=0"
        )
        short_run, short_events = self.make_run("short.log", 200)
        copies = max(2, round(100 * self.share))
        short_runs = self.make_many("short-runs.log", short_run, copies)
        five = self.make_many("five.log", short_run, 5)
        print("\nRecordings")
        one, many, summary = self.turns(
            [
                self.report(long_run, "--top=20"),
                self.report(short_runs, "--top=20"),
                self.report(five, "--top=20"),
            ]
        )
        rate = events / 1e6 / one["seconds"]
        row(
            "one long run, %.1f million events" % (events / 1e6),
            rate,
            "million events/s",
            -135,
            one,
        )
        row(
            "%d short runs, %.1f million events" % (copies, short_events * copies / 1e6),
            short_events * copies / 1e6 / many["seconds"],
            "million events/s",
            -75,
            many,
        )
        row(
            "%.1f million events summarised" % (short_events * 5 / 1e6),
            summary["seconds"],
            "s",
            0.11,
            summary,
        )
        some, every = self.turns(
            [self.report(long_run, "--ticks"), self.report(long_run, "--ticks=0")], 3
        )
        row("--ticks=0 against --ticks, memory", every["MB"] / some["MB"], "times", 2)
        row("  memory of --ticks=0", every["MB"], "MB", None, every, "MB")
        row("  time of --ticks=0", every["seconds"], "s", None, every)
        row("  time of --ticks", some["seconds"], "s", None, some)
        self.recordings_peer(rate)

    def large_trees(self):
        deep = self.make_deep(max(1000, round(1e6 * self.share)))
        top = self.turns([self.report(deep, "--top=3")], 3)[0]
        row("a stack 1 million deep", top["seconds"], "s", 1.8, top)
        row("  memory", top["MB"], "MB", 560, top, "MB")
        wide, stacks = self.make_wide(9.3e6 * self.share)
        top = self.turns([self.report(wide, "--top=3")], 3)[0]
        row(
            "a recording with %.1f million stacks, CPU" % (stacks / 1e6),
            top["cpu"],
            "s",
            6,
            top,
            "cpu",
        )
        row("  memory", top["MB"], "MB", 1100, top, "MB")

    # Peers

    def records_peers(self, log):
        print("Peers, on the same log")
        folded, profile = self.path("x.folded"), self.path("x.pb.gz")
        self.run(self.report(log, "-o", folded, "-o", profile))
        self.peer(
            "flamegraph.pl of our folded stacks",
            self.report(log, "-f", "svg"),
            self.options.flamegraph and ["perl", self.options.flamegraph, folded],
            "--flamegraph=FILE",
        )
        self.peer(
            "go tool pprof -top of our file",
            self.report(log, "-f", "pprof"),
            shutil.which("go") and ["go", "tool", "pprof", "-top", profile],
            "Go is not installed",
        )
        print("Peers, on a log of a tenth of that size")
        tenth, _ = self.make_records("tenth.log", 100 * self.share)
        self.peer(
            "delins' converter, to folded stacks",
            self.report(tenth, "-f", "folded"),
            self.options.converter
            and [
                sys.executable,
                "-m",
                "supcom_profiler_converter.bin.main",
                "-o",
                self.path("converted"),
                tenth,
            ],
            "--converter=FOLDER",
            cwd=self.options.converter,
        )
        speedscope = self.path("x.speedscope.json")
        self.run(self.report(tenth, "-o", speedscope))
        self.peer(
            "speedscope opens our file",
            self.report(tenth, "-f", "speedscope"),
            self.options.speedscope
            and ["node", os.path.join(SOURCE, "tests/consumers/speedscope.mjs"), speedscope],
            "--speedscope, with the variables of tests/consumers",
        )
        for made in (folded, profile, tenth, speedscope):
            os.remove(made)

    def peer(self, what, ours, theirs, how, **more):
        if not theirs:
            not_given("  " + what, how)
            return
        mine, other = self.run(ours), self.run(theirs, **more)
        row(
            "  %s: %.1f s" % (what, other["seconds"]),
            other["seconds"] / mine["seconds"],
            "times our %.1f s" % mine["seconds"],
        )

    def recordings_peer(self, our_rate):
        """uftrace on a C program: its events a second."""
        if not shutil.which("uftrace"):
            not_given("uftrace report", "uftrace is not installed")
            return
        calls = round(1e7 * self.share)
        program, trace = self.path("calls"), self.path("trace")
        subprocess.run(
            [
                "cc",
                "-O1",
                "-pg",
                "-fno-inline",
                "-o",
                program,
                os.path.join(SOURCE, "tests/bench/calls.c"),
            ],
            check=True,
        )
        subprocess.run(
            ["uftrace", "record", "--no-libcall", "-d", trace, program, str(calls)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        rate = 2 * calls / 1e6 / self.run(["uftrace", "report", "-d", trace])["seconds"]
        row("uftrace report", rate, "million events/s")
        row("  supprof against it", our_rate / rate, "times as fast")


def build_commit(commit, folder):
    """Builds a commit as a release, and returns the path of its supprof."""
    os.mkdir(folder)
    archive = subprocess.run(
        ["git", "-C", SOURCE, "archive", "--format=tar", commit], stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    for step in (["--preset", "release"], ["--build", "--preset", "release"]):
        subprocess.run(["cmake", *step], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return os.path.join(folder, "build/release/supprof")


def is_commit(name):
    command = ["git", "-C", SOURCE, "rev-parse", "--verify", "--quiet", name + "^{commit}"]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--before", help="an older supprof, or a commit, to compare with")
    parser.add_argument("--size", type=float, default=100, help="percent (100)")
    parser.add_argument("--converter", help="folder of delins' converter, in Python")
    parser.add_argument("--flamegraph", help="flamegraph.pl")
    parser.add_argument("--speedscope", action="store_true", help="open our file in Chromium")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    if options.before and not is_commit(options.before):
        options.before = os.path.abspath(options.before)
        if not os.access(options.before, os.X_OK):
            parser.error("--before: neither a program nor a commit: " + options.before)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    start = time.monotonic()
    print("%d CPUs, load %.1f; medians" % (os.cpu_count(), os.getloadavg()[0]))
    if options.before:
        print(
            "before: what %s takes for the same run, divided by what this supprof takes"
            % options.before
        )
    with tempfile.TemporaryDirectory(prefix="supprof-bench.") as folder:
        if options.before and not os.path.isabs(options.before):
            options.before = build_commit(options.before, os.path.join(folder, "before"))
        bench = Bench(options, folder)
        try:
            bench.records()
            bench.short_stacks()
            bench.recordings()
            bench.large_trees()
        except Failure as failure:
            sys.exit(failure)
    print("\n%.0f minutes" % ((time.monotonic() - start) / 60))


if __name__ == "__main__":
    main()
