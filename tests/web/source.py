"""source.py SUPPROF FIXTURES CHROMIUM

The source on the page of each function, as Chromium shows it, against the lines that `json` has with
--list: text, calls and time of each line, and a link to what it calls; what --no-source leaves.
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402


def read_rows(document):
    """Of the table of source: line, time, calls, text and callees of each row."""
    table = re.search(r'aria-label="Source".*?</table>', document, re.S)
    rows = []
    for row in re.findall(r"<tr>(<td.*?)</tr>", table[0] if table else "", re.S):
        values = dict(re.findall(r'data-key="(\w+)" data-value="(-?\d+)"', row))
        text = html.unescape(re.search(r"<code>(.*?)</code>", row, re.S)[1])
        callees = {html.unescape(name) for name in re.findall(r"<a [^>]*>(.*?)</a>", row)}
        rows.append((int(values["line"]), int(values["total"]), int(values["calls"]), text.strip(), callees))
    return rows


def main():
    program, chromium = lib.Program(os.path.abspath(sys.argv[1])), sys.argv[3]
    os.chdir(sys.argv[2])
    log, root = "recorded-spikes.log.gz", "--lua-root=sources"
    functions = json.loads(program.text(root, "-f", "json", "--list=.", log))["functions"]
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "x.html")
        program.run(root, log, "-o", page)
        for number, function in enumerate(sorted(functions, key=lambda function: function["label"])):
            if function["file"] != "tests/spikes.lua" or function["total_percent"] < 0.5:
                continue
            # "(folded)" is the first one of the page.
            dom = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000",
                                  f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{page}#/path/{number + 1}"],
                                 capture_output=True, text=True).stdout
            wanted = [(line["line"], line["total_ns"], line["calls"], line["text"].strip(),
                       None if line["callee"] is None else functions[line["callee"]]["name"]) for line in function["lines"]]
            rows = read_rows(dom)
            lib.check([row[:4] for row in rows] == [row[:4] for row in wanted], f"{function['label']}: {rows}, not {wanted}")
            lib.check(all(line[4] in row[4] for line, row in zip(wanted, rows) if line[4] is not None), f"{function['label']}: links")
        size = os.path.getsize(page)
        program.run(root, "--no-source", log, "-o", page)
        lib.check(os.path.getsize(page) < size, "--no-source leaves it out")
    lib.finish("tables", 11)


main()
