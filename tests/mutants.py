"""mutants.py SOURCE_DIRECTORY [--seed N] [--count N] [--all] [--folder FOLDER]

Which tests see a fault: makes small changes of the C sources, chosen from a seed (a comparison
turned, a constant off by one, a branch or a call left out), builds all of them into one program,
where SUPPROF_MUTANT=N makes the N-th happen, and runs the tests of the group quick with each. A
line says which test failed first, or which did with --all; what none has seen needs one. By hand:
each change takes up to as long as the group. The copy is in build/mutants.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys

# The first line of each changed file: whether the change of a number happens in this run.
PREAMBLE = (
    "extern char *getenv(const char *); extern int atoi(const char *); "
    "static inline int is_mutant(int number) { static int now = -1; if (now < 0) { "
    'const char *text = getenv("SUPPROF_MUTANT"); now = text ? atoi(text) : 0; } '
    "return now == number; }\n#line 1\n"
)
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
CONDITION = re.compile(r"^(\s+(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)$")
VALUE = re.compile(r"^(\s+(?:return |[a-z_.>\[\]-]+ [-+*/|&]?= ))([^{}\"']*)(;)$")
CALL = re.compile(r"^(\s+)([a-z_]+\(.*\);)$")


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
        if not found or not is_balanced(found[2]):
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
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.endswith(".c") and not re.search(r"windows|wasi|/web/", file):
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


def write(changes, without):
    """Writes the changes into their files; those that no compiler takes are left as they were."""
    for file in {file for file, *_ in changes}:
        lines = open(file + ".plain").read().split("\n")
        for number, (other, index, _, text, _) in enumerate(changes, 1):
            if other == file and number not in without:
                lines[index] = text
        with open(file, "w") as out:
            out.write(PREAMBLE + "\n".join(lines))


def build(copy, changes):
    """Builds the program; the numbers of the changes that no compiler takes."""
    for file in {file for file, *_ in changes}:
        shutil.copy(file, file + ".plain")
    without = set()
    subprocess.run(
        ["cmake", "--preset", "check", "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF"],
        cwd=copy,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    while True:
        write(changes, without)
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


def find_seeing(copy, number, wants_all):
    """The names of the tests that fail with a change: all, or the first."""
    seeing = []
    # Units and golden lines first: most is seen there.
    for chosen in (["-R", "^(unit-.*|golden)$"], ["-E", "^(unit-.*|golden)$"]):
        done = subprocess.run(
            ["ctest", "--preset", "check", "-L", "^quick$", *chosen, "--timeout", "600"]
            + ([] if wants_all else ["--stop-on-failure"]),
            cwd=copy,
            env=dict(os.environ, SUPPROF_MUTANT=str(number)),
            capture_output=True,
            text=True,
        )
        seeing += re.findall(r"^\s+\d+ - (\S+) \((?!Skipped|Not Run)", done.stdout, re.M)
        if seeing and not wants_all:
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
    if find_seeing(copy, 0, False):
        sys.exit("mutants.py: tests fail without any change")
    seen = tried = 0
    for number, (file, index, line, _, text) in enumerate(changes, 1):
        if number in without:
            continue
        tried += 1
        seeing = find_seeing(copy, number, asked.all)
        seen += bool(seeing)
        place = "%s:%d" % (os.path.relpath(file, copy), index + 1)
        print(
            "%-8s %3d %s: %s: %s" % (" ".join(seeing) or "NOBODY", number, place, line, text),
            flush=True,
        )
    print("%d changes, %d seen, %d not compiled" % (tried, seen, len(without)))


main()
