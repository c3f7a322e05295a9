"""manifests.py DIRECTORY VERSION REPOSITORY

Whether the manifests in a folder are what scoop and winget take: the members that their schemas
know and need, each with the pattern that it has there, for the zip that is in the folder, too.
"""
import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import lib

directory, version, repository = sys.argv[1:]
home = "https://github.com/" + repository
folder = "supprof-%s-windows" % version
address = "%s/releases/download/v%s/%s.zip" % (home, version, folder)
with open(os.path.join(directory, folder + ".zip"), "rb") as packed:
    sha256 = hashlib.sha256(packed.read()).hexdigest()


def read(name):
    with open(os.path.join(directory, name)) as manifest:
        text = manifest.read()
    lib.check("@" not in text, "%s: a part of the template is left" % name)
    return text


def value_of(text):
    """A plain value of YAML, which needs no quotes; None for nothing."""
    lib.check(
        not re.search(r"^[-?:,\[\]{}#&*!|>'\"%@`]|: | #|:$", text), "%r needs quotes in YAML" % text
    )
    return text or None


def read_yaml(name):
    """Members, and lists of members or values: the YAML that our manifests are written in."""
    manifest, members = {}, None
    for line in read(name).splitlines():
        parts = re.fullmatch(r"(- |  )?(?:([A-Za-z0-9]+):(?: |$))?(.*)", line)
        start, key, text = parts.groups()
        value = value_of(text)
        if start is None:
            lib.check(key not in manifest, "%s: %s is there twice" % (name, key))
            manifest[key] = members = value or []
        elif key is None:
            members.append(value)
        else:
            members.extend([{}] if start == "- " else [])
            members[-1][key] = value
    return manifest


def check(where, found, wanted):
    """Compares the members with those of `wanted`: a pattern, a list of one, or more members."""
    if isinstance(wanted, str):
        lib.check(isinstance(found, str) and re.fullmatch(wanted, found), "%s: %r" % (where, found))
    elif isinstance(wanted, list):
        lib.check(isinstance(found, list) and found, "%s: %r" % (where, found))
        for item in found:
            check(where, item, wanted[0])
    else:
        lib.check(set(found) == set(wanted), "%s has %s" % (where, sorted(found)))
        for key in set(found) & set(wanted):
            check("%s.%s" % (where, key), found[key], wanted[key])


exactly = re.escape
later = (
    exactly(address.replace(version, "$version")),
    exactly(folder.replace(version, "$version")),
)
check(
    "scoop",
    json.loads(read("supprof.json")),
    {
        "version": exactly(version),
        "description": ".+",
        "homepage": exactly(home),
        "license": "MIT",
        "architecture": {
            "64bit": {"url": exactly(address), "hash": sha256, "extract_dir": exactly(folder)}
        },
        "bin": r"supprof\.exe",
        "checkver": "github",
        "autoupdate": {
            "architecture": {"64bit": {"url": later[0], "extract_dir": later[1]}},
            "hash": {"url": r"\$baseurl/SHA256SUMS"},
        },
    },
)


def common(kind):
    return {
        "PackageIdentifier": r"supprof\.supprof",
        "PackageVersion": exactly(version),
        "ManifestType": kind,
        "ManifestVersion": r"1\.6\.0",
    }


check("version", read_yaml("supprof.supprof.yaml"), {**common("version"), "DefaultLocale": "en-US"})
check(
    "installer",
    read_yaml("supprof.supprof.installer.yaml"),
    {
        **common("installer"),
        "InstallerType": "zip",
        "NestedInstallerType": "portable",
        "NestedInstallerFiles": [
            {
                "RelativeFilePath": exactly(folder + "\\supprof.exe"),
                "PortableCommandAlias": "supprof",
            }
        ],
        "Installers": [
            {"Architecture": "x64", "InstallerUrl": exactly(address), "InstallerSha256": sha256}
        ],
    },
)
check(
    "locale",
    read_yaml("supprof.supprof.locale.en-US.yaml"),
    {
        **common("defaultLocale"),
        "PackageLocale": "en-US",
        "Publisher": ".{2,256}",
        "PackageName": "supprof",
        "PackageUrl": exactly(home),
        "License": "MIT",
        "LicenseUrl": exactly("%s/blob/v%s/LICENSE" % (home, version)),
        "ShortDescription": ".{3,256}",
        "ReleaseNotesUrl": exactly("%s/releases/tag/v%s" % (home, version)),
        "Tags": [".{1,40}"],
    },
)
lib.finish("manifests")
