"""advice.py SIM_HOST SUPPROF SOURCE

Performance bugs that the game's Lua really had, as small programs before and after their repair,
and programs in which there is nothing to repair (tests/advice, each after background.lua), are
recorded in the sim host. Of a bug the finding says its kind and the function to look at, with a
time that is within a factor of 2 of what the repair saves; no repaired and no clean program has
such a finding. Times are of one program each, by the processor's clock.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

host, program, source = sys.argv[1], lib.Program(sys.argv[2]), sys.argv[3]
programs = os.path.join(source, "tests", "advice")

# A bug: the kind of its finding, the functions that may be named and what its sentence says.
BUGS = {
    "condition-key": (
        "trend",
        ("GetKey",),
        "GetKey, line 10, calls SameArguments 87, then 155 times",
    ),
    "markers": (
        "same-arguments",
        ("GetMarkersByType",),
        "GetMarkersByType: ",
    ),
    "preferences": ("same-arguments", ("GetPreference", "DeepCopy"), "builds an equal table again"),
    "queue": ("same-arguments", ("GetCommandQueue",), "GetCommandQueue: 7"),
    "shells": ("forks", ("OnCreate",), "OnCreate, line 10, forks 23,948 threads of ShellThread"),
    "thread-leak": (
        "trend",
        ("AssistThread",),
        "651, then 1,200 threads of AssistThread, forked by OrderAssist, line 10; none has ended",
    ),
    "threat": ("same-arguments", ("GetThreat",), "GetThreat: 6"),
}
# Of these, the arguments are recorded, too.
ARGUMENTS = {
    "markers": ("GetMarkersByType", "ClosestMass"),
    "preferences": ("GetOption", "GetPreference", "DeepCopy"),
    "queue": ("GetCommandQueue",),
    "threat": ("GetThreat", "ManageZone"),
    "nothing-changed-between": ("SumHealth",),
    "nothing-decay": ("UpdateCells",),
    "nothing-other-blocks": ("FillBlock",),
}
TWO_KINDS = {
    "nothing-early-exit": "every 4 ticks",
    "nothing-every-100-ticks": "every 100 ticks",
}
# Kinds that say that something is wrong; the others count.
ADVICE = {"trend", "forks", "two-kinds", "same-arguments"}


def record(name, directory):
    log = os.path.join(directory, name + ".log")
    profiler = os.path.join(directory, "profiler.lua")
    chosen = ARGUMENTS.get(re.sub("-(before|after)$", "", name), ())
    with open(os.path.join(source, "profiler.lua")) as file:
        text = file.read()
    with open(profiler, "w") as file:
        listed = ", ".join(f"'{function}'" for function in chosen)
        file.write(text.replace("\n    arguments = {},\n", f"\n    arguments = {{{listed}}},\n"))
    command = [host, "--own-time", "--ticks", "1320", "--log", log, "--profiler", profiler]
    for text in ("background", name):
        command += ["--workload", os.path.join(programs, text + ".lua")]
    subprocess.run(command, check=True)
    document = json.loads(program.text("-f", "json", log))
    os.unlink(log)
    return document


def tick_ns(document):
    """The mean of Lua in a tick."""
    statistics = document["ticks"]["statistics"]
    return statistics["total_ns"] / statistics["count"]


def is_advice(finding):
    return finding["kind"] in ADVICE


def texts(document):
    return [finding["text"] for finding in document["findings"]]


def find_bug(name, kind, function, text, directory):
    """Other programs can slow the machine down so unevenly that a trend drowns: three chances."""
    for _ in range(3):
        document = record(name, directory)
        for finding in document["findings"]:
            found = finding["function"]
            if (
                finding["kind"] == kind
                and text in finding["text"]
                and document["functions"][found]["name"] in function
            ):
                return document, finding
    lib.check(False, f"{name}: {texts(document)}")
    return document, None


def check_bug(name, kind, function, text, directory):
    for _ in range(3):  # of games that other programs may have slowed down unequally
        before, found = find_bug(f"{name}-before", kind, function, text, directory)
        after = record(f"{name}-after", directory)
        saved = tick_ns(before) - tick_ns(after)
        said = found["time_ns"] / before["ticks"]["statistics"]["count"] if found else 0
        if not found or saved / 2 <= said <= saved * 2:
            break
    if found:
        lib.check(saved / 2 <= said <= saved * 2, f"{name}: {said} ns a tick, saved {saved}")
    lib.check(not any(map(is_advice, after["findings"])), f"{name}-after: {texts(after)}")


def main():
    names = sorted(name[:-4] for name in os.listdir(programs))
    with tempfile.TemporaryDirectory() as directory:
        for name, (kind, function, text) in BUGS.items():
            check_bug(name, kind, function, text, directory)
        for name in names:
            if not name.startswith("nothing-"):
                continue
            document = record(name, directory)
            advice = list(filter(is_advice, document["findings"]))
            if name in TWO_KINDS:
                lib.check(
                    [finding["kind"] for finding in advice] == ["two-kinds"]
                    and advice[0]["text"].startswith("ScanEnemies takes ")
                    and TWO_KINDS[name] in advice[0]["text"],
                    f"{name}: {texts(document)}",
                )
                lib.check(
                    "ollection" not in " ".join(texts(document)), f"{name}: {texts(document)}"
                )
            else:
                lib.check(not advice, f"{name}: {texts(document)}")
    lib.finish("programs and findings", 12)


main()
