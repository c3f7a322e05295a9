"""sampled_ticks.py SUPPROF FIXTURES

Recordings of whole ticks, made from exact ones: some of their ticks are chosen, each out of a block
of another size, and nothing else is kept. Each chosen tick must have the calls and self times that
it has in the exact recording, and a report of all of them the sums of these times the sizes of the
blocks. With a tick that was recorded because it was slow, and a tick that was cut, besides.
"""
import collections
import glob
import gzip
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program = lib.Program(sys.argv[1])
EVENT = re.compile(
    r"([.,!]|[A-Z][a-z]*|:[a-z]+|\^\d+\.|/\d+:)(?:\d*)(?:\+\d+)?|@\d+|\([A-Za-z:]*\)|~|#\d+"
)


class Cutter:
    """Reads an exact recording line by line, and writes the chosen ticks."""

    def __init__(self, version, blocks, slow):
        self.version = version
        self.blocks, self.slow = blocks, slow  # block by tick; ticks that were slow
        self.out, self.stacks, self.kinds, self.sites = [], {}, {}, {}
        self.thread, self.open, self.met, self.number = None, None, {}, 0

    def put(self, kind, text):
        self.number += 1
        self.out.append(f"info: prof: {self.version} s1 {self.number} {kind} {text}\n")

    def number_of(self, letters):
        number = 0
        for letter in letters.lower():
            number = number * 26 + ord(letter) - 96
        return str(number - 1)

    def apply(self, text):
        """What an event does to the stack of its thread: a list of calls as they were written."""
        stack = self.stacks.setdefault(self.thread, [])
        if text[0] == "@":
            self.thread = text[1:]
        elif text[0] == "(":
            stack[:] = re.findall(r"[A-Z][a-z]*", text)
        elif text[0] == "~":
            stack.clear()
        elif text[0].isupper():
            stack.append(re.match(r"[A-Z][a-z]*", text)[0])
        elif text[0] in ".,":
            del stack[-1:]
        elif text[0] == "/":
            del stack[-int(re.match(r"/(\d+)", text)[1]) :]
        elif text[0] == "^":
            wanted = re.match(r"\^(\d+)", text)[1]
            while stack and self.sites[self.number_of(stack.pop())] != wanted:
                pass

    def meet(self):
        """A thread has a new number in each sample, and begins with its whole stack."""
        if self.thread not in self.met:
            self.met[self.thread] = str(len(self.met) + 1000 * (1 + len(self.kinds) + self.number))
            self.put(
                "thread", f"{self.met[self.thread]} {self.kinds.get(self.thread, 'coroutine')}"
            )
            stack = self.stacks.get(self.thread, [])
            return "@" + self.met[self.thread] + (f"({''.join(stack)})" if stack else "")
        return "@" + self.met[self.thread]

    def begin_tick(self, tick):
        if self.open is not None and not (self.open == "slow" and tick in self.slow):
            self.put("hook", f"{'cut' if self.open == 'cut' else 'left'} {tick}")
            self.open, self.met = None, {}
        if tick in self.blocks:
            block, self.open = self.blocks[tick]
            self.put("hook", f"chosen {tick} {block}")
        elif tick in self.slow and self.open is None:
            self.open = "slow"
            self.put("hook", f"slow {tick}")

    def events(self, thread, text):
        self.thread = self.thread or thread
        kept = ""
        for match in EVENT.finditer(text):
            event = match[0]
            if event[0] == "#":
                if kept:
                    self.put("events", f"0 0 0 {kept}")
                    kept = ""
                self.begin_tick(int(event[1:]))
                kept = event if self.open == "slow" else ""
                continue
            if event[0] == "@":
                self.apply(event)
                kept += self.meet() if self.open else ""
                continue
            if self.open and not kept.strip("#0123456789") and self.thread not in self.met:
                kept += self.meet()
            kept += event if self.open else ""
            self.apply(event)
        if kept:
            self.put("events", f"0 0 0 {kept}")

    def line(self, kind, text):
        words = text.split(" ")
        if kind == "begin":
            self.put("begin", text.replace("mode=exact ", "") + " mode=ticks budget=0.03")
        elif kind == "events":
            self.events(words[0], words[3])
        elif kind == "thread":
            self.kinds[words[0]] = words[1]
        elif kind == "end":
            cut = sum(how == "cut" for _, how in self.blocks.values())
            self.put("end", f"{text} chosen={len(self.blocks)} passed=1000 share=0.031 cut={cut}")
        elif kind != "hook":
            if kind == "site":
                self.sites[words[0]] = words[1].split(",")[0]
            self.put(kind, text)


def sums(*arguments):
    """Calls, errors and self times of each stack."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for row in program.csv("csv", "--by=stack", "--overhead=off", *arguments) or []:
        for i, value in enumerate(
            (int(row["calls"]), int(row["errors"]), lib.nanoseconds(row["self_us"]))
        ):
            rows[row["stack"]][i] += value
    return {stack: values for stack, values in rows.items() if any(values)}


def ticks_of(lines):
    """The ticks whose first event is another thread: the time of others began before them."""
    text = "".join(line.split(" ", 8)[8].rstrip("\n") for line in lines if " events " in line)
    return [int(tick) for tick in re.findall(r"#(\d+)(?=@)", text)]


def compare(name, wanted, found, unit):
    """A stack is some nodes, whose times are rounded one by one: together by up to `unit`."""
    for stack in set(wanted) | set(found):
        want, have = wanted.get(stack, [0, 0, 0]), found.get(stack, [0, 0, 0])
        lib.check(
            want[:2] == have[:2] and abs(want[2] - have[2]) <= unit,
            f"{name}: {stack}: calls, errors, ns {want}, found {have}",
        )


def check_log(path, folder):
    lines = gzip.open(path, "rt", encoding="latin-1", newline="\n").readlines()
    lines = [line for line in lines if re.match(r"info: prof: \$[234] s1 ", line)]
    ticks = ticks_of(lines)
    if len(ticks) < 12:
        return
    blocks = {tick: (7 + 4 * (i % 3), "left") for i, tick in enumerate(ticks[2:-2:3])}
    last = max(blocks)
    blocks[last] = (blocks[last][0], "cut")
    slow = {tick for tick in ticks if ticks[3] <= tick < ticks[5]} - set(blocks)
    cutter = Cutter(lines[0].split(" ")[2], blocks, slow)
    for line in lines:
        _, _, _, _, _, kind, text = line.rstrip("\n").split(" ", 6)
        cutter.line(kind, text)
    sampled = os.path.join(folder, "sampled.log")
    with open(sampled, "w", encoding="latin-1", newline="\n") as file:
        file.writelines(cutter.out)
    name, whole = os.path.basename(path), collections.defaultdict(lambda: [0, 0, 0])
    for tick in sorted(blocks)[:12] + sorted(slow):
        exact = sums("--tick", str(tick), path)
        compare(f"{name} #{tick}", exact, sums("--tick", str(tick), sampled), 8)
    for tick, (block, _) in blocks.items():
        for stack, values in sums("--tick", str(tick), sampled).items():
            whole[stack] = [a + block * b for a, b in zip(whole[stack], values)]
    compare(name, whole, sums(sampled), 0)
    listed = {int(row["tick"]) for row in program.csv("ticks-csv", sampled)}
    lib.check(listed == set(blocks) | slow, f"{name}: ticks {listed} of {set(blocks) | slow}")


with tempfile.TemporaryDirectory() as work:
    for log in sorted(glob.glob(os.path.join(sys.argv[2], "recorded-*.log.gz"))):
        check_log(log, work)
lib.finish("sums", 500)
