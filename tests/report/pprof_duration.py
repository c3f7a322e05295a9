"""pprof_duration.py SUPPROF FIXTURES

The duration of a pprof file (profile.proto, field 10) is the real time: Lua's time is that percent
of it which the headline says. Where it says that this makes no game slow, it is less than a
percent; where it says no real time, there is no duration.
"""
import gzip
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

DURATION = 10
program = lib.Program(sys.argv[1])


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def duration_ns(data):
    """Reads the fields of the message: numbers, and others with their length."""
    at, found = 0, None
    while at < len(data):
        key, at = number(data, at)
        value, at = number(data, at)
        if key & 7 == 2:
            at += value
        elif key >> 3 == DURATION:
            found = value
    return found


def check_log(path, arguments):
    report = json.loads(program.text("-f", "json", *arguments, path))
    headline = " ".join(report["headline"])
    said = re.search(r"([0-9]+)% of the real time", headline)
    is_little = re.search(r" of [0-9]+ s: it does not make", headline) is not None
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "o.pb")
        program.run("-o", out, *arguments, path)
        with gzip.open(out) as file:
            found = duration_ns(file.read())
    percent = 100 * report["profile"]["total_ns"] / (found or 1)
    if said is not None:
        lib.check(abs(percent - int(said[1])) <= 0.51, f"{path}: {percent}% {said[0]}")
    elif is_little:
        lib.check(found is not None and percent < 1, f"{path}: {percent}% {headline}")
    else:
        lib.check(found is None, f"{path} {arguments}: {found} ns, and no real time")


def main():
    fixtures = sys.argv[2]
    for name in ("share-of-real-time.log", "lines-not-known.log", "recorded-spikes.log.gz"):
        check_log(os.path.join(fixtures, name), ())
    check_log(os.path.join(fixtures, "share-of-real-time.log"), ("--from", "#2"))
    lib.finish("durations", 4)


main()
