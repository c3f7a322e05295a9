#!/usr/bin/env python3
"""page_data.py [MEMBER...] <PAGE: prints the data of an HTML report, or members of it.

What fits a line is in one. Without MEMBER, those of supprof itself are left out.
"""
import base64
import json
import re
import sys
import zlib


def put(name, value):
    """Prints a value in a line, or what is in it in lines of their own."""
    text = name + json.dumps(value, ensure_ascii=False)
    if len(text) <= 100 or not isinstance(value, (dict, list)):
        print(text)
        return
    print(name + ("{" if isinstance(value, dict) else "["))
    for key in value if isinstance(value, dict) else range(len(value)):
        put(json.dumps(key) + ": " if isinstance(value, dict) else "", value[key])
    print("}" if isinstance(value, dict) else "]")


packed = re.search(r'id="data">([^<]*)<', sys.stdin.read()).group(1)
data = json.loads(zlib.decompress(base64.b64decode(packed)))
for member in sys.argv[1:] or data:
    if sys.argv[1:] or member not in ("version", "program"):
        put("" if len(sys.argv) == 2 else member + ": ", data[member])
