#!/usr/bin/env python3
"""page_data.py MEMBER <PAGE: prints a member of the data of an HTML report, as JSON in lines."""
import base64
import json
import re
import sys
import zlib

packed = re.search(r'id="data">([^<]*)<', sys.stdin.read()).group(1)
data = json.loads(zlib.decompress(base64.b64decode(packed)))
print(json.dumps(data[sys.argv[1]], ensure_ascii=False, indent=0))
