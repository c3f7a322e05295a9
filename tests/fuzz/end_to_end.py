#!/usr/bin/env python3
"""end_to_end.py SUPPROF [--sanitized SUPPROF] [--first SEED] [--count N] [--seconds N] [--save DIR]
   end_to_end.py SUPPROF [--sanitized SUPPROF] --replay CASE...

Runs SUPPROF as a user does, on mutated logs with random options, one case for each seed, and
checks what must hold whatever the input is:

- exit status 0 to 4, a message with each but 0, no sanitizer's, none that is cut or not text;
- user time, peak memory and output in proportion to the logs;
- what was written can be read, nothing else was written, and nothing after a usage error;
- the same bytes again, from a build with sanitizers (--sanitized), and of each output alone as of
  all together;
- a log compared with itself has no difference, and all tables of it have the same time.

With --has-sanitizers the first program is such a build, of which time and memory say nothing.
A finding is printed with the command that repeats it, made smaller and saved as a case in DIR.
Exit status 1 if there were any.
"""
import argparse
import collections
import os
import re
import shutil
import sys
import tempfile
import time

import launcher

MB = 1 << 20
EXIT_STATUSES = (0, 1, 2, 3, 4)
SANITIZER = re.compile(rb"Sanitizer|runtime error:|Assertion .* failed")
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "TERM": "xterm",
    "LC_ALL": "C",
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


class Finding(Exception):
    """What does not hold; `kind` is one word, by which findings are compared."""

    def __init__(self, kind, detail):
        super().__init__("%s: %s" % (kind, detail))
        self.kind = kind


class Run:
    """One run of the program: how it ended and all that it wrote, by name."""

    def __init__(self, ended, files, command):
        self.ended = ended
        self.files = files
        self.command = command

    @property
    def errors(self):
        return self.files["stderr"]


class Runner:
    def __init__(self, starter, options, directory):
        self.starter = starter
        self.program = options.program
        self.has_sanitizers = options.has_sanitizers
        self.sanitized = options.sanitized
        self.count = 0
        self.formats = {}  # the suffixes of each; see read_help()
        self.options = {}  # whether each takes a value
        self.statuses = collections.Counter()
        self.directory = directory

    def run(self, case, arguments=None, is_sanitized=False):
        """Runs a case, or its files with other arguments, in a new directory."""
        self.count += 1
        directory = os.path.join(self.directory, "case")
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory + "/out")
        for name, data in case.files.items():
            os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
            with open(os.path.join(directory, name), "wb") as file:
                file.write(data)
        most = 64 * MB + 100 * case.log_bytes
        limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": most + MB, "RLIMIT_CPU": 240}
        if not is_sanitized and not self.has_sanitizers:
            limits["RLIMIT_AS"] = 1024 * MB + 400 * case.log_bytes
        command = [self.sanitized if is_sanitized else self.program]
        command += case.arguments if arguments is None else arguments
        ended = self.starter.run(
            command,
            directory,
            os.path.join(directory, case.stdin) if case.stdin else "/dev/null",
            directory + "/out/stdout",
            directory + "/out/stderr",
            limits,
            1200,
            ENVIRONMENT,
        )
        self.statuses[ended.status] += 1
        return Run(ended, self._collect(directory, case), command)

    @staticmethod
    def _collect(directory, case):
        """All files that were written, and those that should not have been, as `changed NAME`."""
        files = {}
        for root, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(root, name)
                short = os.path.relpath(path, directory)
                with open(path, "rb") as file:
                    data = file.read()
                if short.startswith("out/"):
                    files[short[4:]] = data
                elif case.files.get(short) != data:
                    files["changed " + short] = data
        return files


def check_end(run):
    ended = run.ended
    if ended.is_hanging:
        raise Finding("hang", "it did not end")
    if SANITIZER.search(run.errors):
        found = SANITIZER.search(run.errors)
        line = run.errors[run.errors.rfind(b"\n", 0, found.start()) + 1 : found.end() + 150]
        raise Finding("sanitizer", line.decode(errors="replace"))
    if ended.status not in EXIT_STATUSES:
        raise Finding(
            "status", "%d: %s" % (ended.status, run.errors[-300:].decode(errors="replace"))
        )
    if ended.status != 0 and b"supprof: " not in run.errors:
        raise Finding("message", "status %d without a message" % ended.status)
    for word in (b"out of memory", b"File too large", b"Cannot allocate"):
        if word in run.errors:
            raise Finding("limit", run.errors[:300].decode(errors="replace"))


def check_limits(case, run):
    written = max(map(len, run.files.values()))
    if run.ended.seconds > 2 + 10 * case.log_bytes / MB:
        raise Finding("time", "%.1f s for %d bytes" % (run.ended.seconds, case.log_bytes))
    if run.ended.peak_bytes > 64 * MB + 300 * case.log_bytes:
        raise Finding("memory", "%d MB for %d bytes" % (run.ended.peak_bytes // MB, case.log_bytes))
    if written > 64 * MB + 100 * case.log_bytes:
        raise Finding("output", "%d MB for %d bytes" % (written // MB, case.log_bytes))


def format_of_stdout(case):
    """The format on standard output as far as the arguments tell, or None."""
    at = case.arguments
    if "-f" not in at or "-o" in at or {"--help", "--version"} & set(at):
        return None
    return at[at.index("-f") + 1]


def check_written(case, run):
    wanted = {name[4:] for name in case.outputs()}
    others = set(run.files) - wanted - {"stdout", "stderr"}
    if others:
        raise Finding("left", "files that no option names: %s" % ", ".join(sorted(others)))
    if run.ended.status in (2, 3) and (wanted & set(run.files) or run.files["stdout"]):
        raise Finding("left", "output with status %d" % run.ended.status)
    has_all = wanted <= set(run.files)
    if run.ended.status == 0 and not has_all and not {"--help", "--version"} & set(case.arguments):
        raise Finding("missing", "not written: %s" % ", ".join(sorted(wanted - set(run.files))))
    if (
        re.search(
            "[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]", run.errors.decode("utf-8", "surrogateescape")
        )
        or "\ufffd" in run.errors.decode("utf-8", "replace")
        and "\ufffd".encode() not in run.errors
    ):
        raise Finding("message", "not text: %r" % run.errors[:300])


def check_readable(case, run, formats):
    texts = [
        (name.partition(".")[2], run.files[name[4:]])
        for name in case.outputs()
        if name[4:] in run.files
    ]
    if run.files["stdout"] and format_of_stdout(case) in formats:
        texts.append((formats[format_of_stdout(case)][0], run.files["stdout"]))
    for suffix, data in texts:
        try:
            outputs.READERS[suffix](data)
        except (
            ValueError,
            KeyError,
            TypeError,
            EOFError,
            OSError,
            outputs.csv.Error,
            outputs.xml.parsers.expat.ExpatError,
        ) as error:
            raise Finding(
                "unreadable-" + suffix, "%s: %s" % (type(error).__name__, error)
            ) from None


def check_same(one, other, what):
    names = set(one.files) | set(other.files)
    if "--progress=always" in one.command:  # how often it is shown is a matter of time
        names.discard("stderr")
    for name in sorted(names):
        if one.files.get(name) != other.files.get(name):
            raise Finding("differs", "%s: %s" % (what, name))
    if one.ended.status != other.ended.status:
        raise Finding(
            "differs", "%s: status %d and %d" % (what, one.ended.status, other.ended.status)
        )


def is_table_wanted(case):
    return any(re.match("--(top|ticks|peek)|-f|-$", word) for word in case.arguments)


def check_alone(runner, case, run):
    """Each output has the same bytes without the others."""
    names = case.outputs()
    if len(names) < 2 or run.ended.status != 0 or is_table_wanted(case):
        return
    for name in names:
        arguments = list(case.arguments)
        for other in names:
            if other != name:
                at = arguments.index(other)
                del arguments[at - 1 : at + 1]
        alone = runner.run(case, arguments)
        check_end(alone)
        if alone.ended.status == 2:  # an option has no effect on this format
            continue
        if alone.files.get(name[4:]) != run.files.get(name[4:]):
            raise Finding("alone", "%s differs from that of %s" % (name, " ".join(arguments)))


def times_of(data):
    """The sum of self_us of a CSV file, in nanoseconds."""
    rows = outputs.read_csv(data)
    at = rows[0].index("self_us")
    return sum(int(row[at].replace(".", "")) for row in rows[1:])


def logs_of(case):
    return [word for word in case.arguments if re.fullmatch(r"\d\.log(\.gz)?", word)]


def check_sums(runner, case):
    """All tables of a log have the same time."""
    sums = {}
    for by in ("function", "stack", "file", "mod"):
        run = runner.run(case, ["-f", "csv", "--by=" + by, *logs_of(case)[:1]])
        check_end(run)
        if run.ended.status != 0:
            return
        sums[by] = times_of(run.files["stdout"])
    if len(set(sums.values())) > 1:
        raise Finding("sums", "self times differ: %s" % sums)


def check_itself(runner, case):
    """A log compared with itself has no differences."""
    for by in ("function", "stack"):
        log = logs_of(case)[0]
        run = runner.run(case, ["-f", "csv", "--by=" + by, "--diff", log, log])
        check_end(run)
        if run.ended.status != 0:
            return
        rows = outputs.read_csv(run.files["stdout"])
        for at, name in enumerate(rows[0]):
            if not re.fullmatch("diff_.*", name):
                continue
            for row in rows[1:]:
                if row[at] and float(row[at]) != 0:
                    raise Finding("itself", "%s is %s: %.200s" % (name, row[at], row))


def check_case(runner, case, depth):
    """Runs a case and raises a Finding. `depth` chooses, by its remainders, the costly checks."""
    run = runner.run(case)
    check_end(run)
    if not runner.has_sanitizers:
        check_limits(case, run)
    check_written(case, run)
    check_readable(case, run, runner.formats)
    if runner.sanitized:
        sanitized = runner.run(case, is_sanitized=True)
        check_end(sanitized)
        check_same(run, sanitized, "with sanitizers")
    if depth % 4 == 0:
        check_same(run, runner.run(case), "again")
    if depth % 4 == 1:
        check_alone(runner, case, run)
    if depth % 8 == 2 and logs_of(case):
        check_sums(runner, case)
    if depth % 8 == 6 and logs_of(case):
        check_itself(runner, case)


def without_usage_errors(runner, case, seed):
    """Drops the options that a usage error names, of most cases: they say little else."""
    for _ in range(8 if seed % 16 else 0):
        run = runner.run(case)
        named = re.match(rb"supprof: .*?(--[a-z-]+)", run.errors)
        if run.ended.status != 2 or not named:
            break
        kept = [word for word in case.arguments if word.split("=")[0] != named.group(1).decode()]
        if kept == case.arguments:
            break
        case = Case(case.files, kept, case.stdin, case.log_bytes)
    return case


def find(runner, case, depth):
    try:
        check_case(runner, case, depth)
    except Finding as finding:
        return finding
    return None


def smaller_cases(case):
    """Yields cases with less in them, the largest steps first."""
    for name in case.files:
        if name != case.stdin and name not in case.arguments:
            yield case.arguments, {
                other: data for other, data in case.files.items() if other != name
            }
    for i, word in enumerate(case.arguments):
        drop = 2 if word in ("-o", "-f", "--diff") else 1
        yield case.arguments[:i] + case.arguments[i + drop :], case.files
    for name, data in case.files.items():
        lines = data.splitlines(keepends=True)
        for parts in (
            lines,
            [data[i : i + 1] for i in range(len(data))] if len(data) < 3000 else [],
        ):
            size = len(parts) // 2
            while size >= 1 and len(parts) // size <= 400:
                for at in range(0, len(parts), size):
                    yield case.arguments, {
                        **case.files,
                        name: b"".join(parts[:at] + parts[at + size :]),
                    }
                size //= 2


def make_smaller(runner, case, finding, depth, seconds=20):
    """Drops what the finding does not need."""
    end = time.monotonic() + seconds
    is_shrinking = True
    while is_shrinking and time.monotonic() < end:
        is_shrinking = False
        for arguments, files in smaller_cases(case):
            if time.monotonic() > end:
                break
            smaller = Case(files, arguments, case.stdin)
            again = find(runner, smaller, depth)
            if again is not None and again.kind == finding.kind:
                case, is_shrinking = smaller, True
                break
    return case


def report(runner, options, case, finding, seed):
    print("FINDING %s" % finding)
    sanitized = " --sanitized %s" % options.sanitized if options.sanitized else ""
    print(
        "  repeat: python3 %s %s%s --first %d --count 1"
        % (os.path.relpath(__file__), options.program, sanitized, seed)
    )
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        is_new = sum(name.startswith(finding.kind + "-") for name in os.listdir(options.save)) < 3
        smaller = make_smaller(runner, case, finding, seed) if is_new else case
        path = os.path.join(options.save, "%s-%d.case" % (finding.kind, seed))
        smaller.save(path)
        print("  saved: %s: supprof %s" % (path, " ".join(smaller.arguments)))
    sys.stdout.flush()


def read_help(runner):
    """Sets what the program says that it can do: its formats with their suffixes, and options."""
    text = runner.run(Case({}, ["--help"])).files["stdout"].decode()
    for name, value in re.findall(r"^ +(?:-[a-zA-Z], )?(--[a-z-]+)(\[?=)?", text, re.M):
        runner.options[name] = bool(value)
    for name, suffixes in re.findall(r"^  ([a-z-]+) .*\((\..*)\)$", text, re.M):
        runner.formats[name] = re.findall(r"\.([a-z.]+)(?= |$)", suffixes)
    unread = [
        suffix for all in runner.formats.values() for suffix in all if suffix not in outputs.READERS
    ]
    if unread or len(runner.formats) < 12 or len(runner.options) < 30:
        sys.exit("the fuzzer cannot read %s; add it to outputs.py" % ", ".join(unread))


def replay(runner, paths):
    findings = 0
    for path in paths:
        case = Case.load(path)
        for depth in (0, 1, 2, 6):
            finding = find(runner, case, depth)
            if finding is not None:
                print("FINDING %s: %s" % (path, finding))
                findings += 1
                break
    print("%d cases replayed, %d findings" % (len(paths), findings))
    return findings


def fuzz(runner, options):
    fixtures = mutate.load_fixtures()
    start, seed, findings = time.monotonic(), options.first, 0
    while (options.count is None or seed < options.first + options.count) and (
        options.seconds is None or time.monotonic() < start + options.seconds
    ):
        case = mutate.Mutator(seed, fixtures).case(runner.formats, runner.options)
        case = without_usage_errors(runner, case, seed)
        finding = find(runner, case, seed)
        if finding is not None:
            report(runner, options, case, finding, seed)
            findings += 1
        seed += 1
    print(
        "%d cases from seed %d in %.0f s, %d runs (%s), %d findings"
        % (
            seed - options.first,
            options.first,
            time.monotonic() - start,
            runner.count,
            ", ".join(
                "%d of status %d" % (count, status)
                for status, count in sorted(runner.statuses.items())
            ),
            findings,
        )
    )
    return findings


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--sanitized", type=os.path.abspath)
    parser.add_argument("--has-sanitizers", action="store_true")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--save")
    parser.add_argument("--replay", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="supprof-fuzz-") as directory:
        runner = Runner(starter, options, directory)
        read_help(runner)
        findings = replay(runner, options.replay) if options.replay else fuzz(runner, options)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    starter = launcher.Launcher()
    import mutate
    import outputs
    from mutate import Case

    main()
