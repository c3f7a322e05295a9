#!/usr/bin/env python3
"""instructions.py SUPPROF GENERATE_LOG SOURCE [--bless]: no report takes more instructions.

Instructions are counted by callgrind, so that neither the machine nor what else it does matters.
instructions.txt has what each report took when it was blessed last; a report that takes over 2 %
more is a failure. A change that needs more blesses the file with --bless, and its commit says why.
What takes over 2 % less is said: bless that, too, so that the gain is kept.

The figures are those of Debian 12's compiler and libraries. With others, or without valgrind,
nothing is counted: the test says so and ends with status 77.
"""
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 0.02
MEASURED_WITH = "gcc 12.2.0, glibc 2.36, x86_64"
REPORTS = ["top", "folded", "csv", "json", "html", "--diff"]
# The C library chooses by processor: all get what the oldest has.
OLD_PROCESSOR = "glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-BMI2,-MOVBE"


def built_with(supprof):
    """The compiler that a program's comment names, the C library and the machine."""
    comment = subprocess.run(
        ["readelf", "-p", ".comment", supprof], stdout=subprocess.PIPE, check=False
    ).stdout.decode()
    gcc = re.search(r"GCC: \([^)]*\) (\S+)", comment)
    return "gcc %s, glibc %s, %s" % (
        gcc.group(1) if gcc else "?",
        platform.libc_ver()[1],
        platform.machine(),
    )


def not_run(why):
    print("instructions: not run: " + why)
    sys.exit(77)


def count(supprof, folder, arguments):
    """Millions of instructions that a run takes."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        + [supprof, "-q", "--no-config", *arguments],
        cwd=folder,
        env=dict(os.environ, GLIBC_TUNABLES=OLD_PROCESSOR, COLUMNS="100"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    collected = re.search(rb"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or collected is None:
        sys.exit("instructions: %s failed:\n%s" % (" ".join(arguments), run.stderr.decode()))
    return int(collected.group(1)) / 1e6


def make_logs(generate_log, source, folder):
    """2 MB of delins' profiler, all stacks distinct, and a recording of 60 ticks."""
    with open(os.path.join(folder, "records.log"), "wb") as log:
        subprocess.run([generate_log, "2"], stdout=log, stderr=subprocess.DEVNULL, check=True)
    shutil.copy(
        os.path.join(source, "fixtures/game/zoo.log.gz"),
        os.path.join(folder, "recording.log.gz"),
    )
    return {"records": "records.log", "recording": "recording.log.gz"}


def measure(supprof, generate_log, source):
    figures = {}
    with tempfile.TemporaryDirectory(prefix="supprof-instructions.") as folder:
        for kind, log in make_logs(generate_log, source, folder).items():
            for report in REPORTS:
                asked = ["--diff", log] if report == "--diff" else ["-f", report]
                figures[kind, report] = count(supprof, folder, [*asked, log])
    return figures


def read_limits(path):
    limits = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            if not line.startswith("#"):
                kind, report, millions = line.split()
                limits[kind, report] = float(millions)
    return limits


def write_limits(path, figures):
    with open(path, "w", encoding="ascii") as file:
        file.write("# Millions of instructions, with %s. See instructions.py.\n" % MEASURED_WITH)
        for (kind, report), millions in figures.items():
            file.write("%-10s %-7s %8.2f\n" % (kind, report, millions))


def main():
    bless = "--bless" in sys.argv
    supprof, generate_log, source = [name for name in sys.argv[1:] if name != "--bless"]
    path = os.path.join(source, "tests/speed/instructions.txt")
    if shutil.which("valgrind") is None or shutil.which("readelf") is None:
        not_run("it needs valgrind and readelf")
    if built_with(supprof) != MEASURED_WITH:
        not_run("its limits are for %s, not %s" % (MEASURED_WITH, built_with(supprof)))
    figures = measure(supprof, generate_log, source)
    if bless:
        write_limits(path, figures)
        return
    limits = read_limits(path)
    if set(limits) != set(figures):
        sys.exit("instructions: %s does not list what is counted: bless it" % path)
    failed = 0
    for key, millions in figures.items():
        change = millions / limits[key] - 1
        word = "MORE" if change > TOLERANCE else "less, bless it" if change < -TOLERANCE else ""
        print("%-10s %-7s %8.2f M  %+5.1f %%  %s" % (*key, millions, 100 * change, word))
        failed += change > TOLERANCE
    print("instructions: %d reports, %d take over 2 %% more than before" % (len(figures), failed))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
