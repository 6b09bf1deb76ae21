"""Tests of check_commits: each rule has a message that breaks it, and a repository is read as it is."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check_commits

SCRIPT = Path(__file__).parent / "check_commits.py"
SEARCH = ["crates/search/src/node.rs"]


class Messages(unittest.TestCase):
    def test_good_messages_pass(self):
        for subject, body, files in [
            ("Reduce late quiet moves by history", "Worth 5 Elo.\n\nBench: 1042835\n", SEARCH),
            ("Embed the studies in the binary", "", ["crates/lab/src/lib.rs"]),
            ("Rename the README's headings", "", ["README.md"]),
            ("Test the search's node", "", ["crates/search/tests/parallel.rs"]),
        ]:
            self.assertEqual(check_commits.problems(subject, body, files), [], subject)

    def test_each_rule_has_a_message_that_breaks_it(self):
        for subject, body, files, expected in [
            ("A" * 73, "", [], "73 characters"),
            ("Reduce late moves.", "", [], "full stop"),
            ("reduce late moves", "", [], "capital"),
            ("", "", [], "capital"),
            ("Added a technique", "", [], "'Added' is not imperative"),
            ("Fixes: a crash", "", [], "'Fixes' is not imperative"),
            ("Reducing late moves", "", [], "'Reducing' is not imperative"),
            ("fixup! Reduce late moves", "", [], "unfinished"),
            ("wip", "", [], "unfinished"),
            ("Reduce late moves", "", SEARCH, "Bench"),
            ("Reduce late moves", "Bench: many\n", SEARCH, "Bench"),
            ("Reduce late moves", "see Bench: 12\n", SEARCH, "Bench"),
            ("Count pieces", "", ["crates/eval/src/hce/mod.rs"], "Bench"),
            ("Generate captures", "", ["crates/chess/src/movegen/mod.rs"], "Bench"),
            ("Share the table", "", ["crates/kernel/src/table/mod.rs"], "Bench"),
        ]:
            found = check_commits.problems(subject, body, files)
            self.assertTrue(any(expected in problem for problem in found), f"{subject!r}: {found}")


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.git("init", "-q", "-b", "main")
        self.commit("old subjects are left as they are, however long and in whatever form they were once written", "a", "1")
        self.commit("Add the check", "tools/check_commits.py", "")

    def git(self, *arguments):
        identity = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
                    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", *arguments], cwd=self.root, check=True, env={**os.environ, **identity})

    def commit(self, message, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def check(self, *arguments):
        done = subprocess.run([sys.executable, str(SCRIPT), *arguments], cwd=self.root, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_only_later_commits_are_checked(self):
        self.commit("Say something", "a", "2")
        self.assertEqual(self.check(), (0, "check_commits: 1 commits, 0 problems\n"))
        self.commit("Changed the node", "crates/search/src/node.rs", "3")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn("'Changed' is not imperative", said)
        self.assertIn("has no line 'Bench: N'", said)
        self.assertIn("2 commits, 2 problems", said)

    def test_a_merge_is_passed_over(self):
        self.git("checkout", "-q", "-b", "topic")
        self.commit("Say something", "b", "2")
        self.git("checkout", "-q", "main")
        self.commit("Say something else", "a", "3")
        self.git("merge", "-q", "-m", "merged.", "topic")
        self.assertEqual(self.check(), (0, "check_commits: 2 commits, 0 problems\n"))

    def test_the_newest_bench_is_compared_with_the_program(self):
        program = self.root / "program"
        program.write_text("#!/bin/sh\necho 'a line'\necho '77 nodes 1000 nps'\n")
        program.chmod(0o755)
        self.commit("Prune more\n\nBench: 78", "crates/search/src/node.rs", "1")
        code, said = self.check("--tabiya", str(program))
        self.assertEqual(code, 1)
        self.assertIn("says Bench: 78, the program counts 77", said)
        self.commit("Prune less\n\nBench: 77", "crates/search/src/node.rs", "2")
        self.assertEqual(self.check("--tabiya", str(program))[0], 0)

    def test_a_shallow_clone_is_not_checked(self):
        self.commit("Say something", "a", "2")
        shallow = self.root.parent / (self.root.name + "-shallow")
        subprocess.run(["git", "clone", "-q", "--depth", "1", self.root.as_uri(), str(shallow)], check=True)
        self.addCleanup(lambda: subprocess.run(["rm", "-rf", str(shallow)], check=True))
        done = subprocess.run([sys.executable, str(SCRIPT)], cwd=shallow, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("shallow", done.stdout)


if __name__ == "__main__":
    unittest.main()
