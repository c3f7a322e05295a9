"""cases.py SUPPROF SOURCE_DIRECTORY

The worked cases of supprof-cases(7): each display shows lines that its command prints now, in their
order ("..." stands for others), and each figure of the text stands in a display of its section, so
that none is left behind when what supprof prints changes.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

supprof, source = os.path.abspath(sys.argv[1]), sys.argv[2]
WORDS_MAX = 900
with open(os.path.join(source, "man", "supprof-cases.7")) as page:
    text = page.read()
lib.check(len(text.split()) <= WORDS_MAX, "%d words" % len(text.split()))
figure = re.compile(r"\d[\d,.]*\d|\d")


def shown(line):
    """A line of a display as a reader sees it."""
    return line.replace(r"\&", "").replace(r"\e", "\\").replace(r"\-", "-")


def run(command):
    """The lines that a command prints on a terminal as wide as a display."""
    done = subprocess.run(
        ["script", "-qec", "stty cols 75 rows 60; " + command, "/dev/null"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=os.path.join(source, "fixtures", "game"),
        env=dict(os.environ, NO_COLOR="1"),
    )
    lib.check(done.returncode == 0, "status %d: %s" % (done.returncode, command))
    return done.stdout.decode().replace("\r", "").split("\n")


def check_display(display):
    """Runs its commands; returns what the lines after them show."""
    lines = "\n".join(map(shown, display)).replace("\\\n", "").split("\n")
    rest, command = [], None
    for line in lines:
        if line.startswith("$ supprof "):
            command = line[2:]
            rest = run(command.replace("supprof", "'%s' --progress=never" % supprof, 1))
        elif line != "...":
            found = rest.index(line) if line in rest else None
            lib.check(found is not None, "%s\ndoes not print, or not here: %s" % (command, line))
            rest = rest[found + 1 :] if found is not None else rest
    return lines


for section in re.split(r"(?m)^\.Sh ", text)[3:-1]:
    prose, displays = [], []
    for i, part in enumerate(re.split(r"(?m)^\.(?:Bd -literal|Ed)\n", section)):
        if i % 2:
            displays += check_display(part.splitlines())
        else:
            prose += figure.findall(part)
    lib.check(len(displays) > 5, "no displays: %.50s" % section)
    known = set(figure.findall("\n".join(displays)))
    for number in prose:
        lib.check(number in known, "%.50s: %s is in no display" % (section, number))
lib.finish("lines and figures", 60)
