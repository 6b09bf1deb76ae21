#!/usr/bin/env python3
"""Known holes in what Cargo.lock names, from a copy of the RustSec database, without the network.

    tools/advisories.py path/to/advisory-db            (a checkout, or a git folder without one)

`cargo deny check` does the same and more where it can be installed; this needs Python only.
Ends with 1 if an advisory applies.
"""

import io
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path


def texts(place):
    """The front matter of every advisory about a crate."""
    folder = Path(place)
    if (folder / "crates").is_dir():
        pages = (page.read_text() for page in folder.glob("crates/*/*.md"))
    else:
        tree = ["git", f"--git-dir={place}", "archive", "HEAD", "crates"]
        packed = tarfile.open(fileobj=io.BytesIO(subprocess.run(tree, check=True, capture_output=True).stdout))
        pages = (packed.extractfile(member).read().decode() for member in packed if member.name.endswith(".md"))
    for page in pages:
        found = re.search(r"```toml\n(.*?)\n```", page, re.S)
        if found:
            yield tomllib.loads(found.group(1))


def version(text):
    core, _, early = text.partition("+")[0].partition("-")
    numbers = [int(part) for part in (core.split(".") + ["0", "0"])[:3]]
    # A pre-release comes before its release.
    return (*numbers, 0 if early else 1, early)


def fits(have, requirement):
    """Whether a version meets a comma-separated requirement, as the database writes them."""
    for part in requirement.split(","):
        sign, bound = re.fullmatch(r"\s*(>=|<=|>|<|=|\^|~)?\s*([^\s]+)\s*", part).groups()
        mine, theirs = version(have), version(bound)
        if sign in ("^", None):
            first = next((at for at, number in enumerate(theirs[:3]) if number), 2)
            good = mine >= theirs and mine[: first + 1] == theirs[: first + 1]
        elif sign == "~":
            good = mine >= theirs and mine[:2] == theirs[:2]
        else:
            good = {">=": mine >= theirs, "<=": mine <= theirs, ">": mine > theirs, "<": mine < theirs, "=": mine == theirs}[sign]
        if not good:
            return False
    return True


def main(place):
    lock = tomllib.loads((Path(__file__).parent.parent / "Cargo.lock").read_text())
    ours = {}
    for package in lock["package"]:
        if "source" in package:
            ours.setdefault(package["name"], []).append(package["version"])
    known, bad = 0, 0
    for advisory in texts(place):
        about, versions = advisory["advisory"], advisory.get("versions", {})
        for have in ours.get(about["package"], []):
            if "withdrawn" in about:
                continue
            known += 1
            safe = versions.get("patched", []) + versions.get("unaffected", [])
            if not any(fits(have, requirement) for requirement in safe):
                bad += 1
                kind = about.get("informational", "vulnerability")
                print(f"{about['id']}: {about['package']} {have} ({kind}): {about.get('url', '')}")
    count = sum(map(len, ours.values()))
    print(f"{count} packages, {known} advisories about them, {bad} apply")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
