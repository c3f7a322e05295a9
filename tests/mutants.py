"""mutants.py SOURCE_DIRECTORY [--seed N] [--count N] [--all] [--folder FOLDER_OR_FILE]

Which tests see a fault: makes small changes of the C sources, chosen from a seed (a comparison
turned, a constant off by one, a branch or a call left out), builds all of them into one program,
where SUPPROF_MUTANT=N makes the N-th happen, and runs the tests of the group quick with each that
get to its line, the shortest first. A line says which test failed first, or which did with --all;
what none has seen needs one. By hand: a change that nobody sees takes up to as long as the group.
The copy is in build/mutants.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

# The first line of each changed file, and what the program has once: whether the change of a number
# happens in this run. SUPPROF_REACHED is a file, to which go the numbers asked for.
PREAMBLE = "extern int is_mutant(int number);\n#line 1\n"
IS_MUTANT = r"""
#include <stdio.h>
#include <stdlib.h>
extern int is_mutant(int number);
int is_mutant(int number)
{
    static int now = -1;
    static char is_known[10000];
    if (now < 0) {
        const char *text = getenv("SUPPROF_MUTANT");
        now = text != NULL ? atoi(text) : 0;
    }
    const char *path = is_known[number] ? NULL : getenv("SUPPROF_REACHED");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    is_known[number] = 1;
    if (file != NULL) {
        fprintf(file, "%d\n", number);
        fclose(file);
    }
    return now == number;
}
"""
HOME = "src/base/mem.c"
TURNED = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
}
# A changed program of root may replace a device by a file.
KEEPS_DEVICES = [
    "unshare",
    "-m",
    "sh",
    "-c",
    'mount --rbind /dev /dev && mount -o remount,ro,bind /dev && exec "$@"',
    "sh",
]
CONDITION = re.compile(r"^(\s+(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)$")
VALUE = re.compile(r"^(\s+(?:return |[a-z_.>\[\]-]+ [-+*/|&]?= ))([^{}\"']*)(;)$")
CALL = re.compile(r"^(\s+)([a-z_]+\(.*\);)$")
RELEASE = re.compile(r"(\w+_)?(free|release)\(")


def is_balanced(text):
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def turn_one(expression, chosen):
    """The expression with one comparison turned, or None."""
    found = list(re.finditer(r"(?<= )(<=?|>=?|[!=]=|&&|\|\|)(?= )", expression))
    if not found or '"' in expression or "'" in expression:
        return None
    at = chosen.choice(found)
    return expression[: at.start()] + TURNED[at.group()] + expression[at.end() :]


def shift_one(expression, chosen):
    """The expression with one constant one higher, or None."""
    found = list(re.finditer(r"(?<![\w.\"'])\d+(?![\w.])", expression))
    if not found or '"' in expression or "'" in expression:
        return None
    at = chosen.choice(found)
    return expression[: at.start()] + str(int(at.group()) + 1) + expression[at.end() :]


def change(line, number, kind, chosen):
    """The line where the change of a number may happen, and what it is; None: not of this kind."""
    if kind == "call":
        found = CALL.match(line)
        # What is not released, the preset dev sees.
        if not found or not is_balanced(found[2]) or RELEASE.match(found[2]):
            return None
        return "%s{ if (!is_mutant(%d)) %s }" % (found[1], number, found[2]), "left out"
    found = CONDITION.match(line)
    if kind == "branch":
        if not found or not is_balanced(found[2]):
            return None
        return "%s!is_mutant(%d) && (%s)%s" % (found[1], number, found[2], found[3]), "never"
    found = found or VALUE.match(line)
    if not found or not is_balanced(found[2]):
        return None
    other = (turn_one if kind == "comparison" else shift_one)(found[2], chosen)
    if other is None:
        return None
    text = "%sis_mutant(%d) ? (%s) : (%s)%s" % (found[1], number, other, found[2], found[3])
    return text, other


def list_lines(folder):
    """The lines of functions that a test on this system can reach."""
    parent, only = os.path.split(folder)
    for path, _, names in sorted(os.walk(folder)) or [(parent, [], [only])]:
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.endswith(".c") and not re.search(r"windows|wasi|/web/|plain\.c", file):
                for index, line in enumerate(open(file).read().split("\n")):
                    if line.startswith("    "):
                        yield file, index, line


def choose(folder, count, seed):
    """As many changes as asked for, of each kind as many; one a line."""
    chosen = random.Random(seed)
    lines = list(list_lines(folder))
    taken, changes = set(), []
    while len(changes) < count:
        kind = ("comparison", "constant", "branch", "call")[len(changes) % 4]
        file, index, line = chosen.choice(lines)
        made = (file, index) not in taken and change(line, len(changes) + 1, kind, chosen)
        if made:
            taken.add((file, index))
            changes.append((file, index, line.strip(), *made))
    return changes


def files_of(copy, changes):
    return {file for file, *_ in changes} | {os.path.join(copy, HOME)}


def write(copy, changes, without):
    """Writes the changes into their files; those that no compiler takes are left as they were."""
    for file in files_of(copy, changes):
        lines = open(file + ".plain").read().split("\n")
        for number, (other, index, _, text, _) in enumerate(changes, 1):
            if other == file and number not in without:
                lines[index] = text
        with open(file, "w") as out:
            out.write(PREAMBLE + "\n".join(lines))
            out.write(IS_MUTANT if file.endswith(HOME) else "")


def build(copy, changes):
    """Builds the program; the numbers of the changes that no compiler takes."""
    for file in files_of(copy, changes):
        shutil.copy(file, file + ".plain")
    without = set()
    subprocess.run(
        ["cmake", "--preset", "check", "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF"],
        cwd=copy,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    while True:
        write(copy, changes, without)
        done = subprocess.run(
            ["cmake", "--build", "--preset", "check", "--", "-k", "0"],
            cwd=copy,
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return without
        places = re.findall(r"^(\S+?):(\d+):\d+: error", done.stdout + done.stderr, re.M)
        wrong = {(os.path.realpath(os.path.join(copy, file)), int(line)) for file, line in places}
        found = {
            number
            for number, (file, index, *_) in enumerate(changes, 1)
            if (os.path.realpath(file), index + 1) in wrong and number not in without
        }
        if not found:
            sys.exit(
                "mutants.py: it cannot be built:\n" + done.stdout[-3000:] + done.stderr[-3000:]
            )
        without |= found


def run_test(copy, test, seconds=None, **environment):
    """Whether a test passes or is skipped, in time: the limit of the tests is one of hours."""
    run = subprocess.Popen(
        (KEEPS_DEVICES if os.geteuid() == 0 else [])
        + ["ctest", "--preset", "check", "-R", "^%s$" % test],
        cwd=copy,
        env=dict(os.environ, STOP="1", **environment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return run.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return False


def learn_tests(copy):
    """The tests in the order to try: (seconds, name, the numbers of changes that it gets to)."""
    listed = subprocess.run(
        ["ctest", "--preset", "check", "-N", "-L", "^quick$"],
        cwd=copy,
        check=True,
        capture_output=True,
        text=True,
    )
    reached, tests = os.path.join(copy, "build/reached"), []
    for test in re.findall(r"Test +#\d+: (\S+)", listed.stdout):
        open(reached, "w").close()
        begin = time.monotonic()
        if not run_test(copy, test, SUPPROF_REACHED=reached):
            sys.exit("mutants.py: %s fails without any change" % test)
        numbers = {int(line) for line in open(reached)}
        tests.append((time.monotonic() - begin, test, numbers))
    # The golden lines end at the first that fails, and most is seen there.
    return sorted(tests, key=lambda test: (1 if test[1] == "golden" else test[0], test[1]))


def find_seeing(copy, number, tests, wants_all):
    """The names of the tests that fail with a change: all, or the first."""
    seeing = []
    for seconds, test, numbers in tests:
        if number in numbers and not run_test(
            copy, test, 60 + 5 * seconds, SUPPROF_MUTANT=str(number)
        ):
            seeing.append(test)
            if not wants_all:
                break
    return seeing


def main():
    words = argparse.ArgumentParser()
    words.add_argument("source")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=100)
    words.add_argument("--all", action="store_true")
    words.add_argument("--folder", default="src")
    asked = words.parse_args()
    source = os.path.abspath(asked.source)
    copy = os.path.join(source, "build/mutants")
    shutil.rmtree(copy, ignore_errors=True)
    leave = lambda path, _: ["build", ".git"] if path == source else []
    shutil.copytree(source, copy, ignore=leave)
    changes = choose(os.path.join(copy, asked.folder), asked.count, asked.seed)
    without = build(copy, changes)
    tests = learn_tests(copy)
    seen = tried = 0
    for number, (file, index, line, _, text) in enumerate(changes, 1):
        if number in without:
            continue
        tried += 1
        seeing = find_seeing(copy, number, tests, asked.all)
        seen += bool(seeing)
        place = "%s:%d" % (os.path.relpath(file, copy), index + 1)
        print(
            "%-8s %3d %s: %s: %s" % (" ".join(seeing) or "NOBODY", number, place, line, text),
            flush=True,
        )
    print("%d changes, %d seen, %d not compiled" % (tried, seen, len(without)))


main()
