"""card.py SUPPROF FIXTURES

Cards of ticks: each is a picture of at most 30 KB that loads and runs nothing, with the name and
the time of the tick, and with the five functions that `csv` has with most self time, by their
labels. Names of a log are text, also those that try to be markup, in a comparison, too.
"""
import gzip
import os
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

LOGS = ("recorded-spikes.log.gz", "recorded-coroutines.log.gz", "recorded-midgame.log.gz")
HOSTILE = b"<script>&\"'</text>]]>"
SIZE_MAX = 30000
program = lib.Program(sys.argv[1])
checked = 0


def texts_of(what, card):
    """The texts of a card, after what all cards must be was checked."""
    tags = {"svg", "title", "rect", "text", "g"}
    attributes = set(
        "width height viewBox role font-family font-size font-weight fill x y text-anchor".split()
    )
    lib.check(len(card.encode()) <= SIZE_MAX, f"{what} has {len(card.encode())} bytes")
    found = list(xml.fromstring(card).iter())
    lib.check(
        all(part.tag.split("}")[1] in tags and attributes >= set(part.attrib) for part in found),
        f"{what} has more than rectangles and texts",
    )
    return [part.text for part in found if part.tag.endswith("}text")]


def check_card(log, tick, *more):
    """Compares a card with the rows of the tick."""
    global checked
    what = f"{os.path.basename(log)} --tick {tick} {' '.join(more)}"
    texts = texts_of(what, program.text("-f", "card", "--tick", tick, *more, log))
    rows = [row for row in program.csv("csv", "--tick", tick, log) if float(row["self_us"]) > 0][:5]
    begin = texts.index("time of their own") + 1
    names = texts[begin + 1 :: 2]
    lib.check(texts[0].startswith(f"Tick #{tick} "), f"{what} begins with {texts[0]}")
    if not more:
        for name, row in zip(names, rows):
            label = lib.plain(row["function"])
            lib.check(
                name.startswith(label) or "…" in name,
                f"{what} has {name}, not {label}",
            )
    lib.check(len(names) == min(5, len(rows)) or bool(more), f"{what} has {len(names)} functions")
    checked += 1


def main():
    """Cards of the longest and the first ticks, and of one with hostile names."""
    for name in LOGS:
        log = os.path.join(sys.argv[2], name)
        ticks = program.csv("ticks-csv", log)
        longest = sorted(ticks, key=lambda row: -float(row["time_us"]))[:3]
        for row in longest + ticks[1:3]:
            check_card(log, row["tick"])
        check_card(log, longest[0]["tick"], "--diff", log)
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "hostile.log")
        with gzip.open(os.path.join(sys.argv[2], LOGS[0])) as lines, open(log, "wb") as out:
            out.write(lines.read().replace(b"BuildThreatMap", HOSTILE))
        card = program.text("-f", "card", "--tick", "38", log)
        lib.check(
            any("<script>" in text for text in texts_of("hostile names", card))
            and "<script" not in card,
            "a hostile name is not shown as it is",
        )
        check_card(log, "38", "--diff", log)
    lib.finish("cards", 15)


main()
