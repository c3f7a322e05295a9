"""callgrind.py WHAT FILE

What callgrind_annotate reads in FILE. A line a KEY, as truth.py has them:

    functions   self time with --inclusive=no, total with --inclusive=yes, calls from
                the callers in --tree=both
    edges       "caller > callee" from --tree=both: once as caller, once as callee

callgrind_annotate writes "file:function"; the file is one of those in FILE. A Lua
function is there called by its name and line, so that labels come together like this:

    lua/a.lua:Run:5    Run lua/a.lua:5
    [C]:next           next [C]
    (all):(all)        (all)
"""
import re
import subprocess
import sys


def annotate(path, *options):
    command = ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no"]
    done = subprocess.run(command + [*options, path], capture_output=True, encoding="utf-8")
    if done.returncode != 0 or done.stderr:
        sys.exit(f"callgrind_annotate {' '.join(options)} {path}: {done.stderr}")
    lines = done.stdout.split("\n")
    header = next(i for i, line in enumerate(lines) if re.fullmatch(r" *ns *file:function", line))
    end = next((i for i in range(header + 2, len(lines)) if lines[i].startswith("-----")), len(lines))
    return [line for line in lines[header + 2: end] if line.strip()]


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


def read_files(path):
    """The names behind fl= and cfl=, the longest first."""
    with open(path, encoding="utf-8", newline="\n") as file:
        names = {m[1] for m in (re.fullmatch(r"c?f[il]=(?:\(\d+\))? ?(.+)\n", line) for line in file) if m}
    return sorted(names, key=len, reverse=True)


class Reader:
    def __init__(self, path):
        self.path, self.files = path, read_files(path)

    def label(self, text):
        file = next((file for file in self.files if text.startswith(file + ":")), None)
        if file is None:
            sys.exit(f"callgrind_annotate {self.path}: no such file: {text}")
        function = text[len(file) + 1:]
        lua = re.fullmatch(r"(.*):(\d+)", function)
        if function == file:
            label = function
        elif lua and file != "[C]":
            label = f"{lua[1]} {file}:{lua[2]}"
        else:
            label = f"{function} {file}"
        # Labels have no ';', and callgrind_annotate drops the blanks before a name.
        return label.replace(";", ":").lstrip(" ")

    def costs(self, option):
        rows = [re.fullmatch(r" *([\d,.]+)  (.+?)(?: \[\])?", line) for line in annotate(self.path, option)]
        table = {self.label(row[2]): number(row[1]) for row in rows}
        if len(table) != len(rows):
            sys.exit(f"callgrind_annotate {self.path}: two functions with one label")
        return table

    def edges(self):
        """Yields caller, callee, cost and calls, from both ends."""
        callers = []
        for line in annotate(self.path, "--tree=both"):
            cost, kind, text = re.fullmatch(r" *([\d,.]+)  (< |\*  |>   )(.+)", line).groups()
            if kind == "*  ":
                function = self.label(text)
                yield from ((caller, function, *rest) for caller, *rest in callers)
                callers = []
                continue
            text, calls = re.fullmatch(r"(.+) \(([\d,]+)x\)(?: \[\])?", text).groups()
            row = self.label(text), number(cost), number(calls)
            if kind == "< ":
                callers.append(row)
            else:
                yield (function, *row)


def functions(reader):
    self_ns, total_ns = reader.costs("--inclusive=no"), reader.costs("--inclusive=yes")
    calls = {}
    for _, callee, _, count in set(reader.edges()):
        calls[callee] = calls.get(callee, 0) + count
    for label in self_ns.keys() | total_ns.keys():
        yield label, self_ns.get(label, 0), total_ns.get(label, 0), calls.get(label, 0)


def edges(reader):
    for caller, callee, cost, calls in reader.edges():
        yield f"{caller} > {callee}", "-", cost, calls


sys.stdout.reconfigure(encoding="utf-8")
what = {"functions": functions, "edges": edges}[sys.argv[1]]
for row in sorted(set(what(Reader(sys.argv[2])))):
    print(*row, sep="\t")
