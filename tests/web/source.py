"""source.py SUPPROF FIXTURES CHROMIUM

The source on the page of each function, as Chromium shows it, against the lines that `json` has
with --list: text, calls and time of each line, where lines were recorded their runs and self times,
and a link to what it calls; in slow ticks against the others, the time in each; what --no-source
leaves.
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib  # noqa: E402

# Of the functions of rebuild/lines.log.
LINES = {
    10: "function Loop()",
    11: "  WaitTicks(1)",
    12: "  Step() Step()",
    13: "end",
    20: "function Step()",
    21: "  math.max(1)",
    22: "  Step()",
    23: "end",
    30: "function Beat()",
    31: "end",
}


def read_rows(document):
    """Of the table of source: the values of each row by their keys, its text and callees."""
    table = re.search(r'aria-label="Source".*?</table>', document, re.S)
    rows = []
    for row in re.findall(r"<tr>(<td.*?)</tr>", table[0] if table else "", re.S):
        values = {
            key: float(value)
            for key, value in re.findall(r'data-key="([\w%]+)" data-value="(-?[\d.]+)"', row)
        }
        text = html.unescape(re.search(r"<code>(.*?)</code>", row, re.S)[1])
        callees = {html.unescape(name) for name in re.findall(r"<a [^>]*>(.*?)</a>", row)}
        rows.append((values, text.strip(), callees))
    return rows


class Pages:
    def __init__(self, program, chromium, folder):
        self.program, self.chromium, self.folder = program, chromium, folder
        self.page = os.path.join(folder, "x.html")

    def show(self, label, choice=""):
        return read_rows(
            subprocess.run(
                [
                    self.chromium,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--virtual-time-budget=20000",
                    f"--user-data-dir={self.folder}/profile",
                    "--dump-dom",
                    f"file://{self.page}#/path/{quote(label)}{choice}",
                ],
                capture_output=True,
                text=True,
            ).stdout
        )

    def check(self, log, root):
        """Returns the label of the function with the most lines that called something."""
        functions = json.loads(self.program.text(root, "-f", "json", "--list=.", log))["functions"]
        self.program.run(root, log, "-o", self.page)
        most = 0, ""
        for function in sorted(functions, key=lambda function: function["label"]):
            if (
                not any(line["text"] for line in function.get("lines", []))
                or function["total_percent"] < 0.5
            ):
                continue
            rows = self.show(function["label"])
            lines = [line for line in function["lines"] if line["line"]]
            what = f"{log}: {function['label']}"
            lib.check(len(rows) == len(lines), f"{what}: {rows}, not {lines}")
            for line, (values, text, callees) in zip(lines, rows):
                own = line.get("self_ns", 0)
                wanted = {
                    "line": line["line"],
                    "total": line["total_ns"] + own,
                    "calls": line["calls"],
                }
                wanted |= (
                    {"runs": line["runs"]} if any(other.get("runs") for other in lines) else {}
                )
                has_own = any(other.get("self_ns") for other in lines)
                wanted |= {"line_self_ns": own} if has_own else {}
                # What is not known of a line is below 0 there, and shows nothing.
                found = {
                    key: max(values[key], 0)
                    for key in ("line", "total", "calls", "runs", "line_self_ns")
                    if key in values
                }
                lib.check(
                    (found, text) == (wanted, line["text"].strip()),
                    f"{what}: {found} {text}, not {wanted} {line}",
                )
                callee = None if line["callee"] is None else functions[line["callee"]]["name"]
                lib.check(callee is None or callee in callees, f"{what}: no link to {callee}")
            most = max(most, (sum(line["calls"] > 0 for line in lines), function["label"]))
        return most[1]

    def check_slow(self, log, root, label):
        """What lines called in a slow tick; that in another one is known from the rest."""
        slow = json.loads(self.program.text(root, "-f", "json", "--list=.", "--ticks-over=50", log))
        rest = json.loads(
            self.program.text(root, "-f", "json", "--list=.", "--ticks-over=50", "--diff-rest", log)
        )
        count = slow["ticks"]["statistics"]["count"]
        lines = {
            part: {
                line["line"]: line
                for function in of["functions"]
                if function["label"] == label
                for line in function["lines"]
            }
            for part, of in (("slow", slow), ("rest", rest))
        }
        rows = self.show(label, "?slow=50")
        for values, text, _ in rows:
            line, other = (lines[part][values["line"]] for part in ("slow", "rest"))
            lib.check(
                values["slow"] == round(line["total_ns"] / count),
                f"{log}: {label}: {values}, not {line} in {count} ticks",
            )
            lib.check(
                abs(values["other"] - other["old"]["total_ns"] / count) <= 1,
                f"{log}: {label}: {values}, not {other}",
            )
        lib.check(
            any(values["slow"] and values["other"] for values, _, _ in rows),
            f"{log}: no line in slow ticks and others",
        )


def write_source(folder, lines):
    os.makedirs(folder)
    with open(f"{folder}/a.lua", "w") as source:
        source.writelines(lines.get(line, "") + "\n" for line in range(1, max(lines) + 1))
    return f"--lua-root={folder}"


def main():
    program = lib.Program(os.path.abspath(sys.argv[1]))
    os.chdir(sys.argv[2])
    log, root = "recorded-spikes.log.gz", "--lua-root=sources"
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(program, sys.argv[3], folder)
        pages.check("rebuild/lines.log", write_source(f"{folder}/lines", LINES))
        pages.check_slow(log, root, pages.check(log, root))
        size = os.path.getsize(pages.page)
        program.run(root, "--no-source", log, "-o", pages.page)
        lib.check(os.path.getsize(pages.page) < size, "--no-source leaves it out")
    lib.finish("values of lines", 100)


main()
