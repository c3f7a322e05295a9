"""prices.py SUPPROF [FIRST LAST]

Whether a slow tick is the game's or the computer's, in recordings made here from the seeds FIRST to
LAST. In each, ten functions do steady work in 400 ticks, and four ticks are slow: in one the
computer takes forty times as long for everything, in one a function is called far more often, in
one a single function takes far longer, and one is of a function that runs in no other tick. Only
the first is disturbed. What the calls of a tick usually take is computed from what was recorded, by
medians of exact times instead of bins: 20 % apart at most.
"""
import functools
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program = lib.Program(sys.argv[1])
COUNT, SLOW, BUSY, SINGLE, ALONE = 400, 100, 150, 200, 250
SLOW_TICKS = (SLOW, BUSY, SINGLE, ALONE)


class Recording:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.unit_us = self.random.choice([1, 1, 16, 61])
        self.prices_us = [self.random.choice([30, 100, 300, 1000]) for _ in range(10)]
        self.prices_us[3] = 300
        self.ticks = []  # of each: {function: [calls, units]}
        self.lines, self.now_us, self.rest_us = [], 0, 0.0
        self.put(
            f"begin version=3 state=sim clock=x at=0 step={self.unit_us}e-06 "
            f"unit={self.unit_us}e-06 tick=0 time=0 "
            "marks=yes memory=no calibration=0 calibrator=99 lua_call=? c_call=? next_call=?"
        )
        self.put("thread 0 main")
        self.put("source 1 @lua/a.lua")
        for function in range(11):
            self.put(f"function {function + 1} 1 {10 * function + 1} F{function}")
            self.put(f"site {function} {function + 1},-2")
        for tick in range(COUNT):
            self.add(tick)
        self.put(
            f"end lines={len(self.lines) + 1} events=0 functions=0 sites=0 threads=1 "
            f"at={self.now_us / 1e6} lost=0 "
            f"tick={COUNT - 1}"
        )

    def put(self, text):
        self.lines.append(f"info: prof: $3 s1 {len(self.lines) + 1} {text}\n")

    def units(self, us):
        """A clock of whole steps: what is left over of one time is in the next."""
        self.rest_us += us
        units = int(self.rest_us // self.unit_us)
        self.rest_us -= units * self.unit_us
        return units

    def add(self, tick):
        done, events = {}, f"#{tick}"
        start_us = self.now_us
        for function in range(11):
            calls = self.random.randint(4, 12) if function < 10 else 50 if tick == ALONE else 0
            calls *= 300 if tick == BUSY and function == 3 else 1
            for _ in range(calls):
                us = (self.prices_us[function] if function < 10 else 4000) * self.random.uniform(
                    0.8, 1.25
                )
                us *= 40 if tick == SLOW else 1
                us *= 4000 if tick == SINGLE and function == 5 else 1
                units = self.units(us)
                self.now_us += units * self.unit_us
                sums = done.setdefault(function, [0, 0])
                sums[0] += 1
                sums[1] += units
                events += chr(ord("A") + function) + (f".{units}" if units else ".")
        self.put(f"events 0 {start_us / 1e6:.6f} 0 {events}")
        self.ticks.append(done)

    def units_of(self, tick):
        return sum(units for _, units in self.ticks[tick].values())

    @functools.cached_property
    def prices(self):
        """What a call of each function takes in ticks of at most 100 ms, and the factor for their
        sum."""
        usual = [
            done for i, done in enumerate(self.ticks) if self.units_of(i) * self.unit_us <= 100000
        ]
        price = {}
        for function in range(11):
            each = sorted(
                (done[function][1] / done[function][0], done[function][0])
                for done in usual
                if function in done
            )
            calls = sum(count for _, count in each)
            before = 0
            for value, count in each:
                before += count
                if 2 * before >= calls:
                    price[function] = value
                    break
        found = sum(units for done in usual for _, units in done.values())
        priced = sum(
            calls * price[function] for done in usual for function, (calls, _) in done.items()
        )
        return price, max(1, found / priced) if priced else 1

    def usual_us(self, tick):
        price, scale = self.prices
        return self.unit_us * sum(
            calls * price[function] * scale if function in price else units
            for function, (calls, units) in self.ticks[tick].items()
        )


def check_what_if(what, recording, path, ticks):
    """Half the time of F3, where the computer's tick counts with its usual time."""
    found = json.loads(program.text("-f", "json", "--what-if", "F3/2", path))["ticks"]["what_if"]
    times = {"now": [], "then": []}
    for tick in ticks:
        is_disturbed = tick["disturbed"] and tick["time_ns"] > 100e6
        now = tick["usual_ns"] if is_disturbed else tick["time_ns"]
        part = (
            0.5 * recording.ticks[tick["tick"]].get(3, [0, 0])[1] / recording.units_of(tick["tick"])
        )
        times["now"].append(now)
        times["then"].append(now - now * part)
    for name, shown in (("now", found["now"]), ("then", found["changes"][0])):
        lib.check(
            shown["slow_ticks"] == sum(ns > 100e6 for ns in times[name]), f"{what}: {name} {shown}"
        )
        wanted = {"median_ns": sorted(times[name])[COUNT // 2 - 1], "longest_ns": max(times[name])}
        lib.check(
            all(abs(shown[key] - ns) <= 2 for key, ns in wanted.items()),
            f"{what}: {name} {shown}, not {wanted}",
        )
    lib.check(
        found["of_computer"]
        == sum(tick["disturbed"] and tick["time_ns"] > 100e6 for tick in ticks),
        f"{what}: {found}",
    )


def check(seed, directory):
    recording = Recording(seed)
    path = os.path.join(directory, f"{seed}.log")
    with open(path, "w") as file:
        file.writelines(recording.lines)
    document = json.loads(program.text("-f", "json", path))
    ticks = document["ticks"]["list"]
    lib.check(len(ticks) == COUNT, f"seed {seed}: {len(ticks)} ticks")
    for tick in ticks:
        number = tick["tick"]
        what = f"seed {seed}, tick {number}: {tick['time_ns']} ns, usual {tick['usual_ns']}"
        lib.check(tick["time_ns"] == 1000 * recording.units_of(number) * recording.unit_us, what)
        if tick["usual_ns"] is not None:
            usual_us = recording.usual_us(number)
            lib.check(
                abs(tick["usual_ns"] / 1000 - usual_us) <= 0.2 * usual_us,
                f"{what}, not {usual_us} us",
            )
        if tick["time_ns"] > 100e6:
            lib.check(tick["usual_ns"] is not None and tick["disturbed"] == (number == SLOW), what)
    check_what_if(f"seed {seed}, --what-if", recording, path, ticks)
    slow = [tick["tick"] for tick in ticks if tick["time_ns"] > 100e6]
    lib.check(set(SLOW_TICKS) <= set(slow), f"seed {seed}: slow are {slow}")
    verdict = " ".join(document["verdict"])
    lib.check(
        re.search(
            rf"{len(slow)} of \d+ ticks were slow \(over 100 ms\), 1 of them probably the "
            rf"computer's doing; the longest of the others, #(?!{SLOW} )",
            verdict,
        ),
        f"seed {seed}: {verdict}",
    )
    os.unlink(path)


first, last = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (1, 10)
with tempfile.TemporaryDirectory() as made:
    for number in range(first, last + 1):
        check(number, made)
lib.finish("values", 400)
