"""Tests of pgo.sh with stand-ins for cargo and rustc: both builds, the bench between them, and the way without tools."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "pgo.sh"
CARGO = """#!/bin/sh
echo "$RUSTFLAGS" >>"$LOG"
program=$CARGO_TARGET_DIR/host-triple/release/tabiya
mkdir -p "$(dirname "$program")"
counts=${RUSTFLAGS##*profile-generate=}
{ echo '#!/bin/sh'; echo "echo ran \\$* >>\\"$LOG\\""; echo "mkdir -p '$counts' && touch '$counts/1.profraw'"; } >"$program"
chmod +x "$program"
"""
RUSTC = """#!/bin/sh
case $1 in
-vV) echo "host: host-triple" ;;
*) echo "$SYSROOT" ;;
esac
"""
PROFDATA = """#!/bin/sh
echo "merged $(basename "$4")" >>"$LOG"
touch "$3"
"""


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        self.program("bin/cargo", CARGO)
        self.program("bin/rustc", RUSTC)

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def build(self):
        paths = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SYSROOT": str(self.folder), "LOG": str(self.log)}
        environment = {**os.environ, **paths, "CARGO": "cargo"}
        done = subprocess.run([str(SCRIPT), "native", "target/pgo"], cwd=self.folder, env=environment, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "target/pgo/release/tabiya").exists())
        return done.stderr, self.log.read_text().splitlines()

    def test_counts_runs_the_bench_and_uses_the_profile(self):
        self.program("lib/rustlib/host-triple/bin/llvm-profdata", PROFDATA)
        _, log = self.build()
        counts = self.folder.resolve() / "target/pgo/counts"
        self.assertEqual(log, [
            f"-C target-cpu=native -C profile-generate={counts}",
            "ran bench",
            "merged 1.profraw",
            f"-C target-cpu=native -C profile-use={counts}/merged.profdata",
        ])

    def test_without_the_tool_it_is_a_plain_build_and_says_so(self):
        said, log = self.build()
        self.assertIn("without a profile", said)
        self.assertEqual(log, ["-C target-cpu=native"])


if __name__ == "__main__":
    unittest.main()
