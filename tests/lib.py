"""What the Python tests share: counting what is checked, running supprof, and cells of its CSV.

A script in a folder of tests/ reads it with

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
    import lib
"""
import csv
import gzip
import io
import os
import re
import subprocess
import sys

SHOWN_MAX = 20
csv.field_size_limit(1 << 30)
checked = failed = 0
# The same on each machine, as in lib.sh.
os.environ.update(SUPPROF_NO_CONFIG="1", TERM="xterm", LC_ALL="C.UTF-8")
for name in ("NO_COLOR", "POSIXLY_CORRECT"):
    os.environ.pop(name, None)


def check(is_good, what):
    """Counts a check, and says what failed if it did; `what` may be a function, which is not called
    otherwise."""
    global checked, failed
    checked += 1
    if not is_good:
        failed += 1
        if failed <= SHOWN_MAX:
            print("FAILED:", str(what() if callable(what) else what)[:3000], flush=True)


def finish(things, least=1):
    """Ends the test: it has passed if nothing failed and no fewer than `least` were checked."""
    print("%d %s, %d failed" % (checked, things, failed))
    if checked < least:
        print("FAILED: fewer than %d %s" % (least, things))
    sys.exit(failed > 0 or checked < least)


class Program:
    """supprof, run with --quiet."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        """The exit status and what it prints, as bytes."""
        done = subprocess.run([self.path, "-q", *arguments], capture_output=True)
        return done.returncode, done.stdout

    def text(self, *arguments):
        """What it prints, or None where there is nothing to report."""
        status, text = self.run(*arguments)
        assert status >= 0, f"{' '.join(arguments)}: signal {-status}"
        return text.decode() if status in (0, 4) else None

    def csv(self, *arguments):
        """The rows that it prints as CSV, each a dictionary, or None."""
        text = self.text("-f", *arguments)
        return (
            None
            if text is None
            else list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
        )


def is_sampled(log):
    """Whether its ticks were chosen by chance: sums of all of them are estimates then."""
    with (gzip.open if log.endswith(".gz") else open)(log, "rb") as file:
        try:
            return b" mode=ticks " in file.read(1 << 16)
        except (EOFError, OSError):
            return False  # cut, or damaged


def plain(cell):
    """A cell without the "'" that keep a spreadsheet from running it, or a part of it."""
    sign = "[=+@＝＋－＠-]"
    cell = re.sub(f"([;\t\n\r])'(?=[ \"]*{sign})", r"\1", cell)
    return cell[1:] if re.match(f"'(\t|\r| *{sign})", cell) else cell


def nanoseconds(text):
    """'-12.345' microseconds are -12345."""
    whole, decimals = text.split(".")
    assert len(decimals) == 3, text
    return int(whole + decimals)
