"""real_game.py SUPPROF LOG TRUTH: what supprof says of a recording, against what the virtual
machine counted.

TRUTH has a line of tabs for each function, call, and path to a C function:
    F <id> <1: of C> <source> <line> <calls> <nanoseconds> <errors that were caught>
        <errors that ended a thread>
    E <id of the caller, or 0> <id> <line> <calls>
    N <id> <path, as debug.sethook>
All calls and edges of Lua functions, and of C functions that have a name, have to be equal. So have
the errors of Lua functions, with two exceptions, which are listed. The log does not show that an
error that a C function raised has ended a thread. And supprof counts an error for functions that
had made a tail call, of which the machine has no frame.
"""
import collections
import csv
import re
import subprocess
import sys
import tempfile


def source_key(source):
    return source.lstrip("@=").replace("\\", "/").lstrip("/").lower()


def read_truth(path):
    functions, names, edges = {}, collections.defaultdict(set), []
    with open(path, errors="replace") as lines:
        for line in lines:
            field = line.rstrip("\n").split("\t")
            if field[0] == "F":
                functions[field[1]] = (
                    field[2] == "1",
                    field[3],
                    int(field[4]),
                    int(field[5]),
                    int(field[7]),
                    int(field[8]),
                )
            elif field[0] == "E":
                edges.append((field[1], field[2], int(field[4])))
            elif field[0] == "N":
                names[field[1]].add(field[2])
    return functions, names, edges


def read_edges(path):
    """Calls by (caller, callee), as callgrind files have them: a name comes in full once, and then
    by its number."""
    known, edges, file, caller, called = {}, collections.Counter(), None, None, None

    def name_of(text):
        number, name = re.match(r"(.*?\))(?: (.*))?$", text).groups()
        return known.setdefault(number, name)

    def key(file, name):
        of_lua = re.match(r".*:(\d+)$", name)
        return ("[C]", name) if file == "[C]" or not of_lua else (source_key(file), int(of_lua[1]))

    with open(path, errors="replace") as lines:
        for line in lines:
            kind, _, text = line.rstrip("\n").partition("=")
            if kind in ("fl", "cfl", "cfi", "fi"):
                other = name_of("f" + text)
                file, called = (other, None) if kind == "fl" else (file, other)
            elif kind == "fn":
                caller, called = key(file, name_of("n" + text)), None
            elif kind == "cfn":
                callee = key(called or file, name_of("n" + text))
            elif kind == "calls":
                edges[caller, callee] += int(text.split()[0])
                called = None
    return edges


def compare(what, wanted, found):
    wrong = [key for key in wanted if wanted[key] != found.get(key, 0)]
    for key in sorted(wrong, key=str)[:20]:
        print(f"FAILED: {what}: {key}: {found.get(key, 0)} instead of {wanted[key]}")
    print(f"{what}: {len(wanted)} compared, {len(wrong)} differ")
    return bool(wrong) or not wanted


def main(supprof, log, truth):
    functions, names, edges = read_truth(truth)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                supprof,
                "-q",
                "--no-config",
                "--paths=full",
                log,
                "-o",
                folder + "/x.csv",
                "-o",
                folder + "/x.callgrind",
            ],
            check=True,
        )
        with open(folder + "/x.csv", errors="replace") as file:
            rows = list(csv.DictReader(file))
        found_edges = read_edges(folder + "/x.callgrind")
    calls, errors = collections.Counter(), collections.Counter()
    for row in rows:
        key = (
            ("[C]", row["function"])
            if row["source"] == "[C]"
            else (source_key(row["source"]), int(row["line"]))
        )
        calls[key] += int(row["calls"])
        errors[key] += int(row["errors"])
    c_names = {key[1] for key in calls if key[0] == "[C]"}

    def key_of(number):
        of_c, source, line = functions[number][:3]
        if not of_c:
            return (source_key(source), line)
        return next((("[C]", name) for name in sorted(names[number]) if name in c_names), None)

    wanted, wanted_errors, wanted_edges, ended = (collections.Counter() for _ in range(4))
    ended_by_c = any(function[0] and function[5] > 0 for function in functions.values())
    for number, (of_c, _, _, count, caught, ends) in functions.items():
        wanted[key_of(number)] += count
        if not of_c:
            wanted_errors[key_of(number)] += caught + ends
            ended[key_of(number)] += ends
    for key, count in wanted_errors.items():
        more = errors[key] - count
        if ended_by_c and -ended[key] <= more < 0 or count == 0 and 0 < more <= sum(ended.values()):
            print(f"{key}: {abs(more)} errors {'less' if more < 0 else 'more, after tail calls'}")
            wanted_errors[key] = errors[key]
    for caller, callee, count in edges:
        if caller != "0" and key_of(caller) and key_of(callee):
            wanted_edges[key_of(caller), key_of(callee)] += count
    for counts in wanted, wanted_errors:
        counts.pop(None, None)
    wrong = [
        compare("calls", wanted, calls),
        compare("errors of Lua functions", wanted_errors, errors),
        compare("edges", wanted_edges, found_edges),
    ]
    sys.exit(any(wrong))


main(*sys.argv[1:])
