#!/usr/bin/env python3
"""Follows a guide step by step on a copy of the repository.

    tools/follow_guide.py GUIDE.md [--run]

Each ```diff block is applied to a copy in the order of the guide. With --run each ```sh block is run there as well.
Build outputs go to target/guide, so that a second run is short.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(diff|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """The blocks of a guide in order: kind and content."""
    return [(found.group(1), found.group(2)) for found in BLOCK.finditer(text)]


def copy(target):
    """Copies what git knows, as it is in the working tree."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    for name in filter(None, (os.fsdecode(name) for name in names)):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def follow(guide, run):
    """Applies and runs the guide's blocks; the error of the first that fails, or None."""
    with tempfile.TemporaryDirectory(prefix="tabiya-guide-") as folder:
        copy(Path(folder))
        environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "guide")}
        for number, (kind, content) in enumerate(blocks(guide), 1):
            if kind == "diff":
                command = ["git", "apply", "--recount", "-"]
                done = subprocess.run(command, cwd=folder, input=content, text=True, capture_output=True)
            elif run:
                done = subprocess.run(["sh", "-e"], cwd=folder, input=content, text=True, env=environment)
            else:
                continue
            if done.returncode != 0:
                return f"block {number} ({kind}): {done.stderr or 'failed'}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("guide", type=Path)
    parser.add_argument("--run", action="store_true", help="run the ```sh blocks too")
    options = parser.parse_args()
    failure = follow(options.guide.read_text(), options.run)
    if failure:
        sys.exit(f"{options.guide}: {failure}")
    print(f"{options.guide}: all steps work")


if __name__ == "__main__":
    main()
