"""Makes a case of a seed: logs that are mutated from real ones, and a command line.

A case is what the fuzzer runs, saves and makes smaller: the files of a directory by name, the
arguments, and which file is standard input. `log_bytes` is the size of its logs unpacked.
"""
import base64
import glob
import gzip
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "attacks"))
import generate
import recording

FIXTURES = os.path.join(HERE, "..", "..", "fixtures")
LINE = re.compile(rb"(.*?prof: \$\d+ )([su]\d+) (\d+) ([a-z]+)(.*)", re.S)
EVENT = re.compile(
    rb"[A-Z][a-z]*\d*(?:\+\d+)?|[.,!]\d*(?:\+\d+)?|\^\d+\.\d*(?:\+\d+)?|[@#]\d+|"
    rb"\([A-Za-z]*\)|~"
)
SAMPLE_LINES = 250
NUMBERS = [
    b"0",
    b"1",
    b"2",
    b"-1",
    b"-2",
    b"7",
    b"255",
    b"65536",
    b"8388607",
    b"16777215",
    b"16777216",
    b"2147483647",
    b"2147483648",
    b"-2147483648",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1000000000000000",
    b"9999999",
    b"10000000",
    b"1e15",
    b"1e308",
    b"1e-300",
    b"-0.5",
    b"0.1",
    b"nan",
    b"inf",
    b"1.#INF",
    b"?",
    b"",
    b"00000000000000000000000000000001",
]
WORDS = [
    b"prof: ",
    b"info: ",
    b"info: prof: ",
    b"warning: prof: ",
    b"debug: ",
    b"$2 s1 ",
    b"$3 s1 1 begin",
    b"Starting profiler",
    b"info: Starting profiler\n",
    b"[2026-02-24 20:31:02.433] [info] prof: ",
    b"\ndebug: Session time: 00:00:10\tGame time: 00:00:10\tHeap: 300.0M / 290.0M\n",
    b"\nwarning: Error running lua script: ...\\lua\\a.lua(608): attempt to index local `x'\n",
    b"\nwarning: Error importing '/lua/a.lua'\n",
    b"\nwarning: Checksum for beat 3300 mismatched\n",
    b"\nwarning: Sim crashed hard in DoSimBeat(): bad allocation\n",
    b"\ninfo: LogGamePerformanceData: GameTime=10 Time taken=10.02; Unit Count=900\n",
    b"\ninfo: ProfilerOutput: No.1=GetRating; TimesRun=120000; Time=4.21\n",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\t",
    b"\x1b[31m",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\xe2\x80\x8b",
    b"\xc3\xa9",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b";",
    b",",
    b";;",
    b";@",
    b";=[C],-1,next,-1",
    b"=(tail call),-1,,-1",
    b"@c:\\a.lua,1,f,2;",
    b"\\092",
    b"\\010",
    b"\\000",
    b"%s%n",
    b"<b>&amp;\"'",
    b"</script>",
    b"=cmd|' /C calc'!A0",
    b"DISK: AddSearchPath: 'c:\\a', mounted as '/b/'\n",
    b"events 0 0 0 ",
    b"A" * 300,
]
OTHERS = [
    b"\x1f\x8b\x08\0",
    b"PK\x03\x04\x14\0",
    b"\xfd7zXZ\0",
    b"BZh91AY&SY",
    b"7z\xbc\xaf\x27\x1c",
    b"\x89PNG\r\n\x1a\n",
    b"MZ\x90\0",
    b"\x7fELF",
    b"%PDF-1.4",
]
PATTERNS = [
    ".",
    "f",
    "^next ",
    "(?i)LUA",
    "\\[C\\]$",
    "a|b|c",
    "unit",
    "(a+)+$",
    "(.*.*)*x",
    "^$",
    "[^ ]+ lua/",
    "(",
    "\\",
    "(?=x)*",
    "\\C",
    "\\p{L}",
    "mods/",
    ".{3,}",
    "",
    "(?R)",
    "x*",
]
# What the options take; of others, any of OTHER_VALUES is tried.
WORD_OPTIONS = {
    "--by": ["function", "file", "mod", "line", "stack", "thread", "?"],
    "--sort": ["self", "total", "calls", "avg", "max", "errors", "alloc", "x"],
    "--overhead": ["auto", "off", "0,0", "0.2,0.3", "1000,1000", "1e3,1", "1,", "0.0000001,999.9"],
    "--thread": ["main", "coroutine", "all"],
    "--normalize": ["call", "tick", "total", "none"],
    "--metric": ["time", "calls", "errors", "alloc"],
    "--orientation": ["icicle", "flame"],
    "--unit": ["ns", "us", "ms", "s"],
    "--paths": ["short", "full"],
    "--color": ["always", "never", "auto"],
    "--progress": ["always", "never", "auto"],
    "--top": ["0", "1", "5", "20", "18446744073709551615", "-1", ""],
    "--ticks": ["0", "1", "3", "18446744073709551615", "x"],
    "--run": ["1", "1", "2", "3", "4294967295", "0"],
    "--max-depth": ["1", "2", "3", "10", "100", "1999", "2000", "2001", "4294967295", "0"],
    "--min-pct": ["0", "0.1", "1", "10", "50", "100", "0.000000001", "101", "nan"],
    "--max-size": ["0", "1", "10", "18446744073709551615", "-1"],
    "--columns": [
        "self",
        "calls,self",
        "total,total%,sum%,self%",
        "min,mean,max,errors,alloc,noise",
        "main,coroutine,avg",
        "self,self",
        ",",
        "nothing",
    ],
    "--from": [
        "0",
        "1",
        "#1",
        "#2",
        "#5",
        "#20",
        "#100",
        "#4294967295",
        "0.3",
        "1:30",
        "1:00:00",
        "9223372036854775807",
        "x",
    ],
    "--to": ["1", "#3", "#6", "#22", "#101", "2", "10", "1:31", "#4294967295", "99999999999"],
}
OTHER_VALUES = ["0", "1", "5", "10%", "main", "f", "x", "", "1e9", "18446744073709551615"]
FLAGS = ["--call-sites", "--fold-recursion", "--strict", "-q", "-v", "--version", "--help"]
PATTERN_OPTIONS = ["--focus", "--ignore", "--hide", "--show-from", "--peek"]
FILE_OPTIONS = ["--output", "--format", "--diff", "--hide-file", "--lua-root"]


def other_options(options):
    """The options that the lists above lack, with whether they take a value."""
    # --open would start a browser.
    known = {
        "--open",
        *WORD_OPTIONS,
        *PATTERN_OPTIONS,
        *FILE_OPTIONS,
        *FLAGS,
        "--quiet",
        "--verbose",
    }
    return {name: has_value for name, has_value in options.items() if name not in known}


class Case:
    def __init__(self, files, arguments, stdin=None, log_bytes=None):
        self.files = files
        self.arguments = arguments
        self.stdin = stdin
        self.log_bytes = log_bytes or sum(map(len, files.values()))

    def outputs(self):
        """The names of the output files, as the arguments have them."""
        at = self.arguments
        return [at[i + 1] for i in range(len(at) - 1) if at[i] == "-o" and at[i + 1] != "-"]

    def save(self, path):
        data = {
            "arguments": self.arguments,
            "stdin": self.stdin,
            "log_bytes": self.log_bytes,
            "files": {
                name: base64.b85encode(data).decode()
                if b"\0" in data or not data.isascii()
                else "=" + data.decode()
                for name, data in self.files.items()
            },
        }
        with open(path, "w") as file:
            json.dump(data, file, indent=1)
            file.write("\n")

    @staticmethod
    def load(path):
        with open(path) as file:
            data = json.load(file)
        files = {
            name: text[1:].encode() if text.startswith("=") else base64.b85decode(text)
            for name, text in data["files"].items()
        }
        return Case(files, data["arguments"], data["stdin"], data["log_bytes"])


def load_fixtures():
    """All logs of the fixtures by name, unpacked; those of recordings apart."""
    records, recordings = {}, {}
    for path in sorted(glob.glob(FIXTURES + "/*.log*") + glob.glob(FIXTURES + "/rebuild/*.log")):
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(".gz"):
            data = gzip.decompress(data)
        (recordings if re.search(rb"prof: \$\d ", data) else records)[os.path.basename(path)] = data
    return records, recordings


class Mutator:
    def __init__(self, seed, fixtures):
        self.random = random.Random(seed)
        self.records, self.recordings = fixtures

    def chance(self, share):
        return self.random.random() < share

    def pick(self, things):
        return self.random.choice(things)

    # Logs

    def sample(self, data):
        """Few enough lines to be read fast: of a recording, what defines and a part of the
        events."""
        lines = data.splitlines(keepends=True)
        if len(lines) <= SAMPLE_LINES or self.chance(0.01):
            return lines
        first = self.random.randrange(len(lines) - SAMPLE_LINES)
        kept = []
        for i, line in enumerate(lines[: first + SAMPLE_LINES]):
            found = LINE.match(line)
            is_definition = found and found.group(4) != b"events"
            if i >= first or is_definition and (len(kept) < 200 or self.chance(0.9)):
                kept.append(line)
        return kept

    def tiny_recording(self):
        """A recording of random events."""
        count = self.random.randrange(1, 6)
        log = recording.Recording("s%d" % self.random.randrange(1, 3))
        log.add("source 1 @c:\\092lua\\092a.lua")
        log.add("source 2 =[C]")
        names = ["f", "WaitTicks", "coroutine.yield", "?", "g;h", "next", "calibrate"]
        for i in range(count):
            is_c = self.chance(0.3)
            log.function(i, 1 + is_c, -1 if is_c else i * 3, self.pick(names))
        for i in range(2 * count + 2):
            log.site(i, self.random.randrange(count), self.pick([-2, -1, 0, 5, 5, 7, 100]))
        for i in range(self.random.randrange(3)):
            log.add("thread %d %s" % (i, self.pick(["main", "coroutine"])))
        for _ in range(self.random.randrange(1, 8)):
            events = b"".join(self.event() for _ in range(self.random.randrange(1, 60)))
            log.events(events.decode("latin-1"), self.random.randrange(3))
            if self.chance(0.2):
                counts = [self.pick([0, 1, 1, 2, 9, (1 << 64) - 1]) for _ in range(12)]
                log.add(recording.counts_of_arguments(self.random.randrange(count), counts))
        if self.chance(0.5):
            log.add("end events=9 lines=9")
        return log.text().encode("latin-1").splitlines(keepends=True)

    def base(self):
        """The lines of a log that is as it should be, or of one that is made to hurt."""
        choice = self.random.random()
        if choice < 0.4:
            return self.sample(self.recordings[self.pick(sorted(self.recordings))])
        if choice < 0.65:
            return self.sample(self.records[self.pick(sorted(self.records))])
        if choice < 0.85:
            return self.tiny_recording()
        kind = self.pick(sorted(generate.KINDS))
        text = generate.KINDS[kind](self.pick([1, 4, 30, 300, 3000 if self.chance(0.3) else 100]))
        return text.encode("latin-1").splitlines(keepends=True)

    def number(self):
        return self.pick(NUMBERS) if self.chance(0.5) else b"%d" % self.random.randrange(40)

    def units(self):
        return self.pick([b"", b"", b"1", b"3", b"40", b"1000", b"100000", b"4294967295"])

    def event(self):
        letters = self.pick([b"A", b"B", b"C", b"D", b"E", b"F", b"G", b"Aa", b"Zzzz"])
        kind = self.random.randrange(16)
        if kind < 6:
            return (
                letters
                + self.units()
                + (b"+%d" % self.random.randrange(99) if self.chance(0.05) else b"")
            )
        if kind < 10:
            return b"." + self.units()
        return [
            b"^%d." % self.random.randrange(6) + self.units(),
            b"," + self.units(),
            b"!" + self.units(),
            b"@%d" % self.random.randrange(4),
            b"#%d" % self.random.randrange(30),
            self.pick([b"~", b"(A)", b"(AB)", b"()", b"(BCDE)"]),
        ][kind - 10]

    def mutate_events(self, line):
        """Changes a few events of a line; other lines stay."""
        found = LINE.match(line)
        if not found or found.group(4) != b"events":
            return line
        fields = found.group(5).rstrip(b"\r\n").split(b" ", 4)
        if len(fields) < 5:
            return line
        events = EVENT.findall(fields[4])
        for _ in range(self.random.randrange(1, 5)):
            at = self.random.randrange(len(events) + 1)
            action = self.random.randrange(6)
            if action == 0:
                del events[at : at + self.random.randrange(1, 4)]
            elif action == 1:
                events[at:at] = events[at : at + 6] * self.pick([1, 2, 50, 500])
            elif action == 2:
                events.insert(at, self.event())
            elif action == 3:
                events[at:at] = [self.event() for _ in range(30)]
            elif events:
                other = self.random.randrange(len(events))
                at = min(at, len(events) - 1)
                events[at], events[other] = events[other], events[at]
        fields[4] = b"".join(events)
        return (
            b"".join(found.group(1, 2))
            + b" "
            + found.group(3)
            + b" events"
            + b" ".join(fields)
            + b"\n"
        )

    def mutate_bytes(self, line):
        at = self.random.randrange(len(line) + 1)
        action = self.random.randrange(6)
        if action == 0:
            return line[:at] + self.pick(WORDS) + line[at:]
        if action == 1:
            return line[:at] + bytes([self.random.randrange(256)]) + line[at + 1 :]
        if action == 2:
            return line[:at] + line[at + self.random.randrange(1, 9) :]
        if action == 3:
            part = line[at : at + self.random.randrange(1, 40)]
            return line[:at] + part * self.pick([2, 3, 20, 200]) + line[at:]
        numbers = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", line))
        if not numbers:
            return line
        number = self.pick(numbers)
        return line[: number.start()] + self.number() + line[number.end() :]

    def mutate_lines(self, lines):
        at = self.random.randrange(len(lines) + 1)
        action = self.random.randrange(10)
        if action == 0:
            del lines[at : at + self.random.randrange(1, 10)]
        elif action == 1:
            lines[at:at] = lines[at : at + self.random.randrange(1, 10)] * self.pick([1, 1, 2, 30])
        elif action == 2:
            part = lines[at : at + 8]
            self.random.shuffle(part)
            lines[at : at + 8] = part
        elif action == 3:
            other = self.base()
            start = self.random.randrange(len(other) + 1)
            lines[at:at] = other[start : start + 30]
        elif action == 4 and lines:
            lines[-1] = lines[-1][: self.random.randrange(len(lines[-1]) + 1)]
        elif at < len(lines):
            change = self.mutate_events if action < 8 else self.mutate_bytes
            lines[at] = change(lines[at])

    def renumber(self, lines):
        """Gives the recorder's lines the numbers that they should have."""
        numbers = {}
        for i, line in enumerate(lines):
            found = LINE.fullmatch(line)
            if found:
                run = found.group(2)
                numbers[run] = numbers.get(run, 0) + 1
                lines[i] = (
                    found.group(1)
                    + b"%s %d %s" % (run, numbers[run], found.group(4))
                    + found.group(5)
                )

    def log(self):
        lines = list(self.base())
        for _ in range(self.pick([0, 1, 1, 2, 3, 5, 10, 30])):
            self.mutate_lines(lines)
        if self.chance(0.6):
            self.renumber(lines)
        if self.chance(0.05):
            lines += [line.replace(b" s1 ", b" s2 ") for line in self.base()]
        data = b"".join(lines)
        for _ in range(self.pick([0, 0, 0, 1, 4])):
            data = self.mutate_bytes(data)
        if self.chance(0.03):
            data = data.decode("latin-1").encode(
                self.pick(["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
            )
        if self.chance(0.05):
            if self.chance(0.6):
                data = b'"%s"' % data.replace(b'"', b'""').replace(b"\n", b'"\n"')
            data = data.replace(b"\n", self.pick([b"\n", b"\r\n"]))
        if self.chance(0.02):
            data = self.pick(OTHERS) + data
        return data

    def pack(self, data):
        """Compresses a log, more or less well."""
        half = self.random.randrange(len(data) + 1)
        packed = gzip.compress(data[:half], mtime=0) + gzip.compress(data[half:], mtime=0)
        action = self.random.randrange(8)
        if action == 0:
            return packed[: self.random.randrange(len(packed))]
        if action == 1:
            return packed + self.pick([b"\0" * 512, b"text\n", data, b"\x1f\x8b\x08"])
        if action == 2:
            return self.mutate_bytes(packed)
        return packed

    # Command lines

    def pattern(self, log):
        if self.chance(0.6):
            return self.pick(PATTERNS)
        words = re.findall(rb"[A-Za-z_]{2,20}", log[:5000]) or [b"f"]
        return self.pick(words).decode()

    def lua_root(self, files):
        if self.chance(0.5):
            return os.path.relpath(FIXTURES + "/lua-root", "/")
        names = ["lua/ai/AIUtilities.lua", "lua/decoys.lua", "lua/sim/unit.lua"]
        for name in names:
            with open(os.path.join(FIXTURES, "lua-root", name), "rb") as file:
                data = file.read()
            for _ in range(self.random.randrange(4)):
                data = self.mutate_bytes(data)
            files["root/" + name] = data
        return "root"

    def options(self, files, log, others):
        arguments = []
        for _ in range(self.pick([0, 0, 1, 1, 2, 3, 4, 6])):
            choice = self.random.random()
            if others and choice < 0.02 * len(others):
                name = self.pick(sorted(others))
                arguments.append(name + ("=" + self.pick(OTHER_VALUES) if others[name] else ""))
            elif choice < 0.6:
                name = self.pick(sorted(WORD_OPTIONS))
                values = WORD_OPTIONS[name]
                value = self.pick(
                    values[: max(1, len(values) * 3 // 4)] if self.chance(0.8) else values
                )
                arguments.append("%s=%s" % (name, value))
            elif choice < 0.75:
                arguments.append(self.pick(FLAGS[:5] if self.chance(0.95) else FLAGS))
            elif choice < 0.93:
                arguments.append("%s=%s" % (self.pick(PATTERN_OPTIONS), self.pattern(log)))
            elif choice < 0.97:
                files["hide.txt"] = "\n".join(self.pattern(log) for _ in range(5)).encode()
                arguments.append("--hide-file=hide.txt")
            else:
                arguments.append("--lua-root=" + self.lua_root(files))
        return arguments

    def output_options(self, formats):
        arguments = []
        choice = self.random.random()
        if choice < 0.25:
            return ["-f", self.pick([*formats, "x"])]
        if choice < 0.4:
            return arguments
        suffixes = [suffix for all in formats.values() for suffix in all]
        for suffix in self.random.sample(suffixes, self.pick([1, 2, 2, 3, 4, 6])):
            arguments += ["-o", "out/a." + suffix]
            if suffix == "peek":
                arguments.append("--peek=" + self.pick(PATTERNS[:8]))
        return arguments

    def case(self, formats, options):
        files, names, log_bytes = {}, [], 0
        for i in range(self.pick([1, 1, 1, 1, 1, 2, 3])):
            data = self.log()
            log_bytes += len(data)
            name = "%d.log" % i
            if self.chance(0.15):
                name += ".gz"
                data = self.pack(data)
            files[name] = data
            names.append(name)
        first = files[names[0]]
        arguments = self.options(files, first, other_options(options)) + self.output_options(
            formats
        )
        stdin = None
        if self.chance(0.12):
            old = self.pick(names)
            arguments += ["--diff", old]
            log_bytes += len(files[old])
        elif self.chance(0.1):
            stdin = names.pop()
            names += [] if not names and self.chance(0.5) else ["-"]
        if self.chance(0.01):
            names.append("missing.log")
        return Case(files, arguments + names, stdin, log_bytes)
