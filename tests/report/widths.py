"""widths.py SUPPROF FIXTURES

On terminals of 24 lines and 40 to 200 columns, no line of a report is wider than the terminal, and
reports that are cut to it leave a line for the next command. All reports of some logs.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

SIZES = (24, 40), (24, 60), (24, 80), (40, 120), (24, 200)
# Those that show all rows by themselves may be higher.
FITS = "", "--ticks", "--by=file", "--by=mod", "--by=line", "--by=stack", "--by=thread", "--threads"
SCROLLS = "--peek=(?i)[bt]", "--list=(?i)[bt]", "--tree", "--tree --inverted"
LOGS = (
    "recorded-spikes.log.gz",
    "small-float.log.gz",
    "game/session.log.gz",
    "hostile-names.log",
    "wide-names.log",
)
# The records of delins' profiler have neither; of the third log, no thread waits.
WITHOUT = {"--ticks": (LOGS[1], LOGS[3], LOGS[4]), "--threads": LOGS[1:]}
OF_SEVERAL = (
    "--diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz",
    "--ticks --diff recorded-lua51-midgame.log.gz recorded-midgame.log.gz",
    "--list=. --diff compared-old.log compared-new.log",
    "--repeated --diff compared-old.log compared-old.log compared-new.log compared-new.log",
    "--repeated recorded-midgame.log.gz recorded-lua51-midgame.log.gz",
    "--what-if BuildThreatMap/2 recorded-spikes.log.gz",
    "--diff-rest --ticks-over 100 recorded-spikes.log.gz",
)


def on_terminal(arguments, lines, columns):
    """The lines that supprof prints on a terminal of this size; standard error is not one."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    run = subprocess.Popen(
        [sys.argv[1], "-q", "--color=never", *arguments], stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 65536):
            text += piece
    except OSError:  # Linux, at the end
        pass
    os.close(ours)
    run.wait()
    return text.decode().replace("\r\n", "\n").split("\n")[:-1]


def width(line):
    wide = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line)
    return wide - sum(unicodedata.combining(c) != 0 for c in line)


def check(arguments, fits):
    for lines, columns in SIZES:
        shown = on_terminal(arguments, lines, columns)
        what = "%s at %dx%d" % (" ".join(arguments), lines, columns)
        lib.check(shown, f"{what}: nothing")
        widest = max(shown, key=width, default="")
        lib.check(width(widest) <= columns, f"{what}: {width(widest)} columns: {widest!r}")
        # At 40 columns the sentences alone may be higher.
        lib.check(not fits or len(shown) < lines or columns < 60, f"{what}: {len(shown)} lines")


os.chdir(sys.argv[2])
for log in LOGS:
    for options in FITS + SCROLLS:
        if log not in WITHOUT.get(options, ()):
            check(options.split() + [log], options in FITS)
for options in OF_SEVERAL:
    check(options.split(), False)
lib.finish("lines of reports", 500)
