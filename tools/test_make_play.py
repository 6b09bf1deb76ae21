"""Tests of `make play` with stand-ins for cargo, npm, node and the program: what it says and what it starts."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What make and its recipes need from the system.
SYSTEM = ["make", "sh", "find", "grep", "mkdir", "cp", "mv", "touch"]


class Play(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in SYSTEM:
            if shutil.which(name):
                (self.folder / name).symlink_to(shutil.which(name))
        self.program("tabiya", 'echo "started: $*"')

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def node(self, major):
        """A Node.js of this version. The real one, where it is here, runs the Makefile's expression with that version."""
        real = shutil.which("node")
        version = f"Object.defineProperty(process.versions, 'node', {{ value: '{major}.1.0' }});"
        self.program("node", f'exec {real} -e "{version} $2"' if real else f"[ {major} -ge 20 ]")
        self.program("npm", "exit 0")

    def play(self):
        command = ["make", "play", f"RELEASE={self.folder / 'tabiya'}", "MAKE=true"]
        environment = {**os.environ, "PATH": str(self.folder)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_with_node_the_board_is_served(self):
        self.program("cargo", "exit 0")
        self.program("true", "exit 0")
        self.node(22)
        said = self.play()
        self.assertIn("started: serve", said)
        self.assertNotIn("Node.js", said)

    def test_without_node_a_game_begins_in_the_terminal(self):
        self.program("cargo", "exit 0")
        said = self.play()
        self.assertIn("needs Node.js (20 or newer)", said)
        self.assertIn("started: play", said)

    def test_an_old_node_counts_as_none(self):
        self.program("cargo", "exit 0")
        self.node(18)
        said = self.play()
        self.assertIn("needs Node.js (20 or newer)", said)
        self.assertIn("started: play", said)

    def test_without_rust_it_says_where_to_get_it(self):
        said = self.play()
        self.assertIn("https://rustup.rs", said)
        self.assertNotIn("started", said)


if __name__ == "__main__":
    unittest.main()
