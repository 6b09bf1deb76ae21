#!/usr/bin/env python3
"""Prints the notices of third parties whose work is in the program: Rust crates, and packages of the page.

    tools/third_party.py > THIRD-PARTY.md

A crate's licence and copyright lines come from its own files, which cargo has on this machine.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPYRIGHT = re.compile(r"^\s*(copyright\b.*(\d{4}|\(c\)|©).*)$", re.IGNORECASE | re.MULTILINE)


def crates():
    """The packages that the program is built from, tests and build tools apart."""
    about = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    host = re.search(r"^host: (\S+)", about, re.MULTILINE).group(1)
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"third_party: {done.stderr.strip()}")
    facts = json.loads(done.stdout)
    nodes = {node["id"]: node for node in facts["resolve"]["nodes"]}
    packages = {package["id"]: package for package in facts["packages"]}
    wanted, waiting = set(), [package["id"] for package in facts["packages"] if package["name"] == "tabiya"]
    while waiting:
        package = waiting.pop()
        if package in wanted:
            continue
        wanted.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    others = (packages[package] for package in wanted if packages[package]["source"])
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def copyrights(folder):
    """The copyright lines of a package's licence files."""
    found = []
    for path in sorted(folder.glob("*")):
        if path.is_file() and re.match(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE)", path.name, re.IGNORECASE):
            found += [line.strip() for line, _ in COPYRIGHT.findall(path.read_text(errors="replace"))]
    return [line for line in dict.fromkeys(found) if "[yyyy]" not in line]


def main():
    print("# Third parties\n\nTabiya is GPL-3.0-or-later. It contains the work of others:\n")
    print("## Rust crates\n")
    packages = crates()
    if not packages:
        sys.exit("third_party: cargo names no crates")
    for package in packages:
        licence = package["license"] or "see its files"
        print(f"- {package['name']} {package['version']}, {licence}, {package['repository'] or 'crates.io'}")
        for line in copyrights(Path(package["manifest_path"]).parent):
            print(f"  - {line}")
    print("\n## Packages of the page\n")
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    for name, package in sorted(lock["packages"].items()):
        if name and not package.get("dev"):
            print(f"- {name.removeprefix('node_modules/')} {package['version']}, {package.get('license', 'see its files')}")
    print("\nThe pieces are the set by Colin M. L. Burnett, as chessground ships it. Opening names: lichess-org/chess-openings, CC0.")


if __name__ == "__main__":
    main()
