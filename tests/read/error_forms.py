"""error_forms.py SUPPROF FIXTURES

Each sentence of lists/error-forms.txt, in which the engine tells of an error of Lua, with places of
several kinds, is an error with that place and message, in any severity's letter case and with a
mark before it. The same words without a place, or in a line that is no warning, are none by the
rule; nor is a line of a call stack.
"""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

PLACES = (
    "c:\\faf\\lua\\sim\\unit.lua(42)",
    "...er forged alliance\\mods\\my mod\\lua\\a.lua(4148)",
    "...mods\\cut\\a.lua(7)",
    "/lua/a.lua:12",
    "@c:\\faf\\a.bp(3)",
    "[string \"import('/lua/keymap/misc.lua').Toggle()\"](1)",
    '[string "a: b"](1)',
)
MESSAGE = "attempt to index local `x' (a nil value)"
BEFORE = ("warning: ", "WARNING: ", "[2026-02-24 20:31:02.433] [warning] ", "> warning: ")
NONE = (
    "warning: Evaluating LazyVar failed: " + MESSAGE,
    "warning: mymod: nothing at unit.lua(42) today",
    "info: mymod: /lua/a.lua(42): " + MESSAGE,
    "debug: Error in lua: /lua/a.lua(42): " + MESSAGE,
    "warning: mymod: /lua/a.lua(42): in function `Update'",
    "warning: the time is 12:30, and /lua/a.lua is at 10: it goes on",
)
program = lib.Program(sys.argv[1])


def errors_of(lines):
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.write("debug: Current gametime: 00:01:00\n" + "\n".join(lines) + "\n")
        log.flush()
        return json.loads(program.text("-f", "json", log.name))["game_log"]["errors"]


def main():
    with open(os.path.join(sys.argv[2], "lists", "error-forms.txt"), encoding="utf-8") as file:
        forms = [line.rstrip("\n") for line in file if not line.startswith("#")]
    for form in forms:
        for i, place in enumerate(PLACES):
            before = BEFORE[i % len(BEFORE)]
            text = form.replace("%s", f"{place}: {MESSAGE}").split("|")
            lines = [before + text[0], *("         " + line for line in text[1:])]
            found = [(error["place"], error["message"]) for error in errors_of(lines)]
            # "Error in file FILE" names the file as the place.
            if form.startswith("Error in file"):
                lib.check(len(found) == 1, f"{lines}: {found}")
            else:
                lib.check(found == [(place, MESSAGE)], f"{lines}: {found}")
    for line in NONE:
        found = errors_of([line])
        lib.check(found == [], f"{line}: {found}")
    lib.finish("sentences", 7 * 35)


main()
