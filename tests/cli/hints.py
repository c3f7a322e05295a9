"""hints.py SUPPROF FIXTURES

What a line ends with works: an option to add is added, an option to use stands alone, and both show
something. It is not given already. All logs of the fixtures, with some reports.
"""
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

REPORTS = "", "--by=mod", "--by=line", "--threads", "--ticks", "--tree", "--slow-over=1", "--peek=."
GIVEN = "--sort errors", "--columns noise,self,calls"
WITH_VALUE = " DIR", " 'DIR'"  # the user says which


def run(arguments):
    """Its status, and what it printed."""
    done = subprocess.run([sys.argv[1], *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def check_log(log):
    """Returns what was tried, and what failed."""
    tried = []
    for report in REPORTS:
        arguments = [log, *report.split()]
        for verb, hint in re.findall(r"^.*  ?(add|use) (--.*)$", run(arguments)[1], re.MULTILINE):
            if not hint.endswith(WITH_VALUE):
                added = shlex.split(hint)
                status, text = run([*arguments, *added] if verb == "add" else [log, *added])
                tried.append((status in (0, 1), f"{log} {report}: {verb} {hint}: {status} {text}"))
    for given in GIVEN:
        is_shown = re.search(f"add {given}$", run([log, *given.split()])[1], re.MULTILINE)
        tried.append((not is_shown, f"{log} {given}: add {given}"))
    return tried


os.chdir(sys.argv[2])
logs = sorted(glob.glob("*.log") + glob.glob("*.log.gz") + glob.glob("game/*.log.gz"))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for log, tried in zip(logs, pool.map(check_log, logs)):
        for is_good, what in tried:
            lib.check(is_good, what[:300])
lib.finish("hints", 300)
