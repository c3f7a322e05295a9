#!/usr/bin/env python3
"""attacks.py SUPPROF [--fifth] [KIND]...

Runs SUPPROF on logs that were made to hurt (generate.py) with the commands below, and on other
input with a command of its own (plans.py), each at N and at 2 N. Time, memory and output must
stay in proportion to the log:

- user time at 2 N at most 3 times that at N, and below 1 s + 3 s for each MB: on a machine that is
  slower at sorting, so much more;
- peak memory below 64 MB + 300 times the log;
- each output below 64 MB + 100 times the log, or below what the plan says;
- exit status 0, or another with a message that says why.

Prints a line for each kind, and its first failure. known-failures.txt lists the kinds that fail
today; a kind that is listed there and passes is a failure, too.

With --fifth, each kind meets EACH_COMMANDS and a fifth of the others, always the same ones. A kind
of LARGE_LOG_BYTES meets those of LARGE_COMMANDS in a log of that size, too, where all but the ratio
is judged; without --fifth, it meets all commands there.
"""
import concurrent.futures
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import zlib

import generate
import plans

HERE = os.path.dirname(os.path.abspath(__file__))
MB = 1 << 20
LOG_BYTES = 250_000
# Where a byte is a call, a log of this size shows which memory grows with the calls; and what takes
# a nanosecond for each function in each run.
LARGE_LOG_BYTES = {
    "one-byte-calls": 2_000_000,
    "one-byte-stacks": 2_900_000,
    "runs-of-functions": 5_000_000,
}
LARGE_COMMANDS = ("html", "diff-html", "repeated-stacks")  # these take the most memory
# The ones that keep what each function did in each tick, and each call.
EACH_COMMANDS = ("html", "trace")
PLAN_COUNT = 20_000
PROCESSES = 2
TIME_RATIO_MAX = 3
TIME_NOISE = 0.1
SECONDS_PER_MB = 3
YARDSTICK_COUNT = 200_000  # shuffled numbers that are sorted thrice,
YARDSTICK_SECONDS = 0.1  # in this user time where the limit is promised
HANG_FACTOR = 20  # beyond the limit, where a run is ended; its system time counts there, too
TRIES = 4
STATUSES = (0, 1, 2, 3, 4)

SUFFIXES = (
    "top",
    "folded",
    "csv",
    "peek",
    "speedscope.json",
    "pb.gz",
    "pb",
    "callgrind",
    "svg",
    "json",
    "md",
    "cpuprofile",
)
COMMANDS = {
    "formats": "--top 5 --peek . %s {log}" % " ".join("-o o." + s for s in SUFFIXES),
    "html": "-o o.html {log}",
    "follow": "--follow {log}",
    "ticks": "--ticks=0 -o o.ticks.csv {log}",
    "trace": "-o o.trace.json {log}",
    "card": "--tick 1 -o o.card.svg {log}",
    "card-diff": "--tick 1 -o o.card.svg --diff {log} {log}",
    "window": "--from #1 --to #1000 -o o.speedscope.json -o o.trace.json {log}",
    "chosen-ticks": "--ticks-over 1 --diff-rest {log}",
    "stacks": "--by stack --top 5 {log}",
    "all-stacks": "-v --by stack --top 0 --call-sites {log}",
    "csv-stacks": "-f csv --by stack {log}",
    "call-sites": "-f folded --call-sites {log}",
    "lines": "--by line {log} --overhead 0.2,0.3",
    "threads": "--by thread {log}",
    "mods": "--by mod {log}",
    "fold": "--fold-recursion -o o.folded -o o.speedscope.json {log}",
    "filters": "--focus . --hide [13]$ --ignore zzz --show-from f --min-pct 0.001 -f folded {log}",
    "depth": "--max-depth 50 -f folded {log}",
    "metric": "--metric calls -o o.folded -o o.svg {log}",
    "diff": "--diff {log} {log} -o o.csv -o o.folded -o o.svg -o o.top -o o.json",
    "diff-stacks": "--diff {log} --by stack {log}",
    "diff-html": "--diff {log} {log} -o o.html",
    "files-of-stacks": "--by stack --top 0 -o o.json -o o.md -o o.csv {log}",
    "repeated": "--repeated {log} {log} -o o.csv -o o.json -o o.top",
    "repeated-stacks": "--repeated --by stack --diff {log} {log} -o o.csv -o o.json -o o.svg",
    "table-of-threads": "--threads -o o.csv -o o.json -o o.md {log}",
    "list": "--list . --rows 0 {log}",
    "tree": "--tree --rows 0 {log}",
    "inverted": "--tree=. --inverted --rows 0 {log}",
    "what-if": "--what-if ./2 --what-if 1*0 -o o.ticks -o o.json {log}",
    "run": "--run 2 {log}",
    "twice": "{log} {log}",
}


class Attack:
    """A command line that attacks, the bytes that it reads, and a directory above its own."""

    def __init__(self, arguments, log_bytes, directory, most=None):
        self.arguments = arguments
        self.log_bytes = log_bytes
        self.directory = directory
        self.output_max = most if most is not None else output_max(log_bytes)


class Result:
    """What one run took."""

    def __init__(self, status, usage, outputs, errors):
        self.status = status
        self.seconds = usage.ru_utime
        self.peak_bytes = usage.ru_maxrss * 1024
        self.largest = max(outputs, key=outputs.get)
        self.output_bytes = outputs[self.largest]
        self.errors = errors


def seconds_max(log_bytes):
    return 1 + SECONDS_PER_MB * log_bytes / MB


def slowness():
    """How much longer this machine takes now than the one for which the limit is promised."""
    numbers = list(range(YARDSTICK_COUNT))
    random.Random(1).shuffle(numbers)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(3):
        sorted(numbers)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
    return max(1, seconds / YARDSTICK_SECONDS)


def output_max(log_bytes):
    return 64 * MB + 100 * log_bytes


def limit(log_bytes):
    """In the child: a run that breaks its promises must not harm the machine."""
    for what, most in (
        (resource.RLIMIT_CPU, int(HANG_FACTOR * seconds_max(log_bytes))),
        (resource.RLIMIT_AS, 4096 * MB),
        (resource.RLIMIT_FSIZE, output_max(log_bytes) + MB),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most + (what == resource.RLIMIT_CPU)))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def command_line(supprof, arguments):
    """--follow needs a terminal; of a pipe, it ends."""
    if arguments[0] != "--follow":
        return [supprof, *arguments]
    piped = "cat %s | %s --follow - 2>stderr" % (shlex.quote(arguments[1]), shlex.quote(supprof))
    return ["script", "-qec", piped, "/dev/null"]


def run(supprof, command):
    """Runs a command in a directory of its own, where it may write."""
    with tempfile.TemporaryDirectory(dir=command.directory) as directory:
        paths = [os.path.join(directory, name) for name in ("stdout", "stderr")]
        with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
            child = subprocess.Popen(
                command_line(supprof, command.arguments),
                cwd=directory,
                stdout=out,
                stderr=err,
                stdin=subprocess.DEVNULL,
                preexec_fn=lambda: limit(command.log_bytes),
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
        outputs = {
            name: os.stat(os.path.join(directory, name)).st_size for name in os.listdir(directory)
        }
        with open(paths[1], "rb") as err:
            errors = err.read(4000).decode(errors="replace")
    return Result(os.waitstatus_to_exitcode(status), usage, outputs, errors)


def judge_one(result, command):
    """Yields what is wrong with one run."""
    log_bytes = command.log_bytes
    if result.status in (-signal.SIGXCPU, -signal.SIGKILL):
        yield "ended after %.1f s for %d bytes" % (result.seconds, log_bytes)
    elif result.status not in STATUSES:
        yield "status %d: %s" % (result.status, result.errors.strip()[-300:])
    elif result.status != 0 and not result.errors.startswith("supprof: "):
        yield "status %d without a message: %s" % (result.status, result.errors[:200])
    elif "out of memory" in result.errors:
        yield "out of memory"
    elif result.seconds > seconds_max(log_bytes) and (
        result.seconds > seconds_max(log_bytes) * slowness()
    ):
        yield "%.2f s for %d bytes" % (result.seconds, log_bytes)
    if result.peak_bytes > 64 * MB + 300 * log_bytes:
        yield "peak of %.0f MB for %d bytes" % (result.peak_bytes / MB, log_bytes)
    if result.output_bytes > command.output_max or "File too large" in result.errors:
        yield "%.3f MB of %s for %d bytes%s" % (
            result.output_bytes / MB,
            result.largest,
            log_bytes,
            "; a file too large" if "File too large" in result.errors else "",
        )


def grows_too_fast(once, twice):
    return twice.seconds > TIME_RATIO_MAX * once.seconds + TIME_NOISE


def measure(supprof, once, twice):
    """Takes two attacks; returns the results and the faults."""
    results = [run(supprof, once), run(supprof, twice)]
    faults = list(judge_one(results[1], twice))
    tries = 1
    while not faults and grows_too_fast(*results) and tries < TRIES:
        results[0].seconds = max(results[0].seconds, run(supprof, once).seconds)
        results[1].seconds = min(results[1].seconds, run(supprof, twice).seconds)
        tries += 1
    if not faults and grows_too_fast(*results):
        faults.append(
            "%.2f s at %d bytes, %.2f s at %d"
            % (results[0].seconds, once.log_bytes, results[1].seconds, twice.log_bytes)
        )
    return results, faults


def count_for(kind, log_bytes=LOG_BYTES):
    """The N with which a log is as large as wanted."""
    trial = 4000
    return max(trial, trial * log_bytes // len(generate.KINDS[kind](trial)))


def write_log(path, kind, n):
    """In a child: the peak of what is started later begins with the memory of this process."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(generate.KINDS[kind](n))
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError("no log of %s for N %d" % (kind, n))


def commands_of(kind, n, directory, commands):
    """Yields, by name, the attacks of this kind."""
    os.makedirs(directory)
    if kind in plans.PLANS:
        plan = plans.Plan(directory)
        arguments = plans.PLANS[kind](plan, n)
        yield "plan", Attack(arguments, plan.input_bytes, directory, plan.output_max)
        return
    log = os.path.join(directory, "a.log")
    write_log(log, kind, n)
    for name in commands:
        words = COMMANDS[name].format(log=log).split()
        # Both parts of --diff-rest are read side by side.
        readings = words.count(log) * (2 if "--diff-rest" in words else 1)
        yield name, Attack(words, os.stat(log).st_size * readings, directory)


def read_known():
    """The kinds that are known to fail."""
    with open(os.path.join(HERE, "known-failures.txt")) as lines:
        return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def help_of(supprof):
    return subprocess.run([supprof, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()


def fifth_of(kind, commands):
    """A fifth of the commands: each kind has others, so that all kinds together have all."""
    return [
        name
        for name in commands
        if name in EACH_COMMANDS or zlib.crc32(("%s %s" % (kind, name)).encode()) % 5 == 0
    ]


def attack(task):
    """Returns what one kind came to, as lines to print, and whether that is a failure."""
    supprof, kind, commands, large_commands, is_known = task
    found, worst = [], None
    with tempfile.TemporaryDirectory(prefix="supprof-attacks-") as directory:
        n = PLAN_COUNT if kind in plans.PLANS else count_for(kind)
        pairs = zip(
            commands_of(kind, n, directory + "/n", commands),
            commands_of(kind, 2 * n, directory + "/2n", commands),
        )
        for (name, once), (_, twice) in pairs:
            results, faults = measure(supprof, once, twice)
            if worst is None or results[1].seconds > worst[1].seconds:
                worst = (*results, name)
            found += [(name, fault) for fault in faults]
            if faults:
                break
        if kind in LARGE_LOG_BYTES and not found:
            large_n = count_for(kind, LARGE_LOG_BYTES[kind])
            for name, large in commands_of(kind, large_n, directory + "/large", large_commands):
                found += [(name, fault) for fault in judge_one(run(supprof, large), large)]
    has_failed = bool(found)
    lines = [
        "%s: %s %s: %s" % ("known" if is_known else "FAILED", kind, name, fault)
        for name, fault in found
    ]
    lines.append(
        "%-24s N %7d, 2 N %8d bytes, at most %.2f s, %.2f s (%s)"
        % (kind, n, twice.log_bytes, worst[0].seconds, worst[1].seconds, worst[2])
    )
    if is_known and not has_failed:
        lines.append("FAILED: %s passes; take it out of known-failures.txt" % kind)
    return lines, has_failed != is_known


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    all_kinds = [*generate.KINDS, *plans.PLANS]
    is_fifth = "--fifth" in sys.argv
    supprof, *kinds = [word for word in sys.argv[1:] if word != "--fifth"]
    supprof, kinds = os.path.abspath(supprof), kinds or all_kinds
    commands = [name for name in COMMANDS if name != "html" or ".html" in help_of(supprof)]
    known = read_known()
    if not known <= set(all_kinds):
        sys.exit("known-failures.txt names %s, which do not exist" % (known - set(all_kinds)))
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(max_workers=PROCESSES) as pool:
        tasks = [
            (
                supprof,
                kind,
                fifth_of(kind, commands) if is_fifth else commands,
                LARGE_COMMANDS if is_fifth else commands,
                kind in known,
            )
            for kind in kinds
        ]
        for lines, is_failure in pool.map(attack, tasks):
            print("\n".join(lines), flush=True)
            failed += is_failure
    print(
        "%d kinds, %d commands, %d failed, %d known to fail"
        % (len(kinds), len(commands), failed, len(known))
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
