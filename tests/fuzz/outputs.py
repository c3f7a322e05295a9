"""Whether what supprof wrote can be read: one function for each suffix of a file.

Each raises ValueError (or an error of the parser, which is one) with what is wrong.
"""
import base64
import csv
import gzip
import io
import json
import re
import xml.parsers.expat
import zlib

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
COLOUR = re.compile("\x1b\\[[0-9;]*m")


def check(is_true, what):
    if not is_true:
        raise ValueError(what)


def _text(data):
    """All text is UTF-8, without what a terminal or an editor would not show."""
    text = COLOUR.sub("", data.decode("utf-8"))
    found = CONTROL.search(text)
    check(found is None, "a control character: %r" % (found and found.group()))
    check(text == "" or text.endswith("\n"), "the last line has no end")
    return text


ENDED = re.compile(r"(.*: )?(Out of sync from beat|The (sim|game) crashed)|  ")


def read_top(data):
    # How a game ended comes first. A comparison of logs of two profilers only names both logs.
    lines = iter(_text(data).split("\n"))
    first = next((line for line in lines if not ENDED.match(line)), "")
    check(": " in first or " of Lua in " in first, "no line that names the log: %.200r" % first)


def read_text(data):
    _text(data)


def read_folded(data):
    for line in _text(data).split("\n")[:-1]:
        check(re.fullmatch(r".+? -?\d+( -?\d+)?", line), "not 'stack weight': %.200r" % line)
        check(";;" not in line and not line.startswith(";"), "an empty frame: %.200r" % line)


def read_csv(data):
    text = data.decode("utf-8")
    check("\0" not in text, "a NUL")
    bare = re.sub('"([^"]|"")*"', "", text)
    check(not re.search("[;\t\r]", bare), "what may end a cell is not in quotes")
    csv.field_size_limit(1 << 30)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check(rows, "no header")
    for number, row in enumerate(rows, 1):
        check(
            len(row) == len(rows[0]),
            "row %d has %d fields, not %d" % (number, len(row), len(rows[0])),
        )
        for cell in row:
            check(not re.match("[\t\r]| *[=+@＝＋－＠]", cell), "a formula: %.80r" % cell)
            check(not re.search('[;\t\r\n][ "]*[=+@＝＋－＠-]', cell), "a formula: %.80r" % cell)
            check(
                cell[:1] != "-" or re.fullmatch(r"-?\d+(\.\d+)?", cell), "a formula: %.80r" % cell
            )
    return rows


def _no_constant(name):
    raise ValueError("%s in JSON" % name)


def _unique(pairs):
    keys = dict(pairs)
    check(len(keys) == len(pairs), "a key comes twice in JSON")
    return keys


def _json(data):
    return json.loads(data.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_unique)


def read_speedscope(data):
    document = _json(data)
    frames = len(document["shared"]["frames"])
    check(document["profiles"], "no profiles")
    check(0 <= document.get("activeProfileIndex", 0) < len(document["profiles"]), "active profile")
    for profile in document["profiles"]:
        if profile["type"] == "sampled":
            check(len(profile["samples"]) == len(profile["weights"]), "samples and weights")
            for sample in profile["samples"]:
                check(all(0 <= frame < frames for frame in sample), "a frame that is not there")
            check(all(weight >= 0 for weight in profile["weights"]), "a negative weight")
        else:
            _read_evented(profile, frames)


def _read_evented(profile, frames):
    stack, at = [], profile["startValue"]
    for event in profile["events"]:
        check(0 <= event["frame"] < frames, "a frame that is not there")
        check(event["at"] >= at, "time goes back")
        at = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            check(stack and stack.pop() == event["frame"], "closed in another order")
    check(not stack, "not closed")
    check(profile["endValue"] >= at, "ends before its last event")


def read_trace(data):
    document = _json(data)
    for event in document["traceEvents"]:
        check(event["ph"] in "XMCiIBEbensftP", "phase %r" % event["ph"])
        check(event.get("dur", 0) >= 0 and event.get("ts", 0) >= 0, "a negative time")


def read_cpuprofile(data):
    document = _json(data)
    ids = {node["id"] for node in document["nodes"]}
    check(len(ids) == len(document["nodes"]), "a node comes twice")
    check(len(document["samples"]) == len(document["timeDeltas"]), "samples and times")
    check(all(sample in ids for sample in document["samples"]), "a node that is not there")
    check(all(delta >= 0 for delta in document["timeDeltas"]), "time goes back")
    for node in document["nodes"]:
        check(all(child in ids for child in node.get("children", [])), "a child that is not there")


def read_json(data):
    document = _json(data)
    check(document["version"] == 2, "version %r" % document["version"])
    count = len(document["functions"])
    for function in document["functions"]:
        for edge in function["callers"] + function["callees"]:
            check(
                edge["function"] is None or 0 <= edge["function"] < count,
                "a function that is not there",
            )


def read_markdown(data):
    text = _text(data)
    check(text.startswith("## supprof: `"), "no heading")
    # --list and --tree add blocks of their own, and with --rows=0 these have no limit.
    has_lists = text.count("```text") > 2
    check(has_lists or text.count("\n") <= 60, "%d lines" % text.count("\n"))


def read_svg(data):
    parser = xml.parsers.expat.ParserCreate("utf-8")
    parser.Parse(data, True)


def read_card(data):
    check(len(data) <= 30 << 10, "a card of %d bytes" % len(data))
    check(b"<script" not in data, "a script in a card")
    read_svg(data)


def _varint(data, at):
    value = shift = 0
    while True:
        check(at < len(data) and shift < 70, "a number is cut")
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def _fields(data):
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            value, at = _varint(data, at)
        else:
            check(key & 7 == 2, "wire type %d" % (key & 7))
            length, at = _varint(data, at)
            value, at = data[at : at + length], at + length
            check(at <= len(data), "a field is cut")
        yield key >> 3, value


def read_pprof(data):
    strings, locations, functions, used = [], set(), set(), []
    for field, value in _fields(gzip.decompress(data)):
        if field == 6:
            strings.append(value.decode("utf-8"))
        elif field == 4:
            locations.add(dict(_fields(value))[1])
        elif field == 5:
            functions.add(dict(_fields(value))[1])
        elif field == 2:
            used.append(value)
    check(strings and strings[0] == "", "the first string is not empty")
    for sample in used:
        for field, value in _fields(sample):
            if field == 1:
                ids, at = [], 0
                if isinstance(value, int):
                    ids = [value]
                while not ids and at < len(value) or at and at < len(value):
                    number, at = _varint(value, at)
                    ids.append(number)
                check(all(number in locations for number in ids), "a location that is not there")


def read_callgrind(data):
    text = _text(data)
    check("\nevents: " in text or text.startswith("events: "), "no events: line")
    line = re.compile(
        r"|#.*|[a-z ]+: ?.*|(c?f[nile]|c?ob|cfi|cfl)=.*|calls=\d+ .*|[+*-]?\d*( [+*-]?\d+)*"
    )
    for row in text.split("\n"):
        check(line.fullmatch(row), "not callgrind: %.200r" % row)


def read_html(data):
    text = data.decode("utf-8")
    check(text.rstrip().endswith("</html>"), "no </html> at the end")
    found = re.findall(r'<script type="text/plain" id="data">([^<]*)</script>', text)
    check(len(found) == 1, "no data in the page")
    _json(zlib.decompress(base64.b64decode(found[0], validate=True)))


READERS = {
    "top": read_top,
    "ticks": read_text,
    "peek": read_text,
    "list": read_text,
    "tree": read_text,
    "folded": read_folded,
    "txt": read_folded,
    "csv": read_csv,
    "ticks.csv": read_csv,
    "speedscope.json": read_speedscope,
    "pb.gz": read_pprof,
    "pb": read_pprof,
    "callgrind": read_callgrind,
    "svg": read_svg,
    "card.svg": read_card,
    "trace.json": read_trace,
    "html": read_html,
    "htm": read_html,
    "cpuprofile": read_cpuprofile,
    "json": read_json,
    "md": read_markdown,
}
