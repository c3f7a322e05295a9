"""mcp.py SUPPROF FIXTURES

Messages to `supprof --mcp` that are wrong or were made to hurt: each request gets one answer, which
is JSON of one line, the program goes on to the end of its input and exits with 0, and no file is
written, read as a configuration that writes, or waited for.
"""
import csv
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

supprof, fixtures = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LINES_MAX, BYTES_MAX = 200, 24000
SECONDS_MAX = 120
directory = tempfile.TemporaryDirectory()
folder = os.path.join(directory.name, "mod")
os.mkdir(folder)
for log in ("recursion.log", "recorded-spikes.log.gz", "hostile-names.log"):
    shutil.copy(os.path.join(fixtures, log), folder)
for log in ("new-1.log", "new-2.log", "old-1.log", "old-2.log"):
    shutil.copy(os.path.join(fixtures, "repeated", log), folder)
os.mkfifo(os.path.join(folder, "pipe"))
open(os.path.join(folder, "empty.log"), "w").close()
# Programs that must not be started.
os.mkdir(os.path.join(directory.name, "bin"))
with open(os.path.join(directory.name, "bin", "xdg-open"), "w") as out:
    out.write("#!/bin/sh\ntouch '%s/opened'\n" % folder)
os.chmod(os.path.join(directory.name, "bin", "xdg-open"), 0o755)
environment = dict(
    os.environ,
    HOME=directory.name,
    PATH=os.path.join(directory.name, "bin") + ":" + os.environ["PATH"],
)
files = sorted(os.listdir(folder))


def serve(messages, **variables):
    """The answers to some messages, each bytes or what becomes JSON; None where a line is not
    JSON."""
    lines = [
        message if isinstance(message, bytes) else json.dumps(message).encode()
        for message in messages
    ]
    done = subprocess.run(
        [supprof, "--mcp"],
        input=b"\n".join(lines),
        capture_output=True,
        cwd=folder,
        env=dict(environment, **variables),
        timeout=SECONDS_MAX,
    )
    lib.check(
        done.returncode == 0 and done.stderr == b"",
        "status %d after %.200r ...: %r" % (done.returncode, lines[-1], done.stderr),
    )
    lib.check(
        sorted(os.listdir(folder)) == files,
        "files after %.300r: %s" % (lines[0], os.listdir(folder)),
    )
    answers = done.stdout.decode().split("\n")
    lib.check(answers.pop() == "", "the last line has no end")
    return [json.loads(answer) for answer in answers]


def request(method, params=None, number=1):
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": method,
        **({} if params is None else {"params": params}),
    }


def call(tool, number=1, **arguments):
    return request(
        "tools/call",
        {
            "name": tool,
            "arguments": {key.replace("_", "-"): value for key, value in arguments.items()},
        },
        number,
    )


def text_of(answer):
    """The text of a tool's answer, and whether it is an error."""
    result = answer.get("result", {})
    content = result.get("content", [{}])
    lib.check(
        len(content) == 1
        and content[0].get("type") == "text"
        and isinstance(result.get("isError"), bool),
        "no answer of a tool: %.300s" % answer,
    )
    text = content[0].get("text", "")
    named = re.findall(" (?:add|use) --([a-z-]+)$", text, re.MULTILINE)
    lib.check(named == [], "a hint names an option: %s" % named)
    # The messages, and what was left out, follow the lines.
    lib.check(text.count("\n") <= LINES_MAX + 20, "%d lines" % text.count("\n"))
    lib.check(len(text.encode()) <= BYTES_MAX + 2000, "%d bytes" % len(text.encode()))
    return text, result.get("isError")


tools = serve([request("tools/list")])[0]["result"]["tools"]
lib.check(
    {tool["name"] for tool in tools}
    == {
        "summary",
        "ticks",
        "tick",
        "function",
        "tree",
        "compare",
        "source",
        "threads",
        "what-if",
        "repeated",
        "errors",
    },
    "other tools",
)
good = {
    "log": "recorded-spikes.log.gz",
    "peek": "Threat",
    "list": "Threat",
    "tick": 38,
    "diff": "recorded-spikes.log.gz",
    "what-if": "Threat*0",
    "logs": ["new-1.log", "new-2.log"],
}


def arguments_of(tool):
    names = [name for name in ("log",) if name in tool["inputSchema"]["properties"]]
    return {name: good[name] for name in (*names, *tool["inputSchema"]["required"])}


# Each tool with what it needs; and without one of that.
calls = [call(tool["name"], **arguments_of(tool)) for tool in tools]
for tool, answer in zip(tools, serve(calls)):
    text, is_error = text_of(answer)
    lib.check(
        not is_error
        and text.startswith(("recorded-spikes.log.gz: ", "new-1.log and 1 more: ", "The same time"))
        or tool["name"] == "what-if"
        and "slow" in text,
        "%s: %s" % (tool["name"], text),
    )
    required = tool["inputSchema"]["required"]
    lacking = [
        {key: value for key, value in arguments_of(tool).items() if key != name}
        for name in required
    ]
    answers = serve([call(tool["name"], **arguments) for arguments in lacking]) if lacking else []
    for name, answer in zip(required, answers):
        text, is_error = text_of(answer)
        lib.check(is_error and "needs the argument " + name in text, text)

# What a comparison is scaled to, and a time as a number.
for arguments, wanted in (
    ({"normalize": "call"}, "scaled"),
    ({"slow-over": 1.5}, "over 1.5 ms"),
):
    text, is_error = text_of(serve([call("compare", **arguments_of(tools[5]), **arguments)])[0])
    lib.check(not is_error and wanted in text, "%s: %s" % (arguments, text))

# The same as JSON: the table is that of CSV, the sentences are those of JSON.
WORDS = {
    "ticks": ["--ticks"],
    "tick": ["--tick=38"],
    "function": ["--peek=Threat"],
    "tree": ["--tree"],
    "compare": ["--diff=recorded-spikes.log.gz"],
    "source": ["--list=Threat"],
    "threads": ["--threads"],
    "what-if": ["--what-if=Threat*0"],
    "repeated": ["--repeated"],
}
WITHOUT_FINDINGS = ("function", "tree", "source")


def printed(form, tool, arguments):
    logs = arguments.get("logs", [arguments.get("log")])
    words = [*WORDS.get(tool["name"], []), *logs]
    if form == "json" and tool["name"] in WITHOUT_FINDINGS:
        words = logs
    return subprocess.run(
        [supprof, "-q", "-f", form, *words], capture_output=True, cwd=folder
    ).stdout


def as_csv(value):
    return "" if value is None else float(value) if isinstance(value, (int, float)) else value


def from_csv(cell, value):
    return float(cell) if cell and isinstance(value, (int, float)) else lib.plain(cell)


for tool, answer in zip(tools, serve([call(tool["name"], **arguments_of(tool)) for tool in tools])):
    found, schema = answer["result"].get("structuredContent"), tool["outputSchema"]
    lib.check(
        set(schema["required"]) <= set(found) <= set(schema["properties"])
        and ("judged_findings" in found) == (tool["name"] == "compare")
        and all(
            isinstance(value, {"array": list, "integer": int}[schema["properties"][key]["type"]])
            for key, value in found.items()
        ),
        "%s is not as its schema says: %.300s" % (tool["name"], found),
    )
    table = printed("csv", tool, arguments_of(tool)).decode().splitlines()
    wanted = list(csv.DictReader(table, strict=True))
    rows = found["rows"]
    if tool["name"] == "ticks":
        slowest = sorted((float(row["time_us"]) for row in wanted), reverse=True)
        lib.check([row["time_us"] for row in rows] == slowest[: len(rows)], "not the slowest ticks")
        wanted = [row for one in rows for row in wanted if row["tick"] == str(one["tick"])] + [
            row for row in wanted if int(row["tick"]) not in {one["tick"] for one in rows}
        ]
    lib.check(
        len(rows) == min(20, len(wanted)) and len(rows) + found["rows_left_out"] == len(wanted),
        "%s: %d rows, %d left out" % (tool["name"], len(rows), found["rows_left_out"]),
    )
    for row, cells in zip(rows, wanted):
        lib.check(
            {key: as_csv(value) for key, value in row.items()}
            == {key: from_csv(cell, row.get(key)) for key, cell in cells.items()},
            "%s: %s, not %s" % (tool["name"], row, cells),
        )
    whole = json.loads(printed("json", tool, arguments_of(tool)))
    lib.check(
        [finding["text"] for finding in found["findings"]]
        == (
            []
            if tool["name"] in WITHOUT_FINDINGS
            else [finding["text"] for finding in whole["findings"]]
        )
        and found["headline"] == whole["headline"],
        "%s: other sentences: %s" % (tool["name"], found),
    )
rows = serve([call("summary", log="recorded-spikes.log.gz", rows=n) for n in (0, 3)])
lib.check(
    [len(answer["result"]["structuredContent"]["rows"]) for answer in rows] == [20, 3],
    "as many rows as are asked for",
)
errors = serve([call("errors", log=os.path.join(fixtures, "game.log"))])[0]["result"]
lib.check(
    [(row["message"], row["count"]) for row in errors["structuredContent"]["errors"]]
    == [
        ("attempt to call method `SetGoal' (a nil value)", 45),
        ("Game object has been destroyed", 4),
    ],
    errors["structuredContent"]["errors"],
)

# Several logs, old and new; no more than the program takes, and each is one path.
sides = {"logs": ["new-1.log", "new-2.log"], "old_logs": ["old-1.log", "old-2.log"]}
text, is_error = text_of(serve([call("repeated", **sides)])[0])
lib.check(not is_error and "+" in text and "old-1.log and 1 more" in text, text)
for logs, what in (
    ([], "needs the argument logs"),
    ([7], 'must be of the type "string"'),
    ([["new-1.log"]], 'must be of the type "string"'),
    (["new-1.log"] * 65, "more than 64 logs"),
    (["new-1.log", "--output=x.html"], "cannot open"),
    (["new-?.log"], "must be a path"),
):
    text, is_error = text_of(serve([call("repeated", logs=logs)])[0])
    lib.check(is_error and what in text, "%s: %s" % (logs, text))

# Options, standard input, and what never ends, in the place of each path; and as any other text.
endless = [
    "-",
    "pipe",
    "/dev/zero",
    "/dev/null",
    "/dev/stdin",
    "/dev/fd/0",
    "/dev/tty",
    "/proc/kmsg",
    "/proc/self/environ",
    "empty.log",
]
paths = [
    *endless,
    "--output=x.html",
    "-o",
    "-ox.html",
    "--open",
    "",
    "*",
    "pip?",
    "a\0b",
    ".",
    "no\nsuch",
    "//server/share/a.log",
    "\\\\server\\share\\a.log",
    "\\??\\UNC\\server\\a.log",
    "x" * 100000,
    "../" * 3000 + "x",
]
wrong = [
    (tool, arguments)
    for path in paths
    for tool, arguments in (
        ("summary", {"log": path}),
        ("compare", {"log": "recursion.log", "diff": path}),
        ("compare", {"log": path, "diff": "recursion.log"}),
        ("repeated", {"logs": ["recursion.log", path]}),
        ("repeated", {"logs": ["recursion.log"], "old_logs": [path]}),
    )
]
for path in ("-", "", "pipe", "/proc/kmsg", "//server/share", "*", "\\\\server\\share", "nowhere"):
    wrong.append(("source", {"log": "recursion.log", "list": ".", "lua_root": path}))
for (tool, arguments), answer in zip(
    wrong, serve([call(tool, **arguments) for tool, arguments in wrong])
):
    text, is_error = text_of(answer)
    lib.check(
        is_error and text.startswith("supprof: ") and text.count("supprof: ") == 1,
        "%.200r: %s" % (arguments, text[:300]),
    )
    lib.check(
        ("may never end" in text)
        == any(
            path in endless
            for value in arguments.values()
            for path in (value if isinstance(value, list) else [value])
        ),
        "%.200r: %s" % (arguments, text[:300]),
    )
texts = [
    "--output=x.html",
    "-o x.html",
    "$(touch x)",
    "x.html",
    "(" * 500,
    "(a+)+" * 40 + "$",
    "a" * 100000,
    "\ud800",
    "\u202e",
    "%s%n",
    "0x10",
    "1e9",
    "-1",
    "99999999999999999999",
]
for tool in tools:
    properties = tool["inputSchema"]["properties"]
    messages = [
        call(tool["name"], **{**arguments_of(tool), name: text})
        for name in properties
        for text in texts
        if name not in ("log", "diff", "logs", "old-logs")
    ]
    lib.check(len(serve(messages)) == len(messages), tool["name"])

# Other types than the schema says, and arguments that there are not.
for tool in tools:
    messages, wanted = [], []

    def expect(what, name, value):
        messages.append(call(tool["name"], **{**arguments_of(tool), name: value}))
        wanted.append((what, name, value))

    for name, schema in tool["inputSchema"]["properties"].items():
        for value in (None, True, 7, 0.5, "x", [], {}, ["recursion.log"], {"log": "recursion.log"}):
            types = {"string": str, "number": (int, float), "integer": (int, str), "boolean": bool}
            types["array"] = list
            kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            if (
                not isinstance(value, tuple(types[kind] for kind in kinds))
                or value == []
                and name == "logs"
                or kinds[0] == "integer"
                and value in (True, "x")
            ):
                expect("", name, value)
    others = {name for other in tools for name in other["inputSchema"]["properties"]} - set(
        tool["inputSchema"]["properties"]
    )
    for name in (
        *sorted(others),
        "output",
        "o",
        "open",
        "follow",
        "format",
        "hide-file",
        "fail-if",
        "progress",
        "color",
        "quiet",
        "--output",
        "mcp",
        "help",
        "",
    ):
        expect("has no argument '%s'" % name, name, "x.html")
    messages.append(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{%s}}}'
        % (tool["name"].encode(), b",".join([b'"rows":1'] * 1000))
    )
    wanted.append(("given twice", "rows", 1000))
    for (what, name, value), answer in zip(wanted, serve(messages)):
        text, is_error = text_of(answer)
        lib.check(
            is_error and what in text, "%s %s=%r: %s" % (tool["name"], name, value, text[:300])
        )

# A configuration in the folder cannot write, and colours stay out of answers.
for line, is_wrong in (
    ("output=x.html", True),
    ("open", True),
    ("follow", True),
    ("color=always", False),
    ("unit=us", False),
):
    with open(os.path.join(folder, ".supprof"), "w") as out:
        out.write(line + "\n")
    files = sorted(os.listdir(folder))
    text, is_error = text_of(serve([call("summary", log="recursion.log")], SUPPROF_NO_CONFIG="")[0])
    lib.check(is_error == is_wrong and "\x1b" not in text, "%s: %s" % (line, text))
os.remove(os.path.join(folder, ".supprof"))
files = sorted(os.listdir(folder))

# Messages that are no requests: the code of the error, or None for no answer. The program then goes
# on.
deep = b"[" * 200000 + b"]" * 200000
for message, code in (
    (b"{", -32700),
    (b"}", -32700),
    (b"nonsense", -32700),
    (b'{"a":1,}', -32700),
    (b"\xff\xfe", -32700),
    (deep, -32700),
    (b'"' + b"x" * (2 << 20) + b'"', -32700),
    (b"\0", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700),
    (b"[]", -32600),
    (b"7", -32600),
    (b"{}", -32600),
    (b'"ping"', -32600),
    (b"null", -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    (b'{"id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":""}', -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["summary"]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}', -32602),
    (b'{"jsonrpc":"2.0","method":"nothing"}', None),
    (b'{"jsonrpc":"2.0","id":1,"result":{}}', None),
    (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', None),
    (b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}', -32700),
    (b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', None),
    (b"", None),
    (b" \t\r", None),
):
    answers = serve([message, request("ping", number=99)])
    pongs = [answer for answer in answers if answer.get("id") == 99 and "result" in answer]
    lib.check(len(pongs) == 1, "after %.100r: %s" % (message, answers))
    codes = [answer.get("error", {}).get("code") for answer in answers if answer not in pongs]
    lib.check(codes == ([] if code is None else [code]), "%.100r: %s" % (message, codes))

# Ids come back as they were, byte by byte; a mark of UTF-8 is skipped; revisions are agreed on.
for number in (0, -5, 1.5, "", 'a"b\\', "\u00e4\u2028", "a\u202e", "x" * 10000):
    lib.check(serve([request("ping", number=number)])[0].get("id") == number, "id %.40r" % number)
sent = b'{"id":"a\xe2\x80\xae\\u202e\\/","jsonrpc":"2.0","method":"ping"}'
lib.check(
    serve([b"\xef\xbb\xbf" + sent])[0] == {"jsonrpc": "2.0", "id": "a\u202e\u202e/", "result": {}},
    "a mark before the first message, or other bytes of an id",
)
for wanted, given in (
    ("2024-11-05", "2024-11-05"),
    ("2025-03-26", "2025-03-26"),
    ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"),
    ("2026-07-28", "2025-11-25"),
    ("2099-01-01", "2025-11-25"),
    ("1999-01-01", "2025-11-25"),
    ('","2025-06-18', "2025-11-25"),
    (7, "2025-11-25"),
):
    lib.check(
        serve([request("initialize", {"protocolVersion": wanted})])[0]["result"]["protocolVersion"]
        == given,
        "revision %r" % wanted,
    )

# Each client gets what its revision has, and no more: the SDK refuses a pong with other members.
JUNE_2025 = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
for version, keys in (
    ("2024-11-05", {"name", "description", "inputSchema"}),
    ("2025-03-26", {"name", "description", "inputSchema", "annotations"}),
    ("2025-06-18", JUNE_2025),
    ("2025-11-25", JUNE_2025),
):
    start = request("initialize", {"protocolVersion": version})
    answers = serve([start, request("ping"), request("tools/list")])
    results = [answer["result"] for answer in answers]
    lib.check(
        set(results[0]) == {"protocolVersion", "serverInfo", "capabilities", "instructions"}
        and results[1] == {}
        and set(results[2]) == {"tools"}
        and set(results[2]["tools"][0]) == keys,
        "%s: %.400s" % (version, results),
    )
    result = serve([start, call("summary", log="recursion.log")])[1]["result"]
    lib.check(
        ("structuredContent" in result) == (version >= "2025-06-18"),
        "%s: %.400s" % (version, result),
    )
    several = [request("ping", number=7), {"jsonrpc": "2.0", "method": "x"}, 5]
    answers = serve([start, several])
    lib.check(
        [answer.get("id") for answer in answers[1]] == [7, None]
        if version == "2025-03-26"
        else answers[1]["error"]["code"] == -32600,
        "several requests in %s: %s" % (version, answers),
    )
# A call is answered in the revision in which it came, also if the next message changes that; one of
# several requests does not change it.
start = {
    v: request("initialize", {"protocolVersion": v}, number=v) for v in ("2024-11-05", "2025-03-26")
}
summary = call("summary", log="recursion.log")
answers = serve([summary] * 5 + [start["2024-11-05"]] + [summary] * 5)
calls = [answer["result"] for answer in answers if answer["id"] == 1]
lib.check(
    ["structuredContent" in result for result in calls] == [True] * 5 + [False] * 5,
    "calls around a new start: %.300s" % calls,
)
answers = serve([start["2025-03-26"], [start["2024-11-05"]], [request("ping")]])
lib.check(
    [answer[0]["id"] for answer in answers[1:]] == ["2024-11-05", 1],
    "a start among several requests: %s" % answers,
)
# An answer is kept until the last one of its message is there: above 64 MB, requests are refused.
listed = [request("tools/list", number=number) for number in range(5000)]
answers = serve([start["2025-03-26"], listed])[1]
sizes = [len(json.dumps(answer)) for answer in answers]
served = sum("result" in answer for answer in answers)
lib.check(
    [answer["id"] for answer in answers] == list(range(5000))
    and (1 << 26) - sizes[0] < served * sizes[0] < (1 << 26) * 1.2
    and all("send this request alone" in answer["error"]["message"] for answer in answers[served:]),
    "5,000 requests in a message: %d of %d bytes answered" % (served, sizes[0]),
)
for wanted, is_known in (
    ("2026-07-28", True),
    ("2025-06-18", True),
    ("2026-07-29", False),
    ("", False),
    (7, False),
    ('","2026-07-', False),
):
    meta = {
        "io.modelcontextprotocol/protocolVersion": wanted,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    answer = serve([request("server/discover", {"_meta": meta})])[0]
    lib.check(
        ("result" in answer) == is_known
        and (
            is_known
            or answer["error"]["code"] == -32022
            and answer["error"]["data"]["requested"] == wanted
        ),
        "revision %r: %s" % (wanted, answer),
    )

# Lines of a long answer, part by part, are those of the command line.
done = subprocess.run(
    [supprof, "--ticks=0", "recorded-spikes.log.gz"], capture_output=True, cwd=folder
)
hint = re.compile("add --|add |call [a-z]+ with ")
whole = hint.sub("", done.stdout.decode()).splitlines()
parts, first = [], 1
while first:
    text, is_error = text_of(
        serve([call("ticks", log="recorded-spikes.log.gz", rows=0, first_line=first)])[0]
    )
    lines = hint.sub("", text).splitlines()
    left_out = len(whole) - (len(lines) - 1)
    following = len(parts) + len(lines)
    more = " shows others" if following > len(whole) else "=%d shows the next ones" % following
    lib.check(
        lines.pop() == "(%d of %d lines are left out; first-line%s)" % (left_out, len(whole), more),
        text[-200:],
    )
    parts += lines
    first = following if following <= len(whole) and lines else 0
lib.check(
    len(whole) > LINES_MAX and parts == whole,
    "%d lines in parts, not %d" % (len(parts), len(whole)),
)

# A name that looks like a hint stays a name, and the end of a word is no verb of one.
with open(os.path.join(folder, "hints.log"), "w") as log:
    log.write("info: prof: @c:/a/lua/x.lua,8,x  add --tick 5,10;1,0.002,t,f\n")
files = sorted(os.listdir(folder))
answer = serve([call("summary", log="hints.log")])[0]["result"]["content"][0]["text"]
lib.check("x  add --tick 5" in answer, "a name as a hint: " + answer)
answer = text_of(serve([call("summary", log="recursion.log", focus="Zzz")])[0])[0]
lib.check("because --focus 'Zzz' matches no function" in answer, "a part of a word: " + answer)

# While a call runs, a ping is answered, progress is told, and the call can be cancelled.
with open(os.path.join(fixtures, "recursion.log"), "rb") as log:
    block = log.read()
with open(os.path.join(folder, "long.log"), "wb") as log:
    for _ in range(160_000_000 // len(block)):
        log.write(block)
files = sorted(os.listdir(folder))
long_call = call("summary", log="long.log")
long_call["params"]["_meta"] = {"progressToken": "p\u00e4"}
answers = serve([long_call, request("ping", number=2)])
told = [answer["params"] for answer in answers if answer.get("method") == "notifications/progress"]
parts = [params["progress"] for params in told]
lib.check(
    [answer.get("id") for answer in answers if "id" in answer] == [2, 1]
    and len(parts) > 1
    and parts == sorted(set(parts))
    and 0 <= parts[0] < parts[-1] <= 1
    and all(params["progressToken"] == "p\u00e4" for params in told),
    "a ping and progress while a call runs: %.400s" % answers,
)
cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
short_call = call("summary", number=2, log="recursion.log")
for calls in (
    [call("summary", log="long.log"), cancelled, short_call],
    [short_call, call("summary", log="long.log"), cancelled],
):
    answers = serve(calls)
    lib.check([answer.get("id") for answer in answers] == [2], "a cancelled call: %s" % answers)
os.remove(os.path.join(folder, "long.log"))
files = sorted(os.listdir(folder))

# A good session with some bytes changed: whatever comes, the program goes on.
generator = random.Random(1)
with open(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp-session.jsonl"), "rb"
) as session:
    originals = [line for line in session.read().splitlines() if line]
for _ in range(60):
    changed = []
    for line in generator.sample(originals, 12):
        line = bytearray(line)
        for _ in range(generator.randrange(4)):
            line[generator.randrange(len(line))] = generator.choice(b'{}[]",:\\u0e1-\xff\0 ')
        changed.append(bytes(line))
    answers = serve([*changed, request("ping", number="end")])
    lib.check(any(answer.get("id") == "end" for answer in answers), "%r" % changed)
lib.finish("checks", 1000)
