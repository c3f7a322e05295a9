"""advice.py SIM_HOST SUPPROF SOURCE

Performance bugs that the game's Lua really had, as small programs before and after their repair,
and programs in which there is nothing to repair (tests/advice, each after background.lua), are
recorded in the sim host. Of a bug the finding says its kind and the function to look at, with a
time that is within a factor of 2 of what the repair saves; no repaired and no clean program has
such a finding. Times are of one program each, by the processor's clock; two programs run at a time,
which are mostly both sides of a repair.
"""
import concurrent.futures
import json
import os
import re
import shutil
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
        "GetKey, line 10, makes 13, then 40 calls of SameArguments",
    ),
    "markers": (
        "same-arguments",
        ("GetMarkersByType",),
        "GetMarkersByType: ",
    ),
    "preferences": ("same-arguments", ("GetPreference", "DeepCopy"), "builds an equal table again"),
    "path": ("kept-results", ("FindPath",), "FindPath: 12 different arguments in "),
    "queue": ("same-arguments", ("GetCommandQueue",), "GetCommandQueue: 7"),
    # The last line of events is not in the log: how many threads it had depends on the recorder.
    "shells": ("forks", ("OnCreate",), "OnCreate, line 10, forks 5,"),
    "thread-leak": (
        "trend",
        ("AssistThread",),
        "30 threads of AssistThread at first, 259 at the end, forked by OrderAssist, line 10; "
        "none has ended",
    ),
    "threat": ("same-arguments", ("GetThreat",), "GetThreat: 6"),
}
# Of these, the arguments are recorded, too.
ARGUMENTS = {
    "markers": ("GetMarkersByType", "ClosestMass"),
    "preferences": ("GetOption", "GetPreference", "DeepCopy"),
    "path": ("FindPath",),
    "queue": ("GetCommandQueue", "UpdateOrders"),  # the repaired UpdateOrders keeps its results
    "threat": ("GetThreat", "ManageZone"),
    "nothing-changed-between": ("SumHealth",),
    "nothing-decay": ("UpdateCells",),
    "nothing-effects": ("Consume",),
    "nothing-kept": ("Sum",),
    "nothing-other-blocks": ("FillBlock",),
}
TWO_KINDS = {
    "nothing-early-exit": "every 4 ticks",
    "nothing-every-100-ticks": "every 100 ticks",
}
# A thread may wake for less than a step of the clock.
COUNTS = {"nothing-effects": "FuelThread, line 13, makes 40 calls of Burn each time it wakes"}
# Kinds that say that something is wrong; the others count.
ADVICE = {"trend", "forks", "two-kinds", "same-arguments", "kept-results"}
# What is asked for once in each tick could be kept for longer.
MORE_ADVICE = {"queue-after": {"kept-results"}}


# The ticks from 10 on that are recorded; the clock is as coarse as after a minute.
TICKS = 130
TICKS_OF = {"condition-key": 250, "thread-leak": 250, "nothing-every-100-ticks": 610}


def record(name, directory):
    """Both sides of a repair are of a file of the same name, as those of a mod are."""
    log = os.path.join(directory, name + ".log")
    profiler = os.path.join(directory, name + ".profiler.lua")
    program_name = re.sub("-(before|after)$", "", name)
    workload = os.path.join(directory, name, program_name + ".lua")
    chosen = ARGUMENTS.get(program_name, ())
    listed = ", ".join(f"'{function}'" for function in chosen)
    os.makedirs(os.path.dirname(workload), exist_ok=True)
    shutil.copy(os.path.join(programs, name + ".lua"), workload)
    with open(os.path.join(source, "profiler.lua")) as file:
        text = file.read()
    with open(profiler, "w") as file:
        text = text.replace("\n    from = 60,\n", "\n    from = false,\n")
        file.write(text.replace("\n    arguments = {},\n", f"\n    arguments = {{{listed}}},\n"))
    command = [host, "--own-time", "--clock-start", "60", "--log", log, "--profiler", profiler]
    ticks = TICKS_OF.get(program_name, TICKS)
    command += ["--ticks", str(10 + ticks), "--command", "10=StartProfiler()"]
    for text in (os.path.join(programs, "background.lua"), workload):
        command += ["--workload", text]
    subprocess.run(command, check=True)
    document = json.loads(program.text("-f", "json", log))
    document["log"] = log
    return document


def judge(before, after, found):
    """What a comparison says of a finding: its fate and sentence."""
    document = json.loads(program.text("-f", "json", "--diff", before["log"], after["log"]))
    return [
        (judged["fate"], judged["text"])
        for judged in document["judged_findings"]
        if judged["text"].endswith("): " + found["text"])
    ]


def tick_ns(document):
    """The mean of Lua in a tick."""
    statistics = document["ticks"]["statistics"]
    return statistics["total_ns"] / statistics["count"]


def is_advice(finding):
    return finding["kind"] in ADVICE


def texts(document):
    return [finding["text"] for finding in document["findings"]]


def find_bug(document, kind, functions, text):
    for finding in document["findings"]:
        name = finding["kind"] == kind and document["functions"][finding["function"]]["name"]
        if name in functions and text in finding["text"]:
            return finding
    return None


def check_bug(name, documents):
    """Returns what is wrong, and whether it may be so because other programs ran, too."""
    before, after = documents[f"{name}-before"], documents[f"{name}-after"]
    more = MORE_ADVICE.get(f"{name}-after", set())
    if any(is_advice(found) and found["kind"] not in more for found in after["findings"]):
        return f"{name}-after: {texts(after)}"
    found = find_bug(before, *BUGS[name])
    if not found:
        return f"{name}: {texts(before)}"
    saved = tick_ns(before) - tick_ns(after)
    said = found["time_ns"] / before["ticks"]["statistics"]["count"]
    if not saved / 2 <= said <= saved * 2:
        return f"{name}: {said} ns a tick, saved {saved}"
    judged = judge(before, after, found)
    return None if [fate for fate, _ in judged] == ["gone"] else f"{name}: judged {judged}"


def check_clean(name, documents):
    said = texts(documents[name])
    advice = list(filter(is_advice, documents[name]["findings"]))
    if name not in TWO_KINDS:
        is_counted = COUNTS.get(name, "") in " ".join(said)
        return f"{name}: {said}" if advice or not is_counted else None
    is_right = (
        [finding["kind"] for finding in advice] == ["two-kinds"]
        and advice[0]["text"].startswith("ScanEnemies takes ")
        and TWO_KINDS[name] in advice[0]["text"]
        and "ollection" not in " ".join(said)
    )
    return None if is_right else f"{name}: {said}"


def record_all(names, directory):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(lambda name: record(name, directory), names)))


def main():
    names = [name[:-4] for name in sorted(os.listdir(programs)) if name != "background.lua"]
    clean = [name for name in names if name.startswith("nothing-")]
    checks = {name: (check_bug, [f"{name}-before", f"{name}-after"]) for name in BUGS}
    checks.update({name: (check_clean, [name]) for name in clean})
    lib.check(sorted(names) == sorted(name for _, logs in checks.values() for name in logs), names)
    with tempfile.TemporaryDirectory() as directory:
        # Other programs can slow the machine down so unevenly that a trend drowns: three chances.
        for chance in range(3):
            logs = [log for _, part in checks.values() for log in part]
            documents = record_all(logs, directory)
            wrong = {name: check(name, documents) for name, (check, _) in checks.items()}
            for name, fault in wrong.items():
                if not fault or chance == 2:
                    lib.check(not fault, fault)
            checks = {name: checks[name] for name, fault in wrong.items() if fault}
    lib.finish("programs and findings", 15)


main()
