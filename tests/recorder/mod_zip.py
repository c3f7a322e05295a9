"""mod_zip.py ZIP CMAKELISTS

The mod's zip by the rules of FAF's vault, which takes a uid once only and wants a name, an author,
a description and an integer version, and all files below one folder.
"""
import os
import re
import sys
import uuid
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

files = zipfile.ZipFile(sys.argv[1])
release = re.search(
    r"^project\(supprof VERSION (\d+)\.(\d+)\.(\d+)", open(sys.argv[2]).read(), re.M
)
names = [name for name in files.namelist() if not name.endswith("/")]
lib.check(
    {name.split("/")[0] for name in names} == {"supprof"}, f"files outside of supprof/: {names}"
)
for wanted in (
    "mod_info.lua",
    "hook/lua/simInit.lua",
    "hook/lua/userInit.lua",
    "hook/lua/ui/game/gamemain.lua",
    "checks.lua",
    "play-replay.ps1",
    "play-replay.sh",
):
    lib.check("supprof/" + wanted in names, f"{wanted} is missing: {names}")

info = files.read("supprof/mod_info.lua").decode("ascii")
fields = dict(re.findall(r"^(\w+) = (.*)$", info, re.M))
for field in ("name", "author", "description"):
    lib.check(re.fullmatch(r'"[^"]{3,}"', fields.get(field, "")), f"{field} is {fields.get(field)}")
major, minor, patch = map(int, release.groups())
version = 10000 * major + 100 * minor + patch
lib.check(fields["version"] == str(version), f"version {fields['version']} of {release.group()}")
own = uuid.UUID("5b0f1c1e-6c2d-4f0a-9a57-7375707072f1")
lib.check(
    fields["uid"] == f'"{uuid.uuid5(own, f"supprof recorder {version}")}"', f"uid {fields['uid']}"
)
# An update is copied over the folder, where the player's own file stays.
lib.check(
    "supprof/settings.lua" not in names, "settings.lua is in the zip: an update would replace it"
)
lib.check("icon" not in fields, "an icon hides that of the game")
lib.finish("things", 12)
