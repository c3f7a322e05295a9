"""joined-lines.py SUPPROF LOG.gz [PAIRS [SEED]]

Takes a part out of a recording, so that the beginning of one line and the end of another stand as
one line: at PAIRS chosen pairs of places, or (0) at every 97th byte with every 97th behind it. Such
damage costs only itself: what is left takes no longer than the whole recording, and no tick longer
than the two longest ticks together, since half of one and half of another may have become one.
The recorder's own calls are of the whole: who made a call may be among what was cut out.
"""
import csv
import gzip
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

STEP = 97
NOTHING_FOUND = 3


def column(path, name):
    with open(path, encoding="utf-8", newline="") as file:
        return [float(row[name]) for row in csv.DictReader(file)]


def measure(supprof, log, folder):
    """Returns the self time of all functions and the times of the ticks, longest first; in us."""
    functions = os.path.join(folder, "functions.csv")
    ticks = os.path.join(folder, "all.ticks.csv")
    done = subprocess.run(
        [supprof, "-q", "--overhead=off", "-", "-o", functions, "-o", ticks],
        input=log,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode == NOTHING_FOUND:
        return 0, [0]
    if done.returncode != 0:
        sys.exit(f"joined-lines.py: exit status {done.returncode}: {done.stderr.decode()}")
    times = sorted(column(ticks, "time_us"), reverse=True)
    return sum(column(functions, "self_us")), times or [0]


def choose(size, pairs, seed):
    places = range(STEP, size, STEP)
    if pairs == 0:
        return itertools.combinations(places, 2)
    chosen = random.Random(seed)
    return (sorted(chosen.sample(places, 2)) for _ in range(pairs))


def main():
    supprof, path = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with gzip.open(path) as file:
        log = file.read()
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        with_recorder = re.sub(rb" calibrator=\d+", b"", log)
        if with_recorder == log:
            sys.exit("joined-lines.py: the recording does not name the recorder's calls")
        whole_us, whole_ticks = measure(supprof, with_recorder, folder)
        longest_us = sum(whole_ticks[:2])
        for start, end in choose(len(log), pairs, seed):
            total_us, ticks = measure(supprof, log[:start] + log[end:], folder)
            count += 1
            if total_us > whole_us * 1.01 + 1 or ticks[0] > longest_us * 1.01 + 1:
                print(
                    f"FAILED: without bytes {start} to {end}: {total_us:.0f} us of {whole_us:.0f}, "
                    f"longest tick {ticks[0]:.0f} of {longest_us:.0f}"
                )
                failed += 1
    print(f"{count} pairs, {failed} failed")
    sys.exit(failed > 0 or count == 0)


main()
