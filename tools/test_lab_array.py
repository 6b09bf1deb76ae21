"""Test of lab_array.slurm with a stand-in for the program."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parent / "lab_array.slurm"


class Array(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "tabiya"
        self.program.write_text('#!/bin/sh\necho "$*"\n')
        self.program.chmod(0o755)

    def run_job(self, **variables):
        environment = {**os.environ, "TABIYA": str(self.program), **variables}
        command = ["sh", str(SCRIPT), "match", "a.toml", "--quick"]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def test_one_job_runs_its_shard_and_says_how_to_merge(self):
        lines = self.run_job(SLURM_ARRAY_TASK_ID="2", SLURM_ARRAY_TASK_MAX="3").stdout.splitlines()
        self.assertEqual(lines[0], "lab match a.toml --quick --shard 2/3 --out shards/2")
        self.assertTrue(lines[1].endswith("lab merge shards/all shards/1 shards/2 shards/3"), lines[1])

    def test_outside_an_array_it_says_so(self):
        done = self.run_job(SLURM_ARRAY_TASK_MAX="")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SLURM array", done.stderr)


if __name__ == "__main__":
    unittest.main()
