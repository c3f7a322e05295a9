"""what_if.py SUPPROF FIXTURES [FIRST LAST]

Every number of --what-if and of its finding, over recordings that are made here from the seeds
FIRST to LAST: from what was written for each tick, added up here. A recording in which a function
really takes half of its time has just the ticks that --what-if foretold of the other one. In the
fixtures, the ticks are taken one by one with --tick.
"""
import json
import math
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program, fixtures = lib.Program(sys.argv[1]), sys.argv[2]
BUDGET_US = 100000
# Kinds of findings of which a repair can be foretold, and those that were.
REPAIRED = {"slow-ticks", "what-if", "many-calls", "loop", "same-arguments", "two-kinds", "forks"}
REPAIRED |= {"kept-results"}
PROMISED = {}
NAMES = ["slow_ticks", "median_ns", "percentile_99_ns", "longest_ns"]


def rank(values, percent):
    values = sorted(values)
    return values[max(0, (len(values) * percent + 99) // 100 - 1)]


def times_of(ticks, factors):
    """Of ticks {function: microseconds}."""
    all_us = [sum(us * factors.get(name, 1) for name, us in tick.items()) for tick in ticks]
    return [sum(us > BUDGET_US for us in all_us), rank(all_us, 50), rank(all_us, 99), max(all_us)]


def same(found, times, near_ns=2):
    return found["slow_ticks"] == times[0] and all(
        abs(found[name] - 1000 * us) <= near_ns for name, us in zip(NAMES[1:], times[1:])
    )


def ask(*arguments):
    return json.loads(program.text("-f", "json", *arguments))


def check_changes(what, path, ticks, changes):
    """Changes are of patterns that match one function each."""
    options, all_factors, wanted = [], {}, []
    for name, factor, text in changes:
        options += ["--what-if", text]
        all_factors[name] = all_factors.get(name, 1) * factor
        wanted.append(times_of(ticks, {name: factor}))
    if len(changes) > 1:
        wanted.append(times_of(ticks, all_factors))
    found = ask("--overhead", "off", *options, path)["ticks"]["what_if"]
    # What is not whole nanoseconds is rounded for each function before it is added up.
    lib.check(
        same(found["now"], times_of(ticks, {}), 50),
        f"{what}: now {found['now']}, not {times_of(ticks, {})}",
    )
    lib.check(len(found["changes"]) == len(wanted), f"{what}: {len(found['changes'])} changes")
    for change, times in zip(found["changes"], wanted):
        lib.check(same(change, times, 50), f"{what}: {change}, not {times}")


def check_finding(what, document, ticks):
    """The function of which half leaves the fewest slow ticks, and how many."""
    slow = [tick for tick in ticks if sum(tick.values()) > BUDGET_US]
    names = {name for tick in slow for name in tick}

    def left(name, part):
        return sum(sum(tick.values()) - part * tick.get(name, 0) > BUDGET_US for tick in slow)

    found = [finding for finding in document["findings"] if finding["kind"] == "what-if"]
    if len(slow) > 4096 or not slow:
        lib.check(not found, f"{what}: a finding of {len(slow)} slow ticks")
        return 0
    best = min(left(name, 0.5) for name in names)
    if not found:
        unusual = [
            tick
            for tick in document["ticks"]["list"]
            if tick["over_ns"] > 0
            and tick["usual_ns"] is not None
            and tick["time_ns"] // 2 > tick["usual_ns"]
        ]
        lib.check(
            100 * (len(slow) - best) < 20 * len(slow)
            or 2 * len(unusual) > len(slow)
            or len(document["findings"]) == 5,
            f"{what}: no finding, although {best} of {len(slow)} are left",
        )
        return 0
    numbers, name = found[0]["numbers"], document["functions"][found[0]["function"]]["name"]
    lib.check(
        numbers["slow_ticks"] == len(slow)
        and numbers["left_by_half"] == best == left(name, 0.5)
        and numbers["left_without"] == left(name, 1),
        f"{what}: {name} {numbers}, best {best} of {len(slow)}",
    )
    shares = [
        1 - (sum(tick.values()) - BUDGET_US) / tick[name] if tick.get(name) else -1 for tick in slow
    ]
    if best > 0 and left(name, 1) == 0:
        lib.check(
            numbers["percent_for_none"] == int(100 * min(shares) + 1e-9),
            f"{what}: {numbers}, {min(shares)}",
        )
    saved = sum(
        min(500 * tick.get(name, 0), 1000 * (sum(tick.values()) - BUDGET_US)) for tick in slow
    )
    lib.check(abs(found[0]["time_ns"] - saved) <= 2, f"{what}: {found[0]}, not {saved}")
    return 1


class Recording:
    """Six functions with calls of a thousandth of a second or so; in slow ticks, one or two of them
    are called more often."""

    def __init__(self, seed, halved=None):
        rng = random.Random(seed)
        self.ticks, self.lines = [], []
        self.put(
            "begin version=3 state=sim clock=x at=0 step=1e-06 unit=1e-06 tick=0 time=0 "
            "marks=yes memory=no "
            "calibration=0 calibrator=99 lua_call=? c_call=? next_call=?"
        )
        for text in ("thread 0 main", "source 1 @lua/a.lua"):
            self.put(text)
        for function in range(6):
            self.put(f"function {function + 1} 1 {10 * function + 1} Func{function}")
            self.put(f"site {function} {function + 1},-2")
        hot, slow_part, other = (
            rng.randrange(6),
            rng.choice([0, 0.05, 0.3]),
            rng.choice([5, 20, 70]),
        )
        for tick in range(rng.choice([60, 400, 1000])):
            calls = [rng.randint(0, 4) for _ in range(6)]
            if rng.random() < slow_part:
                calls[hot] += rng.randint(30, 60)
                calls[rng.randrange(6)] += rng.randint(0, other)
            times = {}
            events = f"#{tick}"
            for function, count in enumerate(calls):
                for _ in range(count):
                    us = 2 * rng.randint(700, 1300)
                    us = us // 2 if function == halved else us
                    events += f"{'ABCDEF'[function]}.{us}"
                    times[f"Func{function}"] = times.get(f"Func{function}", 0) + us
            self.ticks.append(times)
            self.put(f"events 0 {tick / 10} 0 {events}")
        self.put(
            f"end lines={len(self.lines) + 1} events=0 functions=0 sites=0 threads=1 at=9 "
            "lost=0 tick=0"
        )

    def put(self, text):
        self.lines.append(f"info: prof: $3 s1 {len(self.lines) + 1} {text}\n")

    def write(self, path):
        with open(path, "w") as log:
            log.writelines(self.lines)


def check_seed(seed, folder):
    rng, path = random.Random(-seed), os.path.join(folder, "game.log")
    recording, what = Recording(seed), f"seed {seed}"
    recording.write(path)
    changes = []
    for _ in range(rng.randint(1, 4)):
        name, number = f"Func{rng.randrange(6)}", rng.choice(["2", "3", "1.5", "10", "0.5"])
        is_divided = rng.random() < 0.7
        number = number if is_divided else rng.choice(["0", "0.25", "1.5"])
        changes.append(
            (
                name,
                1 / float(number) if is_divided else float(number),
                name + ("/" if is_divided else "*") + number,
            )
        )
    check_changes(what, path, recording.ticks, changes)
    found = check_finding(what, ask(path), recording.ticks)
    halved = rng.randrange(6)
    foretold = ask("--what-if", f"Func{halved}/2", path)["ticks"]["what_if"]["changes"][0]
    old = path + ".old"
    os.rename(path, old)
    Recording(seed, halved).write(path)
    check_promises(what, old, path)
    really = ask(path)["ticks"]["statistics"]
    times = [really["over_count"]] + [really[name] / 1000 for name in NAMES[1:]]
    lib.check(same(foretold, times), f"{what}: Func{halved} is faster: {really}, not {foretold}")
    return found


def check_promises(what, old, new, *options):
    """What a comparison says that --what-if promised of the old log's findings."""
    for judged in ask(*options, "--diff", old, new)["judged_findings"]:
        promise = judged["what_if"]
        is_known = judged["kind"] in REPAIRED and judged["fate"] in ("gone", "still-there")
        lib.check(bool(promise) == is_known, f"{what}: {judged}")
        if not promise:
            continue
        PROMISED[judged["kind"]] = judged
        change = promise["promised"]["text"]
        foretold = ask(*options, "--what-if", change, old)["ticks"]["what_if"]
        came = ask(*options, "--what-if", "./1", new)["ticks"]["what_if"]["now"]
        wanted = {"old": foretold["now"], "promised": foretold["changes"][0], "new": came}
        lib.check(promise == wanted, f"{what}: {promise}, not {wanted}")
        said = re.search(
            r"slow ticks: (\d+) (?:without|with half of) it, (\d+) now", judged["text"]
        )
        numbers = (promise["promised"]["slow_ticks"], came["slow_ticks"])
        lib.check(not said or tuple(map(int, said.groups())) == numbers, f"{what}: {judged}")


def check_fixture(name, changes):
    path = os.path.join(fixtures, name)
    ticks = []
    for row in program.csv("ticks-csv", path):
        rows = program.csv("csv", "--overhead", "off", "--tick", row["tick"], path)
        times = {}
        # Of a tick in which only the recorder ran, there are none.
        for cells in rows or []:
            key = cells["function"] + cells["line"]
            times[key] = times.get(key, 0) + float(cells["self_us"])
        ticks.append(times)
    check_changes(name, path, ticks, changes)


def check_totals(name, changes):
    """Changes of total times, in every tick by its stacks: alone, and all of them with one of a
    self time."""
    path, ticks = os.path.join(fixtures, name), []
    for row in program.csv("ticks-csv", path):
        stacks = program.csv(
            "csv", "--by", "stack", "--overhead", "off", "--tick", row["tick"], path
        )
        ticks.append(
            [(re.split(";", cells["stack"]), float(cells["self_us"])) for cells in stacks or []]
        )

    def factor_of(stack, pattern, factor, is_total):
        return (
            factor
            if any(re.search(pattern, frame) for frame in (stack if is_total else stack[-1:]))
            else 1
        )

    def sums(changes):
        made = [
            {
                "": sum(
                    us * math.prod(factor_of(stack, *change[:3]) for change in changes)
                    for stack, us in tick
                )
            }
            for tick in ticks
        ]
        return times_of(made, {})

    options = [option for *_, text in changes for option in ("--what-if", text)]
    found = ask("--overhead", "off", *options, path)["ticks"]["what_if"]["changes"]
    wanted = [sums([change]) for change in changes] + [sums(changes)]
    lib.check(len(found) == len(wanted), f"{name}: {len(found)} changes of totals")
    for change, times in zip(found, wanted):
        lib.check(same(change, times, 50), f"{name}: {change}, not {times}")


def main():
    first, last = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 4 else (1, 10)
    with tempfile.TemporaryDirectory() as folder:
        found = sum(check_seed(seed, folder) for seed in range(first, last + 1))
    lib.check(found > (last - first) // 5, f"{found} findings")
    names = ["recorded-spikes.log.gz", "recorded-memory.log.gz"]
    check_promises("loop", *[os.path.join(fixtures, name) for name in names])
    lib.check(set(PROMISED) >= {"slow-ticks", "what-if", "loop"}, PROMISED)
    check_fixture(
        "recorded-spikes.log.gz",
        [
            ("BuildThreatMap77", 0.5, "BuildThreatMap/2"),
            ("GetThreatAtPosition20", 0.25, "GetThreatAtPosition/4"),
        ],
    )
    check_fixture("recorded-midgame.log.gz", [("Deep313", 0.1, "Deep3/10")])
    # The name of the function, error, is also in the names of files.
    errors, memory = (
        os.path.join(fixtures, f"recorded-{name}.log.gz") for name in ("errors", "memory")
    )
    check_promises("errors", errors, memory, "--slow-over=0.2")
    check_totals(
        "recorded-spikes.log.gz",
        [
            ("BuildThreatMap", 0.5, True, "total(BuildThreatMap)/2"),
            ("Threat", 0.1, True, "total(Threat)*0.1"),
            ("GetThreat", 0, False, "GetThreat*0"),
        ],
    )
    check_totals(
        "recorded-midgame.log.gz",
        [("Deep[1-3]", 0.25, True, "total(Deep[1-3])/4"), ("Deep3", 2, False, "Deep3*2")],
    )
    lib.finish("numbers of --what-if", least=40)


main()
