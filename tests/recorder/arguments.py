"""arguments.py SIM_HOST SUPPROF SOURCE_DIRECTORY

The setting `arguments` of profiler.lua: what it counts against arguments-truth.lua, that the game
notices nothing of it, and that call stacks are the same with it and without. Runs with Lua 5.1, and
with the game's VM where CMake knows it.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402

host, supprof, source = (os.path.abspath(path) for path in sys.argv[1:4])
tests = os.path.join(source, "tests", "recorder")
FROM, TO, TICKS = 5, 25, 30
ON, OFF = f"{FROM}=StartProfiler()", f"{TO}=StopProfiler()"

# In arguments.lua; some are called by variables of old, too.
CHOSEN = """Nothing Nil Counter Fresh Shallow Large Same List Cycle Vector NotANumber Fails Waits
Recursive Tail Root Compare Dies Class.Method Derived.Own FromModule Thing.Member math.floor
string.len moho.unit_methods.GetTarget table.insert rawequal WaitTicks Callback pcall Several Values
coroutine.wrap""".split()
BY_OLD_VARIABLES = {"Several"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lib.check(
        done.returncode == 0,
        f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[-500:]}",
    )
    return done.stdout


def play(log, workloads, *options):
    files = [part for file in workloads for part in ("--workload", file)]
    run(host, *files, "--ticks", str(TICKS), "--log", log, *options)


def record(name, workloads, chosen, *options, **settings):
    """Records with these functions chosen."""
    with open(os.path.join(source, "profiler.lua")) as file:
        text = file.read()
    settings = {"from": "false", "arguments": listed(chosen), **settings}
    for key, value in settings.items():
        text, count = re.subn(
            rf"^    {key} = .*,$", lambda _: f"    {key} = {value},", text, flags=re.M
        )
        lib.check(count == 1, f"profiler.lua has no setting {key}")
    with open(f"{name}.lua", "w") as file:
        file.write(text)
    commands = [part for command in (ON, OFF) for part in ("--command", command)]
    play(f"{name}.log", workloads, "--profiler", f"{name}.lua", *commands, *options)


def listed(texts):
    return "{" + ", ".join(f"'{text}'" for text in texts) + "}"


def read(log, pattern):
    with open(log, errors="replace") as file:
        return re.findall(pattern, file.read(), re.M)


def numbers(text):
    return {key: int(value) for key, value in (pair.split("=") for pair in text.split())}


def read_counts(log):
    """{name of a function: {what: count}}, by the recorder's last lines about each."""
    names = dict(read(log, r" function (\d+) \d+ -?\d+ (.*)$"))
    counts = {names[id]: numbers(text) for id, text in read(log, r" arguments (\d+) (.*)$")}
    for name, found in counts.items():
        lib.check(found.pop("failed") == 0, f"{log}: comparisons of {name} failed")
        times = [found.pop(key) for key in ("ns", "equal_ns", "tick_ns")]
        lib.check(times == sorted(times, reverse=True), f"{log}: times of {name}: {times}")
        changes = found.pop("changed") > 0
        lib.check(not changes or name.startswith("table."), f"{log}: {name} changes arguments")
    return counts


def read_game(log):
    """What the game itself has logged. Of errors that were not caught, whether there were some: a C
    function says by which line it was called, and that is one of the wrapper."""
    lines = read(log, r"^(info: (?!prof: |truth |replaced ).*|warning: Error running lua)")
    return lines


def read_stacks(log):
    """Calls, edges and whole stacks, by both readers."""
    counted = run("perl", os.path.join(tests, "events.pl"), log)
    for name, options in ("functions", []), (
        "stacks",
        ["--by=stack", "--call-sites", "--max-depth=0"],
    ):
        run(supprof, "-q", "--overhead=off", "--paths=full", "-o", f"{name}.csv", *options, log)
    rebuilt = run("perl", os.path.join(tests, "supprof-counts.pl"), "functions.csv", "stacks.csv")
    # Times are never the same; the recorder's own functions are at other lines of another file.
    return {
        re.sub(r"^(line\t.*)\t\d+$", r"\1", line)
        for text in (counted, rebuilt)
        for line in text.splitlines()
        if "siminit.lua" not in line and "simInit.lua" not in line
    }


def check_counts(**settings):
    workload = os.path.join(tests, "scenarios", "arguments.lua")
    truth_file = os.path.join(tests, "arguments-truth.lua")
    play("plain.log", [workload])
    play(
        "truth.log",
        [workload, truth_file],
        *("--set", "CHOSEN=" + ",".join(CHOSEN)),
        *("--command", f"{FROM}=TruthOn()", "--command", f"{TO}=TruthOff()"),
    )
    replaced = [f"{tick}=CountReplaced()" for tick in (FROM + 1, TO + 1)]
    record(
        "recorded",
        [workload],
        CHOSEN + ["Nobody"],
        *(part for command in replaced for part in ("--command", command)),
        **settings,
    )
    truth = {name: numbers(text) for name, text in read("truth.log", r"^info: truth (\S+) (.*)$")}
    counts = read_counts("recorded.log")
    lib.check(sorted(truth) == sorted(CHOSEN), f"the truth has {sorted(truth)}")
    for name in CHOSEN:
        found, wanted = counts.get(name, {}), truth.get(name, {})
        if name in BY_OLD_VARIABLES:
            # Calls without results, of which a wrapper knows nothing.
            direct = {"calls", "distinct", "repeats", "tick_repeats", "other", "between_ticks"}
            direct |= {key for key in found if key.startswith("kept_")}
            lib.check(found["calls"] > wanted["calls"], f"{name} is not seen by its lines")
            found, wanted = (
                {key: value for key, value in side.items() if key not in direct}
                for side in (found, wanted)
            )
        lib.check(found == wanted, f"{name}: {found}, truth {wanted}")
    game = read_game("plain.log")
    lib.check(len(game) > 100, "the game logs nothing")
    lib.check(game == read_game("truth.log"), "the truth changes the game")
    lib.check(game == read_game("recorded.log"), "the recorder changes the game")
    during, after = map(int, read("recorded.log", r"^info: replaced (\d+)$"))
    # Derived has a method of Class, and WaitTicks is coroutine.yield.
    lib.check(
        during == len(CHOSEN) + 2, f"{during} places are replaced, of {len(CHOSEN)} functions"
    )
    lib.check(after == 0, f"{after} places are not put back")
    (said,) = read("recorded.log", r"supprof: .*, arguments of (.*)$")
    said = dict(reversed(re.split(" calls? of ", part)) for part in said.split(", "))
    wanted = {name: str(count["calls"]) for name, count in counts.items()}
    lib.check(said == {**wanted, "Nobody": "0"}, f"the message says {said}")
    print(f"counts of {len(counts)} functions compared")


def choose(log, every, has_c):
    """Some of the functions of a log, as reports show them."""
    sources = dict(read(log, r" source (\d+) @?(.*)$"))
    functions = read(log, r" function \d+ (\d+) (-?\d+) (.*)$")
    chosen = []
    for id, line, name in functions:
        path = sources[id].replace("\\\\", "/").replace("\\092", "/")
        if sources[id] == "=[C]":
            chosen += [name] if has_c else []
        elif path.endswith(".lua") and "siminit" not in path.lower():
            chosen.append(f"{path}:{line}")
    return sorted(set(chosen))[::every]


def check_stacks(name, workload, *options, every=1, has_c=True, **settings):
    record("without", [workload], [], *options, **settings)
    chosen = choose("without.log", every, has_c)
    record("with", [workload], chosen, *options, **settings)
    differing = sorted(read_stacks("without.log") ^ read_stacks("with.log"))
    lib.check(not differing, f"{name}: {len(differing)} differ: {differing[:3]}")
    lib.check(read_game("without.log") == read_game("with.log"), f"{name}: the game is another")
    return len(read_counts("with.log"))


def without_locals(path, has_tails):
    """A copy of a file with global variables, so that all functions can be replaced."""
    with open(path) as file:
        text = file.read()
    text = re.sub(r"^local (?!seed)", "", text, flags=re.M)
    if not has_tails:
        tail = r"return ([A-Za-z][\w.:]*[\[(](?:(?!function).)*[)\]])((?: end)*)$"
        text = re.sub(tail, r"local result = \1 return result\2", text, flags=re.M)
    with open("global.lua", "w") as file:
        file.write(text)
    return "global.lua"


def main():
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)
    is_51 = "Lua 5.1" in run(host, "--ticks", "1", "--command", "1=LOG(_VERSION)")
    check_counts()
    check_counts(memory="true")
    # A wrapper makes a tail call of what was none: of a C function, and on 5.1 of a Lua function,
    # where the VM still shows the caller when the call is made.
    for name in "callbacks", "coroutines", "errors", "leaving", "methods", "arguments":
        path = os.path.join(tests, "scenarios", f"{name}.lua")
        has_c = name != "coroutines"  # whose tail calls of coroutine.wrap have several lines
        count = check_stacks(f"{name}, global", without_locals(path, False), has_c=has_c)
        if name != "arguments":
            count += check_stacks(name, path)
            count += check_stacks(f"{name}, some", path, every=2)
        print(f"{name}: arguments of {count} functions")
    if not is_51:
        workload = os.path.join(tests, "workload.lua")
        check_stacks("workload", workload, every=2, has_c=False)
        check_stacks(
            "with lines",
            without_locals(workload, True),
            has_c=False,
            lines="{'RunTop', 'UnitThread'}",
        )
        check_stacks("with memory", workload, every=3, has_c=False, memory="true")
    fuzz = os.path.join(tests, "fuzz.lua")
    for seed in range(1, 9):
        has_tails = not is_51 and seed % 2 == 0
        options = ["--set", f"SEED={seed}", "--set", "DEPTH=6", "--set", "BUDGET=150"]
        options += ["--c-functions", ("game", "plain", "refused")[seed % 3]]
        check_stacks(
            f"seed {seed}",
            without_locals(fuzz, has_tails),
            *options,
            every=1 + seed // 2 % 2,
            has_c=not has_tails,
        )
    lib.finish("checks of arguments", 100)


main()
