#!/usr/bin/env python3
"""Prints the notices of third parties whose work is in the program: Rust crates, and packages of the page.

    tools/third_party.py [TARGET] > THIRD-PARTY.md

TARGET is the system that the program is built for, as in x86_64-pc-windows-gnu (default: this one).

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
    if len(sys.argv) > 1:
        target = sys.argv[1]
    else:
        about = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
        target = re.search(r"^host: (\S+)", about, re.MULTILINE).group(1)
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    # What this machine's build needs is here; another system's crates may have to be fetched.
    if len(sys.argv) == 1:
        command.append("--offline")
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


def licence_files(folder):
    """A package's licence files."""
    named = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE)", re.IGNORECASE)
    return [path for path in sorted(folder.glob("*")) if path.is_file() and named.match(path.name)]


def copyrights(folder):
    """The copyright lines of a package's licence files."""
    found = []
    for path in licence_files(folder):
        found += [line.strip() for line, _ in COPYRIGHT.findall(path.read_text(errors="replace"))]
    return [line for line in dict.fromkeys(found) if "[yyyy]" not in line]


def texts(packages):
    """Each licence text once, with the packages that have it. Of several licences to choose from, MIT is taken."""
    found = {}
    for package in packages:
        files = licence_files(Path(package["manifest_path"]).parent)
        for path in [path for path in files if "MIT" in path.name.upper()] or files:
            text = path.read_text(errors="replace").strip()
            key = re.sub(r"\W+", " ", COPYRIGHT.sub("", text)).lower().strip()
            if key:
                found.setdefault(key, (text, []))[1].append(package["name"])
    return found.values()


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
    print("\n## Licence texts\n\nA text is printed once; the copyright lines above belong to it.")
    for text, names in texts(packages):
        print(f"\n### {', '.join(dict.fromkeys(names))}\n\n```text\n{text}\n```")
    print("\nThe pieces are the set by Colin M. L. Burnett, as chessground ships it. Opening names: lichess-org/chess-openings, CC0.")


if __name__ == "__main__":
    main()
