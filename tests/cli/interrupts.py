#!/usr/bin/env python3
"""interrupts.py SUPPROF FIXTURES

Ctrl-C (SIGINT) while a log is read: the first one ends the reading, and the report is that of a
log which ends there; the second one ends the program, and so does the first where the result is
about whole logs, or where nothing is read.
"""
import fcntl
import gzip
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib
from lib import check

SUPPROF, FIXTURES = sys.argv[1:]
LOG = gzip.open(os.path.join(FIXTURES, "recorded-spikes.log.gz")).read()
CUT = len(LOG) // 2


def sleeps(process):
    """Whether all threads of the process wait. One that ends meanwhile did not wait."""
    directory = "/proc/%d/task" % process.pid
    try:
        return all(
            open(os.path.join(directory, task, "stat")).read().rpartition(")")[2].split()[0] == "S"
            for task in os.listdir(directory)
        )
    except OSError:
        return False


def wait_until_it_waits(process):
    """Waits until the process has read all that was written into its pipe."""
    calm = 0
    end = time.monotonic() + 120
    while time.monotonic() < end:
        calm = calm + 1 if sleeps(process) else 0
        if calm == 20:
            return
        time.sleep(0.005)
    check(False, "the process does not wait")


def start(arguments, **how):
    return subprocess.Popen(
        [SUPPROF] + arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **how
    )


def interrupt(arguments, data, count=1, **how):
    """Returns status, standard output and standard error of a run that is interrupted in a pipe."""
    with start(arguments, **how) as process:
        process.stdin.write(data)
        process.stdin.flush()
        wait_until_it_waits(process)
        for _ in range(count):
            process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        err = process.stderr.read().decode()
        return process.wait(), out, err


def run(arguments, data):
    done = subprocess.run([SUPPROF] + arguments, input=data, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


for data, name in ((LOG[:CUT], "a recording"), (gzip.compress(LOG)[:90000], "gzip")):
    status, out, err = interrupt(["-f", "csv", "-"], data)
    expected = run(["-q", "-f", "csv", "-"], data)
    check(status == 0, "%s: status %d" % (name, status))
    check("Ctrl-C ended the reading of standard input after " in err, "%s: %s" % (name, err))
    check("too early" not in err, "%s: %s" % (name, err))
    check(len(out) > 500, "%s: nothing was reported" % name)
    # Without SIGINT, cut gzip hands out the same bytes, but is a failure.
    check(out == expected[1], "%s: another report than of a log that ends there" % name)

# A pipe that holds as much as is read at once: more is expected before a part of it is used.
READ_BYTES = 256 * 1024
compressor = zlib.compressobj(9, zlib.DEFLATED, 31, 9, zlib.Z_HUFFMAN_ONLY)
data = (compressor.compress(LOG * 4) + compressor.flush())[:READ_BYTES]
check(len(data) == READ_BYTES, "a log of %d bytes is too short" % len(data))
reading_end, writing_end = os.pipe()
fcntl.fcntl(writing_end, fcntl.F_SETPIPE_SZ, 4 * READ_BYTES)
os.write(writing_end, data)
with subprocess.Popen(
    [SUPPROF, "-f", "csv", "-"], stdin=reading_end, stdout=subprocess.PIPE, stderr=subprocess.PIPE
) as process:
    wait_until_it_waits(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    check(process.returncode == 0 and b"too early" not in err, "a full read: %s" % err)
    check(out == run(["-q", "-f", "csv", "-"], data)[1], "a part of a full read is lost")
os.close(reading_end)
os.close(writing_end)

status, out, err = interrupt(["-f", "csv", "-"], b"no profile\n" * 100)
check(status == 3 and "profiler lines" in err, "nothing read: %d %s" % (status, err))

for option in (
    ["--strict"],
    ["--fail-if", "total>1s"],
    ["--diff", "/dev/null"],
    ["--repeated", os.path.join(FIXTURES, "one-record.log")],
):
    status, out, err = interrupt(option + ["-"], LOG[:CUT])
    check(status == -signal.SIGINT and out == b"", "%s: %d %s" % (option, status, err))

# A caller that ignores the signal (nohup, a job in the background) keeps ignoring it.
with start(
    ["-f", "csv", "-"], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
) as process:
    process.stdin.write(LOG[:CUT])
    process.stdin.flush()
    wait_until_it_waits(process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    out, err = process.communicate(LOG[CUT:])
    check(process.returncode == 0 and b"Ctrl-C" not in err, "an ignored signal")
    check(out == run(["-f", "csv", "-"], LOG)[1], "an ignored signal ends the reading")

# The next log is not read, and the message says so. Opening a pipe without a writer can be ended.
with tempfile.TemporaryDirectory() as directory:
    pipe = os.path.join(directory, "pipe")
    os.mkfifo(pipe)
    with start(["-", pipe]) as process:
        process.stdin.write(LOG)
        process.stdin.flush()
        wait_until_it_waits(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        check(
            process.returncode == 0 and b"not read: 1 more log" in err.replace(b"\n  ", b" "),
            "two logs: %s" % err,
        )
    # The second one, while the report waits for the reader of a pipe, leaves no file.
    old = os.path.join(directory, "old.csv")
    with open(old, "w") as file:
        file.write("old")
    out_pipe = os.path.join(directory, "out")
    os.mkfifo(out_pipe)
    with start(["-o", old, "-f", "csv", "-o", out_pipe, "-"]) as process:
        process.stdin.write(LOG)
        process.stdin.flush()
        wait_until_it_waits(process)
        process.send_signal(signal.SIGINT)
        wait_until_it_waits(process)
        check(process.poll() is None, "the first one ended the program")
        process.send_signal(signal.SIGINT)
        process.communicate()
        check(process.returncode == -signal.SIGINT, "the second one: %s" % process.returncode)
        check(sorted(os.listdir(directory)) == ["old.csv", "out", "pipe"], "files are left")

# For a page beside a time line a log is read twice: both would be of other parts of it.
with tempfile.TemporaryDirectory() as directory:
    log = os.path.join(directory, "long.log")
    with open(log, "wb") as file:
        file.write(LOG * 20)
    statuses = set()
    for delay in range(12):
        arguments = ["-o", "a.trace.json", "-o", "a.html", "--progress=always", log]
        with start(arguments, cwd=directory) as process:
            # It reads.
            begun = process.stderr.read(1)
            time.sleep(delay * 0.01)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
            statuses.add(process.returncode)
        check(process.returncode in (0, -signal.SIGINT), "two readings: %s" % err)
        check(begun and b"Ctrl-C" not in err, "two readings: %s" % err)
    check(-signal.SIGINT in statuses, "two readings: no signal came in time")

# Logs that are read side by side all end, and the report is of those before the first that was cut.
# The last one is a pipe that never ends, so that the signal always comes before the end.
with tempfile.TemporaryDirectory() as directory:
    logs = [os.path.join(directory, "%d.log" % i) for i in range(4)]
    for i, path in enumerate(logs):
        with open(path, "wb") as file:
            file.write(LOG * (i + 2))
    whole = {n: run(["-q", "-f", "csv"] + logs[:n], b"")[1] for n in range(1, 5)}
    ends = set()
    for delay in range(60):
        with start(["-f", "csv"] + logs + ["-"]) as process:
            time.sleep(delay * 0.002)
            process.send_signal(signal.SIGINT)
            out = process.stdout.read()
            err = process.stderr.read()
            process.wait()
        said = " ".join(err.decode().split())
        if process.returncode == -signal.SIGINT:
            check(out == b"", "the program ended in the middle of a report")
            continue
        left = re.search(r"not read: (\d) more log", said)
        count = 5 - (int(left.group(1)) if left else 0)
        ends.add(count)
        nothing = 3 if "0.log after 0.0 MB" in said else 0
        check(process.returncode in (0, nothing), "several: %d %s" % (process.returncode, said))
        check("Ctrl-C ended the reading" in said, "several logs: %s" % said)
        if "ended the reading after" in said:
            check(out == whole[count], "the report is not of %d logs: %s" % (count, said))
        if count == 5:
            check(out == whole[4], "the report is not of the logs before the pipe: %s" % said)
    check(ends, "the signal always came before the program could catch it")

lib.finish("checks")
