"""lines_and_trees.py SUPPROF FIXTURES

What --list says of every line of every function, and what --tree and --tree --inverted say of every
path, against sums that this program makes from the call stacks of the same logs: each stack of

    supprof -f csv --by stack --call-sites --columns calls,errors,self

counts once for each line of each function in it. In a function that is not recursive, the times of
its lines and its self time are its total time. A line that is marked is one of the three with the
most time, and has a hundredth of the time of its function.

With --diff and the sources of both sides, in random functions that were edited: each line of each
side is there once and in order, with the values that it has in a list of that side alone; lines of
both sides have the same text, and no more of them could be matched.
"""
import collections
import csv
import glob
import io
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402


def squeezed(text):
    return re.sub(r"\s", "", text).replace(";", ":")


def read_stacks(text):
    """The stacks as lists of (function, line from which it calls the next), with their values."""
    stacks = []
    for row in csv.DictReader(io.StringIO(text)):
        frames = []
        for frame in lib.plain(row["stack"]).split(";"):
            found = re.fullmatch(r"(.*)->(-?\d+)", frame, re.S)
            if found and frames and found[1] == frames[-1][0]:
                frames[-1][1] = int(found[2])
            else:
                frames.append([frame, 0])
        ns = int(row["self_us"].replace(".", ""))
        stacks.append(
            (
                [(squeezed(name), line) for name, line in frames],
                int(row["calls"]),
                int(row["errors"]),
                ns,
            )
        )
    return stacks


def sum_lines(stacks):
    """By function: by line [calls, errors, total_ns]; and [self_ns, total_ns, is recursive]."""
    lines = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    functions = collections.defaultdict(lambda: [0, 0, False])
    for frames, calls, errors, ns in stacks:
        names = [name for name, _ in frames]
        for name in set(names):
            functions[name][1] += ns
            functions[name][2] |= names.count(name) > 1
        functions[names[-1]][0] += ns
        # A call from a line and a tail call near it are two, see list_table.h.
        for name, line in set(frames[:-1]):
            lines[name][abs(line)][2] += ns
        if len(frames) > 1:
            lines[names[-2]][abs(frames[-2][1])][0] += calls
            lines[names[-2]][abs(frames[-2][1])][1] += errors
    return lines, functions


def number(text):
    return int(text.replace(",", "")) if text.strip() not in ("", "-") else 0


def is_estimate(text):
    return " recorded by chance, " in text.split("\n")[0]


def as_shown(values, is_about):
    """Sums of ticks that were chosen by chance have two digits: they are estimates."""
    if not is_about:
        return values
    lasts = [10 ** max(0, len(str(abs(value))) - 2) for value in values]
    return [
        (abs(value) + last // 2) // last * last * (-1 if value < 0 else 1)
        for value, last in zip(values, lasts)
    ]


def read_listing(text):
    """By function: [self_ns, total_ns, recursive], {line: [calls, errors, total_ns]}, marked lines,
    {line: self_ns}."""
    listed = {}
    name = titles = before = None
    for row in text.split("\n"):
        sums = re.match(
            r"  self (-?[\d,]+) ns\b.*, total (-?[\d,]+) ns\b.*?(, recursive)?(, !|, \^)?$", row
        )
        before, heading = row, before
        if sums and not heading.startswith(" "):
            name, titles = squeezed(heading), None
            listed[name] = ([number(sums[1]), number(sums[2]), bool(sums[3])], {}, [], {})
        elif re.match(
            r"  line +calls( +runs)?( +self ns)? +total ns +total%( +errors)?    "
            r"(source|callee)$",
            row,
        ):
            titles = [
                (found[0], found.end()) for found in re.finditer(r"(?:self|total) ns|\S+", row)
            ][:-1]
        elif titles and row.startswith("  "):
            cells, start = {}, 0
            for title, end in titles:
                cells[title], start = row[start:end], end
            line, own_ns = number(cells["line"]), number(cells.get("self ns", ""))
            if own_ns or cells.get("runs", "").strip():
                listed[name][3][line] = own_ns
            # There, a call may have no time: only the stacks tell whether it was one.
            if cells["calls"].strip():
                listed[name][1][line] = [
                    number(cells["calls"]),
                    number(cells.get("errors", "")),
                    number(cells["total ns"]) - own_ns,
                ]
            if row[start + 2 : start + 3] == "*":
                listed[name][2].append(line)
    return listed


def check_listing(program, log, stacks):
    lines, functions = sum_lines(stacks)
    options = "--max-depth=0", "--unit=ns", "--rows=0", "--list=.", "--lua-root=sources"
    text = program.text(*options, log)
    listed, is_about = read_listing(text), is_estimate(text)
    for name, (self_ns, total_ns, is_recursive) in functions.items():
        sums, found, marked, runs = listed.get(name, (None, None, None, None))
        wanted = [*as_shown([self_ns, total_ns], is_about), is_recursive]
        lib.check(sums == wanted, f"{log}: --list {name}: {sums}, not {wanted}")
        if sums != wanted:
            continue
        if is_about:
            shown = {line: as_shown(value, is_about) for line, value in lines[name].items()}
            lib.check(found == shown, f"{log}: --list {name}: {found}, not {shown}")
            continue
        lib.check(
            not runs or sum(runs.values()) == self_ns,
            f"{log}: --list {name}: lines of {sum(runs.values())}, not {self_ns}",
        )
        lib.check(
            found == {line: value for line, value in lines[name].items() if any(value) or not runs},
            f"{log}: --list {name}: {found}, not {dict(lines[name])}",
        )
        lib.check(
            is_recursive or sum(line[2] for line in found.values()) + self_ns == total_ns,
            f"{log}: --list {name}: lines and self time are not {total_ns}",
        )
        of_line = {at: found.get(at, [0, 0, 0])[2] + runs.get(at, 0) for at in {*found, *runs}}
        times = sorted(
            (ns for at, ns in of_line.items() if at > 0 and ns > int(total_ns / 100)), reverse=True
        )
        lib.check(
            sorted((of_line[at] for at in marked), reverse=True) == times[:3],
            f"{log}: --list {name}: marks {marked}",
        )
    return len(functions), sum(len(of) for of in lines.values())


def sum_paths(stacks, is_inverted):
    """By path: [calls, self_ns, total_ns]; inverted, the two times are one."""
    paths = collections.defaultdict(lambda: [0, 0, 0])
    for frames, calls, _, ns in stacks:
        names = tuple(name for name, _ in frames)
        if is_inverted:
            names = names[::-1]
        for depth in range(1, len(names) + 1):
            value = paths[names[:depth]]
            is_own = is_inverted or depth == len(names)
            value[0] += calls if is_own else 0
            value[1] += ns if is_own else 0
            value[2] += ns
    return paths


def read_tree(text):
    paths, path = {}, []
    for row in text.split("\n"):
        found = re.match(
            r" *(-?[\d,]+)  +(?:-|-?[\d.]+) (?: *(-?[\d,]+) )? +([\d,]+|-)  "
            r"( *)(?:\((\d+)\) )?(\S.*)$",
            row,
        )
        if not found:
            continue
        total, self_ns, calls, blanks, deep, label = found.groups()
        depth = int(deep) if deep else len(blanks) // 2
        path = path[:depth] + [squeezed(label)]
        paths[tuple(path)] = [number(calls), number(self_ns or total), number(total)]
    return paths


def check_tree(program, log, stacks, *options):
    wanted = sum_paths(stacks, bool(options))
    text = program.text(
        "--max-depth=0", "--unit=ns", "--rows=0", "--lua-root=sources", "--tree", *options, log
    )
    found, is_about = read_tree(text), is_estimate(text)
    for path in wanted:
        wanted[path] = as_shown(wanted[path], is_about)
        lib.check(
            len(path) > 200 or found.get(path, [0, 0, 0]) == wanted[path],
            f"{log}: --tree {' '.join(options)} {path}: {found.get(path)}, not {wanted[path]}",
        )
    for path in found:
        lib.check(
            path in wanted or not any(found[path]),
            f"{log}: --tree {options} {path}: is in no stack",
        )
    return len(wanted)


# Their labels have blanks or signs that this program would read otherwise, or they are too deep.
SKIPPED = (
    "hostile-names.log",
    "bad-utf8.log",
    "damaged-names.log",
    "equal-names.log",
    "viewer-names.log",
    "alike-names.log",
    "hostile-markdown.log",
    "formula-chunk.log",
    "overflow.log",
    "alike-chunks.log",
    "rebuild/string-chunk.log",
    "chunk-in-chunk.log",
    "deep-recursion.log",
    "deep-long-calls.log",
)


def write_side(folder, name, lines, drawn):
    """A function that begins at a random line, of which each line called F1 to F4, and its log."""
    first = drawn.randint(1, 9)
    os.makedirs(f"{folder}/{name}/lua")
    with open(f"{folder}/{name}/lua/a.lua", "w") as source:
        source.write(
            "--\n" * (first - 1)
            + "function Run()\n"
            + "".join(" " * drawn.randint(0, 5) + line + "\n" for line in lines)
            + "end\n"
        )
    with open(f"{folder}/{name}.log", "w") as log:
        log.write(f"info: Starting profiler\ninfo: prof: @lua/a.lua,{first},Run,{first};1,9,f,t\n")
        for at, line in enumerate(lines, first + 1):
            log.write(
                f"info: prof: @lua/a.lua,{first},Run,{at};@lua/b.lua,{line[1]},{line[:2]},9;"
                f"{drawn.randint(1, 9)},{drawn.randint(1, 999) / 1000},f,t\n"
            )


def list_run(program, *options):
    report = json.loads(program.text("-f", "json", "--list=Run", *options))
    return next(of for of in report["functions"] if of["name"] == "Run")["lines"]


def count_matches(old, new):
    """The length of the longest common subsequence."""
    best = [0] * (len(new) + 1)
    for text in old:
        row = [0]
        for k, other in enumerate(new):
            row.append(best[k] + 1 if text == other else max(best[k + 1], row[k]))
        best = row
    return best[-1]


def check_edited(program, seed):
    drawn = random.Random(seed)
    old = [f"F{drawn.randint(1, 4)}()" for _ in range(drawn.randint(0, 30))]
    new = list(old)
    for _ in range(drawn.randint(0, 8)):
        at = drawn.randint(0, len(new))
        new[at : at + drawn.randint(0, 3)] = [
            f"F{drawn.randint(1, 4)}()" for _ in range(drawn.randint(0, 3))
        ]
    with tempfile.TemporaryDirectory() as folder:
        write_side(folder, "old", old, drawn)
        write_side(folder, "new", new, drawn)
        roots = [f"--lua-root={folder}/{side}" for side in ("new", "old")]
        both = list_run(program, *roots, "--diff", f"{folder}/old.log", f"{folder}/new.log")
        alone = {
            side: list_run(program, f"--lua-root={folder}/{side}", f"{folder}/{side}.log")
            for side in ("new", "old")
        }
    what = f"edited function {seed}"
    for side, key in (("new", "line"), ("old", "old_line")):
        values = [
            (
                line[key],
                *[(line if side == "new" else line["old"])[name] for name in ("calls", "total_ns")],
            )
            for line in both
            if line[key]
        ]
        wanted = [(line["line"], line["calls"], line["total_ns"]) for line in alone[side]]
        lib.check(values == wanted, f"{what}: {side}: {values}, not {wanted}")
    texts = {side: {line["line"]: line["text"].strip() for line in alone[side]} for side in alone}
    pairs = [line for line in both if line["line"] and line["old_line"]]
    lib.check(
        all(texts["new"][line["line"]] == texts["old"][line["old_line"]] for line in pairs),
        f"{what}: texts differ",
    )
    lib.check(
        len(pairs) == count_matches(old, new) + 2,
        f"{what}: {len(pairs)} pairs, not {count_matches(old, new) + 2}",
    )


def main():
    program = lib.Program(os.path.abspath(sys.argv[1]))
    os.chdir(sys.argv[2])
    for log in sorted(glob.glob("*.log") + glob.glob("*.log.gz") + glob.glob("rebuild/*.log")):
        text = (
            None
            if log in SKIPPED
            else program.text(
                "--lua-root=sources",
                "-f",
                "csv",
                "--by=stack",
                "--call-sites",
                "--max-depth=0",
                "--columns=calls,errors,self",
                log,
            )
        )
        stacks = read_stacks(text or "")
        if not stacks:
            continue
        functions, lines = check_listing(program, log, stacks)
        paths = check_tree(program, log, stacks), check_tree(program, log, stacks, "--inverted")
        print(f"{log}: {functions} functions, {lines} lines, {paths[0]} and {paths[1]} paths")
    for seed in range(50):
        check_edited(program, seed)
    lib.finish("functions, lines and paths", 10000)


main()
