"""game_log.py SUPPROF FIXTURES

What the game itself has logged, as `-f json` says it (game_log): eight excerpts of real logs that
were read by hand, alone and repeated among other lines, and generated logs whose truth is known,
with the line ends of Linux and of Windows, cut anywhere, and with two games in one file. Speeds are
computed here second by second of game time, not from interval to interval.
"""
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

program = lib.Program(sys.argv[1])
excerpts = os.path.join(sys.argv[2], "game-logs")
directory = tempfile.TemporaryDirectory()

# By hand: lines, modules, mods, game times, {(place, message): (count, lines)}.
ADD_BUILDER = (
    b"...v\\git-loud\\gamedata\\lua\\lua\\ai\\aiaddbuildertable.lua(163)",
    "attempt to call method `AddBuilder' (a nil value)",
)
PROP = "Unable to create prop '/env/common/props/massDeposit01_prop.bp'"
INIT = "cannot read init_faf.lua: No such file or directory"
CONSTRUCTION = "...alliance\\gamedata\\mohodata.scd\\lua\\system\\import.lua(37)"
IMPORTING = "Error importing '/lua/ui/game/construction.lua'"
PRECEDENCE = "attempt to call method 'SetPrecedence' (a nil value)"
READ_BY_HAND = {
    "loud-mods.log": (
        22,
        0,
        ["4th Dimension Pack, LOUD", "Total Mayhem v1.13", "Domino Mod Support V0.6"],
        [],
        {},
    ),
    "loud-sim.log": (
        35,
        0,
        [],
        [],
        {(PROP, PROP): (1, 7), (ADD_BUILDER[0].decode(), ADD_BUILDER[1]): (1, 7)},
    ),
    "loud-units.log": (
        6,
        0,
        [],
        [],
        {
            ("...\\gamedata\\units.scd\\units\\uel0301\\uel0301_script.lua(99)", PRECEDENCE): (
                1,
                3,
            ),
            ("...\\gamedata\\units.scd\\units\\xsl0301\\xsl0301_script.lua(171)", PRECEDENCE): (
                1,
                3,
            ),
        },
    ),
    "faf-crash.log": (17, 4, [], [], {}),
    "faf-joined.log": (8, 0, [], [], {}),
    "wine-init.log": (4, 0, [], [], {(INIT, INIT): (1, 4)}),
    "window-upper-case.log": (7, 0, [], [], {(CONSTRUCTION, IMPORTING): (1, 2)}),
    "window-tabs.log": (1, 0, [], [(573, 573)], {}),
}
ENDED = {"loud-sim.log"}


def read(name, data):
    path = os.path.join(directory.name, name)
    with open(path, "wb") as file:
        file.write(data)
    status, text = program.run("-f", "json", path)
    lib.check(status == 0, f"{name}: status {status}")
    lib.check(program.run("--strict", path)[0] == 3, f"{name}: --strict has not status 3")
    return json.loads(text).get("game_log") if status == 0 else None


def errors_of(log):
    return {
        (error["place"], error["message"]): (error["count"], error["lines"])
        for error in log["errors"]
    }


def check_excerpt(name, times, data):
    lines, modules, mods, games, errors = READ_BY_HAND[name]
    log = read(f"{times}-{name}", data)
    if log is None:
        return
    lib.check(log["lines"] == times * (lines + (times > 1)), f"{name}: lines {log['lines']}")
    lib.check(log["modules"] == times * modules, f"{name}: modules {log['modules']}")
    lib.check(log["mods"] == mods, f"{name}: mods {log['mods']}")
    found = [(game["from_seconds"], game["to_seconds"]) for game in log["games"]]
    # The same times again are another game, unless time stands still.
    again = times if games and games[0][0] != games[0][1] else 1
    lib.check(found == games * again, f"{name}: games {found}")
    lib.check(
        errors_of(log) == {key: (times * count, times * of) for key, (count, of) in errors.items()},
        f"{name}: errors {log['errors']}",
    )
    lib.check(log["has_end"] == (name in ENDED), f"{name}: has_end")


class Log:
    """Lines, and what each of them changes in the truth."""

    def __init__(self, seed, joint, line_end):
        self.random = random.Random(seed)
        self.joint, self.line_end = joint, line_end
        self.lines = []  # [(bytes, effect)]

    def put(self, text, *effect):
        self.lines.append((text.encode("latin-1") + self.line_end, effect))

    def put_game(self, seconds, game=0.0):
        seconds += game
        real, heap = self.random.uniform(60, 100), self.random.uniform(200, 900)
        speed = 1.0
        while game < seconds:
            size = f"{heap:.1f}M" if heap < 1000 else f"{heap / 1024:.3f}G"
            clock = [
                "%02d:%02d:%02d" % (int(time) // 3600, int(time) // 60 % 60, int(time) % 60)
                for time in (real, game)
            ]
            self.put(
                f"debug: Session time: {clock[0]}{self.joint}Game time: "
                f"{clock[1]}{self.joint}Heap: {size} / 1.0M",
                "sample",
                int(real),
                int(game),
                float(size[:-1]) * 1024 ** (2 if size[-1] == "M" else 3),
            )
            if self.random.random() < 0.05:
                speed = self.random.choice([1, 1, 0.8, 0.5, 0.2, 0, 3])
            real, game, heap = real + 10, game + 10 * speed, heap + self.random.uniform(-5, 15)
            speed = speed or 1.0
            self.put_noise()

    def put_noise(self):
        for _ in range(self.random.randrange(6)):
            kind = self.random.randrange(6)
            unit = "u%03d" % self.random.randrange(4)
            if kind == 0:
                self.put(
                    f"debug: Loading module '\\000/units/{unit}/{unit}_script.lua\\000'", "module"
                )
            elif kind == 1:
                place, message = (
                    f"...\\units\\{unit}\\{unit}_script.lua({self.random.randrange(1, 3)})",
                    f"no {unit}: (a nil value)",
                )
                who = self.random.choice(
                    [
                        "OnKilled script in Entity u1 at 1ba0d608",
                        "lua script",
                        "OnRelease script in <deleted object>",
                        "lua script from destroyed thread",
                    ]
                )
                self.put(
                    f"warning: Error running {who}: {place}: {message}", "error", place, message
                )
                for _ in range(self.random.randrange(4)):
                    self.put("         \t[C]: in function `x'", "trace")
            elif kind == 2:
                self.put("warning: Error running out of time", "other")
            elif kind == 3:
                self.put("info: Hooked /lua/a.lua with /mods/b/hook/lua/a.lua", "other")
            elif kind == 4:
                self.put(
                    "info: my Session time: 00:00:01" + "\xe9" * self.random.randrange(6000),
                    "other",
                )
            else:
                self.put(" an indented line that belongs to nothing", "trace")


def truth_of(effects):
    """The truth of a log that has these lines."""
    truth = {"modules": 0, "errors": {}, "games": []}
    open_error = None
    for effect in effects:
        kind = effect[0]
        if kind == "trace":
            if open_error is not None:
                truth["errors"][open_error][1] += 1
            continue
        open_error = None
        if kind == "module":
            truth["modules"] += 1
        elif kind == "error":
            # The message of a place is that of its first error; here they are all the same.
            open_error = (effect[1], effect[2])
            error = truth["errors"].setdefault(open_error, [0, 0])
            error[0] += 1
            error[1] += 1
        elif kind == "sample":
            games = truth["games"]
            if not games or effect[1] < games[-1][-1][0] or effect[2] < games[-1][-1][1]:
                games.append([])
            games[-1].append(effect[1:])
    return truth


def speeds_of(samples, width):
    """By game second: the real time of a column is that of its seconds."""
    count = -((samples[0][1] - samples[-1][1]) // width)
    moved, real = [0] * count, [0.0] * count
    for (real_a, game_a, _), (real_b, game_b, _) in zip(samples, samples[1:]):
        for second in range(game_a, game_b):
            column = (second - samples[0][1]) // width
            moved[column] += 1
            real[column] += (real_b - real_a) / (game_b - game_a)
    speeds, last, first = [], None, 0
    # Columns with too little time are joined with the next ones, up to one that has enough by
    # itself; if there still is too little, they have the speed of the one before.
    while first < count:
        end = first + 1
        while (
            real[first] > 0
            and end < count
            and 0 < real[end]
            and sum(real[first:end]) < 19.999
            and (last is None or real[end] < 19.999)
        ):
            end += 1
        time = sum(real[first:end])
        if time >= 19.999:
            last = sum(moved[first:end]) / time
        elif time == 0:
            last = None
        speeds += [last] * (end - first)
        first = end
    return speeds, real


def check_generated(name, log, cut):
    data = b"".join(line for line, _ in log.lines)
    effects, length = [], 0
    for line, effect in log.lines:
        length += len(line)
        if length <= cut:
            effects.append(effect)
    truth = truth_of(effects)
    found = read(name, data[:cut])
    if found is None:
        return
    lib.check(
        found["lines"] == len(effects), f"{name}: lines {found['lines']} instead of {len(effects)}"
    )
    lib.check(found["modules"] == truth["modules"], f"{name}: modules")
    lib.check(
        errors_of(found) == {key: tuple(value) for key, value in truth["errors"].items()},
        f"{name}: errors",
    )
    lib.check(len(found["games"]) == len(truth["games"]), f"{name}: {len(found['games'])} games")
    for game, samples in zip(found["games"], truth["games"]):
        heaps = [heap for _, _, heap in samples]
        lib.check(
            (game["from_seconds"], game["to_seconds"]) == (samples[0][1], samples[-1][1]),
            f"{name}: {game}",
        )
        for key, value in (("first", heaps[0]), ("last", heaps[-1]), ("most", max(heaps))):
            lib.check(
                abs(game[f"heap_{key}_bytes"] - value) < 1, f"{name}: heap {key} {game} {value}"
            )
        speeds, real = speeds_of(samples, game["column_seconds"])
        lib.check(
            abs(game["real_seconds"] - sum(real)) < 0.01,
            f"{name}: real {game['real_seconds']} {sum(real)}",
        )
        lib.check(
            game["still_seconds"]
            == sum(b[0] - a[0] for a, b in zip(samples, samples[1:]) if a[1] == b[1]),
            f"{name}: still",
        )
        lib.check(
            len(speeds) == len(game["speeds"])
            and all(
                (a is None) == (b is None) and (a is None or abs(a - b) < 1e-6)
                for a, b in zip(speeds, game["speeds"])
            ),
            f"{name}: speeds {speeds} {game['speeds']}",
        )
        lib.check(len(speeds) <= 60, f"{name}: columns")


for name in READ_BY_HAND:
    with open(os.path.join(excerpts, name), "rb") as file:
        excerpt = file.read()
    check_excerpt(name, 1, excerpt)
    check_excerpt(name, 1, excerpt.replace(b"\n", b"\r\n"))
    check_excerpt(name, 50, 50 * (excerpt + b"info: nothing\n"))

for seed in range(12):
    log = Log(seed, "\t" if seed % 3 == 0 else "\\000", b"\r\n" if seed % 2 == 0 else b"\n")
    log.put("info: the first line", "other")
    log.put_game(random.Random(seed).choice([300, 2000, 9000]))
    if seed % 4 > 1:
        # The second game of a file may begin later than the first one has ended.
        log.put_game(1000, 0 if seed % 4 == 2 else 40000)
    size = sum(len(line) for line, _ in log.lines)
    check_generated(f"generated-{seed}.log", log, size)
    check_generated(f"cut-{seed}.log", log, log.random.randrange(size // 2, size))
lib.finish("values", 600)
